//! Where servers and nodes run: on loopback, or each in a network namespace with a disk of its own, which takes root.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use plybook_tests::nats::Place;
use tempfile::TempDir;

/// How large the disk of a server is.
const DISK_MIB: u64 = 1024;

/// The places, the servers' first.
pub struct Places {
    pub all: Vec<Place>,
    /// Before the folder below, in which disks are mounted.
    network: Option<Network>,
    /// The folders of all, and the images of disks.
    dir: TempDir,
}

/// A switch, and a cable from it to each place.
struct Network {
    /// What names of everything in it begin with.
    name: String,
    disks: Vec<PathBuf>,
}

impl Places {
    /// Places on loopback, which cannot be told from each other by the network.
    pub fn on_loopback(count: usize) -> Self {
        let dir = TempDir::new().unwrap();
        let place = |n: usize| {
            let folder = dir.path().join(n.to_string());
            Place { host: "127.0.0.1".to_owned(), prefix: Vec::new(), folder }
        };
        Self { all: (0..count).map(place).collect(), network: None, dir }
    }

    /// Places with an address each, of which the first `servers` have a disk.
    pub fn apart(count: usize, servers: usize) -> Self {
        let mut places = Self::on_loopback(count);
        let mut network = Network { name: format!("ply{}", std::process::id()), disks: Vec::new() };
        let switch = network.switch();
        do_as_root(&format!("ip link add {switch} type bridge"));
        do_as_root(&format!("ip addr add {}/24 dev {switch}", address(253)));
        do_as_root(&format!("ip link set {switch} up"));
        for (n, place) in places.all.iter_mut().enumerate() {
            let (there, cable, address) = (network.namespace(n), network.cable(n), address(n));
            do_as_root(&format!("ip netns add {there}"));
            do_as_root(&format!("ip link add {cable} type veth peer name eth0 netns {there}"));
            do_as_root(&format!("ip link set {cable} master {switch} up"));
            do_as_root(&format!("ip -n {there} addr add {address}/24 dev eth0"));
            do_as_root(&format!("ip -n {there} link set eth0 up"));
            do_as_root(&format!("ip -n {there} link set lo up"));
            place.prefix = ["ip", "netns", "exec", &there].map(str::to_owned).to_vec();
            place.host = address;
            if n < servers {
                fs::create_dir(&place.folder).unwrap();
                let image = places.dir.path().join(format!("{n}.img"));
                do_as_root(&format!("truncate -s {DISK_MIB}M {}", image.display()));
                do_as_root(&format!("mkfs.ext4 -q -m 0 {}", image.display()));
                do_as_root(&format!("mount -o loop {} {}", image.display(), place.folder.display()));
                network.disks.push(place.folder.clone());
            }
        }
        places.network = Some(network);
        places
    }

    fn network(&self) -> &Network {
        self.network.as_ref().expect("faults of the network are for places that are apart")
    }

    /// Pulls the cable of a place, without its noticing, or puts it back.
    pub fn set_connected(&self, n: usize, is_connected: bool) {
        // What a port of a bridge does: 0 drops everything, 3 forwards.
        let state = if is_connected { 3 } else { 0 };
        do_as_root(&format!("ip link set {} type bridge_slave state {state}", self.network().cable(n)));
    }

    /// Drops what one place sends to another, or no longer. What the other sends arrives.
    pub fn set_deaf(&self, from: usize, to: usize, is_deaf: bool) {
        let change = if is_deaf { "add" } else { "del" };
        do_as_root(&format!("ip -n {} route {change} blackhole {}", self.network().namespace(from), address(to)));
    }

    /// Fills the disk of a server to the last block.
    pub fn fill_disk(&self, n: usize) {
        let filler = filler(&self.all[n].folder);
        let free = Command::new("df").args(["--output=avail", "-B1"]).arg(&self.all[n].folder).output().unwrap();
        let free = String::from_utf8(free.stdout).unwrap();
        let free: u64 = free.lines().last().and_then(|line| line.trim().parse().ok()).expect("a number of bytes");
        // What is left after that is too small for a file that can be allocated at once.
        for size in [free, 1 << 20, 1 << 16, 1 << 12] {
            let grow = || {
                let has = fs::metadata(&filler).map_or(0, |file| file.len());
                let grown = Command::new("fallocate").arg("-l").arg((has + size).to_string()).arg(&filler).output();
                grown.unwrap().status.success()
            };
            while grow() {}
        }
    }

    /// Makes room again.
    pub fn free_disk(&self, n: usize) {
        fs::remove_file(filler(&self.all[n].folder)).unwrap();
    }
}

impl Network {
    fn switch(&self) -> String {
        format!("{}s", self.name)
    }

    fn cable(&self, n: usize) -> String {
        format!("{}c{n}", self.name)
    }

    fn namespace(&self, n: usize) -> String {
        format!("{}-{n}", self.name)
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        // As far as they were made: without them, the commands do nothing.
        for n in 0..16 {
            let _ = Command::new("ip").args(["netns", "del", &self.namespace(n)]).output();
        }
        let _ = Command::new("ip").args(["link", "del", &self.switch()]).output();
        for disk in &self.disks {
            let _ = Command::new("umount").arg("-l").arg(disk).output();
        }
    }
}

/// The address of a place, in a range that RFC 2544 keeps for such purposes.
fn address(n: usize) -> String {
    format!("198.18.77.{}", n + 1)
}

fn filler(folder: &Path) -> PathBuf {
    folder.join("filler")
}

/// Runs a command, whose words have no spaces in them.
fn do_as_root(command: &str) {
    let mut words = command.split(' ');
    let ran = Command::new(words.next().unwrap()).args(words).output().unwrap();
    assert!(ran.status.success(), "{command}: {} (it takes root)", String::from_utf8_lossy(&ran.stderr));
}
