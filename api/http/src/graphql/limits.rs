//! Limits on one request and on one socket; `operation.rs` has those of a document.

use std::num::NonZeroU32;

use plybook_service::load::LoadLimits;

use crate::pools::Shares;

/// Limits of the GraphQL transport.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size of a request's body, or of its query string. Default 1 MiB.
    pub body_bytes: usize,
    /// Time from the head of a request to the end of its body, in milliseconds. Default 30,000.
    pub body_ms: u64,
    /// Time between two chunks of a body, in milliseconds. Default 5,000.
    pub body_idle_ms: u64,
    /// How long a client may leave an answer over HTTP unread, in milliseconds. Default 30,000.
    pub unread_ms: u32,
    /// Limits of one WebSocket.
    pub socket: SocketLimits,
    /// The pools that clients share.
    pub shares: Shares,
    /// Limits on what operations cost.
    pub load: LoadLimits,
}

/// Limits of a WebSocket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SocketLimits {
    /// Operations open at once on a socket. Default 100.
    pub operations: usize,
    /// Size of a message from the client. Default 256 KiB.
    pub message_bytes: usize,
    /// Messages and control frames from the client in a second. Default 1,000.
    pub messages_a_second: NonZeroU32,
    /// Time from opening to `connection_init`, in milliseconds. Default 10,000.
    pub init_ms: u64,
    /// Time between pings by the server, in milliseconds. A socket that is silent for two of them is
    /// dropped. Default 25,000.
    pub ping_ms: u64,
    /// How long the client may leave an answer unread before the socket is closed, in milliseconds.
    /// Default 15,000.
    pub unread_ms: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 1 << 20,
            body_ms: 30_000,
            body_idle_ms: 5_000,
            unread_ms: 30_000,
            socket: SocketLimits::default(),
            shares: Shares::default(),
            load: LoadLimits::default(),
        }
    }
}

impl Default for SocketLimits {
    fn default() -> Self {
        Self {
            operations: 100,
            message_bytes: 256 << 10,
            messages_a_second: NonZeroU32::new(1_000).expect("it is above 0"),
            init_ms: 10_000,
            ping_ms: 25_000,
            unread_ms: 15_000,
        }
    }
}
