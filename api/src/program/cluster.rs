//! `cluster`: how the servers of a journal and the nodes on it stand.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytesize::ByteSize;
use clap::{Args, Subcommand};
use plybook_store::{JetStreamJournal, NatsAddress, ServerStatus, StreamStatus};
use url::Url;

use super::Failure;
use super::settings::Access;
use crate::fetch::{Bounds, below, get};

/// Look after a journal in a stream on NATS servers.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook cluster status --journal nats://n1,n2,n3/games")]
pub(crate) struct Cluster {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Status(Status),
}

/// Show the servers of a stream, and how far nodes have come in it.
///
/// Exits with status 1 if a server or a node is away or behind, a node records nothing, its clock differs by more than five
/// seconds, or it has found that history was changed; and with 2 if the stream cannot be asked.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook cluster status --journal nats://n1,n2,n3/games
  plybook cluster status --journal nats://n1,n2,n3/games --node http://10.0.0.1:9464 --node http://10.0.0.2:9464")]
struct Status {
    /// The stream
    #[arg(long, value_name = "nats://…", env = "PLYBOOK_JOURNAL")]
    journal: NatsAddress,
    #[command(flatten)]
    access: Access,
    /// The address of the metrics of a node that should be asked, too
    #[arg(long, value_name = "URL")]
    node: Vec<Url>,
}

/// What is accepted of a node's metrics.
const BOUNDS: Bounds = Bounds { time: Duration::from_secs(5), bytes: 4 << 20 };

/// How much the clocks of two machines may differ: events are dated by them, and rounds closed.
const CLOCK_SECONDS: f64 = 5.0;

impl Cluster {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Status(command) => command.run(),
        }
    }
}

impl Status {
    fn run(self) -> Result<(), Failure> {
        let journal = JetStreamJournal::open(&self.journal, &self.access.into()).map_err(Failure::trouble)?;
        let stream = journal.status().map_err(Failure::trouble)?;
        let StreamStatus { events, messages, bytes, last_at, servers } = &stream;
        let last = last_at.as_ref().map_or(String::new(), |at| format!(", the last at {at}"));
        say!("{}: {events} events in {messages} messages, {}{last}", self.journal, ByteSize(*bytes));
        for server in servers {
            say!("server {}: {}", server.name, told(server));
        }
        let mut is_well = servers.iter().all(|server| server.is_current);
        for node in &self.node {
            let found = Metrics::of(node).map(|metrics| metrics.findings(*events));
            is_well &= found.as_ref().is_ok_and(|(_, is_well)| *is_well);
            say!("node {node}: {}", found.map_or_else(|why| why, |(said, _)| said));
        }
        if is_well { Ok(()) } else { Err(Failure::refused("a server or a node is not as it should be")) }
    }
}

fn told(server: &ServerStatus) -> String {
    match server {
        ServerStatus { is_leader: true, .. } => "leader".to_owned(),
        ServerStatus { is_online: false, .. } => "away".to_owned(),
        ServerStatus { is_current: true, .. } => "replica, up to date".to_owned(),
        ServerStatus { lag, .. } => format!("replica, {lag} operations behind"),
    }
}

/// The metrics of a node.
struct Metrics(String);

impl Metrics {
    fn of(node: &Url) -> Result<Self, String> {
        let metrics = Self(String::from_utf8_lossy(&get(&below(node, "metrics"), BOUNDS)?.body).into_owned());
        let is_plybook = metrics.value("plybook_journal_events_total").is_some();
        if is_plybook { Ok(metrics) } else { Err("these are no metrics of Plybook".to_owned()) }
    }

    fn value(&self, name: &str) -> Option<f64> {
        self.0.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
    }

    /// What they say of a node on a stream of so many events, and whether all is well.
    fn findings(&self, events: u64) -> (String, bool) {
        let position = self.value("plybook_journal_events_total").unwrap_or(0.0) as u64;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        let ahead = self.value("plybook_clock_seconds").map_or(0.0, |clock| clock - now);
        let wrong = [
            (position < events).then(|| format!("{} behind", events.saturating_sub(position))),
            (self.value("plybook_ready") == Some(0.0)).then(|| "records nothing: its /readyz says why".to_owned()),
            (self.value("plybook_checkpoint_refused") == Some(1.0))
                .then(|| "history was changed (docs/runbook.md, \"On a node\")".to_owned()),
            (ahead.abs() > CLOCK_SECONDS).then(|| format!("its clock is {ahead:+.0} s from that of this machine")),
        ];
        let wrong: Vec<String> = wrong.into_iter().flatten().collect();
        let said = if wrong.is_empty() { "up to date".to_owned() } else { wrong.join(", ") };
        (format!("{position} events, {said}"), wrong.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_of_a_node_is_named() {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs_f64();
        let told = |events: u64, ready: u8, refused: u8, clock: f64| {
            Metrics(format!(
                "plybook_journal_events_total {events}\nplybook_ready {ready}\nplybook_checkpoint_refused {refused}\n\
                 plybook_clock_seconds {clock}\n"
            ))
            .findings(10)
        };
        assert_eq!(told(10, 1, 0, now), ("10 events, up to date".to_owned(), true));
        for (metrics, said) in [
            (told(7, 1, 0, now), "3 behind"),
            (told(10, 0, 0, now), "records nothing"),
            (told(10, 1, 1, now), "history was changed"),
            (told(10, 1, 0, now - 3_600.0), "clock is -3600 s"),
        ] {
            assert!(metrics.0.contains(said) && !metrics.1, "{metrics:?}");
        }
    }
}
