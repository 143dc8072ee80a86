//! The key of the vault, as operators use it.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::plybook::{Ran, Served, run, run_with_room};

const CREATE: &str =
    "mutation { createGame(input: { kind: \"thrones\", seats: [{ name: \"A\" }, { name: \"B\" }] }) { id } }";

fn on(data: &Path, arguments: &[&str]) -> Ran {
    run(&[arguments, &["--data", data.to_str().unwrap()]].concat())
}

/// Every file below a folder, with its contents, except the name of the process that had it open.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.file_name().unwrap() != "lock" {
            found.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
    found.sort();
    found
}

#[test]
fn a_vault_is_encrypted_refused_without_its_key_and_decrypted_again() {
    let dir = tempfile::tempdir().unwrap();
    let (data, key, other) = (dir.path().join("data"), dir.path().join("a.key"), dir.path().join("b.key"));
    let (key, other) = (key.to_str().unwrap(), other.to_str().unwrap());
    for file in [key, other] {
        assert!(run(&["vault", "key", file]).ok().contains(file));
    }
    run(&["vault", "key", key]).fails(2);
    let full = dir.path().join("full.key");
    assert!(run_with_room(0, &["vault", "key", full.to_str().unwrap()]).fails(2).contains("File too large"));
    assert!(!full.exists());
    let vault = || fs::read_to_string(data.join("vault")).unwrap();
    let served = Served::start(&data, &[]);
    let admin = served.admin();
    served.get(Some(&admin), CREATE, &json!({}));
    served.signal("-TERM");
    assert_eq!(served.wait(std::time::Duration::from_secs(60)), Some(0));
    assert!(vault().contains(" seed "), "in plain text");
    // The first start with a key encrypts what is there, and what comes.
    let served = Served::start(&data, &["--vault-key-file", key]);
    assert!(!vault().contains(" seed "));
    served.get(Some(&admin), CREATE, &json!({}));
    served.signal("-TERM");
    assert_eq!(served.wait(std::time::Duration::from_secs(60)), Some(0));
    assert!(vault().lines().count() >= 2 && vault().lines().all(|line| line.starts_with("xchacha20-poly1305 ")));
    // Without the key, or with another one, nothing starts and nothing is written.
    let before = files(&data);
    let wrong = dir.path().join("wrong.key");
    fs::write(&wrong, "no key").unwrap();
    for (arguments, words) in [
        (&[][..], "is encrypted: name the file with its key, --vault-key-file"),
        (&["--vault-key-file", other], "is encrypted with another key than the one in --vault-key-file"),
        (&["--vault-key-file", wrong.to_str().unwrap()], "holds no key: 32 bytes in hex or base64"),
    ] {
        for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["verify"], &["export"], &["rebuild"]] {
            let said = on(&data, &[command, arguments].concat()).fails(2);
            assert!(said.contains(words), "{command:?}: {said}");
        }
        assert_eq!(on(&data, &[&["doctor"], arguments].concat()).status, 1);
    }
    assert_eq!(files(&data), before);
    assert!(on(&data, &["verify", "--vault-key-file", key]).ok().contains(" 0 bad"));
    assert!(on(&data, &["doctor", "--vault-key-file", key]).ok().contains("every secret that is still to be revealed"));
    // Another key, and back to plain text.
    on(&data, &["vault", "rekey", "--vault-key-file", key, "--new-key-file", other]).ok();
    assert!(on(&data, &["verify", "--vault-key-file", other]).ok().contains(" 0 bad"));
    on(&data, &["vault", "decrypt", "--vault-key-file", other]).ok();
    assert!(on(&data, &["verify"]).ok().contains(" 0 bad"));
    assert!(vault().contains(" seed "));
    on(&data, &["vault", "encrypt"]).fails(2);
    on(&data, &["vault", "encrypt", "--vault-key-file", key]).ok();
    assert!(!vault().contains(" seed "));
    let served = Served::start(&data, &["--vault-key-file", key]);
    assert!(on(&data, &["vault", "decrypt", "--vault-key-file", key]).fails(2).contains("is in use"));
    drop(served);
}

/// Nothing stays in plain text behind a symbolic link.
#[test]
fn the_vault_behind_a_link_is_encrypted() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let served = Served::start(&data, &[]);
    served.get(Some(&served.admin()), CREATE, &json!({}));
    drop(served);
    let (vault, elsewhere, key) = (data.join("vault"), dir.path().join("vault"), dir.path().join("key"));
    fs::write(&elsewhere, fs::read(&vault).unwrap()).unwrap();
    fs::remove_file(&vault).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &vault).unwrap();
    run(&["vault", "key", key.to_str().unwrap()]).ok();
    assert!(fs::read_to_string(&elsewhere).unwrap().contains(" seed "));
    on(&data, &["vault", "encrypt", "--vault-key-file", key.to_str().unwrap()]).ok();
    assert!(vault.is_symlink() && !fs::read_to_string(&elsewhere).unwrap().contains(" seed "));
}

/// A key in the data directory protects nothing, and one that others can read little.
#[test]
fn the_doctor_looks_at_where_the_key_is() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    crate::plybook::fill(&data);
    let key = data.join("vault.key");
    run(&["vault", "key", key.to_str().unwrap()]).ok();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
    let told = on(&data, &["doctor", "--vault-key-file", key.to_str().unwrap()]);
    assert_eq!(told.status, 1);
    assert!(told.out.contains("is open to others") && told.out.contains("lies in the data directory"), "{}", told.out);
}
