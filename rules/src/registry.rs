//! The list of all games.

use std::sync::OnceLock;

use crate::{Rules, games};

/// The product's games and the registered ones, once some are registered.
static EXTENDED: OnceLock<Vec<&'static dyn Rules>> = OnceLock::new();

/// The rules of all games, in display order.
pub fn kinds() -> &'static [&'static dyn Rules] {
    EXTENDED.get().map_or(games::ALL, Vec::as_slice)
}

/// The rules of the game with this id.
pub fn kind(kind: &str) -> Option<&'static dyn Rules> {
    kinds().iter().copied().find(|rules| rules.about().kind == kind)
}

/// Why games were not registered. The list is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// Games have been registered before. Register all of them in one call.
    #[error("games were registered before")]
    Again,
    /// Two games have the same id. Give one of them another.
    #[error("there are two games of the kind {0}")]
    Twice(&'static str),
}

/// Adds games after the product's own. May be called once per process, before anything asks for the list. For
/// tests only: the product's list is fixed at compile time, and `tests/boundaries` checks that the product
/// never calls this.
///
/// # Errors
/// Two games have the same id, or games have been registered before. The list is unchanged.
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
