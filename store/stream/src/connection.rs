//! The connection to the servers of the journal's stream that the buckets use.

use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::runtime::{Builder, Runtime};

use crate::ending::Ending;
use crate::events::wait;
use crate::stream::Stream;
use crate::{NatsAccess, NatsAddress, StreamError};

/// A connection, which lives on a thread of its own.
pub struct Connection {
    runtime: Option<Runtime>,
    /// The journal's stream.
    journal: Stream,
    /// The name of the first stream of the journal, which the buckets have in theirs.
    name: String,
    /// Why the servers did not answer last; `None` while they do.
    trouble: Mutex<Option<String>>,
    ending: Ending,
}

impl Connection {
    /// Connects to the servers of a stream.
    ///
    /// # Errors
    /// They are away.
    pub fn open(address: &NatsAddress, access: &NatsAccess) -> Result<Self, StreamError> {
        let runtime = Builder::new_multi_thread().worker_threads(1).thread_name("plybook-shared").enable_all().build();
        let runtime = runtime.expect("a process can start a thread");
        let (address, access) = (address.clone(), access.clone());
        let connected = wait(&runtime, async move {
            let journal = Stream::connect(&address, &access).await?;
            let continued = journal.continuation().await?.map(|continuation| continuation.first);
            let name = continued.unwrap_or_else(|| journal.name.clone());
            Ok((journal, name))
        });
        match connected {
            Ok((journal, name)) => {
                let (trouble, ending) = (Mutex::default(), Ending::default());
                Ok(Self { runtime: Some(runtime), journal, name, trouble, ending })
            }
            Err(why) => {
                runtime.shutdown_background();
                Err(why)
            }
        }
    }

    /// Another stream on the same servers.
    pub(crate) fn stream(&self, name: String) -> Stream {
        self.journal.beside(name)
    }

    /// The name of the first stream of the journal.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Why the servers did not answer last; `None` while they do.
    pub fn trouble(&self) -> Option<String> {
        self.state().clone()
    }

    /// Does something, unless the servers are known to be away: nobody waits for them again and again.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, StreamError>> + Send + 'static,
    ) -> Result<T, StreamError> {
        if let Some(why) = self.trouble() {
            return Err(StreamError::Unanswered { stream: self.journal.name.clone(), why });
        }
        let done = self.wait(work);
        if let Err(StreamError::Unanswered { why, .. }) = &done {
            *self.state() = Some(why.clone());
        }
        done
    }

    /// Like [`run`](Self::run), but also finds out whether the servers are back.
    pub(crate) fn probe<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, StreamError>> + Send + 'static,
    ) -> Result<T, StreamError> {
        let done = self.wait(work);
        *self.state() = match &done {
            Err(StreamError::Unanswered { why, .. }) => Some(why.clone()),
            _ => None,
        };
        done
    }

    /// Waits for no server any more, now or later.
    pub fn give_up(&self) {
        self.ending.begin();
    }

    fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, StreamError>> + Send + 'static,
    ) -> Result<T, StreamError> {
        let runtime = self.runtime.as_ref().expect("it is there until the end");
        wait(runtime, self.ending.unless_begun(&self.journal.name, work))
    }

    fn state(&self) -> MutexGuard<'_, Option<String>> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Waiting for its thread is not allowed on every thread.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
