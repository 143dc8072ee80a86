//! The messages of `graphql-transport-ws`.

use async_graphql::{Request, ServerError};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::graphql::request::{Malformed, from_value};

/// A message from the client.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ClientMessage {
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
        #[serde(deserialize_with = "request")]
        payload: Box<Result<Request, Malformed>>,
    },
    Complete {
        id: String,
    },
}

fn request<'de, D: Deserializer<'de>>(payload: D) -> Result<Box<Result<Request, Malformed>>, D::Error> {
    Value::deserialize(payload).map(|payload| Box::new(from_value(payload)))
}

/// A message from the server.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ServerMessage<'a> {
    ConnectionAck,
    Pong,
    /// The payload is the text of the response.
    Next {
        id: &'a str,
        payload: &'a RawValue,
    },
    Error {
        id: &'a str,
        payload: &'a [ServerError],
    },
    Complete {
        id: &'a str,
    },
}

impl ServerMessage<'_> {
    pub(super) fn to_text(&self) -> String {
        serde_json::to_string(self).expect("a message has string keys and finite numbers")
    }
}
