//! What nodes share: the same contracts as for files, two nodes at the same time, servers that are away.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use plybook_store::{Personal, PersonalError, Shared, StreamError, Vault, VaultError, VaultKey};
use serde_json::{Value, json};

use crate::nats::Nats;
use crate::support::{log_id, open, open_node, vault_key};

/// The longest that anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// What must not be in any stream in the clear.
const SECRET: &str = "the submission of seat 4";

/// A node of the stream `games`.
fn node(nats: &Nats) -> Shared {
    Shared::open(&nats.address("games"), &nats.access(), Some(&vault_key(nats))).unwrap()
}

/// What it has of the personal data.
fn personal_of(shared: &Shared) -> Result<Personal, PersonalError> {
    Personal::open_shared(shared.document(Personal::DOCUMENT), Path::new("none"))
}

fn wait_until(what: &str, within: Duration, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < within, "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Asks something, and returns the answer.
fn ask(nats: &Nats, subject: &str, payload: &[u8]) -> Value {
    let mut stream = BufReader::new(TcpStream::connect(&nats.servers()[0]).unwrap());
    let mut request =
        b"CONNECT {\"user\":\"plybook\",\"pass\":\"secret\",\"verbose\":false}\r\nSUB answer 1\r\n".to_vec();
    write!(request, "PUB {subject} answer {}\r\n", payload.len()).unwrap();
    request.extend([payload, b"\r\n"].concat());
    stream.get_mut().write_all(&request).unwrap();
    loop {
        let mut line = String::new();
        assert!(stream.read_line(&mut line).unwrap() > 0, "the server hangs up");
        assert!(!line.starts_with("-ERR"), "{line}");
        if line.starts_with("MSG ") {
            let mut answer = vec![0; line.trim().rsplit(' ').next().unwrap().parse().unwrap()];
            stream.read_exact(&mut answer).unwrap();
            return serde_json::from_slice(&answer).unwrap();
        }
    }
}

/// All messages of a stream: their subjects and payloads.
fn messages(nats: &Nats, stream: &str) -> Vec<(String, Vec<u8>)> {
    let (mut found, mut next) = (Vec::new(), 1);
    loop {
        let query = json!({ "seq": next, "next_by_subj": ">" }).to_string();
        let got = ask(nats, &format!("$JS.API.STREAM.MSG.GET.{stream}"), query.as_bytes());
        let message = &got["message"];
        let Some(sequence) = message["seq"].as_u64() else { return found };
        let payload = BASE64_STANDARD.decode(message["data"].as_str().unwrap()).unwrap();
        found.push((message["subject"].as_str().unwrap().to_owned(), payload));
        next = sequence + 1;
    }
}

#[test]
fn secrets_are_kept_alike_in_a_file_in_memory_and_by_nodes() {
    let dir = tempfile::tempdir().unwrap();
    let (one, three) = (Nats::start(1), Nats::start(3));
    let (one, three) = (node(&one), node(&three));
    let file = Vault::open(&dir.path().join("vault"), None).unwrap();
    for vault in [&file, &Vault::in_memory(), one.vault(), three.vault()] {
        vault.put(log_id(1), "seed", b"first").unwrap();
        vault.put(log_id(1), "seed", b"second").unwrap();
        vault.put_all(&[(log_id(1), "a", b""), (log_id(2), "seed", b"other\n\0")]).unwrap();
        vault.put_all(&[]).unwrap();
        assert_eq!(vault.get(log_id(1), "seed").as_deref(), Some(&b"second"[..]));
        assert_eq!(vault.get(log_id(2), "seed").as_deref(), Some(&b"other\n\0"[..]));
        assert_eq!(vault.get(log_id(1), "none"), None);
        let of: Vec<_> = vault.of(log_id(1)).into_iter().map(|(key, _)| key).collect();
        assert_eq!(of, ["a", "seed"]);
        for key in ["", "a b", "a\n", "\u{e9}", &"k".repeat(65)] {
            let refused = vault.put_all(&[(log_id(3), "seed", b"x"), (log_id(1), key, b"x")]);
            assert!(matches!(refused, Err(VaultError::Key(_))), "{key:?}");
        }
        assert_eq!(vault.get(log_id(3), "seed"), None, "all or none");
        assert!(!vault.is_read_only());
    }
}

#[test]
fn a_secret_is_found_by_another_node_at_once_and_by_one_that_starts_later() {
    let nats = Nats::start(3);
    let (one, other) = (node(&nats), node(&nats));
    for n in 0..50 {
        one.vault().put(log_id(n), "seed", &n.to_be_bytes()).unwrap();
        assert_eq!(other.vault().get(log_id(n), "seed").as_deref(), Some(&n.to_be_bytes()[..]));
    }
    let late = node(&nats);
    assert_eq!(late.vault().of(log_id(49)).len(), 1);
    // Without being asked for it, a node hears of it within a second.
    one.vault().put(log_id(50), "seed", b"x").unwrap();
    wait_until("it is heard of", PATIENCE, || other.vault().of(log_id(50)).len() == 1);
}

#[test]
fn of_two_values_under_one_key_the_later_one_counts_everywhere() {
    let nats = Nats::start(1);
    let (one, other) = (node(&nats), node(&nats));
    for n in 0..20_u64 {
        let writer = if n % 2 == 0 { &one } else { &other };
        writer.vault().put(log_id(1), "seed", &n.to_be_bytes()).unwrap();
    }
    let last = Some(19_u64.to_be_bytes().to_vec());
    for node in [&one, &other, &node(&nats)] {
        wait_until("the last one counts", PATIENCE, || {
            node.vault().get(log_id(1), "seed").map(|it| it.to_vec()) == last
        });
    }
}

#[test]
fn what_one_node_puts_into_a_collection_the_others_find_in_order() {
    let nats = Nats::start(3);
    let [one, other] = [(); 2].map(|()| node(&nats).collection("things").unwrap());
    assert_eq!(other.next(0).unwrap(), None);
    one.put("a", SECRET.as_bytes(), |_| panic!("there is none")).unwrap();
    one.put("b", b"first", |_| panic!("there is none")).unwrap();
    other.put("b", b"second", |there| there != b"first").unwrap();
    one.put("b", b"third", |there| there == b"second").unwrap();
    let found = |after: u64| other.next(after).unwrap().map(|put| (put.key, put.bytes, put.revision));
    assert_eq!(found(0), Some(("a".to_owned(), SECRET.as_bytes().to_vec(), 1)));
    // What was replaced is gone, and what sufficed is still there.
    assert_eq!(found(1), Some(("b".to_owned(), b"second".to_vec(), 3)));
    assert_eq!(found(3), None);
    let stored = messages(&nats, "KV_games_things");
    assert_eq!(
        stored.iter().map(|(subject, _)| subject.as_str()).collect::<Vec<_>>(),
        ["$KV.games_things.a", "$KV.games_things.b"]
    );
    let is_clear = |payload: &[u8]| payload.windows(SECRET.len()).any(|part| part == SECRET.as_bytes());
    assert!(!stored.iter().any(|(_, payload)| is_clear(payload)));
    // Compressible beyond all measure, and no more than that.
    let large = one.put("c", &vec![0; (64 << 20) + 1], |_| false).unwrap_err();
    assert!(matches!(large, StreamError::TooLarge { .. }), "{large}");
}

#[test]
fn more_secrets_than_fit_into_a_message_are_put() {
    let nats = Nats::start(1);
    let vault = node(&nats);
    let value = [7; 3000];
    let many: Vec<_> = (0..400).map(|n| (log_id(n), "seed", &value[..])).collect();
    vault.vault().put_all(&many).unwrap();
    let other = node(&nats);
    assert!((0..400).all(|n| other.vault().of(log_id(n)).len() == 1));
    assert_eq!(messages(&nats, "KV_games_vault").len(), 3);
}

#[test]
fn no_secret_is_in_a_stream_or_on_a_disk_of_the_servers_in_the_clear() {
    let nats = Nats::start(1);
    let shared = node(&nats);
    shared.vault().put(log_id(1), "seed", SECRET.as_bytes()).unwrap();
    let personal = personal_of(&shared).unwrap();
    personal.change(&[(log_id(1), "born", Some(SECRET.to_owned()))]).unwrap();
    // What is looked for would be found.
    ask(&nats, "$KV.games_shared.control", b"in the clear");
    let hex = const_hex::encode(SECRET);
    let is_in = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    let (mut files, mut is_control_found) = (vec![nats.dir.path().join("0")], false);
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let bytes = fs::read(&path).unwrap();
        assert!(!is_in(&bytes, SECRET) && !is_in(&bytes, &hex), "{}", path.display());
        is_control_found |= is_in(&bytes, "in the clear");
    }
    assert!(is_control_found);
    for stream in ["KV_games_vault", "KV_games_shared"] {
        for (subject, payload) in messages(&nats, stream) {
            assert!(!is_in(&payload, SECRET) && !is_in(&payload, &hex), "{subject}");
        }
    }
}

