//! What the module refuses, and why.

use serde::Serialize;

/// A refused request. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// The sort of refusal.
    pub code: Code,
    /// Why, in words.
    pub message: String,
    /// For an action that is not legal: its index in the list of actions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<usize>,
}

/// The sort of a refusal; the words are those of `docs/errors.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Code {
    /// The request is wrong. Correct it.
    BadInput,
    /// There is no such game or ply. Open the record first.
    NotFound,
    /// An action is not legal where it is played. Choose another.
    IllegalAction,
    /// The request or its answer is larger than allowed. Ask for less.
    TooLarge,
}

impl Refusal {
    /// A refusal that names no action.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), action: None }
    }

    /// A refusal of a request that is wrong.
    pub fn bad(message: impl Into<String>) -> Self {
        Self::new(Code::BadInput, message)
    }
}
