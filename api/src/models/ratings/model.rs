//! The ratings, as queries use them, and the thread that maintains them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use plybook_events::LogId;
use plybook_rules::kind;
use plybook_store::{Log, Store};

use super::game::{Form, RatedGame, over_ms};
use super::skill::{Method, Skill};
use super::timeline::{Average, Timeline};
use crate::error::Problem;
use crate::models::known::{Catalogue, Contents, Summary};
use crate::models::pace::Pace;

/// How long a query waits for events that were recorded before it.
const WAIT: Duration = Duration::from_secs(5);

/// The most events applied at once.
const BATCH: usize = 65_536;

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
    pace: Pace,
}

/// Games of one kind whose rating may have changed.
type Changes = BTreeMap<String, Vec<(LogId, Option<RatedGame>)>>;

impl Ratings {
    /// Starts the thread that rates all games and follows the journal.
    pub fn open(store: &Store, catalogue: &Arc<Catalogue>) -> Self {
        let (log, catalogue) = (store.log().clone(), Arc::clone(catalogue));
        let pace = Pace::new(&log);
        let follower = Arc::new(Follower { log, catalogue, kinds: RwLock::default(), pace });
        let told = Arc::downgrade(&follower);
        store.log().watch(move |_| {
            if let Some(follower) = told.upgrade() {
                follower.pace.wake();
            }
        });
        let running = Arc::clone(&follower);
        let thread = thread::spawn(move || running.run());
        Self { follower, thread: Some(thread) }
    }

    /// Waits until every event recorded so far is applied, or five seconds have passed. Must not be called
    /// while the catalogue is locked.
    pub fn wait(&self) {
        self.follower.pace.wait(WAIT);
    }

    /// How many recorded events have not been applied.
    pub fn pending(&self) -> u64 {
        self.follower.pace.pending()
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
        self.follower.pace.stop();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the ratings ended in a panic");
        }
    }
}

impl Follower {
    fn run(&self) {
        if let Err(why) = self.follow() {
            tracing::error!(%why, "ratings have stopped until a restart");
            self.pace.give_up();
        }
    }

    fn follow(&self) -> Result<(), Problem> {
        let (changes, position) = {
            let known = self.catalogue.known();
            let mut changes = Changes::new();
            known.games.all().for_each(|game| add(&mut changes, game));
            (changes, known.position)
        };
        self.apply(changes, position);
        while let Some(events) = self.pace.next(&self.catalogue) {
            let entries = self.log.entries(events.start, BATCH)?;
            let logs: BTreeSet<LogId> =
                entries.iter().filter(|entry| entry.position < events.end).map(|entry| entry.log).collect();
            let end = entries.last().map_or(events.start, |last| (last.position + 1).min(events.end));
            let changes = changes_of(&self.catalogue.known(), &logs);
            self.apply(changes, end);
        }
        Ok(())
    }

    /// Rates what has changed, and then gives the catalogue the averages of games, a few thousand at a time,
    /// so that writers need not wait for all of them.
    fn apply(&self, changes: Changes, position: u64) {
        let mut averages: Vec<Average> = Vec::new();
        {
            let mut kinds = self.kinds.write().unwrap_or_else(PoisonError::into_inner);
            for (name, changes) in changes {
                let seats_max = kind(&name).map_or(2, |rules| rules.about().seats_max);
                let method = Method::for_seats(seats_max);
                averages.extend(kinds.entry(name).or_insert_with(|| Timeline::new(method)).update(changes));
            }
        }
        averages.chunks(4096).for_each(|chunk| self.catalogue.set_ratings(chunk));
        self.pace.reach(position);
    }
}

/// The games that these logs concern: the games among them, and all games of players who may have been
/// merged.
fn changes_of(known: &Contents, logs: &BTreeSet<LogId>) -> Changes {
    let mut changes = Changes::new();
    for log in logs {
        if let Some(game) = known.games.get(*log) {
            add(&mut changes, game);
        } else if known.players.get(*log).is_some() {
            known.games.of_player(known.players.survivor(*log)).for_each(|game| add(&mut changes, game));
            known.games.of_player(*log).for_each(|game| add(&mut changes, game));
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
