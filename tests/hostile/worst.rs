//! The worst case known to the suite, all at once, against the program in a separate process: expensive
//! queries, writers, slow clients, announced bodies, floods of pings, subscriptions that nobody reads.
//!
//! The attackers run at a low priority (`nice`), as if on other machines: otherwise this would measure how
//! attackers, service and innocent client share two cores.

use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use plybook_events::Actor;
use plybook_rules::kind;
use plybook_store::{Options, Store};
use plybook_tests::http;
use serde_json::json;
use tungstenite::WebSocket;
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::protocol::Message;

use crate::load::{Client, EXPORT, GAMES_DRAWN, HOSTILE, POSITIONS_DRAWN, fill};
use crate::plybook::{Served, http_at, run};
use crate::prices::{FIRST, FULL, Prices, attacks};
use crate::support::{id, long_game};
use crate::{is_long, rounds};

/// Everything comes from one address here, and budgets must not stop it.
const SETTINGS: &str = "connections-per-client = 10000\nsockets-per-client = 2000\nsubscriptions-per-client = 20000\n
[limits]\nclient-burst = 0\nadmin-burst = 0\nwaiting = 100000\n";

/// The number of clients that record.
const WRITERS: usize = 64;

/// Connections that send the head of a request, and its body, a byte at a time.
const SLOW: usize = 1_000;

/// The time between two bytes: less than the service waits.
const DRIP: Duration = Duration::from_secs(4);

/// Sockets that send pings as fast as they can.
const FLOODS: usize = 4;

/// The priority of the attackers.
const NICE: i32 = 19;

/// The measurements of the service, and of an innocent client.
#[derive(Default)]
struct Measured {
    typenames: Vec<Duration>,
    /// The same query, each time on a separate connection.
    connecting: Vec<Duration>,
    acts: Vec<Duration>,
    /// Resident memory before, and at most, in MiB.
    memory: [f64; 2],
}

/// A running service with games, and tokens of recorders.
struct Target {
    served: Served,
    tokens: Vec<String>,
}

impl Target {
    fn new(dir: &Path, games: u64) -> Self {
        let (data, settings) = (dir.join("data"), dir.join("settings.toml"));
        std::fs::write(&settings, SETTINGS).unwrap();
        fill(&Store::open(&data, &Options::default(), &mut |_, _| ()).unwrap(), games);
        let served = Served::start(&data, &["--config", settings.to_str().unwrap()]);
        let token = |_| run(&["token", "create", "--role", "recorder", "--data", data.to_str().unwrap()]).ok();
        let tokens = (0..=WRITERS + HOSTILE).map(token).map(|token| token.trim().to_owned()).collect();
        Self { served, tokens }
    }

    /// A client with a token of its own.
    fn client(&self, n: usize) -> Client {
        Client::new(self.served.address().parse().unwrap(), &self.tokens[n])
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(self.served.address()).unwrap()
    }

    fn socket(&self) -> Option<WebSocket<TcpStream>> {
        let mut request = format!("ws://{}/graphql", self.served.address()).into_client_request().unwrap();
        let protocol = HeaderValue::from_static("graphql-transport-ws");
        request.headers_mut().insert("sec-websocket-protocol", protocol);
        let (mut socket, _) = tungstenite::client(request, self.connect()).ok()?;
        socket.send(Message::text("{\"type\":\"connection_init\"}")).ok()?;
        socket.read().ok()?;
        Some(socket)
    }

