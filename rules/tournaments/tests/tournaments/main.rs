//! Tournaments from outside: pairing systems, standings, logs and files.

mod common;

mod caissify;
mod crosstable;
mod decisions;
mod dutch;
mod examples;
mod fast;
mod files;
mod formats;
mod imported;
mod log;
mod python;
mod trf;
