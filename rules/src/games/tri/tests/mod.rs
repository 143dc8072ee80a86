//! Cases that are easy to get wrong, and properties of random games.

mod measures;

use plybook_events::{Actor, canonical};
use serde_json::{Value, json};

use super::board::{Board, PIECES, Phase};
use super::notation::{Action, Space};
use super::shape::{EVERY_ISLAND, Shape, reached, spaces};
use super::{Tri, judge};
use crate::scene::{Item, Shape as Outline};
use crate::{Game, Last, Position, Viewer};

const GRID: [[i32; 3]; 9] =
    [[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [1, 1, 0], [2, 1, 0], [0, 2, 0], [1, 2, 0], [2, 2, 0]];

fn actor(board: &Board) -> Actor {
    board.to_act().only().expect("one seat is to act")
}

/// A board in grid formation with these pieces.
fn grid(one: &str, two: &str) -> Board {
    let names = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
    let start = json!({"1": names(one), "2": names(two)});
    Tri::start(&json!({"islands": GRID, "keys": ["C", "E", "G"], "start": start})).unwrap()
}

#[test]
fn who_begins_is_given_or_drawn() {
    let complete = |setup: Value| Tri::complete(&setup, &mut |n| n - 1).unwrap();
    assert_eq!(complete(json!({})), json!({ "formation": "grid" }));
    assert_eq!(complete(json!({ "first": 1 })), json!({ "first": 1, "formation": "grid" }));
    let drawn = complete(json!({ "first": "drawn", "formation": "river" }));
    assert_eq!(drawn, json!({ "first": 2, "formation": "river" }));
    let board = Tri::start(&drawn).unwrap();
    assert_eq!((actor(&board), board.phase), (Actor::Seat(2), Phase::Expand));
    assert_eq!(board.expand, board.controlled(1), "its own islands take new pieces");
    assert!(Tri::start(&json!({ "first": "drawn" })).is_err(), "it is still to be drawn");
    assert!(Tri::complete(&json!({ "first": 3 }), &mut |_| 0).is_err());
}

fn play(board: &mut Board, actions: &str) {
    for action in actions.split_whitespace() {
        let action: Action = action.parse().unwrap();
        judge::judge(board, action).unwrap_or_else(|why| panic!("{action}: {why}"));
        board.apply(actor(board), &action);
    }
}

fn refusal(board: &Board, action: &str) -> String {
    judge::judge(board, action.parse::<Action>().unwrap()).expect_err(action).to_string()
}

fn legal(board: &Board) -> Vec<String> {
    let mut actions = Vec::new();
    if board.phase != Phase::Over {
        board.legal(actor(board), &mut actions);
    }
    let mut actions: Vec<String> = actions.iter().map(ToString::to_string).collect();
    actions.sort_unstable();
    actions
}

fn held(board: &Board, seat: usize) -> String {
    spaces(board.pieces[seat]).map(|space| Space(space).to_string()).collect::<Vec<_>>().join(" ")
}

fn names(set: u128) -> String {
    spaces(set).map(|space| Space(space).to_string()).collect::<Vec<_>>().join(" ")
}

#[test]
fn neighbours_reach_over_islands() {
    let shape = grid("A1", "A8").shape;
    let at = |name: &str| usize::from(name.parse::<Space>().unwrap());
    assert_eq!(names(shape.edges[at("A6")]), "A4 A7 D1");
    assert_eq!(names(shape.points[at("A6")]), "A2 A3 A4 A5 A7 A8 D1 D2 D3");
    assert_eq!(names(shape.edges[at("A8")]), "A7 B4 D3");
    assert_eq!(names(shape.points[at("A8")]), "A5 A6 A7 B1 B2 B4 B6 D1 D2 D3 D5 E1");
    assert_eq!(names(shape.edges[at("A1")]), "A2", "the rim gives no neighbours");
}

#[test]
fn a_rotation_stops_at_the_first_shared_edge() {
    // C swings about its corner f, past two places where it only touches, and lies beside F.
    let mut board = grid("B3 B6", "H3 H6");
    let before = board.clone();
    play(&mut board, "r:C@f+");
    let place = board.shape.island(2);
    assert_eq!((place.anchor.q, place.anchor.r, place.turn), (4, 2, 3));
    let action = "r:C@f+".parse::<Action>().unwrap();
    let scene = board.scene(Viewer::All, Some(Last { before: &before, actor: Actor::Seat(1), action: &action }));
    let motion = scene.motion.expect("a rotation moves islands");
    assert_eq!((motion.groups, motion.degrees), (vec!["island:C".to_owned()], -180));
    assert_eq!(motion.about, [7_000, -1_732]);
}

#[test]
fn the_scene_turns_as_its_motion_says() {
    let mut board = Tri::start(&json!({"formation": "river"})).unwrap();
    play(&mut board, "x:H1");
    let before = board.clone();
    play(&mut board, "r:A@f+");
    let action = "r:A@f+".parse::<Action>().unwrap();
    let corners = |board: &Board| -> Vec<[i32; 2]> {
        let scene = board.scene(Viewer::All, None);
        let own = |item: &&Item| item.class == "border island key" && item.group.as_deref() == Some("island:A");
        match &scene.items.iter().find(own).expect("A has a border").shape {
            Outline::Polygon { points } => points.clone(),
            _ => panic!("a border is a polygon"),
        }
    };
    let last = Last { before: &before, actor: Actor::Seat(1), action: &action };
    let motion = board.scene(Viewer::All, Some(last)).motion.expect("a rotation moves islands");
    let [x, y] = motion.about;
    assert_eq!(([x, y], motion.degrees), ([3_000, -1_732], -60));
    for (from, to) in corners(&before).into_iter().zip(corners(&board)) {
        let (dx, dy) = (from[0] - x, from[1] - y);
        let turned = [x + dx / 2 + dy * 866 / 1000, y + dy / 2 - dx * 866 / 1000];
        assert!((turned[0] - to[0]).abs() < 3 && (turned[1] - to[1]).abs() < 3, "{turned:?} {to:?}");
    }
}

#[test]
fn rotations_are_refused_in_words() {
    let board = grid("B2 B7 A1 A8", "F2 F7 H1 H8");
    assert!(refusal(&board, "r:A@r+").contains("expansion comes first: B must take"));
    let mut board = board;
    play(&mut board, "x:B1");
    assert!(refusal(&board, "r:F@n+").contains("seat 2 controls F"));
    assert!(refusal(&board, "r:ABD@Ar+").contains("3 islands are too many with 2 left"));
    assert!(refusal(&board, "r:AI@Ar+").contains("I is not connected to A"));
    assert!(refusal(&board, "r:A@n+").contains("is not a joint"));
    assert!(refusal(&board, "r:AD@Df+").contains("would run into"));
    assert!(refusal(&board, "r:AB@Bl+").contains("write r:AB@Af+"));
    assert!(refusal(&board, "x:B3").contains("beginning of the turn only"));
}

#[test]
fn moves_are_refused_in_words() {
    let board = grid("A3 A5", "I3 I5");
    assert!(refusal(&board, "B1-B2").contains("no piece on B1"));
    assert!(refusal(&board, "I3-I2").contains("not yours"));
    assert!(refusal(&board, "A3-A3").contains("cannot stay"));
    assert!(refusal(&board, "A3-A5").contains("not empty"));
    assert!(refusal(&board, "A3-A8").contains("share neither"));
}

#[test]
fn placements_are_refused_in_words() {
    let mut board = grid("A2 A7 B2 B7 C2 C7", "I1 I2 I3 I4 I5 I6");
    assert!(refusal(&board, "x:A2").contains("a piece on A2 already"));
    assert!(refusal(&board, "x:C1").contains("key island"));
    assert!(refusal(&board, "x:D1").contains("does not control D"));
    play(&mut board, "x:B1");
    assert!(refusal(&board, "x:B3").contains("has taken its new piece"));
}

#[test]
fn actions_have_one_spelling() {
    for action in ["x:A1", "I8-H1", "r:D@n+", "r:DE@Dn-", "r:ABCDEFGH@Hl+", "A1-A1"] {
        assert_eq!(action.parse::<Action>().unwrap().to_string(), action);
    }
    let wrong = [
        "",
        "x:",
        "x:J1",
        "x:A9",
        "x:A0",
        "x:a1",
        "X:A1",
        "A1",
        "A1-",
        "-A1",
        "A1-B",
        "A1-B22",
        "A1--B2",
        "r:",
        "r:D",
        "r:@n+",
        "r:D@",
        "r:D@n",
        "r:D@x+",
        "r:D@n*",
        "r:D@Dn+",
        "r:DE@n+",
        "r:ED@Dn+",
        "r:DD@Dn+",
        "r:DE@Fn+",
        "r:DE@Dn+ ",
        "r:DJ@Dn+",
        "r:D@@n+",
        "é",
        "x:é",
        "r:DE@Dné",
        "pass",
    ];
    for action in wrong {
        assert!(action.parse::<Action>().is_err(), "{action:?}");
    }
}

#[test]
fn a_group_shares_its_liberties() {
    // A1 has no free edge, but its neighbour A2 has one; A3 and A6 surround A2 on two sides only.
    let board = grid("A3 A6", "A1 A2");
    assert_eq!(held(&board, 1), "A1 A2");
    let board = grid("A3 A4", "A1 A2");
    assert_eq!(held(&board, 1), "", "both fall together");
    assert_eq!(board.supply(1), PIECES);
}

#[test]
fn the_opponent_is_captured_first() {
    // A1 has no liberty after A4-A2, but A2's neighbours are captured before that is checked.
    let mut board = grid("A4 B8", "A1 C8");
    play(&mut board, "A4-A2");
    assert_eq!((held(&board, 0), held(&board, 1)), ("A2 B8".to_owned(), "C8".to_owned()));
}

#[test]
fn suicide_is_allowed_and_captured() {
    let mut board = grid("A3 I8", "A2 A7");
    assert_eq!(board.actions, 1);
    play(&mut board, "A3-A1");
    assert_eq!(held(&board, 0), "I8");
    assert_eq!(board.supply(0), PIECES - 1);
}

#[test]
fn a_full_island_loses_its_centres_once_all_have_grown() {
    let mut board = grid("A1 A2 A3 A4 A5 A6 A7", "I1 I2 I3 I4 I5 I6 I7");
    assert_eq!(board.expand, 1);
    play(&mut board, "x:A8");
    assert_eq!((board.phase, board.actions), (Phase::Act, 1));
    assert_eq!(held(&board, 0), "A1 A3 A4 A5 A6 A8");
}

#[test]
fn a_full_key_keeps_its_centres() {
    let board = grid("C1 C2 C3 C4 C5 C6 C7 C8", "I1 I2 I3 I4 I5 I6 I7 I8");
    assert_eq!((board.phase, board.actions), (Phase::Act, 2));
    assert_eq!(held(&board, 0), "C1 C2 C3 C4 C5 C6 C7 C8");
}

#[test]
fn an_empty_supply_ends_expansion() {
    let one = "A2 A7 A1 A3 A4 B2 B7 B1 B3 B4 D2 D7 D1 D3 D4 F1 F3 F4 F5 F6 H1 H3 H4 H5 H6 C1 C3 C5 E1";
    let two = "I1 I2 I3 I4 I5 I6 I7 I8 F2 F7 F8 H2 H7 H8 G1 G2 G3 G4 G5 G6 G7 C2 C7 C8 E4 E5 E6 E7 E8";
    let mut board = grid(one, two);
    assert_eq!(board.supply(0), 1);
    assert_eq!(board.expand, 0b1011);
    play(&mut board, "x:D5");
    assert_eq!((board.expand, board.phase, board.actions), (0, Phase::Act, 4));
    assert_eq!(board.supply(0), 2, "two pieces were captured afterwards");
}

#[test]
fn what_cannot_be_done_lapses() {
    // Seat 2 controls every island but E, which has no room to turn. All of seat 1's pieces outside E are
    // captured before it acts; on E it has two actions, and loses the rest with the first.
    let dead = "A4 A6 B3 B5 C1 C8 D1 D5 F3 F5 G3 G5 G8 H1 H4 H6 H8 I4 I6 I8";
    let around = "A2 A5 A7 B2 B7 C2 C7 D2 D3 D7 D8 E1 E3 E6 F2 F7 G2 G7 H2 H7 I2 I7";
    let mut board = grid(&format!("{dead} E2 E7"), around);
    assert_eq!((held(&board, 0), board.actions), ("E2 E7".to_owned(), 2));
    play(&mut board, "E7-E4");
    assert_eq!(held(&board, 0), "");
    assert_eq!((board.turn, board.phase), (1, Phase::Expand), "the second action is none");
    assert_eq!(legal(&board).first().map(String::as_str), Some("x:A1"));
    let board = grid(&format!("{dead} E2 E4"), around);
    assert_eq!(held(&board, 0), "");
    assert_eq!((board.turn, board.phase), (1, Phase::Expand), "a whole turn without an action");
}

#[test]
fn keys_of_the_opponent_win_only_in_its_own_turn() {
    let mut board = grid("A2 A7 B1 B8", "C2 C7 E2 E7");
    assert_eq!(board.outcome(), None);
    play(&mut board, "x:A1 A1-A3 A3-A1");
    assert_eq!(board.outcome().unwrap().winners, [2], "held until seat 2's turn began");
}

#[test]
fn setups_are_refused_with_a_reason() {
    let good = json!({"islands": GRID, "keys": ["G", "C", "E"], "start": {"1": ["A7", "A2"], "2": ["I2", "I7"]}});
    let complete = Tri::complete(&good, &mut |_| 0).unwrap();
    assert_eq!(complete["keys"], json!(["C", "E", "G"]));
    assert_eq!(Tri::complete(&complete, &mut |_| 0).unwrap(), complete);
    assert_eq!(Tri::complete(&json!({}), &mut |_| 0).unwrap(), json!({"formation": "grid"}));
    let with = |path: &str, value: Value| {
        let mut setup = good.clone();
        *setup.pointer_mut(path).unwrap() = value;
        setup
    };
    let without = |field: &str| {
        let mut setup = good.clone();
        setup.as_object_mut().unwrap().remove(field);
        setup
    };
    let beside = |field: &str, value: Value| {
        let mut setup = good.clone();
        setup[field] = value;
        setup
    };
    let many: Vec<String> = (0..31).map(|space| Space(space).to_string()).collect();
    let cases = [
        (json!([]), "JSON object"),
        (json!({"formation": "lake"}), "\"grid\" or \"river\""),
        (json!({"formation": null}), "\"grid\" or \"river\""),
        (json!({"formation": 1}), "\"grid\" or \"river\""),
        (json!({"board": "grid"}), "\"board\" is not a member"),
        (json!({"formation": "grid", "seats": 2}), "\"seats\" is not a member"),
        (beside("formation", json!("grid")), "`formation` cannot stand"),
        (beside("seats", json!(2)), "\"seats\" is not a member"),
        (without("keys"), "`keys` is missing"),
        (without("start"), "`start` is missing"),
        (without("islands"), "`islands` is missing"),
        (with("/islands", json!([])), "0 are given"),
        (with("/islands/1", json!([1, 0])), " is not a placement"),
        (with("/islands/1", json!([1, 0, 0, 0])), " is not a placement"),
        (with("/islands/1", json!([1, 0, 6])), " is not a placement"),
        (with("/islands/1", json!([1, 0, -1])), " is not a placement"),
        (with("/islands/1", json!([1.0, 0, 0])), " is not a placement"),
        (with("/islands/1", json!([1001, 0, 0])), " is not a placement"),
        (with("/islands/1", json!([i64::MIN, 0, 0])), " is not a placement"),
        (with("/islands/1", json!([u64::MAX, 0, 0])), " is not a placement"),
        (with("/islands/1", json!("1,0,0")), " is not a placement"),
        (with("/islands/1", json!([0, 0, 0])), "A and B overlap"),
        (with("/islands/1", json!([1, 0, 1])), "A and B overlap"),
        (with("/islands/8", json!([3, 3, 0])), "I is not connected"),
        (with("/islands/8", json!([900, 3, 0])), "I is not connected"),
        (with("/keys", json!(["C", "E"])), "three different"),
        (with("/keys", json!(["C", "E", "E"])), "three different"),
        (with("/keys", json!(["C", "E", "J"])), "three different"),
        (with("/keys", json!(["C", "E", "G", "A"])), "three different"),
        (with("/keys", json!("CEG")), "three different"),
        (with("/start", json!({"1": ["A1"]})), "both seats"),
        (with("/start", json!({"1": ["A1"], "3": ["A2"]})), "both seats"),
        (with("/start", json!({"1": ["A1"], "2": ["A2"], "3": ["A3"]})), "both seats"),
        (with("/start/1", json!([])), "1 to 30"),
        (with("/start/1", json!(many)), "1 to 30"),
        (with("/start/1", json!(["A2"])), "seat 1 has 1 pieces and seat 2 has 2"),
        (with("/start/1", json!(["A2", "A2"])), "\"A2\" is given twice"),
        (with("/start/1", json!(["A2", "I2"])), "I2 is given to both"),
        (with("/start/1", json!(["A2", "A9"])), "\"A9\" is not a space"),
        (with("/start/1", json!(["A2", 7])), "7 is not a space"),
    ];
    for (setup, reason) in cases {
        let why = Tri::start(&setup).err().unwrap_or_else(|| panic!("{setup} is accepted")).to_string();
        assert!(why.contains(reason), "{setup}: {why}");
    }
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let mut act = grid("A2 A7 C2 C7", "I2 I7 F1 F8");
    play(&mut act, "x:A1");
    let act = act.to_json(Viewer::All);
    let expand = Tri::start(&json!({})).unwrap().to_json(Viewer::All);
    let over = grid("A2", "A7").to_json(Viewer::All);
    for good in [&act, &expand, &over] {
        assert_eq!(Board::from_json(good).unwrap().to_json(Viewer::All), *good);
    }
    let cases = [
        (&act, "/actions", json!(0)),
        (&act, "/actions", json!(9)),
        (&act, "/actions", json!(-1)),
        (&act, "/actions", json!(1.0)),
        (&act, "/expand", json!(["A"])),
        (&act, "/game", json!("triangulate")),
        (&act, "/islands", json!({})),
        (&act, "/islands/B", json!([0, 0, 0])),
        (&act, "/islands/B", json!([i64::MAX, 0, 0])),
        (&act, "/islands/I", json!([40, 40, 0])),
        (&act, "/keys", json!(["C", "E"])),
        (&act, "/keys", json!(["G", "E", "C"])),
        (&act, "/phase", json!("over")),
        (&act, "/phase", json!("expand")),
        (&act, "/pieces", json!({})),
        (&act, "/pieces", json!({"A2": 3})),
        (&act, "/pieces", json!({"K2": 1})),
        (&act, "/pieces", json!([])),
        (&act, "/supply", json!([26, 26])),
        (&act, "/toAct", json!(0)),
        (&act, "/toAct", json!(3)),
        (&expand, "/expand", json!([])),
        (&expand, "/expand", json!(["C"])),
        (&expand, "/expand", json!(["A", "A"])),
        (&expand, "/expand", json!(["I"])),
        (&expand, "/actions", json!(1)),
        (&expand, "/toAct", json!(2)),
        (&over, "/actions", json!(1)),
        (&over, "/toAct", json!(1)),
        (&over, "/pieces", json!({"A2": 1, "A7": 2, "A1": 2})),
        (&over, "/phase", json!("act")),
    ];
    for (good, path, value) in cases {
        let mut bad = good.clone();
        *bad.pointer_mut(path).unwrap() = value.clone();
        assert!(Board::from_json(&bad).is_err(), "{path} {value}");
    }
    let mut more = act.clone();
    more["more"] = json!(1);
    assert!(Board::from_json(&more).is_err());
    for garbage in [json!(null), json!([]), json!({}), json!("tri"), json!(1)] {
        assert!(Board::from_json(&garbage).is_err());
    }
}

/// Numbers that look random but are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(n)) as u32
    }
}

