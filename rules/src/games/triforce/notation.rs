//! Actions of Triforce as text.

use std::fmt;
use std::str::FromStr;

use super::place::Place;
use super::stack::Size;
use crate::Syntax;

/// An action of a seat or of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// `+L`: puts a piece from the stash onto the stack beside the pawn.
    Place(Size),
    /// `b2-d3`: moves the top piece of a stack onto another one.
    Move {
        /// Where the piece is lifted.
        from: Place,
        /// Where the piece is put down.
        to: Place,
    },
    /// `end`: ends the turn before its third action.
    End,
    /// `pass`: the turn of a pinned seat.
    Pass,
    /// `fight:c2`: this contested stack is fought over next.
    Fight(Place),
    /// `sword:K` exchanges the piece at index K - 1 for a sword; `nosword` declines.
    Sword(Option<u8>),
    /// `shield:K` exchanges the piece at index K - 1 for a shield; `noshield` declines.
    Shield(Option<u8>),
    /// `roll:1=7,3=4+11`.
    Roll(Roll),
}

/// The dice that were rolled, by seat; 0 if a seat has no such die.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Roll {
    first: [u8; 6],
    black: [u8; 6],
}

impl Roll {
    /// Sets the dice of a seat; `black` is 0 for a seat that rolls one die.
    pub(super) fn set(&mut self, seat: u8, first: u8, black: u8) {
        self.first[usize::from(seat) - 1] = first;
        self.black[usize::from(seat) - 1] = black;
    }

    /// The first and the black die of a seat; 0 if there is none.
    pub(super) fn dice(&self, seat: u8) -> (u8, u8) {
        (self.first[usize::from(seat) - 1], self.black[usize::from(seat) - 1])
    }

    /// The total of a seat.
    pub(super) fn total(&self, seat: u8) -> u16 {
        let (first, black) = self.dice(seat);
        u16::from(first) + u16::from(black)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Place(size) => write!(f, "+{}", size.letter()),
            Self::Move { from, to } => write!(f, "{from}-{to}"),
            Self::End => f.write_str("end"),
            Self::Pass => f.write_str("pass"),
            Self::Fight(at) => write!(f, "fight:{at}"),
            Self::Sword(None) => f.write_str("nosword"),
            Self::Sword(Some(index)) => write!(f, "sword:{}", index + 1),
            Self::Shield(None) => f.write_str("noshield"),
            Self::Shield(Some(index)) => write!(f, "shield:{}", index + 1),
            Self::Roll(roll) => write!(f, "roll:{roll}"),
        }
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comma = "";
        for seat in 1..=6 {
            match self.dice(seat) {
                (0, _) => continue,
                (first, 0) => write!(f, "{comma}{seat}={first}")?,
                (first, black) => write!(f, "{comma}{seat}={first}+{black}")?,
            }
            comma = ",";
        }
        Ok(())
    }
}

impl FromStr for Action {
    type Err = Syntax;

    fn from_str(text: &str) -> Result<Self, Syntax> {
        let action = match text {
            "end" => Some(Action::End),
            "pass" => Some(Action::Pass),
            "nosword" => Some(Action::Sword(None)),
            "noshield" => Some(Action::Shield(None)),
            _ => match text.as_bytes() {
                [b'+', size] => Size::lettered(*size).map(Action::Place),
                [a, b, b'-', c, d] => move_between(&[*a, *b], &[*c, *d]),
                _ => None,
            },
        };
        if let Some(action) = action {
            return Ok(action);
        }
        match text.split_once(':') {
            Some(("roll", dice)) => parse_roll(dice).map(Action::Roll),
            Some(("fight", name)) => Place::named(name.as_bytes())
                .map(Action::Fight)
                .ok_or_else(|| "a fight names a territory, a1 to e5: fight:c2".into()),
            Some(("sword", number)) => parse_number(number)
                .map(|number| Action::Sword(Some(number - 1)))
                .ok_or_else(|| "a sword names a piece by its number from the bottom: sword:1, or nosword".into()),
            Some(("shield", number)) => parse_number(number)
                .map(|number| Action::Shield(Some(number - 1)))
                .ok_or_else(|| "a shield names a piece by its number from the bottom: shield:1, or noshield".into()),
            _ => Err("an action is written +L, b2-d3, end, pass, fight:c2, sword:1, nosword, shield:1, noshield or \
                      roll:1=7,3=4+11; territories are a1 to e5, sizes L, M and S"
                .into()),
        }
    }
}

fn move_between(from: &[u8], to: &[u8]) -> Option<Action> {
    Some(Action::Move { from: Place::named(from)?, to: Place::named(to)? })
}

fn parse_roll(dice: &str) -> Result<Roll, Syntax> {
    let wrong = || Syntax::from("a roll is written roll:1=7,3=4+11: seats ascending, two dice for the sword's user");
    let mut roll = Roll::default();
    let mut highest = 0;
    for part in dice.split(',') {
        let (name, values) = part.split_once('=').ok_or_else(wrong)?;
        let seat = parse_number(name).filter(|seat| *seat > highest && *seat <= 6).ok_or_else(wrong)?;
        let (first, black) = match values.split_once('+') {
            Some((first, black)) => (parse_number(first), parse_number(black)),
            None => (parse_number(values), Some(0)),
        };
        roll.set(seat, first.ok_or_else(wrong)?, black.ok_or_else(wrong)?);
        highest = seat;
    }
    Ok(roll)
}

/// A number from 1 to 255 without sign or leading zeros.
fn parse_number(digits: &str) -> Option<u8> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.starts_with('0');
    if plain { digits.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_go_both_ways() {
        for text in [
            "+L",
            "+M",
            "+S",
            "a1-e5",
            "end",
            "pass",
            "fight:c2",
            "sword:1",
            "sword:20",
            "nosword",
            "shield:3",
            "noshield",
            "roll:1=7,3=4+11",
            "roll:2=20",
            "roll:1=12+12,2=1,3=1,4=1,5=1,6=20",
        ] {
            assert_eq!(text.parse::<Action>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn only_the_canonical_form_is_read() {
        for text in [
            "",
            "+",
            "+X",
            "+l",
            "+LL",
            "END",
            "a1-a6",
            "a1-",
            "a1-b1-c1",
            "a1–b1",
            "fight:",
            "fight:c4",
            "fight:c2 ",
            "sword:",
            "sword:0",
            "sword:01",
            "sword:+1",
            "sword:256",
            "sword:-1",
            "shield:x",
            "roll",
            "roll:",
            "roll:1",
            "roll:1=",
            "roll:1=0",
            "roll:0=1",
            "roll:7=1",
            "roll:1=7,",
            "roll:2=7,1=7",
            "roll:1=7,1=7",
            "roll:1=7+",
            "roll:1=7+1+1",
            "roll:1=+7",
            "roll:01=7",
            "roll:1=07",
            "roll:1=300",
            "Roll:1=7",
            "roll:1=7;2=3",
            "ß",
            ":",
        ] {
            assert!(text.parse::<Action>().is_err(), "{text:?}");
        }
    }
}
