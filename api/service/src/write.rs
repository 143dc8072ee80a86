//! Writing: every change to a game goes through here.

use std::sync::{Arc, PoisonError};

use plybook_events::body::{Created, GameHead, Rolls, SeatEntry, Seed};
use plybook_events::{
    Hash, LogId, Played, Signature, Statement, Timestamp, Who, canonical, is_unprintable, unprintable_in_lines,
};
use plybook_rules::log::{self, Command, FinishedDraft, NAME_CHARS_MAX, Replay, Source};
use plybook_rules::setup::PLAYERS;
use plybook_rules::{Rules, kind};
use plybook_store::{Append, AppendError, Head, Vault};
use serde_json::{Map, Value};

use super::context::Context;
use super::game::{Live, State};
use super::tournaments::LiveTournament;
use super::{ImportSource, Service};
use crate::clock;
use crate::error::Problem;

/// A game to create.
#[derive(Clone, Debug, Default)]
pub struct NewGame {
    /// The kind of game.
    pub kind: String,
    /// The setup; missing members are filled in or drawn.
    pub setup: Option<Value>,
    /// The complete position to start from, if one is set up.
    pub position: Option<Value>,
    /// The seats; index 0 is seat 1.
    pub seats: Vec<NewSeat>,
    /// The tournament it belongs to.
    pub tournament: Option<LogId>,
    /// The round, from 1.
    pub round: Option<u32>,
    /// The table, from 1.
    pub table: Option<u32>,
    /// When it was played, if not now.
    pub played: Option<Played>,
    /// Whether it is excluded from ratings.
    pub is_unrated: bool,
    /// Further tags to find the game by.
    pub tags: Map<String, Value>,
    /// Whether secret submissions are recorded openly, as for a game that is recorded afterwards.
    pub is_open: bool,
    /// Whether everything that a person does in it is signed. Games of a tournament that demands it are, too.
    pub is_signed: bool,
    /// Where its rolls come from; `None` if each roll says so.
    pub rolls: Option<Rolls>,
}

/// Who sits in a seat: a registered player, or somebody known only by name.
#[derive(Clone, Debug, Default)]
pub struct NewSeat {
    /// The player's id.
    pub player: Option<LogId>,
    /// The name (default: the player's own, or else `Seat N`).
    pub name: Option<String>,
}

/// The [`Source`] of a log in this service: times from the clock, random salts, secrets from the vault.
pub struct LogSource<'a> {
    at: Timestamp,
    log: LogId,
    context: Context,
    vault: &'a Vault,
}

impl Source for LogSource<'_> {
    fn at(&mut self, _seq: u64) -> Timestamp {
        self.at
    }

    fn salt(&mut self, _seq: u64) -> Hash {
        self.context.signing.salt.take().unwrap_or_else(clock::random)
    }

    fn kept(&self, key: &str) -> Option<Vec<u8>> {
        self.vault.get(self.log, key).map(|kept| kept.to_vec())
    }

    fn who(&self) -> Option<Who> {
        self.context.who
    }

    fn signature(&mut self, _statement: &Statement) -> Option<Signature> {
        self.context.signing.signature.take()
    }
}

/// A draft of a log in this service.
pub type Draft<'a> = log::Draft<LogSource<'a>>;

/// The most characters of a tag with a fixed name.
const TAG_CHARS: usize = 200;

/// Checks the tags that have fixed names: `started`, when the game began, `place`, where it was played, and `arbiter`,
/// who was responsible. Others may hold anything.
fn check_tags(tags: &Map<String, Value>) -> Result<(), Problem> {
    if let Some((name, c)) = tags.iter().find_map(|(name, value)| Some((name, unprintable_in(value)?))) {
        return Err(Problem::BadInput(format!(
            "the tag `{name}` has a character that cannot be printed ({}): leave it out",
            c.escape_unicode()
        )));
    }
    if let Some(name) = tags.keys().find(|name| name.is_empty() || name.contains('=')) {
        return Err(Problem::BadInput(format!(
            "the tag {name:?} could not be searched for: a name is not empty and has no ="
        )));
    }
    for name in ["started", "place", "arbiter"] {
        let Some(value) = tags.get(name) else { continue };
        let text = value.as_str().filter(|text| !text.trim().is_empty() && text.chars().count() <= TAG_CHARS);
        let Some(text) = text else {
            return Err(Problem::BadInput(format!("the tag `{name}` is a text of 1 to {TAG_CHARS} characters")));
        };
        if name == "started" && Played::parse_lenient(text).is_err() {
            return Err(Problem::BadInput(format!(
                "the tag `started` is a day such as 2026-11-20 or a time such as 2026-11-20T19:30:00Z, not {text:?}"
            )));
        }
    }
    Ok(())
}

