//! The ratings, as queries use them, and the thread that maintains them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use plybook_events::LogId;
use plybook_rules::log::Status;
use plybook_store::{Log, Store};

use super::game::{Form, RatedGame, over_ms};
use super::skill::Skill;
use super::timeline::{Average, Timeline};
use crate::catalogue::{Catalogue, Contents, Summary};
use crate::error::ModelError;
use crate::snapshot::SnapshotFile;
use crate::watermark::Watermark;

/// How long a query waits for events that were recorded before it.
const WAIT: Duration = Duration::from_secs(5);

/// The most events applied at once.
const BATCH: usize = 65_536;

/// How many games are looked at while the catalogue is locked.
const AT_ONCE: u32 = 1024;

/// The folder of the snapshot, and the version of what is in it and of how games are rated.
pub(super) const FOLDER: &str = "ratings";
pub(super) const VERSION: &str = "v1";

/// About how many bytes a game takes in the snapshot.
const GAME_BYTES: u64 = 128;

/// After how many events the ratings are saved; also at the end.
const SAVED_EVENTS: u64 = 1 << 18;

/// The ratings of all players.
pub struct Ratings {
    follower: Arc<Follower>,
    thread: Option<JoinHandle<()>>,
}

/// A player in a list of ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedPlayer {
    /// The player.
    pub player: LogId,
    /// Their skill.
    pub form: Form,
}

/// A point of a player's curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// When the game ended, in milliseconds since 1970.
    pub at_ms: i64,
    /// The game.
    pub game: LogId,
    /// The skill after it.
    pub skill: Skill,
}

struct Follower {
    log: Log,
    catalogue: Arc<Catalogue>,
    kinds: RwLock<BTreeMap<String, Timeline>>,
    watermark: Watermark,
    /// `None` if nothing is kept for the next start.
    snapshot: Option<SnapshotFile>,
}

/// Games of one kind whose rating may have changed.
type Changes = BTreeMap<String, Vec<(LogId, Option<RatedGame>)>>;

impl Ratings {
    /// Starts the thread that rates all games and follows the journal.
    ///
    /// # Errors
    /// The folder of the saved ratings cannot be made.
    pub fn open(store: &Store, catalogue: &Arc<Catalogue>) -> Result<Self, ModelError> {
        let (log, catalogue) = (store.log().clone(), Arc::clone(catalogue));
        let snapshot = SnapshotFile::open(store, FOLDER, VERSION.to_owned())?;
        let watermark = Watermark::new(&log);
        let follower = Arc::new(Follower { log, catalogue, kinds: RwLock::default(), watermark, snapshot });
        let running = Arc::clone(&follower);
        let thread = thread::spawn(move || running.run());
        Ok(Self { follower, thread: Some(thread) })
    }

    /// Waits until every event recorded so far is applied, or five seconds have passed. Must not be called
    /// while the catalogue is locked.
    pub fn wait(&self) {
        self.follower.watermark.wait(WAIT);
    }

    /// How many recorded events have not been applied.
    pub fn pending(&self) -> u64 {
        self.follower.watermark.pending()
    }

    /// The rating of a player in a kind; `None` without rated games.
    pub fn of(&self, kind: &str, player: LogId) -> Option<Form> {
        self.ask().get(kind)?.form(player)
    }

    /// The rating that a player had before a game, with the deviation at that moment; `None` without earlier
    /// rated games.
    pub fn before(&self, game: &Summary, player: LogId) -> Option<Form> {
        self.ask().get(&game.kind)?.form_before(player, (over_ms(game), game.id))
    }

    /// The curve of a player in a kind: the newest rated games, at most this many, oldest first.
    pub fn history(&self, kind: &str, player: LogId, last: usize) -> Vec<Point> {
        let kinds = self.ask();
        let history = kinds.get(kind).map(|timeline| timeline.history(player, last)).unwrap_or_default();
        history.into_iter().map(|((at_ms, game), skill)| Point { at_ms, game, skill }).collect()
    }

    /// All players with rated games of a kind, best first.
    pub fn ranking(&self, kind: &str) -> Vec<RankedPlayer> {
        let kinds = self.ask();
        let players = kinds.get(kind).into_iter().flat_map(Timeline::players);
        let mut ranking: Vec<RankedPlayer> = players.map(|(player, form)| RankedPlayer { player, form }).collect();
        ranking.sort_by(|one, other| {
            other.form.skill.value.total_cmp(&one.form.skill.value).then_with(|| one.player.cmp(&other.player))
        });
        ranking
    }

    /// What each of these players can expect from a game at a time, in milliseconds since 1970: with two
    /// players, the score; with more, the probability of winning. The values add up to 1.
    pub fn expected(&self, kind: &str, players: &[LogId], now_ms: i64) -> Vec<f64> {
        let kinds = self.ask();
        match kinds.get(kind) {
            Some(timeline) => timeline.expected(players, now_ms),
            None => vec![1.0 / players.len().max(1) as f64; players.len()],
        }
    }

    fn ask(&self) -> RwLockReadGuard<'_, BTreeMap<String, Timeline>> {
        self.wait();
        self.follower.kinds.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Ratings {
    fn drop(&mut self) {
        self.follower.watermark.stop();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the ratings ended in a panic");
        }
    }
}

impl Follower {
    fn run(&self) {
        let mut saved = self.load();
        if let Err(why) = self.watermark.keep_on("ratings", || self.follow(&mut saved)) {
            tracing::error!(%why, "ratings have stopped: {}", why.advice());
            self.watermark.give_up();
        }
    }

