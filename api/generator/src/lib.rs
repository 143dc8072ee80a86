//! Generated games: any number of them, of all kinds, played and ended in many ways. They serve for
//! benchmarks and tests; the same plan always yields the same bytes.

mod error;
mod given;
pub mod numbers;
mod play;
mod setups;

use std::sync::mpsc;
use std::thread;

use plybook_events::body::{Created, PlayerCreated, SeatEntry, Seed};
use plybook_events::{Body, By, Event, Hash, LogId};
use plybook_rules::log::{Draft, FinishedDraft};
use plybook_rules::{Rules, kinds};
use plybook_store::{Append, Store};
use rayon::prelude::*;
use serde_json::{Map, Value, json};

pub use self::error::GeneratorError;
use self::given::{PlannedSource, time};
use self::numbers::{Numbers, derived};
use self::play::Style;

/// The players' names: every first name with every last name.
const FIRST: [&str; 20] = [
    "Ada", "Bela", "Chiara", "Deniz", "Eun-ji", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kavya", "Leila", "Mateo",
    "Noor", "Oskar", "Paula", "Rahel", "Sanna", "Tariq", "Uma",
];
const LAST: [&str; 10] =
    ["Brandt", "Castellanos", "Ferreira", "Haddad", "Lindqvist", "Moreau", "Novak", "Okafor", "Park", "Weber"];

/// The number of players.
pub const PLAYERS: u64 = FIRST.len() as u64 * LAST.len() as u64;

/// 2023-11-01T00:00:00Z, when the players are registered. The first game follows an hour later.
const START_MS: i64 = 1_698_796_800_000;

/// The time from the first game to the last, in milliseconds: three years.
const SPAN_MS: i64 = 3 * 365 * 86_400_000;

/// How many consecutive games a tournament spans.
const GAMES_OF_EVENT: u64 = 200;

/// How many logs are written at once.
const BATCH: u64 = 512;

/// What to generate.
pub struct Plan {
    games: u64,
    seed: u64,
    /// The kinds, which take turns, each with its setups.
    kinds: Vec<(&'static dyn Rules, Vec<Value>)>,
}

/// A generated log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedLog {
    /// Its id.
    pub log: LogId,
    /// The exact bytes of its events.
    pub events: Vec<Vec<u8>>,
    /// What is still secret, as the vault stores it: keys and values.
    pub kept: Vec<(String, Vec<u8>)>,
}

impl Plan {
    /// A plan for this many games, of one kind or of all kinds in turn.
    pub fn new(games: u64, seed: u64, kind: Option<&'static dyn Rules>) -> Self {
        let all = kind.map_or_else(|| kinds().to_vec(), |rules| vec![rules]);
        Self { games, seed, kinds: all.into_iter().map(|rules| (rules, setups::setups(rules))).collect() }
    }

    /// The log of player `n`, counted from 0.
    ///
    /// # Errors
    /// The log cannot be drafted; not known to happen.
    pub fn player(&self, n: u64) -> Result<GeneratedLog, GeneratorError> {
        let log = self.player_id(n);
        let body = Body::PlayerCreated(PlayerCreated { name: player_name(n) });
        let event = Event {
            at: time(START_MS),
            by: By::Service,
            log,
            prev: Hash::ZERO,
            seq: 0,
            body,
            who: None,
            signature: None,
            request: None,
        };
        Ok(GeneratedLog { log, events: vec![event.to_bytes()?], kept: Vec::new() })
    }

    /// The log of game `n`, counted from 0. Later games have later times and greater ids.
    ///
    /// # Errors
    /// The rules refuse an action that they listed as legal.
    pub fn game(&self, n: u64) -> Result<GeneratedLog, GeneratorError> {
        let mut numbers = Numbers::new(self.seed, "game", n);
        let (rules, setups) = &self.kinds[(n % self.kinds.len() as u64) as usize];
        let setup = setups[numbers.skewed(setups.len())].clone();
        let between = SPAN_MS / self.games.max(1) as i64;
        let late = numbers.below(u32::try_from(between / 2).unwrap_or(u32::MAX).max(1));
        let at = START_MS + 3_600_000 + n as i64 * between + i64::from(late);
        let seats = usize::from(rules.start(&setup)?.seats());
        let event = n / GAMES_OF_EVENT;
        let of_event = (n % GAMES_OF_EVENT) as u32;
        let is_tournament = numbers.happens(60);
        let created = Created {
            kind: rules.about().kind.to_owned(),
            setup,
            seats: self.seats(seats, &mut numbers),
            tournament: is_tournament.then(|| self.id("tournament", event, START_MS)),
            round: is_tournament.then_some(of_event / 40 + 1),
            table: is_tournament.then_some(of_event % 40 + 1),
            tags: tags(event, &mut numbers),
            open: rules.about().secrets && numbers.happens(75),
            ..Created::default()
        };
        let seed = Seed { seed: derived(self.seed, "seed", n), salt: derived(self.seed, "salt", n) };
        let log = self.id("game", n, at);
        let mut game = Draft::create(PlannedSource::new(at, &seed.salt), log, created, &seed)?;
        Style::draw(&mut numbers).play(&mut game, &mut numbers)?;
        let FinishedDraft { events, kept, .. } = game.finish();
        Ok(GeneratedLog { log, events, kept: kept.into_iter().collect() })
    }

