//! GraphQL over HTTP.
//!
//! A handler of our own, as the stock integration of actix does not do what the specification asks.
//! The npm package `graphql-http` audits it: `tests/api/graphql-http.test.mjs`.
//!
//! # Source
//! GraphQL over HTTP, <https://graphql.github.io/graphql-over-http/draft/>.

use std::time::Duration;

use actix_web::http::Method;
use actix_web::http::header::CONTENT_LENGTH;
use actix_web::{HttpRequest, HttpResponse, web};
use async_graphql::parser::types::OperationType;
use futures_util::StreamExt;

use super::gate::{Answer, Operation, Stamp};
use super::limits::Limits;
use super::media::{self, Media};
use super::rejection::{Rejection, refuse, send};
use super::request::{from_body, from_query_string};
use super::socket;
use crate::http::bearer::bearer;
use crate::http::client::Client;
use crate::http::site::Site;

/// Answers a request to `/graphql`, whatever its method.
pub(crate) async fn answer(request: HttpRequest, payload: web::Payload, site: web::Data<Site>) -> HttpResponse {
    if socket::is_upgrade(&request) {
        return socket::open(&request, payload, &site);
    }
    let Some(media) = Media::accepted(request.headers()) else {
        return Rejection::NotAcceptable.respond(Media::Json);
    };
    let (operation, stamp) = match accept(&request, payload, &site).await {
        Ok(accepted) => accepted,
        Err(rejection) => return rejection.respond(media),
    };
    match site.gate.run(operation, &stamp).next().await {
        Some(answer) => respond(answer, media),
        None => respond(Answer::internal(), media),
    }
}

/// Reads the request up to where it can be executed.
async fn accept(request: &HttpRequest, payload: web::Payload, site: &Site) -> Result<(Operation, Stamp), Rejection> {
    let gate = &site.gate;
    let stamp = gate.identify(bearer(request)?, Client::by_address(request, &site.doors.proxies))?;
    let parsed = match *request.method() {
        Method::GET => from_query_string(request.query_string())?,
        Method::POST if !media::is_json(request.headers()) => return Err(Rejection::MediaType),
        Method::POST => from_body(&read(request, payload, gate.limits()).await?)?,
        _ => return Err(Rejection::Method),
    };
    let operation = gate.judge(parsed)?;
    match operation.kind() {
        OperationType::Query => Ok((operation, stamp)),
        _ if request.method() == Method::GET => Err(Rejection::NotAQuery),
        OperationType::Mutation => Ok((operation, stamp)),
        OperationType::Subscription => Err(Rejection::Subscription),
    }
}

async fn read(request: &HttpRequest, mut payload: web::Payload, limits: &Limits) -> Result<Vec<u8>, Rejection> {
    let limit = limits.body_bytes;
    let announced = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: usize| length > limit) {
        return Err(Rejection::TooLarge { limit });
    }
    let whole = async {
        let mut body = Vec::with_capacity(announced.unwrap_or(0));
        while let Some(chunk) = payload.next().await {
            let chunk = chunk.map_err(|_| Rejection::Broken)?;
            if body.len() + chunk.len() > limit {
                return Err(Rejection::TooLarge { limit });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    };
    tokio::time::timeout(Duration::from_millis(limits.body_ms), whole).await.unwrap_or(Err(Rejection::Timeout))
}

fn respond(answer: Answer, media: Media) -> HttpResponse {
    match answer {
        Answer::Executed(text) => send(&mut HttpResponse::Ok(), media, Box::<str>::from(text).into_string()),
        Answer::Refused(errors) => refuse(&errors, media),
    }
}
