//! GraphQL errors as this layer makes and finishes them: every one leaves with a code.

use async_graphql::{ErrorExtensionValues, Response, ServerError, Value};
use serde_json::json;

/// The codes this layer gives of its own accord; resolvers bring theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    /// The request cannot be understood, or asks for what the schema does not have.
    BadInput,
    /// The request is understood and larger than a limit.
    TooComplex,
    /// The token is not one of ours, or no longer.
    Unauthenticated,
    /// The sender may not talk to this service from where it is.
    Forbidden,
    /// The socket has as many operations as it may, or the service as many sockets.
    RateLimited,
    /// A bug of ours; the cause is in the log.
    Internal,
}

impl Code {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::BadInput => "BAD_INPUT",
            Self::TooComplex => "TOO_COMPLEX",
            Self::Unauthenticated => "UNAUTHENTICATED",
            Self::Forbidden => "FORBIDDEN",
            Self::RateLimited => "RATE_LIMITED",
            Self::Internal => "INTERNAL",
        }
    }
}

/// An error with a code and no place in the document.
pub(crate) fn fault(code: Code, message: impl Into<String>) -> ServerError {
    coded(ServerError::new(message, None), code)
}

/// The error with the code, unless it has one.
pub(crate) fn coded(mut error: ServerError, code: Code) -> ServerError {
    if code_of(&error).is_none() {
        error.extensions.get_or_insert_with(ErrorExtensionValues::default).set("code", code.name());
    }
    error
}

/// The code of an error: `extensions.code`.
pub(crate) fn code_of(error: &ServerError) -> Option<&str> {
    match error.extensions.as_ref()?.get("code")? {
        Value::String(code) => Some(code),
        Value::Enum(name) => Some(name.as_str()),
        _ => None,
    }
}

/// The body of an answer that has errors and, because nothing was executed, no data entry.
pub(crate) fn body(errors: &[ServerError]) -> serde_json::Value {
    json!({ "errors": errors })
}

/// Whether the response says that nothing was executed: parsing or validation found errors.
pub(crate) fn is_unexecuted(response: &Response) -> bool {
    let is_request_error = |error: &ServerError| error.path.is_empty() && code_of(error) != Some("INTERNAL");
    response.data == Value::Null && !response.errors.is_empty() && response.errors.iter().all(is_request_error)
}

/// Gives every error of a response its code, and keeps the words of our own bugs to ourselves.
///
/// An error of a resolver without a code is a bug: resolvers name theirs. Its cause is logged.
pub(crate) fn settle(response: &mut Response) {
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

/// What an error without a code is.
///
/// # Source
/// The words of async-graphql 7.2.1: `src/validation/mod.rs`, `src/schema.rs` (limits),
/// `src/error.rs` (`InputValueError`), `src/parser/…/lib.rs`; the tests hold on to them.
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
