//! What one request may use, and what it has used.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::task::Poll;
use std::time::Duration;

use async_task::Task;
use rustix::time::{ClockId, clock_gettime};
use tokio::task::yield_now;
use tracing::Instrument;

use super::Accounts;
use super::limits::UNIT_US;
use super::meter::Meter;
use super::workers::{Lane, Lanes};
use crate::load::Client;

/// The highest price that counts as cheap, in units.
const CHEAP_MAX: u64 = 500;

/// The highest price, in units, at which a mutation need not wait with expensive queries.
const WRITING_MAX: u64 = 20_000;

/// Why a request is not executed, or not continued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdmissionError {
    /// Ask for less, or split the request.
    #[error("the operation may cost {price} units, and {limit} are allowed: ask for less at a time")]
    TooDear {
        /// What it costs at most.
        price: u64,
        /// What one operation may cost.
        limit: u64,
    },
    /// Retry later.
    #[error("you have used up your share: retry in {} s", retry_after_ms.div_ceil(1_000))]
    BudgetSpent {
        /// When the budget will cover it.
        retry_after_ms: u64,
    },
    /// Wait for some of the answers.
    #[error("{waiting} of your operations are waiting already: send fewer at once")]
    Crowded {
        /// The number of the client's operations that wait.
        waiting: usize,
        /// When there may be room.
        retry_after_ms: u64,
    },
}

/// What an operation has used too much of. Ask for less, or split the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Overspent {
    /// The answer is too large.
    #[error("the answer would have more than {limit} bytes: ask for less at a time")]
    Bytes {
        /// The bytes so far.
        cost: u64,
        /// The bytes allowed.
        limit: u64,
    },
    /// The operation takes too long.
    #[error("the operation takes more than {limit} ms of CPU time: ask for less at a time")]
    Cpu {
        /// The CPU time used, in milliseconds.
        cost: u64,
        /// The CPU time allowed, in milliseconds.
        limit: u64,
    },
    /// It goes on in the lane for expensive operations; clients never see this.
    #[error("the operation has to change lanes")]
    Lane,
}

/// Who makes a request, and what kind of request it is.
#[derive(Clone, Copy, Debug)]
pub struct Asker {
    /// Who pays.
    pub client: Client,
    /// Whether the administrators' budget applies.
    pub is_administrator: bool,
    /// Whether the request changes something.
    pub is_mutation: bool,
    /// Whether it is known to be valid, apart from the values in it.
    pub is_proven: bool,
}

/// What one request may use, and what it has used.
pub struct Ticket {
    lanes: Arc<Lanes>,
    accounts: Arc<Accounts>,
    client: Client,
    is_administrator: bool,
    is_mutation: bool,
    /// The lane in which it is executed next.
    lane: AtomicU8,
    /// The lane whose thread executes it. Fields are resolved in turn: one may have asked for another lane already.
    running: AtomicU8,
    /// Its price, in units; from [`Ticket::admit`] on, this much of the budget is reserved.
    price: AtomicU64,
    is_reserved: AtomicBool,
    bytes: AtomicU64,
    /// The CPU time of the payload so far, in nanoseconds, without the time since `resumed_ns`.
    cpu_ns: AtomicU64,
    /// When the executing thread last resumed it, on that thread's CPU clock.
    resumed_ns: AtomicU64,
}

impl Ticket {
    pub(super) fn new(lanes: Arc<Lanes>, accounts: Arc<Accounts>, from: Asker) -> Self {
        let Asker { client, is_administrator, is_mutation, is_proven } = from;
        // Finding out the price of what needs no validation takes less time than handing it over.
        let lane = if is_mutation && is_proven { Lane::Writing } else { Lane::Cheap };
        Self {
            lanes,
            accounts,
            client,
            is_administrator,
            is_mutation,
            lane: AtomicU8::new(lane as u8),
            running: AtomicU8::new(lane as u8),
            price: AtomicU64::new(0),
            is_reserved: AtomicBool::new(false),
            bytes: AtomicU64::new(0),
            cpu_ns: AtomicU64::new(0),
            resumed_ns: AtomicU64::new(0),
        }
    }

