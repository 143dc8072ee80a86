//! Positions made by hand, one for each rule that is easy to get wrong.

use plybook_events::Actor;

use crate::games::thrones::favor::Favor;
use crate::games::thrones::notation::Action;
use crate::games::thrones::options::{Options, Variant};
use crate::games::thrones::piece::{BOUND, CHARGED, Cell, Kind};
use crate::games::thrones::position::{Campaign, End, Phase};
use crate::games::thrones::square::{Square, Squares};
use crate::games::thrones::terrain::Terrain;
use crate::{Position, Viewer};

/// Turn 3 (seat 1's) on plains, with home fortresses on b2 and b8. `tiles` are letter and square, `pieces`
/// are seat, letter and square.
pub(super) fn game(variants: &[Variant], tiles: &str, pieces: &str) -> Campaign {
    let columns = if variants.contains(&Variant::VictoryPoints) { 0b1001_0010 } else { 0 };
    let mut game = Campaign::start(Options::new(variants, columns));
    for at in Square::all().filter(|at| game.board.terrain(*at).is_none()).collect::<Vec<_>>() {
        game.board.lay(at, Terrain::Plains);
    }
    if columns == 0 {
        for (seat, home) in ["b2", "b8"].into_iter().enumerate() {
            game.board.home[seat] = Some(square(home));
            game.board.lay(square(home), Terrain::Fortress);
        }
    }
    for tile in tiles.split_whitespace() {
        game.board.lay(square(&tile[1..]), Terrain::read(tile.as_bytes()[0]).unwrap());
    }
    for piece in pieces.split_whitespace() {
        let seat = usize::from(piece.as_bytes()[0] - b'1');
        game.board.put(square(&piece[2..]), Cell::new(seat, Kind::read(piece.as_bytes()[1]).unwrap()));
    }
    game.phase = Phase::Turn;
    game.turn = 3;
    game.first = [false; 2];
    game
}

pub(super) fn square(name: &str) -> Square {
    name.parse::<Square>().ok().unwrap()
}

/// The legal actions of whoever is to act, sorted.
fn legal(game: &Campaign) -> Vec<String> {
    let mut listed = Vec::new();
    for actor in game.to_act().iter() {
        let mut actions = Vec::new();
        game.legal(actor, &mut actions);
        listed.extend(actions.iter().map(ToString::to_string));
    }
    listed.sort();
    listed
}

/// What follows this prefix in the legal actions that have it.
fn after(game: &Campaign, start: &str) -> String {
    let actions = legal(game);
    let ends: Vec<&str> = actions.iter().filter_map(|action| action.strip_prefix(start)).collect();
    ends.join(" ")
}

/// Applies the actions in order; each must be legal.
fn play(game: &mut Campaign, words: &str) {
    for word in words.split_whitespace() {
        let actor = game.to_act().only().expect("one is to act");
        let action: Action = word.parse().unwrap();
        assert_eq!(game.judge(actor, &action), Ok(()), "{word}");
        game.apply(actor, &action);
    }
}

/// The reason why an action of the seat on turn is refused.
fn refused(game: &Campaign, word: &str) -> String {
    let actor = game.to_act().iter().next().expect("somebody is to act");
    let why = game.judge(actor, &word.parse().unwrap()).expect_err(word).to_string();
    assert!(!legal(game).contains(&word.to_owned()));
    why
}

#[test]
fn a_lancer_rides_past_its_own_but_no_enemy() {
    let game1 = game(&[], "wa3 wb3 wc3 wd3 fd2 pb2 pa2 fc2 fa2", "1La1 1Rb1 2Rd1 1Ti9 2Ta9");
    // The river hems the lancer in; an enemy holds d1, and d2 is three steps away.
    assert_eq!(after(&game1, "a1-"), "a2 b2 c1 c2 d2");
    let game2 = game(&[], "", "1La1 1Ti9 2Th8");
    assert_eq!(after(&game2, "a1-").split(' ').count(), 81 - 3 - 1, "all but the far fortress");
    let game3 = game(&[], "ma1", "1La1 1Ti9 2Th8");
    assert_eq!(after(&game3, "a1-"), "a2 b1 b2");
}

