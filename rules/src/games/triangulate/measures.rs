//! What is measured of a game of Triangulate.

use super::notation::Move;
use super::position::{Board, squares};
use crate::measure::texts;
use crate::{Heat, Marks, Measure};

/// What is counted in a game.
#[derive(Default)]
pub(crate) struct Counts {
    stacks: i64,
    blocks: i64,
    /// By seat.
    slides: [i64; 2],
    longest_slide: i64,
    pads_most: i64,
    pads_replaced: i64,
    extra_pad: i64,
    won_by_slide: i64,
    visits_at: Marks<64>,
    stacks_at: Marks<64>,
    pads_at: Marks<64>,
    replaced_at: Marks<64>,
}

pub(super) const MEASURES: &[Measure<Board>] = &[
    Measure::always("stacks", "Stacks made: moves of a frog onto a single other frog, anybody's.", |game| {
        game.counts.stacks
    }),
    Measure::always("blocks", "Stacks made on a frog of the other seat, which it blocks.", |game| game.counts.blocks),
    Measure::always("slides", "Slides made, of two squares or more, by both seats.", |game| {
        game.counts.slides.iter().sum()
    }),
    Measure::of_winner("slidesWinner", "Slides made by the winner; none without a winner.", |game, winner| {
        game.counts.slides[winner]
    }),
    Measure::sometimes("longestSlide", "The longest slide, in squares; none where nobody slid.", |game| {
        Some(game.counts.longest_slide).filter(|length| *length > 0)
    }),
    Measure::always("padsMost", "The most pads on the board at once, of both seats.", |game| game.counts.pads_most),
    Measure::always("padsEnd", "Pads on the board at the end, of both seats.", |game| pads(game.position)),
    Measure::of_winner(
        "padsWinner",
        "The winner's pads on the board at the end; none without a winner.",
        |game, winner| i64::from(game.position.pads[winner].count_ones()),
    ),
    Measure::always("padsReplaced", "Pads put in the place of one of the other seat.", |game| {
        game.counts.pads_replaced
    }),
    Measure::sometimes("extraPad", "1 where seat 2 added its extra pad, else 0; none before its first move.", |game| {
        (!game.position.fresh).then_some(game.counts.extra_pad)
    }),
    Measure::sometimes("wonBySlide", "1 where the third frog came by a slide, 0 by a step; none without.", |game| {
        (game.position.third != 0).then_some(game.counts.won_by_slide)
    }),
];

pub(super) const HEAT: &[Heat<Counts>] = &[
    Heat::new("visits", "Frogs that came to the square.", |counts| &counts.visits_at),
    Heat::new("stacks", "Stacks made on the square.", |counts| &counts.stacks_at),
    Heat::new("pads", "Pads placed on the square.", |counts| &counts.pads_at),
    Heat::new("replaced", "Pads of the other seat replaced on the square.", |counts| &counts.replaced_at),
];

pub(super) const PLACES: [&str; 64] = texts(&SQUARES);

const SQUARES: [[u8; 2]; 64] = {
    let mut names = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        names[square] = [b'a' + square as u8 % 8, b'1' + square as u8 / 8];
        square += 1;
    }
    names
};

pub(super) fn count(before: &Board, action: Move, after: &Board, counts: &mut Counts) {
    let Move::Frog { from, to, extra } = action else { return };
    let (seat, here) = (before.turn, 1u64 << to);
    let length = (from % 8).abs_diff(to % 8).max((from / 8).abs_diff(to / 8));
    counts.visits_at.add(to);
    if length > 1 {
        counts.slides[seat] += 1;
        counts.longest_slide = counts.longest_slide.max(i64::from(length));
    }
    if after.third != 0 {
        counts.won_by_slide = i64::from(length > 1);
    } else if before.occupied() & here != 0 {
        counts.stacks += 1;
        counts.blocks += i64::from(before.lower[1 - seat] & here != 0);
        counts.stacks_at.add(to);
    }
    counts.extra_pad += i64::from(extra.is_some());
    for square in squares(after.pads[seat] & !before.pads[seat]) {
        counts.pads_at.add(square);
    }
    for square in squares(before.pads[1 - seat] & !after.pads[1 - seat]) {
        counts.pads_replaced += 1;
        counts.replaced_at.add(square);
    }
    counts.pads_most = counts.pads_most.max(pads(after));
}

/// The pads on the board.
fn pads(board: &Board) -> i64 {
    i64::from((board.pads[0] | board.pads[1]).count_ones())
}

#[cfg(test)]
mod tests {
    use super::super::Triangulate;
    use super::super::position::START;
    use super::*;
    use crate::counted::Counted;

    #[test]
    fn a_game_counted_by_hand() {
        let mut game = Counted::<Triangulate>::new(Board::start());
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
        let mut game = Counted::<Triangulate>::new(two_on_h2(12));
        game.play("e2-h2");
        assert_eq!(
            game.values(&[1]),
            "slides 1, slidesWinner 1, longestSlide 3, padsMost 3, padsEnd 3, padsWinner 3, extraPad none, wonBySlide 1"
        );
        let mut game = Counted::<Triangulate>::new(two_on_h2(14));
        game.play("g2-h2");
        assert_eq!(game.values(&[1]), "longestSlide none, padsMost 3, padsEnd 3, padsWinner 3, extraPad none");
        assert_eq!((game.heat("visits"), game.heat("stacks")), ("h2 1".to_owned(), String::new()));
    }

    #[test]
    fn pads_and_visits_add_up() {
        for seed in 0..20 {
            let mut game = Counted::<Triangulate>::new(Board::start());
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
