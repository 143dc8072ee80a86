use plybook_events::LogId;
use plybook_tlog::Quorum;

use super::*;
use crate::Store;
use crate::store::Options;
use crate::tlog::earlier::tests::event_of;
use crate::tlog::files::Files;
use crate::tlog::{Known, check};

/// A tree that is too short or too long would be taken for a changed history.
#[test]
fn the_tree_has_the_size_that_is_asked_for() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path(), &Options::DEFAULT, &mut |_, _| ()).unwrap();
    let (keys, files) = (Keys::open(dir.path(), None, false).unwrap(), Files::new(dir.path()));
    let (builder, signed) = check::begin(&keys, &files).unwrap();
    let known = Known { published: signed.clone(), signed };
    let shared = Arc::new(Shared::new(files, known, &keys, Quorum::default()));
    let follower = Follower::new(store.log().clone(), shared, keys, builder, None);
    for n in 0..3 {
        let log = LogId::from_bytes([n; 16]);
        store.log().append(log, None, vec![event_of(log, 0, "a")]).unwrap();
        for size in 0..=u64::from(n) + 1 {
            assert_eq!(follower.grown(size, None).unwrap().len(), size);
        }
    }
}
