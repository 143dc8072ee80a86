//! What the engine says of one position.

use plybook_events::Actor;
use plybook_rules::AnyPosition;
use plybook_rules::engine::{Chances, Finding, Findings};

use super::search::{Budget, SEED, rounded, search_here};

/// What the engine says of a position, knowing everything. Equal positions, seats and playouts have equal evaluations.
#[derive(Clone, Debug)]
pub struct Evaluation {
    chances: Chances,
    /// The seat that `findings` are about.
    pub seat: Option<u8>,
    findings: Option<Findings>,
    /// The number of playouts; 0 once the game is over.
    pub playouts: u32,
    /// The only winner, if there is one, and after how many actions, if the result is proved.
    pub proof: Option<(Option<u8>, u16)>,
}

impl Evaluation {
    /// Evaluates a position on this thread, for an actor of [`to_move`].
    pub fn of(position: &dyn AnyPosition, actor: Option<Actor>, budget: Budget<'_>) -> Self {
        if let Some(outcome) = position.outcome() {
            let winner = <[u8; 1]>::try_from(outcome.winners.as_slice()).ok().map(|[winner]| winner);
            let chances = Chances::of_outcome(position.teams(), &outcome);
            return Self { chances, seat: None, findings: None, playouts: 0, proof: Some((winner, 0)) };
        }
        let seat = actor.and_then(|actor| match actor {
            Actor::Seat(seat) => Some(seat),
            Actor::Chance => None,
        });
        let (chances, findings) = search_here(position, actor, budget, SEED);
        let Some(findings) = findings else {
            return Self { chances, seat, findings: None, playouts: budget.playouts, proof: None };
        };
        Self {
            chances: findings.chances(),
            seat,
            playouts: findings.playouts,
            proof: findings.proof.map(|proof| (proof.winner(), proof.plies)),
            findings: Some(findings),
        }
    }

    /// The chances of the seats, from 0 to 1; index 0 is seat 1. With the draw, they add up to 1.
    pub fn chances(&self) -> Vec<f64> {
        by_seat(&self.chances)
    }

    /// The chance of a draw, from 0 to 1.
    pub fn draw(&self) -> f64 {
        rounded(self.chances.draw())
    }

    /// The actions of the seat, best first; empty where chance is to act and once the game is over.
    pub fn actions(&self) -> &[Finding] {
        self.findings.as_ref().map_or(&[], |findings| &findings.actions)
    }
}

/// The seat to evaluate a position for: this one, or else the first that is to act; `None` if none is.
///
/// # Errors
/// This seat is not to act.
pub fn to_move(position: &dyn AnyPosition, seat: Option<u8>) -> Result<Option<Actor>, String> {
    let to_act: Vec<Actor> = position.to_act().iter().collect();
    match seat.map(Actor::Seat) {
        None => Ok(to_act.into_iter().find(|actor| *actor != Actor::Chance)),
        Some(actor) if to_act.contains(&actor) => Ok(Some(actor)),
        Some(actor) => {
            let others: Vec<String> = to_act.iter().map(ToString::to_string).collect();
            let others = if others.is_empty() { "nobody".to_owned() } else { others.join(", ") };
            Err(format!("{actor} is not to act; to act: {others}"))
        }
    }
}

/// The chances of each seat, from 0 to 1; index 0 is seat 1.
pub fn by_seat(chances: &Chances) -> Vec<f64> {
    (1..=chances.seats()).map(|seat| rounded(chances.seat(seat))).collect()
}
