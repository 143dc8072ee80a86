//! How the outcome of a table becomes points.

use std::ops::RangeInclusive;

use plybook_events::Outcome;
use serde::{Deserialize, Serialize};

use crate::{ByeKind, Points};

/// What a tournament gives for the outcomes of its tables, and for byes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "snake_case", deny_unknown_fields)]
pub enum Scoring {
    /// Points for a win, a draw and a loss; with more than two seats, the winners win and the others lose.
    Result {
        /// For a win.
        win: Points,
        /// For a draw.
        draw: Points,
        /// For a loss that was played; a loss by forfeit gives nothing.
        loss: Points,
        /// For the bye that the pairing allocates; if missing, as for a win.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pairing_bye: Option<Points>,
    },
    /// Points for each place at the table, in order; nothing for places beyond the list. Seats that share
    /// places share their points equally, rounded down to a tenth.
    Place {
        /// For each place.
        points: Vec<Points>,
        /// For the bye that the pairing allocates; if missing, as for the first place.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pairing_bye: Option<Points>,
    },
    /// One point for every seat that is ranked below and half a point for every seat that shares the place.
    Beaten {
        /// The seats of a full table: at tables of other sizes, points are in proportion, rounded down to a tenth, so that a
        /// win is worth the same everywhere. If missing, each seat counts one point at any table.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        full: Option<u8>,
        /// For the bye that the pairing allocates; if missing, as for the first place.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pairing_bye: Option<Points>,
    },
}

/// The most points that a scoring may give at a table.
pub const MOST_POINTS: Points = Points(10_000);

/// Why a scoring is invalid, or cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScoringError {
    /// A win has to give more than a draw, and a draw at least as much as a loss.
    #[error(
        "a win ({win}) has to give more than a loss ({loss}), and a draw ({draw}) neither more than a win nor less than a loss"
    )]
    Order {
        /// For a win.
        win: Points,
        /// For a draw.
        draw: Points,
        /// For a loss.
        loss: Points,
    },
    /// No place gives anything, or a place gives more than a better one.
    #[error("points by place have to begin with more than 0.0 and must not rise from one place to the next")]
    Places,
    /// A full table has too few seats.
    #[error("a full table has at least 2 seats")]
    Full,
    /// More places than seats at any table.
    #[error("points are given for {places} places, but a table has at most {seats} seats")]
    TooManyPlaces {
        /// The number of places with points.
        places: usize,
        /// The most seats at a table.
        seats: u8,
    },
    /// More points than anybody needs.
    #[error("{points} points are more than {MOST_POINTS}, the most that a table or a bye may give")]
    TooMany {
        /// The points.
        points: Points,
    },
    /// A bye must not be worth more than a win.
    #[error("a bye gives {bye} points, which is more than the {win} of a win")]
    Bye {
        /// For the bye.
        bye: Points,
        /// For a win.
        win: Points,
    },
    /// A seat of the outcome is not at the table.
    #[error("the outcome names seat {seat}, but the table has seats 1 to {seats}")]
    NoSuchSeat {
        /// The seat.
        seat: u8,
        /// The number of seats at the table.
        seats: u8,
    },
    /// A seat is in two groups of the ranking.
    #[error("the outcome names seat {seat} twice")]
    SeatTwice {
        /// The seat.
        seat: u8,
    },
}

impl Default for Scoring {
    fn default() -> Self {
        Self::Result { win: Points::ONE, draw: Points::HALF, loss: Points::ZERO, pairing_bye: None }
    }
}

impl Scoring {
    /// One point for a win and nothing else with two seats; points by seats beaten at a full table with more.
    pub fn for_seats(seats: u8) -> Self {
        if seats == 2 { Self::default() } else { Self::Beaten { full: Some(seats), pairing_bye: None } }
    }

    /// Checks the points against each other, for tables with this many seats.
    ///
    /// # Errors
    /// The first rule that they break.
    pub fn check(&self, seats: &RangeInclusive<u8>) -> Result<(), ScoringError> {
        match self {
            &Self::Result { win, draw, loss, .. } => {
                if win <= loss || draw > win || draw < loss {
                    return Err(ScoringError::Order { win, draw, loss });
                }
            }
            Self::Place { points, .. } => {
                if points.first().is_none_or(|first| *first == Points::ZERO) || !points.is_sorted_by(|a, b| a >= b) {
                    return Err(ScoringError::Places);
                }
                if points.len() > usize::from(*seats.end()) {
                    return Err(ScoringError::TooManyPlaces { places: points.len(), seats: *seats.end() });
                }
            }
            Self::Beaten { full: Some(full), .. } if *full < 2 => return Err(ScoringError::Full),
            Self::Beaten { .. } => {}
        }
        let win = self.win(*seats.end());
        if win > MOST_POINTS {
            return Err(ScoringError::TooMany { points: win });
        }
        let bye = self.pairing_bye(*seats.end());
        if bye > win { Err(ScoringError::Bye { bye, win }) } else { Ok(()) }
    }

