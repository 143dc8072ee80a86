//! The execution of one operation.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use tokio::task::{block_in_place, yield_now};
use tokio_util::task::AbortOnDropHandle;
use tracing::Instrument;

use super::budget::Budget;
use super::lane::Lane;
use super::{Allowance, Client, Load, LoadError, Meter, UNIT_US};

/// The highest price that counts as cheap, in units.
const CHEAP_MAX: u64 = 500;

/// The highest price, in units, at which a mutation need not wait with expensive queries.
const WRITING_MAX: u64 = 20_000;

/// The lanes of operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum LaneKind {
    /// Cheap queries, and every operation until its price is known.
    Cheap,
    /// Mutations, which readers can therefore not delay.
    Writing,
    /// Expensive operations.
    Heavy,
}

impl LaneKind {
    fn of(lane: &AtomicU8) -> Self {
        [Self::Cheap, Self::Writing, Self::Heavy][usize::from(lane.load(Ordering::Relaxed))]
    }
}

/// The execution of one operation: its lane, its price, and what it has used.
pub struct Execution {
    load: Load,
    client: Client,
    /// Whether it changes something.
    is_mutation: bool,
    /// The lane in which it is executed next.
    next: AtomicU8,
    /// The lane in which it is executed now. Fields are resolved in turn: one may have asked for another lane already.
    now: AtomicU8,
    /// Its price, in units.
    price: AtomicU64,
    /// What was left of the client's budget when it was admitted, in units.
    left: OnceLock<u32>,
    bytes: AtomicU64,
    /// The CPU time of the payload so far, in nanoseconds, without the time since `resumed_ns`.
    cpu_ns: AtomicU64,
    /// When a thread last resumed it, on that thread's CPU clock.
    resumed_ns: AtomicU64,
}

impl Execution {
    pub(super) fn new(load: Load, client: Client, is_mutation: bool) -> Self {
        Self {
            load,
            client,
            is_mutation,
            next: AtomicU8::new(LaneKind::Cheap as u8),
            now: AtomicU8::new(LaneKind::Cheap as u8),
            price: AtomicU64::new(0),
            left: OnceLock::new(),
            bytes: AtomicU64::new(0),
            cpu_ns: AtomicU64::new(0),
            resumed_ns: AtomicU64::new(0),
        }
    }

    /// Executes a task. It is cancelled when the handle is dropped.
    ///
    /// # Errors
    /// [`LoadError::Crowded`].
    pub fn execute<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<AbortOnDropHandle<T>, LoadError> {
        self.check_room(LaneKind::of(&self.next))?;
        let runtime = self.load.0.runtime.as_ref().expect("it is there until it is dropped");
        Ok(AbortOnDropHandle::new(runtime.spawn(Arc::clone(self).run(work).in_current_span())))
    }

    /// Polls a task only while it has a turn in its lane, so that a task which waits for something holds no permit.
    async fn run<T>(self: Arc<Self>, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        loop {
            let kind = LaneKind::of(&self.next);
            let mut turn = Some(self.lane(kind).acquire(self.client).await);
            let polled = poll_fn(|context| match turn.take() {
                Some(_turn) => self.poll(kind, work.as_mut(), context).map(Some),
                // It was woken: it has to wait for another turn.
                None => Poll::Ready(None),
            });
            if let Some(done) = polled.await {
                return done;
            }
        }
    }

    fn poll<T>(&self, kind: LaneKind, work: Pin<&mut impl Future<Output = T>>, context: &mut Context<'_>) -> Poll<T> {
        self.now.store(kind as u8, Ordering::Relaxed);
        let poll = || {
            self.resumed_ns.store(cpu_of_thread_ns().max(1), Ordering::Relaxed);
            let polled = work.poll(context);
            self.cpu_ns.store(self.cpu().as_nanos() as u64, Ordering::Relaxed);
            self.resumed_ns.store(0, Ordering::Relaxed);
            polled
        };
        if kind == LaneKind::Cheap { poll() } else { block_in_place(poll) }
    }

    /// Begins in the lane for expensive operations, instead of the one for cheap ones.
    pub fn begin_slowly(&self) {
        self.next.store(LaneKind::Heavy as u8, Ordering::Relaxed);
    }

    /// Adds to the price that will be computed for the operation, in units.
    pub fn add(&self, units: u64) {
        self.price.fetch_add(units, Ordering::Relaxed);
    }

