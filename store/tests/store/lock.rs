//! One process per data directory.

use std::fs;
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
    // Whoever still holds the log could write: the directory is not free until then.
    let log = store.log().clone();
    drop(store);
    let said = try_child();
    assert!(said.contains(&expected), "{said}");
    drop(log);
    let said = try_child();
    assert!(said.contains("it opens, 2 events"), "{said}");
}

/// The file `lock` only names the process: deleting it lets nobody in.
#[test]
fn deleting_the_lock_lets_nobody_in() {
    let dir = tempfile::tempdir().unwrap();
    let store = open(dir.path()).unwrap();
    let head = push(&store, log_id(1), "a");
    fs::remove_file(dir.path().join("lock")).unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "lock::child", "--nocapture"]).env(CHILD, dir.path());
    let said = String::from_utf8(child.output().unwrap().stdout).unwrap();
    assert!(said.contains("is in use by another process"), "{said}");
    let here = open(dir.path()).map(|_| ()).unwrap_err();
    assert!(matches!(here, OpenError::Lock(LockError::InUse { pid: None, .. })), "{here}");
    assert_eq!(store.log().head(log_id(1)), Some(head));
}

/// A program that knows only another lock still meets sled's, which is no damage.
#[test]
fn an_index_that_another_has_open_is_in_use_and_not_damaged() {
    let dir = tempfile::tempdir().unwrap();
    push(&open(dir.path()).unwrap(), log_id(1), "a");
    let other = sled::open(dir.path().join("sled")).unwrap();
    let why = open(dir.path()).map(|_| ()).unwrap_err();
    assert!(matches!(why, OpenError::Lock(LockError::InUse { .. })), "{why}");
    drop(other);
    assert_eq!(open(dir.path()).unwrap().log().len(), 1);
}

/// Whoever has just ended, or started a child, holds the lock a little longer.
#[test]
fn a_lock_that_is_about_to_be_released_is_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    push(&open(dir.path()).unwrap(), log_id(1), "a");
    for held in ["journal", "sled/db"] {
        let held = fs::File::open(dir.path().join(held)).unwrap();
        held.lock().unwrap();
        let releasing = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(200));
            drop(held);
        });
        assert_eq!(open(dir.path()).unwrap().log().len(), 1);
        releasing.join().unwrap();
    }
}

/// What the child does; without its directory, this is not the child.
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
