//! The `plybook` program as its users run it. It is found beside this test's own program, so it has
//! to be built before: `cargo build --package plybook-api --bin plybook`.

mod plybook;

mod archive;
mod bench;
mod help;
mod refold;
mod rules;
mod serve;
mod statistics;
mod token;
