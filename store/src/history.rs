//! A journal that is not the one that the index was made from.

use std::fmt;

use plybook_events::body::{EventRef, HistoryAccepted};
use plybook_events::{Body, Hash, LogId};

use crate::entry::{Entry, EventBytes};
use crate::operator;

/// The first event of the journal that is not the one that the index has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryChange {
    /// The position in the journal.
    pub position: u64,
    /// What was recorded there, as the index has it; `None` if the index has nothing at that position.
    pub recorded: Option<EventRef>,
    /// What the journal has there now; `None` if it ends before.
    pub found: Option<EventRef>,
}

impl HistoryChange {
    /// What the index and the journal have at a position.
    pub(crate) fn at(position: u64, recorded: Option<&Entry>, found: Option<&Entry>) -> Self {
        Self { position, recorded: recorded.map(named), found: found.map(named) }
    }

    /// The end of a journal from which this event and all that followed it were left out.
    pub(crate) fn cut_before(event: &Entry) -> Self {
        Self { position: event.position, recorded: Some(named(event)), found: None }
    }

    /// The event that records that somebody accepted the change, now.
    pub(crate) fn accepted(&self) -> EventBytes {
        let at = operator::now();
        let Self { position, recorded, found } = self.clone();
        let hash = |event: &Option<EventRef>| event.as_ref().map_or(Hash::ZERO, |event| event.hash).0;
        let moment = at.as_millis().to_be_bytes();
        let id = [&b"plybook/accepted/v1\0"[..], &position.to_be_bytes(), &hash(&recorded), &hash(&found), &moment];
        let log = LogId::from_hash(&Hash::of_parts(&id));
        let body = Body::HistoryAccepted(HistoryAccepted { position, recorded, found });
        operator::statement(log, at, body).to_bytes().expect("it is short and plain").into()
    }
}

impl From<HistoryAccepted> for HistoryChange {
    fn from(HistoryAccepted { position, recorded, found }: HistoryAccepted) -> Self {
        Self { position, recorded, found }
    }
}

impl fmt::Display for HistoryChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {} of the journal: ", self.position)?;
        match &self.recorded {
            Some(EventRef { log, seq, hash }) => write!(f, "event {seq} of {log} was recorded there ({hash}), ")?,
            None => f.write_str("nothing was recorded there, ")?,
        }
        match &self.found {
            Some(EventRef { log, seq, hash }) => write!(f, "now it is event {seq} of {log} ({hash})"),
            None => f.write_str("now the journal ends before it"),
        }
    }
}

fn named(entry: &Entry) -> EventRef {
    EventRef { log: entry.log, seq: entry.seq, hash: entry.hash }
}
