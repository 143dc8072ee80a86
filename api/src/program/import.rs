//! `import`: takes in records, logs and report files.

use std::collections::BTreeMap;
use std::fs;
use std::iter::successors;
use std::path::{Path, PathBuf};

use clap::Args;
use plybook_events::body::Created;
use plybook_events::{Body, Event, LogId, Who};
use plybook_rules::log::{FORKS_MAX, split_records};
use plybook_service::error::Problem;
use plybook_service::{Context, ImportSource, Importing, NewReport, Service, is_of_tournament};

use super::archive::{is_log, read, split_logs, without_mark};
use super::settings::Data;
use super::{Failure, data};

/// Import records into a data directory that no service is using.
///
/// JSON records and NDJSON logs are verified event by event and stored unchanged; text records become new games, and report
/// files (TRF16 and TRF26) new tournaments. Events that are already recorded are left alone. What cannot be taken in is named
/// with the reason, and everything else is taken in; the exit status is then 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook import games/*.json
  plybook import round1.ndjson --data /srv/plybook
  plybook import game.txt
  plybook import open.trf --kind triangulate --time-zone Europe/Vienna")]
pub(crate) struct Import {
    #[command(flatten)]
    data: Data,
    /// Records in JSON or text and logs in NDJSON, of any number of games, or `-` for standard input; or .trf, a tournament
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game that was played in a .trf
    #[arg(long)]
    kind: Option<String>,
    /// The time zone of the days in a .trf, as the IANA database names it [default: UTC]
    #[arg(long, value_name = "ZONE")]
    time_zone: Option<String>,
    /// Leave the games of a .trf out of ratings
    #[arg(long)]
    unrated: bool,
}

impl Import {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let file = self.data.file()?;
        let store = data::open_to_write(&self.data.dir(&file), &self.data.options(&file)?)?;
        let service = Service::start(store).map_err(Failure::trouble)?;
        let service = service.for_whom(Context { who: Some(Who::Operator), ..Context::default() });
        let progress = data::bar("records", self.files.len() as u64);
        let mut all = ImportCounts::default();
        for path in &self.files {
            match path.extension().and_then(|name| name.to_str()) {
                Some("trf" | "TRF") => all.report(&service, path, &self),
                _ => all.file(&service, path),
            }
            progress.inc(1);
        }
        progress.finish_and_clear();
        service.close();
        let ImportCounts { games, tournaments, refused } = all;
        let tournaments = if tournaments == 0 { String::new() } else { format!(" and {tournaments} tournaments") };
        say!("{games} games{tournaments} taken in, {} refused", refused.len());
        if refused.is_empty() { Ok(()) } else { Err(Failure::refused(refused.join("\n"))) }
    }
}

/// What an import has done so far.
#[derive(Default)]
struct ImportCounts {
    /// How many games were taken in, lines included.
    games: usize,
    /// How many tournaments were taken in.
    tournaments: usize,
    /// What was not, and why.
    refused: Vec<String>,
}

impl ImportCounts {
    /// Takes in what can be taken in of a file.
    fn file(&mut self, service: &Service, path: &Path) {
        let text = match read(path) {
            Ok(text) => text,
            Err(why) => return self.refused.push(why.message),
        };
        let file = ImportSource::of(text.as_bytes());
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let source = file.clone().named(&name).unwrap_or(file);
        let text = without_mark(&text);
        let refused = if is_log(text) {
            self.logs(service, text, source)
        } else if text.starts_with('[') {
            self.texts(service, text, &source)
        } else {
            self.records(service, text, source)
        };
        self.refused.extend(refused.into_iter().map(|why| format!("{}: {why}", path.display())));
    }

    /// Takes in a tournament from a report file. Its players are those of these names, or new ones.
    fn report(&mut self, service: &Service, path: &Path, import: &Import) {
        let imported = fs::read(path).map_err(|why| why.to_string()).and_then(|file| {
            let kind = import.kind.clone().ok_or("which game was played? say so with --kind")?;
            let new = NewReport {
                file: &file,
                kind,
                time_zone: import.time_zone.clone(),
                is_unrated: import.unrated,
                ..NewReport::default()
            };
            service.import_report(&new).map_err(|why| match why.to_string() {
                why if why.starts_with("`players`") => format!("{why}: import it in the browser, which asks"),
                why => why,
            })
        });
        match imported {
            Ok(live) => {
                self.tournaments += 1;
                println!("{}: tournament {}", path.display(), live.tournament().id);
            }
            Err(why) => self.refused.push(format!("{}: {why}", path.display())),
        }
    }

