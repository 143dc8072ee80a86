//! Every parser, fed with valid input that is mutated step by step. Nothing panics, whatever is parsed is
//! written back unchanged, and the service keeps answering.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use plybook_api::access::Tokens;
use plybook_api::program::check_settings;
use plybook_api::service::Service;
use plybook_events::{Actor, Event, Hash};
use plybook_rules::log::{TextRecord, logs_of_json, read_record, split_records, split_word};
use plybook_rules::{AnyPosition, Rules, Viewer, kinds};
use plybook_store::{FileJournal, Journal, JournalError, Personal, Store, Vault, examine};
use serde_json::Value;

use crate::plybook::Served;
use crate::recording::Dice;
use crate::rounds;

/// The longest input: parsers take time in proportion to their input, and uploads are limited elsewhere.
const BYTES_MAX: usize = 64 << 10;

/// How long the parsers are fed in the long form, divided among the tests.
const LONG: Duration = Duration::from_secs(3600);

/// Inputs that are valid, or were worth keeping; they are mutated, and joined with one another.
pub(crate) struct Corpus {
    name: &'static str,
    seeds: Vec<Vec<u8>>,
}

pub(crate) fn data(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(path)
}

/// All files below a folder.
pub(crate) fn files(dir: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let read = |path: &PathBuf| if path.is_dir() { files(path) } else { vec![fs::read(path).unwrap()] };
    paths.iter().flat_map(read).collect()
}

impl Corpus {
    /// The kept inputs of a parser, if there are any, and more.
    pub(crate) fn new(name: &'static str, more: impl IntoIterator<Item = Vec<u8>>) -> Self {
        let kept = data(&format!("corpus/{name}"));
        let mut seeds = if kept.is_dir() { files(&kept) } else { Vec::new() };
        seeds.extend(more);
        Self { name, seeds }
    }

    /// A seed with some changes that respect lines, words, numbers, brackets and strings.
    fn next(&self, dice: &mut Dice) -> Vec<u8> {
        let mut bytes = self.seeds[dice.below(self.seeds.len())].clone();
        for _ in 0..dice.below(5) {
            self.change(&mut bytes, dice);
        }
        bytes.truncate(BYTES_MAX);
        bytes
    }

    fn change(&self, bytes: &mut Vec<u8>, dice: &mut Dice) {
        const WORDS: [&[u8]; 22] = [
            b"\n",
            b"\r\n",
            b"\0",
            b"\"",
            b"\\u0000",
            b"{",
            b"}",
            b"[[[[",
            b"]",
            b"(",
            b")",
            b"0",
            b"-1",
            b"1e999",
            b"18446744073709551616",
            b"null",
            b"\xff\xfe",
            "\u{202e}".as_bytes(),
            b":",
            b" ",
            b"#commit ",
            b"//",
        ];
        let at = dice.below(bytes.len() + 1);
        let end = (at + dice.below(40)).min(bytes.len());
        match dice.below(9) {
            0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..end, WORDS[dice.below(WORDS.len())].iter().copied())),
            3 => {
                let piece = bytes[at..end].to_vec();
                let to = dice.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            4 => bytes.truncate(at),
            5 => {
                let piece = WORDS[dice.below(WORDS.len())].repeat(1 + dice.below(2_000));
                bytes.splice(at..at, piece);
            }
            6 => {
                let other = &self.seeds[dice.below(self.seeds.len())];
                let from = dice.below(other.len() + 1);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[from..]);
            }
            7 => {
                let digits: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at].is_ascii_digit()).collect();
                if let Some(at) = digits.get(dice.below(digits.len())) {
                    bytes[*at] = b'0' + dice.below(10) as u8;
                }
            }
            _ => {
                let mut lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
                let (one, two) = (dice.below(lines.len()), dice.below(lines.len()));
                if !lines.is_empty() {
                    lines.swap(one, two);
                }
                *bytes = lines.concat();
            }
        }
    }

    /// Feeds a parser once. A panic reports the input, which is kept for inspection.
    pub(crate) fn feed(&self, dice: &mut Dice, parse: &mut dyn FnMut(&[u8])) {
        let input = self.next(dice);
        if catch_unwind(AssertUnwindSafe(|| parse(&input))).is_err() {
            let path = std::env::temp_dir().join(format!(
                "plybook-{}-{}",
                self.name,
                &Hash::of_event(&input).to_string()[..8]
            ));
            fs::write(&path, &input).unwrap();
            panic!("{}: {} does it; put it into tests/data/corpus/{}", self.name, path.display(), self.name);
        }
    }
}

