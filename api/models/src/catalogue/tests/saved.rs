//! What is saved is what follows from the journal, and nothing else is ever answered.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use plybook_events::body::{Imported, PlayerCreated, PlayerMerged};
use plybook_events::{Body, By, Event, Hash, LogId, Timestamp};
use plybook_generator::{GeneratedLog, Plan};
use plybook_store::{Append, Memory, Options, Store};

use crate::catalogue::saved::{EVENTS_MIN, Saved};
use crate::catalogue::{Catalogue, Order, TournamentFilter};
use crate::filter::Filter;

const GAMES: u64 = 60;

fn logs(seed: u64) -> Vec<GeneratedLog> {
    let plan = Plan::new(GAMES, seed, None);
    (0..GAMES).map(|n| plan.game(n).unwrap()).collect()
}

/// So little memory that hardly any summary is kept.
fn open(dir: &Path) -> Store {
    let options = Options { memory: Memory::of(1 << 17), ..Options::DEFAULT };
    Store::open(dir, &options, &mut |_, _| ()).unwrap()
}

fn folder(dir: &Path) -> PathBuf {
    dir.join("sled/catalogue")
}

/// Plays each log on, until there are so many eighths of it.
fn append(store: &Store, logs: &[GeneratedLog], eighths: usize) {
    for log in logs {
        let expected = store.log().head(log.log);
        let from = expected.as_ref().map_or(0, |head| head.seq() as usize + 1);
        let events = log.events[..log.events.len() * eighths / 8].iter().skip(from).cloned().collect::<Vec<_>>();
        if !events.is_empty() {
            store.log().append_together(&[Append { log: log.log, expected, events }]).unwrap();
        }
    }
}

fn append_one(store: &Store, log: LogId, body: Body) {
    let (seq, prev) = store.log().head(log).map_or((0, Hash::ZERO), |head| (head.seq() + 1, head.hash()));
    let by = if body.is_first() { By::Service } else { By::Arbiter };
    let event = Event {
        at: Timestamp::from_millis(0).unwrap(),
        by,
        log,
        prev,
        seq,
        body,
        who: None,
        signature: None,
        request: None,
    };
    store.log().append(log, store.log().head(log).as_ref(), vec![event.to_bytes().unwrap()]).unwrap();
}

/// Everything that a catalogue answers.
fn told(catalogue: &Catalogue) -> BTreeMap<String, String> {
    let known = catalogue.known();
    let mut told = BTreeMap::new();
    for game in known.games.all() {
        let id = game.id;
        let lines: Vec<LogId> = known.games.lines(id).map(|line| line.id).collect();
        let imports = known.imports.of(id);
        let row = known.games.row(id).map(|row| format!("{row:?}"));
        let place = known.games.place(id);
        let said = format!("{game:?} {place:?} {row:?} {lines:?} {} {imports:?}", known.games.lines_len(id));
        told.insert(id.to_string(), said);
    }
    assert_eq!(told.len(), known.games.len(), "every game has a summary");
    for order in Order::ALL {
        told.insert(format!("{order:?}"), format!("{:?}", known.games.select(&Filter::default()).list(order, None)));
    }
    let tags = known.games.all().flat_map(|game| game.tags.keys().cloned().collect::<Vec<_>>()).collect::<Vec<_>>();
    for tag in tags {
        let filter = Filter { tags: vec![tag.clone()], ..Filter::default() };
        told.insert(tag, format!("{:?}", known.games.select(&filter).list(Order::PlyAsc, None)));
    }
    for player in known.players.list(|_| true) {
        let games: Vec<LogId> = known.games.of_player(player.id).map(|game| game.id).collect();
        told.insert(player.id.to_string(), format!("{player:?} {games:?}"));
    }
    let tournaments = known.tournaments.list(&TournamentFilter::default());
    told.insert("tournaments".to_owned(), format!("{tournaments:?} {:?}", known.position()));
    told
}

/// What follows from the journal alone, with everything in memory.
fn expected(store: &Store) -> BTreeMap<String, String> {
    told(&Catalogue::open_to_read(store).unwrap())
}

fn assert_right(catalogue: &Catalogue, store: &Store, when: &str) {
    let (found, expected) = (told(catalogue), expected(store));
    assert!(found.keys().eq(expected.keys()), "{when}: others are known");
    for (what, said) in &expected {
        assert_eq!(&found[what], said, "{when}: {what}");
    }
}

