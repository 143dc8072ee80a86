//! The files of a read model: some that are replaced as a whole, and some that only grow.
//!
//! They are in a folder of the index, so they can be deleted with it; they stay when sled is made again. Everything in it is
//! derived from the journal.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::disk;

/// The buffer of a file that is being written.
const BUFFER_BYTES: usize = 1 << 18;

/// A folder of files. Clones refer to the same folder.
#[derive(Clone)]
pub struct ModelFiles {
    dir: Arc<Path>,
}

impl ModelFiles {
    /// Opens a folder; creates it if it does not exist.
    pub(crate) fn open(dir: PathBuf) -> io::Result<Self> {
        disk::make_dir(&dir)?;
        Ok(Self { dir: dir.into() })
    }

    /// Writes a file of about this many bytes, in place of the one of that name. A power cut or an error leaves the old one.
    ///
    /// # Errors
    /// The disk refuses or has no room to spare, or `write` fails.
    pub fn replace(
        &self,
        name: &str,
        bytes: u64,
        write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> io::Result<()> {
        self.reserve(bytes)?;
        let (path, fresh) = (self.dir.join(name), self.dir.join(format!("{name}.new")));
        let written = || {
            let mut file = BufWriter::with_capacity(BUFFER_BYTES, File::create(&fresh)?);
            write(&mut file)?;
            file.flush()?;
            file.get_ref().sync_all()?;
            fs::rename(&fresh, &path)
        };
        written().inspect_err(|_| drop(fs::remove_file(&fresh)))?;
        disk::sync_dir(&self.dir)
    }

    /// Checks that there is room for this many bytes, and still for what is recorded meanwhile.
    ///
    /// # Errors
    /// There is too little.
    pub fn reserve(&self, bytes: u64) -> io::Result<()> {
        disk::reserve(&self.dir, bytes)
    }

    /// Opens a file to read and write.
    ///
    /// # Errors
    /// It is missing, or the system refuses.
    pub fn file(&self, name: &str) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).open(self.dir.join(name))
    }

    /// Removes the files whose names are accepted; those that are open can still be read.
    ///
    /// # Errors
    /// The system refuses.
    pub fn remove(&self, is_gone: impl Fn(&str) -> bool) -> io::Result<()> {
        for entry in fs::read_dir(&self.dir)? {
            let path = entry?.path();
            if path.file_name().and_then(|name| name.to_str()).is_some_and(&is_gone) {
                fs::remove_file(path)?;
            }
        }
        disk::sync_dir(&self.dir)
    }

    /// Whether bytes of a file are lost or damaged, rather than out of reach at the moment.
    pub fn is_damage(why: &io::Error) -> bool {
        disk::is_loss(why) || why.kind() == ErrorKind::InvalidData
    }
}

#[cfg(test)]
mod tests;
