//! A random position of a game of 2,000 events through GraphQL: in process, and over HTTP compared with a
//! bare actix handler that returns the same bytes in the same run. Over HTTP, every request is sent both in a form
//! that nobody has sent before, so that it is executed, and in one that has been asked before.
//!
//! `cargo bench -p plybook-tests --bench position`; `PLYBOOK_BENCH_DIR` selects the disk.

#![expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]

mod served;
mod support;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::web;
use plybook_api::schema::{self, Schema};
use plybook_api::service::Service;
use plybook_events::LogId;
use plybook_rules::log::{Replay, Secrets};
use plybook_rules::{Rules, Viewer, kinds};
use plybook_store::{Options, Store};
use plybook_tests::http::Client;
use support::{Runs, draw, grouped, id, long_game, ms, timed, timed_on_core, verdict};

/// The plies of a game, if its rules let it last that long: with `created`, 2,000 events.
const PLIES: usize = 1_999;

/// The number of requests timed one by one.
const REQUESTS: usize = 2_000;

/// The number of games of each kind that are requested once, before they are in memory.
const COLD: u64 = 100;

/// The number of clients at once, and of each one's requests, for requests per second.
const CLIENTS: usize = 4;

/// The most that 99 of 100 requests may take.
const GOAL: Duration = Duration::from_millis(10);

/// The same, of requests for games that are not in memory.
const COLD_GOAL: Duration = Duration::from_millis(5);

/// The requests: the position alone, and what the viewer requests.
const SELECTIONS: [(&str, &str); 2] = [
    ("position", "ply position toAct"),
    (
        "all that is drawn",
        "ply positionKey toAct prompts { seat kind description schema example dice { seat dice } } scene text",
    ),
];

/// A game that is served, and the expected answers.
struct ServedGame {
    id: LogId,
    selection: &'static str,
    /// The bytes of the answer at each ply.
    answers: Vec<Vec<u8>>,
}