    /// The resident memory of the service, in MiB.
    fn memory_mib(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.served.pid())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
    }

    /// A new game, and a mutation that comments on it.
    fn begin(&self, client: &mut Client, setup: &str) -> String {
        client.query(&format!(
            "mutation {{ createGame(input: {{ kind: \"triangulate\", {setup} seats: [{{}}, {{}}] }}) {{ id }} }}"
        ));
        client.answer()["data"]["createGame"]["id"].as_str().unwrap_or_else(|| panic!("{}", client.answer())).to_owned()
    }

    fn ask_for_what_is_dear(&self, n: usize, queries: &[String], stop: &AtomicBool, answered: &AtomicU64) {
        let mut client = self.client(1 + n);
        for query in queries.iter().cycle().skip(n) {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            let (status, _) = if query.starts_with('/') { client.get(query) } else { client.query(query) };
            answered.fetch_add(u64::from(status == 200), Ordering::Relaxed);
        }
    }

    /// Sends one request again and again, and waits for no answer for long.
    fn repeat(&self, n: usize, request: &str, stop: &AtomicBool, answered: &AtomicU64) {
        let (address, token) = (self.served.address().parse().unwrap(), Some(self.tokens[1 + n].as_str()));
        let mut client = None;
        while !stop.load(Ordering::Relaxed) {
            let connect = || http::Client::connect_within(Duration::from_secs(2), address).unwrap();
            let connection = client.get_or_insert_with(connect);
            let answer = match request.starts_with('/') {
                true => connection.send("GET", request, token, ""),
                false => connection.send("POST", "/graphql", token, request),
            };
            match answer {
                Ok(_) => drop(answered.fetch_add(1, Ordering::Relaxed)),
                Err(_) => client = None,
            }
        }
    }

    /// Opens a page, asks, and records, in turn for a while; returns how long each took, and the most memory.
    fn ask_read_and_write(&self, game: &str) -> (Vec<Duration>, f64) {
        let (mut client, mut took, mut most) = (self.client(0), Vec::new(), 0_f64);
        let begun = Instant::now();
        for n in 0.. {
            let asked = Instant::now();
            assert_eq!(self.client(0).get("/").0, 200);
            took.push(asked.elapsed());
            let asked = Instant::now();
            assert_eq!(client.query("{ games(first: 20) { nodes { id ply } } }").0, 200);
            took.push(asked.elapsed());
            let asked = Instant::now();
            client.record(&format!("annotate(game: \"{game}\", ply: 0, comment: \"{n}\")"));
            took.push(asked.elapsed());
            most = most.max(self.memory_mib());
            if begun.elapsed() > Duration::from_secs(rounds(3, 30) as u64) {
                break;
            }
        }
        (took, most)
    }

    fn write(&self, n: usize, stop: &AtomicBool, written: &AtomicU64) {
        let mut client = self.client(1 + HOSTILE + n);
        let mut game = String::new();
        for count in 0.. {
            if stop.load(Ordering::Relaxed) {
                return;
            }
            if count % 500 == 0 {
                game = self.begin(&mut client, "");
            }
            client.record(&format!("annotate(game: \"{game}\", ply: 0, comment: \"{count}\")"));
            written.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Sockets with subscriptions to a log, none of which are read.
    fn subscribe(&self, sockets: usize, each: usize) -> Vec<WebSocket<TcpStream>> {
        let query = format!("subscription {{ gameEvents(game: \"{}\") {{ bytes }} }}", id(0));
        let open = |_| {
            let mut socket = self.socket().expect("there is room for it");
            for n in 0..each {
                let message = json!({ "type": "subscribe", "id": n.to_string(), "payload": { "query": query } });
                // A socket that reads nothing is closed after a while.
                if socket.send(Message::text(message.to_string())).is_err() {
                    break;
                }
            }
            socket
        };
        (0..sockets).map(open).collect()
    }

    /// Half of the connections never end the head, the others announce a body of 1 MiB.
    fn drip(&self, stop: &AtomicBool) {
        let head = "POST /graphql HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
        let begin = |n: usize| {
            let mut stream = self.connect();
            stream.set_nodelay(true).unwrap();
            let end = if n.is_multiple_of(2) { "content-length: 1048576\r\n\r\n{" } else { "x: " };
            let _ = stream.write_all(format!("{head}{end}").as_bytes());
            stream
        };
        let mut open: Vec<TcpStream> = (0..SLOW).map(begin).collect();
        while !stop.load(Ordering::Relaxed) {
            let until = Instant::now() + DRIP;
            while Instant::now() < until && !stop.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(50));
            }
            for (n, stream) in open.iter_mut().enumerate() {
                // A client that was dropped starts again.
                if stream.write_all(b" ").is_err() {
                    *stream = begin(n);
                }
            }
        }
    }

    fn flood(&self, stop: &AtomicBool) {
        let mut socket = None;
        while !stop.load(Ordering::Relaxed) {
            // Each is closed soon, and the next one continues.
            let Some(open) = socket.as_mut() else {
                socket = self.socket();
                continue;
            };
            if open.send(Message::Ping(vec![0; 100].into())).is_err() {
                socket = None;
            }
        }
    }

    /// Queries and acts in turn for this long.
    fn ask_and_act(&self, time: Duration) -> Measured {
        let played = long_game(kind("triangulate").unwrap(), 9, 20_000);
        let setup = async_graphql::Value::from_json(json!(played.setup)).unwrap();
        let mut client = self.client(0);
        let game = self.begin(&mut client, &format!("setup: {setup},"));
        let mut measured = Measured { memory: [self.memory_mib(); 2], ..Measured::default() };
        let begun = Instant::now();
        let mut actions = played.actions.into_iter();
        while begun.elapsed() < time {
            let asked = Instant::now();
            assert_eq!(client.query("{__typename}").0, 200);
            measured.typenames.push(asked.elapsed());
            let asked = Instant::now();
            assert_eq!(self.client(0).query("{__typename}").0, 200);
            measured.connecting.push(asked.elapsed());
            let asked = Instant::now();
            let (_, action): (Actor, String) = actions.next().expect("it is long enough");
            client.record(&format!("act(game: \"{game}\", action: \"{action}\")"));
            measured.acts.push(asked.elapsed());
            measured.memory[1] = measured.memory[1].max(self.memory_mib());
        }
        measured
    }

    /// Runs the innocent client while eight connections ask for expensive queries and 64 writers record; with
    /// `connections`, together with everything that hostile connections do.
    fn under_attack(&self, queries: &[String], connections: bool, time: Duration) -> Measured {
        let (stop, answered, written) = (AtomicBool::new(false), AtomicU64::new(0), AtomicU64::new(0));
        let (stop, answered, written) = (&stop, &answered, &written);
        let measured = std::thread::scope(|scope| {
            for n in 0..HOSTILE {
                scope.spawn(move || as_if_elsewhere(|| self.ask_for_what_is_dear(n, queries, stop, answered)));
            }
            for n in 0..WRITERS {
                scope.spawn(move || as_if_elsewhere(|| self.write(n, stop, written)));
            }
            if connections {
                scope.spawn(|| as_if_elsewhere(|| self.drip(stop)));
                for _ in 0..FLOODS {
                    scope.spawn(|| as_if_elsewhere(|| self.flood(stop)));
                }
            }
            // Whatever happens to the innocent client, the others stop.
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.ask_and_act(time)));
            stop.store(true, Ordering::Relaxed);
            done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        println!(
            "{} expensive answers, {} events recorded",
            answered.load(Ordering::Relaxed),
            written.load(Ordering::Relaxed)
        );
        measured
    }
}

