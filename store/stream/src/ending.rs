//! What is waited for no longer once the process ends and the servers are away.

use std::future::Future;
use std::pin::pin;

use futures_util::future::{Either, select};
use tokio::sync::watch;

use crate::StreamError;

/// Whether the process ends, and waits for no server any more.
pub(crate) struct Ending(watch::Sender<bool>);

impl Default for Ending {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Ending {
    /// Ends whatever waits for the servers, now and later.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }

    /// What an exchange with the servers of a stream comes to, unless the process ends first.
    pub fn unless_begun<T, F: Future<Output = Result<T, StreamError>>>(
        &self,
        stream: &str,
        exchange: F,
    ) -> impl Future<Output = Result<T, StreamError>> + use<T, F> {
        let (mut ending, stream) = (self.0.subscribe(), stream.to_owned());
        async move {
            let begun = pin!(ending.wait_for(|has_begun| *has_begun));
            match select(pin!(exchange), begun).await {
                Either::Left((done, _)) => done,
                Either::Right(_) => Err(StreamError::Unanswered { stream, why: "this process ends".to_owned() }),
            }
        }
    }
}
