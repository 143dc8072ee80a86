//! A sequence of events as a stream on NATS `JetStream`: on several servers, of which any minority may be lost.
//!
//! A message is one append, and the order of the stream is that of the events. Each message says the position of its first
//! event, so that no reader has to count, and is written only as the one that follows the last its writer knows of
//! (`Nats-Expected-Last-Sequence`).

use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use crate::exchange::Exchanges;
use crate::message::Message;
use crate::stream::{Published, Stream};
use crate::{EventBytes, NatsAccess, NatsAddress, StreamError, StreamStatus};

/// How many bytes of events are read at once; only the last message read can exceed it.
const READ_BYTES: usize = 32 << 20;

/// Reading may start this many events before the one that is wanted.
const NEAR_EVENTS: u64 = 256;

/// Room for the headers in the largest message, in bytes.
pub(crate) const HEADERS_BYTES: usize = 1024;

/// How long a follower waits for the servers before it says that they are away: about as long as they take to elect a leader.
const FOLLOW_PATIENCE: Duration = Duration::from_secs(4);

/// A sequence of events in a stream. Its calls block, on any thread.
pub struct EventStream {
    stream: Arc<Stream>,
    /// The connection lives on its thread.
    exchanges: Exchanges,
    /// The end, as far as it is known.
    end: RwLock<Mark>,
    /// Where the last read ended, and the next one probably begins.
    read_until: Mutex<Mark>,
    writer: Mutex<Writer>,
}

/// Why events were not appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Somebody else appended first; so many events are there.
    Conflict {
        /// Their number.
        len: u64,
    },
    /// What became of an earlier append is not known yet.
    Pending,
    /// They do not fit into a message.
    TooLarge {
        /// What they take, in bytes.
        bytes: usize,
        /// What is allowed, in bytes.
        max: usize,
    },
    /// The servers did not answer: they may have been appended.
    Unknown,
}

/// The right to append.
struct Writer {
    /// An append that was not answered, and the place for which it was sent.
    pending: Option<(Arc<Message>, Mark)>,
}

/// A place in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    /// The position of the first event of the message that is there, or would be.
    position: u64,
    /// The sequence of the message, from 1.
    sequence: u64,
}

/// Where a stream starts.
const START: Mark = Mark { position: 0, sequence: 1 };

impl Mark {
    /// The place after a message.
    fn after(sequence: u64, message: &Message) -> Self {
        Self { position: message.next(), sequence: sequence + 1 }
    }
}

impl EventStream {
    /// Opens a stream that is there.
    ///
    /// # Errors
    /// The servers are away, the stream is not there or not safe, or its end is damaged.
    pub fn open(address: &NatsAddress, access: &NatsAccess) -> Result<Self, StreamError> {
        Self::open_with(address, access, |stream| async move { Err(StreamError::NotThere(stream.name.clone())) })
    }

