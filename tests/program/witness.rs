//! Witnesses over real sockets: the protocol, services that ask them, and witnesses that fail or lie.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use plybook_tests::http::Client;
use plybook_tests::tiles::MemoryTiles;
use plybook_tlog::{
    AddCheckpoint, Builder, Checkpoint, CosigningKey, Note, Quorum, SigningKey, Tree, WitnessKey, leaf_hash,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use signed_note::{StandardVerifier, Verifier, VerifierList, key_id};

use crate::plybook::{Served, command, run};

const CREATE: &str =
    "mutation { createGame(input: { kind: \"triangulate\", seats: [{ name: \"A\" }, { name: \"B\" }] }) { id } }";

/// A running witness; killed when it is dropped.
pub struct Witnessing {
    child: Child,
    pub key: String,
    pub address: String,
}

impl Witnessing {
    /// Starts a witness that listens at an address, and follows the logs of some keys.
    pub fn start(state: &Path, name: &str, listen: &str, logs: &[&str]) -> Self {
        let mut arguments = vec!["witness", "--state", state.to_str().unwrap(), "--name", name, "--listen", listen];
        logs.iter().for_each(|log| arguments.extend(["--log", log]));
        let mut child = command(&arguments).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut after = |what: &str| {
            let line = lines.next().expect("the witness starts").unwrap();
            line.strip_prefix(what).expect(what).to_owned()
        };
        let key = after("The public key is ");
        let address = after("The witness is at http://").trim_end_matches('/').to_owned();
        Self { child, key, address }
    }

    /// What `plybook serve --witness` takes.
    pub fn named(&self) -> String {
        format!("{}=http://{}", self.key, self.address)
    }
}

impl Drop for Witnessing {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Posts a text: the status, the head of the answer, and its body.
fn post(address: &str, text: &[u8]) -> (u16, String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let head = format!(
        "POST /add-checkpoint HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
        text.len()
    );
    // Whoever sends too much may be refused before all of it is sent.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(text));
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head[9..12].parse().unwrap(), head.to_ascii_lowercase(), body.to_owned())
}

fn get(address: &str, path: &str) -> (u16, String) {
    let answer = Client::connect(address).unwrap().send("GET", path, None, "").unwrap();
    (answer.status, String::from_utf8(answer.body).unwrap())
}

/// A request from `old` leaves to `size`, the last `other` of which belong to another history.
fn request(key: &SigningKey, old: u64, size: u64, other: u64) -> String {
    let (mut builder, mut tiles) = (Builder::default(), MemoryTiles::default());
    for n in 0..size {
        builder.push(leaf_hash(&[n as u8, u8::from(n >= size - other)]), &mut tiles);
    }
    tiles.complete(&builder);
    let proof = if old == 0 || old > size { Vec::new() } else { Tree::new(&tiles, size).consistency(old).unwrap() };
    let checkpoint = Checkpoint { origin: key.public().name().to_owned(), size, root: builder.root() };
    AddCheckpoint { old_size: old, proof, note: checkpoint.sign(&[key]) }.to_string()
}

#[test]
fn the_protocol_is_that_of_the_specification_and_survives_kills() {
    let dir = tempfile::tempdir().unwrap();
    let state = dir.path().join("witness");
    let log = SigningKey::from_seed("games.example.org", &[1; 32]).unwrap();
    let (stranger, foreign) = (
        SigningKey::from_seed("games.example.org", &[2; 32]).unwrap(),
        SigningKey::from_seed("example.net", &[1; 32]).unwrap(),
    );
    let followed = log.public().to_string();
    let start = || Witnessing::start(&state, "w.example.net/one", "127.0.0.1:0", &[&followed]);
    let witness = start();
    let key: WitnessKey = witness.key.parse().unwrap();
    assert_eq!(key.name(), "w.example.net/one");
    assert_eq!(fs::metadata(state.join("key")).unwrap().permissions().mode() & 0o777, 0o600);
    let origin_hash: String = Sha256::digest("games.example.org").iter().map(|byte| format!("{byte:02x}")).collect();
    let last = format!("/{origin_hash}/checkpoint");
    assert_eq!(get(&witness.address, &last).0, 404, "nothing was cosigned yet");

    let cosigned = |witness: &Witnessing, old, size| {
        let request = request(&log, old, size, 0);
        let (status, _, line) = post(&witness.address, request.as_bytes());
        assert_eq!(status, 200, "{line}");
        assert!(line.starts_with("\u{2014} w.example.net/one ") && line.ends_with('\n'), "{line}");
        let request: AddCheckpoint = request.parse().unwrap();
        let note: Note = format!("{}{line}", request.note).parse().unwrap();
        assert!(note.cosignature(&key).unwrap().time_s() > 1_700_000_000);
        note.to_string()
    };
    let refused = |witness: &Witnessing, request: &[u8], status| {
        let (found, head, body) = post(&witness.address, request);
        assert_eq!(found, status, "{}: {body}", String::from_utf8_lossy(request));
        assert!(!body.contains('\u{2014}'), "nothing is cosigned: {body}");
        (head, body)
    };
    cosigned(&witness, 0, 5);
    let note = cosigned(&witness, 5, 300);
    assert_eq!(get(&witness.address, &last), (200, note));
    for (text, status) in [
        (String::new(), 400),
        ("old 0\n".to_owned(), 400),
        (request(&log, 300, 300, 0).replace("old 300", "old 0300"), 400),
        (request(&log, 301, 300, 0), 400),
        (request(&foreign, 0, 5, 0), 404),
        (request(&stranger, 300, 301, 0), 403),
        (request(&log, 300, 301, 0).replace("\n301\n", "\n302\n"), 403),
        (request(&log, 300, 301, 2), 422),
        (request(&log, 300, 300, 1), 422),
        ("x".repeat(1 << 20), 413),
    ] {
        refused(&witness, text.as_bytes(), status);
    }
    refused(&witness, &[0xff; 100], 400);
    let (head, body) = refused(&witness, request(&log, 0, 301, 0).as_bytes(), 409);
    assert!(head.contains("content-type: text/x.tlog.size"), "{head}");
    assert_eq!(body, "300\n");
    for (path, status) in [("/", 404), ("/add-checkpoint", 405), ("/../key", 404), ("/key", 404)] {
        let (found, body) = get(&witness.address, path);
        assert_eq!(found, status, "{path}");
        assert!(!body.contains("PRIVATE"));
    }
    // A state belongs to one witness at a time.
    let at = state.to_str().unwrap();
    let again = ["witness", "--state", at, "--log", &followed, "--listen", "127.0.0.1:0"];
    assert!(run(&again).fails(2).contains("in use by another witness"));

    // Two histories at once, from several sides: one of them is cosigned, whichever comes first.
    let answers: Vec<(u64, u16)> = std::thread::scope(|scope| {
        let (log, address) = (&log, &witness.address);
        let ask = |other| scope.spawn(move || (other, post(address, request(log, 300, 301, other).as_bytes()).0));
        let asked: Vec<_> = (0..8).map(|n| ask(n % 2)).collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    let cosigned_of = |other| answers.iter().filter(|answer| **answer == (other, 200)).count();
    assert_eq!(cosigned_of(0).min(1) + cosigned_of(1).min(1), 1, "{answers:?}");
    drop(witness);
    fs::remove_dir_all(state.join("logs")).unwrap();
    let mut witness = start();
    cosigned(&witness, 0, 300);

    // Killed at any moment, it knows what it has cosigned.
    for round in 0..3 {
        let size = 301 + round * 10;
        std::thread::scope(|scope| {
            for old in [0, size - 1, size - 1, 300] {
                let (address, request) = (&witness.address, request(&log, old, size, 0));
                scope.spawn(move || {
                    // Whether there is an answer depends on the moment of the kill.
                    let Ok(mut stream) = TcpStream::connect(address) else { return };
                    let head = format!(
                        "POST /add-checkpoint HTTP/1.1\r\nhost: w\r\ncontent-length: {}\r\n\r\n",
                        request.len()
                    );
                    let _ = stream.write_all(format!("{head}{request}").as_bytes());
                    let _ = stream.read(&mut [0; 1024]);
                });
            }
            std::thread::sleep(Duration::from_millis(round * 3));
            let _ = Command::new("kill").args(["-KILL", &witness.child.id().to_string()]).status();
        });
        drop(witness);
        witness = start();
        let (_, body) = refused(&witness, request(&log, 0, 400, 0).as_bytes(), 409);
        let known: u64 = body.trim().parse().unwrap();
        cosigned(&witness, known, size + 9);
        refused(&witness, request(&log, size + 9, size + 10, 11).as_bytes(), 422);
    }
    drop(witness);

    // Whoever changes the state gets no second history signed.
    assert!(run(&["witness", "--state", at, "--name", "other", "--log", &followed]).fails(2).contains("cannot become"));
    let path = state.join("logs").join(&origin_hash);
    let text = fs::read_to_string(&path).unwrap();
    for wrong in [text.replace("\n330\n", "\n5\n"), text[..text.len() / 2].to_owned(), String::new()] {
        fs::write(&path, wrong).unwrap();
        assert!(run(&again).fails(2).contains(&origin_hash));
    }
    let nameless = dir.path().join("nameless");
    assert!(
        run(&["witness", "--state", nameless.to_str().unwrap(), "--log", &followed]).fails(2).contains("needs a name")
    );
    assert!(run(&["witness", "--state", at, "--log", &key.to_string()]).fails(2).contains("the key of a witness"));
}

/// Checks cosignatures with another implementation of signed notes.
struct CosignatureVerifier {
    name: String,
    id: u32,
    key: StandardVerifier,
}

impl CosignatureVerifier {
    fn new(text: &str) -> Self {
        use base64::Engine;
        let base64 = base64::engine::general_purpose::STANDARD;
        let mut parts = text.splitn(3, '+');
        let (name, id, key) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
        let mut bytes = base64.decode(key).unwrap();
        assert_eq!(format!("{:08x}", key_id(name, &bytes)), id);
        let id = key_id(name, &bytes);
        bytes[0] = 1;
        let key = format!("{name}+{:08x}+{}", key_id(name, &bytes), base64.encode(&bytes));
        Self { name: name.to_owned(), id, key: StandardVerifier::new(&key).unwrap() }
    }
}

impl Verifier for CosignatureVerifier {
    fn name(&self) -> &str {
        &self.name
    }

    fn key_id(&self) -> u32 {
        self.id
    }

    fn verify(&self, text: &[u8], signature: &[u8]) -> bool {
        let (time, signature) = signature.split_at(8);
        let head = format!("cosignature/v1\ntime {}\n", u64::from_be_bytes(time.try_into().unwrap()));
        self.key.verify(&[head.as_bytes(), text].concat(), signature)
    }
}

/// The start warns of a key that others can read, and of a key without its cosigned checkpoints.
#[test]
fn a_witness_that_lost_its_memory_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let (state, log) = (dir.path().join("witness"), dir.path().join("log"));
    let followed = SigningKey::from_seed("games.example.org", &[1; 32]).unwrap().public().to_string();
    drop(Witnessing::start(&state, "w.example.net", "127.0.0.1:0", &[&followed]));
    fs::set_permissions(state.join("key"), fs::Permissions::from_mode(0o644)).unwrap();
    let arguments = ["witness", "--state", state.to_str().unwrap(), "--listen", "127.0.0.1:0", "--log", &followed];
    let mut child = command(&arguments).stdout(Stdio::piped()).stderr(fs::File::create(&log).unwrap()).spawn().unwrap();
    BufReader::new(child.stdout.take().unwrap()).lines().next().expect("it starts").unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let told = fs::read_to_string(&log).unwrap();
    assert!(told.contains("no cosigned checkpoint of this log is known") && told.contains("chmod 600 "), "{told}");
}

/// The public checkpoint, when it fits.
fn checkpoint(served: &Served, what: &str, fits: impl Fn(&Note) -> bool) -> String {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        let (status, text) = get(served.address(), "/checkpoint");
        assert_eq!(status, 200);
        if fits(&text.parse().unwrap()) {
            return text;
        }
        assert!(Instant::now() < until, "{what}: {text}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn size(note: &Note) -> u64 {
    Checkpoint::from_text(note.text()).unwrap().size
}

fn create(served: &Served) -> String {
    served.get(Some(&served.admin()), CREATE, &json!({}))["createGame"]["id"].as_str().unwrap().to_owned()
}

/// Makes a data directory, and returns the key of its transparency log.
pub fn log_key(data: &Path) -> String {
    let served = Served::start(data, &[]);
    create(&served);
    served.signal("-TERM");
    assert_eq!(served.wait(Duration::from_secs(60)), Some(0));
    run(&["tlog", "key", "--data", data.to_str().unwrap()]).ok().trim().to_owned()
}

fn python(file: &Path, more: &[&str]) -> bool {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/check.py");
    let ran = Command::new("python3").arg(script).arg(file).args(more).output().unwrap();
    ran.status.success()
}

#[test]
fn checkpoints_are_cosigned_and_a_proof_shows_it() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let at = data.to_str().unwrap();
    let log = log_key(&data);
    let start = |name: &str, listen: &str| Witnessing::start(&dir.path().join(name), name, listen, &[&log]);
    let (one, mut two) = (start("one.example.net", "127.0.0.1:0"), start("two.example.net", "127.0.0.1:0"));
    let config = dir.path().join("plybook.toml");
    fs::write(&config, format!("witness = [\"{}\"]\n", two.named())).unwrap();
    let more = ["--config", config.to_str().unwrap(), "--witness", &one.named()];
    let served = Served::start(&data, &more);
    let keys: Vec<WitnessKey> = vec![one.key.parse().unwrap(), two.key.parse().unwrap()];
    let quorum = Quorum::new(keys, None).unwrap();
    let game = create(&served);
    let text = checkpoint(&served, "both cosign", |note| size(note) == 2 && quorum.check(note).is_ok());

    // Another implementation finds the three signatures.
    let known = VerifierList::new(vec![
        Box::new(StandardVerifier::new(&log).unwrap()),
        Box::new(CosignatureVerifier::new(&one.key)),
        Box::new(CosignatureVerifier::new(&two.key)),
    ]);
    let (verified, others) = signed_note::Note::from_bytes(text.as_bytes()).unwrap().verify(&known).unwrap();
    assert_eq!((verified.len(), others.len()), (3, 0), "{text}");
    let told = served.get(None, "{ checkpoint { size note cosignatures { witness at } } }", &json!({}));
    let mut names: Vec<&str> = told["checkpoint"]["cosignatures"]
        .as_array()
        .unwrap()
        .iter()
        .map(|by| by["witness"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["one.example.net", "two.example.net"]);
    assert!(told["checkpoint"]["cosignatures"][0]["at"].as_str().unwrap().starts_with("20"), "{told}");
    let (_, metrics) = get(served.backstage(), "/metrics");
    for name in names {
        assert!(metrics.contains(&format!("plybook_witness_requests_total{{witness=\"{name}\",answer=\"cosigned\"}}")));
        assert!(metrics.contains(&format!("plybook_witness_behind_events{{witness=\"{name}\"}} 0")), "{metrics}");
    }

    // A proof file has the cosignatures, and each reader demands as many as it wants.
    let file = dir.path().join("game.proof.json");
    let path = file.to_str().unwrap();
    run(&["prove", &game, "--data", at, "--out", path]).ok();
    let check = |more: &[&str]| run(&[&["check", path, "--key", &log], more].concat());
    let both = ["--witness", &one.key, "--witness", &two.key];
    assert_eq!(check(&both).ok().matches("cosigned by ").count(), 2);
    assert!(python(&file, &[&log, "2", &one.key, &two.key]));
    let stranger = CosigningKey::from_seed("three.example.net", &[3; 32]).unwrap().public().to_string();
    let all = [both.as_slice(), &["--witness", &stranger]].concat();
    assert_eq!(check(&all).ok().matches("cosigned by ").count(), 2);
    assert!(check(&[all.as_slice(), &["--quorum", "3"]].concat()).fails(1).contains("2 of the 3 witnesses"));
    assert!(!python(&file, &[&log, "3", &one.key, &two.key, &stranger]));
    assert!(!python(&file, &[&log, "2", &one.key, &one.key]), "a witness counts once");
    assert!(check(&[both.as_slice(), &["--witness", &one.key]].concat()).fails(2).contains("named twice"));
    assert!(check(&[both.as_slice(), &["--quorum", "0"]].concat()).fails(2).contains("quorum"));
    let whole = fs::read_to_string(&file).unwrap();
    let proof: Value = serde_json::from_str(&whole).unwrap();
    let note = proof["checkpoint"].as_str().unwrap();
    let line = note.lines().find(|line| line.contains("two.example.net")).unwrap();
    for other in [String::new(), format!("{}\n", line.replace("two.", "one."))] {
        let mut changed = proof.clone();
        changed["checkpoint"] = note.replace(&format!("{line}\n"), &other).into();
        fs::write(&file, changed.to_string()).unwrap();
        check(&both).fails(1);
        assert!(!python(&file, &[&log, "2", &one.key, &two.key]));
    }
    let mut late = line.to_owned().into_bytes();
    let time_at = line.rfind(' ').unwrap() + 1 + 12;
    late[time_at] = if late[time_at] == b'A' { b'B' } else { b'A' };
    let mut changed = proof.clone();
    changed["checkpoint"] = note.replace(line, &String::from_utf8(late).unwrap()).into();
    fs::write(&file, changed.to_string()).unwrap();
    assert!(check(&both).fails(1).contains("1 of the 2 witnesses"), "the time is signed, too");
    assert!(!python(&file, &[&log, "2", &one.key, &two.key]));

    // A monitor that trusts witnesses demands their cosignatures.
    let state = dir.path().join("seen.json");
    let url = format!("http://{}/", served.address());
    let monitor =
        |more: &[&str]| run(&[&["monitor", &url, "--key", &log, "--state", state.to_str().unwrap()], more].concat());
    monitor(&[]).ok();
    monitor(&both).ok();
    assert!(monitor(&["--witness", &stranger]).fails(1).contains("ALARM: the checkpoint: 0 of the 1 witnesses"));

    // Without the second witness, recording goes on, and the public checkpoint waits for it.
    let address = two.address.clone();
    drop(two);
    for _ in 0..3 {
        create(&served);
        std::thread::sleep(Duration::from_millis(700));
    }
    let (_, waiting) = get(served.address(), "/checkpoint");
    assert_eq!(waiting, text);
    two = start("two.example.net", &address);
    checkpoint(&served, "it has caught up", |note| size(note) == 5 && quorum.check(note).is_ok());

    // Both services killed: what was cosigned is public at once, and goes on.
    served.signal("-KILL");
    assert_eq!(served.wait(Duration::from_secs(30)), None);
    drop(two);
    two = start("two.example.net", &address);
    let served = Served::start(&data, &more);
    let (_, text) = get(served.address(), "/checkpoint");
    assert!(quorum.check(&text.parse().unwrap()).is_ok(), "{text}");
    create(&served);
    checkpoint(&served, "after kills", |note| size(note) == 6 && quorum.check(note).is_ok());

    // After a rotation both keys sign, and witnesses that know the old one go on.
    served.signal("-TERM");
    served.wait(Duration::from_secs(30));
    let next = run(&["tlog", "rotate-key", "--data", at]).ok();
    let text = run(&["tlog", "checkpoint", "--data", at]).ok();
    assert!(
        Checkpoint::open(&text, &next.trim().parse().unwrap()).is_ok() && quorum.check(&text.parse().unwrap()).is_ok()
    );
    let served = Served::start(&data, &more);
    create(&served);
    let text = checkpoint(&served, "after a rotation", |note| size(note) == 8 && quorum.check(note).is_ok());
    assert!(Checkpoint::open(&text, &next.trim().parse().unwrap()).is_ok());
    drop((served, two));

    // Without witnesses, the last checkpoint is public again.
    let served = Served::start(&data, &[]);
    create(&served);
    checkpoint(&served, "no witnesses", |note| size(note) == 9 && quorum.cosignatures(note).is_empty());
    for (more, what) in [(["--witness", "nobody"], "KEY=URL"), (["--witness-quorum", "1"], "quorum")] {
        let why = run(&[&["serve", "--data", at, "--listen", "127.0.0.1:0"], more.as_slice()].concat()).fails(2);
        assert!(why.contains(what), "{why}");
    }
}

/// A witness that answers every connection with the same text, or never.
fn fake(name: &str, seed: u8, answer: Option<&'static str>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut held = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let Some(answer) = answer else {
                held.push(stream);
                continue;
            };
            let _ = stream.read(&mut [0; 1 << 16]);
            let _ = stream.write_all(answer.as_bytes());
        }
    });
    format!("{}=http://{address}/below", CosigningKey::from_seed(name, &[seed; 32]).unwrap().public())
}

