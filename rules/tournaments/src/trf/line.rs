//! One line of a file, read by columns.

use super::{NUMBER_MAX, ROUNDS_MAX, TrfError, TrfProblem};
use crate::{EntrantNumber, Points};

/// A line: its number, from 1, and its characters.
pub(super) struct Line {
    number: usize,
    chars: Vec<char>,
}

/// The lines of a file that are not empty. They end in CR, LF or both.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = Line> {
    let mut rest = Some(bytes);
    let split = std::iter::from_fn(move || {
        let all = rest?;
        let Some(end) = all.iter().position(|byte| matches!(byte, b'\r' | b'\n')) else {
            rest = None;
            return Some(all);
        };
        let is_crlf = all[end] == b'\r' && all.get(end + 1) == Some(&b'\n');
        rest = Some(&all[end + 1 + usize::from(is_crlf)..]);
        Some(&all[..end])
    });
    split.enumerate().filter_map(|(index, bytes)| {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text.trim_start_matches('\u{feff}').chars().collect(),
            Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect::<Vec<_>>(),
        };
        let is_empty = text.iter().all(|char| char.is_whitespace());
        (!is_empty).then_some(Line { number: index + 1, chars: text })
    })
}

impl Line {
    /// The number of the line, from 1.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// The first three characters.
    pub(super) fn tag(&self) -> String {
        self.columns(1, 3)
    }

    /// The number of columns.
    pub(super) fn len(&self) -> usize {
        self.chars.len()
    }

    /// The text in these columns, from 1, both included; shorter if the line is.
    pub(super) fn columns(&self, first: usize, last: usize) -> String {
        self.chars.iter().skip(first - 1).take(last + 1 - first).collect()
    }

    /// The text in these columns without spaces around it.
    pub(super) fn field(&self, first: usize, last: usize) -> String {
        self.columns(first, last).trim().to_owned()
    }

    /// What follows the tag.
    pub(super) fn rest(&self) -> String {
        self.columns(5, usize::MAX / 2).trim_end().to_owned()
    }

    /// The words after the tag, with their columns.
    pub(super) fn words(&self) -> Vec<(usize, String)> {
        let mut words: Vec<(usize, String)> = Vec::new();
        let mut is_inside = false;
        for (index, char) in self.chars.iter().enumerate().skip(3) {
            match (char.is_whitespace(), is_inside) {
                (true, _) => is_inside = false,
                (false, false) => {
                    words.push((index + 1, char.to_string()));
                    is_inside = true;
                }
                (false, true) => words.last_mut().expect("a word has begun").1.push(*char),
            }
        }
        words
    }

    /// An error in a column of this line.
    pub(super) fn error(&self, column: usize, problem: TrfProblem) -> TrfError {
        TrfError { line: self.number, column, problem }
    }

    /// The error that a field has an invalid value.
    pub(super) fn wrong(&self, column: usize, found: &str, expected: &'static str) -> TrfError {
        self.error(column, TrfProblem::Field { found: found.to_owned(), expected })
    }

    /// Checks that the line has at least this many columns.
    pub(super) fn check_len(&self, least: usize) -> Result<(), TrfError> {
        if self.len() >= least {
            return Ok(());
        }
        Err(self.error(self.len() + 1, TrfProblem::Short { tag: self.tag(), least }))
    }

    /// A starting number in these columns.
    pub(super) fn entrant(&self, first: usize, last: usize) -> Result<EntrantNumber, TrfError> {
        self.entrant_in(first, &self.field(first, last))
    }

    /// A starting number in a text at a column.
    pub(super) fn entrant_in(&self, column: usize, text: &str) -> Result<EntrantNumber, TrfError> {
        match number(text) {
            Some(number @ 1..=NUMBER_MAX) => Ok(EntrantNumber(number)),
            _ => Err(self.wrong(column, text, "a starting number from 1 to 9999")),
        }
    }

    /// Starting numbers in columns of four with one between, from a column to the end.
    pub(super) fn entrants(&self, first: usize) -> Result<Vec<EntrantNumber>, TrfError> {
        let mut entrants = Vec::new();
        let mut column = first;
        while column <= self.len() {
            if !self.field(column, column + 3).is_empty() {
                entrants.push(self.entrant(column, column + 3)?);
            }
            column += 5;
        }
        Ok(entrants)
    }

    /// A round in these columns, from 1.
    pub(super) fn round(&self, first: usize, last: usize) -> Result<u16, TrfError> {
        self.round_in(first, &self.field(first, last))
    }

    /// A round, or a number of rounds, in a text at a column.
    pub(super) fn round_in(&self, column: usize, text: &str) -> Result<u16, TrfError> {
        match number(text) {
            Some(round @ 1..=ROUNDS_MAX) => Ok(round),
            _ => Err(self.wrong(column, text, "a number of rounds from 1 to 255")),
        }
    }

    /// Points in these columns.
    pub(super) fn points(&self, first: usize, last: usize) -> Result<Points, TrfError> {
        self.points_in(first, &self.field(first, last))
    }

    /// Points in a text at a column: up to three digits, and at most one after the point.
    pub(super) fn points_in(&self, column: usize, text: &str) -> Result<Points, TrfError> {
        let (whole, tenth) = text.split_once(['.', ',']).unwrap_or((text, "0"));
        let whole = if whole.is_empty() { Some(0) } else { number(whole) };
        match (whole, number(tenth)) {
            (Some(whole @ 0..=999), Some(tenths @ 0..=9)) if tenth.len() == 1 && text != "." => {
                Ok(Points(u32::from(whole * 10 + tenths)))
            }
            _ => Err(self.wrong(column, text, "points such as 11.5")),
        }
    }
}

/// A number of digits only.
pub(super) fn number(text: &str) -> Option<u16> {
    let is_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits.then(|| text.parse().ok()).flatten()
}
