//! Servers and nodes that are killed, stopped, cut off, filled up and set wrong while clients record games through all nodes:
//! nothing that was acknowledged is lost or there twice, and what every client was told of a log is linearizable.
//!
//! The long run, with network namespaces and disks of their own, takes root:
//!
//!     PLYBOOK_FAULTS=300 cargo test --workspace --test program faults -- --nocapture

mod check;
mod cluster;
mod history;
mod places;
mod search;
mod writers;

use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use plybook_generator::numbers::Numbers;

use self::cluster::{Cluster, NODES, SERVERS};
use self::places::Places;
use self::writers::{Record, WRITERS};

/// How many faults the long run has; without it, there is the short one.
const FAULTS: &str = "PLYBOOK_FAULTS";

/// The longest that anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// How many writes are acknowledged between two faults.
const WRITES: u64 = 40;

/// How long a fault lasts, in milliseconds: now and then longer than an append is tried.
const LASTS: Range<u32> = 300..3_000;
const LASTS_LONG: Range<u32> = 11_000..13_000;

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    LeaderKilled,
    ServerStopped,
    NodeKilled,
    NodeStopped,
    /// It ends by itself and starts again, as in an upgrade.
    NodeRestarted,
    AllServersKilled,
    AllServersStopped,
    ClockMoved,
    ServerCutOff,
    NodeCutOff,
    /// One server does not hear another, which hears it.
    ServerDeaf,
    /// A node does not hear one of the servers.
    NodeDeaf,
    DiskFull,
}

/// What takes no root.
const ANYWHERE: [Fault; 8] = [
    Fault::LeaderKilled,
    Fault::ServerStopped,
    Fault::NodeKilled,
    Fault::NodeStopped,
    Fault::NodeRestarted,
    Fault::AllServersKilled,
    Fault::AllServersStopped,
    Fault::ClockMoved,
];

/// What takes places that are apart.
const APART: [Fault; 5] = [Fault::ServerCutOff, Fault::NodeCutOff, Fault::ServerDeaf, Fault::NodeDeaf, Fault::DiskFull];

#[test]
fn nothing_acknowledged_is_lost_or_there_twice_whatever_happens() {
    let count: Option<usize> = std::env::var(FAULTS).ok().map(|n| n.parse().expect("a number of faults"));
    let (places, kinds, count) = match count {
        Some(count) => (Places::apart(SERVERS + NODES, SERVERS), [&ANYWHERE[..], &APART].concat(), count),
        None => (Places::on_loopback(SERVERS + NODES), ANYWHERE.to_vec(), 12),
    };
    let mut cluster = Cluster::start(places);
    let kinds: Vec<Fault> =
        kinds.into_iter().filter(|kind| *kind != Fault::ClockMoved || cluster.has_clocks()).collect();
    if !cluster.has_clocks() {
        println!("no clock is moved: there is no libfaketime (Debian's package `faketime`)");
    }
    let record = Record::new(cluster.addresses(), cluster.token());
    let mut told = check::Checkpoints::default();
    let (begun, mut took) = (Instant::now(), Vec::new());
    cluster.wait();
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let record = &record;
            scope.spawn(move || record.write(writer));
        }
        let mut numbers = Numbers::new(0xfa17, "faults", count as u64);
        for n in 0..count {
            record.await_more(WRITES);
            // Each kind in turn, so that all come, at a time that nothing depends on.
            thread::sleep(Duration::from_millis(numbers.below(300).into()));
            let fault = kinds[n % kinds.len()];
            let since = begun.elapsed().as_secs_f64();
            println!("{since:>7.1} s: {n:>3} {fault:?}");
            took.extend(inflict(fault, &mut cluster, &record, &mut numbers));
            told.hear(&cluster);
        }
        record.await_more(WRITES);
        record.end();
    });
    println!("{count} faults in {:.0?}", begun.elapsed());
    check::all(&cluster, &record, told);
    print_times(took);
}

