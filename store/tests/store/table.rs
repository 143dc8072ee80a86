//! Tables for read models.

use std::ops::Bound;

use plybook_store::{Changes, Table, TableError};

use crate::support::House;

fn keys(table: &Table, prefix: &[u8]) -> Vec<Vec<u8>> {
    table.prefix(prefix).map(|row| row.unwrap().0).collect()
}

#[test]
fn rows_are_written_read_in_order_and_removed() {
    for house in House::all() {
        let store = house.open();
        let table = store.table("t").unwrap();
        let keys_in: [&[u8]; 6] = [b"a", b"b1", b"b2", b"b\xff", b"c", b"\xff\xff"];
        for key in keys_in.iter().rev() {
            table.put(key, &[b"=", *key].concat()).unwrap();
        }
        assert_eq!(table.get(b"b1").unwrap().as_deref(), Some(&b"=b1"[..]));
        assert_eq!((table.get(b"b").unwrap(), table.get(b"").unwrap()), (None, None));
        assert_eq!(keys(&table, b""), keys_in);
        assert_eq!(keys(&table, b"b"), keys_in[1..4]);
        assert_eq!(keys(&table, b"\xff"), keys_in[5..]);
        let from_b2 = table.range(Bound::Included(b"b2"), Bound::Excluded(b"c"));
        assert_eq!(from_b2.map(|row| row.unwrap().0).collect::<Vec<_>>(), keys_in[2..4]);
        let last = table.range(Bound::Unbounded, Bound::Unbounded).next_back().unwrap().unwrap();
        assert_eq!(last.0, keys_in[5]);
        let first = table.range(Bound::Included(b""), Bound::Unbounded).next().unwrap().unwrap();
        assert_eq!(first.0, keys_in[0]);
        table.delete(b"b1").unwrap();
        table.delete(b"no such").unwrap();
        assert_eq!((table.len(), keys(&table, b"b").len()), (5, 2));
    }
}

#[test]
fn changes_and_position_are_one() {
    for house in House::all() {
        let store = house.open();
        let table = store.table("t").unwrap();
        let mut changes = Changes::new();
        changes.put("a", "1");
        changes.put("b", "1");
        changes.put("a", "2");
        changes.delete("b");
        assert_eq!((changes.get(b"a"), changes.get(b"b")), (Some(Some(&b"2"[..])), Some(None)));
        table.apply(&changes, 7).unwrap();
        assert_eq!((table.len(), table.position()), (1, 7));
        let mut bad = Changes::new();
        bad.put("c", "1");
        bad.put("", "1");
        assert!(matches!(table.apply(&bad, 8), Err(TableError::Row(1))));
        let mut large = Changes::new();
        large.put("c", vec![0; 100 * 1024]);
        assert!(matches!(table.apply(&large, 8), Err(TableError::Row(_))));
        assert_eq!((table.len(), store.table("t").unwrap().position()), (1, 7));
        table.clear().unwrap();
        assert_eq!((table.len(), table.position(), keys(&table, b"").len()), (0, 0, 0));
    }
}

#[test]
fn tables_are_there_after_reopening() {
    let house = House::File(tempfile::tempdir().unwrap());
    for round in 0..3_u64 {
        let store = house.open();
        let table = store.table("t").unwrap();
        assert_eq!((table.len(), table.position()), (round, round));
        let mut changes = Changes::new();
        changes.put(round.to_be_bytes(), "row");
        table.apply(&changes, round + 1).unwrap();
        assert!(store.table("other").unwrap().is_empty());
    }
    let store = house.open();
    let table = store.table("t").unwrap();
    // A table may outlive its store.
    drop(store);
    assert_eq!(table.len(), 3);
}
