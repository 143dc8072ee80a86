//! Stores whose journal is in a stream on NATS servers: `tests/run` leaves them out, `tests/run all` runs them.

mod documented;
mod faults;
mod nodes;
mod shared;
mod streams;
mod tlog;
