//! `prove` and `check`: a result that anybody can check offline.

use std::path::PathBuf;

use clap::Args;
use plybook_events::{LogId, Timestamp};
use plybook_rules::log::Replay;
use plybook_service::{Proven, check_proof};

use super::settings::Data;
use super::trust::Trust;
use super::{Failure, archive, data};

/// Write a proof file: a game's record, with the proof that a signed checkpoint covers it.
///
/// Only reads, and works beside a running service. The file is checked by `plybook check` or tests/python/check.py.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook prove 0192f0c1-2a3b-7c4d-8e5f-60718293a4b5 > game.proof.json
  plybook prove 0192f0c1-2a3b-7c4d-8e5f-60718293a4b5 --out game.proof.json")]
pub(crate) struct Prove {
    #[command(flatten)]
    data: Data,
    /// The game
    game: LogId,
    /// The file to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Check proof files, offline: the record, the signatures of the checkpoint, and the proof that leads from one to the other.
///
/// Exits with status 0 if every file proves its game, 1 if one does not, and 2 if one cannot be read. A proof says what was
/// recorded when the checkpoint was signed; what was recorded later, such as a correction, is in a later record.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  plybook check game.proof.json --key 'games.example.org+3f1c9a20+AY…'
  plybook check game.proof.json --key 'games…' --witness 'one.example.net+…' --witness 'two.example.com+…'

Get the key from its owner, once: `plybook tlog key` prints it.")]
pub(crate) struct Check {
    /// Proof files; `-` is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    trust: Trust,
}

impl Prove {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let file = self.data.file()?;
        let service = data::read_with_tlog(&self.data.dir_of_files(&file)?, self.data.vault_key(&file)?.as_ref())?;
        let proof = service.prove(self.game).map_err(Failure::refused)?.ok_or_else(|| {
            Failure::refused(
                "no checkpoint covers the last event of this game yet; a running service signs one within a second",
            )
        })?;
        match self.out {
            None => super::print(format!("{proof}\n").as_bytes()),
            Some(path) => super::replace(&path, format!("{proof}\n").as_bytes()),
        }
    }
}

impl Check {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let trusted = self.trust.read()?;
        let mut refused = Vec::new();
        for path in &self.files {
            match check_proof(&archive::read(path)?, &trusted) {
                Ok(proven) => super::print(told(&proven).as_bytes())?,
                Err(why) => refused.push(format!("{}: {why}", path.display())),
            }
        }
        if refused.is_empty() { Ok(()) } else { Err(Failure::refused(refused.join("\n"))) }
    }
}

/// What is proven, in words.
fn told(proven: &Proven) -> String {
    let Proven { game, events, head, replay, index, checkpoint, key, cosignatures } = proven;
    let result = replay.as_ref().map_or_else(|| "it runs, with secrets".to_owned(), result);
    let mut told = format!(
        "{game}: {result}\n  {events} events, head {head}\n  number {index} of {} in {}, signed by {key}\n",
        checkpoint.size, checkpoint.origin
    );
    for cosignature in cosignatures {
        let at =
            i64::try_from(cosignature.time_s()).ok().and_then(|s| Timestamp::from_millis(s.checked_mul(1000)?).ok());
        let at = at.map_or_else(|| "an unknown time".to_owned(), |at| at.to_string());
        told += &format!("  cosigned by {} at {at}\n", cosignature.witness());
    }
    told
}

/// The result of a game.
fn result(game: &Replay) -> String {
    let kind = &game.created().kind;
    if let Some(why) = game.voided() {
        return format!("{kind}, void: {why}");
    }
    let Some(end) = game.end() else { return format!("{kind}, running at ply {}", game.mainline().len()) };
    let winners: Vec<String> = end.outcome.winners.iter().map(ToString::to_string).collect();
    let result = match winners.as_slice() {
        [] if end.outcome.is_forfeit() => "all seats lost".to_owned(),
        [] => "drawn".to_owned(),
        [seat] => format!("seat {seat} won"),
        seats => format!("seats {} won", seats.join(", ")),
    };
    format!("{kind}, {result} ({})", end.outcome.reason)
}