fn check_position(board: &Board) {
    let json = board.to_json(Viewer::All);
    let again = Board::from_json(&json).unwrap_or_else(|why| panic!("{why}: {json}"));
    assert!(again == *board, "{json}");
    assert_eq!(canonical::to_bytes(&again.to_json(Viewer::All)).unwrap(), canonical::to_bytes(&json).unwrap());
    assert_eq!(board.pieces[0] & board.pieces[1], 0);
    for seat in 0..2 {
        assert!(board.pieces[seat].count_ones() <= u32::from(PIECES));
    }
    assert_eq!(board.shape.overlap(), None);
    assert_eq!(reached(EVERY_ISLAND, &board.shape.touching), EVERY_ISLAND);
    let fresh = Shape::new(board.shape.islands);
    assert!(fresh.edges == board.shape.edges && fresh.points == board.shape.points);
    assert!(fresh.bordering == board.shape.bordering && fresh.touching == board.shape.touching);
    for (seat, size) in [(0, 1), (1, 1), (0, 2), (1, 2)] {
        let barred = board.controlled(seat);
        let is_listed = board.shape.rotations(size).iter().any(|rotation| rotation.group & barred == 0);
        assert_eq!(board.shape.can_turn(size, barred), is_listed);
    }
    assert_eq!(board.outcome().is_some(), board.to_act().is_empty());
    assert!(!board.text(Viewer::All).is_empty());
}

