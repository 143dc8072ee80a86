//! What a recorded fact is: event types, ids, canonical bytes, the hash chain, commitments.
//!
//! This crate knows no game and does no I/O: no files, no network, no clock, no randomness. Checking a
//! log takes SHA-256 and the layout that `FORMAT.md` describes; this crate is that description as code.

mod actor;
pub mod body;
pub mod canonical;
pub mod chain;
mod envelope;
mod error;
mod event;
pub mod fair;
mod hash;
mod id;
mod outcome;
mod played;
mod printable;
mod request;
pub mod seal;
mod signature;
mod text;
mod timestamp;
mod who;

pub use actor::{Actor, By, SEATS_MAX};
pub use body::Body;
pub use envelope::{AtText, Envelope};
pub use error::{EVENT_BYTES_MAX, EventError};
pub use event::Event;
pub use hash::{Hash, HashError};
pub use id::{IdError, LogId};
pub use outcome::{Decider, Outcome, OutcomeError, UNRECORDED};
pub use played::{Played, PlayedError};
pub use printable::{is_unprintable, printable_json, printable_lines, unprintable_in_lines};
pub use request::{RequestId, RequestIdError};
pub use signature::{Place, PrivateKey, PublicKey, Signature, SignatureError, Statement};
pub use text::read_text;
pub use timestamp::{Timestamp, TimestampError};
pub use who::{Who, WhoError, WhoRole};
