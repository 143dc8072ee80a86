//! Records games like the service, except that ids, times and salts are derived from a name: the same name
//! always gives the same bytes.

use plybook_events::body::{Created, Fork, SeatEntry, Seed};
use plybook_events::fair::Dice;
use plybook_events::{Actor, Body, By, Event, Hash, LogId, PrivateKey, Signature, Statement, Timestamp, Who};
use plybook_example::kind;
use plybook_rules::log::{Command, Draft, NewLine, Replay, Source, Status};
use serde_json::Value;

/// 2026-01-01T12:00:00.000Z.
const START_MS: i64 = 1_767_268_800_000;

/// From one event to the next.
const STEP_MS: i64 = 1_500;

/// A game that is being recorded.
pub(crate) struct Recorder {
    name: String,
    draft: Draft<Named>,
}

/// Times, salts and keys that follow from the name of a log.
struct Named {
    name: String,
    /// Whether what is recorded is signed, by a key of each author's own.
    is_signing: bool,
}

impl Source for Named {
    fn at(&mut self, seq: u64) -> Timestamp {
        time(seq)
    }

    fn salt(&mut self, seq: u64) -> Hash {
        derived(&format!("salt {seq}"), &self.name)
    }

    fn kept(&self, _key: &str) -> Option<Vec<u8>> {
        None
    }

    fn signature(&mut self, statement: &Statement) -> Option<Signature> {
        let seed = derived(&format!("key of {}", statement.by), &self.name);
        let key = PrivateKey::from_seed(&seed.0);
        self.is_signing.then(|| statement.sign(&key).expect("it has canonical bytes"))
    }
}

fn time(seq: u64) -> Timestamp {
    Timestamp::from_millis(START_MS + seq as i64 * STEP_MS).expect("it is in this century")
}

/// The lines of a log.
pub(crate) struct Lines {
    id: LogId,
    prev: Hash,
    events: Vec<String>,
}

/// What is wanted of a game: sealed, as when it is played live, or recorded openly.
pub(crate) fn new_game(kind: &str, open: bool) -> Created {
    Created { kind: kind.to_owned(), open, ..Created::default() }
}

impl Lines {
    pub(crate) fn new(name: &str, prev: Hash) -> Self {
        Self::of(id(name), prev)
    }

    /// The log with an id that does not follow from a name.
    pub(crate) fn of(id: LogId, prev: Hash) -> Self {
        Self { id, prev, events: Vec::new() }
    }

    /// Adds an event, and gives it back.
    pub(crate) fn add(&mut self, by: By, body: Body) -> Event {
        self.add_of(None, by, body)
    }

    /// Adds an event that somebody caused, and gives it back.
    pub(crate) fn add_of(&mut self, who: Option<Who>, by: By, body: Body) -> Event {
        let seq = self.events.len() as u64;
        let event =
            Event { at: time(seq), by, log: self.id, prev: self.prev, seq, body, who, signature: None, request: None };
        let bytes = event.to_bytes().expect("it has canonical bytes");
        self.prev = Hash::of_event(&bytes);
        self.events.push(String::from_utf8(bytes).expect("events are UTF-8"));
        event
    }

    pub(crate) fn text(&self) -> String {
        self.events.iter().flat_map(|line| [line, "\n"]).collect()
    }
}

impl Recorder {
    /// Creates a game of this setup; its seats are named where nobody is.
    pub(crate) fn begin(name: &str, setup: &Value, created: Created) -> Self {
        Self::begin_as(id(name), name, setup, created)
    }

    /// The same, with an id that does not follow from its name.
    pub(crate) fn begin_as(log: LogId, name: &str, setup: &Value, mut created: Created) -> Self {
        let rules = kind(&created.kind).expect("a kind that there is");
        let seed = seed(name);
        let mut dice = Dice::of_setup(&seed.seed, log);
        created.setup = rules.complete(setup, &mut |n| dice.below(n)).expect("the setup is right");
        for seat in created.seats.len()..usize::from(rules.start(&created.setup).expect("it is complete").seats()) {
            created.seats.push(SeatEntry { name: format!("Seat {}", seat + 1), player: None });
        }
        let draft = Draft::create(source(name, created.signed), log, created, &seed);
        Self { name: name.to_owned(), draft: draft.expect("a game that is set up begins") }
    }

    /// Creates a game of which the service draws what the setup leaves to be drawn.
    pub(crate) fn draw(name: &str, setup: &Value, mut created: Created) -> Self {
        let rules = kind(&created.kind).expect("a kind that there is");
        let completed = rules.complete(setup, &mut |_| 0).expect("the setup is right");
        let seats = rules.start(&completed).expect("it is complete").seats();
        created.seats = (1..=seats).map(|seat| SeatEntry { name: format!("Seat {seat}"), player: None }).collect();
        created.setup = setup.clone();
        let draft = Draft::create(source(name, created.signed), id(name), created, &seed(name));
        Self { name: name.to_owned(), draft: draft.expect("a game that is drawn begins") }
    }

