use super::*;

#[test]
fn what_can_wait_leaves_room_for_what_is_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let room = room(dir.path()).unwrap();
    assert!(room > 4 * RESERVE_BYTES, "the test needs a disk");
    reserve(dir.path(), room / 2).unwrap();
    for bytes in [room - RESERVE_BYTES / 2, room, u64::MAX] {
        assert_eq!(reserve(dir.path(), bytes).unwrap_err().kind(), io::ErrorKind::StorageFull, "{bytes}");
    }
}

#[test]
fn a_bare_name_lies_in_the_current_folder() {
    for (path, folder) in [("plybook-data", "."), ("a/b", "a"), ("/a", "/"), ("/", "/"), ("./a", ".")] {
        assert_eq!(parent(Path::new(path)), Path::new(folder), "{path}");
        assert!(!parent(Path::new(path)).as_os_str().is_empty());
    }
}
