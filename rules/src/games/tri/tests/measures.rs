//! Measures, counted by hand in short games; and sums that must hold in random ones.

use serde_json::json;

use crate::Game;
use crate::counted::CountedGame;
use crate::games::tri::Tri;

/// A board in grid formation with these pieces; C, E and G are keys.
fn grid(one: &str, two: &str) -> CountedGame<Tri> {
    let places: Vec<[i32; 3]> = (0..9).map(|island| [island % 3, island / 3, 0]).collect();
    let names = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
    let start = json!({"1": names(one), "2": names(two)});
    let setup = json!({"islands": places, "keys": ["C", "E", "G"], "start": start});
    CountedGame::<Tri>::new(Tri::start(&setup).expect("a setup"))
}

#[test]
fn captures_are_those_of_the_seat_on_turn() {
    // A1 has lost its last liberty, A2.
    let mut game = grid("A4 B8", "A1 C8");
    game.play("A4-A2");
    assert_eq!(game.values(&[1]), "moves 1, captures 1, capturesWinner 1, piecesEnd 3");
    assert_eq!(game.values(&[2]), "moves 1, captures 1, piecesEnd 3");
    assert_eq!((game.heat("visits"), game.heat("captures")), ("A2 1".to_owned(), "A1 1".to_owned()));
    // Seat 1 moves into a corner without liberties, and seat 2 stays in control of A.
    let mut game = grid("A3 I8", "A2 A7");
    game.play("A3-A1");
    assert_eq!(game.values(&[2]), "islandsEnd 1, islandsWinner 1, islandsMost 1, moves 1, ownCaptures 1, piecesEnd 3");
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
        let mut game = CountedGame::<Tri>::new(start);
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
