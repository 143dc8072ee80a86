//! Commands: what people want done with a game, judged before anything is written.

use plybook_events::body::{
    Acted, Annotated, Arranged, Corrected, DeadlineSet, DrawAnswered, DrawOffered, Ended, EntropyAdded, Reopened,
    Resigned, TEXT_CHARS_MAX, TakenBack, Unvoided, Voided,
};
use plybook_events::{Actor, Body, By, Decider, Hash, Outcome, Timestamp, is_unprintable, unprintable_in_lines};

use super::limits::check_room;
use super::replay::Replay;
use super::standing::Status;
use crate::{ActionError, Actors, AnyPosition};

/// The most glyphs on a ply, and the most characters in a glyph.
const GLYPHS_MAX: usize = 8;

/// The most characters in a name.
pub const NAME_CHARS_MAX: usize = 100;

/// A command.
#[derive(Clone, Debug)]
pub enum Command {
    /// An actor acts.
    Act {
        /// The actor.
        actor: Actor,
        /// The action in the game's notation.
        action: String,
        /// What the clock showed after the action, in milliseconds.
        clock_ms: Option<u64>,
    },
    /// The time for a round is up: the rules' default action is submitted for every seat still to act.
    CloseRound,
    /// Sets, moves or lifts the deadline of what is awaited.
    SetDeadline {
        /// The new deadline; `None` lifts it.
        due: Option<Timestamp>,
        /// The reason.
        reason: String,
    },
    /// Takes actions back from the end of the mainline.
    TakeBack {
        /// The ply that becomes the last.
        to_ply: u32,
        /// The reason.
        reason: String,
    },
    /// Comments on a ply, with text and glyphs.
    Annotate {
        /// The author.
        by: By,
        /// The annotation.
        annotated: Annotated,
    },
    /// A seat resigns.
    Resign(u8),
    /// A seat contributes to the dice of the game.
    AddEntropy {
        /// The seat.
        seat: u8,
        /// 32 bytes that the seat chose.
        entropy: Hash,
    },
    /// A seat offers a draw.
    OfferDraw(u8),
    /// A seat answers a draw offer.
    AnswerDraw {
        /// The seat.
        seat: u8,
        /// Whether it agrees.
        accept: bool,
    },
    /// A seat's clock ran out.
    FlagFall(u8),
    /// A seat left and did not return.
    Abandon(u8),
    /// The arbiter ends a running game, or corrects the outcome of a finished one.
    Adjudicate {
        /// The outcome, with the arbiter's reason.
        outcome: Outcome,
    },
    /// Renames, reorders or hides a line.
    Arrange(Arranged),
    /// Declares that the game does not count.
    Void {
        /// The reason.
        reason: String,
    },
    /// Lets a void game count again.
    Unvoid {
        /// The reason.
        reason: String,
    },
    /// Undoes an end that the rules did not bring: the game goes on from where it stands.
    Reopen {
        /// The reason.
        reason: String,
    },
}

/// Why a command is refused. Nothing is written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The game is over or void.
    #[error("the game is over")]
    Over,
    /// The round is not open yet.
    #[error("this round opens at {0}: nothing is taken before")]
    TooEarly(Timestamp),
    /// The round is over.
    #[error("this round was due at {0}: nothing is taken any more")]
    TooLate(Timestamp),
    /// Another actor is to act.
    #[error("it is not the turn of {0}")]
    NotToAct(Actor),
    /// The action is not legal here.
    #[error("ply {ply}: {action}: {why}")]
    Illegal {
        /// The ply it would have had, from 1.
        ply: usize,
        /// The action as it was given.
        action: String,
        /// The reason, in words a player understands.
        why: String,
    },
    /// The log is too long for it, or its author has made as many remarks as one may; the text says what is still possible.
    #[error("{0}")]
    Full(String),
    /// Anything else wrong with the command; the text says what would be right.
    #[error("{0}")]
    Bad(String),
}

/// An event to be written: its author, and its body.
pub type NewEvent = (By, Body);

/// Judges a command, and returns the events to write, all or none.
///
/// # Errors
/// The command is refused.
pub fn decide(game: &Replay, command: Command) -> Result<Vec<NewEvent>, CommandError> {
    check_room(game, &command)?;
    let decided = judge(game, command)?;
    decided.iter().try_for_each(|(_, body)| game.check_teams(body)).map_err(|why| bad(why.to_string()))?;
    game.remarks.check(game, &decided)?;
    Ok(decided)
}

