//! Pairs the tournaments of report files again and counts those that differ.
use std::ops::ControlFlow;
use std::time::Instant;

use plybook_tournaments::{Engine, replay, trf::Report};

fn main() {
    let (mut files, mut rounds, mut different) = (0, 0, 0);
    let begun = Instant::now();
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).expect("the file can be read");
        files += 1;
        let report = match Report::parse(&bytes) {
            Ok(report) => report,
            Err(why) => {
                println!("{path}: {why}");
                different += 1;
                continue;
            }
        };
        rounds += report.history.rounds.len();
        let found = replay::differences(&report, Engine::Dutch, &|_, _| ControlFlow::Continue(()));
        different += usize::from(!found.is_empty());
        for difference in found {
            println!("{path}: round {}: {:?} expected {:?}", difference.round, difference.found, difference.expected);
        }
    }
    println!("{files} tournaments, {rounds} rounds, {different} tournaments differ, {:?}", begun.elapsed());
}
