//! GraphQL over HTTP.
//!
//! We have our own handler because actix's standard integration does not do what the specification asks. The
//! npm package `graphql-http` audits it: `tests/api/graphql-http.test.mjs`.
//!
//! # Source
//! GraphQL over HTTP, <https://graphql.github.io/graphql-over-http/draft/>.

use std::time::Duration;

use actix_web::http::Method;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_LENGTH, ETAG, HeaderMap, HeaderName, HeaderValue, IF_NONE_MATCH};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use async_graphql::parser::types::OperationType;
use futures_util::StreamExt;
use plybook_events::Hash;
use plybook_service::load::Allowance;
use tokio::time::timeout;

use super::fault::not_admitted;
use super::gate::{Answer, Operation, Stamp};
use super::limits::Limits;
use super::media::{self, Media};
use super::position;
use super::rejection::{Rejection, not_modified, refuse, send};
use super::request::{from_body, from_query_string};
use super::sending::hold;
use super::socket;
use crate::bearer::bearer;
use crate::pool::PoolShare;
use crate::pools::memory_of_operation;
use crate::site::Site;

/// What a client may spend, and what of it is left, in units.
///
/// # Source
/// `RateLimit` header fields for HTTP: <https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/>.
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
pub const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// The largest answer with an entity tag, in bytes: hashing one takes a network thread about a millisecond.
const TAGGED_MAX: usize = 1 << 20;

/// Answers a request to `/graphql`, whatever its method.
pub async fn answer(request: HttpRequest, payload: web::Payload, site: web::Data<Site>) -> HttpResponse {
    if socket::is_upgrade(request.headers()) {
        return socket::open(&request, payload, &site).await;
    }
    let mut response = respond(&request, payload, &site).await;
    position::tell(&mut response, &site);
    response
}

async fn respond(request: &HttpRequest, payload: web::Payload, site: &Site) -> HttpResponse {
    let Some(media) = Media::accepted(request.headers()) else {
        return Rejection::NotAcceptable.respond(Media::Json);
    };
    let (operation, stamp) = match ask(request, payload, site).await {
        Ok(asked) => asked,
        Err(rejection) => return rejection.respond(media),
    };
    let (bytes, held, left) = match site.gate.run(operation, &stamp).next().await.unwrap_or_else(Answer::internal) {
        Answer::Executed { text, held, left } => (Bytes::from(Box::<str>::from(text).into_string()), held, left),
        Answer::AdmissionError(errors) => return refuse(&errors, media),
    };
    let is_tagged = *request.method() == Method::GET && bytes.len() <= TAGGED_MAX;
    let tag = is_tagged.then(|| tag_of(&bytes, media));
    let mut response = match &tag {
        Some(tag) if is_known(request.headers(), tag) => not_modified(),
        _ => hold(send(&mut HttpResponse::Ok(), media, bytes), held),
    };
    if let Some((Allowance { burst: Some(burst), refill }, left)) = left {
        let policy = format!("\"units\";q={burst};w={}", burst.get().div_ceil(refill.get()));
        for (name, value) in [(RATE_LIMIT_POLICY, policy), (RATE_LIMIT, format!("\"units\";r={left}"))] {
            response.headers_mut().insert(name, HeaderValue::from_str(&value).expect("it is plain"));
        }
    }
    if let Some(tag) = tag {
        let headers = response.headers_mut();
        headers.insert(ETAG, HeaderValue::from_str(&tag).expect("a hash is a header's value"));
        let caching = if stamp.is_anonymous() { "public, no-cache" } else { "private, no-cache" };
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(caching));
    }
    response
}

/// The entity tag of an answer to a GET: caches keep it, and ask again whether it is still the same. No answer is
/// said to stay: a game that is over can be corrected, reopened and commented on. Weak, because compression changes
/// the bytes.
fn tag_of(text: &[u8], media: Media) -> String {
    format!("W/\"{}\"", Hash::of_parts(&[media.content_type().as_bytes(), b"\0", text]))
}

/// Whether the client says that it has the answer with this tag.
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get_all(IF_NONE_MATCH).filter_map(|value| value.to_str().ok());
    known.flat_map(|value| value.split(',')).any(|known| matches!(known.trim(), "*") || known.trim() == tag)
}

/// Reads the request, up to the point where it can be executed.
async fn ask(request: &HttpRequest, payload: web::Payload, site: &Site) -> Result<(Operation, Stamp), Rejection> {
    position::reach(position::of_headers(request.headers())?, site).await?;
    let gate = &site.gate;
    let stamp = gate.identify(bearer(request)?, site.doors.proxies.client(request))?;
    let mut held = gate.pools().memory.nothing(stamp.client(), stamp.is_administrator());
    let body = match *request.method() {
        Method::GET => None,
        Method::POST if !media::is_json(request.headers()) => return Err(Rejection::MediaType),
        Method::POST => Some(read(request, payload, gate.limits(), &mut held).await?),
        _ => return Err(Rejection::Method),
    };
    let text = body.as_deref().unwrap_or(request.query_string().as_bytes());
    held.grow(memory_of_operation(text).saturating_sub(held.amount())).await?;
    let parsed = match body {
        Some(body) => {
            let read = gate.read(stamp.client(), stamp.is_administrator(), body.into(), from_body).await;
            read.map_err(|why| not_admitted(&why))??
        }
        None => from_query_string(request.query_string())?,
    };
    position::reach(position::of_extensions(&parsed.extensions)?, site).await?;
    let mut operation = gate.judge(&stamp, parsed).await?;
    operation.hold(held);
    match operation.kind() {
        OperationType::Query => Ok((operation, stamp)),
        _ if request.method() == Method::GET => Err(Rejection::NotAQuery),
        OperationType::Mutation => Ok((operation, stamp)),
        OperationType::Subscription => Err(Rejection::Subscription),
    }
}

/// Reads the body. What is held depends on how much has arrived, not on the pieces in which it came: the next power
/// of two, but no more than was announced. What is merely announced costs nothing.
async fn read(
    request: &HttpRequest,
    mut payload: web::Payload,
    limits: &Limits,
    held: &mut PoolShare,
) -> Result<Vec<u8>, Rejection> {
    let limit = limits.body_bytes;
    let announced = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let most: usize = announced.unwrap_or(limit);
    if most > limit {
        return Err(Rejection::TooLarge { limit });
    }
    let idle = Duration::from_millis(limits.body_idle_ms);
    let whole = async {
        let mut body: Vec<u8> = Vec::new();
        while let Some(chunk) = timeout(idle, payload.next()).await.map_err(|_| Rejection::Timeout)? {
            let chunk = chunk.map_err(|_| Rejection::Broken)?;
            let arrived = body.len() + chunk.len();
            if arrived > limit {
                return Err(Rejection::TooLarge { limit });
            }
            if arrived > body.capacity() {
                let capacity = arrived.next_power_of_two().min(most).max(arrived);
                held.grow((capacity as u64).saturating_sub(held.amount())).await?;
                body.reserve_exact(capacity - body.len());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    };
    timeout(Duration::from_millis(limits.body_ms), whole).await.unwrap_or(Err(Rejection::Timeout))
}
