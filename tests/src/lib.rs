//! Test suites over all crates. This crate has no code besides the tests and benches.
