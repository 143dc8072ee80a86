//! `doctor`: what is wrong with a data directory, and what to do about it.

use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use clap::Args;
use plybook_events::LogId;
use plybook_service::access::Tokens;
use plybook_service::{Service, TournamentExamination, told};
use plybook_store::{Damage, Examination, IndexFiles, Tlog, TlogError, VaultKey, examine, holder, index_files};
use rustix::fs::{StatVfsMountFlags, statvfs};
use serde::Serialize;
use serde_json::json;

use super::archive::verify_all;
use super::checks::{SECRET_FILES, open_mode};
use super::settings::Data;
use super::{Failure, data};

/// Less free space than this is a finding, in bytes: a service that cannot write cannot record.
const FREE_BYTES_MIN: u64 = 256 << 20;

/// The number of games that a finding names.
const GAMES_NAMED: usize = 20;

/// Say what is wrong with a data directory, and what to do about it.
///
/// Only reads: the directory may be read-only, and a service may be using it. Looks at who uses the directory,
/// owners and modes, free space, the journal, the index, the vault, the tournaments, every log (as `plybook verify`
/// does), the tokens and what was left behind. Exits with status 0 if the directory is healthy, 1 if something is wrong,
/// and 2 if it cannot look.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook doctor
  sudo -u plybook plybook doctor --data /var/lib/plybook
  plybook doctor --json | jq '.findings[].do'")]
pub(crate) struct Doctor {
    #[command(flatten)]
    data: Data,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Something that is wrong, or worth knowing.
#[derive(Debug, Serialize)]
struct Finding {
    /// What was examined.
    check: &'static str,
    /// What was found.
    found: String,
    /// What to do; empty if nothing has to be done.
    #[serde(rename = "do")]
    advice: String,
}

/// What was found in a data directory.
#[derive(Debug, Default, Serialize)]
struct Report {
    /// The problems.
    findings: Vec<Finding>,
    /// Facts that are worth knowing, but no problems.
    notes: Vec<Finding>,
}

impl Doctor {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let file = self.data.file()?;
        let dir = self.data.dir_of_files(&file)?;
        data::check_there(&dir)?;
        let mut report = Report::default();
        let is_in_use = report.look_at_use(&dir)?;
        report.look_at_files(&dir)?;
        report.look_at_vault_key(&dir, self.data.vault_key_file(&file));
        report.look_at_space(&dir)?;
        report.look_at_index(&dir, is_in_use)?;
        let is_sound = report.look_at_journal(&dir, is_in_use)?;
        let key = self.data.vault_key_file(&file);
        report.look_at_logs(&dir, key, is_sound);
        report.look_at_tokens(&dir);
        report.look_at_leftovers(&dir, is_in_use)?;
        let text = if self.json { report.json(&dir) } else { report.text(&dir) };
        super::print(text.as_bytes())?;
        if report.findings.is_empty() { Ok(()) } else { Err(Failure::refused("")) }
    }
}

impl Report {
    fn wrong(&mut self, check: &'static str, found: impl Into<String>, advice: impl Into<String>) {
        self.findings.push(Finding { check, found: found.into(), advice: advice.into() });
    }

    fn note(&mut self, check: &'static str, found: impl Into<String>) {
        self.notes.push(Finding { check, found: found.into(), advice: String::new() });
    }

    fn look_at_use(&mut self, dir: &Path) -> Result<bool, Failure> {
        let holder = holder(dir).map_err(Failure::trouble)?;
        match &holder {
            Some(in_use) => self.note("use", in_use.to_string()),
            None => self.note("use", "no process has it open"),
        }
        Ok(holder.is_some())
    }

    /// Owners and modes.
    fn look_at_files(&mut self, dir: &Path) -> Result<(), Failure> {
        let own = meta(dir)?;
        if own.mode() & 0o022 != 0 {
            let found = format!("{} can be written by others (mode {:o})", dir.display(), own.mode() & 0o777);
            self.wrong("modes", found, format!("chmod go-w {}", dir.display()));
        }
        for path in SECRET_FILES.map(|name| dir.join(name)) {
            if let Some(mode) = open_mode(&path) {
                let found = format!("{} is open to others (mode {mode:o})", path.display());
                self.wrong("modes", found, format!("chmod 600 {}; its secrets may be known", path.display()));
            }
        }
        let names = ["tokens.lock", "lock", "tlog", "tlog/checkpoint", "sled", "journal"];
        let mut paths: Vec<_> = SECRET_FILES.iter().chain(&names).map(|name| dir.join(name)).collect();
        for folder in ["journal", "sled"].map(|name| dir.join(name)).iter().filter(|folder| folder.exists()) {
            paths.extend(list(folder)?);
        }
        let foreign: Vec<_> =
            paths.iter().filter(|path| fs::metadata(path).is_ok_and(|m| m.uid() != own.uid())).collect();
        if let Some(first) = foreign.first() {
            let found = format!(
                "{} and {} more files belong to another user than the directory",
                first.display(),
                foreign.len() - 1
            );
            self.wrong("owners", found, format!("chown -R {}:{} {}", own.uid(), own.gid(), dir.display()));
        }
        Ok(())
    }

