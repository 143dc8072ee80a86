//! The store from outside: one contract for every journal, crashes, damage.

mod nats;
mod segments;
mod support;
#[path = "../../../tests/src/tier.rs"]
mod tier;

mod blocks;
mod cluster;
mod contract;
mod crash;
mod damaged_index;
mod damaged_journal;
mod fixture;
mod history;
mod journals;
mod keyspace;
mod lock;
mod reading;
mod start;
mod tlog;
mod vault;
