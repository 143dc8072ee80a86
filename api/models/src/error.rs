//! Why a filter is refused, and why a read model cannot answer.

use std::io;

use plybook_store::{JournalError, ReadError};

/// Why a filter is refused; the text says what is valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FilterError(pub String);

impl FilterError {
    /// No game has this kind; the text says which kinds there are.
    pub fn unknown_kind(name: &str) -> Self {
        let known: Vec<_> = plybook_rules::kinds().iter().map(|rules| rules.about().kind).collect();
        let name: String = name.chars().take(40).collect();
        Self(format!("no game is called {name:?}; there are: {}", known.join(", ")))
    }
}

/// Why a read model cannot be loaded, saved or asked. Tell the operator, with the [advice](Self::advice).
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The journal cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file of a read model cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl ModelError {
    /// What the operator should do.
    pub(crate) fn advice(&self) -> &'static str {
        match self {
            Self::Read(_) => {
                "the journal cannot be read. `plybook doctor` names the file: restore that from a copy, and restart"
            }
            Self::Io(_) => "stop the service, run `plybook rebuild`, and start it again",
        }
    }

    /// Whether a stream with the journal could not be read: its servers may be away, or a replica behind or damaged, and later
    /// they are not.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(self, Self::Read(ReadError::Journal(JournalError::Remote { .. })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_journal_is_restored_and_only_a_damaged_model_is_rebuilt() {
        let damaged = JournalError::Damaged { file: "segment".into(), offset: 7, why: "it was changed" };
        let advice = ModelError::from(ReadError::from(damaged)).advice();
        assert!(advice.contains("restore") && !advice.contains("rebuild"), "{advice}");
        assert!(ModelError::from(io::Error::other("figures")).advice().contains("rebuild"));
    }
}
