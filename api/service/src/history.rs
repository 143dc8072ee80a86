//! Changes of the journal that were accepted.

use plybook_events::{Body, Envelope, Event, Timestamp};
use plybook_store::HistoryChange;

use super::Service;
use crate::error::Problem;

/// How many events are read at once.
const PAGE: usize = 4096;

/// The type of the events that are looked for.
const TYPE: &str = "history_accepted";

impl Service {
    /// Every change of the journal that was accepted, and when; read from the whole journal.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn accepted_changes(&self) -> Result<Vec<(Timestamp, HistoryChange)>, Problem> {
        let (mut found, mut position) = (Vec::new(), 0);
        while position < self.log().len() {
            let entries = self.log().entries(position, PAGE)?;
            position += entries.len() as u64;
            for entry in entries.iter().filter(|entry| is_accepted(&entry.bytes)) {
                let event = Event::parse(&entry.bytes).map_err(Problem::internal)?;
                if let Body::HistoryAccepted(accepted) = event.body {
                    found.push((event.at, accepted.into()));
                }
            }
        }
        Ok(found)
    }
}

fn is_accepted(bytes: &[u8]) -> bool {
    Envelope::split(bytes).is_ok_and(|envelope| envelope.type_name == TYPE)
}
