//! Directories that survive a power cut, and whether a disk accepts writes.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::{Advice, fadvise, statvfs};
use rustix::io::Errno;
use sha2::{Digest, Sha256};

/// How many bytes the disk must accept for the store to be opened for writing: a few groups, and what sled
/// writes when it is opened.
const PROBE_BYTES: usize = 1 << 20;

/// Whatever can wait leaves this much room, in bytes, for what is being recorded.
const RESERVE_BYTES: u64 = 64 << 20;

/// How many bytes are hashed at once.
pub(crate) const HASH_BYTES: usize = 1 << 18;

/// Creates a directory and its parents, so that they survive a power cut.
pub(crate) fn make_dir(dir: &Path) -> io::Result<()> {
    make_dir_with(dir, 0o777)
}

/// Creates a directory and its parents, which only their owner may enter, so that they survive a power cut.
pub(crate) fn make_private_dir(dir: &Path) -> io::Result<()> {
    make_dir_with(dir, 0o700)
}

fn make_dir_with(dir: &Path, mode: u32) -> io::Result<()> {
    let is_new = |dir: &&Path| !dir.as_os_str().is_empty() && !dir.is_dir();
    let new: Vec<&Path> = dir.ancestors().take_while(is_new).collect();
    if new.is_empty() {
        // The process that created it may have died before syncing it. Another user's directory may be
        // unreadable.
        let _ = sync_dir(parent(dir));
        return Ok(());
    }
    DirBuilder::new().recursive(true).mode(mode).create(dir)?;
    new.into_iter().try_for_each(|dir| sync_dir(parent(dir)))
}

/// How many bytes there is room for on the disk of a directory.
fn room(dir: &Path) -> io::Result<u64> {
    let disk = statvfs(dir)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

/// Checks that a directory's disk has room for this many bytes, which could also be written later, and still for what is
/// recorded meanwhile.
///
/// # Errors
/// [`StorageFull`](io::ErrorKind::StorageFull): there is too little room.
pub(crate) fn reserve(dir: &Path, bytes: u64) -> io::Result<()> {
    let is_short = room(dir).is_ok_and(|room| room < bytes.saturating_add(RESERVE_BYTES));
    if is_short { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
}

/// Writes to the end of the file at `path`; it is durable when this returns.
///
/// # Errors
/// The disk refuses, or the file was deleted, moved or replaced: then nobody would find what was written.
pub(crate) fn append(file: &mut File, path: &Path, bytes: &[u8]) -> io::Result<()> {
    file.write_all(bytes)?;
    file.sync_data()?;
    let open = file.metadata()?;
    if fs::metadata(path).is_ok_and(|there| (there.dev(), there.ino()) == (open.dev(), open.ino())) {
        return Ok(());
    }
    let why = format!("{}: the file was deleted or moved: put it back, or restore it from a copy", path.display());
    Err(io::Error::new(io::ErrorKind::NotFound, why))
}

/// Makes what is read of a file from now on come from the disk. The file must be synced; where the kernel does not do it, the
/// bytes come from memory.
pub(crate) fn forget(file: &File) {
    let _ = fadvise(file, 0, None, Advice::DontNeed);
}

/// Whether bytes cannot be had because the disk or the file lost them, rather than because something is short at the moment.
pub(crate) fn is_loss(why: &io::Error) -> bool {
    use io::ErrorKind::{NotFound, UnexpectedEof};
    matches!(why.kind(), NotFound | UnexpectedEof) || why.raw_os_error() == Some(Errno::IO.raw_os_error())
}

/// Hashes everything that can be read.
pub(crate) fn hash(from: &mut impl Read) -> io::Result<Sha256> {
    let (mut hasher, mut piece) = (Sha256::new(), vec![0; HASH_BYTES]);
    loop {
        match from.read(&mut piece)? {
            0 => return Ok(hasher),
            read => hasher.update(&piece[..read]),
        }
    }
}

/// Syncs the entries of a directory.
pub(crate) fn sync_dir(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

/// Replaces a file, or the one that a symbolic link leads to, by one with this mode; a power cut leaves either the old or the
/// new one.
pub(crate) fn replace(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut fresh = path.to_owned().into_os_string();
    fresh.push(".new");
    match fs::remove_file(&fresh) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(&fresh)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&fresh, path)?;
    sync_dir(parent(path))
}

/// The parent of a file or directory; for a bare name, the current directory.
pub(crate) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => path,
    }
}

/// Whether some blocks of a text never reached the disk. The text was appended in one write and contains no
/// zero bytes.
///
/// A missing block in the middle leaves many zeros. The first and the last block may have held only a few
/// bytes of the text, but no single flipped bit turns the first or the last byte of a line into a zero.
pub(crate) fn is_unwritten(text: &[u8]) -> bool {
    const INSIDE: [u8; 32] = [0; 32];
    text.first() == Some(&0) || text.last() == Some(&0) || text.windows(INSIDE.len()).any(|window| window == INSIDE)
}

/// Checks that files can be written to a directory: writes one of 1 MiB, syncs it and removes it.
///
/// # Errors
/// They cannot: the disk is full or failing, or permission is denied.
pub(crate) fn probe(dir: &Path) -> io::Result<()> {
    let path = dir.join("probe");
    let written = OpenOptions::new().write(true).create(true).truncate(true).open(&path).and_then(|mut file| {
        file.write_all(&vec![0x70; PROBE_BYTES])?;
        file.sync_all()
    });
    let removed = match fs::remove_file(&path) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    };
    written.and(removed)
}

#[cfg(test)]
mod tests;
