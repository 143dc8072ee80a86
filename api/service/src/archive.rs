//! Import, export and verification of whole logs.

use std::sync::Arc;

use plybook_events::{Body, Event, LogId};
use plybook_models::Audience;
use plybook_rules::log::{
    self, Command, Judgement, LogBytes, Replay, Secret, Secrets, TextRecord, Verification, Verifier, record_text,
};
use plybook_rules::{Viewer, kind};
use plybook_store::Append;

use super::pieces::RECORD_LINES_MAX;
use super::{Analysis, ImportSource, Importing, Live, NewGame, NewSeat, Service};
use crate::analysis::annotate;
use crate::error::Problem;
use crate::load::Meter;

impl Service {
    /// Verifies a game from the bytes of its log.
    ///
    /// # Errors
    /// The log cannot be read, or the meter stops it.
    pub fn verification(&self, id: LogId, meter: &Meter<'_>) -> Result<Verification, Problem> {
        let LogBytes { lines, secrets } = self.source(id)?;
        let (find, goes_on) = (|id| self.log_bytes(id), || meter.goes_on());
        let found = Verifier::new(&find).stopping_unless(&goes_on).verify(id, &lines, &secrets).0;
        meter.check()?;
        Ok(found)
    }

    /// Judges a game or a line by the present rules, from its events alone: what is in the vault has no say in it.
    ///
    /// # Errors
    /// There is no such game, a log cannot be read, or the meter stops it.
    pub fn refold(&self, id: LogId, meter: &Meter<'_>) -> Result<Judgement, Problem> {
        let read = |id| {
            meter.check()?;
            self.events(id, 0)
        };
        let judged = log::Refold { rules: &kind, parent: &read, goes_on: &|| meter.goes_on() }.judge(&read(id)?)?;
        meter.check()?;
        judged.ok_or_else(|| Problem::no_game(id))
    }

