//! The connection to the servers of the journal's stream that the buckets use.

use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::exchange::Exchanges;
use crate::stream::Stream;
use crate::{NatsAccess, NatsAddress, StreamError};

/// A connection, which lives on a thread of its own.
pub struct Connection {
    exchanges: Exchanges,
    /// The journal's stream.
    journal: Stream,
    /// Why the servers did not answer last; `None` while they do.
    trouble: Mutex<Option<String>>,
}

impl Connection {
    /// Connects to the servers of a stream.
    ///
    /// # Errors
    /// They are away.
    pub fn open(address: &NatsAddress, access: &NatsAccess) -> Result<Self, StreamError> {
        let exchanges = Exchanges::start("plybook-shared");
        let (to, access) = (address.clone(), access.clone());
        let journal = exchanges.wait(&address.stream, async move { Stream::connect(&to, &access).await })?;
        Ok(Self { exchanges, journal, trouble: Mutex::default() })
    }

    /// Another stream on the same servers.
    pub(crate) fn stream(&self, name: String) -> Stream {
        self.journal.beside(name)
    }

    /// The name of the stream of the journal, which the buckets have in theirs.
    pub fn name(&self) -> &str {
        &self.journal.name
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
        self.exchanges.give_up();
    }

    fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, StreamError>> + Send + 'static,
    ) -> Result<T, StreamError> {
        self.exchanges.wait(&self.journal.name, work)
    }

    fn state(&self) -> MutexGuard<'_, Option<String>> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
