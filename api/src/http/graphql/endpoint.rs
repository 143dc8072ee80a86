//! GraphQL over HTTP.
//!
//! We have our own handler because actix's standard integration does not do what the specification asks. The
//! npm package `graphql-http` audits it: `tests/api/graphql-http.test.mjs`.
//!
//! # Source
//! GraphQL over HTTP, <https://graphql.github.io/graphql-over-http/draft/>.

use std::time::Duration;

use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_LENGTH, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH};
use actix_web::{HttpRequest, HttpResponse, web};
use async_graphql::parser::types::OperationType;
use futures_util::StreamExt;
use plybook_events::Hash;
use tokio::time::timeout;

use super::gate::{Answer, Operation, Stamp};
use super::limits::Limits;
use super::media::{self, Media};
use super::rejection::{Rejection, not_modified, refuse, send};
use super::request::{from_body, from_query_string};
use super::sending::hold;
use super::socket;
use crate::http::bearer::bearer;
use crate::http::client::Client;
use crate::http::pool::PoolShare;
use crate::http::pools::memory_of_operation;
use crate::http::site::Site;

/// The largest answer with an entity tag, in bytes: hashing one takes a network thread about a millisecond.
const TAGGED_MAX: usize = 1 << 20;

/// Answers a request to `/graphql`, whatever its method.
pub(crate) async fn answer(request: HttpRequest, payload: web::Payload, site: web::Data<Site>) -> HttpResponse {
    if socket::is_upgrade(request.headers()) {
        return socket::open(&request, payload, &site).await;
    }
    let Some(media) = Media::accepted(request.headers()) else {
        return Rejection::NotAcceptable.respond(Media::Json);
    };
    let (operation, stamp) = match accept(&request, payload, &site).await {
        Ok(accepted) => accepted,
        Err(rejection) => return rejection.respond(media),
    };
    let answer = site.gate.run(operation, &stamp).next().await.unwrap_or_else(Answer::internal);
    let tag = match &answer {
        Answer::Executed(text, _) if *request.method() == Method::GET && text.get().len() <= TAGGED_MAX => {
            Some(tag_of(text.get(), media))
        }
        _ => None,
    };
    let mut response = match &tag {
        Some(tag) if is_known(request.headers(), tag) => not_modified(),
        _ => respond(answer, media),
    };
    if let Some(tag) = tag {
        let headers = response.headers_mut();
        headers.insert(ETAG, HeaderValue::from_str(&tag).expect("a hash is a header's value"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    }
    response
}

/// The entity tag of an answer to a GET: caches keep it, and ask again whether it is still the same. No answer is
/// said to stay: a game that is over can be corrected, reopened and commented on. Weak, because compression changes
/// the bytes.
fn tag_of(text: &str, media: Media) -> String {
    format!("W/\"{}\"", Hash::of_parts(&[media.content_type().as_bytes(), b"\0", text.as_bytes()]))
}

/// Whether the client says that it has the answer with this tag.
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get_all(IF_NONE_MATCH).filter_map(|value| value.to_str().ok());
    known.flat_map(|value| value.split(',')).any(|known| matches!(known.trim(), "*") || known.trim() == tag)
}

/// Reads the request, up to the point where it can be executed.
async fn accept(request: &HttpRequest, payload: web::Payload, site: &Site) -> Result<(Operation, Stamp), Rejection> {
    let gate = &site.gate;
    let stamp = gate.identify(bearer(request)?, Client::by_address(request, &site.doors.proxies))?;
    let mut held = gate.pools().memory.nothing(stamp.client(), stamp.is_administrator());
    let parsed = match *request.method() {
        Method::GET => {
            held.grow(memory_of_operation(request.query_string().as_bytes())).await?;
            from_query_string(request.query_string())?
        }
        Method::POST if !media::is_json(request.headers()) => return Err(Rejection::MediaType),
        Method::POST => {
            let body = read(request, payload, gate.limits(), &mut held).await?;
            held.grow(memory_of_operation(&body).saturating_sub(held.amount())).await?;
            from_body(&body)?
        }
        _ => return Err(Rejection::Method),
    };
    let mut operation = gate.judge(parsed)?;
    operation.hold(held);
    match operation.kind() {
        OperationType::Query => Ok((operation, stamp)),
        _ if request.method() == Method::GET => Err(Rejection::NotAQuery),
        OperationType::Mutation => Ok((operation, stamp)),
        OperationType::Subscription => Err(Rejection::Subscription),
    }
}

/// Reads the body. Only what has arrived is held; what is merely announced costs nothing.
async fn read(
    request: &HttpRequest,
    mut payload: web::Payload,
    limits: &Limits,
    held: &mut PoolShare,
) -> Result<Vec<u8>, Rejection> {
    let limit = limits.body_bytes;
    let announced = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: usize| length > limit) {
        return Err(Rejection::TooLarge { limit });
    }
    let idle = Duration::from_millis(limits.body_idle_ms);
    let whole = async {
        let mut body: Vec<u8> = Vec::new();
        while let Some(chunk) = timeout(idle, payload.next()).await.map_err(|_| Rejection::Timeout)? {
            let chunk = chunk.map_err(|_| Rejection::Broken)?;
            if body.len() + chunk.len() > limit {
                return Err(Rejection::TooLarge { limit });
            }
            body.extend_from_slice(&chunk);
            held.grow((body.capacity() as u64).saturating_sub(held.amount())).await?;
        }
        Ok(body)
    };
    timeout(Duration::from_millis(limits.body_ms), whole).await.unwrap_or(Err(Rejection::Timeout))
}

fn respond(answer: Answer, media: Media) -> HttpResponse {
    match answer {
        Answer::Executed(text, held) => {
            hold(send(&mut HttpResponse::Ok(), media, Box::<str>::from(text).into_string()), held)
        }
        Answer::AdmissionError(errors) => refuse(&errors, media),
    }
}
