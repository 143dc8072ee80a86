//! `bench`: fills stores with generated games and times queries on them.

mod asking;
mod machine;
mod questions;
mod report;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use plybook_events::fair::Dice;
use plybook_events::{Hash, LogId};
use plybook_generator::Plan;
use plybook_rules::kind;
use plybook_store::{Options, UpkeepProgress};
use serde_json::{Value, json};

use self::asking::Asker;
use self::questions::Questions;
use self::report::{Figure, Report, Times};
use super::rules::no_such_kind;
use super::settings::MemorySize;
use super::{Failure, data};
use crate::{schema, service};

/// Fill fresh stores with generated games, and measure how fast queries are answered.
///
/// The games are complete, valid logs of all kinds; the same seed gives the same games. With stores of
/// several sizes, the report also shows how the times grow with the number of games. Queries go through
/// GraphQL in this process, without HTTP. Stores are created in a temporary directory and removed afterwards,
/// unless `--data` or `--keep` is given; an existing store is measured again as it is, and one whose filling was
/// stopped is filled up.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook bench
  plybook bench --games 10000,100000 --json > bench.json
  plybook bench --games 1000 --kind tri --data generated && plybook serve --data generated")]
pub(crate) struct Bench {
    /// The number of games; several numbers make several stores
    #[arg(long, value_delimiter = ',', default_value = "100000", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: Vec<u64>,
    /// Where to keep the stores: the directory of one store, or the parent of several
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The seed; the same seed gives the same games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games of this kind only [default: all in turn]
    #[arg(long)]
    kind: Option<String>,
    /// How often each question is asked, of other games each time
    #[arg(long, value_name = "TIMES", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    questions: u32,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Keep the stores
    #[arg(long)]
    keep: bool,
    /// Only create the stores, and keep them
    #[arg(long)]
    only_fill: bool,
    /// How much memory to take, as `plybook serve` does [default: 2GiB]
    #[arg(long, value_name = "SIZE")]
    memory: Option<MemorySize>,
    /// The step to run on behalf of another process
    #[arg(long, hide = true)]
    part: Option<Part>,
}

/// A step that runs in a process of its own, so that it starts with fresh memory.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Part {
    Fill,
    Compress,
    Rebuild,
    /// Leaves the store as a process does that is killed.
    Leave,
    Ask,
}

impl Bench {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let rules = self.kind.as_deref().map(|name| kind(name).ok_or_else(|| no_such_kind(name))).transpose()?;
        if let (Some(part), Some(dir), [games]) = (self.part, &self.data, &self.games[..]) {
            end_with_parent();
            let plan = Plan::new(*games, self.seed, rules);
            let report = match part {
                Part::Fill => fill(dir, &self.options(), &plan, *games),
                Part::Compress => compress(dir, &self.options()),
                Part::Rebuild => rebuild(dir, &self.options()),
                Part::Leave => leave(dir, &self.options()),
                Part::Ask => ask(dir, &self.options(), &plan, *games, self.questions as usize),
            };
            return super::print(json!(report?).to_string().as_bytes());
        }
        let (root, is_kept) = match &self.data {
            Some(dir) => (dir.clone(), true),
            None => (
                std::env::temp_dir().join(format!("plybook-bench-{}", std::process::id())),
                self.keep || self.only_fill,
            ),
        };
        if self.games.len() > 1 && root.join("journal").exists() {
            return Err(Failure::refused(format!("{} is a data directory: name an empty one", root.display())));
        }
        let measured = self.measure(&root);
        if is_kept {
            eprintln!("The stores are in {}", root.display());
        } else {
            fs::remove_dir_all(&root).map_err(|why| Failure::trouble(format!("{}: {why}", root.display())))?;
        }
        let (machine, reports) = measured?;
        if self.json {
            return super::print(format!("{:#}\n", report::to_json(&machine, &reports)).as_bytes());
        }
        super::print(report::to_text(&machine, &reports).as_bytes())
    }

    /// Measures stores of all sizes, each step in a process of its own.
    fn measure(&self, root: &Path) -> Result<(Value, Vec<Report>), Failure> {
        let machine = machine::facts();
        let mut reports = Vec::new();
        for games in &self.games {
            let dir = if self.games.len() > 1 { root.join(games.to_string()) } else { root.to_owned() };
            let mut report = Report { games: *games, ..Report::default() };
            let parts = if self.only_fill {
                &[Part::Fill][..]
            } else {
                &[Part::Fill, Part::Compress, Part::Rebuild, Part::Leave, Part::Ask]
            };
            for part in parts {
                let found = self.run_part(*part, &dir, *games)?;
                report.figures.extend(found.figures);
                report.times.extend(found.times);
            }
            reports.push(report);
        }
        Ok((machine, reports))
    }

    fn run_part(&self, part: Part, dir: &Path, games: u64) -> Result<Report, Failure> {
        let program = std::env::current_exe().map_err(Failure::trouble)?;
        let mut command = Command::new(program);
        let name = part.to_possible_value().expect("no part is hidden");
        command.args(["bench", "--part", name.get_name(), "--games", &games.to_string()]);
        command.args(["--seed", &self.seed.to_string(), "--data"]).arg(dir);
        command.args(self.kind.iter().flat_map(|kind| ["--kind", kind]));
        command.args(["--memory", &self.options().memory.parts(64).to_string()]);
        command.args(["--questions", &self.questions.to_string()]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().map_err(Failure::trouble)?;
        // The system closes it if this process is killed; then the child ends too.
        let held = child.stdin.take();
        let ran = child.wait_with_output().map_err(Failure::trouble)?;
        drop(held);
        if !ran.status.success() {
            // It has already printed the reason.
            return Err(Failure { status: ran.status.code().unwrap_or(2) as u8, message: String::new() });
        }
        serde_json::from_slice(&ran.stdout).map_err(|why| Failure::trouble(format!("{part:?}: {why}")))
    }

    fn options(&self) -> Options {
        let usual = Options::DEFAULT;
        Options { memory: self.memory.map_or(usual.memory, Into::into), ..usual }
    }
}

