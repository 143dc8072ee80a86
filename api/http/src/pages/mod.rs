//! What is served besides GraphQL: the viewer's files, and probes for operators.

pub(super) mod assets;
pub(super) mod probes;
