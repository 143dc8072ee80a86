//! Bulk export: the exact bytes of one log, or all games as a resumable stream.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue};
use actix_web::web::{self, Bytes, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream;
use plybook_events::{LogId, Timestamp};
use plybook_rules::log::{Status, cursor, record_json};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::Problem;
use crate::models::{Filter, Order, OrderKey, Summary};
use crate::service::Service;

/// How many games are sent in one chunk.
const CHUNK: usize = 64;

/// Which games to export.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExportQuery {
    /// The cursor of the last game received.
    after: Option<String>,
    kind: Option<String>,
    /// `running`, `finished` or `void`.
    status: Option<String>,
    /// Created at this time or later.
    since: Option<String>,
    /// Created before this time.
    until: Option<String>,
    /// Include the exact lines of the logs.
    #[serde(default)]
    events: bool,
}

/// Adds the export routes.
pub fn configure(config: &mut ServiceConfig, service: &Arc<Service>) {
    config
        .app_data(web::Data::from(Arc::clone(service)))
        .route("/export/games.ndjson", web::get().to(games))
        .route("/games/{id}/log.ndjson", web::get().to(log));
}

/// The exact bytes of a log, one event per line.
async fn log(service: web::Data<Service>, id: web::Path<String>) -> HttpResponse {
    let service = service.into_inner();
    let read = web::block(move || {
        let id: LogId = id.parse().map_err(|_| Problem::no_game(&*id))?;
        let lines = service.log().read(id, 0)?;
        if lines.is_empty() {
            return Err(Problem::no_game(id));
        }
        let size = lines.iter().map(|line| line.len() + 1).sum();
        let mut body = Vec::with_capacity(size);
        for line in &lines {
            body.extend_from_slice(line);
            body.push(b'\n');
        }
        Ok(body)
    });
    match read.await.map_err(Problem::internal).flatten() {
        Ok(body) => HttpResponse::Ok().insert_header(ndjson()).body(body),
        Err(problem) => refused(&problem),
    }
}

/// The recorded games that match the query, oldest first, one JSON record per line. With `events`, each
/// record includes the game's lines of analysis. `after` resumes after the record with this `cursor`. Of a
/// game that cannot be read, the line has `error` and `code` instead of the record.
async fn games(request: HttpRequest, service: web::Data<Service>) -> HttpResponse {
    let service = service.into_inner();
    let query = web::Query::<ExportQuery>::from_query(request.query_string())
        .map_err(|why| Problem::BadInput(why.to_string()))
        .and_then(|query| Ok((query.filter()?, query.after()?, query.events)));
    let (filter, after, with_events) = match query {
        Ok(query) => query,
        Err(problem) => return refused(&problem),
    };
    let mut games = service.models().known().games.list(&filter, Order::CreatedAsc);
    if let Some(after) = after {
        games.drain(..games.partition_point(|game| Order::CreatedAsc.key(game) <= after));
    }
    let pieces = stream::unfold((service, games.into_iter()), move |(service, mut games)| async move {
        let chunk: Vec<_> = games.by_ref().take(CHUNK).collect();
        if chunk.is_empty() {
            return None;
        }
        let reader = Arc::clone(&service);
        let piece = web::block(move || lines(&reader, &chunk, with_events)).await;
        let piece = piece.map_err(Problem::internal).flatten();
        Some((piece.map_err(|problem| std::io::Error::other(problem.to_string())), (service, games)))
    });
    HttpResponse::Ok().insert_header(ndjson()).streaming(pieces)
}

fn lines(service: &Service, games: &[Arc<Summary>], with_events: bool) -> Result<Bytes, Problem> {
    let mut out = Vec::new();
    for game in games {
        // A game that cannot be read stops nobody from getting the others.
        let mut record = record(service, game.id, with_events).unwrap_or_else(
            |why| json!({ "game": game.id, "kind": game.kind, "error": why.to_string(), "code": why.code() }),
        );
        record["cursor"] = cursor(game.created_at, game.id).into();
        serde_json::to_writer(&mut out, &record).map_err(Problem::internal)?;
        out.push(b'\n');
    }
    Ok(out.into())
}

fn record(service: &Service, id: LogId, with_events: bool) -> Result<Value, Problem> {
    let replay = service.glance(id)?;
    if !with_events {
        let mut record = record_json(&replay, &[], &[]);
        if let Some(members) = record.as_object_mut() {
            members.remove("events");
        }
        return Ok(record);
    }
    // Events that were recorded after the game was read are left out.
    let mut events = service.log().read(id, 0)?;
    events.truncate(replay.events() as usize);
    Ok(record_json(&replay, &events, &service.below(id)?))
}

impl ExportQuery {
    fn filter(&self) -> Result<Filter, Problem> {
        let time = |name: &str, text: &Option<String>| {
            let read = |text: &String| {
                Timestamp::parse_lenient(text).map_err(|why| Problem::BadInput(format!("`{name}`: {why}")))
            };
            text.as_ref().map(read).transpose()
        };
        let unknown = || Problem::BadInput("`status` is running, finished or void".to_owned());
        let filter = Filter {
            kind: self.kind.clone(),
            is_analysis: Some(false),
            status: self.status.as_ref().map(|name| Status::from_name(name).ok_or_else(unknown)).transpose()?,
            since: time("since", &self.since)?,
            until: time("until", &self.until)?,
            ..Filter::default()
        };
        filter.checked()
    }

    fn after(&self) -> Result<Option<OrderKey>, Problem> {
        let read = |text: &String| {
            let (at, id) = text.split_once('.')?;
            let id: LogId = id.parse().ok()?;
            Some((at.parse().ok()?, id.to_bytes()))
        };
        let wrong = || Problem::BadInput("`after` is the `cursor` of a line of this export".to_owned());
        self.after.as_ref().map(|text| read(text).ok_or_else(wrong)).transpose()
    }
}

fn ndjson() -> (actix_web::http::header::HeaderName, HeaderValue) {
    (CONTENT_TYPE, HeaderValue::from_static("application/x-ndjson"))
}

fn refused(problem: &Problem) -> HttpResponse {
    let status = match problem {
        Problem::NotFound(_) => StatusCode::NOT_FOUND,
        Problem::BadInput(_) => StatusCode::BAD_REQUEST,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    let body: Value = json!({ "error": problem.to_string(), "code": problem.code() });
    HttpResponse::build(status).json(body)
}
