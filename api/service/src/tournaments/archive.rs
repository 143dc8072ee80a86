//! Import of tournaments, and verification of their logs together with the games that they refer to.

use plybook_events::body::{Created, GameHead};
use plybook_events::{Body, Event, Hash, LogId, Outcome};
use plybook_rules::log::{Fault, FaultKind, LogBytes, Secrets, Standing, Verification, Verifier};
use plybook_store::Append;
use plybook_tournaments::log::{RoundStatus, TableGame, Tournament, ranking_of, verify};

use super::super::{ImportSource, Service};
use super::feed::is_news;
use crate::error::Problem;

impl Service {
    /// Imports the log of a tournament from its exact bytes, one event per line. Events that are already
    /// recorded are skipped, and a log that extends a recorded one adds the new events. Results of games that
    /// are here and have continued are adopted. The import is marked with its source.
    ///
    /// # Errors
    /// The log does not verify, or contradicts the recorded one or a game that is here, or nothing can be written.
    pub fn import_tournament(&self, text: &str, source: &ImportSource) -> Result<(), Problem> {
        let lines: Vec<&[u8]> = text.lines().map(str::as_bytes).filter(|line| !line.is_empty()).collect();
        let first = lines.first().and_then(|line| Event::parse(line).ok());
        let first = first.filter(|first| matches!(first.body, Body::TournamentCreated(_)));
        let id = first.ok_or_else(|| Problem::BadInput("it is not the log of a tournament".to_owned()))?.log;
        let find = |id| self.log_bytes(id);
        if let Some(fault) = verify_any(&Verifier::new(&find), &find, id, &lines, &Secrets::new()).fault {
            return Err(Problem::BadInput(format!("the log does not verify: {}", fault.problem)));
        }
        let head = self.log().head(id);
        let known = self.log().read(id, 0)?;
        if known.iter().zip(&lines).any(|(known, line)| **known != **line) {
            return Err(Problem::BadInput(format!("another log of the tournament {id} is recorded here")));
        }
        if lines.len() > known.len() {
            let events: Vec<Vec<u8>> = lines[known.len()..].iter().map(|line| line.to_vec()).collect();
            let mark = self.mark(id, known.len() as u64, &events, source)?;
            self.append(mark.log, vec![mark, Append { log: id, expected: head, events }])?;
        }
        self.settle(id).map(|_| ())
    }
}

/// Whether a log is that of a tournament, by its first event.
pub fn is_of_tournament<B: AsRef<[u8]>>(lines: &[B]) -> bool {
    let first = lines.first().and_then(|line| Event::parse(line.as_ref()).ok());
    first.is_some_and(|first| matches!(first.body, Body::TournamentCreated(_)))
}

/// Verifies a log like [`Verifier::verify`]; for a tournament, also every pairing, and the games whose
/// results it adopted, and for marks of imports the logs that were imported, as far as `find` has them.
pub fn verify_any<B: AsRef<[u8]>>(
    verifier: &Verifier<'_>,
    find: &dyn Fn(LogId) -> Option<LogBytes>,
    id: LogId,
    lines: &[B],
    secrets: &Secrets,
) -> Verification {
    let found = verifier.verify(id, lines, secrets).0;
    let told = |kind| move |(seq, problem)| Fault { seq, kind, problem };
    if found.fault.is_some() {
        return found;
    }
    if !is_of_tournament(lines) {
        let fault = misquoted(find, lines).map(told(FaultKind::Line));
        let events = fault.as_ref().map_or(found.events, |fault| fault.seq);
        return Verification { events, fault, ..found };
    }
    let again = verify(id, lines, usize::MAX);
    let fault = again.fault.map(told(FaultKind::Order)).or_else(|| misquoted(find, lines).map(told(FaultKind::Line)));
    let events = fault.as_ref().map_or(again.events, |fault| fault.seq);
    Verification { events, head: again.head, fault, ..found }
}

