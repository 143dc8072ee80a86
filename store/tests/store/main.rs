//! The store from outside: one contract for every journal, crashes, damage.

mod segments;
mod support;

mod blocks;
mod contract;
mod crash;
mod damaged_index;
mod damaged_journal;
mod fixture;
mod history;
mod keyspace;
mod lock;
mod reading;
mod singles;
mod start;
mod tlog;
mod vault;
