//! How a stream has to be configured so that nothing that was acknowledged is ever lost.

use serde_json::{Map, Value, json};

use super::StreamError;

/// How long the servers know the ids of appends, in nanoseconds: longer than one is tried.
const DUPLICATE_WINDOW_NS: u64 = 120_000_000_000;

/// The configuration of a new stream. Every one of these members is demanded of a stream that is there, too.
pub(crate) fn of_stream(name: &str, replicas: u64) -> Value {
    json!({
        "name": name,
        "subjects": [name],
        "storage": "file",
        "num_replicas": replicas,
        "persist_mode": "default",
        "no_ack": false,
        // Nothing is ever removed; if a limit of bytes or messages is reached, appends are refused.
        "retention": "limits",
        "discard": "new",
        "max_age": 0,
        "max_msgs_per_subject": -1,
        "allow_msg_ttl": false,
        "allow_rollup_hdrs": false,
        "deny_delete": true,
        "deny_purge": true,
        // All that is in it was appended to it, as it is.
        "mirror": null,
        "sources": null,
        "subject_transform": null,
        "allow_direct": true,
        "duplicate_window": DUPLICATE_WINDOW_NS,
    })
}

/// The configuration of a new key-value bucket, which is a stream in which the last message of a subject counts. Every one of
/// these members is demanded of a bucket that is there, too.
pub(crate) fn of_bucket(name: &str, subjects: &str, replicas: u64) -> Value {
    let mut config = of_stream(name, replicas);
    config["subjects"] = json!([subjects]);
    // A value that was replaced is gone.
    config["max_msgs_per_subject"] = json!(1);
    config
}

/// Refuses a stream whose configuration is not the one that is needed.
///
/// # Errors
/// [`StreamError::Unsafe`] with the first setting that is not as it has to be.
pub(crate) fn check(name: &str, needed: &Value, config: &Value) -> Result<(), StreamError> {
    for (setting, needed) in needed.as_object().unwrap_or(&Map::new()) {
        let found = config.get(setting).unwrap_or(&Value::Null);
        let is_right = match setting.as_str() {
            "num_replicas" | "duplicate_window" => found.as_u64() >= needed.as_u64(),
            // What is left out has the harmless value.
            _ => found == needed || found.is_null() && is_absence(needed),
        };
        if !is_right {
            let at_least = if found.is_u64() && needed.is_u64() && setting != "max_age" { "at least " } else { "" };
            return Err(StreamError::Unsafe {
                stream: name.to_owned(),
                setting: setting.clone(),
                found: if found.is_null() { "not set".to_owned() } else { found.to_string() },
                needed: format!("{at_least}{needed}"),
            });
        }
    }
    Ok(())
}

/// Refuses a server that acknowledges before it syncs, by what it says of itself (`VARZ`). Returns whether it has `JetStream`:
/// one whose disk is full acknowledges nothing.
///
/// # Errors
/// [`StreamError::Unsafe`] if it does.
pub(crate) fn check_server(stream: &str, varz: &Value) -> Result<bool, StreamError> {
    let config = &varz["data"]["jetstream"]["config"];
    if config.is_null() || config["sync_always"] == true {
        return Ok(!config.is_null());
    }
    let server = varz["server"]["name"].as_str().unwrap_or("?");
    let seconds =
        config["sync_interval"].as_u64().map_or("not told".to_owned(), |ns| format!("{}s", ns / 1_000_000_000));
    Err(StreamError::Unsafe {
        stream: stream.to_owned(),
        setting: format!("jetstream {{ sync_interval }} of the server {server}"),
        found: seconds,
        needed: "always".to_owned(),
    })
}

fn is_absence(value: &Value) -> bool {
    matches!(value, Value::Null | Value::Bool(false)) || *value == 0 || *value == "default"
}

#[cfg(test)]
mod tests {
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
}
