//! Measures, counted by hand in short games; and sums that must hold in random ones.

use crate::counted::CountedGame;
use crate::games::triangulate::Triangulate;
use crate::games::triangulate::board::{Board, START};
use crate::games::triangulate::square::{Square, Squares};

#[test]
fn a_game_counted_by_hand() {
    let mut game = CountedGame::<Triangulate>::new(Board::start(0, false));
    assert_eq!(
        game.values(&[]),
        "slidesWinner none, longestSlide none, padsWinner none, extraPad none, wonBySlide none"
    );
    // Seat 2's first move places two pads. It takes over b2, is covered there, and slides back to c2.
    game.play("b1-b2 d1-d2+f6 e1-d1 d2-c2 b2-b3 c2-b2 b3-b2 g1-f1 h2-g2 f1-e2 g2-h2 e2-c2");
    assert_eq!(
        game.values(&[2]),
        "stacks 1, blocks 1, slides 1, slidesWinner 1, longestSlide 2, padsMost 10, padsEnd 10, padsWinner 6, \
         padsReplaced 1, extraPad 1, wonBySlide none"
    );
    assert_eq!(game.heat("visits"), "d1 1, f1 1, b2 3, c2 2, d2 1, e2 1, g2 1, h2 1, b3 1");
    assert_eq!(game.heat("pads"), "d1 1, f1 1, b2 2, c2 1, d2 1, e2 1, g2 1, h2 1, b3 1, f6 1");
    assert_eq!((game.heat("stacks"), game.heat("replaced")), ("b2 1".to_owned(), "b2 1".to_owned()));
    assert!(game.values(&[1]).contains("longestSlide 2, padsMost 10, padsEnd 10, padsWinner 4"), "it did not slide");
    assert!(game.values(&[]).contains("slidesWinner none"), "what was said of a winner is forgotten");
}

/// Seat 1 has two frogs on h2, pads from f2 to h2, and a frog on a square of row 2.
fn two_on_h2(third: &str) -> Board {
    let mut board =
        Board { pads: [Squares::from_bits(0xe000), Squares::EMPTY], supply: [29, 32], ..Board::start(0, false) };
    board.lower[0] = START[0] & !Squares::from_bits(0x12) | third.parse::<Square>().unwrap();
    board.upper[0] = "h2".parse::<Square>().unwrap().into();
    board
}

#[test]
fn the_third_frog_comes_by_a_slide_or_a_step() {
    let mut game = CountedGame::<Triangulate>::new(two_on_h2("e2"));
    game.play("e2-h2");
    assert_eq!(
        game.values(&[1]),
        "slides 1, slidesWinner 1, longestSlide 3, padsMost 3, padsEnd 3, padsWinner 3, extraPad none, wonBySlide 1"
    );
    let mut game = CountedGame::<Triangulate>::new(two_on_h2("g2"));
    game.play("g2-h2");
    assert_eq!(game.values(&[1]), "longestSlide none, padsMost 3, padsEnd 3, padsWinner 3, extraPad none");
    assert_eq!((game.heat("visits"), game.heat("stacks")), ("h2 1".to_owned(), String::new()));
}

#[test]
fn pads_and_visits_add_up() {
    for seed in 0..20 {
        let mut game = CountedGame::<Triangulate>::new(Board::start(0, false));
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