    /// Like [`open`](Self::open), but creates the stream if it is not there.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn create(address: &NatsAddress, access: &NatsAccess) -> Result<Self, StreamError> {
        Self::open_with(address, access, |stream| async move { stream.create().await })
    }

    fn open_with<F>(
        address: &NatsAddress,
        access: &NatsAccess,
        if_missing: impl FnOnce(Arc<Stream>) -> F + Send + 'static,
    ) -> Result<Self, StreamError>
    where
        F: Future<Output = Result<(), StreamError>> + Send,
    {
        let exchanges = Exchanges::start("plybook-nats");
        let (to, access) = (address.clone(), access.clone());
        let (stream, end) = exchanges.wait(&address.stream, async move {
            let stream = Arc::new(Stream::connect(&to, &access).await?);
            if !stream.check().await? {
                if_missing(Arc::clone(&stream)).await?;
            }
            let end = find_end(&stream).await?;
            stream.check_servers().await?;
            Ok((stream, end))
        })?;
        Ok(Self {
            stream,
            exchanges,
            end: RwLock::new(end),
            read_until: Mutex::new(START),
            writer: Mutex::new(Writer { pending: None }),
        })
    }

    /// How the stream and its servers stand now.
    ///
    /// # Errors
    /// The servers do not answer.
    pub fn status(&self) -> Result<StreamStatus, StreamError> {
        let events = self.look()?.position;
        let stream = Arc::clone(&self.stream);
        let info = self.wait(async move { stream.info().await })?;
        Ok(StreamStatus::read(&info, events))
    }

    fn end(&self) -> Mark {
        *self.end.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the end on, if it is not known to be further already.
    fn advance(&self, to: Mark) {
        let mut end = self.end.write().unwrap_or_else(PoisonError::into_inner);
        if to.sequence > end.sequence {
            *end = to;
        }
    }

    /// Asks where the stream ends by now.
    fn look(&self) -> Result<Mark, StreamError> {
        let stream = Arc::clone(&self.stream);
        // A leader that lost touch with the others may not know the end any more.
        self.advance(self.wait(async move { find_end(&stream).await })?);
        Ok(self.end())
    }

    /// Sends an append that was not answered once more, until it is known whether it was written.
    fn settle(&self) -> Result<(), StreamError> {
        // An append that is under way is settled by its own answer.
        let Ok(mut writer) = self.writer.try_lock() else { return Ok(()) };
        let Some((message, place)) = writer.pending.clone() else { return Ok(()) };
        let (stream, sent) = (Arc::clone(&self.stream), Arc::clone(&message));
        let published =
            self.wait(async move { stream.within(FOLLOW_PATIENCE, stream.publish(&sent, place.sequence - 1)).await });
        let is_written = match published {
            Ok(Published::Next) => {
                self.advance(Mark::after(place.sequence, &message));
                true
            }
            Ok(Published::Taken(sequence, last)) => {
                self.advance(Mark::after(sequence, &last));
                false
            }
            Err(why) => return Err(why),
        };
        tracing::info!(position = place.position, is_written, "it is known now what became of an append");
        writer.pending = None;
        Ok(())
    }

    /// The message that holds the event `position`, which is before `end`; or one before it that is near.
    fn locate(&self, position: u64, end: Mark) -> Result<Mark, StreamError> {
        let known = *self.read_until();
        let (mut low, mut high) = if known.position <= position { (known, end) } else { (START, known) };
        while high.sequence - low.sequence > 1 && position - low.position > NEAR_EVENTS {
            let middle = low.sequence + (high.sequence - low.sequence) / 2;
            let stream = Arc::clone(&self.stream);
            let message = self.wait(async move { stream.known(middle).await })?;
            let found = Mark { position: message.position, sequence: middle };
            if found.position <= position { low = found } else { high = found }
        }
        Ok(low)
    }

    fn read_until(&self) -> MutexGuard<'_, Mark> {
        self.read_until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<T: Send + 'static>(
        &self,
        exchange: impl Future<Output = Result<T, StreamError>> + Send + 'static,
    ) -> Result<T, StreamError> {
        self.exchanges.wait(&self.stream.name, exchange)
    }
}

impl EventStream {
    /// The number of events known of.
    pub fn len(&self) -> u64 {
        self.end().position
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends events, of which the first gets the position `at`, in one message.
    ///
    /// # Errors
    /// They were not written, or it is not known whether they were.
    pub fn append(&self, at: u64, events: &[EventBytes]) -> Result<(), Refusal> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if writer.pending.is_some() {
            return Err(Refusal::Pending);
        }
        let end = self.end();
        if at != end.position {
            return Err(Refusal::Conflict { len: end.position });
        }
        let message = Arc::new(Message::new(at, events));
        let (bytes, max) = (message.payload.len(), self.append_bytes_max());
        if bytes > max {
            return Err(Refusal::TooLarge { bytes, max });
        }
        let (stream, sent) = (Arc::clone(&self.stream), Arc::clone(&message));
        match self.wait(async move { stream.publish(&sent, end.sequence - 1).await }) {
            Ok(Published::Next) => {
                self.advance(Mark::after(end.sequence, &message));
                Ok(())
            }
            Ok(Published::Taken(sequence, last)) => {
                self.advance(Mark::after(sequence, &last));
                Err(Refusal::Conflict { len: last.next() })
            }
            Err(why) => {
                // It may have been written, or be written yet.
                tracing::error!(%why, "an append was not answered");
                writer.pending = Some((message, end));
                Err(Refusal::Unknown)
            }
        }
    }