    /// Takes the price, in units, from the client's budget, and continues in the lane where the operation belongs.
    ///
    /// # Errors
    /// The operation is too expensive, the client's budget does not cover it, or too many of its operations
    /// wait.
    pub async fn admit(&self, price: u64) -> Result<(), LoadError> {
        let (price, limit) = ((self.price.load(Ordering::Relaxed) + price).max(1), self.limit());
        if price > limit {
            return Err(LoadError::TooDear { cost: price, limit });
        }
        let left =
            self.take(price).map_err(|wait| LoadError::BudgetSpent { retry_after_ms: wait.as_millis() as u64 + 1 })?;
        if let Some(left) = left {
            // Only one operation is admitted in an execution.
            let _ = self.left.set(left);
        }
        self.price.store(price, Ordering::Relaxed);
        let kind = match self.is_mutation {
            true if price <= WRITING_MAX => LaneKind::Writing,
            false if price <= CHEAP_MAX => LaneKind::Cheap,
            _ => LaneKind::Heavy,
        };
        self.check_room(kind)?;
        self.move_to(kind).await;
        Ok(())
    }

    /// Moves to the lane for expensive operations if much is to be done that the price did not show, or if
    /// a query has done much already.
    ///
    /// # Errors
    /// Too many of the client's operations wait. A mutation is never refused here: it has been written already.
    pub async fn slow_down(&self, is_expensive: bool) -> Result<(), LoadError> {
        let is_misplaced = match LaneKind::of(&self.now) {
            LaneKind::Cheap => is_expensive || self.cpu() > self.load.0.limits.cheap_cpu,
            LaneKind::Writing => is_expensive,
            LaneKind::Heavy => false,
        };
        if is_misplaced {
            if !self.is_mutation {
                self.check_room(LaneKind::Heavy)?;
            }
            self.move_to(LaneKind::Heavy).await;
        }
        Ok(())
    }

    /// Does work whose cost only doing it shows, and which asks its meter whether to go on: where the operation is,
    /// or from the beginning in the lane for expensive ones if it takes longer than a few milliseconds.
    ///
    /// # Errors
    /// Those of the work, and as for [`Execution::slow_down`].
    pub async fn measure<T, E: From<LoadError>>(
        &self,
        work: impl Fn(&Meter<'_>) -> Result<T, E> + Send,
    ) -> Result<T, E> {
        self.slow_down(false).await?;
        if LaneKind::of(&self.now) != LaneKind::Heavy {
            let soon = Meter::new(self, self.cpu() + self.load.0.limits.cheap_cpu);
            match self.attempt(&soon, &work) {
                Err(_) if !soon.goes_on() && self.check().is_ok() => {}
                done => return done,
            }
        }
        self.slow_down(true).await?;
        self.attempt(&Meter::new(self, Duration::MAX), &work)
    }

    /// Does work. If it fails, its bytes are not part of the answer.
    fn attempt<T, E>(&self, meter: &Meter<'_>, work: impl Fn(&Meter<'_>) -> Result<T, E>) -> Result<T, E> {
        let bytes = self.bytes.load(Ordering::Relaxed);
        work(meter).inspect_err(|_| self.bytes.store(bytes, Ordering::Relaxed))
    }

    /// Checks the CPU time.
    ///
    /// # Errors
    /// The operation has used more than it may.
    pub fn check(&self) -> Result<(), LoadError> {
        let (cpu, limit) = (self.cpu(), self.cpu_limit());
        if cpu > limit { Err(LoadError::too_long(cpu, limit)) } else { Ok(()) }
    }

    /// The most CPU time that one operation may take.
    pub(super) fn cpu_limit(&self) -> Duration {
        Duration::from_millis(self.load.0.limits.operation_cpu_ms)
    }

    /// Counts bytes of the answer, before they are added to it. Those of a part that is refused do not count.
    ///
    /// # Errors
    /// The operation has used more than it may.
    pub fn spend(&self, bytes: usize) -> Result<(), LoadError> {
        let (bytes, limit) = (bytes as u64, self.load.0.limits.answer_bytes as u64);
        let cost = self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if cost > limit {
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
            return Err(LoadError::TooLarge { cost, limit });
        }
        self.check()
    }

    /// Pays for another payload out of the client's budget, in units, before it is made. Waits while the budget does
    /// not cover it, and lets others have their turn in any case.
    pub async fn pay(&self, units: u64) {
        while let Err(wait) = self.take(units) {
            tokio::time::sleep(wait).await;
        }
        self.bytes.store(0, Ordering::Relaxed);
        self.pay_excess();
        yield_now().await;
    }

