//! Quotas: how long a log may get, what is reserved for its end, and how many remarks each author may make.
//!
//! They are judged when a command is decided, never when a log is folded: a verifier knows nothing of them.

use std::collections::BTreeMap;

use plybook_events::body::Arranged;
use plybook_events::{Body, By, Event};

use super::command::{Command, CommandError};
use super::replay::Replay;
use super::standing::Status;

/// The number of events at which nothing more is added to a log, except what ends a game. The command that reaches it
/// may go beyond.
pub const EVENTS_MAX: u64 = 100_000;

/// How many of them are reserved: play, comments and the like stop that much earlier, so that a game can always be ended,
/// corrected and declared void. All offers and answers that 13 seats may make need half of it.
pub const EVENTS_RESERVED: u64 = 5_000;

/// The most comments of a seat in a game, and of each author on a line.
pub const COMMENTS_MAX: u32 = 1_000;

/// The most comments in a game that are no seat's: those of tables, recorders and arbiters together.
pub const RECORDED_COMMENTS_MAX: u32 = 10_000;

/// The most draws that one seat may offer in a game, and the most offers that it may answer.
pub const OFFERS_MAX: u32 = 100;

/// How often a line may be renamed, hidden or moved. One that is shown can always be hidden.
pub const ARRANGED_MAX: u32 = 1_000;

/// How many remarks an author has made: comments, draw offers, answers to offers, and changes to the name, place or
/// visibility of a line.
type Counts = [u32; 4];

/// How many remarks each author has made: the seats, and under 0 everybody who is no seat.
#[derive(Clone, Debug, Default)]
pub(super) struct Remarks(BTreeMap<u8, Counts>);

impl Remarks {
    /// Counts an event.
    pub(super) fn apply(&mut self, event: &Event) {
        if let Some((author, kind)) = remark(event.by, &event.body) {
            self.0.entry(author).or_default()[kind] += 1;
        }
    }

    /// Checks that these events may follow.
    ///
    /// # Errors
    /// An author has reached a limit; the text says which.
    pub(super) fn check(&self, game: &Replay, decided: &[(By, Body)]) -> Result<(), CommandError> {
        let is_line = game.is_line();
        for (by, body) in decided {
            if matches!(body, Body::Arranged(arranged) if hides(game, arranged)) {
                continue;
            }
            let Some((author, kind)) = remark(*by, body) else { continue };
            let (limit, what) = match kind {
                0 if author == 0 && !is_line => (RECORDED_COMMENTS_MAX, "comments"),
                0 => (COMMENTS_MAX, "comments"),
                1 => (OFFERS_MAX, "draw offers"),
                2 => (OFFERS_MAX, "answers to draw offers"),
                _ => (ARRANGED_MAX, "changes to its name, place or visibility"),
            };
            if self.0.get(&author).is_none_or(|made| made[kind] < limit) {
                continue;
            }
            let log = if is_line { "line" } else { "game" };
            return Err(CommandError::Full(match author {
                0 => format!("this {log} has {limit} {what}, as many as are recorded"),
                seat => format!("seat {seat} has made {limit} {what} in this {log}, as many as a seat may"),
            }));
        }
        Ok(())
    }
}

/// Whether a line that is shown is hidden, and nothing else: so that nobody makes one that stays in sight.
fn hides(line: &Replay, arranged: &Arranged) -> bool {
    line.is_line() && !line.is_hidden() && *arranged == Arranged { hidden: Some(true), ..Arranged::default() }
}

/// The author of a remark, and its index in [`Counts`]; `None` for other events.
fn remark(by: By, body: &Body) -> Option<(u8, usize)> {
    let kind = match body {
        Body::Annotated(_) => 0,
        Body::DrawOffered(_) => 1,
        Body::DrawAnswered(_) => 2,
        Body::Arranged(_) => 3,
        _ => return None,
    };
    Some((if let By::Seat(seat) = by { seat } else { 0 }, kind))
}

/// Checks that a log has room for what a command adds. This comes before the command is judged: how many events an
/// action brings, and whether it is legal, can depend on secrets.
///
/// What ends a running game or declares one void is taken however long the log is. So every game can be ended, and the
/// log still has a bound: whatever lets a game go on is refused there.
///
/// # Errors
/// The log is too long; the text says what is still possible.
pub(super) fn check_room(game: &Replay, command: &Command) -> Result<(), CommandError> {
    let limit = match command {
        Command::Resign(_) | Command::FlagFall(_) | Command::Abandon(_) | Command::Void { .. } => return Ok(()),
        Command::Adjudicate { .. } if game.status() == Status::Running => return Ok(()),
        Command::Arrange(arranged) if hides(game, arranged) => return Ok(()),
        Command::Adjudicate { .. }
        | Command::Arrange(_)
        | Command::OfferDraw(_)
        | Command::AnswerDraw { .. }
        | Command::Reopen { .. }
        | Command::TakeBack { .. }
        | Command::Unvoid { .. } => EVENTS_MAX,
        Command::Act { .. }
        | Command::CloseRound
        | Command::SetDeadline { .. }
        | Command::Annotate { .. }
        | Command::AddEntropy { .. } => EVENTS_MAX - EVENTS_RESERVED,
    };
    if game.events() < limit {
        return Ok(());
    }
    Err(CommandError::Full(match (game.is_line(), limit < EVENTS_MAX) {
        (true, true) => format!(
            "a line is played and commented on up to {limit} events: it can be taken back or arranged, and forked from"
        ),
        (true, false) => format!("a line has at most {EVENTS_MAX} events: fork from it"),
        (false, true) => format!(
            "a game is played and commented on up to {limit} events, and the last {EVENTS_RESERVED} are reserved: it can \
             still be resigned, drawn by agreement, lost on time, adjudicated, corrected, taken back or declared void"
        ),
        (false, false) => format!(
            "a game has at most {EVENTS_MAX} events: it can only be resigned, lost on time or by absence, adjudicated \
             while it runs, or declared void"
        ),
    }))
}