    /// How many of the plan's games a store holds: the first ones, and nothing else. `None` if it holds
    /// anything else. Logs are written in the order of the plan, so a filling that was stopped leaves the first.
    ///
    /// # Errors
    /// As for [`game`](Self::game).
    pub fn filled(&self, store: &Store) -> Result<Option<u64>, GeneratorError> {
        let log = store.log();
        let logs = log.logs_len() as u64;
        let players = logs.min(PLAYERS);
        let games = logs - players;
        let is_there = |written: &GeneratedLog| {
            let head = log.head(written.log).map(|head| (head.seq(), head.hash()));
            head == written.events.last().map(|last| (written.events.len() as u64 - 1, Hash::of_event(last)))
        };
        let mut is_own = games <= self.games && (0..players).all(|n| log.head(self.player_id(n)).is_some());
        for n in [0, games / 2, games.saturating_sub(1)].into_iter().filter(|n| *n < games) {
            is_own = is_own && is_there(&self.game(n)?);
        }
        Ok(is_own.then_some(games))
    }

    /// Writes everything from game `first` on to a store that holds the games before it, using all cores.
    /// `progress` is called with the number of games written. Returns the number of events written.
    ///
    /// # Errors
    /// Nothing can be written.
    pub fn fill(&self, store: &Store, first: u64, progress: &mut dyn FnMut(u64)) -> Result<u64, GeneratorError> {
        // What is there already is not written twice.
        let players: Result<Vec<GeneratedLog>, GeneratorError> = (0..PLAYERS).map(|n| self.player(n)).collect();
        let mut events = write(store, players?)?;
        let (send, made) = mpsc::sync_channel(2);
        thread::scope(|scope| {
            scope.spawn(move || {
                let mut first = first;
                while first < self.games {
                    let batch = first..self.games.min(first + BATCH);
                    first += BATCH;
                    let games: Result<Vec<GeneratedLog>, GeneratorError> =
                        batch.into_par_iter().map(|n| self.game(n)).collect();
                    // The receiver is gone once a write has failed.
                    if send.send(games).is_err() {
                        return;
                    }
                }
            });
            for games in made {
                let games = games?;
                let count = games.len() as u64;
                events += write(store, games)?;
                progress(count);
            }
            Ok(events)
        })
    }

    /// The id of player `n`, counted from 0.
    pub fn player_id(&self, n: u64) -> LogId {
        self.id("player", n, START_MS)
    }

    /// A version 7 id with this time.
    fn id(&self, what: &str, n: u64, at: i64) -> LogId {
        let mut bytes: [u8; 16] = *derived(self.seed, what, n).0.first_chunk().expect("a hash is longer");
        bytes[..6].copy_from_slice(&at.to_be_bytes()[2..]);
        bytes[6] = bytes[6] & 0x0f | 0x70;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        LogId::from_bytes(bytes)
    }

    /// Picks different players, some more often than others, and now and then a guest who is not registered.
    fn seats(&self, seats: usize, numbers: &mut Numbers) -> Vec<SeatEntry> {
        let mut players: Vec<u64> = Vec::new();
        while players.len() < seats {
            let player = numbers.skewed(PLAYERS as usize) as u64;
            if !players.contains(&player) {
                players.push(player);
            }
        }
        let seat = |(index, player): (usize, u64)| {
            if numbers.happens(3) {
                return SeatEntry { name: format!("Guest {}", index + 1), player: None };
            }
            SeatEntry { name: player_name(player), player: Some(self.player_id(player)) }
        };
        players.into_iter().enumerate().map(seat).collect()
    }
}

fn player_name(n: u64) -> String {
    let (first, last) = (n as usize % FIRST.len(), n as usize / FIRST.len() % LAST.len());
    format!("{} {}", FIRST[first], LAST[last])
}

fn tags(event: u64, numbers: &mut Numbers) -> Map<String, Value> {
    let mut tags = Map::new();
    tags.insert("event".to_owned(), json!(format!("Open {}", event + 1)));
    if numbers.happens(30) {
        tags.insert("venue".to_owned(), json!(["Hall A", "Hall B", "Hall C"][numbers.below(3) as usize]));
    }
    tags
}

/// Appends whole logs in one batch and returns the number of their events.
fn write(store: &Store, logs: Vec<GeneratedLog>) -> Result<u64, GeneratorError> {
    let kept = logs.iter().flat_map(|log| log.kept.iter().map(|(key, value)| (log.log, key.as_str(), &value[..])));
    store.vault().put_all(&kept.collect::<Vec<_>>())?;
    let append = |written: GeneratedLog| Append { log: written.log, expected: None, events: written.events };
    let appends: Vec<Append> = logs.into_iter().map(append).collect();
    let mut events = 0;
    for (append, appended) in appends.iter().zip(store.log().append_many(&appends)) {
        appended?;
        events += append.events.len() as u64;
    }
    Ok(events)
}
