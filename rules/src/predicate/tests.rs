//! The language, tried out on games whose plies are known.

use plybook_events::Actor;

use super::{Extremes, Predicate, TEXT_MAX};
use crate::fact::common_facts;
use crate::{Argument, Rules, kind, kinds};

const EIGHT: &str = "b1-b2 d1-d2+f6 e1-e2 b8-b7 a4-b4 e8-e7 h2-h3 g1-f1";

fn rules() -> &'static dyn Rules {
    kind("triangulate").unwrap()
}

/// The plies of a game of eight plies at which a predicate holds.
fn plies(text: &str) -> String {
    let predicate = Predicate::read(rules(), text).unwrap_or_else(|why| panic!("{}", why.pointing_into(text)));
    let start = rules().start(&serde_json::json!({})).unwrap();
    let plies = start.plies_with(&predicate, &|_, _| None, &mut EIGHT.split(' ')).unwrap();
    plies.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// The extremes of a game played at random, and its words.
fn played(rules: &dyn Rules, setup: &serde_json::Value, draw: &mut crate::Draw<'_>) -> (Extremes, Vec<String>) {
    let mut position = rules.start(setup).unwrap();
    let (mut counts, mut extremes, mut words) = (rules.counts(), Extremes::default(), Vec::new());
    for ply in 0..=60 {
        position.extend(ply, position.branching(), &counts, &mut extremes);
        let Some(actor) = position.to_act().iter().next().filter(|_| ply < 60) else { break };
        let action = position.sample(actor, draw);
        position.act_counted(actor, &action, &mut counts).unwrap();
        words.push(crate::log::word(rules.about(), actor, &action));
    }
    (extremes, words)
}

fn refused(text: &str) -> String {
    let why = Predicate::read(rules(), text).map(|_| text).unwrap_err();
    why.to_string()
}

#[test]
fn comparisons() {
    assert_eq!(plies("ply = 3"), "3");
    assert_eq!(plies("ply != 3"), "0 1 2 4 5 6 7 8");
    assert_eq!(plies("ply < 2"), "0 1");
    assert_eq!(plies("ply <= 2"), "0 1 2");
    assert_eq!(plies("ply > 6"), "7 8");
    assert_eq!(plies("6 <= ply"), "6 7 8");
    assert_eq!(plies("ply > -1 and ply < 1"), "0");
    assert_eq!(plies("toAct(1)"), "0 2 4 6 8", "a fact alone holds unless it is 0");
    assert_eq!(plies("toAct(1) = toAct(2)"), "");
    assert_eq!(plies("over"), "");
    assert_eq!(plies("owner(b2) = 1"), "1 2 3 4 5 6 7 8");
    assert_eq!(plies("pads(1) > pads(2)"), "1");
}

#[test]
fn and_binds_more_tightly_than_or_and_not_more_than_both() {
    assert_eq!(plies("ply = 1 or ply = 2 and ply = 3"), "1");
    assert_eq!(plies("(ply = 1 or ply = 2) and ply = 2"), "2");
    assert_eq!(plies("not ply > 1 or ply = 8"), "0 1 8");
    assert_eq!(plies("not (ply > 1 or ply = 0)"), "1");
    assert_eq!(plies("not not ply = 4"), "4");
}

#[test]
fn sequences_hold_where_they_are_complete() {
    assert_eq!(plies("ply = 2 then within 3 plies: ply >= 3"), "3 4 5");
    assert_eq!(plies("ply = 2 then within 1 ply: ply >= 2"), "3", "at a later position, never the same");
    assert_eq!(plies("ply = 1 then within 2: ply = 3 then within 9: ply > 5"), "6 7 8");
    assert_eq!(plies("ply = 1 then within 1: ply = 3"), "");
    assert_eq!(plies("toAct(1) then within 1: toAct(1)"), "");
    assert_eq!(plies("toAct(1) then within 2: toAct(1)"), "2 4 6 8", "the latest of several counts");
    assert_eq!(plies("ply = 9 or (ply = 2 then within 2: toAct(1))"), "4");
}

#[test]
fn streaks_and_first_times_reach_to_the_end_of_their_clause() {
    assert_eq!(plies("for 3 plies: ply >= 2"), "4 5 6 7 8");
    assert_eq!(plies("for 1 ply: toAct(2)"), "1 3 5 7");
    assert_eq!(plies("for 2 plies: toAct(2)"), "");
    assert_eq!(plies("first: ply > 2 and toAct(1)"), "4");
    assert_eq!(plies("(first: ply > 2) and toAct(1)"), "");
    assert_eq!(plies("first: ply = 2 or ply = 4"), "2");
    assert_eq!(plies("first: ply > 2 then within 2: ply > 0"), "4 5", "`then` ends the clause");
    assert_eq!(plies("not first: ply > 6"), "0 1 2 3 4 5 6 8");
}

/// A part that remembers sees every position, even where the other part already decides.
#[test]
fn memory_does_not_depend_on_the_order_of_parts() {
    for (one, other) in [
        ("toAct(1) and first: ply > 0", "(first: ply > 0) and toAct(1)"),
        ("ply > 4 and for 3 plies: ply > 2", "(for 3 plies: ply > 2) and ply > 4"),
        ("ply = 1 or (ply = 1 then within 3: ply = 3)", "(ply = 1 then within 3: ply = 3) or ply = 1"),
        ("ply = 1 or ply = 2 or first: ply > 0", "(first: ply > 0) or ply = 2 or ply = 1"),
    ] {
        assert_eq!(plies(one), plies(other), "{one}");
    }
    assert_eq!(plies("toAct(1) and first: ply > 0"), "");
    assert_eq!(plies("ply > 4 and for 3 plies: ply > 2"), "5 6 7 8");
}

#[test]
fn changes_count_from_the_start_of_a_turn() {
    assert_eq!(plies("change(ply) = 1"), "1 2 3 4 5 6 7 8", "here a turn is one action");
    assert_eq!(plies("change(pads(2)) = 2"), "2", "the extra pad");
    assert_eq!(plies("change(pads(2)) < -1"), "");
    let tri = kind("tri").unwrap();
    let start = tri.start(&serde_json::json!({})).unwrap();
    // Seat 1 places a piece on each of its islands, then acts; all of that is one turn.
    let mut position = start.boxed();
    let mut words = Vec::new();
    while position.to_act().contains(Actor::Seat(1)) {
        let action = position.legal(Actor::Seat(1)).unwrap().swap_remove(0);
        position.act(Actor::Seat(1), &action).unwrap();
        words.push(action);
    }
    assert!(words.len() > 1, "{words:?}");
    let predicate = Predicate::read(tri, "change(ply) = ply").unwrap();
    let plies = start.plies_with(&predicate, &|_, _| None, &mut words.iter().map(String::as_str)).unwrap();
    assert_eq!(plies.len(), words.len() + 1);
}

#[test]
fn a_fact_of_a_seat_that_the_game_does_not_have_compares_as_false() {
    let triforce = kind("triforce").unwrap();
    let start = triforce.complete(&serde_json::json!({ "players": 3 }), &mut |_| 0).unwrap();
    let start = triforce.start(&start).unwrap();
    let holds = |text: &str| {
        let predicate = Predicate::read(triforce, text).unwrap();
        start.plies_with(&predicate, &|_, _| None, &mut [].into_iter()).unwrap() == [0]
    };
    assert!(holds("territories(3) = 0"));
    assert!(!holds("territories(4) = 0"));
    assert!(!holds("territories(4) != 0"));
    assert!(holds("not territories(4) = 0"));
}

#[test]
fn chances_come_from_outside_and_exclude_nothing() {
    let predicate = Predicate::read(rules(), "chance(1) >= 60 and change(chance(2)) < 0").unwrap();
    assert!(predicate.asks_for_chances() && !Predicate::read(rules(), "over").unwrap().asks_for_chances());
    let start = rules().start(&serde_json::json!({})).unwrap();
    let chances = |ply: u32, seat: usize| (ply != 6).then(|| i64::from([10 * ply, 100 - 10 * ply][seat]));
    let plies = start.plies_with(&predicate, &chances, &mut EIGHT.split(' ')).unwrap();
    assert_eq!(plies, [8], "at ply 6 there is none, and the turn of ply 7 begins there");
    assert!(predicate.may_hold(played(rules(), &serde_json::json!({}), &mut |_| 0).0.as_slice()));
}

/// What a position is like holds in it, and where it can be told apart from the start, not there.
#[test]
fn a_likeness_holds_where_it_was_taken() {
    for rules in kinds().iter().copied() {
        let mut draw = |n: u32| n / 2;
        let setup = rules.complete(&serde_json::json!({}), &mut draw).unwrap();
        let (start, words) = (rules.start(&setup).unwrap(), played(rules, &setup, &mut draw).1);
        let mut position = start.boxed();
        for word in &words {
            let (actor, action) = crate::log::split_word(position.as_ref(), word).unwrap();
            position.act(actor, action).unwrap();
        }
        let text = position.likeness();
        let predicate = Predicate::read(rules, &text).unwrap_or_else(|why| panic!("{}", why.pointing_into(&text)));
        let plies = start.plies_with(&predicate, &|_, _| None, &mut words.iter().map(String::as_str)).unwrap();
        assert_eq!(plies.last(), Some(&(words.len() as u32)), "{}: {text}", rules.about().kind);
        assert!(!plies.contains(&0), "{}: {text}", rules.about().kind);
    }
}

#[test]
fn words_are_compared_by_name() {
    let thrones = kind("thrones").unwrap();
    let read = |text: &str| Predicate::read(thrones, text).map(|_| ()).map_err(|why| why.to_string());
    assert_eq!(read("piece(d4) = \"throne\" and terrain(d4) != 'plains'"), Ok(()));
    assert_eq!(read("piece(d4) = piece(e4) or piece(a1)"), Ok(()));
    let told = read("piece(d4) = \"king\"").unwrap_err();
    assert!(told.starts_with("column 13: `piece` is never \"king\": it is one of none, trebuchet, "), "{told}");
    assert_eq!(read("piece(d4) > \"throne\"").unwrap_err(), "column 11: words are compared with = and !=");
    assert_eq!(read("piece(d4) = 3").unwrap_err(), "column 11: a number and a word cannot be compared");
    assert_eq!(read("piece(d4) = terrain(d4)").unwrap_err(), "column 11: these facts have different words");
    assert_eq!(read("change(piece(d4))").unwrap_err(), "column 8: only numbers rise and fall");
    assert_eq!(read("'a' = 'a'").unwrap_err(), "column 1: a word is compared with a fact that has words");
}

#[test]
fn errors_say_where_and_what_would_be_right() {
    assert_eq!(refused(""), "column 1: a fact or a number is expected here");
    assert_eq!(refused("ply = 1 and"), "column 12: a fact or a number is expected here");
    assert_eq!(refused("pad(1) = 2"), "column 5: a place of the board is expected here");
    assert_eq!(refused("Pads(1) = 2"), "column 1: triangulate has no fact `Pads`; there is pad, pads");
    assert_eq!(refused("stakced(1)"), "column 1: triangulate has no fact `stakced`; there is stacked");
    assert!(refused("ply > zebra").starts_with("column 7: triangulate has no fact `zebra`; they are ply, mobility,"));
    assert_eq!(refused("pads > 1"), "column 6: `pads` is asked for by seat: `pads(1)`");
    assert_eq!(refused("pads(3)"), "column 6: seats are numbered from 1 to 2");
    assert_eq!(
        refused("owner(j9)"),
        "column 7: there is no place j9; they begin with a1, b1, c1, d1, e1, f1, g1, h1, a2, b2, c2, d2, e2, f2, g2, h2, a3, b3, c3, d3"
    );
    assert_eq!(refused("owner(a9)").split(';').next(), Some("column 7: there is no place a9"));
    assert_eq!(refused("ply(1)"), "column 4: `ply` is one number of the game: write it without parentheses");
    assert_eq!(refused("ply == 1"), "column 5: `==` is no comparison: they are = != < <= > >=");
    assert_eq!(
        refused("ply = 1 then ply = 2"),
        "column 14: after `then` comes `within` and a number of plies: `then within 6: …`"
    );
    assert_eq!(refused("ply then within 0: ply"), "column 17: a number of plies is from 1 to 100000");
    assert_eq!(refused("for 3 plies ply"), "column 13: a colon is expected after the number of plies");
    assert_eq!(refused("(ply = 1"), "column 9: a closing parenthesis is missing");
    assert_eq!(refused("ply = 1)"), "column 8: `and`, `or`, `then within` or the end is expected here");
    assert_eq!(refused("ply = 'x"), "column 7: there is no second '");
    assert_eq!(
        refused("ply = 99999999999999999999"),
        "column 7: `99999999999999999999` is not a number that can be compared"
    );
    assert_eq!(refused("ä"), "column 1: `\\u{e4}` means nothing here");
    assert_eq!(refused("3"), "column 2: a comparison is expected: = != < <= > >=");
    assert_eq!(refused(&"(".repeat(40)), "column 33: conditions are nested at most 32 deep");
    assert_eq!(refused(&"not ".repeat(40)), "column 129: conditions are nested at most 32 deep");
    let long = " ".repeat(TEXT_MAX + 1);
    assert_eq!(refused(&long), "column 1: a predicate has at most 2000 bytes, and this one has 2001");
}

#[test]
fn a_caret_points_into_the_text() {
    let text = "ply > 3 and\nstacks(1)";
    let told = Predicate::read(rules(), text).unwrap_err().pointing_into(text);
    assert_eq!(
        told,
        "column 13: triangulate has no fact `stacks`; there is stacked\n  ply > 3 and stacks(1)\n              ^"
    );
}

/// Nonsense made of the language's own pieces: it is read or refused, and what is read can be evaluated.
#[test]
fn any_sequence_of_pieces_is_survived() {
    const PIECES: [&str; 26] = [
        "ply",
        "pads(1)",
        "owner(a1)",
        "change(ply)",
        "change(",
        "(",
        ")",
        "and",
        "or",
        "not",
        "then within 2:",
        "then",
        "for 2 plies:",
        "first:",
        ":",
        "=",
        "!=",
        "<",
        ">=",
        "1",
        "-",
        "-3",
        "'",
        "\"x\"",
        "é",
        "\0",
    ];
    let start = rules().start(&serde_json::json!({})).unwrap();
    let extremes = {
        let (mut position, mut counts, mut extremes) = (start.boxed(), rules().counts(), Extremes::default());
        for (word, ply) in EIGHT.split(' ').zip(0..) {
            position.extend(ply, position.branching(), &counts, &mut extremes);
            let actor = position.to_act().only().unwrap();
            position.act_counted(actor, word, &mut counts).unwrap();
        }
        position.extend(8, position.branching(), &counts, &mut extremes);
        extremes
    };
    let (mut state, mut read) = (7_u64, 0);
    let mut below = |n: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % n
    };
    for _ in 0..50_000 {
        let length = 1 + below(9);
        let text: String = (0..length).map(|_| PIECES[below(PIECES.len())].to_owned() + " ").collect();
        match Predicate::read(rules(), &text) {
            Ok(predicate) => {
                read += 1;
                let plies = start.plies_with(&predicate, &|_, _| None, &mut EIGHT.split(' ')).unwrap();
                assert!(plies.is_sorted() && plies.iter().all(|ply| *ply <= 8), "{text}");
                assert!(plies.is_empty() || predicate.may_hold(extremes.as_slice()), "{text}");
            }
            Err(why) => assert!((1..=text.chars().count() + 1).contains(&why.column), "{text}: {why}"),
        }
    }
    assert!(read > 500, "only {read} of them were predicates");
}