/// A data directory with games, some of whose players are merged, saved at several times.
fn recorded(dir: &Path) {
    let store = open(dir);
    let catalogue = Catalogue::open(&store).unwrap();
    let logs = logs(5);
    append(&store, &logs, 3);
    catalogue.save();
    append(&store, &logs[..30], 8);
    catalogue.save();
    append(&store, &logs[30..45], 6);
    let players: Vec<LogId> = {
        let known = catalogue.known();
        known.games.all().flat_map(|game| game.players.clone()).flatten().take(2).collect()
    };
    for player in &players {
        if store.log().head(*player).is_none() {
            append_one(&store, *player, Body::PlayerCreated(PlayerCreated { name: player.to_string() }));
        }
    }
    append_one(&store, players[0], Body::PlayerMerged(PlayerMerged { into: players[1] }));
    let game = logs[3].log;
    let last = store.log().head(game).unwrap().seq();
    let (first, last, head) = (last + 1, last + 2, Hash::ZERO);
    let mark = Imported { log: game, first, last, head, file: head, source: None };
    append_one(&store, Imported::marks_of(game), Body::Imported(mark));
    catalogue.save();
    append(&store, &logs[45..50], 4);
    assert_right(&catalogue, &store, "before it is saved");
    catalogue.save();
    assert_right(&catalogue, &store, "after it is saved");
    let known = catalogue.known();
    let is_merged = |seat: &(Option<LogId>, Option<LogId>)| seat.0 == Some(players[0]) && seat.1 == Some(players[1]);
    let seats = known.games.all().flat_map(|game| {
        let stated: Vec<_> = game.seats.iter().map(|seat| seat.player).collect();
        stated.into_iter().zip(game.players.clone()).collect::<Vec<_>>()
    });
    assert!(seats.into_iter().any(|seat| is_merged(&seat)), "somebody sits for a merged player");
}

/// The files of the catalogue, by name.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder(dir)).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(path).unwrap())).collect()
}

fn write(dir: &Path, files: &BTreeMap<String, Vec<u8>>) {
    fs::remove_dir_all(folder(dir)).unwrap();
    fs::create_dir(folder(dir)).unwrap();
    for (name, bytes) in files {
        fs::write(folder(dir).join(name), bytes).unwrap();
    }
}

#[test]
fn a_start_finds_what_was_saved() {
    let dir = tempfile::tempdir().unwrap();
    recorded(dir.path());
    let store = open(dir.path());
    let before = files(dir.path());
    let catalogue = Catalogue::open(&store).unwrap();
    assert_right(&catalogue, &store, "after a start");
    assert!(catalogue.known().games.summaries().changed().is_empty(), "nothing is read from the journal");
    catalogue.save();
    assert!(files(dir.path()) == before, "nothing is written where nothing has changed");
    append(&store, &logs(5)[45..], 8);
    drop(catalogue);
    let catalogue = Catalogue::open(&store).unwrap();
    assert_right(&catalogue, &store, "after events that were not saved");
}

#[test]
fn many_ratings_are_saved_without_an_event() {
    let dir = tempfile::tempdir().unwrap();
    recorded(dir.path());
    let store = open(dir.path());
    let game = logs(5)[0].log;
    for (notes, is_saved) in [(EVENTS_MIN - 1, false), (EVENTS_MIN, true)] {
        let catalogue = Catalogue::open(&store).unwrap();
        catalogue.set_ratings(&vec![(game, Some(1500.0)); notes as usize]);
        catalogue.save_if(Saved::is_due);
        drop(catalogue);
        let rating = Catalogue::open(&store).unwrap().known().games.row(game).unwrap().rating();
        assert_eq!(rating, is_saved.then_some(1500.0), "after {notes} notes");
    }
}

#[test]
fn a_start_writes_summaries_as_it_makes_them() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    append(&store, &logs(5), 8);
    let catalogue = Catalogue::open(&store).unwrap();
    let changed = catalogue.known().games.summaries().changed().len();
    assert!(changed < GAMES as usize, "{changed} summaries are in memory");
    assert_right(&catalogue, &store, "after a start from the journal");
}

