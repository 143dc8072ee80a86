//! A tournament as files: tables for spreadsheets (CSV), rounds for calendars (iCalendar), results for feed
//! readers (Atom), and a report for pairing programs and federations (TRF), which is read as well.

mod calendar;
mod federation;
mod feed;
mod imported;
mod outcome;
mod report;
mod sheet;
mod tables;

pub use calendar::calendar;
pub use federation::country;
pub use feed::{ENTRIES_MAX, feed};
pub use imported::{ImportProblem, ImportedEntrant, ImportedReport, LeftOut};
pub use outcome::outcome;
pub use report::report;
pub use tables::{crosstable_csv, entrants_csv, pairings_csv, progress_csv, standings_csv};
