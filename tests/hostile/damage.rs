//! Files changed behind the service's back: every answer is the undamaged one, or a refusal that names what
//! is damaged.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use plybook_api::access::{Caller, Tokens};
use plybook_api::service::{NewGame, NewSeat, Service};
use plybook_events::{Actor, LogId};
use plybook_rules::kind;
use plybook_rules::log::{Command, record_json};
use plybook_store::{Memory, Options, Store};
use serde_json::json;

use crate::recording::Dice;
use crate::rounds;

const OPTIONS: Options = Options { segment_bytes: 6_000, memory: Memory::of(128 << 20), ..Options::DEFAULT };

/// The answers of a directory: a record for each game, and the tokens.
#[derive(PartialEq)]
struct Answers {
    /// All logs, including unreadable ones.
    ids: Vec<LogId>,
    games: BTreeMap<LogId, String>,
    tokens: String,
}

/// A data directory with games of several kinds, some finished and some with secrets to be revealed.
fn fill(dir: &Path) {
    let service = Service::start(Store::open(dir, &OPTIONS, &mut |_, _| ()).unwrap()).unwrap();
    let mut dice = Dice(0x6461_6d61);
    for name in ["thrones", "triforce", "triangulate", "tri"].repeat(3) {
        let rules = kind(name).unwrap();
        let setup = rules.complete(&json!({}), &mut |n| dice.below(n as usize) as u32).unwrap();
        let seats = vec![NewSeat::default(); usize::from(rules.start(&setup).unwrap().seats())];
        let live = service.create_game(&NewGame { kind: name.to_owned(), seats, ..NewGame::default() }).unwrap();
        for _ in 0..4 + dice.below(8) {
            let replay = live.replay();
            let Some(actor) = replay.position().to_act().iter().next() else { break };
            if actor == Actor::Chance {
                service.roll(&live, None).unwrap();
                continue;
            }
            let action = replay.position().sample(actor, &mut |n| dice.below(n as usize) as u32);
            service.command(&live, &[Command::Act { actor, action, clock_ms: None }], None).unwrap();
        }
        if dice.below(3) == 0 {
            service.command(&live, &[Command::Void { reason: "over".to_owned() }], None).unwrap();
        }
    }
    let tokens = Tokens::open(dir).unwrap();
    for label in ["one", "two"] {
        tokens.create(&Caller::ADMIN, label, None).unwrap();
    }
    service.close();
}

/// Queries everything in a directory; refusals are left out. `None` if it does not open at all.
fn answers(dir: &Path) -> Option<Answers> {
    let store = Store::open(dir, &OPTIONS, &mut |_, _| ()).ok()?;
    let service = Service::start(store).ok()?;
    let ids = service.log().logs_after(None, 1000).ok()?;
    let mut games = BTreeMap::new();
    for id in ids.iter().copied() {
        let (Ok(replay), Ok(lines)) = (service.glance(id), service.log().read(id, 0)) else { continue };
        games.insert(id, record_json(&replay, &lines, &[]).to_string());
    }
    // A lost secret is reported, whether or not it was requested.
    for id in service.losses().keys() {
        games.remove(id);
    }
    let tokens = Tokens::open(dir).map_or_else(|_| "refused".to_owned(), |tokens| format!("{:?}", tokens.list()));
    Some(Answers { ids, games, tokens })
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let to = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(&file, to).unwrap();
    }
}

/// Damages a file in one of several realistic ways. `other` is another file of the directory.
fn damage(file: &Path, other: &Path, dice: &mut Dice) -> &'static str {
    let mut bytes = fs::read(file).unwrap();
    let at = dice.below(bytes.len());
    let end = (at + 1 + dice.below(2_000)).min(bytes.len());
    let what = match dice.below(9) {
        0 | 1 if !bytes.is_empty() => {
            bytes[at] ^= 1 << dice.below(8);
            "a bit is flipped"
        }
        2 => {
            bytes.truncate(at);
            "it is cut"
        }
        3 => {
            let lines: Vec<usize> =
                bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at + 1).collect();
            bytes.truncate(lines.get(dice.below(lines.len())).copied().unwrap_or(0));
            "it is cut at the end of a line"
        }
        4 if !bytes.is_empty() => {
            bytes[at..end].fill(0);
            "a block is zero"
        }
        5 if !bytes.is_empty() => {
            let block = bytes[at..end].to_vec();
            bytes.splice(at..at, block);
            "a block is there twice"
        }
        6 => {
            let lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
            let (one, two) = (dice.below(lines.len()), dice.below(lines.len()));
            let mut swapped = lines.clone();
            if !lines.is_empty() {
                swapped.swap(one, two);
            }
            bytes = swapped.concat();
            "two lines are swapped"
        }
        7 => {
            bytes = fs::read(other).unwrap();
            "it holds another file"
        }
        _ => {
            fs::remove_file(file).unwrap();
            return "it is gone";
        }
    };
    fs::write(file, bytes).unwrap();
    what
}

#[test]
fn no_damage_makes_an_answer_silently_wrong() {
    let rounds = rounds(40, 2000);
    let dir = tempfile::tempdir().unwrap();
    let (whole, damaged) = (dir.path().join("whole"), dir.path().join("damaged"));
    fill(&whole);
    let expected = answers(&whole).unwrap();
    assert_eq!(expected.games.len(), 12);
    let names: Vec<PathBuf> = files(&whole).iter().map(|path| path.strip_prefix(&whole).unwrap().to_owned()).collect();
    // Half of the damage hits what cannot be rebuilt.
    let kept: Vec<&PathBuf> =
        names.iter().filter(|name| !name.starts_with("sled") && !name.ends_with("lock")).collect();
    let mut dice = Dice(0x6279_7465);
    let (mut unharmed, mut refused, mut partly) = (0, 0, 0);
    for round in 0..rounds {
        if damaged.exists() {
            fs::remove_dir_all(&damaged).unwrap();
        }
        copy(&whole, &damaged);
        let name = if dice.below(2) == 0 { kept[dice.below(kept.len())] } else { &names[dice.below(names.len())] };
        let other = &names[dice.below(names.len())];
        let how = damage(&damaged.join(name), &damaged.join(other), &mut dice);
        let what = format!("round {round}: {}: {how}", name.display());
        let Some(found) = answers(&damaged) else {
            assert!(!name.starts_with("sled"), "{what}: the index can be made again");
            refused += 1;
            continue;
        };
        assert_eq!(found.ids, expected.ids, "{what}: no game is gone");
        for (id, record) in &found.games {
            assert!(expected.games.get(id) == Some(record), "{what}: {id} is answered wrongly");
        }
        let is_first = name == Path::new("tokens.jsonl") && how == "it is gone";
        // Of a file that is cut, the last change is not there.
        let is_shorter = expected.tokens.starts_with(found.tokens.trim_end_matches(']'));
        let is_known = is_shorter || found.tokens == "refused" || is_first;
        assert!(is_known, "{what}: other tokens");
        if found == expected { unharmed += 1 } else { partly += 1 }
    }
    println!(
        "{rounds} damaged files: {unharmed} answered as before, {partly} in part and named, {refused} refused, 0 wrong"
    );
}
