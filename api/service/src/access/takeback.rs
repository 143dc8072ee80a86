//! Takes actions back: who may, and how far.

use std::sync::Arc;

use plybook_events::{Hash, LogId};
use plybook_rules::Viewer;
use plybook_rules::log::{Command, Replay, Status};

use super::desk::Desk;
use super::role::Role;
use crate::error::Problem;
use crate::{Live, Written};

/// A takeback.
#[derive(Clone, Debug)]
pub struct TakeBack {
    /// The ply that becomes the last.
    pub to_ply: u32,
    /// The reason.
    pub reason: String,
    /// The key with which the caller recorded the action to take back.
    pub recorded_with: Option<String>,
}

impl Desk {
    /// Takes the mainline back to an earlier ply. For arbiters; recorders may take back the last action if they
    /// recorded it themselves with a key, as long as nothing has happened since.
    ///
    /// # Errors
    /// The caller may not do this, or see [`crate::Service::command`].
    pub fn take_back(&self, game: LogId, back: TakeBack, expected: Option<u64>) -> Result<Arc<Live>, Problem> {
        let TakeBack { to_ply, reason, recorded_with } = back;
        let command = Command::TakeBack { to_ply, reason };
        let Some(key) = recorded_with.filter(|_| !self.caller.may(Role::Arbiter)) else {
            return self.command_if(game, command, expected, |_| self.require_arbiter_for_takeback());
        };
        let live = self.open(game)?;
        if !live.replay().is_line() {
            self.caller.require(Role::Recorder)?;
        }
        let written = self.service.written_with(&self.caller.token.unwrap_or(Hash::ZERO), &key)?;
        self.service.change(&live, expected, |draft| {
            if !draft.replay().is_line() {
                self.check_own(draft.replay(), to_ply, written)?;
            }
            Ok(draft.command(command.clone())?)
        })?;
        Ok(live)
    }

    fn require_arbiter_for_takeback(&self) -> Result<(), Problem> {
        if self.caller.may(Role::Recorder) && !self.caller.may(Role::Arbiter) {
            let says = "a takeback needs the token of an arbiter; a recorder may take back its own last action, by \
                        sending the `idempotencyKey` that it was recorded with as `recordedWith`";
            return Err(Problem::Forbidden(says.to_owned()));
        }
        self.caller.require(Role::Arbiter)
    }

    /// Checks that a takeback corrects a slip, and can do nothing else: a recorder could try out what is legal in a
    /// game with secrets, or roll until it likes the dice.
    ///
    /// # Errors
    /// The last event is not an action that this key recorded, or taking it back is for arbiters.
    fn check_own(&self, replay: &Replay, to_ply: u32, written: Option<Written>) -> Result<(), Problem> {
        let forbidden = |says: &str| Err(Problem::Forbidden(says.to_owned()));
        if !self.caller.may_view(replay, Viewer::All) {
            return forbidden("in a game with secrets, only an arbiter takes back");
        }
        if replay.status() != Status::Running {
            return forbidden("the game is over: only an arbiter takes back");
        }
        let last = replay.mainline().last().filter(|last| last.seq == replay.events() - 1);
        let is_own = |seq| written.is_some_and(|written| (written.log, written.seq) == (replay.log(), seq));
        match last.filter(|last| is_own(last.seq)) {
            None => forbidden("the last event of the game is not an action that you recorded with this key"),
            Some(last) if last.is_fair => forbidden("a roll of the service stands: only an arbiter takes it back"),
            Some(_) if to_ply as usize + 1 != replay.mainline().len() => {
                forbidden("a recorder takes back its last action only: `toPly` is the ply before it")
            }
            Some(_) => Ok(()),
        }
    }
}
