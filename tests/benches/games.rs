//! Listing games through GraphQL, in process and on one core, with so many games in the store.
//!
//! `cargo bench -p plybook-tests --bench games -- 10000 100000`

#![expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]

mod served;
mod support;

use std::sync::Arc;
use std::time::Duration;

use async_graphql::Response;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use plybook_api::schema::{self, Schema};
use plybook_api::service::Service;
use plybook_events::body::{Created, Ended, PlayerCreated, SeatEntry};
use plybook_events::{Body, By, Decider, Event, Hash, LogId, Outcome, Timestamp};
use plybook_rules::kinds;
use plybook_store::{Append, Store};
use serde_json::{Value, json};
use support::{Runs, grouped, id, ms, timed_on_core, verdict};

/// The number of players; every game has two of them.
const PLAYERS: u64 = 200;

/// How often each list is requested.
const REQUESTS: usize = 200;

/// The most that a page of the newest games may take, however many games there are.
const NEWEST: Duration = Duration::from_millis(1);

/// The most that any page may take.
const ANY: Duration = Duration::from_millis(5);

fn main() {
    println!("| games known | page of 25 | total asked | found | p50 ms | p99 ms | goal p99 | |");
    println!("|---:|---|---|---:|---:|---:|---:|---|");
    let asked: Vec<u64> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    for games in if asked.is_empty() { vec![10_000, 100_000] } else { asked } {
        measure(games);
    }
}

/// The id of a game; later games have greater ids.
fn game(n: u64) -> LogId {
    id(1_000_000 + n)
}

/// When the minute of a game begins.
fn at(minute: u64) -> Timestamp {
    Timestamp::from_millis(1_780_000_000_000 + 60_000 * minute as i64).expect("in range")
}

fn is_running(n: u64) -> bool {
    n.is_multiple_of(3)
}

/// A store with players and this many games, one a minute, of all kinds in turn.
fn filled(games: u64) -> Store {
    let store = Store::in_memory().expect("there is memory");
    let append = |events: Vec<Event>| {
        let log = events[0].log;
        Append { log, expected: None, events: events.iter().map(|event| event.to_bytes().expect("small")).collect() }
    };
    let event = |log, prev, seq, minute, body| Event {
        at: at(minute),
        by: By::Service,
        log,
        prev,
        seq,
        body,
        who: None,
        signature: None,
    };
    let players = (0..PLAYERS).map(|n| {
        let body = Body::PlayerCreated(PlayerCreated { name: format!("Player {n}") });
        append(vec![event(id(n), Hash::ZERO, 0, 0, body)])
    });
    let setups: Vec<Value> =
        kinds().iter().map(|rules| rules.complete(&json!({}), &mut |_| 0).expect("there is a default")).collect();
    let created = |n: u64| {
        let at = (n % setups.len() as u64) as usize;
        let about = kinds()[at].about();
        let seat = |player: u64| SeatEntry { name: format!("Player {player}"), player: Some(id(player)) };
        let created = Created {
            kind: about.kind.to_owned(),
            rules: about.version.to_owned(),
            setup: setups[at].clone(),
            seats: vec![seat(n % PLAYERS), seat((n + 1 + n / PLAYERS) % PLAYERS)],
            tags: [("event".to_owned(), json!(format!("Event {}", n / 1_000)))].into_iter().collect(),
            open: about.secrets,
            ..Created::default()
        };
        let first = event(game(n), Hash::ZERO, 0, n, Body::Created(created));
        if is_running(n) {
            return append(vec![first]);
        }
        let prev = Hash::of_event(&first.to_bytes().expect("small"));
        let ended = Ended { decided_by: Decider::Arbiter, outcome: Outcome::win(vec![1], "done"), seed: None };
        append(vec![first, event(game(n), prev, 1, n, Body::Ended(ended))])
    };
    let appends: Vec<Append> = players.chain((0..games).map(created)).collect();
    for batch in appends.chunks(2_000) {
        for appended in store.log().append_many(batch) {
            appended.expect("the events are right");
        }
    }
    store
}

