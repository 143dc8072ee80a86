//! A game in memory, kept up to date with its log.

use std::borrow::Borrow;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use plybook_events::body::Created;
use plybook_events::{Body, Event, Hash, LogId};
use plybook_rules::log::{self, Replay, Secret, Secrets};
use plybook_rules::{AnyPosition, kind};
use plybook_store::Head;

use super::{Service, reading};
use crate::error::Problem;

/// A log in memory: what it is folded into, by default a game, and the head to append after.
pub struct Live<T = Replay> {
    /// Held while a change is judged and written, so that there is only one at a time. A thread that holds a game's lock may
    /// take that of its tournament, but not the other way round.
    pub(super) writing: Mutex<()>,
    state: RwLock<State<T>>,
}

/// What a log is folded into, and its end.
pub(super) struct State<T = Replay> {
    pub(super) folded: Arc<T>,
    pub(super) head: Head,
}

impl<T> Clone for State<T> {
    fn clone(&self) -> Self {
        Self { folded: Arc::clone(&self.folded), head: self.head }
    }
}

impl<T> State<T> {
    pub(super) fn new(folded: T, head: Head) -> Self {
        Self { folded: Arc::new(folded), head }
    }
}

impl<T> Live<T> {
    pub(super) fn new(state: State<T>) -> Arc<Self> {
        Arc::new(Self { writing: Mutex::default(), state: RwLock::new(state) })
    }

    pub(super) fn state(&self) -> State<T> {
        self.state.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Moves on to a later state. Logs only grow, so the later of two states wins.
    pub(super) fn advance(&self, later: State<T>) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if later.head.seq() > state.head.seq() {
            *state = later;
        }
    }
}

impl Live {
    /// The game as it stands. The returned replay never changes.
    pub fn replay(&self) -> Arc<Replay> {
        self.state().folded
    }

    /// The game as it stands, and the hash of its last event.
    pub fn at(&self) -> (Arc<Replay>, Hash) {
        let State { folded, head } = self.state();
        (folded, head.hash())
    }
}

impl Service {
    /// Returns a game from memory or from its log, with every event acknowledged so far, even if the writer
    /// has not updated the game in memory yet.
    ///
    /// # Errors
    /// There is no such game, or its log cannot be folded.
    pub fn game(&self, id: LogId) -> Result<Arc<Live>, Problem> {
        let live = self.games.get_or_insert_with(&id, || self.load(id).map(Live::new))?;
        self.catch_up(&live)?;
        Ok(live)
    }

    /// A game that is in memory and up to date; never blocks.
    pub fn cached(&self, id: LogId) -> Option<Arc<Live>> {
        let head = self.log().head(id)?;
        self.games.get(&id).filter(|live| live.state().head == head)
    }

    /// Folds the events that were appended to the log since the game in memory was last updated.
    pub(super) fn catch_up(&self, live: &Live) -> Result<(), Problem> {
        let state = live.state();
        let id = state.folded.log();
        let Some(head) = self.log().head(id).filter(|head| head.seq() > state.head.seq()) else { return Ok(()) };
        let events = self.events(id, state.folded.events())?;
        let secrets = self.secrets(id, &events);
        let mut replay = (*state.folded).clone();
        for event in events.iter().take_while(|event| event.seq <= head.seq()) {
            replay.apply(event, &secrets).map_err(|why| self.awaited(id, why))?;
        }
        live.advance(State::new(replay, head));
        Ok(())
    }

    /// Reads a game once: from memory if it is there, otherwise without caching it.
    ///
    /// # Errors
    /// As for [`Service::game`].
    pub fn glance(&self, id: LogId) -> Result<Arc<Replay>, Problem> {
        self.glance_at(id).map(|(replay, _)| replay)
    }

    /// The same, with the hash of its last event.
    ///
    /// # Errors
    /// As for [`Service::game`].
    pub fn glance_at(&self, id: LogId) -> Result<(Arc<Replay>, Hash), Problem> {
        match self.games.get(&id) {
            Some(live) => self.catch_up(&live).map(|()| live.at()),
            None => self.load(id).map(|State { folded, head }| (folded, head.hash())),
        }
    }

    /// A game of a kind without secrets as it was when its position was first wanted, read no further than that. `None` if
    /// that never was so.
    ///
    /// # Errors
    /// As for [`Service::game`].
    pub fn glance_until(
        &self,
        id: LogId,
        is_wanted: impl Fn(&dyn AnyPosition) -> bool,
    ) -> Result<Option<Replay>, Problem> {
        let head = self.log().head(id).ok_or_else(|| Problem::no_game(id))?;
        reading::fold_events(self.log(), id, head.seq(), |events| {
            let first = events.next().ok_or_else(|| Problem::no_game(id))?;
            let mut replay = Replay::begin(&first, &Secrets::new())?;
            let mut counted = None;
            loop {
                let plies = replay.mainline().len();
                if counted.replace(plies) != Some(plies) && is_wanted(replay.position()) {
                    return Ok(Some(replay));
                }
                let Some(event) = events.next() else { return Ok(None) };
                replay.apply(&event, &Secrets::new())?;
            }
        })
    }

    /// Reads a log and folds it.
    fn load(&self, id: LogId) -> Result<State, Problem> {
        let head = self.log().head(id).ok_or_else(|| Problem::no_game(id))?;
        let replay = reading::fold_events(self.log(), id, head.seq(), |events| {
            let mut events = events.peekable();
            let Some(Body::Created(created)) = events.peek().map(|event| &event.body) else {
                return Err(Problem::no_game(id));
            };
            // Where nothing is secret, no event has to be known before an earlier one can be applied.
            if kind(&created.kind).is_some_and(|rules| !rules.about().secrets) {
                return self.fold(events, &Secrets::new());
            }
            let events: Vec<_> = events.collect();
            self.fold(&events, &self.secrets(id, &events))
        });
        let replay = replay.map_err(|why| self.awaited(id, why))?;
        Ok(State::new(replay, head))
    }

    /// Folds the log of a game, or of a line on top of its parent.
    pub(super) fn fold(
        &self,
        events: impl IntoIterator<Item: Borrow<Event>>,
        secrets: &Secrets,
    ) -> Result<Replay, Problem> {
        let mut events = events.into_iter().peekable();
        let Some(Body::Created(Created { fork: Some(fork), .. })) = events.peek().map(|event| &event.borrow().body)
        else {
            return Ok(Replay::fold(events, secrets)?);
        };
        let parent = self.parent(fork)?;
        // The hash of the parent's event was checked before the line was written.
        Ok(parent.fold_line(fork.hash, events, secrets)?)
    }

    /// The events of a log, starting at a seq.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn events(&self, id: LogId, from: u64) -> Result<Vec<Event>, Problem> {
        reading::events(self.log(), id, from)
    }

    /// The contents of everything that a log seals: what the log itself reveals, and the rest from the vault.
    pub(super) fn secrets(&self, id: LogId, events: &[Event]) -> Secrets {
        let mut secrets = log::revealed(events);
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

    /// The salt and content of a commitment, from the vault.
    fn sealed(&self, id: LogId, commitment: &Hash) -> Option<(Hash, String)> {
        Secret::read_opening(&self.store.vault().get(id, &Secret::opening_key(commitment))?)
    }
}

/// The commitment in an event, if any.
pub(super) fn commitment(body: &Body) -> Option<Hash> {
    match body {
        Body::Created(created) => created.sealed_setup,
        Body::Sealed(sealed) => Some(sealed.commitment),
        _ => None,
    }
}
