//! Positions as JSON, in words and as pictures.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{actor, board, numbers, place, play};
use crate::games::triforce::Triforce;
use crate::games::triforce::board::{Board, Phase};
use crate::games::triforce::combat::Combat;
use crate::games::triforce::notation::Action;
use crate::games::triforce::place::{PLACES, Place};
use crate::games::triforce::setup::Setup;
use crate::games::triforce::stack::{Owner, Piece, SIZES, Stack};
use crate::{Game, Position, Viewer};

/// The reason why JSON is refused.
fn refused(json: &Value) -> String {
    Board::from_json(json).expect_err("this is refused").to_string()
}

/// The reason why a position is refused after some of its members were changed.
fn check_refused(good: &Board, cases: &[(Value, &str)]) {
    let good = good.to_json(Viewer::All);
    assert!(Board::from_json(&good).is_ok(), "{good}");
    for (changes, why) in cases {
        let mut bad = good.clone();
        for (member, value) in changes.as_object().expect("members and their values") {
            bad[member] = value.clone();
        }
        assert_eq!(refused(&bad), *why, "{changes}");
    }
}

#[test]
fn what_is_no_view_of_a_position_is_refused() {
    let good = Triforce::start(&json!({})).unwrap();
    check_refused(
        &good,
        &[
            (json!({"game": "tri"}), "`game`: unknown variant `tri`, expected `triforce`"),
            (json!({"turn": "1"}), "`turn`: invalid type: string \"1\", expected a whole number from 0 to 255"),
            (json!({"turn": 0}), "`turn` is a seat from 1 to 3, not 0"),
            (json!({"turn": 4}), "`turn` is a seat from 1 to 3, not 4"),
            (json!({"players": 7}), "`players` is a whole number from 3 to 6, not 7"),
            (json!({"players": 4}), "`pawns` lists a territory for each of the 4 seats, all different: 3 are given"),
            (json!({"pawns": ["a1", "e5", "f1"]}), "`pawns[2]`: \"f1\" is not a territory: they are a1 to e5"),
            (json!({"bases": "LMS"}), "`bases` has 15 letters, each L, M or S, for a1, b1, b2, c1 to e5"),
            (json!({"stacks": {"a1": []}}), "`stacks.a1`: a stack has 1 to 20 pieces, and empty ones are left out"),
            (
                json!({"stacks": {"a1": vec!["1L"; 40]}}),
                "`stacks.a1`: a stack has 1 to 20 pieces, and empty ones are left out",
            ),
            (json!({"stacks": {"a1": ["KL", "KM"]}}), "`stacks.a1`: a stack has at most one sword and one shield"),
            (
                json!({"stacks": {"a1": ["L1"]}}),
                "`stacks.a1[0]`: \"L1\" is not a piece: they are written with a seat, K or C, and a size: 1L, KM, CS",
            ),
            (json!({"start": {"a1": ["4L"]}}), "`start` has 4L on a1, but there are 3 seats"),
            (
                json!({"stacks": {"a1": vec!["1L"; 6]}}),
                "`stacks` has more pieces 1L than there are: 5 of each owner and size",
            ),
            (json!({"swords": [5, 5, 4]}), "`swords` must be [5,5,5] in this position, not [5,5,4]"),
            (json!({"stash": []}), "`stash` must be [[5,5,5],[5,5,5],[5,5,5]] in this position, not []"),
            (json!({"sword": 1}), "`sword` must be null in this position, not 1"),
        ],
    );
    let mut more = good.to_json(Viewer::All);
    more["figure"] = json!(1);
    assert!(refused(&more).starts_with("`figure`: unknown field `figure`, expected one of `bases`, `fight`"));
    let mut less = good.to_json(Viewer::All);
    less.as_object_mut().unwrap().remove("fight");
    assert_eq!(refused(&less), "missing field `fight`");
    for json in [json!(null), json!([]), json!(7), json!("triforce")] {
        assert_eq!(refused(&json), "a position is a JSON object");
    }
}