    /// Follows the journal; `saved` is the position up to which the ratings are saved.
    fn follow(&self, saved: &mut u64) -> Result<(), ModelError> {
        while let Some(events) = self.watermark.next(&self.catalogue) {
            if events.start >= *saved + SAVED_EVENTS {
                *saved = self.save(events.start);
            }
            let entries = self.log.entries(events.start, BATCH)?;
            let logs: BTreeSet<LogId> =
                entries.iter().filter(|entry| entry.position < events.end).map(|entry| entry.log).collect();
            let end = entries.last().map_or(events.start, |last| (last.position + 1).min(events.end));
            let changes = changes_of(&self.catalogue.known(), &logs);
            self.apply(changes);
            self.watermark.reach(end);
        }
        let end = self.watermark.position();
        if end > *saved {
            self.save(end);
        }
        Ok(())
    }

    /// Loads the ratings, or rates all games; returns the position of the journal that is saved.
    fn load(&self) -> u64 {
        let saved = self.snapshot.as_ref().and_then(SnapshotFile::read::<BTreeMap<String, Timeline>>);
        let Some((kinds, position)) = saved.filter(|(_, position)| *position <= self.catalogue.known().position) else {
            self.rate_all();
            return self.save(self.watermark.position());
        };
        let names: Vec<String> = kinds.keys().cloned().collect();
        let kinds = kinds.into_iter().map(|(name, timeline)| (name, timeline.indexed())).collect();
        *self.kinds.write().unwrap_or_else(PoisonError::into_inner) = kinds;
        for name in &names {
            self.tell_averages(name);
        }
        self.watermark.reach(position);
        position
    }

    /// Rates all games that are over, a kind at a time, so that those of one are in memory, and a few games at a time, so that
    /// nobody waits for all of them. What changes meanwhile is rated again.
    fn rate_all(&self) {
        let position = self.catalogue.known().position;
        let names: Vec<String> = self.catalogue.known().games.rows().kinds().map(str::to_owned).collect();
        for name in names {
            let (mut changes, mut from) = (Changes::new(), 0);
            loop {
                let known = self.catalogue.known();
                let rows = known.games.rows().of(&name);
                let some = from..(rows.len() as u32).min(from + AT_ONCE);
                if some.is_empty() || self.watermark.is_over() {
                    break;
                }
                from = some.end;
                let over = some.filter(|number| rows.status(*number) == Status::Finished);
                over.filter_map(|number| known.games.get(rows.id(number))).for_each(|game| add(&mut changes, &game));
            }
            if self.watermark.is_over() {
                return;
            }
            self.apply(changes);
        }
        self.watermark.reach(position);
    }

    /// Gives the catalogue the averages of games of a kind that it has otherwise.
    fn tell_averages(&self, name: &str) {
        let mut from = 0;
        loop {
            let others: Vec<Average> = {
                let known = self.catalogue.known();
                let rows = known.games.rows().of(name);
                let kinds = self.kinds.read().unwrap_or_else(PoisonError::into_inner);
                let some = from..(rows.len() as u32).min(from + AT_ONCE);
                if some.is_empty() {
                    return;
                }
                from = some.end;
                let averages = some.map(|number| (number, kinds[name].average(rows.id(number))));
                averages
                    .filter(|(number, average)| rows.rating(*number) != *average)
                    .map(|(number, average)| (rows.id(number), average))
                    .collect()
            };
            if !others.is_empty() {
                self.catalogue.set_ratings(&others);
            }
        }
    }

    /// Saves the ratings, and returns the position of the journal; if the disk refuses, that comes later.
    fn save(&self, position: u64) -> u64 {
        if let Some(snapshot) = self.snapshot.as_ref().filter(|_| position > 0) {
            let bytes = self.catalogue.known().games.len() as u64 * GAME_BYTES;
            let kinds = self.kinds.read().unwrap_or_else(PoisonError::into_inner);
            if let Err(why) = snapshot.write(position, bytes, &*kinds) {
                tracing::warn!(%why, "the ratings are not saved");
            }
        }
        position
    }

    /// Rates what has changed, and then gives the catalogue the averages of games, a few thousand at a time,
    /// so that writers need not wait for all of them.
    fn apply(&self, changes: Changes) {
        let mut averages: Vec<Average> = Vec::new();
        {
            let mut kinds = self.kinds.write().unwrap_or_else(PoisonError::into_inner);
            for (name, changes) in changes {
                let none = Timeline::of_kind(&name);
                averages.extend(kinds.entry(name).or_insert(none).update(changes));
            }
        }
        averages.chunks(4096).for_each(|chunk| self.catalogue.set_ratings(chunk));
    }
}

/// The games that these logs concern: the games among them, and all games of players who may have been
/// merged.
fn changes_of(known: &Contents, logs: &BTreeSet<LogId>) -> Changes {
    let mut changes = Changes::new();
    for log in logs {
        if let Some(game) = known.games.get(*log) {
            add(&mut changes, &game);
        } else if known.players.get(*log).is_some() {
            known.games.of_player(known.players.survivor(*log)).for_each(|game| add(&mut changes, &game));
            known.games.of_player(*log).for_each(|game| add(&mut changes, &game));
        }
    }
    changes
}

fn add(changes: &mut Changes, game: &Summary) {
    if game.fork.is_some() {
        return;
    }
    let rated = RatedGame::of(game);
    match changes.get_mut(&game.kind) {
        Some(games) => games.push((game.id, rated)),
        None => drop(changes.insert(game.kind.clone(), vec![(game.id, rated)])),
    }
}
