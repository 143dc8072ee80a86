//! Limits on comments, draw offers and answers.

use std::collections::BTreeMap;

use plybook_events::{Body, By, Event};
use serde::{Deserialize, Serialize};

/// The most comments of one seat in a game.
pub const COMMENTS_MAX: u32 = 1_000;

/// The most draws that one seat may offer in a game, and the most offers that it may answer.
pub const OFFERS_MAX: u32 = 100;

/// How many remarks of each kind a seat has made: comments, draw offers, and answers to offers.
type Counts = [u32; 3];

/// The limits on them, with their names.
const LIMITS: [(u32, &str); 3] =
    [(COMMENTS_MAX, "comments"), (OFFERS_MAX, "draw offers"), (OFFERS_MAX, "answers to draw offers")];

/// How many remarks each seat has made. A log may only have so many events; these limits keep a single seat from
/// using them up.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Remarks(BTreeMap<u8, Counts>);

impl Remarks {
    /// Counts an event.
    pub(super) fn apply(&mut self, event: &Event) {
        if let Some((seat, kind)) = remark(event.by, &event.body) {
            self.0.entry(seat).or_default()[kind] += 1;
        }
    }

    /// Checks that these events may follow.
    ///
    /// # Errors
    /// A seat has reached a limit; the text says which.
    pub(super) fn check(&self, decided: &[(By, Body)]) -> Result<(), String> {
        for (by, body) in decided {
            let Some((seat, kind)) = remark(*by, body) else { continue };
            let (limit, what) = LIMITS[kind];
            if self.0.get(&seat).is_some_and(|made| made[kind] >= limit) {
                return Err(format!("seat {seat} has made {limit} {what} in this game, as many as a seat may"));
            }
        }
        Ok(())
    }
}

/// The seat that makes a remark, and its index in [`Counts`]; `None` for other events.
fn remark(by: By, body: &Body) -> Option<(u8, usize)> {
    let By::Seat(seat) = by else { return None };
    let kind = match body {
        Body::Annotated(_) => 0,
        Body::DrawOffered(_) => 1,
        Body::DrawAnswered(_) => 2,
        _ => return None,
    };
    Some((seat, kind))
}
