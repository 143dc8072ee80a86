//! Evaluates a predicate in one pass over the positions of a game.

use std::cell::Cell;

use plybook_events::Actor;

use super::{Node, Operand, Predicate, Use};
use crate::fact::{Common, Reading, StatedChances};
use crate::{Game, Position};

/// What a predicate remembers from position to position of one game.
pub(crate) struct Scan<'p, G: Game> {
    predicate: &'p Predicate,
    chances: StatedChances<'p>,
    /// What was counted up to this position; `None` if no fact asks for it.
    counts: Option<<G::Position as Position>::Counts>,
    ply: u32,
    /// The seat whose turn it is.
    turn: Option<Actor>,
    /// The values of [`Predicate::changes`] at the start of the turn.
    bases: Vec<Value>,
    memory: Vec<u32>,
    /// The values of [`Predicate::facts`] in this position, as far as they were looked up.
    values: Vec<Cell<Option<Value>>>,
}

/// The value of a fact, if it has one.
type Value = Option<i64>;

/// The memory of a slot before anything is remembered.
const NOTHING: u32 = u32::MAX;

impl<'p, G: Game> Scan<'p, G> {
    /// Begins at ply 0.
    pub fn new(predicate: &'p Predicate, start: &G::Position, chances: StatedChances<'p>) -> Self {
        let own = |found: &Use| found.fact.checked_sub(Common::ALL.len());
        let is_counted = |fact: usize| matches!(G::FACTS[fact].reading, Reading::Counted(_));
        let counts = predicate.facts.iter().filter_map(own).any(is_counted).then(Default::default);
        let memory = vec![NOTHING; predicate.slots];
        let values = vec![Cell::new(None); predicate.facts.len()];
        let mut scan = Self { predicate, chances, counts, ply: 0, turn: None, bases: Vec::new(), memory, values };
        scan.begin_turn(start);
        scan
    }

    fn begin_turn(&mut self, position: &G::Position) {
        self.bases.clear();
        for change in &self.predicate.changes {
            let value = self.look_up(position, self.predicate.facts[*change]);
            self.bases.push(value);
        }
    }

    /// Applies an action that was judged.
    pub fn apply(&mut self, position: &mut G::Position, actor: Actor, action: &<G::Position as Position>::Action) {
        if actor != Actor::Chance && self.turn != Some(actor) {
            self.turn = Some(actor);
            self.begin_turn(position);
        }
        match &mut self.counts {
            None => position.apply(actor, action),
            Some(counts) => {
                let before = position.clone();
                position.apply(actor, action);
                before.count(actor, action, position, counts);
            }
        }
        self.ply += 1;
    }

    /// Whether the predicate holds in this position. To be called once for each position, in order.
    pub fn holds(&mut self, position: &G::Position) -> bool {
        self.values.iter().for_each(|value| value.set(None));
        let mut memory = std::mem::take(&mut self.memory);
        let holds = self.test(&self.predicate.root, position, &mut memory);
        self.memory = memory;
        holds
    }

    fn test(&self, node: &Node, position: &G::Position, memory: &mut [u32]) -> bool {
        match node {
            Node::Compare(left, comparison, right) => {
                let values = self.operand(position, *left).zip(self.operand(position, *right));
                values.is_some_and(|(left, right)| comparison.holds(left, right))
            }
            Node::Not(inner) => !self.test(inner, position, memory),
            Node::And(parts) => self.count(parts, position, memory, false) == 0,
            Node::Or(parts) => self.count(parts, position, memory, true) > 0,
            Node::Streak { plies, inner, slot } => {
                let before = if memory[*slot] == NOTHING { 0 } else { memory[*slot] };
                memory[*slot] = if self.test(inner, position, memory) { before + 1 } else { 0 };
                memory[*slot] >= *plies
            }
            Node::First { inner, slot } => {
                let holds = self.test(inner, position, memory);
                let is_first = holds && memory[*slot] == NOTHING;
                if is_first {
                    memory[*slot] = self.ply;
                }
                is_first
            }
            Node::Then { within, earlier, later, slot } => {
                let is_recent = memory[*slot] != NOTHING && self.ply - memory[*slot] <= *within;
                let holds = self.test(later, position, memory) && is_recent;
                if self.test(earlier, position, memory) {
                    memory[*slot] = self.ply;
                }
                holds
            }
        }
    }

    /// How many of the parts test as asked; stops at the first one, unless a later one has to remember this position.
    fn count(&self, parts: &[Node], position: &G::Position, memory: &mut [u32], asked: bool) -> usize {
        let mut found = 0;
        for part in parts {
            if found == 0 || part.remembers() {
                found += usize::from(self.test(part, position, memory) == asked);
            }
        }
        found
    }

    fn operand(&self, position: &G::Position, operand: Operand) -> Value {
        match operand {
            Operand::Number(number) => Some(number),
            Operand::Fact(fact) => self.value(position, fact),
            Operand::Change(change) => {
                Some(self.value(position, self.predicate.changes[change])?.saturating_sub(self.bases[change]?))
            }
        }
    }

    /// The value of a fact, looked up once for each position.
    fn value(&self, position: &G::Position, fact: usize) -> Value {
        let known = &self.values[fact];
        known.get().unwrap_or_else(|| {
            let value = self.look_up(position, self.predicate.facts[fact]);
            known.set(Some(value));
            value
        })
    }

    fn look_up(&self, position: &G::Position, used: Use) -> Value {
        if used.is_chance() {
            return (self.chances)(self.ply, used.argument);
        }
        used.value::<G>(position, self.ply, self.counts.as_ref())
    }
}

impl Use {
    /// Whether it is a chance, which the position does not tell.
    pub fn is_chance(self) -> bool {
        self.fact == Common::Chance as usize
    }

    /// The value of the fact, as far as the position tells; `None` if it has none, as in a game that does not have the seat.
    pub fn value<G: Game>(
        self,
        position: &G::Position,
        ply: u32,
        counts: Option<&<G::Position as Position>::Counts>,
    ) -> Value {
        let Self { fact, argument } = self;
        let is_seat = argument < usize::from(position.seats());
        let Some(own) = fact.checked_sub(Common::ALL.len()) else {
            return match Common::ALL[fact] {
                Common::Ply => Some(ply.into()),
                Common::Mobility => {
                    let to_act = position.to_act();
                    let listed = to_act.iter().filter(|actor| position.prompt(*actor).is_none());
                    Some(listed.map(|actor| position.count_legal(actor) as i64).sum())
                }
                Common::ToAct => is_seat.then(|| position.to_act().contains(Actor::Seat(argument as u8 + 1)).into()),
                Common::Over => Some(position.to_act().is_empty().into()),
                Common::Chance => None,
            };
        };
        match G::FACTS[own].reading {
            Reading::Game(value) => Some(value(position)),
            Reading::Seat(value) => is_seat.then(|| value(position, argument)),
            Reading::SeatSometimes(value) => is_seat.then(|| value(position, argument)).flatten(),
            Reading::Counted(value) => counts.filter(|_| is_seat).map(|counts| value(counts, argument)),
            Reading::Place(value) => Some(value(position, argument)),
            Reading::Word(value, _) => Some(value(position, argument) as i64),
        }
    }
}

impl Node {
    /// Whether it has to see every position.
    fn remembers(&self) -> bool {
        match self {
            Self::Compare(..) => false,
            Self::Not(inner) => inner.remembers(),
            Self::And(parts) | Self::Or(parts) => parts.iter().any(Self::remembers),
            Self::Streak { .. } | Self::First { .. } | Self::Then { .. } => true,
        }
    }
}
