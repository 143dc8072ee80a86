//! The fold of a player's log.

use plybook_events::body::{AuthorError, PlayerEdited, PlayerKeyAdded, PlayerKeyRemoved};
use plybook_events::{Body, By, Event, LogId, PublicKey, Timestamp};
use serde::{Deserialize, Serialize};

use super::fault::FaultKind;

/// What a player's log says about the player.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// The name.
    pub name: String,
    /// The club.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub club: Option<String>,
    /// The country: two capital letters of ISO 3166-1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub country: Option<String>,
    /// Where more can be read about the player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<String>,
    /// The player who stands for this one, if the two were merged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub merged_into: Option<LogId>,
    /// The keys that the player signs or signed with, in the order in which they were added.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<PlayerKey>,
    /// The number of events in the log, which is the seq of the next.
    pub events: u64,
}

/// A key that a player signs with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayerKey {
    /// The key.
    pub key: PublicKey,
    /// When it was added.
    pub since: Timestamp,
    /// When it was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// Why an event does not fit into a player's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// The first event is not `player_created`, or a later one is.
    #[error("a player's log begins with `player_created`, and has no other")]
    Created,
    /// The event does not belong to a player's log.
    #[error("a player's log has no events of games")]
    Foreign,
    /// The player is already merged, or would be merged with itself.
    #[error("the player is already merged, or would be merged with itself")]
    Merged,
    /// The player is not merged.
    #[error("the player is not merged")]
    NotMerged,
    /// The key is the player's already.
    #[error("the key is the player's already")]
    KnownKey,
    /// The key is not the player's.
    #[error("the key is not the player's")]
    NoKey,
    /// Somebody else is the author of such events.
    #[error(transparent)]
    Author(#[from] AuthorError),
}

impl ProfileError {
    /// The sort of fault that it is.
    pub(super) fn kind(&self) -> FaultKind {
        if matches!(self, Self::Author(_)) { FaultKind::Author } else { FaultKind::Order }
    }
}

impl Profile {
    /// Folds a whole log.
    ///
    /// # Errors
    /// The seq of the first event that does not fit, and the reason.
    pub(super) fn fold(events: &[Event]) -> Result<Self, (u64, ProfileError)> {
        let (first, rest) = events.split_first().ok_or((0, ProfileError::Created))?;
        let mut profile = Self::begin(first).map_err(|why| (0, why))?;
        rest.iter().try_for_each(|event| profile.apply(event).map_err(|why| (event.seq, why)))?;
        Ok(profile)
    }

    /// The profile after the first event of a log.
    ///
    /// # Errors
    /// The event is not `player_created`, or by the wrong author.
    pub fn begin(first: &Event) -> Result<Self, ProfileError> {
        let Body::PlayerCreated(created) = &first.body else { return Err(ProfileError::Created) };
        check_author(first)?;
        Ok(Self { name: created.name.clone(), events: 1, ..Self::default() })
    }

    /// Applies the log's next event. A profile that refuses it is left as it was.
    ///
    /// # Errors
    /// The event does not fit.
    pub fn apply(&mut self, event: &Event) -> Result<(), ProfileError> {
        match &event.body {
            Body::PlayerCreated(_) => return Err(ProfileError::Created),
            Body::PlayerEdited(edited) => {
                check_author(event)?;
                self.edit(edited);
            }
            Body::PlayerMerged(merged) => {
                check_author(event)?;
                if self.merged_into.is_some() || merged.into == event.log {
                    return Err(ProfileError::Merged);
                }
                self.merged_into = Some(merged.into);
            }
            Body::PlayerUnmerged(_) => {
                check_author(event)?;
                self.merged_into.take().ok_or(ProfileError::NotMerged)?;
            }
            Body::PlayerKeyAdded(PlayerKeyAdded { key }) => {
                check_author(event)?;
                if self.has_key(key) {
                    return Err(ProfileError::KnownKey);
                }
                self.keys.push(PlayerKey { key: *key, since: event.at, until: None });
            }
            Body::PlayerKeyRemoved(PlayerKeyRemoved { key }) => {
                check_author(event)?;
                let known = self.keys.iter_mut().find(|known| known.key == *key && known.until.is_none());
                known.ok_or(ProfileError::NoKey)?.until = Some(event.at);
            }
            _ => return Err(ProfileError::Foreign),
        }
        self.events = event.seq + 1;
        Ok(())
    }

