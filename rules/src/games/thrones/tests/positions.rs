//! Positions that are set up: which ones are refused and why, and that accepted ones can be played.

use plybook_events::Actor;
use serde_json::{Value, json};

use super::{Dice, FIRST, SECOND, check_ply, setups};
use crate::games::thrones::Thrones;
use crate::games::thrones::notation::Action;
use crate::games::thrones::position::Campaign;
use crate::{Game, Position, Viewer};

/// Plays a game from its set-up: the choices of favours, then these actions.
fn played(variants: &[&str], words: &str) -> Campaign {
    let mut game = Thrones::start(&json!({ "variants": variants })).unwrap();
    let points = variants.contains(&"victory-points");
    for (seat, action) in [(1, FIRST), (2, SECOND)] {
        // With victory points, there are no home fortresses and no middle water.
        let action = if points { action.replace('F', "p").replace("wb", "") } else { action.to_owned() };
        game.apply(Actor::Seat(seat), &action.parse().unwrap());
    }
    for word in words.split_whitespace() {
        let (actor, action): (Actor, Action) = (game.to_act().iter().next().unwrap(), word.parse().unwrap());
        assert_eq!(game.judge(actor, &action), Ok(()), "{word}");
        game.apply(actor, &action);
    }
    game
}

/// A change to the JSON of a position: a path, and the new value; `null` removes the member.
type Change = (&'static str, &'static str);

fn change(json: &Value, changes: &[Change]) -> Value {
    let mut changed = json.clone();
    for (path, value) in changes {
        let (parent, key) = path.rsplit_once('/').unwrap();
        let parent = changed.pointer_mut(parent).unwrap();
        match (parent, *value) {
            (Value::Object(members), "-") => drop(members.remove(key)),
            (Value::Object(members), value) => {
                drop(members.insert(key.to_owned(), serde_json::from_str(value).unwrap()));
            }
            (Value::Array(items), value) => items[key.parse::<usize>().unwrap()] = serde_json::from_str(value).unwrap(),
            _ => panic!("{path} leads nowhere"),
        }
    }
    changed
}

/// Each change by itself makes the position impossible, for the reason given.
fn check_refused(game: &Campaign, cases: &[(&[Change], &str)]) {
    let json = game.to_json(Viewer::All);
    assert_eq!(Campaign::from_json(&json).as_ref(), Ok(game));
    for (changes, reason) in cases {
        let read = Campaign::from_json(&change(&json, changes));
        assert_eq!(read.err().map(|why| why.0).as_deref(), Some(*reason), "{changes:?}");
    }
}

/// Turn 3; each seat has a favour.
const TURN_3: &str = "favor:hasten favor:conspire i4-i5 end i6-i7 end";

