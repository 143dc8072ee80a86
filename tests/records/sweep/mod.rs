//! Every single event and field of games of all kinds, of players and of tournaments changed, left out, inserted and swapped: what each verifier misses is the
//! table in `tests/data/format/missed.md`, which `UPDATE=1` rewrites. With the head or a proof, none misses anything. `tests/run` changes a
//! few of the logs, `tests/run all` all of them.

mod changes;
mod judges;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use plybook_api::service::{ProofFileError, Proven, Trusted, check_proof, verify_any};
use plybook_events::{Hash, LogId};
use plybook_rules::log::{LogBytes, Replay, Secrets, Verifier, record_json};
use plybook_store::EventBytes;
use plybook_tests::tier::size;
use plybook_tests::tiles::MemoryTiles;
use plybook_tlog::{Builder, Checkpoint, Quorum, SigningKey, Tree, leaf_hash};
use serde_json::{Value, json};

use self::changes::{Change, changes};
pub(crate) use self::changes::{others, pointers};
use self::judges::Judge;
use crate::golden::{Golden, all, data, lines};

/// The kinds of games whose longer logs are changed too.
const KINDS: [&str; 5] = ["thrones", "tri", "triangulate", "triforce", "triforce-building"];

/// The most events of a log that is changed.
const EVENTS_MAX: usize = 80;

/// The fewest events of a log that stands for its kind.
const EVENTS_OF_KIND: usize = 20;

/// One log in so many is changed by `tests/run`.
const STEP: usize = 8;

/// The verifiers: the columns of the table.
const COLUMNS: [&str; 2] = ["`plybook verify`, the browser", "`tests/python/verify.py`"];

/// What each verifier misses, by the type of the event: its members, and what is done with it.
type Missed = BTreeMap<String, [BTreeSet<String>; 2]>;

/// All golden logs.
type Known = BTreeMap<LogId, Vec<EventBytes>>;

/// Both verifiers.
struct Judges {
    known: Known,
    python: Judge,
}

/// What was found of some logs.
#[derive(Default)]
struct Findings {
    missed: Missed,
    /// How many changed logs were judged, and how many of them are good but for their proof.
    tried: usize,
    refused: usize,
}

#[test]
fn every_change_is_noticed_or_listed_and_nothing_is_missed_with_the_head() {
    let (swept, proofs, next) = (swept(), Proofs::new(), AtomicUsize::new(0));
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let Findings { missed, tried, refused } = thread::scope(|scope| {
        let work = || {
            let (mut judges, mut found) = (Judges::start(), Findings::default());
            while let Some(golden) = swept.get(next.fetch_add(1, Ordering::Relaxed)) {
                found.add(golden, &mut judges, &proofs);
            }
            found
        };
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let found = running.into_iter().map(|worker| worker.join().expect("nothing is missed"));
        found.fold(Findings::default(), Findings::with)
    });
    println!("{tried} changed logs, of which {refused} are good but for their proof");
    let (tried_min, refused_min) = (size(1_000, 10_000, 10_000), size(50, 500, 500));
    assert!(tried > tried_min && refused > refused_min, "{tried} changed logs, {refused} refused by their proofs");
    let path = data().join("format/missed.md");
    let page = fs::read_to_string(&path).expect("it is there");
    if !is_whole() {
        return listed(&missed, &page);
    }
    let wanted = table(&missed);
    if env::var_os("UPDATE").is_some_and(|update| update == "1") {
        fs::write(&path, wanted).expect("it can be written");
        return;
    }
    for (wanted, is) in wanted.lines().zip(page.lines()) {
        assert_eq!(wanted, is, "missed.md says something else: write it with UPDATE=1");
    }
    assert_eq!(wanted.len(), page.len());
}

impl Findings {
    /// Adds what is found of all changes of a log.
    fn add(&mut self, golden: &Golden, judges: &mut Judges, proofs: &Proofs) {
        let changes = changes(golden);
        let what = |change: &Change| format!("{}, {}", change.kind, change.place);
        let raw: Vec<(String, Vec<u8>)> = changes.iter().map(|change| (what(change), change.raw())).collect();
        judges.notice(golden, &raw);
        let hashed = changes.iter().filter(|change| !change.is_of_chain).map(|change| (change, change.rehashed()));
        // Without the signatures that it breaks, a change may be none.
        let hashed: Vec<(&Change, Vec<u8>)> = hashed.filter(|(_, text)| *text != golden.text.as_bytes()).collect();
        let is_missed = judges.collect(golden, &hashed, &mut self.missed);
        let unnoticed = hashed.iter().zip(is_missed).filter(|(_, is)| *is);
        let unnoticed: Vec<_> = unnoticed.map(|((change, text), _)| (what(change), text.clone())).collect();
        judges.notice(golden, &unnoticed);
        self.refused += proofs.refuse(golden, &unnoticed, judges);
        self.tried += raw.len() + hashed.len();
    }

