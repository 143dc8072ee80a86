//! Tournament report files: round trips, what is refused and where, and bytes of any kind.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use plybook_tournaments::random::{Settings, tournament};
use plybook_tournaments::trf::{AskedBye, Report, Version};
use plybook_tournaments::{ByeKind, EntrantNumber, Points};

fn player(number: u16, points: &str, games: &str) -> String {
    format!("001 {number:>4}      {:<33} {:>4} {:3} {:>11} {:10} {points:>4} {:>4}{games}\n", "A", "", "", "", "", "")
}

fn parsed(text: &str) -> Report {
    Report::parse(text.as_bytes()).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

fn refused(text: &str) -> String {
    Report::parse(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn what_is_written_reads_the_same_in_both_versions() {
    for seed in 0..40 {
        let settings =
            Settings { players: 4 + seed as u16, rounds: 6, seed, is_accelerated: seed % 3 == 0, is_fast: false };
        let mut report = tournament(&settings, &|_, _| ControlFlow::Continue(())).unwrap();
        // The format does not say who has withdrawn, and does not order tables.
        for entrant in &mut report.history.entrants {
            entrant.withdrew_after = None;
        }
        let next = report.history.rounds.len() as u16 + 1;
        report.byes.push(AskedBye { round: next, entrant: EntrantNumber(2), kind: ByeKind::Half });
        for version in [Version::Trf16, Version::Trf26] {
            let text = report.write(version).unwrap();
            let read = parsed(&text);
            assert_eq!(read.write(version).unwrap(), text, "seed {seed}");
            let tables = |report: &Report| {
                let mut rounds = report.history.rounds.clone();
                for round in &mut rounds {
                    round.tables.sort_by_key(|table| table.seats.clone());
                }
                rounds
            };
            assert_eq!(tables(&read), tables(&report), "seed {seed}");
            assert_eq!((&read.byes, &read.cards, &read.texts), (&report.byes, &report.cards, &report.texts));
        }
    }
}

#[test]
fn files_with_every_record_are_read() {
    let games = |opponent: u16, seat: char, result: char| format!("  {opponent:>4} {seat} {result}");
    let text = [
        "012 Club évening\r\n092 Swiss\r\n192 FIDE_DUTCH_2025\r\n202 BH:GP/C1,DE\r\n### a remark\r\n".to_owned(),
        "142 5\r\n152 B\r\n162  W 3.0    D 1.0    P 2.0\r\n".to_owned(),
        player(1, "3.0", &games(2, 'w', '1')),
        player(2, "0.0", &games(1, 'b', '0')),
        player(3, "1.0", &games(4, 'b', 'D')),
        player(4, "1.0", &games(3, 'w', 'D')),
        player(5, "2.0", "  0000 - U"),
        player(6, "1.0", "  0000 - H"),
        player(7, "0.0", ""),
        "240 H 002    1    2\n240 Z 003    3\n250      01.0 001 002    1    2\n260 001 003    1    3    5\n".to_owned(),
        "XXZ 7\nXXP 4 5\nAUT    1 m\n".to_owned(),
    ]
    .concat();
    let report = parsed(&text);
    assert_eq!(report.text("012"), Some("Club évening"));
    assert_eq!(report.text("###"), Some("a remark"));
    assert_eq!((report.history.rounds_planned, report.initial_seat), (Some(5), Some(2)));
    assert_eq!((report.scoring.win, report.scoring.pairing_bye), (Points(30), Points(20)));
    assert_eq!(report.unrated.len(), 1);
    let numbers = |numbers: &[u16]| numbers.iter().map(|number| EntrantNumber(*number)).collect::<Vec<_>>();
    assert_eq!(report.available().into_iter().collect::<Vec<_>>(), numbers(&[3, 4, 5, 6]));
    assert_eq!(report.forbidden_in(2), [numbers(&[1, 3, 5]), numbers(&[4, 5])]);
    assert_eq!(report.forbidden_in(4), [numbers(&[4, 5])]);
    assert_eq!(report.history.entrants[1].acceleration, [Points::ONE, Points::ONE]);
    assert_eq!(report.history.entrants[6].entered_after, 1);
}

#[test]
fn points_systems_of_other_programs_are_read() {
    for lines in ["XXS W=3.0 D=1.0 PAB=1.0\n", "BBW  3.0\nBBD  1.0\nBBU  1.0\n", "162  W 3.0D 1.0P 1.0\n"] {
        let report = parsed(&format!("{lines}{}", player(1, "1.0", "  0000 - U")));
        assert_eq!(report.scoring.win, Points(30), "{lines}");
        assert_eq!(report.history.rounds[0].byes[0].points, Points::ONE, "{lines}");
    }
}

/// A file of as many entrants as there are entries of round 2, of whom the first have these of round 1.
fn one_played(first: &[&str], second: &[&str]) -> String {
    let line = |(index, entry): (usize, &&str)| {
        let before = first.get(index).copied().unwrap_or_default();
        let points = if before.ends_with('1') || before.ends_with('U') || entry.ends_with('U') { "1.0" } else { "0.0" };
        player(index as u16 + 1, points, &format!("{before:<10}{entry}"))
    };
    second.iter().enumerate().map(line).collect()
}

#[test]
fn files_of_windows_and_rounds_of_byes_are_read() {
    let text = player(1, "0.5", "  0000 - H") + &player(2, "0.5", "  0000 - H");
    let report = parsed(&text);
    assert_eq!(report.history.rounds.len(), 1, "everybody had a bye, so the round is over");
    assert_eq!(report.available().len(), 2);
    let units: Vec<u16> = format!("\u{feff}012 Café\r\n{text}").encode_utf16().collect();
    for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        let bytes: Vec<u8> = units.iter().flat_map(|unit| bytes(*unit)).collect();
        let read = Report::parse(&bytes).unwrap();
        assert_eq!((read.text("012"), &read.history), (Some("Café"), &report.history));
    }
}

#[test]
fn refusals_say_where_and_what_would_be_right() {
    let one = player(1, "1.0", "     2 w 1");
    for (text, expected) in [
        (player(1, "x", ""), "line 1, column 81: 'x' is not points such as 11.5"),
        (player(0, "0.0", ""), "line 1, column 5: '0' is not a starting number from 1 to 9999"),
        ("001    1\n".to_owned(), "line 1, column 9: the line ends too early: 001 has at least 84 columns"),
        (player(2, "0.0", ""), "line 1, column 1: there is no 001 line for number 1: numbers go from 1 without a gap"),
        (player(1, "0.0", "").repeat(2), "line 2, column 5: number 1 is given twice"),
        (one.clone(), "line 1, column 92: there is no 001 line for number 2"),
        (
            one.clone() + &player(2, "0.0", "     1 w 0"),
            "line 1, column 92: round 1: the entries of 1 and 2 contradict each other: each names the other, with the \
             other seat, and both or neither were played",
        ),
        (
            player(1, "0.5", "     2 w 1") + &player(2, "0.0", "     1 b 0"),
            "line 1, column 81: the points are 0.5, but the results give 1.0; if results count otherwise, 162 must say so",
        ),
        (
            player(1, "0.0", "") + "142 5\n250       1.0   1   9    1    1\n",
            "line 3, column 19: there is no round 9: 5 are planned",
        ),
        (
            player(1, "0.0", "") + "250       1.0   1   2    1   44\n",
            "line 2, column 28: there is no 001 line for number 44",
        ),
        (
            one_played(&["     2 w 1", "     1 b 0", "  0000 - U"], &["", "", "", "  0000 - U"]),
            "line 1, column 92: round 2 has the bye of a pairing (U) and no game, and nothing for others: give the whole \
             round, or ask for F, H or Z instead",
        ),
        (player(1, "0.0", "     1 w 1"), "line 1, column 92: '1' is not another entrant's number"),
        (player(1, "0.0", "  0000 w 1"), "line 1, column 97: 'w' is not -, as there is no opponent"),
        (player(1, "0.0", "     2 w Q"), "line 1, column 99: 'Q' is not 1, =, 0, W, D, L, + or -"),
        ("013 Team\n".to_owned(), "line 1, column 1: 013 records are not supported: they are about teams"),
        ("\n\nXXR many\n".to_owned(), "line 3, column 5: 'many' is not a number of rounds from 1 to 255"),
        ("240 Q 001    1\n".to_owned(), "line 1, column 5: 'Q' is not F, H or Z"),
        ("XXP 1 2\n".to_owned() + &player(1, "0.0", ""), "line 1, column 7: there is no 001 line for number 2"),
    ] {
        assert_eq!(refused(&text), expected);
    }
}

#[test]
fn no_bytes_are_too_strange() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/tournaments/dutch");
    let file = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).min().unwrap();
    let good = fs::read(file).unwrap();
    let mut state = 1_u64;
    let mut chance = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % bound
    };
    let mut read = 0;
    for _ in 0..4_000 {
        let mut bytes = good.clone();
        match chance(4) {
            0 => bytes.truncate(chance(good.len())),
            1 => bytes = (0..chance(400)).map(|_| chance(256) as u8).collect(),
            _ => {
                for _ in 0..=chance(4) {
                    let at = chance(bytes.len());
                    bytes[at] = b"\r\n 0123456789wb=-+HFUZ\xff\xc3AX"[chance(26)];
                }
            }
        }
        if let Ok(report) = Report::parse(&bytes) {
            read += 1;
            // Whatever can be read can be written, unless a tag says what the format cannot, and read again.
            if let Ok(text) = report.write(Version::Trf26) {
                parsed(&text);
            }
        }
    }
    assert!(read > 100, "{read} were read");
    assert!(Report::parse(&vec![b'0'; (16 << 20) + 1]).unwrap_err().to_string().contains("16 MiB"));
    // Latin-1 is read as such.
    let mut latin = b"012 Caf".to_vec();
    latin.push(0xe9);
    assert_eq!(Report::parse(&latin).unwrap().text("012"), Some("Café"));
}
