//! Rounds worked out by hand, and properties over random play.

use plybook_events::Actor;
use serde_json::{Value, json};

use super::TriforceBuilding;
use super::lattice::Cell;
use super::notation::Submission;
use super::position::{Board, ROUNDS};
use crate::{Game, Position, Viewer};

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(n)) as u32
    }
}

/// A game of 7 on a board of side 4 in a round, seats on cells, some powered.
pub(super) fn seven(round: u8, cells: [&str; 7], powered: &[u8]) -> Board {
    let starts = ["1.1", "2.1", "2.3", "3.1", "3.5", "4.1", "4.7"];
    let setup = json!({"players": 7, "side": 4, "starts": starts, "garnets": 2});
    let mut board = TriforceBuilding::start(&setup).expect("a setup");
    board.round = round;
    for (cell, name) in board.cells.iter_mut().zip(cells) {
        *cell = Cell::parse(name, 4);
    }
    for seat in powered {
        board.powered.insert(usize::from(*seat) - 1);
    }
    board
}

/// Submits for the seats that are on the board, in order.
fn submit(board: &mut Board, tokens: &[&str]) {
    let actors: Vec<Actor> = board.to_act().iter().collect();
    assert_eq!(actors.len(), tokens.len());
    for (actor, token) in actors.into_iter().zip(tokens) {
        let submission: Submission = token.parse().expect("a submission");
        board.judge(actor, &submission).expect("a legal submission");
        board.apply(actor, &submission);
    }
}

fn powered(board: &Board) -> Vec<usize> {
    (1..=board.players()).filter(|seat| board.powered.contains(seat - 1)).collect()
}

const STAY: [&str; 7] = ["-"; 7];

#[test]
fn the_published_example_of_spending() {
    let starts = ["1.1", "2.1", "2.3", "3.1", "3.5", "4.1", "4.7", "5.1", "5.9", "6.1", "6.11", "7.1", "7.13"];
    let mut board = TriforceBuilding::start(&json!({"starts": starts})).expect("a setup");
    for _ in 0..2 {
        submit(&mut board, &["-"; 13]);
    }
    // Round 3: all fall by 3; seat 10 (4 before) has 1, seat 11 has 13, seat 6 has 5, seat 8 has 3.
    assert_eq!(board.priority, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 13, 12, 11]);
    let mut tokens = ["-"; 13];
    (tokens[5], tokens[7]) = ("-!", "-!");
    submit(&mut board, &tokens);
    // 6 has 13, 8 has 12, 11 has 11; then round 4 lowers all by 4.
    let before: Vec<u8> = board.priority.iter().map(|priority| (priority + 3) % 13 + 1).collect();
    assert_eq!(before, [8, 7, 6, 5, 4, 13, 3, 12, 2, 1, 11, 10, 9]);
    assert_eq!((board.garnets[5], board.garnets[7], board.garnets[0]), (0, 0, 1));
}

#[test]
fn a_line_powers_the_highest_priority_on_each_cell() {
    let mut board = seven(2, ["3.1", "3.2", "3.3", "3.3", "3.3", "1.1", "4.7"], &[]);
    board.priority[..7].copy_from_slice(&[7, 6, 3, 5, 4, 2, 1]);
    submit(&mut board, &STAY);
    assert_eq!(powered(&board), [1, 2, 4]);
}

#[test]
fn a_line_is_all_of_its_run_and_long_enough() {
    let cells = ["4.1", "4.2", "4.3", "4.4", "2.1", "2.2", "1.1"];
    let mut board = seven(2, cells, &[]);
    submit(&mut board, &STAY);
    // 4.1 to 4.4; and 2.1, 2.2, 1.1 run down to the left from the top.
    assert_eq!(powered(&board), [1, 2, 3, 4, 5, 6, 7]);
    let mut board = seven(2, cells, &[]);
    board.setup.line = 4;
    submit(&mut board, &STAY);
    assert_eq!(powered(&board), [1, 2, 3, 4]);
    let mut board = seven(2, cells, &[]);
    board.setup.line = 5;
    submit(&mut board, &STAY);
    assert_eq!(powered(&board), [0; 0]);
}

