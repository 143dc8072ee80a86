//! The transparency log of nodes: one history, whoever signs.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use plybook_events::Hash;
use plybook_store::{Document, Options, Store, Tlog, TlogError};
use plybook_tlog::{Checkpoint, CosigningKey, Quorum, SigningKey, VerifierKey};
use tempfile::TempDir;

use crate::nats::Nats;
use crate::support::{Ending, events, log_id, open_node};

/// How long it may take until a checkpoint covers what was recorded, also if another node has to take over.
const PATIENCE: Duration = Duration::from_secs(30);

const ORIGIN: &str = "games.example.org";

/// A node that follows the stream `games`.
struct Node {
    store: Store,
    dir: TempDir,
}

impl Node {
    fn start(nats: &Nats) -> Self {
        Self::start_in(nats, TempDir::new().unwrap(), Quorum::default()).unwrap()
    }

    fn start_in(nats: &Nats, dir: TempDir, quorum: Quorum) -> Result<Self, TlogError> {
        let store = open_node(dir.path(), nats, "games").unwrap();
        store.keep_tlog(dir.path(), Some(ORIGIN), quorum, false)?;
        Ok(Self { store, dir })
    }

    fn tlog(&self) -> &Tlog {
        self.store.tlog().unwrap()
    }

    fn document(&self, name: &'static str) -> Document {
        self.store.shared().unwrap().document(name)
    }

    /// Records a log of this many events.
    fn record(&self, log: u64, count: usize) {
        self.store.log().append(log_id(log), None, events(log_id(log), None, &vec!["a"; count])).unwrap();
    }
}

fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until the nodes serve a checkpoint of this size, which is the same for all of them.
fn covered(nodes: &[&Node], size: u64) -> Checkpoint {
    wait_until("all is covered", || nodes.iter().all(|node| node.tlog().published().checkpoint.size == size));
    let published = nodes[0].tlog().published();
    for node in nodes {
        assert_eq!(node.tlog().published().note, published.note);
        let key: VerifierKey = node.tlog().key().to_string().parse().unwrap();
        assert_eq!(Checkpoint::open(&published.note.to_string(), &key).as_ref(), Ok(&published.checkpoint));
        assert_eq!(node.tlog().keys().unwrap(), nodes[0].tlog().keys().unwrap());
        node.tlog().examine(node.store.log()).unwrap();
    }
    published.checkpoint.clone()
}

/// The private key that nodes share.
fn signing_key(node: &Node) -> SigningKey {
    let keys = node.document("tlog_keys").read().unwrap().unwrap();
    let keys: serde_json::Value = serde_json::from_slice(&keys.bytes).unwrap();
    SigningKey::from_secret_text(keys["key"].as_str().unwrap()).unwrap()
}

/// A checkpoint as nodes share it.
fn document_of(size: u64, root: Hash, key: &SigningKey) -> Vec<u8> {
    let checkpoint = Checkpoint { origin: ORIGIN.to_owned(), size, root };
    format!("1790000000000\n{}", checkpoint.sign(&[key])).into_bytes()
}

#[test]
fn nodes_serve_the_same_checkpoints_and_no_size_has_two_roots() {
    let nats = Nats::start(3);
    let nodes = [Node::start(&nats), Node::start(&nats)];
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let ending = Ending(&is_over);
        let watchers: Vec<_> = nodes
            .iter()
            .map(|node| {
                scope.spawn(|| {
                    let mut seen = BTreeMap::new();
                    while !is_over.load(Ordering::Relaxed) {
                        let published = node.tlog().published();
                        let first = seen.entry(published.checkpoint.size).or_insert_with(|| published.note.to_string());
                        assert_eq!(*first, published.note.to_string());
                        thread::sleep(Duration::from_millis(1));
                    }
                    seen
                })
            })
            .collect();
        for round in 0..5 {
            let writers = (0..4).map(|writer| {
                let (node, first) = (&nodes[writer % 2], 1000 * writer as u64 + 10 * round);
                scope.spawn(move || (first..first + 10).for_each(|n| node.record(n, 5)))
            });
            writers.collect::<Vec<_>>().into_iter().for_each(|writer| writer.join().unwrap());
            covered(&[&nodes[0], &nodes[1]], 200 * (round + 1));
        }
        drop(ending);
        let [one, other]: [BTreeMap<u64, String>; 2] =
            watchers.into_iter().map(|watcher| watcher.join().unwrap()).collect::<Vec<_>>().try_into().unwrap();
        assert!(one.len() > 4, "{}", one.len());
        for (size, note) in &one {
            assert!(other.get(size).is_none_or(|other| other == note), "two checkpoints of size {size}");
        }
    });
    // One that joins empty makes the same tree.
    let late = Node::start(&nats);
    covered(&[&nodes[0], &nodes[1], &late], 1000);
    assert!(!late.dir.path().join("tlog/key").exists(), "the key is on no disk");
}

