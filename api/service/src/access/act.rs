//! Records actions: who may act for which seats, and what a refusal may reveal.
//!
//! Whether an action is legal can depend on something that only one seat knows. A recorder acts for every
//! seat without seeing any seat's secrets, so it must not be able to probe by submitting actions and seeing
//! which are refused:
//!
//! - everything that does not depend on a secret is checked first: the form of the request, `expected`, who
//!   may act, whether anything can be written at all;
//! - while somebody knows what the caller may not, a request has one action: a second one would be judged in
//!   the position that the first led to, and refused together with it;
//! - after that, all refusals are the same, and no legal actions are suggested, because even the time that
//!   takes would reveal something.

use std::sync::Arc;

use plybook_events::canonical::INTEGER_MAX;
use plybook_events::{Actor, LogId};
use plybook_rules::Viewer;
use plybook_rules::log::{Command, Replay};

use super::desk::Desk;
use super::quotas::Quota;
use super::role::Role;
use crate::error::Problem;
use crate::{Draft, Live};

/// The most actions in one request.
const ACTS_MAX: usize = 5_000;

/// The most bytes in an action.
const ACTION_BYTES_MAX: usize = 4_000;

/// The most characters of an action that a refusal quotes.
const ACTION_CHARS_SHOWN: usize = 100;

/// What a recorder is told instead of the reason.
const HIDDEN: &str =
    "in a game with secrets, only the seat and the arbiter are told why an action is illegal and which ones are legal";

/// The same, of an action that is signed: whether the signature is right depends on whether the action is legal.
const HIDDEN_SIGNED: &str = "in a game with secrets, only the seat and the arbiter are told why an action is illegal, which ones \
                             are legal, and whether the signature is of what would be recorded";

/// An action to record.
#[derive(Clone, Debug)]
pub struct Act {
    /// The seat that acts. If it is left out, the only actor to act, or the only one of the caller's own
    /// seats that is to act.
    pub seat: Option<u8>,
    /// The action in the game's notation.
    pub action: String,
    /// What the seat's clock showed afterwards, in milliseconds.
    pub clock_ms: Option<u64>,
}

/// What a game has to be like for a request to be carried out: optimistic locks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expected {
    /// The seq of the last event.
    pub seq: Option<u64>,
    /// The ply at which the actor decided. Others may have acted since who were to act at the same time.
    pub ply: Option<usize>,
}

impl Expected {
    /// Compares the ply. It is known to everybody, as is who was to act.
    ///
    /// # Errors
    /// The game has gone on since then, or has not come that far.
    pub(super) fn check_ply(&self, replay: &Replay, actor: Actor) -> Result<(), Problem> {
        if self.ply.is_none_or(|ply| replay.is_open_since(ply, actor)) {
            return Ok(());
        }
        Err(Problem::PlyConflict { ply: replay.mainline().len(), head: replay.events() - 1 })
    }
}

impl Desk {
    /// Records actions, all or none. For recorders, and for players acting for their own seats.
    ///
    /// # Errors
    /// The caller may not do this, the game is not as `expected`, there are several actions although there are
    /// secrets that the caller may not know, or the rules refuse an action. To a recorder who may not know why,
    /// all refusals of the rules look the same.
    pub fn act(&self, game: LogId, acts: &[Act], expected: Expected) -> Result<Arc<Live>, Problem> {
        let live = self.open(game)?;
        let replay = live.replay();
        self.check(&replay, acts)?;
        self.service.check_writable()?;
        let on_lines = if replay.is_line() { acts.len() } else { 0 };
        self.within_quota(&[(Quota::LineActions, on_lines)], || {
            self.service.change(&live, expected.seq, |draft| {
                // The game may have been reopened since it was read.
                self.check_number(draft.replay(), acts)?;
                draft.check_opening()?;
                expected.check_ply(draft.replay(), self.actor(draft.replay(), &acts[0])?)?;
                acts.iter().try_for_each(|act| self.record(draft, act))
            })
        })?;
        Ok(live)
    }

    /// Rolls the dice that the position awaits. For recorders, and for the game's players.
    ///
    /// # Errors
    /// The caller may not do this, the game is not as `expected`, or see [`Service::roll`].
    pub fn roll(&self, game: LogId, expected: Expected) -> Result<Arc<Live>, Problem> {
        let live = self.open(game)?;
        let replay = live.replay();
        if !replay.is_line() && self.caller.seat_in(&replay).is_none() {
            self.caller.require(Role::Recorder)?;
        }
        self.service.change(&live, expected.seq, |draft| {
            expected.check_ply(draft.replay(), Actor::Chance)?;
            Ok(draft.roll()?)
        })?;
        Ok(live)
    }

