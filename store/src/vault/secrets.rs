//! The secrets of each log in memory, in the order of their keys.

use std::collections::BTreeMap;
use std::sync::Arc;

use plybook_events::LogId;

/// Values by log and key.
#[derive(Default)]
pub(super) struct Secrets {
    logs: BTreeMap<LogId, Vec<Kept>>,
    len: usize,
}

/// A secret of a log.
pub(super) struct Kept {
    pub key: Box<str>,
    pub value: Arc<[u8]>,
    /// The sequence of its batch; 0 in a file.
    pub at: u64,
}

impl Secrets {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The secret with a key.
    pub fn get(&self, log: LogId, key: &str) -> Option<&Kept> {
        let kept = self.of(log);
        Some(&kept[kept.binary_search_by(|kept| (*kept.key).cmp(key)).ok()?])
    }

    /// All secrets of a log.
    pub fn of(&self, log: LogId) -> &[Kept] {
        self.logs.get(&log).map_or(&[], Vec::as_slice)
    }

    /// All secrets, log by log.
    pub fn all(&self) -> impl Iterator<Item = (LogId, &Kept)> {
        self.logs.iter().flat_map(|(log, all)| all.iter().map(|kept| (*log, kept)))
    }

    /// Adds a secret, or replaces the one with its key.
    pub fn insert(&mut self, log: LogId, secret: Kept) {
        let all = self.logs.entry(log).or_default();
        match all.binary_search_by(|kept| kept.key.cmp(&secret.key)) {
            Ok(known) => all[known] = secret,
            Err(place) => {
                all.reserve_exact(if all.len() < 8 { 1 } else { all.len() / 4 });
                all.insert(place, secret);
                self.len += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests;