    /// Executes a task on the workers. It is cancelled when the future is dropped.
    ///
    /// # Errors
    /// [`Refused::Crowded`].
    pub fn execute<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<Task<T>, AdmissionError> {
        self.check_room(self.lane())?;
        let schedule = {
            let ticket = Arc::clone(self);
            move |runnable| ticket.lanes.push(ticket.lane(), ticket.client, runnable)
        };
        let (runnable, task) = async_task::spawn(metered(Arc::clone(self), work).in_current_span(), schedule);
        runnable.schedule();
        Ok(task)
    }

    /// Adds to the price that will be computed for the operation, in units.
    pub fn add(&self, units: u64) {
        self.price.fetch_add(units, Ordering::Relaxed);
    }

    /// Checks the price, in units, against the limits, and continues in the lane where the operation belongs.
    ///
    /// # Errors
    /// The operation is too expensive, the client's budget does not cover it, or too many of its operations
    /// wait.
    pub async fn admit(&self, price: u64) -> Result<(), AdmissionError> {
        let (price, limit) = ((self.price.swap(0, Ordering::Relaxed) + price).max(1), self.limit());
        if price > limit {
            return Err(AdmissionError::TooDear { price, limit });
        }
        let reserved = self.accounts.budget(self.is_administrator).reserve(self.client, price);
        reserved.map_err(|wait| AdmissionError::BudgetSpent { retry_after_ms: wait.as_millis() as u64 + 1 })?;
        self.price.store(price, Ordering::Relaxed);
        self.is_reserved.store(true, Ordering::Relaxed);
        match self.is_mutation {
            true if price <= WRITING_MAX => self.continue_in(Lane::Writing).await,
            false if price <= CHEAP_MAX => Ok(()),
            _ => self.continue_in(Lane::Heavy).await,
        }
    }

    /// Moves to the lane for expensive operations if much is to be done that the price did not show, or if
    /// a query has done much already.
    ///
    /// # Errors
    /// Too many of the client's operations wait. A mutation is never refused here: it has been written already.
    pub async fn slow_down(&self, is_expensive: bool) -> Result<(), AdmissionError> {
        let is_misplaced = match self.running() {
            Lane::Cheap => is_expensive || self.cpu() > self.accounts.limits.cheap_cpu,
            Lane::Writing => is_expensive,
            Lane::Heavy => false,
        };
        if is_misplaced {
            if !self.is_mutation {
                self.check_room(Lane::Heavy)?;
            }
            self.move_to(Lane::Heavy).await;
        }
        Ok(())
    }

    /// Does work whose cost only doing it shows, and which asks its meter whether to go on: where the operation is,
    /// or from the beginning in the lane for expensive ones if it takes longer than a few milliseconds.
    ///
    /// # Errors
    /// Those of the work, and as for [`Ticket::slow_down`].
    pub async fn measure<T, E: From<AdmissionError>>(
        &self,
        work: impl Fn(&Meter<'_>) -> Result<T, E> + Send,
    ) -> Result<T, E> {
        self.slow_down(false).await?;
        if self.running() != Lane::Heavy {
            let meter = Meter::new(self, Some(self.cpu() + self.accounts.limits.cheap_cpu));
            let done = self.attempt(&meter, &work);
            if !meter.is_misplaced() {
                return done;
            }
        }
        self.slow_down(true).await?;
        self.attempt(&Meter::new(self, None), &work)
    }

    /// Does work. If it fails, its bytes are not part of the answer.
    fn attempt<T, E>(&self, meter: &Meter<'_>, work: impl Fn(&Meter<'_>) -> Result<T, E>) -> Result<T, E> {
        let bytes = self.bytes();
        work(meter).inspect_err(|_| self.bytes.store(bytes, Ordering::Relaxed))
    }

