//! Measures, counted by hand in short games; and sums that must hold in random ones.

use serde_json::{Value, json};

use super::cases::{game, square};
use super::{FIRST, SECOND};
use crate::Game;
use crate::counted::CountedGame;
use crate::games::thrones::Thrones;
use crate::games::thrones::favor::Favor;
use crate::games::thrones::options::Variant;
use crate::games::thrones::piece::Kind;

/// All values but 0, without kinds that took no part and variants that are not in play.
fn told(game: &mut CountedGame<Thrones>, winners: &[u8]) -> String {
    let values = game.values(winners);
    let is_by_kind = |part: &str| ["alive", "kills", "losses"].iter().any(|start| part.starts_with(start));
    let is_of_variant = |part: &str| part.starts_with("points") || part.starts_with("spawned");
    let told = values.split(", ").filter(|part| !(part.ends_with("none") && (is_by_kind(part) || is_of_variant(part))));
    told.collect::<Vec<_>>().join(", ")
}

#[test]
fn a_battle_won_and_a_piece_taken() {
    let mut game = CountedGame::<Thrones>::new(game(&[], "", "1De5 2Sb8 1Ti1 2Ta9"));
    game.play("e5xb8 battle:even");
    assert_eq!(
        told(&mut game, &[1]),
        "turns 4, attacks 1, battles 1, battlesWon 1, piecesWinner 2, piecesLoser 2, aliveDragon 1, \
         aliveSpearmen 1, aliveThrone 2"
    );
    assert_eq!((game.heat("visits"), game.heat("battles")), ("c7 1".to_owned(), "b8 1".to_owned()));
    assert_eq!(game.luck("battles"), [(1, 500_000, 1), (1, 500_000, 0)]);
    game.play("b8-b7 end c7xb7");
    assert_eq!(
        told(&mut game, &[1]),
        "turns 6, moves 1, attacks 2, battles 1, battlesWon 1, captures 1, capturesWinner 1, piecesWinner 2, \
         piecesLoser 1, aliveDragon 1, aliveThrone 2, killsDragon 1, lossesSpearmen 1"
    );
    assert_eq!((game.heat("visits"), game.heat("captures")), ("b7 2, c7 1".to_owned(), "b7 1".to_owned()));
    let values = game.values(&[]);
    for none in ["aliveRangers", "killsRangers", "lossesRangers", "capturesWinner", "piecesLoser", "spawned"] {
        assert!(values.contains(&format!("{none} none")), "{none}: {values}");
    }
    assert!(!values.contains("aliveSpearmen"), "they took part, and none is alive: {values}");
}

#[test]
fn a_battle_lost_and_the_turn_that_goes_on() {
    let pieces = "1Rc3 1Sc7 1Ld3 1Ed4 1Ti1 2Rb8 2Ti9";
    let mut game = CountedGame::<Thrones>::new(game(&[], "fc3", pieces));
    game.play("c7xb8 battle:odd displace:c6 c3-c4~ d3=d4");
    assert_eq!(
        told(&mut game, &[2]),
        "turns 4, moves 1, switches 1, felled 1, attacks 1, battles 1, displaced 1, piecesWinner 2, piecesLoser 5, \
         aliveElephant 1, aliveLancer 1, aliveRangers 2, aliveSpearmen 1, aliveThrone 2"
    );
    assert_eq!(game.heat("visits"), "c4 1, c6 1, d3 1, d4 1");
    assert_eq!(game.luck("battles"), [(1, 500_000, 0), (1, 500_000, 1)]);
}

#[test]
fn favours_and_a_shot() {
    let mut start = game(&[], "", "1Tc3 1Rd3 1Lh8 2Xi8 2Ti9");
    start.hands[0].gain(Favor::Hasten);
    let mut game = CountedGame::<Thrones>::new(start);
    game.play("hasten:d3-d4 c3-b2 favor:assault end i8*h8");
    assert_eq!(
        told(&mut game, &[1]),
        "turns 5, moves 2, shots 1, captures 1, favorsGained 1, favorsUsed 1, favorsUsedWinner 1, piecesWinner 2, \
         piecesLoser 2, aliveRangers 1, aliveThrone 2, aliveCrossbowmen 1, killsCrossbowmen 1, lossesLancer 1"
    );
    assert_eq!((game.heat("visits"), game.heat("captures")), ("b2 1, d4 1".to_owned(), "h8 1".to_owned()));
    assert!(game.values(&[2]).contains("captures 1, capturesWinner 1, favorsGained 1, favorsUsed 1, pieces"));
}

#[test]
fn the_start_of_a_game() {
    let mut game = CountedGame::<Thrones>::new(Thrones::start(&json!({})).expect("the default"));
    game.play(&format!("1:{FIRST}"));
    assert_eq!(told(&mut game, &[2]), "");
    game.play(&format!("2:{SECOND} 1:favor:hasten 2:favor:deceive"));
    assert_eq!(game.heat("thrones"), "d2 1, d8 1");
    assert!(game.values(&[]).starts_with("turns 1, capturesWinner none, favorsGained 2, favorsUsedWinner none"));
}

#[test]
fn what_variants_add() {
    let mut points = CountedGame::<Thrones>::new(game(&[Variant::VictoryPoints], "", "1Rb5 1Sh5 1Ta1 2Re5 2Ta9"));
    points.play("a1-a2 end");
    assert!(points.values(&[1]).contains("pointsWinner 2, pointsLoser 1, spawned none"));
    assert!(points.values(&[]).contains("pointsWinner none, pointsLoser none"));
    let mut start = game(&[Variant::Homefront], "", "1Ti1 2Ta9");
    start.board.farms[0] = Some(square("e3"));
    start.board.removed[0][Kind::Lancer as usize] = 1;
    let mut homefront = CountedGame::<Thrones>::new(start);
    homefront.play("spawn:Le3");
    assert!(homefront.values(&[]).contains("spawned 1"));
    assert_eq!(homefront.heat("visits"), "e3 1");
}

#[test]
fn pieces_add_up() {
    for seed in 0..16 {
        let mut game = CountedGame::<Thrones>::new(Thrones::start(&setup(seed)).expect("a setup"));
        game.play_at_random(seed, 400);
        game.values(&[]);
        let sum = |start: &str| KINDS.iter().map(|kind| game.value(&format!("{start}{kind}"))).sum::<i64>();
        assert_eq!((sum("kills"), sum("losses")), (game.value("captures"), game.value("captures")));
        let due = if seed & 8 == 0 { 26 } else { 20 };
        assert_eq!(sum("alive"), due - sum("losses") + game.value("spawned"));
        assert_eq!(
            (game.heat_sum("captures"), game.heat_sum("battles")),
            (game.value("captures"), game.value("battles"))
        );
        assert_eq!(game.heat_sum("thrones"), 2);
    }
}

/// With homefront, ports, victory points and ten pieces, according to the bits of a number.
fn setup(bits: u64) -> Value {
    let names = ["homefront", "ports", "victory-points", "set-piece-battle"];
    let played: Vec<&str> = (0..4).filter(|bit| bits >> bit & 1 == 1).map(|bit| names[bit]).collect();
    json!({ "variants": played })
}

const KINDS: [&str; 10] = [
    "Trebuchet",
    "Catapult",
    "Dragon",
    "Elephant",
    "Lancer",
    "Rangers",
    "Spearmen",
    "Throne",
    "Warhorse",
    "Crossbowmen",
];
