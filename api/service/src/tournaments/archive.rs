//! Import of tournaments, and verification of their logs together with the games that they refer to.

use plybook_events::body::GameHead;
use plybook_events::{Body, Event, Hash, LogId};
use plybook_rules::log::{Fault, FaultKind, LogBytes, Secrets, Standing, Verification, Verifier};
use plybook_store::Append;
use plybook_tournaments::log::{Tournament, ranking_of, verify};

use super::super::{ImportSource, Service};
use crate::error::Problem;

impl Service {
    /// Imports the log of a tournament from its exact bytes, one event per line. Events that are already
    /// recorded are skipped, and a log that extends a recorded one adds the new events. Results of games that
    /// are here and have continued are adopted. The import is marked with its source.
    ///
    /// # Errors
    /// The log does not verify, or contradicts the recorded one, or nothing can be written.
    pub fn import_tournament(&self, text: &str, source: &ImportSource) -> Result<(), Problem> {
        let lines: Vec<&[u8]> = text.lines().map(str::as_bytes).filter(|line| !line.is_empty()).collect();
        let first = lines.first().and_then(|line| Event::parse(line).ok());
        let first = first.filter(|first| matches!(first.body, Body::TournamentCreated(_)));
        let id = first.ok_or_else(|| Problem::BadInput("it is not the log of a tournament".to_owned()))?.log;
        if let Some((_, why)) = verify(id, &lines, usize::MAX).fault {
            return Err(Problem::BadInput(format!("the log does not verify: {why}")));
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
    lines.iter().find_map(|line| {
        let event = Event::parse(line.as_ref()).ok()?;
        let wrong = misquotes(find, tournament.as_ref(), &event.body);
        match &mut tournament {
            None => tournament = Tournament::begin(&event).ok(),
            Some(tournament) => tournament.apply(&event).ok()?,
        }
        Some((event.seq, format!("event {}: {}", event.seq, wrong?)))
    })
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
    let (Body::ResultRecorded(result), Some(tournament)) = (body, tournament) else { return None };
    let mut events = lines[..=seq as usize].iter().map_while(|line| Event::parse(line).ok());
    let Some(Body::Created(created)) = events.next().map(|first| first.body) else { return None };
    let table = tournament.round(result.round)?.table(result.table)?;
    let at = (created.tournament, created.round, created.table);
    let players = table.seats.iter().map(|entrant| tournament.entrant(*entrant).map(|entrant| entrant.player));
    let is_there = created.kind == tournament.settings.kind
        && at == (Some(tournament.id), Some(result.round), Some(result.table))
        && created.seats.iter().map(|seat| seat.player).eq(players);
    if !is_there {
        return Some(format!("the game {game} was not played at this table"));
    }
    let mut standing = Standing::begin(0, &created);
    events.for_each(|event| standing.apply(&event));
    let outcome = standing.outcome().filter(|_| !standing.is_void());
    let is_its = outcome.is_some_and(|outcome| ranking_of(outcome, table.seats.len() as u8) == result.ranking);
    (!is_its).then(|| format!("the game {game} does not have this result"))
}
