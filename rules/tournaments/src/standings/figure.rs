//! A tie-break's figure, and the terms it is made of.

use std::fmt;

use super::scores::Dummy;
use crate::{EntrantNumber, Points};

/// The figure of one entrant in one tie-break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// The figure; `None` if it is not defined, for example the mean of nothing. Undefined figures are ranked
    /// last.
    pub amount: Option<Amount>,
    /// How the figure follows from the terms.
    pub how: How,
    /// Its terms, by round.
    pub terms: Vec<Term>,
}

/// A number that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Amount {
    /// Hundredths of a point.
    Points(i64),
    /// A whole number: games, a rating, a place.
    Whole(i64),
}

/// How a figure follows from its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The sum of the terms that are not cut.
    Sum,
    /// Their mean, rounded half up.
    Mean,
    /// The mean of the ratings, rounded, plus what the rating table gives for this share of the points.
    Performance {
        /// The share of the points, in hundredths.
        share: i64,
        /// The rating difference according to the table.
        difference: i64,
    },
    /// The lowest rating at which this many points are to be expected according to the rating table.
    Expected {
        /// The points of the games, in hundredths of a game.
        score: i64,
    },
    /// The place among the tied, from the games between them.
    Place {
        /// The number of tied entrants.
        tied: usize,
        /// Whether all of them met. If not, a place is given only if no missing game could change it.
        all_met: bool,
    },
    /// It is a fact about the entrant.
    Fact,
}

/// What one round adds to a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The round, from 1.
    pub round: u16,
    /// The opponent.
    pub against: Against,
    /// The entrant's own points in that round.
    pub points: Points,
    /// What the opponent contributes: an adjusted score in hundredths, a rating, or a figure of its own.
    pub worth: Option<Amount>,
    /// What the term adds.
    pub value: Amount,
    /// Whether it is left out: cut, or below Koya's limit.
    pub is_cut: bool,
}

/// The opponent that a term counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Against {
    /// An entrant.
    Entrant(EntrantNumber),
    /// All others at a table of more than two, by number; their mean counts.
    Table(u16),
    /// A dummy with this score, because nothing was played.
    Dummy(Dummy),
    /// Nobody: only the entrant's own points matter.
    Nobody,
}

impl Figure {
    /// The sum of the terms that are not cut, beginning with `zero`.
    pub(super) fn sum(terms: Vec<Term>, zero: Amount) -> Self {
        let kept = terms.iter().filter(|term| !term.is_cut).map(|term| term.value);
        Self { amount: Some(kept.fold(zero, Amount::plus)), how: How::Sum, terms }
    }

    /// A fact that needs no terms.
    pub(super) fn fact(amount: Option<Amount>) -> Self {
        Self { amount, how: How::Fact, terms: Vec::new() }
    }
}

impl Amount {
    /// The number, in the amount's own unit.
    pub fn number(self) -> i64 {
        let (Self::Points(number) | Self::Whole(number)) = self;
        number
    }

    fn plus(self, other: Self) -> Self {
        match self {
            Self::Points(number) => Self::Points(number + other.number()),
            Self::Whole(number) => Self::Whole(number + other.number()),
        }
    }
}

impl From<Points> for Amount {
    fn from(points: Points) -> Self {
        Self::Points(10 * i64::from(points.0))
    }
}

impl fmt::Display for Amount {
    /// Points with one decimal, or two where the second is not 0; whole numbers without.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole(number) => write!(f, "{number}"),
            Self::Points(number) => {
                let sign = if *number < 0 { "-" } else { "" };
                let (whole, rest) = (number.abs() / 100, number.abs() % 100);
                if rest % 10 == 0 {
                    write!(f, "{sign}{whole}.{}", rest / 10)
                } else {
                    write!(f, "{sign}{whole}.{rest:02}")
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_the_decimals_they_need() {
        for (amount, text) in [
            (Amount::Points(0), "0.0"),
            (Amount::Points(1250), "12.5"),
            (Amount::Points(975), "9.75"),
            (Amount::Points(1205), "12.05"),
            (Amount::Points(-50), "-0.5"),
            (Amount::Whole(1888), "1888"),
        ] {
            assert_eq!(amount.to_string(), text);
        }
    }
}
