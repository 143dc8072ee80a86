//! What is measured of a game of TRI.

use super::notation::Action;
use super::position::Board;
use super::shape::{ISLANDS, SPACES, islands, spaces};
use crate::tally::{index, names};
use crate::{Measure, Tally};

pub(super) const MEASURES: &[Measure] = &[
    Measure { name: "islandsEnd", description: "Islands controlled at the end, by both seats." },
    Measure {
        name: "islandsWinner",
        description: "Islands that the winner controls at the end; none without a winner.",
    },
    Measure { name: "islandsLoser", description: "Islands that the loser controls at the end; none without a winner." },
    Measure { name: "islandsMost", description: "The most islands that one seat controlled at once." },
    Measure { name: "islandsTaken", description: "How often a seat came to control an island, keys included." },
    Measure { name: "keysTaken", description: "How often a seat came to control a key island." },
    Measure { name: "expansions", description: "New pieces placed, by both seats." },
    Measure { name: "moves", description: "Pieces moved, by both seats." },
    Measure { name: "rotations", description: "Rotations, by both seats." },
    Measure { name: "groupRotations", description: "Rotations of two islands or more." },
    Measure { name: "keyRotations", description: "Rotations with a key among the islands that turned." },
    Measure { name: "islandsTurned", description: "Islands turned, those of each rotation added up." },
    Measure { name: "captures", description: "Pieces captured by the seat on turn, of both seats." },
    Measure {
        name: "capturesWinner",
        description: "Pieces that the winner captured in its turns; none without a winner.",
    },
    Measure { name: "ownCaptures", description: "Pieces that a seat lost to captures in its own turn." },
    Measure { name: "outgrown", description: "How often a full island lost the pieces on its centres." },
    Measure { name: "piecesEnd", description: "Pieces on the board at the end, of both seats." },
];

pub(super) const HEAT: &[Measure] = &[
    Measure { name: "visits", description: "Pieces placed on the space or moved to it." },
    Measure { name: "captures", description: "Pieces captured on the space." },
    Measure { name: "rotations", description: "Rotations with the island among those that turned." },
];

/// The spaces, then the islands.
pub(super) const PLACES: [&str; SPACES + ISLANDS] = names(&NAMES);

