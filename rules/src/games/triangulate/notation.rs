//! Moves of Triangulate as text.

use std::fmt::{self, Write};
use std::str::FromStr;

use crate::Syntax;

/// A move: a frog from one square to another, perhaps with an extra pad; or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// `A-B` or `A-B+C`; squares are numbered `8 * row + column`.
    Frog {
        /// Where the frog sits.
        from: u8,
        /// Where it goes.
        to: u8,
        /// Where seat 2's extra pad goes.
        extra: Option<u8>,
    },
    /// `pass`.
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Pass => f.write_str("pass"),
            Self::Frog { from, to, extra: None } => write!(f, "{}-{}", Name(from), Name(to)),
            Self::Frog { from, to, extra: Some(pad) } => write!(f, "{}-{}+{}", Name(from), Name(to), Name(pad)),
        }
    }
}

impl FromStr for Move {
    type Err = Syntax;

    fn from_str(text: &str) -> Result<Self, Syntax> {
        if text == "pass" {
            return Ok(Move::Pass);
        }
        let wrong = || Syntax::from("a move is written b1-b2, seat 2's first move also b1-b2+f6, and a pass `pass`");
        match text.as_bytes() {
            [a, b, b'-', c, d] => Some((a, b, c, d, None)),
            [a, b, b'-', c, d, b'+', e, f] => Some((a, b, c, d, Some((e, f)))),
            _ => None,
        }
        .and_then(|(a, b, c, d, extra)| {
            let extra = match extra {
                Some((e, f)) => Some(square(*e, *f)?),
                None => None,
            };
            Some(Move::Frog { from: square(*a, *b)?, to: square(*c, *d)?, extra })
        })
        .ok_or_else(wrong)
    }
}

/// The number of the square with this column letter and row digit.
fn square(column: u8, row: u8) -> Option<u8> {
    let inside = matches!(column, b'a'..=b'h') && matches!(row, b'1'..=b'8');
    inside.then(|| 8 * (row - b'1') + column - b'a')
}

/// A square, written `a1`.
pub(super) struct Name(pub(super) u8);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(char::from(b'a' + self.0 % 8))?;
        f.write_char(char::from(b'1' + self.0 / 8))
    }
}

impl FromStr for Name {
    type Err = Syntax;

    fn from_str(name: &str) -> Result<Self, Syntax> {
        match name.as_bytes() {
            [column, row] => square(*column, *row).map(Self),
            _ => None,
        }
        .ok_or_else(|| "squares are a1 to h8".into())
    }
}
