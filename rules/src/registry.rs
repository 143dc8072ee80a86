//! The list of all games.

use std::sync::OnceLock;

use crate::{Rules, games};

static KINDS: OnceLock<Vec<&'static dyn Rules>> = OnceLock::new();

/// The rules of all games, in the order they are shown; the same list for as long as the process runs.
pub fn kinds() -> &'static [&'static dyn Rules] {
    KINDS.get_or_init(|| games::ALL.to_vec())
}

/// The rules of the game with this id.
pub fn kind(kind: &str) -> Option<&'static dyn Rules> {
    kinds().iter().copied().find(|rules| rules.about().kind == kind)
}

/// Why games were not registered; the list is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// The list is in use. Register before anything asks for a kind, and once only.
    #[error("the list of games is in use already")]
    InUse,
    /// Two games have the same id; give one of them another.
    #[error("there are two games of the kind {0}")]
    Twice(&'static str),
}

/// Adds games behind the product's own. For tests: the product's list is fixed when it is compiled,
/// and `tests/boundaries` checks that no room of it calls this.
///
/// # Errors
/// [`RegisterError::InUse`] once [`kinds`] or [`kind`] was called.
pub fn register_kinds(more: &[&'static dyn Rules]) -> Result<(), RegisterError> {
    let all = [games::ALL, more].concat();
    for (index, rules) in all.iter().enumerate() {
        let kind = rules.about().kind;
        if all[..index].iter().any(|other| other.about().kind == kind) {
            return Err(RegisterError::Twice(kind));
        }
    }
    KINDS.set(all).map_err(|_| RegisterError::InUse)
}
