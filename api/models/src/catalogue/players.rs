//! All players, with indexes by name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use plybook_events::{Event, LogId, Timestamp};
use plybook_rules::log::Profile;
use serde::{Deserialize, Serialize, Serializer};

use super::names::{foldings, spellings, words};

/// A player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// The id.
    pub id: LogId,
    /// When they were registered.
    pub created_at: Timestamp,
    /// Their details.
    #[serde(flatten)]
    pub profile: Profile,
}

/// All players, by id, by name and by the words of their names.
#[derive(Default, Deserialize)]
#[serde(from = "Vec<Player>")]
pub struct KnownPlayers {
    by_id: BTreeMap<LogId, Arc<Player>>,
    /// The lower-case names and ids of players who are not merged, which is the order of lists.
    by_name: BTreeSet<(String, LogId)>,
    /// The folded words of names, with the ids that have them, including merged players.
    by_word: BTreeSet<(String, LogId)>,
    /// Folded names, with the ids that have them.
    by_folded: BTreeSet<(String, LogId)>,
    /// The players who were merged into another one.
    merged: BTreeMap<LogId, BTreeSet<LogId>>,
}

impl From<Vec<Player>> for KnownPlayers {
    fn from(players: Vec<Player>) -> Self {
        let mut known = Self::default();
        for player in players {
            known.load(player);
        }
        known
    }
}

impl Serialize for KnownPlayers {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.by_id.values().map(Arc::as_ref))
    }
}

impl KnownPlayers {
    fn load(&mut self, player: Player) {
        self.index(&player);
        self.by_id.insert(player.id, Arc::new(player));
    }

    /// Applies an event of a player's log.
    pub(super) fn apply(&mut self, event: &Event) {
        let changed = match self.by_id.get(&event.log) {
            Some(player) if event.seq < player.profile.events => return,
            Some(player) => {
                let mut player = Player::clone(player);
                player.profile.apply(event).map(|()| player)
            }
            None => Profile::begin(event).map(|profile| Player { id: event.log, created_at: event.at, profile }),
        };
        match changed {
            Ok(player) => {
                self.unindex(event.log);
                self.load(player);
            }
            Err(why) => tracing::error!(log = %event.log, seq = event.seq, %why, "a player's log cannot be folded"),
        }
    }

    fn index(&mut self, player: &Player) {
        let (id, profile) = (player.id, &player.profile);
        if let Some(into) = profile.merged_into {
            self.merged.entry(into).or_default().insert(id);
        } else {
            self.by_name.insert((profile.name.to_lowercase(), id));
        }
        self.by_word.extend(spellings(&profile.name).into_iter().flatten().map(|word| (word, id)));
        self.by_folded.extend(foldings(&profile.name).into_iter().map(|name| (name, id)));
    }

    fn unindex(&mut self, id: LogId) {
        let Some(player) = self.by_id.get(&id) else { return };
        let profile = &player.profile;
        self.by_name.remove(&(profile.name.to_lowercase(), id));
        if let Some(others) = profile.merged_into.and_then(|into| self.merged.get_mut(&into)) {
            others.remove(&id);
        }
        for word in spellings(&profile.name).into_iter().flatten() {
            self.by_word.remove(&(word, id));
        }
        for name in foldings(&profile.name) {
            self.by_folded.remove(&(name, id));
        }
    }

    /// The player with an id, merged or not.
    pub fn get(&self, id: LogId) -> Option<&Arc<Player>> {
        self.by_id.get(&id)
    }

    /// The id of the player who stands for this one: the one they were merged into, directly or indirectly,
    /// or their own. An unknown id stands for itself.
    pub fn survivor(&self, id: LogId) -> LogId {
        let mut at = id;
        // Merges form no circle, unless something else wrote the journal.
        for _ in 0..=self.by_id.len() {
            match self.by_id.get(&at).and_then(|player| player.profile.merged_into) {
                Some(into) => at = into,
                None => return at,
            }
        }
        id
    }

    /// The players who were merged directly into this one, in the order of their ids.
    pub fn merged_into(&self, id: LogId) -> impl Iterator<Item = &Arc<Player>> {
        self.merged.get(&id).into_iter().flatten().map(|id| &self.by_id[id])
    }

    /// The players who satisfy a condition, without merged ones, in the order of their names.
    pub fn list(&self, mut accept: impl FnMut(&Player) -> bool) -> Vec<Arc<Player>> {
        let players = self.by_name.iter().map(|(_, id)| &self.by_id[id]);
        players.filter(|player| accept(player)).cloned().collect()
    }

    /// The ids of players found by the beginnings of words: each word of `text` begins a different word of
    /// the player's name, or of the name of somebody who was merged into them. Umlauts may be spelled out.
    pub fn search(&self, text: &str) -> BTreeSet<LogId> {
        let mut parts = words(text);
        parts.sort_by_key(|part| usize::MAX - part.len());
        let Some(longest) = parts.first() else { return BTreeSet::new() };
        let from = (longest.clone(), LogId::from_bytes([0; 16]));
        let found = self.by_word.range(from..).take_while(|(word, _)| word.starts_with(longest.as_str()));
        let is_named = |id: &LogId| {
            let mut words = spellings(&self.by_id[id].profile.name);
            parts.iter().all(|part| {
                let is_begun = |word: &Vec<String>| word.iter().any(|spelling| spelling.starts_with(part.as_str()));
                let begun = words.iter().position(is_begun);
                begun.map(|index| words.swap_remove(index)).is_some()
            })
        };
        found.map(|(_, id)| *id).filter(is_named).map(|id| self.survivor(id)).collect()
    }

