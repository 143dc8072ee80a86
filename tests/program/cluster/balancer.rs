//! The balancers of `docs/cluster`, as they are there, while nodes are restarted one after the other.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use plybook_tests::http::Client;
use plybook_tests::nats::free_ports;
use serde_json::{Value, json};

use crate::cluster::{CREATE, Cluster, PATIENCE, stop, text};
use crate::plybook::{Served, http_at};

const WRITERS: usize = 8;

/// Ends with this.
struct Balancer(Child);

impl Drop for Balancer {
    fn drop(&mut self) {
        // It has no state, and may be gone.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A file of `docs/cluster`, with nodes and a place of this test.
fn documented(name: &str, nodes: &[SocketAddr], replaced: &[(&str, String)]) -> String {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/cluster"));
    let mut text = fs::read_to_string(folder.join(name)).unwrap();
    let nodes = (1..).zip(nodes).map(|(n, node)| (format!("n{n}:8080"), node.to_string()));
    for (what, with) in replaced.iter().map(|(what, with)| ((*what).to_owned(), with.clone())).chain(nodes) {
        assert!(text.contains(&what), "{what} is not in {text}");
        text = text.replace(&what, &with);
    }
    text
}

fn spawn(mut command: Command, dir: &Path) -> Option<Balancer> {
    let log = fs::File::create(dir.join("balancer.log")).unwrap();
    let spawned = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log).spawn();
    spawned.inspect_err(|why| println!("SKIPPED: {command:?}: {why}")).ok().map(Balancer)
}

/// Restarts all nodes while clients write and read through a balancer. Returns the statuses and errors of requests that failed.
fn restart_all(start: impl Fn(&Path, &[SocketAddr], u16) -> Option<Balancer>) -> Vec<String> {
    let cluster = Cluster::start(1);
    let ports = free_ports(4);
    let addresses: Vec<SocketAddr> = ports[..3].iter().map(|port| ([127, 0, 0, 1], *port).into()).collect();
    let node = |n: usize| {
        let (listen, flags) = (addresses[n].to_string(), cluster.flags());
        let more = ["--listen", &listen, "--drain-seconds", "5", "--trusted-proxy", "127.0.0.1", "--admin-burst", "0"];
        let more: Vec<&str> = flags.iter().map(String::as_str).chain(more).collect();
        Served::start(&cluster.dir.path().join(n.to_string()), &more)
    };
    let mut nodes = [0, 1, 2].map(|n| Some(node(n)));
    let token = nodes[0].as_ref().unwrap().admin();
    let Some(_balancer) = start(cluster.dir.path(), &addresses, ports[3]) else { return Vec::new() };
    let address = format!("127.0.0.1:{}", ports[3]);
    let begun = Instant::now();
    while http_at(&address, "GET", "/readyz", None, "").is_none_or(|(status, _)| status != 200) {
        let log = || fs::read_to_string(cluster.dir.path().join("balancer.log")).unwrap();
        assert!(begun.elapsed() < PATIENCE, "{}", log());
        thread::sleep(Duration::from_millis(50));
    }
    let (is_over, answered) = (AtomicBool::new(false), AtomicU64::new(0));
    let failed: Vec<String> = thread::scope(|scope| {
        let client = |_| {
            scope.spawn(|| {
                let (mut failed, mut client) = (Vec::new(), None);
                for n in 0.. {
                    if is_over.load(Ordering::Relaxed) {
                        break;
                    }
                    let query = if n % 2 == 0 { CREATE } else { "{ games(first: 1) { totalCount } }" };
                    let body = json!({ "query": query }).to_string();
                    let connection = client.get_or_insert_with(|| Client::connect(address.as_str()).unwrap());
                    let answer = connection.send("POST", "/graphql", Some(&token), &body);
                    match answer {
                        Ok(answer) if answer.status == 200 => {
                            let told: Value = serde_json::from_slice(&answer.body).unwrap();
                            assert!(told["errors"].is_null(), "{told}");
                            answered.fetch_add(1, Ordering::Relaxed);
                            if answer.is_last {
                                client = None;
                            }
                        }
                        Ok(answer) => failed.push(answer.status.to_string()),
                        Err(why) => {
                            failed.push(why.to_string());
                            client = None;
                        }
                    }
                    thread::sleep(Duration::from_millis(5));
                }
                failed
            })
        };
        let clients: Vec<_> = (0..WRITERS).map(client).collect();
        for (n, running) in nodes.iter_mut().enumerate() {
            stop(running.take().unwrap());
            *running = Some(node(n));
            // The balancer has to find it again before the next one goes.
            thread::sleep(Duration::from_secs(12));
        }
        is_over.store(true, Ordering::Relaxed);
        clients.into_iter().flat_map(|client| client.join().unwrap()).collect()
    });
    println!("{} requests were answered, {} failed", answered.load(Ordering::Relaxed), failed.len());
    failed
}

#[test]
fn caddy_loses_no_request_while_nodes_are_restarted() {
    let failed = restart_all(|dir, nodes, port| {
        let config = documented("Caddyfile", nodes, &[("games.example.org", format!("http://127.0.0.1:{port}"))]);
        fs::write(dir.join("Caddyfile"), format!("{{\n    admin off\n}}\n{config}")).unwrap();
        let mut caddy = Command::new("caddy");
        caddy.args(["run", "--adapter", "caddyfile", "--config", text(&dir.join("Caddyfile"))]).env("HOME", dir);
        spawn(caddy, dir)
    });
    assert!(failed.is_empty(), "{failed:?}");
}

/// It asks no node whether it is ready, so a node may stop in the moment in which a request reaches it: one or two of some ten
/// thousand, on a busy machine.
#[test]
fn nginx_answers_at_most_a_few_requests_with_502_while_nodes_are_restarted() {
    let failed = restart_all(|dir, nodes, port| {
        let certificates = [
            ("ssl_certificate /etc/ssl/certs/games.example.org.pem;", String::new()),
            ("ssl_certificate_key /etc/ssl/private/games.example.org.key;", String::new()),
            ("listen 443 ssl", format!("listen 127.0.0.1:{port}")),
        ];
        let config = documented("nginx.conf", nodes, &certificates);
        let place = dir.display();
        let whole = format!(
            "daemon off;\npid {place}/nginx.pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n\
             client_body_temp_path {place}/body;\nproxy_temp_path {place}/proxy;\nfastcgi_temp_path {place}/fcgi;\n\
             uwsgi_temp_path {place}/uwsgi;\nscgi_temp_path {place}/scgi;\n{config}\n}}\n"
        );
        fs::write(dir.join("nginx.conf"), whole).unwrap();
        let mut nginx = Command::new("nginx");
        nginx.args(["-c", text(&dir.join("nginx.conf"))]);
        spawn(nginx, dir)
    });
    assert!(failed.len() <= WRITERS && failed.iter().all(|status| status == "502"), "{failed:?}");
}
