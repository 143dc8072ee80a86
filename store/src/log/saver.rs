//! Keeps the ends of all logs for the next start, from time to time and at the end.

use super::Shared;
use crate::TableError;
use crate::ends::EndsFiles;

/// The ends are kept again after a quarter as many events as there are logs, but after at least so many events, and at most so many:
/// that is what a start reads after a kill, and the rest of their segment.
const SAVE_EVENTS: (u64, u64) = (65_536, 500_000);

/// Saves the ends of all logs.
pub(crate) struct Saver {
    files: EndsFiles,
    /// The number of events at the last attempt.
    tried: u64,
}

impl Saver {
    /// `saved` is the number of events whose ends are saved, if they are to be believed; otherwise 0.
    pub(crate) fn new(files: EndsFiles, saved: u64) -> Self {
        Self { files, tried: saved }
    }

    /// Whether so much was recorded since that a start would take long to read it.
    pub(super) fn is_due(&self, shared: &Shared) -> bool {
        let state = shared.state();
        let (least, most) = SAVE_EVENTS;
        let due = (state.logs_len() as u64 / 4).clamp(least, most);
        state.len().saturating_sub(self.tried) >= due
    }

    /// Saves the ends of all logs. If that fails, the next start reads more, and nothing is tried until it is due again.
    pub(super) fn save(&mut self, shared: &Shared) {
        let events = shared.state().len();
        if events == self.tried {
            return;
        }
        self.tried = events;
        if let Err(why) = self.try_save(shared) {
            tracing::warn!(%why, "the ends of logs are not kept; a start takes longer");
        }
    }

    fn try_save(&self, shared: &Shared) -> Result<(), Box<dyn std::error::Error>> {
        let (saved, newer, events) = shared.begin_saving();
        match self.files.write(saved.as_deref(), &newer, events) {
            Ok(saved) => {
                drop(newer);
                shared.finish_saving(saved);
            }
            Err(why) => match saved {
                Some(saved) if matches!(why, TableError::Damaged(_)) => {
                    drop(newer);
                    shared.remake_ends(&saved, &why)?;
                    return self.try_save(shared);
                }
                _ => return Err(why.into()),
            },
        }
        Ok(())
    }
}
