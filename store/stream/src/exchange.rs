//! The thread on which a connection lives, and on which its exchanges with the servers are awaited.

use std::future::Future;
use std::sync::mpsc;

use tokio::runtime::{Builder, Runtime};
use tokio_util::sync::CancellationToken;

use crate::StreamError;

/// Runs exchanges with servers for callers that block, until the process gives up.
pub(crate) struct Exchanges {
    /// `None` once this is dropped.
    runtime: Option<Runtime>,
    given_up: CancellationToken,
}

impl Exchanges {
    /// Starts a thread with this name.
    pub fn start(thread: &str) -> Self {
        let runtime = Builder::new_multi_thread().worker_threads(1).thread_name(thread).enable_all().build();
        let runtime = runtime.expect("a process can start a thread");
        Self { runtime: Some(runtime), given_up: CancellationToken::new() }
    }

    /// What an exchange with the servers of a stream comes to, unless the process gives up first.
    pub fn wait<T: Send + 'static>(
        &self,
        stream: &str,
        exchange: impl Future<Output = Result<T, StreamError>> + Send + 'static,
    ) -> Result<T, StreamError> {
        let (given_up, (tell, told)) = (self.given_up.clone(), mpsc::sync_channel(1));
        self.runtime.as_ref().expect("it is there until the end").spawn(async move {
            let _ = tell.send(given_up.run_until_cancelled(exchange).await);
        });
        let done = told.recv().expect("the work does not panic");
        let ends = || StreamError::Unanswered { stream: stream.to_owned(), why: "this process ends".to_owned() };
        done.unwrap_or_else(|| Err(ends()))
    }

    /// Ends whatever waits for the servers, now and later.
    pub fn give_up(&self) {
        self.given_up.cancel();
    }
}

impl Drop for Exchanges {
    fn drop(&mut self) {
        // Waiting for its thread is not allowed on every thread.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