fn judge(game: &Replay, command: Command) -> Result<Vec<NewEvent>, CommandError> {
    match command {
        Command::Act { actor, action, clock_ms } => act(game, actor, &action, clock_ms),
        Command::CloseRound => close_round(game),
        Command::Annotate { by, annotated } => annotate(game, by, annotated),
        Command::TakeBack { to_ply, reason } => take_back(game, to_ply, reason),
        Command::Arrange(arranged) => arrange(game, arranged),
        _ if game.is_line() => Err(bad(
            "this is a line of analysis, nobody's game: it has no deadline, and is not resigned, drawn, lost on time, adjudicated, void or reopened",
        )),
        Command::SetDeadline { due, reason } => set_deadline(game, due, reason),
        Command::Adjudicate { outcome } => adjudicate(game, outcome),
        Command::Void { reason } => {
            check_text("reason", &reason)?;
            if game.voided().is_some() {
                return Err(bad("the game is void already"));
            }
            Ok(vec![(By::Arbiter, Body::Voided(Voided { reason, seed: None }))])
        }
        Command::Unvoid { reason } => {
            check_text("reason", &reason)?;
            if game.voided().is_none() {
                return Err(bad("the game is not void"));
            }
            Ok(vec![(By::Arbiter, Body::Unvoided(Unvoided { reason }))])
        }
        Command::Reopen { reason } => reopen(game, reason),
        Command::Resign(seat) => resign(game, seat),
        Command::FlagFall(seat) => {
            let winner = other_of_two(game, seat, "lose on time")?;
            Ok(vec![(By::Arbiter, ended(Decider::Time, Outcome::win(vec![winner], "time")))])
        }
        Command::AddEntropy { seat, entropy } => {
            check_seat(game, seat)?;
            game.check_entropy(seat).map_err(|why| bad(why.to_string()))?;
            Ok(vec![(By::Seat(seat), Body::EntropyAdded(EntropyAdded { entropy }))])
        }
        Command::Abandon(seat) => {
            let winner = other_of_two(game, seat, "abandon the game")?;
            Ok(vec![(By::Arbiter, ended(Decider::Abandonment, Outcome::win(vec![winner], "abandonment")))])
        }
        Command::OfferDraw(seat) => {
            check_seat(game, seat)?;
            match game.offer() {
                None => Ok(vec![(By::Seat(seat), Body::DrawOffered(DrawOffered {}))]),
                Some(offer) => Err(bad(format!("seat {} has offered a draw already: answer it", offer.by))),
            }
        }
        Command::AnswerDraw { seat, accept } => answer(game, seat, accept),
    }
}

/// What to write right after a game is created: its end, if the rules leave nothing to do.
pub fn begun(game: &Replay) -> Vec<NewEvent> {
    let outcome = game.position().outcome().filter(|_| game.status() == Status::Running);
    outcome.map(|outcome| (By::Service, ended(Decider::Rules, outcome))).into_iter().collect()
}

fn act(game: &Replay, actor: Actor, action: &str, clock_ms: Option<u64>) -> Result<Vec<NewEvent>, CommandError> {
    if game.status() != Status::Running {
        return Err(CommandError::Over);
    }
    let mut position = game.position().boxed();
    let action = position.accept(actor, action).map_err(|why| refused(game, action, &why))?;
    let mut events = vec![(actor.into(), Body::Acted(Acted { action, clock_ms, fair: false }))];
    follow(position.as_mut(), game.resigned(), &mut events);
    Ok(events)
}

/// Adds the consequences of the events: actions for seats whose players have left, whenever they are to act,
/// and the end of the game by the rules.
fn follow(position: &mut dyn AnyPosition, resigned: Actors, events: &mut Vec<NewEvent>) {
    let due = |position: &dyn AnyPosition| position.to_act().iter().find(|actor| resigned.contains(*actor));
    while let Some(Actor::Seat(seat)) = due(position) {
        if !submit_absent(position, seat, events) {
            return;
        }
    }
    if let Some(outcome) = position.outcome() {
        events.push((By::Service, ended(Decider::Rules, outcome)));
    }
}

/// Submits an action for an absent seat; `false` if the game defines none.
fn submit_absent(position: &mut dyn AnyPosition, seat: u8, events: &mut Vec<NewEvent>) -> bool {
    let Some(action) = position.absent(seat) else { return false };
    position.act(Actor::Seat(seat), &action).expect("what is submitted for an absent seat is legal");
    events.push((By::Seat(seat), Body::Acted(Acted { action, clock_ms: None, fair: false })));
    true
}

