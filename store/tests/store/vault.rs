//! Secrets.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use plybook_store::{Vault, VaultError};

use crate::support::log_id;

#[test]
fn secrets_are_kept_and_only_their_owner_can_read_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vault");
    for vault in [Vault::open(&path).unwrap(), Vault::in_memory()] {
        vault.put(log_id(1), "seed", b"first").unwrap();
        vault.put(log_id(1), "seed", b"second").unwrap();
        vault.put(log_id(1), "a", b"").unwrap();
        vault.put(log_id(2), "seed", b"other\n\0").unwrap();
        assert_eq!(vault.get(log_id(1), "seed").as_deref(), Some(&b"second"[..]));
        assert_eq!(vault.get(log_id(1), "none"), None);
        let of: Vec<_> = vault.of(log_id(1)).into_iter().map(|(key, _)| key).collect();
        assert_eq!(of, ["a", "seed"]);
        for key in ["", "a b", "a\n", "\u{e9}", &"k".repeat(65)] {
            assert!(matches!(vault.put(log_id(1), key, b"x"), Err(VaultError::Key(_))), "{key:?}");
        }
    }
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let vault = Vault::open(&path).unwrap();
    assert_eq!(vault.get(log_id(1), "seed").as_deref(), Some(&b"second"[..]));
    assert_eq!(vault.get(log_id(1), "a").as_deref(), Some(&b""[..]));
    assert_eq!(vault.get(log_id(2), "seed").as_deref(), Some(&b"other\n\0"[..]));
    let bytes = fs::read(&path).unwrap();
    vault.put(log_id(1), "seed", b"second").unwrap();
    assert_eq!(fs::read(&path).unwrap(), bytes, "what is known is not written again");
}

#[test]
fn several_are_kept_together_or_none() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vault");
    let vault = Vault::open(&path).unwrap();
    let refused = vault.put_all(&[(log_id(1), "seed", b"first"), (log_id(1), "a b", b"x")]);
    assert!(matches!(refused, Err(VaultError::Key(_))));
    assert_eq!((vault.get(log_id(1), "seed"), fs::read(&path).unwrap().len()), (None, 0));
    vault.put_all(&[]).unwrap();
    vault.put_all(&[(log_id(1), "seed", b"first"), (log_id(2), "a", b""), (log_id(1), "seed", b"second")]).unwrap();
    for vault in [vault, Vault::open(&path).unwrap()] {
        assert_eq!(vault.get(log_id(1), "seed").as_deref(), Some(&b"second"[..]));
        assert_eq!(vault.get(log_id(2), "a").as_deref(), Some(&b""[..]));
    }
}

#[test]
fn a_torn_secret_is_cut_and_a_changed_one_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vault");
    Vault::open(&path).unwrap().put(log_id(1), "seed", b"first").unwrap();
    let start = fs::read(&path).unwrap().len();
    Vault::open(&path).unwrap().put(log_id(2), "seed", b"second").unwrap();
    let whole = fs::read(&path).unwrap();
    for len in start..whole.len() {
        fs::write(&path, &whole[..len]).unwrap();
        let vault = Vault::open(&path).unwrap();
        assert_eq!(vault.get(log_id(1), "seed").as_deref(), Some(&b"first"[..]), "cut at {len}");
        assert_eq!(vault.get(log_id(2), "seed"), None);
        vault.put(log_id(2), "seed", b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole, "cut at {len}");
    }
    for at in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(&path, flipped).unwrap();
        let refused = Vault::open(&path).map(|_| ());
        assert!(matches!(refused, Err(VaultError::Damaged { .. })), "byte {at}: {refused:?}");
    }
}

#[test]
fn blocks_that_were_never_written_are_cut_unless_a_secret_follows() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vault");
    Vault::open(&path).unwrap().put(log_id(1), "seed", b"first").unwrap();
    let start = fs::read(&path).unwrap().len();
    let long = vec![7; 3000];
    Vault::open(&path).unwrap().put_all(&[(log_id(2), "a", &long), (log_id(2), "b", b"second")]).unwrap();
    let whole = fs::read(&path).unwrap();
    let mut torn = whole.clone();
    torn[start + 10..start + 2000].fill(0);
    fs::write(&path, &torn).unwrap();
    let refused = Vault::open(&path).map(|_| ());
    assert!(matches!(refused, Err(VaultError::Damaged { offset, .. }) if offset == start), "{refused:?}");
    assert!(Vault::open_to_read(&path).is_err());
    torn[start + 2000..].fill(0);
    *torn.last_mut().unwrap() = b'\n';
    fs::write(&path, &torn).unwrap();
    assert_eq!(Vault::open_to_read(&path).unwrap().of(log_id(1)).len(), 1);
    assert_eq!(fs::read(&path).unwrap(), torn, "reading cuts nothing");
    let vault = Vault::open(&path).unwrap();
    assert_eq!((vault.get(log_id(1), "seed").as_deref(), vault.of(log_id(2)).len()), (Some(&b"first"[..]), 0));
    assert_eq!(fs::read(&path).unwrap().len(), start);
}

#[test]
fn a_vault_that_is_open_for_reading_takes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vault");
    let vault = Vault::open_to_read(&path).unwrap();
    assert!(matches!(vault.put(log_id(1), "seed", b"x"), Err(VaultError::ReadOnly)) && vault.is_read_only());
    assert!(!path.exists());
}