#[test]
fn what_is_erased_is_gone_from_the_stream() {
    let nats = Nats::start(1);
    let shared = node(&nats);
    let personal = personal_of(&shared).unwrap();
    let of_personal = || {
        let all = messages(&nats, "KV_games_shared").into_iter();
        all.filter(|(subject, _)| subject.ends_with(".personal")).map(|(_, payload)| payload).collect::<Vec<_>>()
    };
    personal
        .change(&[(log_id(1), "born", Some("1987".to_owned())), (log_id(2), "born", Some("1990".to_owned()))])
        .unwrap();
    let before = of_personal();
    personal.change(&[(log_id(1), "born", None)]).unwrap();
    let after = of_personal();
    assert_eq!((before.len(), after.len()), (1, 1), "only the last version is there");
    assert_ne!(before, after);
    let late = personal_of(&node(&nats)).unwrap();
    assert_eq!((late.get(log_id(1), "born"), late.get(log_id(2), "born").as_deref()), (None, Some("1990")));
}

#[test]
fn personal_data_is_kept_alike_in_a_file_in_memory_and_by_nodes() {
    let dir = tempfile::tempdir().unwrap();
    let nats = Nats::start(1);
    let shared = node(&nats);
    for personal in [
        Personal::open(&dir.path().join("personal.json")).unwrap(),
        Personal::in_memory(),
        personal_of(&shared).unwrap(),
    ] {
        assert_eq!(personal.get(log_id(1), "born"), None);
        personal.change(&[]).unwrap();
        let born = |year: &str| Some(year.to_owned());
        personal.change(&[(log_id(1), "born", born("1987")), (log_id(2), "born", born("1990"))]).unwrap();
        personal
            .change(&[(log_id(1), "born", None), (log_id(2), "born", born("1991")), (log_id(3), "x", None)])
            .unwrap();
        assert_eq!((personal.get(log_id(1), "born"), personal.get(log_id(2), "born")), (None, born("1991")));
    }
    let file = Personal::open(&dir.path().join("personal.json")).unwrap();
    assert_eq!(file.get(log_id(2), "born").as_deref(), Some("1991"));
}

