//! The measures of TRI.

use super::board::Board;
use super::notation::Action;
use super::shape::{ISLANDS, SPACES, islands, spaces};
use crate::measure::texts;
use crate::{Heat, Marks, Measure};

/// The counts of a game.
#[derive(Default)]
pub(crate) struct Counts {
    islands_most: i64,
    islands_taken: i64,
    keys_taken: i64,
    expansions: i64,
    moves: i64,
    rotations: i64,
    group_rotations: i64,
    key_rotations: i64,
    islands_turned: i64,
    /// By the seat that captured.
    captures: [i64; 2],
    own_captures: i64,
    outgrown: i64,
    visits_at: Marks<PLACES_MAX>,
    captures_at: Marks<PLACES_MAX>,
    rotations_at: Marks<PLACES_MAX>,
}

impl Counts {
    /// The pieces that a seat captured in its turns.
    pub(super) fn captured(&self, seat: usize) -> i64 {
        self.captures[seat]
    }
}

const PLACES_MAX: usize = SPACES + ISLANDS;

pub(super) const MEASURES: &[Measure<Board>] = &[
    Measure::always("islandsEnd", "Islands controlled at the end, by both seats.", |game| {
        held(game.position, 0) + held(game.position, 1)
    }),
    Measure::of_winner(
        "islandsWinner",
        "Islands that the winner controls at the end; none without a winner.",
        |game, winner| held(game.position, winner),
    ),
    Measure::of_winner(
        "islandsLoser",
        "Islands that the loser controls at the end; none without a winner.",
        |game, winner| held(game.position, 1 - winner),
    ),
    Measure::always("islandsMost", "The most islands that one seat controlled at once.", |game| {
        game.counts.islands_most.max(held(game.position, 0)).max(held(game.position, 1))
    }),
    Measure::counted("islandsTaken", "How often a seat came to control an island, keys included.", |of| {
        of.islands_taken
    }),
    Measure::counted("keysTaken", "How often a seat came to control a key island.", |of| of.keys_taken),
    Measure::counted("expansions", "New pieces placed, by both seats.", |of| of.expansions),
    Measure::counted("moves", "Pieces moved, by both seats.", |of| of.moves),
    Measure::counted("rotations", "Rotations, by both seats.", |of| of.rotations),
    Measure::counted("groupRotations", "Rotations of two islands or more.", |of| of.group_rotations),
    Measure::counted("keyRotations", "Rotations with a key among the islands that turned.", |of| of.key_rotations),
    Measure::counted("islandsTurned", "Islands turned, those of each rotation added up.", |of| of.islands_turned),
    Measure::counted("captures", "Pieces captured by the seat on turn, of both seats.", |of| of.captures.iter().sum()),
    Measure::of_winner(
        "capturesWinner",
        "Pieces that the winner captured in its turns; none without a winner.",
        |game, winner| game.counts.captures[winner],
    ),
    Measure::counted("ownCaptures", "Pieces that a seat lost to captures in its own turn.", |of| of.own_captures),
    Measure::counted("outgrown", "How often a full island lost the pieces on its centres.", |of| of.outgrown),
    Measure::always("piecesEnd", "Pieces on the board at the end, of both seats.", |game| {
        i64::from((game.position.pieces[0] | game.position.pieces[1]).count_ones())
    }),
];

pub(super) const HEAT: &[Heat<Counts>] = &[
    Heat::new("visits", "Pieces placed on the space or moved to it.", |counts| &counts.visits_at),
    Heat::new("captures", "Pieces captured on the space.", |counts| &counts.captures_at),
    Heat::new("rotations", "Rotations with the island among those that turned.", |counts| &counts.rotations_at),
];

/// The spaces, then the islands.
pub(super) const PLACES: [&str; PLACES_MAX] = texts(&NAMES);

const NAMES: [[u8; 2]; PLACES_MAX] = {
    let mut names = [[0; 2]; PLACES_MAX];
    let mut island = 0;
    while island < ISLANDS {
        let letter = b'A' + island as u8;
        let mut space = 0;
        while space < 8 {
            names[8 * island + space] = [letter, b'1' + space as u8];
            space += 1;
        }
        names[SPACES + island][0] = letter;
        island += 1;
    }
    names
};

pub(super) fn count(before: &Board, action: Action, after: &Board, counts: &mut Counts) {
    match action {
        Action::Place(space) => {
            counts.expansions += 1;
            counts.visits_at.add(space);
        }
        Action::Move { to, .. } => {
            counts.moves += 1;
            counts.visits_at.add(to);
        }
        Action::Rotate(rotation) => {
            counts.rotations += 1;
            counts.group_rotations += i64::from(rotation.cost() > 1);
            counts.key_rotations += i64::from(rotation.group & before.keys != 0);
            counts.islands_turned += i64::from(rotation.cost());
            for island in islands(rotation.group) {
                counts.rotations_at.add(SPACES + usize::from(island));
            }
        }
    }
    for seat in 0..2 {
        let (held, holds) = (before.controlled(seat), after.controlled(seat));
        counts.islands_most = counts.islands_most.max(size(held));
        counts.islands_taken += size(holds & !held);
        counts.keys_taken += size(holds & !held & before.keys);
    }
    count_losses(before, action, after, counts);
}

fn count_losses(before: &Board, action: Action, after: &Board, counts: &mut Counts) {
    let Some(losses) = before.losses(action, after) else { return };
    for seat in 0..2 {
        counts.captures[seat] += i64::from(losses.captured[seat].count_ones());
    }
    counts.own_captures += i64::from(losses.own.count_ones());
    counts.outgrown += size(losses.outgrown);
    for space in spaces(losses.captured[0] | losses.captured[1] | losses.own) {
        counts.captures_at.add(space);
    }
}

/// The number of islands that a seat controls.
fn held(board: &Board, seat: usize) -> i64 {
    size(board.controlled(seat))
}

/// The number of islands in a set.
fn size(set: u16) -> i64 {
    i64::from(set.count_ones())
}
