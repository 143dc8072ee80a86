//! Short answers are not compressed: they would not become shorter. Others say so themselves.

use actix_web::Error;
use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{CONTENT_ENCODING, HeaderMap, HeaderValue};
use actix_web::middleware::Next;

/// Answers of fewer bytes fit into one packet, compressed or not.
const SHORT_BYTES: u64 = 1_024;

/// What tells the compression, which is around this middleware, to leave an answer as it is: the value of its
/// `Content-Encoding`, which is not sent.
pub const AS_IT_IS: HeaderValue = HeaderValue::from_static("identity");

/// Marks short answers, so that they are not compressed.
pub(super) async fn spare_short(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let mut response = next.call(request).await?;
    let is_short = matches!(response.response().body().size(), BodySize::Sized(bytes) if bytes < SHORT_BYTES);
    if is_short && !response.headers().contains_key(CONTENT_ENCODING) {
        response.headers_mut().insert(CONTENT_ENCODING, AS_IT_IS);
    }
    Ok(response)
}

/// Removes the mark: clients expect no header for an answer that is not encoded.
pub(super) fn unmark(headers: &mut HeaderMap) {
    if headers.get(CONTENT_ENCODING) == Some(&AS_IT_IS) {
        headers.remove(CONTENT_ENCODING);
    }
}
