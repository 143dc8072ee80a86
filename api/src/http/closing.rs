//! The word that the service is shutting down.

use std::sync::Arc;

use tokio::sync::watch;

/// Known to everything that would otherwise go on for ever.
#[derive(Clone, Debug)]
pub(crate) struct Closing(Arc<watch::Sender<bool>>);

impl Closing {
    pub(crate) fn new() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    /// Says it.
    pub(crate) fn close(&self) {
        self.0.send_replace(true);
    }

    /// Whether it was said.
    pub(crate) fn is_closing(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until it is said.
    pub(crate) async fn closed(self) {
        let mut said = self.0.subscribe();
        said.wait_for(|closing| *closing).await.expect("the sender is held by `self`");
    }
}
