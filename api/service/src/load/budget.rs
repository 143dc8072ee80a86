//! What each client may still spend.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::clock::DefaultClock;
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

use super::limits::Allowance;
use crate::load::Client;

/// The number of operations after which clients that have spent nothing lately are forgotten.
const SWEEP_EVERY: u32 = 4_096;

type Limiter = RateLimiter<Client, DefaultKeyedStateStore<Client>, DefaultClock, StateInformationMiddleware>;

/// The budgets of all clients with the same allowance.
///
/// An operation is admitted if the budget covers its price and the prices of all the client's other
/// operations in progress. Afterwards, what it really cost is deducted.
pub(super) struct Budget {
    /// `None` if there is no limit.
    limiter: Option<Limiter>,
    allowance: Allowance,
    /// The prices of operations in progress, by client.
    reserved: Mutex<HashMap<Client, u64>>,
    asked: AtomicU32,
}

impl Budget {
    pub(super) fn new(allowance: Allowance) -> Self {
        let quota = |burst| Quota::per_second(allowance.refill).allow_burst(burst);
        let limiter = allowance.burst.map(|burst| RateLimiter::keyed(quota(burst)).with_middleware());
        Self { limiter, allowance, reserved: Mutex::default(), asked: AtomicU32::new(0) }
    }

    /// Reserves the price of an operation.
    ///
    /// # Errors
    /// The budget does not cover it now; the error says how long to wait.
    pub(super) fn reserve(&self, client: Client, units: u64) -> Result<(), Duration> {
        let (Some(limiter), Some(burst)) = (&self.limiter, self.allowance.burst) else { return Ok(()) };
        if self.asked.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY == SWEEP_EVERY - 1 {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
        // Asking costs one unit.
        let left = limiter.check_key(&client).map_or(0, |state| u64::from(state.remaining_burst_capacity()));
        let mut reserved = self.reserved();
        let under_way = reserved.get(&client).copied().unwrap_or(0);
        // A full budget covers any single operation.
        let needed = under_way.saturating_add(units.min(u64::from(burst.get()) - 1));
        if left < needed {
            return Err(self.time_of(needed - left));
        }
        *reserved.entry(client).or_default() += units;
        Ok(())
    }

    /// Releases a reservation.
    pub(super) fn release(&self, client: Client, units: u64) {
        let mut reserved = self.reserved();
        if let Some(under_way) = reserved.get_mut(&client) {
            *under_way = under_way.saturating_sub(units);
            if *under_way == 0 {
                reserved.remove(&client);
            }
        }
    }

    /// Deducts what was spent, or what is left of the budget if that is less. Returns how long the rest takes
    /// to refill, if there is a rest.
    pub(super) fn take(&self, client: Client, units: u64) -> Option<Duration> {
        let limiter = self.limiter.as_ref().filter(|_| units > 0)?;
        let mut taken = 0;
        if let Ok(state) = limiter.check_key(&client) {
            let rest = (units - 1).min(u64::from(state.remaining_burst_capacity()));
            taken = 1;
            if let Some(rest) = NonZeroU32::new(rest as u32)
                && let Ok(Ok(_)) = limiter.check_key_n(&client, rest)
            {
                taken += u64::from(rest.get());
            }
        }
        (taken < units).then(|| self.time_of(units - taken))
    }

    /// How long this many units take to refill.
    fn time_of(&self, units: u64) -> Duration {
        Duration::from_secs_f64(units as f64 / f64::from(self.allowance.refill.get()))
    }

    fn reserved(&self) -> MutexGuard<'_, HashMap<Client, u64>> {
        self.reserved.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn client(n: u32) -> Client {
        Client::at(IpAddr::V4(Ipv4Addr::from_bits(n)))
    }

    fn budget(burst: u32, refill: u32) -> Budget {
        Budget::new(Allowance { burst: NonZeroU32::new(burst), refill: NonZeroU32::new(refill).unwrap() })
    }

    #[test]
    fn what_is_under_way_and_what_was_spent_count_together() {
        // It refills in a thousand seconds.
        let budget = budget(1_000, 1);
        let (one, other) = (client(1), client(2));
        assert!(budget.reserve(one, 600).is_ok());
        let wait = budget.reserve(one, 600).unwrap_err();
        assert!((200..=202).contains(&wait.as_secs()), "{wait:?}");
        assert!(budget.reserve(other, 600).is_ok(), "somebody else's budget is its own");
        budget.release(one, 600);
        assert!(budget.reserve(one, 600).is_ok(), "it was not spent");
        budget.release(one, 600);
        assert_eq!(budget.take(one, 900), None);
        assert!(budget.reserve(one, 600).is_err());
        assert!(budget.reserve(one, 10).is_ok());
    }

    #[test]
    fn a_full_budget_covers_anything_once() {
        let budget = budget(1_000, 1);
        assert!(budget.reserve(client(1), 1_000_000).is_ok());
        budget.release(client(1), 1_000_000);
        let rest = budget.take(client(1), 1_001_000).expect("it does not hold so much");
        assert!((999_990..=1_000_010).contains(&rest.as_secs()), "{rest:?}");
        assert!(budget.reserve(client(1), 1).is_err());
    }

    #[test]
    fn without_a_burst_nobody_is_limited() {
        let budget = budget(0, 1);
        assert!(budget.reserve(client(1), u64::MAX).is_ok());
        assert_eq!(budget.take(client(1), u64::MAX), None);
    }

    #[test]
    fn clients_with_full_budgets_are_forgotten() {
        // It refills at once.
        let budget = budget(10, 1_000_000_000);
        for n in 0..3 * SWEEP_EVERY {
            budget.reserve(client(n), 1).unwrap();
            budget.release(client(n), 1);
        }
        assert!(budget.limiter.as_ref().unwrap().len() <= SWEEP_EVERY as usize);
        assert!(budget.reserved().is_empty());
    }
}
