//! Secrets.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use plybook_store::{Vault, VaultError, VaultKey};

use crate::support::log_id;

#[test]
fn secrets_are_kept_and_only_their_owner_can_read_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vault");
    for vault in [Vault::open(&path, None).unwrap(), Vault::in_memory()] {
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
    let vault = Vault::open(&path, None).unwrap();
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
    let vault = Vault::open(&path, None).unwrap();
    let refused = vault.put_all(&[(log_id(1), "seed", b"first"), (log_id(1), "a b", b"x")]);
    assert!(matches!(refused, Err(VaultError::Key(_))));
    assert_eq!((vault.get(log_id(1), "seed"), fs::read(&path).unwrap().len()), (None, 0));
    vault.put_all(&[]).unwrap();
    vault.put_all(&[(log_id(1), "seed", b"first"), (log_id(2), "a", b""), (log_id(1), "seed", b"second")]).unwrap();
    for vault in [vault, Vault::open(&path, None).unwrap()] {
        assert_eq!(vault.get(log_id(1), "seed").as_deref(), Some(&b"second"[..]));
        assert_eq!(vault.get(log_id(2), "a").as_deref(), Some(&b""[..]));
    }
}

#[test]
fn a_torn_secret_is_cut_and_a_changed_one_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vault");
    Vault::open(&path, None).unwrap().put(log_id(1), "seed", b"first").unwrap();
    let start = fs::read(&path).unwrap().len();
    Vault::open(&path, None).unwrap().put(log_id(2), "seed", b"second").unwrap();
    let whole = fs::read(&path).unwrap();
    for len in start..whole.len() {
        fs::write(&path, &whole[..len]).unwrap();
        let vault = Vault::open(&path, None).unwrap();
        assert_eq!(vault.get(log_id(1), "seed").as_deref(), Some(&b"first"[..]), "cut at {len}");
        assert_eq!(vault.get(log_id(2), "seed"), None);
        vault.put(log_id(2), "seed", b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole, "cut at {len}");
    }
    for at in 0..whole.len() {
        let mut flipped = whole.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(&path, flipped).unwrap();
        let refused = Vault::open(&path, None).map(|_| ());
        assert!(matches!(refused, Err(VaultError::Damaged { .. })), "byte {at}: {refused:?}");
    }
}

#[test]
fn blocks_that_were_never_written_are_cut_unless_a_secret_follows() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vault");
    Vault::open(&path, None).unwrap().put(log_id(1), "seed", b"first").unwrap();
    let start = fs::read(&path).unwrap().len();
    let long = vec![7; 3000];
    Vault::open(&path, None).unwrap().put_all(&[(log_id(2), "a", &long), (log_id(2), "b", b"second")]).unwrap();
    let whole = fs::read(&path).unwrap();
    let mut torn = whole.clone();
    torn[start + 10..start + 2000].fill(0);
    fs::write(&path, &torn).unwrap();
    let refused = Vault::open(&path, None).map(|_| ());
    assert!(matches!(refused, Err(VaultError::Damaged { offset, .. }) if offset == start), "{refused:?}");
    assert!(Vault::open_to_read(&path, None).is_err());
    torn[start + 2000..].fill(0);
    *torn.last_mut().unwrap() = b'\n';
    fs::write(&path, &torn).unwrap();
    assert_eq!(Vault::open_to_read(&path, None).unwrap().of(log_id(1)).len(), 1);
    assert_eq!(fs::read(&path).unwrap(), torn, "reading cuts nothing");
    let vault = Vault::open(&path, None).unwrap();
    assert_eq!((vault.get(log_id(1), "seed").as_deref(), vault.of(log_id(2)).len()), (Some(&b"first"[..]), 0));
    assert_eq!(fs::read(&path).unwrap().len(), start);
}

#[test]
fn a_vault_that_is_open_for_reading_takes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vault");
    let vault = Vault::open_to_read(&path, None).unwrap();
    assert!(matches!(vault.put(log_id(1), "seed", b"x"), Err(VaultError::ReadOnly)) && vault.is_read_only());
    assert!(!path.exists());
}

fn keys(dir: &std::path::Path) -> [VaultKey; 2] {
    ["one.key", "other.key"].map(|name| VaultKey::make(&dir.join(name)).unwrap())
}