#[test]
fn nodes_that_change_personal_data_at_the_same_time_lose_nothing() {
    let nats = Nats::start(3);
    let nodes = [node(&nats), node(&nats), node(&nats)];
    thread::scope(|scope| {
        for (n, shared) in (0..).zip(&nodes) {
            scope.spawn(move || {
                let personal = personal_of(shared).unwrap();
                for m in 0..20 {
                    personal.change(&[(log_id(100 * n + m), "born", Some(format!("{m}")))]).unwrap();
                }
            });
        }
    });
    for shared in &nodes {
        let personal = personal_of(shared).unwrap();
        let is_there = |n: u64| personal.get(log_id(n), "born") == Some(format!("{}", n % 100));
        wait_until("all changes are there", PATIENCE, || (0..3).all(|n| (0..20).all(|m| is_there(100 * n + m))));
    }
}

#[test]
fn a_value_under_another_key_or_from_another_bucket_is_refused() {
    let nats = Nats::start(1);
    let shared = node(&nats);
    let personal = personal_of(&shared).unwrap();
    personal.change(&[(log_id(1), "born", Some("1987".to_owned()))]).unwrap();
    drop(shared);
    let stored = messages(&nats, "KV_games_shared").into_iter().find(|(subject, _)| subject.ends_with(".personal"));
    let (_, value) = stored.unwrap();
    assert!(ask(&nats, "$KV.games_shared.tokens", &value)["seq"].is_u64());
    let refused = Shared::open(&nats.address("games"), &nats.access(), Some(&vault_key(&nats))).err().unwrap();
    assert!(matches!(refused, VaultError::Stream(StreamError::Damaged { .. })), "{refused}");
}

