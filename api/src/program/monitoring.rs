//! The metrics of the process, the data directory and the service, read when they are asked for.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use plybook_http::Metrics;
use plybook_service::Service;
use procfs::process::Process;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::Unit;
use rustix::fs::statvfs;
use rustix::param::{clock_ticks_per_second, page_size};

/// The file whose modification time says when the last backup of a data directory was completed.
pub(super) const LAST_BACKUP: &str = "last-backup";

/// Adds the metrics of a service over a data directory, of which `memory_bytes` may be taken and which took so long to start.
pub(super) fn register(metrics: &Metrics, service: &Arc<Service>, data: &Path, memory_bytes: u64, start: Duration) {
    let events: Counter = Counter::default();
    let counted = events.clone();
    let before = service.log().watch(move |entries| {
        counted.inc_by(entries.len() as u64);
    });
    events.inc_by(before);
    let state = State { service: Arc::downgrade(service), data: data.to_owned(), memory_bytes, start };
    metrics.register(|registry| {
        registry.register("journal_events", "Events in the journal", events);
        registry.register_collector(Box::new(state));
    });
    let begun = SystemTime::now() - start;
    metrics.register_standard(|registry| registry.register_collector(Box::new(ThisProcess { begun })));
}

/// The state of the service and of its data directory.
#[derive(Debug)]
struct State {
    service: Weak<Service>,
    data: PathBuf,
    memory_bytes: u64,
    start: Duration,
}

/// A gauge: its name, its help, its unit and its value.
type Told = (&'static str, &'static str, Option<Unit>, f64);

impl Collector for State {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Some(service) = self.service.upgrade() else { return Ok(()) };
        for (name, help, unit, value) in self.of_service(&service).into_iter().chain(self.of_data(&service)) {
            let gauge = ConstGauge::new(value);
            gauge.encode(encoder.encode_descriptor(name, help, unit.as_ref(), gauge.metric_type())?)?;
        }
        let help = "Games that were asked for, and in memory";
        let (hits, misses) = service.cached_games();
        for (name, help, count) in [
            ("game_cache_hits", help, hits),
            ("game_cache_misses", "Games that were asked for, and had to be read and folded", misses),
        ] {
            let counter = ConstCounter::new(count);
            counter.encode(encoder.encode_descriptor(name, help, None, counter.metric_type())?)?;
        }
        Ok(())
    }
}

impl State {
    fn of_service(&self, service: &Service) -> Vec<Told> {
        let is = |is: bool| f64::from(u8::from(is));
        let log = service.log();
        let lost = service.known_losses().map_or(0, |losses| losses.values().map(Vec::len).sum());
        vec![
            ("ready", "Whether the service can record", None, is(service.refusal().is_none())),
            ("read_only", "Whether all writing is refused", None, is(service.is_read_only())),
            ("lost_secrets", "Secrets that the vault had lost at the start", None, lost as f64),
            (
                "statistics_behind_events",
                "Events that the explorer and statistics have not counted yet",
                None,
                service.digests().pending() as f64,
            ),
            (
                "ratings_behind_events",
                "Events that ratings have not counted yet",
                None,
                service.ratings().pending() as f64,
            ),
            (
                "journal_behind_events",
                "Events that the journal is known to hold and that this node lacks; 0 for a journal in files",
                None,
                log.behind() as f64,
            ),
            (
                "journal_away",
                "Whether the servers of the journal do not answer; 0 for a journal in files",
                None,
                is(log.away().is_some()),
            ),
            (
                "memory_budget",
                "How much memory the setting `memory` lets the service take",
                Some(Unit::Bytes),
                self.memory_bytes as f64,
            ),
            (
                "start_duration",
                "How long the service took to start, without loading statistics",
                Some(Unit::Seconds),
                self.start.as_secs_f64(),
            ),
            (
                "clock",
                "The clock of this machine, in seconds since 1970",
                Some(Unit::Seconds),
                since_1970(SystemTime::now()),
            ),
        ]
    }

    fn of_data(&self, service: &Service) -> Vec<Told> {
        let mut told = Vec::new();
        if let Ok(tlog) = service.tlog() {
            let refused = f64::from(u8::from(tlog.is_refused()));
            let published = tlog.published();
            let behind = service.log().len().saturating_sub(published.checkpoint.size);
            told.extend([
                ("checkpoint_refused", "Whether the journal does not lead to the last checkpoint", None, refused),
                (
                    "checkpoint_timestamp",
                    "When the published checkpoint was signed, in seconds since 1970",
                    Some(Unit::Seconds),
                    published.at_ms as f64 / 1_000.0,
                ),
                (
                    "checkpoint_behind_events",
                    "Events that the published checkpoint does not cover",
                    None,
                    behind as f64,
                ),
            ]);
        }
        if let Ok(disk) = statvfs(&self.data) {
            let bytes = |blocks: u64| blocks.saturating_mul(disk.f_frsize) as f64;
            told.extend([
                ("disk_free", "Room on the disk of the data directory", Some(Unit::Bytes), bytes(disk.f_bavail)),
                ("disk_size", "Size of the disk of the data directory", Some(Unit::Bytes), bytes(disk.f_blocks)),
            ]);
        }
        let backup = std::fs::metadata(self.data.join(LAST_BACKUP)).and_then(|meta| meta.modified());
        told.extend(backup.ok().map(|at| {
            let help = "When `plybook backup` last completed a backup, in seconds since 1970";
            ("last_backup_timestamp", help, Some(Unit::Seconds), since_1970(at))
        }));
        told
    }
}

fn since_1970(at: SystemTime) -> f64 {
    at.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

/// What every exporter tells of its process.
///
/// # Source
/// Prometheus, "Writing client libraries", standard metrics.
#[derive(Debug)]
struct ThisProcess {
    begun: SystemTime,
}

impl Collector for ThisProcess {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Ok(process) = Process::myself() else { return Ok(()) };
        let Ok(stat) = process.stat() else { return Ok(()) };
        let ticks = clock_ticks_per_second() as f64;
        let cpu = ConstCounter::new((stat.utime + stat.stime) as f64 / ticks);
        let help = "CPU time used";
        cpu.encode(encoder.encode_descriptor("process_cpu", help, Some(&Unit::Seconds), cpu.metric_type())?)?;
        let open = process.fd_count().unwrap_or_default() as f64;
        let most = rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap_or(u64::MAX) as f64;
        let told: [Told; 6] = [
            ("process_resident_memory", "Resident memory", Some(Unit::Bytes), (stat.rss * page_size() as u64) as f64),
            ("process_virtual_memory", "Virtual memory", Some(Unit::Bytes), stat.vsize as f64),
            ("process_open_fds", "Open file descriptors", None, open),
            ("process_max_fds", "File descriptors that may be open", None, most),
            ("process_threads", "Threads", None, stat.num_threads as f64),
            (
                "process_start_time",
                "When the process was started, in seconds since 1970",
                Some(Unit::Seconds),
                since_1970(self.begun),
            ),
        ];
        for (name, help, unit, value) in told {
            let gauge = ConstGauge::new(value);
            gauge.encode(encoder.encode_descriptor(name, help, unit.as_ref(), gauge.metric_type())?)?;
        }
        Ok(())
    }
}
