//! The middleware around every request: its id, its line in the log, the metrics, and security headers.

use std::time::Instant;

use actix_web::body::{EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::http::header::{
    ACCEPT_ENCODING, CONTENT_SECURITY_POLICY, CROSS_ORIGIN_RESOURCE_POLICY, HeaderMap, HeaderName, HeaderValue,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use actix_web::middleware::Next;
use actix_web::{Error, HttpResponse, web};
use tracing::Instrument;
use uuid::Uuid;

use super::bearer::bearer;
use super::graphql::is_upgrade;
use super::short::unmark;
use super::site::Site;

/// The header that names a request, in both directions.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The content security policy of our pages: nothing from other origins, nothing inline. Of code made at run time, only
/// WebAssembly is allowed, for the rules. `'self'` includes sockets of the same host.
pub const POLICY: &str = "default-src 'self'; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
     img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The policy of pages that any other page may show in a frame, a local file too: `frame-ancestors *` would leave those out.
pub const EMBEDDED_POLICY: &str = "default-src 'self'; style-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
     img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'";

/// The middleware of every request.
pub async fn observe(
    mut request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<EitherBody<impl MessageBody>>, Error> {
    let start = Instant::now();
    if is_upgrade(request.headers()) {
        // Otherwise actix would compress a refused upgrade and send it as if it were not compressed.
        request.headers_mut().remove(ACCEPT_ENCODING);
    }
    let site = request.app_data::<web::Data<Site>>().cloned().expect("the app is made with its site");
    let id = request_id(request.headers());
    let (method, path) = (request.method().clone(), request.path().to_owned());
    let span = tracing::info_span!("request", id = id.to_str().unwrap_or_default());
    let answered = if site.doors.is_host_known(request.headers()) {
        next.call(request).instrument(span.clone()).await.map(ServiceResponse::map_into_left_body)
    } else {
        let says = "this service does not answer to that host name: --host names those that it has\n";
        let refused = HttpResponse::build(StatusCode::MISDIRECTED_REQUEST).body(says);
        Ok(request.into_response(refused).map_into_right_body())
    };
    let (status, route) = match &answered {
        Ok(response) => (response.status(), response.request().match_pattern()),
        Err(error) => (error.as_response_error().status_code(), None),
    };
    let took = start.elapsed();
    site.gate.metrics.request(route, &method, status.as_u16(), took);
    if let Some(skipped) = site.access_log.admit() {
        let _entered = span.enter();
        let took_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let client = answered.as_ref().ok().map(|response| {
            let request = response.request();
            site.access_log.name(bearer(request).ok().flatten(), site.doors.proxies.address(request))
        });
        let status = status.as_u16();
        tracing::info!(target: "plybook::access", %method, path, status, took_us, client, skipped, "answered");
    }
    answered.map(|mut response| {
        guard(response.headers_mut(), id);
        response
    })
}

/// The id that the client sent, if it is short and plain, or a new one.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    let is_sane = |value: &&HeaderValue| {
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        (1..=64).contains(&value.len()) && value.as_bytes().iter().all(is_plain)
    };
    match headers.get(REQUEST_ID).filter(is_sane) {
        Some(given) => given.clone(),
        None => HeaderValue::from_str(&Uuid::now_v7().simple().to_string()).expect("hex digits are a header's value"),
    }
}

/// Sets the headers that every answer has. Policies set by the handler are kept.
fn guard(headers: &mut HeaderMap, id: HeaderValue) {
    unmark(headers);
    headers.insert(REQUEST_ID, id);
    let usual = [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"),
        (CONTENT_SECURITY_POLICY, POLICY),
    ];
    for (name, value) in usual {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    }
    if headers.get(CONTENT_SECURITY_POLICY).is_none_or(|policy| policy != EMBEDDED_POLICY) {
        headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
}
