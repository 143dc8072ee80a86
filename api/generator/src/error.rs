use plybook_events::EventError;
use plybook_rules::SetupError;
use plybook_rules::log::DraftError;
use plybook_store::{AppendError, VaultError};

/// Why games cannot be generated or written.
#[derive(Debug, thiserror::Error)]
pub enum GeneratorError {
    /// A setup is invalid: a bug in the generator, as are the next two.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A log cannot be drafted.
    #[error(transparent)]
    Draft(#[from] DraftError),
    /// An event has no canonical form.
    #[error(transparent)]
    Event(#[from] EventError),
    /// The vault takes no secrets.
    #[error(transparent)]
    Vault(#[from] VaultError),
    /// The journal takes no events.
    #[error(transparent)]
    Append(#[from] AppendError),
}
