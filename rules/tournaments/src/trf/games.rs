//! The games of 001 lines: an entry for each round and entrant, and the rounds that they make up.

use std::collections::BTreeSet;

use super::line::Line;
use super::{AskedBye, PointSystem, ROUNDS_MAX, TrfError, TrfProblem};
use crate::{Bye, ByeKind, EntrantNumber, Points, Round, Table, TableResult};

/// The column of the first round's entry.
const FIRST_COLUMN: usize = 92;
/// The number of columns of an entry, with the two spaces after it.
const COLUMNS: usize = 10;

/// What a line says about one round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// Nothing.
    Absent,
    /// No opponent.
    Bye(ByeKind),
    /// A game, played or not; the seat, from 1, if it is known.
    Game { opponent: EntrantNumber, seat: Option<u8>, result: Code },
}

/// The result of a game for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    Unknown,
    Win,
    Draw,
    Loss,
    UnratedWin,
    UnratedDraw,
    UnratedLoss,
    ForfeitWin,
    ForfeitLoss,
}

impl Code {
    fn of(char: char) -> Option<Self> {
        Some(match char.to_ascii_uppercase() {
            ' ' => Self::Unknown,
            '1' => Self::Win,
            '=' => Self::Draw,
            '0' => Self::Loss,
            'W' => Self::UnratedWin,
            'D' => Self::UnratedDraw,
            'L' => Self::UnratedLoss,
            '+' => Self::ForfeitWin,
            '-' => Self::ForfeitLoss,
            _ => return None,
        })
    }

    /// The character for it.
    pub(super) fn char(self) -> char {
        match self {
            Self::Unknown => ' ',
            Self::Win => '1',
            Self::Draw => '=',
            Self::Loss => '0',
            Self::UnratedWin => 'W',
            Self::UnratedDraw => 'D',
            Self::UnratedLoss => 'L',
            Self::ForfeitWin => '+',
            Self::ForfeitLoss => '-',
        }
    }

    /// Whether it was played; `None` if that is not known.
    fn is_played(self) -> Option<bool> {
        match self {
            Self::Unknown => None,
            Self::ForfeitWin | Self::ForfeitLoss => Some(false),
            _ => Some(true),
        }
    }

    fn is_unrated(self) -> bool {
        matches!(self, Self::UnratedWin | Self::UnratedDraw | Self::UnratedLoss)
    }

    fn points(self, system: &PointSystem) -> Points {
        match self {
            Self::Win | Self::UnratedWin | Self::ForfeitWin => system.win,
            Self::Draw | Self::UnratedDraw => system.draw,
            Self::Loss | Self::UnratedLoss => system.loss,
            Self::ForfeitLoss => system.forfeit,
            Self::Unknown => Points::ZERO,
        }
    }
}

/// The entries of a 001 line.
pub(super) fn entries(line: &Line, own: EntrantNumber) -> Result<Vec<Entry>, TrfError> {
    let mut entries = Vec::new();
    let mut column = FIRST_COLUMN;
    while column <= line.len() {
        if entries.len() >= usize::from(ROUNDS_MAX) {
            return Err(line.wrong(
                column,
                &line.columns(column, column + 7),
                "the end of the line: 255 rounds are read",
            ));
        }
        entries.push(entry(line, column, own)?);
        column += COLUMNS;
    }
    while entries.last() == Some(&Entry::Absent) {
        entries.pop();
    }
    Ok(entries)
}

fn entry(line: &Line, column: usize, own: EntrantNumber) -> Result<Entry, TrfError> {
    let opponent = line.field(column, column + 3);
    let char_at = |column: usize| line.columns(column, column).chars().next().unwrap_or(' ');
    let (seat_char, result_char) = (char_at(column + 5), char_at(column + 7));
    let seat = match seat_char.to_ascii_lowercase() {
        'w' => Some(1),
        'b' => Some(2),
        '-' | ' ' => None,
        other => return Err(line.wrong(column + 5, &other.to_string(), "w, b or -")),
    };
    let is_nobody = opponent.is_empty() || opponent.bytes().all(|byte| byte == b'0');
    if is_nobody {
        if seat.is_some() {
            return Err(line.wrong(column + 5, &seat_char.to_string(), "-, as there is no opponent"));
        }
        return match result_char.to_ascii_uppercase() {
            ' ' if opponent.is_empty() && seat_char == ' ' => Ok(Entry::Absent),
            'Z' | ' ' | '-' => Ok(Entry::Bye(ByeKind::Zero)),
            'H' | '=' => Ok(Entry::Bye(ByeKind::Half)),
            'F' => Ok(Entry::Bye(ByeKind::Full)),
            'U' | '+' => Ok(Entry::Bye(ByeKind::Pairing)),
            other => Err(line.wrong(column + 7, &other.to_string(), "H, F, U or Z, as there is no opponent")),
        };
    }
    let opponent = line.entrant_in(column, &opponent)?;
    if opponent == own {
        return Err(line.wrong(column, &own.0.to_string(), "another entrant's number"));
    }
    let code = Code::of(result_char);
    let result = code.ok_or_else(|| line.wrong(column + 7, &result_char.to_string(), "1, =, 0, W, D, L, + or -"))?;
    if seat.is_none() && result.is_played() == Some(true) {
        return Err(line.wrong(column + 5, &seat_char.to_string(), "w or b, as the game was played"));
    }
    Ok(Entry::Game { opponent, seat, result })
}

