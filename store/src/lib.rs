//! Where the bytes are: the journal, the logs, keyspaces for read models, the vault.
//!
//! The [`Journal`] is the durable truth: the events of all logs, in order. A [`Log`] writes to it and
//! reads single logs, from an index in sled that is fed from the journal and may be lost at any time.
//! A [`Keyspace`] holds a read model beside that index; a [`Vault`] keeps secrets, and
//! [`Personal`] what must be possible to erase. A [`Store`] opens all of them over one data directory; a [`Tlog`]
//! follows its journal with a signed Merkle tree.
//!
//! This crate cannot interpret what it stores: it knows the layout of an event and the hash chain, but
//! not what an event means. Its calls block.

mod backup;
mod store;

mod history;
mod open_error;

mod log;

mod journal;

mod database;
mod keyspace;

mod personal;
mod shared;
mod vault;

mod tlog;

mod disk;
mod entry;
mod lock;
mod memory;
mod model_files;
mod operator;
mod priority;

pub use backup::{
    BACKUP_MANIFEST, BackupError, BackupSummary, Cut, Restored, SharedCopy, SharedCopyError, backup, restore,
};
pub use database::{IndexFiles, index_files};
pub use entry::{Entry, EventBytes};
pub use history::HistoryChange;
pub use journal::{
    Contents, CopyError, Damage, Examination, FileJournal, JetStreamJournal, Journal, JournalError, MemoryJournal,
    UpkeepProgress, check_journal, copy_journal, examine,
};
pub use keyspace::{Changes, Keyspace, KeyspaceError, Pair};
pub use lock::{LockError, holder};
pub use log::{Append, AppendError, Appended, Head, Log, ReadError};
pub use memory::Memory;
pub use model_files::ModelFiles;
pub use open_error::OpenError;
pub use personal::{Personal, PersonalChange, PersonalError};
pub use plybook_stream::{
    Collection, Document, NatsAccess, NatsAddress, NatsAddressError, Put, ServerStatus, StreamError, StreamStatus,
    VaultKey, VaultKeyError, Version,
};
pub use priority::let_others_go_first;
pub use shared::{Shared, open_document};
pub use store::{JournalPlace, Options, Store, convert_vault, open_journal};
pub use tlog::{Published, Rotation, TileError, Tlog, TlogError, TreeTiles, Witness, WitnessError};
pub use vault::{Vault, VaultError};
