//! GraphQL errors: every error that is sent has a code.

use async_graphql::{Response, ServerError, Value};
use plybook_service::load::LoadError;

/// When a client may retry what fails for now, in milliseconds.
const RETRY_MS: u64 = 2_000;

/// The codes of the transport itself, which `docs/errors.md` explains; resolvers have their own.
pub mod code {
    pub const BAD_INPUT: &str = "BAD_INPUT";
    pub const NOT_PERSISTED: &str = "PERSISTED_QUERY_NOT_SUPPORTED";
    pub const TOO_COMPLEX: &str = "TOO_COMPLEX";
    pub const UNAUTHENTICATED: &str = "UNAUTHENTICATED";
    pub const FORBIDDEN: &str = "FORBIDDEN";
    pub const RATE_LIMITED: &str = "RATE_LIMITED";
    pub const BEHIND: &str = "BEHIND";
    pub const INTERNAL: &str = "INTERNAL";
}

/// An error with a code and no location in the document.
pub fn fault(code: &str, message: impl Into<String>) -> ServerError {
    coded(ServerError::new(message, None), code)
}

/// An error saying when to retry.
pub fn for_now(code: &str, message: impl Into<String>) -> ServerError {
    let mut error = fault(code, message);
    error.extensions.get_or_insert_default().set("retryAfterMs", RETRY_MS);
    error
}

/// An error saying why an operation is not executed, or not continued.
pub fn not_admitted(why: &LoadError) -> ServerError {
    let mut error = fault(why.code(), why.to_string());
    for (name, value) in why.details() {
        let value = Value::from_json(value).expect("details are plain data");
        error.extensions.get_or_insert_default().set(name, value);
    }
    error
}

/// Adds a code to an error that has none.
pub fn coded(mut error: ServerError, code: &str) -> ServerError {
    if code_of(&error).is_none() {
        error.extensions.get_or_insert_default().set("code", code);
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

/// Whether nothing was executed because parsing or validation failed.
pub fn is_unexecuted(response: &Response) -> bool {
    let is_request_error = |error: &ServerError| error.path.is_empty() && code_of(error) != Some(code::INTERNAL);
    response.data == Value::Null && !response.errors.is_empty() && response.errors.iter().all(is_request_error)
}

/// Gives every error of a response a code, and hides the messages of internal errors.
///
/// Resolvers give codes to their errors; an error without one is a bug, whose cause is logged.
pub fn settle(response: &mut Response) {
    for error in response.errors.iter_mut().filter(|error| code_of(error).is_none()) {
        *error = judged(error.clone());
        if code_of(error) == Some(code::INTERNAL) {
            tracing::error!(path = ?error.path, cause = %error.message, "a resolver failed without a code");
            "internal error".clone_into(&mut error.message);
        }
    }
}

/// Adds the code to an error of async-graphql, by its message, and says what number would be right.
///
/// # Source
/// The messages of async-graphql 7.2.1: `src/validation/mod.rs`, `src/schema.rs` (limits), `src/error.rs`
/// (`InputValueError`), `src/parser/…/lib.rs`, and of its parser, pest 2.9; the tests check them.
pub fn judged(mut error: ServerError) -> ServerError {
    const LIMITS: [&str; 6] = [
        "Query is too complex.",
        "Query is nested too deep.",
        "recursion limit exceeded.",
        "stack limit reached",
        "The recursion depth of the query cannot be greater than",
        "The number of directives on the field",
    ];
    const ARGUMENTS: [&str; 3] = ["Failed to parse \"", "Expected input type \"", "Invalid value for argument"];
    let says = |parts: &[&str]| parts.iter().any(|part| error.message.contains(part));
    let code = match error.path.is_empty() {
        true if says(&LIMITS) => code::TOO_COMPLEX,
        false if !says(&ARGUMENTS) => code::INTERNAL,
        _ => code::BAD_INPUT,
    };
    error.message = error.message.replace("Invalid number", "a whole number that is not negative is expected");
    coded(error, code)
}