    /// The points for winning alone at a table with this many seats.
    pub fn win(&self, seats: u8) -> Points {
        self.of_places(0..1, seats)
    }

    /// The points at a table with this many seats if nobody is better than anybody else.
    pub fn draw(&self, seats: u8) -> Points {
        match self {
            Self::Result { draw, .. } => *draw,
            Self::Place { .. } | Self::Beaten { .. } => self.of_places(0..seats, seats),
        }
    }

    /// The points for being last alone at a table with this many seats.
    pub fn loss(&self, seats: u8) -> Points {
        self.of_places(seats - 1..seats, seats)
    }

    /// The points for a bye that the pairing allocates, if tables have this many seats.
    pub fn pairing_bye(&self, seats: u8) -> Points {
        let (Self::Result { pairing_bye, .. } | Self::Place { pairing_bye, .. } | Self::Beaten { pairing_bye, .. }) =
            self;
        pairing_bye.unwrap_or_else(|| self.win(seats))
    }

    /// The points for a bye of this kind, if tables have this many seats: a half-point bye is worth a draw, a
    /// full-point bye a win.
    pub fn bye(&self, kind: ByeKind, seats: u8) -> Points {
        match kind {
            ByeKind::Pairing => self.pairing_bye(seats),
            ByeKind::Half => self.draw(seats),
            ByeKind::Full => self.win(seats),
            ByeKind::Zero => Points::ZERO,
        }
    }

    /// The points of each seat for groups of equally ranked seats, best first; index 0 is seat 1. Seats that
    /// are in no group share the last places.
    ///
    /// # Errors
    /// [`ScoringError::NoSuchSeat`] or [`ScoringError::SeatTwice`].
    pub fn of_ranking(&self, ranking: &[Vec<u8>], seats: u8) -> Result<Vec<Points>, ScoringError> {
        let mut points = vec![None; usize::from(seats)];
        let mut place = 0;
        for group in ranking {
            let shared = self.of_places(place..place + group.len() as u8, seats);
            for &seat in group {
                if !(1..=seats).contains(&seat) {
                    return Err(ScoringError::NoSuchSeat { seat, seats });
                }
                if points[usize::from(seat) - 1].replace(shared).is_some() {
                    return Err(ScoringError::SeatTwice { seat });
                }
            }
            place += group.len() as u8;
        }
        let rest = if place < seats { self.of_places(place..seats, seats) } else { Points::ZERO };
        Ok(points.into_iter().map(|points| points.unwrap_or(rest)).collect())
    }

    /// The points of each seat for a game's outcome; index 0 is seat 1. Without a ranking, the winners share
    /// the first places and the others share the rest; without winners, everybody shares all places.
    ///
    /// # Errors
    /// [`ScoringError::NoSuchSeat`] or [`ScoringError::SeatTwice`].
    pub fn of_outcome(&self, outcome: &Outcome, seats: u8) -> Result<Vec<Points>, ScoringError> {
        match (&outcome.ranking, outcome.winners.is_empty()) {
            (Some(ranking), _) => self.of_ranking(ranking, seats),
            (None, false) => self.of_ranking(std::slice::from_ref(&outcome.winners), seats),
            (None, true) => self.of_ranking(&[], seats),
        }
    }