    /// Whether the key of the vault is kept from others, and apart from the vault.
    fn look_at_vault_key(&mut self, dir: &Path, key: Option<&Path>) {
        let Some(path) = key else {
            return self.note("vault", "it is not encrypted, or its key was not named");
        };
        if let Some(mode) = open_mode(path) {
            let found = format!("{} is open to others (mode {mode:o})", path.display());
            self.wrong("modes", found, format!("chmod 600 {}; the key may be known", path.display()));
        }
        if let (Ok(path), Ok(dir)) = (path.canonicalize(), dir.canonicalize())
            && path.starts_with(&dir)
        {
            let found = format!("{} lies in the data directory: a copy of that includes the key", path.display());
            self.wrong("vault", found, "keep the key elsewhere");
        }
    }

    fn look_at_space(&mut self, dir: &Path) -> Result<(), Failure> {
        let disk = statvfs(dir).map_err(|why| Failure::trouble(format!("{}: {why}", dir.display())))?;
        let free = disk.f_bavail * disk.f_frsize;
        if disk.f_flag.contains(StatVfsMountFlags::RDONLY) {
            self.wrong("disk", "the file system is mounted read-only", "mount it for writing to record games");
        }
        let found = format!("{} MiB are free", free >> 20);
        if free < FREE_BYTES_MIN {
            self.wrong("disk", found, "make room: a service on a full disk records nothing until it is restarted");
        } else {
            self.note("disk", found);
        }
        if disk.f_files > 0 && disk.f_favail == 0 {
            self.wrong("disk", "the file system takes no more files", "delete files that nobody needs");
        }
        Ok(())
    }

    /// Returns whether the journal is sound. A torn end is left out if something else is to be said about it.
    fn look_at_journal(&mut self, dir: &Path, is_end_told: bool) -> Result<bool, Failure> {
        let Examination { events, segments, torn_bytes, damages } =
            examine(&dir.join("journal")).map_err(Failure::trouble)?;
        self.note("journal", format!("{events} events in {segments} segments"));
        if torn_bytes > 0 && !is_end_told {
            let found = format!("it ends in {torn_bytes} torn bytes: a write that was stopped, and never acknowledged");
            self.wrong("journal", found, "start the service: it cuts them off");
        }
        for damage in &damages {
            self.wrong("journal", damaged(damage), cure(damage));
        }
        Ok(damages.is_empty())
    }

    /// How the next start finds the index.
    fn look_at_index(&mut self, dir: &Path, is_in_use: bool) -> Result<(), Failure> {
        match index_files(dir) {
            _ if is_in_use => self.note("index", "in use"),
            IndexFiles::Missing => self.note("index", "there is none: the next start makes it from the journal"),
            IndexFiles::Sound => self.note("index", "the next start compares it with the last events of the journal"),
            IndexFiles::Stale => {
                self.note("index", "not closed before the system stopped: the next start makes it again");
            }
        }
        for path in list(dir)?.into_iter().filter(|path| name(path).starts_with("sled.changed-")) {
            let found =
                format!("{} is the index of a journal before it was changed, which was accepted", path.display());
            self.note("history", found);
        }
        for path in list(dir)?.into_iter().filter(|path| name(path).starts_with("tlog.before-")) {
            let found =
                format!("{} is the transparency log of the journal before it was changed or cut", path.display());
            self.note("history", found);
        }
        Ok(())
    }

    /// What needs the logs: whether the vault has their secrets, and what tournaments make of them.
    fn look_at_logs(&mut self, dir: &Path, key: Option<&Path>, is_journal_sound: bool) {
        if !is_journal_sound {
            self.note("vault", "not compared with the journal, which is damaged");
            return self.note("tournaments", "not looked at, as the journal is damaged");
        }
        // A checkpoint covers what is in the journal, so it is read first.
        let tlog = Tlog::open_to_read(dir);
        let key = key.map(VaultKey::read).transpose().map_err(Failure::trouble);
        match key.and_then(|key| data::read(dir, key.as_ref())) {
            Ok(service) => {
                self.look_at_tlog(dir, tlog, &service);
                self.look_at_history(&service);
                self.look_at_vault(&service);
                let told = self.look_at_tournaments(&service);
                self.verify(&service, &told);
            }
            Err(why) if why.message.contains("personal.json") => {
                self.wrong(
                    "personal data",
                    why.message,
                    "restore it from a copy; without one, years of birth are lost",
                );
            }
            Err(why) => self.wrong("vault", why.message, "name its key, or restore the vault from a copy"),
        }
    }