/// A parsed event is written back byte for byte.
fn event(input: &[u8]) {
    for line in input.split(|b| *b == b'\n') {
        if let Ok(event) = Event::parse(line) {
            assert_eq!(event.to_bytes().unwrap(), line, "what is read is written as it was");
        }
    }
}

/// A journal that opens contains complete events, as many as it reports; an examination terminates, whatever
/// the file contains.
fn journal(dir: &Path, input: &[u8]) {
    fs::write(dir.join("00000000000000000000.log"), input).unwrap();
    let opened = FileJournal::open_to_read(dir);
    let examined = match examine(dir) {
        Err(JournalError::OtherVersion { .. }) => return assert!(opened.is_err(), "another version is refused"),
        examined => examined.unwrap(),
    };
    let Ok(journal) = opened else {
        return assert!(!examined.damages.is_empty(), "what is refused is examined as damaged");
    };
    assert!(examined.damages.is_empty() && examined.events == journal.len());
    let mut read = 0;
    while read < journal.len() {
        read += journal.read(read, 1000).unwrap().len() as u64;
    }
    assert_eq!(read, journal.len());
}

/// Secrets that are parsed can be written to another vault, and read from there.
fn vault(dir: &Path, input: &[u8]) {
    let path = dir.join("vault");
    fs::write(&path, input).unwrap();
    let Ok(vault) = Vault::open_to_read(&path, None) else { return };
    let log = plybook_events::LogId::from_bytes([7; 16]);
    assert!(vault.of(log).len() <= input.len());
}

fn record(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    for record in split_records(text).unwrap_or_default() {
        let _ = read_record(record);
        let _ = logs_of_json(record, &|_| None);
    }
}

fn text(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let Ok(record) = TextRecord::parse(text) else { return };
    let Some(rules) = plybook_rules::kind(&record.kind) else { return };
    let Ok(setup) = rules.complete(&record.setup, &mut |_| 0) else { return };
    let Ok(mut position) = rules.start(&setup) else { return };
    let _ = plybook_rules::log::play(position.as_mut(), record.words.iter().map(String::as_str), |_, _| ());
}

/// A canonical action is its own canonical form, and judging changes nothing.
fn notation(position: &dyn AnyPosition, input: &[u8]) {
    let Ok(word) = std::str::from_utf8(input) else { return };
    let word = word.trim_end();
    let (actor, action) = split_word(position, word).unwrap_or((Actor::Seat(1), word));
    for actor in [actor, Actor::Seat(2), Actor::Chance] {
        if let Ok(canonical) = position.judge(actor, action) {
            assert_eq!(position.judge(actor, &canonical).as_ref(), Ok(&canonical), "{action:?}");
        }
        position.shown(Viewer::Public, actor, action);
    }
}

/// A complete setup is unchanged when completed again, and can be started.
fn setup(rules: &dyn Rules, input: &[u8]) {
    let Ok(json) = serde_json::from_slice::<Value>(input) else { return };
    rules.setup_for(&json, Viewer::Public);
    let Ok(setup) = rules.complete(&json, &mut |_| 0) else { return };
    assert_eq!(rules.complete(&setup, &mut |_| 0).as_ref(), Ok(&setup), "a complete setup is complete");
    let _ = rules.start(&setup);
}

