//! Writing: every change of a game goes through here.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};

use plybook_events::body::{Acted, Created, PlayerCreated, Revealed, Sealed, SeatEntry, Seed};
use plybook_events::fair::{self, Dice};
use plybook_events::{Actor, Body, By, Event, Hash, LogId, Timestamp, canonical, seal};
use plybook_rules::log::{Command, Decided, NAME_CHARS_MAX, begun, decide};
use plybook_rules::log::{Replay, Secrets, Status};
use plybook_rules::{Rules, Viewer, kind, kinds};
use plybook_store::Head;
use serde_json::{Map, Value};

use super::game::{Live, State, read_opening, vault_key};
use super::{EVENTS_MAX, Service};
use crate::clock;
use crate::error::Problem;
use crate::models::Player;

/// The vault's key of a game's seed.
pub(crate) const SEED_KEY: &str = "seed";

/// A game to create.
#[derive(Clone, Debug, Default)]
pub struct NewGame {
    /// The game that is played.
    pub kind: String,
    /// Its setup; what is left out is filled in or drawn.
    pub setup: Option<Value>,
    /// Who sits where; index 0 is seat 1.
    pub seats: Vec<NewSeat>,
    /// The tournament it belongs to.
    pub tournament: Option<LogId>,
    /// The round, from 1.
    pub round: Option<u32>,
    /// The table, from 1.
    pub table: Option<u32>,
    /// What else it is to be found by.
    pub tags: Map<String, Value>,
    /// Whether secret submissions are recorded openly, as after the fact.
    pub is_open: bool,
}

/// Who is to sit in a seat: a player, or somebody with a name.
#[derive(Clone, Debug, Default)]
pub struct NewSeat {
    /// The player's id.
    pub player: Option<LogId>,
    /// The name; a player's own where it is left out.
    pub name: Option<String>,
}

/// The events that a change adds to a game, and the game with them.
pub(crate) struct Draft {
    /// When they are recorded.
    pub(super) at: Timestamp,
    pub(super) replay: Replay,
    pub(super) prev: Hash,
    pub(super) events: Vec<Vec<u8>>,
    pub(super) secrets: Secrets,
    /// What the vault is to keep before the events are written, by its key.
    pub(super) kept: BTreeMap<String, Vec<u8>>,
}

impl Service {
    /// Makes a player known.
    ///
    /// # Errors
    /// A bad name, or nothing can be written.
    pub fn create_player(&self, name: &str) -> Result<Arc<Player>, Problem> {
        let name = check_name(name)?;
        let id = clock::new_id();
        let body = Body::PlayerCreated(PlayerCreated { name });
        let event = Event { at: self.clock().now(), by: By::Service, log: id, prev: Hash::ZERO, seq: 0, body };
        self.log().append(id, None, vec![event.to_bytes().map_err(Problem::internal)?])?;
        let known = self.models().known();
        known.players.get(id).cloned().ok_or_else(|| Problem::internal("a player is not in the models"))
    }

    /// Creates a game.
    ///
    /// # Errors
    /// An unknown kind, a bad setup, the wrong number of seats, or nothing can be written.
    pub fn create_game(&self, new: NewGame) -> Result<Arc<Live>, Problem> {
        self.create_played(new, Vec::new())
    }

