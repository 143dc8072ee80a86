//! The pools of a service, with their sizes.

use plybook_service::load::UNIT_US;

use super::metrics::Metrics;
use super::pool::{Pool, Share};

/// The sizes of the pools that clients share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shares {
    /// Bytes that requests, sockets and subscriptions may hold. Default 256 MiB, 64 MiB per client, 16 MiB
    /// reserved.
    pub memory: Share,
    /// Sockets (`graphql-transport-ws`) open at once. Default 2,000, 200 per client, 100 reserved.
    pub sockets: Share,
    /// Subscriptions open at once. Default 20,000, 2,000 per client, 500 reserved.
    pub subscriptions: Share,
    /// TCP connections open at once, counted by address, since there is no token yet; connections from
    /// trusted proxies are not counted. Default 10,000, 1,000 per client, none reserved.
    pub connections: Share,
}

impl Default for Shares {
    fn default() -> Self {
        Self {
            memory: Share { all: 256 << 20, client: 64 << 20, kept: 16 << 20 },
            sockets: Share { all: 2_000, client: 200, kept: 100 },
            subscriptions: Share { all: 20_000, client: 2_000, kept: 500 },
            connections: Share { all: 10_000, client: 1_000, kept: 0 },
        }
    }
}

/// The pools that clients share. Clones share them too.
#[derive(Clone, Debug)]
pub struct Pools {
    pub memory: Pool,
    pub sockets: Pool,
    pub subscriptions: Pool,
    pub connections: Pool,
}

impl Pools {
    pub fn new(shares: &Shares, metrics: &Metrics) -> Self {
        let pool = |what, share, name, help| Pool::new(what, share, metrics.pool(what, name, help));
        let memory = "Memory held by requests, sockets and subscriptions";
        Self {
            memory: pool("bytes", shares.memory, "request_memory_bytes", memory),
            sockets: pool("sockets", shares.sockets, "sockets_open", "WebSockets open now"),
            subscriptions: pool(
                "subscriptions",
                shares.subscriptions,
                "subscriptions_open",
                "GraphQL subscriptions open now",
            ),
            connections: pool("connections", shares.connections, "connections_open", "TCP connections open now"),
        }
    }
}

/// The memory taken by the execution of an operation, by each byte of its text, and by each of its values, in
/// bytes.
const OPERATION_BYTES: u64 = 16 << 10;
const PARSED_BYTES: u64 = 4;
const VALUE_BYTES: u64 = 64;

/// The memory of an operation in bytes, estimated from its text. A list of numbers takes much more memory
/// once it is parsed than as text.
pub fn memory_of_operation(text: &[u8]) -> u64 {
    let values = text.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{' | b'%')).count();
    OPERATION_BYTES + PARSED_BYTES * text.len() as u64 + VALUE_BYTES * values as u64
}

/// What reading the text of a request takes, in nanoseconds: for each value, for each name of a member beyond that, and for each
/// byte.
const VALUE_NS: u64 = 55;
const NAME_NS: u64 = 320;
const BYTE_NS: f64 = 0.6;

/// The price of reading the text of a request, in units.
pub fn price_of_text(text: &[u8]) -> u64 {
    let (values, names) = text.iter().fold((0, 0), |(values, names), byte| match byte {
        b',' | b'[' | b'{' => (values + 1, names),
        b':' => (values, names + 1),
        _ => (values, names),
    });
    (VALUE_NS * values + NAME_NS * names + (BYTE_NS * text.len() as f64) as u64) / (1_000 * UNIT_US)
}

/// What parsing a document takes, in nanoseconds: for each token, and for each byte of one in which tokens are not counted.
const TOKEN_NS: u64 = 1_400;
const LONG_BYTE_NS: u64 = 130;

/// The length of a document, in bytes, beyond which tokens are not counted: one of a few long comments or names takes as long as
/// one of many tokens.
const LONG_DOCUMENT: usize = 8 << 10;

/// The price of parsing a document, in units.
pub fn price_of_document(document: &str) -> u64 {
    let ns = if document.len() > LONG_DOCUMENT {
        LONG_BYTE_NS * document.len() as u64
    } else {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let (tokens, _) = document.bytes().fold((0, false), |(tokens, was_word), byte| {
            let begins = !byte.is_ascii_whitespace() && byte != b',' && !(was_word && is_word(byte));
            (tokens + u64::from(begins), is_word(byte))
        });
        TOKEN_NS * tokens
    };
    ns / (1_000 * UNIT_US)
}
