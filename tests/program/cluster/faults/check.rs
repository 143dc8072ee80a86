//! What must hold after everything that has happened.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use plybook_events::chain::Chain;
use plybook_events::{Event, Hash, LogId};
use plybook_store::Journal;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::PATIENCE;
use super::cluster::{Cluster, NODES, SERVERS};
use super::history::{Operation, Request, is_linearizable};
use super::search::Wanted;
use super::writers::{Head, Outcome, Record, Told, Write};
use crate::plybook::{http_at, run};

/// How long a text must be that is looked for on the disks of servers: a shorter one may be there by chance.
const TEXT: usize = 24;

const GAMES: &str = "query($a: String) { games(first: 100, after: $a) { totalCount pageInfo { endCursor hasNextPage } \
                     nodes { id kind status ply head { seq hash } outcome { winners reason } verification { valid } } } }";
const STATISTICS: &str =
    "query($k: String!) { statistics(kind: $k) { games plies { median } measures { name value } } }";
const EXPLORER: &str = "{ explore(kind: \"triangulate\", actions: []) { games actions { action games } } }";
const VOID: &str = "mutation($g: ID!) { voidGame(game: $g, reason: \"the end\") { id } }";

/// The roots of the transparency log that nodes have shown, by size.
#[derive(Default)]
pub struct Checkpoints(BTreeMap<u64, String>);

impl Checkpoints {
    /// Asks all nodes that answer.
    pub fn hear(&mut self, cluster: &Cluster) {
        for node in cluster.addresses() {
            if let Some((200, note)) = http_at(&node.to_string(), "GET", "/checkpoint", None, "") {
                self.add(&note);
            }
        }
    }

    fn add(&mut self, note: &str) -> u64 {
        let lines: Vec<&str> = note.lines().collect();
        let size = lines[1].parse().expect("a checkpoint says its size");
        let root = self.0.entry(size).or_insert_with(|| lines[2].to_owned());
        assert_eq!(root, lines[2], "two checkpoints of {size} events");
        size
    }
}

/// A log, and the last event of each append to it.
#[derive(Default)]
struct Log {
    hashes: Vec<Hash>,
    ends: BTreeSet<u64>,
}

impl Log {
    fn has(&self, head: &Head) -> bool {
        self.hashes.get(head.seq as usize) == Some(&head.hash)
    }

    /// The last event of what was appended after a head, if anything was.
    fn next(&self, before: Option<&Head>) -> Option<Head> {
        let first = before.map_or(0, |head| head.seq + 1);
        let seq = *self.ends.range(first..).next()?;
        Some(Head { seq, hash: self.hashes[seq as usize] })
    }
}

/// Checks everything.
pub fn all(cluster: &Cluster, record: &Record, mut checkpoints: Checkpoints) {
    cluster.wait();
    let recorded = events(cluster);
    let logs = logs(&recorded);
    let told = std::mem::take(&mut *record.told.lock().unwrap());
    check_told(&logs, told);
    let disks = copy_disks(cluster);
    end_games(cluster, &logs, &record.token);
    cluster.wait();
    let all = events(cluster);
    assert!(all[..recorded.len()] == recorded[..]);
    check_nodes(cluster, &record.token, all.len() as u64, &mut checkpoints);
    check_with_program(cluster);
    check_secrets(cluster, &disks, &all, recorded.len(), &record.token);
}

/// The events of the stream, in order.
fn events(cluster: &Cluster) -> Vec<Event> {
    let (journal, mut events) = (cluster.open_journal(), Vec::new());
    let mut chains: HashMap<LogId, Chain> = HashMap::new();
    while (events.len() as u64) < journal.len() {
        for bytes in journal.read(events.len() as u64, 4096).unwrap() {
            let event = Event::parse(&bytes).unwrap();
            chains.entry(event.log).or_insert_with(|| Chain::new(event.log)).check(&bytes).unwrap();
            events.push(event);
        }
    }
    events
}

/// The games, with the appends to them, each of which a request ends that was carried out once.
fn logs(events: &[Event]) -> HashMap<LogId, Log> {
    let (mut logs, mut keys) = (HashMap::<LogId, Log>::new(), HashSet::new());
    for event in events {
        let log = logs.entry(event.log).or_default();
        log.hashes.push(Hash::of_event(&event.to_bytes().unwrap()));
        if let Some(request) = event.request {
            assert!(keys.insert(request.key), "a request was carried out twice");
            log.ends.insert(event.seq);
        }
    }
    for log in logs.values() {
        assert_eq!(log.ends.last().copied(), (log.hashes.len() as u64).checked_sub(1), "an event of no request");
    }
    logs
}

