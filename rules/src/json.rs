//! Positions as JSON: what the view structs of the games have in common.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::{Position, PositionError, Viewer};

/// Reads a position from its complete JSON, by way of the view struct that it is written from.
///
/// The exact inverse of [`Position::to_json`] for [`Viewer::All`]: what would be written differently
/// is refused.
pub(crate) fn read<View, P>(kind: &str, json: &Value) -> Result<P, PositionError>
where
    View: DeserializeOwned,
    P: Position + TryFrom<View, Error = PositionError>,
{
    let wrong = |why: String| PositionError(format!("not a position of {kind}: {why}"));
    let Some(members) = json.as_object() else { return Err(wrong("it is not a JSON object".to_owned())) };
    let view: View = serde_path_to_error::deserialize(json).map_err(|why| wrong(misread(&why)))?;
    let position = P::try_from(view).map_err(|why| wrong(why.0))?;
    let written = position.to_json(Viewer::All);
    agree(members, written.as_object().expect("a position is written as an object")).map_err(wrong)?;
    Ok(position)
}

/// Where a view could not be read, and what was expected there.
fn misread(error: &serde_path_to_error::Error<serde_json::Error>) -> String {
    let why = error.inner().to_string().replace("expected u8", "expected a whole number from 0 to 255");
    let path = error.path().to_string();
    if path == "." { why } else { format!("`{path}`: {why}") }
}

/// Compares members with those of the position read from them, as some of them follow from others.
fn agree(given: &Map<String, Value>, written: &Map<String, Value>) -> Result<(), String> {
    match written.iter().find(|(key, value)| given.get(*key) != Some(*value)) {
        Some((key, value)) => Err(format!("`{key}` contradicts the other members: it would be {}", short(value))),
        None if given.len() > written.len() => Err("it has members that a position does not have".to_owned()),
        None => Ok(()),
    }
}

/// The longest JSON that is quoted whole, in characters.
const SHORT: usize = 120;

/// JSON as it is quoted in a message.
fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= SHORT { text } else { text.chars().take(SHORT).chain("…".chars()).collect() }
}

/// Types that stand in JSON as their text: `Display` writes it, `FromStr` reads it.
macro_rules! json_as_text {
    ($($type:ty),+) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}

pub(crate) use json_as_text;
