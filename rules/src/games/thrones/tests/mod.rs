//! Properties of random play, setups, and what viewers may see.

mod cases;
mod forms;
mod measures;
mod positions;

use plybook_events::Actor;
use serde_json::{Value, json};

use crate::games::thrones::favor::Favor;
use crate::games::thrones::notation::Action;
use crate::games::thrones::options::Variant;
use crate::games::thrones::piece::Kind;
use crate::games::thrones::position::{Campaign, Phase};
use crate::games::thrones::square::Square;
use crate::games::thrones::{Thrones, sheet};
use crate::{Game, Last, Position, Viewer, perft};

/// Numbers that look random but are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(sides)) as u32
    }
}

/// The setups of all 32 combinations of variants, and of all options.
fn setups() -> impl Iterator<Item = Value> {
    let combinations = (0..32u8).map(|set| {
        let names = Variant::ALL.into_iter().filter(|variant| set >> *variant as u8 & 1 == 1).map(Variant::name);
        json!({ "variants": names.collect::<Vec<_>>() })
    });
    let points = ["homefront", "ports", "victory-points"];
    combinations.chain([
        json!({ "first": 2, "favors": 0 }),
        json!({ "favors": 2, "spearmen": "free" }),
        json!({ "variants": ["homefront", "ports"], "apart": 2, "portAttacks": "any", "spearmen": "free", "first": 2 }),
        json!({ "variants": points, "fortresses": "rolled", "throneWins": true, "first": 2, "apart": 2 }),
        json!({ "variants": points, "fortresses": ["a", "b", "i"], "throneWins": true, "portAttacks": "any" }),
        json!({ "variants": ["victory-points", "set-piece-battle"], "fortresses": "rolled", "favors": 1 }),
    ])
}

/// A seat's pieces, on the board or removed.
fn count(game: &Campaign, seat: usize) -> u32 {
    let removed: u32 = game.board.removed[seat].iter().map(|count| u32::from(*count)).sum();
    game.board.own(seat).len() as u32 + removed
}

fn check_ply(game: &Campaign, strangers: &[String]) -> Vec<String> {
    let json = game.to_json(Viewer::All);
    assert_eq!(Campaign::from_json(&json).as_ref(), Ok(game), "{json}");
    let mut all = Vec::new();
    for actor in game.to_act().iter() {
        if game.prompt(actor).is_some() {
            continue;
        }
        let mut actions = Vec::new();
        game.legal(actor, &mut actions);
        assert_eq!(actions.len(), game.count_legal(actor), "{json}");
        let mut listed: Vec<String> = actions.iter().map(ToString::to_string).collect();
        listed.sort();
        listed.dedup();
        assert_eq!(listed.len(), actions.len(), "each once");
        assert!(!listed.is_empty());
        for action in &actions {
            assert_eq!(game.judge(actor, action), Ok(()), "{action}");
            assert_eq!(action.to_string().parse::<Action>().as_ref(), Ok(action));
        }
        for action in strangers {
            let judged = game.judge(actor, &action.parse().unwrap());
            assert_eq!(judged.is_ok(), listed.contains(action), "{action}: {judged:?} in {json}");
        }
        all.extend(listed);
    }
    assert_eq!(game.to_act().is_empty(), game.outcome().is_some());
    all
}

#[test]
fn random_play_keeps_to_the_rules() {
    let mut dice = Dice(7);
    let mut strangers: Vec<String> = [
        "end",
        "pass",
        "leave",
        "rebuild",
        "battle:even",
        "favor:hasten",
        "fortresses:abc",
        "displace:e5",
        "establish:farm",
        "spawn:Ra1",
    ]
    .map(str::to_owned)
    .to_vec();
    for setup in setups() {
        let mut game = Thrones::start(&setup).unwrap();
        for _ in 0..250 {
            let actions = check_ply(&game, &strangers);
            let Some(actor) = game.to_act().iter().next() else { break };
            let action = game.sample(actor, &mut |sides| dice.roll(sides));
            assert_eq!(game.judge(actor, &action), Ok(()), "{action}");
            assert_eq!(action.to_string().parse::<Action>().as_ref(), Ok(&action));
            game.apply(actor, &action);
            for action in actions {
                let place = dice.roll(80) as usize;
                match strangers.get_mut(place + 9) {
                    Some(stranger) => *stranger = action,
                    None => strangers.push(action),
                }
            }
            if game.phase != Phase::SetUp {
                let due = if game.board.plays(Variant::SetPieceBattle) { 10 } else { 13 };
                assert_eq!([count(&game, 0), count(&game, 1)], [due; 2]);
            }
        }
    }
}

