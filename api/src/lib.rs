//! Where rules and store meet: the service, GraphQL, HTTP, and the `plybook` program.

pub mod access;
pub mod analysis;
mod bundle;
mod clock;
pub mod demo;
pub mod draw;
pub mod error;
pub mod export;
mod fetch;
mod files;
pub mod http;
mod language;
pub mod load;
pub mod picture;
pub mod program;
pub mod schema;
pub mod service;
mod standalone;
mod witnesses;