/// An action is allowed exactly if it is listed, whatever another position lists.
fn check_legal(board: &Board, others: &[Action]) -> Vec<Action> {
    let mut actions = Vec::new();
    board.legal(actor(board), &mut actions);
    assert_eq!(actions.len(), board.count_legal(actor(board)));
    let texts = legal(board);
    assert!(!texts.is_empty() && texts.is_sorted_by(|a, b| a < b), "{texts:?}");
    for action in &actions {
        assert!(judge::judge(board, *action).is_ok(), "{action}");
        assert_eq!(action.to_string().parse::<Action>().unwrap(), *action);
    }
    for action in others {
        assert_eq!(judge::judge(board, *action).is_ok(), actions.contains(action), "{action}");
    }
    actions
}

#[test]
fn random_games_keep_every_invariant() {
    let corners: Vec<[i32; 3]> = GRID.into();
    let pieces = |from: u8| (0..30).map(|space| Space(from + space).to_string()).collect::<Vec<_>>();
    let crowded = json!({"islands": corners, "keys": ["B", "D", "I"], "start": {"1": pieces(0), "2": pieces(36)}});
    let setups = [json!({}), json!({"formation": "river"}), crowded];
    for (seed, setup) in (0u64..).zip(setups.iter().cycle().take(12)) {
        let mut numbers = Numbers(seed);
        let mut board = Tri::start(setup).unwrap();
        let mut others: Vec<Action> = Vec::new();
        for _ in 0..300 {
            check_position(&board);
            if board.phase == Phase::Over {
                break;
            }
            let seat = actor(&board);
            let actions = check_legal(&board, &others);
            let action = actions[numbers.below(actions.len() as u32) as usize];
            let before = board.clone();
            board.apply(seat, &action);
            let scene = board.scene(Viewer::All, Some(Last { before: &before, actor: seat, action: &action }));
            assert_eq!(scene.motion.is_some(), matches!(action, Action::Rotate(_)));
            others = actions;
        }
    }
}

