//! Positions as JSON, and playing from them.

use plybook_events::Actor;
use plybook_rules::log::{PlayError, Replay, Status, play};
use plybook_rules::{AnyPosition, Viewer, kind};
use serde_json::{Value, json};

use crate::answer::{Code, Refusal};
use crate::request::{Look, Part};

/// The most positions in an answer.
pub const POSITIONS_MAX: usize = 256;

/// The most actions that are played in one request.
pub const ACTIONS_MAX: usize = 5_000;

/// The longest action, in bytes.
pub const ACTION_BYTES_MAX: usize = 4_000;

/// What led to a position: the previous one, who acted, and the action.
struct Step {
    before: Box<dyn AnyPosition>,
    actor: Actor,
    action: String,
    /// The action as the viewer may see it.
    shown: Option<String>,
}

impl Look {
    fn check_seat(&self, position: &dyn AnyPosition) -> Result<(), Refusal> {
        let seats = position.seats();
        match self.viewer {
            Viewer::Seat(seat) if seat > seats => Err(Refusal::bad(format!("seats are numbered from 1 to {seats}"))),
            _ => Ok(()),
        }
    }

    /// A position of a game, and how it was reached.
    fn at(&self, ply: usize, position: &dyn AnyPosition, step: Option<&Step>, is_over: bool) -> Value {
        let to_act: Vec<Actor> = if is_over { Vec::new() } else { position.to_act().iter().collect() };
        let mut told = json!({
            "ply": ply,
            "by": step.map(|step| step.actor.to_string()),
            "action": step.and_then(|step| step.shown.as_deref()),
            "toAct": to_act.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "outcome": position.outcome(),
        });
        for part in &self.parts {
            match part {
                Part::Scene => {
                    let last = step.map(|step| (step.before.as_ref(), step.actor, step.action.as_str()));
                    told["scene"] = position.scene(self.viewer, last).to_json();
                }
                Part::Text => told["text"] = position.text(self.viewer).into(),
                Part::Legal => told["legal"] = self.legal(position, &to_act),
                Part::Form => told["form"] = self.form(position, &to_act),
                Part::Position => {
                    told["position"] = position.to_json(self.viewer);
                    told["positionKey"] = json!(position.key(self.viewer));
                }
            }
        }
        told
    }

    /// The legal actions by actor; null where the viewer may not know them, and a prompt where they cannot be listed.
    fn legal(&self, position: &dyn AnyPosition, to_act: &[Actor]) -> Value {
        let of = |actor: Actor| {
            let is_known = actor == Actor::Chance || self.viewer.knows(actor);
            let actions = if is_known { position.legal(actor) } else { None };
            (actor.to_string(), json!({ "actions": actions, "prompt": position.prompt(actor) }))
        };
        Value::Object(to_act.iter().map(|actor| of(*actor)).collect())
    }

    /// How actions are put together on the board, by actor, as far as the viewer knows.
    fn form(&self, position: &dyn AnyPosition, to_act: &[Actor]) -> Value {
        let of = |actor: Actor| {
            let form = position.form(self.viewer, actor)?;
            Some((actor.to_string(), json!(form)))
        };
        Value::Object(to_act.iter().filter_map(|actor| of(*actor)).collect())
    }
}

/// Positions of a game, both ends included.
///
/// # Errors
/// The game has no such plies, or they are too many.
pub fn positions(game: &Replay, from: usize, to: usize, look: &Look) -> Result<Value, Refusal> {
    check_ply(game, from)?;
    check_ply(game, to)?;
    if from > to || to - from >= POSITIONS_MAX {
        return Err(Refusal::new(Code::TooLarge, format!("from 1 to {POSITIONS_MAX} positions are given at once")));
    }
    look.check_seat(game.position())?;
    let mut told = Vec::with_capacity(to - from + 1);
    let mut before = from.checked_sub(1).and_then(|ply| game.position_at(ply));
    for ply in from..=to {
        let position = game.position_at(ply).expect("the ply was checked");
        let step = before.take().filter(|_| !game.is_set_up(ply)).map(|before| {
            let done = &game.mainline()[ply - 1];
            Step { before, actor: done.actor, action: done.action.to_string(), shown: game.shown(ply, look.viewer) }
        });
        let is_over = ply == game.mainline().len() && game.status() != Status::Running;
        told.push(look.at(ply, position.as_ref(), step.as_ref(), is_over));
        before = Some(position);
    }
    Ok(told.into())
}

/// The position after actions played from a ply of a game. An end that the rules did not bring does not count.
///
/// # Errors
/// The game has no such ply, or an action is not accepted.
pub fn play_on(game: &Replay, ply: usize, actions: &[String], look: &Look) -> Result<Value, Refusal> {
    check_ply(game, ply)?;
    let position = game.position_at(ply).expect("the ply was checked");
    played(position, ply, actions, look)
}

/// The position after actions played from the start of a game.
///
/// # Errors
/// There is no such kind, the setup or position is invalid, or an action is not accepted.
pub fn fold(
    name: &str,
    setup: &Value,
    position: Option<&Value>,
    actions: &[String],
    look: &Look,
) -> Result<Value, Refusal> {
    let rules = kind(name).ok_or_else(|| Refusal::bad("there is no such kind of game; `kinds` lists them"))?;
    let start = match position {
        None => rules.start(setup).map_err(|why| Refusal::bad(format!("setup: {why}"))),
        Some(json) => rules.set_up(setup, json).map_err(|why| Refusal::bad(format!("position: {why}"))),
    };
    played(start?, 0, actions, look)
}

fn played(mut position: Box<dyn AnyPosition>, ply: usize, actions: &[String], look: &Look) -> Result<Value, Refusal> {
    look.check_seat(position.as_ref())?;
    if actions.len() > ACTIONS_MAX || actions.iter().any(|action| action.len() > ACTION_BYTES_MAX) {
        let most = format!("at most {ACTIONS_MAX} actions of {ACTION_BYTES_MAX} bytes each are played at once");
        return Err(Refusal::new(Code::TooLarge, most));
    }
    let last = play(position.as_mut(), actions.iter().map(String::as_str), |_, _| {});
    let step = last.map_err(|why| refused(&why))?.map(|last| {
        let shown = last.before.shown(look.viewer, last.actor, &last.action);
        Step { before: last.before, actor: last.actor, action: last.action, shown }
    });
    Ok(look.at(ply + actions.len(), position.as_ref(), step.as_ref(), false))
}

fn refused(why: &PlayError) -> Refusal {
    Refusal { action: Some(why.ply - 1), ..Refusal::new(Code::IllegalAction, why.why.to_string()) }
}

fn check_ply(game: &Replay, ply: usize) -> Result<(), Refusal> {
    let last = game.mainline().len();
    if ply > last { Err(Refusal::new(Code::NotFound, format!("the game has plies from 0 to {last}"))) } else { Ok(()) }
}
