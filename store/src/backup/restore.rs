//! A data directory made from a backup.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use plybook_events::Envelope;

use super::folder::{create, list, lock_to_read, read_manifest};
use super::manifest::{JOURNAL, Manifest};
use super::verify::{Tree, len_of, verify};
use super::{BackupError, Progress};
use crate::entry::{Entry, EventBytes};
use crate::history::HistoryChange;
use crate::journal::{FileJournal, Group, Journal, JournalError, segment_name};
use crate::store::Options;
use crate::tlog::Tlog;
use crate::{disk, tlog};

/// No file of the transparency log is longer, in bytes.
const TLOG_BYTES_MAX: u64 = 1 << 20;

/// What was restored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// The number of events of the backup that were restored.
    pub events: u64,
    /// How many were left out.
    pub left_out: u64,
    /// Where the journal was cut, if it was.
    pub cut: Option<Cut>,
    /// Where the transparency log was set aside, if there was one and the journal was cut.
    pub tlog_aside: Option<PathBuf>,
}

/// Where a journal was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The journal position of the first event that was left out.
    pub position: u64,
    /// When it was recorded, as it says.
    pub at: String,
    /// The position at which its segment starts.
    segment: u64,
    /// Where its group starts in the segment, in bytes.
    offset: u64,
    /// Its bytes.
    event: EventBytes,
}

impl Cut {
    /// Before a group of the segment that starts at this position.
    fn before(segment: u64, group: &Group<'_>) -> Self {
        let (position, offset, event) = (group.position, group.offset, EventBytes::from(group.events[0]));
        let at = Envelope::at_of(&event).map_or_else(String::new, |at| String::from_utf8_lossy(at).into_owned());
        Self { position, at, segment, offset, event }
    }
}

/// Makes a data directory from a backup in a folder. All is written beside the directory and checked before it gets its
/// name, so that it is there as a whole or not at all.
///
/// With `until`, the journal is cut at that position, or before it if events before it were written together with later ones. This
/// is recorded, as an event `history_accepted`, and the transparency log is set aside, so that its key never signs another history
/// than the one it has signed.
///
/// # Errors
/// The directory is not empty, the backup is damaged, or the disk refuses something. Nothing was restored.
pub fn restore(from: &Path, data: &Path, until: Option<u64>, progress: Progress<'_>) -> Result<Restored, BackupError> {
    let _lock = lock_to_read(from)?;
    let manifest = read_manifest(from)?.ok_or_else(|| BackupError::NoBackup(from.to_owned()))?;
    if manifest.run == 0 {
        return Err(BackupError::Incomplete(from.to_owned()));
    }
    let staging = Staging::beside(data)?;
    let state = from.join(manifest.state());
    let files = manifest.files.iter().map(|file| (state.join(&file.name), PathBuf::from(&file.name), file.bytes));
    let journal = manifest.journal.iter().map(|segment| (from.join(segment.place()), segment.place(), segment.bytes));
    let mut done = 0;
    for (path, place, bytes) in files.chain(journal) {
        copy(&path, &staging.dir.join(place), bytes)?;
        done += bytes;
        progress(done, manifest.bytes());
    }
    let staged = staging.dir.clone();
    staging.finish(&manifest, until, progress).map_err(|why| match why {
        // The copy, in which it was found, is gone by now.
        BackupError::Journal(JournalError::Damaged { file, offset, why }) => {
            let file = file.strip_prefix(&staged).map_or_else(|_| file.clone(), |place| from.join(place));
            JournalError::Damaged { file, offset, why }.into()
        }
        why => why,
    })
}

/// The data directory before it has its name; removed when it is dropped without getting it.
struct Staging {
    dir: PathBuf,
    data: PathBuf,
}

impl Staging {
    fn beside(data: &Path) -> Result<Self, BackupError> {
        let io = |source| BackupError::io(data)(source);
        let data = match data.canonicalize() {
            Err(why) if why.kind() == ErrorKind::NotFound => {
                std::path::absolute(data).map_err(io)?.components().collect()
            }
            found => {
                let found = found.map_err(io)?;
                if !list(&found)?.is_empty() {
                    return Err(BackupError::NotEmpty(data.to_owned()));
                }
                found
            }
        };
        let mut dir = data.clone().into_os_string();
        dir.push(".restoring");
        let dir = PathBuf::from(dir);
        if dir.exists() {
            return Err(BackupError::Left(dir));
        }
        disk::make_private_dir(&dir).map_err(BackupError::io(&dir))?;
        let staging = Self { dir, data };
        for folder in [JOURNAL, tlog::FOLDER] {
            let dir = staging.dir.join(folder);
            disk::make_private_dir(&dir).map_err(BackupError::io(&dir))?;
        }
        Ok(staging)
    }