#[test]
fn spearmen_go_any_way_over_water() {
    let game1 = game(&[], "wa1 wb2 wc3 wd4 we5 pe4", "1Sa1 1Rb2 2Rd4 1Ti9 2Ta9");
    assert_eq!(after(&game1, "a1-"), "a2 b1 c3");
    assert!(refused(&game1, "a1-e5").contains("past no enemy"));
}

#[test]
fn a_dragon_flies_over_all_but_dragons_and_ranged() {
    let game1 = game(&[], "", "1De5 2Re6 2Xf6 1Sf5 2Dd5 1Ti1 2Ta9");
    assert_eq!(after(&game1, "e5-e"), "1 2 3 4 7 8 9");
    assert_eq!(after(&game1, "e5-f"), "4");
    assert_eq!(after(&game1, "e5-h"), "2 5");
    assert_eq!(after(&game1, "e5-c"), "3 7");
    assert_eq!(after(&game1, "e5x"), "a9 d5 e6 f6");
    assert!(refused(&game1, "e5-g7").contains("stops the dragon"));
    assert!(refused(&game1, "e5-e5").contains("twice"));
}

#[test]
fn a_dragon_needs_room_before_a_fortress() {
    let mut game1 = game(&[], "", "1De5 2Sb8 2Rc7 1Ti1 2Ta9");
    assert!(!legal(&game1).contains(&"e5xb8".to_owned()));
    assert!(refused(&game1, "e5xb8").contains("needs it to land"));
    game1.board.remove(square("c7"));
    play(&mut game1, "e5xb8");
    assert_eq!(game1.to_act().only(), Some(Actor::Chance));
    assert_eq!(legal(&game1), ["battle:even", "battle:odd"]);
    play(&mut game1, "battle:even");
    assert!(game1.board.cell(square("c7")).is(Kind::Dragon), "it lands before the fortress");
    assert_eq!((game1.board.breached.names(), game1.turn), (vec!["b8".to_owned()], 4));
    play(&mut game1, "b8-b7 a9-b9");
    assert_eq!(game1.board.breached, Squares::EMPTY, "an empty breached fortress is whole again");
    let mut game2 = game(&[], "", "1De5 2Sb8 2Rc7 1Ti1 2Ta9");
    game2.board.breached = square("b8").into();
    assert!(legal(&game2).contains(&"e5xb8".to_owned()), "a breached fortress is entered without it");
}

#[test]
fn terrain_bars_attacks() {
    let game1 = game(&[], "me5 fe6 wd5 fd6", "1We5 1Rd4 1Sc5 1Ec6 1Li1 2Re6 2Rd5 2Cd6 1Ti2 2Ta9");
    assert_eq!(after(&game1, "e5x"), "", "no cavalry from a mountain");
    assert_eq!(after(&game1, "d4x"), "", "no rangers onto water");
    assert_eq!(after(&game1, "c5x"), "d5 d6", "spearmen onto water");
    assert_eq!(after(&game1, "c6x"), "", "no cavalry from plains onto forest");
    assert!(refused(&game1, "c6xd6").contains("only from a forest"));
    let game2 = game(&[], "fe5 fe6 me4", "1Le5 2Re6 1De4 2Te7 1Ti2");
    assert_eq!(after(&game2, "e5x"), "e6");
    assert_eq!(after(&game2, "e4x"), "e7", "a dragon flies over, not onto, forest");
    let game3 = game(&[], "me5 we6 fd6", "1Te5 2Re6 2Ed6 2Ta9");
    assert_eq!(after(&game3, "e5x"), "d6 e6", "a throne attacks anywhere");
}