/// Ends this process as soon as its parent is gone, which holds the other end of standard input.
fn end_with_parent() {
    std::thread::spawn(|| {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        std::process::exit(2);
    });
}

/// Fills a fresh store, or continues where an earlier run was stopped.
fn fill(dir: &Path, options: &Options, plan: &Plan, games: u64) -> Result<Report, Failure> {
    let store = data::open_to_write(dir, options)?;
    let Some(filled) = plan.filled(&store).map_err(Failure::trouble)? else {
        return Err(Failure::refused(format!(
            "{} holds something else: name an empty directory, or repeat the command that was stopped with the same \
             --games, --seed and --kind",
            dir.display()
        )));
    };
    if filled == games {
        let events = Figure::new("events, generated before", store.log().len() as f64, "");
        return Ok(Report { figures: vec![events], ..Report::default() });
    }
    let progress = data::bar("games", games);
    progress.inc(filled);
    let begun = Instant::now();
    let events = plan.fill(&store, filled, &mut |games| progress.inc(games)).map_err(Failure::trouble)?;
    let took = begun.elapsed();
    progress.finish_and_clear();
    let rate = Figure::new("generated", per_second(events, took), "events/s");
    Ok(Report { figures: vec![Figure::new("events", store.log().len() as f64, ""), rate], ..Report::default() })
}

/// Compresses the closed segments of the journal, as a service does in the background.
fn compress(dir: &Path, options: &Options) -> Result<Report, Failure> {
    let mut store = data::open_to_write(dir, options)?;
    let progress = data::bar("journal files", 0);
    let begun = Instant::now();
    let (report, reports) = mpsc::channel();
    // It stops listening when all is done.
    let tell = move |told: &UpkeepProgress| drop(report.send(told.clone()));
    store.compress_segments(tell).map_err(Failure::trouble)?;
    let mut segments = 0;
    for told in reports {
        if let Some(damage) = told.damages.first() {
            return Err(Failure::trouble(damage));
        }
        segments = told.segments;
        progress.set_length(segments);
        progress.set_position(told.compressed);
        if told.compressed == segments {
            break;
        }
    }
    progress.finish_and_clear();
    let files = Figure::new("journal files compressed", segments as f64, "");
    let took = Figure::new("which took, on one core", begun.elapsed().as_secs_f64(), "s");
    Ok(Report { figures: vec![files, took], ..Report::default() })
}