#[test]
fn another_node_takes_over_when_the_one_that_signs_is_gone() {
    let nats = Nats::start(3);
    let first = Node::start(&nats);
    first.record(1, 10);
    covered(&[&first], 10);
    let second = Node::start(&nats);
    second.record(2, 10);
    covered(&[&first, &second], 20);
    let dir = first.dir;
    drop(first.store);
    second.record(3, 300);
    let taken = covered(&[&second], 320);
    // It comes back, and goes on with what was signed meanwhile.
    let first = Node::start_in(&nats, dir, Quorum::default()).unwrap();
    assert_eq!(covered(&[&first, &second], 320), taken);
    first.record(4, 10);
    covered(&[&first, &second], 330);
}

/// As if a node had been stopped after it had signed, and before the checkpoint was written, while another one went on.
#[test]
fn what_was_signed_in_vain_does_not_count() {
    let nats = Nats::start(1);
    let nodes = [Node::start(&nats), Node::start(&nats)];
    nodes[0].record(1, 10);
    covered(&[&nodes[0], &nodes[1]], 10);
    let (document, key) = (nodes[0].document("checkpoint"), signing_key(&nodes[0]));
    let before = document.read().unwrap().unwrap().revision;
    let late = document_of(15, Hash([7; 32]), &key);
    nodes[1].record(2, 10);
    let counts = covered(&[&nodes[0], &nodes[1]], 20);
    assert_eq!(document.replace(&late, before).unwrap(), None, "another node was first");
    thread::sleep(Duration::from_secs(1));
    assert_eq!(covered(&[&nodes[0], &nodes[1]], 20), counts);
    assert!(!nodes[0].tlog().is_refused());
}

#[test]
fn a_checkpoint_of_another_history_is_never_served_and_nothing_is_signed_after_it() {
    let nats = Nats::start(1);
    let nodes = [Node::start(&nats), Node::start(&nats)];
    nodes[0].record(1, 10);
    covered(&[&nodes[0], &nodes[1]], 10);
    let (document, key) = (nodes[0].document("checkpoint"), signing_key(&nodes[0]));
    let forged = document_of(20, Hash([7; 32]), &key);
    let present = document.read().unwrap().unwrap().revision;
    assert!(document.replace(&forged, present).unwrap().is_some());
    nodes[0].record(2, 20);
    wait_until("both nodes notice", || nodes.iter().all(|node| node.tlog().is_refused()));
    for node in &nodes {
        assert_eq!(node.tlog().published().checkpoint.size, 10);
    }
    // Nor does a node start with it.
    let refused = Node::start_in(&nats, TempDir::new().unwrap(), Quorum::default()).err();
    assert!(matches!(refused, Some(TlogError::Changed { signed: 20, .. })), "{refused:?}");
}

#[test]
fn all_nodes_make_public_what_enough_witnesses_have_cosigned() {
    let nats = Nats::start(1);
    let witness = CosigningKey::from_seed("witness.example.net", &[7; 32]).unwrap();
    let quorum = || Quorum::new(vec![witness.public().clone()], None).unwrap();
    let start = || Node::start_in(&nats, TempDir::new().unwrap(), quorum()).unwrap();
    let nodes = [start(), start()];
    nodes[0].record(1, 10);
    wait_until("it is signed", || nodes.iter().all(|node| node.tlog().signed().checkpoint.size == 10));
    thread::sleep(Duration::from_secs(1));
    assert!(nodes.iter().all(|node| node.tlog().published().checkpoint.size == 0), "not yet public");
    // The one that has signed it, unless that has taken very long.
    let asked = |node: &Node| node.tlog().next_to_cosign(witness.public(), 0, Duration::from_millis(100));
    let (node, asked) = nodes.iter().find_map(|node| Some((node, asked(node)?))).expect("a node asks the witness");
    let cosignature = witness.cosign(&asked.note, 1_790_000_000);
    node.tlog().cosign(&asked, witness.public(), &cosignature.to_string()).unwrap();
    let cosigned = |node: &Node| node.tlog().published().cosignatures.len() == 1;
    wait_until("both make it public", || nodes.iter().all(cosigned));
    assert_eq!(nodes[0].tlog().published().note, nodes[1].tlog().published().note);
    assert!(cosigned(&start()), "and one that starts later");
}

#[test]
fn a_folder_with_another_log_is_refused() {
    let nats = Nats::start(1);
    drop(Node::start(&nats));
    let dir = TempDir::new().unwrap();
    let own = |dir: &Path| {
        let store = Store::open(dir, &Options::DEFAULT, &mut |_, _| ()).unwrap();
        store.keep_tlog(dir, Some(ORIGIN), Quorum::default(), false).unwrap();
    };
    own(dir.path());
    let refused = Node::start_in(&nats, dir, Quorum::default()).err().unwrap();
    assert!(matches!(refused, TlogError::Checkpoint { .. }), "{refused}");
}
