//! Reading what was written, on whatever node: answers tell the position in the journal, and a client may ask for one.

use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
use async_graphql::{Extensions, Value};
use tokio::time::{Instant, sleep};

use super::fault::{code, for_now};
use super::rejection::Rejection;
use crate::site::Site;

/// The header of an answer with the number of events that the node had when it was sent: what it shows, and what a mutation has
/// recorded, is among them.
pub const POSITION: HeaderName = HeaderName::from_static("plybook-position");

/// The header of a request with the number of events that the answer has to take into account.
pub const MIN_POSITION: HeaderName = HeaderName::from_static("plybook-min-position");

/// How long a request waits for them.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long between two looks: first, as long as other nodes take to hear of an event; then longer, since a client that waits in vain
/// should not cost more than a few dozen.
const PAUSE: Duration = Duration::from_millis(5);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// The extension of a request with the same number, for clients that cannot set headers.
const EXTENSION: &str = "minPosition";

/// What the header of a request demands.
pub(super) fn of_headers(headers: &HeaderMap) -> Result<Option<u64>, Rejection> {
    let wanted = |value: &HeaderValue| value.to_str().ok()?.parse().ok();
    headers.get(MIN_POSITION).map(|value| wanted(value).ok_or_else(unclear)).transpose()
}

/// What its extension demands.
pub(super) fn of_extensions(extensions: &Extensions) -> Result<Option<u64>, Rejection> {
    let wanted = |value: &Value| serde_json::from_value(value.clone().into_json().ok()?).ok();
    extensions.get(EXTENSION).map(|value| wanted(value).ok_or_else(unclear)).transpose()
}

fn unclear() -> Rejection {
    Rejection::bad_request(
        "Plybook-Min-Position, or `minPosition` in `extensions`, is a number of events, as Plybook-Position tells it",
    )
}

/// Waits until as many events are applied as a request demands.
pub(super) async fn reach(wanted: Option<u64>, site: &Site) -> Result<(), Rejection> {
    let (Some(wanted), Some(positions)) = (wanted, &site.positions) else { return Ok(()) };
    let (deadline, mut pause) = (Instant::now() + PATIENCE, PAUSE);
    loop {
        let applied = (positions.applied)();
        if applied >= wanted {
            return Ok(());
        }
        if Instant::now() >= deadline {
            let says = format!(
                "this node has {applied} events, and {wanted} were asked for: retry later, or ask another node"
            );
            return Err(Rejection::unavailable(for_now(code::BEHIND, says)));
        }
        sleep(pause).await;
        pause = LONGEST_PAUSE.min(2 * pause);
    }
}

/// Tells the position with an answer.
pub(super) fn tell(response: &mut HttpResponse, site: &Site) {
    if let Some(positions) = &site.positions {
        response.headers_mut().insert(POSITION, HeaderValue::from((positions.recorded)()));
    }
}
