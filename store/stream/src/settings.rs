//! How a stream has to be configured so that nothing that was acknowledged is ever lost.

use serde_json::{Map, Value, json};

use crate::StreamError;

/// How long the servers know the ids of appends, in nanoseconds: longer than one is tried.
const DUPLICATE_WINDOW_NS: u64 = 120_000_000_000;

/// The configuration of a new stream. Every one of these members is demanded of a stream that is there, too.
pub fn of_stream(name: &str, replicas: u64) -> Value {
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
pub fn of_bucket(name: &str, subjects: &str, replicas: u64) -> Value {
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
pub fn check(name: &str, needed: &Value, config: &Value) -> Result<(), StreamError> {
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
pub fn check_server(stream: &str, varz: &Value) -> Result<bool, StreamError> {
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
mod tests;
