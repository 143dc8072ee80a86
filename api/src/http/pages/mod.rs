//! What is served around GraphQL: the viewer's files, and probes for those who run the service.

pub(super) mod assets;
pub(super) mod probes;
