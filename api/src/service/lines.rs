//! Lines of analysis: how they fork, and how they are arranged.

use std::collections::BTreeMap;
use std::sync::Arc;

use plybook_events::body::{Annotated, Arranged, Created, Fork, SeatEntry, Seed};
use plybook_events::{Body, By, Event, Hash, LogId, fair};
use plybook_rules::log::{Command, Refused, begun, decide};
use plybook_rules::log::{FORKS_MAX, Replay, Secrets, revealed};
use plybook_rules::playthrough::{WordError, split_word};
use plybook_rules::{Actor, Viewer};

use super::write::{Draft, check_name, seed_kept};
use super::{Live, Service};
use crate::clock;
use crate::error::Problem;

/// The most lines of one game, lines of lines included.
pub const LINES_MAX: usize = 10_000;

/// The most actions that a line begins with.
const ACTIONS_MAX: usize = 5_000;

/// The most characters of an action.
const ACTION_CHARS_MAX: usize = 4_000;

/// A line to begin.
#[derive(Clone, Debug)]
pub struct NewLine {
    /// The game or line that it leaves.
    pub game: LogId,
    /// Where it leaves it.
    pub ply: usize,
    /// What is played on it at once: actions as words, `SEAT:token` where several are to act.
    pub actions: Vec<String>,
    /// Its name.
    pub name: Option<String>,
    /// What is taken to have been played in secret, in order: one action for each that the public
    /// does not know up to `ply`.
    pub assume: Vec<String>,
    /// The player who keeps it.
    pub owner: Option<LogId>,
}

impl Service {
    /// Begins a line: a log of its own that goes on from a ply of a game or of another line. All of
    /// it is written, or nothing. Costs a copy of the list of plies before, and the actions played.
    ///
    /// Of a running game with secrets it uses what everybody knows and nothing else, whoever asks:
    /// where the public does not know what was played, the line begins before that, and what is
    /// assumed is played on it.
    ///
    /// # Errors
    /// There is no such ply, something that is needed is not assumed, an action is not legal after
    /// what is assumed, or there are too many lines already.
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
        let mut draft = self.begin_line(&asked, known_until(&asked, new.ply), name, new.owner)?;
        self.assume(&mut draft, &asked, new.ply, new.assume)?;
        for word in new.actions {
            let ply = draft.replay.mainline().len() + 1;
            let (actor, token) = split_word(draft.replay.position(), &word).map_err(|why| match why {
                WordError::WhoseTurn(_) => Problem::BadInput(format!("ply {ply}: {why}")),
                WordError::Action(_) => Problem::GameOver,
            })?;
            let act = Command::Act { actor, token: token.to_owned(), clock_ms: None };
            self.carry_out(&mut draft, act).map_err(|why| why.suggesting(draft.replay.position(), actor, token))?;
        }
        let id = draft.replay.log();
        self.write(None, draft)?;
        self.game(id)
    }

    /// The first event of a line that leaves a game at a ply, which the public knows.
    fn begin_line(
        &self,
        asked: &Replay,
        ply: usize,
        name: Option<String>,
        owner: Option<LogId>,
    ) -> Result<Draft, Problem> {
        let (game, seq) = (asked.owner(ply), ply.checked_sub(1).map_or(0, |index| asked.mainline()[index].seq));
        let found = self.log().read(game, seq)?;
        let hash = Hash::of_event(found.first().ok_or_else(|| Problem::no_game(game))?);
        let fork = Fork { game, ply: u32::try_from(ply).map_err(Problem::internal)?, seq, hash };
        let other = if game == asked.log() { None } else { Some(self.parent(&fork)?) };
        let parent = other.as_deref().unwrap_or(asked);
        self.check_room(parent)?;
        let about = parent.rules().about();
        let (id, seed) = (clock::new_id(), Seed { seed: clock::random(), salt: clock::random() });
        let created = Created {
            kind: about.kind.to_owned(),
            rules: about.version.to_owned(),
            setup: parent.setup().clone(),
            seats: parent.created().seats.iter().map(nobody).collect(),
            tournament: None,
            round: None,
            table: None,
            tags: serde_json::Map::new(),
            fairness: about.chance.then(|| fair::commitment(id, &seed)),
            sealed_setup: None,
            open: about.secrets,
            fork: Some(fork),
            name,
            owner,
        };
        let kept = if created.fairness.is_some() { seed_kept(&seed) } else { BTreeMap::new() };
        let at = self.clock().now().max(parent.created_at());
        let event = Event { at, by: By::Service, log: id, prev: hash, seq: 0, body: Body::Created(created) };
        let bytes = event.to_bytes().map_err(|why| Problem::BadInput(why.to_string()))?;
        let replay = parent.branch(&event, hash)?;
        let ended = begun(&replay);
        let prev = Hash::of_event(&bytes);
        let mut draft = Draft { at, replay, prev, events: vec![bytes], secrets: Secrets::new(), kept };
        self.add_all(&mut draft, ended)?;
        Ok(draft)
    }

    /// # Errors
    /// No further line can fork from a game or line.
    fn check_room(&self, parent: &Replay) -> Result<(), Problem> {
        if parent.ancestry().len() >= FORKS_MAX {
            return Err(Problem::BadInput(format!(
                "a line is at most {FORKS_MAX} forks away from its game: fork from a line nearer to it"
            )));
        }
        self.check_count(parent.root())
    }

    /// # Errors
    /// A game has as many lines as it may have.
    pub(super) fn check_count(&self, root: LogId) -> Result<(), Problem> {
        if self.models().known().games.lines_len(root) < LINES_MAX {
            return Ok(());
        }
        Err(Problem::BadInput(format!("a game has at most {LINES_MAX} lines, and this one has as many")))
    }

    /// Plays on a line what a game was played on to a ply: what is public as it was, what the public
    /// does not know as it is assumed. Whether that is legal is asked of the line alone.
    fn assume(&self, draft: &mut Draft, asked: &Replay, ply: usize, assume: Vec<String>) -> Result<(), Problem> {
        let unknown: Vec<usize> = asked.unknown().take_while(|unknown| *unknown <= ply).collect();
        if unknown.len() != assume.len() {
            return Err(what_to_assume(asked, &unknown, ply));
        }
        let mut assumed = assume.into_iter();
        for ply in draft.replay.mainline().len() + 1..=ply {
            let done = &asked.mainline()[ply - 1];
            let actor = done.actor;
            let is_unknown = unknown.contains(&ply);
            let guess = if is_unknown { assumed.next() } else { None };
            let token = guess.map_or_else(|| done.token.to_string(), |word| bare(&word, actor).to_owned());
            let act = Command::Act { actor, token: token.clone(), clock_ms: None };
            if is_unknown {
                check_sort(&draft.replay, asked, ply, &token)?;
                self.carry_out(draft, act).map_err(|why| why.suggesting(draft.replay.position(), actor, &token))?;
            } else {
                let decided = decide(&draft.replay, act).map_err(|why| contradicted(ply, &token, &why))?;
                self.add_all(draft, decided)?;
            }
        }
        Ok(())
    }

    /// The log that a line continues, in a state in which the line can branch off.
    pub(super) fn parent(&self, fork: &Fork) -> Result<Arc<Replay>, Problem> {
        let parent = self.game(fork.game)?.replay();
        if parent.stands(fork.ply as usize, fork.seq) {
            return Ok(parent);
        }
        // It was taken back since.
        let events = self.events(fork.game, 0)?;
        let before = events.iter().take_while(|event| event.seq <= fork.seq);
        let mut replay = self.fold(before, &self.secrets(fork.game, &events))?;
        replay.open(&revealed(&events));
        Ok(Arc::new(replay))
    }

    /// What is said of each ply of a game or line: by the log itself, or else, of a ply that a line
    /// continues, by the nearest ancestor on whose mainline it still is.
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

    /// The recorded game that a log belongs to; itself where it is not known.
    pub fn root(&self, id: LogId) -> LogId {
        self.models().known().games.get(id).map_or(id, |game| game.root)
    }

    /// Names or hides a line, or puts it before those that leave its parent at the same ply.
    ///
    /// # Errors
    /// It is no line, nothing is to be done, or the name is too long.
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
            // It is the first already.
            return Ok(());
        }
        self.command(live, vec![Command::Arrange(Arranged { name, hidden, rank })], None)
    }

    /// The rank that puts a line before its siblings; nothing where it is the first.
    fn first_rank(&self, line: &Replay) -> Option<i64> {
        let fork = line.created().fork.as_ref()?;
        let known = self.models().known();
        let first =
            known.games.lines(fork.game).find(|game| game.fork.as_ref().map(|fork| fork.ply) == Some(fork.ply))?;
        (first.id != line.log()).then(|| first.rank - 1)
    }
}