#[test]
fn witnesses_that_lie_hang_or_talk_nonsense_hold_nobody_up() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let log = log_key(&data);
    let honest = Witnessing::start(&dir.path().join("honest"), "honest.example.net", "127.0.0.1:0", &[&log]);
    let fakes = [
        fake("hangs", 1, None),
        fake("nonsense", 2, Some("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello")),
        fake("no-http", 3, Some("\u{0}\u{0}\u{0}")),
        fake("ahead", 4, Some("HTTP/1.1 409 Conflict\r\ncontent-length: 21\r\n\r\n18446744073709551615\n")),
        fake("behind", 5, Some("HTTP/1.1 409 Conflict\r\ncontent-length: 2\r\n\r\n1\n")),
        fake("refuses", 6, Some("HTTP/1.1 422 Unprocessable\r\ncontent-length: 0\r\n\r\n")),
        fake("redirects", 7, Some("HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n")),
        fake("endless", 8, Some("HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n")),
    ];
    let mut more = vec!["--witness-quorum", "1"];
    let named = honest.named();
    for witness in fakes.iter().chain([&named]) {
        more.extend(["--witness", witness]);
    }
    let served = Served::start(&data, &more);
    let key: WitnessKey = honest.key.parse().unwrap();
    for n in 0..3 {
        create(&served);
        checkpoint(&served, "the honest one cosigns", |note| size(note) == n + 2 && note.cosignature(&key).is_ok());
    }
    let (_, text) = get(served.address(), "/checkpoint");
    assert_eq!(text.lines().count(), 6, "nothing else was added: {text}");
    let (_, metrics) = get(served.backstage(), "/metrics");
    for (name, answer) in [
        ("nonsense", "failed"),
        ("no-http", "failed"),
        ("ahead", "failed"),
        ("behind", "failed"),
        ("refuses", "refused"),
        ("redirects", "failed"),
        ("endless", "failed"),
    ] {
        let line = format!("plybook_witness_requests_total{{witness=\"{name}\",answer=\"{answer}\"}}");
        assert!(metrics.contains(&line), "{line}: {metrics}");
        assert!(
            !metrics.contains(&format!("plybook_witness_requests_total{{witness=\"{name}\",answer=\"cosigned\"}}"))
        );
    }
    // It ends, though one of them still hangs.
    served.signal("-TERM");
    assert_eq!(served.wait(Duration::from_secs(60)), Some(0));
}
