//! Clients that record games through all nodes at once, and write down what they are told.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use plybook_events::{Actor, Hash, LogId};
use plybook_generator::numbers::Numbers;
use plybook_rules::kinds;
use plybook_tests::http::Client;
use serde_json::{Value, json};

use super::PATIENCE;
use super::history::{Operation, Request};

pub const WRITERS: usize = 32;

/// How many games are played at once: fewer than there are writers, so that these get into each other's way.
const GAMES: usize = 20;

/// The events after which a game is left alone, if it does not end before.
const EVENTS_MAX: u64 = 300;

/// How long a node may take to answer: longer than it tries an append.
const ANSWER: Duration = Duration::from_secs(15);

const READ: &str =
    "query($g: ID!) { game(id: $g) { kind head { seq hash } outcome { reason } position { position } } }";
const CREATE: &str = "mutation($k: IdempotencyKey!, $i: CreateGame!) { \
                      done: createGame(idempotencyKey: $k, input: $i) { id head { seq hash } } }";
const ACT: &str = "mutation($k: IdempotencyKey!, $g: ID!, $s: Int!, $a: String!, $e: Int!) { \
                   done: act(idempotencyKey: $k, game: $g, seat: $s, action: $a, expectedSeq: $e) { id head { seq hash } } }";
const ROLL: &str = "mutation($k: IdempotencyKey!, $g: ID!, $e: Int!) { \
                    done: roll(idempotencyKey: $k, game: $g, expectedSeq: $e) { id head { seq hash } } }";

/// The last event of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    pub seq: u64,
    pub hash: Hash,
}

/// What a client asked for, and was told.
pub enum Told {
    /// A game, as it was shown.
    Shown { game: LogId, request: Request },
    /// Something that was to be written.
    Written(Write),
}

/// Something that was to be written.
pub struct Write {
    /// `None` if it is a game whose id the client was never told.
    pub game: Option<LogId>,
    /// What it was decided on; `None` if it begins a game.
    pub before: Option<Head>,
    /// When it was first sent.
    pub begun: Instant,
    pub outcome: Outcome,
}

pub enum Outcome {
    /// It is written. The head is that after it, if the first request was answered, and that at the time of a later answer
    /// otherwise.
    Acknowledged { at: Instant, head: Head, is_first: bool },
    /// It is not written, since the game has moved on.
    Refused { at: Instant },
    /// Nobody knows.
    Unknown,
}

/// What clients know together.
pub struct Record {
    nodes: Vec<SocketAddr>,
    pub token: String,
    /// The games that are played.
    games: Vec<Mutex<Option<LogId>>>,
    pub told: Mutex<Vec<Told>>,
    /// The highest position that any client was told.
    position: AtomicU64,
    pub acknowledged: AtomicU64,
    is_over: AtomicBool,
}

/// The refusals after which the same request can be sent again.
const LATER: [&str; 3] = ["READ_ONLY", "BEHIND", "RATE_LIMITED"];

impl Record {
    pub fn new(nodes: Vec<SocketAddr>, token: String) -> Self {
        let games = (0..GAMES).map(|_| Mutex::new(None)).collect();
        let (told, position, acknowledged, is_over) = Default::default();
        Self { nodes, token, games, told, position, acknowledged, is_over }
    }

