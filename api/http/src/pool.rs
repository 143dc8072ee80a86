//! The pools that clients share: memory, sockets, subscriptions, connections.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use tokio::time::{Instant, sleep};

use super::client::Client;

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
    client: Client,
    is_administrator: bool,
    amount: u64,
}

impl Pool {
    /// A pool of `what`, which is in the plural.
    pub fn new(what: &'static str, share: Share, counts: PoolCounts) -> Self {
        Self(Arc::new(Inner { what, share, ledger: Mutex::default(), counts }))
    }

    /// A part of nothing so far, which can [grow](PoolShare::grow).
    pub fn nothing(&self, client: Client, is_administrator: bool) -> PoolShare {
        PoolShare { pool: self.clone(), client, is_administrator, amount: 0 }
    }

    /// A share for a client.
    ///
    /// # Errors
    /// The client holds as much as it may, or nothing is left.
    pub fn take(&self, client: Client, is_administrator: bool, amount: u64) -> Result<PoolShare, Exhausted> {
        let mut held = self.nothing(client, is_administrator);
        held.try_grow(amount).inspect_err(|why| self.count(*why))?;
        Ok(held)
    }

    /// A share for a client, whether or not it fits: for something that exists already and is bounded
    /// elsewhere. Others wait until it is given back.
    pub fn take_anyway(&self, client: Client, amount: u64) -> PoolShare {
        let mut held = self.nothing(client, false);
        held.grow_anyway(amount);
        held
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
    /// Takes more, as soon as it fits.
    ///
    /// # Errors
    /// It does not fit within a second.
    pub async fn grow(&mut self, amount: u64) -> Result<(), Exhausted> {
        let until = Instant::now() + WAIT;
        loop {
            match self.try_grow(amount) {
                Err(why) if Instant::now() >= until => {
                    self.refused(why);
                    return Err(why);
                }
                Err(_) => sleep(RETRY).await,
                Ok(()) => return Ok(()),
            }
        }
    }

    /// Takes more if it fits now.
    ///
    /// # Errors
    /// The client, or all clients together, hold too much.
    pub fn try_grow(&mut self, amount: u64) -> Result<(), Exhausted> {
        let pool = self.pool.clone();
        let (what, share) = (pool.0.what, pool.0.share);
        let mut ledger = pool.ledger();
        let of_client = ledger.by_client.get(&self.client).copied().unwrap_or(0);
        if of_client.saturating_add(amount) > share.client {
            return Err(Exhausted::Client { what, limit: share.client });
        }
        let kept = if self.is_administrator { 0 } else { share.kept };
        if ledger.held.saturating_add(amount) > share.all.saturating_sub(kept) {
            return Err(Exhausted::All { what });
        }
        self.take(&mut ledger, amount);
        Ok(())
    }

    /// Takes more, whether or not it fits.
    pub fn grow_anyway(&mut self, amount: u64) {
        let pool = self.pool.clone();
        self.take(&mut pool.ledger(), amount);
    }

    /// Gives back this much.
    pub fn give_back(&mut self, amount: u64) {
        let amount = amount.min(self.amount);
        if amount == 0 {
            return;
        }
        self.amount -= amount;
        let mut ledger = self.pool.ledger();
        ledger.held -= amount;
        if let Some(of_client) = ledger.by_client.get_mut(&self.client) {
            *of_client -= amount;
            if *of_client == 0 {
                ledger.by_client.remove(&self.client);
            }
        }
        drop(ledger);
        self.pool.0.counts.held.dec_by(i64::try_from(amount).unwrap_or(i64::MAX));
    }

    /// An empty share of the same pool for the same client.
    #[must_use]
    pub fn another(&self) -> Self {
        self.pool.nothing(self.client, self.is_administrator)
    }

    /// Holds what another share of the same client holds, too.
    pub fn add(&mut self, mut other: Self) {
        self.amount += std::mem::take(&mut other.amount);
    }

    /// The amount held.
    pub fn amount(&self) -> u64 {
        self.amount
    }

    /// The client that holds it.
    pub fn client(&self) -> Client {
        self.client
    }

    /// Counts that more was refused after repeated attempts.
    pub fn refused(&self, why: Exhausted) {
        self.pool.count(why);
    }

    /// Gives back everything.
    pub fn clear(&mut self) {
        self.give_back(self.amount);
    }

    fn take(&mut self, ledger: &mut Ledger, amount: u64) {
        if amount == 0 {
            return;
        }
        self.amount += amount;
        ledger.held += amount;
        *ledger.by_client.entry(self.client).or_default() += amount;
        self.pool.0.counts.held.inc_by(i64::try_from(amount).unwrap_or(i64::MAX));
    }
}

impl Drop for PoolShare {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn client(n: u8) -> Client {
        Client::at(Ipv4Addr::new(192, 0, 2, n).into())
    }

    fn pool() -> Pool {
        Pool::new("seats", Share { all: 10, client: 4, kept: 2 }, PoolCounts::default())
    }

    #[test]
    fn a_client_has_its_share_and_all_have_theirs() {
        let pool = pool();
        let mut one = pool.take(client(1), false, 4).unwrap();
        assert_eq!(pool.take(client(1), false, 1).unwrap_err(), Exhausted::Client { what: "seats", limit: 4 });
        let other = pool.take(client(2), false, 4).unwrap();
        assert_eq!(pool.take(client(3), false, 1).unwrap_err(), Exhausted::All { what: "seats" });
        let chief = pool.take(client(9), true, 2).expect("they are kept for administrators");
        assert_eq!(pool.take(client(9), true, 1).unwrap_err(), Exhausted::All { what: "seats" });
        assert_eq!(pool.0.counts.held.get(), 10);
        assert_eq!((pool.0.counts.refused_client.get(), pool.0.counts.refused_all.get()), (1, 2));
        one.give_back(1);
        drop((other, chief));
        pool.take(client(3), false, 4).unwrap();
        assert_eq!(pool.0.counts.held.get(), 3);
        drop(one);
        assert!(pool.ledger().by_client.is_empty() && pool.ledger().held == 0);
    }

    #[test]
    fn what_is_there_already_is_counted_though_it_does_not_fit() {
        let pool = pool();
        let large = pool.take_anyway(client(1), 100);
        assert_eq!(pool.take(client(2), false, 1).unwrap_err(), Exhausted::All { what: "seats" });
        drop(large);
        pool.take(client(2), false, 1).unwrap();
    }

    #[tokio::test]
    async fn who_does_not_fit_waits_and_is_refused_after_a_while() {
        let pool = pool();
        let full = pool.take(client(1), false, 4).unwrap();
        let mut late = pool.nothing(client(1), false);
        assert!(matches!(late.grow(1).await, Err(Exhausted::Client { .. })));
        let (grown, ()) = tokio::join!(late.grow(3), async move {
            tokio::time::sleep(WAIT / 2).await;
            drop(full);
        });
        assert_eq!(grown, Ok(()));
        assert_eq!((late.amount, pool.0.counts.refused_client.get()), (3, 1));
    }
}
