//! Attacks on the service: hostile clients, faulty disks and curious recorders.
//!
//! Short in `tests/run`; `tests/run long` runs the long form of each.

#[allow(dead_code, reason = "the tests of the program use all of it")]
#[path = "../program/plybook.rs"]
mod plybook;

mod alongside;
mod bodies;
mod comments;
mod house;
mod load;
#[expect(dead_code, reason = "the bench uses the rest")]
#[path = "../benches/prices/table.rs"]
mod prices;
mod slow;
mod sockets;
#[path = "../benches/support/mod.rs"]
mod support;

mod damage;
mod feeds;
mod full;
mod kills;
mod parsers;
mod power;
mod recording;
mod tournament;
mod tournament_parsers;
mod worst;

use plybook_tests::tier::size;

/// How many rounds of an attack to run.
fn rounds(short: usize, long: usize) -> usize {
    if is_long() { long } else { short }
}

/// Reports visibly what this machine could not do: even passing tests print it.
fn skipped(what: &str) {
    std::io::Write::write_all(&mut std::io::stderr(), format!("\nSKIPPED: {what}\n").as_bytes()).unwrap();
}

/// Whether the long form was requested.
fn is_long() -> bool {
    size(false, false, true)
}