/// A parsed position is written in a form that parses to the same position.
fn position(rules: &dyn Rules, input: &[u8]) {
    let Ok(json) = serde_json::from_slice::<Value>(input) else { return };
    let Ok(position) = rules.position(&json) else { return };
    let written = position.to_json(Viewer::All);
    assert_eq!(rules.position(&written).unwrap().to_json(Viewer::All), written);
    position.text(Viewer::Public);
}

fn tokens(dir: &Path, input: &[u8]) {
    fs::write(dir.join("tokens.jsonl"), input).unwrap();
    if let Ok(tokens) = Tokens::open(dir) {
        assert!(tokens.list().len() <= input.len());
    }
}

/// Accepted settings set something, and all others are refused with a reason.
fn settings(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Err(why) = check_settings(text) {
        assert!(!why.is_empty());
    }
}

fn personal(dir: &Path, input: &[u8]) {
    let path = dir.join("personal.json");
    fs::write(&path, input).unwrap();
    let log = plybook_events::LogId::from_bytes([7; 16]);
    if let Ok(personal) = Personal::open(&path) {
        assert_eq!(personal.get(log, "year_of_birth"), None);
    }
}

/// A list of players has no more lines than its text, and its lines are numbered in order.
fn roster(service: &Service, input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let Ok(roster) = service.read_roster(text) else { return };
    assert!(roster.lines.is_sorted_by_key(|line| line.number));
    assert!(roster.lines.last().is_none_or(|line| line.number <= text.split('\n').count() as u64));
}

/// Runs a number of times or, in the long form, for this share of the time.
pub(crate) fn repeat(part: u32, mut once: impl FnMut(&mut Dice)) -> usize {
    let (times, until) = (rounds(150, usize::MAX), Instant::now() + LONG / part);
    // The short form is the same in every run, unlike the long one.
    let mut dice = Dice(u64::from(part) ^ rounds(0, std::process::id() as usize) as u64);
    let mut done = 0;
    while done < times && (times < usize::MAX || Instant::now() < until) {
        once(&mut dice);
        done += 1;
    }
    done
}

#[test]
fn no_file_or_record_panics_a_parser() {
    let dir = tempfile::tempdir().unwrap();
    let service = Service::start(Store::in_memory().unwrap()).unwrap();
    let dirs = ["journal", "vault", "tokens", "personal"].map(|name| dir.path().join(name));
    dirs.iter().for_each(|dir| fs::create_dir(dir).unwrap());
    let logs = || files(&data("records"));
    let records = || kinds().iter().flat_map(|rules| files(&data(&format!("{}/records", rules.about().kind))));
    let events = Corpus::new("event", logs());
    let journals = Corpus::new("journal", []);
    let vaults = Corpus::new("vault", []);
    let json = Corpus::new("record", records());
    let texts = Corpus::new("text", []);
    let token_files = Corpus::new("tokens", []);
    let settings_files = Corpus::new("settings", []);
    let personal_files = Corpus::new("personal", []);
    let rosters = Corpus::new("roster", []);
    let done = repeat(2, |dice| {
        events.feed(dice, &mut event);
        journals.feed(dice, &mut |input| journal(&dirs[0], input));
        vaults.feed(dice, &mut |input| vault(&dirs[1], input));
        json.feed(dice, &mut record);
        texts.feed(dice, &mut text);
        token_files.feed(dice, &mut |input| tokens(&dirs[2], input));
        settings_files.feed(dice, &mut settings);
        personal_files.feed(dice, &mut |input| personal(&dirs[3], input));
        rosters.feed(dice, &mut |input| roster(&service, input));
    });
    println!("{done} inputs for each of 9 parsers of files and records");
}

