//! The access token that a request carries.

use actix_web::HttpRequest;
use actix_web::http::header::AUTHORIZATION;
use plybook_service::access::Refusal;
use serde_json::Value;

/// The token of a request, from its `Authorization` header; `None` for a spectator.
///
/// # Errors
/// [`Refusal::Malformed`] if the header is present and is not `Bearer <token>`.
///
/// # Source
/// RFC 6750, 2.1.
pub fn bearer(request: &HttpRequest) -> Result<Option<&str>, Refusal> {
    match request.headers().get(AUTHORIZATION) {
        None => Ok(None),
        Some(value) => of_text(value.to_str().map_err(|_| Refusal::Malformed)?).map(Some),
    }
}

/// The token in the payload of `connection_init`: `{"token":"…"}` or `{"Authorization":"Bearer …"}`.
///
/// # Errors
/// [`Refusal::Malformed`] if one of these members is present in another form.
pub fn of_payload(payload: Option<&Value>) -> Result<Option<&str>, Refusal> {
    let Some(payload) = payload else { return Ok(None) };
    let given = |name: &str| payload.get(name).filter(|value| !value.is_null());
    if let Some(token) = given("token") {
        return token.as_str().filter(|token| is_token(token)).map(Some).ok_or(Refusal::Malformed);
    }
    match given("Authorization").or_else(|| given("authorization")) {
        None => Ok(None),
        Some(value) => of_text(value.as_str().ok_or(Refusal::Malformed)?).map(Some),
    }
}

fn of_text(text: &str) -> Result<&str, Refusal> {
    let (scheme, token) = text.trim().split_once(' ').ok_or(Refusal::Malformed)?;
    let token = token.trim_start();
    if scheme.eq_ignore_ascii_case("bearer") && is_token(token) { Ok(token) } else { Err(Refusal::Malformed) }
}

fn is_token(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic())
}
