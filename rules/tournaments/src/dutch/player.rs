//! An entrant as the Dutch system sees it before a round.

use super::Options;
use crate::{Bye, ByeKind, EntrantNumber, History, PairingError, Points, PreferenceStrength, TableResult};

/// One of two seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Seat {
    First,
    Second,
}

impl Seat {
    /// The other one.
    pub(super) fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// The number of the seat, from 1.
    pub(super) fn number(self) -> u8 {
        match self {
            Self::First => 1,
            Self::Second => 2,
        }
    }
}

/// Whether an entrant met somebody with a different score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Float {
    #[default]
    None,
    Down,
    Up,
}

/// What one round was for one entrant.
#[derive(Clone, Copy, Debug)]
enum Part {
    Played { opponent: usize, seat: Seat, points: Points },
    Forfeited { points: Points },
    Bye { kind: ByeKind, points: Points },
    Absent,
}

impl Part {
    fn points(self) -> Points {
        match self {
            Self::Played { points, .. } | Self::Forfeited { points } | Self::Bye { points, .. } => points,
            Self::Absent => Points::ZERO,
        }
    }

    /// Whether the entrant was paired in that round, or was left over.
    fn is_paired(self) -> bool {
        matches!(self, Self::Played { .. } | Self::Forfeited { .. } | Self::Bye { kind: ByeKind::Pairing, .. })
    }
}

/// An entrant who is to be paired.
#[derive(Clone, Debug)]
pub(super) struct Player {
    /// The number in the tournament.
    pub(super) number: EntrantNumber,
    /// The place by number, from 0, among those who were ever paired or are being paired now. Decides seats.
    pub(super) place: usize,
    /// The score with acceleration.
    pub(super) score: Points,
    /// The score without acceleration.
    pub(super) plain_score: Points,
    /// The opponents of played games, by index in the history.
    pub(super) met: Vec<usize>,
    /// The seats of played games, in order.
    pub(super) seats: Vec<Seat>,
    /// How many more times one seat was had than the other.
    pub(super) imbalance: usize,
    /// The seat of the last two games, if it was the same.
    pub(super) repeated: Option<Seat>,
    /// The seat that is due, and how strongly.
    pub(super) preference: Option<(Seat, PreferenceStrength)>,
    /// The floats of the last round and of the one before.
    pub(super) floats: [Float; 2],
    /// Whether the entrant may get the bye.
    pub(super) may_have_bye: bool,
}

impl Player {
    /// The seat that is due.
    pub(super) fn preferred(&self) -> Option<Seat> {
        self.preference.map(|(seat, _)| seat)
    }

    /// How strongly a seat is due.
    pub(super) fn strength(&self) -> Option<PreferenceStrength> {
        self.preference.map(|(_, strength)| strength)
    }

    /// Whether the preference is absolute.
    pub(super) fn is_absolute(&self) -> bool {
        self.strength() == Some(PreferenceStrength::Absolute)
    }

    /// Whether one seat was had at least two more times than the other.
    pub(super) fn is_imbalanced(&self) -> bool {
        self.imbalance > 1
    }

    fn new(number: EntrantNumber, place: usize, parts: &[Part], floats: [Float; 2], options: &Options<'_>) -> Self {
        let plain_score = parts.iter().map(|part| part.points()).sum();
        let mut met = Vec::new();
        let mut seats = Vec::new();
        let mut may_have_bye = true;
        for part in parts {
            match *part {
                Part::Played { opponent, seat, .. } => {
                    met.push(opponent);
                    seats.push(seat);
                }
                Part::Bye { kind: ByeKind::Pairing, .. } => may_have_bye = false,
                part => may_have_bye &= part.points() < options.win,
            }
        }
        let (imbalance, repeated, preference) = preference(&seats);
        Self {
            number,
            place,
            score: plain_score,
            plain_score,
            met,
            seats,
            imbalance,
            repeated,
            preference,
            floats,
            may_have_bye,
        }
    }
}

/// How uneven the seats are, whether the last two were the same, and which seat is due.
fn preference(seats: &[Seat]) -> (usize, Option<Seat>, Option<(Seat, PreferenceStrength)>) {
    let firsts = seats.iter().filter(|seat| **seat == Seat::First).count();
    let seconds = seats.len() - firsts;
    let imbalance = firsts.abs_diff(seconds);
    let rarer = if firsts > seconds { Seat::Second } else { Seat::First };
    let repeated = match seats {
        [.., before, last] if before == last => Some(*last),
        _ => None,
    };
    let preference = match (imbalance, repeated, seats.last()) {
        (2.., ..) => Some((rarer, PreferenceStrength::Absolute)),
        (_, Some(seat), _) => Some((seat.other(), PreferenceStrength::Absolute)),
        (1, ..) => Some((rarer, PreferenceStrength::Strong)),
        (_, _, Some(last)) => Some((last.other(), PreferenceStrength::Mild)),
        (_, _, None) => None,
    };
    (imbalance, repeated, preference)
}

