//! One process a data directory.

use std::path::Path;
use std::process::Command;

use plybook_store::{LockError, OpenError};

use crate::support::{log_id, open, push};

const CHILD: &str = "PLYBOOK_LOCK_CHILD";

#[test]
fn a_second_process_is_told_which_one_has_the_directory() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    push(&store, log_id(1), "a");
    let try_child = || {
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "lock::child", "--nocapture"]).env(CHILD, dir.path());
        String::from_utf8(child.output().unwrap().stdout).unwrap()
    };
    let (shown, pid) = (dir.path().display(), std::process::id());
    let expected = format!("data directory {shown} is in use by process {pid}");
    let said = try_child();
    assert!(said.contains(&expected), "{said}");
    let here = open(dir.path()).map(|_| ()).unwrap_err();
    assert!(matches!(here, OpenError::Lock(LockError::InUse { .. })), "{here}");
    assert_eq!(push(&store, log_id(1), "b").seq(), 1);
    // Whoever still holds the log could write: the directory is free only after that.
    let log = store.log().clone();
    drop(store);
    let said = try_child();
    assert!(said.contains(&expected), "{said}");
    drop(log);
    let said = try_child();
    assert!(said.contains("it opens, 2 events"), "{said}");
}

/// What the child does; without its directory it is not the child.
#[test]
fn child() {
    let Some(dir) = std::env::var_os(CHILD) else {
        return;
    };
    match open(Path::new(&dir)) {
        Ok(store) => println!("it opens, {} events", store.log().len()),
        Err(why) => println!("{why}"),
    }
}
