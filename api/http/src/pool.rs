//! The pools that clients share: memory, sockets, subscriptions, connections.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use plybook_service::load::{Client, LoadError};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use tokio::time::{Instant, sleep};

/// How long a request waits for a share of a pool before it is refused.
const WAIT: Duration = Duration::from_secs(1);

/// How often it looks meanwhile.
const RETRY: Duration = Duration::from_millis(20);

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

/// A part of a pool, given back when it is dropped.
#[derive(Debug)]
pub struct PoolShare {
    pool: Pool,
    client: Client,
    amount: u64,
}

impl Pool {
    /// A pool of `what`, which is in the plural.
    pub fn new(what: &'static str, share: Share, counts: PoolCounts) -> Self {
        Self(Arc::new(Inner { what, share, ledger: Mutex::default(), counts }))
    }

    /// A part of nothing so far, which can grow.
    pub fn nothing(&self, client: Client) -> PoolShare {
        PoolShare { pool: self.clone(), client, amount: 0 }
    }

    /// A share for a client.
    ///
    /// # Errors
    /// The client holds as much as it may, or nothing is left.
    pub fn take(&self, client: Client, amount: u64) -> Result<PoolShare, LoadError> {
        let mut held = self.nothing(client);
        held.try_grow(amount)?;
        Ok(held)
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.0.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, why: &LoadError) {
        match why {
            LoadError::ShareHeld { .. } => self.0.counts.refused_client.inc(),
            _ => self.0.counts.refused_all.inc(),
        };
    }
}

impl PoolShare {
    /// Holds this much or more, as soon as that fits.
    ///
    /// # Errors
    /// It does not fit within a second.
    pub async fn grow_to(&mut self, amount: u64) -> Result<(), LoadError> {
        let (more, until) = (amount.saturating_sub(self.amount), Instant::now() + WAIT);
        loop {
            match self.fit(more) {
                Err(_) if Instant::now() < until => sleep(RETRY).await,
                fits => return fits.inspect_err(|why| self.pool.count(why)),
            }
        }
    }

    /// Takes more if it fits now.
    ///
    /// # Errors
    /// The client, or all clients together, hold too much.
    pub fn try_grow(&mut self, amount: u64) -> Result<(), LoadError> {
        self.fit(amount).inspect_err(|why| self.pool.count(why))
    }

    fn fit(&mut self, amount: u64) -> Result<(), LoadError> {
        let Inner { what, share, .. } = *self.pool.0;
        let pool = self.pool.clone();
        let mut ledger = pool.ledger();
        let of_client = ledger.by_client.get(&self.client).copied().unwrap_or(0);
        if of_client.saturating_add(amount) > share.client {
            return Err(LoadError::ShareHeld { what, limit: share.client });
        }
        let kept = if self.client.is_administrator() { 0 } else { share.kept };
        if ledger.held.saturating_add(amount) > share.all.saturating_sub(kept) {
            return Err(LoadError::PoolEmpty { what });
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
        self.pool.nothing(self.client)
    }

    /// The amount held.
    pub fn amount(&self) -> u64 {
        self.amount
    }

    /// The client that holds it.
    pub fn client(&self) -> Client {
        self.client
    }

    fn change(&mut self, ledger: &mut Ledger, amount: u64) {
        let before = std::mem::replace(&mut self.amount, amount);
        ledger.held = ledger.held - before + amount;
        let of_client = ledger.by_client.entry(self.client).or_default();
        *of_client = *of_client - before + amount;
        if *of_client == 0 {
            ledger.by_client.remove(&self.client);
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
    use super::*;

    fn client(n: u8) -> Client {
        Client::with_token(&n.to_string(), n == 9)
    }

    fn pool() -> Pool {
        Pool::new("seats", Share { all: 10, client: 4, kept: 2 }, PoolCounts::default())
    }

    #[test]
    fn a_client_has_its_share_and_all_have_theirs() {
        let pool = pool();
        let mut one = pool.take(client(1), 4).unwrap();
        assert_eq!(pool.take(client(1), 1).unwrap_err(), LoadError::ShareHeld { what: "seats", limit: 4 });
        let other = pool.take(client(2), 4).unwrap();
        assert_eq!(pool.take(client(3), 1).unwrap_err(), LoadError::PoolEmpty { what: "seats" });
        let chief = pool.take(client(9), 2).expect("they are kept for administrators");
        assert_eq!(pool.take(client(9), 1).unwrap_err(), LoadError::PoolEmpty { what: "seats" });
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
        assert_eq!(pool.take(client(2), 1).unwrap_err(), LoadError::PoolEmpty { what: "seats" });
        drop(large);
        pool.take(client(2), 1).unwrap();
    }

    #[tokio::test]
    async fn who_does_not_fit_waits_and_is_refused_after_a_while() {
        let pool = pool();
        let full = pool.take(client(1), 4).unwrap();
        let mut late = pool.nothing(client(1));
        assert!(matches!(late.grow_to(1).await, Err(LoadError::ShareHeld { .. })));
        let (grown, ()) = tokio::join!(late.grow_to(3), async move {
            tokio::time::sleep(WAIT / 2).await;
            drop(full);
        });
        assert_eq!(grown, Ok(()));
        assert_eq!((late.amount, pool.0.counts.refused_client.get()), (3, 1));
    }
}