const NAMES: [[u8; 2]; SPACES + ISLANDS] = {
    let mut names = [[0; 2]; SPACES + ISLANDS];
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

const ISLANDS_END: usize = index(MEASURES, "islandsEnd");
const ISLANDS_WINNER: usize = index(MEASURES, "islandsWinner");
const ISLANDS_LOSER: usize = index(MEASURES, "islandsLoser");
const ISLANDS_MOST: usize = index(MEASURES, "islandsMost");
const ISLANDS_TAKEN: usize = index(MEASURES, "islandsTaken");
const KEYS_TAKEN: usize = index(MEASURES, "keysTaken");
const EXPANSIONS: usize = index(MEASURES, "expansions");
const MOVES: usize = index(MEASURES, "moves");
const ROTATIONS: usize = index(MEASURES, "rotations");
const GROUP_ROTATIONS: usize = index(MEASURES, "groupRotations");
const KEY_ROTATIONS: usize = index(MEASURES, "keyRotations");
const ISLANDS_TURNED: usize = index(MEASURES, "islandsTurned");
const CAPTURES: usize = index(MEASURES, "captures");
const CAPTURES_WINNER: usize = index(MEASURES, "capturesWinner");
const OWN_CAPTURES: usize = index(MEASURES, "ownCaptures");
const OUTGROWN: usize = index(MEASURES, "outgrown");
const PIECES_END: usize = index(MEASURES, "piecesEnd");

const HEAT_VISITS: usize = index(HEAT, "visits");
const HEAT_CAPTURES: usize = index(HEAT, "captures");
const HEAT_ROTATIONS: usize = index(HEAT, "rotations");

pub(super) fn count(before: &Board, action: Action, after: &Board, tally: &mut Tally) {
    match action {
        Action::Place(space) => {
            tally.add(EXPANSIONS, 1);
            tally.mark(HEAT_VISITS, usize::from(space));
        }
        Action::Move { to, .. } => {
            tally.add(MOVES, 1);
            tally.mark(HEAT_VISITS, usize::from(to));
        }
        Action::Rotate(rotation) => {
            tally.add(ROTATIONS, 1);
            tally.add(GROUP_ROTATIONS, i64::from(rotation.cost() > 1));
            tally.add(KEY_ROTATIONS, i64::from(rotation.group & before.keys != 0));
            tally.add(ISLANDS_TURNED, i64::from(rotation.cost()));
            for island in islands(rotation.group) {
                tally.mark(HEAT_ROTATIONS, SPACES + usize::from(island));
            }
        }
    }
    for seat in 0..2 {
        let (held, holds) = (before.controlled(seat), after.controlled(seat));
        tally.raise(ISLANDS_MOST, size(held));
        tally.add(ISLANDS_TAKEN, size(holds & !held));
        tally.add(KEYS_TAKEN, size(holds & !held & before.keys));
    }
    count_losses(before, action, after, tally);
}

fn count_losses(before: &Board, action: Action, after: &Board, tally: &mut Tally) {
    let Some(losses) = before.losses(action, after) else { return };
    for seat in 0..2 {
        let captured = i64::from(losses.captured[seat].count_ones());
        tally.add(CAPTURES, captured);
        *tally.note_mut(seat) += captured;
    }
    tally.add(OWN_CAPTURES, i64::from(losses.own.count_ones()));
    tally.add(OUTGROWN, size(losses.outgrown));
    for space in spaces(losses.captured[0] | losses.captured[1] | losses.own) {
        tally.mark(HEAT_CAPTURES, usize::from(space));
    }
}

pub(super) fn standing(board: &Board, winners: &[u8], tally: &mut Tally) {
    let winner = if let [seat] = winners { Some(usize::from(*seat) - 1) } else { None };
    let held = [0, 1].map(|seat| size(board.controlled(seat)));
    tally.raise(ISLANDS_MOST, held[0].max(held[1]));
    tally.set(ISLANDS_END, Some(held[0] + held[1]));
    tally.set(ISLANDS_WINNER, winner.map(|seat| held[seat]));
    tally.set(ISLANDS_LOSER, winner.map(|seat| held[1 - seat]));
    tally.set(CAPTURES_WINNER, winner.map(|seat| tally.note(seat)));
    tally.set(PIECES_END, Some(i64::from((board.pieces[0] | board.pieces[1]).count_ones())));
}

/// How many islands a set has.
fn size(set: u16) -> i64 {
    i64::from(set.count_ones())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Tri;
    use super::*;
    use crate::Game;
    use crate::counted::Counted;

    /// A board in grid formation with pieces of one's own; C, E and G are keys.
    fn grid(one: &str, two: &str) -> Counted<Board> {
        let places: Vec<[i32; 3]> = (0..9).map(|island| [island % 3, island / 3, 0]).collect();
        let names = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        let start = json!({"1": names(one), "2": names(two)});
        let setup = json!({"islands": places, "keys": ["C", "E", "G"], "start": start});
        Counted::new("tri", Tri::start(&setup).expect("a setup"))
    }

    #[test]
    fn captures_are_those_of_the_seat_on_turn() {
        // A1 has lost its last liberty, A2.
        let mut game = grid("A4 B8", "A1 C8");
        game.play("A4-A2");
        assert_eq!(game.values(&[1]), "moves 1, captures 1, capturesWinner 1, piecesEnd 3");
        assert_eq!(game.values(&[2]), "moves 1, captures 1, piecesEnd 3");
        assert_eq!((game.heat("visits"), game.heat("captures")), ("A2 1".to_owned(), "A1 1".to_owned()));
        // Seat 1 walks into a corner that has none, and seat 2 stays in control of A.
        let mut game = grid("A3 I8", "A2 A7");
        game.play("A3-A1");
        assert_eq!(
            game.values(&[2]),
            "islandsEnd 1, islandsWinner 1, islandsMost 1, moves 1, ownCaptures 1, piecesEnd 3"
        );
        assert_eq!((game.heat("visits"), game.heat("captures")), ("A1 1".to_owned(), "A1 1".to_owned()));
    }

    #[test]
    fn centres_of_a_full_island_are_not_captured() {
        let mut game = grid("A1 A2 A3 A4 A5 A6 A7", "I1 I2 I3 I4 I5 I6 I7");
        game.play("x:A8");
        assert_eq!(
            game.values(&[]),
            "islandsEnd 1, islandsWinner none, islandsLoser none, islandsMost 1, expansions 1, capturesWinner none, \
             outgrown 1, piecesEnd 13"
        );
        assert_eq!((game.heat("visits"), game.heat("captures")), ("A8 1".to_owned(), String::new()));
    }

    #[test]
    fn islands_taken_and_turned() {
        let mut game = grid("C2 C8", "H3 H6");
        game.play("C8-C7");
        assert_eq!(
            game.values(&[1]),
            "islandsEnd 1, islandsWinner 1, islandsMost 1, islandsTaken 1, keysTaken 1, moves 1, piecesEnd 4"
        );
        assert_eq!(game.values(&[2]).split(", ").nth(1), Some("islandsLoser 1"));
        let mut game = grid("B3 B6", "H3 H6");
        game.play("r:C@f+");
        assert_eq!(game.values(&[1]), "rotations 1, keyRotations 1, islandsTurned 1, piecesEnd 4");
        // B is controlled, expands and gives a second action: A and B turn together.
        let mut game = grid("B2 B7", "H3 H6");
        game.play("x:B1 r:AB@Br+");
        assert_eq!(
            game.values(&[1]),
            "islandsEnd 1, islandsWinner 1, islandsMost 1, expansions 1, rotations 1, groupRotations 1, \
             islandsTurned 2, piecesEnd 5"
        );
        assert_eq!(game.heat("rotations"), "A 1, B 1");
    }

    #[test]
    fn pieces_add_up() {
        let (mut captures, mut outgrown) = (0, 0);
        for seed in 0..30 {
            let formation = ["grid", "river"][seed as usize % 2];
            let start = Tri::start(&json!({"formation": formation})).expect("a formation");
            let mut game = Counted::new("tri", start);
            game.play_at_random(seed, 300);
            game.values(&[]);
            let lost = game.value("captures") + game.value("ownCaptures") + 2 * game.value("outgrown");
            assert_eq!(game.value("piecesEnd"), 4 + game.value("expansions") - lost);
            assert_eq!(game.heat_sum("captures"), game.value("captures") + game.value("ownCaptures"));
            assert_eq!(game.heat_sum("visits"), game.value("moves") + game.value("expansions"));
            assert_eq!(game.heat_sum("rotations"), game.value("islandsTurned"));
            (captures, outgrown) = (captures + game.value("captures"), outgrown + game.value("outgrown"));
        }
        assert!(captures > 0 && outgrown > 0, "there is something to add up");
    }
}
