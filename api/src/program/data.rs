//! Opens a data directory, with a progress bar if it takes long.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use plybook_store::{OpenError, Options, Store};

use super::Failure;
use super::settings::File;
use crate::service::Service;

/// A progress bar on standard error, shown only on a terminal.
pub(crate) fn bar(what: &'static str, total: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta}").expect("the template is right");
    let bar = ProgressBar::new(total).with_style(style).with_message(what);
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Opens a data directory, rebuilding its index if necessary.
pub(crate) fn open(dir: &Path, file: &File) -> Result<Store, Failure> {
    shown(|progress| Store::open(dir, &options(file), progress))
}

/// Opens a data directory to write to it.
///
/// # Errors
/// The disk refuses writes.
pub(crate) fn open_to_write(dir: &Path, file: &File) -> Result<Store, Failure> {
    let store = open(dir, file)?;
    match store.refusal() {
        Some(why) => Err(Failure::trouble(format!("{}: nothing can be written there: {why}", dir.display()))),
        None => Ok(store),
    }
}

/// Opens a data directory and rebuilds its index.
pub(crate) fn rebuild(dir: &Path, file: &File) -> Result<Store, Failure> {
    shown(|progress| Store::rebuild(dir, &options(file), progress))
}

/// Opens a data directory for reading: nothing in it changes, and a service may be using it.
pub(crate) fn read(dir: &Path) -> Result<Arc<Service>, Failure> {
    check_there(dir)?;
    let store = shown(|progress| Store::open_to_read(dir, progress))?;
    Service::start_to_read(store).map_err(Failure::trouble)
}

fn options(file: &File) -> Options {
    let defaults = Options::default();
    Options {
        segment_bytes: file.segment_mib.map_or(defaults.segment_bytes, |mib| mib << 20),
        cache_bytes: file.cache_mib.map_or(defaults.cache_bytes, |mib| mib << 20),
    }
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

/// Checks that a directory holds a store, so that a command that only reads does not create one.
///
/// # Errors
/// There is no store in the directory.
pub(crate) fn check_there(dir: &Path) -> Result<(), Failure> {
    if dir.join("journal").is_dir() {
        return Ok(());
    }
    let dir = dir.display();
    Err(Failure::trouble(format!("there is no store in {dir}: name the data directory that `plybook serve` uses")))
}

/// Opens a data directory and starts the service on it, without serving requests.
pub(crate) fn service(dir: &Path, file: &File) -> Result<Arc<Service>, Failure> {
    Service::start(open(dir, file)?).map_err(Failure::trouble)
}
