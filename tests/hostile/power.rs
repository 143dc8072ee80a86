//! Power cuts: on a loop-mounted ext4 that is shut down by ioctl, if root and loop devices are available; and
//! everywhere in a model of torn disks, in which everything synced survives, and any blocks of the rest.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use plybook_events::body::Acted;
use plybook_events::{Body, By, Event, Hash, LogId, Timestamp};
use plybook_store::{Memory, Options, Store};

use crate::recording::{Acknowledged, Dice, Recorder};
use crate::{rounds, skipped};

/// Small segments, so that cuts hit the first write of a segment.
const OPTIONS: Options = Options { segment_bytes: 20_000, memory: Memory::of(128 << 20), ..Options::DEFAULT };

/// The length of what each append-only file holds at a moment when everything was acknowledged, without the zeros that follow
/// the text of a segment.
type Lengths = BTreeMap<PathBuf, usize>;

/// What was recorded, step by step.
struct Recorded {
    /// The lengths after each step; step 0 is the empty store.
    synced: Vec<Lengths>,
    /// The events of each step, with their hashes, and its secret.
    steps: Vec<(LogId, Vec<Hash>)>,
    files: BTreeMap<PathBuf, Vec<u8>>,
    /// sled's files at some step.
    sled: PathBuf,
}

fn log_id(n: usize) -> LogId {
    LogId::from_bytes((n as u128 + 1).to_be_bytes())
}

/// The journal's segments and the vault.
fn appended(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(dir.join("journal")).unwrap().map(|entry| entry.unwrap().path()).collect();
    // The hashes of closed segments are written anew, not appended to.
    paths.retain(|path| path.extension().is_some());
    paths.push(dir.join("vault"));
    paths.into_iter().map(|path| (path.strip_prefix(dir).unwrap().to_owned(), fs::read(path).unwrap())).collect()
}

/// Records groups of all sizes, each with a secret, in the service's order: the vault first.
fn record(dir: &Path, steps: usize, dice: &mut Dice) -> Recorded {
    let store = Store::open(dir, &OPTIONS, &mut |_, _| ()).unwrap();
    let len = |bytes: Vec<u8>| bytes.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1);
    let lengths = || appended(dir).into_iter().map(|(path, bytes)| (path, len(bytes))).collect::<Lengths>();
    let (mut synced, mut done) = (vec![lengths()], Vec::new());
    let sled = dir.with_extension("sled");
    for step in 0..steps {
        let log = log_id(step % 7);
        let head = store.log().head(log);
        let (mut prev, first) = head.map_or((Hash::ZERO, 0), |head| (head.hash(), head.seq() + 1));
        let mut events = Vec::new();
        for seq in first..=first + dice.below(4) as u64 {
            let action = "x".repeat([5, 300, 5000][dice.below(3)]);
            let body = Body::Acted(Acted { action, clock_ms: None, fair: false });
            let at = Timestamp::from_millis(1_790_000_000_000 + seq as i64).unwrap();
            let bytes = Event { at, by: By::Seat(1), log, prev, seq, body, who: None, signature: None, request: None }
                .to_bytes()
                .unwrap();
            prev = Hash::of_event(&bytes);
            events.push(bytes);
        }
        store.vault().put(log, &format!("step{step}"), &vec![7; [40, 3000][dice.below(2)]]).unwrap();
        done.push((log, events.iter().map(|bytes| Hash::of_event(bytes)).collect()));
        store.log().append(log, head.as_ref(), events).unwrap();
        synced.push(lengths());
        if step == steps / 2 {
            copy(&dir.join("sled"), &sled);
        }
    }
    drop(store);
    Recorded { synced, steps: done, files: appended(dir), sled }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let to = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, to).unwrap();
        }
    }
}

