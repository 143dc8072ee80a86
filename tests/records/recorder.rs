//! Records games as the service does, but for ids, times and salts, which follow from a name: the
//! same name gives the same bytes for ever.

use plybook_events::body::{Acted, Created, Fork, Revealed, Sealed, Seed};
use plybook_events::fair::{self, Dice};
use plybook_events::{Actor, Body, By, Event, Hash, LogId, Timestamp, seal};
use plybook_rules::log::{Command, Decided, begun, decide};
use plybook_rules::log::{Replay, Secrets, Status};
use plybook_rules::{Rules, Viewer, kind};
use serde_json::{Map, Value};

/// 2026-01-01T12:00:00.000Z.
const START_MS: i64 = 1_767_268_800_000;

/// From one event to the next.
const STEP_MS: i64 = 1_500;

/// A game that is being recorded.
pub(crate) struct Recorder {
    name: String,
    seed: Seed,
    replay: Replay,
    secrets: Secrets,
    salts: Vec<(u64, Hash)>,
    log: Lines,
}

/// The lines of a log.
pub(crate) struct Lines {
    id: LogId,
    prev: Hash,
    events: Vec<String>,
}

/// What is known of a game before it is set up.
pub(crate) fn new_game(kind: &str, open: bool) -> Created {
    Created {
        kind: kind.to_owned(),
        rules: String::new(),
        setup: Value::Null,
        seats: Vec::new(),
        tournament: None,
        round: None,
        table: None,
        tags: Map::new(),
        fairness: None,
        sealed_setup: None,
        open,
        fork: None,
        name: None,
        owner: None,
    }
}

impl Lines {
    pub(crate) fn new(name: &str, prev: Hash) -> Self {
        Self { id: id(name), prev, events: Vec::new() }
    }