#[test]
fn a_step_that_runs_out_of_actions_is_listed_no_more() {
    // Whatever the number of actions, the list contains exactly the groups that it pays for.
    let mut board = Tri::start(&json!({"formation": "river"})).unwrap();
    play(&mut board, "x:H1");
    assert_eq!(board.actions, 2);
    let longest = |board: &Board| {
        let groups = legal(board);
        groups.iter().filter_map(|action| action.strip_prefix("r:")?.find('@')).max()
    };
    assert_eq!(longest(&board), Some(2));
    play(&mut board, "H1-H3");
    assert_eq!(longest(&board), Some(1));
}

#[test]
fn positions_of_games_with_other_keys_are_refused() {
    let position = grid("A2 A7", "I2 I7").to_json(Viewer::All);
    assert!(Tri::set_up(&json!({"formation": "grid"}), &position).is_ok(), "its keys are C, E and G too");
    let why = r#"the setup says {"keys":["A","D","E"]}, and the position is one of a game with {"keys":["C","E","G"]}"#;
    assert_eq!(Tri::set_up(&json!({"formation": "river"}), &position), Err(why.into()));
}

#[test]
fn single_pieces_can_be_what_is_captured() {
    // Space 1 has one edge, to space 2: A1 is alone without a free edge, and A2 beside it has one.
    let start = json!({"1": ["A1", "A2"], "2": ["I2", "I7"]});
    let setup =
        |captures: &str| json!({"islands": GRID, "keys": ["C", "E", "G"], "start": start, "captures": captures});
    let groups = Tri::start(&setup("groups")).unwrap();
    assert_eq!(held(&groups, 0), "A1 A2");
    let pieces = Tri::start(&setup("pieces")).unwrap();
    assert_eq!(held(&pieces, 0), "A2", "A1 is captured at the first assessment");
    let json = pieces.to_json(Viewer::All);
    assert_eq!((json["captures"].as_str(), Board::from_json(&json).as_ref()), (Some("pieces"), Ok(&pieces)));
    assert!(groups.to_json(Viewer::All).get("captures").is_none());
    let complete = |setup: Value| Tri::complete(&setup, &mut |_| 0).unwrap();
    assert_eq!(complete(json!({"captures": "pieces"})), json!({"captures": "pieces", "formation": "grid"}));
    assert_eq!(complete(json!({"captures": "groups", "formation": "river"})), json!({"formation": "river"}));
    assert_eq!(complete(setup("pieces"))["captures"], "pieces");
    let why = Tri::start(&json!({"captures": "islands"})).unwrap_err().to_string();
    assert_eq!(why, "`captures` is \"groups\" or \"pieces\", not \"islands\"");
}
