//! Combat: swords, shields, dice and losses in all combinations.

use plybook_events::Actor;
use serde_json::json;

use super::{actor, board, c2, combat, dice, legal, place, play, refused, stack};
use crate::Position;
use crate::games::triforce::board::Phase;
use crate::games::triforce::combat::{Combat, Hand, Serves};

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
    let plain = Combat::new(place("c2"), Serves::Lowest);
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
    assert_eq!(fight.combat(), Some(Combat::new(place("c2"), Serves::Lowest)), "still contested: fought on");
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
    for (action, why) in [
        ("roll:1=3+4,2=5,3=6", "seat 3 has no piece"),
        ("roll:1=3+4", "seat 2 has a piece in the stack on c2 and must roll"),
        ("roll:1=3,2=5", "seat 1 uses the sword and rolls two dice"),
        ("roll:1=3+4,2=5+5", "seat 2 does not use the sword"),
        ("roll:1=13+4,2=5", "seat 1 rolls a d12, which cannot show 13"),
        ("roll:1=3+13,2=5", "the black die is a d12, which cannot show 13"),
        ("roll:1=3+4,2=21", "seat 2 rolls a d20, which cannot show 21"),
        ("end", "the dice are awaited"),
    ] {
        assert!(refused(&fight, action).contains(why), "{action}: {}", refused(&fight, action));
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

/// A fight on c2 for four seats with these options.
fn optional(options: &serde_json::Value, pieces: &str) -> crate::games::triforce::board::Board {
    let mut fight = super::board(&[("c2", pieces)]);
    fight.options = serde_json::from_value(options.clone()).unwrap();
    fight.settle();
    fight
}

#[test]
fn a_shield_stays_with_its_owner_if_the_setup_says_so() {
    for (shield, second) in
        [("lowest", r#"{"1":["d12"],"2":["d20"],"3":["d12"]}"#), ("owner", r#"{"1":["d20"],"2":["d12"],"3":["d12"]}"#)]
    {
        let mut fight = optional(&json!({ "shield": shield }), "1M 2L 1S 3M 3L 2S");
        // Seat 1 exchanges its bottom piece, so seat 2 is lowest now.
        play(&mut fight, "nosword shield:1");
        assert_eq!(dice(&fight), r#"{"1":["d20"],"2":["d12"],"3":["d12"]}"#);
        play(&mut fight, "roll:1=12,2=11,3=1");
        while fight.to_act() != crate::Actors::CHANCE {
            let declined = if legal(&fight).contains("nosword") { "nosword" } else { "noshield" };
            play(&mut fight, declined);
        }
        assert_eq!(dice(&fight), second, "{shield}");
        let json = fight.to_json(crate::Viewer::All);
        assert_eq!(json.get("owners").cloned(), (shield == "owner").then(|| json!({ "c2": 1 })));
    }
}

#[test]
fn a_shield_whose_owner_is_gone_serves_nobody() {
    let mut fight = super::board(&[("c2", "CM 2L 3S 2S")]);
    fight.options = serde_json::from_value(json!({ "shield": "owner" })).unwrap();
    fight.owners[place("c2").index()] = 1;
    fight.settle();
    assert_eq!(dice(&fight), r#"{"2":["d12"],"3":["d12"]}"#);
    // Its owner cannot take a sword beside it, wherever its pieces are.
    let mut fight = super::board(&[("c2", "2L CM 1S 2S 1L")]);
    fight.options = serde_json::from_value(json!({ "shield": "owner" })).unwrap();
    fight.owners[place("c2").index()] = 1;
    fight.settle();
    assert_eq!(dice(&fight), r#"{"1":["d20"],"2":["d12"]}"#);
    play(&mut fight, "roll:1=1,2=5");
    assert_eq!((c2(&fight).as_str(), fight.owners[place("c2").index()]), ("2L 1S 2S 1L", 0));
}

#[test]
fn black_and_clear_are_colours_if_the_setup_says_so() {
    let fight = |colours| optional(&json!({ "colours": colours }), "1L KM 1S 1L");
    assert_eq!(fight("seats").phase, Phase::Act);
    let mut alone = fight("all");
    assert_eq!(dice(&alone), r#"{"1":["d12","d12"]}"#);
    play(&mut alone, "roll:1=12+12");
    assert_eq!(c2(&alone), "1L 1S 1L", "whoever rolls alone is lowest");
}
