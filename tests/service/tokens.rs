//! Access tokens: forged, expired, or revoked while the service runs.

use std::os::unix::fs::PermissionsExt;

use plybook_api::access::Tokens;
use plybook_api::access::{Caller, Refusal, Role};
use plybook_events::Timestamp;

use crate::house::caller;

/// What a token allows.
fn identified(tokens: &Tokens, token: Option<&str>) -> Result<Caller, Refusal> {
    Ok(Caller { token: None, who: None, ..tokens.identify(token)? })
}

#[test]
fn tokens_are_known_until_they_are_revoked() {
    let dir = tempfile::tempdir().unwrap();
    // The same directory opened twice: by the program, and by the running service.
    let (program, service) = (Tokens::open(dir.path()).unwrap(), Tokens::open(dir.path()).unwrap());
    assert_eq!(identified(&service, None), Ok(Caller::SPECTATOR));
    let mut made = Vec::new();
    for role in [Role::Player, Role::Recorder, Role::Arbiter, Role::Admin] {
        let who = Caller { seat: Some(2), ..caller(role) };
        let token = program.create(&who, "a label", None).unwrap();
        assert_eq!(identified(&service, Some(&token)), Ok(who), "the service notices at once");
        made.push(token);
    }
    for forged in [
        "",
        "plybook_",
        &made[0][..made[0].len() - 1],
        &format!("{}0", made[0]),
        &made[0].to_uppercase(),
        &service.list()[0].hash.to_string(),
    ] {
        assert_eq!(identified(&service, Some(forged)), Err(Refusal::Unknown), "{forged}");
    }
    for (token, known) in made.iter().zip(service.list()) {
        assert!(program.revoke(&known.id).unwrap());
        assert_eq!(identified(&service, Some(token)), Err(Refusal::Unknown), "the service notices at once");
        assert!(!program.revoke(&known.id).unwrap(), "it is gone");
    }
}

#[test]
fn tokens_expire() {
    let dir = tempfile::tempdir().unwrap();
    let tokens = Tokens::open(dir.path()).unwrap();
    let long_ago = Timestamp::from_millis(0).unwrap();
    let expired = tokens.create(&Caller::ADMIN, "", Some(long_ago)).unwrap();
    assert_eq!(identified(&tokens, Some(&expired)), Err(Refusal::Expired));
    let good = tokens.create(&Caller::ADMIN, "", Some(Timestamp::MAX)).unwrap();
    assert_eq!(identified(&tokens, Some(&good)), Ok(Caller::ADMIN));
}

#[test]
fn the_file_holds_no_token_and_is_its_owners() {
    let dir = tempfile::tempdir().unwrap();
    let tokens = Tokens::open(dir.path()).unwrap();
    // Somebody has left a file there that everybody can read.
    std::fs::write(dir.path().join("tokens.jsonl.new"), "x").unwrap();
    let token = tokens.create(&Caller::ADMIN, "label", None).unwrap();
    let path = dir.path().join("tokens.jsonl");
    let held = std::fs::read_to_string(&path).unwrap();
    assert!(!held.contains(&token) && !held.contains(token.trim_start_matches("plybook_")));
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::write(&path, "garbage").unwrap();
    assert_eq!(
        identified(&tokens, Some(&token)),
        Ok(Caller::ADMIN),
        "a broken file changes nothing while the service runs"
    );
    assert!(Tokens::open(dir.path()).is_err());
    assert!(tokens.create(&Caller::ADMIN, "x", None).is_err(), "and is not written over");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "garbage");
}

