//! The memory that a socket holds for messages on their way in and out.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev;
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_util::stream::{self, StreamExt};
use tokio::sync::Notify;

use crate::pool::PoolShare;

/// How many bytes may wait for the network before the next answer has to wait. A single answer may be larger.
const ROOM: u64 = 64 << 10;

/// The bytes of one socket that are in memory.
pub(super) struct Wire {
    arrived: Mutex<PoolShare>,
    /// The most bytes that one message may arrive with, including frames.
    arrived_max: u64,
    leaving: Mutex<PoolShare>,
    /// The bytes sent since the network last took some, and the bytes that it has taken but not written yet.
    said: AtomicU64,
    taken: AtomicU64,
    written: Notify,
}

impl Wire {
    /// `arrived` and `leaving` must be empty shares.
    pub(super) fn new(arrived: PoolShare, leaving: PoolShare, message_bytes: usize) -> Arc<Self> {
        Arc::new(Self {
            arrived: Mutex::new(arrived),
            arrived_max: 2 * message_bytes as u64 + ROOM,
            leaving: Mutex::new(leaving),
            said: AtomicU64::new(0),
            taken: AtomicU64::new(0),
            written: Notify::new(),
        })
    }

    /// The payload, whose bytes are held until they are [heard](Self::heard).
    ///
    /// It ends with an error if there is no memory for the bytes, or if more arrive than a message may have.
    pub(super) fn incoming(self: &Arc<Self>, payload: dev::Payload) -> dev::Payload {
        let wire = Arc::clone(self);
        let chunks = stream::unfold((wire, payload), |(wire, mut payload)| async move {
            let chunk = match payload.next().await? {
                Ok(chunk) => wire.hold(chunk.len() as u64).await.map(|()| chunk),
                Err(why) => Err(why),
            };
            Some((chunk, (wire, payload)))
        });
        let boxed: Pin<Box<dyn stream::Stream<Item = Result<Bytes, PayloadError>>>> = Box::pin(chunks);
        boxed.into()
    }

    /// The body, which reports what it has written.
    pub(super) fn outgoing(self: &Arc<Self>, body: BoxBody) -> BoxBody {
        BoxBody::new(Outgoing { body, wire: Arc::clone(self) })
    }

    /// A message was processed: what arrived with it is released.
    pub(super) fn heard(&self) {
        lock(&self.arrived).clear();
    }

    /// Waits until there is room for a message to send.
    pub(super) async fn room(&self) {
        loop {
            let written = self.written.notified();
            if self.said.load(Ordering::Acquire) + self.taken.load(Ordering::Acquire) <= ROOM {
                return;
            }
            written.await;
        }
    }

    /// A message is about to be sent.
    pub(super) fn say(&self, bytes: u64) {
        lock(&self.leaving).grow_anyway(bytes);
        self.said.fetch_add(bytes, Ordering::AcqRel);
    }

    async fn hold(&self, bytes: u64) -> Result<(), PayloadError> {
        let mut more = {
            let arrived = lock(&self.arrived);
            if arrived.amount() + bytes > self.arrived_max {
                return Err(PayloadError::Overflow);
            }
            arrived.another()
        };
        more.grow(bytes).await.map_err(|_| PayloadError::Overflow)?;
        lock(&self.arrived).add(more);
        Ok(())
    }

    /// The network has written what it took last, and takes everything sent since then.
    fn written(&self) {
        let taken = self.taken.swap(self.said.swap(0, Ordering::AcqRel), Ordering::AcqRel);
        lock(&self.leaving).give_back(taken);
        self.written.notify_waiters();
    }
}

fn lock(held: &Mutex<PoolShare>) -> MutexGuard<'_, PoolShare> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The body of an upgrade's answer: the messages to the client.
struct Outgoing {
    body: BoxBody,
    wire: Arc<Wire>,
}

impl MessageBody for Outgoing {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    /// Polled only once most of what it gave before has been written.
    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        let this = self.get_mut();
        this.wire.written();
        let chunk = ready!(Pin::new(&mut this.body).poll_next(cx));
        Poll::Ready(chunk)
    }
}
