//! Tournaments paired by another engine, and paired again: for `tests/run pairings`, `tests/pairings` installs
//! `caissify-pairings` from `PyPI` and generates them with it.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

use plybook_tournaments::replay::differences;
use plybook_tournaments::trf::Report;
use plybook_tournaments::{Engine, EntrantNumber, Points, Round};

/// The points of an entrant before a round, from 1.
fn score(report: &Report, entrant: EntrantNumber, round: usize) -> Points {
    let before = report.history.rounds[..round - 1].iter().flat_map(Round::everybody);
    before.filter(|(other, _)| *other == entrant).map(|(_, points)| points).sum()
}

/// The same entrants meet, and the same one has the bye. Seats may differ where two with different scores meet who
/// prefer the same seat equally: by 5.2.4 the higher ranked one gets it, which is whoever has more points, as
/// `bbpPairings` has it too; the other engine takes the lower number.
#[test]
#[ignore = "`tests/run pairings` generates the tournaments, and names their folder in PLYBOOK_CAISSIFY"]
fn the_same_entrants_meet() {
    let folder = std::env::var("PLYBOOK_CAISSIFY").expect("PLYBOOK_CAISSIFY names a folder");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 60, "there are {} tournaments", paths.len());
    let (mut rounds, mut turned) = (0, 0);
    for path in paths {
        let report = Report::parse(&fs::read(&path).unwrap()).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        rounds += report.history.rounds.len();
        for difference in differences(&report, Engine::Dutch, &|_, _| ControlFlow::Continue(())) {
            let expected = difference.expected.unwrap();
            let meet = |tables: &[Vec<EntrantNumber>]| -> BTreeSet<BTreeSet<EntrantNumber>> {
                tables.iter().map(|table| table.iter().copied().collect()).collect()
            };
            let place = format!("{}: round {}", path.display(), difference.round);
            assert_eq!(meet(&difference.found), meet(&expected), "{place}");
            for table in &expected {
                let [first, second] = [0, 1].map(|seat| score(&report, table[seat], difference.round));
                assert_ne!(first, second, "{place}: {table:?} have other seats");
                turned += 1;
            }
        }
    }
    println!("{rounds} rounds, and {turned} tables with other seats");
}