    /// Whether the player signs with this key.
    pub fn has_key(&self, key: &PublicKey) -> bool {
        self.keys.iter().any(|known| known.key == *key && known.until.is_none())
    }

    fn edit(&mut self, edited: &PlayerEdited) {
        let some = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        if let Some(name) = &edited.name {
            self.name.clone_from(name);
        }
        if let Some(club) = &edited.club {
            self.club = some(club);
        }
        if let Some(country) = &edited.country {
            self.country = some(country);
        }
        if let Some(links) = &edited.links {
            self.links.clone_from(links);
        }
    }

    /// The part of an edit that changes something; `None` if it changes nothing.
    pub fn changed_by(&self, edited: PlayerEdited) -> Option<PlayerEdited> {
        let differs = |new: &String, old: &Option<String>| new != old.as_deref().unwrap_or_default();
        let changes = PlayerEdited {
            name: edited.name.filter(|name| *name != self.name),
            club: edited.club.filter(|club| differs(club, &self.club)),
            country: edited.country.filter(|country| differs(country, &self.country)),
            links: edited.links.filter(|links| *links != self.links),
        };
        (changes != PlayerEdited::default()).then_some(changes)
    }
}

/// Checks that an event may be by its author. The service only adds what a player was created with.
fn check_author(event: &Event) -> Result<(), AuthorError> {
    event.check_author()?;
    let is_late = event.by == By::Service && event.seq > 1;
    if is_late { Err(AuthorError::By { what: event.body.type_name(), by: event.by }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use plybook_events::body::{DrawOffered, PlayerCreated, PlayerMerged, PlayerUnmerged};
    use plybook_events::{Hash, Timestamp};

    use super::*;

    fn id(n: u8) -> LogId {
        LogId::from_bytes([n; 16])
    }

    fn event(seq: u64, body: Body) -> Event {
        let at = Timestamp::from_millis(0).unwrap();
        let by = if seq == 0 { By::Service } else { By::Arbiter };
        Event { at, by, log: id(1), prev: Hash::ZERO, seq, body, who: None, signature: None, request: None }
    }

    fn player() -> Profile {
        Profile::begin(&event(0, Body::PlayerCreated(PlayerCreated { name: "Ann".to_owned() }))).unwrap()
    }

    #[test]
    fn an_edit_changes_what_it_names() {
        let mut ann = player();
        let club = PlayerEdited { club: Some("North".to_owned()), ..PlayerEdited::default() };
        ann.apply(&event(1, Body::PlayerEdited(club.clone()))).unwrap();
        assert_eq!((ann.name.as_str(), ann.club.as_deref(), ann.events), ("Ann", Some("North"), 2));
        assert_eq!(ann.changed_by(club), None);
        let none = PlayerEdited { club: Some(String::new()), name: Some("Ann".to_owned()), ..PlayerEdited::default() };
        let changes = ann.changed_by(none).unwrap();
        assert_eq!(changes.name, None, "the name stays");
        ann.apply(&event(2, Body::PlayerEdited(changes))).unwrap();
        assert_eq!(ann.club, None);
    }

    #[test]
    fn a_merge_is_undone_once() {
        let mut ann = player();
        let merged = |into| Body::PlayerMerged(PlayerMerged { into });
        let unmerged = Body::PlayerUnmerged(PlayerUnmerged {});
        assert_eq!(ann.apply(&event(1, unmerged.clone())), Err(ProfileError::NotMerged));
        assert_eq!(ann.apply(&event(1, merged(id(1)))), Err(ProfileError::Merged), "with itself");
        ann.apply(&event(1, merged(id(2)))).unwrap();
        assert_eq!(ann.apply(&event(2, merged(id(3)))), Err(ProfileError::Merged));
        ann.apply(&event(2, unmerged.clone())).unwrap();
        assert_eq!((ann.merged_into, ann.apply(&event(3, unmerged))), (None, Err(ProfileError::NotMerged)));
    }

    #[test]
    fn other_events_do_not_belong_there() {
        let mut ann = player();
        assert_eq!(ann.apply(&event(1, Body::DrawOffered(DrawOffered {}))), Err(ProfileError::Foreign));
        let created = event(1, Body::PlayerCreated(PlayerCreated { name: "Ben".to_owned() }));
        assert_eq!((ann.apply(&created), ann), (Err(ProfileError::Created), player()));
    }
}
