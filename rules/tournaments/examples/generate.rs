//! Writes random tournaments: `generate DIR FROM TO`, one for each seed.
use std::ops::ControlFlow;

use plybook_tournaments::random::{Settings, tournament};
use plybook_tournaments::trf::Version;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize| arguments[index].parse::<u64>().expect("a seed");
    for seed in number(1)..=number(2) {
        let players = match seed % 20 {
            0..8 => 6 + seed / 20 % 15,
            8..17 => 20 + seed / 20 % 30,
            _ => 40 + seed / 20 % 90,
        };
        let settings = Settings {
            players: players as u16,
            rounds: (4 + seed / 7 % 9).min(players - 1) as u16,
            seed,
            is_accelerated: seed % 9 == 0,
            is_fast: false,
        };
        let report = tournament(&settings, &|_, _| ControlFlow::Continue(())).expect("the first round can be paired");
        let text = report.write(if seed % 2 == 0 { Version::Trf16 } else { Version::Trf26 }).expect("the report fits");
        std::fs::write(format!("{}/{seed}.trf", arguments[0]), text).expect("the file can be written");
    }
}