#[test]
fn terrain_bars_shots() {
    let game1 = game(&[], "me6 fd5 wf5 mf6 fe8", "1Be5 1Ch5 1Xd4 2Re8 2Rd5 2Rf5 2Rh7 2Sc3 2Sb5 1Ti1 2Ta9");
    assert_eq!(after(&game1, "e5*"), "b5", "a mountain shields e8");
    assert!(refused(&game1, "e5*e8").contains("in the way"));
    assert_eq!(after(&game1, "h5*"), "f5 h7");
    assert_eq!(after(&game1, "d4*"), "c3");
    assert!(refused(&game1, "d4*d5").contains("only the trebuchet"));
    let game2 = game(&[], "fe8 we2", "1Be5 1Ce2 2Re8 2Re3 1Ti1 2Ta9");
    assert_eq!((after(&game2, "e5*").as_str(), after(&game2, "e2*").as_str()), ("e8", ""));
    assert!(refused(&game2, "e2*e3").contains("nobody fires from water"));
    assert!(refused(&game2, "e2xe3").contains("does not attack"));
}

#[test]
fn some_cannot_be_engaged() {
    let mut game1 = game(&[], "", "1Re5 1De1 1Td6 2Ee4 2We6 2Sd5 2Ta9");
    game1.board.note(square("e6"), CHARGED);
    game1.board.note(square("d5"), BOUND);
    assert_eq!(after(&game1, "e5x"), "");
    assert_eq!(after(&game1, "e1x"), "e4");
    assert_eq!(after(&game1, "d6x"), "e6", "a conspired piece is safe from a throne too");
    game1.board.note(square("d6"), BOUND);
    assert_eq!(after(&game1, "d6x"), "", "and engages nobody itself");
    assert!(refused(&game1, "e5xe4").contains("elephant"));
    assert!(refused(&game1, "e5xe6").contains("only a throne"));
}

#[test]
fn a_warhorse_goes_on_switching() {
    let mut game1 = game(&[], "we6", "1We5 1Rd5 2Rf5 2Sf6 2Re6 1Lh1 1Ti1 2Ta9");
    assert_eq!(after(&game1, "e5="), "d5 f5", "no spearmen, nobody on water");
    play(&mut game1, "e5=f5 h1-h2");
    assert_eq!(game1.turn, 4, "nobody is left beside it");
    let mut game2 = game(&[], "", "1We5 1Rd5 1Rd4 2Rf5 1Lh1 1Ti1 2Ta9");
    play(&mut game2, "e5=d5 h1-h2");
    assert_eq!(legal(&game2), ["d5=d4", "end"]);
    assert!(refused(&game2, "d5=e5").contains("has been switched"));
    assert!(refused(&game2, "h2=i1").contains("only it can go on"));
    play(&mut game2, "d5=d4");
    assert_eq!(game2.turn, 4, "nothing is left to switch with");
}

#[test]
fn another_piece_s_switch_with_a_warhorse_is_one() {
    let mut game1 = game(&[], "", "1We5 1Rd5 1Rd4 1Ti1 2Ta9");
    play(&mut game1, "d5=e5");
    assert_eq!(after(&game1, "d5="), "");
    assert!(refused(&game1, "d5=d4").contains("one switch"));
    assert!(legal(&game1).contains(&"d5-d6".to_owned()), "a switched piece may move");
    play(&mut game1, "d5-d6");
    assert_eq!(game1.turn, 4);
}

#[test]
fn rangers_fell_the_forest_they_leave() {
    let mut game1 = game(&[], "fe5", "1Re5 1Rd5 2Re6 1Ti1 2Ta9");
    assert_eq!(after(&game1, "e5="), "d5 d5~");
    assert_eq!(after(&game1, "d5="), "e5", "only as the first of a switch");
    assert_eq!(after(&game1, "e5x"), "e6 e6~");
    assert!(refused(&game1, "d5-d6~").contains("is none"));
    play(&mut game1, "e5xe6~");
    assert!(game1.board.is(square("e5"), Terrain::Plains));
    let game2 = game(&[], "fb7", "1Rb7 2Sb8 1Ti1 2Ta9");
    assert_eq!(after(&game2, "b7x"), "b8");
    assert!(refused(&game2, "b7xb8~").contains("battle"));
    let game3 = game(&[], "fd5", "1Wc5 1Rd5 2Re9 1Ti1 2Ta9");
    assert_eq!(after(&game3, "c5="), "d5", "rangers that a warhorse takes out of a forest leave it standing");
}

