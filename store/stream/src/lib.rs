//! Streams and encrypted key-value buckets on NATS `JetStream`, which several nodes share.
//!
//! An [`EventStream`] is an ordered, append-only sequence of events: each append names the position that the first event is to
//! have, and only one of those who say the same is first. Beside it are [`Bucket`]s, encrypted with a [`VaultKey`]: [`Batches`] are
//! only added to, a [`Document`] is replaced as a whole, and a [`Collection`] has values under keys. `docs/cluster.md` describes
//! them.

mod address;
mod batches;
mod bucket;
mod collection;
mod connection;
mod document;
mod error;
mod events;
mod exchange;
mod key;
mod message;
mod settings;
mod status;
mod stream;

pub use address::{NatsAccess, NatsAddress, NatsAddressError};
pub use batches::Batches;
pub use bucket::Bucket;
pub use collection::{Collection, Put};
pub use connection::Connection;
pub use document::{Document, Documents, Version};
pub use error::StreamError;
pub use events::{EventStream, Refusal};
pub use key::{Encrypted, VaultKey, VaultKeyError};
pub use status::{ServerStatus, StreamStatus};

/// The exact bytes of an event.
pub type EventBytes = std::sync::Arc<[u8]>;
