//! The fold of a player's log.

use plybook_events::body::PlayerEdited;
use plybook_events::{Body, Event, LogId};
use serde::{Deserialize, Serialize};

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
    /// The number of events in the log, which is the seq of the next.
    pub events: u64,
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
}

impl Profile {
    /// The profile after the first event of a log.
    ///
    /// # Errors
    /// The event is not `player_created`.
    pub fn begin(first: &Event) -> Result<Self, ProfileError> {
        match &first.body {
            Body::PlayerCreated(created) => Ok(Self { name: created.name.clone(), events: 1, ..Self::default() }),
            _ => Err(ProfileError::Created),
        }
    }

    /// Applies the log's next event. A profile that refuses it is left as it was.
    ///
    /// # Errors
    /// The event does not fit.
    pub fn apply(&mut self, event: &Event) -> Result<(), ProfileError> {
        match &event.body {
            Body::PlayerEdited(edited) => self.edit(edited),
            Body::PlayerMerged(merged) if self.merged_into.is_none() && merged.into != event.log => {
                self.merged_into = Some(merged.into);
            }
            Body::PlayerMerged(_) => return Err(ProfileError::Merged),
            Body::PlayerUnmerged(_) => {
                self.merged_into.take().ok_or(ProfileError::NotMerged)?;
            }
            Body::PlayerCreated(_) => return Err(ProfileError::Created),
            _ => return Err(ProfileError::Foreign),
        }
        self.events = event.seq + 1;
        Ok(())
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

#[cfg(test)]
mod tests {
    use plybook_events::body::{DrawOffered, PlayerCreated, PlayerMerged, PlayerUnmerged};
    use plybook_events::{By, Hash, Timestamp};

    use super::*;

    fn id(n: u8) -> LogId {
        LogId::from_bytes([n; 16])
    }

    fn event(seq: u64, body: Body) -> Event {
        let at = Timestamp::from_millis(0).unwrap();
        Event { at, by: By::Arbiter, log: id(1), prev: Hash::ZERO, seq, body }
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