#[test]
fn random_set_ups_differ_and_keep_to_the_rules() {
    let mut dice = Dice(3);
    let mut at_home = 0;
    for setup in setups() {
        let game = Thrones::start(&setup).unwrap();
        for seat in [0, 1].repeat(6) {
            let sheet = sheet::sample(seat, game.board.options, &mut |sides| dice.roll(sides));
            assert_eq!(sheet.check(seat, game.board.options), Ok(()), "{sheet}");
            let fortress =
                sheet.tiles(seat).find(|(_, terrain)| *terrain == crate::games::thrones::terrain::Terrain::Fortress);
            let throne = sheet.pieces().iter().find(|(_, kind)| *kind == Kind::Throne).unwrap().0;
            at_home += u32::from(fortress.is_some_and(|(square, _)| square == throne));
        }
    }
    assert!((40..160).contains(&at_home), "{at_home} of 192 thrones in their fortress");
}

/// A game in which both seats have set up, each throne at home.
fn opened() -> Campaign {
    set_up(&json!({}), SECOND)
}

/// The same with another setup, and another set-up of seat 2.
fn set_up(setup: &Value, second: &str) -> Campaign {
    let mut game = Thrones::start(setup).unwrap();
    for (seat, action) in [(1, FIRST), (2, second)] {
        let action: Action = action.parse().unwrap();
        assert_eq!(game.judge(Actor::Seat(seat), &action), Ok(()));
        game.apply(Actor::Seat(seat), &action);
    }
    game
}

pub(super) const FIRST: &str = "setup:wwmmmmmpp/fffFfffpp/wwwwwfffp/ppppppppp:\
                     Ra4Rb4Sc4Sd4Le4Lf4Xg4Ch4Bi4Wa2Eb2Dc2Td2:pawbmcfd";
pub(super) const SECOND: &str = "setup:wwmmmmmpp/fffFfffpp/wwwwwfffp/ppppppppp:\
                      Ra6Rb6Sc6Sd6Le6Lf6Xg6Ch6Bi6Wa8Eb8Dc8Td8:pawbmcfi";

#[test]
fn contested_tiles_go_to_the_left() {
    let row = |game: &Campaign| -> String {
        (0..9).map(|column| game.board.terrain(Square::at(column, 4)).unwrap().letter() as char).collect()
    };
    // Columns a, b and c are contested; d and i are not. Open: a b c e f g h.
    let game = opened();
    assert_eq!(row(&game), "ppwfwmmFf");
    assert_eq!(game.phase, Phase::Favor { choosing: [true; 2], ends: false });
    // Of a column, the tile of the seat that begins goes first.
    let second = SECOND.replace("pawbmc", "wapbmc");
    assert_eq!(row(&set_up(&json!({}), &second)), "pwwfpmmFf");
    assert_eq!(row(&set_up(&json!({ "first": 2 }), &second)), "Fpwfwpmmf");
}

#[test]
fn what_is_secret_makes_no_difference_to_others() {
    // Two games that differ first in seat 1's set-up alone, then in the favour that it chose.
    let start = Thrones::start(&json!({})).unwrap();
    let other = FIRST.replace("Wa2Eb2", "Ea2Wb2");
    let seen = |game: &Campaign, viewer| (game.to_json(viewer), game.text(viewer), game.scene(viewer, None));
    let submit = |action: &str| {
        let mut game = start.clone();
        let action: Action = action.parse().unwrap();
        let shown = [Viewer::Public, Viewer::Seat(2)].map(|viewer| game.shown(viewer, Actor::Seat(1), &action));
        game.apply(Actor::Seat(1), &action);
        let last = Last { before: &start, actor: Actor::Seat(1), action: &action };
        let scene = game.scene(Viewer::Seat(2), Some(last));
        (game, shown, scene)
    };
    let (a, b) = (submit(FIRST), submit(&other));
    assert_ne!(seen(&a.0, Viewer::Seat(1)), seen(&b.0, Viewer::Seat(1)));
    assert_eq!((a.1, a.2), (b.1, b.2));
    for viewer in [Viewer::Public, Viewer::Seat(2)] {
        assert_eq!(seen(&a.0, viewer), seen(&b.0, viewer));
    }
    let choose = |favor| {
        let mut game = opened();
        game.apply(Actor::Seat(1), &Action::Favor(favor));
        game
    };
    let (a, b) = (choose(Favor::Assault), choose(Favor::Hasten));
    assert_ne!(seen(&a, Viewer::Seat(1)), seen(&b, Viewer::Seat(1)));
    for viewer in [Viewer::Public, Viewer::Seat(2)] {
        assert_eq!(seen(&a, viewer), seen(&b, viewer));
        assert_eq!(a.shown(viewer, Actor::Seat(1), &Action::Favor(Favor::Hasten)).as_deref(), Some("favor:?"));
    }
}

