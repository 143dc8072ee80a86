//! The messages of `graphql-transport-ws`.

use async_graphql::{Request, ServerError};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::graphql::operation::{Operation, examine};
use crate::graphql::request::with_query;

/// A message from the client. (`ClientMessage` of async-graphql takes those of the older protocol, too.)
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ClientMessage {
    ConnectionInit {
        payload: Option<Map<String, Value>>,
    },
    Ping {
        #[serde(rename = "payload")]
        _payload: Option<Map<String, Value>>,
    },
    Pong {
        #[serde(rename = "payload")]
        _payload: Option<Map<String, Value>>,
    },
    Subscribe {
        id: String,
        #[serde(deserialize_with = "examined")]
        payload: Box<Result<Operation, ServerError>>,
    },
    Complete {
        id: String,
    },
}

fn examined<'de, D: Deserializer<'de>>(request: D) -> Result<Box<Result<Operation, ServerError>>, D::Error> {
    let request = with_query(Request::deserialize(request)?).map_err(|why| D::Error::custom(why.message()))?;
    Ok(Box::new(examine(request)))
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
