//! What is awaited where actions cannot be listed.

use async_graphql::SimpleObject;
use plybook_events::Actor;
use plybook_rules::{AnyPosition, Viewer};
use serde_json::{Map, Value, json};

/// What is awaited from somebody whose legal actions are too many to list.
#[derive(SimpleObject)]
pub struct Prompt {
    /// The seat that is to act; null if a roll is awaited.
    seat: Option<u8>,
    /// What is awaited, in a word: `roll`, `setup`.
    kind: String,
    /// What is awaited, in a sentence.
    description: String,
    /// The JSON Schema of the action, which is a text. Not everything that fits it is legal.
    schema: Value,
    /// A legal action; null if the viewer may not know what the seat may do.
    example: Option<String>,
    /// The dice to roll; empty if no roll is awaited.
    dice: Vec<SeatDice>,
}

/// The dice of a seat in a roll.
#[derive(SimpleObject)]
pub struct SeatDice {
    /// The seat.
    seat: u8,
    /// Its dice in order, such as `d12`.
    dice: Vec<String>,
}

impl Prompt {
    /// What a position awaits from an actor; `None` if its actions are listed.
    pub fn find(position: &dyn AnyPosition, viewer: Viewer, actor: Actor) -> Option<Self> {
        let prompt = position.prompt(actor)?;
        let text = |name: &str| prompt[name].as_str().unwrap_or_default();
        let hands = prompt["dice"].as_object().into_iter().flat_map(Map::iter);
        let hand = |(seat, dice): (&String, &Value)| {
            let dice = dice.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
            Some(SeatDice { seat: seat.parse().ok()?, dice })
        };
        let mut dice: Vec<SeatDice> = hands.filter_map(hand).collect();
        dice.sort_by_key(|hand| hand.seat);
        let (seat, is_known) = match actor {
            Actor::Seat(seat) => (Some(seat), viewer.knows(actor)),
            Actor::Chance => (None, true),
        };
        Some(Self {
            seat,
            kind: text("kind").to_owned(),
            description: text("description").to_owned(),
            schema: json!({ "type": "string", "pattern": text("pattern") }),
            example: is_known.then(|| position.sample(actor, &mut |_| 0)),
            dice,
        })
    }
}
