//! Folders that survive a power cut.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Creates a folder that is still there after a power cut.
pub(crate) fn make_dir(dir: &Path) -> io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(dir)?;
    // The parent may be new as well; more new folders than that are unlikely.
    for dir in dir.ancestors().skip(1).take(2).filter(|dir| dir.is_dir()) {
        sync_dir(dir)?;
    }
    Ok(())
}

/// Syncs the names in a folder.
pub(crate) fn sync_dir(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}
