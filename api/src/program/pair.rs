//! `pair`: pairs tournaments from report files, without a store or a server.

use std::fmt::Display;
use std::fs;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use plybook_tournaments::random::{self, Settings};
use plybook_tournaments::replay::{Difference, differences};
use plybook_tournaments::trf::{BYTES_MAX, Report, Version};
use plybook_tournaments::{Engine, EntrantNumber, Pairing, PairingError, dutch};

use super::{Failure, data, print};

/// Pair the next round of a tournament report file (TRF16 or TRF26).
///
/// Prints what `JaVaFo` and `bbpPairings` print: the number of tables, and for each table the numbers of seat 1 and
/// seat 2, or of the entrant who gets the bye and 0. Exits with status 1 if the file is refused, if no pairing
/// exists, or if `--check` finds a difference.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
#[command(after_help = "Examples:
  plybook pair tournament.trf
  plybook pair --explain tournament.trf
  plybook pair --check tournament.trf
  plybook pair --system berger round-robin.trf
  plybook pair --generate --players 40 --rounds 7 --seed 1 > random.trf
  plybook pair --generate --players 5000 --rounds 2 --seed 1 | plybook pair --system fast -")]
pub(crate) struct Pair {
    /// The files, or `-` for standard input; only one without `--check`
    #[arg(required_unless_present = "generate", conflicts_with_all = ["generate", "players", "rounds", "seed", "baku", "format"])]
    files: Vec<PathBuf>,
    /// The pairing system [default: the one that record 192 of the file names, or dutch if it has none]
    #[arg(long, value_enum)]
    system: Option<System>,
    /// Print why, below each table
    #[arg(long, conflicts_with_all = ["check", "generate"])]
    explain: bool,
    /// Pair every round again by the system and print what differs
    #[arg(long, conflicts_with = "generate")]
    check: bool,
    /// Print a random tournament, paired by the system, as TRF
    #[arg(long)]
    generate: bool,
    /// The number of entrants of a random tournament
    #[arg(long, value_name = "N", requires = "generate", default_value_t = 40,
          value_parser = clap::value_parser!(u16).range(2..=9_999))]
    players: u16,
    /// The number of rounds of a random tournament
    #[arg(long, value_name = "N", requires = "generate", default_value_t = 7,
          value_parser = clap::value_parser!(u16).range(1..=99))]
    rounds: u16,
    /// The seed of a random tournament; the same seed gives the same tournament
    #[arg(long, requires = "generate", default_value_t = 1)]
    seed: u64,
    /// Give the upper half virtual points in the first rounds of a random tournament (Baku acceleration)
    #[arg(long, requires = "generate")]
    baku: bool,
    /// The version of the file that `--generate` prints
    #[arg(long, value_enum, requires = "generate", default_value_t = Format::Trf26)]
    format: Format,
}

/// A pairing system.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum System {
    /// The FIDE Dutch system, for up to 1,500 entrants
    Dutch,
    /// A simplified Swiss system for any number of entrants
    Fast,
    /// A round robin by the Berger tables, for up to 100 entrants
    Berger,
}

/// The version of a tournament report file.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    /// TRF16 with the records of `JaVaFo` and `bbpPairings`
    Trf16,
    /// TRF26
    Trf26,
}

impl Pair {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if self.generate {
            return self.print_random();
        }
        if self.check {
            return self.check_all();
        }
        let [file] = self.files.as_slice() else {
            return Err(Failure::trouble("name one file; several can be named with --check"));
        };
        let report = read(file)?;
        let engine = self.engine(&report, file)?;
        let pairing = pair(engine, &report);
        let pairing = pairing.map_err(|why| Failure::refused(format!("{}: {why}", file.display())))?;
        print(told(&report, &pairing, self.explain).as_bytes())
    }

    /// The system to pair a file by.
    fn engine(&self, report: &Report, file: &Path) -> Result<Engine, Failure> {
        if let Some(system) = self.system {
            return Ok(system.engine());
        }
        let Some(code) = report.text("192") else { return Ok(Engine::Dutch) };
        Engine::of_code(code).ok_or_else(|| {
            let why = format!("record 192 says {}, which is not a known system", code.trim());
            Failure::refused(format!("{}: {why}: name one with --system dutch, fast or berger", file.display()))
        })
    }

    fn print_random(&self) -> Result<(), Failure> {
        if matches!(self.system, Some(System::Berger)) {
            return Err(Failure::trouble("--generate makes tournaments of the systems dutch and fast"));
        }
        let settings = Settings {
            players: self.players,
            rounds: self.rounds,
            seed: self.seed,
            is_accelerated: self.baku,
            is_fast: matches!(self.system, Some(System::Fast)),
        };
        let bar = data::bar("rounds", u64::from(self.rounds));
        let progress = |done: usize, _: usize| {
            bar.set_position(done as u64);
            ControlFlow::Continue(())
        };
        let report = random::tournament(&settings, &progress).map_err(Failure::refused)?;
        bar.finish_and_clear();
        let version = match self.format {
            Format::Trf16 => Version::Trf16,
            Format::Trf26 => Version::Trf26,
        };
        print(report.write(version).map_err(Failure::refused)?.as_bytes())
    }

    /// Pairs every round of every file again.
    fn check_all(&self) -> Result<(), Failure> {
        let (mut rounds, mut differing) = (0, 0);
        let mut told = String::new();
        for file in &self.files {
            let report = read(file)?;
            let engine = self.engine(&report, file)?;
            rounds += report.history.rounds.len();
            let bar = data::bar("rounds", report.history.rounds.len() as u64);
            let found = differences(&report, engine, &|done, _| {
                bar.set_position(done as u64);
                ControlFlow::Continue(())
            });
            bar.finish_and_clear();
            differing += usize::from(!found.is_empty());
            for difference in found {
                told += &difference_told(file, &difference);
            }
        }
        told += &format!("{} tournaments with {rounds} rounds paired again, {differing} differ\n", self.files.len());
        print(told.as_bytes())?;
        // The differences are on standard output already.
        if differing == 0 { Ok(()) } else { Err(Failure::refused("")) }
    }
}