#[test]
fn a_save_that_is_interrupted_leaves_what_was_saved_before() {
    let dir = tempfile::tempdir().unwrap();
    recorded(dir.path());
    let old = files(dir.path());
    {
        let store = open(dir.path());
        let catalogue = Catalogue::open(&store).unwrap();
        append(&store, &logs(5)[30..], 8);
        catalogue.save();
    }
    let new = files(dir.path());
    let snapshot = |of: &BTreeMap<String, Vec<u8>>| BTreeMap::from([("snapshot".to_owned(), of["snapshot"].clone())]);
    let both: BTreeMap<_, _> = old.clone().into_iter().chain(new.clone()).collect();
    let mut states = vec![
        ("new summaries, old snapshot", [both.clone(), snapshot(&old)]),
        ("new snapshot, old files are there", [both.clone(), snapshot(&new)]),
    ];
    let half = |name: &str| BTreeMap::from([(name.to_owned(), new["snapshot"][..new["snapshot"].len() / 2].to_vec())]);
    states.push(("a new snapshot is written to the half", [old.clone(), half("snapshot.new")]));
    states.push(("half a snapshot", [old.clone(), half("snapshot")]));
    for (when, parts) in states {
        write(dir.path(), &parts.into_iter().flatten().collect());
        let store = open(dir.path());
        let catalogue = Catalogue::open(&store).unwrap();
        assert_right(&catalogue, &store, when);
        catalogue.save();
        drop(catalogue);
        let catalogue = Catalogue::open(&store).unwrap();
        assert_right(&catalogue, &store, when);
        assert!(!catalogue.known().games.summaries().is_damaged(), "{when}");
    }
}

#[test]
fn damage_is_answered_from_the_journal_and_repaired_by_the_next_start() {
    let dir = tempfile::tempdir().unwrap();
    recorded(dir.path());
    let whole = files(dir.path());
    assert_eq!(whole.len(), 2, "{:?}", whole.keys());
    for (name, bytes) in &whole {
        let flipped = |at: usize| {
            let mut bytes = bytes.clone();
            bytes[at] ^= 4;
            Some(bytes)
        };
        let damages =
            [flipped(20), flipped(bytes.len() / 2), flipped(bytes.len() - 20), Some(bytes[..100].to_vec()), None];
        for (n, damage) in damages.into_iter().enumerate() {
            let mut damaged = whole.clone();
            damaged.remove(name);
            damaged.extend(damage.map(|bytes| (name.clone(), bytes)));
            write(dir.path(), &damaged);
            let store = open(dir.path());
            for when in ["at the first start", "at the next"] {
                let catalogue = Catalogue::open(&store).unwrap();
                let when = format!("{name}, damage {n}, {when}");
                assert_right(&catalogue, &store, &when);
                catalogue.save();
                assert_right(&catalogue, &store, &when);
            }
            let catalogue = Catalogue::open(&store).unwrap();
            assert_right(&catalogue, &store, "at the last start");
            assert!(!catalogue.known().games.summaries().is_damaged(), "{name}, damage {n} is repaired");
        }
    }
}

#[test]
fn garbage_of_summaries_is_compacted() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path());
    let catalogue = Catalogue::open(&store).unwrap();
    for eighths in 1..=8 {
        append(&store, &logs(5), eighths);
        catalogue.save();
        assert_right(&catalogue, &store, "after it is saved");
    }
    let live: usize = catalogue.known().games.all().map(|game| serde_json::to_vec(&*game).unwrap().len()).sum();
    let files = files(dir.path());
    let (name, summaries) = files.iter().find(|(name, _)| name.ends_with(".summaries")).unwrap();
    assert!(name != "0.summaries" && summaries.len() < 3 * live, "{name}, {} bytes of {live}", summaries.len());
    drop(catalogue);
    assert_right(&Catalogue::open(&store).unwrap(), &store, "after a start");
}

#[test]
fn the_catalogue_of_another_journal_is_not_taken() {
    let (dir, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    recorded(dir.path());
    {
        let store = open(other.path());
        let catalogue = Catalogue::open(&store).unwrap();
        append(&store, &logs(6), 8);
        catalogue.save();
    }
    write(dir.path(), &files(other.path()));
    let store = open(dir.path());
    assert_right(&Catalogue::open(&store).unwrap(), &store, "with the files of another");
}

#[test]
fn what_the_disk_refuses_is_saved_later() {
    let dir = tempfile::tempdir().unwrap();
    recorded(dir.path());
    let store = open(dir.path());
    let catalogue = Catalogue::open(&store).unwrap();
    append(&store, &logs(5)[30..], 7);
    let (there, away) = (folder(dir.path()), dir.path().join("away"));
    fs::rename(&there, &away).unwrap();
    catalogue.save();
    assert_right(&catalogue, &store, "while the disk refuses");
    fs::rename(&away, &there).unwrap();
    let before = files(dir.path());
    catalogue.save();
    assert!(files(dir.path())["snapshot"] != before["snapshot"]);
    drop(catalogue);
    let catalogue = Catalogue::open(&store).unwrap();
    assert!(catalogue.known().games.summaries().changed().is_empty());
    assert_right(&catalogue, &store, "after it was saved");
}