/// The rounds in which somebody was paired, what was requested for later ones, and which games are not rated.
#[derive(Debug, Default)]
pub(super) struct Games {
    pub(super) rounds: Vec<Round>,
    pub(super) byes: Vec<AskedBye>,
    pub(super) unrated: BTreeSet<(u16, EntrantNumber)>,
}

/// Puts the entries of all entrants together; index 0 is number 1.
pub(super) fn games(entries: &[Vec<Entry>], system: &PointSystem) -> Result<Games, TrfProblem> {
    let is_paired = |entry: &Entry| matches!(entry, Entry::Game { .. } | Entry::Bye(ByeKind::Pairing));
    let paired = entries.iter().filter_map(|own| own.iter().rposition(is_paired)).max().map_or(0, |last| last + 1);
    let of = |round: usize| entries.iter().map(move |own| own.get(round).copied().unwrap_or(Entry::Absent));
    let is_complete = |round: usize| of(round).all(|entry| entry != Entry::Absent);
    let is_played = |round: usize| of(round).any(|entry| matches!(entry, Entry::Game { .. }));
    if let Some(last) = paired.checked_sub(1).filter(|last| !is_played(*last) && !is_complete(*last)) {
        return Err(TrfProblem::HalfPaired { round: last + 1 });
    }
    // Rounds in which everybody had a bye are over, too.
    let columns = entries.iter().map(Vec::len).max().unwrap_or(0);
    let paired = (paired..columns).find(|round| !is_complete(*round)).unwrap_or(columns.max(paired));
    let mut games = Games { rounds: vec![Round::default(); paired], ..Games::default() };
    for (index, own) in entries.iter().enumerate() {
        let one = EntrantNumber::from_index(index);
        for (round, entry) in own.iter().enumerate() {
            let number = round as u16 + 1;
            match *entry {
                Entry::Absent => {}
                Entry::Bye(kind) if round >= paired => games.byes.push(AskedBye { round: number, entrant: one, kind }),
                Entry::Bye(kind) => {
                    games.rounds[round].byes.push(Bye { entrant: one, kind, points: system.bye(kind) });
                }
                Entry::Game { opponent, seat, result } => {
                    let contradiction = TrfProblem::Contradiction { round: number.into(), one, other: opponent };
                    let theirs = entries.get(opponent.index()).ok_or(TrfProblem::Unknown(opponent))?.get(round);
                    let Some(&Entry::Game { opponent: back, seat: their_seat, result: their_result }) = theirs else {
                        return Err(contradiction);
                    };
                    let is_seat_fit = seat.is_none() || their_seat.is_none() || seat != their_seat;
                    if back != one || !is_seat_fit || result.is_played() != their_result.is_played() {
                        return Err(contradiction);
                    }
                    let is_first = match (seat, their_seat) {
                        (Some(seat), _) => seat == 1,
                        (None, Some(seat)) => seat == 2,
                        (None, None) => one < opponent,
                    };
                    if is_first {
                        let points = vec![result.points(system), their_result.points(system)];
                        let result_of = |is_played| {
                            if is_played { TableResult::Played(points) } else { TableResult::Forfeit(points) }
                        };
                        games.rounds[round]
                            .tables
                            .push(Table { seats: vec![one, opponent], result: result.is_played().map(result_of) });
                        if result.is_unrated() || their_result.is_unrated() {
                            games.unrated.insert((number, one));
                        }
                    }
                }
            }
        }
    }
    Ok(games)
}