#[test]
fn damage_to_the_file_is_named_and_never_means_no_tokens() {
    let dir = tempfile::tempdir().unwrap();
    let tokens = Tokens::open(dir.path()).unwrap();
    let made: Vec<_> =
        [Role::Recorder, Role::Admin].map(|role| tokens.create(&caller(role), "label", None).unwrap()).into();
    let path = dir.path().join("tokens.jsonl");
    let whole = std::fs::read(&path).unwrap();
    for at in 0..whole.len() - 1 {
        let mut bad = whole.clone();
        bad[at] ^= 1 << (at % 8);
        std::fs::write(&path, &bad).unwrap();
        assert!(Tokens::open(dir.path()).is_err(), "byte {at} is changed");
    }
    // What a process that is killed leaves of its last line was never told to anybody.
    let held = tokens.list();
    let start_of_first = whole.iter().position(|byte| *byte == b'\n').unwrap();
    let start_of_last = 1 + whole[..whole.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap();
    for len in 0..whole.len() - 1 {
        std::fs::write(&path, &whole[..len]).unwrap();
        let found = Tokens::open(dir.path());
        match found {
            Ok(found) if len >= start_of_last => assert_eq!(found.list(), held[..1], "cut at {len}"),
            Ok(found) => assert_eq!((found.list().len(), len > start_of_first), (0, true), "cut at {len}"),
            Err(_) => assert!(len <= start_of_first, "cut at {len}"),
        }
    }
    let cut = Tokens::open(dir.path()).unwrap();
    cut.create(&caller(Role::Arbiter), "after the cut", None).unwrap();
    let labels: Vec<_> = Tokens::open(dir.path()).unwrap().list().into_iter().map(|token| token.label).collect();
    assert_eq!(labels, ["label", "after the cut"], "the torn line is gone");
    std::fs::write(&path, &whole).unwrap();
    assert_eq!(identified(&tokens, Some(&made[1])), Ok(Caller::ADMIN));
    std::fs::remove_file(&path).unwrap();
    assert_eq!(identified(&tokens, Some(&made[1])), Ok(Caller::ADMIN), "a file that is gone changes nothing, either");
    std::fs::write(&path, &whole).unwrap();
    assert_eq!(identified(&Tokens::open(dir.path()).unwrap(), Some(&made[1])), Ok(Caller::ADMIN));
    std::fs::write(&path, "{\"format\":\"plybook-tokens/2\",\"issued\":[]}\n").unwrap();
    let why = Tokens::open(dir.path()).map(|_| ()).unwrap_err().to_string();
    let expected = r#"its format is "plybook-tokens/2", and this program reads "plybook-tokens/1""#;
    assert_eq!(why, format!("{}: {expected}", path.display()));
}

/// Many writers at once, each with the directory opened separately: no change is lost.
#[test]
fn changes_of_several_programs_do_not_undo_each_other() {
    let dir = tempfile::tempdir().unwrap();
    let open = || Tokens::open(dir.path()).unwrap();
    let doomed: Vec<_> = (0..8).map(|_| open().create(&Caller::ADMIN, "doomed", None).unwrap()).collect();
    let ids: Vec<_> = open().list().into_iter().map(|token| token.id).collect();
    let made: Vec<String> = std::thread::scope(|scope| {
        let makers: Vec<_> =
            (0..8).map(|_| scope.spawn(|| open().create(&Caller::ADMIN, "made", None).unwrap())).collect();
        for id in &ids {
            scope.spawn(move || assert!(open().revoke(id).unwrap()));
        }
        makers.into_iter().map(|maker| maker.join().unwrap()).collect()
    });
    let after = open();
    assert!(doomed.iter().all(|token| identified(&after, Some(token)) == Err(Refusal::Unknown)));
    assert!(made.iter().all(|token| identified(&after, Some(token)) == Ok(Caller::ADMIN)));
    assert_eq!(after.list().len(), 8);
}

/// Whoever shows a token waits for no disk, however many are issued: a change is one line.
#[test]
fn a_change_appends_a_line_and_the_file_does_not_grow_with_history() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("tokens.jsonl");
    let tokens = Tokens::open(dir.path()).unwrap();
    for number in 0..50 {
        tokens.create(&caller(Role::Recorder), &format!("{number}"), None).unwrap();
    }
    let before = std::fs::read(&path).unwrap();
    let last = tokens.create(&Caller::ADMIN, "last", None).unwrap();
    let after = std::fs::read(&path).unwrap();
    assert!(after.starts_with(&before) && after.len() - before.len() < 400, "{} bytes", after.len() - before.len());
    // A token that is replaced again and again leaves no trace.
    for _ in 0..400 {
        let id = tokens.list().last().unwrap().id.clone();
        tokens.revoke(&id).unwrap();
        tokens.create(&Caller::ADMIN, "again", None).unwrap();
    }
    assert_eq!((tokens.list().len(), identified(&tokens, Some(&last))), (51, Err(Refusal::Unknown)));
    let lines = std::fs::read_to_string(&path).unwrap().lines().count();
    assert!(lines < 200, "{lines} lines for 51 tokens");
    assert_eq!(Tokens::open(dir.path()).unwrap().list(), tokens.list());
}

#[test]
fn tokens_that_expired_a_week_ago_are_gone_at_the_next_change() {
    let dir = tempfile::tempdir().unwrap();
    let tokens = Tokens::open(dir.path()).unwrap();
    let now = plybook_api::service::clock::now().as_millis();
    for (label, days) in [("long ago", -8), ("lately", -6), ("not yet", 1)] {
        let expires = Timestamp::from_millis(now + days * 86_400_000).unwrap();
        tokens.create(&caller(Role::Recorder), label, Some(expires)).unwrap();
    }
    tokens.create(&Caller::ADMIN, "last", None).unwrap();
    let labels: Vec<_> = tokens.list().into_iter().map(|token| token.label).collect();
    assert_eq!(labels, ["lately", "not yet", "last"]);
}
