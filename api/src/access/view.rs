//! What a caller may see. Nothing here waits for the disk.

use plybook_rules::Viewer;
use plybook_rules::log::Replay;

use super::caller::Caller;
use super::desk::Desk;
use crate::error::Problem;

impl Desk {
    /// Who is served here.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The viewer whose view of a game the caller gets: the one that is asked for, or the default.
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
        Err(Problem::Forbidden(format!("what {whose} sees of a running game is not for you to know")))
    }
}