    fn texts(&mut self, service: &Service, text: &str, source: &ImportSource) -> Vec<String> {
        let texts = split_texts(text);
        let mut refused = Vec::new();
        for (number, record) in (1..).zip(&texts) {
            refused.extend(self.game(&numbered(number, texts.len()), service.import_text(record, source)));
        }
        refused
    }

    fn records(&mut self, service: &Service, text: &str, source: ImportSource) -> Vec<String> {
        let records = match split_records(text) {
            Ok(records) => records,
            Err(why) => return vec![why.to_string()],
        };
        let importing = Importing { source, may_extend: &|_| Ok(()) };
        let mut refused = Vec::new();
        for (number, record) in (1..).zip(&records) {
            refused.extend(self.game(&numbered(number, records.len()), service.import_json(record, &importing)));
        }
        refused
    }

    fn logs(&mut self, service: &Service, text: &str, source: ImportSource) -> Vec<String> {
        let logs = match split_logs(text) {
            Ok(logs) => logs,
            Err(why) => return vec![why],
        };
        let importing = Importing { source, may_extend: &|_| Ok(()) };
        let mut refused = Vec::new();
        let (tournaments, games): (Vec<LogId>, Vec<LogId>) =
            parents_first(&logs).into_iter().partition(|id| is_of_tournament(&logs[id]));
        for id in games {
            refused.extend(self.game(&format!("{id}: "), service.import_log(&logs[&id].join("\n"), &importing)));
        }
        // A tournament comes after its games, whose results it has. Games that are taken in later tell it of theirs.
        for id in tournaments {
            match service.import_tournament(&logs[&id].join("\n"), &importing.source) {
                Ok(()) => self.tournaments += 1,
                Err(why) => refused.push(format!("{id}: {why}")),
            }
        }
        refused
    }

    /// Counts a game; or says why it was refused.
    fn game<T>(&mut self, name: &str, imported: Result<T, Problem>) -> Vec<String> {
        match imported {
            Ok(_) => self.games += 1,
            Err(why) => return vec![format!("{name}{why}")],
        }
        Vec::new()
    }
}

/// How a record is named before a refusal, unless it is the only one of its file.
fn numbered(number: usize, of: usize) -> String {
    if of == 1 { String::new() } else { format!("record {number}: ") }
}

/// The text records of a file. A header line begins a new record after actions, or, if it names a game, after an empty line.
fn split_texts(text: &str) -> Vec<&str> {
    let (mut records, mut start, mut at) = (Vec::new(), 0, 0);
    let (mut has_actions, mut is_after_empty) = (false, false);
    for line in text.split_inclusive('\n') {
        let is_header = line.starts_with('[');
        if is_header && (has_actions || is_after_empty && line.starts_with("[Game ")) {
            records.push(&text[start..at]);
            (start, has_actions) = (at, false);
        }
        is_after_empty = line.trim().is_empty();
        has_actions |= !is_header && !is_after_empty;
        at += line.len();
    }
    records.push(&text[start..]);
    records
}

/// The logs of a file, parents before the lines that continue them.
fn parents_first(logs: &BTreeMap<LogId, Vec<&str>>) -> Vec<LogId> {
    let parent = |id: &LogId| {
        let first = Event::parse(logs.get(id)?.first()?.as_bytes()).ok()?;
        let Body::Created(Created { fork: Some(fork), .. }) = first.body else { return None };
        Some(fork.game).filter(|parent| logs.contains_key(parent))
    };
    let parents: BTreeMap<LogId, Option<LogId>> = logs.keys().map(|id| (*id, parent(id))).collect();
    // A line with more forks above it than allowed is refused when its turn comes.
    let forks = |id: &LogId| successors(parents[id], |id| parents[id]).take(FORKS_MAX + 1).count();
    let mut order: Vec<LogId> = logs.keys().copied().collect();
    order.sort_by_cached_key(|id| forks(id));
    order
}
