//! Rates all games from scratch, as at every start, and again after a change.
//!
//! `cargo bench -p plybook-tests --bench ratings`

use std::sync::Arc;
use std::time::{Duration, Instant};

use plybook_events::body::{Acted, Corrected, Created, Ended, PlayerCreated, SeatEntry};
use plybook_events::{Body, By, Decider, Event, Hash, LogId, Outcome, Timestamp};
use plybook_models::{Catalogue, Ratings};
use plybook_rules::kinds;
use plybook_store::{Append, Store};
use serde_json::json;

/// The number of players; every game has at least two of them.
const PLAYERS: u64 = 1_000;

/// The number of games, of all kinds in turn.
const GAMES: u64 = 100_000;

/// The most CPU time that rating all of them may take.
const GOAL: Duration = Duration::from_secs(5);

fn id(n: u64) -> LogId {
    LogId::from_bytes(u128::from(n).to_be_bytes())
}

fn event(log: LogId, prev: Hash, seq: u64, minute: u64, body: Body) -> Event {
    let at = Timestamp::from_millis(1_780_000_000_000 + 60_000 * minute as i64).expect("in range");
    Event { at, by: By::Service, log, prev, seq, body, who: None, signature: None, request: None }
}

fn append(events: &[Event]) -> Append {
    let bytes = events.iter().map(|event| event.to_bytes().expect("small")).collect();
    Append { log: events[0].log, expected: None, events: bytes }
}

fn player(n: u64) -> Append {
    let body = Body::PlayerCreated(PlayerCreated { name: format!("Player {n}") });
    append(&[event(id(n), Hash::ZERO, 0, 0, body)])
}

/// A game that ended an hour after it began. Stronger players have lower numbers.
fn game(n: u64) -> [Event; 3] {
    let rules = kinds()[(n % kinds().len() as u64) as usize];
    let setup = rules.complete(&json!({}), &mut |_| 0).expect("there is a default");
    let seats = u64::from(rules.start(&setup).expect("it is complete").seats());
    let first = n.wrapping_mul(7_919) % PLAYERS;
    let players: Vec<u64> = (0..seats).map(|seat| (first + seat * (1 + n % 61)) % PLAYERS).collect();
    let best = (1..).zip(&players).min_by_key(|(seat, player)| (**player + 300 * ((n + seat) % 3), *seat));
    let winner = best.map_or(1, |(seat, _)| seat as u8);
    let seat = |player: &u64| SeatEntry { name: format!("Player {player}"), player: Some(id(*player)) };
    let about = rules.about();
    let created = Created {
        kind: about.kind.to_owned(),
        rules: about.version.to_owned(),
        setup,
        seats: players.iter().map(seat).collect(),
        open: about.secrets,
        ..Created::default()
    };
    let log = id(1_000_000 + n);
    let created = event(log, Hash::ZERO, 0, n, Body::Created(created));
    let hash = |event: &Event| Hash::of_event(&event.to_bytes().expect("small"));
    // Nothing is folded here: any action will do.
    let acted = Acted { action: "a1".to_owned(), clock_ms: None, fair: false };
    let acted = event(log, hash(&created), 1, n, Body::Acted(acted));
    let prev = hash(&acted);
    let ended = Ended { decided_by: Decider::Arbiter, outcome: Outcome::win(vec![winner], "done"), seed: None };
    [created, acted, event(log, prev, 2, n + 60, Body::Ended(ended))]
}

/// How long some work took: in CPU time of the process, and by the clock.
#[derive(Clone, Copy)]
struct Took {
    cpu: Duration,
    clock: Duration,
}

impl Took {
    fn tell(self, name: &str, goal: Option<Duration>) {
        let verdict = goal.map_or(String::new(), |goal| {
            format!("{:.0} ms, {}", goal.as_secs_f64() * 1e3, if self.cpu <= goal { "met" } else { "LOST" })
        });
        println!(
            "| {name} | {:.1} | {:.1} | {verdict} |",
            self.cpu.as_secs_f64() * 1e3,
            self.clock.as_secs_f64() * 1e3
        );
    }
}

fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Took) {
    let (began, cpu) = (Instant::now(), cpu_time());
    let made = work();
    (made, Took { cpu: cpu_time() - cpu, clock: began.elapsed() })
}

/// Waits until ratings have followed the journal.
fn wait(ratings: &Ratings) {
    while ratings.pending() > 0 {
        ratings.wait();
    }
}

/// Rates everything, as at a start.
fn ratings(store: &Store, catalogue: &Arc<Catalogue>) -> (Ratings, Took) {
    timed(|| {
        let ratings = Ratings::open(store, catalogue).unwrap();
        wait(&ratings);
        ratings
    })
}

fn main() {
    let store = Store::in_memory().expect("there is memory");
    let appends: Vec<Append> = (0..PLAYERS).map(player).chain((0..GAMES).map(|n| append(&game(n)))).collect();
    for batch in appends.chunks(2_000) {
        for appended in store.log().append_many(batch) {
            appended.expect("the events are right");
        }
    }
    let catalogue = Catalogue::open(&store).expect("it can be read");
    println!("| {GAMES} games of {PLAYERS} players | CPU ms | ms by the clock | goal |\n|---|---:|---:|---|");
    let (followed, took) = ratings(&store, &catalogue);
    took.tell("all games rated, as at a start", Some(GOAL));
    for (name, n) in [("the newest game corrected", GAMES - 1), ("the oldest game of a kind corrected", 0)] {
        let [created, _, ended] = game(n);
        let head = store.log().head(created.log).expect("it is there");
        let outcome = Outcome::draw("corrected");
        let body = Body::Corrected(Corrected { outcome, reason: "a slip".to_owned() });
        let at = event(ended.log, head.hash(), 3, GAMES + n, body).to_bytes().expect("small");
        let ((), took) = timed(|| {
            store.log().append(ended.log, Some(&head), vec![at]).expect("it follows");
            wait(&followed);
        });
        took.tell(name, None);
    }
    let (fresh, _) = ratings(&store, &catalogue);
    for rules in kinds() {
        let kind = rules.about().kind;
        let [one, other] = [&followed, &fresh].map(|ratings| ratings.ranking(kind));
        assert!(!one.is_empty() && one == other, "{kind}: what was followed is what is rated anew");
    }
}
