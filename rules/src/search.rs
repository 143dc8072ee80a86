//! Sensible play for demonstrations: looks one action ahead, and at the best reply.

use plybook_events::Actor;

use crate::{Draw, Position};

/// The value of a won game; every estimate is smaller.
const WIN: i64 = 1 << 40;

/// How many of an actor's own actions are examined further: the best by the position they lead to.
const WIDTH: usize = 8;

/// Chooses an action for an actor that is to act. Chance rolls, and submissions are drawn at random. Where
/// actions are listed, it picks the one that leaves the seat best off after the next seat's reply; ties are
/// broken at random.
pub fn choose<P: Position>(position: &P, actor: Actor, draw: &mut Draw<'_>) -> P::Action {
    let Actor::Seat(seat) = actor else { return position.sample(actor, draw) };
    if position.prompt(actor).is_some() {
        return position.sample(actor, draw);
    }
    let mut actions = Vec::new();
    position.legal(actor, &mut actions);
    let mut scored: Vec<(i64, u32, usize, P)> = actions
        .iter()
        .enumerate()
        .map(|(index, action)| {
            let next = after(position, actor, action);
            (value(&next, seat), draw(1 << 16), index, next)
        })
        .collect();
    scored.sort_by_key(|(value, tie, ..)| std::cmp::Reverse((*value, *tie)));
    scored.truncate(WIDTH);
    let best = scored.iter().max_by_key(|(value, tie, _, next)| (answered(next, seat, *value), *tie));
    let index = best.expect("an actor that is to act has an action").2;
    actions.swap_remove(index)
}

fn after<P: Position>(position: &P, actor: Actor, action: &P::Action) -> P {
    let mut next = position.clone();
    next.apply(actor, action);
    next
}

/// How well a seat stands compared with the best of the others.
fn value<P: Position>(position: &P, seat: u8) -> i64 {
    if let Some(outcome) = position.outcome() {
        let won = outcome.winners.contains(&seat);
        return if won {
            WIN
        } else if outcome.winners.is_empty() {
            0
        } else {
            -WIN
        };
    }
    let teams = position.teams();
    let others = (1..=position.seats()).filter(|other| !teams.are_partners(seat, *other));
    let strongest = others.map(|other| position.estimate(other)).max().unwrap_or(0);
    i64::from(position.estimate(seat)) - i64::from(strongest)
}

/// The value after the reply that is worst for the seat; `now` if nobody else replies.
fn answered<P: Position>(position: &P, seat: u8, now: i64) -> i64 {
    let answering = position.to_act().only().filter(|actor| *actor != Actor::Chance && *actor != Actor::Seat(seat));
    let Some(other) = answering else { return now };
    if position.prompt(other).is_some() {
        return now;
    }
    let mut answers = Vec::new();
    position.legal(other, &mut answers);
    answers.iter().map(|answer| value(&after(position, other, answer), seat)).min().unwrap_or(now)
}