#[test]
fn the_strongest_triforce_goes_first_and_takes_its_seats_with_it() {
    // Around 3.2 (2.1, 3.1, 3.3) and around 3.4 (2.3, 3.3, 3.5): 3.3 is in both.
    let mut board = seven(2, ["2.1", "3.1", "3.3", "2.3", "3.5", "1.1", "4.1"], &[1, 2, 3, 4, 5]);
    board.priority[..7].copy_from_slice(&[1, 2, 7, 6, 5, 4, 3]);
    submit(&mut board, &STAY);
    let made: Vec<_> = board.triforces().collect();
    assert_eq!(made.len(), 1);
    assert_eq!((made[0].at.to_string(), made[0].seats), ("3.4".to_owned(), [3, 4, 5]));
    assert_eq!(board.garnets[..7], [2, 2, 5, 5, 5, 2, 2]);
}

#[test]
fn equal_sums_are_decided_by_the_highest_priority() {
    let starts = ["1.1", "2.1", "2.3", "3.1", "3.5", "4.1", "4.7", "5.1", "5.9", "6.1", "6.11", "7.1", "7.13"];
    let mut board = TriforceBuilding::start(&json!({"starts": starts})).expect("a setup");
    board.round = 2;
    for (index, name) in ["4.1", "5.1", "5.3", "6.7", "7.7", "7.9"].into_iter().enumerate() {
        board.cells[index] = Cell::parse(name, 7);
        board.powered.insert(index);
    }
    // 11 + 8 + 2 = 12 + 6 + 3.
    board.priority = [11, 8, 2, 12, 6, 3, 13, 10, 9, 7, 5, 4, 1];
    submit(&mut board, &["-"; 13]);
    let made: Vec<_> = board.triforces().map(|made| made.seats).collect();
    assert_eq!(made, [[4, 5, 6], [1, 2, 3]]);
}

#[test]
fn triforces_with_one_strongest_seat_are_decided_by_the_second() {
    // Around 3.2 (2.1, 3.1, 3.3) 4 + 3 + 7, around 3.4 (2.3, 3.3, 3.5) 7 + 2 + 5.
    let mut board = seven(2, ["2.1", "3.1", "3.3", "2.3", "3.5", "1.1", "4.1"], &[1, 2, 3, 4, 5]);
    board.priority[..7].copy_from_slice(&[4, 3, 7, 2, 5, 6, 1]);
    submit(&mut board, &STAY);
    assert_eq!(board.triforces().next().map(|made| made.seats), Some([3, 4, 5]));
}

#[test]
fn with_four_left_power_does_not_matter_and_the_last_triforce_pays_less() {
    let mut board = seven(2, ["2.1", "3.1", "3.3", "4.5", "3.5", "4.7", "1.1"], &[1, 2, 3]);
    submit(&mut board, &STAY);
    // Seats 4 to 7 are left, 4.5 3.5 4.7 lie around 4.6, which is on the lower border.
    let made: Vec<_> = board.triforces().map(|made| (made.at.to_string(), made.seats)).collect();
    assert_eq!(made, [("3.2".to_owned(), [1, 2, 3]), ("4.6".to_owned(), [4, 5, 6])]);
    assert!(board.over);
    assert_eq!(board.garnets[..7], [5, 5, 5, 3, 3, 3, 2]);
    let outcome = serde_json::to_value(board.outcome()).expect("plain data");
    let expected = json!({
        "eliminated": 7, "garnets": [5, 5, 5, 3, 3, 3, 2], "ranking": [[1, 2, 3], [4, 5, 6], [7]],
        "reason": "triforces", "winners": [1, 2, 3],
    });
    assert_eq!(outcome, expected);
}

#[test]
fn powered_and_removed_in_one_round_earns_seven_more() {
    // A line 4.1 to 4.5 powers five seats; 4.1, 4.3 and 3.1 around 4.2 need 3.1 to be powered.
    let mut board = seven(2, ["4.1", "4.2", "4.3", "3.1", "1.1", "3.5", "4.7"], &[4]);
    submit(&mut board, &STAY);
    assert_eq!(board.triforces().next().map(|made| made.seats), Some([1, 3, 4]));
    assert_eq!(board.garnets[..7], [12, 2, 12, 5, 2, 2, 2]);
    assert_eq!(powered(&board), [1, 2, 3, 4]);
}