    /// Whether the journal leads to the last checkpoint.
    fn look_at_tlog(&mut self, dir: &Path, tlog: Result<Option<Tlog>, TlogError>, service: &Service) {
        let advice = "restore the journal and tlog/ from the same copy; `plybook serve --accept` goes on with this journal \
                      and a new key, which everybody who watches will see";
        let of_file = "restore it from a copy, and leave the journal as it is; without a copy, move tlog/ away: the next \
                       start makes another log with a new key, which has to be told to everybody who watches";
        match tlog {
            Ok(None) if dir.join("tlog/key").exists() => {
                self.wrong("tlog", "tlog/checkpoint is missing: what was signed is not known here", of_file);
            }
            Ok(None) => self.note("tlog", "there is no transparency log: the next start makes it"),
            Ok(Some(tlog)) => match tlog.examine(service.log()) {
                Ok(()) => {
                    let size = tlog.signed().checkpoint.size;
                    self.note("tlog", format!("the journal leads to the last checkpoint, which covers {size} events"));
                }
                Err(why) => self.wrong("tlog", why.to_string(), advice),
            },
            Err(why) => self.wrong("tlog", why.to_string(), of_file),
        }
    }

    /// The changes of the journal that were accepted.
    fn look_at_history(&mut self, service: &Service) {
        match service.accepted_changes() {
            Ok(changes) => changes.iter().for_each(|(at, change)| {
                self.note("history", format!("a change was accepted at {at}: {change}"));
            }),
            Err(why) => self.wrong("history", why.to_string(), "check the disk, and run this command again"),
        }
    }

    /// What is lost, by game.
    fn look_at_vault(&mut self, service: &Service) {
        let losses = service.losses();
        if losses.is_empty() {
            return self.note("vault", "it has every secret that is still to be revealed");
        }
        let advice = "stop the service, restore the vault from a copy (its lines may be put before those that are there), \
                      and start it again; until then, the game goes no further than its secrets allow";
        for (id, lost) in losses.iter().take(GAMES_NAMED) {
            self.wrong("vault", told(*id, lost), advice);
        }
        if losses.len() > GAMES_NAMED {
            let found =
                format!("and secrets of {} more games, which `plybook verify` names", losses.len() - GAMES_NAMED);
            self.wrong("vault", found, advice);
        }
    }

    /// What `plybook verify` says of each log, but of those of which something was told already.
    fn verify(&mut self, service: &Service, told: &[LogId]) {
        let (mut logs, mut bad) = (0_u64, Vec::new());
        let verified = verify_all(service, |id, found, _| {
            logs += 1;
            bad.extend(found.fault.as_ref().filter(|_| !told.contains(&id)).map(|fault| (id, fault.problem.clone())));
        });
        if let Err(why) = verified {
            return self.wrong("logs", why.message, "check the disk, and run this command again");
        }
        self.note("logs", format!("{logs} logs verified"));
        let advice =
            "restore the journal from a copy of before; the service shows the log up to the event that is wrong";
        for (id, problem) in bad.iter().take(GAMES_NAMED) {
            self.wrong("logs", format!("{id}: {problem}"), advice);
        }
        if bad.len() > GAMES_NAMED {
            let found = format!("and {} more logs, which `plybook verify` names", bad.len() - GAMES_NAMED);
            self.wrong("logs", found, advice);
        }
    }

    /// Returns the tournaments that cannot be shown.
    fn look_at_tournaments(&mut self, service: &Service) -> Vec<LogId> {
        let tournaments = match service.examine_tournaments() {
            Ok(tournaments) => tournaments,
            Err(why) => {
                self.wrong("tournaments", why.to_string(), "check the disk, and run this command again");
                return Vec::new();
            }
        };
        self.note("tournaments", format!("{} tournaments", tournaments.len()));
        for TournamentExamination { id, name, fault, elsewhere, unknown, untold } in &tournaments {
            if let Some(why) = fault {
                let advice = "it is not shown, and its games go on without it: use the version of plybook that recorded \
                              it, or restore the journal from a copy of before";
                self.wrong("tournaments", format!("{name} ({id}): {why}"), advice);
            }
            let notes = [
                (elsewhere, "of its games are not recorded here: import them"),
                (unknown, "games were recorded for it, but it does not have them: import its newest log"),
                (untold, "results of its games are not in its log yet: the next start takes them over"),
            ];
            for (count, what) in notes.into_iter().filter(|(count, _)| **count > 0) {
                self.note("tournaments", format!("{name} ({id}): {count} {what}"));
            }
        }
        tournaments.iter().filter(|tournament| tournament.fault.is_some()).map(|tournament| tournament.id).collect()
    }

