//! Whole logs in and out: verification, import.

use std::sync::Arc;

use plybook_events::{Body, Event, LogId};
use plybook_rules::Viewer;
use plybook_rules::log::{
    self, Below, Command, LogBytes, Replay, Secrets, TextRecord, Verification, Verifier, record_text,
};

use super::{Live, NewGame, NewSeat, Service};
use crate::access::{Caller, Role};
use crate::error::Problem;

/// The most lines in the record of a game.
const RECORD_LINES_MAX: usize = 2_000;

impl Service {
    /// Checks a game from the bytes of its log.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn verification(&self, id: LogId) -> Result<Verification, Problem> {
        let LogBytes { lines, secrets } = self.source(id)?;
        Ok(Verifier::new(&|id| self.log_bytes(id)).verify(id, &lines, &secrets).0)
    }

    /// The bytes of a log, and all that is sealed in it.
    pub(crate) fn source(&self, id: LogId) -> Result<LogBytes, Problem> {
        let lines = self.log().read(id, 0)?;
        let events: Vec<Event> = lines.iter().filter_map(|line| Event::parse(line).ok()).collect();
        Ok(LogBytes { secrets: self.secrets(id, &events), lines })
    }

    /// A log for a verifier; nothing where it is not recorded here.
    pub(crate) fn log_bytes(&self, id: LogId) -> Option<LogBytes> {
        self.source(id).ok().filter(|source| !source.lines.is_empty())
    }

    /// Takes in a log as its exact bytes, one event a line. What is there already is left alone; a
    /// log that continues the one that is there adds what is new, which is for arbiters: it may
    /// hold what only they may do. Of a line, what it continues has to be recorded here.
    ///
    /// # Errors
    /// The log does not verify, still has something sealed, is no game's, or contradicts the one
    /// that is there; or the caller may not continue that one.
    pub fn import_log(&self, text: &str, caller: &Caller) -> Result<Arc<Live>, Problem> {
        let lines: Vec<&[u8]> = text.lines().map(str::as_bytes).filter(|line| !line.is_empty()).collect();
        let first = lines.first().ok_or_else(|| Problem::BadInput("the record is empty".to_owned()))?;
        let first = Event::parse(first).map_err(|why| Problem::BadInput(format!("line 1: {why}")))?;
        self.take_in(&Verifier::new(&|id| self.log_bytes(id)), first.log, &lines, caller)
    }

    /// Takes in a JSON record, which carries the exact log and those of the lines below it: all are
    /// checked first, then taken in one after another, the game first.
    ///
    /// # Errors
    /// It is no record, its members contradict its logs, or as [`Service::import_log`].
    pub fn import_json(&self, text: &str, caller: &Caller) -> Result<Arc<Live>, Problem> {
        let logs = log::logs_of_json(text, &|id| self.log_bytes(id))?;
        // What a line continues is taken in before it.
        let find = |id| self.log_bytes(id);
        let verifier = Verifier::new(&find);
        let mut taken = None;
        for log in &logs {
            let live = self.take_in(&verifier, log.id, &log.lines, caller)?;
            taken.get_or_insert(live);
        }
        taken.ok_or_else(|| Problem::BadInput("the record is empty".to_owned()))
    }

    /// Takes in one log.
    fn take_in<B: AsRef<[u8]>>(
        &self,
        verifier: &Verifier<'_>,
        id: LogId,
        lines: &[B],
        caller: &Caller,
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
            Problem::BadInput("only a game whose sealed submissions are all revealed can be taken in".to_owned())
        })?;
        if replay.sealed().next().is_some() {
            return Err(Problem::BadInput(
                "the record still has something sealed: wait until the game is over".to_owned(),
            ));
        }
        // What is written behind the head that is read here makes the append a conflict.
        let head = self.log().head(id);
        let mut known = self.log().read(id, 0)?;
        known.truncate(head.map_or(0, |head| head.seq() as usize + 1));
        let contradicts = known.iter().zip(lines).any(|(known, line)| **known != *line.as_ref());
        if contradicts {
            return Err(Problem::BadInput(format!("another log of the game {id} is recorded here")));
        }
        if lines.len() > known.len() {
            if head.is_some() {
                caller.require(Role::Arbiter)?;
            } else if replay.is_line() {
                self.check_count(replay.root())?;
            }
            let fresh = lines[known.len()..].iter().map(|line| line.as_ref().to_vec()).collect();
            self.log().append(id, head.as_ref(), fresh)?;
        }
        self.game(id)
    }

    /// The lines below a game or a line as they stand, parents first, for a record of it: at most
    /// [`RECORD_LINES_MAX`], without the hidden ones and what is below those.
    ///
    /// # Errors
    /// A log cannot be read.
    pub fn below(&self, id: LogId) -> Result<Vec<Below>, Problem> {
        let mut below = Vec::new();
        let mut open = self.shown_lines(id);
        while let Some(line) = open.pop().filter(|_| below.len() < RECORD_LINES_MAX) {
            let replay = self.glance(line)?;
            let mut events = self.log().read(line, 0)?;
            events.truncate(replay.events() as usize);
            below.push(Below { replay, events });
            open.extend(self.shown_lines(line));
        }
        Ok(below)
    }

    /// The lines that fork from a log itself and are not hidden, the last one first.
    fn shown_lines(&self, parent: LogId) -> Vec<LogId> {
        let known = self.models().known();
        known.games.lines(parent).rev().filter(|line| !line.standing.is_hidden).map(|line| line.id).collect()
    }

    /// A game or a line for people; see [`record_text`].
    ///
    /// # Errors
    /// A log cannot be read.
    pub fn text(&self, game: &Replay, viewer: Viewer) -> Result<String, Problem> {
        Ok(record_text(game, viewer, &self.said(game)?, &self.below(game.log())?))
    }

    /// Records a text record as a new game: header and notation, as people write it.
    ///
    /// # Errors
    /// It cannot be read, or the rules refuse what it says; nothing is written then.
    pub fn import_text(&self, text: &str) -> Result<Arc<Live>, Problem> {
        let record = TextRecord::parse(text)?;
        let rules = super::write::find_kind(&record.kind)?;
        let setup = rules.complete(&record.setup, &mut |_| 0)?;
        let mut position = match &record.position {
            None => rules.start(&setup)?,
            Some(json) => rules.set_up(&setup, json)?,
        };
        let mut commands = Vec::new();
        log::play(position.as_mut(), record.words.iter().map(String::as_str), |actor, action| {
            commands.push(Command::Act { actor, token: action.to_owned(), clock_ms: None });
        })?;
        let seats = record.seats.iter().map(|name| NewSeat { player: None, name: Some(name.clone()) }).collect();
        let new = NewGame {
            kind: record.kind,
            setup: Some(setup),
            position: record.position,
            seats,
            is_open: true,
            ..NewGame::default()
        };
        self.create_played(new, commands)
    }
}
