//! What each client may still spend: a token bucket for each, in units of complexity.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

use super::Client;
use super::limits::Allowance;

/// The number of operations after which clients that have spent nothing lately are forgotten.
const SWEEP_EVERY: u32 = 4_096;

type Limiter = RateLimiter<Client, DefaultKeyedStateStore<Client>, DefaultClock, StateInformationMiddleware>;

/// The budgets of all clients with the same allowance.
pub(super) struct Budget {
    /// The limiter and its burst; `None` if there is no limit.
    limiter: Option<(Limiter, NonZeroU32)>,
    asked: AtomicU32,
}

impl Budget {
    pub(super) fn new(allowance: Allowance) -> Self {
        let quota = |burst| Quota::per_second(allowance.refill).allow_burst(burst);
        Self {
            limiter: allowance.burst.map(|burst| (RateLimiter::keyed(quota(burst)).with_middleware(), burst)),
            asked: AtomicU32::new(0),
        }
    }

    /// Takes units, at least one, from a client's budget, and returns what is left; `None` if there is no limit. A full
    /// budget covers anything once.
    ///
    /// # Errors
    /// The budget does not cover it now, and nothing is taken; the error says how long to wait.
    pub(super) fn take(&self, client: Client, units: u64) -> Result<Option<u32>, Duration> {
        let Some((limiter, burst)) = &self.limiter else { return Ok(None) };
        if self.asked.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY == SWEEP_EVERY - 1 {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
        let units = u32::try_from(units.max(1)).ok().and_then(NonZeroU32::new).unwrap_or(*burst).min(*burst);
        let taken = limiter.check_key_n(&client, units).expect("it is no more than the burst");
        let left = taken.map(|state| Some(state.remaining_burst_capacity()));
        left.map_err(|not_until| not_until.wait_time_from(limiter.clock().now()))
    }

    /// Takes units from a client's budget for work that is done already: as many of them as the budget covers.
    pub(super) fn drain(&self, client: Client, mut units: u64) {
        let mut piece = units;
        while piece > 0 && units > 0 {
            match self.take(client, piece) {
                Ok(_) => units -= piece,
                Err(_) => piece /= 2,
            }
            piece = piece.min(units);
        }
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
    fn a_client_spends_its_own_budget() {
        // It refills in a thousand seconds.
        let budget = budget(1_000, 1);
        assert_eq!(budget.take(client(1), 600), Ok(Some(400)));
        let wait = budget.take(client(1), 600).unwrap_err();
        assert!((190..=200).contains(&wait.as_secs()), "{wait:?}");
        assert_eq!(budget.take(client(1), 300), Ok(Some(100)), "what was refused costs nothing");
        assert_eq!(budget.take(client(2), 600), Ok(Some(400)), "somebody else's budget is its own");
        assert_eq!(budget.take(client(3), 0), Ok(Some(999)), "nothing is free");
    }

    #[test]
    fn a_full_budget_covers_anything_once() {
        let budget = budget(1_000, 1);
        assert_eq!(budget.take(client(1), u64::MAX), Ok(Some(0)));
        assert!(budget.take(client(1), 1).is_err());
        budget.drain(client(2), 150);
        assert_eq!(budget.take(client(2), 1), Ok(Some(849)));
        budget.drain(client(2), 4_000);
        assert!(budget.take(client(2), 1).is_err(), "nothing is left");
    }

    #[test]
    fn without_a_burst_nobody_is_limited() {
        let budget = budget(0, 1);
        assert_eq!((budget.take(client(1), u64::MAX), budget.take(client(1), u64::MAX)), (Ok(None), Ok(None)));
    }

    #[test]
    fn clients_with_full_budgets_are_forgotten() {
        // It refills at once.
        let budget = budget(10, 1_000_000_000);
        for n in 0..3 * SWEEP_EVERY {
            budget.take(client(n), 1).unwrap();
        }
        assert!(budget.limiter.as_ref().unwrap().0.len() <= SWEEP_EVERY as usize);
    }
}