/// A directory as a power cut during step `step` may leave it: of that step's bytes, any blocks are there,
/// missing or zero. `in_vault` cuts before the journal was written.
fn torn(recorded: &Recorded, step: usize, in_vault: bool, dir: &Path, dice: &mut Dice) {
    let (before, after) = (&recorded.synced[step], &recorded.synced[step + 1]);
    for (path, end) in after {
        let is_vault = path == Path::new("vault");
        let start = before.get(path).copied().unwrap_or(0);
        let bytes = &recorded.files[path];
        let mut kept = match (is_vault, in_vault) {
            (true, false) => bytes[..*end].to_vec(),
            (false, true) => bytes[..start].to_vec(),
            _ => tear(bytes, start, *end, dice),
        };
        // Nothing is written to a closed segment.
        if !is_vault && start < *end && dice.below(2) == 0 {
            kept.resize(end + dice.below(70_000), 0);
        }
        // The name of a new segment may be lost with it.
        if start == 0 && kept.is_empty() && !is_vault && dice.below(2) == 0 {
            continue;
        }
        fs::create_dir_all(dir.join(path).parent().unwrap()).unwrap();
        fs::write(dir.join(path), kept).unwrap();
    }
    // The index is never ahead of the journal.
    match dice.below(3) {
        _ if step < recorded.steps.len() / 2 + 1 => {}
        0 => {}
        1 => copy(&recorded.sled, &dir.join("sled")),
        _ => {
            copy(&recorded.sled, &dir.join("sled"));
            let db = dir.join("sled/db");
            let mut bytes = fs::read(&db).unwrap();
            let at = dice.below(bytes.len());
            bytes[at..].fill(0);
            fs::write(db, bytes).unwrap();
        }
    }
}

/// The first `start` bytes, and any blocks of the others up to `end`: a length, and holes.
fn tear(bytes: &[u8], start: usize, end: usize, dice: &mut Dice) -> Vec<u8> {
    let block = [512, 4096][dice.below(2)];
    let len = start + dice.below(end - start + 1);
    let len = if dice.below(2) == 0 { end } else { len };
    let mut torn = bytes[..len].to_vec();
    for hole in (start / block..len.div_ceil(block)).filter(|_| dice.below(3) == 0) {
        let range = (hole * block).max(start)..((hole + 1) * block).min(len);
        torn[range].fill(0);
    }
    torn
}

#[test]
fn in_a_model_of_torn_disks_nothing_acknowledged_is_lost() {
    let rounds = rounds(25, 300);
    let dir = tempfile::tempdir().unwrap();
    let mut dice = Dice(0x706f_7765);
    let recorded = record(&dir.path().join("whole"), 60, &mut dice);
    let mut whole = 0;
    for round in 0..rounds {
        let step = dice.below(recorded.steps.len());
        let in_vault = dice.below(3) == 0;
        let cut = dir.path().join("cut");
        if cut.exists() {
            fs::remove_dir_all(&cut).unwrap();
        }
        torn(&recorded, step, in_vault, &cut, &mut dice);
        let what = format!("round {round}, step {step}");
        let store = Store::open(&cut, &OPTIONS, &mut |_, _| ()).unwrap_or_else(|why| panic!("{what}: {why}"));
        let mut expected: BTreeMap<LogId, Vec<Hash>> = BTreeMap::new();
        for (log, hashes) in &recorded.steps[..step] {
            expected.entry(*log).or_default().extend(hashes);
        }
        let (last, hashes) = &recorded.steps[step];
        for (log, found) in hashes_of(&store) {
            let mut expected = expected.remove(&log).unwrap_or_default();
            if log == *last && found != expected {
                // The group that was being written is there completely, or not at all.
                expected.extend(hashes);
                whole += 1;
            }
            assert_eq!(found, expected, "{what}: {log}");
        }
        for (step, (log, _)) in recorded.steps[..step].iter().enumerate() {
            assert!(store.vault().get(*log, &format!("step{step}")).is_some(), "{what}: the secret of step {step}");
        }
    }
    println!("{rounds} torn disks, the last group whole on {whole} of them: 0 acknowledged events and secrets lost");
}