fn close_round(game: &Replay) -> Result<Vec<NewEvent>, CommandError> {
    if game.status() != Status::Running {
        return Err(CommandError::Over);
    }
    let mut position = game.position().boxed();
    let mut events = Vec::new();
    for actor in game.position().to_act().iter() {
        let Actor::Seat(seat) = actor else { return Err(bad("a roll is awaited, and no seat is to act")) };
        if !position.to_act().contains(actor) {
            break;
        }
        if !submit_absent(position.as_mut(), seat, &mut events) {
            return Err(bad("in this game nothing is submitted for a seat that does not act: no round can be closed"));
        }
    }
    follow(position.as_mut(), game.resigned(), &mut events);
    Ok(events)
}

fn set_deadline(game: &Replay, due: Option<Timestamp>, reason: String) -> Result<Vec<NewEvent>, CommandError> {
    check_text("reason", &reason)?;
    if game.status() != Status::Running {
        return Err(CommandError::Over);
    }
    if game.position().absent(1).is_none() {
        return Err(bad("in this game nothing is submitted for a seat that does not act: it has no deadlines"));
    }
    let opens = game.deadline().and_then(|deadline| deadline.opens).filter(|opens| due.is_some_and(|due| *opens < due));
    Ok(vec![(By::Arbiter, Body::DeadlineSet(DeadlineSet { opens, due, reason: Some(reason) }))])
}

fn resign(game: &Replay, seat: u8) -> Result<Vec<NewEvent>, CommandError> {
    check_seat(game, seat)?;
    if game.position().absent(seat).is_none() {
        let winner = other_of_two(game, seat, "resign")?;
        return Ok(vec![(By::Seat(seat), ended(Decider::Resignation, Outcome::win(vec![winner], "resignation")))]);
    }
    if game.resigned().contains(Actor::Seat(seat)) {
        return Err(bad(format!("seat {seat} has resigned already")));
    }
    let mut events = vec![(By::Seat(seat), Body::Resigned(Resigned {}))];
    follow(game.position().boxed().as_mut(), game.resigned().with(Actor::Seat(seat)), &mut events);
    Ok(events)
}

fn refused(game: &Replay, action: &str, why: &ActionError) -> CommandError {
    match why {
        ActionError::Over => CommandError::Over,
        ActionError::NotToAct(actor) => CommandError::NotToAct(*actor),
        ActionError::Syntax(_) | ActionError::Illegal(_) => CommandError::Illegal {
            ply: game.mainline().len() + 1,
            action: action.chars().take(100).collect(),
            why: why.to_string(),
        },
    }
}

fn annotate(game: &Replay, by: By, annotated: Annotated) -> Result<Vec<NewEvent>, CommandError> {
    if annotated.ply as usize > game.mainline().len() {
        return Err(bad(format!("the game has {} plies, there is no ply {}", game.mainline().len(), annotated.ply)));
    }
    if let Some(comment) = &annotated.comment {
        check_text("comment", comment)?;
    }
    if annotated.glyphs.len() > GLYPHS_MAX {
        return Err(bad(format!("a ply carries at most {GLYPHS_MAX} glyphs")));
    }
    let fits = |glyph: &String| {
        (1..=GLYPHS_MAX).contains(&glyph.chars().count())
            && !glyph.contains(|c: char| c.is_whitespace() || is_unprintable(c))
    };
    match annotated.glyphs.iter().find(|glyph| !fits(glyph)) {
        Some(glyph) => Err(bad(format!("{glyph:?} is not a glyph: write one such as ! or ?!, without spaces"))),
        None => Ok(vec![(by, Body::Annotated(annotated))]),
    }
}

fn take_back(game: &Replay, to_ply: u32, reason: String) -> Result<Vec<NewEvent>, CommandError> {
    check_text("reason", &reason)?;
    if game.status() == Status::Void {
        return Err(CommandError::Over);
    }
    let plies = game.mainline().len();
    if to_ply as usize >= plies {
        return Err(bad(format!("the game has {plies} plies: a takeback goes to a ply before that, not to {to_ply}")));
    }
    if (to_ply as usize) < game.fork_ply() {
        let from = game.fork_ply();
        return Err(bad(format!(
            "this line leaves its parent at ply {from} and is not taken back beyond that: fork again from ply {to_ply}"
        )));
    }
    let mut position = game.position_at(to_ply as usize).expect("it is a ply of the mainline");
    let mut events = vec![(By::Arbiter, Body::TakenBack(TakenBack { to_ply, reason }))];
    follow(position.as_mut(), game.resigned(), &mut events);
    Ok(events)
}