#[test]
fn after_ten_rounds_tokens_go_by_power_and_priority() {
    let mut board = seven(ROUNDS, ["4.1", "4.7", "1.1", "4.4", "2.2", "3.3", "4.3"], &[2]);
    board.priority[..7].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7]);
    board.setup.line = 5;
    submit(&mut board, &STAY);
    let outcome = serde_json::to_value(board.outcome()).expect("plain data");
    assert_eq!(outcome["reason"], "rounds");
    assert_eq!(outcome["ranking"], json!([[2, 6, 7], [3, 4, 5], [1]]));
    assert_eq!(outcome["winners"], json!([2, 6, 7]));
    assert_eq!(board.garnets[..7], [2; 7]);
}

#[test]
fn reasons_name_what_is_wrong() {
    let board = seven(2, ["4.1", "4.2", "1.1", "3.1", "2.1", "3.5", "4.7"], &[]);
    let reason = |board: &Board, seat: u8, token: &str| {
        let actor = Actor::Seat(seat);
        let submission: Submission = token.parse().expect("a submission");
        board.judge(actor, &submission).map_err(|why| why.0)
    };
    assert_eq!(reason(&board, 1, "U"), Err("4.1 points up: from there the steps are L, R and D, not U".to_owned()));
    assert_eq!(reason(&board, 2, "D"), Err("4.2 points down: from there the steps are L, R and U, not D".to_owned()));
    assert_eq!(reason(&board, 1, "D"), Err("the step D from 4.1 leaves the board".to_owned()));
    assert_eq!(reason(&board, 3, "DLD"), Ok(()));
    assert_eq!(reason(&board, 3, "DLR"), Ok(()));
    assert_eq!(reason(&board, 4, "RLL"), Err("the step L from 3.1 leaves the board".to_owned()));
    assert_eq!(reason(&board, 3, "-!"), Err("garnets cannot be spent before round 3".to_owned()));
    let mut board = Board { round: 3, ..board };
    assert_eq!(reason(&board, 3, "-!"), Ok(()));
    board.garnets[2] = 0;
    assert_eq!(reason(&board, 3, "-!"), Err("you have no garnet left to spend".to_owned()));
}

/// Plays a random game and visits every position.
fn play(seed: u64, setup: &Value, mut visit: impl FnMut(&Board, &mut Numbers)) -> Board {
    let mut numbers = Numbers(seed);
    let complete = TriforceBuilding::complete(setup, &mut |n| numbers.below(n)).expect("a setup");
    let mut board = TriforceBuilding::start(&complete).expect("complete setups are setups");
    loop {
        visit(&board, &mut numbers);
        let actors: Vec<Actor> = board.to_act().iter().collect();
        if actors.is_empty() {
            return board;
        }
        let actor = actors[numbers.below(actors.len() as u32) as usize];
        let submission = if numbers.below(3) == 0 {
            board.sample(actor, &mut |n| numbers.below(n))
        } else {
            crate::search::choose(&board, actor, &mut |n| numbers.below(n))
        };
        board.apply(actor, &submission);
    }
}

fn setups() -> [Value; 6] {
    [
        json!({}),
        json!({"players": 10, "side": 5, "garnets": 3}),
        json!({"players": 7, "side": 4, "garnets": 99}),
        json!({"players": 7, "side": 12, "garnets": 0}),
        json!({"line": 4, "side": 6}),
        json!({"line": 5, "side": 8, "players": 10}),
    ]
}

