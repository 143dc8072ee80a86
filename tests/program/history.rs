//! A journal that was changed behind the service's back: refused at the start, until that is accepted.

use std::path::Path;

use plybook_events::Body;

use crate::operator::{forget_index, journal, rewrite};
use crate::plybook::{Served, fill, run};

/// Runs a command on a data directory.
fn on(data: &Path, arguments: &[&str]) -> crate::plybook::Ran {
    run(&[arguments, &["--data", data.to_str().unwrap()]].concat())
}

/// Changes the first action of a seat in the journal, and all hashes that follow from it.
fn change_an_action(data: &Path) {
    let at = journal(data).iter().position(|event| matches!(event.body, Body::Acted(_))).unwrap();
    rewrite(data, |events| {
        let Body::Acted(acted) = &mut events[at].body else { unreachable!() };
        acted.clock_ms = Some(1);
    });
}

#[test]
fn a_changed_journal_is_refused_by_whatever_writes_until_it_is_accepted() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fill(&data);
    let before = journal(&data);
    change_an_action(&data);
    // With the game, the mark of its import is another one; it comes first.
    let at = before.iter().zip(&journal(&data)).position(|(then, now)| then != now).unwrap();
    let (log, seq) = (before[at].log, before[at].seq);
    let words = format!("history was changed at event {at} of the journal: event {seq} of {log} was recorded there");
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["rebuild"], &["import", "none.json"]] {
        for _ in 0..2 {
            let said = on(&data, command).fails(2);
            assert!(said.contains(&words) && said.contains("--accept"), "{command:?}: {said}");
        }
    }
    assert!(on(&data, &["verify"]).ok().contains(" 0 bad"), "the logs themselves are right");
    let served = Served::start(&data, &["--accept"]);
    let games = served.get(None, "{ games(first: 10) { totalCount } }", &serde_json::json!({}));
    assert_eq!(games["games"]["totalCount"], 6);
    drop(served);
    let told = on(&data, &["doctor"]).ok();
    assert!(told.contains("a change was accepted at 20") && told.contains(&format!("event {at} of the journal")));
    assert!(told.contains("sled.changed-1 is the index of a journal before it was changed"), "{told}");
    assert!(on(&data, &["verify"]).ok().contains(" 0 bad"));
    assert!(!on(&data, &["export"]).ok().contains("history_accepted"));
    on(&data, &["rebuild"]).ok();
    assert_eq!(journal(&data).len(), before.len() + 1, "it is recorded once");
}

/// Who deletes the index deletes what shows the change; docs/trust.md says who notices then.
#[test]
fn without_its_index_a_changed_journal_is_taken() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    fill(&data);
    change_an_action(&data);
    forget_index(&data);
    assert!(on(&data, &["rebuild"]).ok().contains("index and read models are built"));
    assert!(!on(&data, &["doctor"]).ok().contains("history"));
}