#[test]
fn who_loses_a_battle_rests() {
    let mut game1 = game(&[], "", "1Wc8 1Ra7 2Sb8 1Ti1 2Th9");
    game1.hands[0].gain(Favor::Hasten);
    play(&mut game1, "c8xb8 battle:odd");
    assert_eq!(game1.to_act().only(), Some(Actor::Seat(2)));
    assert_eq!(legal(&game1).len(), 1 + 7);
    assert!(refused(&game1, "displace:e8").contains("neighbour"));
    play(&mut game1, "displace:d9");
    assert_eq!(after(&game1, "d9"), "");
    assert_eq!(after(&game1, "hasten:"), "", "no favours after a tried engagement");
    assert!(refused(&game1, "hasten:a7-a6").contains("battle was lost"));
    assert_eq!(after(&game1, "a7x"), "b8", "the same fortress may be tried by another");
    play(&mut game1, "i1-i2 end");
    assert!(game1.board.cell(square("d9")).any(CHARGED), "a warhorse that tried is protected");
    assert_eq!(game1.to_json(Viewer::All)["attacked"], serde_json::json!(["d9"]));
}

#[test]
fn a_loser_without_room_stays_unasked() {
    let mut game1 = game(&[], "", "1Ra1 1Sa2 1Sb1 2Lb2 1Ti1 2Th9");
    play(&mut game1, "a1xb2 battle:odd");
    assert_eq!(game1.phase, Phase::Turn);
    assert_eq!(after(&game1, "a1"), "");
    assert_eq!(after(&game1, "a2="), "b1", "nor does it switch");
    assert!(refused(&game1, "a2=a1").contains("rests"));
}

#[test]
fn favours_come_with_fortresses() {
    let mut game1 = game(&[], "Fe5", "1Te4 1Ra1 2Th9 2Ra9");
    play(&mut game1, "e4-e5");
    assert_eq!(game1.phase, Phase::Favor { choosing: [true, false], ends: false });
    play(&mut game1, "favor:deceive");
    assert!(refused(&game1, "favor:hasten").contains("enters a fortress"));
    // The favour cannot be used, but the turn does not end by itself: otherwise the enemy would know which
    // favour it is.
    play(&mut game1, "a1-a2");
    assert_eq!(legal(&game1), ["end"]);
    play(&mut game1, "end a9-a8 h9-h8 e5-e4 end a8-a9 h8-h9 e4-e5");
    assert_eq!(game1.phase, Phase::Turn, "the same fortress again gives nothing");
    let hidden = game1.to_json(Viewer::Seat(2));
    assert_eq!(hidden["favors"]["1"], serde_json::json!({ "had": ["?"], "held": ["?"] }));
    assert!(!game1.text(Viewer::Public).contains("deceive"));
}

#[test]
fn the_fourth_favour_is_given() {
    let mut game1 = game(&[], "Fe5", "1Te4 1Ra1 2Th9 2Ra9");
    for favor in [Favor::Assault, Favor::Conspire, Favor::Deceive] {
        game1.hands[0].had |= favor;
    }
    play(&mut game1, "e4-e5");
    assert!(game1.hands[0].held.has(Favor::Hasten));
    assert!(legal(&game1).contains(&"hasten:a1-a2".to_owned()));
    play(&mut game1, "hasten:a1-a2 a2-a3");
    assert_eq!(game1.turn, 4, "nothing is held any more");
}

#[test]
fn a_throne_that_is_moved_by_the_enemy_gains_too() {
    let mut game1 = game(&[], "Fe5", "1Ra1 1Ti1 2Te6 2Re5");
    game1.hands[0].gain(Favor::Deceive);
    assert!(refused(&game1, "deceive:e6=e5").contains("lower square"));
    play(&mut game1, "deceive:e5=e6");
    assert_eq!(game1.phase, Phase::Favor { choosing: [false, true], ends: false });
    play(&mut game1, "favor:hasten a1-a2 i1-i2");
    assert_eq!(game1.turn, 4, "seat 1 holds no favour: its turn ends by itself");
}