/// Runs something at a low priority; on Linux, priorities belong to threads.
fn as_if_elsewhere(work: impl FnOnce()) {
    rustix::process::setpriority_process(None, NICE).unwrap();
    work();
}

/// The time within which this percentage of the answers arrived.
fn within(took: &mut [Duration], percent: usize) -> Duration {
    took.sort_unstable();
    took[(took.len() * percent / 100).min(took.len() - 1)]
}

impl Measured {
    fn print(mut self, what: &str) {
        println!("{what}:");
        let connecting = "__typename on a new connection";
        let all = [
            ("__typename", &mut self.typenames, 50),
            (connecting, &mut self.connecting, 50),
            ("act", &mut self.acts, 100),
        ];
        for (name, took, goal) in all {
            let (p50, p99) = (within(took, 50), within(took, 99));
            println!("  {name}: {} answers, p50 {p50:?}, p99 {p99:?} (goal {goal} ms)", took.len());
        }
        let [before, most] = self.memory;
        println!("  memory: {before:.0} MiB before, at most {:.0} MiB more (goal 400)", most - before);
    }
}

/// This is a measurement: it asserts nothing about time, and takes minutes.
#[test]
fn an_innocent_client_is_answered_in_the_worst_case() {
    let mut queries: Vec<String> = [GAMES_DRAWN, POSITIONS_DRAWN, EXPORT].map(str::to_owned).to_vec();
    if is_long() {
        let found = attacks(&Prices::new(kind("thrones").unwrap(), FULL), 5);
        queries
            .extend(found.into_iter().map(|attack| attack.query.replace(&id(FIRST).to_string(), &id(0).to_string())));
    }
    let dir = tempfile::tempdir().unwrap();
    let target = Target::new(dir.path(), rounds(40, 500) as u64);
    target.client(0).query("{ games(first: 500) { nodes { head { seq } } } }");
    let time = Duration::from_secs(rounds(1, 60) as u64);
    target.under_attack(&queries, false, time).print("eight connections, 64 writers");
    let subscribed = target.subscribe(rounds(10, 200), 50);
    target.under_attack(&queries, true, time).print("the same, and everything that connections do");
    drop(subscribed);
}