    fn look_at_tokens(&mut self, dir: &Path) {
        let path = dir.join("tokens.jsonl");
        match Tokens::open(dir) {
            Err(why) => {
                let advice = "restore it from a copy, or delete it and make new tokens with `plybook token create`";
                self.wrong("tokens", why.to_string(), advice);
            }
            Ok(tokens) if tokens.list().is_empty() && path.exists() => {
                self.wrong("tokens", "all tokens are revoked", "plybook token create --role admin");
            }
            Ok(_) if dir.join("tokens.lock").exists() && !path.exists() => {
                let advice =
                    format!("restore it from a backup; to begin anew, remove {}", dir.join("tokens.lock").display());
                self.wrong("tokens", format!("{} is gone", path.display()), advice);
            }
            Ok(tokens) if tokens.list().is_empty() => self.note("tokens", "there are none: the next start makes one"),
            Ok(tokens) => self.note("tokens", format!("{} tokens", tokens.list().len())),
        }
    }

    fn look_at_leftovers(&mut self, dir: &Path, is_in_use: bool) -> Result<(), Failure> {
        if dir.join("admin-token").exists() {
            self.note(
                "leftovers",
                "the first admin token is still in the file admin-token: keep it elsewhere, and delete the file",
            );
        }
        for left in ["tokens.jsonl.new", "vault.new", "probe"].map(|name| dir.join(name)) {
            if left.exists() && !is_in_use {
                let found = format!("{} was left by a process that was stopped", left.display());
                self.wrong("leftovers", found, format!("rm {}", left.display()));
            }
        }
        let is_segment = |path: &PathBuf| {
            let name = name(path);
            let digits = name.strip_suffix(".zst").unwrap_or(&name).strip_suffix(".log");
            name == "SHA256SUMS"
                || digits.is_some_and(|digits| digits.len() == 20 && digits.bytes().all(|b| b.is_ascii_digit()))
        };
        for path in list(&dir.join("journal"))?.into_iter().filter(|path| !is_segment(path)) {
            if name(&path).ends_with(".log.zst.new") {
                self.note("leftovers", format!("{} is being made, or was left: a start removes it", path.display()));
                continue;
            }
            let found = format!("{} is not a segment of the journal", path.display());
            self.wrong("leftovers", found, "move it elsewhere: nothing reads it");
        }
        Ok(())
    }

    fn json(&self, dir: &Path) -> String {
        let healthy = self.findings.is_empty();
        format!("{:#}\n", json!({ "data": dir, "healthy": healthy, "findings": self.findings, "notes": self.notes }))
    }

    fn text(&self, dir: &Path) -> String {
        let mut text = format!("{}\n", dir.display());
        for note in &self.notes {
            text += &format!("  {:11}  {}\n", note.check, note.found);
        }
        for finding in &self.findings {
            text += &format!("\nWrong: {}: {}\n  Do: {}\n", finding.check, finding.found, finding.advice);
        }
        text + if self.findings.is_empty() { "It is healthy.\n" } else { "" }
    }
}

/// What to do about a damaged place of the journal.
pub(super) fn cure(damage: &Damage) -> String {
    let file = damage.file.display();
    let before = if damage.is_before() { "the segment before " } else { "" };
    format!("stop the service, restore {before}{file} from a copy of this journal, and run this command again")
}

/// A damaged place, with the events and games that it affects.
pub(super) fn damaged(damage: &Damage) -> String {
    let Damage { file, offset, why, first, next, logs } = damage;
    let events = match next {
        Some(next) if next == first => String::new(),
        Some(next) => format!("; events {first} to {} of the journal", next - 1),
        None => format!("; event {first} of the journal and all that follow in the file"),
    };
    let named: Vec<String> = logs.iter().take(GAMES_NAMED).map(ToString::to_string).collect();
    let more = logs.len().saturating_sub(GAMES_NAMED);
    let games = match (named.is_empty(), more) {
        (true, _) => String::new(),
        (false, 0) => format!("; of {}", named.join(", ")),
        (false, more) => format!("; of {} and {more} more", named.join(", ")),
    };
    format!("{} is damaged at byte {offset}: {why}{events}{games}", file.display())
}

fn meta(path: &Path) -> Result<Metadata, Failure> {
    fs::metadata(path).map_err(|why| Failure::trouble(format!("{}: {why}", path.display())))
}

/// The files in a directory, sorted by name.
fn list(dir: &Path) -> Result<Vec<PathBuf>, Failure> {
    let trouble = |why| Failure::trouble(format!("{}: {why}", dir.display()));
    let entries = fs::read_dir(dir).map_err(trouble)?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| Ok(entry.map_err(trouble)?.path())).collect::<Result<_, Failure>>()?;
    paths.sort();
    Ok(paths)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