    /// The points of each of those who share these places, 0 being the first, at a table with this many
    /// seats.
    fn of_places(&self, places: std::ops::Range<u8>, seats: u8) -> Points {
        let count = u32::from(places.end - places.start);
        match self {
            &Self::Result { win, draw, loss, .. } => {
                let is_everybody = places.start == 0 && places.end >= seats && seats > 1;
                if is_everybody {
                    draw
                } else if places.start == 0 {
                    win
                } else {
                    loss
                }
            }
            Self::Place { points, .. } => {
                let sum: Points = places.filter_map(|place| points.get(usize::from(place))).copied().sum();
                Points(sum.0 / count.max(1))
            }
            Self::Beaten { full, .. } => {
                let below = u32::from(seats.saturating_sub(places.end));
                let points = 10 * below + 5 * count.saturating_sub(1);
                let [full, others] = [full.unwrap_or(seats), seats].map(|seats| u32::from(seats.saturating_sub(1)));
                Points(points * full / others.max(1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(points: &[u32]) -> Scoring {
        Scoring::Place { points: points.iter().map(|tenths| Points(*tenths)).collect(), pairing_bye: None }
    }

    fn tenths(points: Vec<Points>) -> Vec<u32> {
        points.into_iter().map(|points| points.0).collect()
    }

    #[test]
    fn two_seats_win_draw_and_lose() {
        let scoring = Scoring::default();
        assert_eq!(tenths(scoring.of_outcome(&Outcome::win(vec![2], "x"), 2).unwrap()), [0, 10]);
        assert_eq!(tenths(scoring.of_outcome(&Outcome::draw("x"), 2).unwrap()), [5, 5]);
        let football = Scoring::Result { win: Points(30), draw: Points(10), loss: Points(0), pairing_bye: None };
        assert_eq!(tenths(football.of_outcome(&Outcome::draw("x"), 2).unwrap()), [10, 10]);
        assert_eq!(football.pairing_bye(2), Points(30));
    }

    #[test]
    fn shared_places_share_their_points() {
        let scoring = places(&[40, 30, 20, 10]);
        assert_eq!(tenths(scoring.of_ranking(&[vec![3], vec![1, 4], vec![2]], 4).unwrap()), [25, 10, 40, 25]);
        assert_eq!(tenths(scoring.of_outcome(&Outcome::win(vec![2], "x"), 4).unwrap()), [20, 40, 20, 20]);
        assert_eq!(tenths(scoring.of_ranking(&[], 4).unwrap()), [25; 4]);
        assert_eq!(tenths(places(&[40]).of_ranking(&[], 3).unwrap()), [13; 3]);
    }

    #[test]
    fn beaten_seats_count_in_proportion_to_the_size_of_the_table() {
        let scoring = Scoring::for_seats(4);
        assert_eq!(tenths(scoring.of_ranking(&[vec![3], vec![1, 4], vec![2]], 4).unwrap()), [15, 0, 30, 15]);
        // At a smaller table, a win is worth the same, and so is being in the middle.
        assert_eq!(tenths(scoring.of_ranking(&[vec![1], vec![2], vec![3]], 3).unwrap()), [30, 15, 0]);
        assert_eq!(tenths(scoring.of_outcome(&Outcome::draw("x"), 3).unwrap()), [15; 3]);
        let by_seat: Scoring = serde_json::from_str(r#"{"by":"beaten"}"#).unwrap();
        assert_eq!(tenths(by_seat.of_ranking(&[vec![1], vec![2], vec![3]], 3).unwrap()), [20, 10, 0]);
        assert_eq!(tenths(scoring.of_outcome(&Outcome::win(vec![1], "x"), 2).unwrap()), [30, 0]);
    }

    #[test]
    fn seats_that_are_not_there_are_refused() {
        let refused = |ranking: &[Vec<u8>]| Scoring::for_seats(3).of_ranking(ranking, 3).unwrap_err().to_string();
        assert_eq!(refused(&[vec![4]]), "the outcome names seat 4, but the table has seats 1 to 3");
        assert_eq!(refused(&[vec![0]]), "the outcome names seat 0, but the table has seats 1 to 3");
        assert_eq!(refused(&[vec![1], vec![1]]), "the outcome names seat 1 twice");
    }

    #[test]
    fn points_are_checked_against_each_other() {
        let check = |scoring: Scoring| scoring.check(&(2..=4)).map_err(|refused| refused.to_string());
        assert_eq!(check(Scoring::default()), Ok(()));
        assert_eq!(check(places(&[30, 20, 10])), Ok(()));
        let upside_down = Scoring::Result { win: Points(0), draw: Points(5), loss: Points(10), pairing_bye: None };
        assert!(check(upside_down).is_err());
        assert!(check(places(&[])).is_err());
        assert!(check(places(&[10, 20])).is_err());
        assert!(check(places(&[10, 8, 6, 4, 2])).is_err());
        assert!(check(places(&[20_000])).is_err());
        assert!(check(Scoring::Beaten { full: Some(1), pairing_bye: None }).is_err());
        assert!(check(Scoring::Beaten { full: None, pairing_bye: Some(Points(100)) }).is_err());
    }

    #[test]
    fn json_names_what_it_scores_by() {
        let json = r#"{"by":"result","win":30,"draw":10,"loss":0}"#;
        let scoring: Scoring = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::to_string(&scoring).unwrap(), json);
        assert!(serde_json::from_str::<Scoring>(r#"{"by":"result","win":30,"draw":10,"loss":0,"x":1}"#).is_err());
    }
}
