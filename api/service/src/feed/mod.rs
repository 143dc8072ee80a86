//! The feed: the events of many games, in the order of the journal.

mod cursor;
mod tail;

use std::sync::Arc;

use plybook_events::LogId;
use plybook_models::{Filter, Summary};
use plybook_store::{Entry, EventBytes};
use tokio::sync::watch;

pub use cursor::{FeedCursor, FeedStart};
pub(super) use tail::Tail;

use super::Service;
use crate::error::Problem;

/// How many events of the journal are read at once. They are in memory until a page is made of them.
const READ_EVENTS: usize = 64;

/// How many events of the journal are read for one page. A page may end there, with few events or none, so that
/// a reader whose filter accepts little does not read everything again after a lost connection.
const SCAN_EVENTS: u64 = 1_024;

/// How many games are looked up in the index of logs before the journal is read on instead.
const LOOKED_UP: usize = 64;

/// Reads the events of all games that a filter accepts, each once and in the order of the journal, and waits for
/// more. It holds no events.
///
/// It scans the journal. Where a whole page of it has no such event, an index skip scan finds the next one: by the sets of
/// games that the filter accepts, and the positions of their logs.
pub struct Feed {
    service: Arc<Service>,
    filter: Filter,
    /// How far it has read.
    cursor: FeedCursor,
    /// How far the reader of the pages knows that it has read.
    told: FeedCursor,
    grown: watch::Receiver<u64>,
}

/// The next events, possibly none.
pub struct FeedPage {
    /// In the order of the journal.
    pub events: Vec<FeedEvent>,
    /// Where the next page begins.
    pub cursor: FeedCursor,
}

/// An event of a game.
pub struct FeedEvent {
    /// What is known about the game now.
    pub game: Arc<Summary>,
    /// The exact bytes of the event.
    pub bytes: EventBytes,
    /// Where the feed continues after this event.
    pub cursor: FeedCursor,
}

/// The size of a page.
#[derive(Clone, Copy, Debug)]
pub struct FeedPageSize {
    /// The most events.
    pub events: usize,
    /// The most bytes; a single event may exceed this.
    pub bytes: usize,
}

impl Service {
    /// The feed of the games that a filter accepts.
    ///
    /// # Errors
    /// What is recorded here does not lead to the cursor, or the journal cannot be read.
    pub fn open_feed(self: &Arc<Self>, filter: Filter, start: FeedStart) -> Result<Feed, Problem> {
        // Listening starts before anything is read, so nothing in between is missed.
        let grown = self.tail.watch();
        let cursor = match start {
            FeedStart::Beginning => FeedCursor::START,
            FeedStart::Now => self.feed_end()?,
            FeedStart::After(cursor) => self.found(cursor)?,
        };
        Ok(Feed { service: Arc::clone(self), filter, cursor, told: cursor, grown })
    }

    /// The cursor after everything that is recorded.
    fn feed_end(&self) -> Result<FeedCursor, Problem> {
        self.cursor_at(self.models().known().position())
    }

    /// Checks that a cursor comes from here.
    fn found(&self, cursor: FeedCursor) -> Result<FeedCursor, Problem> {
        let end = self.models().known().position();
        if cursor.position() > end {
            return Err(Problem::NotFound(
                "`after`: this cursor is ahead of what is recorded here: it is another service's, or the data was \
                 restored from an older copy; start without `after`, or with `now`"
                    .to_owned(),
            ));
        }
        if self.cursor_at(cursor.position())? != cursor {
            return Err(Problem::NotFound(
                "`after`: something else is recorded here than where this cursor comes from: it is another service's, \
                 or the data was restored from an older copy; start without `after`, or with `now`"
                    .to_owned(),
            ));
        }
        Ok(cursor)
    }

