//! Lines of analysis: who owns them, and who sees hidden ones.

use plybook_events::LogId;
use plybook_models::Audience;
use plybook_rules::log::Replay;

use super::desk::Desk;
use super::role::Role;
use crate::error::Problem;

impl Desk {
    /// The player that the caller is: the one named by the token, or the one who sits in the token's seat.
    pub(super) fn player(&self) -> Option<LogId> {
        let seated = || {
            let (game, seat) = (self.caller.game?, usize::from(self.caller.seat?));
            let known = self.service.models().known();
            known.games.get(game)?.seats.get(seat.checked_sub(1)?)?.player
        };
        self.caller.player.or_else(seated)
    }

    /// Whether the caller may act on, annotate and arrange the lines that a player owns.
    pub(super) fn keeps(&self, owner: Option<LogId>, root: LogId) -> bool {
        let is_owner = || owner.is_some() && self.caller.may(Role::Player) && self.player() == owner;
        self.within(root).is_ok() && (self.caller.may(Role::Recorder) || is_owner())
    }

    /// # Errors
    /// The caller is neither the line's owner nor a recorder.
    pub(super) fn require_keeper(&self, line: &Replay) -> Result<(), Problem> {
        if self.keeps(line.created().owner, line.root()) {
            return Ok(());
        }
        Err(Problem::Forbidden("this line is for its owner and for recorders: fork from it".to_owned()))
    }

    /// Which hidden lines the caller sees.
    ///
    /// # Errors
    /// The caller asks for hidden lines, but may not see any.
    pub fn audience(&self, wants_hidden: bool) -> Result<Audience, Problem> {
        if !wants_hidden {
            return Ok(Audience::Everybody);
        }
        if self.caller.may(Role::Recorder) && self.caller.require_any_game().is_ok() {
            return Ok(Audience::Recorder);
        }
        let player = if self.caller.may(Role::Player) { self.player() } else { None };
        player
            .map(Audience::Owner)
            .ok_or_else(|| Problem::Forbidden("hidden lines are for their owners and for recorders".to_owned()))
    }
}
