//! What is measured of a game of Triangulate.

use super::notation::Move;
use super::position::{Board, squares};
use crate::tally::{index, names};
use crate::{Measure, Tally};

pub(super) const MEASURES: &[Measure] = &[
    Measure { name: "stacks", description: "Stacks made: moves of a frog onto a single other frog, anybody's." },
    Measure { name: "blocks", description: "Stacks made on a frog of the other seat, which it blocks." },
    Measure { name: "slides", description: "Slides made, of two squares or more, by both seats." },
    Measure { name: "slidesWinner", description: "Slides made by the winner; none without a winner." },
    Measure { name: "longestSlide", description: "The longest slide, in squares; none where nobody slid." },
    Measure { name: "padsMost", description: "The most pads on the board at once, of both seats." },
    Measure { name: "padsEnd", description: "Pads on the board at the end, of both seats." },
    Measure { name: "padsWinner", description: "The winner's pads on the board at the end; none without a winner." },
    Measure { name: "padsReplaced", description: "Pads put in the place of one of the other seat." },
    Measure {
        name: "extraPad",
        description: "1 where seat 2 added its extra pad, else 0; none before its first move.",
    },
    Measure { name: "wonBySlide", description: "1 where the third frog came by a slide, 0 by a step; none without." },
];

pub(super) const HEAT: &[Measure] = &[
    Measure { name: "visits", description: "Frogs that came to the square." },
    Measure { name: "stacks", description: "Stacks made on the square." },
    Measure { name: "pads", description: "Pads placed on the square." },
    Measure { name: "replaced", description: "Pads of the other seat replaced on the square." },
];

pub(super) const PLACES: [&str; 64] = names(&SQUARES);

const SQUARES: [[u8; 2]; 64] = {
    let mut names = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        names[square] = [b'a' + square as u8 % 8, b'1' + square as u8 / 8];
        square += 1;
    }
    names
};

const STACKS: usize = index(MEASURES, "stacks");
const BLOCKS: usize = index(MEASURES, "blocks");
const SLIDES: usize = index(MEASURES, "slides");
const SLIDES_WINNER: usize = index(MEASURES, "slidesWinner");
const LONGEST_SLIDE: usize = index(MEASURES, "longestSlide");
const PADS_MOST: usize = index(MEASURES, "padsMost");
const PADS_END: usize = index(MEASURES, "padsEnd");
const PADS_WINNER: usize = index(MEASURES, "padsWinner");
const PADS_REPLACED: usize = index(MEASURES, "padsReplaced");
const EXTRA_PAD: usize = index(MEASURES, "extraPad");
const WON_BY_SLIDE: usize = index(MEASURES, "wonBySlide");

const HEAT_VISITS: usize = index(HEAT, "visits");
const HEAT_STACKS: usize = index(HEAT, "stacks");
const HEAT_PADS: usize = index(HEAT, "pads");
const HEAT_REPLACED: usize = index(HEAT, "replaced");

pub(super) fn count(before: &Board, action: Move, after: &Board, tally: &mut Tally) {
    let Move::Frog { from, to, extra } = action else { return };
    let (seat, here) = (before.turn, 1u64 << to);
    let length = (from % 8).abs_diff(to % 8).max((from / 8).abs_diff(to / 8));
    tally.mark(HEAT_VISITS, usize::from(to));
    if length > 1 {
        tally.add(SLIDES, 1);
        tally.raise(LONGEST_SLIDE, i64::from(length));
        *tally.note_mut(seat) += 1;
    }
    if after.third != 0 {
        tally.set(WON_BY_SLIDE, Some(i64::from(length > 1)));
    } else if before.occupied() & here != 0 {
        tally.add(STACKS, 1);
        tally.add(BLOCKS, i64::from(before.lower[1 - seat] & here != 0));
        tally.mark(HEAT_STACKS, usize::from(to));
    }
    tally.add(EXTRA_PAD, i64::from(extra.is_some()));
    for square in squares(after.pads[seat] & !before.pads[seat]) {
        tally.mark(HEAT_PADS, usize::from(square));
    }
    for square in squares(before.pads[1 - seat] & !after.pads[1 - seat]) {
        tally.add(PADS_REPLACED, 1);
        tally.mark(HEAT_REPLACED, usize::from(square));
    }
    tally.raise(PADS_MOST, pads(after));
}