/// Checks what clients were told: each acknowledged append is there, nothing is there that nobody asked for, and per log, all of
/// it is linearizable.
fn check_told(logs: &HashMap<LogId, Log>, told: Vec<Told>) {
    let mut requests: HashMap<LogId, Vec<Request>> = HashMap::new();
    let mut claimed: HashSet<(LogId, u64)> = HashSet::new();
    let (mut unknown, mut refused, mut shown) = (Vec::new(), 0, 0);
    for told in told {
        match told {
            Told::Shown { game, request } => {
                shown += 1;
                requests.entry(game).or_default().push(request);
            }
            Told::Written(Write {
                game: Some(game),
                before,
                begun,
                outcome: Outcome::Acknowledged { at, head, is_first },
            }) => {
                let log = logs.get(&game).unwrap_or_else(|| panic!("game {game} is lost"));
                let after = log.next(before.as_ref()).unwrap_or_else(|| panic!("an append to {game} is lost"));
                assert!(
                    log.has(&head) && (head == after || !is_first),
                    "{game}: {head:?} was told, {after:?} is there"
                );
                assert!(claimed.insert((game, after.seq)), "two appends to {game} after {before:?} were acknowledged");
                let operation = Operation::Appended { before: before.map(|head| head.hash), after: after.hash };
                requests.entry(game).or_default().push(Request { begun, answered: Some(at), operation });
            }
            Told::Written(Write { game: Some(game), before, begun, outcome: Outcome::Refused { at } }) => {
                refused += 1;
                let operation = Operation::Refused { before: before.map(|head| head.hash) };
                requests.entry(game).or_default().push(Request { begun, answered: Some(at), operation });
            }
            Told::Written(write) => unknown.push(write),
        }
    }
    let acknowledged = claimed.len();
    // What nobody knows of may be there, once. Of several that follow the same head, the first may.
    unknown.sort_by_key(|write| write.begun);
    for Write { game, before, begun, .. } in &unknown {
        let Some((game, log)) = game.and_then(|game| Some((game, logs.get(&game)?))) else { continue };
        if let Some(after) = log.next(before.as_ref())
            && claimed.insert((game, after.seq))
        {
            let operation = Operation::Appended { before: before.map(|head| head.hash), after: after.hash };
            requests.entry(game).or_default().push(Request { begun: *begun, answered: None, operation });
        }
    }
    let unclaimed = |(game, log): (&LogId, &Log)| {
        let ends: Vec<u64> = log.ends.iter().copied().filter(|end| !claimed.contains(&(*game, *end))).collect();
        (!ends.is_empty()).then_some((*game, ends))
    };
    let unclaimed: Vec<(LogId, Vec<u64>)> = logs.iter().filter_map(unclaimed).collect();
    let begun_unknown = unknown.iter().filter(|write| write.game.is_none()).count();
    assert!(
        unclaimed.len() <= begun_unknown && unclaimed.iter().all(|(_, ends)| ends.len() == 1),
        "what nobody asked for, or what was refused, is there: {unclaimed:?}"
    );
    for (game, requests) in &mut requests {
        let (now, log) = (Instant::now(), &logs[game]);
        let head = *log.hashes.last().expect("it has events");
        requests.push(Request { begun: now, answered: Some(now), operation: Operation::Shown(head) });
        assert!(is_linearizable(requests), "{game}: {requests:?}");
    }
    println!(
        "{} events of {} games: {acknowledged} appends acknowledged, 0 lost, 0 twice; {refused} refused, {} unknown, {} of them \
         written; {shown} reads; every log linearizable",
        logs.values().map(|log| log.hashes.len()).sum::<usize>(),
        logs.len(),
        unknown.len(),
        claimed.len() - acknowledged + unclaimed.len()
    );
}

/// The disks of the servers, as they are now.
fn copy_disks(cluster: &Cluster) -> TempDir {
    let copy = TempDir::new().unwrap();
    for (n, place) in cluster.places.all[..SERVERS].iter().enumerate() {
        let copied = Command::new("cp").arg("-r").arg(&place.folder).arg(copy.path().join(n.to_string())).status();
        assert!(copied.unwrap().success());
    }
    copy
}

/// Ends all games, which opens all that is secret.
fn end_games(cluster: &Cluster, logs: &HashMap<LogId, Log>, token: &str) {
    for (n, game) in logs.keys().enumerate() {
        let body = json!({ "query": VOID, "variables": { "g": game.to_string() } }).to_string();
        let node = cluster.addresses()[n % NODES].to_string();
        let (_, answer) = http_at(&node, "POST", "/graphql", Some(token), &body).expect("it answers");
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let code = &answer["errors"][0]["extensions"]["code"];
        assert!(answer["data"]["voidGame"]["id"].is_string() || code == "GAME_OVER", "{answer}");
    }
}

