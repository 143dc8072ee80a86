//! Random tournaments, for comparing pairing programs and for trying things out.

use std::ops::ControlFlow;

use crate::trf::{Card, Report};
use crate::{
    Bye, ByeKind, Entrant, EntrantNumber, History, Pairing, PairingError, Points, Round, Table, TableResult, baku,
    dutch, fast,
};

/// What tournament to make. The same settings make the same tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The number of entrants, including late ones.
    pub players: u16,
    /// The number of planned rounds.
    pub rounds: u16,
    /// The seed.
    pub seed: u64,
    /// Whether the upper half gets virtual points by Baku acceleration.
    pub is_accelerated: bool,
    /// Whether it is paired by fast Swiss instead of the Dutch system.
    pub is_fast: bool,
}

/// Plays a random tournament by a Swiss system: with draws, forfeits by one side or both, requested byes,
/// absences, withdrawals and late entries. It ends early if a round cannot be paired.
///
/// # Errors
/// There are too many entrants, fewer than two, or `progress`, which gets the number of rounds done and the
/// total, stops it.
pub fn tournament(
    settings: &Settings,
    progress: &dyn Fn(usize, usize) -> ControlFlow<()>,
) -> Result<Report, PairingError> {
    let mut dice = Dice(settings.seed);
    let mut report = entrants(settings, &mut dice);
    if settings.is_accelerated {
        baku::accelerate(&mut report.history, Points::ONE, Points::HALF);
    }
    // One in this many; each tournament has its own number.
    let rates = Rates {
        draw: 2 + dice.below(6),
        forfeit: 4 + dice.below(60),
        bye: 8 + dice.below(120),
        withdrawal: 10 + dice.below(200),
    };
    for round in 0..settings.rounds {
        if progress(round.into(), settings.rounds.into()).is_break() {
            return Err(PairingError::Cancelled);
        }
        let mut byes = Vec::new();
        let mut options = dutch::Options::new(std::collections::BTreeSet::new());
        for index in 0..report.history.entrants.len() {
            let number = EntrantNumber::from_index(index);
            let entrant = &mut report.history.entrants[index];
            let has_withdrawn = entrant.withdrew_after.is_some();
            if entrant.entered_after > round || has_withdrawn {
                continue;
            }
            if round > 0 && dice.below(rates.withdrawal) == 0 {
                entrant.withdrew_after = Some(round);
            } else if dice.below(rates.bye) == 0 {
                let (kind, points) = match dice.below(8) {
                    0 => (ByeKind::Full, Points::ONE),
                    1..4 => (ByeKind::Zero, Points::ZERO),
                    _ => (ByeKind::Half, Points::HALF),
                };
                byes.push(Bye { entrant: number, kind, points });
            } else {
                options.available.insert(number);
            }
        }
        options.initial_seat = report.initial_seat;
        let paired = if settings.is_fast {
            fast::pair(&report.history, &options)
        } else {
            dutch::pair(&report.history, &options)
        };
        match paired {
            Ok(pairing) => {
                let played = play(&report.history, &pairing, byes, &rates, &mut dice);
                report.history.rounds.push(played);
            }
            Err(why) if round == 0 => return Err(why),
            Err(_) => break,
        }
    }
    // Entrants who withdrew in a round that could not be paired are still there, as far as the file is
    // concerned.
    let played = report.history.rounds.len() as u16;
    for entrant in &mut report.history.entrants {
        entrant.withdrew_after = entrant.withdrew_after.filter(|after| *after < played);
        entrant.entered_after = entrant.entered_after.min(played);
    }
    Ok(report)
}

/// True once in this many times.
struct Rates {
    draw: u64,
    forfeit: u64,
    bye: u64,
    withdrawal: u64,
}

fn entrants(settings: &Settings, dice: &mut Dice) -> Report {
    let late = 4 + dice.below(60);
    let mut ratings: Vec<u16> = (0..settings.players).map(|_| 1_400 + dice.below(1_300) as u16).collect();
    ratings.sort_unstable_by(|one, other| other.cmp(one));
    let mut history = History { rounds_planned: Some(settings.rounds), ..History::default() };
    for (index, rating) in ratings.into_iter().enumerate() {
        let is_late = index > 1 && dice.below(late) == 0;
        history.entrants.push(Entrant {
            name: format!("Random, Player {}", index + 1),
            rating: Some(rating),
            entered_after: if is_late { 1 + dice.below(3) as u16 } else { 0 },
            ..Entrant::default()
        });
    }
    let name = format!("Random tournament {} of {} players", settings.seed, settings.players);
    Report {
        texts: vec![("012".to_owned(), name), ("092".to_owned(), "Individual: Swiss-System".to_owned())],
        cards: vec![Card::default(); history.entrants.len()],
        history,
        initial_seat: Some(1 + dice.below(2) as u8),
        ..Report::default()
    }
}

fn play(history: &History, pairing: &Pairing, mut byes: Vec<Bye>, rates: &Rates, dice: &mut Dice) -> Round {
    for bye in &pairing.byes {
        byes.push(Bye { entrant: bye.entrant, kind: ByeKind::Pairing, points: Points::ONE });
    }
    byes.sort_by_key(|bye| bye.entrant);
    let rating = |entrant: EntrantNumber| history.entrants[entrant.index()].rating.map_or(0, u64::from);
    let table = |seats: &[EntrantNumber], dice: &mut Dice| {
        let wins = |is_first| if is_first { vec![Points::ONE, Points::ZERO] } else { vec![Points::ZERO, Points::ONE] };
        let result = if dice.below(rates.forfeit) == 0 {
            TableResult::Forfeit(match dice.below(9) {
                0 => vec![Points::ZERO; 2],
                chance => wins(chance < 5),
            })
        } else if dice.below(rates.draw) == 0 {
            TableResult::Played(vec![Points::HALF; 2])
        } else {
            // Each rating point is worth about as much as in Elo's curve near its middle.
            let (first, second) = (rating(seats[0]), rating(seats[1]));
            let chance = (500 + first).saturating_sub(second).clamp(60, 940);
            TableResult::Played(wins(dice.below(1_000) < chance))
        };
        Table { seats: seats.to_vec(), result: Some(result) }
    };
    Round { tables: pairing.tables.iter().map(|paired| table(&paired.seats, dice)).collect(), byes }
}

/// `SplitMix64`, a generator whose numbers depend only on the seed.
struct Dice(u64);

impl Dice {
    /// A number below `bound`, which is small, so that the bias does not matter.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}