impl System {
    fn engine(self) -> Engine {
        match self {
            Self::Dutch => Engine::Dutch,
            Self::Fast => Engine::Fast,
            Self::Berger => Engine::Berger,
        }
    }
}

/// Pairs the next round of a file.
fn pair(engine: Engine, report: &Report) -> Result<Pairing, PairingError> {
    let paired = report.history.rounds.len();
    if report.history.rounds_planned.is_some_and(|planned| paired >= usize::from(planned)) {
        return Err(PairingError::AllPaired(paired));
    }
    let bar = data::bar("entrants paired", 0);
    let progress = |done: usize, total: usize| {
        bar.set_length(total as u64);
        bar.set_position(done as u64);
        ControlFlow::Continue(())
    };
    let options = dutch::Options {
        initial_seat: report.initial_seat,
        forbidden: report.forbidden_in(paired as u16 + 1),
        win: report.scoring.win,
        draw: report.scoring.draw,
        loss: report.scoring.loss,
        progress: &progress,
        ..dutch::Options::new(report.available())
    };
    let pairing = engine.pair(&report.history, &options);
    bar.finish_and_clear();
    pairing
}

/// A pairing as `JaVaFo` prints it, with reasons if requested.
fn told(report: &Report, pairing: &Pairing, explains: bool) -> String {
    let name = |entrant: EntrantNumber| format!("{} {}", entrant.0, report.history.entrants[entrant.index()].name);
    let tables = pairing.tables.iter().map(|table| (table.seats[0], table.seats[1].0, &table.reasons));
    let byes = pairing.byes.iter().map(|bye| (bye.entrant, 0, &bye.reasons));
    let mut told = format!("{}\n", pairing.tables.len() + pairing.byes.len());
    for (first, second, reasons) in tables.chain(byes) {
        told += &format!("{} {second}\n", first.0);
        for reason in reasons.iter().filter(|_| explains) {
            told += &format!("    {}\n", reason.sentence(&name));
        }
    }
    told
}

fn difference_told(file: &Path, difference: &Difference) -> String {
    let tables = |tables: &[Vec<EntrantNumber>]| {
        let table =
            |table: &Vec<EntrantNumber>| format!("{}-{}", table[0].0, table.get(1).map_or(0, |second| second.0));
        tables.iter().map(table).collect::<Vec<_>>().join(" ")
    };
    let expected = match &difference.expected {
        Ok(expected) => tables(expected),
        Err(why) => why.to_string(),
    };
    let Difference { round, found, .. } = difference;
    format!("{}: round {round}\n    in the file: {}\n    by the rules: {expected}\n", file.display(), tables(found))
}

/// Reads a file, or standard input for `-`.
fn read(path: &Path) -> Result<Report, Failure> {
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        // Reading one byte more than allowed is enough to refuse it.
        io::stdin().take(BYTES_MAX as u64 + 1).read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.map_err(|why| Failure::trouble(format!("{}: {why}", path.display())))?;
    let refused = |why: &dyn Display| Failure::refused(format!("{}: {why}", path.display()));
    let report = Report::parse(&bytes).map_err(|why| refused(&why))?;
    if report.history.entrants.is_empty() {
        return Err(refused(&"it is no tournament report: no line begins with 001, in the first column"));
    }
    Ok(report)
}
