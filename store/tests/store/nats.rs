//! NATS servers on loopback, as `docs/cluster.md` says they have to be configured.

use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use plybook_store::{NatsAccess, NatsAddress, VaultKey};
use serde_json::Value;
use tempfile::TempDir;

/// How long a server may take to say how it is.
const A_MOMENT: Duration = Duration::from_secs(2);

/// Servers, which end with this.
pub struct Nats {
    /// Holds the credentials, and a folder for each server on loopback, named by its number.
    pub dir: TempDir,
    program: PathBuf,
    servers: Vec<Server>,
}

/// Where a program runs.
#[derive(Clone, Debug)]
pub struct Place {
    /// The address that it listens on.
    pub host: String,
    /// The words of a command that starts a program there; none start it here.
    pub prefix: Vec<String>,
    /// The folder in which it keeps what it has.
    pub folder: PathBuf,
}

struct Server {
    place: Place,
    /// Where it listens to clients, to the other servers, and to questions how it is.
    ports: [u16; 3],
    running: Option<Child>,
}

impl Nats {
    /// Starts one server, or three that form a cluster.
    pub fn start(count: usize) -> Self {
        Self::start_with(count, "always")
    }

    /// Like [`start`](Self::start), with this `sync_interval`.
    pub fn start_with(count: usize, sync_interval: &str) -> Self {
        let (dir, places) = on_loopback(count);
        Self::start_at(dir, places, sync_interval)
    }

    /// Starts a server in each of one or three places.
    pub fn start_at(dir: TempDir, places: Vec<Place>, sync_interval: &str) -> Self {
        Self::configured(dir, places, |_, servers, n| config(servers, n, sync_interval))
    }

    /// Starts servers with configurations of their own: of each, by the folder, its number and the ports of all (for clients, for
    /// other servers, and where they say whether they are ready).
    pub fn start_as(count: usize, config: impl Fn(&Path, usize, [&[u16]; 3]) -> String) -> Self {
        let (dir, places) = on_loopback(count);
        Self::configured(dir, places, |dir, servers, n| {
            let ports = |of: usize| servers.iter().map(|server| server.ports[of]).collect::<Vec<_>>();
            let [ports, routes, health] = [0, 1, 2].map(ports);
            config(dir, n, [&ports, &routes, &health])
        })
    }

