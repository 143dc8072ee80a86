//! Submissions as text: `-`, `L`, `RU`, `LUR`, with `!` for a garnet; and places that are drawn: `places:1.1=3,4.7=1,…`.

use std::fmt;
use std::str::FromStr;

use super::lattice::{Cell, SIDE_MAX, Step};
use super::setup::SEATS;
use crate::Syntax;

/// The most steps of a submission.
pub(super) const STEPS_MAX: usize = 3;

/// A seat's submission: up to three steps, and perhaps a garnet for priority. It keeps the path as written:
/// two paths to the same cell are different submissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Submission {
    /// The steps; `None` after the last one.
    steps: [Option<Step>; STEPS_MAX],
    /// Whether a garnet is spent.
    pub(super) spends: bool,
}

plybook_events::as_text!(Submission);

impl Submission {
    /// Staying put, which costs nothing.
    pub(super) const STAY: Self = Self { steps: [None; STEPS_MAX], spends: false };

    /// The steps in order.
    pub(super) fn steps(self) -> impl Iterator<Item = Step> {
        self.steps.into_iter().flatten()
    }

    /// The submission with one more step, if there is room for it.
    pub(super) fn then(mut self, step: Step) -> Option<Self> {
        *self.steps.iter_mut().find(|slot| slot.is_none())? = Some(step);
        Some(self)
    }

    /// The same path with a garnet.
    pub(super) fn spending(self) -> Self {
        Self { spends: true, ..self }
    }
}

impl fmt::Display for Submission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // At most three letters and a mark, and nothing is padded: a single write is enough.
        let mut text = [b'-'; STEPS_MAX + 1];
        let mut length = 0;
        for step in self.steps() {
            text[length] = step.letter() as u8;
            length += 1;
        }
        length = length.max(1);
        if self.spends {
            text[length] = b'!';
            length += 1;
        }
        f.write_str(std::str::from_utf8(&text[..length]).expect("letters are ASCII"))
    }
}

impl FromStr for Submission {
    type Err = Syntax;

    fn from_str(text: &str) -> Result<Self, Syntax> {
        let wrong = || {
            Syntax::from(
                "a submission is up to three of the steps L, R, U and D (such as LUR), or - for staying; \
                 a ! behind it spends a garnet",
            )
        };
        let (path, spends) = match text.strip_suffix('!') {
            Some(path) => (path, true),
            None => (text, false),
        };
        let mut submission = Submission { spends, ..Submission::STAY };
        if path == "-" {
            return Ok(submission);
        }
        if path.is_empty() {
            return Err(wrong());
        }
        for letter in path.chars() {
            let step = Step::ALL.into_iter().find(|step| step.letter() == letter).ok_or_else(wrong)?;
            submission = submission.then(step).ok_or_else(wrong)?;
        }
        Ok(submission)
    }
}

/// What a seat submits, or what is drawn before round 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A seat's submission.
    Submit(Submission),
    /// Where the seats start, and which letter each has.
    Place(Places),
}

/// The start cell and the seat of each letter, A first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Places([Option<(Cell, u8)>; SEATS]);

impl Places {
    /// The text before the places.
    pub(super) const PREFIX: &str = "places:";

    pub(super) fn each(&self) -> impl Iterator<Item = (Cell, u8)> {
        self.0.iter().flatten().copied()
    }

    /// The text in which a viewer does not know which seat is where, except for some.
    pub(super) fn shown(&self, knows: impl Fn(u8) -> bool) -> String {
        let place = |(cell, seat): (Cell, u8)| {
            if knows(seat) { format!("{cell}={seat}") } else { format!("{cell}=?") }
        };
        format!("{}{}", Self::PREFIX, self.each().map(place).collect::<Vec<_>>().join(","))
    }
}

impl FromIterator<(Cell, u8)> for Places {
    fn from_iter<I: IntoIterator<Item = (Cell, u8)>>(places: I) -> Self {
        let mut each = [None; SEATS];
        each.iter_mut().zip(places).for_each(|(slot, place)| *slot = Some(place));
        Self(each)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Submit(submission) => fmt::Display::fmt(submission, f),
            Self::Place(places) => f.write_str(&places.shown(|_| true)),
        }
    }
}

impl FromStr for Action {
    type Err = Syntax;

    fn from_str(text: &str) -> Result<Self, Syntax> {
        let Some(places) = text.strip_prefix(Places::PREFIX) else { return text.parse().map(Self::Submit) };
        let place = |text: &str| {
            let (cell, seat) = text.split_once('=')?;
            let is_plain = !seat.starts_with('0') && seat.bytes().all(|byte| byte.is_ascii_digit());
            Some((Cell::parse(cell, SIDE_MAX)?, seat.parse().ok().filter(|_| is_plain)?))
        };
        let read: Option<Vec<(Cell, u8)>> = places.split(',').map(place).collect();
        let read = read.filter(|places| places.len() <= SEATS);
        let why = "places are the start cell and the seat of each letter, such as places:1.1=3,4.7=1, without spaces";
        read.map(|places| Self::Place(places.into_iter().collect())).ok_or_else(|| why.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_printed_as_they_were_read() {
        for text in ["-", "-!", "L", "R!", "UD", "LUR", "DUD!", "LLL"] {
            assert_eq!(text.parse::<Submission>().expect("a submission").to_string(), text);
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for text in ["", "!", "--", "-L", "L-", "l", "LLLL", "L!!", "!L", "L !", "X", "É", "−", "LUR!x"] {
            assert!(text.parse::<Submission>().is_err(), "{text:?}");
        }
    }
}
