//! Actions of seats and of chance, as text.

use std::fmt;
use std::str::FromStr;

use super::favor::Favor;
use super::piece::Kind;
use super::sheet::{self, Sheet};
use super::square::Square;
use crate::Syntax;

/// An action of a seat or of chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// `setup:…`: a seat's home tiles, pieces and middle tiles.
    SetUp(Box<Sheet>),
    /// `favor:hasten`: chooses a favour.
    Favor(Favor),
    /// Any action from one square to another: `a1-a2`, `a1=a2`, `hasten:a1-a2~` and so on.
    Step(Step),
    /// `conspire:a1`: the piece can neither engage nor be engaged during the next turn.
    Conspire(Square),
    /// `establish:farm` or `establish:city`.
    Establish(Spot),
    /// `rebuild`: the throne rebuilds what it stands on.
    Rebuild,
    /// `spawn:La1`: returns a removed piece.
    Spawn(Kind, Square),
    /// `fortresses:beh`: the columns of the fortresses in the middle row.
    Fortresses(Columns),
    /// `battle:even` (won) or `battle:odd` (lost).
    Battle {
        /// Whether the fortress is breached.
        won: bool,
    },
    /// `displace:a1`: the square that the loser of a battle goes to.
    Displace(Square),
    /// `leave`: the loser of a battle stays where it is.
    Leave,
    /// `end`: ends the turn.
    End,
    /// `pass`: for a seat that can do nothing else in its turn.
    Pass,
}

plybook_events::as_text!(Action);

/// Three columns, with a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Columns(pub(super) u16);

impl Columns {
    /// All sets of three columns, in the order of their letters.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let after = |first: u8| first + 1..9;
        (0..9).flat_map(move |a| after(a).flat_map(move |b| after(b).map(move |c| Self(1 << a | 1 << b | 1 << c))))
    }
}

impl fmt::Display for Columns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut columns = (0..9u8).filter(|column| self.0 >> column & 1 == 1);
        columns.try_for_each(|column| write!(f, "{}", char::from(b'a' + column)))
    }
}

impl FromStr for Columns {
    type Err = Syntax;

    fn from_str(letters: &str) -> Result<Self, Syntax> {
        let wrong = || Syntax::from("the fortresses are in three columns, ascending, as in fortresses:beh");
        match *letters.as_bytes() {
            [a, b, c] if b'a' <= a && a < b && b < c && c <= b'i' => {
                Ok(Self([a, b, c].into_iter().fold(0, |set, letter| set | 1 << (letter - b'a'))))
            }
            _ => Err(wrong()),
        }
    }
}

/// An action from one square to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// The way in which it is done.
    pub(super) how: How,
    /// The first square.
    pub(super) from: Square,
    /// The second square.
    pub(super) to: Square,
    /// Whether rangers turn the forest that they leave into plains (`~`).
    pub(super) fell: bool,
}

/// The ways of acting from one square on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum How {
    /// `A-B`.
    Move,
    /// `A=B`.
    Switch,
    /// `AxB`.
    Attack,
    /// `A*B`.
    Fire,
    /// `hasten:A-B`.
    Hasten,
    /// `assault:A-B`.
    AssaultMove,
    /// `assault:A=B`.
    AssaultSwitch,
    /// `deceive:A=B`.
    Deceive,
}

/// What a throne can establish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    /// The place where lancers and rangers return.
    Farm,
    /// The place where spearmen, catapults and elephants return.
    City,
}

impl How {
    /// What is written before the first square, and between the squares.
    const fn signs(self) -> (&'static str, &'static str) {
        match self {
            Self::Move => ("", "-"),
            Self::Switch => ("", "="),
            Self::Attack => ("", "x"),
            Self::Fire => ("", "*"),
            Self::Hasten => ("hasten:", "-"),
            Self::AssaultMove => ("assault:", "-"),
            Self::AssaultSwitch => ("assault:", "="),
            Self::Deceive => ("deceive:", "="),
        }
    }

