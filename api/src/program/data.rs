//! Opens a data directory, with a progress bar if it takes long.

use std::fs;
use std::io::ErrorKind;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use plybook_models::Catalogue;
use plybook_service::Service;
use plybook_store::{BACKUP_MANIFEST, OpenError, Options, Store, UpkeepProgress, VaultKey};
use plybook_tlog::Quorum;

use super::Failure;

/// A progress bar on standard error, shown only on a terminal.
pub(crate) fn bar(what: &'static str, total: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}").expect("the template is right");
    let bar = ProgressBar::new(total).with_style(style).with_message(what);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Opens a data directory, rebuilding its index if necessary.
///
/// # Errors
/// It is a backup, or cannot be opened.
pub(crate) fn open(dir: &Path, options: &Options) -> Result<Store, Failure> {
    check_no_backup(dir)?;
    shown(|progress| Store::open(dir, options, progress))
}

/// Opens a data directory to write to it.
///
/// # Errors
/// The disk refuses writes.
pub(crate) fn open_to_write(dir: &Path, options: &Options) -> Result<Store, Failure> {
    let store = open(dir, options)?;
    match store.refusal() {
        Some(why) => Err(Failure::trouble(format!("{}: nothing can be written there: {why}", dir.display()))),
        None => Ok(store),
    }
}

/// Opens a data directory and rebuilds its index.
pub(crate) fn rebuild(dir: &Path, options: &Options) -> Result<Store, Failure> {
    check_no_backup(dir)?;
    shown(|progress| Store::rebuild(dir, options, progress))
}

/// Opens a data directory for reading: nothing in it changes, and a service may be using it.
pub(crate) fn read(dir: &Path, vault_key: Option<&VaultKey>) -> Result<Arc<Service>, Failure> {
    check_there(dir)?;
    let store = shown(|progress| Store::open_to_read(dir, vault_key, progress))?;
    Service::start_to_read(store).map_err(Failure::trouble)
}

/// Like [`read`], with the transparency log.
pub(crate) fn read_with_tlog(dir: &Path, vault_key: Option<&VaultKey>) -> Result<Arc<Service>, Failure> {
    check_there(dir)?;
    let store = shown(|progress| Store::open_to_read(dir, vault_key, progress))?;
    store.keep_tlog(dir, None, Quorum::default(), false).map_err(Failure::trouble)?;
    Service::start_to_read(store).map_err(Failure::trouble)
}

/// Like [`read`], with the analyses in the index, which is caught up with the journal for that. No service may be using it.
pub(crate) fn read_with_analyses(dir: &Path, options: &Options) -> Result<Arc<Service>, Failure> {
    check_there(dir)?;
    Service::start_to_read(open_to_write(dir, options)?).map_err(Failure::trouble)
}

/// Opens a store with a progress bar.
fn shown(open: impl FnOnce(&mut dyn FnMut(u64, u64)) -> Result<Store, OpenError>) -> Result<Store, Failure> {
    let progress = bar("index", 0);
    let store = open(&mut |done, total| {
        progress.set_length(total);
        progress.set_position(done);
    });
    progress.finish_and_clear();
    store.map_err(Failure::trouble)
}

/// Checks that a directory is not a backup, in which nothing is to be written.
///
/// # Errors
/// It is one.
pub(crate) fn check_no_backup(dir: &Path) -> Result<(), Failure> {
    if !dir.join(BACKUP_MANIFEST).exists() {
        return Ok(());
    }
    let dir = dir.display();
    Err(Failure::refused(format!(
        "{dir} is a backup, not a data directory: make one of it with `plybook restore --from {dir} --data DIRECTORY`"
    )))
}

/// Checks that a directory holds a store, so that a command that only reads does not create one.
///
/// # Errors
/// It is a backup, whose journal alone would be found; there is no store in the directory, or it cannot be read.
pub(crate) fn check_there(dir: &Path) -> Result<(), Failure> {
    check_no_backup(dir)?;
    check_journal(dir)
}

/// Checks that a directory holds a journal: a data directory, or a backup.
///
/// # Errors
/// There is none in the directory, or it cannot be read.
pub(crate) fn check_journal(dir: &Path) -> Result<(), Failure> {
    // A node whose journal is in a stream has the folder, too, which is what it locks.
    let found = fs::read_dir(dir.join("journal")).map(|mut files| files.next().is_some());
    let dir = dir.display();
    match found {
        Ok(true) => return Ok(()),
        Err(why) if why.kind() == ErrorKind::PermissionDenied => {
            return Err(Failure::trouble(format!(
                "{dir}: {why}: run this as the user of `plybook serve`, as with `sudo -u plybook`"
            )));
        }
        _ => {}
    }
    Err(Failure::trouble(format!("there is no store in {dir}: name the data directory that `plybook serve` uses")))
}

/// Opens a data directory and starts the service on it, with its transparency log, without serving requests. Calls `report`
/// with what is done for the journal's closed segments.
pub(crate) fn service(
    dir: &Path,
    options: &Options,
    origin: Option<&str>,
    quorum: Quorum,
    compresses: bool,
    report: impl Fn(&UpkeepProgress) + Send + 'static,
) -> Result<Arc<Service>, Failure> {
    let mut store = open(dir, options)?;
    // The lists of games are read while the last events are compared with the transparency log.
    let models = thread::scope(|scope| {
        let models = scope.spawn(|| Catalogue::open(&store));
        let compared = store.keep_tlog(dir, origin, quorum, options.accepts_change);
        let models = models.join().unwrap_or_else(|panic| resume_unwind(panic));
        compared.map_err(Failure::trouble)?;
        models.map_err(Failure::trouble)
    })?;
    if compresses {
        store.compress_segments(report).map_err(Failure::trouble)?;
    }
    Service::start_with(store, models).map_err(Failure::trouble)
}
