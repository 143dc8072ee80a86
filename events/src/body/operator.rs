//! The events of the logs that hold only one: changes of history that were accepted, and rotations of a key.

use serde::{Deserialize, Serialize};

use super::member::{is_false, only_true, present_object};
use crate::{Hash, LogId};

/// The journal was not the one that the index was made from, and the operator accepted that. The only
/// event of its log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HistoryAccepted {
    /// The position in the journal of the first event that differs.
    pub position: u64,
    /// The event that was recorded there, if any.
    #[serde(default, deserialize_with = "present_object", skip_serializing_if = "Option::is_none")]
    pub recorded: Option<EventRef>,
    /// The event that the journal had there when the change was accepted; missing if it ended before.
    #[serde(default, deserialize_with = "present_object", skip_serializing_if = "Option::is_none")]
    pub found: Option<EventRef>,
}

/// The key that signs the checkpoints of the transparency log was replaced. The only event of its log, whose id follows
/// from the new key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyRotated {
    /// The new public key, as a verifier key of <https://c2sp.org/signed-note>.
    pub key: String,
    /// The public key that it replaces.
    pub old: String,
    /// Whether the old key signs no more; otherwise both sign until the next rotation.
    #[serde(default, deserialize_with = "only_true", skip_serializing_if = "is_false")]
    pub dropped: bool,
}

/// An event of any log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventRef {
    /// The log.
    pub log: LogId,
    /// Its seq.
    pub seq: u64,
    /// Its hash.
    pub hash: Hash,
}
