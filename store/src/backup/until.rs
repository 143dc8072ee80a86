//! Where a journal is cut to go back in time.

use plybook_events::Envelope;

use crate::entry::EventBytes;
use crate::journal::Group;

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

/// Finds the place of the cut while a journal is read. Groups of events that were written together stay together.
pub(super) struct Cutting {
    /// The position before which events stay.
    until: Option<u64>,
    /// After the last group that stays.
    pub cut: Option<Cut>,
}

impl Cutting {
    pub(super) fn new(until: Option<u64>) -> Self {
        Self { until, cut: None }
    }

    /// Takes the next group of the journal.
    pub(super) fn take(&mut self, segment: u64, group: &Group<'_>) {
        if self.cut.is_none() && self.until.is_some_and(|until| group.next() > until) {
            let (position, offset, event) = (group.position, group.offset, EventBytes::from(group.events[0]));
            let at = Envelope::at_of(&event).map_or_else(String::new, |at| String::from_utf8_lossy(at).into_owned());
            self.cut = Some(Cut { position, at, segment, offset, event });
        }
    }
}
