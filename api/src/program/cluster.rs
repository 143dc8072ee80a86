//! `cluster`: how the servers of a journal and the nodes on it stand.

use bytesize::ByteSize;
use clap::{Args, Subcommand};
use plybook_store::{JetStreamJournal, NatsAddress, ServerStatus, StreamStatus};
use url::Url;

use super::Failure;
use super::settings::Access;
use crate::curl::{Bounds, below, get};

/// Look after a journal in a stream on NATS servers.
#[derive(Debug, Args)]
#[command(after_help = "Example:
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
/// Exits with status 1 if a server or a node is away or behind, and with 2 if the stream cannot be asked.
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
const BOUNDS: Bounds = Bounds { time_s: 5, bytes: 4 << 20 };

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
        println!("{}: {events} events in {messages} messages, {}{last}", self.journal, ByteSize(*bytes));
        for server in servers {
            println!("server {}: {}", server.name, told(server));
        }
        let mut is_well = servers.iter().all(|server| server.is_current);
        for node in &self.node {
            let said = match position(node) {
                Ok(position) if position >= *events => format!("{position} events, up to date"),
                Ok(position) => {
                    is_well = false;
                    format!("{position} events, {} behind", events - position)
                }
                Err(why) => {
                    is_well = false;
                    why
                }
            };
            println!("node {node}: {said}");
        }
        if is_well { Ok(()) } else { Err(Failure::refused("a server or a node is away or behind")) }
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

/// The number of events that a node has.
fn position(node: &Url) -> Result<u64, String> {
    let answer = get(&below(node, "metrics"), BOUNDS)?;
    let text = String::from_utf8_lossy(&answer.body);
    let events = text.lines().find_map(|line| line.strip_prefix("plybook_journal_events_total "));
    events.and_then(|events| events.parse().ok()).ok_or_else(|| "these are no metrics of Plybook".to_owned())
}
