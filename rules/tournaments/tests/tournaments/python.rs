//! Standings compared with an independent computation: `tests/python/standings.py`.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use plybook_tournaments::{
    Bye, ByeKind, Criterion, Format, Free, History, Pods, Points, Round, RoundRobin, Scoring, Standings,
    StandingsRules, Table, TableResult, TieBreak,
};
use serde_json::{Value, json};

use crate::common::numbers::Numbers;
use crate::common::played::{Played, Trouble};
use crate::common::tournaments;

/// A plausible Swiss tournament made without a pairing system: neighbours meet, with everything that can go
/// wrong.
fn swiss(seed: u64) -> (History, StandingsRules) {
    let mut numbers = Numbers(seed);
    let entrants = numbers.from(2, 24);
    let rounds = numbers.from(1, 9);
    let format = Format::Free(Free::default());
    let mut played = Played::new(format, 2..=2, entrants, numbers);
    played.history.rounds_planned = Some(rounds as u16).filter(|_| !seed.is_multiple_of(5));
    if seed.is_multiple_of(3) {
        played.rules.scoring =
            Scoring::Result { win: Points(30), draw: Points(10), loss: Points(0), pairing_bye: None };
    }
    if seed.is_multiple_of(4) {
        let unrated = played.numbers.below(entrants);
        played.history.entrants[unrated].rating = None;
    }
    for _ in 0..rounds {
        let round = drawn(&mut played);
        played.history.rounds.push(round);
        played.people(Trouble { withdrawal: 3, late_entry: 10, ..Trouble::default() });
    }
    (played.history, played.rules)
}

/// A round in which whoever is left over after byes and absences meets somebody.
fn drawn(played: &mut Played) -> Round {
    let mut here = played.here();
    for at in (1..here.len()).rev() {
        here.swap(at, played.numbers.below(at + 1));
    }
    let (scoring, mut round) = (played.rules.scoring.clone(), Round::default());
    here.retain(|entrant| {
        let kind = match played.numbers.below(30) {
            0 => ByeKind::Half,
            1 => ByeKind::Zero,
            2 => ByeKind::Full,
            3 => return false,
            _ => return true,
        };
        round.byes.push(Bye { entrant: *entrant, kind, points: scoring.bye(kind, 2) });
        false
    });
    for pair in here.chunks(2) {
        let [one, other] = pair else {
            let points = scoring.pairing_bye(2);
            round.byes.push(Bye { entrant: pair[0], kind: ByeKind::Pairing, points });
            continue;
        };
        let trouble = Trouble { absence: 6, ..Trouble::default() };
        let mut table = played.result(&[*one, *other], &[*one, *other], trouble);
        match played.numbers.below(40) {
            0 => table.result = None,
            1 => table.result = Some(TableResult::Played(vec![scoring.draw(2), scoring.loss(2)])),
            _ => {}
        }
        round.tables.push(table);
    }
    round
}

/// A tournament of a format, in some cases without its last rounds.
fn of_format(format: Format, seed: u64) -> (History, StandingsRules) {
    let mut numbers = Numbers(seed);
    let entrants = numbers.from(6, 14);
    let mut played = Played::new(format, 2..=13, entrants, numbers);
    let trouble = Trouble { absence: 4, withdrawal: 3, late_entry: 0 };
    while played.numbers.percent(90) && played.play(trouble).is_ok() {}
    (played.history, played.rules)
}

/// The input of `tests/python/standings.py`.
fn told(history: &History, rules: &StandingsRules, after: usize) -> Value {
    let entrants: Vec<Value> = history
        .entrants
        .iter()
        .map(|entrant| {
            json!({"rating": entrant.rating, "entered_after": entrant.entered_after,
                "withdrew_after": entrant.withdrew_after})
        })
        .collect();
    let table = |table: &Table| {
        let points = table.result.as_ref().map(|result| result.points().to_vec());
        let forfeit = matches!(table.result, Some(TableResult::Forfeit(_)));
        json!({"seats": table.seats, "points": points, "forfeit": forfeit})
    };
    let bye = |bye: &Bye| json!({"entrant": bye.entrant, "kind": bye.kind, "points": bye.points});
    let round = |round: &Round| {
        let tables: Vec<Value> = round.tables.iter().map(table).collect();
        let byes: Vec<Value> = round.byes.iter().map(bye).collect();
        json!({"tables": tables, "byes": byes})
    };
    let rounds: Vec<Value> = history.rounds.iter().map(round).collect();
    let (seats, scoring) = (rules.seats, &rules.scoring);
    json!({
        "round_robin": rules.is_round_robin, "seats": seats, "after": after, "rounds_planned": history.rounds_planned,
        "beaten": matches!(scoring, Scoring::Beaten { full: None, .. }), "win": scoring.win(seats), "draw": scoring.draw(seats),
        "loss": scoring.loss(seats), "tie_breaks": rules.tie_breaks, "teams": rules.teams, "entrants": entrants, "rounds": rounds,
    })
}

