//! NATS servers on loopback, as `docs/cluster.md` says they have to be configured.

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use plybook_store::{NatsAccess, NatsAddress};
use tempfile::TempDir;

/// Servers, which end with this.
pub struct Nats {
    /// Holds the credentials, and a folder for each server, named by its number.
    pub dir: TempDir,
    program: PathBuf,
    ports: Vec<u16>,
    running: Vec<Option<Child>>,
}

impl Nats {
    /// Starts one server, or three that form a cluster.
    pub fn start(count: usize) -> Self {
        Self::start_with(count, "always")
    }

    /// Like [`start`](Self::start), with this `sync_interval`.
    pub fn start_with(count: usize, sync_interval: &str) -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/nats");
        let found = Command::new(script).output().expect("tests/nats runs");
        assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
        let program = PathBuf::from(String::from_utf8(found.stdout).unwrap().trim());
        let dir = tempfile::tempdir().unwrap();
        let ports = free_ports(2 * count);
        let (ports, routes) = ports.split_at(count);
        for n in 0..count {
            fs::write(dir.path().join(format!("{n}.conf")), config(dir.path(), n, ports, routes, sync_interval))
                .unwrap();
        }
        fs::write(dir.path().join("credentials"), "plybook:secret\n").unwrap();
        let mut nats = Self { dir, program, ports: ports.to_vec(), running: Vec::new() };
        nats.running.resize_with(count, || None);
        (0..count).for_each(|n| nats.run(n));
        nats
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
}

impl Drop for Nats {
    fn drop(&mut self) {
        (0..self.len()).for_each(|n| self.kill(n));
    }
}

fn config(dir: &std::path::Path, n: usize, ports: &[u16], routes: &[u16], sync_interval: &str) -> String {
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
        dir = dir.display(),
    )
}

/// Ports that nothing listens on.
fn free_ports(count: usize) -> Vec<u16> {
    let listeners: Vec<_> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    listeners.iter().map(|listener| listener.local_addr().unwrap().port()).collect()
}
