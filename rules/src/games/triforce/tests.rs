//! The rules of Triforce at work: combats in all combinations, turns, endings, random play.

use plybook_events::Actor;
use serde_json::json;

use super::Triforce;
use super::combat::{Combat, Hand};
use super::notation::Action;
use super::place::Place;
use super::position::{Board, EACH, Phase};
use super::setup::Setup;
use super::stack::{Owner, Piece, SIZES, Stack};
use crate::{Game, Position, Viewer};

fn place(name: &str) -> Place {
    Place::named(name.as_bytes()).unwrap()
}

fn stack(names: &str) -> Stack {
    names.split_ascii_whitespace().map(|name| Piece::named(name.as_bytes()).unwrap()).fold(Stack::EMPTY, Stack::with)
}

fn names(stack: Stack) -> String {
    stack.pieces().map(|piece| piece.to_string()).collect::<Vec<_>>().join(" ")
}

/// Four seats, seat 1 to act, with these stacks.
pub(super) fn board(stacks: &[(&str, &str)]) -> Board {
    let mut board = Board::start(&Setup::read(&json!({ "players": 4 })).unwrap());
    for (name, pieces) in stacks {
        let pieces = stack(pieces);
        for piece in pieces.pieces() {
            let stock = match piece.owner() {
                Owner::Seat(seat) => &mut board.stash[usize::from(seat) - 1],
                Owner::Sword => &mut board.swords,
                Owner::Shield => &mut board.shields,
            };
            stock[piece.size() as usize] -= 1;
        }
        board.stacks[place(name).index()] = pieces;
    }
    board.start = board.stacks;
    board
}

/// A board with this stack on c2, at the start of combat on it.
pub(super) fn combat(pieces: &str) -> Board {
    let mut board = board(&[("c2", pieces)]);
    board.settle();
    board
}

fn actor(board: &Board) -> Actor {
    board.to_act().only().expect("one is to act")
}

fn legal(board: &Board) -> String {
    let mut actions = Vec::new();
    board.legal(actor(board), &mut actions);
    let mut tokens: Vec<String> = actions.iter().map(ToString::to_string).collect();
    tokens.sort_unstable();
    tokens.join(" ")
}

fn refused(board: &Board, token: &str) -> String {
    board.judge(actor(board), &token.parse().unwrap()).expect_err(token).to_string()
}

fn play(board: &mut Board, tokens: &str) {
    for token in tokens.split_ascii_whitespace() {
        let action: Action = token.parse().unwrap();
        if let Err(why) = board.judge(actor(board), &action) {
            panic!("{token}: {why}");
        }
        board.apply(actor(board), &action);
    }
}

fn dice(board: &Board) -> String {
    board.prompt(Actor::Chance).expect("a roll is awaited")["dice"].to_string()
}

fn c2(board: &Board) -> String {
    names(board.stack(place("c2")))
}

