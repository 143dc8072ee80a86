//! Recording actions: for which seats, and what a refusal may reveal.
//!
//! Whether an action is legal can depend on what only a seat knows. A recorder acts for every seat without
//! seeing any seat's secrets, so it must not be able to probe with actions that are refused:
//!
//! - everything that does not depend on a secret is checked first: the form of the request, `expected`, who
//!   may act, whether anything can be written at all;
//! - after that, all refusals are the same, and no legal actions are suggested, because even the time that
//!   takes would reveal something;
//! - a secret action must come last in a request, so that nothing is judged in the position it leads to.

use std::sync::Arc;

use plybook_events::canonical::INTEGER_MAX;
use plybook_events::{Actor, LogId};
use plybook_rules::log::{Command, Replay};
use plybook_rules::{AnyPosition, Viewer};

use super::desk::Desk;
use super::role::Role;
use crate::error::Problem;
use crate::service::{Draft, EVENTS_MAX, Live};

/// The most actions in one request.
const ACTS_MAX: usize = 5_000;

/// The most bytes in an action.
const ACTION_BYTES_MAX: usize = 4_000;

/// The most characters of an action that a refusal repeats.
const ACTION_CHARS_SHOWN: usize = 100;

/// What a recorder is told instead of the reason.
const HIDDEN: &str =
    "in a game with secrets, why it is not legal and what would be is for the seat and the arbiter only";

/// An action to record.
#[derive(Clone, Debug)]
pub struct Act {
    /// The seat that acts. If left out: the only actor to act, or the only seat to act that is the caller's
    /// own.
    pub seat: Option<u8>,
    /// The action in the game's notation.
    pub action: String,
    /// What the seat's clock showed afterwards, in milliseconds.
    pub clock_ms: Option<u64>,
}

impl Desk {
    /// Records actions, all or none. For recorders, and for players who act for their own seats.
    ///
    /// # Errors
    /// The caller may not do this, `expected` is not the seq of the last event, or the rules refuse an
    /// action. To a recorder who may not know the reason, all refusals by the rules look the same.
    pub fn act(&self, game: LogId, acts: &[Act], expected: Option<u64>) -> Result<Arc<Live>, Problem> {
        let live = self.open(game)?;
        let replay = live.replay();
        self.check(&replay, acts)?;
        if self.service.is_read_only() {
            return Err(Problem::ReadOnly);
        }
        self.service.change(&live, expected, |draft| {
            // Everybody may know who acts first; who acts next may depend on a secret.
            self.actor(draft.replay(), &acts[0])?;
            let is_blind = self.is_blind(draft.replay(), acts);
            let ply = draft.replay().mainline().len() + 1;
            let recorded = self.record(draft, acts, is_blind);
            if is_blind { recorded.map_err(|why| hide(why, ply, acts)) } else { recorded }
        })?;
        Ok(live)
    }

    /// Checks whatever does not depend on the position.
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

    /// Whether the caller records for seats whose secrets it may not know. A roll by itself is not secret.
    fn is_blind(&self, replay: &Replay, acts: &[Act]) -> bool {
        let is_roll = acts.len() == 1 && replay.position().to_act().only() == Some(Actor::Chance);
        let is_hidden = |seat| !self.caller.may_view(replay, Viewer::Seat(seat));
        !is_roll && self.caller.role >= Role::Recorder && (1..=replay.position().seats()).any(is_hidden)
    }

    /// Records actions in a draft, one after another.
    fn record(&self, draft: &mut Draft<'_>, acts: &[Act], is_blind: bool) -> Result<(), Problem> {
        let sees_all = self.caller.may_view(draft.replay(), Viewer::All);
        for (index, act) in acts.iter().enumerate() {
            let actor = self.actor(draft.replay(), act)?;
            self.require_actor(draft.replay(), actor)?;
            let must_be_public = !sees_all && index + 1 < acts.len();
            let before = must_be_public.then(|| draft.replay().position().boxed());
            let ply = draft.replay().mainline().len();
            let command = Command::Act { actor, action: act.action.clone(), clock_ms: act.clock_ms };
            draft.command(command).map_err(Problem::from).map_err(|why| {
                if is_blind { why } else { why.suggesting(draft.replay().position(), actor, &act.action) }
            })?;
            let action = &draft.replay().mainline()[ply].action;
            let is_public =
                |before: &dyn AnyPosition| before.shown(Viewer::Public, actor, action).as_deref() == Some(action);
            if before.is_some_and(|before| !is_public(before.as_ref())) {
                return Err(Problem::BadInput(
                    "what is submitted in secret comes last: send what follows it by itself".to_owned(),
                ));
            }
        }
        if is_blind && draft.replay().events() > EVENTS_MAX {
            return Err(Problem::BadInput(format!("a game has at most {EVENTS_MAX} events")));
        }
        Ok(())
    }

    /// Who acts: the seat that is named, or the only actor to act, or the only one that is the caller's own.
    fn actor(&self, replay: &Replay, act: &Act) -> Result<Actor, Problem> {
        if let Some(seat) = act.seat {
            return Ok(Actor::Seat(seat));
        }
        let to_act = replay.position().to_act();
        if to_act.is_empty() {
            return Err(Problem::GameOver);
        }
        if let Some(only) = to_act.only() {
            return Ok(only);
        }
        let is_own = |actor: &Actor| matches!(actor, Actor::Seat(seat) if self.caller.sits_in(replay, *seat));
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
    /// The caller may not act for this actor. On a line, its keeper may act for all.
    fn require_actor(&self, replay: &Replay, actor: Actor) -> Result<(), Problem> {
        match actor {
            _ if replay.is_line() => Ok(()),
            Actor::Seat(seat) => self.caller.require_seat(replay, seat),
            Actor::Chance => self.caller.require(Role::Recorder),
        }
    }
}

/// A refusal by the rules, for somebody who may not know the reason. It does not even say which of several
/// actions was refused: that would reveal how the ones before it were judged.
fn hide(why: Problem, ply: usize, acts: &[Act]) -> Problem {
    let action = match (&why, acts) {
        (Problem::NotYourTurn(_) | Problem::GameOver, [_]) => return why,
        (Problem::IllegalAction { .. } | Problem::BadInput(_), [only]) => {
            only.action.chars().take(ACTION_CHARS_SHOWN).collect()
        }
        (Problem::IllegalAction { .. } | Problem::NotYourTurn(_) | Problem::GameOver | Problem::BadInput(_), _) => {
            format!("one of {} actions", acts.len())
        }
        _ => return why,
    };
    Problem::IllegalAction { ply, action, why: HIDDEN.to_owned(), near: Vec::new() }
}
