//! Admission control: what an operation may cost, what a client may spend, and where an operation is executed.
//!
//! Each operation is an [`Execution`]: a task of a runtime of its own, so that none holds a network thread. It begins
//! in the lane for cheap operations. Once its price is known, [`Execution::admit`] takes it from the client's budget, a
//! token bucket, and moves the operation to the lane where it belongs. A lane is a semaphore that is fair between
//! clients. While the operation is executed, its [`Meter`] bounds time and bytes.
//!
//! It depends on neither the schema, the service nor HTTP.

mod budget;
mod client;
mod execution;
mod lane;
mod limits;
mod meter;
mod refusal;

use std::net::Ipv4Addr;
use std::num::NonZero;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use prometheus_client::registry::Registry;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;

use self::budget::Budget;
use self::execution::LaneKind;
use self::lane::{Lane, LaneCounts};

pub use self::client::Client;
pub use self::execution::Execution;
pub use self::limits::{Allowance, LoadLimits, UNIT_US};
pub use self::meter::Meter;
pub use self::refusal::LoadError;

/// The number of mutations that may wait for the disk at once.
const WRITERS: usize = 64;

/// The stack of a thread, in bytes. In unoptimised builds, deep selections need much of it.
const STACK_BYTES: usize = 8 << 20;

/// The lanes and budgets of one service. Clones share them; the threads end with the last one.
#[derive(Clone)]
pub struct Load(Arc<Inner>);

struct Inner {
    limits: LoadLimits,
    clients: Budget,
    administrators: Budget,
    /// By [`LaneKind`].
    lanes: [Lane; 3],
    counts: LaneCounts,
    /// `None` once it is shut down.
    runtime: Option<Runtime>,
}

impl Load {
    /// Starts the threads.
    pub fn new(limits: LoadLimits) -> Self {
        let threads = available_parallelism().map_or(1, NonZero::get).max(2);
        let runtime = Builder::new_multi_thread()
            // Twice as many as turns in the cheap lane. With as many, tasks would wait for a thread, in the order in which they
            // came, and never in a lane, which is fair between clients.
            .worker_threads(2 * threads)
            .thread_name("operations")
            .thread_stack_size(STACK_BYTES)
            .enable_all()
            .build();
        let counts = LaneCounts::default();
        Self(Arc::new(Inner {
            limits,
            clients: Budget::new(limits.client),
            administrators: Budget::new(limits.administrator),
            lanes: [("cheap", threads), ("writing", WRITERS), ("heavy", limits.workers.max(1))]
                .map(|(name, permits)| Lane::new(name, permits, &counts)),
            counts,
            runtime: Some(runtime.expect("the system has threads")),
        }))
    }

    /// Adds the lanes' metrics.
    pub fn register(&self, registry: &mut Registry) {
        self.0.counts.register(registry);
    }

    /// Whether no cheap operation gets a turn for so long, though each takes milliseconds: all of them wait for something that
    /// does not come.
    pub async fn is_stuck(&self, patience: Duration) -> bool {
        let nobody = Client::at(Ipv4Addr::UNSPECIFIED.into());
        timeout(patience, self.0.lanes[LaneKind::Cheap as usize].acquire(nobody)).await.is_err()
    }

    /// The execution of something that a client reads.
    pub fn execution(&self, client: Client) -> Arc<Execution> {
        Arc::new(Execution::new(self.clone(), client, false))
    }

    /// The execution of something that a client changes.
    pub fn mutation(&self, client: Client) -> Arc<Execution> {
        Arc::new(Execution::new(self.clone(), client, true))
    }
}

impl Drop for Inner {
    /// Does not wait for the threads: the last clone may be dropped by one of them.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
