//! Baku acceleration: virtual points in the first rounds for the upper half.

use crate::{History, Points};

/// Gives the upper half of those who began the tournament virtual points in the first half of the planned
/// rounds.
///
/// The upper half is rounded up to an even number, the number of accelerated rounds is rounded up. The first
/// half of these rounds, rounded up, give the points for a win, the others those for a draw. Without a
/// planned number of rounds, nothing is done. Late entrants belong to the lower half.
///
/// # Source
/// FIDE Handbook C.04.5.1.
pub fn accelerate(history: &mut History, win: Points, draw: Points) {
    let Some(planned) = history.rounds_planned else { return };
    let upper = 2 * history.starters().count().div_ceil(4);
    let accelerated = usize::from(planned).div_ceil(2);
    let full = accelerated.div_ceil(2);
    let points: Vec<Points> = (0..accelerated).map(|round| if round < full { win } else { draw }).collect();
    for entrant in history.entrants.iter_mut().filter(|entrant| entrant.is_starter()).take(upper) {
        entrant.acceleration.clone_from(&points);
    }
}
