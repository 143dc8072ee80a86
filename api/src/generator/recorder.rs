//! Writes a game's log as the service does, but for ids, times and salts, which are given.

use plybook_events::body::{Acted, Created, Revealed, Sealed, Seed};
use plybook_events::fair::{self, Dice};
use plybook_events::{Actor, Body, By, Event, Hash, LogId, Timestamp, seal};
use plybook_rules::log::{Command, Decided, begun, decide};
use plybook_rules::log::{Replay, Secrets, Status};
use plybook_rules::{Rules, Viewer};

use super::Written;
use crate::error::Problem;
use crate::service::{SEED_KEY, opening, vault_key};

/// A game that is being recorded.
pub(super) struct Recorder {
    replay: Replay,
    seed: Seed,
    /// Salts follow from it and the seq.
    salt: Hash,
    secrets: Secrets,
    at: i64,
    prev: Hash,
    events: Vec<Vec<u8>>,
}

impl Recorder {
    /// Creates a game with a complete setup; `created` says the rest.
    pub(super) fn begin(
        rules: &dyn Rules,
        log: LogId,
        at: i64,
        mut created: Created,
        seed: Seed,
    ) -> Result<Self, Problem> {
        let salt = Hash::of_parts(&[b"salts\0", &seed.salt.0]);
        created.fairness = rules.about().chance.then(|| fair::commitment(log, &seed));
        let mut secrets = Secrets::new();
        if rules.about().secrets && !created.open {
            let public = rules.setup_for(&created.setup, Viewer::Public);
            if public != created.setup {
                let content = created.setup.to_string();
                created.sealed_setup = Some(seal::commitment(log, By::Service, &salt_of(&salt, 0), &content));
                created.setup = public;
                secrets.insert(0, content);
            }
        }
        let body = Body::Created(created);
        let first = Event { at: time(at), by: By::Service, log, prev: Hash::ZERO, seq: 0, body };
        let bytes = first.to_bytes().map_err(Problem::internal)?;
        let replay = Replay::begin(&first, &secrets)?;
        let prev = Hash::of_event(&bytes);
        let mut game = Self { replay, seed, salt, secrets, at, prev, events: vec![bytes] };
        let begun = begun(&game.replay);
        game.add_all(begun)?;
        Ok(game)
    }

    /// The game as it stands.
    pub(super) fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Lets time go by, in milliseconds.
    pub(super) fn pass(&mut self, millis: u32) {
        self.at += i64::from(millis);
    }

    /// Does what a command says.
    pub(super) fn run(&mut self, command: Command) -> Result<(), Problem> {
        let decided = decide(&self.replay, command)?;
        self.add_all(decided)
    }

    /// Rolls what is awaited from the game's seed, as long as that is secret; or else types in what
    /// `draw` gives.
    pub(super) fn roll(&mut self, is_typed: bool, draw: &mut dyn FnMut(u32) -> u32) -> Result<(), Problem> {
        let fair = !is_typed && !self.replay.is_seed_public();
        let mut dice = Dice::new(&self.seed.seed, self.replay.log(), self.replay.events());
        let mut below = |n| if fair { dice.below(n) } else { draw(n) };
        let token = self.replay.position().sample(Actor::Chance, &mut below);
        let mut decided = decide(&self.replay, Command::Act { actor: Actor::Chance, token, clock_ms: None })?;
        if let Some((_, Body::Acted(acted))) = decided.first_mut() {
            acted.fair = fair;
        }
        self.add_all(decided)
    }

    /// Adds decided events: secret submissions are sealed, and at the end all is revealed.
    pub(super) fn add_all(&mut self, decided: Vec<Decided>) -> Result<(), Problem> {
        for (by, mut body) in decided {
            match &mut body {
                Body::Acted(acted) => body = self.seal(by, acted.clone()),
                Body::Ended(ended) => {
                    self.reveal(|_, _| true)?;
                    ended.seed = self.seed_to_publish();
                }
                Body::Voided(voided) => {
                    self.reveal(|_, _| true)?;
                    voided.seed = self.seed_to_publish();
                }
                _ => {}
            }
            let has_acted = matches!(body, Body::Acted(_) | Body::Sealed(_));
            self.write(by, body)?;
            if has_acted && self.replay.status() == Status::Running {
                self.reveal(Replay::is_opened)?;
            }
        }
        Ok(())
    }

    /// The log, and what the vault has to keep of it.
    pub(super) fn finish(self) -> Written {
        let mut kept = Vec::new();
        for (of, commitment) in self.replay.sealed() {
            kept.push((vault_key(&commitment), opening(&salt_of(&self.salt, of), &self.secrets[&of])));
        }
        if self.seed_to_publish().is_some() {
            kept.push((SEED_KEY.to_owned(), [self.seed.seed.0, self.seed.salt.0].concat()));
        }
        Written { log: self.replay.log(), events: self.events, kept }
    }

    fn write(&mut self, by: By, body: Body) -> Result<(), Problem> {
        let (log, seq) = (self.replay.log(), self.replay.events());
        let event = Event { at: time(self.at), by, log, prev: self.prev, seq, body };
        let bytes = event.to_bytes().map_err(Problem::internal)?;
        self.replay.apply(&event, &self.secrets)?;
        self.prev = Hash::of_event(&bytes);
        self.events.push(bytes);
        Ok(())
    }

    fn seal(&mut self, by: By, acted: Acted) -> Body {
        let Some(actor) = by.actor().filter(|_| !self.replay.is_open()) else { return Body::Acted(acted) };
        if self.replay.position().shown(Viewer::Public, actor, &acted.action).as_ref() == Some(&acted.action) {
            return Body::Acted(acted);
        }
        let (log, seq) = (self.replay.log(), self.replay.events());
        let commitment = seal::commitment(log, by, &salt_of(&self.salt, seq), &acted.action);
        self.secrets.insert(seq, acted.action);
        Body::Sealed(Sealed { commitment, clock_ms: acted.clock_ms })
    }

    fn reveal(&mut self, may: impl Fn(&Replay, u64) -> bool) -> Result<(), Problem> {
        let sealed: Vec<u64> = self.replay.sealed().map(|(seq, _)| seq).collect();
        for of in sealed {
            if may(&self.replay, of) {
                let content = self.secrets[&of].clone();
                let salt = salt_of(&self.salt, of);
                self.write(By::Service, Body::Revealed(Revealed { of, content, salt }))?;
            }
        }
        Ok(())
    }

    fn seed_to_publish(&self) -> Option<Seed> {
        let fairness = self.replay.created().fairness;
        fairness.filter(|_| !self.replay.is_seed_public()).map(|_| self.seed.clone())
    }
}

fn salt_of(salt: &Hash, seq: u64) -> Hash {
    Hash::of_parts(&[&salt.0, &seq.to_be_bytes()])
}

pub(super) fn time(millis: i64) -> Timestamp {
    Timestamp::from_millis(millis).expect("games are generated in this century")
}