#[test]
fn a_favour_alone_is_no_turn() {
    let mut game1 = game(&[], "", "1Ra1 1Rb1 1Ti1 2Th9");
    game1.hands[0].gain(Favor::Conspire);
    assert!(refused(&game1, "end").contains("nothing of that"));
    play(&mut game1, "conspire:h9");
    assert!(refused(&game1, "end").contains("alone"));
    assert_eq!(game1.turn, 3);
    play(&mut game1, "a1-a2 i1-i2");
    assert_eq!(game1.to_json(Viewer::All)["conspired"], serde_json::json!(["h9"]));
    play(&mut game1, "h9-h8");
    assert_eq!(game1.turn, 5, "seat 2 has one piece, one move");
    assert_eq!(game1.board.noted(!0), Squares::EMPTY);
}

#[test]
fn an_assault_is_by_others() {
    let mut game1 = game(&[], "", "1Ra1 1Rb1 1Rc1 1Rd1 1Ti1 2Th9");
    game1.hands[0].gain(Favor::Assault);
    play(&mut game1, "a1-a2 assault:b1-b2");
    assert!(refused(&game1, "assault:c1-c2").contains("its move has been made"));
    assert!(refused(&game1, "b2-b3").contains("part in the assault"));
    assert_eq!(after(&game1, "assault:b2="), "c1", "the same piece may make both halves");
    assert!(refused(&game1, "assault:c1=a2").contains("none"));
    play(&mut game1, "assault:b2=c1");
    assert!(refused(&game1, "c1=d1").contains("part in the assault"));
    assert_eq!(after(&game1, "d1="), "");
    play(&mut game1, "d1-d2");
    assert_eq!(game1.turn, 4);
}

#[test]
fn thrones_decide() {
    let mut game1 = game(&[], "", "1Tc7 2Sb8 2Tc8 1Ra1 2Ra9");
    assert!(after(&game1, "c7x").contains("b8"), "a throne takes a whole fortress without a battle");
    let mut taken = game1.clone();
    play(&mut taken, "c7xb8");
    assert_eq!(taken.phase, Phase::Over(End::FortressOccupied(0)));
    play(&mut game1, "c7xc8");
    assert_eq!(game1.phase, Phase::Over(End::ThroneRemoved(0)));
    assert!(game1.to_act().is_empty() && legal(&game1).is_empty());
    // Both at once: the throne is removed in its home fortress.
    let mut both = game(&[], "", "1Tc7 2Tb8 1Ra1 2Ra9");
    play(&mut both, "c7xb8");
    assert_eq!(both.phase, Phase::Over(End::ThroneRemoved(0)));
}

#[test]
fn the_favour_of_an_attack_comes_before_the_end_of_the_turn() {
    let mut game1 = game(&[], "Fe5", "1Td4 2Re5 2Th9 2Ra9");
    play(&mut game1, "d4xe5");
    assert_eq!(game1.phase, Phase::Favor { choosing: [true, false], ends: true });
    assert_eq!(game1.turn, 3);
    play(&mut game1, "favor:hasten");
    assert_eq!((game1.turn, game1.board.breached), (4, Squares::EMPTY));
}

#[test]
fn ports_connect_for_moves_and_those_who_attack_onto_water() {
    let game1 = game(&[Variant::Ports], "wa1 wi9 wa9 we5 wi5", "1Sa1 1Ra9 2Ri9 2Ee1 1Ti1 2Th8");
    assert_eq!(after(&game1, "a1x"), "i9");
    assert_eq!(after(&game1, "a1-"), "a2 b1 b2 i5", "not e5, which is inland");
    assert_eq!(after(&game1, "a9x"), "");
    assert!(refused(&game1, "a9xi9").contains("neighbours"));
    let mut game2 = game1.clone();
    for favor in [Favor::Hasten, Favor::Assault] {
        game2.hands[0].gain(favor);
    }
    assert_eq!(after(&game2, "hasten:a1-"), "a2 b1 b2");
    assert_eq!(after(&game2, "assault:a1-"), "a2 b1 b2 i5");
    let plain = game(&[], "wa1 wi9", "1Sa1 2Ri9 1Ti1 2Th8");
    assert_eq!(after(&plain, "a1x"), "");
}

