//! Load: what a request costs, who pays for it, and which thread executes it.
//!
//! A request gets a [`Ticket`]. It starts in the lane for cheap operations. Once its price is known,
//! [`Ticket::admit`] checks it against the limit for one operation and against the client's budget, and moves
//! it to the lane where it belongs. While it is executed, [`Ticket::spend`] counts what it really takes, and
//! [`Ticket::measure`] stops loops whose length the price does not know. In the end, the budget pays for the
//! CPU time, not for the price.
//!
//! It depends on neither the schema, the service nor HTTP.

mod budget;
mod client;
mod counts;
mod limits;
mod meter;
mod queue;
mod ticket;
mod toll;
mod workers;

use std::sync::Arc;

pub use self::client::Client;
pub use self::limits::{Allowance, LoadLimits, UNIT_US};
pub use self::meter::Meter;
pub use self::ticket::{AdmissionError, Asker, Overspent, Ticket};

use prometheus_client::registry::Registry;

use self::budget::Budget;
use self::counts::Counts;
use self::workers::Workers;

/// The workers and budgets of one service. Clones share them; the threads end with the last one.
#[derive(Clone)]
pub struct Load(Arc<Inner>);

struct Inner {
    workers: Workers,
    accounts: Arc<Accounts>,
    counts: Counts,
}

/// The limits, and the remaining budgets.
struct Accounts {
    limits: LoadLimits,
    clients: Budget,
    administrators: Budget,
}

impl Load {
    /// Starts the workers.
    pub fn new(limits: LoadLimits) -> Self {
        let clients = Budget::new(limits.client);
        let administrators = Budget::new(limits.administrator);
        let accounts = Arc::new(Accounts { limits, clients, administrators });
        let counts = Counts::new();
        Self(Arc::new(Inner { workers: Workers::start(&limits, &counts), accounts, counts }))
    }

    /// Adds the lanes' metrics.
    pub fn register(&self, registry: &mut Registry) {
        self.0.counts.register(registry);
    }

    /// A ticket for one request.
    pub fn ticket(&self, from: Asker) -> Arc<Ticket> {
        Arc::new(Ticket::new(Arc::clone(self.0.workers.lanes()), Arc::clone(&self.0.accounts), from))
    }

    /// Has a client pay, in units, for something that needs no worker. Returns whether its budget covers that.
    pub fn pay(&self, client: Client, units: u64) -> bool {
        let budget = self.0.accounts.budget(false);
        let is_covered = budget.reserve(client, units).is_ok();
        if is_covered {
            budget.release(client, units);
            budget.take(client, units);
        }
        is_covered
    }
}

impl Accounts {
    fn budget(&self, is_administrator: bool) -> &Budget {
        if is_administrator { &self.administrators } else { &self.clients }
    }
}
