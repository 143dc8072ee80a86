//! A semaphore that is fair between clients.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use super::Client;

/// The bounds of the histogram of waiting times.
const BUCKETS_SECONDS: [f64; 10] = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0];

/// A number of permits that clients share. A client holds at most half of them, rounded up, and no more than that
/// number of its tasks are in the queue that all clients wait in: the others wait in a queue of the client's own.
pub(super) struct Lane {
    permits: Semaphore,
    /// The permits of each client that holds one or waits for one.
    clients: Mutex<HashMap<Client, Arc<Own>>>,
    share: usize,
    waiting: Gauge,
    running: Gauge,
    waits: Histogram,
}

/// What one client may hold, and how many of its tasks wait.
struct Own {
    permits: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// A client's turn: it waits for a permit, or holds one, which is given back when the turn is dropped.
pub(super) struct Turn<'a> {
    lane: &'a Lane,
    client: Client,
    own: Arc<Own>,
    /// Of the client's permits, and of all; `None` while it waits.
    permits: Option<(OwnedSemaphorePermit, SemaphorePermit<'a>)>,
}

impl Lane {
    pub(super) fn new(name: &'static str, permits: usize, counts: &LaneCounts) -> Self {
        let labels = Labels { lane: name };
        Self {
            permits: Semaphore::new(permits),
            clients: Mutex::default(),
            share: permits.div_ceil(2),
            waiting: counts.waiting.get_or_create(&labels).clone(),
            running: counts.running.get_or_create(&labels).clone(),
            waits: counts.waits.get_or_create(&labels).clone(),
        }
    }

    /// How many of a client's tasks wait.
    pub(super) fn waiting(&self, client: Client) -> usize {
        let clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        clients.get(&client).map_or(0, |own| own.waiting.load(Ordering::Relaxed))
    }

    /// Waits for the client's turn.
    pub(super) async fn acquire(&self, client: Client) -> Turn<'_> {
        let since = Instant::now();
        let mut turn = self.enter(client);
        let own = Arc::clone(&turn.own.permits).acquire_owned().await.expect("it is never closed");
        let all = self.permits.acquire().await.expect("it is never closed");
        turn.stop_waiting();
        turn.permits = Some((own, all));
        self.running.inc();
        self.waits.observe(since.elapsed().as_secs_f64());
        turn
    }

    fn enter(&self, client: Client) -> Turn<'_> {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        let own = clients.entry(client).or_insert_with(|| {
            Arc::new(Own { permits: Arc::new(Semaphore::new(self.share)), waiting: AtomicUsize::new(0) })
        });
        own.waiting.fetch_add(1, Ordering::Relaxed);
        self.waiting.inc();
        Turn { lane: self, client, own: Arc::clone(own), permits: None }
    }
}

impl Turn<'_> {
    fn stop_waiting(&self) {
        self.own.waiting.fetch_sub(1, Ordering::Relaxed);
        self.lane.waiting.dec();
    }
}

impl Drop for Turn<'_> {
    /// Forgets the client if this was its last turn.
    fn drop(&mut self) {
        match self.permits.take() {
            Some(_) => {
                self.lane.running.dec();
            }
            None => self.stop_waiting(),
        }
        let mut clients = self.lane.clients.lock().unwrap_or_else(PoisonError::into_inner);
        // One is in the map, and one is here.
        if Arc::strong_count(&self.own) == 2 {
            clients.remove(&self.client);
        }
    }
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct Labels {
    lane: &'static str,
}

/// The metrics of all lanes.
#[derive(Clone)]
pub(super) struct LaneCounts {
    waiting: Family<Labels, Gauge>,
    running: Family<Labels, Gauge>,
    waits: Family<Labels, Histogram, fn() -> Histogram>,
}

impl Default for LaneCounts {
    fn default() -> Self {
        let waits = Family::new_with_constructor((|| Histogram::new(BUCKETS_SECONDS)) as fn() -> Histogram);
        Self { waiting: Family::default(), running: Family::default(), waits }
    }
}

impl LaneCounts {
    pub(super) fn register(&self, registry: &mut Registry) {
        registry.register("lane_waiting", "Operations that wait for their turn in a lane", self.waiting.clone());
        registry.register("lane_running", "Operations that are being executed", self.running.clone());
        let help = "How long operations waited for their turn in a lane, each time they could go on";
        registry.register_with_unit("lane_wait", help, Unit::Seconds, self.waits.clone());
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use futures_util::FutureExt;

    use super::*;

    fn client(n: u32) -> Client {
        Client::at(IpAddr::V4(Ipv4Addr::from_bits(n)))
    }

    #[test]
    fn clients_take_turns() {
        let lane = Lane::new("a", 1, &LaneCounts::default());
        let held = lane.acquire(client(9)).now_or_never();
        // One client comes three times, then another once, and again.
        let mut waiting: Vec<_> = [1, 1, 1, 2, 2].map(|n| (n, Box::pin(lane.acquire(client(n))))).into_iter().collect();
        assert!(waiting.iter_mut().all(|(_, turn)| turn.now_or_never().is_none()));
        assert_eq!((lane.waiting(client(1)), lane.waiting(client(2)), lane.waiting(client(9))), (3, 2, 0));
        let (mut served, mut permit) = (Vec::new(), held);
        while !waiting.is_empty() {
            drop(permit.take());
            waiting.retain_mut(|(n, turn)| match turn.now_or_never() {
                Some(turn) => {
                    served.push(*n);
                    permit = Some(turn);
                    false
                }
                None => true,
            });
        }
        drop(permit);
        assert_eq!(served, [1, 2, 1, 2, 1]);
        assert!(lane.clients.lock().unwrap().is_empty(), "nothing is kept of clients that have nothing left");
    }

    #[test]
    fn no_client_holds_more_than_its_share() {
        let lane = Lane::new("a", 3, &LaneCounts::default());
        let _held = [1, 1].map(|_| lane.acquire(client(1)).now_or_never().expect("it is within its share"));
        let mut third = Box::pin(lane.acquire(client(1)));
        assert!((&mut third).now_or_never().is_none());
        let other = lane.acquire(client(2)).now_or_never();
        assert!(other.is_some());
        drop(third);
        assert_eq!(lane.waiting(client(1)), 0, "who has gone does not wait");
    }
}
