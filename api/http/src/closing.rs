//! The signal that the service is shutting down.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::watch;

/// Tells tasks to end that would otherwise run for ever.
#[derive(Clone, Debug)]
pub struct Closing {
    closed: Arc<watch::Sender<bool>>,
    is_leaving: Arc<AtomicBool>,
}

impl Closing {
    pub(crate) fn new() -> Self {
        Self { closed: Arc::new(watch::Sender::new(false)), is_leaving: Arc::default() }
    }

    /// Says that the signal will be sent: balancers should send nobody here any more.
    pub fn leave(&self) {
        self.is_leaving.store(true, Ordering::Relaxed);
    }

    /// Whether the signal was or will be sent.
    pub fn is_leaving(&self) -> bool {
        self.is_leaving.load(Ordering::Relaxed) || self.is_closing()
    }

    /// Sends the signal.
    pub fn close(&self) {
        self.closed.send_replace(true);
    }

    /// Whether the signal was sent.
    pub fn is_closing(&self) -> bool {
        *self.closed.borrow()
    }

    /// Waits for the signal.
    pub async fn closed(self) {
        let mut changes = self.closed.subscribe();
        changes.wait_for(|closing| *closing).await.expect("the sender is held by `self`");
    }
}
