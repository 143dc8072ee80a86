//! Whole logs in and out: verification, import.

use std::sync::Arc;

use plybook_events::{Body, Event, LogId};
use plybook_rules::decide::Command;
use plybook_rules::fold::Secrets;
use plybook_rules::line::split_word;

use super::record::{self, TextRecord};
use super::{Live, NewGame, NewSeat, Service};
use crate::caller::{Caller, Role};
use crate::error::Problem;
use crate::verify::{Verification, verify};

impl Service {
    /// Checks a game from the bytes of its log.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn verification(&self, id: LogId) -> Result<Verification, Problem> {
        let lines = self.log().read(id, 0)?;
        let events: Vec<Event> = lines.iter().filter_map(|line| Event::parse(line).ok()).collect();
        Ok(verify(id, &lines, &self.secrets(id, &events)).0)
    }

    /// Takes in a log as its exact bytes, one event a line. What is there already is left alone; a
    /// log that continues the one that is there adds what is new, which is for arbiters: it may
    /// hold what only they may do.
    ///
    /// # Errors
    /// The log does not verify, still has something sealed, is no game's, or contradicts the one
    /// that is there; or the caller may not continue that one.
    pub fn import_log(&self, text: &str, caller: &Caller) -> Result<Arc<Live>, Problem> {
        let lines: Vec<&[u8]> = text.lines().map(str::as_bytes).filter(|line| !line.is_empty()).collect();
        let first = lines.first().ok_or_else(|| Problem::BadInput("the record is empty".to_owned()))?;
        let first = Event::parse(first).map_err(|why| Problem::BadInput(format!("line 1: {why}")))?;
        let id = first.log;
        match &first.body {
            Body::Created(created) if created.fork.is_none() => {}
            Body::Created(_) => {
                return Err(Problem::BadInput("a line of analysis cannot be taken in without its game".to_owned()));
            }
            _ => return Err(Problem::BadInput("the record is not that of a game, from its start".to_owned())),
        }
        let (found, replay) = verify(id, &lines, &Secrets::new());
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
        let contradicts = known.iter().zip(&lines).any(|(known, line)| **known != **line);
        if contradicts {
            return Err(Problem::BadInput(format!("another log of the game {id} is recorded here")));
        }
        if lines.len() > known.len() {
            if head.is_some() {
                caller.require(Role::Arbiter)?;
            }
            let fresh = lines[known.len()..].iter().map(|line| line.to_vec()).collect();
            self.log().append(id, head.as_ref(), fresh)?;
        }
        self.game(id)
    }

    /// Takes in a JSON record, which carries the exact log.
    ///
    /// # Errors
    /// It is no record, its members contradict its log, or as [`Service::import_log`].
    pub fn import_json(&self, text: &str, caller: &Caller) -> Result<Arc<Live>, Problem> {
        self.import_log(&record::log_of_json(text)?, caller)
    }

    /// Records a text record as a new game: header and notation, as people write it.
    ///
    /// # Errors
    /// It cannot be read, or the rules refuse what it says; nothing is written then.
    pub fn import_text(&self, text: &str) -> Result<Arc<Live>, Problem> {
        let record = TextRecord::parse(text)?;
        let rules = super::write::find_kind(&record.kind)?;
        let setup = rules.complete(&record.setup, &mut |_| 0)?;
        let mut table = rules.start(&setup)?;
        let mut commands = Vec::new();
        for (index, word) in record.words.iter().enumerate() {
            let ply = index + 1;
            let (actor, token) = split_word(table.as_ref(), word)
                .map_err(|why| Problem::BadInput(format!("ply {ply}: {word}: {why}")))?;
            let illegal = |why: String| Problem::IllegalAction {
                ply,
                action: word.clone(),
                why,
                near: plybook_rules::decide::near(table.as_ref(), actor, token),
            };
            let action = table.judge(actor, token).map_err(|why| illegal(why.to_string()))?;
            table.act(actor, &action).map_err(Problem::internal)?;
            commands.push(Command::Act { actor, token: action, clock_ms: None });
        }
        let seats = record.seats.iter().map(|name| NewSeat { player: None, name: Some(name.clone()) }).collect();
        let new = NewGame { kind: record.kind, setup: Some(setup), seats, is_open: true, ..NewGame::default() };
        self.create_played(new, commands)
    }
}
