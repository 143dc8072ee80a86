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
