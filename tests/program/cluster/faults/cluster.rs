//! Three NATS servers and three nodes, and what can happen to them.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use plybook_store::JetStreamJournal;
use plybook_tests::nats::{Nats, free_ports};
use serde_json::Value;
use tempfile::TempDir;

use super::PATIENCE;
use super::places::Places;
use crate::plybook::{Served, http_at};

pub const SERVERS: usize = 3;
pub const NODES: usize = 3;

/// The stream of all nodes.
const STREAM: &str = "games";

/// Everything that is running, and where.
pub struct Cluster {
    nodes: Vec<Option<Served>>,
    pub nats: Nats,
    /// After what runs in them.
    pub places: Places,
    addresses: Vec<SocketAddr>,
    /// What changes the time of a node, unless it cannot be had.
    faketime: Option<PathBuf>,
}

impl Cluster {
    pub fn start(places: Places) -> Self {
        let nats = Nats::start_at(TempDir::new().unwrap(), places.all[..SERVERS].to_vec(), "always");
        let ports = free_ports(NODES).into_iter();
        let address = |(n, port): (usize, u16)| SocketAddr::new(places.all[SERVERS + n].host.parse().unwrap(), port);
        let addresses = ports.enumerate().map(address).collect();
        let mut cluster = Self { nodes: Vec::new(), nats, places, addresses, faketime: find_faketime() };
        cluster.nodes.resize_with(NODES, || None);
        for n in 0..NODES {
            fs::create_dir_all(cluster.folder(n)).unwrap();
            cluster.set_clock(n, 0);
            cluster.run(n);
        }
        cluster.await_token();
        cluster
    }

    /// Waits until all nodes know the token that the first one made, which takes them a second.
    fn await_token(&self) {
        let (begun, token) = (Instant::now(), self.token());
        let knows = |node: &Served| {
            let told = node.ask(Some(&token), "{ me { role } }", &Value::Null);
            told.is_some_and(|told| told["errors"].is_null())
        };
        while !self.nodes.iter().flatten().all(knows) {
            assert!(begun.elapsed() < PATIENCE, "a node does not know the token");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Where nodes listen.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.addresses.clone()
    }

    /// The administrator's token, which counts on all nodes.
    pub fn token(&self) -> String {
        self.nodes[0].as_ref().expect("it is running").admin()
    }

    pub fn has_clocks(&self) -> bool {
        self.faketime.is_some()
    }

    /// The arguments that lead a command to the stream.
    pub fn journal(&self) -> [String; 4] {
        let credentials = self.nats.access().credentials.unwrap().to_str().unwrap().to_owned();
        ["--journal".into(), self.nats.address(STREAM).to_string(), "--nats-credentials".into(), credentials]
    }

    /// The events of all logs, as the servers have them.
    pub fn open_journal(&self) -> JetStreamJournal {
        JetStreamJournal::open(&self.nats.address(STREAM), &self.nats.access()).unwrap()
    }

    /// The server that leads the stream.
    pub fn leader(&self) -> usize {
        let begun = Instant::now();
        loop {
            match self.nats.leader(STREAM) {
                Some(leader) => return leader,
                None => assert!(begun.elapsed() < PATIENCE, "there is no leader"),
            }
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// Starts a node.
    pub fn run(&mut self, n: usize) {
        let [a, b, c, d] = self.journal();
        let (listen, key) = (self.addresses[n].to_string(), self.nats.key_file());
        let (place, faketime) = (&self.places.all[SERVERS + n], &self.faketime);
        let metrics = format!("{}:0", place.host);
        let more = [
            [a.as_str(), &b, &c, &d, "--vault-key-file", key.to_str().unwrap()],
            ["--listen", &listen, "--metrics-listen", &metrics, "--admin-burst", "0"],
        ];
        let clock = self.clock(n);
        self.nodes[n] = Some(Served::start_with(&self.folder(n).join("data"), &more.concat(), |service| {
            let mut there = place.command(service.get_program().as_ref());
            there.args(service.get_args());
            for (name, value) in service.get_envs() {
                match value {
                    Some(value) => there.env(name, value),
                    None => there.env_remove(name),
                };
            }
            if let Some(faketime) = faketime {
                there.env("LD_PRELOAD", faketime).env("FAKETIME_TIMESTAMP_FILE", clock);
                there.env("FAKETIME_NO_CACHE", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
            }
            let log = self.folder(n).join("log");
            there.stderr(fs::File::options().create(true).append(true).open(log).unwrap());
            *service = there;
        }));
    }

    /// Kills a node with `SIGKILL`.
    pub fn kill(&mut self, n: usize) {
        self.nodes[n] = None;
    }

    /// Has a node end by itself.
    pub fn stop(&mut self, n: usize) {
        let node = self.nodes[n].take().expect("it is running");
        node.signal("-TERM");
        assert_eq!(node.wait(PATIENCE), Some(0));
    }

    /// Stops a node with `SIGSTOP`, until [`resume`](Self::resume).
    pub fn pause(&self, n: usize) {
        self.nodes[n].as_ref().expect("it is running").signal("-STOP");
    }

    /// Lets a node go on that was stopped.
    pub fn resume(&self, n: usize) {
        self.nodes[n].as_ref().expect("it is running").signal("-CONT");
    }

    /// Sets the clock of a node to so many seconds after the machine's.
    pub fn set_clock(&self, n: usize, seconds: i64) {
        let (clock, next) = (self.clock(n), self.folder(n).join("clock.next"));
        fs::write(&next, format!("{seconds:+}\n")).unwrap();
        fs::rename(next, clock).unwrap();
    }

    fn clock(&self, n: usize) -> PathBuf {
        self.folder(n).join("clock")
    }

    fn folder(&self, n: usize) -> PathBuf {
        self.places.all[SERVERS + n].folder.clone()
    }

    /// What a node says to a question by HTTP; it must.
    pub fn get(&self, n: usize, path: &str) -> String {
        let (status, body) = http_at(&self.addresses[n].to_string(), "GET", path, None, "").expect("it answers");
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    /// Waits until all nodes can write and have all events.
    pub fn wait(&self) {
        self.nats.wait();
        let begun = Instant::now();
        let nodes = self.nodes.iter().flatten();
        let nodes: Vec<String> = nodes.map(|node| format!("--node=http://{}", node.backstage())).collect();
        loop {
            let ran =
                crate::plybook::command(&["cluster", "status"]).args(self.journal()).args(&nodes).output().unwrap();
            let said = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
            // One node's clock is wrong on purpose.
            let is_well = |line: &str| {
                ["leader", "up to date"].iter().any(|end| line.ends_with(end))
                    || line.contains(" events, its clock is ")
            };
            let mut lines = said.lines().filter(|line| line.starts_with("server ") || line.starts_with("node "));
            if ran.status.success() || (lines.clone().count() > 1 && lines.all(is_well)) {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{said}");
            thread::sleep(Duration::from_millis(200));
        }
    }
}

/// The library that changes what a program takes for the time.
fn find_faketime() -> Option<PathBuf> {
    let found = Command::new("find").args(["/usr/lib", "-name", "libfaketimeMT.so.1"]).output().ok()?;
    String::from_utf8(found.stdout).ok()?.lines().next().map(PathBuf::from)
}
