use super::*;

#[test]
fn secrets_are_kept_as_in_a_map() {
    let (mut secrets, mut expected) = (Secrets::default(), BTreeMap::new());
    for step in 0..500_u32 {
        let (log, key) = (LogId::from_bytes([(step * 7 % 11) as u8; 16]), format!("key-{}", step * 13 % 29));
        let value = vec![step as u8; step as usize % 300];
        secrets.insert(log, Kept { key: key.as_str().into(), value: value.as_slice().into(), at: step.into() });
        expected.insert((log, key), (value, u64::from(step)));
        assert_eq!(secrets.len(), expected.len(), "step {step}");
    }
    let all = secrets.all().map(|(log, kept)| ((log, kept.key.to_string()), (kept.value.to_vec(), kept.at)));
    assert!(all.eq(expected.clone()));
    for ((log, key), (value, at)) in &expected {
        let kept = secrets.get(*log, key).unwrap();
        assert_eq!((&*kept.value, kept.at), (&value[..], *at));
    }
    assert!(secrets.get(LogId::from_bytes([0; 16]), "another").is_none());
    assert_eq!(secrets.of(LogId::from_bytes([99; 16])).len(), 0);
}