/// The first event that refers to another log which does not have that event, or not what it says of it.
fn misquoted<B: AsRef<[u8]>>(find: &dyn Fn(LogId) -> Option<LogBytes>, lines: &[B]) -> Option<(u64, String)> {
    let mut tournament = None;
    let misquoted = lines.iter().find_map(|line| {
        let event = Event::parse(line.as_ref()).ok()?;
        let wrong = misquotes(find, tournament.as_ref(), &event.body);
        match &mut tournament {
            None => tournament = Tournament::begin(&event).ok(),
            Some(tournament) => tournament.apply(&event).ok()?,
        }
        Some((event.seq, format!("event {}: {}", event.seq, wrong?)))
    });
    misquoted.or_else(|| Some((lines.len() as u64, overruled(find, tournament.as_ref()?)?)))
}

/// What an event says wrongly of another log.
fn misquotes(find: &dyn Fn(LogId) -> Option<LogBytes>, tournament: Option<&Tournament>, body: &Body) -> Option<String> {
    let record = match body {
        Body::ResultRecorded(result) => result.record?,
        Body::ResultRemoved(removed) => removed.record?,
        Body::Imported(mark) => GameHead { game: mark.log, seq: mark.last, hash: mark.head },
        _ => return None,
    };
    let GameHead { game, seq, hash } = record;
    let lines = find(game)?.lines;
    if lines.get(seq as usize).map(|line| Hash::of_event(line)) != Some(hash) {
        return Some(format!("event {seq} of the log {game} has another hash"));
    }
    if let Body::Imported(_) = body {
        return None;
    }
    let (created, outcome) = game_after(&lines[..=seq as usize])?;
    let (result, tournament) = match (body, tournament) {
        (Body::ResultRecorded(result), Some(tournament)) => (result, tournament),
        (Body::ResultRemoved(_), _) if outcome.is_some() => return Some(format!("the game {game} has a result")),
        _ => return None,
    };
    let table = tournament.round(result.round)?.table(result.table)?;
    let at = (created.tournament, created.round, created.table);
    let players = table.seats.iter().map(|entrant| tournament.entrant(*entrant).map(|entrant| entrant.player));
    let is_there = created.kind == tournament.settings.kind
        && at == (Some(tournament.id), Some(result.round), Some(result.table))
        && created.seats.iter().map(|seat| seat.player).eq(players);
    if !is_there {
        return Some(format!("the game {game} was not played at this table"));
    }
    let is_its = outcome.is_some_and(|outcome| ranking_of(&outcome, table.seats.len() as u8) == result.ranking);
    (!is_its).then(|| format!("the game {game} does not have this result"))
}

/// A table of a closed round with another result than that of its game, though the game has one.
fn overruled(find: &dyn Fn(LogId) -> Option<LogBytes>, tournament: &Tournament) -> Option<String> {
    let has_result = |game: LogId| Some(game_after(&find(game)?.lines)?.1.is_some());
    for round in tournament.rounds.iter().filter(|round| round.status == RoundStatus::Closed) {
        // An adjourned game may have ended since.
        for (number, table) in (1..).zip(&round.tables).filter(|(_, table)| table.result.is_some()) {
            let overruled = |game: &&TableGame| game.ranking.is_none() && has_result(game.id) == Some(true);
            if let Some(game) = table.games.iter().find(overruled) {
                let (round, game) = (round.number, game.id);
                return Some(format!("table {number} of round {round} has another result than its game {game}"));
            }
        }
    }
    None
}

/// How a game began, and the outcome that it tells its tournament after these events; `None` of another log.
fn game_after<B: AsRef<[u8]>>(lines: &[B]) -> Option<(Created, Option<Outcome>)> {
    let mut events = lines.iter().map_while(|line| Event::parse(line.as_ref()).ok());
    let Body::Created(created) = events.next()?.body else { return None };
    let mut standing = Standing::begin(0, &created);
    events.for_each(|event| standing.apply(&event));
    let is_told = |outcome: &&Outcome| !standing.is_void() && is_news(outcome, standing.ply as usize);
    let outcome = standing.outcome().filter(is_told).cloned();
    Some((created, outcome))
}
