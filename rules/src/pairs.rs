//! For JSON views of positions: writes pairs as the members of an object, with their names. Used as
//! `#[serde(with = "crate::pairs")]`.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes the pairs as an object.
pub(crate) fn serialize<N: Serialize, V: Serialize, S: Serializer>(pairs: &[(N, V)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// Reads an object's members, sorted by their names.
pub(crate) fn sorted<'de, N, V, D>(from: D) -> Result<Vec<(N, V)>, D::Error>
where
    N: Deserialize<'de> + Ord,
    V: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Ok(BTreeMap::deserialize(from)?.into_iter().collect())
}

/// Reads an object's members, sorted by their names' text.
pub(crate) fn deserialize<'de, N, V, D>(from: D) -> Result<Vec<(N, V)>, D::Error>
where
    N: FromStr<Err: Display>,
    V: Deserialize<'de>,
    D: Deserializer<'de>,
{
    let members = BTreeMap::<String, V>::deserialize(from)?.into_iter();
    members.map(|(name, value)| Ok((name.parse().map_err(D::Error::custom)?, value))).collect()
}