/// What 95 % of an innocent client's answers take at most, and how much more memory the service takes, in MiB.
const ANSWERED: Duration = Duration::from_millis(if cfg!(debug_assertions) { 5_000 } else { 100 });
const MEMORY_MIB: f64 = 400.0;

/// How many lines the game of attackers has, and how many plies each.
const LINES: [usize; 2] = [60, 900];
const LINE_PLIES: usize = 100;

/// A game with many lines, made with one token.
fn bomb(target: &Target) -> String {
    let mut client = target.client(0);
    let played = long_game(kind("triangulate").unwrap(), 9, LINE_PLIES);
    let setup = async_graphql::Value::from_json(json!(played.setup)).unwrap();
    let game = target.begin(&mut client, &format!("setup: {setup},"));
    let actions: Vec<String> = played.actions.into_iter().map(|(_, action)| action).collect();
    for _ in 0..rounds(LINES[0], LINES[1]) {
        client.record(&format!("fork(game: \"{game}\", ply: 0, actions: {})", json!(actions)));
    }
    game
}

/// What single clients have stopped the service with, or filled its memory: paths, and bodies for `/graphql`.
fn found(game: &str) -> Vec<(&'static str, String)> {
    let asks = |query: String| json!({ "query": query }).to_string();
    let of_game = |fields: &str| asks(format!("{{ game(id: \"{game}\") {{ {fields} }} }}"));
    let records = |format: &str| (0..10).map(|n| format!("r{n}: record(format: {format}) ")).collect::<String>();
    let annotate = |fields: &str| {
        asks(format!("mutation {{ annotate(game: \"{game}\", ply: 0, comment: \"x\") {{ {fields} }} }}"))
    };
    let numbers = "1,".repeat(400_000);
    vec![
        ("records in the answer of a mutation", annotate(&records("JSON"))),
        ("a feed whose filter matches nothing", "/changes.ndjson?tag=a=b".to_owned()),
        ("the whole feed", "/changes.ndjson".to_owned()),
        ("the size of a tree", of_game("tree(maxNodes: 1) { totalLines }")),
        ("records", of_game(&records("HTML"))),
        ("links of a game", asks(format!("mutation {{ issueGameTokens(game: \"{game}\") {{ token }} }}"))),
        ("a long variable", format!("{{\"query\":\"{{__typename}}\",\"variables\":{{\"a\":[{numbers}1]}}}}")),
        ("many fields", asks(format!("{{ {} }}", "__typename ".repeat(7_000)))),
        ("a long comment", asks(format!("{{ __typename #{}\n }}", "x".repeat(900_000)))),
        ("names that nobody knows", asks(format!("mutation {{ {} }}", format!("{} ", "a".repeat(450)).repeat(1_900)))),
    ]
}

/// Eight clients, each with a token of its own, send what was found; nothing stops them but the lanes.
#[test]
fn an_innocent_client_is_answered_whatever_others_have_found() {
    let dir = tempfile::tempdir().unwrap();
    let target = Target::new(dir.path(), 40);
    let game = bomb(&target);
    for (name, request) in found(&game) {
        // A game takes only so many comments.
        let own = target.begin(&mut target.client(0), "");
        let (stop, answered) = (AtomicBool::new(false), AtomicU64::new(0));
        let before = target.memory_mib();
        let (mut took, most) = std::thread::scope(|scope| {
            for n in 0..HOSTILE {
                let (target, request, stop, answered) = (&target, &request, &stop, &answered);
                scope.spawn(move || as_if_elsewhere(|| target.repeat(n, request, stop, answered)));
            }
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| target.ask_read_and_write(&own)));
            stop.store(true, Ordering::Relaxed);
            done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        let (late, more) = (within(&mut took, 95), most - before);
        println!(
            "{name}: p95 {late:.0?}, {more:.0} MiB more, {} answers to attackers",
            answered.load(Ordering::Relaxed)
        );
        assert!(late < ANSWERED && more < MEMORY_MIB, "{name}: p95 {late:?}, {more:.0} MiB more");
    }
}

