//! What every game must keep, and the test data of all games.
//!
//! `tests/data/<kind>/` holds plain text files, found by walking; a kind without perft, endings,
//! refused or playthroughs fails. `UPDATE=1` rewrites the golden lines of the playthroughs, to be
//! reviewed as a diff; `PLYBOOK_RANDOM_GAMES` says how many random games of each kind are played,
//! `PLYBOOK_RANDOM_KIND` of which kind alone.

mod data;
mod endings;
mod hostile;
mod lines;
mod measures;
mod numbers;
mod perft;
mod playthroughs;
mod random;
mod refused;
mod secrets;

use plybook_rules::{Rules, kind, kinds};

/// Runs a check for every kind and reports all that failed.
fn for_every_kind(check: impl Fn(&'static dyn Rules) -> Vec<String>) {
    let failures: Vec<String> = kinds().iter().flat_map(|rules| check(*rules)).collect();
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

/// Checks every file of a folder of every kind.
fn for_every_file(folder: &str, check: impl Fn(&'static dyn Rules, &data::File) -> Result<(), data::Failure>) {
    for_every_kind(|rules| match data::files(rules.about().kind, folder) {
        Ok(files) => files.iter().filter_map(|file| check(rules, file).err()).collect(),
        Err(why) => vec![why],
    });
}

#[test]
fn perft_files() {
    for_every_file("perft", perft::check);
}

#[test]
fn endings_files() {
    for_every_file("endings", endings::check);
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
fn a_line_goes_on_as_one_game_would() {
    for_every_kind(lines::check);
}

#[test]
fn a_line_that_does_not_fit_its_parent_is_refused() {
    for_every_kind(lines::check_refusals);
}

#[test]
fn random_play_keeps_what_every_game_keeps() {
    let only = std::env::var("PLYBOOK_RANDOM_KIND").ok();
    assert!(only.as_deref().is_none_or(|only| kind(only).is_some()), "PLYBOOK_RANDOM_KIND={only:?} is no kind");
    for_every_kind(|rules| match &only {
        Some(only) if only != rules.about().kind => Vec::new(),
        _ => random::check(rules),
    });
}

#[test]
fn nothing_that_is_typed_in_panics_or_changes_a_position() {
    for_every_kind(hostile::check);
}

#[test]
fn a_viewer_sees_nothing_of_what_it_may_not_know() {
    for_every_kind(secrets::check);
}

#[test]
fn measures_are_named_and_described() {
    for_every_kind(measures::named);
}

#[test]
fn what_is_counted_is_counted_however_a_game_is_folded() {
    for_every_kind(measures::counted);
}
