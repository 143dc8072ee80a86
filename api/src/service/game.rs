//! One game in memory, as far as its log goes.

use std::sync::{Arc, Mutex, PoisonError, RwLock};

use plybook_events::{Body, Event, Hash, LogId};
use plybook_rules::fold::{self, Replay, Secrets};
use plybook_store::Head;

use super::Service;
use crate::error::Problem;

/// One game in memory: the replay of its log, and the head to append after.
pub struct Live {
    /// Held while a change is judged and written: one at a time.
    pub(super) writing: Mutex<()>,
    state: RwLock<State>,
}

#[derive(Clone)]
pub(super) struct State {
    pub(super) replay: Arc<Replay>,
    pub(super) head: Head,
}

impl Live {
    /// The game as it stands. What is got does not change any more.
    pub fn replay(&self) -> Arc<Replay> {
        Arc::clone(&self.state().replay)
    }

    /// The hash of the game's last event.
    pub fn head(&self) -> Hash {
        self.state().head.hash()
    }

    pub(super) fn state(&self) -> State {
        self.state.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set(&self, replay: Replay, head: Head) {
        let state = State { replay: Arc::new(replay), head };
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = state;
    }
}

impl Service {
    /// A game, from memory or from its log.
    ///
    /// # Errors
    /// There is no such game, or its log cannot be folded.
    pub fn game(&self, id: LogId) -> Result<Arc<Live>, Problem> {
        self.games.get_or_insert_with(&id, || {
            let state = self.load(id)?;
            Ok(Arc::new(Live { writing: Mutex::default(), state: RwLock::new(state) }))
        })
    }

    /// A game to be read once: from memory if it is there, and not kept there if it is not.
    ///
    /// # Errors
    /// As [`Service::game`].
    pub fn glance(&self, id: LogId) -> Result<Arc<Replay>, Problem> {
        match self.games.get(&id) {
            Some(live) => Ok(live.replay()),
            None => Ok(self.load(id)?.replay),
        }
    }

    /// Reads a log and folds it.
    pub(super) fn load(&self, id: LogId) -> Result<State, Problem> {
        let head = self.log().head(id).ok_or_else(|| Problem::no_game(id))?;
        let events = self.events(id, 0)?;
        if !matches!(events.first().map(|event| &event.body), Some(Body::Created(_))) {
            return Err(Problem::no_game(id));
        }
        let upto = events.iter().take_while(|event| event.seq <= head.seq());
        let replay = Replay::fold(upto, &self.secrets(id, &events))?;
        Ok(State { replay: Arc::new(replay), head })
    }

    /// The events of a log from a seq on.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn events(&self, id: LogId, from: u64) -> Result<Vec<Event>, Problem> {
        let bytes = self.log().read(id, from)?;
        bytes.iter().map(|bytes| Event::parse(bytes).map_err(Problem::internal)).collect()
    }

    /// All that is sealed in a log: what it reveals itself, the rest from the vault.
    pub(super) fn secrets(&self, id: LogId, events: &[Event]) -> Secrets {
        let mut secrets = fold::revealed(events);
        for event in events {
            if let Some(commitment) = commitment(&event.body)
                && !secrets.contains_key(&event.seq)
                && let Some((_, content)) = self.sealed(id, &commitment)
            {
                secrets.insert(event.seq, content);
            }
        }
        secrets
    }

    /// The salt and the content of a commitment, from the vault.
    pub(super) fn sealed(&self, id: LogId, commitment: &Hash) -> Option<(Hash, String)> {
        let kept = self.store.vault().get(id, &vault_key(commitment))?;
        let (salt, content) = kept.split_first_chunk()?;
        Some((Hash(*salt), String::from_utf8(content.to_vec()).ok()?))
    }
}

/// The commitment that an event carries.
pub(super) fn commitment(body: &Body) -> Option<Hash> {
    match body {
        Body::Created(created) => created.sealed_setup,
        Body::Sealed(sealed) => Some(sealed.commitment),
        _ => None,
    }
}

/// Where the vault keeps the opening of a commitment.
pub(super) fn vault_key(commitment: &Hash) -> String {
    let hex = commitment.to_string();
    format!("seal:{}", &hex[..32])
}