#[test]
fn turns_that_cannot_be_are_refused() {
    let mut turn = Triforce::start(&json!({})).unwrap();
    play(&mut turn, "+L +M end +S");
    let contested = json!({"a1": ["1L", "2M", "3S", "2L"]});
    let held: Map<String, Value> = Place::all()
        .zip(["2L", "2M", "2S"].into_iter().cycle())
        .take(8)
        .map(|(place, piece)| (place.to_string(), json!([piece])))
        .collect();
    check_refused(
        &turn,
        &[
            (json!({"spent": 0}), "`start` is the same as `stacks` while `spent` is 0"),
            (json!({"spent": 2}), "seat 2 cannot get from `start` to `stacks` with two actions"),
            (json!({"spent": 3}), "`spent` is 0 to 2 while seat 2 is to act: 3 actions end a turn"),
            (json!({"turn": 1}), "seat 1 cannot get from `start` to `stacks` with one action"),
            (json!({"start": {}}), "seat 2 cannot get from `start` to `stacks` with one action"),
            (
                json!({"start": contested, "stacks": contested}),
                "a1 is contested in `start`: it would have been fought over before the turn began",
            ),
            (
                json!({"start": held, "stacks": held, "spent": 0}),
                "seat 2 has begun its turn with 8 territories or more: the game would be over",
            ),
            (json!({"phase": "over"}), "nothing has ended the game: `phase` is another"),
            (json!({"phase": "order"}), "`phase` is order only if several stacks are contested"),
            (json!({"fight": "a1"}), "`fight` is null outside the phases sword, shield and roll"),
            (
                json!({"phase": "roll"}),
                "`fight` names the territory that is fought for in the phases sword, shield and roll",
            ),
        ],
    );
}
#[test]
fn combats_that_cannot_be_are_refused() {
    let mut fight = board(&[("c2", "2L 3M 1S"), ("d2", "2S 3L 4M"), ("a1", "1L")]);
    play(&mut fight, "+M a1-c2 end");
    assert_eq!(fight.phase, Phase::Sword(fight.combat_on(place("c2"))));
    let mut declined = fight.clone();
    play(&mut declined, "nosword");
    assert_eq!(Board::from_json(&declined.to_json(Viewer::All)), Ok(declined));
    check_refused(
        &fight,
        &[
            (json!({"phase": "order"}), "`fight` is null outside the phases sword, shield and roll"),
            (json!({"phase": "order", "fight": null}), "`phase` is order only if several stacks are contested"),
            (json!({"phase": "shield"}), "nobody on c2 can exchange a piece: `phase` would be a later one"),
            (json!({"phase": "over", "fight": null}), "nothing has ended the game: `phase` is another"),
            (
                json!({"fight": "d2"}),
                "d2 is not contested: `fight` is a stack of four pieces or more, of two seats or more",
            ),
            (json!({"sword": 1}), "`sword` is null, or a seat with a piece on c2 and a sword beside it"),
            (json!({"spent": 0}), "`spent` is 1 to 3 once a turn has changed something"),
            (
                json!({"spent": 1, "start": {"a1": ["1L"], "c2": ["2L", "3M"], "d2": ["2S", "3L", "4M"]}}),
                "2 pieces have come to the stacks since `start`, but `spent` is 1",
            ),
            (json!({"turn": 4}), "a piece of seat 1 has come to c2, but it is the turn of seat 4"),
        ],
    );
    let mut sword = fight.clone();
    play(&mut sword, "sword:3");
    check_refused(
        &sword,
        &[
            (json!({"phase": "sword"}), "`sword` and `shield` are null while `phase` is sword"),
            (
                json!({"phase": "sword", "sword": null}),
                "nobody on c2 can exchange a piece: `phase` would be a later one",
            ),
        ],
    );
}