    /// The events of the stream from a position on, at most `limit`.
    ///
    /// # Errors
    /// The servers do not answer, or a message is damaged.
    pub fn read(&self, from: u64, limit: usize) -> Result<Vec<EventBytes>, StreamError> {
        let mut end = self.end();
        if from >= end.position {
            end = self.look()?;
        }
        if from >= end.position {
            return Ok(Vec::new());
        }
        let (start, stream) = (self.locate(from, end)?, Arc::clone(&self.stream));
        let (events, mark) = self.wait(async move { read(&stream, start, end, from, limit).await })?;
        *self.read_until() = mark;
        Ok(events)
    }

    /// The most bytes that one append may have, where each event takes one more than its own.
    pub fn append_bytes_max(&self) -> usize {
        self.stream.max_payload().saturating_sub(HEADERS_BYTES)
    }

    /// Waits for no server any more, now or later. What was sent and not answered stays unknown.
    pub fn give_up(&self) {
        self.exchanges.give_up();
    }

    /// Finds out what became of an append that was not answered, and what others have appended.
    ///
    /// # Errors
    /// The servers do not answer.
    pub fn follow(&self) -> Result<(), StreamError> {
        self.settle()?;
        let (stream, known) = (Arc::clone(&self.stream), self.end());
        let end = self.wait(async move {
            // Often there is nothing, and asking for that is cheaper than for the last message.
            let look = async {
                match stream.get(known.sequence).await? {
                    Some(_) => find_end(&stream).await,
                    None => Ok(known),
                }
            };
            stream.within(FOLLOW_PATIENCE, look).await
        });
        self.advance(end?);
        Ok(())
    }
}

impl Drop for EventStream {
    fn drop(&mut self) {
        let writer = self.writer.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, place)) = &writer.pending {
            let position = place.position;
            tracing::warn!(
                position,
                "stopped before it was known whether an append was written: a reader of the stream sees that"
            );
        }
    }
}

/// Where the stream ends.
async fn find_end(stream: &Stream) -> Result<Mark, StreamError> {
    Ok(stream.last().await?.map_or(START, |(sequence, last)| Mark::after(sequence, &last)))
}

/// The events from `from` on, at most `limit`, read from the message `next` on, up to `end`; fewer after [`READ_BYTES`]. Also
/// returns where the event after them is.
async fn read(
    stream: &Stream,
    mut next: Mark,
    end: Mark,
    from: u64,
    limit: usize,
) -> Result<(Vec<EventBytes>, Mark), StreamError> {
    let (mut events, mut bytes) = (Vec::new(), 0);
    while next.sequence < end.sequence {
        let left = usize::try_from(end.sequence - next.sequence).unwrap_or(usize::MAX);
        let mut messages = stream.batch(next.sequence, left.min(limit)).await?;
        if messages.is_empty() {
            // That replica is behind, away or damaged.
            messages.push(stream.known(next.sequence).await?);
        }
        for message in messages {
            if message.position != next.position {
                return Err(stream.damaged(next.sequence, "it does not follow the message before it"));
            }
            let skip = usize::try_from(from.saturating_sub(message.position)).unwrap_or(usize::MAX);
            for event in message.events().skip(skip) {
                if events.len() == limit || bytes >= READ_BYTES {
                    return Ok((events, next));
                }
                bytes += event.len();
                events.push(event.into());
            }
            next = Mark::after(next.sequence, &message);
        }
    }
    Ok((events, next))
}
