//! The list of all games.

use std::sync::OnceLock;

use crate::{Rules, games};

/// The product's games and those that were registered, once there are any.
static EXTENDED: OnceLock<Vec<&'static dyn Rules>> = OnceLock::new();

/// The rules of all games, in the order they are shown.
pub fn kinds() -> &'static [&'static dyn Rules] {
    EXTENDED.get().map_or(games::ALL, Vec::as_slice)
}

/// The rules of the game with this id.
pub fn kind(kind: &str) -> Option<&'static dyn Rules> {
    kinds().iter().copied().find(|rules| rules.about().kind == kind)
}

/// Why games were not registered; the list is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// Games were registered before; register all of them together.
    #[error("games were registered before")]
    Again,
    /// Two games have the same id; give one of them another.
    #[error("there are two games of the kind {0}")]
    Twice(&'static str),
}

/// Adds games behind the product's own, once in a process and before anything asks for them. For tests:
/// the product's list is fixed when it is compiled, and `tests/boundaries` checks that no room of the
/// product calls this.
///
/// # Errors
/// The list stays as it is where two games have the same id, or some were registered before.
pub fn register_kinds(more: &[&'static dyn Rules]) -> Result<(), RegisterError> {
    let all = [games::ALL, more].concat();
    for (index, rules) in all.iter().enumerate() {
        let kind = rules.about().kind;
        if all[..index].iter().any(|other| other.about().kind == kind) {
            return Err(RegisterError::Twice(kind));
        }
    }
    EXTENDED.set(all).map_err(|_| RegisterError::Again)
}
