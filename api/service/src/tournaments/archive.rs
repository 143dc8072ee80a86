//! Import of tournaments, and verification of their logs together with the games that they refer to.

use plybook_events::body::GameHead;
use plybook_events::{Body, Event, Hash, LogId};
use plybook_rules::log::{Fault, FaultKind, LogBytes, Secrets, Verification, Verifier};
use plybook_store::Append;
use plybook_tournaments::log::verify;

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

/// The first event that refers to an event that another log does not have.
fn misquoted<B: AsRef<[u8]>>(find: &dyn Fn(LogId) -> Option<LogBytes>, lines: &[B]) -> Option<(u64, String)> {
    lines.iter().find_map(|line| {
        let event = Event::parse(line.as_ref()).ok()?;
        let record = match &event.body {
            Body::ResultRecorded(result) => result.record?,
            Body::ResultRemoved(removed) => removed.record?,
            Body::Imported(mark) => GameHead { game: mark.log, seq: mark.last, hash: mark.head },
            _ => return None,
        };
        let game = find(record.game)?;
        let hash = game.lines.get(record.seq as usize).map(|line| Hash::of_event(line));
        let why = || format!("event {}: event {} of the log {} has another hash", event.seq, record.seq, record.game);
        (hash != Some(record.hash)).then(|| (event.seq, why()))
    })
}
