//! What is read by plain HTTP: the exact bytes of one log, all games as a resumable stream, the feed, the
//! transparency log, tournaments' files, how to embed a game, and what is shown of a link to it.

mod feed;
mod oembed;
mod picture;
mod preview;
mod sending;
mod tlog;
mod tournament_files;
mod tournament_page;
mod work;

use std::sync::Arc;

use actix_web::http::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use actix_web::web::{self, ServiceConfig};
use actix_web::{FromRequest, Handler, HttpRequest, HttpResponse, Resource, Responder};
use plybook_events::{LogId, Played};
use plybook_models::{Filter, Order, OrderKey};
use plybook_rules::log::Status;
use serde::Deserialize;

pub use self::preview::with_previews;
use plybook_http::Site;
use plybook_service::Service;
use plybook_service::error::Problem;

use self::sending::{Content, Sending};
use self::work::refused;

/// The price of beginning an export, and of a log, in units.
const GAMES_UNITS: u64 = 10_000;
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
    /// Whether events of them were imported.
    imported: Option<bool>,
    /// Played at this time or later.
    since: Option<String>,
    /// Played before this time.
    until: Option<String>,
    /// Include the exact lines of the logs.
    #[serde(default)]
    events: bool,
}

/// Adds the routes of exports, of the feed, of the transparency log, of tournaments' files, of embedding and of pictures.
pub fn configure(config: &mut ServiceConfig, service: &Arc<Service>) {
    config
        .app_data(web::Data::from(Arc::clone(service)))
        .service(resource("/export/games.ndjson", games))
        .service(resource("/games/{id}/log.ndjson", log))
        .service(resource("/games/{id}.png", picture::picture))
        .service(resource("/changes.ndjson", feed::ndjson))
        .service(resource("/changes.sse", feed::sse))
        .service(resource("/oembed", oembed::oembed))
        .service(resource("/checkpoint", tlog::checkpoint))
        .service(resource("/checkpoint/keys", tlog::keys))
        .service(resource("/checkpoint/rotations", tlog::rotations))
        .service(resource("/tile/{tile:.*}", tlog::tile))
        .service(resource("/tournaments/{id}/files/{name}", tournament_files::file));
}

/// What is only read: calendars, feed readers and link checkers send HEAD first.
fn resource<F, Args>(path: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    let only = || async { HttpResponse::MethodNotAllowed().insert_header((ALLOW, "GET, HEAD")).finish() };
    let routes = web::resource(path).route(web::get().to(handler.clone())).route(web::head().to(handler));
    routes.default_service(web::to(only))
}

/// The exact bytes of a log, one event per line.
async fn log(request: HttpRequest, service: web::Data<Service>, id: web::Path<String>) -> HttpResponse {
    let service = service.into_inner();
    let what = move |service: &Service| {
        let id: LogId = id.parse().map_err(|_| Problem::no_game(&*id))?;
        let head = service.log().head(id).ok_or_else(|| Problem::no_game(id))?;
        Ok(Content::log(service, id, head.seq() + 1))
    };
    answer(&request, service, LOG_UNITS, what).await
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
    let what = move |service: &Service| {
        let games = service.models().known().games.select(&filter).list(Order::CreatedAsc, after);
        Ok(Content::games(games, with_events))
    };
    answer(&request, service, GAMES_UNITS, what).await
}

/// Sends something piece by piece, as the client takes it.
async fn answer(
    request: &HttpRequest,
    service: Arc<Service>,
    units: u64,
    what: impl FnOnce(&Service) -> Result<Content, Problem> + Send + 'static,
) -> HttpResponse {
    let site = request.app_data::<web::Data<Site>>().expect("the app is made with its site");
    let (execution, held) = site.admit(request);
    match Sending::begin(service, execution, held, units, what).await {
        Ok(begun) => HttpResponse::Ok().insert_header(ndjson()).streaming(begun.pieces()),
        Err(problem) => refused(&problem),
    }
}

impl ExportQuery {
    fn filter(&self) -> Result<Filter, Problem> {
        let time = |name: &str, text: &Option<String>| {
            let read = |text: &String| {
                let played = Played::parse_lenient(text);
                played.map(Played::time).map_err(|why| Problem::BadInput(format!("`{name}`: {why}")))
            };
            text.as_ref().map(read).transpose()
        };
        let wrong = |_| Problem::BadInput("`tournament` is an id".to_owned());
        let unknown = || Problem::BadInput("`status` is running, finished or void".to_owned());
        let filter = Filter {
            kind: self.kind.clone(),
            tournament: self.tournament.as_ref().map(|id| id.parse::<LogId>().map_err(wrong)).transpose()?,
            is_analysis: Some(false),
            status: self.status.as_ref().map(|name| Status::from_name(name).ok_or_else(unknown)).transpose()?,
            is_imported: self.imported,
            since: time("since", &self.since)?,
            until: time("until", &self.until)?,
            ..Filter::default()
        };
        Ok(filter.checked()?)
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
