//! Taking back one's own last entry.

use std::sync::Arc;

use plybook_events::body::Received;
use plybook_events::{Decider, Hash, LogId};
use plybook_rules::log::{Command, Replay};

use super::desk::Desk;
use super::role::Role;
use crate::error::Problem;
use crate::service::Live;

/// The reason that the log gives.
const REASON: &str = "entered by mistake";

impl Desk {
    /// Takes back the last action, if the caller recorded it with the key `entry`. For recorders, in games without
    /// secrets: what somebody learnt from a submission or a roll cannot be taken back.
    ///
    /// # Errors
    /// The caller may not do this, the last action is not theirs, or see [`crate::service::Service::command`].
    pub fn undo(&self, game: LogId, entry: &str, expected: Option<u64>) -> Result<Arc<Live>, Problem> {
        self.caller.require(Role::Recorder)?;
        let live = self.open(game)?;
        let received = self.service.receipt_of_key(&self.caller.token.unwrap_or(Hash::ZERO), entry)?;
        self.service.change(&live, expected, |draft| {
            let to_ply = self.ply_before(draft.replay(), received.as_ref())?;
            Ok(draft.command(Command::TakeBack { to_ply, reason: REASON.to_owned() })?)
        })?;
        Ok(live)
    }

    /// The ply before the last action, if that was recorded by this request.
    fn ply_before(&self, replay: &Replay, received: Option<&Received>) -> Result<u32, Problem> {
        if replay.rules().about().secrets && !replay.created().open {
            return Err(Problem::Forbidden("in a game with secrets, only an arbiter takes actions back".to_owned()));
        }
        let (Some(last), Some(received)) = (replay.mainline().last(), received) else { return Err(not_last()) };
        // The action may have ended the game.
        let by_rules = replay.end().is_some_and(|end| end.decided_by == Decider::Rules);
        let is_of = received.seq == last.seq || (by_rules && received.seq == last.seq + 1);
        if received.log != replay.log() || !is_of {
            return Err(not_last());
        }
        if last.is_fair && !self.caller.may(Role::Arbiter) {
            return Err(Problem::Forbidden("a roll of the service is taken back by an arbiter only".to_owned()));
        }
        Ok(replay.mainline().len() as u32 - 1)
    }
}

fn not_last() -> Problem {
    Problem::BadInput("`entry`: this is not the key that the last action was recorded with".to_owned())
}