/// The hashes of all events, by log.
fn hashes_of(store: &Store) -> BTreeMap<LogId, Vec<Hash>> {
    let read = |log| store.log().read(log, 0).unwrap().iter().map(|bytes| Hash::of_event(bytes)).collect();
    (0..7).map(log_id).map(|log| (log, read(log))).collect()
}

/// Compresses all closed segments of a store.
fn compress(dir: &Path) {
    let mut store = Store::open(dir, &OPTIONS, &mut |_, _| ()).unwrap();
    let (tell, told) = mpsc::channel();
    store.compress_segments(move |progress| tell.send(progress.clone()).unwrap()).unwrap();
    while let Ok(progress) = told.recv_timeout(Duration::from_secs(120)) {
        if progress.compressed == progress.segments {
            return;
        }
    }
    panic!("the segments are not compressed");
}

/// The segments of a store's journal, by name.
fn journal(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let named = |path: PathBuf| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(&path).unwrap());
    let paths = fs::read_dir(dir.join("journal")).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some()).map(named).collect()
}

#[test]
fn in_a_model_of_torn_disks_nothing_is_lost_while_a_segment_is_compressed() {
    let rounds = rounds(25, 300);
    let dir = tempfile::tempdir().unwrap();
    let (texts, packed) = (dir.path().join("texts"), dir.path().join("packed"));
    let mut dice = Dice(0x7061_636b);
    record(&texts, 60, &mut dice);
    let expected = hashes_of(&Store::open(&texts, &OPTIONS, &mut |_, _| ()).unwrap());
    copy(&texts, &packed);
    compress(&packed);
    let compressed = journal(&packed);
    let closed: Vec<&str> = compressed.keys().filter_map(|name| name.strip_suffix(".zst")).collect();
    assert!(closed.len() > 3, "there are several segments");
    let mut stages = [0; 3];
    for round in 0..rounds {
        let cut = dir.path().join("cut");
        if cut.exists() {
            fs::remove_dir_all(&cut).unwrap();
        }
        copy(&texts, &cut);
        let file = |name: &str| cut.join("journal").join(name);
        let put = |name: &str, bytes: &[u8]| fs::write(file(name), bytes).unwrap();
        // Those before it are compressed, it is being compressed, and those after it are text.
        let at = dice.below(closed.len());
        for name in &closed[..at] {
            fs::remove_file(file(name)).unwrap();
            put(&format!("{name}.zst"), &compressed[&format!("{name}.zst")]);
        }
        let (name, stage) = (closed[at], dice.below(3));
        let whole = &compressed[&format!("{name}.zst")];
        stages[stage] += 1;
        match stage {
            // It is written, and was not synced.
            0 => put(&format!("{name}.zst.new"), &tear(whole, 0, whole.len(), &mut dice)),
            // It has its name, and the text is still there.
            1 => put(&format!("{name}.zst"), whole),
            _ => {
                put(&format!("{name}.zst"), whole);
                fs::remove_file(file(name)).unwrap();
            }
        }
        let what = format!("round {round}, {name} at stage {stage}");
        let store = Store::open(&cut, &OPTIONS, &mut |_, _| ()).unwrap_or_else(|why| panic!("{what}: {why}"));
        assert_eq!(hashes_of(&store), expected, "{what}");
        drop(store);
        compress(&cut);
        assert_eq!(
            journal(&cut).keys().collect::<Vec<_>>(),
            compressed.keys().collect::<Vec<_>>(),
            "{what}: what is left"
        );
    }
    println!("{rounds} torn disks while a segment was compressed ({stages:?} by stage): nothing lost");
}

