//! The signal that the service is shutting down.

use std::sync::Arc;

use tokio::sync::watch;

/// Tells tasks to end that would otherwise run for ever.
#[derive(Clone, Debug)]
pub struct Closing(Arc<watch::Sender<bool>>);

impl Closing {
    pub(crate) fn new() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    /// Sends the signal.
    pub fn close(&self) {
        self.0.send_replace(true);
    }

    /// Whether the signal was sent.
    pub fn is_closing(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits for the signal.
    pub async fn closed(self) {
        let mut changes = self.0.subscribe();
        changes.wait_for(|closing| *closing).await.expect("the sender is held by `self`");
    }
}
