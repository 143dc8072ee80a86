//! What is wrong with a log.

use serde::Serialize;

/// The first fault in a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The seq of the event.
    pub seq: u64,
    /// The sort of fault.
    pub kind: FaultKind,
    /// What is wrong with the event.
    pub problem: String,
}

/// The sort of a fault. All verifiers use these words; see *Verifying a log* in `FORMAT.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FaultKind {
    /// The bytes are not an event.
    Form,
    /// The event does not follow the one before: by its log, number, hash or time.
    Chain,
    /// The event is not signed as it says, or not signed although everything in this game is.
    Signature,
    /// The event is by somebody who cannot be its author.
    Author,
    /// The event cannot come at this point, or not in this log.
    Order,
    /// No game can end like this.
    Outcome,
    /// A commitment is not met.
    Seal,
    /// The dice do not follow from what was committed to, or cannot be checked.
    Dice,
    /// A line does not fit the log that it continues, or a tournament one of its games.
    Line,
    /// The rules of the game disagree.
    Rules,
}
