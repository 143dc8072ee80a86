//! What a caller may see.

use std::collections::BTreeSet;

use plybook_events::Actor;
use plybook_models::Filter;
use plybook_rules::log::Replay;
use plybook_rules::{AnyPosition, Viewer};
use serde_json::Value;

use super::desk::Desk;
use crate::error::Problem;
use crate::load::Meter;
use crate::{Feed, FeedStart, TreePage, TreePart, TreeReader};

impl Desk {
    /// The viewer as whom the caller sees a game: the requested one, or the default.
    ///
    /// # Errors
    /// There is no such seat, or the caller may not see what that viewer sees.
    pub fn viewer(&self, game: &Replay, asked: Option<Viewer>) -> Result<Viewer, Problem> {
        let Some(viewer) = asked else { return Ok(self.caller.viewer(game)) };
        let seats = game.position().seats();
        if matches!(viewer, Viewer::Seat(seat) if seat > seats) {
            return Err(Problem::BadInput(format!("seats are numbered from 1 to {seats}")));
        }
        if self.caller.may_view(game, viewer) {
            return Ok(viewer);
        }
        let whose = match viewer {
            Viewer::Seat(seat) => format!("seat {seat}"),
            Viewer::All | Viewer::Public => "somebody who knows everything".to_owned(),
        };
        Err(Problem::Forbidden(format!("what {whose} sees of a running game is secret")))
    }

    /// The setup of a game, as far as the caller may see it.
    pub fn setup(&self, game: &Replay) -> Value {
        match self.caller.viewer(game) {
            Viewer::All => game.setup().clone(),
            viewer => game.rules().setup_for(game.setup(), viewer),
        }
    }

    /// The events of the games that a filter accepts: the same for everybody, as the logs of games are public. Of
    /// lines, those that are hidden from the caller are left out.
    ///
    /// # Errors
    /// The caller may not see hidden lines, the filter asks for what changes, or see
    /// [`Service::open_feed`](crate::Service::feed).
    pub fn feed(&self, filter: Filter, start: FeedStart, wants_hidden: bool) -> Result<Feed, Problem> {
        let audience = self.audience(wants_hidden)?;
        self.service.open_feed(filter.followed_by(audience)?, start)
    }

    /// A part of the variation tree of a game.
    ///
    /// # Errors
    /// The caller may not see hidden lines, or see [`crate::Service::tree`].
    pub fn tree(
        &self,
        game: &Replay,
        wants_hidden: bool,
        page: &TreePage,
        meter: &Meter<'_>,
    ) -> Result<TreePart, Problem> {
        let audience = self.audience(wants_hidden)?;
        let may_arrange = |owner| self.keeps(owner, game.root());
        let reader = TreeReader { viewer: self.caller.viewer(game), audience, may_arrange: &may_arrange };
        self.service.tree(game, &reader, page, meter)
    }
}

/// How many positions that look the same to a viewer are asked for what is legal: enough for each thing that a seat may
/// hold.
const GUESSES: u32 = 12;

/// The legal actions of an actor, if they can be listed. To a viewer who does not know what the actor knows, those that
/// may be legal: in positions that look the same to that viewer, which do not depend on what is hidden.
pub fn legal_actions(position: &dyn AnyPosition, viewer: Viewer, actor: Actor) -> Option<Vec<String>> {
    if actor == Actor::Chance || viewer.knows(actor) {
        return position.legal(actor);
    }
    let mut found = BTreeSet::new();
    for number in 0..GUESSES {
        found.extend(position.guess(viewer, &mut |below| number % below).legal(actor)?);
    }
    Some(found.into_iter().collect())
}
