//! A game as JSON lines, one per ply, for playthroughs and for comparing implementations.

use plybook_events::{Actor, canonical};
use serde_json::{Map, Value, json};

use crate::{AnyPosition, Viewer};

/// The action that led to a position: who acted, and its text.
pub type LastAction<'a> = (Actor, &'a str);

/// A position as a line of canonical JSON: `action`, `by`, `legal`, `outcome`, `ply`, `position`, `prompt`
/// and `toAct`.
///
/// `shown` is the action that led here, as the viewer may see it; once the game is over, it is shown in full.
/// `ply` is the number of actions applied.
pub fn line(
    ply: usize,
    done: Option<LastAction<'_>>,
    shown: Option<String>,
    position: &dyn AnyPosition,
    viewer: Viewer,
) -> String {
    let over = position.outcome().is_some();
    let action = if over { done.map(|(_, action)| action.to_owned()) } else { shown };
    let viewer = if over { Viewer::All } else { viewer };
    let to_act = position.to_act();
    let mut legal = Map::new();
    let mut prompt = Map::new();
    for actor in to_act.iter() {
        let name = actor_name(actor);
        if viewer.knows(actor) {
            legal.insert(name.clone(), position.legal(actor).map_or(Value::Null, Value::from));
        }
        if let Some(Value::Object(mut awaited)) = position.prompt(actor) {
            // Other implementations write playthroughs too: what describes an action stays out of them.
            awaited.retain(|member, _| !matches!(member.as_str(), "description" | "pattern"));
            prompt.insert(name, awaited.into());
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
