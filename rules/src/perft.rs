//! Counting action sequences: the standard way to compare two implementations of rules.

use crate::Position;

/// The number of action sequences of a given length from a position.
///
/// A sequence that reaches the end of the game, a roll or a free-form submission counts as one, even if it is
/// shorter. Where several seats are to act, every listed action of each of them continues a sequence.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    let actors = position.to_act();
    if depth == 0 || actors.is_empty() || actors.iter().any(|actor| position.prompt(actor).is_some()) {
        return 1;
    }
    if depth == 1 {
        return actors.iter().map(|actor| position.count_legal(actor) as u64).sum();
    }
    let mut actions = Vec::new();
    let mut total = 0;
    for actor in actors.iter() {
        actions.clear();
        position.legal(actor, &mut actions);
        for action in &actions {
            let mut next = position.clone();
            next.apply(actor, action);
            total += perft(&next, depth - 1);
        }
    }
    total
}
