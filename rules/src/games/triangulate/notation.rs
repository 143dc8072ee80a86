//! Moves of Triangulate as text.

use std::fmt;
use std::str::FromStr;

use super::square::Square;
use crate::Syntax;

/// A move: a frog goes from one square to another, and seat 2 may add its extra pad; or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// `A-B` or `A-B+C`.
    Frog {
        /// Where the frog sits.
        from: Square,
        /// Where it goes.
        to: Square,
        /// Where seat 2's extra pad goes.
        extra: Option<Square>,
    },
    /// `pass`.
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Pass => f.write_str("pass"),
            Self::Frog { from, to, extra: None } => write!(f, "{from}-{to}"),
            Self::Frog { from, to, extra: Some(pad) } => write!(f, "{from}-{to}+{pad}"),
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
                Some((e, f)) => Some(Square::named(*e, *f)?),
                None => None,
            };
            Some(Move::Frog { from: Square::named(*a, *b)?, to: Square::named(*c, *d)?, extra })
        })
        .ok_or_else(wrong)
    }
}
