//! Analyses of games: computed by separate workers, a position at a time, and kept ([`KeptAnalyses`]). They can be made
//! again at any time, and are no part of a game.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use plybook_events::{Hash, LogId};
use plybook_models::Summary;
use plybook_rules::engine::VERSION;
use plybook_rules::log::{Replay, Status};
use plybook_store::Store;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::watch;

use super::kept_analyses::KeptAnalyses;
use super::{Inner, Service};
use crate::analysis::{AnalysisFigures, Examiner, Found, PLAYOUTS_MAX, PLIES_MAX, PlyAnalysis, accuracy, to_record};
use crate::error::Problem;

/// How many games are analysed at the same time, unless a setting says otherwise.
pub const WORKERS_DEFAULT: usize = 1;

/// How many games may be waiting or under way.
pub const JOBS_MAX: usize = 64;

/// How long a job goes on if nobody follows it and nobody asks for it.
const PATIENCE: Duration = Duration::from_secs(60);

/// The least time between two answers to a client that follows a job.
const TOLD_EVERY: Duration = Duration::from_millis(500);

/// By how much the engine's threads yield to all others; on Linux, `nice` is of one thread.
const NICE: i32 = 10;

/// How often a node looks for what others have analysed.
const FOLLOW_EVERY: Duration = Duration::from_secs(1);

/// The stack size of such a thread in bytes.
const STACK_BYTES: usize = 16 << 20;

/// The analysis of a game, as far as it is done.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The game.
    pub game: LogId,
    /// What it was made with and of.
    pub about: About,
    /// How far it is.
    pub state: AnalysisState,
    /// The positions that are done, in order.
    pub plies: Vec<Arc<PlyAnalysis>>,
}

/// What an analysis was made with and of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct About {
    /// The version of the engine.
    pub engine: String,
    /// The playouts for each search.
    pub playouts: u32,
    /// The hash of the last event of the game.
    pub head: Hash,
    /// The number of positions.
    pub total: usize,
}

/// The state of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnalysisState {
    /// It is waiting for a worker.
    Queued,
    /// It is under way.
    Running,
    /// It is complete.
    Done,
    /// It was stopped because nobody waited for it.
    Cancelled,
}

/// Follows the analysis of a game until it is over.
pub struct AnalysisWatch {
    job: Arc<Job>,
    receiver: watch::Receiver<AnalysisState>,
    /// The state in the answer before.
    told: Option<AnalysisState>,
}

/// An analysis that is waiting or under way.
struct Job {
    game: LogId,
    about: About,
    examiner: Examiner,
    /// The token that asked for it.
    client: Option<Hash>,
    /// When somebody asked for it last.
    asked_at: Mutex<Instant>,
    done: Mutex<Done>,
    /// The state; it is sent whenever those who follow the job should look again.
    state: watch::Sender<AnalysisState>,
}

/// What is done of a job.
#[derive(Default)]
struct Done {
    plies: Vec<Arc<PlyAnalysis>>,
    /// What was found in the next position.
    next: Option<Found>,
    told_at: Option<Instant>,
}

/// The analyses that are waiting or under way, and those that are kept.
pub(super) struct Analyses {
    kept: Option<KeptAnalyses>,
    workers_max: AtomicUsize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    jobs: HashMap<LogId, Arc<Job>>,
    /// The same jobs without those that a worker has; each gets one position done in turn.
    waiting: VecDeque<Arc<Job>>,
    workers: usize,
}

impl Analyses {
    /// Opens the analyses that are kept.
    ///
    /// # Errors
    /// They cannot be opened.
    pub(super) fn open(store: &Store) -> Result<Self, Problem> {
        Ok(Self { kept: Some(KeptAnalyses::open(store)?), ..Self::closed() })
    }