    /// Waits until so many more writes are acknowledged.
    pub fn await_more(&self, count: u64) {
        let (begun, until) = (Instant::now(), self.acknowledged.load(Ordering::Relaxed) + count);
        while self.acknowledged.load(Ordering::Relaxed) < until {
            assert!(begun.elapsed() < PATIENCE, "writers do not go on");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// How long after `since` the first write was acknowledged that had been begun after it.
    pub fn await_write(&self, since: Instant) -> Duration {
        loop {
            let first = {
                let told = self.told.lock().unwrap();
                let acknowledged = |told: &Told| match told {
                    Told::Written(Write { begun, outcome: Outcome::Acknowledged { at, .. }, .. }) => {
                        (*begun >= since).then_some(*at)
                    }
                    _ => None,
                };
                told.iter().rev().take(5_000).filter_map(acknowledged).min()
            };
            if let Some(first) = first {
                return first - since;
            }
            assert!(since.elapsed() < PATIENCE, "writers do not go on");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// The longest time since `since` in which no write was acknowledged.
    pub fn longest_pause(&self, since: Instant) -> Duration {
        let told = self.told.lock().unwrap();
        let acknowledged = told.iter().filter_map(|told| match told {
            Told::Written(Write { outcome: Outcome::Acknowledged { at, .. }, .. }) if *at >= since => Some(*at),
            _ => None,
        });
        let mut times: Vec<Instant> = acknowledged.chain([since, Instant::now()]).collect();
        times.sort();
        times.windows(2).map(|pair| pair[1] - pair[0]).max().expect("there are two")
    }

    /// Lets writers end.
    pub fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// What a writer does until the end.
    pub fn write(&self, writer: usize) {
        let mut numbers = Numbers::new(0x5eed, "writer", writer as u64);
        let mut keys = 0;
        while !self.is_over.load(Ordering::Relaxed) {
            keys += 1;
            let key = format!("writer-{writer:02}-request-{keys}");
            let slot = &self.games[numbers.below(GAMES as u32) as usize];
            let playing = *slot.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(game) = playing else {
                let created = self.create(&key, &mut numbers);
                *slot.lock().unwrap() = created;
                continue;
            };
            let Some((head, shown)) = self.read(game, &mut numbers) else { continue };
            if shown["outcome"]["reason"].is_string() || head.seq > EVENTS_MAX {
                let mut slot = slot.lock().unwrap();
                if *slot == Some(game) {
                    *slot = None;
                }
                continue;
            }
            self.act(&key, game, head, &shown, &mut numbers);
        }
    }

    fn create(&self, key: &str, numbers: &mut Numbers) -> Option<LogId> {
        let rules = kinds()[numbers.below(kinds().len() as u32) as usize];
        let setup = rules.complete(&json!({}), &mut |n| numbers.below(n)).expect("a setup can be drawn");
        let seats = rules.start(&setup).expect("it is complete").seats();
        let input = json!({ "kind": rules.about().kind, "setup": setup, "seats": vec![json!({}); seats.into()] });
        self.change(CREATE, json!({ "k": key, "i": input }), None, numbers)
    }

    /// Reads a game from any node, which has to know everything that any client knows. Nodes that do not answer are passed over.
    fn read(&self, game: LogId, numbers: &mut Numbers) -> Option<(Head, Value)> {
        let begun = Instant::now();
        let position = self.position.load(Ordering::SeqCst);
        let answer = self.ask(position, READ, &json!({ "g": game.to_string() }), numbers)?;
        let shown = answer["data"]["game"].clone();
        let Some(head) = read_head(&shown).filter(|_| shown["position"].is_object()) else {
            let code = code(&answer);
            assert!(LATER.contains(&code), "{answer}");
            thread::sleep(Duration::from_millis(50));
            return None;
        };
        let request = Request { begun, answered: Some(Instant::now()), operation: Operation::Shown(head.hash) };
        self.told.lock().unwrap().push(Told::Shown { game, request });
        Some((head, shown))
    }

    fn act(&self, key: &str, game: LogId, head: Head, shown: &Value, numbers: &mut Numbers) {
        let rules = plybook_rules::kind(shown["kind"].as_str().expect("a game has one")).expect("it is known");
        let mut variables = json!({ "k": key, "g": game.to_string(), "e": head.seq });
        let position = rules.position(&shown["position"]["position"]).expect("administrators see all of it");
        let actors: Vec<Actor> = position.to_act().iter().collect();
        let change = match actors[numbers.below(actors.len() as u32) as usize] {
            Actor::Chance => ROLL,
            Actor::Seat(seat) => {
                variables["s"] = seat.into();
                variables["a"] = position.sample(Actor::Seat(seat), &mut |n| numbers.below(n)).into();
                ACT
            }
        };
        self.change(change, variables, Some((game, head)), numbers);
    }

    /// Sends a mutation to one node after another until its outcome is known, and returns the game that it has changed.
    fn change(
        &self,
        mutation: &str,
        variables: Value,
        before: Option<(LogId, Head)>,
        numbers: &mut Numbers,
    ) -> Option<LogId> {
        let begun = Instant::now();
        let (mut is_first, mut game) = (true, before.map(|(game, _)| game));
        // What the client has decided on is known to any node that it asks.
        let position = self.position.load(Ordering::SeqCst);
        let outcome = loop {
            let answer = self.ask(position, mutation, &variables, numbers);
            let at = Instant::now();
            if let Some(answer) = answer {
                let done = &answer["data"]["done"];
                if let Some(head) = read_head(done) {
                    game = Some(done["id"].as_str().and_then(|id| id.parse().ok()).expect("a game has an id"));
                    self.acknowledged.fetch_add(1, Ordering::Relaxed);
                    break Outcome::Acknowledged { at, head, is_first };
                }
                match code(&answer) {
                    "LOG_CONFLICT" => break Outcome::Refused { at },
                    "OUTCOME_UNKNOWN" => is_first = false,
                    later if LATER.contains(&later) => thread::sleep(Duration::from_millis(50)),
                    _ => panic!("{variables}: {answer}"),
                }
            } else {
                is_first = false;
            }
            if self.is_over.load(Ordering::Relaxed) && begun.elapsed() > PATIENCE {
                break Outcome::Unknown;
            }
        };
        let write = Write { game, before: before.map(|(_, head)| head), begun, outcome };
        self.told.lock().unwrap().push(Told::Written(write));
        game
    }

    /// Asks any node; `None` if it does not answer.
    fn ask(&self, position: u64, query: &str, variables: &Value, numbers: &mut Numbers) -> Option<Value> {
        let node = self.nodes[numbers.below(self.nodes.len() as u32) as usize];
        let body = json!({ "query": query, "variables": variables }).to_string();
        let asked = Client::connect_within(ANSWER, node)
            .and_then(|mut client| client.send_after(position, "POST", "/graphql", Some(&self.token), &body));
        // A node that was stopped believes that requests which waited for it meanwhile did not arrive in time (408).
        let Some(answer) = asked.ok().filter(|answer| answer.status != 408) else {
            thread::sleep(Duration::from_millis(50));
            return None;
        };
        self.position.fetch_max(answer.position.unwrap_or(0), Ordering::SeqCst);
        Some(serde_json::from_slice(&answer.body).expect("JSON"))
    }
}

fn read_head(game: &Value) -> Option<Head> {
    let head = &game["head"];
    Some(Head { seq: head["seq"].as_u64()?, hash: head["hash"].as_str()?.parse().ok()? })
}

fn code(answer: &Value) -> &str {
    answer["errors"][0]["extensions"]["code"].as_str().unwrap_or("none")
}
