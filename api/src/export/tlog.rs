//! The transparency log over HTTP, in the formats of <https://c2sp.org/tlog-tiles>: `/checkpoint` and `/tile/…`.
//!
//! Tiles of hashes are served, entries are not: among them are lines that are hidden and requests of clients. Their
//! hashes reveal nothing of them, as each has a random id in it. Records bring the entries that are public.

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse, web};
use plybook_http::AS_IT_IS;
use plybook_service::Service;
use plybook_service::error::Problem;
use plybook_tlog::Tile;

use super::work::{refused, work};

/// The price of reading a small file, in units.
const FILE_UNITS: u64 = 10;

/// The price of a tile, likewise: one of leaves may have to be made from a block or two of the journal.
const TILE_UNITS: u64 = 200;

const TEXT: &str = "text/plain; charset=utf-8";

/// `/checkpoint`: the last signed checkpoint.
pub(super) async fn checkpoint(service: web::Data<Service>) -> HttpResponse {
    match service.tlog() {
        Ok(tlog) => {
            let note = tlog.published().note.to_string();
            HttpResponse::Ok().insert_header((CONTENT_TYPE, TEXT)).insert_header((CACHE_CONTROL, "no-cache")).body(note)
        }
        Err(problem) => missing(&problem),
    }
}

/// `/checkpoint/keys`: the public keys, oldest first, each with the size of the tree from which it signs.
pub(super) async fn keys(request: HttpRequest, service: web::Data<Service>) -> HttpResponse {
    lines(&request, move || service.tlog()?.keys().map_err(Problem::internal)).await
}

/// `/checkpoint/rotations`: the rotations of the key, oldest first, each with its place in the tree.
pub(super) async fn rotations(request: HttpRequest, service: web::Data<Service>) -> HttpResponse {
    lines(&request, move || service.rotations()).await
}

/// Some lines of text that may grow.
async fn lines(request: &HttpRequest, read: impl FnOnce() -> Result<String, Problem> + Send + 'static) -> HttpResponse {
    match work(request, FILE_UNITS, read).await {
        Ok(text) => {
            HttpResponse::Ok().insert_header((CONTENT_TYPE, TEXT)).insert_header((CACHE_CONTROL, "no-cache")).body(text)
        }
        Err(refusal) => refusal,
    }
}

/// `/tile/{tile}`: a tile of hashes. It never changes, so it may be kept for ever.
pub(super) async fn tile(request: HttpRequest, service: web::Data<Service>, path: web::Path<String>) -> HttpResponse {
    let Ok(tile) = path.parse::<Tile>() else {
        return missing(&Problem::NotFound(
            "not a tile of hashes, which is written 0/x001/x234/067 or 0/x001/x234/067.p/8; entries are in records"
                .to_owned(),
        ));
    };
    let read = work(&request, TILE_UNITS, move || {
        let found = service.tlog()?.tile(service.log(), tile).map_err(Problem::internal)?;
        found.ok_or_else(|| {
            Problem::NotFound(
                "the last checkpoint does not cover this tile, or it is a part that no checkpoint ended with"
                    .to_owned(),
            )
        })
    });
    match read.await {
        Ok(hashes) => HttpResponse::Ok()
            .insert_header((CONTENT_TYPE, "application/octet-stream"))
            .insert_header((CACHE_CONTROL, "public, max-age=31536000, immutable"))
            // Hashes do not become shorter.
            .insert_header((CONTENT_ENCODING, AS_IT_IS))
            .body(hashes),
        Err(mut refusal) => {
            refusal.headers_mut().insert(CACHE_CONTROL, NO_STORE);
            refusal
        }
    }
}

/// What is not there may be there soon.
const NO_STORE: actix_web::http::header::HeaderValue = actix_web::http::header::HeaderValue::from_static("no-store");

fn missing(problem: &Problem) -> HttpResponse {
    let mut refusal = refused(problem);
    refusal.headers_mut().insert(CACHE_CONTROL, NO_STORE);
    refusal
}
