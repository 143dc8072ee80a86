//! Lines of analysis: how they fork, and how they are arranged.

use std::collections::BTreeMap;
use std::sync::Arc;

use plybook_events::body::{Annotated, Arranged, Fork};
use plybook_events::{Hash, LogId};
use plybook_rules::log::{self, Command, CommandError, DraftError, FORKS_MAX, Replay, WordError, revealed, split_word};
use plybook_rules::{Actor, Viewer};
use serde_json::Value;

use super::write::{Draft, check_name, new_seed};
use super::{Live, Service};
use crate::clock;
use crate::error::Problem;

/// The most lines of one game, including lines of lines.
pub const LINES_MAX: usize = 10_000;

/// The most actions that a new line may start with.
const ACTIONS_MAX: usize = 5_000;

/// The most characters of an action.
const ACTION_CHARS_MAX: usize = 4_000;

/// A line to create.
#[derive(Clone, Debug)]
pub struct NewLine {
    /// The game or line to fork from.
    pub game: LogId,
    /// The ply to fork at.
    pub ply: usize,
    /// The actions to play on it at once, written as words: `SEAT:action` where several seats are to act.
    pub actions: Vec<String>,
    /// The position to set up at that ply instead of the parent's, if any.
    pub position: Option<Value>,
    /// Its name.
    pub name: Option<String>,
    /// The actions assumed to have been played in secret: one for each action up to `ply` that the public
    /// does not know, in order.
    pub assume: Vec<String>,
    /// The player who owns it.
    pub owner: Option<LogId>,
    /// Whether lists leave it out from its first moment.
    pub is_hidden: bool,
}

impl Service {
    /// Creates a line: a log of its own that continues a game or another line from one of its plies. Either
    /// all of it is written, or nothing. The cost is a copy of the list of earlier plies, plus the new
    /// actions.
    ///
    /// A line of a running game with secrets is built from public knowledge alone, for every caller. If the
    /// public does not know an action, the line forks before it, and the assumed action is played on the line
    /// instead.
    ///
    /// # Errors
    /// There is no such ply, an assumption is missing, an action is illegal given the assumptions, or there
    /// are too many lines already.
    pub fn fork(&self, new: NewLine) -> Result<Arc<Live>, Problem> {
        let asked = self.game(new.game)?.replay();
        let plies = asked.mainline().len();
        if new.ply > plies {
            return Err(Problem::BadInput(format!("there are plies 0 to {plies}, and no ply {}", new.ply)));
        }
        check_words("actions", &new.actions)?;
        check_words("assume", &new.assume)?;
        let name = new.name.as_deref().filter(|name| !name.is_empty()).map(check_name).transpose()?;
        if asked.is_setup_sealed() {
            return Err(Problem::BadInput(
                "the setup of this game is sealed until the game is over: it can be forked then".to_owned(),
            ));
        }
        let from = known_until(&asked, new.ply);
        if new.position.is_some() && (from < new.ply || !new.assume.is_empty()) {
            return Err(Problem::BadInput(format!(
                "a position is set up at a ply that everybody knows, and takes no `assume`: fork from ply {from}"
            )));
        }
        let mut draft = self.begin_line(&asked, from, new.position, name, new.owner)?;
        if new.is_hidden {
            draft.command(Command::Arrange(Arranged { hidden: Some(true), ..Arranged::default() }))?;
        }
        play_assumed(&mut draft, &asked, new.ply, new.assume)?;
        for word in new.actions {
            let ply = draft.replay().mainline().len() + 1;
            let (actor, action) = split_word(draft.replay().position(), &word).map_err(|why| match why {
                WordError::WhoseTurn(_) => Problem::BadInput(format!("ply {ply}: {why}")),
                WordError::Action(_) => Problem::GameOver,
            })?;
            let refused = draft.command(Command::Act { actor, action: action.to_owned(), clock_ms: None });
            refused.map_err(|why| Problem::from(why).suggesting(draft.replay().position(), actor, action))?;
        }
        let id = draft.replay().log();
        self.write(None, draft)?;
        self.game(id)
    }