fn main() {
    let dir = std::env::var_os("PLYBOOK_BENCH_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let dir = tempfile::tempdir_in(dir).expect("a folder to work in");
    println!("| kind | events | asked | how | bytes | p50 ms | p99 ms | max ms | goal p99 | |");
    println!("|---|---:|---|---|---:|---:|---:|---:|---:|---|");
    let mut rates = Vec::new();
    for (n, rules) in kinds().iter().enumerate() {
        measure(*rules, &dir.path().join(rules.about().kind), 1_000 * n as u64, &mut rates);
    }
    println!("\n{CLIENTS} clients at once over HTTP, all on this machine\n");
    println!("| kind | asked | requests/s | bare actix handler, same bytes | share |");
    println!("|---|---|---:|---:|---:|");
    for (kind, name, [served, bare]) in rates {
        let share = 100.0 * served / bare;
        let [served, bare] = [served, bare].map(grouped);
        println!("| {kind} | {name} | {served} | {bare} | {share:.0} % |");
    }
}

fn measure(rules: &'static dyn Rules, dir: &Path, first_id: u64, rates: &mut Vec<(&str, &str, [f64; 2])>) {
    let kind = rules.about().kind;
    let longest = (0..5).map(|seed| long_game(rules, seed, PLIES)).max_by_key(|game| game.actions.len());
    let game = longest.expect("there are five");
    let store = Store::open(dir, &Options::default(), &mut |_, _| ()).expect("it opens");
    let (events, _) = game.log(id(first_id));
    for n in 0..=COLD {
        let id = id(first_id + n);
        store.log().append(id, None, game.log(id).1).expect("the log is whole");
    }
    let service = Service::start(store).expect("it starts");
    let schema = schema::build(Arc::clone(&service));
    let replay = Replay::fold(&events, &Secrets::new()).expect("it was played");
    for (name, selection) in SELECTIONS {
        let asked = ServedGame { id: id(first_id), selection, answers: Vec::new() };
        let asked = ServedGame { answers: answers(&schema, &asked, &replay), ..asked };
        let bytes = asked.answers.iter().map(Vec::len).sum::<usize>() / asked.answers.len();
        let print = |how: &str, took: Vec<Duration>| {
            let (runs, events) = (Runs::from(took), events.len());
            let goal = if how.ends_with("not in memory") { COLD_GOAL } else { GOAL };
            let met = if how.starts_with("bare") { "–" } else { verdict(runs.at(99.0) <= goal) };
            let [half, most, all] = [50.0, 99.0, 100.0].map(|percent| ms(runs.at(percent)));
            println!(
                "| {kind} | {events} | {name} | {how} | {bytes} | {half} | {most} | {all} | {} ms | {met} |",
                goal.as_millis()
            );
        };
        print("in process, on one core", in_process(&schema, &asked));
        let graphql = served::start(schema.clone(), |_| ());
        let bare = bare(&asked.answers);
        let mut took = [Vec::new(), Vec::new()];
        // They take turns.
        let (mut client, mut bare_client, mut draw) = (connect(graphql), connect(bare), draw(1));
        for _ in 0..REQUESTS {
            let ply = draw(asked.answers.len() as u32) as usize;
            took[0].push(timed(|| asked.ask(&mut client, "/graphql", ply)));
            took[1].push(timed(|| asked.ask(&mut bare_client, &format!("/{ply}"), ply)));
        }
        let [took_http, took_bare] = took;
        print("HTTP", took_http);
        print("bare actix handler", took_bare);
        if name == SELECTIONS[0].0 {
            let cold = (1..=COLD).map(|n| {
                let asked = ServedGame { id: id(first_id + n), answers: asked.answers.clone(), ..asked };
                let ply = draw(asked.answers.len() as u32) as usize;
                timed(|| asked.ask(&mut client, "/graphql", ply))
            });
            print("HTTP, game not in memory", cold.collect());
        }
        let served = rate(|client, ply| asked.ask(client, "/graphql", ply), graphql, &asked);
        let bare = rate(|client, ply| asked.ask(client, &format!("/{ply}"), ply), bare, &asked);
        rates.push((kind, name, [served, bare]));
    }
}

impl ServedGame {
    fn query(&self, ply: usize) -> String {
        format!("{{ game(id: \"{}\") {{ position(ply: {ply}) {{ {} }} }} }}", self.id, self.selection)
    }

    /// Requests a ply and compares the answer with the expected one.
    fn ask(&self, client: &mut Client, path: &str, ply: usize) {
        self.send(client, path, ply, serde_json::json!({ "query": self.query(ply) }));
    }

    fn send(&self, client: &mut Client, path: &str, ply: usize, body: serde_json::Value) {
        let body = body.to_string();
        let response = client.send("POST", path, None, &body).expect("the server answers");
        assert!(response.status == 200 && response.body == self.answers[ply], "ply {ply}");
    }
}

fn connect(addr: SocketAddr) -> Client {
    Client::connect(addr).expect("the server listens")
}

/// The answers at all plies, compared with a separate replay.
fn answers(schema: &Schema, asked: &ServedGame, replay: &Replay) -> Vec<Vec<u8>> {
    let viewer = if replay.is_open() { Viewer::All } else { Viewer::Public };
    let answer = |ply| {
        let (bytes, response) = served::answer(schema, &asked.query(ply));
        let data = response.data.into_json().expect("an answer is JSON");
        let position = replay.position_at(ply).expect("the ply exists");
        if asked.selection == SELECTIONS[0].1 {
            assert_eq!(data["game"]["position"]["position"], position.to_json(viewer));
        } else {
            assert_eq!(data["game"]["position"]["positionKey"], position.key(viewer).to_string());
        }
        bytes
    };
    (0..=replay.mainline().len()).map(answer).collect()
}

fn in_process(schema: &Schema, asked: &ServedGame) -> Vec<Duration> {
    let mut draw = draw(2);
    let took = (0..REQUESTS).map(|_| {
        let ply = draw(asked.answers.len() as u32) as usize;
        let (query, mut bytes) = (asked.query(ply), Vec::new());
        let took = timed_on_core(|| bytes = served::answer(schema, &query).0);
        assert!(bytes == asked.answers[ply], "ply {ply}");
        took
    });
    took.collect()
}

/// A server that returns the same bytes and does nothing else.
fn bare(answers: &[Vec<u8>]) -> SocketAddr {
    let answers: Arc<Vec<web::Bytes>> = Arc::new(answers.iter().map(|answer| answer.clone().into()).collect());
    served::start_bare(move |config| {
        let answers = Arc::clone(&answers);
        let answer = move |ply: web::Path<usize>, _request: web::Bytes| {
            let answer = answers[*ply].clone();
            async move { answer }
        };
        config.route("/{ply}", web::post().to(answer));
    })
}

/// Requests per second of several clients at once.
fn rate(ask: impl Fn(&mut Client, usize) + Sync, addr: SocketAddr, asked: &ServedGame) -> f64 {
    let begun = Instant::now();
    std::thread::scope(|scope| {
        for n in 0..CLIENTS {
            let ask = &ask;
            scope.spawn(move || {
                let (mut client, mut draw) = (connect(addr), draw(n as u64));
                for _ in 0..REQUESTS {
                    let ply = draw(asked.answers.len() as u32) as usize;
                    ask(&mut client, ply);
                }
            });
        }
    });
    (CLIENTS * REQUESTS) as f64 / begun.elapsed().as_secs_f64()
}
