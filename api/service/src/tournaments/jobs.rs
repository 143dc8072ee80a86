//! Pairing by separate workers: a large round takes seconds, and no request should wait that long.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use plybook_events::{LogId, Timestamp};
use plybook_tournaments::PairingError;
use plybook_tournaments::log::{Command, SystemPairing, Tournament};
use tokio::sync::watch;

use super::super::{Context, Inner, Service};
use super::explain::{Explanations, Reasons};
use super::{LiveTournament, TIME_MAX};
use crate::error::Problem;

/// How many rounds are paired at the same time.
const WORKERS: usize = 1;

/// How many tournaments may wait for their pairing.
const WAITING_MAX: usize = 64;

/// The stack size of a worker in bytes.
const STACK_BYTES: usize = 16 << 20;

/// The computation of a round's pairing.
pub struct Job {
    /// The tournament.
    tournament: LogId,
    /// The round, from 1.
    pub round: u32,
    /// When it was requested.
    pub started_at: Timestamp,
    expected: Option<u64>,
    /// For whom it is.
    context: Context,
    done: AtomicUsize,
    total: AtomicUsize,
    is_cancelled: AtomicBool,
    state: watch::Sender<JobState>,
}

/// The state of a computation.
#[derive(Clone, Debug)]
pub enum JobState {
    /// It is waiting for a worker.
    Queued,
    /// It is running.
    Running,
    /// The pairing is in the log.
    Done,
    /// It cannot be paired.
    Failed(Problem),
    /// It was stopped.
    Cancelled,
}

/// The computations of pairings, running ones and the last finished ones.
#[derive(Default)]
pub(crate) struct Jobs(Mutex<State>);

#[derive(Default)]
pub(super) struct State {
    /// The last job of each tournament.
    by_tournament: HashMap<LogId, Arc<Job>>,
    waiting: VecDeque<Arc<Job>>,
    workers: usize,
    /// The known reasons of pairings.
    pub(super) reasons: Reasons,
}

impl Job {
    /// Its state.
    pub fn state(&self) -> JobState {
        self.state.borrow().clone()
    }

    /// How many entrants are paired so far, and how many there are.
    pub fn progress(&self) -> (usize, usize) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// Waits until it is over, for at most this long. Holds no thread.
    pub async fn over(&self, at_most: Duration) {
        let mut state = self.state.subscribe();
        let is_over = state.wait_for(|state| !matches!(state, JobState::Queued | JobState::Running));
        // If it takes longer, the caller gets its progress.
        let _ = tokio::time::timeout(at_most, is_over).await;
    }

    fn is_over(&self) -> bool {
        !matches!(*self.state.borrow(), JobState::Queued | JobState::Running)
    }
}