    /// The bytes of a log, with the contents of everything that it seals.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn source(&self, id: LogId) -> Result<LogBytes, Problem> {
        let lines = self.log().read(id, 0)?;
        let events: Vec<Event> = lines.iter().filter_map(|line| Event::parse(line).ok()).collect();
        Ok(LogBytes { secrets: self.secrets(id, &events), lines })
    }

    /// A log for a verifier; `None` if it is not recorded here.
    pub fn log_bytes(&self, id: LogId) -> Option<LogBytes> {
        self.source(id).ok().filter(|source| !source.lines.is_empty())
    }

    /// Imports a log from its exact bytes, one event per line. Events that are already recorded are left
    /// alone. A log that extends a recorded one adds the new events, if `importing` may do that. A line can
    /// only be imported if the log it continues is recorded here. What is added is marked with its source.
    ///
    /// # Errors
    /// The log does not verify, still seals something, does not contain a game, or contradicts the recorded
    /// one; or the recorded one may not be extended.
    pub fn import_log(&self, text: &str, importing: &Importing<'_>) -> Result<Arc<Live>, Problem> {
        let lines: Vec<&[u8]> = text.lines().map(str::as_bytes).filter(|line| !line.is_empty()).collect();
        let first = lines.first().ok_or_else(|| Problem::BadInput("the record is empty".to_owned()))?;
        let first = Event::parse(first).map_err(|why| Problem::BadInput(format!("line 1: {why}")))?;
        self.take_in(&Verifier::new(&|id| self.log_bytes(id)), first.log, &lines, importing)
    }

    /// Imports a JSON record, which carries the exact bytes of the game's log and of the lines below it. All
    /// logs are verified first, then imported one by one, the game first.
    ///
    /// # Errors
    /// The text is not a record, its members contradict its logs, or [`Service::import_log`] fails.
    pub fn import_json(&self, text: &str, importing: &Importing<'_>) -> Result<Arc<Live>, Problem> {
        let logs = log::logs_of_json(text, &|id| self.log_bytes(id))?;
        // A line's parent is imported before the line.
        let find = |id| self.log_bytes(id);
        let verifier = Verifier::new(&find);
        let mut taken = None;
        for log in &logs {
            let live = self.take_in(&verifier, log.id, &log.lines, importing)?;
            taken.get_or_insert(live);
        }
        taken.ok_or_else(|| Problem::BadInput("the record is empty".to_owned()))
    }

    /// Imports one log.
    fn take_in<B: AsRef<[u8]>>(
        &self,
        verifier: &Verifier<'_>,
        id: LogId,
        lines: &[B],
        importing: &Importing<'_>,
    ) -> Result<Arc<Live>, Problem> {
        let first = lines.first().and_then(|line| Event::parse(line.as_ref()).ok()).map(|event| event.body);
        let Some(Body::Created(_)) = first else {
            return Err(Problem::BadInput("the record is not that of a game, from its start".to_owned()));
        };
        let (found, replay) = verifier.verify(id, lines, &Secrets::new());
        if let Some(fault) = found.fault {
            return Err(Problem::BadInput(format!("the record does not verify: {}", fault.problem)));
        }
        let replay = replay.ok_or_else(|| {
            Problem::BadInput("only a game whose sealed submissions are all revealed can be imported".to_owned())
        })?;
        if replay.sealed().next().is_some() {
            return Err(Problem::BadInput(
                "the record still has something sealed: wait until the game is over".to_owned(),
            ));
        }
        // If something is written after this head was read, the append fails with a conflict.
        let head = self.log().head(id);
        let mut known = self.log().read(id, 0)?;
        known.truncate(head.map_or(0, |head| head.seq() as usize + 1));
        let contradicts = known.iter().zip(lines).any(|(known, line)| **known != *line.as_ref());
        if contradicts {
            return Err(Problem::BadInput(format!("another log of the game {id} is recorded here")));
        }
        if head.is_none() || (importing.may_extend)(id).is_ok() {
            self.note_elsewhere(&replay)?;
        }
        if lines.len() > known.len() {
            if head.is_some() {
                (importing.may_extend)(id)?;
            } else if replay.is_line() {
                self.check_count(replay.root())?;
            }
            let events: Vec<Vec<u8>> = lines[known.len()..].iter().map(|line| line.as_ref().to_vec()).collect();
            let mark = self.mark(id, known.len() as u64, &events, &importing.source)?;
            self.append(mark.log, vec![mark, Append { log: id, expected: head, events }])?;
            if let Some(tournament) = replay.created().tournament.filter(|id| self.is_tournament(*id)) {
                self.settle(tournament)?;
            }
        }
        self.game(id)
    }

    /// Notes in the vault that the seed of an imported log is kept elsewhere, unless it is here or public.
    /// Then it is not reported as lost, and the game can be ended here.
    fn note_elsewhere(&self, replay: &Replay) -> Result<(), Problem> {
        let is_secret = replay.created().fairness.is_some() && !replay.is_seed_public();
        let vault = self.store.vault();
        if is_secret && vault.get(replay.log(), Secret::SEED_KEY).is_none() {
            vault.put(replay.log(), Secret::SEED_KEY, Secret::ELSEWHERE)?;
        }
        Ok(())
    }

    /// A game or a line as a text record; see [`record_text`]. With an analysis of the game as it stands, each action
    /// has its mark, and the chances after it as a comment.
    ///
    /// # Errors
    /// A log cannot be read, or the meter stops it.
    pub fn text(
        &self,
        game: &Replay,
        viewer: Viewer,
        analysis: Option<&Analysis>,
        meter: &Meter<'_>,
    ) -> Result<String, Problem> {
        let mut said = self.said(game)?;
        if let Some(analysis) = analysis {
            annotate(&mut said, &analysis.plies);
        }
        let mut below = Vec::new();
        for line in self.lines_below(game.log(), Audience::Everybody, RECORD_LINES_MAX, meter)? {
            meter.check()?;
            below.push(self.glance(line)?);
        }
        let text = record_text(game, viewer, &said, &below);
        let Some(analysis) = analysis else { return Ok(text) };
        // The header ends at the first empty line.
        Ok(text.replacen("\n\n", &format!("\n{}\n", analysis.to_header()), 1))
    }

    /// Records a text record (header and notation, as people write them) as a new game, which is marked with its
    /// source.
    ///
    /// # Errors
    /// The text cannot be read, or the rules refuse it; nothing is written then.
    pub fn import_text(&self, text: &str, source: &ImportSource) -> Result<Arc<Live>, Problem> {
        let record = TextRecord::parse(text)?;
        let rules = super::write::find_kind(&record.kind)?;
        let setup = rules.complete(&record.setup, &mut |_| 0)?;
        let mut position = match &record.position {
            None => rules.start(&setup)?,
            Some(json) => rules.set_up(&setup, json)?,
        };
        let mut commands = Vec::new();
        log::play(position.as_mut(), record.words.iter().map(String::as_str), |actor, action| {
            commands.push(Command::Act { actor, action: action.to_owned(), clock_ms: None });
        })?;
        let seats = record.seats.iter().map(|name| NewSeat { player: None, name: Some(name.clone()) }).collect();
        let new = NewGame {
            kind: record.kind,
            setup: Some(setup),
            position: record.position,
            played: record.played,
            is_unrated: record.is_unrated,
            seats,
            is_open: true,
            ..NewGame::default()
        };
        self.create_played(&new, commands, Some(source))
    }
}
