//! Who may do what, and who may learn what: callers, their tokens, and the policy.
//!
//! Nothing here knows GraphQL or HTTP. A transport finds the [`Caller`] of a token ([`Tokens`]), reads the
//! request, and hands it to the caller's [`Desk`], so every transport follows the same rules.

mod act;
mod analysis;
mod caller;
mod desk;
mod game_tokens;
mod issuing;
mod line;
mod people;
mod quotas;
mod refusal;
mod role;
mod takeback;
mod tokens;
mod tournament;
mod view;

pub use self::act::{Act, Expected};
pub use self::caller::GamePlace;
pub use self::caller::{Caller, TableNumber};
pub use self::desk::Desk;
pub use self::issuing::{TokenRequest, TokenRequestError};
pub use self::quotas::{QuotaLimits, Quotas};
pub use self::refusal::Refusal;
pub use self::role::{Role, RoleError};
pub use self::takeback::TakeBack;
pub use self::tokens::{IssuedToken, NewToken, Token, Tokens, TokensError};
pub use self::tournament::TableToken;
pub use self::view::legal_actions;
