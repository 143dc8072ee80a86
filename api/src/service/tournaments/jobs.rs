//! Pairing, by workers of its own: a large round takes seconds, which no request should wait for.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use plybook_events::{LogId, Timestamp};
use plybook_tournaments::PairingError;
use plybook_tournaments::log::{Command, Computed, Tournament};
use plybook_tournaments::{EntrantNumber, Pairing};
use tokio::sync::watch;

use super::super::{Request, Service};
use super::LiveTournament;
use crate::error::Problem;

/// How many rounds are paired at once.
const WORKERS: usize = 1;

/// How many tournaments may wait for their pairing.
const WAITING_MAX: usize = 64;

/// How long the pairing of a round may take.
const TIME_MAX: Duration = Duration::from_secs(120);

/// The stack of a worker in bytes.
const STACK_BYTES: usize = 16 << 20;

/// How many explanations of pairings are kept.
const EXPLAINED_MAX: usize = 64;

/// The most entrants of a round that is paired again to explain it.
const EXPLAINED_AGAIN_MAX: usize = 300;

/// The pairing of a round that is computed, or was.
pub struct Job {
    /// The tournament.
    tournament: LogId,
    /// The round, from 1.
    pub round: u32,
    /// When it was asked for.
    pub started_at: Timestamp,
    expected: Option<u64>,
    /// The request that asked for it, if it has a key.
    request: Option<Request>,
    done: AtomicUsize,
    total: AtomicUsize,
    is_cancelled: AtomicBool,
    state: watch::Sender<JobState>,
}

/// How far a pairing is.
#[derive(Clone, Debug)]
pub enum JobState {
    /// It waits for a worker.
    Queued,
    /// It is computed.
    Running,
    /// The pairing is in the log.
    Done,
    /// It cannot be paired.
    Failed(Problem),
    /// Somebody stopped it.
    Cancelled,
}

/// The pairings that are computed, and the last ones that were.
#[derive(Default)]
pub(in crate::service) struct Jobs(Mutex<State>);

#[derive(Default)]
struct State {
    /// The last job of each tournament.
    by_tournament: HashMap<LogId, Arc<Job>>,
    waiting: VecDeque<Arc<Job>>,
    workers: usize,
    /// The answers of the pairing systems, by tournament and the seq of the event with the pairing.
    explained: VecDeque<((LogId, u64), Arc<Explained>)>,
}

/// The reasons of a pairing, by entrant.
#[derive(Debug)]
pub struct Explained {
    /// Sentences for each table, by those who sit there.
    tables: HashMap<Vec<u16>, Vec<String>>,
    /// Sentences for each bye.
    byes: HashMap<u16, Vec<String>>,
}

impl Explained {
    /// Why these meet; nothing if the system did not pair them.
    pub fn table(&self, seats: &[u16]) -> &[String] {
        self.tables.get(seats).map_or(&[], Vec::as_slice)
    }

    /// Why an entrant has the bye.
    pub fn bye(&self, entrant: u16) -> &[String] {
        self.byes.get(&entrant).map_or(&[], Vec::as_slice)
    }

    fn new(tournament: &Tournament, ranks: &[u16], pairing: &Pairing) -> Self {
        let entrant = |rank: EntrantNumber| ranks[rank.index()];
        let name = |rank: EntrantNumber| {
            tournament.entrant(entrant(rank)).map_or_else(String::new, |entrant| entrant.details.name.clone())
        };
        let tables = pairing.tables.iter().map(|table| {
            let seats = table.seats.iter().map(|rank| entrant(*rank)).collect();
            (seats, table.reasons.iter().map(|reason| reason.sentence(&name)).collect())
        });
        let byes = pairing
            .byes
            .iter()
            .map(|bye| (entrant(bye.entrant), bye.reasons.iter().map(|reason| reason.sentence(&name)).collect()));
        Self { tables: tables.collect(), byes: byes.collect() }
    }
}

impl Job {
    /// How far it is.
    pub fn state(&self) -> JobState {
        self.state.borrow().clone()
    }

    /// How many entrants are paired, of how many.
    pub fn progress(&self) -> (usize, usize) {
        (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed))
    }

    /// Waits until it is over, but no longer than this. Holds no thread.
    pub async fn over(&self, at_most: Duration) {
        let mut state = self.state.subscribe();
        let is_over = state.wait_for(|state| !matches!(state, JobState::Queued | JobState::Running));
        // If it takes longer, whoever asked is told how far it is.
        let _ = tokio::time::timeout(at_most, is_over).await;
    }

    fn is_over(&self) -> bool {
        !matches!(*self.state.borrow(), JobState::Queued | JobState::Running)
    }
}

