//! Games in pages of other sites: what they ask to embed one (<https://oembed.com>).

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use plybook_events::LogId;
use plybook_service::error::Problem;
use plybook_service::{Service, find_kind};
use plybook_viewer::draw::escape;
use serde::Deserialize;
use serde_json::json;
use url::Url;

use super::work::{public_url, refused, work};

/// The price of an answer, in units.
const UNITS: u64 = 10;

/// The size of a frame in pixels, unless the site has less room, and the least that shows a board with its controls.
const WIDTH: u32 = 560;
const HEIGHT: u32 = 680;
const LEAST: u32 = 240;

/// What a site asks. It may say more, which is ignored.
#[derive(Deserialize)]
pub(super) struct Asked {
    /// The address of a game's page here, whole or only its path.
    url: String,
    /// The room that there is, in pixels.
    maxwidth: Option<u32>,
    maxheight: Option<u32>,
    /// Only `json` is written.
    format: Option<String>,
}

/// `/oembed`: how to embed the game that has this page.
pub(super) async fn oembed(request: HttpRequest, service: web::Data<Service>) -> HttpResponse {
    let asked = match web::Query::<Asked>::from_query(request.query_string()) {
        Ok(asked) => asked.into_inner(),
        Err(why) => return refused(&Problem::BadInput(format!("`url` is the address of a game's page: {why}"))),
    };
    if asked.format.as_ref().is_some_and(|format| format != "json") {
        let why = json!({ "error": "only `format=json` is written", "code": "BAD_INPUT" });
        return HttpResponse::build(StatusCode::NOT_IMPLEMENTED).json(why);
    }
    let site = format!("{}/", public_url(&request));
    let made = work(&request, UNITS, move || {
        let id = asked.game(&site)?;
        let title = title(&service, id)?;
        let width = asked.maxwidth.unwrap_or(WIDTH).clamp(LEAST, WIDTH);
        let height = asked.maxheight.unwrap_or(HEIGHT).clamp(LEAST, HEIGHT);
        let html = format!(
            "<iframe src=\"{}\" title=\"{}\" width=\"{width}\" height=\"{height}\" style=\"border:0;max-width:100%\" \
             loading=\"lazy\" allowfullscreen></iframe>",
            escape(&format!("{site}embed/{id}")),
            escape(&title)
        );
        Ok(json!({
            "version": "1.0",
            "type": "rich",
            "provider_name": "Plybook",
            "provider_url": site,
            "title": title,
            "html": html,
            "width": width,
            "height": height,
        }))
    });
    match made.await {
        Ok(body) => HttpResponse::Ok().insert_header((CACHE_CONTROL, HeaderValue::from_static("no-cache"))).json(body),
        Err(refusal) => refusal,
    }
}

impl Asked {
    /// The game whose page is asked for, on `site`.
    fn game(&self, site: &str) -> Result<LogId, Problem> {
        let no_page = || Problem::NotFound(format!("{:?} is not the page of a game here, {site}games/…", self.url));
        let site = Url::parse(site).map_err(|_| no_page())?;
        let page = site.join(&self.url).map_err(|_| no_page())?;
        // Behind a proxy, the service may not know scheme and port.
        let is_here = ["http", "https"].contains(&page.scheme()) && page.host_str() == site.host_str();
        let id = page.path().strip_prefix("/games/").filter(|_| is_here);
        id.and_then(|id| id.parse().ok()).ok_or_else(no_page)
    }
}

/// Who played, and what.
fn title(service: &Service, id: LogId) -> Result<String, Problem> {
    let game = service.models().known().games.get(id).ok_or_else(|| Problem::no_game(id))?;
    if game.fork.is_some() {
        return Err(Problem::no_game(id));
    }
    let names: Vec<&str> = game.seats.iter().map(|seat| seat.name.as_str()).collect();
    let kind = find_kind(&game.kind).map_or(game.kind.as_str(), |rules| rules.about().title);
    Ok(format!("{} · {kind}", names.join(" – ")))
}
