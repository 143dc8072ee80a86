//! Scalars of the API.

use std::borrow::Cow;

use async_graphql::indexmap::IndexMap;
use async_graphql::parser::types::Field;
use async_graphql::registry::Registry;
use async_graphql::{
    ContextSelectionSet, InputValueError, InputValueResult, Name, OutputType, Positioned, Scalar, ScalarType,
    ServerResult, Value,
};
use async_graphql_value::RAW_VALUE_TOKEN;
use plybook_events::{Hash, Played, PublicKey, Signature, Timestamp};
use serde::Serialize;

/// A time as in RFC 3339: answers are in UTC with milliseconds, `2026-11-20T14:03:11.123Z`. Arguments may have any
/// offset and any number of decimals, `2026-11-20T15:03:11+01:00`, or be a day, `2026-11-20`, which stands for its
/// beginning in UTC.
#[derive(Clone, Copy, Debug)]
pub struct DateTime(pub Timestamp);

/// A time as in RFC 3339: answers are in UTC with milliseconds, `2026-11-20T14:03:11.123Z`. Arguments may have any
/// offset and any number of decimals, `2026-11-20T15:03:11+01:00`, or be a day, `2026-11-20`, which stands for its
/// beginning in UTC.
#[Scalar(specified_by_url = "https://scalars.graphql.org/andimarek/date-time.html")]
impl ScalarType for DateTime {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => match Played::parse_lenient(text) {
                Ok(played) => Ok(Self(played.time())),
                Err(_) => Err(InputValueError::custom(
                    "a time is written 2026-11-20T14:03:11Z, 2026-11-20T15:03:11+01:00 or 2026-11-20",
                )),
            },
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.to_string())
    }
}

/// An Ed25519 public key and a signature of it, both in lower-case hex, with a colon between them: 64 and 128 digits.
/// FORMAT.md says what is signed.
#[derive(Clone, Copy, Debug)]
pub struct SignatureHex(pub Signature);

/// An Ed25519 public key and a signature of it, both in lower-case hex, with a colon between them: 64 and 128 digits.
/// FORMAT.md says what is signed.
#[Scalar(name = "Signature", specified_by_url = "https://www.rfc-editor.org/rfc/rfc8032#section-5.1")]
impl ScalarType for SignatureHex {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => Ok(Self(text.parse()?)),
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.to_string())
    }
}

/// An Ed25519 public key, as 64 lower-case hex digits.
#[derive(Clone, Copy, Debug)]
pub struct KeyHex(pub PublicKey);

/// An Ed25519 public key, as 64 lower-case hex digits.
#[Scalar(name = "PublicKey", specified_by_url = "https://www.rfc-editor.org/rfc/rfc8032#section-5.1")]
impl ScalarType for KeyHex {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => Ok(Self(text.parse()?)),
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.to_string())
    }
}

/// 32 bytes, such as a SHA-256, as 64 lower-case hex digits.
#[derive(Clone, Copy, Debug)]
pub struct HashHex(pub Hash);

/// 32 bytes, such as a SHA-256, as 64 lower-case hex digits.
#[Scalar(name = "Hash", specified_by_url = "https://www.rfc-editor.org/rfc/rfc4648#section-8")]
impl ScalarType for HashHex {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => Ok(Self(text.parse()?)),
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.to_string())
    }
}

/// JSON that is serialised once and copied into the answer. As a tree of values, it would take ten times the
/// memory, and time to build and drop it.
#[derive(Clone, Debug)]
pub struct Json(String);

impl Json {
    /// The JSON text of a value.
    pub fn of(value: &impl Serialize) -> Self {
        Self(serde_json::to_string(value).expect("it is plain data"))
    }

    /// Its size in bytes.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

#[async_trait::async_trait]
impl OutputType for Json {
    fn type_name() -> Cow<'static, str> {
        <serde_json::Value as OutputType>::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        <serde_json::Value as OutputType>::create_type_info(registry)
    }

    async fn resolve(&self, _ctx: &ContextSelectionSet<'_>, _field: &Positioned<Field>) -> ServerResult<Value> {
        let raw = (Name::new(RAW_VALUE_TOKEN), Value::String(self.0.clone()));
        Ok(Value::Object(IndexMap::from_iter([raw])))
    }
}
