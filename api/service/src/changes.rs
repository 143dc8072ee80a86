//! Waiting for a log to change.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use plybook_events::LogId;
use tokio::sync::watch;

/// The logs that are being watched. A change wakes those who watch that log and nobody else. Nothing is
/// queued: however often a log changes, a watcher that has not looked yet is told once.
#[derive(Default)]
pub(super) struct Changes(Mutex<HashMap<LogId, watch::Sender<()>>>);

/// Watches one log for as long as it lives.
pub struct Watch {
    changes: Arc<Changes>,
    log: LogId,
    /// Always present, until this is dropped.
    receiver: Option<watch::Receiver<()>>,
}

impl Changes {
    /// Watches a log from now on.
    pub(super) fn watch(self: &Arc<Self>, log: LogId) -> Watch {
        let receiver = self.watched().entry(log).or_insert_with(|| watch::Sender::new(())).subscribe();
        Watch { changes: Arc::clone(self), log, receiver: Some(receiver) }
    }

    /// Wakes everybody who watches the log.
    pub(super) fn tell(&self, log: LogId) {
        if let Some(sender) = self.watched().get(&log) {
            sender.send_replace(());
        }
    }

    fn watched(&self) -> MutexGuard<'_, HashMap<LogId, watch::Sender<()>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch {
    /// Waits until the log has changed since the last call, or since the watch began.
    pub async fn changed(&mut self) {
        let receiver = self.receiver.as_mut().expect("it is there until this is dropped");
        receiver.changed().await.expect("the sender stays as long as somebody watches");
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut watched = self.changes.watched();
        // In this order and under the lock, so that the last of several watchers removes the entry.
        drop(self.receiver.take());
        if watched.get(&self.log).is_some_and(|sender| sender.receiver_count() == 0) {
            watched.remove(&self.log);
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn only_who_watches_the_log_is_told_and_once_for_many_changes() {
        let changes = Arc::new(Changes::default());
        let [one, other] = [1, 2].map(|n| LogId::from_bytes([n; 16]));
        let mut watch = changes.watch(one);
        assert!(watch.changed().now_or_never().is_none());
        changes.tell(other);
        assert!(watch.changed().now_or_never().is_none());
        changes.tell(one);
        changes.tell(one);
        assert!(watch.changed().now_or_never().is_some());
        assert!(watch.changed().now_or_never().is_none(), "two changes are told once");
    }

    #[test]
    fn a_log_that_nobody_watches_any_more_is_forgotten() {
        let changes = Arc::new(Changes::default());
        let log = LogId::from_bytes([1; 16]);
        let watches: Vec<_> = (0..3).map(|_| changes.watch(log)).collect();
        assert_eq!(changes.watched().len(), 1);
        drop(watches);
        assert!(changes.watched().is_empty());
    }
}
