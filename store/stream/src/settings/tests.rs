use super::*;

/// What a server answers for a stream that was created as it has to be, and changed in one member.
fn with(setting: &str, value: Value) -> Value {
    let mut config = of_stream("games", 3);
    config["max_bytes"] = json!(-1);
    config[setting] = value;
    config
}

#[test]
fn a_stream_that_is_safer_still_is_accepted() {
    for (setting, value) in [
        ("num_replicas", json!(5)),
        ("duplicate_window", json!(600_000_000_000_u64)),
        ("max_bytes", json!(1_000_000)),
        ("mirror", Value::Null),
        ("persist_mode", Value::Null),
        ("no_ack", Value::Null),
    ] {
        check("games", &of_stream("games", 3), &with(setting, value)).unwrap();
    }
}

#[test]
fn every_unsafe_setting_is_named_with_its_right_value() {
    for (setting, value, needed) in [
        ("subjects", json!(["games", "other"]), r#"["games"]"#),
        ("storage", json!("memory"), r#""file""#),
        ("num_replicas", json!(1), "at least 3"),
        ("persist_mode", json!("async"), r#""default""#),
        ("no_ack", json!(true), "false"),
        ("retention", json!("workqueue"), r#""limits""#),
        ("discard", json!("old"), r#""new""#),
        ("max_age", json!(3_600_000_000_000_u64), "0"),
        ("max_msgs_per_subject", json!(5), "-1"),
        ("allow_msg_ttl", json!(true), "false"),
        ("allow_rollup_hdrs", json!(true), "false"),
        ("deny_delete", json!(false), "true"),
        ("deny_purge", Value::Null, "true"),
        ("mirror", json!({"name": "other"}), "null"),
        ("sources", json!([{"name": "other"}]), "null"),
        ("subject_transform", json!({"src": "a", "dest": "b"}), "null"),
        ("allow_direct", json!(false), "true"),
        ("duplicate_window", json!(1_000), "at least 120000000000"),
    ] {
        match check("games", &of_stream("games", 3), &with(setting, value)) {
            Err(StreamError::Unsafe { setting: named, needed: right, .. }) => {
                assert_eq!((named.as_str(), right.as_str()), (setting, needed));
            }
            other => panic!("{setting}: {other:?}"),
        }
    }
}

#[test]
fn a_server_that_syncs_later_is_named() {
    let varz = |always: bool| json!({"server": {"name": "a"}, "data": {"jetstream": {"config": {"sync_interval": 120_000_000_000_u64, "sync_always": always}}}});
    assert!(check_server("games", &varz(true)).unwrap());
    let why = check_server("games", &varz(false)).unwrap_err().to_string();
    assert!(why.contains("server a") && why.contains("120s") && why.contains("always"), "{why}");
    assert!(!check_server("games", &json!({"data": {"jetstream": {}}})).unwrap());
}
