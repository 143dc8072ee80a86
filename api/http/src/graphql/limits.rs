//! Limits on one request and on one socket.

use plybook_service::load::LoadLimits;

use crate::pools::Shares;

/// Limits of the GraphQL transport. A request that exceeds one is answered with `TOO_COMPLEX`.
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
    /// Lexical tokens of a document. Default 8,000.
    pub tokens: usize,
    /// Brackets of any kind open at once, so that the parser does not overflow its stack. Default 64.
    pub nesting: usize,
    /// Nested fields. Default 16; the standard introspection query needs 14.
    pub depth: usize,
    /// Fields, arguments and directives of an operation, each counted as often as its fragment is spread. Default 2,000.
    pub size: usize,
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
    pub messages_a_second: u32,
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
            tokens: 8_000,
            nesting: 64,
            depth: 16,
            size: 2_000,
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
            messages_a_second: 1_000,
            init_ms: 10_000,
            ping_ms: 25_000,
            unread_ms: 15_000,
        }
    }
}