    /// Counts bytes of the answer, before they are added to it. Those of a part that is refused do not count.
    ///
    /// # Errors
    /// It uses more than an operation may.
    pub fn spend(&self, bytes: usize) -> Result<(), Overspent> {
        let limits = &self.accounts.limits;
        let bytes = bytes as u64;
        let (cost, limit) = (self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes, limits.answer_bytes as u64);
        if cost > limit {
            self.bytes.fetch_sub(bytes, Ordering::Relaxed);
            return Err(Overspent::Bytes { cost, limit });
        }
        let (cost, limit) = (self.cpu().as_millis() as u64, limits.operation_cpu_ms);
        if cost > limit { Err(Overspent::Cpu { cost, limit }) } else { Ok(()) }
    }

    /// Pays for one payload out of the client's budget, before the next one begins. Waits while the budget is empty, and
    /// lets others have their turn in any case.
    pub async fn pay(&self) {
        match self.charge() {
            Some(wait) => tokio::time::sleep(wait).await,
            None => yield_now().await,
        }
    }

    /// Pays for CPU time that another thread used for the operation.
    pub fn pay_for(&self, cpu: Duration) {
        self.accounts.budget(self.is_administrator).take(self.client, units(cpu));
    }

    /// The price, in units.
    pub fn price(&self) -> u64 {
        self.price.load(Ordering::Relaxed)
    }

    /// The most that one operation may cost, in units.
    pub fn limit(&self) -> u64 {
        u64::from(self.accounts.limits.operation_units)
    }

    /// The CPU time that has not been paid for yet.
    pub fn cpu(&self) -> Duration {
        let resumed = self.resumed_ns.load(Ordering::Relaxed);
        let now = if resumed == 0 { 0 } else { cpu_of_thread_ns().saturating_sub(resumed) };
        Duration::from_nanos(self.cpu_ns.load(Ordering::Relaxed) + now)
    }

    /// The number of bytes counted so far.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// The number of bytes that the answer may still have.
    pub fn room(&self) -> usize {
        self.accounts.limits.answer_bytes.saturating_sub(self.bytes() as usize)
    }

    fn lane(&self) -> Lane {
        Lane::of(self.lane.load(Ordering::Relaxed))
    }

    fn running(&self) -> Lane {
        Lane::of(self.running.load(Ordering::Relaxed))
    }

    fn check_room(&self, lane: Lane) -> Result<(), AdmissionError> {
        let waiting = self.lanes.waiting(lane, self.client);
        if waiting < self.accounts.limits.waiting {
            Ok(())
        } else {
            Err(AdmissionError::Crowded { waiting, retry_after_ms: 1_000 })
        }
    }

    async fn continue_in(&self, lane: Lane) -> Result<(), AdmissionError> {
        if lane == self.lane() {
            return Ok(());
        }
        self.check_room(lane)?;
        self.move_to(lane).await;
        Ok(())
    }

    async fn move_to(&self, lane: Lane) {
        self.lane.store(lane as u8, Ordering::Relaxed);
        poll_fn(|context| {
            // Without a worker, it is executed where it is.
            let is_on_worker = self.resumed_ns.load(Ordering::Relaxed) != 0;
            if self.running() == lane || !is_on_worker {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }

    fn charge(&self) -> Option<Duration> {
        let cpu = self.cpu();
        self.bytes.store(0, Ordering::Relaxed);
        self.cpu_ns.store(0, Ordering::Relaxed);
        if self.resumed_ns.load(Ordering::Relaxed) != 0 {
            self.resumed_ns.store(cpu_of_thread_ns(), Ordering::Relaxed);
        }
        self.accounts.budget(self.is_administrator).take(self.client, units(cpu))
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.charge();
        if self.is_reserved.load(Ordering::Relaxed) {
            self.accounts.budget(self.is_administrator).release(self.client, self.price());
        }
    }
}

/// Measures the CPU time used on behalf of a ticket.
async fn metered<T>(ticket: Arc<Ticket>, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    poll_fn(|context| {
        ticket.resumed_ns.store(cpu_of_thread_ns().max(1), Ordering::Relaxed);
        ticket.running.store(ticket.lane() as u8, Ordering::Relaxed);
        let polled = catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context)));
        ticket.cpu_ns.store(ticket.cpu().as_nanos() as u64, Ordering::Relaxed);
        ticket.resumed_ns.store(0, Ordering::Relaxed);
        polled.unwrap_or_else(|panic| resume_unwind(panic))
    })
    .await
}

