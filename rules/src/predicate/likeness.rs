//! A predicate that a position satisfies, to search for others like it.

use super::{TEXT_MAX, Use};
use crate::fact::Common;
use crate::{Argument, Game, Position};

/// The game's own facts of a position as a predicate: `islands(1) = 3 and islands(2) = 4`. Facts of places, and what is
/// counted on the way, are left out, and so is what does not fit into a predicate.
pub(crate) fn likeness<G: Game>(position: &G::Position) -> String {
    let mut text = String::new();
    for (own, fact) in G::FACTS.iter().enumerate() {
        let arguments = match fact.argument() {
            Argument::Nothing => 1,
            Argument::Seat => usize::from(position.seats()),
            Argument::Place => 0,
        };
        for argument in 0..arguments {
            let used = Use { fact: Common::ALL.len() + own, argument };
            let Some(value) = used.value::<G>(position, 0, None) else { continue };
            let name = fact.label.name;
            let part = match fact.argument() {
                Argument::Seat => format!("{name}({}) = {value}", argument + 1),
                Argument::Nothing | Argument::Place => format!("{name} = {value}"),
            };
            let joint = if text.is_empty() { "" } else { " and " };
            if text.len() + joint.len() + part.len() <= TEXT_MAX {
                text.extend([joint, &part]);
            }
        }
    }
    text
}