    /// Drafts the start of a line that leaves a game at a ply up to which the public knows everything.
    fn begin_line(
        &self,
        asked: &Replay,
        ply: usize,
        position: Option<Value>,
        name: Option<String>,
        owner: Option<LogId>,
    ) -> Result<Draft<'_>, Problem> {
        let (game, seq) = (asked.owner(ply), asked.led_to(ply));
        let found = self.log().entry(game, seq)?.ok_or_else(|| Problem::no_game(game))?;
        let hash = Hash::of_event(&found.bytes);
        let fork = Fork { game, ply: u32::try_from(ply).map_err(Problem::internal)?, seq, hash };
        let other = if game == asked.log() { None } else { Some(self.parent(&fork)?) };
        let parent = other.as_deref().unwrap_or(asked);
        self.check_room(parent)?;
        let id = clock::new_id();
        let line = log::NewLine { fork, position, name, owner };
        Ok(Draft::fork(self.source_of(id), id, parent, line, &new_seed())?)
    }

    /// Checks that a log may have one more level of lines below it.
    ///
    /// # Errors
    /// The log is already [`FORKS_MAX`] forks away from its game.
    fn check_room(&self, parent: &Replay) -> Result<(), Problem> {
        if parent.ancestry().len() >= FORKS_MAX {
            return Err(Problem::BadInput(format!(
                "a line is at most {FORKS_MAX} forks away from its game: fork from a line nearer to it"
            )));
        }
        self.check_count(parent.root())
    }

    /// Checks that a game may have one more line.
    ///
    /// # Errors
    /// The game already has [`LINES_MAX`] lines.
    pub(super) fn check_count(&self, root: LogId) -> Result<(), Problem> {
        if self.models().known().games.lines_len(root) < LINES_MAX {
            return Ok(());
        }
        Err(Problem::BadInput(format!("a game has at most {LINES_MAX} lines, and this one has as many")))
    }

    /// The log that a line continues, in a state that the line can branch off from.
    pub(super) fn parent(&self, fork: &Fork) -> Result<Arc<Replay>, Problem> {
        let parent = self.game(fork.game)?.replay();
        if parent.stands(fork.ply as usize, fork.seq) {
            return Ok(parent);
        }
        // The parent was taken back after the fork.
        self.past(fork.game, fork.seq)
    }

    /// A game or line as it stood after an event, with what has been revealed since.
    ///
    /// # Errors
    /// There is no such event, or the log cannot be folded.
    pub fn past(&self, id: LogId, seq: u64) -> Result<Arc<Replay>, Problem> {
        self.past_at(id, seq).map(|(replay, _)| replay)
    }

    /// The same, with the hash of that event.
    ///
    /// # Errors
    /// As for [`Service::past`].
    pub fn past_at(&self, id: LogId, seq: u64) -> Result<(Arc<Replay>, Hash), Problem> {
        let events = self.events(id, 0)?;
        let before = &events[..events.partition_point(|event| event.seq <= seq)];
        let last = before.last().ok_or_else(|| Problem::no_game(id))?;
        let hash = Hash::of_event(&last.to_bytes().map_err(Problem::internal)?);
        let folded = self.fold(before, &self.secrets(id, &events));
        let mut replay = folded.map_err(|why| self.awaited(id, why))?;
        replay.open(&revealed(&events));
        Ok((Arc::new(replay), hash))
    }

    /// The annotations of each ply of a game or line. For a ply that a line inherits, the line's own
    /// annotation, or else that of the nearest ancestor that still has the ply on its mainline.
    ///
    /// # Errors
    /// A log cannot be read.
    pub fn said(&self, game: &Replay) -> Result<BTreeMap<usize, Annotated>, Problem> {
        let mut said = BTreeMap::new();
        for fork in game.ancestry() {
            let ancestor = self.game(fork.game)?.replay();
            let seq = |replay: &Replay, ply: usize| Some(replay.mainline().get(ply.checked_sub(1)?)?.seq);
            let is_here = |ply: usize| ply <= fork.ply as usize && (ply == 0 || seq(&ancestor, ply) == seq(game, ply));
            said.extend(ancestor.annotations().filter(|(ply, _)| is_here(*ply)).map(|(ply, of)| (ply, of.clone())));
        }
        said.extend(game.annotations().map(|(ply, of)| (ply, of.clone())));
        said.retain(|_, of| of.comment.is_some() || !of.glyphs.is_empty());
        Ok(said)
    }

    /// The recorded game that a log belongs to; the log itself if it is not known.
    pub fn root(&self, id: LogId) -> LogId {
        self.models().known().games.get(id).map_or(id, |game| game.root)
    }

    /// Names or hides a line, or moves it before its siblings that leave the parent at the same ply.
    ///
    /// # Errors
    /// The log is not a line, there is nothing to change, or the name is too long.
    pub fn arrange(
        &self,
        live: &Live,
        name: Option<String>,
        hidden: Option<bool>,
        is_promoted: bool,
    ) -> Result<(), Problem> {
        let rank = if is_promoted { self.first_rank(&live.replay()) } else { None };
        let name = name.map(|name| name.trim().to_owned());
        if is_promoted && rank.is_none() && name.is_none() && hidden.is_none() && live.replay().is_line() {
            // It is already the first.
            return Ok(());
        }
        self.command(live, &[Command::Arrange(Arranged { name, hidden, rank })], None)
    }

    /// The rank that puts a line before its siblings; `None` if it is already the first.
    fn first_rank(&self, line: &Replay) -> Option<i64> {
        let fork = line.created().fork.as_ref()?;
        let known = self.models().known();
        let first =
            known.games.lines(fork.game).find(|game| game.fork.as_ref().map(|fork| fork.ply) == Some(fork.ply))?;
        (first.id != line.log()).then(|| first.standing.rank - 1)
    }
}

