//! The state that all routes share.

use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpRequest;
use plybook_service::load::{Asker, Execution};
use plybook_viewer::language::Language;

use super::access_log::AccessLog;
use super::bearer::bearer;
use super::client::Client;
use super::closing::Closing;
use super::doors::Doors;
use super::graphql::{Gate, Stamp};
use super::pages::Preview;
use super::pictures::Pictures;
use super::pool::{Exhausted, PoolShare};

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
    pub(crate) positions: Option<Positions>,
    /// Whether the server is about to stop.
    pub closing: Closing,
    pub(crate) previews: Previews,
    pub(crate) access_log: Arc<AccessLog>,
    /// Pictures that were drawn lately.
    pub pictures: Arc<Pictures>,
}

impl Site {
    /// A site around `gate`. `ready` is called for every `/readyz` and should return at once.
    pub fn new(gate: Gate, doors: Doors, ready: impl Fn() -> Readiness + Send + Sync + 'static) -> Self {
        Self {
            gate,
            doors,
            ready: Arc::new(ready),
            positions: None,
            closing: Closing::new(),
            previews: Arc::new(|_, _, _| None),
            access_log: Arc::default(),
            pictures: Arc::new(Pictures::new()),
        }
    }

    /// The same site, which tells with each answer how far it has come in the journal.
    #[must_use]
    pub fn with_positions(self, positions: Positions) -> Self {
        Self { positions: Some(positions), ..self }
    }

    /// The same site with this access log.
    #[must_use]
    pub fn with_access_log(self, log: AccessLog) -> Self {
        Self { access_log: Arc::new(log), ..self }
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
        let (client, is_administrator) = self.asker(request);
        let execution = self.gate.load().execution(Asker { client, is_administrator, is_mutation: false });
        (execution, self.gate.pools().memory.nothing(client, is_administrator))
    }

    /// A place among the subscriptions, for a request whose answer does not end.
    ///
    /// # Errors
    /// The client has as many as it may have, or there are none left.
    pub fn subscribe(&self, request: &HttpRequest) -> Result<PoolShare, Exhausted> {
        let (client, is_administrator) = self.asker(request);
        self.gate.pools().subscriptions.take(client, is_administrator, 1)
    }

    /// The client that a request counts against, and whether it is an administrator.
    fn asker(&self, request: &HttpRequest) -> (Client, bool) {
        let address = self.doors.proxies.client(request);
        let token = bearer(request).ok().flatten();
        let stamp = token.and_then(|token| self.gate.identify(Some(token), address).ok());
        let client = stamp.as_ref().map_or(address, Stamp::client);
        (client, stamp.is_some_and(|stamp| stamp.is_administrator()))
    }

    /// The time after which a quiet connection gets a sign of life.
    pub fn heartbeat(&self) -> Duration {
        Duration::from_millis(self.gate.limits().socket.ping_ms)
    }
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
