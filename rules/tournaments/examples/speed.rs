//! Times one round: `speed dutch|fast FILE` prints the CPU time of pairing the round after those of the file;
//! `speed make PLAYERS ROUNDS SEED dutch|fast` prints a file to time.
use std::ops::ControlFlow;
use std::time::Instant;

use plybook_tournaments::random::{Settings, tournament};
use plybook_tournaments::trf::{Report, Version};
use plybook_tournaments::{dutch, fast};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments[0] == "make" {
        let number = |index: usize| arguments[index].parse::<u16>().expect("a number");
        let settings = Settings {
            players: number(1),
            rounds: number(2),
            seed: number(3).into(),
            is_accelerated: false,
            is_fast: arguments[4] == "fast",
        };
        let mut report = tournament(&settings, &|_, _| ControlFlow::Continue(())).expect("it can be paired");
        report.history.rounds_planned = Some(settings.rounds + 2);
        print!("{}", report.write(Version::Trf26).expect("the report fits"));
        return;
    }
    let report = Report::parse(&std::fs::read(&arguments[1]).expect("the file can be read")).expect("a report");
    let options = dutch::Options { initial_seat: report.initial_seat, ..dutch::Options::new(report.available()) };
    let begun = Instant::now();
    let pairing = match arguments[0].as_str() {
        "dutch" => dutch::pair(&report.history, &options),
        _ => fast::pair(&report.history, &options),
    };
    let tables = pairing.expect("the round can be paired").tables.len();
    println!("{}: {tables} tables, {:?}", arguments[1], begun.elapsed());
}
