//! Where rules and store meet: the service, GraphQL, HTTP, and the `plybook` program.

pub mod demo;
pub mod export;
mod fetch;
pub mod program;
mod witnesses;

pub use plybook_http as http;
pub use plybook_schema as schema;
pub use plybook_service as service;
pub use plybook_service::{access, analysis, error, load};
pub use plybook_viewer::{draw, picture};
