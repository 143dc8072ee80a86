//! GraphQL over WebSocket: `graphql-transport-ws`, at the same address as over HTTP.
//!
//! # Source
//! <https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md>

mod conversation;
mod message;
mod wire;

use std::rc::Rc;

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderMap, SEC_WEBSOCKET_PROTOCOL, UPGRADE};
use actix_web::{FromRequest, HttpRequest, HttpResponse, web};
use actix_ws::{CloseCode, CloseReason};

use self::conversation::Conversation;
use self::wire::Wire;
use super::fault::{code, for_now};
use super::media::Media;
use super::rejection::Rejection;
use crate::bearer::bearer;
use crate::site::Site;

/// The only supported subprotocol.
const PROTOCOL: &str = "graphql-transport-ws";

/// Whether the request asks for a WebSocket.
pub fn is_upgrade(headers: &HeaderMap) -> bool {
    let upgrades = headers.get_all(UPGRADE).filter_map(|value| value.to_str().ok());
    upgrades.flat_map(|value| value.split(',')).any(|word| word.trim().eq_ignore_ascii_case("websocket"))
}

/// Upgrades the request to a WebSocket, or refuses it.
///
/// Browsers let any page open a socket to any host, so the origin of the page is checked here. So is a token
/// in the request's header; one in `connection_init` is checked on arrival.
pub async fn open(request: &HttpRequest, payload: web::Payload, site: &Site) -> HttpResponse {
    if !site.doors.is_origin_allowed(request.headers()) {
        let says = "this page may not open a socket here";
        return Rejection::new(StatusCode::FORBIDDEN, code::FORBIDDEN, says).respond(Media::Json);
    }
    let limits = site.gate.limits.socket;
    if site.closing.now.is_cancelled() {
        let error = for_now(code::RATE_LIMITED, "the service is shutting down");
        return Rejection::unavailable(error).respond(Media::Json);
    }
    let address = site.doors.proxies.client(request);
    let (token, stamp) = match bearer(request).and_then(|token| Ok((token, site.gate.identify(token, address)?))) {
        Ok((token, stamp)) => (token.map(str::to_owned), stamp),
        Err(refusal) => return Rejection::from(refusal).respond(Media::Json),
    };
    let place = match site.gate.pools.sockets.take(stamp.client, 1) {
        Ok(place) => place,
        Err(why) => return Rejection::from(why).respond(Media::Json),
    };
    let memory = site.gate.pools.memory.nothing(stamp.client);
    let wire = Wire::new(memory, limits.message_bytes);
    let payload = web::Payload::from_request(request, &mut wire.incoming(payload.into_inner())).await;
    let payload = payload.expect("a payload is only handed over");
    let (response, session, incoming) = match actix_ws::handle_with_protocols(request, payload, &[PROTOCOL]) {
        Ok(opened) => opened,
        Err(why) => return Rejection::bad_request(why.to_string()).respond(Media::Json),
    };
    let incoming = incoming
        .max_frame_size(limits.message_bytes)
        .aggregate_continuations()
        .max_continuation_size(limits.message_bytes);
    if response.headers().contains_key(SEC_WEBSOCKET_PROTOCOL) {
        let conversation = Conversation::new(site.gate.clone(), session, Rc::clone(&wire), address, token, place);
        actix_web::rt::spawn(conversation.hold(incoming, site.closing.now.clone()));
    } else {
        let reason = CloseReason::from((CloseCode::Other(4406), "Subprotocol not acceptable"));
        actix_web::rt::spawn(session.close(Some(reason)));
    }
    response.map_body(|_, body| wire.outgoing(body))
}