    /// Pays for CPU time beyond the price, in steps of [`CHEAP_MAX`] so that what is left of a budget tells nothing about how
    /// long something small took.
    fn pay_excess(&self) {
        let used = self.cpu().as_micros() as u64 / UNIT_US;
        self.cpu_ns.store(0, Ordering::Relaxed);
        if self.resumed_ns.load(Ordering::Relaxed) != 0 {
            self.resumed_ns.store(cpu_of_thread_ns(), Ordering::Relaxed);
        }
        let excess = used.saturating_sub(self.price()) / CHEAP_MAX * CHEAP_MAX;
        self.budget().drain(self.client, excess);
    }

    /// The price, in units.
    pub fn price(&self) -> u64 {
        self.price.load(Ordering::Relaxed)
    }

    /// The most that one operation may cost, in units.
    pub fn limit(&self) -> u64 {
        u64::from(self.load.0.limits.operation_units)
    }

    /// What the client may spend, and what of it was left when the operation was admitted, in units; `None` if there is no
    /// limit, or it was not admitted.
    pub fn left(&self) -> Option<(Allowance, u32)> {
        let limits = &self.load.0.limits;
        let allowance = if self.client.is_administrator() { limits.administrator } else { limits.client };
        self.left.get().map(|left| (allowance, *left))
    }

    /// The CPU time of the payload so far.
    pub(super) fn cpu(&self) -> Duration {
        let resumed = self.resumed_ns.load(Ordering::Relaxed);
        let now = if resumed == 0 { 0 } else { cpu_of_thread_ns().saturating_sub(resumed) };
        Duration::from_nanos(self.cpu_ns.load(Ordering::Relaxed) + now)
    }

    fn take(&self, units: u64) -> Result<Option<u32>, Duration> {
        self.budget().take(self.client, units)
    }

    fn budget(&self) -> &Budget {
        if self.client.is_administrator() { &self.load.0.administrators } else { &self.load.0.clients }
    }

    fn lane(&self, kind: LaneKind) -> &Lane {
        &self.load.0.lanes[kind as usize]
    }

    fn check_room(&self, kind: LaneKind) -> Result<(), LoadError> {
        let waiting = self.lane(kind).waiting(self.client);
        if waiting < self.load.0.limits.waiting { Ok(()) } else { Err(LoadError::Crowded { waiting }) }
    }

    /// Waits until the task is polled in this lane. Outside of a task, it is executed where it is.
    async fn move_to(&self, kind: LaneKind) {
        self.next.store(kind as u8, Ordering::Relaxed);
        while LaneKind::of(&self.now) != kind && self.resumed_ns.load(Ordering::Relaxed) != 0 {
            yield_now().await;
        }
    }
}

impl Drop for Execution {
    fn drop(&mut self) {
        self.pay_excess();
    }
}

