//! Actions through the whole service: GraphQL `act` in one game and in 64 at once, in process and over HTTP, compared
//! with appending the same events to the bare log on the same disk in the same run. Also the cost of an action in a long
//! game.
//!
//! `cargo bench -p plybook-tests --bench write`; `PLYBOOK_BENCH_DIR` selects the disk.

#![expect(clippy::cast_precision_loss, reason = "counts are far below 2^52")]

mod served;
mod support;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use async_graphql::{Request, Variables};
use plybook_api::access::Caller;
use plybook_api::schema;
use plybook_api::service::Service;
use plybook_events::LogId;
use plybook_rules::log::Command;
use plybook_rules::{Rules, kind, kinds};
use plybook_store::{EventBytes, Options, Store};
use plybook_tests::http::Client;
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;
use support::{Game, Runs, grouped, id, long_game, ms, timed, timed_on_core, verdict};

/// How many games at once, and in how many rounds: they take turns, and the medians count.
const GAMES: [(u64, usize); 2] = [(1, 15), (64, 3)];

/// The number of actions in each game.
const ACTIONS: usize = 300;

/// The plies at which an action is measured.
const PLIES: [usize; 3] = [20, 500, 2_000];

/// What clients send: the same text for every action.
const ACT: &str = "mutation($game: ID!, $action: String!) { act(game: $game, action: $action) { ply } }";

/// The most that copying the replay for a command may cost.
const GOAL: Duration = Duration::from_micros(50);

fn main() {
    let dir = std::env::var_os("PLYBOOK_BENCH_DIR").map_or_else(std::env::temp_dir, PathBuf::from);
    let dir = tempfile::tempdir_in(dir).expect("a folder to work in");
    println!("One action in a game of so many plies, journal in memory\n");
    println!("| kind | plies | copying the replay, median ms | whole command, median ms | goal of copying | |");
    println!("|---|---:|---:|---:|---:|---|");
    for rules in kinds() {
        one(*rules);
    }
    println!("\nGames at once, an action an append, durable; clients included in the CPU time\n");
    println!("| games | what | actions | actions/s | of the bare log | CPU time of one, ms |");
    println!("|---:|---|---:|---:|---:|---:|");
    for (games, rounds) in GAMES {
        many(&dir.path().join(games.to_string()), games, rounds);
    }
}

fn one(rules: &'static dyn Rules) {
    let about = rules.about();
    let game = long_game(rules, 3, PLIES[2] + 20);
    for plies in PLIES {
        if game.actions.len() < plies + 20 {
            println!("| {} | {plies} | – | – | – | it does not last so long |", about.kind);
            continue;
        }
        let store = Store::in_memory().expect("there is memory");
        let (setup, last) = (game.setup.clone(), game.last.boxed());
        let short = Game { rules, setup, actions: game.actions[..plies].to_vec(), last };
        let mut lines = short.log(id(1)).1;
        lines.truncate(plies + 1);
        store.log().append(id(1), None, lines).expect("the log is whole");
        let service = Service::start(store).expect("it starts");
        let live = service.game(id(1)).expect("it is there");
        let replay = live.replay();
        assert_eq!(replay.mainline().len(), plies);
        let copies: Vec<Duration> = (0..200)
            .map(|_| {
                let mut copy = None;
                let took = timed_on_core(|| copy = Some((*replay).clone()));
                assert_eq!(copy.expect("it was made").mainline().len(), plies);
                took
            })
            .collect();
        let commands: Vec<Duration> = game.actions[plies..plies + 20]
            .iter()
            .map(|(actor, action)| {
                let act = Command::Act { actor: *actor, action: action.clone(), clock_ms: None };
                timed(|| service.command(&live, &[act], None).expect("it was played"))
            })
            .collect();
        assert_eq!(live.replay().mainline().len(), plies + 20);
        let (copies, commands) = (Runs::from(copies), Runs::from(commands));
        let (copy, command) = (copies.at(50.0), commands.at(50.0));
        println!("| {} | {plies} | {} | {} | 0.050 | {} |", about.kind, ms(copy), ms(command), verdict(copy <= GOAL));
    }
}

/// What one way of playing the games took: the time, and the time on the cores.
type Took = [Duration; 2];

fn many(dir: &Path, games: u64, rounds: usize) {
    let rules = kind("triangulate").expect("it is registered");
    let games: Vec<Game> = (0..games).map(|seed| long_game(rules, seed, ACTIONS)).collect();
    assert!(games.iter().all(|game| game.actions.len() == ACTIONS));
    let actions = games.len() * ACTIONS;
    let mut took: [(&str, Vec<Took>); 5] = [
        ("GraphQL act, over HTTP", Vec::new()),
        ("GraphQL act, in process", Vec::new()),
        ("the same, a new text each time", Vec::new()),
        ("service, without GraphQL", Vec::new()),
        ("bare log, the same events", Vec::new()),
    ];
    for round in 0..rounds {
        let dir = |way: &str| dir.join(format!("{round}-{way}"));
        let known = |variables, _| Request::new(ACT).variables(Variables::from_json(variables));
        took[0].1.push(over_http(&dir("http"), &games));
        let (in_process, logs) = graphql(&dir("process"), &games, known);
        took[1].1.push(in_process);
        took[2].1.push(graphql(&dir("texts"), &games, |_, text| Request::new(text)).0);
        took[3].1.push(commands(&dir("commands"), &games));
        took[4].1.push(bare(&dir("bare"), &logs));
    }
    let median = |took: &[Took], of: usize| Runs::from(took.iter().map(|took| took[of]).collect()).at(50.0);
    let bare = median(&took[4].1, 0);
    for (what, took) in &took {
        let (time, cpu) = (median(took, 0), median(took, 1) / actions as u32);
        let rate = actions as f64 / time.as_secs_f64();
        let share = 100.0 * bare.as_secs_f64() / time.as_secs_f64();
        println!("| {} | {what} | {actions} | {} | {share:.0} % | {} |", games.len(), grouped(rate), ms(cpu));
    }
}

