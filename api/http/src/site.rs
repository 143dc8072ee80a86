//! The state that all routes share.

use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpRequest;
use plybook_service::load::{Client, Execution, LoadError};
use plybook_viewer::language::Language;
use plybook_viewer::preview::Preview;
use tokio_util::sync::CancellationToken;

use super::access_log::AccessLog;
use super::bearer::bearer;
use super::doors::Doors;
use super::graphql::Gate;
use super::pool::PoolShare;

type Ready = Arc<dyn Fn() -> Readiness + Send + Sync>;
type Position = Arc<dyn Fn() -> u64 + Send + Sync>;

/// What is shown of a link to a page here, by its path and its query.
type Previews = Arc<dyn Fn(&str, &str, Language) -> Option<Preview> + Send + Sync>;

/// The state that all routes share. Clones share it too.
#[derive(Clone)]
pub struct Site {
    pub(crate) gate: Gate,
    /// Hosts, origins and proxies that are accepted, and the public address.
    pub doors: Doors,
    pub(crate) ready: Ready,
    /// How many events of the journal the service has applied; each answer carries the number.
    pub positions: Option<Positions>,
    /// Whether the server is about to stop.
    pub closing: Closing,
    pub(crate) previews: Previews,
    /// Which requests get a line.
    pub access_log: Arc<AccessLog>,
}

impl Site {
    /// A site around `gate`. `ready` is called for every `/readyz` and should return at once.
    pub fn new(gate: Gate, doors: Doors, ready: impl Fn() -> Readiness + Send + Sync + 'static) -> Self {
        Self {
            gate,
            doors,
            ready: Arc::new(ready),
            positions: None,
            closing: Closing::default(),
            previews: Arc::new(|_, _, _| None),
            access_log: Arc::default(),
        }
    }

    /// The same site, with previews of links to pages about something. They are made for every request of a page, and should
    /// not wait.
    #[must_use]
    pub fn with_previews(
        self,
        previews: impl Fn(&str, &str, Language) -> Option<Preview> + Send + Sync + 'static,
    ) -> Self {
        Self { previews: Arc::new(previews), ..self }
    }

    /// The execution of a request that is not GraphQL, such as an export, and an empty share of the memory that
    /// clients share. An invalid token counts as none.
    pub fn admit(&self, request: &HttpRequest) -> (Arc<Execution>, PoolShare) {
        let client = self.client(request);
        (self.gate.load.execution(client), self.gate.pools.memory.nothing(client))
    }

    /// A place among the subscriptions, for a request whose answer does not end.
    ///
    /// # Errors
    /// The client has as many as it may have, or there are none left.
    pub fn subscribe(&self, request: &HttpRequest) -> Result<PoolShare, LoadError> {
        self.gate.pools.subscriptions.take(self.client(request), 1)
    }

    /// The client that a request counts against.
    fn client(&self, request: &HttpRequest) -> Client {
        let address = self.doors.proxies.client(request);
        let stamp = bearer(request).ok().and_then(|token| self.gate.identify(token, address).ok());
        stamp.map_or(address, |stamp| stamp.client)
    }

    /// The time after which a quiet connection gets a sign of life.
    pub fn heartbeat(&self) -> Duration {
        Duration::from_millis(self.gate.limits.socket.ping_ms)
    }
}

/// Tells tasks to end that would otherwise run for ever. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Closing {
    /// The server is about to stop: balancers should send nobody here any more.
    pub soon: CancellationToken,
    /// The server stops.
    pub now: CancellationToken,
}

/// Tells how far a service has come in the journal.
#[derive(Clone)]
pub struct Positions {
    /// The number of events that it has. Called for every answer; must return at once.
    pub recorded: Position,
    /// The number of those that lists show. Called while a request waits for that.
    pub applied: Position,
}

/// Whether the service can do its work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// It can.
    Ready,
    /// It can, with this exception: tell the operator.
    Impaired(String),
    /// It cannot, for this reason: send requests elsewhere for now.
    NotReady(String),
}