#[test]
fn empty_fortresses_and_farms_can_be_engaged_in_homefront() {
    let mut game1 = game(&[Variant::Homefront], "Fe5", "1Rb7 1Tc7 1Xd5 1Re6 2Th1 2Ra9 1Sb1");
    game1.board.farms[1] = Some(square("e7"));
    assert_eq!(after(&game1, "b7x"), "b8");
    assert_eq!(after(&game1, "c7x"), "b8");
    assert_eq!(after(&game1, "d5*"), "e5");
    assert_eq!(after(&game1, "e6x"), "e5 e7");
    assert_eq!(after(&game1, "b1x"), "b2", "one's own empty fortress too");
    let mut farm = game1.clone();
    play(&mut farm, "e6xe7");
    assert_eq!(farm.board.destroyed.names(), ["e7"]);
    assert!(farm.board.cell(square("e7")).is(Kind::Rangers));
    let mut breach = game1.clone();
    play(&mut breach, "d5*e5 battle:even a9-a8 h1-h2 end");
    assert_eq!(breach.board.breached.names(), ["e5"], "it stays breached");
    assert_eq!(after(&breach, "e6x"), "e7", "and cannot be engaged again while empty");
    breach.board.go(square("c7"), square("e5"));
    play(&mut breach, "rebuild");
    assert_eq!(breach.board.breached, Squares::EMPTY, "the middle fortress is rebuilt by any throne");
    // A seat's own farm survives an attack on the piece that stands on it.
    let mut own = game(&[Variant::Homefront], "", "1Re6 2Re7 1Ti1 2Th1 2Ra9");
    own.board.farms[0] = Some(square("e7"));
    play(&mut own, "e6xe7");
    assert_eq!(own.board.destroyed, Squares::EMPTY);
}

#[test]
fn farms_cities_and_spawning() {
    let mut game1 = game(&[Variant::Homefront], "", "1Te4 1Ra1 2Th9 2Ra9");
    game1.board.removed[0][Kind::Lancer as usize] = 1;
    game1.board.removed[0][Kind::Elephant as usize] = 1;
    game1.board.removed[0][Kind::Warhorse as usize] = 1;
    game1.board.removed[0][Kind::Dragon as usize] = 1;
    assert!(refused(&game1, "establish:city").contains("farm first"));
    assert_eq!(after(&game1, "spawn:"), "Wb2");
    play(&mut game1, "establish:farm");
    assert!(refused(&game1, "spawn:Le4").contains("occupied"));
    assert!(refused(&game1, "spawn:De4").contains("never"));
    assert!(refused(&game1, "establish:city").contains("three squares"));
    play(&mut game1, "e4-f4 end a9-a8 end");
    assert_eq!(after(&game1, "spawn:"), "Le4 Wb2");
    play(&mut game1, "f4-g4");
    assert!(refused(&game1, "spawn:Le4").contains("instead of moves"));
    play(&mut game1, "end a8-a7 end g4-h4 establish:city end a7-a6 end");
    assert_eq!(after(&game1, "spawn:"), "Le4 Wb2");
    play(&mut game1, "h4-h3 end a6-a7 end spawn:Eh4");
    assert_eq!((game1.turn % 2, game1.board.removed[0][Kind::Elephant as usize]), (0, 0));
    game1.board.destroyed = square("e4").into();
    play(&mut game1, "a7-a6 end");
    assert!(refused(&game1, "spawn:Le4").contains("destroyed"));
    assert!(refused(&game1, "rebuild").contains("e4"));
}

#[test]
fn establishing_does_not_make_end_legal() {
    let game1 = game(&[Variant::Homefront], "", "1Te4 1Ra1 2Th9 2Ra9");
    let mut after1 = game1.clone();
    play(&mut after1, "establish:farm");
    assert_eq!(after1.turn, 3);
    assert!(!legal(&after1).contains(&"end".to_owned()));
}

