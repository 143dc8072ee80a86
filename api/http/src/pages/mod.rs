//! What is served besides GraphQL: the viewer's files, and probes for operators.

pub(super) mod assets;
mod page;
mod preview;
pub(super) mod probes;

pub use self::preview::{Preview, PreviewImage};
