//! Predicates over the positions of a game, as people write them: `islands(1) >= 4 then within 6: captured(2) > 0`.
//!
//! A predicate is read once ([`Predicate::read`]) and then evaluated in one pass over each game
//! ([`AnyPosition::plies_with`](crate::AnyPosition::plies_with)). docs/search.md describes the language.

mod extremes;
mod likeness;
mod reader;
mod scan;
#[cfg(test)]
mod tests;
mod tokens;

use crate::Rules;

pub use extremes::Extremes;
pub(crate) use likeness::likeness;
pub(crate) use scan::Scan;

/// The most bytes of a predicate's text.
pub const TEXT_MAX: usize = 2_000;

/// How deeply parentheses, `not`, `for` and `first` may be nested.
pub const DEPTH_MAX: usize = 32;

/// The most plies of `within` and `for`.
pub const PLIES_MAX: u32 = 100_000;

/// A condition on the positions of games of one kind.
#[derive(Clone, Debug)]
pub struct Predicate {
    root: Node,
    /// The facts that it asks for, each once.
    facts: Vec<Use>,
    /// Those that `change` compares with the start of the turn, as indices of `facts`.
    changes: Vec<usize>,
    /// How many numbers are remembered from position to position.
    slots: usize,
    /// Which of the extremes of a game are those of [`Predicate::facts`]; `None` if none are kept.
    columns: Vec<Option<usize>>,
}

/// Why a text is not a predicate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {why}")]
pub struct PredicateError {
    /// Where, in characters from 1.
    pub column: usize,
    /// What is wrong, and what would be right.
    pub why: String,
}

/// A condition. What it remembers of earlier positions is kept under its slot.
#[derive(Clone, Debug)]
enum Node {
    Compare(Operand, Comparison, Operand),
    Not(Box<Node>),
    And(Vec<Node>),
    Or(Vec<Node>),
    /// It has held for so many positions one after another, up to this one.
    Streak {
        plies: u32,
        inner: Box<Node>,
        slot: usize,
    },
    /// It holds for the first time.
    First {
        inner: Box<Node>,
        slot: usize,
    },
    /// `later` holds, and `earlier` held at most so many plies before, and at least one.
    Then {
        within: u32,
        earlier: Box<Node>,
        later: Box<Node>,
        slot: usize,
    },
}

/// What is compared.
#[derive(Clone, Copy, Debug)]
enum Operand {
    Number(i64),
    /// A fact, by its index in [`Predicate::facts`].
    Fact(usize),
    /// The difference from the start of the turn, by its index in [`Predicate::changes`].
    Change(usize),
}

/// A fact with what it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Use {
    /// Its index: first the facts that all games have, then those of the kind.
    fact: usize,
    /// A seat or a place, as an index; otherwise 0.
    argument: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    Different,
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Comparison {
    fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Different => left != right,
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::More => left > right,
            Self::AtLeast => left >= right,
        }
    }
}

impl Predicate {
    /// Reads a predicate over the facts of a kind.
    ///
    /// # Errors
    /// The text is not a predicate. The error says where and why, and names facts with similar names.
    pub fn read(rules: &dyn Rules, text: &str) -> Result<Self, PredicateError> {
        reader::read(rules, text)
    }

    /// Whether it asks for chances, which only an analysis of the game knows.
    pub fn asks_for_chances(&self) -> bool {
        self.facts.iter().any(|used| used.is_chance())
    }

    /// How many facts are looked up in each position, at most.
    pub fn facts_len(&self) -> usize {
        self.facts.len()
    }
}

impl PredicateError {
    /// The message, the text in one line, and a caret below the place that it is about.
    pub fn pointing_into(&self, text: &str) -> String {
        let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        format!("{self}\n  {line}\n  {:>column$}", '^', column = self.column)
    }
}
