//! Points in time, to the millisecond.

use std::fmt;
use std::str::FromStr;

use serde_with::{DeserializeFromStr, SerializeDisplay};

/// A point in time: milliseconds since 1970-01-01T00:00:00Z, from the year 0000 to 9999.
///
/// Written as RFC 3339 in UTC with exactly three decimals: `2026-11-20T14:03:11.123Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, SerializeDisplay, DeserializeFromStr)]
pub struct Timestamp(i64);

/// The text is not a timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a timestamp is written 2026-11-20T14:03:11.123Z: UTC, three decimals")]
pub struct TimestampError;

/// 0000-01-01T00:00:00.000Z, and 9999-12-30T22:00:00.000Z, the last millisecond that jiff accepts.
const RANGE_MS: std::ops::RangeInclusive<i64> = -62_167_219_200_000..=253_402_207_200_000;

impl Timestamp {
    /// The earliest point in time.
    pub const MIN: Self = Self(*RANGE_MS.start());

    /// The latest point in time.
    pub const MAX: Self = Self(*RANGE_MS.end());

    /// The time this many milliseconds after 1970-01-01T00:00:00Z.
    ///
    /// # Errors
    /// Before the year 0000 or after 9999.
    pub fn from_millis(millis: i64) -> Result<Self, TimestampError> {
        if RANGE_MS.contains(&millis) { Ok(Self(millis)) } else { Err(TimestampError) }
    }

    /// Milliseconds since 1970-01-01T00:00:00Z.
    pub fn as_millis(self) -> i64 {
        self.0
    }

    /// Reads any RFC 3339 time, with an offset and any number of decimals (cut to three).
    ///
    /// # Errors
    /// Not RFC 3339, or outside the years 0000 to 9999.
    pub fn parse_lenient(text: &str) -> Result<Self, TimestampError> {
        let time: jiff::Timestamp = text.parse().map_err(|_| TimestampError)?;
        Self::from_millis(time.as_millisecond())
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = jiff::Timestamp::from_millisecond(self.0).expect("the range was checked");
        write!(f, "{time:.3}")
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        let time = Self::parse_lenient(text)?;
        if text.len() == 24 && time.to_string() == text { Ok(time) } else { Err(TimestampError) }
    }
}