    /// The cursor of a position up to which something is recorded.
    fn cursor_at(&self, position: u64) -> Result<FeedCursor, Problem> {
        let Some(last) = position.checked_sub(1) else { return Ok(FeedCursor::START) };
        let entries = self.journal(last, 1)?;
        entries.first().map(FeedCursor::after).ok_or_else(|| Problem::internal("the journal is shorter than its end"))
    }

    /// Some events of the journal from a position on; none only at its end.
    fn journal(&self, position: u64, limit: usize) -> Result<Vec<Entry>, Problem> {
        match self.tail.entries(position, limit) {
            Some(entries) => Ok(entries),
            None => Ok(self.log().entries(position, limit)?),
        }
    }
}

impl Feed {
    /// A page without events, which says how far the feed has come.
    pub fn bookmark(&mut self) -> FeedPage {
        self.told = self.cursor;
        FeedPage { events: Vec::new(), cursor: self.cursor }
    }

    /// The next page; `None` if there is nothing to tell until the journal has [grown](Self::grown). A page without
    /// events tells how far the feed has come.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn next_page(&mut self, size: FeedPageSize) -> Result<Option<FeedPage>, Problem> {
        let (mut events, mut room) = (Vec::new(), size);
        let scan_end = self.told.position() + SCAN_EVENTS;
        while self.cursor.position() < scan_end && !self.read(&mut events, &mut room)? {}
        if events.is_empty() {
            if self.cursor.position() < scan_end {
                return Ok(None);
            }
            self.skip()?;
        }
        self.told = self.cursor;
        Ok(Some(FeedPage { events, cursor: self.cursor }))
    }

    /// Adds events to a page as long as there is room. Returns whether the page or the journal ends here.
    fn read(&mut self, events: &mut Vec<FeedEvent>, room: &mut FeedPageSize) -> Result<bool, Problem> {
        let entries = self.service.journal(self.cursor.position(), READ_EVENTS)?;
        let known = self.service.models().known();
        let find = known.games.finder(&self.filter);
        let is_last = entries.last().is_none_or(|last| last.position + 1 >= known.position());
        // What was recorded a moment ago may not be in the catalogue yet.
        for entry in entries.iter().take_while(|entry| entry.position < known.position()) {
            if let Some(game) = find(entry.log) {
                if !events.is_empty() && entry.bytes.len() > room.bytes {
                    return Ok(true);
                }
                room.bytes = room.bytes.saturating_sub(entry.bytes.len());
                room.events = room.events.saturating_sub(1);
                let bytes = Arc::clone(&entry.bytes);
                events.push(FeedEvent { game, bytes, cursor: FeedCursor::after(entry) });
            }
            self.cursor = FeedCursor::after(entry);
            if !events.is_empty() && (room.events == 0 || room.bytes == 0) {
                return Ok(true);
            }
        }
        Ok(is_last)
    }

    /// Goes on to the next event of a game that the filter accepts, or to the end if there is none. Stays where it is
    /// if too many games would have to be looked up.
    fn skip(&mut self) -> Result<(), Problem> {
        let (by_kind, end) = {
            let known = self.service.models().known();
            let games = known.games.select(&self.filter);
            let by_kind: Vec<Vec<LogId>> = games.begun().map(|games| games.take(LOOKED_UP + 1).collect()).collect();
            (by_kind, known.position())
        };
        let (from, mut next, mut looked_up) = (self.cursor.position(), end, 0);
        for games in by_kind {
            for game in games {
                if looked_up == LOOKED_UP {
                    return Ok(());
                }
                looked_up += 1;
                let Some(event) = self.service.log().entry_from(game, from)? else { continue };
                next = next.min(event.position);
                if event.seq == 0 {
                    // The other games of this kind begin later.
                    break;
                }
            }
        }
        if next > from {
            self.cursor = self.service.cursor_at(next)?;
        }
        Ok(())
    }

    /// Waits until the journal has grown since the last call, or since the feed began.
    pub async fn grown(&mut self) {
        self.grown.changed().await.expect("the service lives as long as its feeds");
    }
}