/// The crate's figures, in the format of the script.
fn ours(history: &History, rules: &StandingsRules, after: usize) -> Value {
    let standings = Standings::after(history, rules, after).unwrap();
    let row = |row: &plybook_tournaments::Standing| {
        let figures: Vec<Option<String>> =
            row.figures.iter().map(|figure| figure.amount.map(|amount| amount.to_string())).collect();
        json!({"entrant": row.entrant, "place": row.place, "points": row.points.to_string(), "figures": figures})
    };
    standings.rows.iter().map(row).collect()
}

/// The script's figures for each tournament.
fn script(tournaments: &[Value]) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/python/standings.py");
    let mut python = Command::new("python3").arg(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = python.stdin.take().unwrap();
    let lines: Vec<String> = tournaments.iter().map(Value::to_string).collect();
    let writer = std::thread::spawn(move || stdin.write_all(lines.join("\n").as_bytes()).unwrap());
    let output = python.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Compares each tournament after some round, with some of these tie-breaks at a time.
fn compare(tournaments: Vec<(History, StandingsRules)>, names: &[&str]) {
    let mut numbers = Numbers(99);
    let mut asked = Vec::new();
    for (history, mut rules) in tournaments {
        let after = numbers.from(0, history.rounds.len());
        for after in [history.rounds.len(), after] {
            // A different one comes first each time, so that places depend on each of them.
            rules.tie_breaks = names.iter().map(|name| name.parse().unwrap()).collect();
            let from = numbers.below(names.len());
            rules.tie_breaks.rotate_left(from);
            asked.push((history.clone(), rules.clone(), after));
        }
    }
    let told: Vec<Value> = asked.iter().map(|(history, rules, after)| told(history, rules, *after)).collect();
    let answers = script(&told);
    assert_eq!(answers.len(), asked.len());
    for (((history, rules, after), told), answer) in asked.iter().zip(&told).zip(&answers) {
        let ours = ours(history, rules, *after);
        for (row, theirs) in ours.as_array().unwrap().iter().zip(answer.as_array().unwrap()) {
            assert_eq!(
                row,
                theirs,
                "{:?} of {told}",
                rules.tie_breaks.iter().map(TieBreak::to_string).collect::<Vec<_>>()
            );
        }
        assert_eq!(&ours, answer);
    }
}

const FOR_TWO: &[&str] = &[
    "DE",
    "BH",
    "BH/C1",
    "BH/C2",
    "BH/M1",
    "BH/M2",
    "BH/C1/P",
    "FB",
    "FB/C1",
    "AOB",
    "AOB/F",
    "SB",
    "SB/C1",
    "SB/C2",
    "SB/P",
    "WIN",
    "WON",
    "BPG",
    "BWG",
    "REP",
    "STD",
    "PS",
    "PS/C1",
    "PS/C2",
    "KS",
    "KS/L+1",
    "KS/L-2",
    "KS/L60",
    "ARO",
    "ARO/C1",
    "ARO/M1/U1400",
    "TPR/U1400",
    "PTP/U1400",
    "APRO/U1400",
    "APPO/U1400",
    "TPR",
    "RTNG/U1000",
    "RTNG/R/U1000",
    "DE/P",
    "TPN",
    "TPN/R",
];

#[test]
fn swiss_tournaments_are_ranked_alike() {
    compare((0..tournaments()).map(swiss).collect(), FOR_TWO);
}

#[test]
fn round_robins_are_ranked_alike() {
    let names: Vec<&str> =
        FOR_TWO.iter().copied().filter(|name| !["BH", "FB", "AO"].iter().any(|no| name.starts_with(no))).collect();
    let format = |seed: u64| Format::RoundRobin(RoundRobin { cycles: 1 + (seed % 2) as u8 });
    compare((0..tournaments() / 2).map(|seed| of_format(format(seed), seed)).collect(), &names);
}

#[test]
fn pods_are_ranked_alike() {
    let names =
        ["DE", "BH", "BH/C1", "BH/M1", "SB", "SB/C1", "AOB", "WIN", "WON", "REP", "PS", "ARO", "ARO/C1", "RTNG", "TPN"];
    let format = |seed: u64| {
        Format::Pods(Pods { rounds: 6, size: 3 + (seed % 3) as u8, smallest: None, largest: None, step: None })
    };
    // In some of them, there are partners.
    let teams = |seed: u64| if seed % 4 < 2 { vec![vec![1, 3], vec![2, 4]] } else { Vec::new() };
    let with_teams = |seed, (history, rules)| (history, StandingsRules { teams: teams(seed), ..rules });
    let tournaments = (0..tournaments() / 2).map(|seed| with_teams(seed, of_format(format(seed), seed)));
    compare(tournaments.collect(), &names);
}

#[test]
fn every_criterion_is_compared() {
    for criterion in Criterion::all() {
        assert!(FOR_TWO.iter().any(|name| name.split('/').next() == Some(criterion.acronym())), "{criterion:?}");
    }
}