    /// The players, without merged ones, whose names differ at most in case, accents, the order of words, and whether
    /// umlauts are spelled out.
    pub fn called(&self, name: &str) -> Vec<&Arc<Player>> {
        let mut same = BTreeSet::new();
        for name in foldings(name) {
            let from = self.by_folded.range((name.clone(), LogId::from_bytes([0; 16]))..);
            same.extend(from.take_while(|(folded, _)| *folded == name).map(|(_, id)| *id));
        }
        let same = same.iter().map(|id| &self.by_id[id]);
        same.filter(|player| player.profile.merged_into.is_none()).collect()
    }
}

#[cfg(test)]
mod tests {
    use plybook_events::body::{PlayerCreated, PlayerEdited, PlayerMerged, PlayerUnmerged};
    use plybook_events::{Body, By, Hash};

    use super::*;

    fn id(n: u8) -> LogId {
        LogId::from_bytes([n; 16])
    }

    fn event(n: u8, seq: u64, body: Body) -> Event {
        let by = if body.is_first() { By::Service } else { By::Arbiter };
        Event {
            at: Timestamp::from_millis(0).unwrap(),
            by,
            log: id(n),
            prev: Hash::ZERO,
            seq,
            body,
            who: None,
            signature: None,
            request: None,
        }
    }

    fn players(names: &[&str]) -> KnownPlayers {
        let mut players = KnownPlayers::default();
        for (n, name) in (1..).zip(names) {
            players.apply(&event(n, 0, Body::PlayerCreated(PlayerCreated { name: (*name).to_owned() })));
        }
        players
    }

    fn merge(into: u8) -> Body {
        Body::PlayerMerged(PlayerMerged { into: id(into) })
    }

    #[test]
    fn a_few_letters_find_whoever_has_words_that_begin_with_them() {
        let players = players(&["Zoë Ångström", "Anna Zorn", "Ann Annesley", "Björn Åberg"]);
        let found = |text: &str| players.search(text).into_iter().collect::<Vec<_>>();
        assert_eq!(found("ZO"), [id(1), id(2)]);
        assert_eq!(found("zo an"), [id(1), id(2)]);
        assert_eq!(found("angstrom, zoe"), [id(1)]);
        assert_eq!(found("ann ann"), [id(3)], "each word of the text needs a word of its own");
        assert_eq!((found("Bjorn"), found("bjoern aab")), (vec![id(4)], vec![id(4)]));
        assert_eq!((found("orn"), found(""), found(" - ")), (vec![], vec![], vec![]));
    }

    #[test]
    fn whoever_is_merged_is_found_as_the_one_who_stands_for_them() {
        let mut players = players(&["Zoë Ångström", "Zoe Engstrom", "Z. Angstrom"]);
        players.apply(&event(2, 1, merge(1)));
        players.apply(&event(3, 1, merge(2)));
        assert_eq!((players.survivor(id(3)), players.survivor(id(9))), (id(1), id(9)));
        assert_eq!(players.search("eng").into_iter().collect::<Vec<_>>(), [id(1)]);
        assert_eq!(players.list(|_| true).len(), 1);
        assert_eq!(players.merged_into(id(1)).map(|player| player.id).collect::<Vec<_>>(), [id(2)]);
        players.apply(&event(2, 2, Body::PlayerUnmerged(PlayerUnmerged {})));
        assert_eq!((players.survivor(id(3)), players.survivor(id(1))), (id(2), id(1)));
        assert_eq!(players.merged_into(id(1)).count(), 0);
    }

    #[test]
    fn a_circle_of_merges_ends_nothing() {
        let mut players = players(&["A", "B"]);
        players.apply(&event(1, 1, merge(2)));
        players.apply(&event(2, 1, merge(1)));
        assert_eq!((players.survivor(id(1)), players.survivor(id(2))), (id(1), id(2)));
    }

    #[test]
    fn an_edited_name_is_found_and_the_old_one_is_not() {
        let mut players = players(&["Zoe Engstrom", "zoë engström"]);
        assert_eq!(players.called("Engström, Zoé").len(), 2);
        let name = PlayerEdited { name: Some("Zoë Ångström".to_owned()), ..PlayerEdited::default() };
        players.apply(&event(1, 1, Body::PlayerEdited(name)));
        assert_eq!(players.called("Zoe Engstrom").iter().map(|player| player.id).collect::<Vec<_>>(), [id(2)]);
        assert_eq!(players.search("eng").into_iter().collect::<Vec<_>>(), [id(2)]);
        assert_eq!(players.list(|_| true)[1].profile.name, "Zoë Ångström");
    }
}