/// What CPU time costs.
fn units(cpu: Duration) -> u64 {
    (cpu.as_micros() as u64).div_ceil(UNIT_US)
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
    use std::sync::atomic::AtomicUsize;
    use std::thread;

    use futures_util::future::join_all;

    use super::*;
    use crate::load::{Allowance, Load, LoadLimits};

    /// Goes on until it is stopped, except in the lane for expensive operations; returns its thread.
    fn endless(meter: &Meter<'_>) -> Result<String, Box<dyn Error + Send + Sync>> {
        let name = thread::current().name().unwrap_or_default().to_owned();
        while !name.starts_with("heavy") {
            meter.check()?;
        }
        Ok(name)
    }

    #[tokio::test]
    async fn what_takes_long_is_begun_again_in_the_heavy_lane() {
        let load = Load::new(LoadLimits { operation_cpu_ms: 500, ..LoadLimits::default() });
        for is_mutation in [false, true] {
            let client = Client::at(IpAddr::V4(Ipv4Addr::LOCALHOST));
            let ticket = load.ticket(Asker { client, is_administrator: false, is_mutation, is_proven: true });
            let work = Arc::clone(&ticket);
            // Like the fields of an object, which are resolved in turn by one task.
            let fields = async move { join_all((0..5).map(|_| work.measure(endless))).await };
            let done = ticket.execute(fields).unwrap().await;
            assert!(done.iter().all(|thread| thread.as_ref().is_ok_and(|name| name.starts_with("heavy"))), "{done:?}");
        }
    }

    #[test]
    fn bytes_of_what_is_refused_do_not_count() {
        let load = Load::new(LoadLimits { answer_bytes: 100, ..LoadLimits::default() });
        let client = Client::at(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let ticket = load.ticket(Asker { client, is_administrator: false, is_mutation: true, is_proven: true });
        let meter = Meter::new(&ticket, None);
        assert_eq!(ticket.attempt(&meter, |meter| meter.spend(60)), Ok(()));
        assert!(ticket.attempt(&meter, |meter| meter.spend(20).and_then(|()| meter.spend(30))).is_err());
        assert_eq!((ticket.bytes(), ticket.room()), (60, 40));
        assert!(meter.check().is_err(), "it was stopped");
        assert_eq!(ticket.spend(40), Ok(()));
    }

    /// A worker that is paid payload by payload serves the others in between.
    #[tokio::test]
    async fn who_pays_lets_others_have_their_turn() {
        let client = Allowance { burst: None, ..LoadLimits::default().client };
        let load = Load::new(LoadLimits { workers: 1, client, ..LoadLimits::default() });
        let ticket = |n| {
            let client = Client::at(IpAddr::V4(Ipv4Addr::from_bits(n)));
            load.ticket(Asker { client, is_administrator: false, is_mutation: false, is_proven: false })
        };
        let (one, other) = (ticket(1), ticket(2));
        let (paying, waiting) = (Arc::clone(&one), Arc::clone(&other));
        let turns = Arc::new(AtomicUsize::new(0));
        let until = Arc::clone(&turns);
        let long = async move {
            paying.slow_down(true).await.unwrap();
            while waiting.lanes.waiting(Lane::Heavy, waiting.client) == 0 {
                thread::yield_now();
            }
            for _ in 0..1_000 {
                until.fetch_add(1, Ordering::Relaxed);
                paying.pay().await;
            }
        };
        let long = one.execute(long).unwrap();
        let short = Arc::clone(&other);
        let short = async move {
            short.slow_down(true).await.unwrap();
            turns.load(Ordering::Relaxed)
        };
        assert_eq!(other.execute(short).unwrap().await, 1);
        long.await;
    }
}
