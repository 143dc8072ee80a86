//! The bodies of the events of a player's log.

use serde::{Deserialize, Serialize, de};

use super::member::present;
use crate::{LogId, PublicKey};

/// A player is registered; the log's id is the player's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerCreated {
    /// The player's name.
    pub name: String,
}

/// The details of a player change. At least one member is present; missing ones stay as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerEdited {
    /// The name from now on.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The club from now on; empty for none.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub club: Option<String>,
    /// The country from now on: two capital letters of ISO 3166-1, or empty for none.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// Links about the player: all of them from now on.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub links: Option<Vec<String>>,
}

/// The player turns out to be registered already.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerMerged {
    /// The player who stands for both from now on.
    pub into: LogId,
}

/// The player turns out not to be the other one: undoes the last `player_merged`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerUnmerged {}

/// The player signs with this key from now on, and with those before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerKeyAdded {
    /// The key.
    pub key: PublicKey,
}

/// The player no longer signs with this key; what it signed stays signed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerKeyRemoved {
    /// The key.
    pub key: PublicKey,
}

/// Reads an edit that has at least one member.
pub(super) fn some_edited(json: &[u8]) -> serde_json::Result<PlayerEdited> {
    let edited: PlayerEdited = serde_json::from_slice(json)?;
    if edited == PlayerEdited::default() {
        return Err(de::Error::custom("it edits nothing: `name`, `club`, `country` or `links` is there"));
    }
    Ok(edited)
}
