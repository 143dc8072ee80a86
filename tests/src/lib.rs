//! Test suites over all crates, and what tests and benches of a running service share.

pub mod http;
pub mod logs;
#[path = "../../store/tests/store/nats.rs"]
pub mod nats;
pub mod store;
pub mod tier;

/// Everything of a variation tree, for queries.
pub const TREE: &str = "{ lines { id name parent ply rank hidden createdAt plies mayArrange last } \
    nodes { id parent ply action by positionKey comment glyphs same lines } next totalLines }";

/// Everything of a scene, for queries.
pub const SCENE: &str = "scene { kind view status \
    items { shape points at r size text class place title group flat } motion { groups about degrees } \
    tables { title columns rows { seat name class cells } } }";
