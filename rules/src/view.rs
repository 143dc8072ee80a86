//! Helpers for writing and reading positions as JSON.

use std::fmt::{self, Display};
use std::marker::PhantomData;

use plybook_events::Actor;
pub use plybook_events::read_text;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::{Game, Position, PositionError, Viewer};

/// Implements serde and `Display` for a type through its `name`, in ASCII, and its `FromStr`. That is faster where a position
/// has many of them.
#[macro_export]
macro_rules! as_name {
    ($type:ty) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(std::str::from_utf8(&self.name()).expect("names are ASCII"))
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(std::str::from_utf8(&self.name()).expect("names are ASCII"))
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::view::read_text(deserializer)
            }
        }
    };
}

/// The kind of a game, which the JSON of its positions names.
pub struct Kind<G>(PhantomData<G>);

impl<G> Default for Kind<G> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<G: Game> Serialize for Kind<G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(G::ABOUT.kind)
    }
}

impl<'de, G: Game> Deserialize<'de> for Kind<G> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let kind = String::deserialize(deserializer)?;
        if kind == G::ABOUT.kind {
            return Ok(Self::default());
        }
        Err(D::Error::custom(format!("unknown variant `{kind}`, expected `{}`", G::ABOUT.kind)))
    }
}

/// A value, or `"?"` for a viewer that may not know it. Only what is known is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hidden<T>(pub Option<T>);

impl<T: Display> Display for Hidden<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(known) => known.fmt(f),
            None => f.write_str("?"),
        }
    }
}

impl<T: Serialize> Serialize for Hidden<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(known) => known.serialize(serializer),
            None => serializer.serialize_str("?"),
        }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Hidden<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Value::deserialize(deserializer)?;
        if json == "?" {
            return Err(D::Error::custom("\"?\" hides a secret: a complete position names it"));
        }
        T::deserialize(json).map(Some).map(Self).map_err(D::Error::custom)
    }
}

/// What seats have chosen or hold, seat 1 first, as a viewer may see it: known to everybody if it is open, and otherwise
/// to the seat alone.
pub fn by_seat<T>(viewer: Viewer, is_open: bool, of: impl IntoIterator<Item = Option<T>>) -> Vec<Option<Hidden<T>>> {
    let knows = |seat| is_open || viewer.knows(Actor::Seat(seat));
    (1..).zip(of).map(|(seat, value)| value.map(|value| Hidden(knows(seat).then_some(value)))).collect()
}

/// Reads a position from its complete JSON, through the type that it is written from. The exact inverse of
/// [`Position::to_json`] for [`Viewer::All`].
///
/// # Errors
/// A member is invalid; the text names it and says why ("`pieces.a1`: …").
pub fn read<View, P>(json: &Value) -> Result<P, PositionError>
where
    View: DeserializeOwned,
    P: Position + TryFrom<View, Error: Into<PositionError>>,
{
    if !json.is_object() {
        return Err("a position is a JSON object".into());
    }
    let view: View = serde_path_to_error::deserialize(json).map_err(|why| misread(&why))?;
    let position = P::try_from(view).map_err(Into::into)?;
    match difference(&position.to_json(Viewer::All), json, "") {
        None => Ok(position),
        Some(why) => Err(why.into()),
    }
}

/// Names the part of a view that could not be read, and says what was expected there.
fn misread(error: &serde_path_to_error::Error<serde_json::Error>) -> PositionError {
    let mut why = error.inner().to_string();
    for (integer, most) in [("u8", u32::from(u8::MAX)), ("u16", u16::MAX.into()), ("u32", u32::MAX)] {
        if let Some(rest) = why.strip_suffix(integer) {
            why = format!("{rest}a whole number from 0 to {most}");
        }
    }
    let path = error.path().to_string();
    PositionError(if path == "." { why } else { format!("`{path}`: {why}") })
}

/// The first member of a position's JSON that differs from what the position writes, and what would be right.
fn difference(written: &Value, json: &Value, path: &str) -> Option<String> {
    let inner = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (written, json) {
        (Value::Object(due), Value::Object(members)) => {
            if let Some((key, value)) = members.iter().find(|(key, _)| !due.contains_key(*key)) {
                return Some(format!("`{}` is {}, which does not belong to this position", inner(key), short(value)));
            }
            due.iter().find_map(|(key, due)| match members.get(key) {
                Some(member) => difference(due, member, &inner(key)),
                None => Some(format!("`{}` is missing: it must be {} in this position", inner(key), short(due))),
            })
        }
        _ => (written != json)
            .then(|| format!("`{path}` must be {} in this position, not {}", short(written), short(json))),
    }
}

/// Checks that a position fits a game with this start: everything that the setup settles must agree.
///
/// # Errors
/// The first difference, with the values in the setup and in the position.
pub(crate) fn check_settings(start: &Value, position: &Value) -> Result<(), PositionError> {
    let (given, found) = (without(start, position), without(position, start));
    if given == found {
        return Ok(());
    }
    Err(format!("the setup says {given}, and the position is one of a game with {found}").into())
}

/// The members of an object that another object lacks, or has with another value.
fn without(object: &Value, other: &Value) -> Value {
    let members = object.as_object().into_iter().flatten();
    let own = members.filter(|(key, value)| other.get(key) != Some(*value));
    own.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// The longest JSON that is quoted in full, in characters.
const SHORT: usize = 120;

/// Formats JSON for quoting in a message.
fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= SHORT { text } else { text.chars().take(SHORT).chain("…".chars()).collect() }
}
