//! Requests that are answered without being executed, and how answers are sent.

use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, VARY, WWW_AUTHENTICATE};
use actix_web::web::Bytes;
use actix_web::{HttpResponse, HttpResponseBuilder};
use async_graphql::ServerError;
use plybook_service::access::Refusal;

use super::fault::{Code, body, fault, retry_after_ms};
use super::media::Media;
use super::request::Malformed;
use crate::pool::{Exhausted, RETRY_S};

/// The headers that an answer depends on.
const VARIES: &str = "accept, authorization";

/// Why a request is answered with its own status instead of being executed.
#[derive(Debug, thiserror::Error)]
pub enum Rejection {
    #[error("use GET or POST for GraphQL")]
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
    fn status(&self, media: Media) -> StatusCode {
        match self {
            Self::Method | Self::NotAQuery => StatusCode::METHOD_NOT_ALLOWED,
            Self::NotAcceptable => StatusCode::NOT_ACCEPTABLE,
            Self::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::TooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Timeout => StatusCode::REQUEST_TIMEOUT,
            Self::Behind { .. } => StatusCode::SERVICE_UNAVAILABLE,
            Self::Caller(_) => StatusCode::UNAUTHORIZED,
            Self::Exhausted(why) => status_of_exhausted(*why),
            Self::Subscription | Self::Document(_) | Self::Malformed(Malformed::PersistedQuery) => {
                status_of_unexecuted(media)
            }
            Self::Broken | Self::Position | Self::Malformed(_) => StatusCode::BAD_REQUEST,
        }
    }

    fn code(&self) -> Code {
        match self {
            Self::TooLarge { .. } => Code::TooComplex,
            Self::Caller(_) => Code::Unauthenticated,
            Self::Malformed(Malformed::PersistedQuery) => Code::NotPersisted,
            Self::Exhausted(_) => Code::RateLimited,
            Self::Behind { .. } => Code::Behind,
            _ => Code::BadInput,
        }
    }

    pub fn respond(self, media: Media) -> HttpResponse {
        let (status, code, says) = (self.status(media), self.code(), self.to_string());
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
            _ => send(&mut builder, media, body(&[fault(code, says)]).to_string()),
        }
    }
}

/// The answer to a request that was not executed: errors, and no data. It has its own status if the client
/// should retry later.
pub(super) fn refuse(errors: &[ServerError], media: Media) -> HttpResponse {
    let text = body(errors).to_string();
    match errors.iter().find_map(retry_after_ms) {
        None => send(&mut HttpResponse::build(status_of_unexecuted(media)), media, text),
        Some(ms) => {
            let mut builder = HttpResponse::TooManyRequests();
            builder.insert_header((RETRY_AFTER, ms.div_ceil(1_000)));
            send(&mut builder, media, text)
        }
    }
}

/// The status of an answer that says what is used up: the client's share, or the share of all.
pub(super) fn status_of_exhausted(why: Exhausted) -> StatusCode {
    match why {
        Exhausted::Client { .. } => StatusCode::TOO_MANY_REQUESTS,
        Exhausted::All { .. } => StatusCode::SERVICE_UNAVAILABLE,
    }
}

/// The status of an answer that says why nothing was executed.
pub(super) fn status_of_unexecuted(media: Media) -> StatusCode {
    match media {
        Media::GraphqlResponse => StatusCode::BAD_REQUEST,
        Media::Json => StatusCode::OK,
    }
}

/// Says that the client has the answer already.
pub(super) fn not_modified() -> HttpResponse {
    HttpResponse::NotModified().insert_header((VARY, VARIES)).finish()
}

/// Sends an answer.
pub(super) fn send(builder: &mut HttpResponseBuilder, media: Media, text: impl Into<Bytes>) -> HttpResponse {
    builder
        .insert_header((CONTENT_TYPE, media.content_type()))
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((VARY, VARIES))
        .body(text.into())
}
