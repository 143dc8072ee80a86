//! GraphQL over HTTP.
//!
//! We have our own handler because actix's standard integration does not do what the specification asks. The
//! npm package `graphql-http` audits it: `tests/api/graphql-http.test.mjs`.
//!
//! # Source
//! GraphQL over HTTP, <https://graphql.github.io/graphql-over-http/draft/>.

use std::convert::Infallible;
use std::time::Duration;

use actix_web::body::SizedStream;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_LENGTH, ETAG, EntityTag, HeaderName, HeaderValue, VARY};
use actix_web::http::{Method, StatusCode};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, web};
use async_graphql::parser::types::OperationType;
use futures_util::stream::{self, StreamExt};
use plybook_events::Hash;
use plybook_service::load::{Allowance, Client};
use tokio::time::timeout;

use super::fault::{code, fault};
use super::gate::{Executed, Stamp};
use super::limits::Limits;
use super::media::{self, Media};
use super::operation::{Operation, examine, memory_of_operation};
use super::position;
use super::rejection::{Rejection, VARIES, send};
use super::request::{from_body, from_query_string};
use super::socket;
use crate::bearer::bearer;
use crate::conditional::has_version;
use crate::pool::PoolShare;
use crate::site::Site;

/// What a client may spend, and what of it is left, in units.
///
/// # Source
/// `RateLimit` header fields for HTTP: <https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/>.
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
pub const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");

/// The largest answer with an entity tag, in bytes: hashing one takes a network thread about a millisecond.
const TAGGED_MAX: usize = 1 << 20;

/// The size of a piece of a large answer. The connection copies a piece when it asks for it, so at most one piece is in
/// memory twice.
const PIECE: usize = 32 << 10;

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
    let Some(media) = Media::accepted(request) else {
        let says = "answers are application/graphql-response+json or application/json";
        return Rejection::new(StatusCode::NOT_ACCEPTABLE, code::BAD_INPUT, says).respond(Media::Json);
    };
    let (operation, stamp) = match ask(request, payload, site).await {
        Ok(asked) => asked,
        Err(rejection) => return rejection.respond(media),
    };
    let answer = site.gate.run(operation, &stamp).next().await.unwrap_or_else(|| Ok(Executed::internal()));
    let (bytes, held, left) = match answer {
        Ok(Executed { text, held, left }) => (Bytes::from(Box::<str>::from(text).into_string()), held, left),
        Err(errors) => return Rejection::from(errors).respond(media),
    };
    let is_tagged = *request.method() == Method::GET && bytes.len() <= TAGGED_MAX;
    let tag = is_tagged.then(|| tag_of(&bytes, media));
    let mut response = match &tag {
        Some(tag) if has_version(request, tag) => HttpResponse::NotModified().insert_header((VARY, VARIES)).finish(),
        _ => hold(send(&mut HttpResponse::Ok(), media, Bytes::new()), bytes, held),
    };
    let headers = response.headers_mut();
    let mut add = |name, value: String| headers.insert(name, HeaderValue::try_from(value).expect("it is plain"));
    if let Some((Allowance { burst: Some(burst), refill }, left)) = left {
        add(RATE_LIMIT_POLICY, format!("\"units\";q={burst};w={}", burst.get().div_ceil(refill.get())));
        add(RATE_LIMIT, format!("\"units\";r={left}"));
    }
    if let Some(tag) = tag {
        add(ETAG, tag.to_string());
        add(
            CACHE_CONTROL,
            format!("{}, no-cache", if matches!(stamp.client, Client::Address(_)) { "public" } else { "private" }),
        );
    }
    response
}

/// The entity tag of an answer to a GET: caches keep it, and ask again whether it is still the same. No answer is
/// said to stay: a game that is over can be corrected, reopened and commented on. Weak, because compression changes
/// the bytes.
fn tag_of(text: &[u8], media: Media) -> EntityTag {
    EntityTag::new_weak(Hash::of_parts(&[media.content_type().as_bytes(), b"\0", text]).to_string())
}

/// Gives the answer its body. A large one is sent in pieces, and its memory is held until it has been sent.
fn hold(answer: HttpResponse, bytes: Bytes, held: Option<PoolShare>) -> HttpResponse {
    if bytes.len() <= PIECE {
        return answer.set_body(bytes).map_into_boxed_body();
    }
    let len = bytes.len() as u64;
    let pieces = stream::unfold((bytes, held), |(mut rest, held)| async move {
        let piece = rest.split_to(rest.len().min(PIECE));
        (!piece.is_empty()).then(|| (Ok::<_, Infallible>(piece), (rest, held)))
    });
    answer.set_body(SizedStream::new(len, pieces)).map_into_boxed_body()
}

/// Reads the request, up to the point where it can be executed.
async fn ask(request: &HttpRequest, payload: web::Payload, site: &Site) -> Result<(Operation, Stamp), Rejection> {
    let gate = &site.gate;
    let stamp = gate.identify(bearer(request)?, site.doors.proxies.client(request))?;
    position::reach(request.headers(), site).await?;
    let mut held = gate.pools.memory.nothing(stamp.client);
    let body = match *request.method() {
        Method::GET => None,
        Method::POST if !media::is_json(request) => {
            let says = "the request must be application/json in UTF-8, not compressed";
            return Err(Rejection::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, code::BAD_INPUT, says));
        }
        Method::POST => Some(read(request, payload, &gate.limits, &mut held).await?),
        _ => return Err(Rejection::method("use GET or POST for GraphQL", "GET, POST")),
    };
    let from = if body.is_some() { from_body } else { from_query_string };
    let text = body.map_or_else(|| Bytes::copy_from_slice(request.query_string().as_bytes()), Bytes::from);
    held.grow_to(memory_of_operation(&text)).await?;
    let read = gate.read(stamp.client, text, move |text| from(text).map(examine)).await??;
    let mut operation = read.inspect_err(|error| gate.metrics.operation("none", Some(error)))?;
    operation.held.push(held);
    match operation.kind {
        OperationType::Query => Ok((operation, stamp)),
        _ if request.method() == Method::GET => {
            Err(Rejection::method("GET is for queries; send other operations by POST or over a WebSocket", "POST"))
        }
        OperationType::Mutation => Ok((operation, stamp)),
        OperationType::Subscription => {
            let says = "subscriptions are served over WebSocket (graphql-transport-ws), at this address";
            Err(fault(code::BAD_INPUT, says).into())
        }
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
    let too_large = || {
        let says = format!("the request is larger than {limit} bytes");
        Rejection::new(StatusCode::PAYLOAD_TOO_LARGE, code::TOO_COMPLEX, says).ending()
    };
    let late =
        |_| Rejection::new(StatusCode::REQUEST_TIMEOUT, code::BAD_INPUT, "the request did not arrive in time").ending();
    if most > limit {
        return Err(too_large());
    }
    let idle = Duration::from_millis(limits.body_idle_ms);
    let whole = async {
        let mut body: Vec<u8> = Vec::new();
        while let Some(chunk) = timeout(idle, payload.next()).await.map_err(late)? {
            let chunk = chunk.map_err(|_| Rejection::bad_request("the request did not arrive whole"))?;
            let arrived = body.len() + chunk.len();
            if arrived > limit {
                return Err(too_large());
            }
            if arrived > body.capacity() {
                let capacity = arrived.next_power_of_two().min(most).max(arrived);
                held.grow_to(capacity as u64).await.map_err(|why| Rejection::from(why).ending())?;
                body.reserve_exact(capacity - body.len());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    };
    timeout(Duration::from_millis(limits.body_ms), whole).await.map_err(late)?
}
