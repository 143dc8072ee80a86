//! One WebSocket, from opening to closing.

use std::fmt::Display;
use std::rc::Rc;
use std::time::Duration;
use std::{future, io};

use actix_ws::{AggregatedMessage, AggregatedMessageStream, CloseCode, CloseReason, ProtocolError, Session};
use async_graphql::ServerError;
use async_graphql::parser::types::OperationType;
use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use governor::{Quota, RateLimiter};
use plybook_service::access::Refusal;
use plybook_service::load::LoadError;
use serde_json::Value;
use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep, timeout};
use tokio_stream::StreamMap;
use tokio_util::sync::CancellationToken;

use super::message::{ClientMessage, ServerMessage};
use super::wire::Wire;
use crate::bearer::of_payload;
use crate::client::Client;
use crate::graphql::fault::{code, fault, not_admitted};
use crate::graphql::gate::{Answer, Gate, Stamp};
use crate::graphql::limits::SocketLimits;
use crate::graphql::operation::{Operation, memory_of_operation};
use crate::pool::{Pool, PoolShare};

/// How often it is checked whether the token of a socket is still valid, beside whenever it is answered.
const CHECK: Duration = Duration::from_secs(1);

/// How long the server waits for the client to acknowledge that the socket is closed.
const FAREWELL: Duration = Duration::from_secs(2);

/// The state of a socket, which is served by a single task.
///
/// While an answer waits to be read by the client, nothing else is polled: a slow client slows down only its
/// own operations, and is disconnected after a while. Nothing is queued except the few messages on their way
/// to the network.
pub(super) struct Conversation {
    gate: Gate,
    limits: SocketLimits,
    session: Session,
    wire: Rc<Wire>,
    /// The socket among all sockets.
    place: PoolShare,
    /// The client that the socket counts against as long as there is no token.
    address: Client,
    /// The token of the upgrade request, until `connection_init` brings another one.
    token: Option<String>,
    is_acknowledged: bool,
    /// Running operations by id; the last item of each is `None`.
    operations: StreamMap<String, BoxStream<'static, Option<Answer>>>,
}

/// How a socket ends.
enum End {
    /// The client closed it or disappeared.
    Gone,
    /// The server closes it.
    Close(CloseReason),
}

/// The server closes the socket. Clients decide by the code whether to reconnect.
///
/// # Source
/// RFC 6455, 7.4.1; the protocol's document for those from 4400.
fn close(code: impl Into<CloseCode>, why: impl Display) -> End {
    End::Close(CloseReason { code: code.into(), description: Some(why.to_string()) })
}

/// The token is not valid, or not any more.
fn forbidden(_: Refusal) -> End {
    close(4403, "Forbidden")
}

/// What the client sends is not a message of the protocol.
fn invalid(why: impl Display) -> End {
    close(4400, format!("invalid message: {why}"))
}

impl Conversation {
    pub(super) fn new(
        gate: Gate,
        session: Session,
        wire: Rc<Wire>,
        address: Client,
        token: Option<String>,
        place: PoolShare,
    ) -> Self {
        let limits = gate.limits.socket;
        Self {
            gate,
            limits,
            session,
            wire,
            place,
            address,
            token,
            is_acknowledged: false,
            operations: StreamMap::new(),
        }
    }

    /// Runs the conversation to its end.
    pub(super) async fn hold(mut self, mut incoming: AggregatedMessageStream, closing: CancellationToken) {
        let end = self.converse(&mut incoming, closing).await;
        self.operations.clear();
        self.place.set(0);
        if let End::Close(reason) = end {
            tracing::debug!(?reason, "a socket is closed");
            let farewell = async {
                if self.session.close(Some(reason)).await.is_ok() {
                    // Unread data when a connection is dropped may cause the closing frame to be lost.
                    while let Some(Ok(_)) = incoming.recv().await {}
                }
            };
            // A client that has not answered by then is not going to.
            let _ = timeout(FAREWELL, farewell).await;
        }
    }

