//! A disk that is really full: a small tmpfs, if the test runs as root.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::plybook::Served;
use crate::skipped;

/// The size of the disk in MiB: enough for a first start.
const DISK_MIB: usize = 160;

/// The size of a disk on which there is less room than what can wait leaves, in MiB.
const LITTLE_MIB: usize = 40;

/// The number of records after which the disk must be full.
const ACTS: usize = 20_000;

const CREATE: &str =
    "mutation { createGame(input: { kind: \"triangulate\", seats: [{ name: \"A\" }, { name: \"B\" }] }) { id } }";
const SAY: &str = "mutation($g: ID!, $c: String!) { annotate(game: $g, ply: 0, comment: $c) { head { seq hash } } }";
const SEEN: &str = "query($g: ID!) { game(id: $g) { head { seq hash } verification { valid } } }";

/// A disk that stays mounted until this is dropped.
struct Disk(PathBuf);

impl Disk {
    fn mount(at: &Path, mib: usize) -> Option<Self> {
        fs::create_dir(at).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={mib}m"), "plybook-full"]).arg(at);
        mount.output().is_ok_and(|done| done.status.success()).then(|| Self(at.to_owned()))
    }

    /// Writes until nothing more fits, and returns the file's path.
    fn fill(&self) -> PathBuf {
        let path = self.0.join("filler");
        let mut file = File::create(&path).unwrap();
        for piece in [1 << 20, 1 << 12, 1] {
            while file.write_all(&vec![7; piece]).and_then(|()| file.sync_data()).is_ok() {}
        }
        path
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let is_done = Command::new("umount").arg(&self.0).status().is_ok_and(|status| status.success());
        assert!(is_done || std::thread::panicking(), "{} is unmounted", self.0.display());
    }
}

/// Makes comments until one is refused; returns the last head that was acknowledged, and the code of the
/// refusal.
fn say_until_refused(served: &Served, token: &str, game: &str) -> (Option<Value>, String) {
    let mut last = None;
    for number in 0..ACTS {
        let comment = format!("{number} {}", "x".repeat(500));
        let answer = served.ask(Some(token), SAY, &json!({ "g": game, "c": comment })).expect("it answers");
        match answer["errors"][0]["extensions"]["code"].as_str() {
            None => last = Some(answer["data"]["annotate"]["head"].clone()),
            Some(code) => return (last, code.to_owned()),
        }
    }
    panic!("{ACTS} comments fit on a full disk");
}

/// On a full disk, nothing acknowledged is lost, games can be read, even after a restart, and recording
/// continues once there is space.
#[test]
fn a_full_disk_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let Some(disk) = Disk::mount(&dir.path().join("disk"), DISK_MIB) else {
        return skipped("a full disk needs root, to mount a tmpfs");
    };
    let (data, settings) = (disk.0.join("data"), dir.path().join("settings.toml"));
    // The administrator's comments are not limited; budgets are not tested here.
    fs::write(&settings, "memory = \"128MiB\"\n[limits]\nadmin-burst = 0\n").unwrap();
    let serve = || Served::start(&data, &["--config", settings.to_str().unwrap()]);
    let served = serve();
    let token = served.admin();
    let game = served.get(Some(&token), CREATE, &json!({}))["createGame"]["id"].as_str().unwrap().to_owned();
    let filler = disk.fill();
    let (mut head, code) = say_until_refused(&served, &token, &game);
    assert!(["READ_ONLY", "OUTCOME_UNKNOWN"].contains(&code.as_str()), "{code}");
    let seen = |served: &Served| served.get(None, SEEN, &json!({ "g": game }))["game"].clone();
    assert_eq!(seen(&served)["verification"]["valid"], true);
    drop(served);

    // It starts on the full disk, for reading.
    let served = serve();
    let now = seen(&served);
    assert_eq!(now["verification"]["valid"], true);
    let reached = |now: &Value| now["head"]["seq"].as_u64().unwrap();
    if let Some(head) = &head {
        assert!(reached(&now) >= head["seq"].as_u64().unwrap(), "{head} was acknowledged, and there is {now}");
    }
    // What little space there was may have been freed by the end of the first service.
    let (more, code) = say_until_refused(&served, &token, &game);
    assert!(["READ_ONLY", "OUTCOME_UNKNOWN"].contains(&code.as_str()), "{code}");
    head = more.or(head);
    drop(served);

    // With space again, it starts for recording. sled may have lost what it could not write; then there is a new index.
    fs::remove_file(filler).unwrap();
    let served = serve();
    let now = seen(&served);
    if let Some(head) = &head {
        assert!(reached(&now) >= head["seq"].as_u64().unwrap(), "{head} was acknowledged, and there is {now}");
    }
    let answer = served.ask(Some(&token), SAY, &json!({ "g": game, "c": "room again" })).unwrap();
    assert!(answer.get("errors").is_none(), "{answer}");
    served.signal("-TERM");
    assert_eq!(served.wait(Duration::from_secs(60)), Some(0));
}

/// Little room is enough to start and to record: what could also be written later is not written then.
#[test]
fn a_nearly_full_disk_stops_no_start() {
    let dir = tempfile::tempdir().unwrap();
    let Some(disk) = Disk::mount(&dir.path().join("disk"), LITTLE_MIB) else {
        return skipped("a nearly full disk needs root, to mount a tmpfs");
    };
    let data = disk.0.join("data");
    for games in 1..3 {
        let served = Served::start(&data, &[]);
        let token = fs::read_to_string(data.join("admin-token")).unwrap();
        served.get(Some(token.trim()), CREATE, &json!({}));
        let total = &served.get(None, "{ games(first: 1) { totalCount } }", &json!({}))["games"]["totalCount"];
        assert_eq!(total, &json!(games));
        served.signal("-TERM");
        assert_eq!(served.wait(Duration::from_secs(60)), Some(0));
    }
}
