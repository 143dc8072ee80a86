//! Submissions as text: `-`, `L`, `RU`, `LUR`, with `!` for a garnet.

use std::fmt;
use std::str::FromStr;

use super::lattice::Step;
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