#[test]
fn victory_points_are_counted_at_every_end_of_turn() {
    let vp = [Variant::VictoryPoints];
    let mut game1 = game(&vp, "", "1Rb5 1Re5 1Lh1 2Rh5 2Ta9");
    game1.points = [18, 20];
    play(&mut game1, "h1-h2 end");
    assert_eq!(game1.outcome().map(|outcome| outcome.winners), Some(vec![2]));
    assert_eq!((game1.points, game1.turn), ([20, 21], 3));
    let mut draw = game(&vp, "", "1Rb5 1Re5 1Lh1 2Rh5 2Ta9");
    draw.points = [19, 20];
    play(&mut draw, "h1-h2 end");
    assert_eq!(draw.phase, Phase::Over(End::VictoryPoints(None)));
    let mut last = game(&vp, "", "1Rb6 1Td4 2Tc7");
    play(&mut last, "b6xc7");
    assert_eq!(last.phase, Phase::Over(End::NoPieces(0)));
    let mut throne = game(&vp, "", "1Rb6 1Td4 2Tc7 2Ri9");
    play(&mut throne, "b6xc7");
    assert_eq!((throne.phase, throne.board.throne(1)), (Phase::Turn, None));
}

#[test]
fn a_seat_that_can_do_nothing_passes() {
    let mut game1 = game(&[], "", "1Ta1 2Ra2 2Rb1 2Rb2 2Th9");
    game1.board.note(square("a1"), BOUND);
    assert_eq!(legal(&game1), ["pass"]);
    play(&mut game1, "pass");
    assert_eq!(game1.turn, 4);
    assert!(refused(&game1, "pass").contains("you can"));
}

#[test]
fn the_first_turn_is_peaceful() {
    let mut game1 = game(&[], "", "1Re5 2Re6 1Ti1 2Ta9");
    game1.first = [true, false];
    assert_eq!(after(&game1, "e5x"), "");
    assert!(refused(&game1, "e5xe6").contains("first turn"));
    game1.first = [false; 2];
    play(&mut game1, "i1-i2");
    assert!(refused(&game1, "e5xe6").contains("before any move"));
}

/// The same with these options, which must be possible.
fn with(mut game: Campaign, change: impl FnOnce(&mut Options)) -> Campaign {
    change(&mut game.board.options);
    assert_eq!(game.board.options.check(), Ok(()));
    game
}

#[test]
fn water_costs_free_spearmen_nothing() {
    let river = || game(&[], "wa2 wb3 wc3 we4", "1Sa1 1Ti1 2Ta9");
    assert_eq!(after(&river(), "a1-"), "a2 b1 b2", "water carries those that start on it");
    let free = with(river(), |options| options.free_spearmen = true);
    // Over a2, b3 and c3 to a bank; from the bank d3 or d4 further over e4, and no step more.
    assert_eq!(after(&free, "a1-"), "a2 a3 a4 b1 b2 b3 b4 c2 c3 c4 d2 d3 d4 e4");
    let barred = with(game(&[], "wa2 wb3", "1Sa1 1Ti1 2Ra2 2Ta9"), |options| options.free_spearmen = true);
    assert_eq!(after(&barred, "a1-"), "b1 b2 b3", "an enemy bars a2, and the way over b2 ends on b3");
    assert!(refused(&barred, "a1-a3").contains("past no enemy"));
}

#[test]
fn any_piece_that_attacks_can_do_so_from_port_to_port() {
    let harbour = || game(&[Variant::Homefront, Variant::Ports], "wa1 wi5 wa9", "1La1 1Ti1 2Ri5 2Th8");
    let mut strict = harbour();
    strict.board.farms[1] = Some(square("a9"));
    assert_eq!(after(&strict, "a1x"), "b2", "the empty fortress beside it");
    let mut raids = with(strict, |options| options.raids = true);
    assert_eq!(after(&raids, "a1x"), "a9 b2 i5", "an empty farm can be taken as well");
    play(&mut raids, "a1xa9");
    assert_eq!(raids.board.destroyed.names(), ["a9"]);
    let ranged = with(game(&[Variant::Ports], "wa1 wi5", "1Xa1 1Ti1 2Ri5 2Th8"), |options| options.raids = true);
    assert_eq!(after(&ranged, "a1x"), "", "ranged pieces never attack");
}

