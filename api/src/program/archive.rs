//! `export`, `verify`, `rebuild`: logs and records as files.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueEnum};
use plybook_events::{Event, Hash, LogId, PublicKey, Timestamp};
use plybook_models::{Filter, Order, TournamentFilter};
use plybook_rules::log::{
    Find, LogBytes, Profile, Signer, Verification, Verifier, logs_of_json, read_record, split_records,
};
use plybook_service::access::{Caller, Desk};
use plybook_service::error::Problem;
use plybook_service::load::Meter;
use plybook_service::{Analysis, Service, told, verify_any};
use plybook_store::{EventBytes, Options, Tlog};
use plybook_viewer::language::Language;
use plybook_viewer::standalone::standalone;

use super::settings::Data;
use super::{Failure, data};

/// Write games and, as logs, tournaments to standard output or to files.
///
/// Only reads the data directory: it may be read-only, and a service may be using it, except with --with-analysis. Games
/// that cannot be read are named, and the others are written; the exit status is then 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook export > all.ndjson
  plybook export --format json --into records/
  plybook export --format json --with-analysis --into records/
  plybook export --format html --into pages/ 0192f0c1-2a3b-7c4d-8e5f-60718293a4b5
  plybook export --format text 0192f0c1-2a3b-7c4d-8e5f-60718293a4b5")]
pub(crate) struct Export {
    #[command(flatten)]
    data: Data,
    /// The games and tournaments to export [default: all]
    games: Vec<LogId>,
    /// The output format
    #[arg(long, default_value = "ndjson")]
    format: Format,
    /// The language of pages
    #[arg(long, default_value = "en")]
    lang: Language,
    /// Add the analyses that the service has made, as far as everybody may see them, to records in json and text. They are
    /// in the index, which no service may be using meanwhile
    #[arg(long)]
    with_analysis: bool,
    /// A directory to write one file per game to
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The exact logs, one event per line
    Ndjson,
    /// Records with header and log, one per line
    Json,
    /// Header and notation for people
    Text,
    /// A page for each game that shows its replay with no service, for `--into`
    Html,
}

/// Verify logs: every hash, every action, everything sealed, every roll.
///
/// Verifies the given files (.ndjson logs or .json records, `-` for standard input), or without files a whole
/// data directory: its journal, and that the vault has every secret that is still to be revealed. Only reads:
/// the directory may be read-only, and a service may be using it. The index in `sled/` is not looked at, as it
/// is made from the journal. Exits with status 1 if anything is wrong.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook verify game.json
  curl -s http://127.0.0.1:8080/games/$ID/log.ndjson | plybook verify -
  plybook verify game.json --head 80b8870f41b5e20c93bf453227ca37910a85fe43ec8fdd89e63aac6c1910111a
  plybook verify --data /srv/plybook")]
pub(crate) struct Verify {
    #[command(flatten)]
    data: Data,
    /// The hash of the last event of one of the logs, as you know it from elsewhere. Without it, nobody notices
    /// that events are missing at the end. May be given several times
    #[arg(long, value_name = "HASH")]
    head: Vec<Hash>,
    /// Also say which keys signed how many events of each log, and whose they are according to the logs of players
    #[arg(long)]
    signers: bool,
    /// Logs or records
    files: Vec<PathBuf>,
}

/// Rebuild the index and the read models of a data directory from its journal.
///
/// The index is compared with the journal before it goes: if it is whole and shows that the journal was changed,
/// nothing is done, and the exit status is 2.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  plybook rebuild --data /srv/plybook")]
pub(crate) struct Rebuild {
    #[command(flatten)]
    data: Data,
    /// Go on with a journal that was changed, and record that it was accepted
    #[arg(long)]
    accept: bool,
}

/// Groups the lines of a file by log.
pub(super) fn split_logs(text: &str) -> Result<BTreeMap<LogId, Vec<&str>>, String> {
    let mut logs: BTreeMap<LogId, Vec<&str>> = BTreeMap::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty()) {
        let event = Event::parse(line.as_bytes()).map_err(|why| format!("line {}: {why}", number + 1))?;
        logs.entry(event.log).or_default().push(line);
    }
    if logs.is_empty() { Err("it contains no event".to_owned()) } else { Ok(logs) }
}