/// What is timed, and how long it took.
type Took = (&'static str, Duration);

const ELECTED: &str = "another server led after the death of a leader";
const WRITTEN: &str = "writes went on after the death of a leader";
const PAUSED_LEADER: &str = "nothing was written while the leader was stopped";
const PAUSED_FOLLOWER: &str = "nothing was written while another server was stopped";
const ENDED: &str = "a node ended under load";
const STARTED: &str = "a node started under load";

fn print_times(mut took: Vec<Took>) {
    took.sort();
    for part in took.chunk_by(|(one, _), (other, _)| one == other) {
        let seconds: Vec<String> = part.iter().map(|(_, took)| format!("{:.2}", took.as_secs_f64())).collect();
        println!("seconds: {}: {}", part[0].0, seconds.join(" "));
    }
}

/// Has something happen, and undoes it.
fn inflict(fault: Fault, cluster: &mut Cluster, record: &Record, numbers: &mut Numbers) -> Vec<Took> {
    let lasts = if numbers.happens(8) { LASTS_LONG } else { LASTS };
    let lasts = Duration::from_millis((lasts.start + numbers.below(lasts.end - lasts.start)).into());
    let (server, node) = (numbers.below(SERVERS as u32) as usize, numbers.below(NODES as u32) as usize);
    // Every second time, it is the server that leads.
    let server = if numbers.happens(50) { cluster.leader() } else { server };
    match fault {
        Fault::LeaderKilled => {
            let leader = cluster.leader();
            cluster.nats.kill(leader);
            let since = Instant::now();
            cluster.leader();
            let took = vec![(ELECTED, since.elapsed()), (WRITTEN, record.await_write(since))];
            cluster.nats.run(leader);
            return took;
        }
        Fault::ServerStopped => {
            let what = if server == cluster.leader() { PAUSED_LEADER } else { PAUSED_FOLLOWER };
            cluster.nats.pause(server);
            let since = Instant::now();
            thread::sleep(lasts);
            let took = record.longest_pause(since);
            cluster.nats.resume(server);
            return vec![(what, took)];
        }
        Fault::NodeKilled => {
            cluster.kill(node);
            thread::sleep(lasts);
            cluster.run(node);
        }
        Fault::NodeStopped => {
            cluster.pause(node);
            thread::sleep(lasts);
            cluster.resume(node);
        }
        Fault::NodeRestarted => {
            let begun = Instant::now();
            cluster.stop(node);
            let ended = begun.elapsed();
            cluster.run(node);
            return vec![(ENDED, ended), (STARTED, begun.elapsed() - ended)];
        }
        Fault::AllServersKilled => {
            (0..SERVERS).for_each(|n| cluster.nats.kill(n));
            thread::sleep(lasts);
            (0..SERVERS).for_each(|n| cluster.nats.run(n));
        }
        Fault::AllServersStopped => {
            (0..SERVERS).for_each(|n| cluster.nats.pause(n));
            thread::sleep(lasts);
            (0..SERVERS).for_each(|n| cluster.nats.resume(n));
        }
        Fault::ClockMoved => {
            // An hour, or as little as clocks may differ, ahead or behind. It stays like this until the next time.
            let seconds = if numbers.happens(50) { 3_600 } else { 2 };
            cluster.set_clock(node, if numbers.happens(50) { seconds } else { -seconds });
        }
        Fault::ServerCutOff => {
            cluster.places.set_connected(server, false);
            thread::sleep(lasts);
            cluster.places.set_connected(server, true);
        }
        Fault::NodeCutOff => {
            cluster.places.set_connected(SERVERS + node, false);
            thread::sleep(lasts);
            cluster.places.set_connected(SERVERS + node, true);
        }
        Fault::ServerDeaf => {
            let other = (server + 1 + numbers.below(SERVERS as u32 - 1) as usize) % SERVERS;
            cluster.places.set_deaf(other, server, true);
            thread::sleep(lasts);
            cluster.places.set_deaf(other, server, false);
        }
        Fault::NodeDeaf => {
            cluster.places.set_deaf(server, SERVERS + node, true);
            thread::sleep(lasts);
            cluster.places.set_deaf(server, SERVERS + node, false);
        }
        Fault::DiskFull => {
            cluster.places.fill_disk(server);
            thread::sleep(lasts);
            cluster.places.free_disk(server);
            // A server whose disk was full has given up its streams until it is started again.
            cluster.nats.kill(server);
            cluster.nats.run(server);
        }
    }
    Vec::new()
}
