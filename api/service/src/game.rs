//! A game in memory, kept up to date with its log.

use std::borrow::Borrow;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use plybook_events::body::Created;
use plybook_events::{Body, Event, Hash, LogId};
use plybook_models::LONG_PLIES;
use plybook_rules::log::{self, Replay, Secret, Secrets};
use plybook_rules::{AnyPosition, kind};
use plybook_store::Head;

use super::{Service, reading};
use crate::error::Problem;

/// A game in memory: the replay of its log, and the head to append after.
pub struct Live {
    /// Held while a change is judged and written, so that there is only one at a time.
    pub(super) writing: Mutex<()>,
    state: RwLock<State>,
}

#[derive(Clone)]
pub(super) struct State {
    pub(super) replay: Arc<Replay>,
    pub(super) head: Head,
    /// Whether the replay was saved at some time, and not folded from the log since.
    pub(super) is_restored: bool,
}

impl Live {
    /// The game as it stands. The returned replay never changes.
    pub fn replay(&self) -> Arc<Replay> {
        Arc::clone(&self.state().replay)
    }

    /// The game as it stands, and the hash of its last event.
    pub fn at(&self) -> (Arc<Replay>, Hash) {
        let state = self.state();
        (state.replay, state.head.hash())
    }

    pub(super) fn state(&self) -> State {
        self.state.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Moves on to a later state, or to the same one if that is folded from the log and this one was not. Logs only grow, so the
    /// later of two states wins.
    pub(super) fn advance(&self, later: State) {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let is_confirmed = state.is_restored && !later.is_restored && later.head.seq() == state.head.seq();
        if later.head.seq() > state.head.seq() || is_confirmed {
            *state = later;
        }
    }
}

impl Service {
    /// Returns a game from memory or from its log, with every event acknowledged so far, even if the writer
    /// has not updated the game in memory yet.
    ///
    /// # Errors
    /// There is no such game, or its log cannot be folded.
    pub fn game(&self, id: LogId) -> Result<Arc<Live>, Problem> {
        let live = self.games.get_or_insert_with(&id, || {
            let state = self.load(id)?;
            Ok::<_, Problem>(Arc::new(Live { writing: Mutex::default(), state: RwLock::new(state) }))
        })?;
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
        let id = state.replay.log();
        let Some(head) = self.log().head(id).filter(|head| head.seq() > state.head.seq()) else { return Ok(()) };
        let events = self.events(id, state.replay.events())?;
        let replay = self.follow((*state.replay).clone(), &events, head)?;
        live.advance(State { replay: Arc::new(replay), head, is_restored: state.is_restored });
        Ok(())
    }