fn reopen(game: &Replay, reason: String) -> Result<Vec<NewEvent>, CommandError> {
    check_text("reason", &reason)?;
    match game.status() {
        Status::Running => Err(bad("the game is not over")),
        Status::Void => Err(bad("the game is void: let it count again first")),
        Status::Finished if !game.may_reopen() => {
            Err(bad("the rules ended this game: take it back to an earlier ply, or adjudicate to correct the outcome"))
        }
        Status::Finished => Ok(vec![(By::Arbiter, Body::Reopened(Reopened { reason }))]),
    }
}

fn arrange(game: &Replay, arranged: Arranged) -> Result<Vec<NewEvent>, CommandError> {
    if !game.is_line() {
        return Err(bad("only a line of analysis is named, hidden or moved, and this is a game"));
    }
    if arranged == Arranged::default() {
        return Err(bad("say what is to be arranged: the name, whether it is hidden, or its place"));
    }
    let is_long = arranged.name.as_ref().is_some_and(|name| name.chars().count() > NAME_CHARS_MAX);
    if is_long || arranged.name.as_ref().is_some_and(|name| name.chars().any(is_unprintable)) {
        return Err(bad(format!(
            "a name has at most {NAME_CHARS_MAX} printable characters; an empty one takes it away"
        )));
    }
    Ok(vec![(By::Arbiter, Body::Arranged(arranged))])
}

fn adjudicate(game: &Replay, outcome: Outcome) -> Result<Vec<NewEvent>, CommandError> {
    check_text("reason", &outcome.reason)?;
    outcome.check(game.position().seats()).map_err(|why| bad(why.to_string()))?;
    match game.status() {
        Status::Void => Err(CommandError::Over),
        Status::Running => Ok(vec![(By::Arbiter, ended(Decider::Arbiter, outcome))]),
        Status::Finished => {
            let reason = outcome.reason.clone();
            Ok(vec![(By::Arbiter, Body::Corrected(Corrected { outcome, reason }))])
        }
    }
}

fn answer(game: &Replay, seat: u8, accept: bool) -> Result<Vec<NewEvent>, CommandError> {
    check_seat(game, seat)?;
    let offer = game.offer().ok_or_else(|| bad("no draw is offered"))?;
    if offer.agreed.contains(&seat) {
        return Err(bad(format!("seat {seat} has agreed already: the others answer")));
    }
    let mut events = vec![(By::Seat(seat), Body::DrawAnswered(DrawAnswered { accept }))];
    if accept && offer.agreed.len() + 1 == usize::from(game.position().seats()) {
        events.push((By::Service, ended(Decider::Agreement, Outcome::draw("agreement"))));
    }
    Ok(events)
}

fn ended(decided_by: Decider, outcome: Outcome) -> Body {
    Body::Ended(Ended { decided_by, outcome, seed: None })
}

/// Checks that a seat exists and the game is running.
fn check_seat(game: &Replay, seat: u8) -> Result<(), CommandError> {
    let seats = game.position().seats();
    if game.status() != Status::Running {
        Err(CommandError::Over)
    } else if (1..=seats).contains(&seat) {
        Ok(())
    } else {
        Err(bad(format!("seats are numbered from 1 to {seats}: there is no seat {seat}")))
    }
}

/// The winner when one of two seats is out.
fn other_of_two(game: &Replay, seat: u8, what: &str) -> Result<u8, CommandError> {
    check_seat(game, seat)?;
    match game.position().seats() {
        2 => Ok(3 - seat),
        seats => Err(bad(format!("one of {seats} seats cannot {what} for the others: let the arbiter adjudicate"))),
    }
}

/// Checks that a text is neither empty nor too long, and can be printed.
fn check_text(what: &str, text: &str) -> Result<(), CommandError> {
    let chars = text.chars().count();
    if text.trim().is_empty() {
        Err(bad(format!("a {what} is needed")))
    } else if chars > TEXT_CHARS_MAX {
        Err(bad(format!("a {what} has at most {TEXT_CHARS_MAX} characters, this one has {chars}")))
    } else if let Some(c) = unprintable_in_lines(text) {
        Err(bad(format!("a {what} has a character that cannot be printed ({}): leave it out", c.escape_unicode())))
    } else {
        Ok(())
    }
}

fn bad(text: impl Into<String>) -> CommandError {
    CommandError::Bad(text.into())
}
