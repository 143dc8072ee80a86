//! The feed through kills and restarts: readers resume without losing or repeating an event.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::plybook::{Served, http_at};

/// How often the service is killed while writers record.
const KILLS: usize = 3;

const WRITERS: usize = 4;

/// What a reader has got, in order: the game and the seq of each event.
type Got = Arc<Mutex<Vec<String>>>;

#[test]
fn readers_resume_through_kills() {
    let dir = tempfile::tempdir().unwrap();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let start = || Served::start(dir.path(), &["--listen", &address]);
    let mut served = start();
    let token = served.admin();
    let is_over = Arc::new(AtomicBool::new(false));
    let (polled, streamed) = (Got::default(), Got::default());
    let mut program = long_polls(&address, &polled);
    let browser = event_source(&address, &streamed, &is_over);
    let writers: Vec<_> = (0..WRITERS).map(|_| write(&address, &token, &is_over)).collect();
    for _ in 0..KILLS {
        let before = polled.lock().unwrap().len();
        wait_until("the feed goes on", || polled.lock().unwrap().len() > before + 40);
        served.signal("-KILL");
        served.wait(Duration::from_secs(20));
        served = start();
    }
    is_over.store(true, Ordering::Relaxed);
    for writer in writers {
        writer.join().unwrap();
    }
    let expected = recorded(&served);
    assert!(expected.len() > KILLS * 40);
    for (who, got) in [("long polls", &polled), ("event source", &streamed)] {
        wait_until(who, || got.lock().unwrap().len() >= expected.len());
        assert!(*got.lock().unwrap() == expected, "{who}");
    }
    program.kill().unwrap();
    program.wait().unwrap();
    drop(served);
    browser.join().unwrap();
}

/// The games and seqs of the feed from its beginning, which has every event of every log.
fn recorded(served: &Served) -> Vec<String> {
    let (status, body) = served.http("GET", "/changes.ndjson", None, "").unwrap();
    assert_eq!(status, 200);
    let lines: Vec<Value> = body.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, lines) = lines.split_last().unwrap();
    assert!(last.get("event").is_none() && last["cursor"] == lines.last().unwrap()["cursor"]);
    let mut logs: Vec<String> = lines.iter().map(|line| line["event"]["game"].as_str().unwrap().to_owned()).collect();
    logs.sort_unstable();
    logs.dedup();
    let whole = logs.iter().map(|log| {
        let (_, log) = served.http("GET", &format!("/games/{log}/log.ndjson"), None, "").unwrap();
        log.lines().count()
    });
    assert_eq!(whole.sum::<usize>(), lines.len());
    lines.iter().map(|line| word(&line["event"])).collect()
}

/// The Python program of the client kit.
fn long_polls(address: &str, got: &Got) -> std::process::Child {
    let program = include_str!("../../docs/clients/python/follow.py");
    let mut command = Command::new("python3");
    command.args(["-c", program, &format!("http://{address}")]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("python3 can be run");
    let (lines, got) = (BufReader::new(child.stdout.take().unwrap()).lines(), Arc::clone(got));
    thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            got.lock().unwrap().push(line);
        }
    });
    child
}

/// Reads Server-Sent Events as a browser does: it connects again with the last id.
fn event_source(address: &str, got: &Got, is_over: &Arc<AtomicBool>) -> thread::JoinHandle<()> {
    let (address, got, is_over) = (address.to_owned(), Arc::clone(got), Arc::clone(is_over));
    thread::spawn(move || {
        let mut last: Option<String> = None;
        while let Some(stream) = connect(&address, &is_over) {
            let resume = last.as_ref().map(|last| format!("last-event-id: {last}\r\n")).unwrap_or_default();
            let request = format!("GET /changes.sse HTTP/1.1\r\nhost: {address}\r\n{resume}\r\n");
            if (&stream).write_all(request.as_bytes()).is_err() {
                continue;
            }
            let (mut id, mut data) = (None, None);
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                if let Some(found) = line.strip_prefix("id: ") {
                    id = Some(found.to_owned());
                } else if let Some(found) = line.strip_prefix("data: ") {
                    data = Some(word(&serde_json::from_str(found).unwrap()));
                } else if line.is_empty() && id.is_some() {
                    last = id.take();
                    got.lock().unwrap().extend(data.take());
                }
            }
        }
    })
}

fn connect(address: &str, is_over: &AtomicBool) -> Option<TcpStream> {
    loop {
        match TcpStream::connect(address) {
            Ok(stream) => return Some(stream),
            Err(_) if is_over.load(Ordering::Relaxed) => return None,
            Err(_) => thread::sleep(Duration::from_millis(20)),
        }
    }
}

/// Records comments in a game until it is over.
fn write(address: &str, token: &str, is_over: &Arc<AtomicBool>) -> thread::JoinHandle<()> {
    let (address, token, is_over) = (address.to_owned(), token.to_owned(), Arc::clone(is_over));
    thread::spawn(move || {
        let ask = |query: &str| {
            let body = json!({ "query": query }).to_string();
            let (_, answer) = http_at(&address, "POST", "/graphql", Some(&token), &body)?;
            serde_json::from_str::<Value>(&answer).ok()
        };
        let made = ask("mutation { createGame(input: { kind: \"triangulate\", seats: [{}, {}] }) { id } }").unwrap();
        let game = made["data"]["createGame"]["id"].as_str().unwrap().to_owned();
        while !is_over.load(Ordering::Relaxed) {
            let annotate = format!("mutation {{ annotate(game: \"{game}\", ply: 0, comment: \"c\") {{ id }} }}");
            let answer = ask(&annotate);
            if answer.is_none_or(|answer| answer.get("errors").is_some()) {
                thread::sleep(Duration::from_millis(20));
            }
        }
    })
}

fn word(event: &Value) -> String {
    format!("{} {} {}", event["game"].as_str().unwrap(), event["seq"], event["type"].as_str().unwrap())
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(120), "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}
