//! What is said of one position of a game and of the action that was played there, and what follows for the game.

use plybook_rules::engine::WHOLE;
use serde::{Deserialize, Serialize};

use super::search::{rounded, share};

/// The most turning points of a game.
const TURNING_POINTS_MAX: usize = 5;

/// How fast the accuracy of an action falls with what it lost.
const FALL: f64 = 4.0;

/// What is said of a position and of the action that was played there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlyAnalysis {
    /// The number of actions that led to the position.
    pub ply: usize,
    /// The chances of the seats, of [`WHOLE`]; index 0 is seat 1.
    pub(super) chances: Vec<u32>,
    /// The chance of a draw, of [`WHOLE`].
    pub(super) draw: u32,
    /// What the seat that acted, or else the first seat that is to act, should do.
    pub best: Option<String>,
    /// The best action, and what is likely to follow it.
    pub line: Vec<String>,
    /// The seat that acted, if it had a choice.
    pub(super) seat: Option<u8>,
    /// What its action lost, of [`WHOLE`].
    pub(super) loss: Option<u32>,
    /// How a roll changed what each seat may expect, of [`WHOLE`].
    pub(super) luck: Option<Vec<i64>>,
    /// The mark of the action.
    pub glyph: Option<Glyph>,
}

/// The mark of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Glyph {
    /// The best action, where a glance would choose a mistake.
    #[serde(rename = "!!")]
    Brilliant,
    /// It lost a fifth of an equal share.
    #[serde(rename = "?!")]
    Dubious,
    /// It lost two fifths of an equal share.
    #[serde(rename = "?")]
    Mistake,
    /// It lost three fifths of an equal share.
    #[serde(rename = "??")]
    Blunder,
}

impl Glyph {
    /// The mark of an action that lost a part of [`WHOLE`] in a game of this many seats. An equal share of the chances
    /// is the whole divided by the seats.
    pub(super) fn of_loss(loss: u32, seats: u8) -> Option<Self> {
        let fifths = u64::from(loss) * u64::from(seats) * 5 / u64::from(WHOLE);
        match fifths {
            0 => None,
            1 => Some(Self::Dubious),
            2 => Some(Self::Mistake),
            _ => Some(Self::Blunder),
        }
    }

    /// The mark itself.
    pub fn text(self) -> &'static str {
        match self {
            Self::Brilliant => "!!",
            Self::Dubious => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

impl PlyAnalysis {
    /// The chance of a seat, from 0, to win, in per cent.
    pub fn percent(&self, seat: usize) -> Option<i64> {
        self.chances.get(seat).map(|part| (share(*part) * 100.0).round() as i64)
    }

    /// The chances of the seats, from 0 to 1; index 0 is seat 1. With [`draw`](Self::draw), they add up to 1.
    pub fn chances(&self) -> Vec<f64> {
        self.chances.iter().map(|part| rounded(*part)).collect()
    }

    /// The chance of a draw, from 0 to 1.
    pub fn draw(&self) -> f64 {
        rounded(self.draw)
    }

    /// What the action lost for the seat that acted, from 0 to 1; `None` for rolls, for the last position, and where
    /// there was no choice.
    pub fn loss(&self) -> Option<f64> {
        self.loss.map(rounded)
    }

    /// How a roll changed what each seat may expect, from -1 to 1; index 0 is seat 1. `None` if a seat acted.
    pub fn luck(&self) -> Option<Vec<f64>> {
        self.luck.as_ref().map(|luck| luck.iter().map(|change| rounded(*change)).collect())
    }
}

/// The accuracy of each seat, from 0 to 100; index 0 is seat 1. That of an action is `100 · e^(-4 · loss · seats / 2)`,
/// that of a seat the mean over all actions where it had a choice; `None` if it had none.
pub fn accuracy(plies: &[impl AsRef<PlyAnalysis>]) -> Vec<Option<f64>> {
    let seats = plies.first().map_or(0, |first| first.as_ref().chances.len());
    let of_seat = |seat: usize| {
        let own = plies.iter().map(AsRef::as_ref).filter(|ply| ply.seat == u8::try_from(seat).ok());
        let losses: Vec<f64> = own.filter_map(|ply| ply.loss).map(share).collect();
        let sum: f64 = losses.iter().map(|loss| 100.0 * (-FALL * loss * seats as f64 / 2.0).exp()).sum();
        (!losses.is_empty()).then(|| (sum / losses.len() as f64 * 10.0).round() / 10.0)
    };
    (1..=seats).map(of_seat).collect()
}

/// The plies of the mistakes and blunders that lost the most, the greatest loss first: at most five.
pub fn turning_points(plies: &[impl AsRef<PlyAnalysis>]) -> Vec<usize> {
    let is_costly = |ply: &&PlyAnalysis| matches!(ply.glyph, Some(Glyph::Mistake | Glyph::Blunder));
    let mut costly: Vec<&PlyAnalysis> = plies.iter().map(AsRef::as_ref).filter(is_costly).collect();
    costly.sort_by_key(|ply| (std::cmp::Reverse(ply.loss), ply.ply));
    costly.iter().take(TURNING_POINTS_MAX).map(|ply| ply.ply).collect()
}

impl AsRef<Self> for PlyAnalysis {
    fn as_ref(&self) -> &Self {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lost(ply: usize, seat: u8, loss: f64) -> PlyAnalysis {
        let loss = (loss * f64::from(WHOLE)) as u32;
        PlyAnalysis {
            ply,
            chances: vec![WHOLE / 2; 2],
            draw: 0,
            best: None,
            line: Vec::new(),
            seat: Some(seat),
            loss: Some(loss),
            luck: None,
            glyph: Glyph::of_loss(loss, 2),
        }
    }

    #[test]
    fn the_more_seats_the_less_has_to_be_lost_for_a_glyph() {
        let text = |percent: u32, seats| Glyph::of_loss(WHOLE / 100 * percent, seats).map(Glyph::text);
        assert_eq!(
            [9, 11, 21, 31, 99].map(|percent| text(percent, 2)),
            [None, Some("?!"), Some("?"), Some("??"), Some("??")]
        );
        assert_eq!([1, 2, 4, 5].map(|percent| text(percent, 13)), [None, Some("?!"), Some("?"), Some("??")]);
    }

    #[test]
    fn accuracy_is_the_mean_of_a_seats_own_choices() {
        let plies = [lost(0, 1, 0.0), lost(1, 2, 0.25), lost(2, 1, 0.5)];
        let found = accuracy(&plies);
        assert_eq!(found, [Some(56.8), Some(36.8)], "100 and e^-2, and e^-1");
        assert_eq!(accuracy(&plies[..1]), [Some(100.0), None]);
        assert!(accuracy(&Vec::<PlyAnalysis>::new()).is_empty());
    }

    #[test]
    fn turning_points_are_the_worst_mistakes() {
        let plies: Vec<_> = (0..10).map(|ply| lost(ply, 1, ply as f64 / 19.0)).collect();
        assert_eq!(turning_points(&plies), [9, 8, 7, 6, 5]);
        assert_eq!(turning_points(&plies[..5]), [4], "a dubious action is none");
        assert_eq!(turning_points(&[lost(3, 1, 0.4), lost(1, 2, 0.4)]), [1, 3]);
    }
}
