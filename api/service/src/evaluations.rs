//! Evaluations of single positions, for clients that wait for them. Each client has one at a time, on a thread of its
//! own.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use plybook_events::{Actor, Hash};
use plybook_rules::AnyPosition;
use rustix::time::{ClockId, clock_gettime};
use tokio::sync::oneshot;

use super::Service;
use super::analyses::{lock, spawn};
use crate::analysis::{Budget, Evaluation, PLAYOUTS_MAX};
use crate::error::Problem;

/// How many clients have positions evaluated at the same time.
pub const EVALUATIONS_MAX: usize = 4;

/// What is evaluated for which client; each entry has a thread.
#[derive(Default)]
pub(super) struct Evaluations(Mutex<HashMap<Option<Hash>, Turn>>);

/// What is evaluated for a client.
struct Turn {
    now: Arc<Work>,
    /// What the thread turns to once it has stopped.
    next: Option<Task>,
}

/// A position to evaluate.
struct Task {
    position: Box<dyn AnyPosition>,
    actor: Option<Actor>,
    playouts: u32,
    work: Arc<Work>,
    answer: oneshot::Sender<Evaluation>,
}

/// How an evaluation goes.
#[derive(Default)]
struct Work {
    is_stopped: AtomicBool,
    cpu_ns: AtomicU64,
}

/// An evaluation that is under way. It is stopped when this is dropped.
pub struct Evaluating {
    work: Arc<Work>,
    answer: oneshot::Receiver<Evaluation>,
}

impl Service {
    /// Starts to evaluate a position for an actor of [`to_move`](crate::analysis::to_move), instead of what the client
    /// has evaluated so far. `client` is the token that asks.
    ///
    /// # Errors
    /// Analysis is turned off, there are too many playouts, or too many other clients have positions evaluated.
    pub fn evaluate(
        &self,
        position: Box<dyn AnyPosition>,
        actor: Option<Actor>,
        playouts: u32,
        client: Option<Hash>,
    ) -> Result<Evaluating, Problem> {
        if playouts == 0 || playouts > PLAYOUTS_MAX {
            return Err(Problem::BadInput(format!("`playouts` is a number from 1 to {PLAYOUTS_MAX}, not {playouts}")));
        }
        if self.analysis_workers() == 0 {
            return Err(Problem::BadInput("positions are not evaluated here: use `plybook analyse`".to_owned()));
        }
        let work = Arc::<Work>::default();
        let (sender, receiver) = oneshot::channel();
        let task = Task { position, actor, playouts, work: Arc::clone(&work), answer: sender };
        let mut turns = lock(&self.evaluations.0);
        if let Some(turn) = turns.get_mut(&client) {
            turn.now.stop();
            if let Some(older) = turn.next.replace(task) {
                older.work.stop();
            }
        } else if turns.len() < EVALUATIONS_MAX {
            let evaluations = Arc::clone(&self.evaluations);
            spawn("evaluation", move || evaluations.serve(client, task))?;
            turns.insert(client, Turn { now: Arc::clone(&work), next: None });
        } else {
            return Err(Problem::Busy("too many positions are being evaluated: try again in a second".to_owned()));
        }
        Ok(Evaluating { work, answer: receiver })
    }
}

impl Evaluations {
    /// Evaluates what a client wants, until it wants nothing more.
    fn serve(&self, client: Option<Hash>, first: Task) {
        let mut task = first;
        loop {
            task.carry_out();
            let mut turns = lock(&self.0);
            let Some((turn, next)) = turns.get_mut(&client).and_then(|turn| turn.next.take().map(|next| (turn, next)))
            else {
                turns.remove(&client);
                return;
            };
            turn.now = Arc::clone(&next.work);
            task = next;
        }
    }
}

impl Work {
    fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }
}

impl Task {
    fn carry_out(self) {
        let before = cpu_ns();
        let is_over = || {
            self.work.cpu_ns.store(cpu_ns() - before, Ordering::Relaxed);
            self.work.is_stopped()
        };
        if is_over() {
            return;
        }
        let budget = Budget { playouts: self.playouts, is_over: &is_over };
        let evaluated = catch_unwind(AssertUnwindSafe(|| Evaluation::of(self.position.as_ref(), self.actor, budget)));
        match evaluated {
            Ok(_) if is_over() => {}
            // The caller may be gone by now.
            Ok(evaluation) => drop(self.answer.send(evaluation)),
            Err(_) => tracing::error!("the evaluation panicked"),
        }
    }
}

impl Evaluating {
    /// Waits for the evaluation.
    ///
    /// # Errors
    /// The client has had something else evaluated since, or the evaluation failed.
    pub async fn finish(&mut self) -> Result<Evaluation, Problem> {
        match (&mut self.answer).await {
            Ok(evaluation) => Ok(evaluation),
            Err(_) if self.work.is_stopped() => {
                Err(Problem::Busy("you have asked for another position since: this one was stopped".to_owned()))
            }
            Err(_) => Err(Problem::Internal),
        }
    }
}

impl Drop for Evaluating {
    fn drop(&mut self) {
        self.work.stop();
    }
}

/// The CPU time of this thread.
fn cpu_ns() -> u64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use plybook_store::Store;

    use super::*;
    use crate::analysis::to_move;

    /// The CPU time of an evaluation that nobody waits for once it is under way, or that is waited for.
    async fn cpu_of(service: &Service, is_dropped: bool) -> Duration {
        let rules = plybook_rules::kinds()[0];
        let setup = rules.complete(&serde_json::json!({}), &mut |_| 0).unwrap();
        let position = rules.start(&setup).unwrap();
        let actor = to_move(position.as_ref(), None).unwrap();
        let mut evaluating = service.evaluate(position, actor, PLAYOUTS_MAX, None).unwrap();
        let work = Arc::clone(&evaluating.work);
        if is_dropped {
            while work.cpu_ns.load(Ordering::Relaxed) == 0 {
                tokio::time::sleep(Duration::from_micros(100)).await;
            }
            drop(evaluating);
        } else {
            evaluating.finish().await.unwrap();
        }
        while !lock(&service.evaluations.0).is_empty() {
            tokio::time::sleep(Duration::from_micros(100)).await;
        }
        Duration::from_nanos(work.cpu_ns.load(Ordering::Relaxed))
    }

    #[tokio::test]
    async fn what_nobody_waits_for_is_stopped() {
        let service = Service::start(Store::in_memory().unwrap()).unwrap();
        let (whole, stopped) = (cpu_of(&service, false).await, cpu_of(&service, true).await);
        assert!(stopped * 4 < whole, "{stopped:?} of {whole:?}");
    }
}
