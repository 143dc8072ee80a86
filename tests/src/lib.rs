//! Test suites over all crates, and the HTTP client that tests and benches of a running service share.

pub mod http;