    async fn converse(&mut self, incoming: &mut AggregatedMessageStream, closing: CancellationToken) -> End {
        let init = sleep(Duration::from_millis(self.limits.init_ms));
        let period = Duration::from_millis(self.limits.ping_ms);
        let mut ping = interval_at(Instant::now() + period, period);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut silent_pings = 0;
        let mut check = interval_at(Instant::now() + CHECK, CHECK);
        check.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let messages = RateLimiter::direct(Quota::per_second(self.limits.messages_a_second));
        let closed = closing.cancelled();
        tokio::pin!(init, closed);
        loop {
            let step = tokio::select! {
                () = &mut closed => Err(close(CloseCode::Away, "the service is shutting down")),
                message = incoming.recv() => {
                    silent_pings = 0;
                    self.wire.heard();
                    match message {
                        _ if messages.check().is_err() => {
                            let limit = self.limits.messages_a_second;
                            Err(close(CloseCode::Policy, format!("more than {limit} messages in a second")))
                        }
                        Some(Ok(message)) => self.hear(message).await,
                        Some(Err(error)) => Err(self.unreadable(&error)),
                        None => Err(End::Gone),
                    }
                }
                Some((id, answer)) = self.operations.next() => self.tell(&id, answer).await,
                () = &mut init, if !self.is_acknowledged => Err(close(4408, "Connection initialisation timeout")),
                _ = check.tick(), if self.token.is_some() => self.check(),
                _ = ping.tick() => {
                    silent_pings += 1;
                    if silent_pings > 2 { Err(End::Gone) } else { self.ping().await }
                }
            };
            if let Err(end) = step {
                return end;
            }
        }
    }

    async fn hear(&mut self, message: AggregatedMessage) -> Result<(), End> {
        let text = match message {
            AggregatedMessage::Text(text) => text,
            AggregatedMessage::Binary(_) => return Err(close(CloseCode::Unsupported, "messages are text")),
            AggregatedMessage::Ping(bytes) => return self.session.pong(&bytes).await.map_err(|_| End::Gone),
            AggregatedMessage::Pong(_) => return Ok(()),
            AggregatedMessage::Close(reason) => {
                // The closing frame is answered with one of the same code; if that fails, it is over anyway.
                let _ = self.session.clone().close(reason).await;
                return Err(End::Gone);
            }
        };
        let (memory, text) = (memory_of_operation(text.as_bytes()), text.into_bytes());
        let read = |text: &[u8]| serde_json::from_slice(text);
        let read = self.gate.read(self.place.client(), text, read).await.map_err(|why| close(CloseCode::Again, why))?;
        match read.map_err(invalid)? {
            ClientMessage::ConnectionInit { payload } => self.init(payload.map(Value::Object)).await,
            ClientMessage::Ping { .. } => self.say(&ServerMessage::Pong).await,
            ClientMessage::Pong { .. } => Ok(()),
            ClientMessage::Subscribe { id, payload } => self.subscribe(id, *payload, memory).await,
            ClientMessage::Complete { id } => {
                self.operations.remove(&id);
                Ok(())
            }
        }
    }

    /// What arrives is not a message of a WebSocket.
    fn unreadable(&self, error: &ProtocolError) -> End {
        let too_large =
            || close(CloseCode::Size, format!("a message is larger than {} bytes", self.limits.message_bytes));
        match error {
            ProtocolError::Overflow => too_large(),
            ProtocolError::Io(error) if error.kind() == io::ErrorKind::InvalidData => {
                close(CloseCode::Invalid, "a message is not UTF-8")
            }
            ProtocolError::Io(error) if error.kind() == io::ErrorKind::Other => too_large(),
            _ => close(CloseCode::Protocol, "a frame violates the WebSocket protocol"),
        }
    }

