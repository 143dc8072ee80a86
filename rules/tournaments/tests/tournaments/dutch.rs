//! The Dutch system: tournaments whose every round `bbpPairings` confirmed, and properties that hold in any
//! tournament.

use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use plybook_tournaments::random::{Settings, tournament};
use plybook_tournaments::replay::differences;
use plybook_tournaments::trf::Report;
use plybook_tournaments::{
    ByeKind, Engine, Entrant, EntrantNumber, History, PairingError, Points, Reason, TableResult, baku, dutch,
};

fn go_on(_: usize, _: usize) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn confirmed() -> Vec<(String, Report)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/tournaments/dutch");
    let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let read = |path: std::path::PathBuf| {
        let report = Report::parse(&fs::read(&path).unwrap()).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
        (path.display().to_string(), report)
    };
    files.map(read).collect()
}

#[test]
fn every_round_is_paired_as_the_endorsed_engine_pairs_it() {
    let all = confirmed();
    assert!(all.len() >= 20);
    for (path, report) in all {
        assert_eq!(differences(&report, Engine::Dutch, &go_on), [], "{path}");
    }
}

#[test]
fn exchanged_opponents_and_seats_are_noticed() {
    let (path, report) = confirmed().into_iter().find(|(_, report)| report.history.rounds.len() > 3).unwrap();
    let mut exchanged = report.clone();
    let tables = &mut exchanged.history.rounds[2].tables;
    let seat = tables[0].seats[1];
    tables[0].seats[1] = tables[1].seats[1];
    tables[1].seats[1] = seat;
    let found = differences(&exchanged, Engine::Dutch, &go_on);
    assert_eq!((found[0].round, found[0].found.len()), (3, 2), "{path}");
    let mut turned = report;
    turned.history.rounds[2].tables[0].seats.reverse();
    assert_eq!(differences(&turned, Engine::Dutch, &go_on)[0].round, 3);
}

#[test]
fn nobody_meets_twice_or_has_two_byes() {
    for seed in 0..60 {
        let players = 5 + (seed % 23) as u16;
        let settings = Settings { players, rounds: 7, seed, is_accelerated: seed % 5 == 0, is_fast: false };
        let report = tournament(&settings, &go_on).unwrap();
        let (mut met, mut byes) = (BTreeSet::new(), BTreeSet::new());
        for round in &report.history.rounds {
            for table in &round.tables {
                let pair: BTreeSet<_> = table.seats.iter().copied().collect();
                assert_eq!(pair.len(), 2);
                let is_played = matches!(table.result, Some(TableResult::Played(_)));
                assert!(!is_played || met.insert(pair), "seed {seed}: {:?} again", table.seats);
            }
            for bye in round.byes.iter().filter(|bye| bye.kind == ByeKind::Pairing) {
                assert!(byes.insert(bye.entrant), "seed {seed}: {:?} again", bye.entrant);
            }
            report.history.check().unwrap();
        }
        assert_eq!(tournament(&settings, &go_on).unwrap(), report, "the same seed");
    }
}

#[test]
fn each_table_and_the_bye_say_why() {
    let history = History { entrants: vec![Entrant::default(); 5], ..History::default() };
    let pairing = dutch::pair(&history, &dutch::Options::new((1..=5).map(EntrantNumber).collect())).unwrap();
    let told = |reasons: &[Reason]| reasons.iter().map(Reason::to_string).collect::<Vec<_>>();
    assert_eq!(
        told(&pairing.tables[0].reasons),
        [
            "Both have 0.0 points.",
            "#1 has no seat preference: no game played yet.",
            "#3 has no seat preference: no game played yet.",
            "Seats: drawn for number 1, alternating with the numbers.",
        ]
    );
    assert_eq!(pairing.byes[0].entrant, EntrantNumber(5));
    let why = told(&pairing.byes[0].reasons).join(" ");
    assert!(why.starts_with("Has 0.0 points, the lowest score") && why.ends_with("#1, #2, #3, #4."), "{why}");
}

#[test]
fn what_cannot_be_paired_is_refused_with_the_reason() {
    let entrants = |count| History { entrants: vec![Entrant::default(); count], ..History::default() };
    let all = |count: u16| dutch::Options::new((1..=count).map(EntrantNumber).collect());
    assert_eq!(dutch::pair(&entrants(1), &all(0)), Err(PairingError::TooFew { entrants: 0, least: 1 }));
    let alone = dutch::pair(&entrants(1), &all(1)).unwrap();
    assert_eq!((alone.tables.len(), alone.byes[0].entrant), (0, EntrantNumber(1)), "who is left alone has the bye");
    assert_eq!(dutch::pair(&entrants(2), &all(3)), Err(PairingError::Unknown(EntrantNumber(3))));
    let many = dutch::ENTRANTS_MAX + 1;
    let why = dutch::pair(&entrants(many), &all(many as u16)).unwrap_err();
    assert_eq!(why.to_string(), "1501 entrants are to be paired, and this system pairs at most 1500: use fast Swiss");
    let stop: &dyn Fn(usize, usize) -> ControlFlow<()> = &|_, _| ControlFlow::Break(());
    assert_eq!(dutch::pair(&entrants(4), &dutch::Options { progress: stop, ..all(4) }), Err(PairingError::Cancelled));
    let forbidden = vec![(1..=4).map(EntrantNumber).collect()];
    let why = dutch::pair(&entrants(4), &dutch::Options { forbidden, ..all(4) }).unwrap_err();
    assert!(matches!(why, PairingError::Impossible { entrants: 4, .. }), "{why}");
}

#[test]
fn baku_acceleration_is_that_of_the_handbook() {
    // C.04.5.1: with 161 players the upper half is the first 82; nine rounds have five accelerated ones.
    let mut history =
        History { entrants: vec![Entrant::default(); 161], rounds_planned: Some(9), ..History::default() };
    baku::accelerate(&mut history, Points::ONE, Points::HALF);
    let upper = history.entrants.iter().filter(|entrant| !entrant.acceleration.is_empty()).count();
    let expected = [Points::ONE, Points::ONE, Points::ONE, Points::HALF, Points::HALF];
    assert_eq!((upper, history.entrants[81].acceleration.as_slice()), (82, expected.as_slice()));
}