    /// Those of a service that keeps none.
    pub(super) fn closed() -> Self {
        Self { kept: None, workers_max: AtomicUsize::new(WORKERS_DEFAULT), state: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// The kept analysis of a game, with its positions or without.
    fn kept(&self, game: LogId, is_whole: bool) -> Result<Option<Analysis>, Problem> {
        self.kept.as_ref().map_or(Ok(None), |kept| kept.get(game, is_whole))
    }
}

impl Service {
    /// Sets how many games are analysed at the same time; 0 turns analysis off.
    pub fn set_analysis_workers(&self, workers: usize) {
        self.analyses.workers_max.store(workers, Ordering::Relaxed);
    }

    /// How many games are analysed at the same time; 0 if analysis is turned off.
    pub(super) fn analysis_workers(&self) -> usize {
        self.analyses.workers_max.load(Ordering::Relaxed)
    }

    /// Takes in what other nodes analyse, until nobody uses the service any more.
    pub(super) fn follow_analyses(&self) {
        if !self.analyses.kept.as_ref().is_some_and(KeptAnalyses::is_shared) {
            return;
        }
        let service = Arc::downgrade(&self.inner);
        thread::spawn(move || {
            let mut is_failing = false;
            while let Some(now) = service.upgrade() {
                let taken = now.analyses.kept.as_ref().map_or(Ok(()), KeptAnalyses::catch_up);
                drop(now);
                if let Err(why) = &taken
                    && !is_failing
                {
                    tracing::error!(%why, "the analyses of other nodes are not followed");
                }
                is_failing = taken.is_err();
                thread::sleep(FOLLOW_EVERY);
            }
        });
    }

    /// Starts the analysis of a game with this many playouts for each search, or returns the one that is under way, or
    /// a complete one of the same head that is as good. `client` is the token that asks: each has one game analysed
    /// at a time.
    ///
    /// # Errors
    /// Analysis is turned off, there are too many playouts or actions, another game is analysed for the client, or too
    /// many are waiting.
    pub fn analyse(
        &self,
        (replay, head): (Arc<Replay>, Hash),
        playouts: u32,
        client: Option<Hash>,
    ) -> Result<Analysis, Problem> {
        let game = replay.log();
        if playouts == 0 || playouts > PLAYOUTS_MAX {
            return Err(Problem::BadInput(format!("`playouts` is a number from 1 to {PLAYOUTS_MAX}, not {playouts}")));
        }
        let plies = replay.mainline().len();
        if plies > PLIES_MAX {
            let why = format!("the game has {plies} actions, and at most {PLIES_MAX} are analysed here");
            return Err(Problem::BadInput(format!("{why}: use `plybook analyse --game`")));
        }
        let workers_max = self.analysis_workers();
        if workers_max == 0 {
            return Err(Problem::BadInput("games are not analysed here: use `plybook analyse --game`".to_owned()));
        }
        if let Some(kept) = self.analyses.kept(game, true)?.filter(|kept| kept.about.serves(head, playouts)) {
            return Ok(kept);
        }
        let mut state = self.analyses.lock();
        if let Some(job) = state.jobs.get(&game) {
            job.ask();
            return Ok(job.analysis());
        }
        state.drop_unwanted();
        if let Some(other) = state.jobs.values().find(|job| client.is_some() && job.client == client) {
            let why = format!("the game {} is being analysed for you", other.game);
            return Err(Problem::BadInput(format!("{why}: wait until that is done")));
        }
        if state.jobs.len() >= JOBS_MAX {
            return Err(Problem::BadInput("too many games are being analysed: try again in a minute".to_owned()));
        }
        let examiner = Examiner::new(replay, playouts);
        let about = About { engine: VERSION.to_owned(), playouts, head, total: examiner.total() };
        let job = Arc::new(Job {
            game,
            about,
            examiner,
            client,
            asked_at: Mutex::new(Instant::now()),
            done: Mutex::default(),
            state: watch::Sender::new(AnalysisState::Queued),
        });
        if state.workers < workers_max {
            let service = Arc::downgrade(&self.inner);
            spawn("analysis", move || work(&service))?;
            state.workers += 1;
        }
        state.jobs.insert(game, Arc::clone(&job));
        state.waiting.push_back(Arc::clone(&job));
        Ok(job.analysis())
    }

    /// The analysis of a game that is under way, or else the kept one.
    ///
    /// # Errors
    /// The keyspace cannot be read.
    pub fn analysis(&self, game: LogId) -> Result<Option<Analysis>, Problem> {
        self.find_analysis(game, true)
    }

    /// The same, if `is_whole`; otherwise a kept one is without its positions.
    ///
    /// # Errors
    /// The keyspace cannot be read.
    pub fn find_analysis(&self, game: LogId, is_whole: bool) -> Result<Option<Analysis>, Problem> {
        let job = self.analyses.lock().jobs.get(&game).cloned();
        match job {
            Some(job) => {
                job.ask();
                Ok(Some(job.analysis()))
            }
            None => self.analyses.kept(game, is_whole),
        }
    }

    /// The kept analysis of a game, if everybody may know it and it is not stale.
    ///
    /// # Errors
    /// The keyspace cannot be read.
    pub(super) fn public_analysis(&self, game: &Summary) -> Result<Option<Analysis>, Problem> {
        if game.tournament.is_some() && game.standing.status() == Status::Running {
            return Ok(None);
        }
        let head = self.log().head(game.id).map(|head| head.hash());
        Ok(self.analyses.kept(game.id, true)?.filter(|kept| Some(kept.about.head) == head))
    }

    /// What statistics count of the kept analysis of a game; `None` if there is none, or it is stale.
    pub fn analysis_figures(&self, game: LogId) -> Option<Arc<AnalysisFigures>> {
        let figures = self.analyses.kept.as_ref()?.figures(game)?;
        let head = self.log().head(game)?;
        (head.hash() == figures.head).then_some(figures)
    }

    /// The games that have a kept analysis; `None` if there are so many, or more.
    pub fn few_analysed(&self, games: u64) -> Option<Vec<LogId>> {
        self.analyses.kept.as_ref().map_or(Some(Vec::new()), |kept| kept.fewer_than(games))
    }

    /// Follows the analysis of a game that is under way. While somebody follows it, it is not stopped.
    pub fn watch_analysis(&self, game: LogId) -> Option<AnalysisWatch> {
        let job = self.analyses.lock().jobs.get(&game).cloned()?;
        Some(AnalysisWatch { receiver: job.state.subscribe(), job, told: None })
    }
}

impl Analysis {
    /// The same as JSON, as records have it.
    pub fn to_record(&self) -> Value {
        let About { engine, playouts, head, .. } = &self.about;
        to_record(self.game, (engine, *playouts, *head), &self.plies)
    }

    /// What made it and how well each seat played, as header lines of a text record.
    pub(super) fn to_header(&self) -> String {
        let About { engine, playouts, .. } = &self.about;
        let mut out = format!("[Analysis \"engine {engine}, {playouts} playouts\"]\n");
        for (seat, accuracy) in (1..).zip(accuracy(&self.plies)) {
            out.extend(accuracy.map(|accuracy| format!("[Accuracy{seat} \"{accuracy}\"]\n")));
        }
        out
    }

    /// Whether it is complete, and of a game that ends with this event.
    pub fn is_complete_of(&self, head: Hash) -> bool {
        self.state == AnalysisState::Done && self.about.head == head
    }
}

impl About {
    /// Whether who wants an analysis of a game that ends with this event need not make another.
    pub(super) fn serves(&self, head: Hash, playouts: u32) -> bool {
        self.head == head && self.engine == VERSION && self.playouts >= playouts
    }
}

impl AnalysisWatch {
    /// The analysis: at once the first time, then whenever there is something new; `None` once it is over.
    pub async fn next(&mut self) -> Option<Analysis> {
        match self.told {
            None => {}
            Some(AnalysisState::Queued | AnalysisState::Running) => self.receiver.changed().await.ok()?,
            Some(AnalysisState::Done | AnalysisState::Cancelled) => return None,
        }
        let state = *self.receiver.borrow_and_update();
        self.told = Some(state);
        Some(self.job.analysis_in(state))
    }
}

impl State {
    /// Stops the jobs that nobody waits for, except those that a worker has.
    fn drop_unwanted(&mut self) {
        let (wanted, unwanted): (VecDeque<_>, VecDeque<_>) =
            std::mem::take(&mut self.waiting).into_iter().partition(|job| job.is_wanted());
        self.waiting = wanted;
        for job in unwanted {
            self.jobs.remove(&job.game);
            job.state.send_replace(AnalysisState::Cancelled);
        }
    }
}

impl Job {
    fn ask(&self) {
        *lock(&self.asked_at) = Instant::now();
    }

    /// Whether somebody follows it, or has asked for it lately.
    fn is_wanted(&self) -> bool {
        self.state.receiver_count() > 0 || lock(&self.asked_at).elapsed() < PATIENCE
    }

    /// How it stands.
    fn analysis(&self) -> Analysis {
        let state = *self.state.borrow();
        self.analysis_in(state)
    }

    /// The same in a state that was read before: what is done by now is at least what was done then.
    fn analysis_in(&self, state: AnalysisState) -> Analysis {
        let plies = lock(&self.done).plies.clone();
        Analysis { game: self.game, about: self.about.clone(), state, plies }
    }

    /// Does one position. Returns whether that was the last.
    fn step(&self) -> bool {
        let (ply, found) = {
            let mut done = lock(&self.done);
            (done.plies.len(), done.next.take())
        };
        let found = found.unwrap_or_else(|| self.examiner.search(ply));
        let next = (ply + 1 < self.about.total).then(|| self.examiner.search(ply + 1));
        let judged = self.examiner.judge(ply, &found, next.as_ref());
        let mut done = lock(&self.done);
        done.plies.push(Arc::new(judged));
        done.next = next;
        done.plies.len() == self.about.total
    }

    /// Tells those who follow it that there is more, unless they were told just now.
    fn tell(&self) {
        let mut done = lock(&self.done);
        if done.told_at.is_none_or(|told_at| told_at.elapsed() >= TOLD_EVERY) {
            done.told_at = Some(Instant::now());
            drop(done);
            self.state.send_replace(AnalysisState::Running);
        }
    }
}

/// Starts a thread for the engine, at a low priority.
///
/// # Errors
/// The system has no more threads.
pub(super) fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), Problem> {
    let named = thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES);
    let yielding = move || {
        if let Err(why) = rustix::process::nice(NICE) {
            tracing::warn!(%why, "the engine works at the usual priority");
        }
        work();
    };
    named.spawn(yielding).map(drop).map_err(Problem::internal)
}

