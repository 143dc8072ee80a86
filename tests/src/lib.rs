//! Test suites over all crates, and what tests and benches of a running service share.

pub mod http;
pub mod logs;
#[path = "../../store/tests/store/nats.rs"]
pub mod nats;
pub mod store;
pub mod tier;
pub mod tiles;

/// Everything of a variation tree, for queries.
pub const TREE: &str = "{ lines { id name parent ply rank hidden createdAt plies mayArrange last } \
    nodes { id parent ply action by positionKey comment glyphs same lines } next totalLines }";
