//! Large answers on their way to the client.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use actix_web::HttpResponse;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::web::Bytes;

use crate::pool::PoolShare;

/// The size of a piece. The connection copies a piece when it asks for it, so at most one piece is in memory
/// twice.
const PIECE: usize = 32 << 10;

/// A body that is sent in pieces, and held until the last one is taken.
struct Sending {
    rest: Bytes,
    held: Option<PoolShare>,
}

/// Holds the body of an answer until it has been sent.
pub(super) fn hold(answer: HttpResponse, held: Option<PoolShare>) -> HttpResponse {
    answer.map_body(|_, body| match body.try_into_bytes() {
        Ok(bytes) if bytes.len() > PIECE => BoxBody::new(Sending { rest: bytes, held }),
        Ok(bytes) => BoxBody::new(bytes),
        Err(streamed) => streamed,
    })
}

impl MessageBody for Sending {
    type Error = Infallible;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.rest.len() as u64)
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, Infallible>>> {
        let this = self.get_mut();
        if this.rest.is_empty() {
            this.held = None;
            return Poll::Ready(None);
        }
        let piece = this.rest.split_to(this.rest.len().min(PIECE));
        Poll::Ready(Some(Ok(piece)))
    }
}