pub(super) fn standing(board: &Board, winners: &[u8], tally: &mut Tally) {
    let winner = if let [seat] = winners { Some(usize::from(*seat) - 1) } else { None };
    tally.set(SLIDES_WINNER, winner.map(|seat| tally.note(seat)));
    tally.set(PADS_WINNER, winner.map(|seat| i64::from(board.pads[seat].count_ones())));
    tally.set(PADS_END, Some(pads(board)));
    tally.only_if(tally.value(SLIDES) > 0, LONGEST_SLIDE);
    tally.only_if(!board.fresh, EXTRA_PAD);
    tally.only_if(board.third != 0, WON_BY_SLIDE);
}

/// The pads on the board.
fn pads(board: &Board) -> i64 {
    i64::from((board.pads[0] | board.pads[1]).count_ones())
}

#[cfg(test)]
mod tests {
    use super::super::position::START;
    use super::*;
    use crate::counted::Counted;

    #[test]
    fn a_game_counted_by_hand() {
        let mut game = Counted::new("triangulate", Board::start());
        assert_eq!(
            game.values(&[]),
            "slidesWinner none, longestSlide none, padsWinner none, extraPad none, wonBySlide none"
        );
        // Two pads come with seat 2's first move; it takes b2 over, is sat on there, and slides back to c2.
        game.play("b1-b2 d1-d2+f6 e1-d1 d2-c2 b2-b3 c2-b2 b3-b2 g1-f1 h2-g2 f1-e2 g2-h2 e2-c2");
        assert_eq!(
            game.values(&[2]),
            "stacks 1, blocks 1, slides 1, slidesWinner 1, longestSlide 2, padsMost 10, padsEnd 10, padsWinner 6, \
             padsReplaced 1, extraPad 1, wonBySlide none"
        );
        assert_eq!(game.heat("visits"), "d1 1, f1 1, b2 3, c2 2, d2 1, e2 1, g2 1, h2 1, b3 1");
        assert_eq!(game.heat("pads"), "d1 1, f1 1, b2 2, c2 1, d2 1, e2 1, g2 1, h2 1, b3 1, f6 1");
        assert_eq!((game.heat("stacks"), game.heat("replaced")), ("b2 1".to_owned(), "b2 1".to_owned()));
        assert!(
            game.values(&[1]).contains("longestSlide 2, padsMost 10, padsEnd 10, padsWinner 4"),
            "it did not slide"
        );
        assert!(game.values(&[]).contains("slidesWinner none"), "what was said of a winner is forgotten");
    }

    /// Seat 1 has two frogs on h2, pads from f2 to h2, and a frog on a square of row 2.
    fn two_on_h2(third: u8) -> Board {
        let mut board = Board { pads: [0xe000, 0], supply: [29, 32], ..Board::start() };
        board.lower[0] = START[0] & !0x12 | 1 << third;
        board.upper[0] = 1 << 15;
        board
    }

    #[test]
    fn the_third_frog_comes_by_a_slide_or_a_step() {
        let mut game = Counted::new("triangulate", two_on_h2(12));
        game.play("e2-h2");
        assert_eq!(
            game.values(&[1]),
            "slides 1, slidesWinner 1, longestSlide 3, padsMost 3, padsEnd 3, padsWinner 3, extraPad none, wonBySlide 1"
        );
        let mut game = Counted::new("triangulate", two_on_h2(14));
        game.play("g2-h2");
        assert_eq!(game.values(&[1]), "longestSlide none, padsMost 3, padsEnd 3, padsWinner 3, extraPad none");
        assert_eq!((game.heat("visits"), game.heat("stacks")), ("h2 1".to_owned(), String::new()));
    }

    #[test]
    fn pads_and_visits_add_up() {
        for seed in 0..20 {
            let mut game = Counted::new("triangulate", Board::start());
            game.play_at_random(seed, 150);
            game.values(&[]);
            assert_eq!(game.value("padsEnd"), game.heat_sum("pads") - game.heat_sum("replaced"));
            assert_eq!(
                (game.value("stacks"), game.value("padsReplaced")),
                (game.heat_sum("stacks"), game.heat_sum("replaced"))
            );
            assert!(game.value("slides") <= game.heat_sum("visits") && game.value("padsMost") >= game.value("padsEnd"));
        }
    }
}
