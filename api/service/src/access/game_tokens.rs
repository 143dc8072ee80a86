//! The tokens of those who record one game: of its table, and of each seat.

use plybook_events::{LogId, Timestamp};
use plybook_rules::log::Status;

use super::Caller;
use super::desk::Desk;
use super::issuing::unwritten;
use super::quotas::Quota;
use super::role::Role;
use super::tokens::{IssuedToken, NewToken, Token};
use crate::error::Problem;

/// How long such a token is valid, in milliseconds: 30 days.
const VALID_MS: i64 = 30 * 86_400_000;

/// The labels of these tokens.
const TABLE: &str = "link of a table";
const SEAT: &str = "link of a seat";

impl Desk {
    /// Issues a token for the table of a game, then one for each seat; earlier ones of the game end. For recorders;
    /// for arbiters if the game has secrets, since a seat's token shows that seat's secrets.
    ///
    /// # Errors
    /// The caller may not do this, the game is a line or over, or nothing can be written.
    pub fn issue_game_tokens(&self, game: LogId) -> Result<Vec<(Option<u8>, IssuedToken)>, Problem> {
        self.require_recorder_of_any_game()?;
        let live = self.service.game(game)?;
        let replay = live.replay();
        if !replay.is_open() {
            self.caller.require(Role::Arbiter)?;
        }
        if replay.is_line() || replay.status() != Status::Running {
            return Err(Problem::BadInput("only a game that is running is recorded".to_owned()));
        }
        let expires = Timestamp::from_millis(self.service.clock().now().as_millis() + VALID_MS).ok();
        let token = |role, seat: Option<u8>| NewToken {
            caller: Caller { role, game: Some(game), seat, ..Caller::SPECTATOR },
            label: if seat.is_some() { SEAT } else { TABLE }.to_owned(),
            issuer: self.caller.token_id(),
            expires,
        };
        let seats: Vec<u8> = (1..=replay.position().seats()).collect();
        let mut new = vec![token(Role::Recorder, None)];
        new.extend(seats.iter().map(|seat| token(Role::Player, Some(*seat))));
        let now = self.service.clock().now();
        let replaces = |token: &Token| token.game == Some(game) && [TABLE, SEAT].contains(&token.label.as_str());
        let is_foreign = |token: &Token| {
            let is_valid = token.expires.is_none_or(|expires| expires > now);
            replaces(token) && is_valid && token.issuer != self.caller.token_id()
        };
        if self.caller.require(Role::Arbiter).is_err() && self.tokens()?.list().iter().any(is_foreign) {
            return Err(Problem::Forbidden(
                "somebody else has issued the links of this game: only arbiters replace them".to_owned(),
            ));
        }
        let tokens = self.tokens()?;
        let issued = self.within_quota(&[(Quota::Links, 1)], || tokens.replace(new, replaces).map_err(unwritten))?;
        let whose = std::iter::once(None).chain(seats.into_iter().map(Some));
        Ok(whose.zip(issued).collect())
    }
}