#[test]
fn a_node_with_another_key_and_an_unsafe_bucket_are_refused() {
    let nats = Nats::start(1);
    let other = VaultKey::make(&nats.dir.path().join("other-key")).unwrap();
    drop(node(&nats));
    let open =
        |stream: &str, key| Shared::open(&nats.address(stream), &nats.access(), Some(key)).err().unwrap().to_string();
    let refused = open("games", &other);
    assert!(refused.contains("KV_games_shared") && refused.contains("--vault-key-file"), "{refused}");
    let unsafe_bucket = json!({
        "name": "KV_fast_shared", "subjects": ["$KV.fast_shared.>"], "storage": "memory", "max_msgs_per_subject": 1,
        "num_replicas": 1, "discard": "new", "allow_direct": true, "deny_delete": true, "deny_purge": true,
    });
    ask(&nats, "$JS.API.STREAM.CREATE.KV_fast_shared", unsafe_bucket.to_string().as_bytes());
    let refused = open("fast", &other);
    assert!(
        refused.contains("KV_fast_shared") && refused.contains(r#"storage is "memory" and has to be "file""#),
        "{refused}"
    );
}

#[test]
fn while_servers_are_away_everything_is_read_and_afterwards_written_again() {
    let mut nats = Nats::start(3);
    let shared = node(&nats);
    let personal = personal_of(&shared).unwrap();
    shared.vault().put(log_id(1), "seed", b"first").unwrap();
    personal.change(&[(log_id(1), "born", Some("1987".to_owned()))]).unwrap();
    assert_eq!(shared.trouble(), None);
    (0..3).for_each(|n| nats.kill(n));
    wait_until("it is noticed", PATIENCE, || shared.trouble().is_some());
    assert!(matches!(
        shared.vault().put(log_id(2), "seed", b"x"),
        Err(VaultError::Stream(StreamError::Unanswered { .. }))
    ));
    let change = [(log_id(1), "born", None)];
    assert!(matches!(personal.change(&change), Err(PersonalError::Stream(StreamError::Unanswered { .. }))));
    assert_eq!(shared.vault().get(log_id(1), "seed").as_deref(), Some(&b"first"[..]));
    assert_eq!(
        (shared.vault().get(log_id(2), "seed"), personal.get(log_id(1), "born").as_deref()),
        (None, Some("1987"))
    );
    assert!(shared.vault().is_read_only());
    (0..3).for_each(|n| nats.run(n));
    nats.wait();
    wait_until("they are back", PATIENCE, || shared.trouble().is_none());
    shared.vault().put(log_id(2), "seed", b"x").unwrap();
    personal.change(&change).unwrap();
    wait_until("it is erased", PATIENCE, || personal.get(log_id(1), "born").is_none());
}

#[test]
fn a_store_that_was_in_files_brings_what_it_kept_besides_the_journal() {
    let nats = Nats::start(1);
    let dir = tempfile::tempdir().unwrap();
    let born = |year: &str| Some(year.to_owned());
    {
        let store = open(dir.path()).unwrap();
        store.vault().put_all(&[(log_id(1), "seed", b"first"), (log_id(2), "seed", b"old")]).unwrap();
        store.personal().change(&[(log_id(1), "born", born("1987"))]).unwrap();
    }
    node(&nats).vault().put(log_id(2), "seed", b"new").unwrap();
    for _ in 0..2 {
        let store = open_node(dir.path(), &nats, "games").unwrap();
        assert_eq!(store.vault().get(log_id(1), "seed").as_deref(), Some(&b"first"[..]));
        assert_eq!(store.vault().get(log_id(2), "seed").as_deref(), Some(&b"new"[..]), "what is there stays");
        assert_eq!(store.personal().get(log_id(1), "born"), born("1987"));
    }
    let store = open_node(dir.path(), &nats, "games").unwrap();
    store.personal().change(&[(log_id(1), "born", None)]).unwrap();
    drop(store);
    let store = open_node(dir.path(), &nats, "games").unwrap();
    assert_eq!(store.personal().get(log_id(1), "born"), None, "what was erased does not come back");
}