/// Analyses waiting games, a position of each in turn, until there are none.
fn work(service: &Weak<Inner>) {
    loop {
        let Some(now) = service.upgrade() else { return };
        let job = {
            let mut state = now.analyses.lock();
            state.drop_unwanted();
            let Some(job) = state.waiting.pop_front() else {
                state.workers -= 1;
                return;
            };
            job
        };
        // Nothing keeps the service from closing meanwhile.
        drop(now);
        job.tell();
        let stepped = catch_unwind(AssertUnwindSafe(|| job.step()));
        let Some(now) = service.upgrade() else { return };
        let is_over = if let Ok(is_last) = stepped {
            is_last.then_some(AnalysisState::Done)
        } else {
            tracing::error!(game = %job.game, "the analysis panicked");
            Some(AnalysisState::Cancelled)
        };
        if is_over == Some(AnalysisState::Done)
            && let Some(kept) = &now.analyses.kept
            && let Err(why) = kept.keep(&job.analysis())
        {
            tracing::error!(%why, game = %job.game, "the analysis is not kept");
        }
        let mut state = now.analyses.lock();
        if let Some(how) = is_over {
            state.jobs.remove(&job.game);
            job.state.send_replace(how);
        } else {
            state.waiting.push_back(job);
        }
    }
}