    /// Creates a game in which commands have been carried out: all of it is written, or nothing.
    ///
    /// # Errors
    /// As [`Service::create_game`] and [`Service::command`].
    pub(super) fn create_played(&self, new: NewGame, commands: Vec<Command>) -> Result<Arc<Live>, Problem> {
        let rules = find_kind(&new.kind)?;
        canonical::to_bytes(&Value::Object(new.tags.clone()))
            .map_err(|why| Problem::BadInput(format!("`tags`: {why}")))?;
        let id = clock::new_id();
        let seed = Seed { seed: clock::random(), salt: clock::random() };
        let mut dice = Dice::new(&seed.seed, id, 0);
        let setup = rules.complete(&new.setup.unwrap_or_else(|| Map::new().into()), &mut |n| dice.below(n))?;
        let seats = self.seat_entries(&new.seats)?;
        let wanted = rules.start(&setup)?.seats();
        if usize::from(wanted) != seats.len() {
            let found = seats.len();
            return Err(Problem::BadInput(format!("this game has {wanted} seats: name as many, not {found}")));
        }
        let public = rules.setup_for(&setup, Viewer::Public);
        let is_sealed = rules.about().secrets && !new.is_open && public != setup;
        let salt = clock::random();
        let content = setup.to_string();
        let sealed_setup = is_sealed.then(|| seal::commitment(id, By::Service, &salt, &content));
        let created = Created {
            kind: new.kind,
            rules: rules.about().version.to_owned(),
            setup: if is_sealed { public } else { setup },
            seats,
            tournament: new.tournament,
            round: new.round,
            table: new.table,
            tags: new.tags,
            fairness: rules.about().chance.then(|| fair::commitment(id, &seed)),
            sealed_setup,
            open: rules.about().secrets && new.is_open,
            fork: None,
            name: None,
            owner: None,
        };
        let mut kept = if created.fairness.is_some() { seed_kept(&seed) } else { BTreeMap::new() };
        let mut secrets = Secrets::new();
        if let Some(commitment) = sealed_setup {
            kept.insert(vault_key(&commitment), opening(&salt, &content));
            secrets.insert(0, content);
        }
        let body = Body::Created(created);
        let event = Event { at: self.clock().now(), by: By::Service, log: id, prev: Hash::ZERO, seq: 0, body };
        let bytes = event.to_bytes().map_err(|why| Problem::BadInput(why.to_string()))?;
        let replay = Replay::begin(&event, &secrets)?;
        let begun = begun(&replay);
        let mut draft =
            Draft { at: event.at, replay, prev: Hash::of_event(&bytes), events: vec![bytes], secrets, kept };
        self.add_all(&mut draft, begun)?;
        self.judge(&mut draft, commands)?;
        self.write(None, draft)?;
        self.game(id)
    }

    /// Does what commands say, all or none, in this order. `expected` is the seq of the last event
    /// that the caller knows.
    ///
    /// # Errors
    /// Why a command is refused; nothing was written.
    pub fn command(&self, live: &Live, commands: Vec<Command>, expected: Option<u64>) -> Result<(), Problem> {
        self.change(live, expected, move |draft| self.judge(draft, commands.clone()))
    }

    /// Rolls what the position awaits, from the game's own seed.
    ///
    /// # Errors
    /// No roll is awaited, or the seed is not secret any more.
    pub fn roll(&self, live: &Live, expected: Option<u64>) -> Result<(), Problem> {
        self.change(live, expected, |draft| {
            if draft.replay.status() != Status::Running {
                return Err(Problem::GameOver);
            }
            if !draft.replay.position().to_act().contains(Actor::Chance) {
                return Err(Problem::NotYourTurn("no roll is awaited".to_owned()));
            }
            let log = draft.replay.log();
            let seed = self.secret_seed(draft).ok_or_else(|| {
                Problem::BadInput("this game has no secret seed to roll from: type the roll in as an action".to_owned())
            })?;
            let mut dice = Dice::new(&seed.seed, log, draft.replay.events());
            let action = draft.replay.position().sample(Actor::Chance, &mut |n| dice.below(n));
            let mut decided =
                decide(&draft.replay, Command::Act { actor: Actor::Chance, token: action, clock_ms: None })?;
            if let Some((_, Body::Acted(Acted { fair, .. }))) = decided.first_mut() {
                *fair = true;
            }
            self.add_all(draft, decided)
        })
    }

