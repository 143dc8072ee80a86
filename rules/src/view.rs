//! Helpers for writing and reading positions as JSON.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::PositionError;

/// Implements serde for a type through its `Display` and `FromStr`.
macro_rules! as_text {
    ($($type:ty),+ $(,)?) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}
pub(crate) use as_text;

/// Reads a game's view of a position from JSON.
///
/// # Errors
/// A member is invalid; the text names it and says why ("`pieces.a1`: …").
pub(crate) fn read_view<T: DeserializeOwned>(json: &Value) -> Result<T, PositionError> {
    serde_path_to_error::deserialize(json).map_err(|error| {
        let path = error.path().to_string();
        let why = error.into_inner();
        PositionError(if path == "." { why.to_string() } else { format!("`{path}`: {why}") })
    })
}

/// Checks that the JSON equals what the position read from it would write, so that it claims nothing that the
/// position does not hold.
///
/// # Errors
/// The first member that differs, and what it would have to be.
pub(crate) fn check_same(written: &Value, json: &Value) -> Result<(), PositionError> {
    difference(written, json, "").map_or(Ok(()), |why| Err(PositionError(why)))
}

fn difference(written: &Value, json: &Value, path: &str) -> Option<String> {
    let inner = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match (written, json) {
        (Value::Object(due), Value::Object(members)) => {
            if let Some((key, value)) = members.iter().find(|(key, _)| !due.contains_key(*key)) {
                return Some(format!("`{}` is {value}, which does not belong to this position", inner(key)));
            }
            due.iter().find_map(|(key, due)| match members.get(key) {
                Some(member) => difference(due, member, &inner(key)),
                None => Some(format!("`{}` is missing: it must be {due} in this position", inner(key))),
            })
        }
        _ => (written != json).then(|| format!("`{path}` must be {written} in this position, not {json}")),
    }
}
