//! Tournaments played through the service, one change after another, and what must hold whenever the service
//! was killed: what is written together is complete.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use plybook_api::service::{Entry, JobState, LiveTournament, NewTournament, Service};
use plybook_events::body::TournamentSettings;
use plybook_events::{Body, Event, Hash, LogId, Outcome};
use plybook_rules::log;
use plybook_tournaments::log::{Command, RoundStatus, Tournament};
use serde_json::json;

use crate::recording::Dice;

/// Rounds of a tournament.
const ROUNDS: u32 = 3;

/// Entrants at the start; one more joins later.
const ENTRANTS: usize = 6;

/// The settings of a Swiss of [`ROUNDS`] rounds.
fn settings(kind: &str) -> TournamentSettings {
    let settings = json!({
        "name": "Open",
        "kind": kind,
        "seats": { "least": 2, "most": 2 },
        "format": { "format": "swiss", "rounds": ROUNDS },
        "scoring": { "by": "result", "win": 10, "draw": 5, "loss": 0 },
        "tie_breaks": ["BH", "SB", "DE"],
    });
    serde_json::from_value(settings).unwrap()
}

/// Plays a tournament; `written` is told after each change which logs may have grown.
pub(crate) fn play(service: &Arc<Service>, kind: &str, dice: &mut Dice, written: &mut dyn FnMut(&[LogId])) {
    let live = service.create_tournament(NewTournament { settings: settings(kind), players: Vec::new() }).unwrap();
    let id = live.tournament().id;
    written(&[id]);
    enter(service, &live, ENTRANTS, written);
    for round in 1..=ROUNDS {
        if round == 2 {
            enter(service, &live, 1, written);
        }
        pair(service, &live);
        written(&[id]);
        service.open_round(&live, None, round).unwrap();
        let tournament = live.tournament();
        let tables = &tournament.round(round).unwrap().tables;
        let games: Vec<LogId> = tables.iter().flat_map(|table| table.games.iter().map(|game| game.id)).collect();
        written(&[&[id], &games[..]].concat());
        for game in &games {
            finish(service, *game, dice, &mut |game| written(&[id, game]));
        }
        service.change_tournament(&live, None, |_| Ok(vec![Command::CloseRound(round)])).unwrap();
        written(&[id]);
        if dice.below(2) == 0 {
            // A correction after the round.
            let game = service.game(games[0]).unwrap();
            service.command(&game, &[adjudicated(2)], None).unwrap();
            written(&[id, games[0]]);
        }
    }
    service.change_tournament(&live, None, |_| Ok(vec![Command::Finish])).unwrap();
    written(&[id]);
}

/// Enters new players, who are registered together with their entry.
fn enter(service: &Service, live: &LiveTournament, count: usize, written: &mut dyn FnMut(&[LogId])) {
    let entry = |n| Entry { name: Some(format!("Player {n}")), ..Entry::default() };
    service.enter(live, None, (0..count).map(entry).collect()).unwrap();
    let tournament = live.tournament();
    let players = tournament.entrants().map(|entrant| entrant.player);
    written(&[tournament.id].into_iter().chain(players).collect::<Vec<_>>());
}

/// Starts the pairing of the next round, and waits for it.
fn pair(service: &Arc<Service>, live: &LiveTournament) {
    let job = service.pair_round(live, None).unwrap();
    while matches!(job.state(), JobState::Queued | JobState::Running) {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(matches!(job.state(), JobState::Done), "{:?}", job.state());
}

/// Plays a few plies and ends the game, one way or another.
fn finish(service: &Service, id: LogId, dice: &mut Dice, written: &mut dyn FnMut(LogId)) {
    let live = service.game(id).unwrap();
    for _ in 0..dice.below(3) {
        let replay = live.replay();
        let Some(actor) = replay.position().to_act().iter().next() else { break };
        let action = replay.position().sample(actor, &mut |n| dice.below(n as usize) as u32);
        service.command(&live, &[log::Command::Act { actor, action, clock_ms: None }], None).unwrap();
        written(id);
    }
    if live.replay().end().is_some() {
        return;
    }
    let end = match dice.below(3) {
        0 => log::Command::Resign(1 + dice.below(2) as u8),
        seat => adjudicated(seat as u8),
    };
    service.command(&live, &[end], None).unwrap();
    written(id);
}

/// A decision for a seat.
fn adjudicated(seat: u8) -> log::Command {
    log::Command::Adjudicate { outcome: Outcome::win(vec![seat], "adjudication") }
}

/// Checks every tournament among some logs: it can be folded; the games of an open round and the players who
/// are entered exist; no game refers to a tournament that does not know it; and the tournament has the result
/// of each game, according to the game's own log.
pub(crate) fn check(logs: &HashMap<LogId, Vec<Event>>, hashes: &HashMap<LogId, Vec<Hash>>, what: &str) {
    let is_tournament = |events: &[Event]| matches!(events[0].body, Body::TournamentCreated(_));
    let mut opened: BTreeMap<LogId, LogId> = BTreeMap::new();
    for (id, events) in logs.iter().filter(|(_, events)| is_tournament(events)) {
        let tournament = Tournament::fold(events).unwrap_or_else(|why| panic!("{what}: tournament {id}: {why}"));
        for entrant in tournament.entrants() {
            assert!(logs.contains_key(&entrant.player), "{what}: {} of tournament {id} is lost", entrant.details.name);
        }
        for round in tournament.rounds.iter().filter(|round| round.status != RoundStatus::Paired) {
            for game in round.tables.iter().flat_map(|table| &table.games) {
                let events = logs.get(&game.id);
                let events = events
                    .unwrap_or_else(|| panic!("{what}: round {} of {id} is open without {}", round.number, game.id));
                assert_eq!(game.ranking.is_some(), is_over(events), "{what}: the result of {} in {id}", game.id);
                opened.insert(game.id, *id);
            }
        }
        for event in events {
            if let Body::ResultRecorded(result) = &event.body
                && let Some(record) = result.record
            {
                let found = hashes.get(&record.game).and_then(|hashes| hashes.get(record.seq as usize));
                assert_eq!(found, Some(&record.hash), "{what}: {id} has a result that {} has not", record.game);
            }
        }
    }
    for (id, events) in logs {
        if let Body::Created(created) = &events[0].body
            && created.tournament.is_some()
        {
            assert_eq!(opened.get(id), created.tournament.as_ref(), "{what}: {id} is no game of its tournament");
        }
    }
}

fn is_over(events: &[Event]) -> bool {
    events.iter().any(|event| matches!(event.body, Body::Ended(_)))
}
