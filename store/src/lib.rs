//! Where the bytes are: the journal, the per-game logs, tables for read models, the vault.
//!
//! The [`Journal`] is the durable truth: every event of all logs, in order. A [`Log`] writes to it
//! and answers per log, from an index in sled that is fed from the journal and can be lost at any
//! time. A [`Table`] keeps a read model beside that index; a [`Vault`] keeps what must not be read
//! for a while. A [`Store`] opens them all over one data directory.
//!
//! This crate cannot interpret what it stores: it knows the layout of an event and its hash chain,
//! and nothing of what an event means. It blocks; callers that must not, use
//! [`Log::append_with`] and [`Log::watch`].

mod recovery;
mod store;

mod log;

mod journal;

mod database;
mod index;
mod table;
mod totals;

mod vault;

mod disk;
mod entry;
mod lock;

pub use entry::{Entry, EventBytes};
pub use journal::{FileJournal, Journal, JournalError, MemoryJournal};
pub use lock::LockError;
pub use log::{Append, AppendError, Appended, Follower, Head, Log, ReadError};
pub use store::{OpenError, Options, Store};
pub use table::{Changes, Row, Rows, Table, TableError};
pub use vault::{Vault, VaultError};
