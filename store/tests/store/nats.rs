//! NATS servers on loopback, as `docs/cluster.md` says they have to be configured.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use plybook_store::{NatsAccess, NatsAddress, VaultKey};
use tempfile::TempDir;

/// Servers, which end with this.
pub struct Nats {
    /// Holds the credentials, and a folder for each server, named by its number.
    pub dir: TempDir,
    program: PathBuf,
    ports: Vec<u16>,
    /// Where servers say whether they are ready.
    health: Vec<u16>,
    running: Vec<Option<Child>>,
}

impl Nats {
    /// Starts one server, or three that form a cluster.
    pub fn start(count: usize) -> Self {
        Self::start_with(count, "always")
    }

    /// Like [`start`](Self::start), with this `sync_interval`.
    pub fn start_with(count: usize, sync_interval: &str) -> Self {
        Self::start_as(count, |dir, n, ports| config(dir, n, ports, sync_interval))
    }

    /// Starts servers with configurations of their own: of each, by the folder, its number and the ports of all (for clients, for
    /// other servers, and where they say whether they are ready).
    pub fn start_as(count: usize, config: impl Fn(&Path, usize, [&[u16]; 3]) -> String) -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/nats");
        let found = Command::new(script).output().expect("tests/nats runs");
        assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
        let program = PathBuf::from(String::from_utf8(found.stdout).unwrap().trim());
        let dir = tempfile::tempdir().unwrap();
        let ports = free_ports(3 * count);
        let (health, ports) = ports.split_at(count);
        let (ports, routes) = ports.split_at(count);
        for n in 0..count {
            let config = config(dir.path(), n, [ports, routes, health]);
            fs::write(dir.path().join(format!("{n}.conf")), config).unwrap();
        }
        fs::write(dir.path().join("credentials"), "plybook:secret\n").unwrap();
        VaultKey::make(&dir.path().join("vault-key")).unwrap();
        let mut nats = Self { dir, program, ports: ports.to_vec(), health: health.to_vec(), running: Vec::new() };
        nats.running.resize_with(count, || None);
        (0..count).for_each(|n| nats.run(n));
        nats.wait();
        nats
    }

    /// Waits until all servers have a leader, which takes long on a busy machine.
    pub fn wait(&self) {
        let begun = Instant::now();
        let is_healthy = |port: &u16| {
            let mut answer = String::new();
            TcpStream::connect(("127.0.0.1", *port)).is_ok_and(|mut stream| {
                let asked = stream.write_all(b"GET /healthz HTTP/1.0\r\n\r\n");
                asked.and_then(|()| stream.read_to_string(&mut answer)).is_ok() && answer.contains(" 200 ")
            })
        };
        while !self.health.iter().all(is_healthy) {
            assert!(begun.elapsed() < Duration::from_secs(120), "the servers do not start");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// The address of a stream on these servers.
    pub fn address(&self, stream: &str) -> NatsAddress {
        let (hosts, replicas) = (self.servers().join(","), self.ports.len());
        format!("nats://{hosts}/{stream}?replicas={replicas}").parse().unwrap()
    }

    /// Where the servers listen.
    pub fn servers(&self) -> Vec<String> {
        self.ports.iter().map(|port| format!("127.0.0.1:{port}")).collect()
    }

    /// What lets the account in that may ask the servers how they are configured.
    pub fn access(&self) -> NatsAccess {
        NatsAccess { credentials: Some(self.dir.path().join("credentials")), authorities: None }
    }

    /// The file with the key that all nodes have.
    pub fn key_file(&self) -> PathBuf {
        self.dir.path().join("vault-key")
    }

    /// The number of servers.
    pub fn len(&self) -> usize {
        self.running.len()
    }

    /// Starts a server again.
    pub fn run(&mut self, n: usize) {
        let log = fs::File::options().create(true).append(true).open(self.dir.path().join(format!("{n}.log"))).unwrap();
        let mut command = Command::new(&self.program);
        command.arg("-c").arg(self.dir.path().join(format!("{n}.conf"))).stdout(Stdio::null()).stderr(log);
        self.running[n] = Some(command.spawn().expect("the server starts"));
    }

    /// Kills a server with `SIGKILL`.
    pub fn kill(&mut self, n: usize) {
        if let Some(mut server) = self.running[n].take() {
            server.kill().unwrap();
            server.wait().unwrap();
        }
    }

    /// Stops a server with `SIGSTOP`, until [`resume`](Self::resume).
    pub fn pause(&self, n: usize) {
        self.signal(n, "-STOP");
    }

    /// Lets a server go on that was stopped.
    pub fn resume(&self, n: usize) {
        self.signal(n, "-CONT");
    }

    fn signal(&self, n: usize, signal: &str) {
        let server = self.running[n].as_ref().expect("it is running");
        let sent = Command::new("kill").args([signal, &server.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        (0..self.len()).for_each(|n| self.kill(n));
    }
}

fn config(dir: &Path, n: usize, [ports, routes, health]: [&[u16]; 3], sync_interval: &str) -> String {
    let cluster = if ports.len() == 1 {
        String::new()
    } else {
        let others: Vec<String> = routes.iter().map(|port| format!("nats://127.0.0.1:{port}")).collect();
        let others = others.join(", ");
        format!("cluster {{ name: plybook, listen: \"127.0.0.1:{}\", routes: [{others}] }}\n", routes[n])
    };
    format!(
        "server_name: n{n}
listen: \"127.0.0.1:{port}\"
http: \"127.0.0.1:{health}\"
jetstream {{ store_dir: \"{dir}/{n}\", sync_interval: {sync_interval} }}
{cluster}accounts {{
  SYS {{
    users: [{{ user: sys, password: system }}]
    exports: [{{ service: \"$SYS.REQ.SERVER.PING.VARZ\", accounts: [PLYBOOK], response_type: stream }}]
  }}
  PLYBOOK {{
    jetstream: enabled
    users: [{{ user: plybook, password: secret }}]
    imports: [{{ service: {{ account: SYS, subject: \"$SYS.REQ.SERVER.PING.VARZ\" }} }}]
  }}
}}
system_account: SYS
",
        port = ports[n],
        health = health[n],
        dir = dir.display(),
    )
}

/// Ports that nothing listens on.
fn free_ports(count: usize) -> Vec<u16> {
    let listeners: Vec<_> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    listeners.iter().map(|listener| listener.local_addr().unwrap().port()).collect()
}