    fn with(mut self, other: Self) -> Self {
        for (kind, columns) in other.missed {
            let known = self.missed.entry(kind).or_default();
            known.iter_mut().zip(columns).for_each(|(known, places)| known.extend(places));
        }
        (self.tried, self.refused) = (self.tried + other.tried, self.refused + other.refused);
        self
    }
}

/// The logs that are changed, the longest first, so that nobody is left with one of them at the end.
fn swept() -> Vec<Golden> {
    let goldens = all();
    let is_of = |golden: &Golden, folder: &str| golden.path.starts_with(data().join(folder));
    let of_kind = |kind: &&str| {
        let long = goldens.iter().filter(|golden| is_of(golden, kind) && golden.lines().len() >= EVENTS_OF_KIND);
        long.min_by_key(|golden| golden.lines().len()).expect("each kind has one").path.clone()
    };
    let of_kinds: Vec<PathBuf> = KINDS.iter().map(of_kind).collect();
    let is_short = |golden: &Golden| golden.lines().len() <= EVENTS_MAX && is_of(golden, "records");
    let swept = goldens.into_iter().filter(|golden| is_short(golden) || of_kinds.contains(&golden.path));
    let mut swept: Vec<Golden> = swept.collect();
    swept.sort_by_key(|golden| Reverse(golden.text.len()));
    if is_whole() { swept } else { swept.into_iter().skip(STEP / 2).step_by(STEP).collect() }
}

/// The hash of the last line.
fn head(text: &[u8]) -> Hash {
    Hash::of_event(lines(text).last().expect("a log is not empty"))
}

/// Whether all logs are changed, as is done for the table.
fn is_whole() -> bool {
    size(false, true, true) || env::var_os("UPDATE").is_some_and(|update| update == "1")
}

