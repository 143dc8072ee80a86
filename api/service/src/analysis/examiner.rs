//! The analysis of a game, position by position.

use std::sync::Arc;

use plybook_events::Actor;
use plybook_rules::AnyPosition;
use plybook_rules::engine::Chances;
use plybook_rules::log::{Ply, Replay};

use super::ply::{Glyph, PlyAnalysis};
use super::search::{Budget, SEED, search_here};

/// The most playouts of each search unless the caller says otherwise.
pub const PLAYOUTS_DEFAULT: u32 = 2_000;

/// The most playouts of each search that a caller may ask for.
pub const PLAYOUTS_MAX: u32 = 20_000;

/// The most actions of a game that is analysed.
pub const PLIES_MAX: usize = 2_000;

/// The part of the playouts that is a glance: what it does not find is hard to find.
const GLANCE_PART: u32 = 40;

/// Examines the positions of one game, with everything that is known once it is over. What it says of a position
/// depends on nothing but the game and the playouts, so positions can be examined in any order and on any thread.
pub struct Examiner {
    replay: Arc<Replay>,
    playouts: u32,
}

/// What the engine finds in a position.
#[derive(Clone, Debug)]
pub struct Found {
    chances: Chances,
    best: Option<Best>,
}

/// What a seat that is to act should do.
#[derive(Clone, Debug)]
struct Best {
    actor: Actor,
    action: String,
    /// What is likely to follow.
    line: Vec<String>,
    /// Whether there is nothing else to do.
    is_forced: bool,
}

impl Examiner {
    /// Examines a game with this many playouts for each search: at least one, and at most [`PLAYOUTS_MAX`].
    pub fn new(replay: Arc<Replay>, playouts: u32) -> Self {
        Self { replay, playouts: playouts.clamp(1, PLAYOUTS_MAX) }
    }

    /// The game.
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// The playouts for each search.
    pub fn playouts(&self) -> u32 {
        self.playouts
    }

    /// The number of positions, from ply 0 to the last.
    pub fn total(&self) -> usize {
        self.replay.mainline().len() + 1
    }

    /// Searches the position at a ply.
    ///
    /// # Panics
    /// The game has fewer plies.
    pub fn search(&self, ply: usize) -> Found {
        self.search_position(self.position_at(ply).as_ref(), self.played(ply).map(|played| played.actor))
    }

    /// Judges the action that was played at a ply, from what was found there and, except after the last action, at the
    /// next ply.
    ///
    /// # Panics
    /// The game has fewer plies.
    pub fn judge(&self, ply: usize, found: &Found, next: Option<&Found>) -> PlyAnalysis {
        let seats = found.chances.seats();
        let mut judged = PlyAnalysis {
            ply,
            chances: (1..=seats).map(|seat| found.chances.seat(seat)).collect(),
            draw: found.chances.draw(),
            best: found.best.as_ref().map(|best| best.action.clone()),
            line: found.best.as_ref().map(Best::whole_line).unwrap_or_default(),
            seat: None,
            loss: None,
            luck: None,
            glyph: None,
        };
        let Some((played, next)) = self.played(ply).zip(next) else { return judged };
        match (played.actor, &found.best) {
            (Actor::Chance, _) => {
                let change = |seat| i64::from(next.chances.expected(seat)) - i64::from(found.chances.expected(seat));
                judged.luck = Some((1..=seats).map(change).collect());
            }
            (Actor::Seat(seat), Some(best)) if best.actor == played.actor && !best.is_forced => {
                let position = self.position_at(ply);
                let after = next.chances.expected(seat);
                let loss = if *best.action == *played.action {
                    0
                } else {
                    self.expected(position.as_ref(), played.actor, &best.action).saturating_sub(after)
                };
                judged.seat = Some(seat);
                judged.loss = Some(loss);
                judged.glyph = match Glyph::of_loss(loss, seats) {
                    None if *best.action == *played.action
                        && self.is_hard_to_find(position.as_ref(), played, after) =>
                    {
                        Some(Glyph::Brilliant)
                    }
                    glyph => glyph,
                };
            }
            (Actor::Seat(_), _) => {}
        }
        judged
    }

    /// The action that led from a ply to the next, unless that position was set up.
    fn played(&self, ply: usize) -> Option<&Ply> {
        self.replay.mainline().get(ply).filter(|_| !self.replay.is_set_up(ply + 1))
    }

    fn position_at(&self, ply: usize) -> Box<dyn AnyPosition> {
        self.replay.position_at(ply).expect("the game has this ply")
    }

    /// Searches a position for an actor, or else for the first seat that is to act.
    fn search_position(&self, position: &dyn AnyPosition, actor: Option<Actor>) -> Found {
        if let Some(outcome) = position.outcome() {
            return Found { chances: Chances::of_outcome(position.teams(), &outcome), best: None };
        }
        let is_seat = |actor: &Actor| *actor != Actor::Chance;
        let to_act = position.to_act();
        let actor = actor.filter(|actor| to_act.contains(*actor)).or_else(|| to_act.iter().find(is_seat));
        let actor = actor.filter(is_seat);
        let (chances, findings) = search_here(position, actor, Budget::of(self.playouts), SEED);
        let Some((actor, findings)) = actor.zip(findings) else { return Found { chances, best: None } };
        let best = findings.best();
        let best = Best {
            actor,
            action: best.action.clone(),
            line: best.line.clone(),
            is_forced: position.legal(actor).is_some_and(|legal| legal.len() == 1),
        };
        // Where several act at once, what one of them does best does not say how the others act.
        let chances = if to_act.len() == 1 { findings.chances() } else { chances };
        Found { chances, best: Some(best) }
    }

    /// What the actor may expect after an action, searched like the position after the action that was played: numbers
    /// from before and after an action cannot be compared, as the later search sees further.
    fn expected(&self, position: &dyn AnyPosition, actor: Actor, action: &str) -> u32 {
        let mut after = position.boxed();
        after.act(actor, action).expect("the engine finds legal actions");
        let Actor::Seat(seat) = actor else { return 0 };
        self.search_position(after.as_ref(), None).chances.expected(seat)
    }

    /// Whether a glance would choose something else that is a mistake, if the actor may expect `after` of what was played.
    fn is_hard_to_find(&self, position: &dyn AnyPosition, played: &Ply, after: u32) -> bool {
        let glance = (self.playouts / GLANCE_PART).max(1);
        let Some(findings) = search_here(position, Some(played.actor), Budget::of(glance), SEED).1 else {
            return false;
        };
        let tempting = &findings.best().action;
        if **tempting == *played.action {
            return false;
        }
        let loss = after.saturating_sub(self.expected(position, played.actor, tempting));
        matches!(Glyph::of_loss(loss, position.seats()), Some(Glyph::Mistake | Glyph::Blunder))
    }
}

impl Best {
    /// The best action, and what is likely to follow.
    fn whole_line(&self) -> Vec<String> {
        std::iter::once(&self.action).chain(&self.line).cloned().collect()
    }
}
