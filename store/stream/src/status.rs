//! The status of a stream, for the operator of its servers.

use serde_json::Value;

/// What the servers tell of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamStatus {
    /// The number of events.
    pub events: u64,
    /// The number of messages.
    pub messages: u64,
    /// What they take on the disk of each server, in bytes.
    pub bytes: u64,
    /// When the last one was written, as the servers write times; `None` if there is none.
    pub last_at: Option<String>,
    /// The servers that hold the stream, the leader first.
    pub servers: Vec<ServerStatus>,
}

/// What is told of one server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerStatus {
    /// Its name.
    pub name: String,
    /// Whether it leads the stream.
    pub is_leader: bool,
    /// Whether the leader hears of it.
    pub is_online: bool,
    /// Whether it has all that is acknowledged.
    pub is_current: bool,
    /// How many operations it lacks, as far as the leader knows.
    pub lag: u64,
}

impl StreamStatus {
    /// Reads what `STREAM.INFO` answers, of a stream with this many events.
    pub(crate) fn read(info: &Value, events: u64) -> Self {
        let (state, cluster) = (&info["state"], &info["cluster"]);
        let number = |value: &Value| value.as_u64().unwrap_or(0);
        let messages = number(&state["messages"]);
        let name = |value: &Value| value.as_str().unwrap_or("?").to_owned();
        // A server that is in no cluster does not say its name.
        let leader = ServerStatus {
            name: cluster["leader"].as_str().unwrap_or("the server").to_owned(),
            is_leader: true,
            is_online: true,
            is_current: true,
            lag: 0,
        };
        let replica = |replica: &Value| ServerStatus {
            name: name(&replica["name"]),
            is_leader: false,
            is_online: replica["offline"] != true,
            is_current: replica["current"] == true,
            lag: number(&replica["lag"]),
        };
        let replicas = cluster["replicas"].as_array().into_iter().flatten().map(replica);
        Self {
            events,
            messages,
            bytes: number(&state["bytes"]),
            last_at: (messages > 0).then(|| name(&state["last_ts"])),
            servers: [leader].into_iter().chain(replicas).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