    async fn init(&mut self, payload: Option<Value>) -> Result<(), End> {
        if self.is_acknowledged {
            return Err(close(4429, "Too many initialisation requests"));
        }
        if let Some(token) = of_payload(payload.as_ref()).map_err(forbidden)? {
            self.token = Some(token.to_owned());
        }
        let stamp = self.gate.identify(self.token.as_deref(), self.address).map_err(forbidden)?;
        if stamp.client != self.place.client() {
            let place = self.gate.pools.sockets.take(stamp.client, 1);
            self.place = place.map_err(|why| close(CloseCode::Again, why))?;
        }
        self.is_acknowledged = true;
        self.say(&ServerMessage::ConnectionAck).await
    }

    async fn subscribe(
        &mut self,
        id: String,
        operation: Result<Operation, ServerError>,
        memory: u64,
    ) -> Result<(), End> {
        if !self.is_acknowledged {
            return Err(close(4401, "Unauthorized"));
        }
        if id.is_empty() {
            return Err(invalid("an empty id"));
        }
        if self.operations.contains_key(&id) {
            return Err(close(4409, format!("Subscriber for {id} already exists")));
        }
        let stamp = self.gate.identify(self.token.as_deref(), self.address).map_err(forbidden)?;
        let limit = self.limits.operations;
        if self.operations.len() >= limit {
            let error = fault(code::RATE_LIMITED, format!("a socket may have {limit} operations open"));
            return self.refuse(&id, &[error]).await;
        }
        match operation.inspect_err(|error| self.gate.metrics.operation("none", Some(error))) {
            Ok(mut operation) => {
                match self.places(&stamp, operation.kind, memory) {
                    Ok(held) => operation.held = held,
                    Err(why) => return self.refuse(&id, &[not_admitted(&why)]).await,
                }
                let answers = self.gate.run(operation, &stamp).map(Some);
                self.operations.insert(id, answers.chain(stream::once(future::ready(None))).boxed());
                Ok(())
            }
            Err(error) => self.refuse(&id, &[error]).await,
        }
    }

    /// What an operation holds while it runs: memory, and a share of the subscriptions.
    fn places(&self, stamp: &Stamp, kind: OperationType, memory: u64) -> Result<Vec<PoolShare>, LoadError> {
        let take = |pool: &Pool, amount| pool.take(stamp.client, amount);
        let pools = &self.gate.pools;
        let mut held = vec![take(&pools.memory, memory)?];
        if kind == OperationType::Subscription {
            held.push(take(&pools.subscriptions, 1)?);
        }
        Ok(held)
    }

    /// Sends an answer to an operation.
    async fn tell(&mut self, id: &str, answer: Option<Answer>) -> Result<(), End> {
        match answer {
            None => self.say(&ServerMessage::Complete { id }).await,
            Some(Err(errors)) => {
                self.operations.remove(id);
                self.refuse(id, &errors).await
            }
            Some(Ok(executed)) => {
                // What it shows was for whom the token was.
                self.check()?;
                self.say(&ServerMessage::Next { id, payload: &executed.text }).await
            }
        }
    }

    async fn refuse(&mut self, id: &str, errors: &[ServerError]) -> Result<(), End> {
        self.say(&ServerMessage::Error { id, payload: errors }).await
    }

    async fn say(&mut self, said: &ServerMessage<'_>) -> Result<(), End> {
        let text = said.to_text();
        let said = async {
            self.wire.room().await;
            self.wire.say(text.len() as u64);
            self.session.text(text).await
        };
        let written = timeout(Duration::from_millis(self.limits.unread_ms), said).await;
        let unread = |_| close(CloseCode::Again, "answers were left unread for too long");
        written.map_err(unread)?.map_err(|_| End::Gone)
    }

    /// Checks that the token is still valid.
    fn check(&self) -> Result<(), End> {
        self.gate.identify(self.token.as_deref(), self.address).map(drop).map_err(forbidden)
    }

    /// Checks that the client is still there.
    async fn ping(&mut self) -> Result<(), End> {
        self.session.ping(b"").await.map_err(|_| End::Gone)
    }
}