/// What a seat's entry says on a line, which is nobody's game.
fn nobody(entry: &SeatEntry) -> SeatEntry {
    SeatEntry { name: entry.name.clone(), player: None }
}

/// The last ply up to which the public knows everything that was played.
fn known_until(game: &Replay, ply: usize) -> usize {
    game.unknown().next().filter(|unknown| *unknown <= ply).map_or(ply, |unknown| unknown - 1)
}

/// An assumed action without the seat in front.
fn bare(word: &str, actor: Actor) -> &str {
    let Actor::Seat(seat) = actor else { return word };
    word.strip_prefix(&format!("{seat}:")).unwrap_or(word)
}

/// The refusal of assumptions that are too many or too few.
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

/// Whether an assumed action shows to the public as what was done shows to it.
fn check_sort(line: &Replay, asked: &Replay, ply: usize, token: &str) -> Result<(), Problem> {
    let actor = asked.mainline()[ply - 1].actor;
    let Ok(judged) = line.position().judge(actor, token) else { return Ok(()) };
    let (would, did) = (line.position().shown(Viewer::Public, actor, &judged), asked.shown(ply, Viewer::Public));
    if would == did {
        return Ok(());
    }
    let seen = did.unwrap_or_else(|| "?".to_owned());
    Err(Problem::BadInput(format!(
        "ply {ply}: {actor} was seen to do {seen}, and {token} would not have looked like that"
    )))
}

/// The refusal of assumptions that the rest of the game contradicts.
fn contradicted(ply: usize, token: &str, why: &Refused) -> Problem {
    let why = match why {
        Refused::Illegal { why, .. } => why.clone(),
        other => other.to_string(),
    };
    Problem::BadInput(format!("ply {ply}: {token} was played, and after what you assume it could not be: {why}"))
}

/// What can be said against words without judging them.
fn check_words(name: &str, words: &[String]) -> Result<(), Problem> {
    if words.len() > ACTIONS_MAX {
        return Err(Problem::BadInput(format!("`{name}` has at most {ACTIONS_MAX} actions")));
    }
    if words.iter().any(|word| word.len() > ACTION_CHARS_MAX) {
        return Err(Problem::BadInput(format!("an action has at most {ACTION_CHARS_MAX} characters")));
    }
    Ok(())
}