impl Export {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if self.with_analysis && !matches!(self.format, Format::Json | Format::Text) {
            return Err(Failure::trouble("--with-analysis: an analysis is added to records in json and text"));
        }
        let service = if self.with_analysis { self.data.read_with_analyses()? } else { self.data.read()? };
        let games = if self.games.is_empty() {
            // Lines have logs of their own, but in records they come with their game.
            let is_analysis = if self.format == Format::Ndjson { None } else { Some(false) };
            let filter = Filter { is_analysis, ..Filter::default() };
            let known = service.models().known();
            // By what the logs say, so that the order is the same wherever they were imported.
            let games = known.games.select(&filter).list(Order::PlayedAsc, None);
            let tournaments = known.tournaments.list(&TournamentFilter::default());
            let tournaments = tournaments.iter().rev().filter(|_| self.format == Format::Ndjson);
            games.into_iter().chain(tournaments.map(|tournament| tournament.id)).collect()
        } else {
            self.games.clone()
        };
        if self.format == Format::Html && self.into.is_none() && games.len() != 1 {
            let why = "pages are files of their own: name a directory with --into, or a single game";
            return Err(Failure::refused(why));
        }
        if let Some(dir) = &self.into {
            fs::create_dir_all(dir).map_err(|why| Failure::trouble(format!("{}: {why}", dir.display())))?;
        }
        let progress = data::bar("games", games.len() as u64);
        let mut out = BufWriter::new(io::stdout().lock());
        let mut failed = Vec::new();
        for id in games {
            let text = match self.written(&service, id) {
                Ok(text) => text,
                Err(why) => {
                    failed.push(format!("{id}: {why}"));
                    continue;
                }
            };
            match &self.into {
                None => out.write_all(&text).map_err(Failure::output)?,
                Some(dir) => {
                    let name = match self.format {
                        Format::Ndjson => "ndjson",
                        Format::Json => "json",
                        Format::Text => "txt",
                        Format::Html => "html",
                    };
                    super::replace(&dir.join(format!("{id}.{name}")), &text)?;
                }
            }
            progress.inc(1);
        }
        progress.finish_and_clear();
        out.flush().map_err(Failure::output)?;
        if failed.is_empty() { Ok(()) } else { Err(Failure::refused(failed.join("\n"))) }
    }

    fn written(&self, service: &Arc<Service>, id: LogId) -> Result<Vec<u8>, Problem> {
        if self.format == Format::Ndjson {
            let known = service.models().known();
            if !known.games.has(id) && known.tournaments.get(id).is_none() {
                return Err(Problem::no_game(id));
            }
            let end = service.log().head(id).map_or(0, |head| head.seq() + 1);
            return Ok(service.write_whole(service.log_pieces(id, end))?.into_bytes());
        }
        let replay = service.glance(id)?;
        let analysis = if self.with_analysis { public_analysis(service, id)? } else { None };
        let record = || {
            let mut pieces = service.record_pieces(&replay, None, &Meter::unlimited())?;
            if let Some(analysis) = &analysis {
                pieces.add_member("analysis", &analysis.to_record());
            }
            service.write_whole(pieces)
        };
        match self.format {
            Format::Html => Ok(standalone(service, &replay, self.lang, record)?.into_bytes()),
            Format::Json => Ok((record()? + "\n").into_bytes()),
            Format::Ndjson | Format::Text => {
                let viewer = Caller::SPECTATOR.viewer(&replay);
                Ok((service.text(&replay, viewer, analysis.as_ref(), &Meter::unlimited())? + "\n").into_bytes())
            }
        }
    }
}

/// The analysis of a game as it is, if there is one that everybody may see.
fn public_analysis(service: &Arc<Service>, id: LogId) -> Result<Option<Analysis>, Problem> {
    let game = service.models().known().games.get(id).ok_or_else(|| Problem::no_game(id))?;
    let head = service.log().head(id).map(|head| head.hash());
    let analysis = Desk::new(service, Caller::SPECTATOR).analysis(&game, true)?;
    Ok(analysis.filter(|analysis| Some(analysis.about.head) == head))
}

