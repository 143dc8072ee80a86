//! The pools that clients share: memory, sockets, subscriptions, connections.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use plybook_service::load::{Asker, Client};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use tokio::time::{Instant, sleep};

/// How long a request waits for a share of a pool before it is refused.
const WAIT: Duration = Duration::from_secs(1);

/// How often it looks meanwhile.
const RETRY: Duration = Duration::from_millis(20);

/// The `Retry-After` for a share that is used up, in seconds.
pub const RETRY_S: u64 = 2;

/// The size of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// For all clients together.
    pub all: u64,
    /// The most that one client may hold.
    pub client: u64,
    /// The part reserved for administrators.
    pub kept: u64,
}

/// A limited resource. Clones share it.
#[derive(Clone, Debug)]
pub struct Pool(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    what: &'static str,
    share: Share,
    ledger: Mutex<Ledger>,
    counts: PoolCounts,
}

#[derive(Debug, Default)]
struct Ledger {
    held: u64,
    by_client: HashMap<Client, u64>,
}

/// The counts of a pool.
#[derive(Clone, Debug, Default)]
pub struct PoolCounts {
    /// The amount in use.
    pub held: Gauge,
    /// Requests refused because the client had all that it may have.
    pub refused_client: Counter,
    /// Requests refused because nothing was left.
    pub refused_all: Counter,
}

/// Why a share of a pool is refused. The client should release something, or retry later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Exhausted {
    /// The client holds too much.
    #[error("you have as many {what} as one client may have: {limit}")]
    Client {
        /// What there is a share of.
        what: &'static str,
        /// The most that one client may hold.
        limit: u64,
    },
    /// All clients together hold too much.
    #[error("the service has no more {what} to give at the moment")]
    All {
        /// What there is a share of.
        what: &'static str,
    },
}

/// A part of a pool, given back when it is dropped.
#[derive(Debug)]
pub struct PoolShare {
    pool: Pool,
    asker: Asker,
    amount: u64,
}

impl Pool {
    /// A pool of `what`, which is in the plural.
    pub fn new(what: &'static str, share: Share, counts: PoolCounts) -> Self {
        Self(Arc::new(Inner { what, share, ledger: Mutex::default(), counts }))
    }

    /// A part of nothing so far, which can grow.
    pub fn nothing(&self, asker: Asker) -> PoolShare {
        PoolShare { pool: self.clone(), asker, amount: 0 }
    }

    /// A share for a client.
    ///
    /// # Errors
    /// The client holds as much as it may, or nothing is left.
    pub fn take(&self, asker: Asker, amount: u64) -> Result<PoolShare, Exhausted> {
        let mut held = self.nothing(asker);
        held.try_grow(amount)?;
        Ok(held)
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.0.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, why: Exhausted) {
        match why {
            Exhausted::Client { .. } => self.0.counts.refused_client.inc(),
            Exhausted::All { .. } => self.0.counts.refused_all.inc(),
        };
    }
}

impl PoolShare {
    /// Holds this much or more, as soon as that fits.
    ///
    /// # Errors
    /// It does not fit within a second.
    pub async fn grow_to(&mut self, amount: u64) -> Result<(), Exhausted> {
        let (more, until) = (amount.saturating_sub(self.amount), Instant::now() + WAIT);
        loop {
            match self.fit(more) {
                Err(_) if Instant::now() < until => sleep(RETRY).await,
                fits => return fits.inspect_err(|why| self.pool.count(*why)),
            }
        }
    }

    /// Takes more if it fits now.
    ///
    /// # Errors
    /// The client, or all clients together, hold too much.
    pub fn try_grow(&mut self, amount: u64) -> Result<(), Exhausted> {
        self.fit(amount).inspect_err(|why| self.pool.count(*why))
    }