/// Rebuilds all read models.
fn rebuild(dir: &Path, options: &Options) -> Result<Report, Failure> {
    let store = data::open(dir, options)?;
    let progress = data::bar("read models", 0);
    let begun = Instant::now();
    let events = plybook_models::rebuild(&store, &mut |done, total| {
        progress.set_length(total);
        progress.set_position(done);
    });
    let took = begun.elapsed();
    progress.finish_and_clear();
    let rate = per_second(events.map_err(Failure::trouble)?, took);
    let figures = vec![
        Figure::new("all read models rebuilt", rate, "events/s"),
        Figure::new("which took", took.as_secs_f64(), "s"),
        mib("memory at most, while rebuilding", machine::resident().1.unwrap_or_default()),
    ];
    Ok(Report { figures, ..Report::default() })
}

/// Opens a store, lets it write what the first start after a rebuild writes, and ends this process without closing it: nothing is
/// flushed, and nothing is marked as cleanly closed.
fn leave(dir: &Path, options: &Options) -> Result<Report, Failure> {
    let store = data::open(dir, options)?;
    let service = service::Service::start(store).map_err(Failure::trouble)?;
    while service.digests().ask().pending > 0 {}
    super::print(json!(Report::default()).to_string().as_bytes())?;
    std::process::exit(0);
}

/// Opens a store and asks each question so many times.
fn ask(dir: &Path, options: &Options, plan: &Plan, games: u64, asked: usize) -> Result<Report, Failure> {
    let before = machine::resident().0.unwrap_or_default();
    let begun = Instant::now();
    let store = data::open(dir, options)?;
    let events = store.log().len() as f64;
    let service = service::Service::start(store).map_err(Failure::trouble)?;
    let ready = begun.elapsed();
    // The digests load on a thread of their own; each `ask` waits at most five seconds for them.
    while service.digests().ask().pending > 0 {}
    let loaded = begun.elapsed();
    asking::await_rest();
    let rested = begun.elapsed();
    let asker = Asker::new(schema::build(std::sync::Arc::clone(&service)))?;
    let after = machine::resident().0.unwrap_or_default();
    let times = ask_all(&asker, plan, games, asked)?;
    let (last, most) = machine::resident();
    let [journal, all] = [dir.join("journal"), dir.to_owned()].map(|dir| machine::bytes_in(&dir));
    let figures = vec![
        Figure::new("ready after a kill", ready.as_secs_f64(), "s"),
        Figure::new("all read models loaded", loaded.as_secs_f64(), "s"),
        Figure::new("what a start leaves for later done", rested.as_secs_f64(), "s"),
        mib("memory of the process before", before),
        mib("memory with the store open", after),
        mib("memory after all questions", last.unwrap_or_default()),
        mib("memory at most", most.unwrap_or_default()),
        mib("on disk, all in", all),
        Figure::new("on disk, all in, each event", all as f64 / events, "bytes"),
        Figure::new("of that, the journal", journal as f64 / events, "bytes"),
        Figure::new("load average of the machine", machine::load_average().unwrap_or_default(), ""),
    ];
    service.close();
    Ok(Report { games, figures, times })
}

fn ask_all(asker: &Asker, plan: &Plan, games: u64, asked: usize) -> Result<Vec<Times>, Failure> {
    // The questions are the same on every run.
    let seed = Hash::of_parts(&[b"plybook bench questions"]);
    let mut dice = Dice::new(&seed, LogId::from_bytes([0; 16]), games);
    let mut questions = Questions::new(plan, games, move |n| u64::from(dice.below(n as u32)));
    Ok(vec![
        asker.ask("explorer: a start", asked, || questions.start())?,
        asker.ask("explorer: after 1 to 12 plies of a game", asked, || questions.node())?,
        asker.ask("explorer: the same by positionKey", asked, || questions.key())?,
        asker.ask("explorer: the same with two filters", asked, || questions.filtered_node())?,
        asker.ask("statistics: two filters", asked, || questions.filtered_statistics())?,
        asker.ask("statistics: two filters that most games pass", asked, || questions.broad_statistics())?,
        asker.ask("statistics: no filter", asked, || questions.statistics())?,
        asker.ask("statistics: heat of the board, with its drawing", asked, || questions.heat())?,
        asker.ask("search: what no game can satisfy", asked, || questions.vain_search())?,
        asker.ask("search: 50,000 positions, looked at one by one", asked, || questions.thorough_search())?,
        asker.ask("a page of 25 games", asked, || questions.page())?,
        asker.ask("a page with the total, any filter and order", asked, || questions.listed())?,
    ])
}

fn per_second(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}

fn mib(what: &str, bytes: u64) -> Figure {
    Figure::new(what, bytes as f64 / f64::from(1 << 20), "MiB")
}