/// The CPU time of this thread.
fn cpu_of_thread_ns() -> u64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::net::{IpAddr, Ipv4Addr};
    use std::num::{NonZero, NonZeroU32};
    use std::sync::Barrier;
    use std::sync::atomic::AtomicUsize;
    use std::thread::{self, available_parallelism};

    use futures_util::future::join_all;
    use tokio::sync::oneshot;

    use super::*;
    use crate::load::LoadLimits;

    fn client(n: u32) -> Client {
        Client::at(IpAddr::V4(Ipv4Addr::from_bits(n)))
    }

    #[tokio::test]
    async fn what_takes_long_is_begun_again_in_the_heavy_lane() {
        let load = Load::new(LoadLimits { operation_cpu_ms: 500, ..LoadLimits::default() });
        for is_mutation in [false, true] {
            let execution = if is_mutation { load.mutation(client(1)) } else { load.execution(client(1)) };
            let work = Arc::clone(&execution);
            let lane = Arc::clone(&execution);
            // It goes on until it is stopped, except in the lane for expensive operations.
            let endless = move |meter: &Meter<'_>| {
                while LaneKind::of(&lane.now) != LaneKind::Heavy {
                    meter.check()?;
                }
                Ok::<_, Box<dyn Error + Send + Sync>>(())
            };
            // Like the fields of an object, which are resolved in turn by one task.
            let fields = async move { join_all((0..5).map(|_| work.measure(&endless))).await };
            let done = execution.execute(fields).unwrap().await.unwrap();
            assert!(done.iter().all(Result::is_ok), "{done:?}");
        }
    }

    #[tokio::test]
    async fn what_takes_too_long_is_stopped() {
        let load = Load::new(LoadLimits { operation_cpu_ms: 20, ..LoadLimits::default() });
        let execution = load.execution(client(1));
        let work = Arc::clone(&execution);
        let endless = |meter: &Meter<'_>| -> Result<(), Box<dyn Error + Send + Sync>> {
            loop {
                meter.check()?;
            }
        };
        let stopped = execution.execute(async move { work.measure(endless).await }).unwrap().await.unwrap();
        assert_eq!(stopped.unwrap_err().to_string(), LoadError::TooLong { cost: 21, limit: 20 }.to_string());
    }

    #[tokio::test]
    async fn time_beyond_the_price_is_paid_for() {
        let client_may = Allowance { burst: NonZeroU32::new(3_000), refill: NonZeroU32::MIN };
        let load = Load::new(LoadLimits { operation_cpu_ms: 20, client: client_may, ..LoadLimits::default() });
        let execution = load.execution(client(1));
        let work = Arc::clone(&execution);
        let busy = async move { while work.check().is_ok() {} };
        execution.execute(busy).unwrap().await.unwrap();
        drop(execution);
        // Of 20 ms, at least 15 are whole steps.
        assert!(load.execution(client(1)).take(1_501).is_err());
        assert_eq!(load.execution(client(2)).take(3_000), Ok(Some(0)));
    }

    #[test]
    fn bytes_of_what_is_refused_do_not_count() {
        let load = Load::new(LoadLimits { answer_bytes: 100, ..LoadLimits::default() });
        let execution = load.execution(client(1));
        let meter = Meter::new(&execution, Duration::MAX);
        assert_eq!(execution.attempt(&meter, |meter| meter.spend(60)), Ok(()));
        assert!(execution.attempt(&meter, |it| it.spend(20).and_then(|()| it.spend(30))).is_err());
        assert_eq!(execution.spend(40), Ok(()));
    }

    #[tokio::test]
    async fn cheap_operations_that_wait_for_ever_are_noticed() {
        let load = Load::new(LoadLimits::default());
        // Two clients have all turns, each half of them.
        let threads = available_parallelism().map_or(1, NonZero::get).max(2);
        let end = Arc::new(Barrier::new(threads + 1));
        let stuck: Vec<_> = (0..threads as u32)
            .map(|n| {
                let end = Arc::clone(&end);
                load.execution(client(n % 2)).execute(async move { end.wait().is_leader() }).unwrap()
            })
            .collect();
        while !load.is_stuck(Duration::from_millis(100)).await {}
        end.wait();
        join_all(stuck).await;
        assert!(!load.is_stuck(Duration::from_secs(60)).await);
    }

    #[tokio::test]
    async fn a_crowd_in_one_lane_takes_no_thread_from_another() {
        let load = Load::new(LoadLimits::default());
        let done = Arc::new(AtomicUsize::new(0));
        let crowd: Vec<_> = (0..200)
            .map(|_| {
                let done = Arc::clone(&done);
                let busy = async move {
                    thread::sleep(Duration::from_millis(1));
                    done.fetch_add(1, Ordering::Relaxed);
                };
                load.execution(client(1)).execute(busy).unwrap()
            })
            .collect();
        let mutation = load.mutation(client(2));
        let (work, before) = (Arc::clone(&mutation), Arc::clone(&done));
        let work = async move {
            work.admit(1).await.unwrap();
            yield_now().await;
            before.load(Ordering::Relaxed)
        };
        let before = mutation.execute(work).unwrap().await.unwrap();
        join_all(crowd).await;
        assert!(before < 100, "it waited for {before} operations of somebody else");
    }

    /// A task that is paid payload by payload lets others have their turn in between.
    #[tokio::test]
    async fn who_pays_lets_others_have_their_turn() {
        let free = Allowance { burst: None, ..LoadLimits::default().client };
        let load = Load::new(LoadLimits { workers: 1, client: free, ..LoadLimits::default() });
        let (one, other) = (load.execution(client(1)), load.execution(client(2)));
        let (paying, waiting) = (Arc::clone(&one), load.clone());
        let turns = Arc::new(AtomicUsize::new(0));
        let until = Arc::clone(&turns);
        let (begun, has_begun) = oneshot::channel();
        let long = async move {
            paying.slow_down(true).await.unwrap();
            begun.send(()).unwrap();
            while waiting.0.lanes[LaneKind::Heavy as usize].waiting(client(2)) == 0 {
                thread::yield_now();
            }
            for _ in 0..1_000 {
                until.fetch_add(1, Ordering::Relaxed);
                paying.pay(1).await;
            }
        };
        let long = one.execute(long).unwrap();
        has_begun.await.unwrap();
        let short = Arc::clone(&other);
        let short = async move {
            short.slow_down(true).await.unwrap();
            turns.load(Ordering::Relaxed)
        };
        let turns = other.execute(short).unwrap().await.unwrap();
        assert!(turns < 10, "it waited for {turns} payloads of somebody else");
        long.await.unwrap();
    }
}
