//! `backup`, `restore`: copies of a data directory, and back.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use plybook_service::clock::now;
use plybook_store::{BackupError, BackupSummary, Restored, backup, restore};

use super::monitoring::LAST_BACKUP;
use super::settings::Data;
use super::{Failure, data};

/// Copy a data directory into a folder while the service runs: only what is new.
///
/// The journal, the vault, the transparency log with its key, personal data and tokens are copied as of one moment; the
/// rest is made from the journal. Then all of the backup is read and checked, up to the last signed checkpoint. A backup
/// that is interrupted or fails leaves the one before as it was. A data directory that has less than its backup, or
/// something else, is refused with status 1.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook backup --data /var/lib/plybook --to /mnt/backup/plybook")]
pub(crate) struct Backup {
    #[command(flatten)]
    data: Data,
    /// The folder of the backup
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
}

/// Make a data directory from a backup, as a whole or up to a position.
///
/// The directory must be empty or not exist. All is written beside it, checked, and renamed. With --until, the events
/// from there on are left out, which the journal records, and the transparency log is set aside: the next start begins
/// another one, with a new key. Exits with status 1 if the backup is damaged.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook restore --from /mnt/backup/plybook --data /var/lib/plybook
  plybook restore --from /mnt/backup/plybook --data /tmp/then --until 1200")]
pub(crate) struct Restore {
    #[command(flatten)]
    data: Data,
    /// The folder of the backup
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
    /// Leave out what was recorded from this position of the journal on
    #[arg(long, value_name = "POSITION")]
    until: Option<u64>,
}

impl Backup {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let dir = self.data.dir_of_files(&self.data.file()?)?;
        data::check_there(&dir)?;
        let summary = shown(|progress| backup(&dir, &self.to, progress))?;
        say!("{} has {}", self.to.display(), told(&summary));
        note(&dir);
        Ok(())
    }
}

/// Leaves the time of a backup for the metrics of the service.
fn note(dir: &Path) {
    let path = dir.join(LAST_BACKUP);
    // Another user may have left it, and the folder still be this one's.
    let _ = fs::remove_file(&path);
    if let Err(why) = fs::write(&path, format!("{}\n", now())) {
        tracing::warn!("{}: {why}: the metrics of the service do not show this backup", path.display());
    }
}

impl Restore {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let dir = self.data.dir(&self.data.file()?);
        let restored = shown(|progress| restore(&self.from, &dir, self.until, progress))?;
        let Restored { events, left_out, cut, tlog_aside } = restored;
        say!("{events} events are in {}", dir.display());
        if let Some(cut) = cut {
            say!("{left_out} events are left out, from position {} on, which was recorded at {}", cut.position, cut.at);
        }
        if let Some(aside) = tlog_aside {
            say!(
                "the transparency log is set aside as {}: the next start makes a new key; tell it to those who watch",
                aside.display()
            );
        }
        Ok(())
    }
}

fn told(summary: &BackupSummary) -> String {
    let BackupSummary { events, new_events, covered } = summary;
    let covered = covered.map_or_else(
        || "there is no transparency log".to_owned(),
        |covered| format!("they lead to the checkpoint over {covered}"),
    );
    format!("{events} events, {new_events} of them new; all of it was checked, and {covered}")
}

/// Shows a progress bar meanwhile.
fn shown<T>(work: impl FnOnce(&mut dyn FnMut(u64, u64)) -> Result<T, BackupError>) -> Result<T, Failure> {
    let progress = data::bar("bytes", 0);
    let done = work(&mut |done, total| {
        progress.set_length(total);
        progress.set_position(done);
    });
    progress.finish_and_clear();
    done.map_err(|why| if why.is_finding() { Failure::refused(why) } else { Failure::trouble(why) })
}
