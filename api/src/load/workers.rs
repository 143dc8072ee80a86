//! The threads on which operations are executed, so that none of them holds a thread of the network.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use async_task::Runnable;
use tokio::runtime::Handle;

use super::counts::{Counts, LaneCounts};
use super::limits::LoadLimits;
use super::queue::Queue;
use crate::http::Client;

/// Threads for mutations: as many may wait for the disk together.
const WRITERS: usize = 64;

/// The stack of a worker in bytes: without optimisation, deep selections need much of it.
const STACK_BYTES: usize = 8 << 20;

/// Where an operation is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Lane {
    /// What is cheap, and everything until its price is known.
    Cheap,
    /// Mutations, which readers can therefore not hold up.
    Writing,
    /// What is dear.
    Dear,
}

/// The lanes, with their threads.
pub(super) struct Workers(Arc<Lanes>);

/// One queue for each lane.
pub(super) struct Lanes([Arc<Waiting>; 3]);

/// What waits in a lane.
struct Waiting {
    queue: Mutex<State>,
    more: Condvar,
    counts: LaneCounts,
}

struct State {
    /// What waits, and since when.
    queue: Queue<Client, (Instant, Runnable)>,
    is_closed: bool,
}

impl Workers {
    /// Starts the threads. What they execute may use the timers of the runtime that this is called in.
    pub(super) fn start(limits: &LoadLimits, counts: &Counts) -> Self {
        let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let lane = |name: &'static str, threads: usize| {
            let waiting = Arc::new(Waiting::new(threads.div_ceil(2), counts.of(name)));
            for number in 1..=threads {
                let (waiting, runtime) = (Arc::clone(&waiting), Handle::try_current().ok());
                let work = move || {
                    let _entered = runtime.as_ref().map(Handle::enter);
                    waiting.serve();
                };
                let named = thread::Builder::new().name(format!("{name}-{number}")).stack_size(STACK_BYTES);
                named.spawn(work).expect("the system has threads");
            }
            waiting
        };
        let lanes = [lane("cheap", cores.max(2)), lane("writing", WRITERS), lane("dear", limits.workers.max(1))];
        Self(Arc::new(Lanes(lanes)))
    }

    pub(super) fn lanes(&self) -> &Arc<Lanes> {
        &self.0
    }
}

impl Drop for Workers {
    /// Ends the threads; what was waiting is dropped.
    fn drop(&mut self) {
        for lane in &self.0.0 {
            let mut state = lane.lock();
            state.is_closed = true;
            let left = std::mem::replace(&mut state.queue, Queue::new(1));
            drop(state);
            drop(left);
            lane.more.notify_all();
        }
    }
}

impl Lanes {
    /// How many operations of a client wait in a lane.
    pub(super) fn waiting(&self, lane: Lane, client: Client) -> usize {
        self.0[lane as usize].lock().queue.waiting(client)
    }

    /// Has something executed in a lane.
    pub(super) fn push(&self, lane: Lane, client: Client, runnable: Runnable) {
        let waiting = &self.0[lane as usize];
        let mut state = waiting.lock();
        if state.is_closed {
            drop(state);
            // It is dropped without the lock, because that may wake others.
            drop(runnable);
            return;
        }
        state.queue.push(client, (Instant::now(), runnable));
        waiting.counts.waiting.inc();
        drop(state);
        waiting.more.notify_one();
    }
}

impl Waiting {
    fn new(share: usize, counts: LaneCounts) -> Self {
        let state = State { queue: Queue::new(share), is_closed: false };
        Self { queue: Mutex::new(state), more: Condvar::new(), counts }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Executes what waits, until the lane is closed.
    fn serve(&self) {
        while let Some((client, runnable)) = self.next() {
            // A panic belongs to the operation, whose client is told; the thread goes on.
            let _ = catch_unwind(AssertUnwindSafe(|| runnable.run()));
            self.counts.running.dec();
            if self.lock().queue.done(client) {
                self.more.notify_one();
            }
        }
    }

    fn next(&self) -> Option<(Client, Runnable)> {
        let mut state = self.lock();
        loop {
            if state.is_closed {
                return None;
            }
            if let Some((client, (since, runnable))) = state.queue.pop() {
                drop(state);
                self.counts.waiting.dec();
                self.counts.running.inc();
                self.counts.waits.observe(since.elapsed().as_secs_f64());
                return Some((client, runnable));
            }
            state = self.more.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