#[test]
fn random_play_keeps_every_invariant() {
    let mut reasons = std::collections::BTreeSet::new();
    for (seed, setup) in (1..=18).zip(setups().iter().cycle()) {
        let end = play(seed, setup, |board, numbers| {
            let json = board.to_json(Viewer::All);
            assert!(Board::from_json(&json).as_ref() == Ok(board), "{json}");
            let players = board.players();
            let mut priorities = board.priority[..players].to_vec();
            priorities.sort_unstable();
            assert!(priorities.iter().copied().eq(1..=board.setup.players), "{json}");
            assert_eq!(board.on_board().count() + 3 * usize::from(board.triforces_made()), players, "{json}");
            assert_eq!(board.to_act().is_empty(), board.outcome().is_some());
            let mut actions = Vec::new();
            for actor in board.to_act().iter() {
                actions.clear();
                board.legal(actor, &mut actions);
                assert_eq!(board.count_legal(actor), actions.len());
                let mut tokens: Vec<String> = actions.iter().map(ToString::to_string).collect();
                for (action, token) in actions.iter().zip(&tokens) {
                    assert_eq!(board.judge(actor, action), Ok(()), "{token}");
                    assert_eq!(token.parse::<Submission>().as_ref(), Ok(action));
                }
                tokens.sort_unstable();
                assert!(tokens.windows(2).all(|pair| pair[0] < pair[1]));
            }
            paths_agree(board, numbers);
        });
        let outcome = end.outcome().expect("a game that is over has an outcome");
        let groups: Vec<u8> = outcome.ranking.into_iter().flatten().flatten().collect();
        assert_eq!(groups.len(), end.players());
        assert_eq!(outcome.winners.len(), usize::from(end.setup.triforces() - 1) * 3);
        reasons.insert(outcome.reason);
    }
    assert_eq!(reasons.len(), 2, "both endings are reached: {reasons:?}");
}

/// Every path of up to three steps against the list of one seat: a path is allowed exactly when it
/// stays on the board, and then leads to a listed cell, no shorter and no earlier than the listed one.
fn paths_agree(board: &Board, numbers: &mut Numbers) {
    let actors: Vec<Actor> = board.to_act().iter().collect();
    if actors.is_empty() {
        return;
    }
    let actor = actors[numbers.below(actors.len() as u32) as usize];
    let Actor::Seat(seat) = actor else { unreachable!("chance never acts") };
    let from = board.cells[usize::from(seat) - 1].expect("it is to act");
    let mut listed = Vec::new();
    board.legal(actor, &mut listed);
    let letters = ["", "D", "L", "R", "U"];
    let mut best = std::collections::BTreeMap::new();
    for a in letters {
        for b in letters {
            for c in letters {
                let path = format!("{a}{b}{c}");
                let token = if path.is_empty() { "-".to_owned() } else { path.clone() };
                let submission: Submission = token.parse().expect("up to three steps");
                let end = board.end(from, submission);
                assert_eq!(board.judge(actor, &submission).is_ok(), end.is_some(), "{token} from {from}");
                if let Some(end) = end {
                    let first = best.entry(end).or_insert_with(|| path.clone());
                    if (path.len(), &path) < (first.len(), first) {
                        *first = path;
                    }
                }
            }
        }
    }
    let mut expected: Vec<String> =
        best.into_values().map(|path| if path.is_empty() { "-".into() } else { path }).collect();
    expected.sort_unstable();
    let mut plain: Vec<String> = listed.iter().filter(|path| !path.spends).map(ToString::to_string).collect();
    plain.sort_unstable();
    assert_eq!(plain, expected);
}

#[test]
fn a_viewer_sees_nothing_of_another_seats_submission() {
    for (seed, setup) in (100..=106).zip(setups().iter().cycle()) {
        play(seed, setup, |board, numbers| {
            let actors: Vec<Actor> = board.to_act().iter().collect();
            // The last submission resolves the round, which is no secret.
            if actors.len() < 2 {
                return;
            }
            let actor = actors[numbers.below(actors.len() as u32) as usize];
            let [one, other] = [(); 2].map(|()| board.sample(actor, &mut |n| numbers.below(n)));
            let (mut a, mut b) = (board.clone(), board.clone());
            a.apply(actor, &one);
            b.apply(actor, &other);
            for viewer in (1..=board.setup.players).map(Viewer::Seat).chain([Viewer::Public]) {
                if viewer.knows(actor) {
                    continue;
                }
                let last = |action| Some(crate::Last { before: board, actor, action });
                assert_eq!(a.to_json(viewer), b.to_json(viewer));
                assert_eq!(a.text(viewer), b.text(viewer));
                assert_eq!(a.scene(viewer, last(&one)), b.scene(viewer, last(&other)));
                assert_eq!(board.shown(viewer, actor, &one), None);
            }
        });
    }
}

