//! Positions as pictures, for sites and messengers that show what a link leads to.

use std::sync::LazyLock;
use std::time::SystemTime;

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, CROSS_ORIGIN_RESOURCE_POLICY, ETAG, EntityTag, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};
use plybook_events::{Hash, LogId};
use plybook_http::has_version;
use plybook_rules::Scene;
use plybook_rules::log::Replay;
use plybook_service::Service;
use plybook_service::access::Caller;
use plybook_service::error::Problem;
use plybook_viewer::picture::png;
use serde::Deserialize;

use super::work::{refused, work};

/// The price of a picture, in units.
const UNITS: u64 = 6_000;

/// Sites may show a picture of a running game for a minute after it has gone on.
const CACHE: HeaderValue = HeaderValue::from_static("public, max-age=60");

/// Which picture of a log. Sites add more to addresses, which is ignored.
#[derive(Clone, Copy, Deserialize)]
pub(super) struct Asked {
    /// The last one if not given.
    ply: Option<u32>,
    /// The line to show instead of the game.
    line: Option<LogId>,
}

/// `/games/{id}.png`: a position of a game or of a line, as the public sees it.
pub(super) async fn picture(request: HttpRequest, service: web::Data<Service>, id: web::Path<String>) -> HttpResponse {
    let asked = match web::Query::<Asked>::from_query(request.query_string()) {
        Ok(asked) => asked.into_inner(),
        Err(why) => return refused(&Problem::BadInput(format!("`ply` is a number, and `line` an id: {why}"))),
    };
    let service = service.into_inner();
    let found = id.parse().map_err(|_| Problem::no_game(&*id)).and_then(|id| {
        let log = asked.line.unwrap_or(id);
        service.log().head(log).map(|head| (log, head.hash())).ok_or_else(|| Problem::no_game(log))
    });
    let (log, head) = match found {
        Ok(found) => found,
        Err(problem) => return refused(&problem),
    };
    let tag = tag_of(&head, asked.ply);
    let mut answer = HttpResponse::Ok();
    answer.insert_header((ETAG, tag.clone())).insert_header((CACHE_CONTROL, CACHE));
    // Other sites may show the picture of a game they link to.
    answer.insert_header((CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("cross-origin")));
    if has_version(&request, &tag) {
        return answer.status(StatusCode::NOT_MODIFIED).finish();
    }
    let drawn = work(&request, UNITS, move || {
        let replay = service.glance(log)?;
        let ply = asked.ply.map_or(replay.mainline().len(), |ply| ply as usize);
        let none = || Problem::NotFound(format!("the game has no ply {ply}"));
        Ok(png(&scene(&replay, ply).ok_or_else(none)?))
    });
    match drawn.await {
        Ok(picture) => answer.content_type("image/png").body(picture),
        Err(refusal) => refusal,
    }
}

/// The entity tag of a picture. What the public sees depends on the log and on the program, which another process may be; of a
/// line, the head also covers the logs that it continues.
fn tag_of(head: &Hash, ply: Option<u32>) -> EntityTag {
    static BEGUN: LazyLock<SystemTime> = LazyLock::new(SystemTime::now);
    let basis = format!("{:?} {head} {ply:?}", *BEGUN);
    EntityTag::new_strong(Hash::of_parts(&[basis.as_bytes()]).to_string()[..32].to_owned())
}

/// What the public sees at a ply, if the game has that many.
fn scene(replay: &Replay, ply: usize) -> Option<Scene> {
    let viewer = Caller::SPECTATOR.viewer(replay);
    let position = replay.position_at(ply)?;
    let index = ply.checked_sub(1).filter(|_| !replay.is_set_up(ply));
    let before = index.and_then(|index| Some((replay.position_at(index)?, &replay.mainline()[index])));
    let last = before.as_ref().map(|(before, done)| (before.as_ref(), done.actor, done.action.as_ref()));
    Some(position.scene(viewer, last))
}
