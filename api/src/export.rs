//! Bulk export: the exact bytes of one log, or all games as a resumable stream.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use actix_web::web::{self, Bytes, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream;
use plybook_events::{LogId, Timestamp};
use plybook_rules::log::{Status, cursor, record_json};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::Problem;
use crate::http::Site;
use crate::load::Ticket;
use crate::models::{Filter, Order, OrderKey, Summary};
use crate::service::Service;
use crate::tournament_files;

/// How many games are sent in one chunk.
const CHUNK: usize = 64;

/// How many bytes a chunk has at most, besides its last game.
const CHUNK_BYTES: usize = 1 << 20;

/// The price of a chunk, and of a log, in units. What they really cost is paid afterwards.
const CHUNK_UNITS: u64 = 10_000;
const LOG_UNITS: u64 = 2_000;

/// Which games to export.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExportQuery {
    /// The cursor of the last game received.
    after: Option<String>,
    kind: Option<String>,
    /// The tournament they belong to.
    tournament: Option<String>,
    /// `running`, `finished` or `void`.
    status: Option<String>,
    /// Played at this time or later.
    since: Option<String>,
    /// Played before this time.
    until: Option<String>,
    /// Include the exact lines of the logs.
    #[serde(default)]
    events: bool,
}

/// Adds the routes of exports and of tournaments' files.
pub fn configure(config: &mut ServiceConfig, service: &Arc<Service>) {
    config
        .app_data(web::Data::from(Arc::clone(service)))
        .route("/export/games.ndjson", web::get().to(games))
        .route("/games/{id}/log.ndjson", web::get().to(log))
        .route("/tournaments/{id}/files/{name}", web::get().to(tournament_files::file));
}

/// The exact bytes of a log, one event per line.
async fn log(request: HttpRequest, service: web::Data<Service>, id: web::Path<String>) -> HttpResponse {
    let service = service.into_inner();
    let ticket = ticket(&request);
    let read = work(&ticket, LOG_UNITS, move || {
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
    match read.await {
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
    let ticket = ticket(&request);
    let reader = Arc::clone(&service);
    let listed = work(&ticket, CHUNK_UNITS, move || {
        let mut games = reader.models().known().games.list(&filter, Order::CreatedAsc);
        if let Some(after) = after {
            games.drain(..games.partition_point(|game| Order::CreatedAsc.key(game) <= after));
        }
        Ok(games.into_iter())
    });
    let games = match listed.await {
        Ok(games) => games,
        Err(problem) => return refused(&problem),
    };
    let pieces = stream::unfold((service, ticket, games), move |(service, ticket, mut games)| async move {
        if games.len() == 0 {
            return None;
        }
        let reader = Arc::clone(&service);
        let piece = chunk(&ticket, move || {
            let mut out = Vec::new();
            let mut room = CHUNK;
            while room > 0
                && out.len() < CHUNK_BYTES
                && let Some(game) = games.next()
            {
                line(&reader, &game, with_events, &mut out)?;
                room -= 1;
            }
            Ok((Bytes::from(out), games))
        });
        match piece.await {
            Ok((piece, games)) => Some((Ok(piece), (service, ticket, games))),
            Err(problem) => {
                Some((Err(std::io::Error::other(problem.to_string())), (service, ticket, Vec::new().into_iter())))
            }
        }
    });
    HttpResponse::Ok().insert_header(ndjson()).streaming(pieces)
}

/// What the client of a request may take.
pub(crate) fn ticket(request: &HttpRequest) -> Arc<Ticket> {
    request.app_data::<web::Data<Site>>().expect("the app is made with its site").ticket(request)
}

/// Does something on the workers, once the client's budget covers it.
pub(crate) async fn work<T: Send + 'static>(
    ticket: &Arc<Ticket>,
    units: u64,
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let admitted = Arc::clone(ticket);
    let task = ticket.execute(async move {
        admitted.admit(units.min(admitted.limit())).await?;
        work()
    })?;
    task.await
}

/// Writes the next part of an export. A client that has spent its budget gets it later.
async fn chunk<T: Send + 'static>(
    ticket: &Arc<Ticket>,
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    ticket.pay().await;
    ticket.execute(async move { work() })?.await
}

/// Writes one game. One that cannot be read stops nobody from getting the others.
fn line(service: &Service, game: &Summary, with_events: bool, out: &mut Vec<u8>) -> Result<(), Problem> {
    let mut record = match record(service, game.id, with_events) {
        Err(why @ (Problem::SecretLost { .. } | Problem::Internal)) => {
            json!({ "game": game.id, "kind": game.kind, "error": why.to_string(), "code": why.code() })
        }
        record => record?,
    };
    record["cursor"] = cursor(game.created_at, game.id).into();
    serde_json::to_writer(&mut *out, &record).map_err(Problem::internal)?;
    out.push(b'\n');
    Ok(())
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
        let wrong = |_| Problem::BadInput("`tournament` is an id".to_owned());
        let filter = Filter {
            kind: self.kind.clone(),
            tournament: self.tournament.as_ref().map(|id| id.parse::<LogId>().map_err(wrong)).transpose()?,
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

/// The answer to a request that is refused.
pub(crate) fn refused(problem: &Problem) -> HttpResponse {
    let status = match problem {
        Problem::NotFound(_) => StatusCode::NOT_FOUND,
        Problem::BadInput(_) => StatusCode::BAD_REQUEST,
        Problem::NotAdmitted(_) => StatusCode::TOO_MANY_REQUESTS,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    let mut answer = HttpResponse::build(status);
    if let Problem::NotAdmitted(why) = problem {
        answer.insert_header((RETRY_AFTER, why.retry_after_ms().div_ceil(1_000)));
    }
    let body: Value = json!({ "error": problem.to_string(), "code": problem.code() });
    answer.json(body)
}
