//! Requests that are answered without being executed, and how answers are sent.

use actix_web::http::StatusCode;
use actix_web::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, RETRY_AFTER, VARY, WWW_AUTHENTICATE,
};
use actix_web::web::Bytes;
use actix_web::{HttpResponse, HttpResponseBuilder};
use async_graphql::ServerError;
use plybook_service::access::Refusal;
use plybook_service::load::LoadError;
use serde_json::json;

use super::fault::{code, fault, not_admitted, retry_after_ms};
use super::media::Media;

/// The headers that an answer depends on.
pub(super) const VARIES: &str = "accept, authorization";

/// Why a request is answered with errors instead of being executed.
#[derive(Debug)]
pub struct Rejection {
    /// `None`: 429 if the client should retry later, or else what the media type of the answer has for a request that is not
    /// executed.
    status: Option<StatusCode>,
    errors: Vec<ServerError>,
    header: Option<(HeaderName, HeaderValue)>,
    /// Whether the connection is closed: what else the client sends is not read.
    ends: bool,
}

impl Rejection {
    /// With a status of its own.
    pub fn new(status: StatusCode, code: &str, why: impl Into<String>) -> Self {
        Self { status: Some(status), ..Self::from(fault(code, why)) }
    }

    /// 405.
    pub fn method(why: &str, allowed: &'static str) -> Self {
        let header = Some((ALLOW, HeaderValue::from_static(allowed)));
        Self { header, ..Self::new(StatusCode::METHOD_NOT_ALLOWED, code::BAD_INPUT, why) }
    }

    /// 400, whatever the media type of the answer.
    pub fn bad_request(why: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code::BAD_INPUT, why)
    }

    /// 503.
    pub fn unavailable(error: ServerError) -> Self {
        Self { status: Some(StatusCode::SERVICE_UNAVAILABLE), ..Self::from(error) }
    }

    /// The same, after which the connection is closed.
    #[must_use]
    pub fn ending(self) -> Self {
        Self { ends: true, ..self }
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        self.errors.first().map_or("", |error| &error.message)
    }

    pub fn respond(self, media: Media) -> HttpResponse {
        let retry_ms = self.errors.iter().find_map(retry_after_ms);
        let status = self.status.unwrap_or(match (retry_ms, media) {
            (Some(_), _) => StatusCode::TOO_MANY_REQUESTS,
            (None, Media::GraphqlResponse) => StatusCode::BAD_REQUEST,
            (None, Media::Json) => StatusCode::OK,
        });
        let mut builder = HttpResponse::build(status);
        if let Some(ms) = retry_ms {
            builder.insert_header((RETRY_AFTER, ms.div_ceil(1_000)));
        }
        if let Some(header) = self.header {
            builder.insert_header(header);
        }
        if self.ends {
            builder.force_close();
        }
        send(&mut builder, media, json!({ "errors": self.errors }).to_string())
    }
}

impl From<Vec<ServerError>> for Rejection {
    fn from(errors: Vec<ServerError>) -> Self {
        Self { status: None, errors, header: None, ends: false }
    }
}

impl From<ServerError> for Rejection {
    fn from(error: ServerError) -> Self {
        Self::from(vec![error])
    }
}

impl From<Refusal> for Rejection {
    fn from(why: Refusal) -> Self {
        let header = Some((WWW_AUTHENTICATE, HeaderValue::from_static("Bearer")));
        Self { header, ..Self::new(StatusCode::UNAUTHORIZED, code::UNAUTHENTICATED, why.to_string()) }
    }
}

impl From<LoadError> for Rejection {
    fn from(why: LoadError) -> Self {
        let status = matches!(why, LoadError::PoolEmpty { .. }).then_some(StatusCode::SERVICE_UNAVAILABLE);
        Self { status, ..Self::from(not_admitted(&why)) }
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
