//! GraphQL over WebSocket: `graphql-transport-ws`, at the same address as over HTTP.
//!
//! # Source
//! <https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md>

mod closure;
mod conversation;
mod message;
mod wire;

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderMap, SEC_WEBSOCKET_PROTOCOL, UPGRADE};
use actix_web::{FromRequest, HttpRequest, HttpResponse, web};
use actix_ws::CloseReason;

use self::closure::Closure;
use self::conversation::Conversation;
use self::wire::Wire;
use super::fault::{Code, body, fault};
use super::media::Media;
use super::rejection::Rejection;
use crate::bearer::bearer;
use crate::site::Site;

/// The only supported subprotocol.
const PROTOCOL: &str = "graphql-transport-ws";

/// Whether the request asks for a WebSocket.
pub fn is_upgrade(headers: &HeaderMap) -> bool {
    listed(headers, &UPGRADE, |word| word.eq_ignore_ascii_case("websocket"))
}

/// Upgrades the request to a WebSocket, or refuses it.
///
/// Browsers let any page open a socket to any host, so the origin of the page is checked here. So is a token
/// in the request's header; one in `connection_init` is checked on arrival.
pub async fn open(request: &HttpRequest, payload: web::Payload, site: &Site) -> HttpResponse {
    if !site.doors.is_origin_allowed(request.headers()) {
        return refuse(StatusCode::FORBIDDEN, Code::Forbidden, "this page may not open a socket here");
    }
    let limits = site.gate.limits().socket;
    if site.closing.is_closing() {
        return refuse(StatusCode::SERVICE_UNAVAILABLE, Code::RateLimited, "the service is shutting down");
    }
    let address = site.doors.proxies.client(request);
    let (token, stamp) = match bearer(request).and_then(|token| Ok((token, site.gate.identify(token, address)?))) {
        Ok((token, stamp)) => (token.map(str::to_owned), stamp),
        Err(refusal) => return Rejection::Caller(refusal).respond(Media::Json),
    };
    let place = match site.gate.pools().sockets.take(stamp.client(), stamp.is_administrator(), 1) {
        Ok(place) => place,
        Err(why) => return Rejection::Exhausted(why).respond(Media::Json),
    };
    let memory = site.gate.pools().memory.nothing(stamp.client(), stamp.is_administrator());
    let wire = Wire::new(memory.another(), memory, limits.message_bytes);
    let payload = web::Payload::from_request(request, &mut wire.incoming(payload.into_inner())).await;
    let payload = payload.expect("a payload is only handed over");
    let (response, session, incoming) = match actix_ws::handle_with_protocols(request, payload, &[PROTOCOL]) {
        Ok(opened) => opened,
        Err(why) => return refuse(StatusCode::BAD_REQUEST, Code::BadInput, &why.to_string()),
    };
    let incoming = incoming
        .max_frame_size(limits.message_bytes)
        .aggregate_continuations()
        .max_continuation_size(limits.message_bytes);
    if listed(request.headers(), &SEC_WEBSOCKET_PROTOCOL, |word| word == PROTOCOL) {
        let conversation = Conversation::new(site.gate.clone(), session, Arc::clone(&wire), address, token, place);
        actix_web::rt::spawn(conversation.hold(incoming, site.closing.clone()));
    } else {
        actix_web::rt::spawn(session.close(Some(CloseReason::from(Closure::Subprotocol))));
    }
    response.map_body(|_, body| wire.outgoing(body))
}

fn refuse(status: StatusCode, code: Code, says: &str) -> HttpResponse {
    HttpResponse::build(status).content_type(Media::Json.content_type()).body(body(&[fault(code, says)]).to_string())
}

/// Whether a comma-separated header contains a word for which `is_it` holds.
fn listed(headers: &HeaderMap, name: &actix_web::http::header::HeaderName, is_it: impl Fn(&str) -> bool) -> bool {
    headers
        .get_all(name)
        .filter_map(|value| value.to_str().ok())
        .any(|value| value.split(',').map(str::trim).any(&is_it))
}