#[test]
fn no_notation_setup_or_position_panics_a_game() {
    let mut dice = Dice(0x6e6f_7465);
    let mut games = Vec::new();
    for rules in kinds() {
        let setup = rules.complete(&Value::Object(serde_json::Map::new()), &mut |n| dice.below(n as usize) as u32);
        // Records of a kind whose setup cannot be drawn contain one.
        let Ok(setup) = setup else { continue };
        let mut positions = vec![rules.start(&setup).unwrap()];
        let mut words = Vec::new();
        for _ in 0..30 {
            let mut next = positions.last().unwrap().boxed();
            let Some(actor) = next.to_act().iter().next() else { break };
            let action = next.sample(actor, &mut |n| dice.below(n as usize) as u32);
            next.act(actor, &action).unwrap();
            words.push(action.into_bytes());
            positions.push(next);
        }
        let json = |value: Value| value.to_string().into_bytes();
        let shown = positions.iter().map(|position| json(position.to_json(Viewer::All))).collect::<Vec<_>>();
        games.push((
            *rules,
            positions,
            Corpus::new("notation", words),
            Corpus::new("setup", [json(setup)]),
            Corpus { name: "position", seeds: shown },
        ));
    }
    assert!(games.len() >= 4, "most kinds have a setup that can be drawn");
    let done = repeat(4, |dice| {
        for (rules, positions, words, setups, shown) in &games {
            let at = &positions[dice.below(positions.len())];
            words.feed(dice, &mut |input| notation(at.as_ref(), input));
            setups.feed(dice, &mut |input| setup(*rules, input));
            shown.feed(dice, &mut |input| position(*rules, input));
        }
    });
    println!("{done} actions, setups and positions for each of {} kinds", games.len());
}

/// Sends bytes as they are, and reads the answer until the other side closes or falls silent.
fn send(address: &str, bytes: &[u8]) -> Vec<u8> {
    let Ok(mut stream) = TcpStream::connect(address) else { return Vec::new() };
    stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    let _ = stream.write_all(bytes);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    answer
}

/// A client's frame: masked, with any opcode and any length that fits its header.
fn frame(payload: &[u8], dice: &mut Dice) -> Vec<u8> {
    let opcode = if dice.below(4) == 0 { dice.below(256) as u8 } else { 0x81 };
    let mut frame = vec![opcode];
    match payload.len() {
        len @ 0..126 => frame.push(0x80 | len as u8),
        len => frame.extend([&[0xfe][..], &(len as u16).to_be_bytes()].concat()),
    }
    let mask = [1, 2, 3, 4];
    frame.extend(mask);
    frame.extend(payload.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    frame
}

#[test]
fn no_document_or_frame_ends_the_service() {
    let dir = tempfile::tempdir().unwrap();
    let served = Served::start(&dir.path().join("data"), &[]);
    let documents = Corpus::new("graphql", []);
    let messages = Corpus::new("socket", []);
    let upgrade = format!(
        "GET /graphql HTTP/1.1\r\nHost: {}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n",
        served.address()
    );
    let (mut answered, mut upgraded) = (0, 0);
    let asked = repeat(4, |dice| {
        let document = String::from_utf8_lossy(&documents.next(dice)).into_owned();
        let body = serde_json::json!({ "query": document }).to_string();
        let (status, body) = served.http("POST", "/graphql", None, &body).expect("the service answers");
        assert!(status < 500, "{document}: {status} {body}");
        answered += 1;
        if dice.below(8) == 0 {
            let mut sent = upgrade.clone().into_bytes();
            for _ in 0..1 + dice.below(4) {
                let mut message = messages.next(dice);
                message.truncate(usize::from(u16::MAX));
                let mut framed = frame(&message, dice);
                if dice.below(4) == 0 {
                    messages.change(&mut framed, dice);
                }
                sent.extend(framed);
            }
            upgraded += usize::from(send(served.address(), &sent).starts_with(b"HTTP/1.1 101"));
        }
    });
    assert!(asked == answered && upgraded > 0);
    assert_eq!(served.http("GET", "/healthz", None, "").unwrap().0, 200);
    println!("{asked} documents, {upgraded} conversations over WebSocket");
}