    /// Checks everything that does not depend on the position.
    fn check(&self, replay: &Replay, acts: &[Act]) -> Result<(), Problem> {
        if acts.is_empty() || acts.len() > ACTS_MAX {
            return Err(Problem::BadInput(format!("send 1 to {ACTS_MAX} actions at once")));
        }
        if acts.iter().any(|act| act.action.len() > ACTION_BYTES_MAX) {
            return Err(Problem::BadInput(format!("an action has at most {ACTION_BYTES_MAX} characters")));
        }
        if acts.iter().filter_map(|act| act.clock_ms).any(|clock_ms| clock_ms > INTEGER_MAX.unsigned_abs()) {
            return Err(Problem::BadInput(format!("a clock shows at most {INTEGER_MAX} milliseconds")));
        }
        let seats = replay.position().seats();
        for seat in acts.iter().filter_map(|act| act.seat) {
            if !(1..=seats).contains(&seat) {
                return Err(Problem::BadInput(format!("seats are numbered from 1 to {seats}")));
            }
            self.require_actor(replay, Actor::Seat(seat))?;
        }
        Ok(())
    }

    /// # Errors
    /// There are several actions, and somebody knows more about the game than the caller.
    fn check_number(&self, replay: &Replay, acts: &[Act]) -> Result<(), Problem> {
        if acts.len() == 1 || self.caller.may_view(replay, Viewer::All) {
            return Ok(());
        }
        Err(Problem::BadInput(
            "while this game has secrets that you may not know, send its actions one by one".to_owned(),
        ))
    }

    /// Whether the caller records for seats whose secrets it may not know. A roll is not a secret.
    fn is_blind(&self, replay: &Replay, actor: Actor) -> bool {
        let is_hidden = |seat| !self.caller.may_view(replay, Viewer::Seat(seat));
        actor != Actor::Chance && self.caller.may(Role::Recorder) && (1..=replay.position().seats()).any(is_hidden)
    }

    /// Records an action in a draft.
    fn record(&self, draft: &mut Draft<'_>, act: &Act) -> Result<(), Problem> {
        let actor = self.actor(draft.replay(), act)?;
        self.require_actor(draft.replay(), actor)?;
        let is_blind = self.is_blind(draft.replay(), actor);
        if is_blind && draft.replay().created().signed && !self.has_signed() {
            return Err(Problem::BadSignature("everything that a person does in this game is signed".to_owned()));
        }
        let ply = draft.replay().mainline().len() + 1;
        let command = Command::Act { actor, action: act.action.clone(), clock_ms: act.clock_ms };
        draft.command(command).map_err(Problem::from).map_err(|why| {
            if is_blind {
                hide(why, ply, &act.action, self.has_signed())
            } else {
                why.suggesting(draft.replay().position(), actor, &act.action)
            }
        })
    }

    /// Who acts: the named seat, the only actor to act, or the only one of those that is the caller's.
    fn actor(&self, replay: &Replay, act: &Act) -> Result<Actor, Problem> {
        if let Some(seat) = act.seat {
            return Ok(Actor::Seat(seat));
        }
        let to_act = replay.position().to_act();
        if to_act.is_empty() {
            return Err(Problem::GameOver);
        }
        let is_own = |actor: &Actor| matches!(actor, Actor::Seat(seat) if self.caller.sits_in(replay, *seat));
        if let Some(only) = to_act.only() {
            // The action is meant for the player's own seat.
            if !replay.is_line() && self.caller.seat_in(replay).is_some() && !is_own(&only) {
                return Err(Problem::NotYourTurn(match only {
                    Actor::Seat(seat) => format!("it is the turn of seat {seat}, not of yours"),
                    Actor::Chance => "it is nobody's turn: a roll is awaited".to_owned(),
                }));
            }
            return Ok(only);
        }
        let mut own = to_act.iter().filter(is_own);
        match (own.next(), own.next()) {
            (Some(own), None) => Ok(own),
            (None, _) if self.caller.role == Role::Player && !replay.is_line() => {
                Err(Problem::NotYourTurn("it is not the turn of your seat".to_owned()))
            }
            _ => Err(Problem::BadInput("several seats are to act: say which `seat`".to_owned())),
        }
    }

    /// # Errors
    /// The caller may not act for this actor. On a line, its owner acts for everybody.
    fn require_actor(&self, replay: &Replay, actor: Actor) -> Result<(), Problem> {
        match actor {
            _ if replay.is_line() => Ok(()),
            Actor::Seat(seat) => self.caller.require_seat(replay, seat),
            Actor::Chance => self.caller.require(Role::Recorder),
        }
    }
}

/// The refusal of an action, for callers who may not know the reason. Everybody knows whose turn it is.
fn hide(why: Problem, ply: usize, action: &str, is_signed: bool) -> Problem {
    match why {
        Problem::IllegalAction { .. } | Problem::BadInput(_) | Problem::BadSignature(_) => {
            let action = action.chars().take(ACTION_CHARS_SHOWN).collect();
            let why = if is_signed { HIDDEN_SIGNED } else { HIDDEN };
            Problem::IllegalAction { ply, action, why: why.to_owned(), near: Vec::new() }
        }
        why => why,
    }
}