/// A board that somebody might set up, usually an impossible one: stacks of at most three pieces, to which
/// the seat on turn has added some, in any phase.
fn any_board(draw: &mut impl FnMut(u32) -> u32) -> Option<Board> {
    let players = 3 + draw(4) as u8;
    let mut board = Board::start(&Setup::read(&json!({ "players": players })).expect("a setup"));
    board.turn = 1 + draw(players.into()) as u8;
    let (is_one_seats, spent) = (draw(4) == 0, draw(4) as u8);
    let seat = |draw: &mut dyn FnMut(u32) -> u32| 1 + draw(players.into()) as u8;
    let mut stacks = [Stack::EMPTY; PLACES];
    for stack in &mut stacks {
        for _ in 0..draw(4) {
            let owner = match draw(12) {
                0 => Owner::Sword,
                1 => Owner::Shield,
                _ if is_one_seats => Owner::Seat(board.turn),
                _ => Owner::Seat(seat(draw)),
            };
            *stack = stack.with(Piece::new(owner, SIZES[draw(3) as usize]));
        }
    }
    let start = stacks;
    for _ in 0..spent {
        let stack = &mut stacks[draw(PLACES as u32) as usize];
        *stack = stack.with(Piece::new(Owner::Seat(board.turn), SIZES[draw(3) as usize]));
    }
    board = board.set_out(stacks).ok()?;
    (board.start, board.spent) = (start, spent);
    let at = board.contested().first().unwrap_or(place("c2"));
    let (sword, shield) = ((draw(3) == 0).then(|| seat(draw)), (draw(3) == 0).then(|| seat(draw)));
    let combat = Combat { sword, shield, ..board.combat_on(at) };
    board.phase = match draw(6) {
        0 => Phase::Act,
        1 => Phase::Order,
        2 => Phase::Sword(board.combat_on(at)),
        3 => Phase::Shield(Combat { shield: None, ..combat }),
        4 => Phase::Roll(combat),
        _ => Phase::Over(board.end()?),
    };
    Some(board)
}

#[test]
fn whatever_is_set_up_is_refused_or_played() {
    let mut draw = numbers(7);
    let mut accepted = BTreeMap::new();
    for _ in 0..8_000 {
        let Some(board) = any_board(&mut draw) else { continue };
        let json = board.to_json(Viewer::All);
        let Ok(mut read) = Board::from_json(&json) else { continue };
        assert!(read == board, "{json}");
        *accepted.entry(json["phase"].to_string()).or_insert(0) += 1;
        for _ in 0..40 {
            let Some(actor) = read.to_act().only() else { break };
            let action = read.sample(actor, &mut draw);
            assert_eq!(read.judge(actor, &action), Ok(()), "{json}: {action}");
            read.apply(actor, &action);
            assert_eq!(Board::from_json(&read.to_json(Viewer::All)).as_ref(), Ok(&read), "{json}");
        }
    }
    assert_eq!(accepted.len(), 6, "positions of all phases can be set up: {accepted:?}");
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

#[test]
fn positions_of_games_with_another_setup_are_refused() {
    let setup = json!({"players": 4, "bases": "SSSSSMMMMMLLLLL"});
    let position = Triforce::start(&setup).unwrap().to_json(Viewer::All);
    assert!(Triforce::set_up(&setup, &position).is_ok());
    for (setup, why) in [
        (
            json!({"players": 4}),
            r#"the setup says {"bases":"LMSSLMLMSLMSLMS"}, and the position is one of a game with {"bases":"SSSSSMMMMMLLLLL"}"#,
        ),
        (
            json!({"players": 4, "bases": "SSSSSMMMMMLLLLL", "pawns": ["c3", "a1", "e5", "e1"]}),
            r#"the setup says {"pawns":["c3","a1","e5","e1"]}, and the position is one of a game with {"pawns":["a1","c3","e5","e1"]}"#,
        ),
        (
            json!({"bases": "SSSSSMMMMMLLLLL"}),
            r#"the setup says {"pawns":["a1","e5","e1"],"players":3}, and the position is one of a game with {"pawns":["a1","c3","e5","e1"],"players":4}"#,
        ),
        (json!({"players": 7}), "setup: `players` is a whole number from 3 to 6, not 7"),
    ] {
        assert_eq!(Triforce::set_up(&setup, &position), Err(why.into()), "{setup}");
    }
}
