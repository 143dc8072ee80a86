//! GraphQL over HTTP.
//!
//! A handler of our own, as the stock integration of actix does not do what the specification asks.
//! The npm package `graphql-http` audits it: `tests/api/graphql-http.test.mjs`.
//!
//! # Source
//! GraphQL over HTTP, <https://graphql.github.io/graphql-over-http/draft/>.

use std::time::Duration;

use actix_web::http::header::{ALLOW, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE, VARY, WWW_AUTHENTICATE};
use actix_web::http::{Method, StatusCode};
use actix_web::{HttpRequest, HttpResponse, web};
use async_graphql::parser::types::OperationType;
use async_graphql::{Response, ServerError};
use futures_util::StreamExt;
use serde_json::Value;

use super::bearer::{Refusal, bearer};
use super::fault::{Code, body, fault, is_unexecuted};
use super::gate::{Gate, Operation, Stamp, internal};
use super::limits::Limits;
use super::media::{self, Media};
use super::request::{Malformed, from_body, from_query_string};
use super::site::Site;
use super::socket;

/// Why a request gets a status of its own instead of a response.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    #[error("GraphQL is asked by GET or POST")]
    Method,
    #[error("GET is for queries; send other operations by POST or over a WebSocket")]
    NotAQuery,
    #[error("subscriptions are served over WebSocket (graphql-transport-ws), at this address")]
    Subscription,
    #[error("answers are application/graphql-response+json or application/json")]
    NotAcceptable,
    #[error("the request must be application/json in UTF-8, not compressed")]
    MediaType,
    #[error("the request is larger than {limit} bytes")]
    TooLarge { limit: usize },
    #[error("the request did not arrive in time")]
    Timeout,
    #[error("the request did not arrive whole")]
    Broken,
    #[error(transparent)]
    Caller(#[from] Refusal),
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The document was refused: its status depends on the medium.
    #[error("{}", .0.message)]
    Document(ServerError),
}

impl From<ServerError> for Refused {
    fn from(error: ServerError) -> Self {
        Self::Document(error)
    }
}

/// Answers a request to `/graphql`, whatever its method.
pub(crate) async fn answer(request: HttpRequest, payload: web::Payload, site: web::Data<Site>) -> HttpResponse {
    if socket::is_upgrade(&request) {
        return socket::open(&request, payload, &site);
    }
    let Some(media) = Media::accepted(request.headers()) else {
        return Refused::NotAcceptable.respond(Media::Json);
    };
    let accepted = match accept(&request, payload, &site.gate).await {
        Ok(accepted) => accepted,
        Err(refused) => return refused.respond(media),
    };
    let (operation, stamp) = accepted;
    match site.gate.run(operation, &stamp).next().await {
        Some(response) => respond(&response, media),
        None => respond(&internal(), media),
    }
}

/// Reads the request up to where it can be executed.
async fn accept(request: &HttpRequest, payload: web::Payload, gate: &Gate) -> Result<(Operation, Stamp), Refused> {
    let stamp = gate.identify(bearer(request)?)?;
    let asked = match *request.method() {
        Method::GET => from_query_string(request.query_string())?,
        Method::POST if !media::is_json(request.headers()) => return Err(Refused::MediaType),
        Method::POST => from_body(&read(request, payload, gate.limits()).await?)?,
        _ => return Err(Refused::Method),
    };
    let operation = gate.judge(asked)?;
    match operation.kind() {
        OperationType::Query => Ok((operation, stamp)),
        _ if request.method() == Method::GET => Err(Refused::NotAQuery),
        OperationType::Mutation => Ok((operation, stamp)),
        OperationType::Subscription => Err(Refused::Subscription),
    }
}

async fn read(request: &HttpRequest, mut payload: web::Payload, limits: &Limits) -> Result<Vec<u8>, Refused> {
    let limit = limits.body_bytes;
    let announced = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: usize| length > limit) {
        return Err(Refused::TooLarge { limit });
    }
    let whole = async {
        let mut body = Vec::with_capacity(announced.unwrap_or(0));
        while let Some(chunk) = payload.next().await {
            let chunk = chunk.map_err(|_| Refused::Broken)?;
            if body.len() + chunk.len() > limit {
                return Err(Refused::TooLarge { limit });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    };
    tokio::time::timeout(Duration::from_millis(limits.body_ms), whole).await.unwrap_or(Err(Refused::Timeout))
}

impl Refused {
    fn status(&self, media: Media) -> StatusCode {
        match self {
            Self::Method | Self::NotAQuery => StatusCode::METHOD_NOT_ALLOWED,
            Self::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
            Self::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Timeout => StatusCode::REQUEST_TIMEOUT,
            Self::Caller(_) => StatusCode::UNAUTHORIZED,
            Self::Broken | Self::Malformed(_) => StatusCode::BAD_REQUEST,
            Self::Subscription | Self::Document(_) => status_of_unexecuted(media),
        }
    }

    fn code(&self) -> Code {
        match self {
            Self::TooLarge { .. } => Code::TooComplex,
            Self::Caller(_) => Code::Unauthenticated,
            _ => Code::BadInput,
        }
    }

    pub(crate) fn respond(self, media: Media) -> HttpResponse {
        let (status, code, says) = (self.status(media), self.code(), self.to_string());
        let mut builder = HttpResponse::build(status);
        match &self {
            Self::Method => builder.insert_header((ALLOW, "GET, POST")),
            Self::NotAQuery => builder.insert_header((ALLOW, "POST")),
            Self::Caller(_) => builder.insert_header((WWW_AUTHENTICATE, "Bearer")),
            Self::TooLarge { .. } | Self::Timeout => builder.force_close(),
            _ => &mut builder,
        };
        let error = if let Self::Document(error) = self { error } else { fault(code, says) };
        finish(&mut builder, media, &body(&[error]))
    }
}

fn respond(response: &Response, media: Media) -> HttpResponse {
    if is_unexecuted(response) {
        return finish(&mut HttpResponse::build(status_of_unexecuted(media)), media, &body(&response.errors));
    }
    let text = serde_json::to_string(response).expect("a response has string keys and finite numbers");
    send(&mut HttpResponse::Ok(), media, text)
}

fn status_of_unexecuted(media: Media) -> StatusCode {
    match media {
        Media::GraphqlResponse => StatusCode::BAD_REQUEST,
        Media::Json => StatusCode::OK,
    }
}

fn finish(builder: &mut actix_web::HttpResponseBuilder, media: Media, value: &Value) -> HttpResponse {
    send(builder, media, value.to_string())
}

fn send(builder: &mut actix_web::HttpResponseBuilder, media: Media, text: String) -> HttpResponse {
    builder
        .insert_header((CONTENT_TYPE, media.content_type()))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((VARY, "accept, authorization"))
        .body(text)
}
