//! Why a caller is not let in.

/// Why a caller is not let in. The caller should use another token, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no such token.
    #[error("the token is not known")]
    Unknown,
    /// The token was withdrawn.
    #[error("the token has been revoked")]
    Revoked,
    /// The token was good until some time ago.
    #[error("the token has expired")]
    Expired,
    /// Something was given that is not a token.
    #[error("a token is given as `Bearer <token>`")]
    Malformed,
}
