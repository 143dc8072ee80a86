//! Reads closed segments again, all at once, to find out whether they are damaged.

use std::collections::BTreeSet;
use std::path::Path;

use super::closed::{self, Closed, OTHER, Pace};
use super::examine::{self, Damage, Examination};
use super::file::segments_in;
use super::text::Text;
use super::{JournalError, segment_name};
use crate::disk;

/// What is said of a segment that the disk has lost.
const LOST: &str = "the disk does not give it back";

/// What was read, and what is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scrub {
    /// The number of closed segments.
    pub segments: u64,
    /// The number of bytes of text that were read.
    pub bytes: u64,
    /// In the order of positions.
    pub damages: Vec<Damage>,
}

/// Reads every closed segment of a journal in a directory, and compares it with what is known of it. Changes nothing; a service
/// may be recording in it, and compressing it. `pace` is told how many bytes of text were read just now, of about how many in
/// all; it may wait.
///
/// # Errors
/// A file cannot be read for another reason than that the disk has lost it.
pub fn scrub(dir: &Path, pace: &mut dyn FnMut(u64, u64)) -> Result<Scrub, JournalError> {
    let known = closed::read(dir);
    let total = known.values().map(|closed| closed.text_bytes).sum();
    let mut firsts = segments_in(dir)?;
    // Nothing is known of the last one, unless it was closed: then it is compressed, or there is another one by now.
    firsts.retain(|first| known.contains_key(first) || dir.join(segment_name(*first)).exists());
    let missing = known.values().filter(|known| firsts.binary_search(&known.first).is_err());
    let mut found = Scrub { damages: missing.map(|known| Damage::missing(dir, known)).collect(), ..Scrub::default() };
    for (n, first) in firsts.iter().enumerate() {
        let following = firsts.get(n + 1).copied();
        if following.is_none() && !known.contains_key(first) {
            break;
        }
        found.segments += 1;
        let mut counting = |bytes| {
            found.bytes += bytes;
            pace(bytes, total);
            true
        };
        let why = match again(dir, *first, known.get(first), &mut counting) {
            Ok(true) => continue,
            Ok(false) => OTHER,
            Err(JournalError::Damaged { why, .. }) => why,
            Err(JournalError::Io { path: file, source }) if disk::is_loss(&source) => {
                let (first, logs) = (*first, BTreeSet::new());
                found.damages.push(Damage { file, offset: 0, why: LOST, first, next: following, logs });
                continue;
            }
            Err(why) => return Err(why),
        };
        found.damages.extend(damages(dir, *first, following, why)?);
    }
    found.damages.sort_by_key(|damage| damage.first);
    Ok(found)
}

/// Reads a segment. Returns whether it is what is known of it.
fn again(dir: &Path, first: u64, known: Option<&Closed>, pace: Pace<'_>) -> Result<bool, JournalError> {
    let mut text = Text::open(dir, first)?;
    let now = Closed::read(&mut text, first, pace)?.expect("nothing ends it");
    let is_now = |known: &Closed| known.is_like(&now);
    // What is known was read before: a service may have replaced the file since.
    Ok(known.is_none_or(|known| is_now(known) || closed::read(dir).get(&first).is_some_and(is_now)))
}

/// What exactly is wrong with a segment: places, events and logs.
fn damages(dir: &Path, first: u64, following: Option<u64>, why: &'static str) -> Result<Vec<Damage>, JournalError> {
    let mut examined = Examination { events: first, ..Examination::default() };
    examine::segment(dir, first, following, &mut examined)?;
    if examined.damages.is_empty() {
        let file = Text::open(dir, first)?.path().to_owned();
        examined.damages.push(Damage { file, offset: 0, why, first, next: following, logs: BTreeSet::new() });
    }
    Ok(examined.damages)
}