#[test]
fn the_sword_is_for_the_owner_of_the_topmost_piece() {
    let mut fight = combat("2L 1M 2S 1L");
    assert_eq!((actor(&fight), legal(&fight).as_str()), (Actor::Seat(1), "nosword sword:2 sword:4"));
    play(&mut fight, "sword:2");
    assert_eq!((c2(&fight).as_str(), fight.stash[0], fight.swords), ("2L KM 2S 1L", [4, 5, 5], [5, 4, 5]));
    play(&mut fight, "noshield");
    assert_eq!(dice(&fight), r#"{"1":["d12","d12"],"2":["d12"]}"#);
}

#[test]
fn the_topmost_piece_may_become_the_sword_and_still_be_its_users() {
    let mut fight = combat("1M 2L 1L");
    assert_eq!(fight.phase, Phase::Act, "three pieces are not contested");
    fight = combat("1M 2L 2S 1L");
    play(&mut fight, "sword:4");
    assert_eq!(c2(&fight), "1M 2L 2S KL");
    assert_eq!(dice(&fight), r#"{"1":["d12","d12"],"2":["d12"]}"#, "seat 2 is on top of the seats' pieces now");
}

#[test]
fn one_piece_is_not_enough_to_exchange() {
    let fight = combat("2L 3M 4S 1L");
    assert_eq!(dice(&fight), r#"{"1":["d12"],"2":["d12"],"3":["d12"],"4":["d12"]}"#);
}

#[test]
fn sword_comes_before_shield() {
    let mut fight = combat("2L 1M 2S 1L");
    assert_eq!(legal(&fight), "nosword sword:2 sword:4");
    assert!(refused(&fight, "shield:1").contains("nosword"));
    play(&mut fight, "nosword");
    assert_eq!((actor(&fight), legal(&fight).as_str()), (Actor::Seat(2), "noshield shield:1 shield:3"));
    assert!(refused(&fight, "nosword").contains("noshield"));
    play(&mut fight, "shield:3");
    assert_eq!((c2(&fight).as_str(), fight.shields), ("2L 1M CS 1L", [5, 5, 4]));
    assert_eq!(dice(&fight), r#"{"1":["d12"],"2":["d20"]}"#);
}

#[test]
fn no_second_sword_and_no_second_shield() {
    let fight = combat("2L KS 1M 2S 1L");
    assert_eq!((actor(&fight), legal(&fight).as_str()), (Actor::Seat(2), "noshield shield:1 shield:4"));
    let fight = combat("2L CS 1M 2S 1L");
    assert_eq!((actor(&fight), legal(&fight).as_str()), (Actor::Seat(1), "nosword sword:3 sword:5"));
    let fight = combat("2L CS KL 1M 2S 1L");
    assert_eq!(dice(&fight), r#"{"1":["d12","d12"],"2":["d20"]}"#);
}

#[test]
fn both_ends_in_one_hand_take_sword_or_shield() {
    let mut fight = combat("1M 2L 2S 1L");
    play(&mut fight, "sword:1");
    assert_eq!(
        (actor(&fight), legal(&fight).as_str()),
        (Actor::Seat(2), "noshield shield:2 shield:3"),
        "the bottom is looked up again"
    );
    let mut fight = combat("1M 2L 1S 1L");
    play(&mut fight, "sword:3");
    assert_eq!(dice(&fight), r#"{"1":["d12","d12"],"2":["d12"]}"#, "seat 1 is at the bottom too, and has its sword");
    let mut fight = combat("1M 2L 2S 1L");
    play(&mut fight, "nosword");
    assert_eq!((actor(&fight), legal(&fight).as_str()), (Actor::Seat(1), "noshield shield:1 shield:4"));
    let fight = combat("1M CL 2L 2S 1L");
    assert_eq!(dice(&fight), r#"{"1":["d20"],"2":["d12"]}"#, "no sword over one's own shield");
    let fight = combat("1M KL 2L 2S 1L");
    assert_eq!(dice(&fight), r#"{"1":["d12","d12"],"2":["d12"]}"#, "no shield below one's own sword");
}

#[test]
fn a_seat_with_both_from_earlier_uses_the_sword() {
    let fight = combat("1M CL KL 2L 2S 1L");
    let Phase::Roll(roll) = fight.phase else { panic!("{:?}", fight.phase) };
    let stack = fight.stack(roll.at);
    assert_eq!((roll.sword_user(stack), roll.shield_user(stack)), (Some(1), None));
    assert_eq!(dice(&fight), r#"{"1":["d12","d12"],"2":["d12"]}"#);
}

#[test]
fn a_sword_left_over_serves_who_is_on_top_now() {
    let stack = stack("2L 1M KS 3L");
    let plain = Combat::new(place("c2"));
    assert_eq!((plain.sword_user(stack), plain.shield_user(stack)), (Some(3), None));
    let taken = Combat { sword: Some(1), ..plain };
    assert_eq!(taken.sword_user(stack), Some(1), "in its first combat it serves who exchanged for it");
    let ranks: Vec<Hand> = taken.hands(stack).map(|(_, hand)| hand).collect();
    assert_eq!(ranks, [Hand::Sword, Hand::Plain, Hand::Plain]);
}

#[test]
fn only_sizes_that_are_left_can_be_exchanged_for() {
    let mut fight = board(&[("c2", "2L 1M 2S 1L")]);
    fight.swords = [0, 5, 5];
    fight.settle();
    assert_eq!(legal(&fight), "nosword sword:2");
    assert_eq!(refused(&fight, "sword:4"), "there is no large sword left at the side");
    assert_eq!(
        refused(&fight, "sword:1"),
        "number 1 on c2 is seat 2's large piece: only a piece of your own can be exchanged"
    );
    assert_eq!(refused(&fight, "sword:5"), "the stack on c2 has 4 pieces, there is no number 5");
    assert!(refused(&fight, "sword:255").contains("no number 255"));
    let mut fight = board(&[("c2", "2L 1M 2S 1L")]);
    (fight.swords, fight.shields) = ([0, 0, 5], [0, 5, 0]);
    fight.settle();
    assert_eq!(dice(&fight), r#"{"1":["d12"],"2":["d12"]}"#, "nobody has a choice");
}

#[test]
fn the_lowest_loses_its_bottommost_piece() {
    let mut fight = combat("2L 3M 2S 1L");
    play(&mut fight, "noshield roll:1=7,2=3,3=4");
    assert_eq!((c2(&fight).as_str(), fight.stash[1]), ("3M 2S 1L", [5, 5, 4]));
    assert_eq!((fight.phase, fight.turn), (Phase::Act, 2));
}

#[test]
fn all_who_tie_for_the_lowest_lose() {
    let mut fight = combat("2L 3M 2S 1L");
    play(&mut fight, "noshield roll:1=7,2=7,3=7");
    assert_eq!(c2(&fight), "2S");
}

#[test]
fn the_sword_wins_ties_and_loses_only_itself() {
    let mut fight = combat("2L 1M 2S 1L");
    play(&mut fight, "sword:4 noshield roll:1=3+4,2=7");
    assert_eq!(c2(&fight), "1M 2S KL");
    let mut fight = combat("2L 1M 2S 1L");
    play(&mut fight, "sword:4 noshield roll:1=3+3,2=7");
    assert_eq!((c2(&fight).as_str(), fight.swords), ("2L 1M 2S", [5, 5, 5]));
}

#[test]
fn the_shield_loses_ties_alone_and_loses_only_itself() {
    let mut fight = combat("2L 1M 2S 1L 3L");
    play(&mut fight, "shield:1 roll:1=5,2=5,3=5");
    assert_eq!((c2(&fight).as_str(), fight.shields), ("1M 2S 1L 3L", [5, 5, 5]), "the others tied higher");
    assert_eq!(fight.combat(), Some(Combat::new(place("c2"))), "still contested: fought on");
    let mut fight = combat("2L 1M 2S 1L");
    play(&mut fight, "nosword shield:1 roll:1=5,2=20");
    assert_eq!(c2(&fight), "CL 2S 1L");
}

#[test]
fn sword_against_shield() {
    let mut fight = combat("2L 1M 2S 1L");
    play(&mut fight, "sword:2 shield:1 roll:1=10+10,2=20");
    assert_eq!((c2(&fight).as_str(), fight.shields, fight.swords), ("KM 2S 1L", [5, 5, 5], [5, 4, 5]), "a tie");
    let mut fight = combat("2L 1M 2S 1L");
    play(&mut fight, "sword:2 shield:1 roll:1=1+1,2=3");
    assert_eq!(c2(&fight), "CL 2S 1L");
}

#[test]
fn sword_and_shield_exclude_each_other_in_one_combat_only() {
    // Seat 1 holds both ends, loses its sword, and takes a shield in the next combat of the turn.
    let mut fight = combat("1M 2L 2S 1S 2M 1L");
    play(&mut fight, "sword:4 roll:1=1+1,2=9");
    assert_eq!(c2(&fight), "1M 2L 2S 2M 1L");
    assert_eq!(legal(&fight), "nosword sword:1 sword:5");
    play(&mut fight, "nosword shield:1");
    assert_eq!(c2(&fight), "CM 2L 2S 2M 1L");
    assert_eq!(dice(&fight), r#"{"1":["d20"],"2":["d12"]}"#, "it protects who exchanged for it, in this combat");
}

#[test]
fn dice_must_be_those_that_are_rolled() {
    let mut fight = combat("2L 1M 2S 1L");
    play(&mut fight, "sword:2 shield:1");
    for (token, why) in [
        ("roll:1=3+4,2=5,3=6", "seat 3 has no piece"),
        ("roll:1=3+4", "seat 2 has a piece in the stack on c2 and must roll"),
        ("roll:1=3,2=5", "seat 1 uses the sword and rolls two dice"),
        ("roll:1=3+4,2=5+5", "seat 2 does not use the sword"),
        ("roll:1=13+4,2=5", "seat 1 rolls a d12, which cannot show 13"),
        ("roll:1=3+13,2=5", "the black die is a d12, which cannot show 13"),
        ("roll:1=3+4,2=21", "seat 2 rolls a d20, which cannot show 21"),
        ("end", "the dice are awaited"),
    ] {
        assert!(refused(&fight, token).contains(why), "{token}: {}", refused(&fight, token));
    }
}

#[test]
fn a_stack_once_chosen_is_fought_to_the_end() {
    let mut board = board(&[("c2", "2L 3M 2S 3L 4S 1S"), ("d2", "3S 2M 4L 1M")]);
    board.settle();
    assert_eq!((actor(&board), legal(&board).as_str()), (Actor::Seat(1), "fight:c2 fight:d2"));
    assert_eq!(
        refused(&board, "fight:a1"),
        "a1 is not contested: that takes four pieces or more, of two seats or more"
    );
    assert!(refused(&board, "end").contains("name the one"));
    play(&mut board, "fight:c2 noshield roll:1=9,2=1,3=9,4=9");
    assert_eq!(board.combat().map(|combat| combat.at), Some(place("c2")));
    play(&mut board, "noshield roll:1=9,2=8,3=1,4=9 roll:1=9,2=8,3=1,4=9");
    assert_eq!(c2(&board), "2S 4S 1S");
    assert_eq!(board.combat().map(|combat| combat.at), Some(place("d2")), "the only one left needs no choice");
    play(&mut board, "roll:1=1,2=1,3=1,4=1");
    assert_eq!((board.phase, board.turn), (Phase::Act, 2));
}

#[test]
fn what_a_turn_forbids_is_said() {
    let mut board = Triforce::start(&json!({})).unwrap();
    assert!(refused(&board, "+M").contains("the white pyramid of a1 is large"));
    assert!(refused(&board, "end").contains("one action at least"));
    assert!(refused(&board, "pass").contains("not pinned"));
    assert!(refused(&board, "a1-b1").contains("no piece on a1"));
    assert!(refused(&board, "roll:1=1").contains("for combat"));
    play(&mut board, "+L +M");
    assert!(refused(&board, "+M").contains("seat 1's medium piece on top of a1 has the same size"));
    assert!(refused(&board, "a1-a1").contains("another territory"));
    assert!(refused(&board, "a1-b2").contains("the white pyramid of b2 is small"));
    assert!(refused(&board, "a1-e1").contains("no way from a1 to e1"));
    play(&mut board, "end +S");
    assert!(refused(&board, "a1-b1").contains("on a1 it is seat 1's medium piece"));
    play(&mut board, "end +M end a1-b1 b1-a1");
    assert!(refused(&board, "end").contains("stand as at the start"));
    assert_eq!(legal(&board), "+L +S a1-b1");
}

#[test]
fn the_third_action_may_not_restore_the_stacks_with_a_like_piece_either() {
    let mut board = board(&[("a1", "1L 1M"), ("b1", "1M 1L 1M"), ("b2", "4S"), ("c2", "3L")]);
    play(&mut board, "b1-d2 a1-b1");
    assert_eq!(board.undoing(), Some((place("d2"), place("a1"))), "another medium piece in its place is no change");
    assert!(!legal(&board).contains("d2-a1"));
    assert!(legal(&board).contains("d2-c3"));
    assert!(refused(&board, "d2-a1").contains("third action"));
}

#[test]
fn swords_and_shields_never_move() {
    let board = board(&[("c2", "1L KM"), ("d2", "CM")]);
    assert_eq!(refused(&board, "c2-c3"), "the medium sword on c2 never moves, and nothing below it does");
    assert_eq!(refused(&board, "d2-c3"), "the medium shield on d2 never moves, and nothing below it does");
}

#[test]
fn a_turn_ends_by_itself_where_only_its_end_is_left() {
    // Seat 1 has nothing in its stash, and small pieces can go to e3 only.
    let mut board = board(&[
        ("a1", "1L 1M 1S 1L 1M 1S 1L 1M 1S 1L 1M 1L 1M 1S"),
        ("b1", "3S"),
        ("b2", "4S"),
        ("d1", "3S"),
        ("d2", "3S"),
        ("d3", "4S"),
        ("e1", "2S"),
        ("e2", "2S 1S"),
        ("e3", "3L"),
        ("e4", "3S"),
    ]);
    let mut stuck = board.clone();
    stuck.stacks[place("e3").index()] = stack("3S");
    assert_eq!(legal(&stuck), "pass");
    assert_eq!(refused(&stuck, "+S"), "you have no small piece left in your stash");
    assert!(refused(&stuck, "end").contains("you are pinned"));
    assert_eq!(legal(&board), "e2-e3");
    play(&mut board, "e2-e3");
    assert_eq!((board.turn, board.spent), (2, 0));
}

#[test]
fn territories_count_at_the_start_of_ones_turn() {
    let held: Vec<(&str, &str)> =
        ["a1", "b1", "b2", "c1", "c2", "c3"].into_iter().zip(["2L", "2M", "2S", "2S", "2L", "2M"]).collect();
    let mut almost = board(&held);
    almost.stacks[place("d1").index()] = stack("CL 2S");
    almost.settle();
    assert_eq!(almost.phase, Phase::Act, "a shield at the bottom is nobody's");
    let mut won = board(&held);
    won.stacks[place("d1").index()] = stack("2L");
    won.stash[1][0] -= 1;
    won.settle();
    let outcome = won.outcome().expect("seven of seven");
    assert_eq!((outcome.winners, outcome.reason.as_str()), (vec![2], "territories"));
    assert_eq!((won.turn, won.spent, won.start), (2, 0, won.stacks));
}

#[test]
fn random_play_keeps_what_must_hold() {
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = move |n: u32| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        ((seed >> 24) % u64::from(n)) as u32
    };
    for game in 0..24 {
        let setup = json!({ "players": 3 + game % 4 });
        let mut board = Triforce::start(&setup).unwrap();
        let mut elsewhere: Vec<Action> = Vec::new();
        let mut plies = 0;
        while plies < 400 && !board.to_act().is_empty() {
            check(&board, &elsewhere);
            let actor = actor(&board);
            elsewhere.clear();
            if board.prompt(actor).is_none() {
                board.legal(actor, &mut elsewhere);
            }
            let action = board.sample(actor, &mut draw);
            assert_eq!(board.judge(actor, &action), Ok(()));
            elsewhere.push(action);
            board.apply(actor, &action);
            plies += 1;
        }
        check(&board, &elsewhere);
    }
}

/// What holds in every position. `others` are actions from another position.
fn check(board: &Board, others: &[Action]) {
    let json = board.to_json(Viewer::All);
    assert_eq!(Board::from_json(&json).as_ref(), Ok(board), "{json}");
    for size in SIZES {
        let on_board = |owner| {
            let pieces = board.stacks.iter().flat_map(|stack| stack.pieces());
            pieces.filter(|piece| *piece == Piece::new(owner, size)).count() as u8
        };
        for seat in 1..=board.players {
            assert_eq!(board.stash_of(seat)[size as usize] + on_board(Owner::Seat(seat)), EACH);
        }
        assert_eq!(board.swords[size as usize] + on_board(Owner::Sword), EACH);
        assert_eq!(board.shields[size as usize] + on_board(Owner::Shield), EACH);
    }
    assert_eq!(board.outcome().is_some(), board.to_act().is_empty());
    let Some(actor) = board.to_act().only() else { return };
    let mut listed = Vec::new();
    if board.prompt(actor).is_none() {
        board.legal(actor, &mut listed);
        assert!(!listed.is_empty());
        assert_eq!(listed.len(), board.count_legal(actor));
    }
    for (index, action) in listed.iter().enumerate() {
        assert!(!listed[..index].contains(action), "{action} is listed twice");
        assert_eq!(action.to_string().parse::<Action>().as_ref(), Ok(action));
        assert_eq!(board.judge(actor, action), Ok(()), "{action} is listed");
    }
    for action in others {
        let is_roll = matches!(action, Action::Roll(_)) && board.prompt(actor).is_some();
        let allowed = board.judge(actor, action).is_ok();
        assert!(
            allowed == listed.contains(action) || is_roll,
            "{action} is judged {allowed} on {}",
            board.text(Viewer::All)
        );
    }
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let mut board = Triforce::start(&json!({})).unwrap();
    play(&mut board, "+L +M end +S");
    let good = board.to_json(Viewer::All);
    let refused = |member: &str, value: serde_json::Value| {
        let mut bad = good.clone();
        bad[member] = value;
        assert!(Board::from_json(&bad).is_err(), "{bad}");
    };
    assert!(Board::from_json(&good).is_ok());
    refused("more", json!(1));
    refused("game", json!("tri"));
    refused("players", json!(4));
    refused("players", json!(300));
    refused("bases", json!(null));
    refused("pawns", json!(["a1", "a1", "e1"]));
    refused("turn", json!(0));
    refused("turn", json!(4));
    refused("spent", json!(4));
    refused("spent", json!(0));
    refused("phase", json!("over"));
    refused("phase", json!("order"));
    refused("phase", json!("fight"));
    refused("fight", json!("a1"));
    refused("sword", json!(1));
    refused("swords", json!([5, 5, 4]));
    refused("stash", json!([[5, 5, 5], [5, 5, 5], [5, 5, 5]]));
    refused("stacks", json!({ "a1": [] }));
    refused("stacks", json!({ "f1": ["1L"] }));
    refused("stacks", json!({ "a1": ["4L"] }));
    refused("stacks", json!({ "a1": vec!["1L"; 6] }));
    refused("stacks", json!({ "a1": vec!["1L"; 40] }));
    refused("stacks", json!({ "a1": ["KL", "KM"] }));
    refused("start", json!({}));
    for json in [json!(null), json!([]), json!(7), json!({}), json!("triforce")] {
        assert!(Board::from_json(&json).is_err(), "{json}");
    }
}

#[test]
fn every_phase_is_told_in_words_and_drawn() {
    let mut board = board(&[("c2", "2L 1M 2S 1L"), ("d2", "2S 2M 1L CM 1S 2L 1M 1S")]);
    board.settle();
    for (step, words) in [
        ("", "choose where the next combat is"),
        ("fight:c2", "Combat on c2: seat 1 to take a sword or not."),
        ("nosword", "Combat on c2: seat 2 to take a shield or not."),
        ("shield:1", "to be rolled: seat 1 d12, seat 2 d20."),
        ("roll:1=1,2=2", "Combat on d2: seat 1 to take a sword or not."),
    ] {
        let before = board.clone();
        play(&mut board, step);
        let text = board.text(Viewer::All);
        assert!(text.contains(words), "{text}");
        let action = step.parse::<Action>().ok();
        let last = action.as_ref().map(|action| crate::Last { before: &before, actor: actor(&before), action });
        let scene = board.scene(Viewer::All, last);
        let drawn = scene
            .items
            .iter()
            .filter(|item| item.title.as_ref().is_some_and(|title| title.starts_with("number")))
            .count();
        assert_eq!(drawn, board.stacks.iter().map(|stack| stack.len()).sum::<usize>());
    }
}
