//! Report files imported as tournaments, and exported again.

use std::fs;
use std::path::Path;

use plybook_events::body::SeatRange;
use plybook_events::{Body, By, Hash, LogId, Timestamp};
use plybook_tournaments::ByeKind;
use plybook_tournaments::files::{ImportedReport, LeftOut, report};
use plybook_tournaments::log::{Draft, RoundStatus, Tournament, TournamentStatus};
use plybook_tournaments::trf::{Report, Version};

fn imported(file: &[u8], zone: Option<&str>) -> Tournament {
    let read = ImportedReport::read(file, zone).unwrap_or_else(|why| panic!("{why}"));
    let mut settings = read.settings.clone();
    "tri".clone_into(&mut settings.kind);
    settings.seats = SeatRange { least: 2, most: 4 };
    if settings.name.is_empty() {
        "Open".clone_into(&mut settings.name);
    }
    let at = Timestamp::from_millis(1_795_000_000_000).unwrap();
    let mut draft = Draft::create(LogId::from_bytes([9; 16]), at, None, Body::TournamentCreated(settings)).unwrap();
    let player = |number: u16| LogId::from_bytes(u128::from(number).to_be_bytes());
    let players: Vec<_> = (1..).zip(&read.entrants).map(|(number, entrant)| entrant.of(player(number))).collect();
    for command in read.commands(&players, || Hash([3; 32])) {
        draft.command(By::Arbiter, command).unwrap_or_else(|why| panic!("{why}"));
    }
    draft.finish().0
}

/// What counts in a report: entrants, who met whom with which result, byes that give something, and who asked for one.
fn counts(report: &Report) -> String {
    let mut rounds = report.history.rounds.clone();
    for round in &mut rounds {
        round.tables.sort_by_key(|table| table.seats.clone());
        round.byes.retain(|bye| bye.kind != ByeKind::Zero);
        round.byes.sort_by_key(|bye| bye.entrant);
    }
    let entrants: Vec<_> = report.history.entrants.iter().map(|entrant| (&entrant.name, entrant.rating)).collect();
    let asked: Vec<_> = report.byes.iter().filter(|bye| bye.kind != ByeKind::Zero).collect();
    let planned = report.history.rounds_planned.unwrap_or(rounds.len() as u16);
    format!("{entrants:?}\n{planned} {:?}\n{rounds:#?}\n{asked:?}", report.scoring)
}

#[test]
fn what_counts_is_exported_as_it_was_imported() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/tournaments/dutch");
    let files: Vec<_> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert!(files.len() >= 20);
    for path in files {
        let original = Report::parse(&fs::read(&path).unwrap()).unwrap();
        for version in [Version::Trf16, Version::Trf26] {
            let tournament = imported(original.write(version).unwrap().as_bytes(), None);
            let text = report(&tournament, version).unwrap();
            let again = Report::parse(text.as_bytes()).unwrap();
            assert_eq!(counts(&again), counts(&original), "{}", path.display());
            let text_again = report(&imported(text.as_bytes(), None), version).unwrap();
            assert_eq!(text_again, text, "{}", path.display());
        }
    }
}

const OPEN: &str = "\
012 Club open
022 Vienna
032 AUT
042 2026/11/27
052 2026/11/29
092 Individual: Swiss-System
102 Arbiter, Chief
122 90 minutes
132                                                                                      27.11.26  28.11.26
XXR 3
XXC black1
001    1 mIM  Alpha, Ann                        2100 ENG     4000001 1980/02/03  1.5    1     3 b 1     2 w =
001    2      Beta, Bo                          2200 AUT                         1.5    2     4 w +     1 b =
001    3      Gamma, Cy                         1900 GER                         1.0    3     1 w 0  0000 - U
001    4      Delta, Di                              GER                         0.0    4     2 b -
260   1   3    3    4
240 H   3    3
";

#[test]
fn a_file_becomes_a_tournament_that_goes_on() {
    let file = OPEN.as_bytes();
    let tournament = imported(file, Some("America/Los_Angeles"));
    assert_eq!(tournament.status(), TournamentStatus::Running);
    assert!(tournament.rounds.iter().all(|round| round.status == RoundStatus::Closed));
    assert_eq!(tournament.settings.starts_at.unwrap().to_string(), "2026-11-27T08:00:00.000Z");
    let names = tournament.ranks().entrants().to_vec();
    assert_eq!(names, [1, 2, 3, 4], "numbers stay, although number 2 has the higher rating");
    let text = report(&tournament, Version::Trf26).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let kept = [
        "012 Club open",
        "042 2026/11/27",
        "052 2026/11/29",
        "032 AUT",
        "102 Arbiter, Chief",
        "152 B",
        "001    1 m IM Alpha, Ann                        2100 ENG     4000001             1.5    1     3 b 1     2 w =",
        "001    3      Gamma, Cy                         1900 GER                         1.0    3     1 w 0  0000 - U",
        "240 H   3    3",
    ];
    for line in kept {
        assert!(lines.contains(&line), "{line}\n{text}");
    }
    assert!(lines.iter().any(|line| line.starts_with("132") && line.ends_with("26/11/27  26/11/28")), "{text}");
    assert!(lines.iter().any(|line| line.starts_with("260") && line.ends_with("3    4")), "{text}");
    let left_out = ImportedReport::read(file, None).unwrap().left_out;
    assert_eq!(left_out, [LeftOut::Births]);
}

#[test]
fn a_running_round_and_an_adjourned_game_are_open() {
    let running = OPEN
        .replace("     4 w +     1 b =", "     4 w       1 b  ")
        .replace("1.5    1     3 b 1     2 w =", "1.0    1     3 b 1     2 w")
        .replace("1.5    2", "0.0    2")
        .replace("     2 b -", "     2 b");
    let tournament = imported(running.as_bytes(), None);
    assert_eq!(tournament.rounds[0].status, RoundStatus::Closed);
    assert_eq!(tournament.rounds[0].adjourned().len(), 1);
    assert_eq!((tournament.rounds[1].status, tournament.rounds[1].missing().len()), (RoundStatus::Open, 1));
}

#[test]
fn what_no_tournament_has_is_refused_and_said() {
    let refused = |file: &str| ImportedReport::read(file.as_bytes(), None).unwrap_err().to_string();
    assert!(refused("012 Club\n").starts_with("it is no tournament report"));
    assert!(
        refused(&OPEN.replace("     3 b 1 ", "     3 b 0 ").replace("1.5    1", "0.5    1")).contains("1 have results")
    );
    assert!(
        refused(&format!("{}162  W 1.0    D 0.5    A 0.5\n", OPEN.replace("0.0    4", "0.5    4")))
            .contains("give points")
    );
    assert!(refused(&OPEN.replace("  2200", "  4200")).contains("number 2"));
    assert!(refused("013 teams\n").contains("line 1, column 1"));
}
