//! Keyspaces for read models.

use plybook_store::{Changes, Keyspace};

use crate::support::House;

fn keys(keyspace: &Keyspace, prefix: &[u8]) -> Vec<Vec<u8>> {
    keyspace.prefix(prefix).map(|row| row.unwrap().0).collect()
}

#[test]
fn rows_are_written_read_in_order_and_removed() {
    for house in House::all() {
        let store = house.open();
        let keyspace = store.keyspace("t").unwrap();
        let keys_in: [&[u8]; 6] = [b"a", b"b1", b"b2", b"b\xff", b"c", b"\xff\xff"];
        for key in keys_in.iter().rev() {
            keyspace.put(key, &[b"=", *key].concat()).unwrap();
        }
        assert_eq!(keyspace.get(b"b1").unwrap().as_deref(), Some(&b"=b1"[..]));
        assert_eq!(keyspace.get(b"b").unwrap(), None);
        assert_eq!(keys(&keyspace, b""), keys_in);
        assert_eq!(keys(&keyspace, b"b"), keys_in[1..4]);
        assert_eq!(keys(&keyspace, b"\xff"), keys_in[5..]);
        keyspace.delete(b"b1").unwrap();
        keyspace.delete(b"no such").unwrap();
        assert_eq!((keys(&keyspace, b"").len(), keys(&keyspace, b"b").len()), (5, 2));
    }
}

#[test]
fn changes_and_position_are_one() {
    for house in House::all() {
        let store = house.open();
        let keyspace = store.keyspace("t").unwrap();
        let mut changes = Changes::new();
        changes.put("a", "1");
        changes.put("b", "1");
        changes.put("a", "2");
        changes.delete("b");
        keyspace.apply(&changes, 7).unwrap();
        assert_eq!((keyspace.get(b"a").unwrap().as_deref(), keyspace.position()), (Some(&b"2"[..]), 7));
        keyspace.put(b"large", &vec![7; 300 * 1024]).unwrap();
        assert_eq!(keyspace.get(b"large").unwrap().unwrap().len(), 300 * 1024);
        assert_eq!((keys(&keyspace, b"").len(), store.keyspace("t").unwrap().position()), (2, 7));
    }
}

#[test]
fn tables_are_there_after_reopening() {
    let house = House::File(tempfile::tempdir().unwrap());
    for round in 0..3_u64 {
        let store = house.open();
        let keyspace = store.keyspace("t").unwrap();
        assert_eq!((keys(&keyspace, b"").len() as u64, keyspace.position()), (round, round));
        let mut changes = Changes::new();
        changes.put(round.to_be_bytes(), "row");
        keyspace.apply(&changes, round + 1).unwrap();
        assert!(keys(&store.keyspace("other").unwrap(), b"").is_empty());
    }
    let store = house.open();
    let keyspace = store.keyspace("t").unwrap();
    // A keyspace may outlive its store.
    drop(store);
    assert_eq!(keys(&keyspace, b"").len(), 3);
}
