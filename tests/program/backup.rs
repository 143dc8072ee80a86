//! Backups made beside a running service, and what is restored from them.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use plybook_events::Body;
use serde_json::{Value, json};

use crate::operator::{forget_index, journal, rewrite, write_journal};
use crate::plybook::{Ran, Served, command, fill, run, run_with_room};

const CREATE: &str =
    "mutation { createGame(input: { kind: \"thrones\", seats: [{ name: \"A\" }, { name: \"B\" }] }) { id } }";

const GAMES: &str = "{ games(first: 100) { totalCount edges { node { id kind status ply seats { name } } } } }";

/// A folder for a test, with a data directory and a backup in it.
struct Place {
    dir: tempfile::TempDir,
    data: PathBuf,
    backup: PathBuf,
}

impl Place {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (data, backup) = (dir.path().join("data"), dir.path().join("backup"));
        Self { dir, data, backup }
    }

    /// One with a few games, a transparency log, tokens and a secret.
    fn filled() -> Self {
        let place = Self::new();
        fill(&place.data);
        let served = Served::start(&place.data, &[]);
        served.get(Some(&served.admin()), CREATE, &json!({}));
        stop(served);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn back_up(&self) -> Ran {
        run(&["backup", "--data", text(&self.data), "--to", text(&self.backup)])
    }

    /// Restores the backup into a new directory of this name.
    fn restore(&self, name: &str, more: &[&str]) -> Ran {
        restore(&self.backup, &self.path(name), more)
    }
}

