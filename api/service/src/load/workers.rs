//! The threads that execute operations, so that no operation holds a network thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::Instant;

use async_task::Runnable;
use tokio::runtime::Handle;

use super::counts::{Counts, LaneCounts};
use super::limits::LoadLimits;
use super::queue::Queue;
use crate::load::Client;

/// The number of threads for mutations; this many can wait for the disk at once.
const WRITERS: usize = 64;

/// The stack of a worker, in bytes. In unoptimised builds, deep selections need much of it.
const STACK_BYTES: usize = 8 << 20;

/// The lanes of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Lane {
    /// Cheap operations, and every operation until its price is known.
    Cheap,
    /// Mutations, which readers can therefore not delay.
    Writing,
    /// Expensive operations.
    Heavy,
}

impl Lane {
    /// The lane with a number.
    pub(super) fn of(number: u8) -> Self {
        match number {
            0 => Self::Cheap,
            1 => Self::Writing,
            _ => Self::Heavy,
        }
    }
}

/// The lanes and their threads.
pub(super) struct Workers(Arc<Lanes>);

/// One queue per lane.
pub(super) struct Lanes([Arc<Waiting>; 3]);

/// The queue of a lane.
struct Waiting {
    state: Mutex<State>,
    counts: LaneCounts,
}

struct State {
    /// A waiting task, and the time since when it has been waiting.
    queue: Queue<Client, (Instant, Runnable)>,
    /// The threads that wait for a task. The one that was busy last is the last, and gets the next task: what it needs is still in
    /// the caches, and memory that it has freed is at hand.
    idle: Vec<Thread>,
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
            let idle = std::mem::take(&mut state.idle);
            drop(state);
            drop(left);
            idle.iter().for_each(Thread::unpark);
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
        wake_one(state);
    }
}

impl Waiting {
    fn new(share: usize, counts: LaneCounts) -> Self {
        let state = State { queue: Queue::new(share), idle: Vec::new(), is_closed: false };
        Self { state: Mutex::new(state), counts }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Executes waiting tasks until the lane is closed.
    fn serve(&self) {
        while let Some((client, runnable)) = self.next() {
            // A panic fails the operation, whose client is told; the thread continues.
            let _ = catch_unwind(AssertUnwindSafe(|| runnable.run()));
            self.counts.running.dec();
            let mut state = self.lock();
            if state.queue.done(client) {
                wake_one(state);
            }
        }
    }

    fn next(&self) -> Option<(Client, Runnable)> {
        let thread = thread::current();
        loop {
            let mut state = self.lock();
            // It is still there if nobody has woken it.
            state.idle.retain(|idle| idle.id() != thread.id());
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
            state.idle.push(thread.clone());
            drop(state);
            thread::park();
        }
    }
}

/// Wakes the thread that was busy last, if one waits.
fn wake_one(mut state: MutexGuard<'_, State>) {
    let last = state.idle.pop();
    drop(state);
    last.iter().for_each(Thread::unpark);
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn the_thread_that_was_busy_last_gets_the_next_task() {
        let workers = Workers::start(&LoadLimits::default(), &Counts::new());
        let lane = &workers.lanes().0[Lane::Writing as usize];
        let (tell, told) = mpsc::channel();
        let names: Vec<Option<String>> = (0..50)
            .map(|_| {
                while lane.lock().idle.len() < WRITERS {
                    thread::yield_now();
                }
                let tell = tell.clone();
                let work = async move { tell.send(thread::current().name().map(str::to_owned)) };
                let (runnable, task) = async_task::spawn(work, |_| ());
                workers.lanes().push(Lane::Writing, Client::with_token("a"), runnable);
                task.detach();
                told.recv().expect("it is executed")
            })
            .collect();
        assert!(names.iter().all(|name| *name == names[0]), "{names:?}");
    }
}
