//! `refold`: judges recorded games by the current rules.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::Args;
use plybook_events::chain::Chain;
use plybook_events::{Body, Event, LogId};
use plybook_rules::kind;
use plybook_rules::log::{self, Judgement, Verdict};
use plybook_service::error::Problem;
use plybook_store::EventBytes;
use rayon::prelude::*;

use super::rules::no_such_kind;
use super::settings::Data;
use super::{Failure, archive, data};

/// How many logs are judged before their findings are printed.
const BATCH: usize = 1_024;

/// Replay recorded games under the current rules, and list the first difference in each.
///
/// Replays the records and logs in files (.json or .ndjson, `-` for standard input), or without files a whole
/// data directory that no service is using, whatever version of the rules the games were recorded under.
/// Nothing is changed. Exits with status 1 if a game differs, 2 if something cannot be read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook refold --data /srv/plybook
  plybook refold --kind thrones games/*.json
  plybook refold --json - < all.ndjson")]
pub(crate) struct Refold {
    #[command(flatten)]
    data: Data,
    /// Only games of this kind [default: all]
    #[arg(long)]
    kind: Option<String>,
    /// Print every game that was replayed, as JSON, one per line
    #[arg(long)]
    json: bool,
    /// Records or logs
    files: Vec<PathBuf>,
}

/// How many games were judged, by verdict.
#[derive(Default)]
struct Count {
    games: usize,
    sealed: usize,
    orphans: usize,
    differ: usize,
}

impl Refold {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if let Some(name) = self.kind.as_deref().filter(|name| kind(name).is_none()) {
            return Err(no_such_kind(name));
        }
        let count = if self.files.is_empty() { self.judge_data() } else { self.judge_files() }?;
        let summary = count.to_string();
        if self.json {
            eprintln!("{summary}");
        } else {
            say!("{summary}");
        }
        if count.differ == 0 { Ok(()) } else { Err(Failure::refused("")) }
    }

    fn judge_data(&self) -> Result<Count, Failure> {
        let service = self.data.read()?;
        let log = service.log();
        let read = |id: LogId| service.events(id, 0);
        let progress = data::bar("logs", log.logs_len() as u64);
        let (mut count, mut after) = (Count::default(), None);
        loop {
            let ids = log.logs_after(after, BATCH).map_err(Failure::trouble)?;
            let Some(last) = ids.last() else { break };
            after = Some(*last);
            let found = ids.par_iter().map(|id| self.judge(&read(*id)?, &read)).collect();
            self.take(&mut count, found)?;
            progress.inc(ids.len() as u64);
        }
        progress.finish_and_clear();
        Ok(count)
    }

    fn judge_files(&self) -> Result<Count, Failure> {
        let mut logs = BTreeMap::new();
        for path in &self.files {
            let trouble = |why: String| Failure::trouble(format!("{}: {why}", path.display()));
            let text = archive::read(path).map_err(|why| Failure::trouble(why.message))?;
            for (id, lines) in archive::logs_of(&text).map_err(trouble)? {
                logs.insert(id, events(id, &lines).map_err(trouble)?);
            }
        }
        let read = |id: LogId| Ok(logs.get(&id).cloned().unwrap_or_default());
        let progress = data::bar("logs", logs.len() as u64);
        let mut count = Count::default();
        let all: Vec<&Vec<Event>> = logs.values().collect();
        for some in all.chunks(BATCH) {
            let found = some.par_iter().map(|log| self.judge(log, &read)).collect();
            self.take(&mut count, found)?;
            progress.inc(some.len() as u64);
        }
        progress.finish_and_clear();
        Ok(count)
    }

    fn judge(
        &self,
        log: &[Event],
        parent: &(dyn Fn(LogId) -> Result<Vec<Event>, Problem> + Sync),
    ) -> Result<Option<Judgement>, Problem> {
        match log.first().map(|event| &event.body) {
            Some(Body::Created(created)) if self.kind.as_ref().is_none_or(|kind| *kind == created.kind) => {
                log::Refold { rules: &kind, parent, goes_on: &|| true }.judge(log)
            }
            _ => Ok(None),
        }
    }

    /// Counts and prints the verdicts.
    fn take(&self, count: &mut Count, found: Vec<Result<Option<Judgement>, Problem>>) -> Result<(), Failure> {
        let mut out = BufWriter::new(io::stdout().lock());
        for judged in found {
            let Some(judged) = judged.map_err(Failure::trouble)? else { continue };
            count.add(&judged);
            if self.json {
                writeln!(out, "{}", judged.to_json()).map_err(Failure::output)?;
            } else if let Some(line) = line(&judged) {
                writeln!(out, "{line}").map_err(Failure::output)?;
            }
        }
        out.flush().map_err(Failure::output)
    }
}

/// Parses the events of a log and checks their hash chain.
fn events(id: LogId, lines: &[EventBytes]) -> Result<Vec<Event>, String> {
    let mut chain = Chain::new(id);
    let event = |line: &EventBytes| {
        chain.check(line).map_err(|why| format!("{id}: {why}"))?;
        Event::parse(line).map_err(|why| format!("{id}: {why}"))
    };
    lines.iter().map(event).collect()
}

impl Count {
    fn add(&mut self, judged: &Judgement) {
        self.games += 1;
        match judged.verdict {
            Verdict::Same => {}
            Verdict::Sealed => self.sealed += 1,
            Verdict::Orphan(_) => self.orphans += 1,
            Verdict::Differs(_) => self.differ += 1,
        }
    }
}

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} games judged, {} differ", self.games, self.differ)?;
        if self.sealed > 0 {
            write!(f, ", {} as far as they are revealed", self.sealed)?;
        }
        if self.orphans > 0 {
            write!(f, ", {} not judged because the log they fork from is missing", self.orphans)?;
        }
        Ok(())
    }
}

/// A difference as a line for people; `None` if there is none.
fn line(judgement: &Judgement) -> Option<String> {
    let Verdict::Differs(found) = &judgement.verdict else { return None };
    let Judgement { game, kind, recorded, .. } = judgement;
    let versions = match judgement.present {
        Some(present) if present != recorded => format!("{recorded}, judged by {present}"),
        _ => recorded.clone(),
    };
    let of = if found.log == *game { String::new() } else { format!(" of {}", found.log) };
    Some(format!("{game} {kind} {versions}: event {}{of} (ply {}): {}", found.seq, found.ply, found.what))
}