#[test]
fn members_are_read_one_by_one() {
    check_refused(
        &played(&[], TURN_3),
        &[
            (&[("/pieces", "null")], "`pieces`: invalid type: null, expected a map"),
            (&[("/pieces/j1", r#""1R""#)], r#"`pieces.j1`: "j1" is none of a1 to i9"#),
            (
                &[("/pieces/a1", r#""3R""#)],
                r#"`pieces.a1`: "3R" is not a piece: write a seat and a letter of BCDELRSTWX, such as 1R"#,
            ),
            (&[("/pieces/a1", "1")], "`pieces.a1`: invalid type: integer `1`, expected a string"),
            (&[("/acted/moved", r#"["a4","a10"]"#)], r#"`acted.moved[1]`: "a10" is none of a1 to i9"#),
            (
                &[("/acted/moved", r#"["b4","a4"]"#)],
                "`acted.moved`: its members are listed once each, in ascending order",
            ),
            (
                &[("/acted/extra", "1")],
                "`acted.extra`: unknown field `extra`, expected one of `assault`, `conspired`, `favor`, `lost`, `moved`, `switched`, `warhorse`",
            ),
            (&[("/acted/assault/by", "-")], "`acted.assault`: missing field `by`"),
            (
                &[("/extra", "1")],
                "`extra`: unknown field `extra`, expected one of `acted`, `attacked`, `breached`, `cities`, `conspired`, `destroyed`, `farms`, `favors`, `firstTurn`, `game`, `home`, `lastFortress`, `options`, `pending`, `phase`, `pieces`, `points`, `removed`, `submitted`, `tiles`, `toAct`, `turn`, `variants`",
            ),
            (&[("/turn", "-1")], "`turn`: invalid value: integer `-1`, expected a whole number from 0 to 4294967295"),
            (&[("/turn", "4294967295")], "`turn` is from 1 to 1073741824, not 4294967295"),
            (
                &[("/turn", "1e300")],
                "`turn`: invalid type: floating point `1e+300`, expected a whole number from 0 to 4294967295",
            ),
            (
                &[("/phase", r#""lunch""#)],
                "`phase`: unknown variant `lunch`, expected one of `setup`, `fortresses`, `favor`, `turn`, `battle`, `displace`, `over`",
            ),
            (&[("/phase", r#""setup""#)], r#"`favors.1.had` must be [] in this position, not ["hasten"]"#),
            (
                &[("/tiles", r#""pp""#)],
                "`tiles`: the tiles are 81 letters, row 1 to 9, each from column a to i: p, f, w, m, F, or a dot",
            ),
            (
                &[("/variants", r#"["rivers"]"#)],
                "`variants[0]`: unknown variant `rivers`, expected one of `homefront`, `ports`, `row-balancing`, `set-piece-battle`, `victory-points`",
            ),
            (
                &[("/variants", r#"["ports","ports"]"#)],
                r#"`variants` must be ["ports"] in this position, not ["ports","ports"]"#,
            ),
            (&[("/pending", "-")], "`pending` is missing: it must be null in this position"),
            (&[("/pending", "{}")], "`pending` must be null in this position, not {}"),
            (&[("/game", r#""tri""#)], r#"`game` must be "thrones" in this position, not "tri""#),
            (&[("/toAct", "[2]")], "`toAct` must be [1] in this position, not [2]"),
            (&[("/home/0", r#""d3""#)], r#"`home` must be ["d2","d8"] in this position, not ["d3","d8"]"#),
            (&[("/firstTurn/0", "true")], "`firstTurn` must be [false,false] in this position, not [true,false]"),
            (&[("/farms/3", r#""a1""#)], r#"`farms.3` is "a1", which does not belong to this position"#),
            (&[("/submitted/1", r#""end""#)], r#"`submitted.1` is "end", which does not belong to this position"#),
            (&[("/favors/1", "-")], "`favors.1` is missing"),
            (
                &[("/favors/1/held", r#"["?"]"#)],
                r#"`favors.1.held[0]`: "?" hides a secret: a complete position names it"#,
            ),
            (
                &[("/favors/1/held", r#"["luck"]"#)],
                "`favors.1.held[0]`: the favours are hasten, assault, conspire and deceive",
            ),
        ],
    );
}

#[test]
fn pieces_tiles_and_places_are_those_of_the_game() {
    check_refused(
        &played(&[], TURN_3),
        &[
            (&[("/pieces/e1", r#""1T""#)], "seat 1 has at most 1 throne, on the board and removed together, not 2"),
            (&[("/pieces/e1", r#""1R""#)], "seat 1 has at most 2 rangers, on the board and removed together, not 3"),
            (&[("/pieces/a4", "-")], "seat 1 has 2 rangers, on the board and removed together, not 1"),
            (&[("/removed", r#"["1R"]"#)], "seat 1 has at most 2 rangers, on the board and removed together, not 3"),
            (&[("/pieces/d2", "-"), ("/removed", r#"["1T"]"#)], r#"the game is over here: `phase` would be "over""#),
            (&[("/phase", r#""over""#)], r#"`phase` is "over", and nothing has ended the game"#),
            (
                &[("/variants", r#"["victory-points"]"#)],
                "`tiles`: with victory-points three fortresses stand in row 5 from the start, and there are 1",
            ),
            (
                &[("/variants", r#"["set-piece-battle"]"#)],
                "in a set-piece battle each seat has ten pieces, on the board or removed: seat 1 has 13",
            ),
            (
                &[("/variants", r#"["row-balancing"]"#)],
                "each home row was laid with plains, forest, water and mountain, not so row 2",
            ),
            (&[("/points", "[1,0]")], "`points` are [0,0] without the variant victory-points"),
            (
                &[("/lastFortress/0", r#""a1""#)],
                "`lastFortress`: the throne of seat 1 cannot have entered a fortress on a1, where there is none",
            ),
            (
                &[("/lastFortress/0", r#""h5""#)],
                "`lastFortress`: the throne of seat 1 stands in the fortress on d2, so it entered that one last",
            ),
            (
                &[("/lastFortress/0", "null")],
                "`lastFortress`: the throne of seat 1 stands in the fortress on d2, so it entered that one last",
            ),
            (
                &[("/favors/1", r#"{"had":[],"held":[]}"#)],
                "`favors.1`: the throne of seat 1 entered a fortress, so the seat has had a favour",
            ),
            (&[("/favors/1/had", "[]")], "`favors.1`: hasten is in `held`, so it is in `had` as well"),
            (
                &[("/favors/1/held", r#"["hasten","hasten"]"#)],
                "`favors`: each is had once in a game, and hasten is listed twice",
            ),
            (&[("/breached", r#"["a1"]"#)], "`breached` names fortresses, and a1 is not one"),
            (
                &[("/breached", r#"["h5"]"#)],
                "`breached`: a fortress in which nobody stands is whole again at the end of the turn",
            ),
            (&[("/destroyed", r#"["a1"]"#)], "`destroyed` names farms, and a1 is not one"),
            (&[("/farms/1", r#""a1""#)], "farms and cities belong to the variant homefront, which is not played"),
        ],
    );
}

#[test]
fn a_turn_that_no_play_leads_to_is_refused() {
    check_refused(
        &played(&[], TURN_3),
        &[
            (
                &[("/attacked", r#"["a8"]"#)],
                "`attacked`: nobody attacks before turn 3, so nobody is protected for it before turn 4",
            ),
            (
                &[("/turn", "5"), ("/attacked", r#"["a2"]"#)],
                "`attacked` are warhorses of the seat whose turn it is not",
            ),
            (&[("/conspired", r#"["a1"]"#)], "`conspired` names the pieces on squares, and a1 is empty"),
            (
                &[("/conspired", r#"["a4"]"#)],
                "`conspired`: seat 2 has used conspire, so it is in `had` and not in `held`",
            ),
            (
                &[("/acted/conspired", r#"["a4"]"#)],
                "`acted.conspired`: seat 1 has used conspire, so it is in `had` and not in `held`",
            ),
            (
                &[("/acted/moved", r#"["a6"]"#)],
                "`acted.moved` and `acted.lost` are pieces of the seat whose turn it is",
            ),
            (
                &[("/acted/moved", r#"["a4","b4","c4"]"#)],
                "a turn has two moves, or a switch and a move: `acted` has more",
            ),
            (&[("/acted/switched", r#"["a4"]"#)], "`acted.switched`: two pieces switch, not one"),
            (&[("/acted/switched", r#"["a4","a6"]"#)], "`acted.switched`: without a warhorse two own pieces switch"),
            (&[("/acted/warhorse", r#""a4""#)], "`acted.warhorse` is an own warhorse among `acted.switched`"),
            (&[("/acted/favor", "true")], "`acted.favor`: seat 1 has used none of its favours"),
            (
                &[("/acted/assault/by", r#"["a4"]"#)],
                "`acted.assault`: `by` are the pieces of its `move` and its `switch`",
            ),
            (
                &[("/acted/assault/move", "true")],
                "`acted.assault`: seat 1 has used assault, so it is in `had` and not in `held`",
            ),
            (
                &[("/acted/lost", r#"["a4"]"#), ("/acted/favor", "true"), ("/favors/1/held", "[]")],
                "in a turn with an attack or shot no favour is used: `acted` has both",
            ),
            (&[("/phase", r#""battle""#)], "`pending.by` is missing, and the phase needs it"),
            (
                &[("/phase", r#""battle""#), ("/pending", r#"{"by":"a4","kind":"attack","target":"d8"}"#)],
                "`pending`: a4 cannot attack a whole fortress on d8 in this turn of seat 1",
            ),
            (
                &[("/phase", r#""displace""#), ("/pending", r#"{"by":"a4"}"#)],
                "`pending`: a4 is not the loser of an attack with an empty square beside it",
            ),
            (
                &[("/phase", r#""favor""#), ("/toAct", "[]"), ("/pending", r#"{"ends":true}"#)],
                "`toAct`: a seat chooses a favour while its throne stands in a fortress and it has had fewer than three",
            ),
        ],
    );
    check_refused(
        &played(&[], "favor:hasten favor:conspire"),
        &[
            (
                &[("/pieces/a4", "-"), ("/removed", r#"["1R"]"#)],
                "nobody attacks or fires before turn 3, so nothing is removed, breached or destroyed by then",
            ),
            (
                &[("/turn", "3"), ("/attacked", r#"["a8"]"#), ("/firstTurn", "[false,false]")],
                "`attacked`: nobody attacks before turn 3, so nobody is protected for it before turn 4",
            ),
        ],
    );
}

#[test]
fn variants_have_rules_of_their_own() {
    check_refused(
        &played(&["homefront"], TURN_3),
        &[
            (&[("/cities/1", r#""a1""#)], "seat 1 has a city and no farm, and the farm comes first"),
            (&[("/farms/1", r#""h5""#)], "nothing is established on a fortress, such as h5"),
            (
                &[("/farms/1", r#""e2""#)],
                "a farm or city is at least three squares from every home fortress, farm and city: e2 is too close to d2",
            ),
            (
                &[("/farms/1", r#""g2""#), ("/farms/2", r#""i3""#)],
                "a farm or city is at least three squares from every home fortress, farm and city: i3 is too close to g2",
            ),
        ],
    );
    check_refused(
        &played(&["victory-points"], "i4-i5 end i6-i7 end"),
        &[
            (&[("/points", "[9,9]")], "`points`: three fortresses give no more than 6 in 2 turns"),
            (&[("/points", "[21,0]"), ("/turn", "15")], r#"the game is over here: `phase` would be "over""#),
            (
                &[("/points", "[22,22]"), ("/turn", "15"), ("/phase", r#""over""#)],
                "`points`: the game ends when somebody has 21, and the last turn gives no more than three",
            ),
        ],
    );
}

#[test]
fn a_view_is_no_complete_position() {
    let mut game = played(&[], "");
    for view in [Viewer::Public, Viewer::Seat(1)] {
        game.apply(game.to_act().iter().next().unwrap(), &"favor:hasten".parse().unwrap());
        let why = Campaign::from_json(&game.to_json(view)).expect_err("a secret is hidden").0;
        assert!(why.contains("\"?\" hides a secret"), "{why}");
    }
}

#[test]
fn anything_else_is_refused_and_nothing_panics() {
    let json = played(&[], TURN_3).to_json(Viewer::All);
    let values =
        ["null", "true", "-1", "1e300", "\"x\"", "\"\"", "[null]", "[[]]", "{}", "{\"1\":\"a1\"}", "[\"a1\",\"a1\"]"];
    for value in values.map(|value| serde_json::from_str::<Value>(value).unwrap()) {
        assert!(Campaign::from_json(&value).is_err(), "{value}");
        for member in json.as_object().unwrap().keys().filter(|member| json[*member] != value) {
            let mut changed = json.clone();
            changed[member] = value.clone();
            assert!(Campaign::from_json(&changed).is_err(), "{member}: {value}");
        }
    }
}

/// All leaves of a JSON value, in order.
fn leaves<'a>(json: &'a mut Value, out: &mut Vec<&'a mut Value>) {
    let inner = json.as_array().is_some_and(|items| !items.is_empty())
        || json.as_object().is_some_and(|members| !members.is_empty());
    if !inner {
        out.push(json);
        return;
    }
    match json {
        Value::Array(items) => items.iter_mut().for_each(|item| leaves(item, out)),
        Value::Object(members) => members.values_mut().for_each(|member| leaves(member, out)),
        _ => unreachable!("only arrays and objects hold anything"),
    }
}

#[test]
fn a_changed_position_is_refused_or_can_be_played() {
    let mut dice = Dice(11);
    let mut accepted = 0;
    for setup in setups() {
        let mut game = Thrones::start(&setup).unwrap();
        for _ in 0..30 {
            for _ in 0..4 {
                let json = game.to_json(Viewer::All);
                let mut changed = json.clone();
                let mut all = Vec::new();
                leaves(&mut changed, &mut all);
                let mut values: Vec<Value> = all.iter().map(|leaf| (**leaf).clone()).collect();
                values.extend([json!(null), json!(true), json!(0), json!("e5"), json!(["e5"]), json!({ "1": "e5" })]);
                let place = dice.roll(all.len() as u32) as usize;
                let value = dice.roll(values.len() as u32) as usize;
                *all[place] = values[value].clone();
                let Ok(mut other) = Campaign::from_json(&changed) else { continue };
                assert_eq!(other.to_json(Viewer::All), changed);
                accepted += u32::from(changed != json);
                for _ in 0..6 {
                    check_ply(&other, &[]);
                    let Some(actor) = other.to_act().iter().next() else { break };
                    let action = other.sample(actor, &mut |sides| dice.roll(sides));
                    other.apply(actor, &action);
                    other.estimate(1);
                    let _ = (other.scene(Viewer::Public, None), other.text(Viewer::All));
                }
            }
            let Some(actor) = game.to_act().iter().next() else { break };
            let action = game.sample(actor, &mut |sides| dice.roll(sides));
            game.apply(actor, &action);
        }
    }
    assert!(accepted > 0, "some changes leave a position that can be played");
}

#[test]
fn positions_of_games_with_another_setup_are_refused() {
    let ports = played(&["ports"], TURN_3).to_json(Viewer::All);
    let points = Thrones::start(&json!({ "variants": ["victory-points"] })).unwrap().to_json(Viewer::All);
    assert!(Thrones::set_up(&json!({ "variants": ["ports"] }), &ports).is_ok());
    assert!(Thrones::set_up(&json!({ "variants": ["victory-points"] }), &points).is_ok());
    for (setup, position, why) in [
        (
            json!({}),
            &ports,
            r#"the setup says {"variants":[]}, and the position is one of a game with {"variants":["ports"]}"#,
        ),
        (
            json!({ "variants": ["victory-points"], "fortresses": ["a", "e", "h"] }),
            &points,
            r#"the setup says {"fortresses":["a","e","h"]}, and the position is one of a game with {"fortresses":["b","e","h"]}"#,
        ),
        (
            json!({ "variants": ["ports"] }),
            &points,
            r#"the setup says {"variants":["ports"]}, and the position is one of a game with {"fortresses":["b","e","h"],"variants":["victory-points"]}"#,
        ),
    ] {
        assert_eq!(Thrones::set_up(&setup, position), Err(why.into()), "{setup}");
    }
}
