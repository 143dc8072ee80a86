//! Making files and folders last.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// Makes a folder that is still there after a power cut.
pub(crate) fn make_dir(dir: &Path) -> io::Result<()> {
    if dir.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(dir)?;
    // A parent that was made as well has to last too; its own parent is the most that is likely.
    for dir in dir.ancestors().skip(1).take(2).filter(|dir| dir.is_dir()) {
        sync_dir(dir)?;
    }
    Ok(())
}

/// Makes the names in a folder last.
pub(crate) fn sync_dir(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}