/// A viewer may know no more than the page lists: seats on other cells that give the same picture
/// are the same to it.
#[test]
fn a_viewer_does_not_see_who_is_where() {
    let board = seven(3, ["3.1", "3.2", "3.4", "3.4", "2.1", "1.1", "4.7"], &[3, 4]);
    let mut other = seven(3, ["3.1", "2.1", "3.4", "1.1", "3.4", "3.2", "3.1"], &[3, 4]);
    // Not the same spaces: 4.7 is empty now, and seat 4 shows its power on 1.1.
    assert_ne!(board.to_json(Viewer::Public), other.to_json(Viewer::Public));
    other = seven(3, ["3.1", "2.1", "3.4", "3.4", "4.7", "3.2", "1.1"], &[3]);
    other.garnets[4] = 0;
    other.priority[..7].reverse();
    for viewer in [Viewer::Public, Viewer::Seat(9)] {
        assert_eq!(board.to_json(viewer), other.to_json(viewer));
        assert_eq!(board.text(viewer), other.text(viewer));
        assert_eq!(board.scene(viewer, None), other.scene(viewer, None));
    }
}

#[test]
fn the_served_setup_tells_nobody_who_is_where() {
    let setup = TriforceBuilding::complete(&json!({}), &mut |_| 0).expect("a setup");
    assert_eq!(TriforceBuilding::setup_for(&setup, Viewer::All), setup);
    for viewer in [Viewer::Public, Viewer::Seat(3)] {
        let shown = TriforceBuilding::setup_for(&setup, viewer);
        let keys: Vec<&String> = shown.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["garnets", "line", "players", "priority", "side"]);
    }
}

#[test]
fn contradictions_are_no_positions() {
    let setup = json!({"players": 7, "side": 4, "garnets": 2});
    let mut seen = None;
    play(5, &setup, |board, _| {
        if board.triforces_made() == 1 && board.on_board().any(|(index, _)| board.submitted[index].is_some()) {
            seen.get_or_insert_with(|| board.clone());
        }
    });
    let board = seen.expect("a game with a triforce before its end");
    let json = board.to_json(Viewer::All);
    assert!(Board::from_json(&json).is_ok());
    let gone = board.triforces().next().expect("there is one").seats[0];
    let here = board.on_board().next().expect("somebody is left").0;
    let mut changes: Vec<(String, Value)> = vec![
        ("/over".into(), json!(true)),
        ("/phase".into(), json!("over")),
        ("/round".into(), json!(0)),
        ("/round".into(), json!(11)),
        ("/round".into(), json!(1)),
        ("/game".into(), json!("tri")),
        ("/made".into(), json!([])),
        ("/made/0/at".into(), json!("1.1")),
        ("/made/0/seats/0".into(), json!(9)),
        ("/made/0/round".into(), json!(10)),
        ("/submitted".into(), json!({"9": "-"})),
        ("/submitted".into(), json!({gone.to_string(): "-"})),
        ("/submitted".into(), json!({(here + 1).to_string(): "UUU"})),
        ("/setup/side".into(), json!(3)),
        ("/setup/starts".into(), json!([])),
        ("/tokens".into(), json!([0, 0, 0, 0, 0, 0, 0])),
        ("/priority/0".into(), board.priority[1].into()),
        ("/garnets/0".into(), json!(90)),
        ("/garnets/0".into(), json!(-1)),
        ("/cells".into(), json!([])),
        (format!("/cells/{}", gone - 1), json!("1.1")),
        (format!("/cells/{here}"), json!(null)),
        (format!("/cells/{here}"), json!("4.8")),
        (format!("/powered/{}", gone - 1), json!(false)),
    ];
    changes.extend(json.as_object().expect("an object").keys().map(|key| (format!("/{key}"), json!({"a": [1.5]}))));
    for (path, value) in changes {
        let mut changed = json.clone();
        let Some(slot) = changed.pointer_mut(&path) else {
            // A key that is not there yet.
            let (parent, key) = path.rsplit_once('/').expect("a path");
            changed.pointer_mut(parent).expect("an object")[key] = value;
            assert!(Board::from_json(&changed).is_err(), "{path}");
            continue;
        };
        *slot = value;
        assert!(Board::from_json(&changed).is_err(), "{path}: {changed}");
    }
}