/// A service in a directory, with the games created.
fn begun(dir: &Path, games: &[Game]) -> Arc<Service> {
    let store = Store::open(dir, &Options::default(), &mut |_, _| ()).expect("it opens");
    for (n, game) in games.iter().enumerate() {
        let first = game.log(id(n as u64)).1.swap_remove(0);
        store.log().append(id(n as u64), None, vec![first]).expect("it is right");
    }
    Service::start(store).expect("it starts")
}

/// Plays the games through GraphQL, a game in each of as many threads as the lane for mutations has; returns the time
/// and the logs. A request is made of the variables, or of a text that has them in it.
fn graphql(
    dir: &Path,
    games: &[Game],
    request: impl Fn(serde_json::Value, String) -> Request + Sync,
) -> (Took, Vec<(LogId, Vec<EventBytes>)>) {
    let service = begun(dir, games);
    let schema = schema::build(Arc::clone(&service));
    let took = race(games.len(), |n| {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime starts");
        let game = id(n as u64);
        for (done, (_, action)) in games[n].actions.iter().enumerate() {
            let text = format!("mutation {{ act(game: \"{game}\", action: \"{action}\") {{ ply }} }}");
            let request = request(json!({ "game": game, "action": action }), text).data(Caller::ADMIN);
            let response = runtime.block_on(schema.execute(request));
            assert!(response.errors.is_empty(), "{:?}", response.errors);
            assert_eq!(response.data.into_json().expect("JSON")["act"]["ply"], done + 1);
        }
    });
    let logs = (0..games.len() as u64).map(|n| (id(n), service.log().read(id(n), 0).expect("it is read"))).collect();
    service.close();
    (took, logs)
}

/// Plays the games over HTTP, each on a connection of its own and with a token of its own.
fn over_http(dir: &Path, games: &[Game]) -> Took {
    let service = begun(dir, games);
    let server = served::start(schema::build(Arc::clone(&service)), |_| ());
    let took = race(games.len(), |n| {
        let mut client = Client::connect(server).expect("the server listens");
        let token = n.to_string();
        for (done, (_, action)) in games[n].actions.iter().enumerate() {
            let body = json!({ "query": ACT, "variables": { "game": id(n as u64), "action": action } }).to_string();
            let response = client.send("POST", "/graphql", Some(&token), &body).expect("the server answers");
            let answer: serde_json::Value = serde_json::from_slice(&response.body).expect("JSON");
            assert_eq!(answer["data"]["act"]["ply"], done + 1, "{answer}");
        }
    });
    service.close();
    took
}

/// Plays the games by commands of the service, one thread per game.
fn commands(dir: &Path, games: &[Game]) -> Took {
    let service = begun(dir, games);
    let took = race(games.len(), |n| {
        let live = service.game(id(n as u64)).expect("it is there");
        for (actor, action) in &games[n].actions {
            let act = Command::Act { actor: *actor, action: action.clone(), clock_ms: None };
            service.command(&live, &[act], None).expect("it was played");
        }
        assert_eq!(live.replay().mainline().len(), ACTIONS);
    });
    service.close();
    took
}

/// Appends the same events to a log and does nothing else.
fn bare(dir: &Path, logs: &[(LogId, Vec<EventBytes>)]) -> Took {
    let store = Store::open(dir, &Options::default(), &mut |_, _| ()).expect("it opens");
    let first = |(id, lines): &(LogId, Vec<EventBytes>)| {
        store.log().append(*id, None, vec![lines[0].to_vec()]).expect("it is right").head
    };
    let heads: Vec<_> = logs.iter().map(first).collect();
    race(logs.len(), |n| {
        let (id, lines) = &logs[n];
        let mut head = heads[n];
        for line in &lines[1..=ACTIONS] {
            head = store.log().append(*id, Some(&head), vec![line.to_vec()]).expect("it is right").head;
        }
        assert_eq!(head.seq(), ACTIONS as u64);
    })
}

/// What this many threads take that start at once.
fn race(threads: usize, work: impl Fn(usize) + Sync) -> Took {
    let start = Barrier::new(threads + 1);
    let began = std::thread::scope(|scope| {
        for n in 0..threads {
            let (start, work) = (&start, &work);
            scope.spawn(move || {
                start.wait();
                work(n);
            });
        }
        start.wait();
        (Instant::now(), cpu_of_process())
    });
    [began.0.elapsed(), cpu_of_process() - began.1]
}

fn cpu_of_process() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
