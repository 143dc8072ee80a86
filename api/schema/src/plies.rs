//! The plies of a game that are asked for, and the positions at them.

use std::ops::Range;
use std::sync::Arc;

use plybook_rules::log::{Replay, Status};
use plybook_rules::{AnyPosition, Viewer};
use plybook_service::error::Problem;

use super::position::{Outcome, Position};

/// The most positions in one answer.
const POSITIONS_MAX: usize = 500;

/// Checks that a game has a ply.
pub(super) fn check_ply(replay: &Replay, ply: i32) -> Result<usize, Problem> {
    let plies = replay.mainline().len();
    usize::try_from(ply)
        .ok()
        .filter(|ply| *ply <= plies)
        .ok_or_else(|| Problem::BadInput(format!("the game has plies 0 to {plies}, there is no ply {ply}")))
}

/// The plies from `from` to `to`, as far as the game has them.
pub(super) fn read_plies(replay: &Replay, from: Option<i32>, to: Option<i32>) -> Result<Range<usize>, Problem> {
    let from = check_ply(replay, from.unwrap_or(0))?;
    let last = replay.mainline().len();
    let to = match to.map(usize::try_from) {
        None => last.min(from + POSITIONS_MAX - 1),
        Some(Ok(to)) => to.min(last),
        Some(Err(_)) => return Err(Problem::BadInput("`to` is a ply, from 0".to_owned())),
    };
    if to >= from + POSITIONS_MAX {
        return Err(Problem::BadInput(format!("at most {POSITIONS_MAX} positions a request: {from} to {to} are more")));
    }
    Ok(from..from.max(to + 1))
}

/// The position at a ply, if the game has that many.
pub(super) fn position_at(replay: &Replay, viewer: Viewer, ply: usize) -> Option<Position> {
    (ply <= replay.mainline().len()).then(|| positions(replay, viewer, ply..ply + 1).pop())?
}

/// The positions of a range of plies, each one action after the previous one.
pub(super) fn positions(replay: &Replay, viewer: Viewer, plies: Range<usize>) -> Vec<Position> {
    let mut before: Option<Arc<dyn AnyPosition>> =
        plies.start.checked_sub(1).and_then(|ply| replay.position_at(ply)).map(Arc::from);
    let mut found = Vec::with_capacity(plies.len());
    for ply in plies {
        let done = ply.checked_sub(1).filter(|_| !replay.is_set_up(ply)).map(|index| &replay.mainline()[index]);
        let position: Arc<dyn AnyPosition> = match &before {
            Some(before) => {
                let mut position = before.boxed();
                replay.step(&mut position, ply);
                Arc::from(position)
            }
            None => Arc::from(replay.position_at(ply).expect("the ply was checked")),
        };
        let is_last = ply == replay.mainline().len();
        let ended = replay.end().filter(|_| is_last);
        // The scene itself hides what the viewer may not know about the action.
        let last = before.take().zip(done).map(|(before, done)| (before, done.actor, Arc::clone(&done.action)));
        found.push(Position {
            ply,
            inner: Arc::clone(&position),
            last,
            viewer,
            is_running: !is_last || replay.status() == Status::Running,
            outcome: ended.map(|end| Outcome { outcome: end.outcome.clone(), decided_by: end.decided_by }),
        });
        before = Some(position);
    }
    found
}

/// The number of positions that the price counts.
pub(super) fn span(from: Option<i32>, to: Option<i32>) -> usize {
    let from = from.unwrap_or(0).max(0);
    let span = to.map_or(POSITIONS_MAX as i32, |to| to.saturating_sub(from).saturating_add(1));
    (span.max(1) as usize).min(POSITIONS_MAX)
}