/// Checks that all nodes answer alike.
fn check_nodes(cluster: &Cluster, token: &str, len: u64, checkpoints: &mut Checkpoints) {
    let begun = Instant::now();
    while (0..NODES).any(|n| checkpoints.add(&cluster.get(n, "/checkpoint")) != len) {
        assert!(begun.elapsed() < PATIENCE, "a checkpoint does not cover all events");
        thread::sleep(Duration::from_millis(100));
    }
    let told: Vec<Vec<String>> = (0..NODES).map(|n| everything(cluster, n, token)).collect();
    for node in &told[1..] {
        for (one, other) in told[0].iter().zip(node) {
            assert!(one == other, "nodes differ:\n{one:.2000}\n{other:.2000}");
        }
    }
    println!("{NODES} nodes hold the same; {} checkpoints, one of each size", checkpoints.0.len());
}

/// What a node says of all games.
fn everything(cluster: &Cluster, n: usize, token: &str) -> Vec<String> {
    let ask = |query: &str, variables: Value| {
        let body = json!({ "query": query, "variables": variables }).to_string();
        let node = cluster.addresses()[n].to_string();
        let (_, answer) = http_at(&node, "POST", "/graphql", Some(token), &body).expect("it answers");
        let answer: Value = serde_json::from_str(&answer).unwrap();
        assert!(answer.get("errors").is_none(), "{answer}");
        answer["data"].clone()
    };
    let mut told = vec![cluster.get(n, "/export/games.ndjson")];
    let mut after = Value::Null;
    loop {
        let page = ask(GAMES, json!({ "a": after }))["games"].clone();
        let games = page["nodes"].as_array().unwrap();
        assert!(games.iter().all(|game| game["verification"]["valid"] == true), "{page}");
        told.push(page.to_string());
        if page["pageInfo"]["hasNextPage"] != true {
            break;
        }
        after = page["pageInfo"]["endCursor"].clone();
    }
    told.push(ask(EXPLORER, json!({})).to_string());
    told.extend(
        plybook_rules::kinds().iter().map(|rules| ask(STATISTICS, json!({ "k": rules.about().kind })).to_string()),
    );
    told
}

/// Checks every hash, action, seal and roll, and that games are judged as they were.
fn check_with_program(cluster: &Cluster) {
    let dir = TempDir::new().unwrap();
    let data = dir.path().join("data").to_str().unwrap().to_owned();
    let [_, stream, flag, credentials] = cluster.journal();
    run(&["journal", "copy", "--from", &stream, "--to", &data, &flag, &credentials]).ok();
    for check in ["verify", "refold"] {
        let said = run(&[check, "--data", &data]).ok();
        println!("plybook {check}: {}", said.lines().last().unwrap_or_default());
    }
}

/// Checks that nothing that was secret before the games were ended, after `recorded` events, was on any disk of the servers, which
/// the messages of all streams are on.
fn check_secrets(cluster: &Cluster, disks: &TempDir, all: &[Event], recorded: usize, token: &str) {
    let (mut wanted, mut control) = (Wanted::default(), Wanted::default());
    wanted.add(token.as_bytes());
    wanted.add(std::fs::read_to_string(cluster.nats.key_file()).unwrap().trim().as_bytes());
    for (n, event) in all.iter().enumerate() {
        let wanted = if n < recorded { &mut control } else { &mut wanted };
        let body = event.body_json();
        add_secrets(&body, wanted);
    }
    assert!(control.count > 0 && wanted.count > 2, "{} and {} secrets", control.count, wanted.count);
    let found = wanted.found_below(disks.path());
    assert!(found.is_empty(), "secrets are on the disks of servers: {:?}", found.values());
    assert!(!control.found_below(disks.path()).is_empty(), "what is public is not found either");
    println!("{} secrets on no disk of {SERVERS} servers", wanted.count);
}

/// Looks for everything in an event that opens something.
fn add_secrets(body: &Value, wanted: &mut Wanted) {
    match body {
        Value::Array(items) => items.iter().for_each(|item| add_secrets(item, wanted)),
        Value::Object(members) => {
            for (name, member) in members {
                match (name.as_str(), member.as_str()) {
                    ("seed" | "salt", Some(hex)) => {
                        let hash: Hash = hex.parse().expect("they are in hex");
                        wanted.add(&hash.0);
                    }
                    ("content", Some(text)) if text.len() >= TEXT => wanted.add(text.as_bytes()),
                    _ => add_secrets(member, wanted),
                }
            }
        }
        _ => {}
    }
}