    fn fit(&mut self, amount: u64) -> Result<(), Exhausted> {
        let Inner { what, share, .. } = *self.pool.0;
        let pool = self.pool.clone();
        let mut ledger = pool.ledger();
        let of_client = ledger.by_client.get(&self.asker.client).copied().unwrap_or(0);
        if of_client.saturating_add(amount) > share.client {
            return Err(Exhausted::Client { what, limit: share.client });
        }
        let kept = if self.asker.is_administrator { 0 } else { share.kept };
        if ledger.held.saturating_add(amount) > share.all.saturating_sub(kept) {
            return Err(Exhausted::All { what });
        }
        self.change(&mut ledger, self.amount + amount);
        Ok(())
    }

    /// Holds this much, whether or not it fits: for what exists already and is bounded elsewhere. Others wait until it is given
    /// back.
    pub fn set(&mut self, amount: u64) {
        let pool = self.pool.clone();
        self.change(&mut pool.ledger(), amount);
    }

    /// An empty share of the same pool for the same client.
    #[must_use]
    pub fn another(&self) -> Self {
        self.pool.nothing(self.asker)
    }

    /// The amount held.
    pub fn amount(&self) -> u64 {
        self.amount
    }

    /// The client that holds it.
    pub fn asker(&self) -> Asker {
        self.asker
    }

    fn change(&mut self, ledger: &mut Ledger, amount: u64) {
        let before = std::mem::replace(&mut self.amount, amount);
        ledger.held = ledger.held - before + amount;
        let of_client = ledger.by_client.entry(self.asker.client).or_default();
        *of_client = *of_client - before + amount;
        if *of_client == 0 {
            ledger.by_client.remove(&self.asker.client);
        }
        self.pool.0.counts.held.inc_by(amount as i64 - before as i64);
    }
}

impl Drop for PoolShare {
    fn drop(&mut self) {
        self.set(0);
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn client(n: u8) -> Asker {
        let client = Client::at(Ipv4Addr::new(192, 0, 2, n).into());
        Asker { is_administrator: n == 9, ..Asker::from(client) }
    }

    fn pool() -> Pool {
        Pool::new("seats", Share { all: 10, client: 4, kept: 2 }, PoolCounts::default())
    }

    #[test]
    fn a_client_has_its_share_and_all_have_theirs() {
        let pool = pool();
        let mut one = pool.take(client(1), 4).unwrap();
        assert_eq!(pool.take(client(1), 1).unwrap_err(), Exhausted::Client { what: "seats", limit: 4 });
        let other = pool.take(client(2), 4).unwrap();
        assert_eq!(pool.take(client(3), 1).unwrap_err(), Exhausted::All { what: "seats" });
        let chief = pool.take(client(9), 2).expect("they are kept for administrators");
        assert_eq!(pool.take(client(9), 1).unwrap_err(), Exhausted::All { what: "seats" });
        assert_eq!(pool.0.counts.held.get(), 10);
        assert_eq!((pool.0.counts.refused_client.get(), pool.0.counts.refused_all.get()), (1, 2));
        one.set(3);
        drop((other, chief));
        pool.take(client(3), 4).unwrap();
        assert_eq!(pool.0.counts.held.get(), 3);
        drop(one);
        assert!(pool.ledger().by_client.is_empty() && pool.ledger().held == 0);
    }

    #[test]
    fn what_is_there_already_is_counted_though_it_does_not_fit() {
        let pool = pool();
        let mut large = pool.nothing(client(1));
        large.set(100);
        assert_eq!(pool.take(client(2), 1).unwrap_err(), Exhausted::All { what: "seats" });
        drop(large);
        pool.take(client(2), 1).unwrap();
    }

    #[tokio::test]
    async fn who_does_not_fit_waits_and_is_refused_after_a_while() {
        let pool = pool();
        let full = pool.take(client(1), 4).unwrap();
        let mut late = pool.nothing(client(1));
        assert!(matches!(late.grow_to(1).await, Err(Exhausted::Client { .. })));
        let (grown, ()) = tokio::join!(late.grow_to(3), async move {
            tokio::time::sleep(WAIT / 2).await;
            drop(full);
        });
        assert_eq!(grown, Ok(()));
        assert_eq!((late.amount, pool.0.counts.refused_client.get()), (3, 1));
    }
}
