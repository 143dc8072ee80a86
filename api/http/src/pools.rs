//! The pools of a service, with their sizes.

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

/// The bytes of a request that are read for a unit. Parsing takes less for each byte of a query as people write it, of numbers and
/// of names; what is made to take longer is paid for by the time it takes.
const BYTES_A_UNIT: u64 = 64;

/// The price of reading the text of a request, and of parsing the document in it, in units.
pub fn price_of_text(text: &[u8]) -> u64 {
    text.len() as u64 / BYTES_A_UNIT
}
