//! Scalars of the API.

use async_graphql::{InputValueError, InputValueResult, Scalar, ScalarType, Value};
use plybook_events::{Hash, Timestamp};

/// RFC 3339, UTC, millisecond precision.
#[derive(Clone, Copy, Debug)]
pub struct DateTime(pub Timestamp);

/// RFC 3339, UTC, millisecond precision.
#[Scalar]
impl ScalarType for DateTime {
    fn parse(value: Value) -> InputValueResult<Self> {
        match &value {
            Value::String(text) => Ok(Self(Timestamp::parse_lenient(text)?)),
            _ => Err(InputValueError::expected_type(value)),
        }
    }

    fn to_value(&self) -> Value {
        Value::String(self.0.to_string())
    }
}

/// SHA-256 as 64 lower-case hex digits.
#[derive(Clone, Copy, Debug)]
pub struct HashHex(pub Hash);

/// SHA-256 as 64 lower-case hex digits.
#[Scalar(name = "Hash")]
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
