use super::*;

const ID: LogId = LogId::from_bytes([1; 16]);

#[test]
fn what_is_erased_is_gone_from_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("personal.json");
    let personal = Personal::open(&path).unwrap();
    personal.change(&[(ID, "born", Some("1987".to_owned())), (ID, "other", Some("x".to_owned()))]).unwrap();
    assert_eq!(Personal::open(&path).unwrap().get(ID, "born").as_deref(), Some("1987"));
    personal.change(&[(ID, "born", None)]).unwrap();
    assert_eq!(Personal::open(&path).unwrap().get(ID, "born"), None);
    assert!(!fs::read_to_string(&path).unwrap().contains("1987"));
    let names: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["personal.json"], "no copy is left");
}

#[test]
fn a_changed_file_is_refused_and_a_missing_one_is_empty() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("personal.json");
    assert_eq!(Personal::open(&path).unwrap().get(ID, "born"), None);
    Personal::open(&path).unwrap().change(&[(ID, "born", Some("1987".to_owned()))]).unwrap();
    let whole = fs::read_to_string(&path).unwrap();
    for damaged in [whole.replace("1987", "1988"), whole[..whole.len() / 2].to_owned(), String::new()] {
        fs::write(&path, damaged).unwrap();
        assert!(matches!(Personal::open(&path), Err(PersonalError::Damaged(_))));
    }
}

#[test]
fn a_store_that_is_read_and_a_disk_that_is_full_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("personal.json");
    let change = [(ID, "born", Some("1987".to_owned()))];
    let read = Personal::open_to_read(&path).unwrap();
    assert!(matches!(read.change(&change), Err(PersonalError::ReadOnly)));
    let gone = Personal::open(&dir.path().join("no-such-folder/personal.json")).unwrap();
    assert!(matches!(gone.change(&change), Err(PersonalError::Io { .. })));
    assert_eq!((read.get(ID, "born"), gone.get(ID, "born")), (None, None));
}