/// Runs a program, and returns whether it succeeded.
fn runs(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

/// Shuts a mounted ext4 down at once, without flushing its log, when told to.
const SHUTDOWN: &str = "import fcntl, os, struct, sys
mount = os.open(sys.argv[1], os.O_RDONLY)
sys.stdin.readline()
fcntl.ioctl(mount, 0x8004587D, struct.pack('I', 2))";

/// Cuts the power of a file system. Returns what the child had printed by then: the cut takes a moment, in
/// which the system may still confirm a sync that it does not complete.
fn cut(at: &str, child: &Recorder) -> String {
    let mut command = Command::new("python3");
    let mut python = command.args(["-c", SHUTDOWN, at]).stdin(Stdio::piped()).spawn().unwrap();
    thread::sleep(Duration::from_millis(200));
    let mut tell = python.stdin.take().unwrap();
    let said = child.said();
    tell.write_all(b"now\n").unwrap();
    drop(tell);
    assert!(python.wait().unwrap().success(), "the file system is shut down");
    said
}

/// An image that stays mounted until this is dropped.
struct Mounted(String);

impl Mounted {
    fn mount(image: &str, at: &str) -> Option<Self> {
        runs("mount", &["-o", "loop", image, at]).then(|| Self(at.to_owned()))
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        assert!(runs("umount", &[&self.0]) || thread::panicking(), "{} is unmounted", self.0);
    }
}

/// Set in the process that sees its mounts alone.
const ALONE: &str = "PLYBOOK_HOSTILE_MOUNTS";

/// Runs the test again in a separate mount namespace. Otherwise every container started in the meantime would
/// keep its mounts, and a file system that was shut down would stay so when mounted again.
#[test]
fn on_an_ext4_that_is_shut_down_nothing_acknowledged_is_lost() {
    if std::env::var_os(ALONE).is_some() {
        return cut_power_again_and_again();
    }
    if !runs("unshare", &["--mount", "true"]) {
        return skipped("power cuts on ext4 need root; only the model of torn disks was run");
    }
    let name = "power::on_an_ext4_that_is_shut_down_nothing_acknowledged_is_lost";
    let mut command = Command::new("unshare");
    command.arg("--mount").arg(std::env::current_exe().unwrap());
    command.args(["--exact", name, "--nocapture", "--quiet"]).env(ALONE, "1");
    assert!(command.status().unwrap().success(), "power cuts");
}

fn cut_power_again_and_again() {
    let rounds = rounds(2, 300);
    let dir = tempfile::tempdir().unwrap();
    let (image, mount) = (dir.path().join("image"), dir.path().join("mount"));
    let (image, at) = (image.to_str().unwrap(), mount.to_str().unwrap());
    fs::create_dir(&mount).unwrap();
    let (mut acknowledged, mut events) = (Acknowledged::default(), 0);
    for round in 0..rounds {
        if round % 20 == 0 {
            events += acknowledged.0.len();
            println!("{round} power cuts, {events} acknowledged events");
            acknowledged = Acknowledged::default();
            let is_made = runs("truncate", &["-s", "128M", image]) && runs("mkfs.ext4", &["-q", "-F", image]);
            if !is_made || Mounted::mount(image, at).is_none() {
                assert_eq!(round, 0, "it worked before");
                skipped("power cuts on ext4 need loop devices; only the model of torn disks was run");
                return;
            }
        }
        let data = mount.join("data");
        let mounted = Mounted::mount(image, at).expect("it is mounted again");
        let child = Recorder::start(&data);
        // Every fourth cut comes at any moment of the start, the others during recording, however slow that
        // is.
        if round % 4 != 3 {
            child.wait_for("\nack ");
        }
        thread::sleep(Duration::from_millis(97 * (round as u64 % 13)));
        acknowledged.hear(&cut(at, &child));
        child.kill();
        drop(mounted);
        let _mounted = Mounted::mount(image, at).expect("what was written to its log is applied");
        if data.join("journal").exists() {
            acknowledged.check(&data, &format!("round {round}"));
        }
    }
    events += acknowledged.0.len();
    assert!(events > rounds, "too little was recorded to test anything: {events}");
    println!("{rounds} power cuts on ext4: {events} acknowledged events, 0 lost, 0 secrets lost");
}
