//! Limits on what one operation, one client, and all of them together may cost.

use std::num::{NonZero, NonZeroU32};
use std::sync::LazyLock;
use std::thread::available_parallelism;
use std::time::Duration;

/// A unit of cost in microseconds of CPU time. It is the price of a field that needs no work of its own; that
/// takes less time than this, but each value occupies some 300 bytes until the answer is written.
pub const UNIT_US: u64 = 10;

/// The number of cores. Finding it out takes as long as a short operation: where there are control groups, it is in files.
static CORES: LazyLock<usize> = LazyLock::new(|| available_parallelism().map_or(1, NonZero::get));

/// Limits on the cost of requests, in units of [`UNIT_US`]. `docs/limits.md` explains each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadLimits {
    /// The number of threads for expensive operations. Default: one less than the machine has cores, at least
    /// one.
    pub workers: usize,
    /// The price of one operation, in units. Default 200,000: two seconds.
    pub operation_units: u32,
    /// The CPU time of one operation, in milliseconds. Default 4,000.
    pub operation_cpu_ms: u64,
    /// The CPU time after which an operation leaves the lane for cheap ones. Default: 5 ms.
    pub cheap_cpu: Duration,
    /// The size of one answer, in bytes. Default 16 MiB.
    pub answer_bytes: usize,
    /// The number of one client's operations that may wait in a lane. Default 256.
    pub waiting: usize,
    /// What a client may spend. Default: 30 seconds of CPU time at once, and half a core permanently.
    pub client: Allowance,
    /// What an administrator may spend. Default: ten times as much.
    pub administrator: Allowance,
}

/// A budget that refills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Its capacity in units. [`None`]: it is never empty.
    pub burst: Option<NonZeroU32>,
    /// How fast it refills, in units per second.
    pub refill: NonZeroU32,
}

impl Allowance {
    const fn new(burst: u32, refill: u32) -> Self {
        Self { burst: NonZeroU32::new(burst), refill: NonZeroU32::new(refill).expect("it is above 0") }
    }
}

impl Default for LoadLimits {
    fn default() -> Self {
        Self {
            workers: (*CORES - 1).max(1),
            operation_units: 200_000,
            operation_cpu_ms: 4_000,
            cheap_cpu: Duration::from_millis(5),
            answer_bytes: 16 << 20,
            waiting: 256,
            client: Allowance::new(3_000_000, 50_000),
            administrator: Allowance::new(30_000_000, 500_000),
        }
    }
}
