//! Records and logs, written piece by piece, so that no log has to be in memory as a whole.

use std::collections::VecDeque;
use std::sync::Arc;

use plybook_events::{Hash, LogId};
use plybook_models::Audience;
use plybook_rules::log::{RecordPart, RecordedLog, Replay, line_parts, record_parts};
use serde_json::Value;

use super::Service;
use crate::error::Problem;
use crate::load::Meter;

/// How many bytes of a log are read at once; a single event may exceed this.
const PAGE_BYTES: usize = 32 << 10;

/// Something that remains to be written.
enum Part {
    /// A part of a JSON record.
    Record(RecordPart),
    /// A line of analysis in a JSON record, which is folded when it is its turn.
    Line(LogId),
    /// The exact lines of a log, up to and without seq `end`.
    Lines { log: LogId, end: u64 },
}

/// The most lines in a game's record.
pub(super) const RECORD_LINES_MAX: usize = 2_000;

/// A text that is written piece by piece.
#[derive(Default)]
pub struct Pieces {
    left: VecDeque<Part>,
    /// The seq of the next event of the first part, if that part consists of events.
    next: u64,
}

impl Pieces {
    /// Whether everything was written.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// The length of what is left, without the events that are still to be read.
    pub fn bytes(&self) -> usize {
        let text = |part: &Part| if let Part::Record(RecordPart::Text(text)) = part { text.len() } else { 0 };
        self.left.iter().map(text).sum()
    }

    /// Adds a member to a JSON record of which nothing is written yet.
    pub fn add_member(&mut self, name: &str, value: &Value) {
        if let Some(Part::Record(RecordPart::Text(text))) = self.left.front_mut() {
            text.insert_str(1, &format!("\"{name}\":{value},"));
        }
    }

    /// Adds the end of a line.
    pub fn end_line(&mut self) {
        self.left.push_back(Part::Record(RecordPart::Text("\n".to_owned())));
    }
}

impl Service {
    /// The exact events of a log before seq `end`, one per line.
    pub fn log_pieces(&self, log: LogId, end: u64) -> Pieces {
        Pieces { left: [Part::Lines { log, end }].into(), next: 0 }
    }

    /// The JSON record of a game or a line in the state of `replay`, with the lines below it, parents first and at most
    /// [`RECORD_LINES_MAX`]; with a `cursor` in an export.
    ///
    /// # Errors
    /// A log cannot be read, or the meter stops it.
    pub fn record_pieces(
        &self,
        replay: &Arc<Replay>,
        cursor: Option<String>,
        meter: &Meter<'_>,
    ) -> Result<Pieces, Problem> {
        let game = self.logged(Arc::clone(replay))?;
        let below = self.lines_below(replay.log(), Audience::Everybody, RECORD_LINES_MAX, meter)?;
        let mut left = VecDeque::new();
        for part in record_parts(&game, !below.is_empty(), cursor) {
            match part {
                RecordPart::Lines => {
                    for (number, line) in below.iter().enumerate() {
                        if number > 0 {
                            left.push_back(Part::Record(RecordPart::Text(",".to_owned())));
                        }
                        left.push_back(Part::Line(*line));
                    }
                }
                part => left.push_back(Part::Record(part)),
            }
        }
        Ok(Pieces { left, next: 0 })
    }

    /// Checks that every line of a record can be read, before any of it is sent.
    ///
    /// # Errors
    /// A log cannot be read.
    pub fn check_lines(&self, pieces: &Pieces) -> Result<(), Problem> {
        pieces.left.iter().try_for_each(|part| match part {
            Part::Line(line) => self.glance(*line).map(drop),
            _ => Ok(()),
        })
    }

    fn logged(&self, replay: Arc<Replay>) -> Result<RecordedLog, Problem> {
        let last = self.log().read_page(replay.log(), replay.events() - 1, 1, 1)?;
        let head = last.first().map(|line| Hash::of_event(line)).ok_or_else(|| Problem::no_game(replay.log()))?;
        Ok(RecordedLog { replay, head })
    }

    /// Writes the next part, or a page of a log.
    ///
    /// # Errors
    /// A log cannot be read.
    pub fn write_piece(&self, pieces: &mut Pieces, out: &mut Vec<u8>) -> Result<(), Problem> {
        let (log, end) = match pieces.left.front() {
            None => return Ok(()),
            Some(Part::Record(RecordPart::Text(text))) => {
                out.extend_from_slice(text.as_bytes());
                pieces.left.pop_front();
                return Ok(());
            }
            Some(Part::Line(line)) => {
                let parts = line_parts(&self.logged(self.glance(*line)?)?);
                pieces.left.pop_front();
                parts.into_iter().rev().for_each(|part| pieces.left.push_front(Part::Record(part)));
                return Ok(());
            }
            Some(Part::Record(RecordPart::Lines)) => unreachable!("its lines stand in its place"),
            Some(Part::Record(RecordPart::Events { log, end }) | Part::Lines { log, end }) => (*log, *end),
        };
        let are_strings = matches!(pieces.left.front(), Some(Part::Record(_)));
        let events = usize::try_from(end - pieces.next).unwrap_or(usize::MAX);
        let page = self.log().read_page(log, pieces.next, events, PAGE_BYTES)?;
        for (line, seq) in page.iter().zip(pieces.next..) {
            if are_strings {
                out.extend_from_slice(if seq > 0 { b"," } else { b"" });
                serde_json::to_writer(&mut *out, &String::from_utf8_lossy(line)).map_err(Problem::internal)?;
            } else {
                out.extend_from_slice(line);
                out.push(b'\n');
            }
        }
        pieces.next += page.len() as u64;
        // An empty page would never end.
        if pieces.next >= end || page.is_empty() {
            pieces.next = 0;
            pieces.left.pop_front();
        }
        Ok(())
    }

    /// Everything that is left, at once.
    ///
    /// # Errors
    /// A log cannot be read.
    pub fn write_whole(&self, mut pieces: Pieces) -> Result<String, Problem> {
        let mut out = Vec::new();
        while !pieces.is_empty() {
            self.write_piece(&mut pieces, &mut out)?;
        }
        String::from_utf8(out).map_err(Problem::internal)
    }
}