impl Jobs {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Service {
    /// Has a worker pair the next round of a tournament. If one is at it already, that is the answer.
    ///
    /// # Errors
    /// The last event is not `expected`, the tournament is over or paired by hand, or too many others wait.
    pub fn pair_round(self: &Arc<Self>, live: &LiveTournament, expected: Option<u64>) -> Result<Arc<Job>, Problem> {
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
            request: Request::current(),
            done: AtomicUsize::new(0),
            total: AtomicUsize::new(0),
            is_cancelled: AtomicBool::new(false),
            state: watch::Sender::new(JobState::Queued),
        });
        if jobs.by_tournament.len() >= 4 * WAITING_MAX {
            jobs.by_tournament.retain(|_, job| !job.is_over());
        }
        if jobs.workers < WORKERS {
            // It begins once the lock is given back. It ends with the last job, and takes with it what the matching
            // keeps for its thread.
            let service = Arc::downgrade(self);
            let named = thread::Builder::new().name("pairing".to_owned()).stack_size(STACK_BYTES);
            named.spawn(move || work(&service)).map_err(Problem::internal)?;
            jobs.workers += 1;
        }
        jobs.by_tournament.insert(id, Arc::clone(&job));
        jobs.waiting.push_back(Arc::clone(&job));
        Ok(job)
    }

    /// The last pairing of a tournament that was asked for since the service started.
    pub fn pairing_job(&self, tournament: LogId) -> Option<Arc<Job>> {
        self.jobs.lock().by_tournament.get(&tournament).cloned()
    }

    /// Stops the pairing of a tournament, if one is computed. What was written stays.
    pub fn cancel_pairing(&self, tournament: LogId) {
        if let Some(job) = self.pairing_job(tournament) {
            job.is_cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Why a round was paired like this; `None` if that is not kept and would take long to find out.
    ///
    /// # Errors
    /// The log cannot be read.
    pub fn explain(&self, id: LogId, paired_seq: u64) -> Result<Option<Arc<Explained>>, Problem> {
        let key = (id, paired_seq);
        if let Some((_, found)) = self.jobs.lock().explained.iter().find(|(known, _)| *known == key) {
            return Ok(Some(Arc::clone(found)));
        }
        let Some(before) = paired_seq.checked_sub(1) else { return Ok(None) };
        let Some((before, ..)) = self.tournament_at(id, super::Moment::Seq(before))? else { return Ok(None) };
        let input = before.pairing_input();
        if input.available.len() > EXPLAINED_AGAIN_MAX {
            return Ok(None);
        }
        let Ok(computed) = input.pair(&before.rules, &|_, _| ControlFlow::Continue(())) else { return Ok(None) };
        let explained = Arc::new(Explained::new(&before, input.ranks.entrants(), &computed.pairing));
        self.keep_explained(key, Arc::clone(&explained));
        Ok(Some(explained))
    }

    fn keep_explained(&self, key: (LogId, u64), explained: Arc<Explained>) {
        let mut jobs = self.jobs.lock();
        jobs.explained.retain(|(known, _)| *known != key);
        jobs.explained.push_back((key, explained));
        if jobs.explained.len() > EXPLAINED_MAX {
            jobs.explained.pop_front();
        }
    }

    /// Pairs a round and writes it. If the tournament changes meanwhile, it is paired once more.
    fn pair_now(&self, job: &Job) -> Result<(), Problem> {
        let live = self.tournament(job.tournament)?;
        let deadline = Instant::now() + TIME_MAX;
        for is_second in [false, true] {
            let tournament = live.tournament();
            let input = tournament.pairing_input();
            job.total.store(input.available.len(), Ordering::Relaxed);
            let progress = |done: usize, total: usize| {
                job.done.store(done, Ordering::Relaxed);
                job.total.store(total, Ordering::Relaxed);
                let stops = job.is_cancelled.load(Ordering::Relaxed) || Instant::now() > deadline;
                if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let Computed { paired, pairing } = match input.pair(&tournament.rules, &progress) {
                Err(PairingError::Cancelled) if !job.is_cancelled.load(Ordering::Relaxed) => {
                    let why = format!("the round takes longer than {} s to pair", TIME_MAX.as_secs());
                    return Err(Problem::BadInput(format!("{why}: use the fast system, or pair it by hand")));
                }
                paired => paired.map_err(|why| Problem::BadInput(told(&why, &tournament, input.ranks.entrants())))?,
            };
            if job.is_cancelled.load(Ordering::Relaxed) {
                return Err(Problem::BadInput(PairingError::Cancelled.to_string()));
            }
            let explained = Explained::new(&tournament, input.ranks.entrants(), &pairing);
            let written = Request::carry_out(job.request, || {
                self.change_tournament(&live, job.expected, |now| {
                    let is_same = now.events == tournament.events || now.pairing_input().hash() == input.hash();
                    if !is_same {
                        return Err(Problem::LogConflict { head: now.events - 1 });
                    }
                    Ok(vec![Command::Pair(paired.clone())])
                })
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

/// Pairs what waits, until nothing does.
fn work(service: &Weak<Service>) {
    loop {
        let Some(service) = service.upgrade() else { return };
        let job = {
            let mut jobs = service.jobs.lock();
            let Some(job) = jobs.waiting.pop_front() else {
                jobs.workers -= 1;
                return;
            };
            job
        };
        job.state.send_replace(JobState::Running);
        // Whatever happens to one pairing, the worker goes on with the next.
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
