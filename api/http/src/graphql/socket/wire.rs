//! The memory that a socket holds for messages on their way in and out.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev;
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_util::stream::{Stream, StreamExt};
use tokio::sync::Notify;

use crate::pool::PoolShare;

/// How many bytes may wait for the network before the next answer has to wait. A single answer may be larger.
const ROOM: u64 = 64 << 10;

/// The bytes of one socket that are in memory. One thread serves a socket.
pub(super) struct Wire {
    arrived: RefCell<PoolShare>,
    /// The most bytes that one message may arrive with, including frames.
    arrived_max: u64,
    leaving: RefCell<PoolShare>,
    /// Those of them that were sent since the network last took some.
    said: Cell<u64>,
    written: Notify,
}

impl Wire {
    /// `memory` must be an empty share.
    pub(super) fn new(memory: PoolShare, message_bytes: usize) -> Rc<Self> {
        Rc::new(Self {
            arrived: RefCell::new(memory.another()),
            arrived_max: 2 * message_bytes as u64 + ROOM,
            leaving: RefCell::new(memory),
            said: Cell::new(0),
            written: Notify::new(),
        })
    }

    /// The payload, whose bytes are held until they are [heard](Self::heard).
    ///
    /// It ends with an error if there is no memory for the bytes, or if more arrive than a message may have.
    pub(super) fn incoming(self: &Rc<Self>, payload: dev::Payload) -> dev::Payload {
        let wire = Rc::clone(self);
        let hold = move |chunk: Bytes| wire.hold(chunk.len() as u64).map(|()| chunk);
        let chunks: Pin<Box<dyn Stream<Item = Result<Bytes, PayloadError>>>> =
            Box::pin(payload.map(move |chunk| chunk.and_then(&hold)));
        chunks.into()
    }

    /// The body, which reports what it has written.
    pub(super) fn outgoing(self: &Rc<Self>, body: BoxBody) -> BoxBody {
        BoxBody::new(Outgoing { body, wire: Rc::clone(self) })
    }

    /// A message was processed: what arrived with it is released.
    pub(super) fn heard(&self) {
        self.arrived.borrow_mut().set(0);
    }

    /// Waits until there is room for a message to send.
    pub(super) async fn room(&self) {
        while self.leaving.borrow().amount() > ROOM {
            self.written.notified().await;
        }
    }

    /// A message is about to be sent.
    pub(super) fn say(&self, bytes: u64) {
        let mut leaving = self.leaving.borrow_mut();
        let held = leaving.amount() + bytes;
        leaving.set(held);
        self.said.set(self.said.get() + bytes);
    }

    fn hold(&self, bytes: u64) -> Result<(), PayloadError> {
        let mut arrived = self.arrived.borrow_mut();
        if arrived.amount() + bytes > self.arrived_max {
            return Err(PayloadError::Overflow);
        }
        arrived.try_grow(bytes).map_err(|_| PayloadError::Overflow)
    }

    /// The network has written what it took before, and takes everything sent since then.
    fn written(&self) {
        self.leaving.borrow_mut().set(self.said.replace(0));
        self.written.notify_waiters();
    }
}

/// The body of an upgrade's answer: the messages to the client.
struct Outgoing {
    body: BoxBody,
    wire: Rc<Wire>,
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
        Pin::new(&mut this.body).poll_next(cx)
    }
}
