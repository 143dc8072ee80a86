//! The least and the most of each fact in a game, by which a search passes over games that cannot match.

use serde::{Deserialize, Serialize};

use super::{Comparison, Node, Operand, Predicate, Use};
use crate::fact::Common;
use crate::{About, Argument, FactLabel, Game, Position};

/// The least and the greatest value of each fact in the positions of a game. Facts of places are left out: there are
/// too many.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Extremes(
    /// In turn the least and the greatest value, by fact and seat. If no position has a value, the least one is the
    /// greater. The ends of the range stand for anything beyond, too.
    Vec<i16>,
);

/// What never had a value.
const NEVER: [i16; 2] = [i16::MAX, i16::MIN];

/// The values that something can have.
#[derive(Clone, Copy)]
enum Reach {
    /// Not known.
    Any,
    /// None.
    Never,
    /// From the least to the greatest.
    Between(i64, i64),
}

/// The column of each fact, for those of a seat that of seat 1; `None` for those of places.
pub(super) fn columns(facts: &[FactLabel], about: &About) -> Vec<Option<usize>> {
    let mut next = 0;
    let column = |(fact, label): (usize, &FactLabel)| {
        let (column, width) = (next, width(fact, label.argument, about));
        next += width;
        (width > 0).then_some(column)
    };
    facts.iter().enumerate().map(column).collect()
}

/// The number of columns of a fact: none for what the positions do not tell, or of too many places.
fn width(fact: usize, argument: Argument, about: &About) -> usize {
    match argument {
        _ if fact == Common::Chance as usize => 0,
        Argument::Nothing => 1,
        Argument::Seat => about.seats_max.into(),
        Argument::Place => 0,
    }
}

impl Extremes {
    /// Extends them to a position of the game. `mobility` is the number of legal actions there.
    pub(crate) fn extend<G: Game>(
        &mut self,
        position: &G::Position,
        ply: u32,
        mobility: usize,
        counts: &<G::Position as Position>::Counts,
    ) {
        let mut column = 0;
        for fact in 0..Common::ALL.len() + G::FACTS.len() {
            let argument = match fact.checked_sub(Common::ALL.len()) {
                None => Common::ALL[fact].argument(),
                Some(own) => G::FACTS[own].argument(),
            };
            for argument in 0..width(fact, argument, &G::ABOUT) {
                let value = match Common::ALL.get(fact) {
                    Some(Common::Mobility) => Some(mobility as i64),
                    _ => Use { fact, argument }.value::<G>(position, ply, Some(counts)),
                };
                self.extend_column(column, value);
                column += 1;
            }
        }
    }

    fn extend_column(&mut self, column: usize, value: Option<i64>) {
        if self.0.len() <= 2 * column {
            self.0.extend(NEVER);
        }
        let Some(value) = value else { return };
        let value = value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let (least, most) = (2 * column, 2 * column + 1);
        self.0[least] = self.0[least].min(value);
        self.0[most] = self.0[most].max(value);
    }

    /// The numbers, to keep those of many games side by side.
    pub fn as_slice(&self) -> &[i16] {
        &self.0
    }
}

impl Predicate {
    /// Whether it may hold in a position of a game with these [`Extremes`]. If not, it holds in none; if so, it may
    /// still hold in none. Extremes that are missing are taken to say nothing.
    pub fn may_hold(&self, extremes: &[i16]) -> bool {
        self.node_may_hold(&self.root, extremes)
    }

    fn node_may_hold(&self, node: &Node, extremes: &[i16]) -> bool {
        match node {
            Node::Compare(left, comparison, right) => {
                comparison.may_hold(self.reach(*left, extremes), self.reach(*right, extremes))
            }
            // What may hold may fail as well: the extremes do not say where a fact has no value.
            Node::Not(_) => true,
            Node::And(parts) => parts.iter().all(|part| self.node_may_hold(part, extremes)),
            Node::Or(parts) => parts.iter().any(|part| self.node_may_hold(part, extremes)),
            Node::Streak { inner, .. } | Node::First { inner, .. } => self.node_may_hold(inner, extremes),
            Node::Then { earlier, later, .. } => {
                self.node_may_hold(earlier, extremes) && self.node_may_hold(later, extremes)
            }
        }
    }

    fn reach(&self, operand: Operand, extremes: &[i16]) -> Reach {
        match operand {
            Operand::Number(number) => Reach::Between(number, number),
            Operand::Fact(fact) => self.fact_reach(fact, extremes),
            Operand::Change(change) => match self.fact_reach(self.changes[change], extremes) {
                Reach::Between(least, most) => {
                    let widest = most.saturating_sub(least);
                    Reach::Between(-widest, widest)
                }
                other => other,
            },
        }
    }

    fn fact_reach(&self, fact: usize, extremes: &[i16]) -> Reach {
        let found = self.columns[fact].and_then(|column| extremes.get(2 * column..)?.first_chunk::<2>());
        match found {
            None => Reach::Any,
            Some([least, most]) if least > most => Reach::Never,
            Some([least, most]) => {
                let least = if *least == i16::MIN { -END } else { (*least).into() };
                Reach::Between(least, if *most == i16::MAX { END } else { (*most).into() })
            }
        }
    }
}

/// Beyond all numbers that facts have, and far from those that do not fit.
const END: i64 = i64::MAX / 4;

impl Comparison {
    /// Whether it holds of any two values.
    fn may_hold(self, left: Reach, right: Reach) -> bool {
        let ((least, most), (other_least, other_most)) = match (left, right) {
            (Reach::Never, _) | (_, Reach::Never) => return false,
            (Reach::Any, _) | (_, Reach::Any) => return true,
            (Reach::Between(least, most), Reach::Between(from, to)) => ((least, most), (from, to)),
        };
        match self {
            Self::Equal => least <= other_most && other_least <= most,
            Self::Different => least != most || other_least != other_most || least != other_least,
            Self::Less => least < other_most,
            Self::AtMost => least <= other_most,
            Self::More => most > other_least,
            Self::AtLeast => most >= other_least,
        }
    }
}