    /// Judges a change and writes it; once more where somebody else wrote in between.
    pub(crate) fn change(
        &self,
        live: &Live,
        expected: Option<u64>,
        judge: impl Fn(&mut Draft) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let _writing = live.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = live.state();
        let mut is_second = false;
        loop {
            let head = state.replay.events() - 1;
            if expected.is_some_and(|expected| expected != head) {
                return Err(Problem::LogConflict { head });
            }
            let mut draft = Draft::new(&state, self.clock().now());
            judge(&mut draft)?;
            match self.write(Some(&state.head), draft) {
                Ok(later) => {
                    live.advance(later);
                    return Ok(());
                }
                Err(Problem::LogConflict { .. }) if !is_second => {
                    is_second = true;
                    self.catch_up(live)?;
                    state = live.state();
                }
                Err(why) => return Err(why),
            }
        }
    }

    /// Carries commands out in a draft.
    pub(super) fn judge(&self, draft: &mut Draft, commands: Vec<Command>) -> Result<(), Problem> {
        commands.into_iter().try_for_each(|command| self.carry_out(draft, command))
    }

    /// Carries one command out in a draft, which stays as it is where the command is refused.
    pub(crate) fn carry_out(&self, draft: &mut Draft, command: Command) -> Result<(), Problem> {
        let decided = decide(&draft.replay, command)?;
        self.add_all(draft, decided)
    }

    /// Writes a draft after the head it was made for; what it commits to is kept first.
    pub(super) fn write(&self, head: Option<&Head>, draft: Draft) -> Result<State, Problem> {
        let log = draft.replay.log();
        if draft.replay.events() > EVENTS_MAX {
            return Err(Problem::BadInput(format!("a game has at most {EVENTS_MAX} events")));
        }
        for (key, value) in &draft.kept {
            self.store.vault().put(log, key, value)?;
        }
        let appended = self.log().append(log, head, draft.events)?;
        Ok(State { replay: Arc::new(draft.replay), head: appended.head })
    }

    /// Adds decided events: secret submissions are sealed, and at the end all is revealed.
    pub(super) fn add_all(&self, draft: &mut Draft, decided: Vec<Decided>) -> Result<(), Problem> {
        for (by, body) in decided {
            let body = match body {
                Body::Acted(acted) => draft.seal(by, acted),
                Body::Ended(mut ended) => {
                    self.reveal(draft, |_, _| true)?;
                    ended.seed = self.secret_seed(draft);
                    Body::Ended(ended)
                }
                Body::Voided(mut voided) => {
                    self.reveal(draft, |_, _| true)?;
                    voided.seed = self.secret_seed(draft);
                    Body::Voided(voided)
                }
                body => body,
            };
            let has_acted = matches!(body, Body::Acted(_) | Body::Sealed(_));
            draft.add(by, body)?;
            if has_acted && draft.replay.status() == Status::Running {
                self.reveal(draft, Replay::is_opened)?;
            }
        }
        Ok(())
    }

    /// Reveals what is sealed and may be opened now.
    fn reveal(&self, draft: &mut Draft, mut may: impl FnMut(&Replay, u64) -> bool) -> Result<(), Problem> {
        let sealed: Vec<(u64, Hash)> = draft.replay.sealed().collect();
        for (of, commitment) in sealed {
            if may(&draft.replay, of) {
                let kept = self.kept(draft, &vault_key(&commitment));
                let (salt, content) = kept
                    .and_then(|kept| read_opening(&kept))
                    .ok_or_else(|| Problem::internal("the vault lacks what is sealed"))?;
                draft.add(By::Service, Body::Revealed(Revealed { of, content, salt }))?;
            }
        }
        Ok(())
    }

    /// What the vault keeps of a game, or will once the draft is written.
    fn kept(&self, draft: &Draft, key: &str) -> Option<Arc<[u8]>> {
        let fresh = draft.kept.get(key).map(|value| Arc::from(value.as_slice()));
        fresh.or_else(|| self.store.vault().get(draft.replay.log(), key))
    }

    /// The seed of the game's dice, as long as it is secret.
    fn secret_seed(&self, draft: &Draft) -> Option<Seed> {
        draft.replay.created().fairness?;
        let kept = self.kept(draft, SEED_KEY).filter(|_| !draft.replay.is_seed_public())?;
        let (seed, salt) = kept.split_first_chunk()?;
        Some(Seed { seed: Hash(*seed), salt: Hash(salt.try_into().ok()?) })
    }

