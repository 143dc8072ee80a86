//! For whom something is written.

use plybook_events::{Hash, RequestId, Signature, Who};

/// For whom a [`Service`](crate::Service) writes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context {
    /// The person that events name as `who`.
    pub who: Option<Who>,
    /// What that person signed: the first event of a game that somebody does carries the signature.
    pub signing: Signing,
    /// The request, if it has a key: what is written first is written as that of the request.
    pub request: Option<RequestId>,
}

/// What somebody signed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Signing {
    /// The signature of the event that is to be recorded.
    pub signature: Option<Signature>,
    /// The salt of what the event seals, if it does: its commitment is what was signed.
    pub salt: Option<Hash>,
}
