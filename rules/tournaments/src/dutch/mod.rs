//! The FIDE Dutch system: Swiss pairing for two seats.
//!
//! Brackets are paired from the top. In each one, the criteria of the rules become weights of the edges of a
//! graph, with each criterion outweighing all later ones together (`criteria`). A maximum-weight matching
//! then satisfies them as well as possible (`optimum`); among several, the rules' order of generation picks
//! one (`refine`). `bracket` decides how much of what lies below has to be in the graph.
//!
//! # Source
//! FIDE Handbook C.04.3, in force from 1 February 2026.

mod bracket;
mod criteria;
mod explain;
mod optimum;
mod player;
mod refine;
mod round;
mod seating;
mod seats;
mod weight;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::{EntrantNumber, History, PairedBye, Pairing, PairingError, Points};
use bracket::Bracket;
use player::{Seat, players};
use round::Round;
pub(crate) use seating::Seating;

/// The name and version of the system: the same history and options give the same pairing under the same name.
pub const ENGINE: &str = "dutch/2026-1";

/// The most entrants that can be paired.
pub const ENTRANTS_MAX: usize = 1_500;

/// What a pairing depends on besides the history.
#[derive(Clone)]
pub struct Options<'a> {
    /// Who is to be paired.
    pub available: BTreeSet<EntrantNumber>,
    /// The seat that was drawn for number 1, from 1. `None` takes it from the first round that was paired, or
    /// seat 1 if there is none.
    pub initial_seat: Option<u8>,
    /// Groups of entrants who may not meet each other in this round.
    pub forbidden: Vec<Vec<EntrantNumber>>,
    /// The points for a win.
    pub win: Points,
    /// The points for a draw.
    pub draw: Points,
    /// The points for a loss that was played.
    pub loss: Points,
    /// Gets the number of entrants paired so far and the total, and may stop the pairing.
    pub progress: &'a dyn Fn(usize, usize) -> ControlFlow<()>,
}

impl Options<'_> {
    /// Pairs these entrants, with default settings.
    pub fn new(available: BTreeSet<EntrantNumber>) -> Self {
        Self {
            available,
            initial_seat: None,
            forbidden: Vec::new(),
            win: Points::ONE,
            draw: Points::HALF,
            loss: Points::ZERO,
            progress: &|_, _| ControlFlow::Continue(()),
        }
    }
}

/// Pairs the round after those of the history.
///
/// The result depends on nothing but the arguments. A thousand entrants take a moment: run it where nobody
/// waits. The matching keeps its memory for the next call on the same thread, which may be hundreds of MiB
/// after a thousand entrants.
///
/// # Errors
/// See [`PairingError`].
///
/// # Example
/// ```
/// use plybook_tournaments::{Entrant, EntrantNumber, History, dutch};
///
/// let history = History { entrants: vec![Entrant::default(); 4], ..History::default() };
/// let options = dutch::Options::new((1..=4).map(EntrantNumber).collect());
/// let pairing = dutch::pair(&history, &options)?;
/// assert_eq!(pairing.tables[0].seats, [EntrantNumber(1), EntrantNumber(3)]);
/// assert_eq!(pairing.tables[1].seats, [EntrantNumber(4), EntrantNumber(2)]);
/// # Ok::<(), plybook_tournaments::PairingError>(())
/// ```
pub fn pair(history: &History, options: &Options<'_>) -> Result<Pairing, PairingError> {
    let entrants = options.available.len();
    if entrants > ENTRANTS_MAX {
        return Err(PairingError::TooMany { entrants, limit: ENTRANTS_MAX });
    }
    if entrants == 0 {
        return Err(PairingError::TooFew { entrants, least: 1 });
    }
    for entrant in &options.available {
        player::check_known(history, *entrant)?;
    }
    let round = Round::new(history, options, players(history, options)?)?;
    let bye = |left: &usize| PairedBye { entrant: round.players[*left].number, reasons: explain::bye(&round, *left) };
    if entrants == 1 {
        return Ok(Pairing { tables: Vec::new(), byes: vec![bye(&0)] });
    }
    let groups = round.groups();
    let mut pairs = Vec::new();
    let mut down = Vec::new();
    for (index, residents) in groups.iter().enumerate() {
        if (options.progress)(2 * pairs.len(), entrants).is_break() {
            return Err(PairingError::Cancelled);
        }
        let next = groups.get(index + 1).cloned().unwrap_or(residents.end..residents.end);
        let paired = Bracket { round: &round, down: &down, residents: residents.clone(), next }.pair()?;
        pairs.extend(paired.pairs);
        down = paired.floaters;
    }
    let byes = down.iter().map(bye).collect();
    Ok(Pairing { tables: seats::tables(&round.players, pairs, initial_seat(history, options)), byes })
}

/// The seat, from 1, that number 1 had or would have had in the first round that was paired, which is the
/// seat that was drawn. `None` if no round was paired.
pub fn drawn_seat(history: &History) -> Option<u8> {
    player::drawn_seat(history).map(Seat::number)
}

/// The seat drawn for number 1, as far as the options and the history tell.
fn initial_seat(history: &History, options: &Options<'_>) -> Seat {
    match options.initial_seat {
        Some(1) => Seat::First,
        Some(_) => Seat::Second,
        None => player::drawn_seat(history).unwrap_or(Seat::First),
    }
}
