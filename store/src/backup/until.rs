//! Where a journal is cut to go back to a point in time.

use std::collections::BTreeMap;
use std::str::FromStr;

use plybook_events::{Body, Envelope, Event, LogId, Timestamp};

use crate::entry::EventBytes;
use crate::journal::Group;

/// How far a journal is restored. Groups of events that were written together stay together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Events before this position.
    Position(u64),
    /// Up to the last event that the service dated at this time or before. The times that imported events carry do not count, but
    /// those of their imports do.
    Time(Timestamp),
}

/// The text is neither a position nor a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("neither a position in the journal, such as 1200, nor a time, such as 2026-11-20T14:03:11Z")]
pub struct UntilError;

impl FromStr for Until {
    type Err = UntilError;

    fn from_str(text: &str) -> Result<Self, UntilError> {
        match text.parse() {
            Ok(position) => Ok(Self::Position(position)),
            Err(_) => Timestamp::parse_lenient(text).map(Self::Time).map_err(|_| UntilError),
        }
    }
}

/// Where a journal was cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The journal position of the first event that was left out.
    pub position: u64,
    /// When it was recorded, as it says.
    pub at: String,
    /// The position at which its segment starts.
    pub(super) segment: u64,
    /// Where its group starts in the segment, in bytes.
    pub(super) offset: u64,
    /// Its bytes.
    pub(super) event: EventBytes,
}

/// Finds the place of the cut while a journal is read.
pub(super) struct Cutting {
    until: Option<Until>,
    /// After the last group that stays.
    pub cut: Option<Cut>,
}

impl Cutting {
    pub(super) fn new(until: Option<Until>) -> Self {
        Self { until, cut: None }
    }

    /// Takes the next group of the journal.
    pub(super) fn take(&mut self, segment: u64, group: &Group<'_>) {
        let stays = match self.until {
            None => true,
            Some(Until::Position(end)) => group.next() <= end,
            Some(Until::Time(time)) => is_from(group, time),
        };
        if stays {
            // What came before it was recorded before it, whatever times it has.
            self.cut = None;
        } else if self.cut.is_none() {
            let (position, offset, event) = (group.position, group.offset, EventBytes::from(group.events[0]));
            let at = Envelope::at_of(&event).map_or_else(String::new, |at| String::from_utf8_lossy(at).into_owned());
            self.cut = Some(Cut { position, at, segment, offset, event });
        }
    }
}

/// Whether the service had dated an event of this group by then. It never dates an event back, but those that are imported carry
/// any time.
fn is_from(group: &Group<'_>, time: Timestamp) -> bool {
    let time = time.to_string();
    let mut imported: BTreeMap<LogId, u64> = BTreeMap::new();
    group.events.iter().any(|bytes| {
        let Ok(envelope) = Envelope::split(bytes) else { return false };
        if envelope.type_name == "imported"
            && let Ok(Event { body: Body::Imported(mark), .. }) = Event::parse(bytes)
        {
            imported.insert(mark.log, mark.last);
        }
        let last = envelope.log().ok().and_then(|log| imported.get(&log));
        let is_imported = last.is_some_and(|last| envelope.seq <= *last);
        !is_imported && envelope.at.as_slice() <= time.as_bytes()
    })
}