fn measure(games: u64) {
    let service = Service::start(filled(games)).expect("it starts");
    let schema = schema::build(Arc::clone(&service));
    let kind = kinds()[0].about().kind;
    let of_kind = games.div_ceil(kinds().len() as u64);
    let running = games.div_ceil(3);
    let player = |n: u64| n % PLAYERS == 7 || (n + 1 + n / PLAYERS) % PLAYERS == 7;
    let of_player = (0..games).filter(|n| player(*n)).count() as u64;
    let after = |n: u64| {
        let millis = 1_780_000_000_000 + 60_000 * n as i64;
        let backwards = LogId::from_bytes(game(n).to_bytes().map(|b| !b));
        format!("after: \"{}\"", BASE64.encode(format!("0.-{millis}.{backwards}")))
    };
    let filter = |filter: &str| format!("filter: {{ {filter} }}");
    let since = |n: u64| filter(&format!("since: \"{}\"", at(n)));
    let event = games.min(1_000);
    let lists = [
        ("newest first", "first: 25".to_owned(), games, true),
        ("newest first, from the middle", after(games / 2), games, true),
        ("oldest first", "orderBy: CREATED_ASC".to_owned(), games, true),
        ("newest of a kind", filter(&format!("kind: \"{kind}\"")), of_kind, false),
        ("newest running", filter("status: RUNNING"), running, false),
        ("newest of a player", filter(&format!("player: \"{}\"", id(7))), of_player, false),
        ("nothing found by tag", filter("tag: \"event=None\""), 0, false),
        ("one event, by tag", filter("tag: \"event=Event 0\""), event, false),
        ("twenty tags", filter(&format!("tags: {}", json!(vec!["event"; 20]))), games, false),
        ("last half, oldest first", format!("orderBy: CREATED_ASC, {}", since(games / 2)), games - games / 2, false),
        ("last tenth, longest first", format!("orderBy: PLY_DESC, {}", since(games - games / 10)), games / 10, false),
        ("first played first", "orderBy: PLAYED_ASC".to_owned(), games, false),
        ("longest first", "orderBy: PLY_DESC".to_owned(), games, false),
        ("last finished first", "orderBy: FINISHED_DESC".to_owned(), games, false),
        (
            "last finished of a kind",
            format!("orderBy: FINISHED_DESC, {}", filter(&format!("kind: \"{kind}\""))),
            of_kind,
            false,
        ),
    ];
    for (name, arguments, found, is_newest) in lists {
        for is_counted in [false, true] {
            let total = if is_counted { "totalCount" } else { "" };
            let fields = "id kind status createdAt ply seats { number name result } outcome { winners reason }";
            let info = "pageInfo { hasNextPage hasPreviousPage endCursor }";
            let query = format!("{{ games({arguments}) {{ {total} {info} nodes {{ {fields} }} }} }}");
            let expected = is_counted.then_some(found);
            let runs = ask(&schema, &query, found, expected);
            let (goal, most) = if is_newest { ("1 ms", NEWEST) } else { ("5 ms", ANY) };
            let met = verdict(runs.at(99.0) <= most);
            println!(
                "| {} | {name} | {} | {} | {} | {} | {goal} | {met} |",
                grouped(games as f64),
                if is_counted { "yes" } else { "no" },
                grouped(found as f64),
                ms(runs.at(50.0)),
                ms(runs.at(99.0))
            );
        }
    }
}

/// Requests a list again and again; a page and the total must match the games created.
fn ask(schema: &Schema, query: &str, found: u64, total: Option<u64>) -> Runs {
    let took = (0..REQUESTS).map(|_| {
        let mut answer = (Vec::new(), Response::default());
        let took = timed_on_core(|| answer = served::answer(schema, query));
        let (bytes, response) = answer;
        assert!(response.errors.is_empty() && !bytes.is_empty(), "{:?}", response.errors);
        let games = response.data.into_json().expect("an answer is JSON")["games"].take();
        assert_eq!(games["nodes"].as_array().map(Vec::len), Some(found.min(25) as usize));
        assert_eq!(games["totalCount"].as_u64(), total, "{query}");
        assert_eq!(games["pageInfo"]["hasNextPage"], found > 25);
        took
    });
    Runs::from(took.collect())
}