    fn seat_entries(&self, seats: &[NewSeat]) -> Result<Vec<SeatEntry>, Problem> {
        let known = self.models().known();
        let entry = |(index, seat): (usize, &NewSeat)| {
            let player = match seat.player {
                None => None,
                Some(id) => {
                    let player = known.players.get(id);
                    Some(player.ok_or_else(|| Problem::NotFound(format!("there is no player {id}")))?)
                }
            };
            let name = match (&seat.name, player) {
                (Some(name), _) => check_name(name)?,
                (None, Some(player)) => player.name.clone(),
                (None, None) => format!("Seat {}", index + 1),
            };
            Ok(SeatEntry { name, player: seat.player })
        };
        seats.iter().enumerate().map(entry).collect()
    }
}

impl Draft {
    /// The game as the draft leaves it.
    pub(crate) fn replay(&self) -> &Replay {
        &self.replay
    }

    fn new(state: &State, at: Timestamp) -> Self {
        let replay = (*state.replay).clone();
        let (events, secrets, kept) = (Vec::new(), Secrets::new(), BTreeMap::new());
        Self { at, replay, prev: state.head.hash(), events, secrets, kept }
    }

    /// Seals an action that not everybody may see.
    fn seal(&mut self, by: By, acted: Acted) -> Body {
        let replay = &self.replay;
        let Some(actor) = by.actor().filter(|_| !replay.is_open()) else { return Body::Acted(acted) };
        if replay.position().shown(Viewer::Public, actor, &acted.action).as_deref() == Some(acted.action.as_str()) {
            return Body::Acted(acted);
        }
        let (log, seq, salt) = (replay.log(), replay.events(), clock::random());
        let commitment = seal::commitment(log, by, &salt, &acted.action);
        self.kept.insert(vault_key(&commitment), opening(&salt, &acted.action));
        self.secrets.insert(seq, acted.action);
        Body::Sealed(Sealed { commitment, clock_ms: acted.clock_ms })
    }

    fn add(&mut self, by: By, body: Body) -> Result<(), Problem> {
        let event = Event {
            at: self.at.max(self.replay.last_at()),
            by,
            log: self.replay.log(),
            prev: self.prev,
            seq: self.replay.events(),
            body,
        };
        let bytes = event.to_bytes().map_err(|why| Problem::BadInput(why.to_string()))?;
        self.replay.apply(&event, &self.secrets)?;
        self.prev = Hash::of_event(&bytes);
        self.events.push(bytes);
        Ok(())
    }
}

/// The rules of a kind.
///
/// # Errors
/// No game is called so; the text names those there are.
pub(crate) fn find_kind(name: &str) -> Result<&'static dyn Rules, Problem> {
    kind(name).ok_or_else(|| {
        let known: Vec<_> = kinds().iter().map(|rules| rules.about().kind).collect();
        let name: String = name.chars().take(40).collect();
        Problem::BadInput(format!("no game is called {name:?}; there are: {}", known.join(", ")))
    })
}

/// The seed of a game's dice, as the vault keeps it.
pub(super) fn seed_kept(seed: &Seed) -> BTreeMap<String, Vec<u8>> {
    BTreeMap::from([(SEED_KEY.to_owned(), [seed.seed.0, seed.salt.0].concat())])
}

/// The opening of a commitment, as the vault keeps it.
pub(crate) fn opening(salt: &Hash, content: &str) -> Vec<u8> {
    [&salt.0[..], content.as_bytes()].concat()
}

pub(super) fn check_name(name: &str) -> Result<String, Problem> {
    let name = name.trim();
    let chars = name.chars().count();
    if chars == 0 || chars > NAME_CHARS_MAX || name.chars().any(char::is_control) {
        return Err(Problem::BadInput(format!("a name has 1 to {NAME_CHARS_MAX} printable characters")));
    }
    Ok(name.to_owned())
}
