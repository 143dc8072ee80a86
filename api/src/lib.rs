//! The only place where rules meet store: the service, its read models, GraphQL, HTTP, and the
//! `plybook` program.

pub mod draw;
pub mod http;
pub mod program;
