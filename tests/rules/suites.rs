//! The suites of this package, run over all kinds.

use plybook_example::HEAPS;
use plybook_rules::{About, Rules, Scene, Teams, kinds};
use plybook_tests_rules::mutant::{LATE, LEAKS, Leak, Mutant};
use plybook_tests_rules::{
    contract, endings, facts, for_every_file, for_every_kind, hostile, lines, measures, perft, playthroughs, random,
    refused, repetition, search, secrets,
};
use serde_json::{Value, json};

#[test]
fn perft_files() {
    for_every_file("perft", perft::check);
}

#[test]
fn every_kind_has_its_test_data() {
    for_every_kind(contract::check);
}

#[test]
fn an_undeclared_class_is_named() {
    let mut scene = Scene::new([0, 0, 1000, 1000]);
    scene.circle("piece neutral", [500, 500], 100);
    assert_eq!(contract::classes(HEAPS, &scene), Ok(()));
    scene.circle("piece boulder", [500, 500], 100);
    let why = contract::classes(HEAPS, &scene).expect_err("no game has boulders");
    assert!(why.starts_with("an item has the class \"boulder\""), "{why}");
}

#[test]
fn players_say_how_many_seats_there_are_and_partners_stay() {
    let about = About { seats_min: 4, seats_max: 6, ..About::PLAIN };
    let schema = |numbers: Value| json!({"properties": {"players": {"enum": numbers}}});
    let teams = |four: Teams, six: Teams| {
        move |setup: &Value| match setup["players"].as_u64()? {
            4 => Some(four),
            6 => Some(six),
            _ => None,
        }
    };
    let four = Teams::new(&[&[1, 2], &[3, 4]]);
    let [beside, opposite] = [[&[1, 2], &[3, 4], &[5, 6]], [&[1, 4], &[2, 5], &[3, 6]]]
        .map(|teams| Teams::new(&teams.map(|team: &[u8; 2]| &team[..])));
    assert_eq!(contract::players(&about, &schema(json!([4, 6])), teams(four, beside)), [""; 0]);
    let why = contract::players(&about, &schema(json!([4, 6])), teams(four, opposite)).concat();
    assert!(why.starts_with("partners must have the same seats at every table: with 4 seats they are"), "{why}");
    let why = contract::players(&about, &schema(json!([4, 5, 6])), teams(four, beside)).concat();
    assert!(why.starts_with("its schema lists other numbers of `players` than [4, 6]"), "{why}");
    let why = contract::players(&about, &schema(json!([4])), |_| Some(four)).concat();
    assert!(why.contains("by its member `players`: from 4 to 6, not [4]"), "{why}");
}

#[test]
fn the_reason_of_the_option_is_taken() {
    assert_eq!(contract::reason(&json!({"repetition": 3}), "repetition"), Ok(()));
    assert_eq!(contract::reason(&json!({}), "empty"), Ok(()));
    contract::reason(&json!({}), "repetition").expect_err("the option is not there");
}

#[test]
fn endings_files() {
    for_every_file("endings", endings::check);
}

#[test]
fn a_position_that_comes_up_often_enough_is_a_draw() {
    let ended = std::cell::Cell::new(0);
    for_every_kind(|rules| match repetition::check(rules) {
        Ok(games) => {
            ended.set(ended.get() + games);
            Vec::new()
        }
        Err(why) => vec![format!("{}: {why}", rules.about().kind)],
    });
    assert!(ended.get() > 0 || std::env::var_os("PLYBOOK_RANDOM_KIND").is_some(), "no game repeated itself");
}

#[test]
fn refused_files() {
    for_every_file("refused", refused::check);
}

#[test]
fn playthroughs_files() {
    for_every_file("playthroughs", playthroughs::check);
}

#[test]
fn a_line_continues_like_a_single_game() {
    for_every_kind(lines::check);
}

#[test]
fn a_line_that_does_not_fit_its_parent_is_refused() {
    for_every_kind(lines::check_refusals);
}

#[test]
fn a_search_answers_for_what_the_viewer_knows() {
    for_every_kind(search::check);
}

#[test]
fn a_search_finds_wins_by_force() {
    for_every_kind(search::check_forced);
}

#[test]
fn random_play_has_the_properties_of_every_game() {
    for_every_kind(random::check);
}

#[test]
fn no_input_panics_or_changes_a_position() {
    for_every_kind(hostile::check);
}

#[test]
fn a_viewer_sees_nothing_that_it_may_not_know() {
    for_every_kind(secrets::check);
}

#[test]
fn measures_are_named_and_described() {
    for_every_kind(measures::named);
}

#[test]
fn facts_have_values_in_every_position() {
    for_every_kind(facts::searched);
}

#[test]
fn counts_do_not_depend_on_how_a_game_is_folded() {
    for_every_kind(measures::counted);
}

#[test]
fn what_is_hidden_stays_hidden_at_every_ply() {
    for_every_kind(search::guesses);
}

#[test]
fn a_game_that_leaks_after_two_rounds_is_found() {
    let tells = |why: &String| why.contains("can tell a guess from the truth");
    for leak in LATE {
        // Not every game hides something for so long.
        let mut secret = kinds().iter().copied().filter(|rules| rules.about().secrets);
        let late = |rules| Mutant::late(rules, leak, Rules::about(rules).kind);
        assert!(secret.any(|rules| search::guesses(late(rules)).iter().any(tells)), "nobody noticed {leak:?}");
    }
}

#[test]
fn a_game_that_leaks_is_found() {
    for_every_kind(|rules| {
        let leaks = if rules.about().secrets { &LEAKS[..] } else { &[] };
        // A pair that could not be found has compared nothing, unless there is none because every action is shown.
        let tells = |leak: Leak, why: &str| {
            why.contains("can tell by") || leak == Leak::Action && why.contains("no two games differ in the secret")
        };
        let unseen =
            leaks.iter().filter(|leak| !secrets::leaks(Mutant::of(rules, **leak)).any(|why| tells(**leak, &why)));
        unseen.map(|leak| format!("{}: nobody noticed {leak:?}", rules.about().kind)).collect()
    });
}