impl Verify {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if self.files.is_empty() {
            return self.verify_data();
        }
        let (mut texts, mut all, mut findings) = (Vec::new(), Logs::new(), Findings::default());
        for path in &self.files {
            let text = match read(path) {
                Ok(text) => text,
                Err(why) if why.is_refusal() => {
                    findings.faults.push(why.message);
                    continue;
                }
                Err(why) => return Err(why),
            };
            match logs_of(&text) {
                Ok(logs) => all.extend(logs),
                Err(why) => {
                    findings.faults.push(format!("{}: {why}", path.display()));
                    continue;
                }
            }
            texts.push((path, text));
        }
        // The log that a line continues may be in another file.
        let find = |id| Some(LogBytes { lines: all.get(&id)?.clone(), secrets: BTreeMap::new() });
        let verifier = Verifier::new(&find);
        for (path, text) in &texts {
            if let Err(why) = findings.verify_text(text, &path.display().to_string(), &verifier, &find) {
                findings.faults.push(format!("{}: {why}", path.display()));
            }
        }
        self.conclude(findings)
    }

    fn conclude(&self, findings: Findings) -> Result<(), Failure> {
        if self.signers {
            findings.tell_signers();
        }
        findings.conclude(&self.head)
    }

    fn verify_data(&self) -> Result<(), Failure> {
        let file = self.data.file()?;
        let dir = self.data.dir_of_files(&file)?;
        // A checkpoint covers what is in the journal, so it is read first.
        let tlog = Tlog::open_to_read(&dir);
        let service = data::read(&dir, self.data.vault_key(&file)?.as_ref())?;
        let mut findings = Findings::default();
        verify_all(&service, |id, found, lines| findings.add(id, found, lines, ""))?;
        findings.faults.extend(service.losses().iter().map(|(id, lost)| told(*id, lost)));
        let examined = tlog.and_then(|tlog| tlog.map_or(Ok(()), |tlog| tlog.examine(service.log())));
        findings.faults.extend(examined.err().map(|why| why.to_string()));
        self.conclude(findings)
    }
}

