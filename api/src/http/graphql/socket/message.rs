//! The messages of `graphql-transport-ws`.

use async_graphql::{Response, ServerError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What the client says.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Heard {
    ConnectionInit {
        #[serde(default)]
        payload: Option<Map<String, Value>>,
    },
    Ping {
        #[serde(default, rename = "payload")]
        _payload: Option<Map<String, Value>>,
    },
    Pong {
        #[serde(default, rename = "payload")]
        _payload: Option<Map<String, Value>>,
    },
    Subscribe {
        id: String,
        payload: Value,
    },
    Complete {
        id: String,
    },
}

/// What the server says.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum Said<'a> {
    ConnectionAck,
    Pong,
    Next { id: &'a str, payload: &'a Response },
    Error { id: &'a str, payload: &'a [ServerError] },
    Complete { id: &'a str },
}

impl Said<'_> {
    pub(super) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("a message has string keys and finite numbers")
    }
}
