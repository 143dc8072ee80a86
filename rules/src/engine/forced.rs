//! Wins that a seat can force within a few turns of its own, found by trying everything.

use plybook_events::Actor;

use super::chances::{Winners, winners};
use crate::{Game, Position};

/// The most turns of its own that a seat may take to win.
const TURNS_MAX: u8 = 3;

/// The most actions of all until then.
const PLIES_MAX: u8 = 32;

type ActionOf<G> = <<G as Game>::Position as Position>::Action;

/// How a seat wins whatever the others and chance do.
pub(super) struct Win<A> {
    /// What it does now.
    pub(super) action: A,
    /// How many actions follow at most.
    pub(super) plies: u16,
}

/// How far a search may still go.
#[derive(Clone, Copy)]
struct Horizon {
    /// The turns of the seat after the present one.
    turns: u8,
    /// The actions of all.
    plies: u8,
    /// Whether the turn of the seat goes on if it acts again.
    is_own_turn: bool,
}

/// A search for a win of one seat.
struct Search<G: Game> {
    seat: Actor,
    winners: Winners,
    /// How many more actions may be tried.
    left: u32,
    /// What won last with so many turns left: it often wins again.
    wins: [Option<ActionOf<G>>; TURNS_MAX as usize],
    /// What the others did last that spoiled a win: it often spoils the next one, too.
    refutation: Option<ActionOf<G>>,
}

/// Looks for a win of a seat that is to act, in as few turns as possible; `actions` are all that it can do, the most
/// promising first. `None` if a win cannot be forced in [`TURNS_MAX`] turns, or if that takes more than so many tries.
pub(super) fn win<G: Game>(
    position: &G::Position,
    seat: u8,
    actions: &[ActionOf<G>],
    tries: u32,
) -> Option<Win<ActionOf<G>>> {
    let mut search = Search::<G> {
        seat: Actor::Seat(seat),
        winners: 1 << (seat - 1),
        left: tries,
        wins: Default::default(),
        refutation: None,
    };
    (0..TURNS_MAX).find_map(|turns| {
        search.best_of(position, actions.to_vec(), Horizon { turns, plies: PLIES_MAX, is_own_turn: true })
    })
}

impl<G: Game> Search<G> {
    /// What the seat does to win.
    fn own(&mut self, position: &G::Position, within: Horizon) -> Option<Win<ActionOf<G>>> {
        if let Some(action) = self.wins[0].clone().filter(|action| position.judge(self.seat, action).is_ok()) {
            self.left = self.left.checked_sub(1)?;
            if after::<G>(position, self.seat, &action).outcome().is_some_and(|end| winners(&end) == self.winners) {
                return Some(Win { action, plies: 0 });
            }
        }
        let mut actions = self.legal(position, self.seat)?;
        bring_forward(&mut actions, self.wins[usize::from(within.turns)].as_ref());
        self.best_of(position, actions, within)
    }

    /// Which of these actions wins.
    fn best_of(
        &mut self,
        position: &G::Position,
        actions: Vec<ActionOf<G>>,
        within: Horizon,
    ) -> Option<Win<ActionOf<G>>> {
        let mut open = Vec::new();
        for action in actions {
            let after = after::<G>(position, self.seat, &action);
            match after.outcome() {
                Some(outcome) if winners(&outcome) == self.winners => {
                    self.wins[0] = Some(action.clone());
                    return Some(Win { action, plies: 0 });
                }
                Some(_) => {}
                None => open.push((action, after)),
            }
        }
        let after = Horizon { is_own_turn: true, plies: within.plies.checked_sub(1)?, ..within };
        let mut open = open.into_iter();
        let win = open.find_map(|(action, position)| Some(Win { action, plies: self.plies(&position, after)? }))?;
        self.wins[usize::from(within.turns)] = Some(win.action.clone());
        Some(win)
    }

    /// How many actions it takes at most, no matter who is to act.
    fn plies(&mut self, position: &G::Position, mut within: Horizon) -> Option<u16> {
        if let Some(outcome) = position.outcome() {
            return (winners(&outcome) == self.winners).then_some(0);
        }
        let to_act = position.to_act();
        let actor = to_act.iter().next().filter(|_| to_act.len() == 1)?;
        if actor == self.seat {
            within.turns = if within.is_own_turn { within.turns } else { within.turns.checked_sub(1)? };
            return Some(self.own(position, within)?.plies + 1);
        }
        within.is_own_turn &= actor == Actor::Chance;
        if within.turns == 0 && !within.is_own_turn {
            return None;
        }
        within.plies = within.plies.checked_sub(1)?;
        let mut actions = self.legal(position, actor)?;
        bring_forward(&mut actions, self.refutation.as_ref());
        let mut most = 0;
        for action in actions {
            let Some(plies) = self.plies(&after::<G>(position, actor, &action), within) else {
                self.refutation = Some(action);
                return None;
            };
            most = most.max(plies);
        }
        Some(most + 1)
    }

    /// All that an actor can do, if it can be listed and tried.
    fn legal(&mut self, position: &G::Position, actor: Actor) -> Option<Vec<ActionOf<G>>> {
        if self.left == 0 || position.prompt(actor).is_some() {
            return None;
        }
        let mut actions = Vec::new();
        position.legal(actor, &mut actions);
        let is_enough = actions.len() as u32 <= self.left;
        self.left = self.left.saturating_sub(actions.len() as u32);
        is_enough.then_some(actions)
    }
}

/// Puts an action first, if it is among them.
fn bring_forward<A: PartialEq>(actions: &mut [A], first: Option<&A>) {
    if let Some(index) = actions.iter().position(|action| first == Some(action)) {
        actions[..=index].rotate_right(1);
    }
}

/// The position after an action.
fn after<G: Game>(position: &G::Position, actor: Actor, action: &ActionOf<G>) -> G::Position {
    let mut after = position.clone();
    after.apply(actor, action);
    after
}
