//! `scrub`: reads the closed segments of the journal again.

use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use plybook_store::{Damage, Scrub as Scrubbed, scrub};
use serde_json::json;

use super::doctor::{cure, damaged};
use super::settings::Data;
use super::{Failure, data};

/// How long it reads before it rests, if it reads faster than it should.
const TURN: Duration = Duration::from_millis(20);

/// Read every closed segment of the journal again, and say what is damaged and what to do.
///
/// Only reads: a service may be using the directory, which does the same in the background, segment by segment, once a week.
/// Every group of events is checked, and every file is compared with what was written down when it was closed. Exits with
/// status 0 if all is as it was, 1 if something is damaged or missing, and 2 if it cannot look. What is being recorded now, the
/// index and the vault are left to `plybook doctor`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook scrub
  plybook scrub --data /var/lib/plybook --mib-s 0
  plybook scrub --json | jq '.damages[].file'")]
pub(crate) struct Scrub {
    #[command(flatten)]
    data: Data,
    /// How fast to read, in MiB of text a second; 0 for as fast as possible [default: the setting scrub-mib-s, or 8]
    #[arg(long, value_name = "MIB")]
    mib_s: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Scrub {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let file = self.data.file()?;
        let dir = self.data.dir_of_files(&file)?;
        data::check_there(&dir)?;
        let bytes_s = self.mib_s.map_or(file.upkeep().scrub_bytes_s, |mib_s| mib_s.saturating_mul(1 << 20));
        let bar = data::bar("scrub", 0);
        let (begun, mut read, mut rested_at) = (Instant::now(), 0, Instant::now());
        let scrubbed = scrub(&dir.join("journal"), &mut |bytes, total| {
            read += bytes;
            bar.set_length(total.max(read));
            bar.set_position(read);
            if bytes_s > 0 && rested_at.elapsed() >= TURN {
                let due = Duration::from_secs_f64(read as f64 / bytes_s as f64);
                thread::sleep(due.saturating_sub(begun.elapsed()));
                rested_at = Instant::now();
            }
        });
        bar.finish_and_clear();
        let scrubbed = scrubbed.map_err(Failure::trouble)?;
        let text = if self.json { as_json(&scrubbed) } else { as_text(&scrubbed) };
        super::print(text.as_bytes())?;
        if scrubbed.damages.is_empty() { Ok(()) } else { Err(Failure::refused("")) }
    }
}

fn as_json(scrubbed: &Scrubbed) -> String {
    let Scrubbed { segments, bytes, damages } = scrubbed;
    let damage = |damage: &Damage| {
        let Damage { file, offset, why, first, next, logs } = damage;
        let (logs, advice): (Vec<String>, _) = (logs.iter().map(ToString::to_string).collect(), cure(damage));
        json!({ "file": file, "offset": offset, "why": why, "first": first, "next": next, "logs": logs, "do": advice })
    };
    let damages: Vec<_> = damages.iter().map(damage).collect();
    format!("{:#}\n", json!({ "segments": segments, "bytes": bytes, "damages": damages }))
}

fn as_text(scrubbed: &Scrubbed) -> String {
    let Scrubbed { segments, bytes, damages } = scrubbed;
    let mut text = format!("{segments} closed segments, {:.1} MiB of text\n", *bytes as f64 / f64::from(1 << 20));
    for damage in damages {
        text += &format!("\nWrong: {}\n  Do: {}\n", damaged(damage), cure(damage));
    }
    text + if damages.is_empty() { "They are as they were.\n" } else { "" }
}