    /// Starts the clock of a game with deadlines.
    pub(crate) fn start_clock(&mut self) {
        self.draft.start_clock().expect("the first round lies ahead");
    }

    /// Begins a line that leaves a game which is over, or which has no secrets.
    pub(crate) fn branch(name: &str, parent: &Self, ply: u32, named: &str) -> Self {
        Self::line(name, parent, ply, None, named)
    }

    /// Begins a line that goes on from a position that is set up.
    pub(crate) fn branch_from(name: &str, parent: &Self, ply: u32, position: Option<Value>) -> Self {
        Self::line(name, parent, ply, position, "another position")
    }

    fn line(name: &str, parent: &Self, ply: u32, position: Option<Value>, named: &str) -> Self {
        let seq = parent.replay().led_to(ply as usize);
        let hash = Hash::of_event(&parent.draft.events()[seq as usize]);
        let fork = Fork { game: parent.replay().log(), ply, seq, hash };
        let line = NewLine { fork, position, name: Some(named.to_owned()), owner: Some(id("player")) };
        let draft = Draft::fork(source(name, false), id(name), parent.replay(), line, &seed(name));
        Self { name: name.to_owned(), draft: draft.expect("it fits its parent") }
    }

    pub(crate) fn replay(&self) -> &Replay {
        self.draft.replay()
    }

    /// The seq and the hash of the last event.
    pub(crate) fn head(&self) -> (u64, Hash) {
        let events = self.draft.events();
        (events.len() as u64 - 1, Hash::of_event(events.last().expect("a log is not empty")))
    }

    pub(crate) fn text(&self) -> String {
        let lines = self.draft.events().iter().map(|bytes| str::from_utf8(bytes).expect("events are UTF-8"));
        lines.flat_map(|line| [line, "\n"]).collect()
    }

    pub(crate) fn act(&mut self, actor: Actor, action: &str, clock_ms: Option<u64>) {
        self.run(Command::Act { actor, action: action.to_owned(), clock_ms });
    }

    /// Does what a command says.
    #[allow(clippy::needless_pass_by_value, reason = "commands are made where they are run")]
    pub(crate) fn run(&mut self, command: Command) {
        self.draft.command(command.clone()).unwrap_or_else(|why| panic!("{}: {command:?}: {why}", self.name));
    }

    /// Adds an event that no command writes.
    pub(crate) fn add(&mut self, by: By, body: Body) {
        self.draft.record(vec![(by, body)], 1).unwrap_or_else(|why| panic!("{}: {why}", self.name));
    }

    /// Whether what comes next is signed.
    pub(crate) fn sign(&mut self, is_signing: bool) {
        self.draft.source_mut().is_signing = is_signing;
    }

    /// Rolls what is awaited from the game's seed.
    pub(crate) fn roll(&mut self) {
        self.draft.roll().unwrap_or_else(|why| panic!("{}: {why}", self.name));
    }

    /// Plays so many plies at random, or until the end; chance is rolled. Draws from the list of legal
    /// actions, so that only another rule changes what is played.
    pub(crate) fn play(&mut self, plies: usize) {
        let mut dice = Dice::new(&derived("play", &self.name), self.replay().log(), 0);
        for _ in 0..plies {
            if self.replay().status() != Status::Running {
                return;
            }
            let to_act: Vec<_> = self.replay().position().to_act().iter().collect();
            match to_act[dice.below(to_act.len() as u32) as usize] {
                Actor::Chance => self.roll(),
                actor @ Actor::Seat(_) => {
                    let legal = self.replay().position().legal(actor).expect("what is played at random is listed");
                    self.act(actor, &legal[dice.below(legal.len() as u32) as usize], None);
                }
            }
        }
    }
}

fn source(name: &str, is_signing: bool) -> Named {
    Named { name: name.to_owned(), is_signing }
}

fn seed(name: &str) -> Seed {
    Seed { seed: derived("seed", name), salt: derived("seed salt", name) }
}

/// The id of the log of this name, a UUID of version 8.
pub(crate) fn id(name: &str) -> LogId {
    let mut bytes: [u8; 16] = *derived("id", name).0.first_chunk().expect("a hash is longer");
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    LogId::from_bytes(bytes)
}

pub(crate) fn derived(what: &str, name: &str) -> Hash {
    Hash::of_parts(&[b"plybook golden record\0", what.as_bytes(), b"\0", name.as_bytes()])
}
