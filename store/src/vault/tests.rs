use super::*;

/// Files that fail: the first on writing (no space left), the second on syncing (invalid argument).
#[test]
fn after_a_failed_write_or_sync_nothing_is_stored_and_all_is_read() {
    let log = LogId::from_bytes([7; 16]);
    for refusing in ["/dev/full", "/dev/null"] {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("vault");
        let vault = Vault::open(&path, None).unwrap();
        vault.put(log, "first", b"1").unwrap();
        let file = OpenOptions::new().append(true).open(refusing).unwrap();
        let real = vault.inner().file.replace((file, refusing.into())).unwrap();
        assert!(matches!(vault.put(log, "second", b"2"), Err(VaultError::ReadOnly)), "{refusing}");
        assert_eq!(vault.get(log, "second"), None, "what may not be on the disk is not served");
        vault.inner().file.replace(real);
        assert!(matches!(vault.put(log, "second", b"2"), Err(VaultError::ReadOnly)), "it must not try again");
        drop(vault);
        assert_eq!(Vault::open(&path, None).unwrap().of(log).len(), 1);
    }
}
