//! What every game must guarantee, and the test data of all games.
//!
//! `tests/data/<kind>/` holds plain text files, found automatically; a kind without perft, endings, refused
//! or playthroughs fails. `PLYBOOK_RANDOM_KIND` restricts the tests to one kind, and `PLYBOOK_RANDOM_GAMES`
//! sets the number of random games per kind. `UPDATE=1` rewrites the golden lines of the playthroughs and
//! fills in counts and outcomes given as `?`, to be reviewed as a diff.

pub mod contract;
pub mod data;
pub mod endings;
pub mod facts;
pub mod hostile;
pub mod lines;
pub mod measures;
pub mod mutant;
pub mod numbers;
pub mod pairs;
pub mod perft;
pub mod playthroughs;
pub mod random;
pub mod refused;
pub mod repetition;
pub mod search;
pub mod secrets;

use plybook_example::{kind, kinds};
use plybook_rules::Rules;

/// The kinds to be tested: all, or the one that `PLYBOOK_RANDOM_KIND` names.
pub fn tested() -> Vec<&'static dyn Rules> {
    match std::env::var("PLYBOOK_RANDOM_KIND") {
        Err(_) => kinds().to_vec(),
        Ok(only) => vec![kind(&only).unwrap_or_else(|| panic!("PLYBOOK_RANDOM_KIND={only:?} is no kind"))],
    }
}

/// Runs a check for every kind and reports all that failed.
pub fn for_every_kind(check: impl Fn(&'static dyn Rules) -> Vec<data::Failure>) {
    let failures: Vec<String> = tested().into_iter().flat_map(check).collect();
    assert!(failures.is_empty(), "{} failed:\n{}", failures.len(), failures.join("\n"));
}

/// Checks every file of a folder of every kind.
pub fn for_every_file(folder: &str, check: impl Fn(&'static dyn Rules, &data::File) -> Result<(), data::Failure>) {
    for_every_kind(|rules| match data::files(rules.about().kind, folder) {
        Ok(files) => files.iter().filter_map(|file| check(rules, file).err()).collect(),
        Err(why) => vec![why],
    });
}