    /// Adds an event, and gives it back.
    pub(crate) fn add(&mut self, by: By, body: Body) -> Event {
        let seq = self.events.len() as u64;
        let at = Timestamp::from_millis(START_MS + seq as i64 * STEP_MS).expect("it is in this century");
        let event = Event { at, by, log: self.id, prev: self.prev, seq, body };
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
    pub(crate) fn begin(name: &str, setup: &Value, mut created: Created) -> Self {
        let rules = kind(&created.kind).expect("a kind that there is");
        let id = id(name);
        let seed = Seed { seed: derived("seed", name), salt: derived("seed salt", name) };
        let mut dice = Dice::new(&seed.seed, id, 0);
        let setup = rules.complete(setup, &mut |n| dice.below(n)).expect("the setup is right");
        rules.about().version.clone_into(&mut created.rules);
        for seat in created.seats.len()..usize::from(rules.start(&setup).expect("it is complete").seats()) {
            let name = format!("Seat {}", seat + 1);
            created.seats.push(plybook_events::body::SeatEntry { name, player: None });
        }
        created.fairness = rules.about().chance.then(|| fair::commitment(id, &seed));
        let (mut secrets, mut salts) = (Secrets::new(), Vec::new());
        created.setup = public_setup(rules, &setup, &created);
        if created.setup != setup {
            let (salt, content) = (derived("salt 0", name), setup.to_string());
            created.sealed_setup = Some(seal::commitment(id, By::Service, &salt, &content));
            secrets.insert(0, content);
            salts.push((0, salt));
        }
        let mut log = Lines::new(name, Hash::ZERO);
        let first = log.add(By::Service, Body::Created(created));
        let replay = Replay::begin(&first, &secrets).expect("a game that is set up begins");
        let mut game = Self { name: name.to_owned(), seed, replay, secrets, salts, log };
        let begun = begun(&game.replay);
        game.add_all(begun);
        game
    }

    /// Begins a line that leaves a game which is over, or which has no secrets.
    pub(crate) fn branch(name: &str, parent: &Self, ply: u32, named: &str) -> Self {
        let id = id(name);
        let seq = parent.replay.mainline()[ply as usize - 1].seq;
        let hash = Hash::of_event(parent.log.events[seq as usize].as_bytes());
        let seed = Seed { seed: derived("seed", name), salt: derived("seed salt", name) };
        let about = parent.replay.rules().about();
        let created = Created {
            rules: about.version.to_owned(),
            setup: parent.replay.setup().clone(),
            seats: parent.replay.created().seats.clone(),
            fairness: about.chance.then(|| fair::commitment(id, &seed)),
            fork: Some(Fork { game: parent.log.id, ply, seq, hash }),
            name: Some(named.to_owned()),
            owner: Some(self::id("player")),
            ..new_game(about.kind, about.secrets)
        };
        let mut log = Lines::new(name, hash);
        let first = log.add(By::Service, Body::Created(created));
        let replay = parent.replay.branch(&first, hash).expect("it fits its parent");
        Self { name: name.to_owned(), seed, replay, secrets: Secrets::new(), salts: Vec::new(), log }
    }

    pub(crate) fn replay(&self) -> &Replay {
        &self.replay
    }

    pub(crate) fn text(&self) -> String {
        self.log.text()
    }

    pub(crate) fn act(&mut self, actor: Actor, token: &str, clock_ms: Option<u64>) {
        self.run(Command::Act { actor, token: token.to_owned(), clock_ms });
    }

    /// Does what a command says.
    #[allow(clippy::needless_pass_by_value, reason = "commands are made where they are run")]
    pub(crate) fn run(&mut self, command: Command) {
        let decided = decide(&self.replay, command.clone());
        let decided = decided.unwrap_or_else(|why| panic!("{}: {command:?}: {why}", self.name));
        self.add_all(decided);
    }

    /// Adds an event that no command writes.
    pub(crate) fn add(&mut self, by: By, body: Body) {
        self.add_all(vec![(by, body)]);
    }

    /// Rolls what is awaited from the game's seed.
    pub(crate) fn roll(&mut self) {
        let mut dice = Dice::new(&self.seed.seed, self.log.id, self.replay.events());
        let token = self.replay.position().sample(Actor::Chance, &mut |n| dice.below(n));
        let mut decided = decide(&self.replay, Command::Act { actor: Actor::Chance, token, clock_ms: None })
            .expect("a roll that is sampled is legal");
        if let Some((_, Body::Acted(acted))) = decided.first_mut() {
            acted.fair = true;
        }
        self.add_all(decided);
    }

    /// Plays so many plies at random, or until the end; chance is rolled. Draws from the list of legal
    /// actions, so that only another rule changes what is played.
    pub(crate) fn play(&mut self, plies: usize) {
        let mut dice = Dice::new(&derived("play", &self.name), self.log.id, 0);
        for _ in 0..plies {
            if self.replay.status() != Status::Running {
                return;
            }
            let to_act: Vec<_> = self.replay.position().to_act().iter().collect();
            match to_act[dice.below(to_act.len() as u32) as usize] {
                Actor::Chance => self.roll(),
                actor @ Actor::Seat(_) => {
                    let legal = self.replay.position().legal(actor).expect("what is played at random is listed");
                    self.act(actor, &legal[dice.below(legal.len() as u32) as usize], None);
                }
            }
        }
    }

    fn add_all(&mut self, decided: Vec<Decided>) {
        for (by, mut body) in decided {
            match &mut body {
                Body::Acted(acted) => body = self.seal(by, acted.clone()),
                Body::Ended(ended) => {
                    self.reveal(|_, _| true);
                    ended.seed = self.seed_to_publish();
                }
                Body::Voided(voided) => {
                    self.reveal(|_, _| true);
                    voided.seed = self.seed_to_publish();
                }
                _ => {}
            }
            let has_acted = matches!(body, Body::Acted(_) | Body::Sealed(_));
            self.write(by, body);
            if has_acted && self.replay.status() == Status::Running {
                self.reveal(Replay::is_opened);
            }
        }
    }

    fn write(&mut self, by: By, body: Body) {
        let event = self.log.add(by, body);
        self.replay.apply(&event, &self.secrets).unwrap_or_else(|why| panic!("{}: {why}", self.name));
    }

    fn seal(&mut self, by: By, acted: Acted) -> Body {
        let Some(actor) = by.actor().filter(|_| !self.replay.is_open()) else { return Body::Acted(acted) };
        if self.replay.position().shown(Viewer::Public, actor, &acted.action).as_ref() == Some(&acted.action) {
            return Body::Acted(acted);
        }
        let seq = self.replay.events();
        let salt = derived(&format!("salt {seq}"), &self.name);
        let commitment = seal::commitment(self.log.id, by, &salt, &acted.action);
        self.secrets.insert(seq, acted.action);
        self.salts.push((seq, salt));
        Body::Sealed(Sealed { commitment, clock_ms: acted.clock_ms })
    }

    fn reveal(&mut self, may: impl Fn(&Replay, u64) -> bool) {
        let sealed: Vec<u64> = self.replay.sealed().map(|(seq, _)| seq).collect();
        for of in sealed.into_iter().filter(|of| may(&self.replay, *of)).collect::<Vec<_>>() {
            let salt = self.salts.iter().find(|(seq, _)| *seq == of).expect("what is sealed has a salt").1;
            let content = self.secrets[&of].clone();
            self.write(By::Service, Body::Revealed(Revealed { of, content, salt }));
        }
    }

    fn seed_to_publish(&self) -> Option<Seed> {
        let fairness = self.replay.created().fairness;
        fairness.filter(|_| !self.replay.is_seed_public()).map(|_| self.seed.clone())
    }
}

/// What everybody may know of a setup.
fn public_setup(rules: &dyn Rules, setup: &Value, created: &Created) -> Value {
    if rules.about().secrets && !created.open { rules.setup_for(setup, Viewer::Public) } else { setup.clone() }
}

/// The id of the log of this name, a UUID of version 8.
pub(crate) fn id(name: &str) -> LogId {
    let mut bytes: [u8; 16] = *derived("id", name).0.first_chunk().expect("a hash is longer");
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    LogId::from_bytes(bytes)
}

fn derived(what: &str, name: &str) -> Hash {
    Hash::of_parts(&[b"plybook golden record\0", what.as_bytes(), b"\0", name.as_bytes()])
}
