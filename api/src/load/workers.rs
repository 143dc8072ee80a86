//! The threads that execute operations, so that no operation holds a network thread.

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

/// The number of threads for mutations; this many can wait for the disk at once.
const WRITERS: usize = 64;

/// The stack of a worker, in bytes. In unoptimised builds, deep selections need much of it.
const STACK_BYTES: usize = 8 << 20;

/// The lanes of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Lane {
    /// Cheap operations, and every operation until its price is known.
    Cheap,
    /// Mutations, which readers can therefore not delay.
    Writing,
    /// Expensive operations.
    Heavy,
}

/// The lanes and their threads.
pub(super) struct Workers(Arc<Lanes>);

/// One queue per lane.
pub(super) struct Lanes([Arc<Waiting>; 3]);

/// The queue of a lane.
struct Waiting {
    queue: Mutex<State>,
    more: Condvar,
    counts: LaneCounts,
}

struct State {
    /// A waiting task, and the time since when it has been waiting.
    queue: Queue<Client, (Instant, Runnable)>,
    is_closed: bool,
}

impl Workers {
    /// Starts the threads. The tasks may use the timers of the runtime that this is called in.
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
        let lanes = [lane("cheap", cores.max(2)), lane("writing", WRITERS), lane("heavy", limits.workers.max(1))];
        Self(Arc::new(Lanes(lanes)))
    }

    pub(super) fn lanes(&self) -> &Arc<Lanes> {
        &self.0
    }
}

impl Drop for Workers {
    /// Ends the threads; waiting tasks are dropped.
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
    /// The number of a client's operations that wait in a lane.
    pub(super) fn waiting(&self, lane: Lane, client: Client) -> usize {
        self.0[lane as usize].lock().queue.waiting(client)
    }

    /// Schedules a task in a lane.
    pub(super) fn push(&self, lane: Lane, client: Client, runnable: Runnable) {
        let waiting = &self.0[lane as usize];
        let mut state = waiting.lock();
        if state.is_closed {
            drop(state);
            // It is dropped outside the lock, because that may wake others.
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

    /// Executes waiting tasks until the lane is closed.
    fn serve(&self) {
        while let Some((client, runnable)) = self.next() {
            // A panic fails the operation, whose client is told; the thread continues.
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