fn restore(from: &Path, data: &Path, more: &[&str]) -> Ran {
    run(&[&["restore", "--from", text(from), "--data", text(data)], more].concat())
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn stop(served: Served) {
    served.signal("-TERM");
    assert_eq!(served.wait(Duration::from_secs(60)), Some(0));
}

fn verify(data: &Path) -> String {
    let verified = run(&["verify", "--data", text(data)]).ok();
    assert!(verified.contains(" 0 bad"), "{verified}");
    verified
}

/// Everything in a folder: names, modes and contents.
fn files(folder: &Path) -> Vec<(PathBuf, u32, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let mode = fs::metadata(&path).unwrap().mode() & 0o777;
        if path.is_dir() {
            found.extend(files(&path));
            found.push((path, mode, Vec::new()));
        } else {
            found.push((path.clone(), mode, fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

/// How many games are created during a round of backups: without an end, each round would take longer than the one before.
const GAMES_A_ROUND: u32 = 200;

/// While a service records, secrets included, each backup has a moment of it, and the last one everything.
#[test]
fn a_service_is_backed_up_while_it_records() {
    let place = Place::new();
    run(&["bench", "--games", "150", "--only-fill", "--data", text(&place.data)]).ok();
    let config = place.path("plybook.toml");
    fs::write(&config, "segment-mib = 1\n").unwrap();
    let served = Served::start(&place.data, &["--config", text(&config)]);
    let admin = served.admin();
    let (is_over, begun) = (AtomicBool::new(false), Instant::now());
    let (created, rounds) = (AtomicU32::new(0), AtomicU32::new(0));
    // Were a check below to fail, nobody would say that it is over.
    let is_late = || begun.elapsed() > Duration::from_secs(200);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) && !is_late() {
                    if created.load(Ordering::Relaxed) < GAMES_A_ROUND * rounds.load(Ordering::Relaxed) {
                        served.get(Some(&admin), CREATE, &json!({}));
                        created.fetch_add(1, Ordering::Relaxed);
                    } else {
                        thread::sleep(Duration::from_millis(5));
                    }
                }
            });
        }
        let mut events = 0;
        for round in 0..6 {
            let before = created.load(Ordering::Relaxed);
            rounds.fetch_add(1, Ordering::Relaxed);
            while created.load(Ordering::Relaxed) == before {
                assert!(!is_late(), "nothing is recorded");
                thread::sleep(Duration::from_millis(1));
            }
            let said = place.back_up().ok();
            let now: u64 = said.split(" has ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
            assert!(now > events, "{said}");
            events = now;
            let restored = place.path(&format!("restored-{round}"));
            restore(&place.backup, &restored, &[]).ok();
            assert!(verify(&restored).contains(&format!(" {events} events")), "with every secret");
        }
        is_over.store(true, Ordering::Relaxed);
    });
    let first = place.backup.join("journal/00000000000000000000.log");
    let made = fs::metadata(&first).unwrap();
    assert!(fs::read_dir(place.backup.join("journal")).unwrap().count() > 1, "the first segment is closed");
    thread::sleep(Duration::from_secs(2));
    place.back_up().ok();
    let again = fs::metadata(&first).unwrap();
    assert_eq!((again.ino(), again.mtime_nsec()), (made.ino(), made.mtime_nsec()), "it is copied once");
    for (path, mode, bytes) in files(&place.backup) {
        assert_eq!(mode, if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
        assert!(!bytes.windows(admin.len()).any(|word| word == admin.as_bytes()), "no token in {}", path.display());
    }
    assert!(place.back_up().ok().contains(" 0 of them new"));
    let (games, key) = (served.get(None, GAMES, &json!({})), run(&["tlog", "key", "--data", text(&place.data)]).ok());
    stop(served);
    place.restore("last", &[]).ok();
    let last = place.path("last");
    assert!(files(&last).iter().all(|(path, mode, _)| *mode == if path.is_dir() { 0o700 } else { 0o600 }));
    let served = Served::start(&last, &[]);
    assert_eq!(served.get(None, GAMES, &json!({})), games);
    served.get(Some(&admin), CREATE, &json!({}));
    stop(served);
    assert_eq!(run(&["tlog", "key", "--data", text(&last)]).ok(), key);
    assert!(run(&["doctor", "--data", text(&last)]).ok().contains("It is healthy"));
}

/// What goes back in time has nothing that was recorded later, says so, and signs with another key.
#[test]
fn a_journal_is_restored_up_to_a_position() {
    let place = Place::new();
    let served = Served::start(&place.data, &[]);
    let admin = served.admin();
    let create = || served.get(Some(&admin), CREATE, &json!({}))["createGame"]["id"].as_str().unwrap().to_owned();
    let first = create();
    thread::sleep(Duration::from_millis(20));
    let second = create();
    thread::sleep(Duration::from_millis(20));
    stop(served);
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/records/line-parent.ndjson");
    run(&["import", text(&old), "--data", text(&place.data)]).ok();
    place.back_up().ok();
    let events = journal(&place.data);
    let created = |id: &str| events.iter().position(|event| event.log.to_string() == id).unwrap();
    let then = events[created(&first)].at;
    let at = events.iter().position(|event| event.at > then).unwrap();
    let import = events.iter().position(|event| matches!(event.body, Body::Imported(_))).unwrap();
    assert!(at <= created(&second));
    // docs/operations.md: which position a time has. An import brings earlier times, after it.
    let script = format!(
        "awk -F'\"' '/^#commit/ {{ split($0, word, \" \"); position = word[2] }} $2 == \"at\" && $4 > \"{then}\" \
         {{ print position; exit }}' {}/journal/*.log",
        text(&place.backup)
    );
    let found = Command::new("sh").args(["-c", &script]).output().unwrap().stdout;
    assert_eq!(String::from_utf8(found).unwrap().trim(), at.to_string());
    let until = [("position", at, at), ("inside", import + 2, import), ("beyond", events.len() + 9, events.len())];
    for (name, until, left) in until {
        let said = place.restore(name, &["--until", &until.to_string()]).ok();
        let data = place.path(name);
        assert!(said.starts_with(&format!("{left} events are in ")), "{name}: {said}");
        let restored = journal(&data);
        assert_eq!(restored[..left], events[..left], "{name}");
        let told = run(&["doctor", "--data", text(&data)]).ok();
        if left == events.len() {
            assert_eq!((restored.len(), said.lines().count()), (left, 1), "nothing had to be left out");
            assert!(data.join("tlog/key").exists());
            continue;
        }
        let lost = format!("{} events are left out, from position {left} on", events.len() - left);
        assert!(said.contains(&lost) && said.contains("tlog.before-1"), "{said}");
        assert_eq!(restored.len(), left + 1);
        assert!(matches!(&restored[left].body, Body::HistoryAccepted(change) if change.position == left as u64));
        assert!(told.contains("a change was accepted at"), "{told}");
        assert!(told.contains("tlog.before-1 is the transparency log of the journal before"), "{told}");
        verify(&data);
    }
    let (then, key) = (place.path("position"), |data: &Path| run(&["tlog", "key", "--data", text(data)]).ok());
    let served = Served::start(&then, &[]);
    let games = served.get(None, GAMES, &json!({}));
    assert_eq!((&games["games"]["totalCount"], &games["games"]["edges"][0]["node"]["id"]), (&json!(1), &json!(first)));
    stop(served);
    assert_ne!(key(&then), key(&place.data));
    assert!(then.join("tlog.before-1/checkpoint").exists());
    assert!(place.restore("early", &["--until", "0"]).fails(1).contains("nothing was recorded by then"));
    // The backup does not take what has less than it.
    let other = run(&["backup", "--data", text(&then), "--to", text(&place.backup)]).fails(1);
    assert!(other.contains(&format!("but {} holds {}", text(&place.backup), events.len())), "{other}");
}

/// A data directory that has lost something, or is another one, leaves the backup as it was.
#[test]
fn a_backup_never_takes_less_than_it_has() {
    let place = Place::filled();
    let served = Served::start(&place.data, &[]);
    let admin = served.admin();
    let create = "mutation { createPlayer(input: { name: \"Zoe\", yearOfBirth: 1990 }) { id } }";
    for query in [create, CREATE, CREATE] {
        served.get(Some(&admin), query, &json!({}));
    }
    stop(served);
    place.back_up().ok();
    let (held, events) = (files(&place.backup), journal(&place.data));
    let copy = place.path("copy");
    let cases: [(&str, &str, &dyn Fn()); 10] = [
        ("it was cut", " events, but ", &|| write_journal(&copy, &events[..events.len() - 1])),
        ("changed", "has other events than", &|| change(&copy)),
        ("changed, without a transparency log", "tlog/checkpoint is missing", &|| {
            change(&copy);
            fs::remove_dir_all(copy.join("tlog")).unwrap();
        }),
        ("cut and gone on", "has other events than", &|| {
            let mut events = events.clone();
            events.pop();
            write_journal(&copy, &events);
            run(&["rebuild", "--accept", "--data", text(&copy)]).ok();
            let served = Served::start(&copy, &["--accept"]);
            served.get(Some(&admin), CREATE, &json!({}));
            stop(served);
        }),
        ("no vault", "vault is missing in the data directory", &|| fs::remove_file(copy.join("vault")).unwrap()),
        ("no personal data", "personal.json is missing in the data directory", &|| {
            fs::remove_file(copy.join("personal.json")).unwrap();
        }),
        ("no tokens", "tokens.jsonl is missing in the data directory", &|| {
            fs::remove_file(copy.join("tokens.jsonl")).unwrap();
        }),
        ("part of the vault", "the vault lacks 1 lines of", &|| {
            let vault = fs::read_to_string(copy.join("vault")).unwrap();
            fs::write(copy.join("vault"), &vault[vault.find('\n').unwrap() + 1..]).unwrap();
        }),
        ("a damaged vault", "vault is damaged at byte 0", &|| {
            let vault = fs::read_to_string(copy.join("vault")).unwrap();
            fs::write(copy.join("vault"), vault.replacen(" seed ", " sead ", 1)).unwrap();
        }),
        ("a damaged segment", "is damaged at byte", &|| {
            let path = copy.join("journal/00000000000000000000.log");
            let damaged = fs::read_to_string(&path).unwrap().replacen("\"Ada\"", "\"Eda\"", 1);
            fs::write(path, damaged).unwrap();
        }),
    ];
    for (what, words, lose) in cases {
        let _ = fs::remove_dir_all(&copy);
        place.restore("copy", &[]).ok();
        run(&["rebuild", "--data", text(&copy)]).ok();
        lose();
        let refused = run(&["backup", "--data", text(&copy), "--to", text(&place.backup)]).fails(1);
        assert!(refused.contains(words), "{what}: {refused}");
        assert!(files(&place.backup) == held, "{what}");
    }
    // Nor that of another data directory, with or without a transparency log.
    for serves in [false, true] {
        let other = Place::new();
        fill(&other.data);
        fill(&other.data);
        if serves {
            stop(Served::start(&other.data, &[]));
        }
        for name in ["vault", "personal.json"] {
            fs::copy(place.data.join(name), other.data.join(name)).unwrap();
        }
        let refused = run(&["backup", "--data", text(&other.data), "--to", text(&place.backup)]).fails(1);
        let words = if serves { "has other events than" } else { "tlog/checkpoint is missing" };
        assert!(refused.contains(words), "{refused}");
        assert!(files(&place.backup) == held);
    }
    assert!(place.back_up().ok().contains(" 0 of them new"));
    // Where no checkpoint covers what is held, every byte is compared.
    let place = Place::new();
    fill(&place.data);
    assert!(place.back_up().ok().contains("there is no transparency log"));
    change(&place.data);
    assert!(place.back_up().fails(1).contains("has other events than"));
}

/// Changes an action in the journal, with everything that follows from it.
fn change(data: &Path) {
    let at = journal(data).iter().position(|event| matches!(event.body, Body::Acted(_))).unwrap();
    rewrite(data, |events| {
        let Body::Acted(acted) = &mut events[at].body else { unreachable!() };
        acted.clock_ms = Some(1);
    });
    forget_index(data);
}

/// Any byte that was changed, and anything that is missing, is found before anything gets the name of a data directory.
#[test]
fn a_tampered_backup_is_found() {
    let place = Place::filled();
    place.back_up().ok();
    let manifest = place.backup.join("backup.json");
    let names = |place: &Place| {
        let mut names: Vec<_> =
            fs::read_dir(place.dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names(&place);
    let refused = |what: &str| {
        let ran = place.restore("restored", &[]);
        assert!(ran.status == 1 || ran.status == 2, "{what}: {}{}", ran.out, ran.err);
        assert!(!ran.err.is_empty() && !ran.err.contains("panicked"), "{what}: {}", ran.err);
        assert_eq!(names(&place), before, "{what}");
    };
    for (path, _, bytes) in files(&place.backup) {
        if path.is_dir() || path == manifest || path.ends_with("lock") {
            continue;
        }
        for at in [0, bytes.len() / 3, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 4;
            fs::write(&path, changed).unwrap();
            refused(&format!("byte {at} of {}", path.display()));
        }
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        refused(&format!("{} without its end", path.display()));
        fs::remove_file(&path).unwrap();
        refused(&format!("without {}", path.display()));
        std::os::unix::fs::symlink("/etc/hostname", &path).unwrap();
        refused(&format!("a link instead of {}", path.display()));
        fs::remove_file(&path).unwrap();
        fs::write(&path, bytes).unwrap();
    }
    let whole: Value = serde_json::from_slice(&fs::read(&manifest).unwrap()).unwrap();
    let lies: [(&str, Value); 10] = [
        ("/events", json!(whole["events"].as_u64().unwrap() + 1)),
        ("/run", json!(9)),
        ("/run", json!(0)),
        ("/format", json!("plybook-backup/2")),
        ("/journal", json!([])),
        ("/journal/0/first", json!(1)),
        ("/journal/0/bytes", json!(u64::MAX)),
        ("/files/0/name", json!("../../tlog/checkpoint")),
        ("/files/0/name", json!("vault")),
        ("/files/0/bytes", json!(0)),
    ];
    for (place, lie) in lies {
        let mut lying = whole.clone();
        *lying.pointer_mut(place).unwrap() = lie.clone();
        fs::write(&manifest, lying.to_string()).unwrap();
        refused(&format!("{place}: {lie}"));
    }
    fs::write(&manifest, r#"{ "format": "plybook-backup/2", "parts": [] }"#).unwrap();
    let why = place.restore("restored", &[]).fails(1);
    assert!(why.contains(r#"its format is "plybook-backup/2", and this program reads "plybook-backup/1""#), "{why}");
    // The damage is named where it is.
    place_back(&manifest, &whole);
    let damaged = place.backup.join("journal/00000000000000000000.log");
    let right = fs::read(&damaged).unwrap();
    let mut changed = right.clone();
    changed[right.len() / 3] ^= 4;
    fs::write(&damaged, changed).unwrap();
    let why = place.restore("restored", &[]).fails(1);
    assert!(why.contains(&format!("{} is damaged at byte", damaged.display())), "{why}");
    fs::write(&damaged, right).unwrap();
    // A journal that is whole, with the hash that it has, does not lead to the checkpoint.
    let other = Place::new();
    place_back(&manifest, &whole);
    place.restore("other", &[]).ok();
    fs::rename(place.path("other"), &other.data).unwrap();
    run(&["rebuild", "--data", text(&other.data)]).ok();
    change(&other.data);
    let segment = "journal/00000000000000000000.log";
    let forged = fs::read(other.data.join(segment)).unwrap();
    let mut lying = whole.clone();
    lying["journal"][0]["sha256"] = json!(plybook_events::Hash::of_parts(&[&forged]));
    lying["journal"][0]["bytes"] = json!(forged.len());
    let right = fs::read(place.backup.join(segment)).unwrap();
    fs::write(place.backup.join(segment), forged).unwrap();
    place_back(&manifest, &lying);
    assert!(place.restore("restored", &[]).fails(1).contains("does not lead to the signed checkpoint"));
    fs::write(place.backup.join(segment), right).unwrap();
    place_back(&manifest, &whole);
    place.restore("restored", &[]).ok();
}

fn place_back(path: &Path, manifest: &Value) {
    fs::write(path, manifest.to_string()).unwrap();
}

/// What a backup that was stopped has left counts for nothing, and the next one removes it.
#[test]
fn a_backup_that_is_killed_leaves_the_one_before() {
    let place = Place::filled();
    let begun = Instant::now();
    place.back_up().ok();
    let lasting = begun.elapsed();
    let served = Served::start(&place.data, &[]);
    let admin = served.admin();
    let mut kills = 0;
    for round in 0..12_u32 {
        let count = |said: String| said.split(' ').next().unwrap().parse::<u64>().unwrap();
        let before = count(place.restore("before", &[]).ok());
        served.get(Some(&admin), CREATE, &json!({}));
        let arguments = ["backup", "--data", text(&place.data), "--to", text(&place.backup)].map(str::to_owned);
        let mut backup = command(&arguments.each_ref().map(String::as_str));
        let mut child = backup.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(lasting * round / 12);
        kills += u32::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        let after = count(place.restore("after", &[]).ok());
        assert!(after >= before, "{after}");
        verify(&place.path("after"));
        for name in ["before", "after"] {
            fs::remove_dir_all(place.path(name)).unwrap();
        }
    }
    assert!(kills > 0);
    place.back_up().ok();
    let held = files(&place.backup);
    // The same by hand, at the latest moment.
    let segment = place.backup.join("journal/00000000000000000000.log");
    let mut longer = fs::read(&segment).unwrap();
    longer.extend_from_slice(b"{\"at\":\"half an event");
    fs::write(&segment, longer).unwrap();
    fs::write(place.backup.join("journal/00000000000000099999.log"), "#plybook").unwrap();
    fs::create_dir(place.backup.join("state-99")).unwrap();
    fs::write(place.backup.join("backup.json.new"), "{").unwrap();
    place.restore("left", &[]).ok();
    verify(&place.path("left"));
    assert!(place.back_up().ok().contains(" 0 of them new"));
    assert_eq!(files(&place.backup).len(), held.len());
    // A restore that was killed is not gone on with.
    fs::create_dir(place.path("again.restoring")).unwrap();
    assert!(place.restore("again", &[]).fails(2).contains("again.restoring is there"));
}

/// The time of the last backup is noted, too, where another user has noted the one before.
#[test]
fn a_backup_by_another_user_is_no_obstacle() {
    let place = Place::filled();
    place.back_up().ok();
    let noted = place.data.join("last-backup");
    let before = fs::metadata(&noted).unwrap().ino();
    // In place of another user, whose file would not be writable: another name of it shows whether it was written to.
    let kept = place.path("kept");
    fs::hard_link(&noted, &kept).unwrap();
    place.back_up().ok();
    assert!(fs::metadata(&noted).unwrap().ino() != before, "it is another file");
}

/// A disk without room leaves the backup as it was, and says so.
#[test]
fn a_full_disk_leaves_the_backup_as_it_was() {
    let place = Place::filled();
    let back_up = ["backup", "--data", text(&place.data), "--to", text(&place.backup)];
    assert!(run_with_room(1, &back_up).fails(2).contains("File too large"));
    assert!(place.restore("restored", &[]).fails(2).contains("holds no complete backup yet"));
    place.back_up().ok();
    let held = files(&place.backup);
    run(&["bench", "--games", "30", "--only-fill", "--data", text(&place.path("more"))]).ok();
    let exported = place.path("more.ndjson");
    fs::write(&exported, run(&["export", "--data", text(&place.path("more"))]).ok()).unwrap();
    run(&["import", text(&exported), "--data", text(&place.data)]);
    let room = held.iter().map(|(_, _, bytes)| bytes.len()).max().unwrap() as u32 / 1024 + 8;
    assert!(run_with_room(room, &back_up).fails(2).contains("File too large"));
    assert!(files(&place.backup) == held);
    let restored = place.path("restored");
    let restore = ["restore", "--from", text(&place.backup), "--data", text(&restored)];
    assert!(run_with_room(1, &restore).fails(2).contains("File too large"));
    assert!(!place.path("restored").exists() && !place.path("restored.restoring").exists());
    place.back_up().ok();
    place.restore("restored", &[]).ok();
    verify(&place.path("restored"));
}

/// Wrong usage is refused with status 2, and changes nothing.
#[test]
fn what_cannot_be_meant_is_refused() {
    let place = Place::filled();
    let (data, backup) = (text(&place.data), text(&place.backup));
    let other = place.path("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("letter.txt"), "Dear Ada").unwrap();
    let more = place.path("more");
    fill(&more);
    let before = files(&place.data);
    let inside = place.data.join("backup/of/it");
    for (arguments, words) in [
        (&["backup", "--data", data][..], "--to <DIR>"),
        (&["backup", "--data", data, "--to", text(&inside)], "would be lost with it"),
        (&["backup", "--data", data, "--to", data], "would be lost with it"),
        (&["backup", "--data", data, "--to", text(&other)], "is not empty and holds no backup"),
        (&["backup", "--data", text(&more), "--to", data], "is not empty and holds no backup"),
        (&["backup", "--data", data, "--to", text(&other.join("letter.txt"))], "letter.txt: "),
        (&["backup", "--data", text(&other), "--to", backup], "there is no store in"),
        (&["restore", "--data", data], "--from <DIR>"),
        (&["restore", "--data", backup, "--from", text(&other)], "holds no backup"),
        (&["restore", "--data", backup, "--from", data], "holds no backup"),
        (&["restore", "--data", backup, "--from", text(&place.path("nowhere"))], "holds no backup"),
    ] {
        let said = run(arguments).fails(2);
        assert!(said.contains(words), "{arguments:?}: {said}");
        assert!(files(&place.data) == before, "{arguments:?}");
        assert_eq!(files(&other).len(), 1, "{arguments:?}");
        assert!(!place.backup.exists(), "{arguments:?}");
    }
    place.back_up().ok();
    let before = files(&place.data);
    assert!(restore(&place.backup, &place.data, &[]).fails(2).contains("is not empty"));
    assert!(restore(&place.backup, &other, &[]).fails(2).contains("is not empty"));
    assert!(files(&place.data) == before);
    // An empty directory is replaced.
    let empty = place.path("empty");
    fs::create_dir(&empty).unwrap();
    fs::set_permissions(&empty, Permissions::from_mode(0o755)).unwrap();
    restore(&place.backup, &empty, &[]).ok();
    verify(&empty);
    // Nobody else may be at work in the folder.
    let lock = File::options().write(true).open(place.backup.join("lock")).unwrap();
    lock.lock().unwrap();
    for said in [place.back_up().fails(2), place.restore("locked", &[]).fails(2)] {
        assert!(said.contains("is in use by another backup or restore"), "{said}");
    }
}

/// The key of the vault is not needed to copy it.
#[test]
fn an_encrypted_vault_is_copied_as_it_is() {
    let place = Place::new();
    let key = place.path("a.key");
    run(&["vault", "key", text(&key)]).ok();
    let served = Served::start(&place.data, &["--vault-key-file", text(&key)]);
    served.get(Some(&served.admin()), CREATE, &json!({}));
    place.back_up().ok();
    drop(served);
    place.restore("restored", &[]).ok();
    let restored = place.path("restored");
    assert!(run(&["verify", "--data", text(&restored), "--vault-key-file", text(&key)]).ok().contains(" 0 bad"));
    run(&["verify", "--data", text(&restored)]).fails(2);
}