/// What the extremes exclude never holds, and what they have is not excluded.
#[test]
fn extremes_exclude_only_what_does_not_hold() {
    for rules in kinds().iter().copied() {
        let about = rules.about();
        let setup = rules.complete(&serde_json::json!({}), &mut |_| 0).unwrap();
        let excluded = |text: &str, extremes: &Extremes| {
            !Predicate::read(rules, text).unwrap_or_else(|why| panic!("{text}: {why}")).may_hold(extremes.as_slice())
        };
        for seed in 0..4_u64 {
            let mut state = seed;
            let mut draw = |n: u32| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                ((state >> 33) % u64::from(n)) as u32
            };
            let setup = rules.complete(&setup, &mut draw).unwrap();
            let start = rules.start(&setup).unwrap();
            let (extremes, words) = played(rules, &setup, &mut draw);
            let holds = |text: &str| {
                let predicate = Predicate::read(rules, text).unwrap();
                !start.plies_with(&predicate, &|_, _| None, &mut words.iter().map(String::as_str)).unwrap().is_empty()
            };
            let mut passed = 0;
            for fact in [common_facts(), rules.facts()].concat().into_iter().filter(|fact| fact.label.name != "chance")
            {
                let name = fact.label.name;
                let fact = match fact.argument {
                    Argument::Nothing => name.to_owned(),
                    Argument::Seat => format!("{name}({})", 1 + draw(about.seats_max.into())),
                    Argument::Place => continue,
                };
                for number in [-40_000, -3, -1, 0, 1, 2, 3, 5, 8, 13, 30, 59, 60, 200, 40_000] {
                    for comparison in ["=", "!=", "<", "<=", ">", ">="] {
                        for text in [
                            format!("{fact} {comparison} {number}"),
                            format!("change({fact}) {comparison} {number}"),
                            format!("ply then within 9: {number} {comparison} {fact}"),
                            format!("for 2 plies: {fact} {comparison} toAct(1)"),
                        ] {
                            let is_excluded = excluded(&text, &extremes);
                            passed += u32::from(is_excluded);
                            assert!(!is_excluded || !holds(&text), "{}: {text}", about.kind);
                        }
                    }
                }
                assert!(
                    excluded(&format!("{fact} > 40000"), &extremes)
                        && excluded(&format!("{fact} < -40000 or 1 > 2"), &extremes)
                );
            }
            assert!(passed > 500, "{}: only {passed} were excluded", about.kind);
        }
        assert!(!excluded("ply > 40000", &Extremes::default()), "nothing is known");
    }
}
