//! Probes for operators.

use std::time::Duration;

use actix_web::http::header::{ACCEPT, CACHE_CONTROL};
use actix_web::{HttpRequest, HttpResponse, web};

use crate::site::{Readiness, Site};

/// How long cheap queries may wait for a turn.
const STUCK: Duration = Duration::from_secs(5);

/// `/healthz`: the process is running and answers.
pub async fn health() -> HttpResponse {
    text(&mut HttpResponse::Ok(), "ok\n".to_owned())
}

/// `/readyz`: 200 or 503.
pub async fn readiness(site: web::Data<Site>) -> HttpResponse {
    match judged(&site).await {
        Readiness::Ready | Readiness::Impaired(_) => text(&mut HttpResponse::Ok(), "ready\n".to_owned()),
        Readiness::NotReady(_) => text(&mut HttpResponse::ServiceUnavailable(), "not ready\n".to_owned()),
    }
}

/// `/readyz` for operators: 200, or 503 with the reason.
pub async fn readiness_explained(site: web::Data<Site>) -> HttpResponse {
    match judged(&site).await {
        Readiness::Ready => text(&mut HttpResponse::Ok(), "ready\n".to_owned()),
        Readiness::Impaired(why) => text(&mut HttpResponse::Ok(), format!("ready, but {why}\n")),
        Readiness::NotReady(why) => text(&mut HttpResponse::ServiceUnavailable(), format!("not ready: {why}\n")),
    }
}

async fn judged(site: &Site) -> Readiness {
    if site.closing.soon.is_cancelled() || site.closing.now.is_cancelled() {
        Readiness::NotReady("shutting down".to_owned())
    } else if site.gate.load.is_stuck(STUCK).await {
        Readiness::NotReady(format!("cheap queries have had no turn for {} s", STUCK.as_secs()))
    } else {
        (site.ready)()
    }
}

/// `/metrics`: the counters, in the format that is asked for.
pub async fn metrics(site: web::Data<Site>, request: HttpRequest) -> HttpResponse {
    let accepts = request.headers().get(ACCEPT).and_then(|accepts| accepts.to_str().ok()).unwrap_or_default();
    let metrics = &site.gate.metrics;
    let (kind, text) = if accepts.contains("application/openmetrics-text") {
        ("application/openmetrics-text; version=1.0.0; charset=utf-8", metrics.text())
    } else {
        ("text/plain; version=0.0.4; charset=utf-8", metrics.classic_text())
    };
    HttpResponse::Ok().content_type(kind).insert_header((CACHE_CONTROL, "no-store")).body(text)
}

fn text(builder: &mut actix_web::HttpResponseBuilder, text: String) -> HttpResponse {
    builder.content_type("text/plain; charset=utf-8").insert_header((CACHE_CONTROL, "no-store")).body(text)
}