/// The entrants who are to be paired, ordered by score, then number.
///
/// # Errors
/// The history lacks a result, has a table that is not for two, or names an entrant who is not there.
pub(super) fn players(history: &History, options: &Options<'_>) -> Result<Vec<Player>, PairingError> {
    let parts = parts(history)?;
    let rounds = history.rounds.len();
    let acceleration =
        |entrant: usize, round: usize| history.entrants[entrant].acceleration.get(round).copied().unwrap_or_default();
    let score_before = |entrant: usize, round: usize| {
        parts[entrant][..round].iter().map(|part| part.points()).sum::<Points>() + acceleration(entrant, round)
    };
    let float = |entrant: usize, back: usize| {
        let Some(round) = rounds.checked_sub(back) else { return Float::None };
        match parts[entrant][round] {
            Part::Played { opponent, .. } => match score_before(entrant, round).cmp(&score_before(opponent, round)) {
                std::cmp::Ordering::Greater => Float::Down,
                std::cmp::Ordering::Less => Float::Up,
                std::cmp::Ordering::Equal => Float::None,
            },
            part if part.points() > options.loss => Float::Down,
            _ => Float::None,
        }
    };
    let mut players = Vec::new();
    let mut place = 0;
    for (entrant, parts) in parts.iter().enumerate() {
        let number = EntrantNumber::from_index(entrant);
        let is_available = options.available.contains(&number);
        if is_available {
            let floats = [float(entrant, 1), float(entrant, 2)];
            let mut player = Player::new(number, place, parts, floats, options);
            player.score += acceleration(entrant, rounds);
            players.push(player);
        }
        place += usize::from(is_available || parts.iter().any(|part| part.is_paired()));
    }
    players.sort_by(|one, other| other.score.cmp(&one.score).then(one.number.cmp(&other.number)));
    Ok(players)
}

/// What each round was for each entrant.
fn parts(history: &History) -> Result<Vec<Vec<Part>>, PairingError> {
    history.check()?;
    let mut parts = vec![vec![Part::Absent; history.rounds.len()]; history.entrants.len()];
    for (index, round) in history.rounds.iter().enumerate() {
        for (table_index, table) in round.tables.iter().enumerate() {
            let place = (index + 1, table_index + 1);
            let &[first, second] = table.seats.as_slice() else {
                return Err(PairingError::Seats { round: place.0, table: place.1, seats: table.seats.len() });
            };
            let result = table.result.as_ref().ok_or(PairingError::Missing { round: place.0, table: place.1 })?;
            let points = result.points();
            for (seat, entrant, opponent, points) in
                [(Seat::First, first, second, points[0]), (Seat::Second, second, first, points[1])]
            {
                parts[entrant.index()][index] = match result {
                    TableResult::Played(_) => Part::Played { opponent: opponent.index(), seat, points },
                    TableResult::Forfeit(_) => Part::Forfeited { points },
                };
            }
        }
        for Bye { entrant, kind, points } in &round.byes {
            parts[entrant.index()][index] = Part::Bye { kind: *kind, points: *points };
        }
    }
    Ok(parts)
}

/// Checks that an entrant is in the tournament.
pub(super) fn check_known(history: &History, entrant: EntrantNumber) -> Result<(), PairingError> {
    let is_known = (1..=history.entrants.len()).contains(&usize::from(entrant.0));
    if is_known { Ok(()) } else { Err(PairingError::Unknown(entrant)) }
}

/// The seat that number 1 had, or would have had, in the first round that assigned seats.
pub(super) fn drawn_seat(history: &History) -> Option<Seat> {
    let first = history.rounds.iter().position(|round| !round.tables.is_empty())?;
    let seat_of = |entrant: EntrantNumber| {
        history.rounds[first].tables.iter().find_map(|table| match table.seats.as_slice() {
            [one, _] if *one == entrant => Some(Seat::First),
            [_, other] if *other == entrant => Some(Seat::Second),
            _ => None,
        })
    };
    let had_bye = |entrant: EntrantNumber| {
        let byes = history.rounds[..=first].iter().flat_map(|round| &round.byes);
        byes.into_iter().any(|bye| bye.entrant == entrant && bye.kind == ByeKind::Pairing)
    };
    let numbers = (0..history.entrants.len()).map(EntrantNumber::from_index);
    let paired = numbers.filter(|number| seat_of(*number).is_some() || had_bye(*number));
    paired
        .enumerate()
        .find_map(|(place, number)| seat_of(number).map(|seat| if place % 2 == 0 { seat } else { seat.other() }))
}