impl Jobs {
    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Service {
    /// Starts a job that pairs the next round of a tournament, or returns the one that is already doing so.
    ///
    /// # Errors
    /// The last event is not `expected`, the tournament is over or paired by hand, or too many others wait.
    pub fn pair_round(&self, live: &LiveTournament, expected: Option<u64>) -> Result<Arc<Job>, Problem> {
        let (tournament, head) = live.at();
        if expected.is_some_and(|expected| expected != head.seq()) {
            return Err(Problem::LogConflict { head: head.seq() });
        }
        let id = tournament.id;
        let mut jobs = self.jobs.lock();
        if let Some(job) = jobs.by_tournament.get(&id).filter(|job| !job.is_over()) {
            return Ok(Arc::clone(job));
        }
        if jobs.waiting.len() >= WAITING_MAX {
            return Err(Problem::BadInput("too many tournaments are being paired: try again in a minute".to_owned()));
        }
        let job = Arc::new(Job {
            tournament: id,
            round: tournament.next_round(),
            started_at: self.clock().now(),
            expected,
            context: Context { request: self.request(), ..self.context },
            done: AtomicUsize::new(0),
            total: AtomicUsize::new(0),
            is_cancelled: AtomicBool::new(false),
            state: watch::Sender::new(JobState::Queued),
        });
        if jobs.by_tournament.len() >= 4 * WAITING_MAX {
            jobs.by_tournament.retain(|_, job| !job.is_over());
        }
        // It begins once the lock is released, and ends when nothing is left to do, which frees the memory that the matching
        // keeps for its thread.
        if jobs.workers < WORKERS {
            let service = Arc::downgrade(&self.inner);
            let named = thread::Builder::new().name("pairing".to_owned()).stack_size(STACK_BYTES);
            named.spawn(move || work(&service)).map_err(Problem::internal)?;
            jobs.workers += 1;
        }
        jobs.by_tournament.insert(id, Arc::clone(&job));
        jobs.waiting.push_back(Arc::clone(&job));
        Ok(job)
    }

    /// The last job for a tournament since the service started.
    pub fn pairing_job(&self, tournament: LogId) -> Option<Arc<Job>> {
        self.jobs.lock().by_tournament.get(&tournament).cloned()
    }

    /// Stops the pairing of a tournament, if one is running. A written pairing stays.
    pub fn cancel_pairing(&self, tournament: LogId) {
        if let Some(job) = self.pairing_job(tournament) {
            job.is_cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Pairs a round and writes it. If the tournament changes in the meantime, it is paired once more.
    fn pair_now(&self, job: &Job) -> Result<(), Problem> {
        let live = self.tournament(job.tournament)?;
        let deadline = Instant::now() + TIME_MAX;
        for is_second in [false, true] {
            let tournament = live.tournament();
            let input = tournament.pairing_input();
            let refused = |why| Problem::BadInput(told(&why, &tournament, input.ranks.entrants()));
            tournament.check_adjourned().map_err(refused)?;
            job.total.store(input.available.len(), Ordering::Relaxed);
            let progress = |done: usize, total: usize| {
                job.done.store(done, Ordering::Relaxed);
                job.total.store(total, Ordering::Relaxed);
                let stops = job.is_cancelled.load(Ordering::Relaxed) || Instant::now() > deadline;
                if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let SystemPairing { paired, pairing } = match input.pair(&tournament.rules, &progress) {
                Err(PairingError::Cancelled) if !job.is_cancelled.load(Ordering::Relaxed) => {
                    let why = format!("the round takes longer than {} s to pair", TIME_MAX.as_secs());
                    return Err(Problem::BadInput(format!("{why}: use the fast system, or pair it by hand")));
                }
                paired => paired.map_err(refused)?,
            };
            if job.is_cancelled.load(Ordering::Relaxed) {
                return Err(Problem::BadInput(PairingError::Cancelled.to_string()));
            }
            let explained = Explanations::new(&tournament, input.ranks.entrants(), &pairing);
            let written = self.for_whom(job.context).change_tournament(&live, job.expected, |now| {
                let is_same = now.events == tournament.events || now.pairing_input().hash() == input.hash();
                if !is_same {
                    return Err(Problem::LogConflict { head: now.events - 1 });
                }
                Ok(vec![Command::Pair(paired.clone())])
            });
            match written {
                Ok(()) => {
                    self.keep_explained((job.tournament, live.at().1.seq()), Arc::new(explained));
                    return Ok(());
                }
                Err(Problem::LogConflict { .. }) if !is_second && job.expected.is_none() => {}
                Err(why) => return Err(why),
            }
        }
        unreachable!("the second time returns")
    }
}

/// Pairs waiting rounds until there are none.
fn work(service: &Weak<Inner>) {
    loop {
        let Some(service) = service.upgrade().map(Service::from) else { return };
        let job = {
            let mut jobs = service.jobs.lock();
            let Some(job) = jobs.waiting.pop_front() else {
                jobs.workers -= 1;
                return;
            };
            job
        };
        job.state.send_replace(JobState::Running);
        // Whatever happens to one pairing, the worker continues with the next.
        let paired = catch_unwind(AssertUnwindSafe(|| service.pair_now(&job)));
        let paired = paired.unwrap_or_else(|_| Err(Problem::internal("pairing a round panicked")));
        job.state.send_replace(match paired {
            Ok(()) => JobState::Done,
            Err(_) if job.is_cancelled.load(Ordering::Relaxed) => JobState::Cancelled,
            Err(why) => JobState::Failed(why),
        });
    }
}

/// Why a round cannot be paired, with names.
fn told(why: &PairingError, tournament: &Tournament, ranks: &[u16]) -> String {
    match why {
        PairingError::Unknown(rank) => {
            let entrant = ranks.get(rank.index()).and_then(|number| tournament.entrant(*number));
            entrant.map_or_else(|| why.to_string(), |entrant| format!("{} cannot be paired", entrant.details.name))
        }
        _ => why.to_string(),
    }
}