pub(super) fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use plybook_rules::log::Command;

    use super::*;
    use crate::{NewGame, NewSeat};

    /// A service with a game of several plies, and its state.
    fn game() -> (Arc<Service>, (Arc<Replay>, Hash)) {
        let service = Service::start(Store::in_memory().unwrap()).unwrap();
        let about = plybook_rules::kinds()[0].about();
        let seats = vec![NewSeat::default(); usize::from(about.seats_min)];
        let live = service.create_game(&NewGame { kind: about.kind.to_owned(), seats, ..NewGame::default() }).unwrap();
        for _ in 0..40 {
            let replay = live.replay();
            let Some(actor) = replay.position().to_act().only() else { break };
            let action = replay.position().legal(actor).unwrap()[0].clone();
            service.command(&live, &[Command::Act { actor, action, clock_ms: None }], None).unwrap();
        }
        let moment = live.at();
        (service, moment)
    }

    fn job(service: &Service, game: LogId) -> Option<Arc<Job>> {
        service.analyses.lock().jobs.get(&game).cloned()
    }

    /// Lets a job wait since long ago.
    fn forget(job: &Job) {
        *lock(&job.asked_at) = Instant::now().checked_sub(2 * PATIENCE).unwrap();
    }

    #[test]
    fn an_analysis_that_nobody_waits_for_is_stopped() {
        let (service, moment) = game();
        let id = moment.0.log();
        service.analyse(moment.clone(), PLAYOUTS_MAX, None).unwrap();
        let watch = service.watch_analysis(id).unwrap();
        let running = job(&service, id).unwrap();
        forget(&running);
        let steps = |job: &Job| lock(&job.done).plies.len();
        while steps(&running) < 2 {
            thread::sleep(Duration::from_millis(5));
        }
        assert!(job(&service, id).is_some(), "somebody follows it");
        // The caller waits.
        service.analysis(id).unwrap().unwrap();
        drop(watch);
        let done = steps(&running);
        while steps(&running) < done + 2 {
            thread::sleep(Duration::from_millis(5));
        }
        forget(&running);
        while job(&service, id).is_some() {
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(running.analysis().state, AnalysisState::Cancelled);
        assert!(steps(&running) < running.about.total, "it was stopped in the middle");
        assert!(service.analysis(id).unwrap().is_none(), "what is not complete is not kept");
        // The worker is gone, and comes again.
        assert_eq!(service.analyse(moment, 1, None).unwrap().state, AnalysisState::Queued);
        while job(&service, id).is_some() {
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(service.analysis(id).unwrap().unwrap().state, AnalysisState::Done);
    }
}