#[test]
fn set_ups_are_read_in_any_order_and_printed_in_one() {
    let mixed = FIRST.replace("Ra4Rb4", "Rb4Ra4").replace("pawbmcfd", "fdmcwbpa");
    assert_ne!(mixed, FIRST);
    let [mixed, first] = [mixed.as_str(), FIRST].map(|action| action.parse::<Action>().unwrap());
    assert_eq!((mixed.to_string(), &mixed), (first.to_string(), &first));
    assert!(first.to_string().contains(":Wa2Ra4Eb2Rb4Dc2Sc4Td2Sd4Le4Lf4Xg4Ch4Bi4:pawbmcfd"));
}

/// Variants, changes to [`FIRST`], and a part of the reason.
type WrongSetUp = (&'static str, &'static [(&'static str, &'static str)], &'static str);

#[test]
fn wrong_set_ups_are_refused_with_a_reason() {
    let cases: &[WrongSetUp] = &[
        ("[]", &[("Td2", "Td9")], "throne cannot start on d9"),
        ("[]", &[("Td2", "Tc2")], "two are placed on c2"),
        ("[]", &[("Td2", "")], "throne 0 of 1"),
        ("[]", &[("Td2", "Rd2")], "2 rangers, and 3"),
        ("[]", &[("fffFfffpp", "Fffffffpp")], "not a2"),
        ("[]", &[("wwmmmmmpp", "wwmmmmFpp"), ("fffF", "fffm")], "not g1"),
        ("[]", &[("ppppppppp", "pppppppwp")], "14 tiles of plains, and 13"),
        ("[]", &[("pawb", "papb")], "one each of plains, forest, water, mountain"),
        ("[]", &[("pawb", "pawa")], "two go to column a"),
        ("[]", &[(":pawbmcfd", ":pawbmc")], "one each"),
        (r#"["row-balancing"]"#, &[], "row 1 has no forest"),
        (r#"["set-piece-battle"]"#, &[], "ten of its pieces, and 13"),
        (r#"["set-piece-battle"]"#, &[("Td2", ""), ("Ra4Rb4", "")], "throne is always"),
        (r#"["victory-points"]"#, &[], "15 tiles of plains, and 14"),
        (r#"["victory-points"]"#, &[("fffF", "fffp")], "one each of plains, forest, mountain"),
        (r#"["victory-points"]"#, &[("fffF", "fffp"), ("pawbmcfd", "pafbmc")], "column b"),
    ];
    for (variants, changes, reason) in cases {
        let setup = format!(r#"{{"variants":{variants}}}"#);
        let game = Thrones::start(&serde_json::from_str(&setup).unwrap()).unwrap();
        let action = changes.iter().fold(FIRST.to_owned(), |action, (from, to)| action.replace(from, to));
        let why = game.judge(Actor::Seat(1), &action.parse().unwrap()).expect_err(&action).to_string();
        assert!(why.contains(reason), "{why}");
    }
    let game = Thrones::start(&json!({})).unwrap();
    assert!(game.judge(Actor::Seat(1), &SECOND.parse().unwrap()).is_err());
    assert!(game.judge(Actor::Seat(1), &Action::End).is_err());
}

#[test]
fn wrong_setups_are_refused() {
    let wrong = [
        json!([]),
        json!({ "variants": ["rivers"] }),
        json!({ "variants": ["ports", "ports"] }),
        json!({ "variants": "ports" }),
        json!({ "variants": [1] }),
        json!({ "variant": [] }),
        json!({ "fortresses": ["b", "e", "h"] }),
        json!({ "variants": ["victory-points"], "fortresses": ["b", "e"] }),
        json!({ "variants": ["victory-points"], "fortresses": ["b", "e", "e"] }),
        json!({ "variants": ["victory-points"], "fortresses": ["b", "e", "h", "h"] }),
        json!({ "variants": ["victory-points"], "fortresses": ["b", "e", "j"] }),
        json!({ "variants": ["victory-points"], "fortresses": ["b", "e", "hh"] }),
        json!({ "variants": ["victory-points"], "fortresses": null }),
        json!({ "variants": null }),
        json!({ "variants": ["victory-points"], "fortresses": "random" }),
        json!({ "throneWins": true }),
        json!({ "variants": ["victory-points"], "throneWins": 1 }),
        json!({ "apart": 2 }),
        json!({ "variants": ["homefront"], "apart": 4 }),
        json!({ "portAttacks": "any" }),
        json!({ "variants": ["ports"], "portAttacks": "all" }),
        json!({ "spearmen": "swim" }),
        json!({ "favors": 5 }),
        json!({ "first": 3 }),
        json!({ "first": "2" }),
        json!({ "first": 1, "toss": { "by": "die", "even": 1, "number": 3 } }),
        json!({ "first": "drawn", "toss": { "by": "coin" } }),
        json!({ "toss": { "by": "coin" } }),
        json!({ "toss": { "by": "hands", "even": 1, "numbers": [[4, 6]] } }),
    ];
    for setup in wrong {
        assert!(Thrones::start(&setup).is_err(), "{setup}");
        assert!(Thrones::complete(&setup, &mut |_| 0).is_err(), "{setup}");
    }
    let complete = |setup: &Value| Thrones::complete(setup, &mut |_| 0).unwrap();
    assert_eq!(complete(&json!({})), json!({ "variants": [] }));
    let points = complete(&json!({ "variants": ["victory-points", "ports"] }));
    assert_eq!(points, json!({ "variants": ["ports", "victory-points"], "fortresses": ["b", "e", "h"] }));
    assert_eq!(complete(&points), points);
    let usual = json!({ "variants": ["homefront", "ports", "victory-points"], "fortresses": ["h", "e", "b"],
        "throneWins": false, "favors": 4, "spearmen": "afloat", "portAttacks": "onto-water", "apart": 3 });
    assert_eq!(
        complete(&usual),
        json!({ "variants": ["homefront", "ports", "victory-points"], "fortresses": ["b", "e", "h"] })
    );
}

#[test]
fn perft_counts_what_is_listed() {
    let mut game = opened();
    assert_eq!(perft::perft(&game, 2), 32, "two choices of four in either order");
    for seat in [1, 2] {
        game.apply(Actor::Seat(seat), &Action::Favor(Favor::Hasten));
    }
    let mut actions = Vec::new();
    game.legal(Actor::Seat(1), &mut actions);
    assert_eq!(perft::perft(&game, 1), actions.len() as u64);
}

#[test]
fn who_begins_and_the_fortresses_are_given_or_drawn() {
    let asked = json!({ "variants": ["victory-points"], "fortresses": "drawn", "first": "drawn" });
    assert!(Thrones::start(&asked).is_err(), "something is still to be drawn");
    let drawn = Thrones::complete(&asked, &mut |n| n - 1).unwrap();
    assert_eq!(drawn, json!({ "variants": ["victory-points"], "fortresses": ["a", "b", "i"], "first": 2 }));
    let again = Thrones::complete(&drawn, &mut |_| panic!("nothing is left to draw"));
    assert_eq!(again.as_ref(), Ok(&drawn));
    let first = Thrones::complete(&json!({ "first": "drawn" }), &mut |_| 0).unwrap();
    assert_eq!(first, json!({ "variants": [], "first": 1 }), "what was drawn is recorded, the usual seat too");
    // Each triple of columns is drawn equally often.
    let mut counts = std::collections::BTreeMap::new();
    for (a, b, c) in (0..9).flat_map(|a| (0..8).flat_map(move |b| (0..7).map(move |c| (a, b, c)))) {
        let mut numbers = [a, b, c].into_iter();
        let asked = json!({ "variants": ["victory-points"], "fortresses": "drawn" });
        let drawn = Thrones::complete(&asked, &mut |_| numbers.next().unwrap()).unwrap();
        *counts.entry(drawn["fortresses"].to_string()).or_insert(0) += 1;
    }
    assert_eq!((counts.len(), counts.values().all(|count| *count == 6)), (84, true));
}

#[test]
fn a_toss_decides_who_begins() {
    let hands = json!({ "toss": { "by": "hands", "even": 1, "numbers": [[5, 5], [2, 5]] } });
    let complete = Thrones::complete(&hands, &mut |_| panic!("nothing is drawn")).unwrap();
    assert_eq!((&complete["first"], &complete["toss"]), (&json!(2), &hands["toss"]));
    let mut game = Thrones::start(&complete).unwrap();
    for (seat, sheet) in [(1, FIRST), (2, SECOND)] {
        game.apply(Actor::Seat(seat), &sheet.parse().unwrap());
    }
    while let Phase::Favor { .. } = game.phase {
        let actor = game.to_act().iter().next().unwrap();
        let action = game.sample(actor, &mut |_| 0);
        game.apply(actor, &action);
    }
    assert_eq!(game.to_act().iter().collect::<Vec<_>>(), [Actor::Seat(2)]);
    // Both chose the columns a, w, b and c. Seat 2 is laid first, from its left, which is column i.
    let middle: String = game.to_json(Viewer::All)["tiles"].as_str().unwrap()[36..45].to_owned();
    assert_eq!(middle, "Fppfwwmmf");
}
