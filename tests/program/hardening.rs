//! What the program keeps to itself, what it does not let others do to it, and settings that it refuses.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::plybook::{Ran, Served, command, run};

/// All files and folders in a folder.
fn all_in(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all_in(&path, found);
        }
        found.push(path);
    }
}

#[test]
fn nothing_in_a_data_directory_or_a_backup_is_open_to_others() {
    let dir = tempfile::tempdir().unwrap();
    let (data, backup) = (dir.path().join("data"), dir.path().join("backup"));
    let served = Served::start(&data, &["--demo"]);
    run(&["backup", "--data", data.to_str().unwrap(), "--to", backup.to_str().unwrap()]).ok();
    served.signal("-TERM");
    assert_eq!(served.wait(Duration::from_secs(30)), Some(0));
    let mut found = vec![data, backup];
    all_in(&found[0].clone(), &mut found);
    all_in(&found[1].clone(), &mut found);
    assert!(found.len() > 20, "{found:?}");
    for path in found {
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode & 0o077, 0, "{} has mode {mode:o}", path.display());
    }
}

#[test]
fn whoever_may_not_look_is_told_that_and_not_that_there_is_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    drop(Served::start(&data, &[]));
    let looks = ["doctor", "verify", "export", "rebuild"].map(|name| [name, "--data", data.to_str().unwrap()]);
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        fs::set_permissions(&data, fs::Permissions::from_mode(0o000)).unwrap();
    }
    for arguments in looks {
        let mut look = command(&arguments);
        if is_root {
            look.uid(65_534).gid(65_534);
        }
        match look.output() {
            Ok(ran) => {
                let told = Ran::of(&ran).fails(2);
                assert!(told.contains("Permission denied") && told.contains("sudo -u plybook"), "{told}");
            }
            Err(why) => println!("SKIPPED: another user cannot run the program: {why}"),
        }
    }
    fs::set_permissions(&data, fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn sighup_does_not_end_the_service_and_secrets_that_others_can_read_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let (data, log, key) = (dir.path().join("data"), dir.path().join("log"), dir.path().join("key"));
    run(&["vault", "key", key.to_str().unwrap()]).ok();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    let more = ["--vault-key-file", key.to_str().unwrap()];
    let served = Served::start_with(&data, &more, |service| {
        service.env("PLYBOOK_LISTENS", "x").stderr(fs::File::create(&log).unwrap());
    });
    served.signal("-HUP");
    let is_told = || fs::read_to_string(&log).unwrap().contains("SIGHUP is ignored");
    for _ in 0..100 {
        if is_told() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(is_told());
    assert_eq!(served.http("GET", "/healthz", None, "").unwrap().0, 200);
    let told = fs::read_to_string(&log).unwrap();
    assert!(told.contains(&format!("chmod 600 {}", key.display())), "{told}");
    assert!(told.contains("PLYBOOK_LISTENS sets nothing"), "{told}");
}

#[test]
fn signals_that_ask_for_something_else_do_not_end_a_service_that_starts() {
    let dir = tempfile::tempdir().unwrap();
    let (data, config) = (dir.path().join("data"), dir.path().join("plybook.toml"));
    // It waits for its settings as long as nobody writes them.
    assert!(Command::new("mkfifo").arg(&config).status().unwrap().success());
    let [data, config] = [data.to_str().unwrap(), config.to_str().unwrap()];
    let mut service = command(&["serve", "--data", data, "--config", config, "--listen", "127.0.0.1:0"]);
    let mut service = service.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let settings = fs::OpenOptions::new().write(true).open(config).unwrap();
    for signal in ["-HUP", "-USR1", "-USR2"] {
        assert!(Command::new("kill").args([signal, &service.id().to_string()]).status().unwrap().success());
    }
    drop(settings);
    let mut said = BufReader::new(service.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(said.any(|line| line.starts_with("Plybook is at")));
    service.kill().unwrap();
    service.wait().unwrap();
}

#[test]
fn settings_that_make_no_sense_are_refused_with_what_would_be_right() {
    let dir = tempfile::tempdir().unwrap();
    let (data, config) = (dir.path().join("data"), dir.path().join("plybook.toml"));
    for (settings, right) in [
        ("host = [\"https://games.example.org\"]", "write games.example.org"),
        ("host = [\"games.example.org:443\"]", "write games.example.org"),
        ("host = [\"*.example.org\"]", "write example.org"),
        ("origin = [\"games.example.org\"]", "write it like https://"),
        ("origin = [\"https://games.example.org/\"]", "send https://games.example.org,"),
        ("trusted-proxy = [\"0.0.0.0/0\"]", "name the proxies"),
        ("request-memory-mib = 9999999", "name at most"),
        ("connections = 0", "at least 1"),
        ("sockets = 0", "at least 1"),
        ("sockets = 10\nsockets-per-client = 20", "at most 10"),
        ("segment-mib = 0", "at least 1"),
        ("analysis-workers = 65", "at most 64"),
        ("memory = \"9999999GiB\"", "name at most"),
        ("[limits]\nworkers = 0", "at least 1"),
        ("[limits]\nworkers = 10000", "at most 256"),
        ("[limits]\noperation-cost = 1", "at least 5000"),
        ("[limits]\noperation-cpu-ms = 4000000000", "at most 100000"),
        ("[limits]\nanswer-mib = 1000000", "at most 1024"),
        ("[limits]\nwaiting = 1000000", "at most 100000"),
        ("[quotas]\ngame = 1", "unknown field"),
        ("listen = \"localhost:8080\"", "like 127.0.0.1:8080"),
        ("vault-key-file = \"\"", "vault-key-file is empty: write a path"),
    ] {
        fs::write(&config, settings).unwrap();
        let why = run(&["serve", "--data", data.to_str().unwrap(), "--config", config.to_str().unwrap()]).fails(2);
        assert!(why.contains(right), "{settings}: {why}");
    }
    assert!(!data.exists(), "nothing was begun");
    let why = run(&["serve", "--listen", "localhost"]).fails(2);
    assert!(why.contains("like 127.0.0.1:8080"), "{why}");
    // Of a key that is named in place of the settings, nothing is repeated.
    for secret in [
        "29888b220a18ff6fa32b0ba8f7ea3db3a501f7e517560281fb43b0e021a71dd3",
        "KYiLIgoY/2+jKwuo9+o9s6UB9+UXVgKB+0Ow4CGnHdM=",
    ] {
        fs::write(&config, format!("{secret}\n")).unwrap();
        let why = run(&["serve", "--config", config.to_str().unwrap()]).fails(2);
        assert!(why.contains("it holds no settings") && !why.contains(secret), "{why}");
    }
    // In the file, an empty path would be the current directory.
    fs::write(&config, "data = \"\"").unwrap();
    assert!(run(&["doctor", "--config", config.to_str().unwrap()]).fails(2).contains("data is empty: write a path"));
    let empty = Ran::of(&command(&["doctor"]).env("PLYBOOK_DATA", "").output().unwrap());
    assert!(empty.fails(2).contains("the environment variable PLYBOOK_DATA is empty"));
    for wrong in ["nonsense=[", "inof", "verbose,actix_server=warn"] {
        let filtered = Ran::of(&command(&["schema"]).env("PLYBOOK_LOG", wrong).output().unwrap());
        assert!(filtered.fails(2).contains("write it like debug"), "{wrong}");
    }
    // Less than the share of a client by default is no contradiction, nor is a space in a list. An empty filter is none.
    fs::write(&config, "sockets = 10").unwrap();
    let log = dir.path().join("log");
    let served = Served::start_with(&data, &["--config", config.to_str().unwrap()], |service| {
        service.env("PLYBOOK_TRUSTED_PROXY", "127.0.0.1, 10.0.0.0/8").env("PLYBOOK_LOG", "");
        service.stderr(fs::File::create(&log).unwrap());
    });
    served.signal("-TERM");
    assert_eq!(served.wait(Duration::from_secs(60)), Some(0));
    assert!(fs::read_to_string(&log).unwrap().contains("shutting down"));
}

#[test]
fn a_flood_of_requests_and_a_head_that_is_too_long_do_not_fill_the_log() {
    use std::io::{Read, Write};
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let served = Served::start_with(&dir.path().join("data"), &[], |service| {
        service.stderr(fs::File::create(&log).unwrap());
    });
    let admin = served.admin();
    served.get(Some(&admin), "{ games(first: 1) { totalCount } }", &json!({}));
    for _ in 0..500 {
        assert_eq!(served.http("GET", "/healthz", None, "").unwrap().0, 200);
    }
    let mut stream = std::net::TcpStream::connect(served.address()).unwrap();
    let _ =
        stream.write_all(format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(300_000)).as_bytes());
    let _ = stream.read_to_end(&mut Vec::new());
    drop(served);
    let told = fs::read_to_string(&log).unwrap();
    let lines: Vec<&str> = told.lines().filter(|line| line.contains("plybook::access")).collect();
    assert!((1..400).contains(&lines.len()), "{} lines for 501 requests", lines.len());
    assert!(!told.contains("MAX_BUFFER_SIZE") && !told.contains("actix_http"), "{told}");
    assert!(lines.iter().any(|line| line.contains("\"client\":\"admin:")), "{told}");
    assert!(lines.iter().any(|line| line.contains("\"client\":\"127.0.0.1\"")), "{told}");
}

#[test]
fn a_log_that_cannot_be_written_ends_no_request() {
    let dir = tempfile::tempdir().unwrap();
    let served = Served::start_with(&dir.path().join("data"), &[], |service| {
        service.stderr(fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    });
    for _ in 0..5 {
        assert_eq!(served.http("GET", "/", None, "").expect("it answers").0, 200);
    }
    served.get(Some(&served.admin()), "{ me { role } }", &json!({}));
}

#[test]
fn what_is_printed_of_an_argument_commands_no_terminal() {
    for arguments in [&["draw", "triangulate", "--actions", "\u{1b}[31mred\u{202e}"][..], &["rules", "\u{1b}]0;x\u{7}"]]
    {
        let ran = run(arguments);
        assert_ne!(ran.status, 0, "{arguments:?}");
        let printed = format!("{}{}", ran.out, ran.err);
        assert!(printed.contains("\\u{1b}") && !printed.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{printed:?}");
    }
}