/// Replays the game's actions onto the line up to `ply`: public actions as they were played, unknown ones
/// as assumed. Only the line itself judges whether they are legal.
fn play_assumed(draft: &mut Draft<'_>, asked: &Replay, ply: usize, assume: Vec<String>) -> Result<(), Problem> {
    let unknown: Vec<usize> = asked.unknown().take_while(|unknown| *unknown <= ply).collect();
    if unknown.len() != assume.len() {
        return Err(what_to_assume(asked, &unknown, ply));
    }
    let mut assumed = assume.into_iter();
    for ply in draft.replay().mainline().len() + 1..=ply {
        let done = &asked.mainline()[ply - 1];
        let actor = done.actor;
        let is_unknown = unknown.contains(&ply);
        let guess = if is_unknown { assumed.next() } else { None };
        let action = guess.map_or_else(|| done.action.to_string(), |word| bare(&word, actor).to_owned());
        let act = Command::Act { actor, action: action.clone(), clock_ms: None };
        if is_unknown {
            check_sort(draft.replay(), asked, ply, &action)?;
            let refused = draft.command(act);
            refused.map_err(|why| Problem::from(why).suggesting(draft.replay().position(), actor, &action))?;
        } else {
            draft.command(act).map_err(|why| contradicted(ply, &action, why))?;
        }
    }
    Ok(())
}

/// The last ply up to which the public knows every action.
fn known_until(game: &Replay, ply: usize) -> usize {
    game.unknown().next().filter(|unknown| *unknown <= ply).map_or(ply, |unknown| unknown - 1)
}

/// An assumed action without its seat prefix.
fn bare(word: &str, actor: Actor) -> &str {
    let Actor::Seat(seat) = actor else { return word };
    word.strip_prefix(&format!("{seat}:")).unwrap_or(word)
}

/// Refuses too many or too few assumptions.
fn what_to_assume(game: &Replay, unknown: &[usize], ply: usize) -> Problem {
    if unknown.is_empty() {
        return Problem::BadInput(format!("everything up to ply {ply} is known: leave `assume` out"));
    }
    let needed: Vec<String> =
        unknown.iter().map(|ply| format!("ply {ply} ({})", game.mainline()[ply - 1].actor)).collect();
    Problem::BadInput(format!(
        "the public does not know everything up to ply {ply}: `assume` has one action for each of {}, in this order",
        needed.join(", ")
    ))
}

/// Checks that the public would see an assumed action the same way as the one that was played.
fn check_sort(line: &Replay, asked: &Replay, ply: usize, action: &str) -> Result<(), Problem> {
    let actor = asked.mainline()[ply - 1].actor;
    let Ok(judged) = line.position().judge(actor, action) else { return Ok(()) };
    let (would, did) = (line.position().shown(Viewer::Public, actor, &judged), asked.shown(ply, Viewer::Public));
    if would == did {
        return Ok(());
    }
    let seen = did.unwrap_or_else(|| "?".to_owned());
    Err(Problem::BadInput(format!(
        "ply {ply}: {actor} was seen to do {seen}, and {action} would not have looked like that"
    )))
}

/// Refuses assumptions that contradict the rest of the game.
fn contradicted(ply: usize, action: &str, why: DraftError) -> Problem {
    let why = match why {
        DraftError::Command(CommandError::Illegal { why, .. }) => why,
        DraftError::Command(other) => other.to_string(),
        other => return other.into(),
    };
    Problem::BadInput(format!("ply {ply}: {action} was played, and after what you assume it could not be: {why}"))
}

/// Checks words for number and length, without judging them.
fn check_words(name: &str, words: &[String]) -> Result<(), Problem> {
    if words.len() > ACTIONS_MAX {
        return Err(Problem::BadInput(format!("`{name}` has at most {ACTIONS_MAX} actions")));
    }
    if words.iter().any(|word| word.len() > ACTION_CHARS_MAX) {
        return Err(Problem::BadInput(format!("an action has at most {ACTION_CHARS_MAX} characters")));
    }
    Ok(())
}