/// The first character in the texts of a value that cannot be printed.
fn unprintable_in(value: &Value) -> Option<char> {
    match value {
        Value::String(text) => unprintable_in_lines(text),
        Value::Array(values) => values.iter().find_map(unprintable_in),
        Value::Object(members) => members.values().find_map(unprintable_in),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

impl Service {
    /// Creates a game.
    ///
    /// # Errors
    /// The kind is unknown, the setup is invalid, the number of seats is wrong, two seats cannot be told apart, or
    /// nothing can be written.
    pub fn create_game(&self, new: &NewGame) -> Result<Arc<Live>, Problem> {
        check_names(&self.seat_entries(&new.seats)?)?;
        let setup = seated(find_kind(&new.kind)?, new.setup.as_ref(), new.seats.len())?;
        self.create_played(&NewGame { setup, ..new.clone() }, Vec::new(), None)
    }

    /// Creates a game and carries out commands in it. Either all of it is written, or nothing. A game that is imported
    /// is marked with its source.
    ///
    /// # Errors
    /// As for [`Service::create_game`] and [`Service::command`].
    pub(super) fn create_played(
        &self,
        new: &NewGame,
        commands: Vec<Command>,
        imported: Option<&ImportSource>,
    ) -> Result<Arc<Live>, Problem> {
        find_kind(&new.kind)?;
        canonical::to_bytes(&Value::Object(new.tags.clone()))
            .map_err(|why| Problem::BadInput(format!("`tags`: {why}")))?;
        check_tags(&new.tags)?;
        if new.played.is_some_and(|played| played.is_after(self.clock().now())) {
            return Err(Problem::BadInput("`played` lies in the future".to_owned()));
        }
        let tournament = new.tournament.filter(|id| self.is_tournament(*id)).and_then(|id| self.tournament(id).ok());
        let settings = tournament.map(|live| live.tournament().settings.clone());
        let created = Created {
            kind: new.kind.clone(),
            setup: new.setup.clone().unwrap_or_default(),
            position: new.position.clone().map(Box::new),
            seats: self.seat_entries(&new.seats)?,
            tournament: new.tournament,
            round: new.round,
            table: new.table,
            played: new.played,
            unrated: new.is_unrated,
            tags: new.tags.clone(),
            open: new.is_open,
            signed: new.is_signed || settings.as_ref().is_some_and(|settings| settings.signed),
            rolls: new.rolls.or_else(|| settings.as_ref()?.rolls),
            ..Created::default()
        };
        let id = clock::new_id();
        let mut draft = Draft::create(self.source_of(id), id, created, &new_seed())?;
        if imported.is_none() && !new.is_open {
            draft.start_clock()?;
        }
        for command in commands {
            draft.command(command)?;
        }
        match new.tournament {
            Some(tournament) => self.create_in_tournament(tournament, new, id, draft)?,
            None => {
                self.write_new(draft, imported)?;
            }
        }
        self.game(id)
    }

    /// The source for drafts of a log, with the time fixed at this moment.
    pub(super) fn source_of(&self, log: LogId) -> LogSource<'_> {
        LogSource { at: self.clock().now(), log, context: self.context, vault: self.store.vault() }
    }

    /// Carries out commands in order, all or none. `expected` is the seq of the last event that the caller
    /// knows.
    ///
    /// # Errors
    /// A command is refused, and nothing was written.
    pub fn command(&self, live: &Live, commands: &[Command], expected: Option<u64>) -> Result<(), Problem> {
        self.change(live, expected, |draft| {
            Ok(commands.iter().try_for_each(|command| draft.command(command.clone()))?)
        })
    }

    /// Rolls what the position awaits, from the game's own seed.
    ///
    /// # Errors
    /// No roll is awaited, or the seed is already public.
    pub fn roll(&self, live: &Live, expected: Option<u64>) -> Result<(), Problem> {
        self.change(live, expected, |draft| Ok(draft.roll()?))
    }

    /// Drafts a change and writes it, all or nothing. If another writer got in first, the change is drafted
    /// once more. `expected` is compared before anything is drafted.
    ///
    /// # Errors
    /// [`Problem::LogConflict`] if the last event is not `expected`, any error of `change`, or nothing can be written.
    pub fn change(
        &self,
        live: &Live,
        expected: Option<u64>,
        change: impl Fn(&mut Draft<'_>) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let _writing = live.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = live.state();
        let mut is_second = false;
        loop {
            let head = state.folded.events() - 1;
            if expected.is_some_and(|expected| expected != head) {
                return Err(Problem::LogConflict { head });
            }
            let desk = self.source_of(state.folded.log());
            let mut draft = Draft::resume(desk, (*state.folded).clone(), state.head.hash());
            change(&mut draft).map_err(|why| self.awaited(state.folded.log(), why))?;
            match self.write(Some(&state.head), draft) {
                Ok(later) => {
                    live.advance(later);
                    return Ok(());
                }
                Err(Problem::LogConflict { .. }) if !is_second => {
                    is_second = true;
                    self.catch_up(live)?;
                    state = live.state();
                }
                Err(why) => return Err(why),
            }
        }
    }

    /// Writes a draft after the head that it was made for, together with its consequences for the game's
    /// tournament. The openings of its commitments go to the vault first.
    pub(super) fn write(&self, head: Option<&Head>, draft: Draft<'_>) -> Result<State, Problem> {
        let FinishedDraft { replay, mut events, kept } = draft.finish();
        self.note_request(&mut events)?;
        let log = replay.log();
        for (key, value) in &kept {
            self.store.vault().put(log, key, value)?;
        }
        let tournament = self.tournament_of(&replay);
        let game = Append { log, expected: head.copied(), events };
        let head = match (&tournament, game.events.last()) {
            (Some(tournament), Some(last)) => {
                let last = GameHead { game: log, seq: replay.events() - 1, hash: Hash::of_event(last) };
                self.append_feeding(tournament, &replay, last, game)?
            }
            _ => self.append_noted(&[game])?[0].head,
        };
        Ok(State::new(replay, head))
    }

    /// Writes a new game that belongs to no tournament, marked if it is imported.
    fn write_new(&self, draft: Draft<'_>, imported: Option<&ImportSource>) -> Result<(), Problem> {
        let Some(source) = imported else { return self.write(None, draft).map(drop) };
        let FinishedDraft { replay, events, kept } = draft.finish();
        let log = replay.log();
        for (key, value) in &kept {
            self.store.vault().put(log, key, value)?;
        }
        let mark = self.mark(log, 0, &events, source)?;
        self.append(mark.log, vec![mark, Append { log, expected: None, events }])?;
        Ok(())
    }

    /// Appends to a game and to its tournament, all or none.
    fn append_feeding(
        &self,
        tournament: &LiveTournament,
        replay: &Replay,
        last: GameHead,
        game: Append,
    ) -> Result<Head, Problem> {
        let mut appends = vec![game];
        loop {
            appends.truncate(1);
            let feeding = self.feed(tournament, replay, last)?;
            appends.extend(feeding.as_ref().map(|feeding| feeding.append.clone()));
            match self.append_noted(&appends) {
                Ok(appended) => {
                    if let (Some(feeding), Some(told)) = (feeding, appended.get(1)) {
                        feeding.written(told.head);
                    }
                    return Ok(appended[0].head);
                }
                // Another process has written to the tournament, so the consequences are worked out again.
                Err(AppendError::Conflict { log, .. }) if Some(log) == replay.created().tournament => {}
                Err(why) => return Err(why.into()),
            }
        }
    }

    fn seat_entries(&self, seats: &[NewSeat]) -> Result<Vec<SeatEntry>, Problem> {
        let known = self.models().known();
        let mut seated: Vec<(LogId, usize)> = Vec::new();
        let entry = |(index, seat): (usize, &NewSeat)| {
            let player = match seat.player {
                None => None,
                Some(id) => {
                    let player = known.players.get(id);
                    Some(player.ok_or_else(|| Problem::NotFound(format!("there is no player {id}")))?)
                }
            };
            let name = match (&seat.name, player) {
                (Some(name), _) => check_name(name)?,
                (None, Some(player)) => player.profile.name.clone(),
                (None, None) => format!("Seat {}", index + 1),
            };
            if let Some(id) = seat.player.map(|id| known.players.survivor(id)) {
                if let Some((_, first)) = seated.iter().find(|(other, _)| *other == id) {
                    let (first, second) = (first + 1, index + 1);
                    return Err(Problem::BadInput(format!(
                        "`seats`: {name} sits in seat {first} and in seat {second}"
                    )));
                }
                seated.push((id, index));
            }
            Ok(SeatEntry { name, player: seat.player })
        };
        seats.iter().enumerate().map(entry).collect()
    }
}

/// The setup for so many seats: the one given, or the same with the member that says how many there are, if it
/// leaves that out.
///
/// # Errors
/// The setup is for another number of seats; the text says which member changes it.
fn seated(rules: &dyn Rules, setup: Option<&Value>, seats: usize) -> Result<Option<Value>, Problem> {
    let given = setup.filter(|setup| !setup.is_null()).cloned().unwrap_or_else(|| Value::Object(Map::new()));
    let members = given.as_object().cloned();
    // What is wrong with a setup is said when the game is begun.
    let (Some(members), Some(wanted)) = (members, seats_of(rules, &given)) else { return Ok(setup.cloned()) };
    if usize::from(wanted) == seats {
        return Ok(setup.cloned());
    }
    match u8::try_from(seats).ok().and_then(|seats| with_seats(rules, &members, seats)) {
        Some(setup) if !members.contains_key(PLAYERS) => Ok(Some(setup)),
        Some(_) => Err(Problem::BadInput(format!(
            "`seats`: {seats} are named, and `setup.{PLAYERS}` is {}: make them equal",
            members[PLAYERS]
        ))),
        None => Ok(setup.cloned()),
    }
}

/// The number of seats of a setup, if it is one.
fn seats_of(rules: &dyn Rules, setup: &Value) -> Option<u8> {
    Some(rules.start(&rules.complete(setup, &mut |_| 0).ok()?).ok()?.seats())
}

/// The setup for so many seats, if the kind can be played with them: the one given, or the same with that number of players.
pub(super) fn with_seats(rules: &dyn Rules, setup: &Map<String, Value>, seats: u8) -> Option<Value> {
    let mut other = setup.clone();
    other.insert(PLAYERS.to_owned(), seats.into());
    [Value::Object(setup.clone()), Value::Object(other)].into_iter().find(|setup| seats_of(rules, setup) == Some(seats))
}

/// Checks that nobody who is known only by name has the name of another seat: nobody could say who is who.
///
/// # Errors
/// Two seats have the same name.
fn check_names(seats: &[SeatEntry]) -> Result<(), Problem> {
    for (index, seat) in seats.iter().enumerate() {
        let is_same = |other: &SeatEntry| {
            let is_unknown = other.player.is_none() || seat.player.is_none();
            is_unknown && other.name.to_lowercase() == seat.name.to_lowercase()
        };
        if let Some(first) = seats[..index].iter().position(is_same) {
            let (name, first, second) = (&seat.name, first + 1, index + 1);
            return Err(Problem::BadInput(format!(
                "`seats`: seat {first} and seat {second} are both called {name:?}: give one another `name`"
            )));
        }
    }
    Ok(())
}

/// Draws a seed for the dice of a new log.
pub(super) fn new_seed() -> Seed {
    Seed { seed: clock::random(), salt: clock::random() }
}

/// The rules of a kind.
///
/// # Errors
/// There is no such kind; the text lists those there are.
pub fn find_kind(name: &str) -> Result<&'static dyn Rules, Problem> {
    kind(name).ok_or_else(|| Problem::no_kind(name))
}

pub fn check_name(name: &str) -> Result<String, Problem> {
    let name = name.trim();
    let chars = name.chars().count();
    if chars == 0 || chars > NAME_CHARS_MAX || name.chars().any(is_unprintable) {
        return Err(Problem::BadInput(format!("a name has 1 to {NAME_CHARS_MAX} printable characters")));
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_players_says_how_many_seats_there_are() {
        let seated = |id: &str, seats| with_seats(kind(id).expect("a kind"), &Map::new(), seats);
        // `first` can be 2 as well.
        assert_eq!(seated("triangulate", 2), Some(json!({})));
        assert_eq!(seated("triangulate", 3), None);
        assert_eq!(seated("triforce", 4), Some(json!({ "players": 4 })));
    }
}