    /// Whether the piece leaves its square of its own accord, so that rangers may fell a forest.
    pub(super) const fn leaves(self) -> bool {
        !matches!(self, Self::Fire | Self::Deceive)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SetUp(sheet) => sheet.fmt(f),
            Self::Favor(favor) => write!(f, "favor:{}", favor.name()),
            Self::Step(step) => {
                let (before, between) = step.how.signs();
                let tail = if step.fell { "~" } else { "" };
                write!(f, "{before}{}{between}{}{tail}", step.from, step.to)
            }
            Self::Conspire(square) => write!(f, "conspire:{}", *square),
            Self::Establish(Spot::Farm) => f.write_str("establish:farm"),
            Self::Establish(Spot::City) => f.write_str("establish:city"),
            Self::Rebuild => f.write_str("rebuild"),
            Self::Spawn(kind, square) => write!(f, "spawn:{}{}", char::from(kind.letter()), *square),
            Self::Fortresses(columns) => write!(f, "fortresses:{columns}"),
            Self::Battle { won: true } => f.write_str("battle:even"),
            Self::Battle { won: false } => f.write_str("battle:odd"),
            Self::Displace(square) => write!(f, "displace:{}", *square),
            Self::Leave => f.write_str("leave"),
            Self::End => f.write_str("end"),
            Self::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Action {
    type Err = Syntax;

    fn from_str(text: &str) -> Result<Self, Syntax> {
        let Some((word, rest)) = text.split_once(':') else {
            return match text {
                "end" => Ok(Action::End),
                "pass" => Ok(Action::Pass),
                "leave" => Ok(Action::Leave),
                "rebuild" => Ok(Action::Rebuild),
                _ => plain(text),
            };
        };
        let one = |what: &str| rest.parse().map_err(|_| Syntax(format!("{word} names one square, {what}")));
        match word {
            "setup" => sheet::parse(rest).map(|sheet| Action::SetUp(Box::new(sheet))),
            "favor" => rest
                .parse()
                .map(Action::Favor)
                .map_err(|_| "the favours are favor:hasten, favor:assault, favor:conspire and favor:deceive".into()),
            "hasten" => step(rest, &[(b'-', How::Hasten)]).ok_or_else(|| "hasten is written hasten:c3-c4".into()),
            "assault" => step(rest, &[(b'-', How::AssaultMove), (b'=', How::AssaultSwitch)])
                .ok_or_else(|| "assault is written assault:c3-c4 for a move and assault:c3=c4 for a switch".into()),
            "deceive" => step(rest, &[(b'=', How::Deceive)]).ok_or_else(|| "deceive is written deceive:c6=c7".into()),
            "conspire" => one("as in conspire:e4").map(Action::Conspire),
            "displace" => one("as in displace:e4").map(Action::Displace),
            "establish" => match rest {
                "farm" => Ok(Action::Establish(Spot::Farm)),
                "city" => Ok(Action::Establish(Spot::City)),
                _ => Err("a throne establishes a farm or a city: establish:farm, establish:city".into()),
            },
            "spawn" => match *rest.as_bytes() {
                [letter, column, row] => Kind::read(letter).zip(Square::named(column, row)),
                _ => None,
            }
            .map(|(kind, square)| Action::Spawn(kind, square))
            .ok_or_else(|| "spawn names a piece and a square, as in spawn:Lc3".into()),
            "fortresses" => rest.parse().map(Action::Fortresses),
            "battle" => match rest {
                "even" => Ok(Action::Battle { won: true }),
                "odd" => Ok(Action::Battle { won: false }),
                _ => Err("a battle is battle:even or battle:odd".into()),
            },
            _ => Err(unknown()),
        }
    }
}

/// Reads an action that does not begin with a keyword.
fn plain(text: &str) -> Result<Action, Syntax> {
    let signs = [(b'-', How::Move), (b'=', How::Switch), (b'x', How::Attack), (b'*', How::Fire)];
    step(text, &signs).ok_or_else(unknown)
}

/// Reads two squares and the sign between them; `~` may follow if the piece leaves its square.
fn step(text: &str, signs: &[(u8, How)]) -> Option<Action> {
    let (squares, fell) = match text.as_bytes() {
        [squares @ .., b'~'] => (squares, true),
        squares => (squares, false),
    };
    let [a, b, sign, c, d] = *squares else { return None };
    let how = signs.iter().find(|(byte, _)| *byte == sign)?.1;
    if fell && !how.leaves() {
        return None;
    }
    Some(Action::Step(Step { how, from: Square::named(a, b)?, to: Square::named(c, d)?, fell }))
}

fn unknown() -> Syntax {
    "a move is written c3-c4, a switch c3=c4, an attack c3xc4, a shot c3*c5, the end of a turn `end`; rangers that \
     fell the forest they leave add `~`"
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_print_as_they_are_read() {
        let texts = "a1-i9 a1-a2~ c3=c4 c3=c4~ c3xc4~ c3*c5 hasten:a1-a2~ assault:a1-a2 assault:a1=a2~ deceive:a1=a2 \
                      conspire:e5 favor:deceive establish:farm establish:city rebuild spawn:Xe2 battle:even battle:odd \
                      displace:h7 leave end pass fortresses:abc fortresses:beh fortresses:ghi";
        for text in texts.split_whitespace() {
            assert_eq!(text.parse::<Action>().map(|action| action.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn nothing_else_is_read() {
        let texts = "a1-a0 a1-j1 A1-a2 a1-a2~~ c3*c5~ deceive:a1=a2~ deceive:a1-a2 hasten:a1=a2 a1 end: :end pass~ \
                      spawn:a1 spawn:Ka1 favor:? favor: battle:win fortresses:be fortresses:bbe fortresses:heb fortresses:bej fortresses:behi é1-a2 a1-é establish: setup: setup:? conspire:a1a2 ~";
        for text in texts.split_whitespace() {
            assert!(text.parse::<Action>().is_err(), "{text}");
        }
        assert!("".parse::<Action>().is_err());
    }
}
