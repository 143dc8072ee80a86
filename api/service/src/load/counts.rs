//! Metrics of the lanes.

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// The bounds of the histogram of waiting times.
const BUCKETS_SECONDS: [f64; 10] = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0];

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Labels {
    lane: &'static str,
}

/// The metrics of all lanes.
#[derive(Clone)]
pub(super) struct Counts {
    waiting: Family<Labels, Gauge>,
    running: Family<Labels, Gauge>,
    waits: Family<Labels, Histogram, fn() -> Histogram>,
}

/// The metrics of one lane.
pub(super) struct LaneCounts {
    /// Operations that wait for a thread.
    pub(super) waiting: Gauge,
    /// Operations that are being executed.
    pub(super) running: Gauge,
    /// How long operations waited, in seconds; one sample each time an operation is scheduled.
    pub(super) waits: Histogram,
}

impl Counts {
    pub(super) fn new() -> Self {
        let waits = Family::new_with_constructor((|| Histogram::new(BUCKETS_SECONDS)) as fn() -> Histogram);
        Self { waiting: Family::default(), running: Family::default(), waits }
    }

    pub(super) fn of(&self, lane: &'static str) -> LaneCounts {
        let labels = Labels { lane };
        LaneCounts {
            waiting: self.waiting.get_or_create(&labels).clone(),
            running: self.running.get_or_create(&labels).clone(),
            waits: self.waits.get_or_create(&labels).clone(),
        }
    }

    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register("lane_waiting", "Operations that wait for a thread of their lane", self.waiting.clone());
        registry.register("lane_running", "Operations that are being executed", self.running.clone());
        let help = "How long operations waited for a thread of their lane, each time they could go on";
        registry.register_with_unit("lane_wait", help, Unit::Seconds, self.waits.clone());
    }
}