/// Checks that the table lists whatever is missed.
fn listed(missed: &Missed, page: &str) {
    for (kind, columns) in missed {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{kind}` |")));
        let row = row.unwrap_or_else(|| panic!("missed.md has no row for {kind}: write it with UPDATE=1"));
        for (cell, places) in row.trim_matches('|').split('|').skip(1).zip(columns) {
            let known: Vec<&str> = cell.trim().split(", ").collect();
            let new: Vec<String> = places.iter().map(told).filter(|place| !known.contains(&place.as_str())).collect();
            assert!(new.is_empty(), "missed.md does not say that {new:?} of {kind} is missed: write it with UPDATE=1");
        }
    }
}

/// What was done with an event, or its member, as the table has it.
fn told(place: &String) -> String {
    let is_done = ["cut", "doubled", "inserted", "left out", "swapped"].contains(&place.as_str());
    if is_done { place.clone() } else { format!("`{place}`") }
}

/// What is missed, as a table.
fn table(missed: &Missed) -> String {
    let mut table = format!("| event | {} |\n|---|---|---|\n", COLUMNS.join(" | "));
    for (kind, columns) in missed {
        let cells = columns.each_ref().map(|places| places.iter().map(told).collect::<Vec<_>>().join(", "));
        table += &format!("| `{kind}` | {} |\n", cells.join(" | "));
    }
    table
}

impl Judges {
    fn start() -> Self {
        let goldens = all();
        let paths: Vec<PathBuf> = goldens.iter().map(|golden| golden.path.clone()).collect();
        let bytes = |golden: &Golden| golden.lines().into_iter().map(EventBytes::from).collect();
        let known = goldens.iter().map(|golden| (golden.id(), bytes(golden))).collect();
        Self { known, python: Judge::start("python3", "python/judge.py", &paths) }
    }

    /// What each says of copies of a log: whether it finds nothing.
    fn accept(&mut self, golden: &Golden, copies: &[&[u8]], with_head: bool) -> [Vec<bool>; 2] {
        let (log, known) = (golden.id(), with_head.then(|| head(golden.text.as_bytes())));
        let Self { known: logs, python } = self;
        thread::scope(|scope| {
            let asked =
                scope.spawn(move || copies.iter().map(|copy| python.accepts(log, copy, known)).collect::<Vec<_>>());
            let accepts = |copy: &&[u8]| {
                let head = ours(logs, log, copy).map(|(head, _)| head);
                head.is_some() && (known.is_none() || head == known)
            };
            let ours = copies.iter().map(accepts).collect();
            [ours, asked.join().expect("it answers")]
        })
    }

    /// Asserts that nobody accepts these copies of a log, whose head is known.
    fn notice(&mut self, golden: &Golden, copies: &[(String, Vec<u8>)]) {
        let texts: Vec<&[u8]> = copies.iter().map(|(_, text)| text.as_slice()).collect();
        for (name, accepted) in COLUMNS.iter().zip(self.accept(golden, &texts, true)) {
            for ((what, _), accepted) in copies.iter().zip(accepted) {
                assert!(!accepted, "{}: {name} misses it: {what}", golden.name());
            }
        }
    }

    /// Collects what they miss of changes with all hashes computed again; returns which changes anybody misses.
    fn collect(&mut self, golden: &Golden, copies: &[(&Change, Vec<u8>)], missed: &mut Missed) -> Vec<bool> {
        let texts: Vec<&[u8]> = copies.iter().map(|(_, text)| text.as_slice()).collect();
        let accepted = self.accept(golden, &texts, false);
        for (column, accepted) in accepted.iter().enumerate() {
            for ((change, _), _) in copies.iter().zip(accepted).filter(|(_, accepted)| **accepted) {
                missed.entry(change.kind.clone()).or_default()[column].insert(change.place.clone());
            }
        }
        (0..copies.len()).map(|at| accepted.iter().any(|accepted| accepted[at])).collect()
    }
}

/// What our verifier says of a log: its head and the game, if it is good.
fn ours(known: &Known, id: LogId, text: &[u8]) -> Option<(Hash, Option<Replay>)> {
    let find = |id| Some(LogBytes { lines: known.get(&id)?.clone(), secrets: Secrets::new() });
    let verifier = Verifier::new(&find);
    let found = verify_any(&verifier, &find, id, &lines(text), &Secrets::new());
    let fold = || verifier.verify(id, &lines(text), &Secrets::new()).1;
    found.fault.is_none().then(|| (found.head, fold()))
}

/// The proofs of all golden logs, under one checkpoint.
pub(crate) struct Proofs {
    tiles: MemoryTiles,
    size: u64,
    /// The place of the last event of each log, by its hash.
    ends: BTreeMap<Hash, u64>,
    note: String,
    pub(crate) trusted: Trusted,
}

impl Proofs {
    pub(crate) fn new() -> Self {
        let key = SigningKey::from_seed("games.example.org", &[7; 32]).expect("it is a name");
        let (mut builder, mut tiles, mut ends) = (Builder::default(), MemoryTiles::default(), BTreeMap::new());
        for golden in all() {
            for line in golden.lines() {
                builder.push(leaf_hash(line), &mut tiles);
            }
            ends.insert(head(golden.text.as_bytes()), builder.len() - 1);
        }
        tiles.complete(&builder);
        let size = builder.len();
        let checkpoint = Checkpoint { origin: "games.example.org".to_owned(), size, root: builder.root() };
        let quorum = Quorum::new(Vec::new(), None).expect("nobody is named twice");
        let trusted = Trusted { keys: vec![key.public().clone()], quorum };
        Self { tiles, size, ends, note: checkpoint.sign(&[&key]).to_string(), trusted }
    }

    /// The proof file of a record.
    pub(crate) fn file(&self, record: &Value) -> Value {
        let head = record["head"].as_str().and_then(|head| head.parse().ok()).expect("a record has a head");
        self.file_of(head, record)
    }

    /// A record with the proof that the log with this head has.
    fn file_of(&self, head: Hash, record: &Value) -> Value {
        let index = self.ends[&head];
        let path = Tree::new(&self.tiles, self.size).inclusion(index).expect("it is in the tree");
        let inclusion = json!({ "index": index, "path": path });
        json!({ "format": "plybook-proof/1", "record": record, "inclusion": inclusion, "checkpoint": self.note })
    }

    /// What `plybook check` says of a record with the proof that the log had before it was changed.
    fn check(&self, golden: &Golden, text: &[u8], replay: &Replay) -> Result<Proven, ProofFileError> {
        let lines: Vec<EventBytes> = lines(text).into_iter().map(EventBytes::from).collect();
        let file = self.file_of(head(golden.text.as_bytes()), &record_json(replay, &lines, &[]));
        check_proof(&file.to_string(), &self.trusted)
    }

    /// Asserts that no changed log that our verifier accepts has a proof; returns how many there are.
    fn refuse(&self, golden: &Golden, copies: &[(String, Vec<u8>)], judges: &Judges) -> usize {
        let fold = |text: &[u8]| ours(&judges.known, golden.id(), text)?.1.filter(|replay| !replay.is_line());
        let Some(replay) = fold(golden.text.as_bytes()) else { return 0 };
        // What is sealed in a running game is not in its record.
        if replay.sealed().next().is_some() {
            return 0;
        }
        assert!(self.check(golden, golden.text.as_bytes(), &replay).is_ok(), "{}", golden.name());
        let mut refused = 0;
        for (what, text) in copies {
            let Some(replay) = fold(text) else { continue };
            let why = self.check(golden, text, &replay).err();
            let why = why.unwrap_or_else(|| panic!("{}: it is proven: {what}", golden.name()));
            assert!(matches!(why, ProofFileError::Inclusion(_)), "{}: {what}: {why}", golden.name());
            refused += 1;
        }
        refused
    }
}
