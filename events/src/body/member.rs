//! Reads and omits members of a body so that each body has exactly one spelling.

use serde::de::{self, DeserializeOwned};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Whether to omit a member that is written only if it is true.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}

/// Reads an optional member: it may be missing, but not `null`.
pub(super) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

/// Like [`present`], for a struct: derived code would accept a list of its members as well.
pub(super) fn present_object<'de, T: DeserializeOwned, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
    object(Map::deserialize(from)?).map(Some)
}

/// Reads a position, which is an object in every game.
pub(super) fn some_position<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Box<Value>>, D::Error> {
    Map::deserialize(from).map(|members| Some(Box::new(Value::Object(members))))
}

/// Reads a list of structs: derived code would accept lists of their members as well.
pub(super) fn objects<'de, T: DeserializeOwned, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    Vec::<Map<String, Value>>::deserialize(from)?.into_iter().map(object).collect()
}

/// Like [`objects`], for one struct.
pub(super) fn one_object<'de, T: DeserializeOwned, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    object(Map::deserialize(from)?)
}

fn object<T: DeserializeOwned, E: de::Error>(members: Map<String, Value>) -> Result<T, E> {
    T::deserialize(Value::Object(members)).map_err(E::custom)
}

/// Reads a member that is omitted if it is false.
pub(super) fn only_true<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    if bool::deserialize(from)? { Ok(true) } else { Err(de::Error::custom("a member that is false is left out")) }
}

pub(super) fn some_tags<'de, D: Deserializer<'de>>(from: D) -> Result<Map<String, Value>, D::Error> {
    let tags = Map::deserialize(from)?;
    if tags.is_empty() { Err(de::Error::custom("tags that are empty are left out")) } else { Ok(tags) }
}

/// Reads a list that is omitted if it is empty.
pub(super) fn some_list<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    let list = Vec::deserialize(from)?;
    if list.is_empty() { Err(de::Error::custom("lists that are empty are left out")) } else { Ok(list) }
}