#[test]
fn with_a_key_nothing_can_be_read_without_it() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vault");
    let [key, other] = keys(dir.path());
    let vault = Vault::open(&path, Some(&key)).unwrap();
    vault.put(log_id(1), "seed", b"a secret that is long enough to be found").unwrap();
    vault.put_all(&[(log_id(1), "seed", b"another secret"), (log_id(2), "a", b"")]).unwrap();
    let bytes = fs::read(&path).unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert_eq!(text.lines().count(), 3);
    assert!(text.lines().all(|line| line.starts_with("xchacha20-poly1305 ")), "{text}");
    for secret in [log_id(1).to_string(), "seed".to_owned(), const_hex::encode(b"a secret that"), "a secret".to_owned()]
    {
        assert!(!text.contains(&secret), "{secret}");
    }
    assert_ne!(
        text.lines().next().unwrap()[20..70],
        text.lines().nth(1).unwrap()[20..70],
        "each line has its own nonce"
    );
    for open in [Vault::open, Vault::open_to_read] {
        assert!(matches!(open(&path, None).map(|_| ()), Err(VaultError::Locked(_))));
        assert!(matches!(open(&path, Some(&other)).map(|_| ()), Err(VaultError::OtherKey(_))));
        let vault = open(&path, Some(&key)).unwrap();
        assert_eq!(vault.get(log_id(1), "seed").as_deref(), Some(&b"another secret"[..]));
        assert_eq!(vault.get(log_id(2), "a").as_deref(), Some(&b""[..]));
    }
    assert_eq!(fs::read(&path).unwrap(), bytes, "refusals write nothing");
    assert_eq!(format!("{key:?}"), "VaultKey(…)");
}

#[test]
fn a_vault_is_encrypted_with_its_first_key_and_decrypted_again() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vault");
    let [key, other] = keys(dir.path());
    let secrets = [(log_id(1), "seed", &b"first"[..]), (log_id(2), "a", b"second")];
    Vault::open(&path, None).unwrap().put_all(&secrets).unwrap();
    let plain = fs::read(&path).unwrap();
    drop(Vault::open_to_read(&path, Some(&key)).unwrap());
    assert_eq!(fs::read(&path).unwrap(), plain, "reading converts nothing");
    let check = |key: Option<&VaultKey>| {
        let vault = Vault::open(&path, key).unwrap();
        for (log, name, value) in secrets {
            assert_eq!(vault.get(log, name).as_deref(), Some(value));
        }
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    };
    check(Some(&key));
    assert!(matches!(Vault::open(&path, None).map(|_| ()), Err(VaultError::Locked(_))));
    // Lines of a copy in plain text, put before the others, are encrypted as well.
    let encrypted = fs::read(&path).unwrap();
    fs::write(&path, [&plain[..], &encrypted].concat()).unwrap();
    check(Some(&key));
    assert!(fs::read_to_string(&path).unwrap().lines().all(|line| line.starts_with("xchacha20-poly1305 ")));
    assert!(matches!(Vault::convert(&path, Some(&other), None), Err(VaultError::OtherKey(_))));
    assert_eq!(Vault::convert(&path, Some(&key), Some(&other)).unwrap(), 2);
    check(Some(&other));
    assert_eq!(Vault::convert(&path, Some(&other), None).unwrap(), 2);
    check(None);
    assert_eq!(fs::read(&path).unwrap(), plain);
    assert!(!dir.path().join("vault.new").exists());
}

#[test]
fn an_encrypted_vault_is_torn_or_damaged_like_any_other() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vault");
    let [key, _] = keys(dir.path());
    Vault::open(&path, Some(&key)).unwrap().put(log_id(1), "seed", b"first").unwrap();
    let start = fs::read(&path).unwrap().len();
    Vault::open(&path, Some(&key)).unwrap().put(log_id(2), "seed", b"second").unwrap();
    let whole = fs::read(&path).unwrap();
    for len in start..whole.len() {
        fs::write(&path, &whole[..len]).unwrap();
        let vault = Vault::open(&path, Some(&key)).unwrap();
        assert_eq!((vault.of(log_id(1)).len(), vault.of(log_id(2)).len()), (1, 0), "cut at {len}");
        assert_eq!(fs::read(&path).unwrap().len(), start);
    }
    for at in (0..whole.len()).step_by(3) {
        let mut changed = whole.clone();
        changed[at] ^= 1;
        fs::write(&path, &changed).unwrap();
        assert!(matches!(Vault::open(&path, Some(&key)).map(|_| ()), Err(VaultError::Damaged { .. })), "byte {at}");
        assert_eq!(fs::read(&path).unwrap(), changed);
    }
}

#[test]
fn a_key_is_hex_or_base64_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("key");
    let key = VaultKey::make(&path).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(VaultKey::make(&path).is_err(), "a key is never overwritten");
    let hex = fs::read_to_string(&path).unwrap();
    assert_eq!(hex.len(), 65);
    for text in [hex.trim().to_owned(), hex.to_uppercase(), format!("  {hex}\r\n")] {
        fs::write(&path, text).unwrap();
        assert_eq!(VaultKey::read(&path).unwrap(), key);
    }
    fs::write(&path, "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=").unwrap();
    let base64 = VaultKey::read(&path).unwrap();
    fs::write(&path, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f").unwrap();
    assert_eq!(VaultKey::read(&path).unwrap(), base64);
    for wrong in [&b""[..], b"00", &[0; 32], &hex.as_bytes()[..63], hex.repeat(2).as_bytes(), b"\xff"] {
        fs::write(&path, wrong).unwrap();
        let said = VaultKey::read(&path).unwrap_err().to_string();
        assert!(said.contains("holds no key: 32 bytes in hex or base64"), "{said}");
    }
    assert!(VaultKey::read(&dir.path().join("none")).is_err());
}
