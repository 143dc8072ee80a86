//! Tournaments to query, with several rounds of results.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use plybook_api::service::{Entry, JobState, LiveTournament, NewTournament, Service};
use plybook_events::body::TournamentSettings;
use plybook_rules::Rules;
use plybook_tournaments::log::Command;
use serde_json::{Value, json};

use super::{Host, Scale};

/// The number of entrants, and of rounds with results; one more round is open.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub entrants: usize,
    pub rounds: u32,
}

/// The queried formats: the most common one, a knock-out, and groups; for a game with more seats, only the
/// first.
pub fn formats(rules: &dyn Rules, rounds: u32) -> Vec<Value> {
    let about = rules.about();
    if about.seats_min > 2 {
        return vec![json!({ "format": "pods", "rounds": rounds, "size": about.seats_min })];
    }
    vec![
        json!({ "format": "swiss", "rounds": rounds }),
        json!({ "format": "knock_out" }),
        json!({ "format": "groups", "groups": 8, "advance": 2 }),
    ]
}

fn settings(rules: &dyn Rules, format: &Value) -> TournamentSettings {
    let about = rules.about();
    let tie_breaks = if format["format"] == "swiss" { json!(["DE", "BH/C1", "BH", "SB"]) } else { json!([]) };
    let settings = json!({
        "name": "Open",
        "kind": about.kind,
        "seats": { "least": about.seats_min, "most": about.seats_max },
        "format": format,
        "scoring": { "by": "result", "win": 10, "draw": 5, "loss": 0 },
        "tie_breaks": tie_breaks,
    });
    serde_json::from_value(settings).expect("it is what settings hold")
}

/// Plays a tournament.
pub fn play(service: &Arc<Service>, rules: &dyn Rules, format: &Value, size: Size) -> Arc<LiveTournament> {
    let new = NewTournament { settings: settings(rules, format), players: Vec::new() };
    let live = service.create_tournament(new).expect("the settings are valid");
    let entry = |n| Entry { name: Some(format!("Entrant {n}")), rating: Some(1_000 + n as u16), ..Entry::default() };
    service.enter(&live, None, (0..size.entrants).map(entry).collect()).expect("they are entered");
    for round in 1..=size.rounds + 1 {
        let job = service.pair_round(&live, None).expect("it can be paired");
        while matches!(job.state(), JobState::Queued | JobState::Running) {
            thread::sleep(Duration::from_millis(1));
        }
        service.open_round(&live, None, round).unwrap_or_else(|why| panic!("{why}: {:?}", job.state()));
        if round <= size.rounds {
            close(service, &live, round);
        }
    }
    live
}

/// Enters results, a win of each seat in turn, and closes a round.
fn close(service: &Service, live: &LiveTournament, round: u32) {
    let tournament = live.tournament();
    let tables = &tournament.round(round).expect("it is open").tables;
    let result = |(table, seats): (u32, usize)| {
        let winner = 1 + (table as usize % seats) as u8;
        let others = (1..=seats as u8).filter(|seat| *seat != winner).collect();
        Command::EnterResult { round, table, ranking: vec![vec![winner], others], at_table: false }
    };
    let open = (1..).zip(tables).filter(|(_, table)| table.result.is_none());
    let mut commands: Vec<Command> = open.map(|(number, table)| result((number, table.seats.len()))).collect();
    commands.push(Command::CloseRound(round));
    service.change_tournament(live, None, |_| Ok(commands.clone())).expect("the results fit");
}

/// The seats in the open round, as `checkPairing` takes them.
pub fn tables(live: &LiveTournament) -> Value {
    let tournament = live.tournament();
    let last = tournament.rounds.last().expect("a round is open");
    json!(last.tables.iter().map(|table| &table.seats).collect::<Vec<_>>())
}

/// The place where the fields of tournament types are requested.
pub(super) fn host(of: &str, scale: Scale) -> Option<Host> {
    let tournament = "{ tournament(id: $T) { ";
    let round = format!("{tournament} round(number: 1) {{ ");
    let entrants = format!("{tournament} entrants(first: $V) {{ ");
    let standings = format!("{tournament} standings(first: $V) {{ ");
    let Size { entrants: count, rounds } = scale.tournament;
    let rounds = rounds as usize + 1;
    let (before, after, objects) = match of {
        "Tournament" => (tournament.to_owned(), " } }", 1),
        "TournamentConnection" => ("{ tournaments { ".to_owned(), " } }", 1),
        "TournamentEdge" => ("{ tournaments { edges { ".to_owned(), " } } }", 1),
        "TournamentHead" => (format!("{tournament} head {{ "), " } } }", 1),
        "Token" => (format!("{tournament} tokens {{ "), " } } }", 1),
        "ByePolicy" => (format!("{tournament} byePolicy {{ "), " } } }", 1),
        "PairingCheck" => (format!("{tournament} checkPairing(round: $U, tables: $B) {{ "), " } } }", 1),
        "PairingWarning" => {
            (format!("{tournament} checkPairing(round: $U, tables: $B) {{ warnings {{ "), " } } } }", 1)
        }
        "Round" => (format!("{tournament} rounds {{ "), " } } }", rounds),
        "PairingInfo" => (format!("{round} pairing {{ "), " } } } }", 1),
        "PairingJob" => (format!("{round} job {{ "), " } } } }", 1),
        "Bye" => (format!("{round} unpaired {{ "), " } } } }", 1),
        "Table" => (format!("{round} tables(first: $V) {{ "), " } } } }", count / 2),
        "TableSeat" => (format!("{round} tables(first: $V) {{ seats {{ "), " } } } } }", count),
        "Entrant" => (entrants, " } } }", count),
        "Absence" => (format!("{entrants} absences {{ "), " } } } }", count),
        "ProgressCell" => (format!("{entrants} card {{ "), " } } } }", count * rounds),
        "ProgressRow" => (format!("{tournament} progress(first: $V) {{ "), " } } }", count),
        "Standing" => (standings, " } } }", count),
        "TieBreak" => (format!("{standings} tieBreaks {{ "), " } } } }", count * 4),
        "TieBreakTerm" => (format!("{standings} tieBreaks {{ terms {{ "), " } } } } }", count * rounds),
        "Bracket" => ("{ tournament(id: $X) { bracket { ".to_owned(), " } } }", 1),
        "BracketStage" => ("{ tournament(id: $X) { bracket { stages { ".to_owned(), " } } } }", 5),
        "BracketMatch" => ("{ tournament(id: $X) { bracket { stages { matches { ".to_owned(), " } } } } }", 31),
        "BracketSide" => {
            ("{ tournament(id: $X) { bracket { stages { matches { sides { ".to_owned(), " } } } } } }", 62)
        }
        "Group" => ("{ tournament(id: $Y) { groups { ".to_owned(), " } } }", 8),
        _ => return None,
    };
    Some(Host { before, after, objects })
}
