//! A game as lines of JSON, one a ply: for comparing implementations and for playthroughs.

use plybook_events::{Actor, canonical};
use serde_json::{Map, Value, json};

use crate::{About, ActionError, AnyPosition, Viewer};

/// An action on the way to a position: who acted, and the token.
pub type Done<'a> = (Actor, &'a str);

/// The line of a position: `action`, `by`, `legal`, `outcome`, `ply`, `position`, `prompt` and
/// `toAct`, as canonical JSON.
///
/// `shown` is the action that led here as the viewer may see it; it is given whole once the game
/// is over. `ply` counts actions applied.
pub fn line(
    ply: usize,
    done: Option<Done<'_>>,
    shown: Option<String>,
    position: &dyn AnyPosition,
    viewer: Viewer,
) -> String {
    let over = position.outcome().is_some();
    let action = if over { done.map(|(_, token)| token.to_owned()) } else { shown };
    let viewer = if over { Viewer::All } else { viewer };
    let to_act = position.to_act();
    let mut legal = Map::new();
    let mut prompt = Map::new();
    for actor in to_act.iter() {
        let name = actor_name(actor);
        if viewer.knows(actor) {
            legal.insert(name.clone(), position.legal(actor).map_or(Value::Null, Value::from));
        }
        if let Some(awaited) = position.prompt(actor) {
            prompt.insert(name, awaited);
        }
    }
    let line = json!({
        "action": action,
        "by": done.map(|(actor, _)| actor_json(actor)),
        "legal": legal,
        "outcome": position.outcome(),
        "ply": ply,
        "position": position.to_json(viewer),
        "prompt": if prompt.is_empty() { Value::Null } else { Value::Object(prompt) },
        "toAct": to_act.iter().map(actor_json).collect::<Vec<_>>(),
    });
    String::from_utf8(canonical::to_bytes(&line).expect("positions are canonical")).expect("JSON is UTF-8")
}

/// Why a word of an action list was not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WordError {
    /// Several are to act: write whose action it is.
    #[error("several are to act: write SEAT:{0}")]
    WhoseTurn(String),
    /// The action is not accepted.
    #[error(transparent)]
    Action(#[from] ActionError),
}

/// Splits a word of an action list into who acts and the token: `2:LUR`, `chance:roll:1=7,2=3`, or
/// the bare token where only one is to act.
///
/// # Errors
/// [`WordError::WhoseTurn`] for a bare token where several are to act.
pub fn split_word<'a>(position: &dyn AnyPosition, word: &'a str) -> Result<Done<'a>, WordError> {
    if let Some((name, token)) = word.split_once(':') {
        if name == "chance" {
            return Ok((Actor::Chance, token));
        }
        match name.parse() {
            Ok(seat) if !name.starts_with(['0', '+']) && (1..=position.seats()).contains(&seat) => {
                return Ok((Actor::Seat(seat), token));
            }
            _ => {}
        }
    }
    let to_act = position.to_act();
    if to_act.is_empty() {
        return Err(ActionError::Over.into());
    }
    let actor = to_act.only().ok_or_else(|| WordError::WhoseTurn(word.to_owned()))?;
    Ok((actor, word))
}

/// An action as records write it, so that [`split_word`] reads it again: with the seat in front in a
/// game in which several can be to act.
pub fn word(about: &About, actor: Actor, token: &str) -> String {
    match actor {
        Actor::Seat(seat) if about.simultaneous => format!("{seat}:{token}"),
        _ => token.to_owned(),
    }
}

fn actor_name(actor: Actor) -> String {
    match actor {
        Actor::Seat(seat) => seat.to_string(),
        Actor::Chance => "chance".to_owned(),
    }
}

fn actor_json(actor: Actor) -> Value {
    match actor {
        Actor::Seat(seat) => seat.into(),
        Actor::Chance => "chance".into(),
    }
}
