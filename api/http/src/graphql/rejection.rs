//! Requests that are answered without being executed, and how answers are sent.

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, VARY, WWW_AUTHENTICATE};
use actix_web::web::Bytes;
use actix_web::{HttpResponse, HttpResponseBuilder};
use async_graphql::ServerError;
use plybook_service::access::Refusal;
use serde_json::json;

use super::fault::{code, fault, retry_after_ms};
use super::media::Media;
use super::request::Malformed;
use crate::pool::{Exhausted, RETRY_S};

/// The headers that an answer depends on.
pub(super) const VARIES: &str = "accept, authorization";

/// Why a request is answered with its own status instead of being executed.
#[derive(Debug, thiserror::Error)]
pub enum Rejection {
    #[error("use GET or POST for GraphQL")]
    Method,
    #[error("GET is for queries; send other operations by POST or over a WebSocket")]
    NotAQuery,
    #[error("subscriptions are served over WebSocket (graphql-transport-ws), at this address")]
    Subscription,
    #[error("this page may not open a socket here")]
    Origin,
    #[error("{0}")]
    Upgrade(String),
    #[error("the service is shutting down")]
    Closing,
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
    Exhausted(#[from] Exhausted),
    #[error(transparent)]
    Caller(#[from] Refusal),
    #[error(transparent)]
    Malformed(#[from] Malformed),
    #[error(
        "Plybook-Min-Position, or `minPosition` in `extensions`, is a number of events, as Plybook-Position tells it"
    )]
    Position,
    #[error("this node has {position} events, and {wanted} were asked for: retry later, or ask another node")]
    Behind { position: u64, wanted: u64 },
    /// The document was refused: the status depends on the media type of the answer.
    #[error("{}", .0.message)]
    Document(ServerError),
}

impl From<ServerError> for Rejection {
    fn from(error: ServerError) -> Self {
        Self::Document(error)
    }
}

impl Rejection {
    /// The status and the code.
    fn kind(&self, media: Media) -> (StatusCode, &'static str) {
        match self {
            Self::Method | Self::NotAQuery => (StatusCode::METHOD_NOT_ALLOWED, code::BAD_INPUT),
            Self::Origin => (StatusCode::FORBIDDEN, code::FORBIDDEN),
            Self::NotAcceptable => (StatusCode::NOT_ACCEPTABLE, code::BAD_INPUT),
            Self::MediaType => (StatusCode::UNSUPPORTED_MEDIA_TYPE, code::BAD_INPUT),
            Self::TooLarge { .. } => (StatusCode::PAYLOAD_TOO_LARGE, code::TOO_COMPLEX),
            Self::Timeout => (StatusCode::REQUEST_TIMEOUT, code::BAD_INPUT),
            Self::Behind { .. } => (StatusCode::SERVICE_UNAVAILABLE, code::BEHIND),
            Self::Caller(_) => (StatusCode::UNAUTHORIZED, code::UNAUTHENTICATED),
            Self::Exhausted(Exhausted::Client { .. }) => (StatusCode::TOO_MANY_REQUESTS, code::RATE_LIMITED),
            Self::Closing | Self::Exhausted(Exhausted::All { .. }) => {
                (StatusCode::SERVICE_UNAVAILABLE, code::RATE_LIMITED)
            }
            Self::Malformed(Malformed::PersistedQuery) => (status_of_unexecuted(media), code::NOT_PERSISTED),
            Self::Subscription | Self::Document(_) => (status_of_unexecuted(media), code::BAD_INPUT),
            Self::Upgrade(_) | Self::Broken | Self::Position | Self::Malformed(_) => {
                (StatusCode::BAD_REQUEST, code::BAD_INPUT)
            }
        }
    }

    pub fn respond(self, media: Media) -> HttpResponse {
        let (status, code) = self.kind(media);
        let mut builder = HttpResponse::build(status);
        match &self {
            Self::Method => builder.insert_header((ALLOW, "GET, POST")),
            Self::NotAQuery => builder.insert_header((ALLOW, "POST")),
            Self::Caller(_) => builder.insert_header((WWW_AUTHENTICATE, "Bearer")),
            Self::Exhausted(_) => builder.insert_header((RETRY_AFTER, RETRY_S)).force_close(),
            Self::Behind { .. } => builder.insert_header((RETRY_AFTER, RETRY_S)),
            Self::TooLarge { .. } | Self::Timeout => builder.force_close(),
            _ => &mut builder,
        };
        match self {
            Self::Document(error) => refuse(&[error], media),
            why => send(&mut builder, media, json!({ "errors": [fault(code, why.to_string())] }).to_string()),
        }
    }
}

/// The answer to a request that was not executed: errors, and no data. It has its own status if the client
/// should retry later.
pub(super) fn refuse(errors: &[ServerError], media: Media) -> HttpResponse {
    let text = json!({ "errors": errors }).to_string();
    match errors.iter().find_map(retry_after_ms) {
        None => send(&mut HttpResponse::build(status_of_unexecuted(media)), media, text),
        Some(ms) => {
            let mut builder = HttpResponse::TooManyRequests();
            builder.insert_header((RETRY_AFTER, ms.div_ceil(1_000)));
            send(&mut builder, media, text)
        }
    }
}

/// The status of an answer that says why nothing was executed.
fn status_of_unexecuted(media: Media) -> StatusCode {
    match media {
        Media::GraphqlResponse => StatusCode::BAD_REQUEST,
        Media::Json => StatusCode::OK,
    }
}

/// Sends an answer.
pub(super) fn send(builder: &mut HttpResponseBuilder, media: Media, text: impl Into<Bytes>) -> HttpResponse {
    builder
        .insert_header((CONTENT_TYPE, media.content_type()))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((VARY, VARIES))
        .body(text.into())
}
