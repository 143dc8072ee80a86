use std::io::Read;

use super::*;

#[test]
fn a_file_is_replaced_as_a_whole_or_not_at_all() {
    let dir = tempfile::tempdir().unwrap();
    let files = ModelFiles::open(dir.path().join("model")).unwrap();
    let read = || {
        let mut text = String::new();
        files.file("snapshot").and_then(|mut file| file.read_to_string(&mut text)).map(|_| text)
    };
    assert!(ModelFiles::is_damage(&read().unwrap_err()));
    files.replace("snapshot", 3, |to| to.write_all(b"old")).unwrap();
    let refused = files.replace("snapshot", 3, |to| {
        to.write_all(b"ne")?;
        Err(ErrorKind::StorageFull.into())
    });
    assert_eq!((refused.unwrap_err().kind(), read().unwrap().as_str()), (ErrorKind::StorageFull, "old"));
    assert!(files.replace("snapshot", u64::MAX, |_| Ok(())).is_err());
    files.replace("snapshot", 3, |to| to.write_all(b"new")).unwrap();
    assert_eq!((read().unwrap().as_str(), fs::read_dir(&files.dir).unwrap().count()), ("new", 1));
    files.remove(|name| name == "snapshot").unwrap();
    assert!(read().is_err());
}