    /// Checks what was copied, cuts it, and gives it its name.
    fn finish(self, manifest: &Manifest, until: Option<u64>, progress: Progress<'_>) -> Result<Restored, BackupError> {
        let read = |name: &str| {
            let file = File::open(self.dir.join(tlog::FOLDER).join(name)).ok()?;
            let mut text = String::new();
            file.take(TLOG_BYTES_MAX).read_to_string(&mut text).ok()?;
            Some(text)
        };
        let tree = Tree::new(tlog::copied_checkpoints(&read)?);
        let mut cut = None;
        let mut visit = |segment, group: &Group<'_>| {
            if cut.is_none() && until.is_some_and(|until| group.next() > until) {
                cut = Some(Cut::before(segment, group));
            }
        };
        verify(&self.dir, &self.dir, manifest, tree, &mut visit, progress)?;
        let tlog_aside = cut.as_ref().map(|cut| self.cut(manifest, cut)).transpose()?.flatten();
        self.name()?;
        let events = cut.as_ref().map_or(manifest.events, |cut| cut.position);
        Ok(Restored { events, left_out: manifest.events - events, cut, tlog_aside })
    }

    /// Gives it its name.
    fn name(self) -> Result<(), BackupError> {
        for name in [JOURNAL, tlog::FOLDER, ""] {
            let folder = self.dir.join(name);
            if folder.exists() {
                disk::sync_dir(&folder).map_err(BackupError::io(&folder))?;
            }
        }
        fs::rename(&self.dir, &self.data).map_err(BackupError::io(&self.data))?;
        disk::sync_dir(disk::parent(&self.data)).map_err(BackupError::io(&self.data))
    }

    /// Cuts the journal, records that, and sets the transparency log aside. Returns the name that it gets.
    fn cut(&self, manifest: &Manifest, cut: &Cut) -> Result<Option<PathBuf>, BackupError> {
        if cut.position == 0 {
            return Err(BackupError::NothingLeft(cut.at.clone()));
        }
        let journal = self.dir.join(JOURNAL);
        for segment in manifest.journal.iter().filter(|segment| segment.first >= cut.segment) {
            let path = journal.join(segment_name(segment.first));
            if segment.first == cut.segment && cut.position > cut.segment {
                let file = fs::OpenOptions::new().write(true).open(&path).map_err(BackupError::io(&path))?;
                file.set_len(cut.offset).map_err(BackupError::io(&path))?;
            } else {
                fs::remove_file(&path).map_err(BackupError::io(&path))?;
            }
        }
        let kept = FileJournal::open(&journal, Options::DEFAULT.segment_bytes)?;
        let event = Entry::of(cut.position, cut.event.clone());
        let event = event.ok_or_else(|| BackupError::damaged(&journal, "it holds something that is no event"))?;
        kept.append(kept.len(), &[HistoryChange::cut_before(&event).accepted()])?;
        if !self.dir.join(tlog::FOLDER).join("key").exists() {
            return Ok(None);
        }
        let aside = Tlog::set_aside(&self.dir)?;
        Ok(aside.file_name().map(|name| self.data.join(name)))
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // Once it has its name, there is nothing to remove.
        let _ = fs::remove_dir_all(&self.dir);
    }
}

/// Copies the first bytes of a regular file to a new one.
fn copy(from: &Path, to: &Path, bytes: u64) -> Result<(), BackupError> {
    len_of(from)?;
    let mut source = File::open(from).map_err(BackupError::io(from))?.take(bytes);
    let mut file = create(to).map_err(BackupError::io(to))?;
    let both = format!("{}, copied to {}", from.display(), to.display());
    if io::copy(&mut source, &mut file).map_err(BackupError::io(Path::new(&both)))? < bytes {
        return Err(BackupError::damaged(from, "it was cut"));
    }
    file.sync_all().map_err(BackupError::io(to))
}
