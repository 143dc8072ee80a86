//! All tournaments, with indexes by player and in the order of their creation.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use plybook_events::body::TournamentSettings;
use plybook_events::{Body, Event, LogId, Timestamp};
use plybook_tournaments::log::TournamentStatus;
use serde::{Deserialize, Serialize, Serializer};

/// What is known about a tournament without folding it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TournamentSummary {
    /// The id.
    pub id: LogId,
    /// Its settings.
    pub settings: TournamentSettings,
    /// The players, by the number of the entrant; `None` if an entry was removed. Index 0 is number 1.
    pub players: Vec<Option<LogId>>,
    /// The number of rounds that were opened.
    pub opened: u32,
    /// Whether it is over.
    pub is_finished: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// The time of its last event.
    pub updated_at: Timestamp,
    /// The number of events in its log, which is the seq of the next.
    pub events: u64,
}

/// Conditions on tournaments; all of them must hold.
#[derive(Clone, Debug, Default)]
pub struct TournamentFilter {
    /// The game that is played.
    pub kind: Option<String>,
    /// The state it is in.
    pub status: Option<TournamentStatus>,
    /// The names of its format.
    pub formats: Option<Vec<&'static str>>,
    /// Part of its name, in lower case.
    pub name_part: Option<String>,
    /// A player who takes part.
    pub player: Option<LogId>,
    /// Whether it is archived.
    pub is_archived: Option<bool>,
}

/// All tournaments.
#[derive(Default, Deserialize)]
#[serde(from = "Vec<TournamentSummary>")]
#[expect(clippy::struct_field_names, reason = "they are found in three ways")]
pub struct KnownTournaments {
    by_id: HashMap<LogId, Arc<TournamentSummary>>,
    by_created: BTreeSet<(Timestamp, LogId)>,
    by_player: BTreeMap<LogId, BTreeSet<LogId>>,
}

impl TournamentSummary {
    fn new(event: &Event, settings: &TournamentSettings) -> Self {
        Self {
            id: event.log,
            settings: settings.clone(),
            players: Vec::new(),
            opened: 0,
            is_finished: false,
            created_at: event.at,
            updated_at: event.at,
            events: event.seq + 1,
        }
    }

    fn apply(&mut self, event: &Event) {
        (self.updated_at, self.events) = (event.at, event.seq + 1);
        match &event.body {
            Body::TournamentEdited(settings) => self.settings = settings.clone(),
            Body::Entered(entered) => self.players.push(Some(entered.player)),
            Body::EntryRemoved(removed) => {
                let index = usize::from(removed.entrant).checked_sub(1);
                if let Some(player) = index.and_then(|index| self.players.get_mut(index)) {
                    *player = None;
                }
            }
            Body::RoundOpened(opened) => self.opened = opened.round,
            Body::TableOpened(opened) => self.opened = self.opened.max(opened.round),
            Body::RoundUnopened(unopened) => self.opened = unopened.round.saturating_sub(1),
            Body::TournamentFinished(_) => self.is_finished = true,
            Body::TournamentReopened(_) => self.is_finished = false,
            _ => {}
        }
    }

    /// The state it is in.
    pub fn status(&self) -> TournamentStatus {
        match self.opened {
            _ if self.is_finished => TournamentStatus::Finished,
            0 => TournamentStatus::Planned,
            _ => TournamentStatus::Running,
        }
    }

    /// The name of its format.
    pub fn format(&self) -> &str {
        self.settings.format.get("format").and_then(serde_json::Value::as_str).unwrap_or_default()
    }
}

impl TournamentFilter {
    fn accepts(&self, tournament: &TournamentSummary) -> bool {
        let is_named = |part: &String| tournament.settings.name.to_lowercase().contains(part);
        self.kind.as_ref().is_none_or(|kind| *kind == tournament.settings.kind)
            && self.status.is_none_or(|status| status == tournament.status())
            && self.formats.as_ref().is_none_or(|formats| formats.contains(&tournament.format()))
            && self.name_part.as_ref().is_none_or(is_named)
            && self.is_archived.is_none_or(|archived| archived == tournament.settings.archived)
            && self.player.is_none_or(|player| tournament.players.contains(&Some(player)))
    }
}

impl From<Vec<TournamentSummary>> for KnownTournaments {
    fn from(tournaments: Vec<TournamentSummary>) -> Self {
        let mut known = Self::default();
        for tournament in tournaments {
            known.load(tournament);
        }
        known
    }
}

impl Serialize for KnownTournaments {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.by_id.values().map(Arc::as_ref))
    }
}

impl KnownTournaments {
    fn load(&mut self, tournament: TournamentSummary) {
        self.by_created.insert((tournament.created_at, tournament.id));
        for player in tournament.players.iter().flatten() {
            self.by_player.entry(*player).or_default().insert(tournament.id);
        }
        self.by_id.insert(tournament.id, Arc::new(tournament));
    }

    /// Applies an event; `false` if it is not one of a tournament.
    pub(super) fn apply(&mut self, event: &Event) -> bool {
        if let Body::TournamentCreated(settings) = &event.body {
            self.load(TournamentSummary::new(event, settings));
        } else if let Some(tournament) = self.by_id.get_mut(&event.log) {
            if event.seq < tournament.events {
                return true;
            }
            match &event.body {
                Body::Entered(entered) => {
                    self.by_player.entry(entered.player).or_default().insert(event.log);
                }
                Body::EntryRemoved(removed) => {
                    let index = usize::from(removed.entrant).wrapping_sub(1);
                    let player = tournament.players.get(index).copied().flatten();
                    if let Some(of) = player.and_then(|player| self.by_player.get_mut(&player)) {
                        of.remove(&event.log);
                    }
                }
                _ => {}
            }
            Arc::make_mut(tournament).apply(event);
        } else {
            return false;
        }
        true
    }

    /// The tournament with an id.
    pub fn get(&self, id: LogId) -> Option<&Arc<TournamentSummary>> {
        self.by_id.get(&id)
    }

    /// The tournaments that a filter accepts, newest first.
    pub fn list(&self, filter: &TournamentFilter) -> Vec<Arc<TournamentSummary>> {
        let all = || self.by_created.iter().rev().map(|(_, id)| &self.by_id[id]);
        let accepts = |tournament: &&Arc<TournamentSummary>| filter.accepts(tournament);
        match filter.player {
            Some(player) => {
                let of = self.by_player.get(&player).into_iter().flatten();
                let mut found: Vec<_> = of.map(|id| &self.by_id[id]).filter(accepts).cloned().collect();
                found.sort_by_key(|tournament| std::cmp::Reverse((tournament.created_at, tournament.id)));
                found
            }
            None => all().filter(accepts).cloned().collect(),
        }
    }
}
