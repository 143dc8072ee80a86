//! Stores of tests, which work alike with either journal: it is in memory or in files, or, with
//! `PLYBOOK_TEST_JOURNAL=stream`, in a stream of its own on a NATS server that this process starts.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use plybook_store::{JournalPlace, OpenError, Options, Store, VaultKey};

use crate::nats::Nats;

/// What chooses the journal: `files`, which is the default, or `stream`.
const JOURNAL: &str = "PLYBOOK_TEST_JOURNAL";

/// The server for all stores of this process.
struct Server {
    nats: Nats,
    /// Ends the server and removes its folder once this process is gone, in whatever way that ended.
    _guard: Child,
}

static SERVER: LazyLock<Option<Server>> = LazyLock::new(|| match std::env::var(JOURNAL).as_deref() {
    Err(_) | Ok("files") => None,
    Ok("stream") => Some(Server::start().expect("a server can be guarded")),
    Ok(other) => panic!("{JOURNAL} is {other:?} and has to be \"files\" or \"stream\""),
});

impl Server {
    fn start() -> io::Result<Self> {
        let nats = Nats::start(1);
        // It reads until this process closes its end, in a group of its own, so that Ctrl-C does not end it earlier.
        let mut guard = Command::new("sh");
        guard.args(["-c", r#"cat; kill -9 "$0"; rm -rf "$1""#, &nats.pid(0).to_string()]).arg(nats.dir.path());
        let guard = guard.stdin(Stdio::piped()).stdout(Stdio::null()).process_group(0).spawn()?;
        Ok(Self { nats, _guard: guard })
    }

    /// A folder that is there as long as the server.
    fn folder(&self) -> PathBuf {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        self.nats.dir.path().join(format!("store-{}", COUNT.fetch_add(1, Ordering::Relaxed)))
    }

    /// A folder is a node of a stream that is named after it.
    fn options(&self, dir: &Path) -> Options {
        let stream = dir.to_string_lossy().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        Options {
            journal: JournalPlace::Stream(self.nats.address(&stream), self.nats.access()),
            vault_key: Some(VaultKey::read(&self.nats.key_file()).expect("the server was started with it")),
            ..Options::DEFAULT
        }
    }
}

/// An empty store, which nothing opens again.
pub fn new() -> Store {
    let opened = match &*SERVER {
        None => Store::in_memory(),
        Some(server) => open(&server.folder()),
    };
    opened.expect("an empty store can be opened")
}

/// Opens a data directory.
///
/// # Errors
/// As for [`Store::open`].
pub fn open(dir: &Path) -> Result<Store, OpenError> {
    let options = SERVER.as_ref().map_or(Options::DEFAULT, |server| server.options(dir));
    Store::open(dir, &options, &mut |_, _| ())
}