/// Verifies every log of a service.
pub(super) fn verify_all(
    service: &Service,
    mut each: impl FnMut(LogId, &Verification, &[EventBytes]),
) -> Result<(), Failure> {
    let progress = data::bar("logs", service.log().logs_len() as u64);
    let find = |id| service.log_bytes(id);
    let verifier = Verifier::new(&find);
    let mut after = None;
    loop {
        let ids = service.log().logs_after(after, 1000).map_err(Failure::trouble)?;
        let Some(last) = ids.last() else { break };
        after = Some(*last);
        for id in ids {
            let LogBytes { lines, secrets } = service.source(id).map_err(Failure::trouble)?;
            each(id, &verify_any(&verifier, &find, id, &lines, &secrets), &lines);
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    Ok(())
}

/// What was verified.
#[derive(Default)]
struct Findings {
    /// The number of valid events.
    events: u64,
    /// The last event of each valid log.
    heads: Vec<(LogId, Hash)>,
    faults: Vec<String>,
    /// Who signed in each valid log that has signatures, and how many events there nobody signed.
    signed: Vec<(LogId, Vec<Signer>, u64)>,
    /// Whose each key is, and since when.
    holders: BTreeMap<PublicKey, (String, Timestamp)>,
}

impl Findings {
    /// Verifies the logs or records in a file.
    fn verify_text(&mut self, text: &str, name: &str, verifier: &Verifier<'_>, find: &Find<'_>) -> Result<(), String> {
        if !is_log(without_mark(text)) {
            for record in split_records(without_mark(text)).map_err(|why| why.to_string())? {
                logs_of_json(record, find).map_err(|why| why.to_string())?;
            }
        }
        for (id, lines) in &logs_of(text)? {
            self.add(*id, &verify_any(verifier, find, *id, lines, &BTreeMap::new()), lines, &format!("{name}: "));
        }
        Ok(())
    }

    fn add(&mut self, id: LogId, found: &Verification, lines: &[EventBytes], prefix: &str) {
        self.events += found.events;
        if let Some(fault) = &found.fault {
            self.faults.push(format!("{prefix}{id}: {}", fault.problem));
            return;
        }
        self.heads.push((id, found.head));
        if !found.signers.is_empty() {
            self.signed.push((id, found.signers.clone(), found.unsigned));
        }
        let mut events = lines.iter().filter_map(|line| Event::parse(line).ok());
        if let Some(mut profile) = events.next().and_then(|first| Profile::begin(&first).ok()) {
            events.for_each(|event| profile.apply(&event).expect("a valid log can be folded"));
            let keys = profile.keys.iter().map(|known| (known.key, (profile.name.clone(), known.since)));
            self.holders.extend(keys);
        }
    }

    /// Says which keys signed how much.
    fn tell_signers(&self) {
        for (id, signers, unsigned) in &self.signed {
            for signer in signers {
                let who = signer.who.map_or_else(String::new, |who| format!(" ({who})"));
                let holder = self.holders.get(&signer.key);
                let holder =
                    holder.map_or_else(String::new, |(name, since)| format!(", a key of {name} since {since}"));
                say!("{id}: {} events signed by {}{who}{holder}", signer.events, signer.key);
            }
            say!("{id}: {unsigned} events that somebody did are not signed");
        }
    }

    /// Says what was found. Each of `heads` has to be that of a valid log.
    fn conclude(mut self, heads: &[Hash]) -> Result<(), Failure> {
        let missing: Vec<&Hash> =
            heads.iter().filter(|head| !self.heads.iter().any(|(_, last)| last == *head)).collect();
        for head in missing {
            self.faults.push(match self.heads.as_slice() {
                [(id, last)] => format!("{id}: it ends in {last}, not in {head}"),
                logs => format!("none of {} valid logs ends in {head}", logs.len()),
            });
        }
        let Self { events, heads, faults, .. } = self;
        say!("{} logs with {events} events verified, {} bad", heads.len(), faults.len());
        if faults.is_empty() { Ok(()) } else { Err(Failure::refused(faults.join("\n"))) }
    }
}

/// Logs by id, one event per line.
pub(super) type Logs = BTreeMap<LogId, Vec<EventBytes>>;

/// A text without the byte order mark that editors may put in front.
pub(super) fn without_mark(text: &str) -> &str {
    text.trim_start_matches('\u{feff}')
}

/// Whether a text holds logs rather than records.
pub(super) fn is_log(text: &str) -> bool {
    text.trim_start().starts_with("{\"at\":")
}

/// The logs in a file of logs or records, not verified.
pub(super) fn logs_of(text: &str) -> Result<Logs, String> {
    let text = without_mark(text);
    if text.starts_with('[') {
        return Err("a text record has no hashes: verify its game as JSON or NDJSON".to_owned());
    }
    if is_log(text) {
        let bytes = |lines: Vec<&str>| lines.into_iter().map(|line| EventBytes::from(line.as_bytes())).collect();
        return Ok(split_logs(text)?.into_iter().map(|(id, lines)| (id, bytes(lines))).collect());
    }
    let mut logs = Logs::new();
    for record in split_records(text).map_err(|why| why.to_string())? {
        let (_, found) = read_record(record).map_err(|why| why.to_string())?;
        logs.extend(found.into_iter().map(|log| (log.id, log.lines)));
    }
    Ok(logs)
}

impl Rebuild {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let file = self.data.file()?;
        let dir = self.data.dir_of_files(&file)?;
        data::check_there(&dir)?;
        let options = Options { accepts_change: self.accept, ..self.data.options(&file)? };
        let store = data::rebuild(&dir, &options)?;
        let progress = data::bar("read models", 0);
        let events = plybook_models::rebuild(&store, &mut |done, total| {
            progress.set_length(total);
            progress.set_position(done);
        });
        progress.finish_and_clear();
        say!("index and read models are built from {} events", events.map_err(Failure::trouble)?);
        Ok(())
    }
}

/// Reads a file, or standard input for `-`.
pub(super) fn read(path: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = if path == Path::new("-") { io::stdin().read_to_end(&mut bytes).map(|_| bytes) } else { fs::read(path) };
    let bytes = read.map_err(|why| Failure::trouble(format!("{}: {why}", path.display())))?;
    // A record that is not UTF-8 is damaged: that is a finding about the record, not a failure to read it.
    String::from_utf8(bytes).map_err(|why| Failure::refused(format!("{}: {why}", path.display())))
}
