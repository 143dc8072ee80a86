//! `plybook key`: keys in files, statements signed and checked without a service.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::plybook::{run, run_with_room};

/// The example of `FORMAT.md`.
const STATEMENT: &str = r#"{"type":"acted","by":"seat:1","game":"729d0a98-c38b-8ffa-a101-e0762ec92ad1",
    "prev":"cfd233a2a22d82a77435e96c6572ccf99481db4d691a81e72b8fd364e764e0fd","seq":1,"body":{"action":"g8-h8"}}"#;

/// The key with the seed of 32 bytes 0x07, as OpenSSL writes it.
const SEVENS: &str = "-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH
-----END PRIVATE KEY-----
";

fn key(arguments: &[&str]) -> crate::plybook::Ran {
    run(&[&["key"], arguments].concat())
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_new_key_is_for_its_owner_alone_and_signs() {
    let dir = tempfile::tempdir().unwrap();
    let (file, statement) = (dir.path().join("greta.pem"), dir.path().join("statement.json"));
    let public = key(&["new", text(&file)]).ok();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(key(&["show", text(&file)]).ok(), public);
    // A key that is there is never overwritten.
    let before = fs::read(&file).unwrap();
    assert!(key(&["new", text(&file)]).fails(2).contains("exists"));
    assert_eq!(fs::read(&file).unwrap(), before);
    // Half a key is not left where the next one belongs.
    let full = dir.path().join("full.pem");
    assert!(run_with_room(0, &["key", "new", text(&full)]).fails(2).contains("File too large") && !full.exists());
    fs::write(&statement, STATEMENT).unwrap();
    let signature = key(&["sign", text(&file), text(&statement)]).ok();
    assert!(signature.starts_with(&format!("{}:", public.trim())), "{signature}");
    let said = key(&["verify", signature.trim(), text(&statement)]).ok();
    assert_eq!(said.trim(), format!("signed by {}", public.trim()));
    fs::write(&statement, STATEMENT.replace("g8-h8", "g8-g7")).unwrap();
    key(&["verify", signature.trim(), text(&statement)]).fails(1);
}

#[test]
fn keys_and_signatures_are_those_of_others() {
    let dir = tempfile::tempdir().unwrap();
    let (file, statement) = (dir.path().join("sevens.pem"), dir.path().join("statement.json"));
    fs::write(&file, SEVENS).unwrap();
    fs::write(&statement, STATEMENT).unwrap();
    let format = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../FORMAT.md")).unwrap();
    let signature = key(&["sign", text(&file), text(&statement)]).ok();
    assert!(format.contains(&format!("\nsignature: {signature}")), "{signature}");
}

#[test]
fn what_is_no_key_or_no_statement_is_refused_and_not_repeated() {
    let dir = tempfile::tempdir().unwrap();
    let (file, statement) = (dir.path().join("key.pem"), dir.path().join("statement.json"));
    fs::write(&statement, STATEMENT).unwrap();
    for wrong in ["", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n", &SEVENS.replace("MC4C", "MC4D")]
    {
        fs::write(&file, wrong).unwrap();
        let said = key(&["sign", text(&file), text(&statement)]).fails(2);
        assert!(said.contains("not an Ed25519 key") && !said.contains("BwcH"), "{said}");
    }
    fs::write(&file, SEVENS).unwrap();
    for wrong in
        ["", "{}", "[]", &STATEMENT.replace("\"seq\":1", "\"seq\":-1"), &STATEMENT.replace("seat:1", "seat:14")]
    {
        fs::write(&statement, wrong).unwrap();
        assert!(key(&["sign", text(&file), text(&statement)]).fails(1).contains("not a statement"), "{wrong}");
    }
    fs::write(&statement, STATEMENT.replace("{\"action\"", "{\"seed\":{},\"action\"")).unwrap();
    assert!(key(&["sign", text(&file), text(&statement)]).fails(1).contains("seed"));
    key(&["verify", "00:00"]).fails(2);
}