#[test]
fn farms_can_be_closer() {
    let near = || game(&[Variant::Homefront], "", "1Td2 2Ta9");
    assert!(refused(&near(), "establish:farm").contains("at least three squares"));
    let mut closer = with(near(), |options| options.apart = 2);
    play(&mut closer, "establish:farm d2-e2 a9-a8");
    assert!(refused(&closer, "establish:city").contains("at least two squares"), "d2 is one column away");
    play(&mut closer, "e2-f2 establish:city");
}

#[test]
fn favours_can_be_fewer() {
    let mut none = with(game(&[], "", "1Ta2 2Th8"), |options| options.favors = 0);
    play(&mut none, "a2-b2");
    assert_eq!((none.phase, none.hands[0].had.is_empty()), (Phase::Turn, true));
    let mut one = with(game(&[], "Fe5", "1Ta2 1Rc1 2Th8 2Rg9"), |options| options.favors = 1);
    play(&mut one, "a2-b2 favor:hasten");
    assert_eq!(one.choice(0).len(), 0, "a second fortress gives nothing");
}

#[test]
fn a_throne_can_win_with_victory_points() {
    let duel = || game(&[Variant::VictoryPoints], "", "1Ra1 1Tc3 2Tb1 2Rh8");
    let mut usual = duel();
    play(&mut usual, "a1xb1");
    assert_eq!(usual.phase, Phase::Turn);
    let mut wins = with(duel(), |options| options.throne_wins = true);
    play(&mut wins, "a1xb1");
    assert_eq!(wins.phase, Phase::Over(End::ThroneRemoved(0)));
}

#[test]
fn the_first_turn_can_be_seat_2s() {
    let mut game = with(game(&[], "", "1Rc3 1Ti1 2Rd4 2Th8"), |options| options.first = 1);
    assert_eq!(game.to_act().only(), Some(Actor::Seat(2)));
    play(&mut game, "d4xc3");
    assert_eq!((game.turn, game.to_act().only()), (4, Some(Actor::Seat(1))));
}

#[test]
fn rolled_fortresses_displace_tiles() {
    use crate::Game;
    use crate::games::thrones::Thrones;
    use crate::games::thrones::tests::{FIRST, SECOND};
    let setup = serde_json::json!({ "variants": ["victory-points"], "fortresses": "rolled" });
    let mut game = Thrones::start(&setup).unwrap();
    // p, f and m to the columns a, b and c; seat 2 f to h.
    for (seat, sheet, middle) in [(1, FIRST, "pafbmc"), (2, SECOND, "pafhmc")] {
        let sheet = sheet.replace("fffF", "fffp");
        let (head, _) = sheet.rsplit_once(':').unwrap();
        let action: Action = format!("{head}:{middle}").parse().unwrap();
        assert_eq!(game.judge(Actor::Seat(seat), &action), Ok(()));
        game.apply(Actor::Seat(seat), &action);
    }
    assert_eq!(game.to_act().only(), Some(Actor::Chance));
    assert_eq!((legal(&game).len(), &legal(&game)[0][..]), (84, "fortresses:abc"));
    assert!(refused(&game, "battle:even").contains("three columns"));
    let open = game.to_json(Viewer::Public);
    assert!(open["submitted"]["1"].as_str().unwrap().starts_with("setup:ww"), "both set-ups are open: {open}");
    play(&mut game, "fortresses:bef");
    // b, e and f are fortresses; h is uncontested; p p of a, f of b, m m of c go to the left.
    let tiles = game.to_json(Viewer::All)["tiles"].as_str().unwrap()[36..45].to_owned();
    assert_eq!(tiles, "pFpfFFmfm");
    assert_eq!(game.to_act().only(), Some(Actor::Seat(1)));
}
