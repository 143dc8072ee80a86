//! The files in `docs/cluster`, used as they are: who is let in, and what they may do.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use async_nats::{Client, ConnectOptions};
use plybook_store::{
    JetStreamJournal, JournalPlace, Memory, NatsAccess, NatsAddress, OpenError, Options, Store, VaultKey, check_journal,
};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::nats::Nats;
use crate::support::{all_logs, log_id, push};

/// How long an answer is waited for that the servers must not give.
const SILENCE: Duration = Duration::from_millis(300);

struct Documented {
    nats: Nats,
    /// What `docs/cluster/secrets` made.
    secrets: TempDir,
}

impl Documented {
    fn start() -> Self {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/cluster");
        let secrets = TempDir::new().unwrap();
        let made = Command::new(docs.join("secrets")).arg(secrets.path()).arg("localhost").status().unwrap();
        assert!(made.success());
        let (documented, passwords) =
            (fs::read_to_string(docs.join("nats.conf")).unwrap(), fs::read_to_string(secrets.path().join("nats.env")));
        let passwords: HashMap<String, String> =
            passwords.unwrap().lines().filter_map(|line| line.split_once('=')).map(owned).collect();
        let nats = Nats::start_as(3, |dir, n, [ports, routes, health]| {
            let mut config = documented.clone();
            let mut put = |what: &str, with: &str| {
                assert!(config.contains(what), "{what} is not in docs/cluster/nats.conf");
                config = config.replace(what, with);
            };
            put("/etc/nats", secrets.path().join("localhost").to_str().unwrap());
            put("/var/lib/nats", dir.join(n.to_string()).to_str().unwrap());
            put("0.0.0.0:4222", &format!("127.0.0.1:{}", ports[n]));
            put("0.0.0.0:6222", &format!("127.0.0.1:{}", routes[n]));
            put("127.0.0.1:8222", &format!("127.0.0.1:{}", health[n]));
            for (host, port) in ["n1:6222", "n2:6222", "n3:6222"].into_iter().zip(routes) {
                put(host, &format!("localhost:{port}"));
            }
            for (name, password) in &passwords {
                put(&format!("${name}"), password);
            }
            put("$NODE\n", &format!("n{n}\n"));
            config
        });
        Self { nats, secrets }
    }

    fn secret(&self, name: &str) -> PathBuf {
        self.secrets.path().join(name)
    }

    fn address(&self) -> NatsAddress {
        let hosts: Vec<String> =
            self.nats.servers().iter().map(|host| host.replace("127.0.0.1", "localhost")).collect();
        format!("tls://{}/games", hosts.join(",")).parse().unwrap()
    }

    /// What a node has, or a reader.
    fn access(&self, credentials: &str) -> NatsAccess {
        NatsAccess { credentials: Some(self.secret(credentials)), authorities: Some(self.secret("node/ca.pem")) }
    }

    fn open(&self, dir: &Path, access: NatsAccess) -> Result<Store, OpenError> {
        let journal = JournalPlace::Stream(self.address(), access);
        let vault_key = Some(VaultKey::read(&self.secret("node/vault.key")).unwrap());
        let options = Options { journal, memory: Memory::of(128 << 20), vault_key, ..Options::DEFAULT };
        Store::open(dir, &options, &mut |_, _| ())
    }

    /// A client of another make, with the credentials of a node or a reader.
    async fn client(&self, credentials: &str) -> Client {
        let credentials = fs::read_to_string(self.secret(credentials)).unwrap();
        let (user, password) = credentials.trim().split_once(':').map(owned).unwrap();
        let options = ConnectOptions::with_user_and_password(user, password).require_tls(true);
        let options = options.add_root_certificates(self.secret("node/ca.pem"));
        options.connect(format!("tls://{}", self.nats.servers()[0].replace("127.0.0.1", "localhost"))).await.unwrap()
    }
}

fn owned((a, b): (&str, &str)) -> (String, String) {
    (a.to_owned(), b.to_owned())
}

/// Whether the servers answer a request. What is not permitted gets no answer.
async fn is_answered(client: &Client, subject: &str, payload: &'static str) -> bool {
    tokio::time::timeout(SILENCE, client.request(subject.to_owned(), payload.into())).await.is_ok_and(|got| got.is_ok())
}

#[test]
fn the_documented_servers_let_nodes_append_and_readers_read_and_nobody_remove() {
    let cluster = Documented::start();
    let dirs = [(); 3].map(|()| TempDir::new().unwrap());
    let [one, two] = [0, 1].map(|n| cluster.open(dirs[n].path(), cluster.access("node/credentials")).unwrap());
    for _ in 0..7 {
        push(&one, log_id(1), "an event");
    }
    push(&two, log_id(2), "an event after what the other appended");
    assert_eq!(all_logs(&two).iter().map(|(_, events)| events.len()).collect::<Vec<_>>(), [7, 1]);
    let [mine, theirs] = [&one, &two].map(|store| store.shared().unwrap().collection("analyses").unwrap());
    mine.put("a-game", b"an analysis", |_| false).unwrap();
    assert_eq!(theirs.next(0).unwrap().unwrap().bytes, b"an analysis");

    let runtime = Runtime::new().unwrap();
    runtime.block_on(async {
        let node = cluster.client("node/credentials").await;
        assert!(is_answered(&node, "$JS.API.STREAM.INFO.games", "").await);
        for (subject, payload) in [
            ("$JS.API.STREAM.DELETE.games", ""),
            ("$JS.API.STREAM.PURGE.games", "{}"),
            ("$JS.API.STREAM.MSG.DELETE.games", r#"{"seq":1}"#),
            ("$JS.API.STREAM.UPDATE.games", r#"{"name":"games","subjects":["games"]}"#),
            ("$JS.API.STREAM.CREATE.other", r#"{"name":"other","subjects":["other"]}"#),
            ("$JS.API.STREAM.DELETE.KV_games_vault", ""),
        ] {
            assert!(!is_answered(&node, subject, payload).await, "a node may {subject}");
        }
        let reader = cluster.client("reader.credentials").await;
        assert!(is_answered(&reader, "$JS.API.STREAM.MSG.GET.games", r#"{"seq":1}"#).await);
        for (subject, payload) in [
            ("games", "an event"),
            ("$KV.games_shared.tokens", "tokens"),
            ("$JS.API.STREAM.INFO.KV_games_vault", ""),
            ("$JS.API.STREAM.MSG.GET.KV_games_shared", r#"{"seq":1}"#),
            ("$JS.API.STREAM.DELETE.games", ""),
        ] {
            assert!(!is_answered(&reader, subject, payload).await, "a reader may {subject}");
        }
    });

    let journal = JetStreamJournal::open(&cluster.address(), &cluster.access("reader.credentials")).unwrap();
    assert_eq!(check_journal(&journal, &mut |_, _| ()).unwrap().events, 8);

    let without_authority = NatsAccess { authorities: None, ..cluster.access("node/credentials") };
    let wrong = cluster.secret("wrong");
    fs::write(&wrong, "node:wrong\n").unwrap();
    for (access, why) in [
        (without_authority, "certificate"),
        (NatsAccess { credentials: None, ..cluster.access("wrong") }, "uthorization"),
        (cluster.access("wrong"), "uthorization"),
        (
            cluster.access("reader.credentials"),
            "too few rights: Permissions Violation for Publish to \"$JS.API.STREAM.",
        ),
    ] {
        let refused = cluster.open(dirs[2].path(), access).err().expect("it is let in").to_string();
        assert!(refused.contains(why), "{refused}");
    }
}
