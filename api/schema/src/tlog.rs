//! The transparency log: checkpoints and proofs.

use async_graphql::{Context, SimpleObject};
use plybook_events::{LogId, Timestamp};
use plybook_service::error::Problem;
use plybook_service::{Consistency, Inclusion};
use plybook_store::{Published, Tlog};

use super::scalar::{DateTime, HashHex};
use super::{service, spend};

/// What the transparency log holds at one time, signed: a Merkle tree (RFC 6962) over the events of all logs, in the
/// order in which they were recorded. See docs/transparency.md.
#[derive(SimpleObject)]
pub struct Checkpoint {
    /// The name of the transparency log. It never changes.
    origin: String,
    /// The number of events.
    size: u64,
    /// The root of the tree.
    root: HashHex,
    /// When it was signed.
    at: DateTime,
    /// The signed note (c2sp.org/tlog-checkpoint), which is also at `/checkpoint`. Only this is signed: the other fields
    /// are for reading.
    note: String,
    /// Who else has signed it: witnesses that the service asks. A checkpoint with several of them was shown to all.
    cosignatures: Vec<Cosignature>,
    /// The public key that the note is signed with (c2sp.org/signed-note). Get the key that you check it with elsewhere.
    key: String,
}

/// The statement of a witness that it has seen a checkpoint, which goes on from all that it had seen of the log before.
#[derive(SimpleObject)]
pub struct Cosignature {
    /// The name of the witness.
    witness: String,
    /// When it was given.
    at: DateTime,
}

/// The proof that the transparency log contains an event.
#[derive(SimpleObject)]
pub struct InclusionProof {
    /// The event's place in the tree, from 0.
    index: u64,
    /// The number of events in the tree, which is that of the checkpoint.
    size: u64,
    /// The hash of the event's leaf: SHA-256 of a zero byte and the event's bytes.
    leaf: HashHex,
    /// The hashes from the leaf's sibling up to the root's child.
    path: Vec<HashHex>,
    /// The checkpoint that the proof leads to.
    checkpoint: Checkpoint,
}

/// The proof that the transparency log only grew between two sizes.
#[derive(SimpleObject)]
pub struct ConsistencyProof {
    /// The size of the smaller tree.
    from: u64,
    /// Its root.
    from_root: HashHex,
    /// The size of the larger tree.
    to: u64,
    /// Its root.
    to_root: HashHex,
    /// The hashes of the proof (RFC 6962, section 2.1.2); none if the sizes are equal.
    path: Vec<HashHex>,
}

impl Checkpoint {
    /// The checkpoint that is public now.
    pub fn last(tlog: &Tlog) -> Self {
        Self::of(tlog, &tlog.published())
    }

    fn of(tlog: &Tlog, Published { checkpoint, note, cosignatures, at_ms }: &Published) -> Self {
        Self {
            origin: checkpoint.origin.clone(),
            size: checkpoint.size,
            root: HashHex(checkpoint.root),
            at: DateTime(Timestamp::from_millis(*at_ms).expect("the clock is within the years of timestamps")),
            note: note.to_string(),
            cosignatures: cosignatures.iter().filter_map(Cosignature::of).collect(),
            key: tlog.key().to_string(),
        }
    }
}

impl Cosignature {
    /// A cosignature; none if its time is not within the years of timestamps.
    fn of(given: &plybook_tlog::Cosignature) -> Option<Self> {
        let at = Timestamp::from_millis(i64::try_from(given.time_s()).ok()?.checked_mul(1000)?).ok()?;
        Some(Self { witness: given.witness().to_owned(), at: DateTime(at) })
    }
}

impl InclusionProof {
    /// The proof for an event of a log: the one with `seq`, or else the last one. None if no checkpoint covers it yet.
    ///
    /// # Errors
    /// There is no such event.
    pub fn read(ctx: &Context<'_>, log: LogId, seq: Option<i64>) -> Result<Option<Self>, Problem> {
        let seq =
            seq.map(|seq| u64::try_from(seq).map_err(|_| Problem::BadInput("`seq` is counted from 0".to_owned())));
        let seq = seq.transpose()?;
        spend(ctx, 0)?;
        let service = service(ctx);
        let Some(inclusion) = service.inclusion(log, seq)? else { return Ok(None) };
        Ok(Some(Self::of(service.tlog()?, inclusion)))
    }

    /// A proof that the service made.
    fn of(tlog: &Tlog, Inclusion { index, leaf, path, published }: Inclusion) -> Self {
        let path = path.into_iter().map(HashHex).collect();
        let checkpoint = Checkpoint::of(tlog, &published);
        Self { index, size: checkpoint.size, leaf: HashHex(leaf), path, checkpoint }
    }
}

impl From<Consistency> for ConsistencyProof {
    fn from(Consistency { from, to, path }: Consistency) -> Self {
        let path = path.into_iter().map(HashHex).collect();
        Self { from: from.0, from_root: HashHex(from.1), to: to.0, to_root: HashHex(to.1), path }
    }
}
