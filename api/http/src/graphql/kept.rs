//! Answers that are kept for whoever asks the same again.
//!
//! What a spectator sees of a game depends on nothing but the log of that game, and spectators ask for the same few
//! positions over and over. Such an answer is kept as bytes, with the number of events that the log had. As long as
//! the log has no more, the same request is answered with the same bytes, on the thread that read it: nothing is
//! parsed, validated, resolved or written again. Which operations depend on one log alone is known to the schema, as
//! its [`Basis`]. Only what has been asked for before is kept, so that requests which nobody repeats take no room.

use std::sync::Arc;

use actix_web::http::Method;
use actix_web::web::Bytes;
use async_graphql::Variables;
use async_graphql::parser::types::{ExecutableDocument, OperationDefinition};
use plybook_events::{Hash, LogId};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

/// The most bytes of an answer that is kept.
const ANSWER_MAX: usize = 1 << 20;

/// The memory that a kept answer takes besides its bytes, estimated.
const OVERHEAD: u64 = 256;

/// The bytes of a kept answer that cost one unit to send.
const BYTES_PER_UNIT: usize = 4 << 10;

/// What answers depend on.
pub trait Basis: Send + Sync {
    /// The log that the answer to a query without a token depends on, if it depends on nothing else.
    fn log_of(
        &self,
        document: &ExecutableDocument,
        operation: &OperationDefinition,
        variables: &Variables,
    ) -> Option<LogId>;

    /// The number of events that queries find in a log at this moment.
    fn events(&self, log: LogId) -> Option<u64>;
}

/// The answers that are kept. Those not asked for recently make room for others.
pub struct KeptAnswers {
    basis: Box<dyn Basis>,
    /// By request; of one that was made once, there is only a note.
    answers: Cache<Hash, Option<KeptAnswer>, Weight>,
}

#[derive(Clone)]
struct KeptAnswer {
    text: Bytes,
    log: LogId,
    events: u64,
}

#[derive(Clone)]
struct Weight;

impl Weighter<Hash, Option<KeptAnswer>> for Weight {
    fn weight(&self, _: &Hash, kept: &Option<KeptAnswer>) -> u64 {
        OVERHEAD + kept.as_ref().map_or(0, |kept| kept.text.len() as u64)
    }
}

/// A state of a log, as the basis of an answer.
#[derive(Clone, Copy, Debug)]
pub struct LogState {
    log: LogId,
    events: u64,
}

impl KeptAnswers {
    /// `bytes`: the most of all answers.
    pub(super) fn new(basis: impl Basis + 'static, bytes: u64) -> Arc<Self> {
        let answers = Cache::with_weighter((bytes / ANSWER_MAX as u64) as usize, bytes, Weight);
        Arc::new(Self { basis: Box::new(basis), answers })
    }

    /// The state of the log that the answer to an operation depends on. To be asked before it is executed.
    pub(super) fn basis_of(
        &self,
        document: &ExecutableDocument,
        operation: &OperationDefinition,
        variables: &Variables,
    ) -> Option<LogState> {
        let log = self.basis.log_of(document, operation, variables)?;
        Some(LogState { log, events: self.basis.events(log)? })
    }

    /// The answer to a request, if it is kept and the log has not grown since.
    pub(super) fn find(&self, request: &Hash) -> Option<Bytes> {
        let kept = self.answers.get(request)??;
        (self.basis.events(kept.log) == Some(kept.events)).then_some(kept.text)
    }

    /// Keeps the answer to a request that was executed since `basis` was determined, if it is not the first such
    /// request, unless the log has grown meanwhile or the answer is large.
    pub(super) fn keep(&self, request: Hash, basis: LogState, text: &Bytes) {
        let LogState { log, events } = basis;
        if self.answers.get(&request).is_none() {
            self.answers.insert(request, None);
        } else if text.len() <= ANSWER_MAX && self.basis.events(log) == Some(events) {
            self.answers.insert(request, Some(KeptAnswer { text: text.clone(), log, events }));
        }
    }
}

/// What identifies a request: its method, and its body or query string.
pub(super) fn key_of(method: &Method, text: &[u8]) -> Hash {
    Hash::of_parts(&[method.as_str().as_bytes(), b"\0", text])
}

/// The price of sending a kept answer, in units: the time that it takes to compress it, about.
pub(super) fn price_of(text: &Bytes) -> u64 {
    1 + (text.len() / BYTES_PER_UNIT) as u64
}
