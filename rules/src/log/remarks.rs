//! Limits on comments, draw offers and answers.

use std::collections::BTreeMap;

use plybook_events::{Body, By, Event};

/// The most comments of one seat in a game.
pub const COMMENTS_MAX: u32 = 1_000;

/// The most draws that one seat may offer in a game, and the most offers that it may answer.
pub const OFFERS_MAX: u32 = 100;

/// A seat, and an event type.
type Key = (u8, &'static str);

/// How many remarks each seat has made, by event type. A log may only have so many events; these limits keep
/// a single seat from using them up.
#[derive(Clone, Debug, Default)]
pub(super) struct Remarks(BTreeMap<Key, u32>);

impl Remarks {
    /// Counts an event.
    pub(super) fn apply(&mut self, event: &Event) {
        if let Some((key, _)) = kind(event.by, &event.body) {
            *self.0.entry(key).or_default() += 1;
        }
    }

    /// Checks that these events may follow.
    ///
    /// # Errors
    /// A seat has reached a limit; the text says which.
    pub(super) fn check(&self, decided: &[(By, Body)]) -> Result<(), String> {
        for (by, body) in decided {
            let Some((key, (limit, what))) = kind(*by, body) else { continue };
            if self.0.get(&key).copied().unwrap_or(0) >= limit {
                let seat = key.0;
                return Err(format!("seat {seat} has made {limit} {what} in this game, as many as a seat may"));
            }
        }
        Ok(())
    }
}

/// What an event counts as, with its limit and its name; `None` if it is not limited.
fn kind(by: By, body: &Body) -> Option<(Key, (u32, &'static str))> {
    let By::Seat(seat) = by else { return None };
    let bound = match body {
        Body::Annotated(_) => (COMMENTS_MAX, "comments"),
        Body::DrawOffered(_) => (OFFERS_MAX, "draw offers"),
        Body::DrawAnswered(_) => (OFFERS_MAX, "answers to draw offers"),
        _ => return None,
    };
    Some(((seat, body.type_name()), bound))
}
