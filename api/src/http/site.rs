//! What requests are answered from: the state that all routes share.

use std::sync::Arc;

use super::closing::Closing;
use super::doors::Doors;
use super::graphql::Gate;

type Ready = Arc<dyn Fn() -> Readiness + Send + Sync>;

/// What requests are answered from. Clones share one state.
#[derive(Clone)]
pub struct Site {
    pub(crate) gate: Gate,
    pub(crate) doors: Doors,
    pub(crate) ready: Ready,
    pub(crate) closing: Closing,
}

impl Site {
    /// A site over `gate`. `ready` is called for every `/readyz` and should return at once.
    pub fn new(gate: Gate, doors: Doors, ready: impl Fn() -> Readiness + Send + Sync + 'static) -> Self {
        Self { gate, doors, ready: Arc::new(ready), closing: Closing::new() }
    }
}

/// Whether the service can do its work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// It can.
    Ready,
    /// It can, except for this: tell the operator.
    Impaired(String),
    /// It cannot, for this reason: send requests elsewhere for the time being.
    NotReady(String),
}
