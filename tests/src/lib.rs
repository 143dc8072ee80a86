//! Suites over all crates. There is nothing here but the tests and benches beside this folder.