/// Comments on the game of which logs are read whole, and their length.
const COMMENTS: usize = 600;
const COMMENT_CHARS: usize = 4_000;

impl Target {
    /// A game with a long log, whose moves are few.
    fn talk(&self, client: &mut Client) -> String {
        let game = self.begin(client, "");
        let comment = "\u{1f3b2}".repeat(COMMENT_CHARS);
        for _ in 0..COMMENTS {
            client.record(&format!("annotate(game: \"{game}\", ply: 0, comment: \"{comment}\")"));
        }
        game
    }

    /// How many turns operations have had in the lane for expensive ones.
    fn expensive(&self) -> u64 {
        let (_, metrics) = http_at(self.served.backstage(), "GET", "/metrics", None, "").unwrap();
        let waits =
            metrics.lines().find_map(|line| line.strip_prefix("plybook_lane_wait_seconds_count{lane=\"heavy\"} "));
        waits.unwrap().parse().unwrap()
    }

    /// The CPU time that something takes the service, in ticks of a hundredth of a second.
    fn ticks(&self, work: impl FnOnce()) -> u64 {
        let used = || {
            let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.served.pid())).unwrap();
            let times = stat.rsplit(')').next().unwrap().split_whitespace().skip(11).take(2);
            times.map(|ticks| ticks.parse::<u64>().unwrap()).sum::<u64>()
        };
        let before = used();
        work();
        used() - before
    }
}

/// Whatever reads a long log as a whole waits for its turn in the lane for expensive operations, where few are executed at
/// once: the log of a game, or one that a line continues. To begin a line takes one event of it.
#[test]
fn long_logs_are_read_by_few_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let target = Target::new(dir.path(), 1);
    let mut client = target.client(0);
    let (short, long) = (target.begin(&mut client, ""), target.talk(&mut client));
    client.query(&format!("mutation {{ fork(game: \"{long}\", ply: 0) {{ id }} }}"));
    let line = client.answer()["data"]["fork"]["id"].as_str().unwrap().to_owned();
    let (_, log) = target.served.http("GET", &format!("/games/{line}/log.ndjson"), None, "").unwrap();
    let import = format!("mutation {{ importRecord(format: NDJSON, record: {}) {{ id }} }}", json!(log));
    let of = |game: &str, field: &str| format!("{{ game(id: \"{game}\") {{ {field} }} }}");
    let annotate = format!("annotate(game: \"{long}\", ply: 0, comment: \"x\")");
    for query in [
        of(&long, "refold { verdict }"),
        of(&long, "verification { valid }"),
        of(&line, "refold { verdict }"),
        of(&line, "verification { valid }"),
        format!("mutation {{ {annotate} {{ refold {{ verdict }} }} }}"),
        format!("mutation {{ {annotate} {{ verification {{ valid }} }} }}"),
        import,
    ] {
        let before = target.expensive();
        assert_eq!(client.query(&query).0, 200, "{query}");
        assert!(client.answer().get("errors").is_none(), "{query}: {}", client.answer());
        assert!(target.expensive() > before, "{query}");
    }
    let before = target.expensive();
    client.query(&of(&short, "refold { verdict } verification { valid }"));
    assert_eq!(target.expensive(), before, "short logs are read at once");
    let mut fork =
        |game: &str| target.ticks(|| (0..30).for_each(|_| client.record(&format!("fork(game: \"{game}\", ply: 0)"))));
    let (usual, ticks) = (fork(&short), fork(&long));
    assert!(ticks < 4 * usual + 30, "{ticks} ticks instead of {usual}");
}
