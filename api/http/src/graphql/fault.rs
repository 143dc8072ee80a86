//! GraphQL errors: every error that is sent has a code.

use async_graphql::{ErrorExtensionValues, Response, ServerError, Value};
use plybook_service::load::AdmissionError;
use serde_json::json;

use crate::pool::{Exhausted, RETRY_S};

/// The codes of the transport itself; resolvers have their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// The request cannot be parsed, or asks for something that is not in the schema.
    BadInput,
    /// The request names a persisted query; clients send the whole query then.
    NotPersisted,
    /// The request exceeds a limit.
    TooComplex,
    /// The token is unknown, revoked or expired.
    Unauthenticated,
    /// The page may not open a socket to this service.
    Forbidden,
    /// The socket has as many operations as it may, the service has as many sockets as it may, or the client
    /// has spent its budget.
    RateLimited,
    /// This node lacks events that the answer has to take into account.
    Behind,
    /// A bug in this service; the cause is in the log.
    Internal,
}

impl Code {
    pub fn name(self) -> &'static str {
        match self {
            Self::BadInput => "BAD_INPUT",
            Self::NotPersisted => "PERSISTED_QUERY_NOT_SUPPORTED",
            Self::TooComplex => "TOO_COMPLEX",
            Self::Unauthenticated => "UNAUTHENTICATED",
            Self::Forbidden => "FORBIDDEN",
            Self::RateLimited => "RATE_LIMITED",
            Self::Behind => "BEHIND",
            Self::Internal => "INTERNAL",
        }
    }
}

/// An error with a code and no location in the document.
pub fn fault(code: Code, message: impl Into<String>) -> ServerError {
    coded(ServerError::new(message, None), code)
}

/// An error saying that a share is used up, and when to retry.
pub fn exhausted(why: Exhausted) -> ServerError {
    let mut error = fault(Code::RateLimited, why.to_string());
    error.extensions.get_or_insert_default().set("retryAfterMs", RETRY_S * 1_000);
    error
}

/// An error saying why an operation is not executed, or not continued.
pub fn not_admitted(why: &AdmissionError) -> ServerError {
    let mut error = ServerError::new(why.to_string(), None);
    let extensions = error.extensions.get_or_insert_default();
    extensions.set("code", why.code());
    for (name, value) in why.details() {
        extensions.set(name, Value::from_json(value).expect("details are plain data"));
    }
    error
}

/// Adds a code to an error that has none.
pub fn coded(mut error: ServerError, code: Code) -> ServerError {
    if code_of(&error).is_none() {
        error.extensions.get_or_insert_with(ErrorExtensionValues::default).set("code", code.name());
    }
    error
}

/// The code of an error: `extensions.code`.
pub fn code_of(error: &ServerError) -> Option<&str> {
    match error.extensions.as_ref()?.get("code")? {
        Value::String(code) => Some(code),
        Value::Enum(name) => Some(name.as_str()),
        _ => None,
    }
}

/// When a client that is turned away may retry, in milliseconds.
pub fn retry_after_ms(error: &ServerError) -> Option<u64> {
    match error.extensions.as_ref()?.get("retryAfterMs")? {
        Value::Number(ms) => ms.as_u64(),
        _ => None,
    }
}

/// The body of an answer to a request that was not executed: errors, and no `data`.
pub fn body(errors: &[ServerError]) -> serde_json::Value {
    json!({ "errors": errors })
}

/// Whether nothing was executed because parsing or validation failed.
pub fn is_unexecuted(response: &Response) -> bool {
    let is_request_error = |error: &ServerError| error.path.is_empty() && code_of(error) != Some("INTERNAL");
    response.data == Value::Null && !response.errors.is_empty() && response.errors.iter().all(is_request_error)
}

/// Gives every error of a response a code, and hides the messages of internal errors.
///
/// Resolvers give codes to their errors; an error without one is a bug, whose cause is logged.
pub fn settle(response: &mut Response) {
    for error in &mut response.errors {
        if code_of(error).is_some() {
            continue;
        }
        let code = judge(error);
        if code == Code::Internal {
            tracing::error!(path = ?error.path, cause = %error.message, "a resolver failed without a code");
            "internal error".clone_into(&mut error.message);
        }
        *error = coded(error.clone(), code);
    }
}

/// The code for an error that has none, by its message.
///
/// # Source
/// The messages of async-graphql 7.2.1: `src/validation/mod.rs`, `src/schema.rs` (limits),
/// `src/error.rs` (`InputValueError`), `src/parser/…/lib.rs`; the tests check them.
fn judge(error: &ServerError) -> Code {
    let says = error.message.as_str();
    if error.path.is_empty() {
        let limit = says == "Query is too complex."
            || says == "Query is nested too deep."
            || says == "recursion limit exceeded."
            || says.starts_with("The recursion depth of the query cannot be greater than")
            || says.starts_with("The number of directives on the field");
        return if limit { Code::TooComplex } else { Code::BadInput };
    }
    let argument = says.starts_with("Failed to parse \"")
        || says.starts_with("Expected input type \"")
        || says.starts_with("Invalid value for argument");
    if argument { Code::BadInput } else { Code::Internal }
}
