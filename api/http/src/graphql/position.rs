//! Reading what was written, on whatever node: answers tell the position in the journal, and a client may ask for one.

use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header::{HeaderMap, HeaderName, HeaderValue};
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

/// How long between two looks: a tenth of what other nodes take to hear of an event.
const PAUSE: Duration = Duration::from_millis(10);

/// Waits until as many events are applied as the header of a request demands.
pub(super) async fn reach(headers: &HeaderMap, site: &Site) -> Result<(), Rejection> {
    let Some(wanted) = headers.get(MIN_POSITION) else { return Ok(()) };
    let wanted: u64 = wanted.to_str().ok().and_then(|wanted| wanted.parse().ok()).ok_or_else(|| {
        Rejection::bad_request("Plybook-Min-Position is a number of events, as Plybook-Position tells it")
    })?;
    let Some(positions) = &site.positions else { return Ok(()) };
    let deadline = Instant::now() + PATIENCE;
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
        sleep(PAUSE).await;
    }
}

/// Tells the position with an answer.
pub(super) fn tell(response: &mut HttpResponse, site: &Site) {
    if let Some(positions) = &site.positions {
        response.headers_mut().insert(POSITION, HeaderValue::from((positions.recorded)()));
    }
}