    fn configured(dir: TempDir, places: Vec<Place>, config: impl Fn(&Path, &[Server], usize) -> String) -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/nats");
        let found = Command::new(script).output().expect("tests/nats runs");
        assert!(found.status.success(), "{}", String::from_utf8_lossy(&found.stderr));
        let program = PathBuf::from(String::from_utf8(found.stdout).unwrap().trim());
        let ports = free_ports(3 * places.len());
        let server =
            |(place, ports): (Place, &[u16])| Server { place, ports: ports.try_into().unwrap(), running: None };
        let servers: Vec<Server> = places.into_iter().zip(ports.chunks(3)).map(server).collect();
        for n in 0..servers.len() {
            fs::write(dir.path().join(format!("{n}.conf")), config(dir.path(), &servers, n)).unwrap();
        }
        fs::write(dir.path().join("credentials"), "plybook:secret\n").unwrap();
        VaultKey::make(&dir.path().join("vault-key")).unwrap();
        let mut nats = Self { dir, program, servers };
        (0..nats.count()).for_each(|n| nats.run(n));
        nats.wait();
        nats
    }

    /// Waits until all servers have a leader, which takes long on a busy machine.
    pub fn wait(&self) {
        let begun = Instant::now();
        let is_healthy = |n| self.asked(n, "/healthz").is_some_and(|answer| answer.contains(" 200 "));
        while !(0..self.count()).all(is_healthy) {
            assert!(begun.elapsed() < Duration::from_secs(120), "the servers do not start");
            thread::sleep(Duration::from_millis(50));
        }
    }

    /// The server that says that it leads a stream.
    pub fn leader(&self, stream: &str) -> Option<usize> {
        (0..self.count()).find(|n| {
            let answer = self.asked(*n, "/jsz?acc=PLYBOOK&streams=true").unwrap_or_default();
            let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
            let told: Value = serde_json::from_str(body).unwrap_or_default();
            let streams = told["account_details"][0]["stream_detail"].as_array();
            let is_led = |detail: &Value| detail["name"] == stream && detail["cluster"]["leader"] == format!("n{n}");
            streams.is_some_and(|streams| streams.iter().any(is_led))
        })
    }

    /// What a server says over HTTP; `None` if it says nothing in time.
    fn asked(&self, n: usize, path: &str) -> Option<String> {
        let Server { place, ports: [_, _, health], .. } = &self.servers[n];
        let address = SocketAddr::new(place.host.parse().unwrap(), *health);
        let mut stream = TcpStream::connect_timeout(&address, A_MOMENT).ok()?;
        stream.set_read_timeout(Some(A_MOMENT)).unwrap();
        write!(stream, "GET {path} HTTP/1.0\r\n\r\n").ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok().map(|_| answer)
    }

    /// The address of a stream on these servers.
    pub fn address(&self, stream: &str) -> NatsAddress {
        let (hosts, replicas) = (self.servers().join(","), self.count());
        format!("nats://{hosts}/{stream}?replicas={replicas}").parse().unwrap()
    }

    /// Where the servers listen.
    pub fn servers(&self) -> Vec<String> {
        self.servers.iter().map(|Server { place, ports, .. }| format!("{}:{}", place.host, ports[0])).collect()
    }

    /// What lets the account in that may ask the servers how they are configured.
    pub fn access(&self) -> NatsAccess {
        NatsAccess { credentials: Some(self.dir.path().join("credentials")), authorities: None }
    }

    /// The file with the key that all nodes have.
    pub fn key_file(&self) -> PathBuf {
        self.dir.path().join("vault-key")
    }

    /// The process id of a server.
    pub fn pid(&self, n: usize) -> u32 {
        self.servers[n].running.as_ref().expect("it is running").id()
    }

    /// The number of servers.
    pub fn count(&self) -> usize {
        self.servers.len()
    }

    /// Starts a server again.
    pub fn run(&mut self, n: usize) {
        let log = fs::File::options().create(true).append(true).open(self.dir.path().join(format!("{n}.log"))).unwrap();
        let mut command = self.servers[n].place.command(&self.program);
        command.arg("-c").arg(self.dir.path().join(format!("{n}.conf"))).stdout(Stdio::null()).stderr(log);
        self.servers[n].running = Some(command.spawn().expect("the server starts"));
    }

    /// Kills a server with `SIGKILL`.
    pub fn kill(&mut self, n: usize) {
        if let Some(mut server) = self.servers[n].running.take() {
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
        let sent = Command::new("kill").args([signal, &self.pid(n).to_string()]).status().unwrap();
        assert!(sent.success());
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        (0..self.count()).for_each(|n| self.kill(n));
    }
}

impl Place {
    /// A command that starts a program there.
    pub fn command(&self, program: &Path) -> Command {
        let Some((first, rest)) = self.prefix.split_first() else { return Command::new(program) };
        let mut command = Command::new(first);
        command.args(rest).arg(program);
        command
    }
}

/// A folder, and places on loopback that have theirs in it.
fn on_loopback(count: usize) -> (TempDir, Vec<Place>) {
    let dir = tempfile::tempdir().unwrap();
    let place = |n: usize| {
        let folder = dir.path().join(n.to_string());
        Place { host: "127.0.0.1".to_owned(), prefix: Vec::new(), folder }
    };
    let places = (0..count).map(place).collect();
    (dir, places)
}

fn config(servers: &[Server], n: usize, sync_interval: &str) -> String {
    let Server { place: Place { host, folder, .. }, ports: [port, route, health], .. } = &servers[n];
    let cluster = if servers.len() == 1 {
        String::new()
    } else {
        let address = |server: &Server| format!("nats://{}:{}", server.place.host, server.ports[1]);
        let others = servers.iter().map(address).collect::<Vec<_>>().join(", ");
        format!("cluster {{ name: plybook, listen: \"{host}:{route}\", routes: [{others}] }}\n")
    };
    format!(
        "server_name: n{n}
listen: \"{host}:{port}\"
http: \"{host}:{health}\"
jetstream {{ store_dir: \"{folder}\", sync_interval: {sync_interval} }}
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
        folder = folder.display(),
    )
}

/// Ports that nothing listens on.
pub fn free_ports(count: usize) -> Vec<u16> {
    let listeners: Vec<_> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    listeners.iter().map(|listener| listener.local_addr().unwrap().port()).collect()
}
