//! The store from outside: one contract for every journal, crashes, damage.

mod nats;
mod segments;
mod support;

mod blocks;
mod contract;
mod crash;
mod damaged_index;
mod damaged_journal;
mod documented_cluster;
mod faults;
mod fixture;
mod history;
mod journals;
mod keyspace;
mod lock;
mod nodes;
mod reading;
mod shared;
mod shared_tlog;
mod start;
mod tlog;
mod vault;
mod zeros;
