//! The event of a receipt's log.

use serde::{Deserialize, Serialize};

use crate::{Hash, LogId};

/// A request with a key was carried out. It is written together with the events of that request, as the only event of
/// a log whose id follows from the key, so that no key is ever used twice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Received {
    /// A hash of the request, so that another one with the same key is noticed.
    pub request: Hash,
    /// The log that the request was about.
    pub log: LogId,
    /// The seq of the last event that it wrote there.
    pub seq: u64,
}
