//! Why a token is refused.

/// Why a token is refused. The caller should use another one, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no such token.
    #[error("the token is not known")]
    Unknown,
    /// The token was revoked.
    #[error("the token has been revoked")]
    Revoked,
    /// The token has expired.
    #[error("the token has expired")]
    Expired,
    /// The text sent is not a token.
    #[error("a token is given as `Bearer <token>`")]
    Malformed,
}