    /// Folds what follows in the log of a game, up to a head.
    fn follow(&self, mut replay: Replay, events: &[Event], head: Head) -> Result<Replay, Problem> {
        let id = replay.log();
        let secrets = self.secrets(id, events);
        for event in events.iter().take_while(|event| event.seq <= head.seq()) {
            replay.apply(event, &secrets).map_err(|why| self.awaited(id, why))?;
        }
        Ok(replay)
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
            None => self.load(id).map(|State { replay, head, .. }| (replay, head.hash())),
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
        reading::read_ahead(self.log(), id, head.seq(), |events| {
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

    /// A game as it stands, from the fold that was saved of it if it is long; otherwise folded from its log.
    fn load(&self, id: LogId) -> Result<State, Problem> {
        let head = self.log().head(id).ok_or_else(|| Problem::no_game(id))?;
        match self.restored(id, head)? {
            Some(replay) => Ok(State { replay: Arc::new(replay), head, is_restored: true }),
            None => self.load_whole(id),
        }
    }

    /// A long game up to a head, from the fold that was saved of it and what was recorded since. `None` if none was saved that
    /// the log goes on from.
    fn restored(&self, id: LogId, head: Head) -> Result<Option<Replay>, Problem> {
        let digests = self.digests.as_ref().filter(|_| head.seq() >= LONG_PLIES as u64);
        let Some((saved, hash)) = digests.and_then(|digests| digests.saved_replay(id)) else { return Ok(None) };
        let events = if saved.events() <= head.seq() { self.events(id, saved.events())? } else { Vec::new() };
        let goes_on = match events.first() {
            Some(next) => next.prev == hash,
            None => (head.seq() + 1, head.hash()) == (saved.events(), hash),
        };
        Ok(if goes_on { self.follow(saved, &events, head).ok() } else { None })
    }

    /// The state of a game that a change is judged by, folded from its log.
    pub(super) fn judging(&self, live: &Live) -> Result<State, Problem> {
        loop {
            let state = live.state();
            if !state.is_restored {
                return Ok(state);
            }
            // A reader may take in a later event meanwhile, and what it takes in is restored again.
            live.advance(self.load_whole(state.replay.log())?);
        }
    }

    /// Reads a log and folds it.
    fn load_whole(&self, id: LogId) -> Result<State, Problem> {
        let head = self.log().head(id).ok_or_else(|| Problem::no_game(id))?;
        let replay = reading::read_ahead(self.log(), id, head.seq(), |events| {
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
        Ok(State { replay: Arc::new(replay), head, is_restored: false })
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use plybook_models::REPLAY_KEYSPACES;
    use plybook_rules::log::SavedReplay;
    use plybook_store::{Options, Store};

    use super::*;
    use crate::shelf::tests::actions;
    use crate::{NewGame, NewSeat};

    const PLIES: usize = 400;

    fn open(dir: &Path) -> Arc<Service> {
        Service::start(Store::open(dir, &Options::DEFAULT, &mut |_, _| ()).unwrap()).unwrap()
    }

    /// What a fold knows, as text.
    fn text(replay: &Replay) -> String {
        serde_json::to_string(&SavedReplay::new(replay).expect("it is no line")).unwrap()
    }

    #[test]
    fn a_long_game_is_restored_and_changed_by_its_log() {
        let (dir, actions) = (tempfile::tempdir().unwrap(), actions(PLIES + 20));
        let service = open(dir.path());
        let new = NewGame { kind: "triangulate".into(), seats: vec![NewSeat::default(); 2], ..NewGame::default() };
        let live = service.create_game(&new).unwrap();
        let id = live.replay().log();
        service.command(&live, &actions[..PLIES], None).unwrap();
        assert_eq!(service.digests().ask().pending, 0);
        // So few that it is not saved again.
        service.command(&live, &actions[PLIES..PLIES + 10], None).unwrap();
        assert_eq!(service.digests().ask().pending, 0);
        let (saved, _) = service.digests().saved_replay(id).expect("it is long");
        assert_eq!(saved.mainline().len(), PLIES);
        let folded = live.replay();
        drop((live, service));

        let service = open(dir.path());
        assert_eq!(text(&service.glance(id).unwrap()), text(&folded));
        let live = service.game(id).unwrap();
        assert!(live.state().is_restored);
        assert_eq!(text(&live.replay()), text(&folded));
        service.command(&live, &actions[PLIES + 10..], None).unwrap();
        assert!(!live.state().is_restored, "what is written is judged on the log");
        assert_eq!(live.replay().mainline().len(), PLIES + 20);
        drop((live, service));

        // It was saved when another log was in its place.
        let service = open(dir.path());
        assert_eq!(service.digests().ask().pending, 0);
        let rows = service.store.keyspace(&format!("{REPLAY_KEYSPACES}v{}", SavedReplay::VERSION)).unwrap();
        let (key, mut row) = rows.prefix(&id.to_bytes()).next().expect("it has rows").unwrap();
        row[0] ^= 1;
        rows.put(&key, &row).unwrap();
        assert!(service.digests().saved_replay(id).is_some());
        let live = service.game(id).unwrap();
        assert!(!live.state().is_restored);
        assert_eq!(live.replay().mainline().len(), PLIES + 20);
    }
}
