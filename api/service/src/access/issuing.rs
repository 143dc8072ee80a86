//! Tokens created, listed and revoked by those who may.

use plybook_events::{LogId, Timestamp, is_unprintable};
use plybook_store::StreamError;

use super::Caller;
use super::desk::Desk;
use super::role::Role;
use super::tokens::{IssuedToken, NewToken, Token, TokensError};
use crate::error::Problem;

/// A day in milliseconds.
const DAY_MS: i64 = 86_400_000;

/// The most days for which a token is valid.
pub const DAYS_MAX: u32 = 36_500;

/// The most characters of a token's label.
const LABEL_CHARS_MAX: usize = 100;

/// A token as somebody asks for it.
#[derive(Clone, Debug)]
pub struct TokenRequest {
    /// What it allows.
    pub role: Role,
    /// What it is for.
    pub label: String,
    /// How many days it is valid; without an end if `None`.
    pub days: Option<u32>,
    /// The player who holds it.
    pub player: Option<LogId>,
    /// The one game that it is for.
    pub game: Option<LogId>,
    /// The seat in that game.
    pub seat: Option<u8>,
    /// The one tournament that it is for.
    pub tournament: Option<LogId>,
}

/// Why a token cannot be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenRequestError {
    /// A player's token has to say whose it is, and others must not.
    #[error("a player's token names a player, or a game and a seat; other roles name neither a player nor a seat")]
    Seat,
    /// A seat without a game.
    #[error("a seat is one of a game: name the game too")]
    SeatWithoutGame,
    /// An organiser's token has to say of which tournament, and others must not.
    #[error("an organiser's token names a tournament; other roles do not")]
    Tournament,
    /// Tokens of tables belong to open rounds, spectators need none.
    #[error("tokens of tables are issued when their round is open: see docs/tournaments.md")]
    Table,
    /// Nobody needs a token to read.
    #[error("a spectator needs no token")]
    Spectator,
    /// The label is too long, or cannot be printed.
    #[error("a label has at most {LABEL_CHARS_MAX} printable characters")]
    Label,
    /// The time is too long, or none.
    #[error("a token is valid for 1 to {DAYS_MAX} days")]
    Days,
}

impl TokenRequest {
    /// The token to create at a time.
    ///
    /// # Errors
    /// Something is missing for this role, or there is too much.
    pub fn checked(&self, now: Timestamp) -> Result<NewToken, TokenRequestError> {
        let Self { role, player, game, seat, tournament, .. } = *self;
        match role {
            Role::Spectator => return Err(TokenRequestError::Spectator),
            Role::Table => return Err(TokenRequestError::Table),
            _ => {}
        }
        if seat.is_some() && game.is_none() {
            return Err(TokenRequestError::SeatWithoutGame);
        }
        if (role == Role::Player) != (player.is_some() || seat.is_some()) {
            return Err(TokenRequestError::Seat);
        }
        if (role == Role::Organiser) != tournament.is_some() {
            return Err(TokenRequestError::Tournament);
        }
        if self.label.chars().count() > LABEL_CHARS_MAX || self.label.chars().any(is_unprintable) {
            return Err(TokenRequestError::Label);
        }
        if self.days.is_some_and(|days| !(1..=DAYS_MAX).contains(&days)) {
            return Err(TokenRequestError::Days);
        }
        let end = |days| Timestamp::from_millis(now.as_millis() + i64::from(days) * DAY_MS).ok();
        let caller = Caller { role, player, game, seat, tournament, ..Caller::SPECTATOR };
        Ok(NewToken { caller, label: self.label.clone(), issuer: None, expires: self.days.and_then(end) })
    }
}

impl Desk {
    /// Creates a token. For administrators; arbiters may create those of organisers.
    ///
    /// # Errors
    /// The caller may not do this, what the token is to be for does not exist, or nothing can be written.
    pub fn create_token(&self, new: &TokenRequest) -> Result<IssuedToken, Problem> {
        match new.role {
            Role::Organiser => self.require_chief()?,
            _ => self.require_administrator()?,
        }
        let checked = new.checked(self.service.clock().now()).map_err(|why| Problem::BadInput(why.to_string()))?;
        self.check_existence(new)?;
        Ok(self.tokens()?.replace(vec![checked], |_| false).map_err(unwritten)?.remove(0))
    }

    /// All tokens, without their secrets. For administrators.
    ///
    /// # Errors
    /// The caller may not see them.
    pub fn all_tokens(&self) -> Result<Vec<Token>, Problem> {
        self.require_administrator()?;
        Ok(self.tokens()?.list())
    }

    /// The caller's own token; `None` without one.
    pub fn own_token(&self) -> Option<Token> {
        let own = self.caller.token?;
        self.tokens().ok()?.list().into_iter().find(|token| token.hash == own)
    }

    /// Revokes a token and returns what it was. Administrators may revoke any, arbiters those of tournaments, and
    /// organisers those of their tables.
    ///
    /// # Errors
    /// The caller may not do this, there is no such token, or nothing can be written.
    pub fn revoke_token(&self, id: &str) -> Result<Token, Problem> {
        // A caller who may revoke nothing does not learn which tokens exist.
        if !self.caller.may(Role::Arbiter) {
            self.require_administrator()?;
        }
        let is_administrator = self.require_administrator().is_ok();
        let seen = |token: &Token| is_administrator || token.tournament.is_some_and(|own| self.may_organise(own));
        let found = self.tokens()?.list().into_iter().find(|token| token.id == id && seen(token));
        let found =
            found.ok_or_else(|| Problem::NotFound(format!("there is no token {id:.40} that you may revoke")))?;
        if !is_administrator && found.role != Role::Table {
            self.require_chief()?;
        }
        self.tokens()?.revoke(id).map_err(unwritten)?;
        Ok(found)
    }

    /// # Errors
    /// The caller is not an administrator without limits.
    fn require_administrator(&self) -> Result<(), Problem> {
        self.caller.require(Role::Admin)?;
        self.caller.require_any_game()
    }

    fn check_existence(&self, new: &TokenRequest) -> Result<(), Problem> {
        if let Some(player) = new.player {
            self.service.player(player)?;
        }
        if let Some(tournament) = new.tournament {
            self.service.tournament(tournament)?;
        }
        let Some(game) = new.game else { return Ok(()) };
        let seats = self.service.game(game)?.replay().position().seats();
        if new.seat.is_some_and(|seat| !(1..=seats).contains(&seat)) {
            return Err(Problem::BadInput(format!("`seat`: seats are numbered from 1 to {seats}")));
        }
        Ok(())
    }
}

#[allow(clippy::needless_pass_by_value, reason = "it is what `map_err` hands over")]
pub(super) fn unwritten(why: TokensError) -> Problem {
    match why {
        TokensError::Stream(StreamError::Unanswered { .. }) => Problem::Away,
        why => Problem::internal(why),
    }
}
