//! When a game was played, if that is stated.

use std::fmt;
use std::str::FromStr;

use crate::Timestamp;

/// When a game was played: a day, written `2026-11-20`, or a point in time, written as a [`Timestamp`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Played {
    /// For a day, its beginning in UTC.
    time: Timestamp,
    is_day: bool,
}

crate::as_text!(Played);

/// The text is neither a day nor a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a day is written 2026-11-20, and a time 2026-11-20T14:03:11.123Z")]
pub struct PlayedError;

/// The number of characters of a day.
const DAY_LEN: usize = 10;

/// How far any clock on earth is ahead of UTC at most, in milliseconds.
const AHEAD_MS: i64 = 14 * 60 * 60 * 1000;

impl Played {
    /// The point in time; for a day, its beginning in UTC.
    pub fn time(self) -> Timestamp {
        self.time
    }

    /// Whether it is in the future at this time: a later point in time, or a day that has not begun anywhere
    /// on earth.
    pub fn is_after(self, now: Timestamp) -> bool {
        let ahead_ms = if self.is_day { AHEAD_MS } else { 0 };
        self.time.as_millis() > now.as_millis() + ahead_ms
    }

    /// Reads a day, or any RFC 3339 time, with an offset and any number of decimals (cut to three).
    ///
    /// # Errors
    /// It is neither, or outside the years 0000 to 9999.
    pub fn parse_lenient(text: &str) -> Result<Self, PlayedError> {
        let time = || Timestamp::parse_lenient(text).map(|time| Self { time, is_day: false });
        text.parse().or_else(|_| time().map_err(|_| PlayedError))
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.time.to_string();
        f.write_str(if self.is_day { &time[..DAY_LEN] } else { &time })
    }
}

impl FromStr for Played {
    type Err = PlayedError;

    fn from_str(text: &str) -> Result<Self, PlayedError> {
        let is_day = text.len() == DAY_LEN;
        let time = if is_day { format!("{text}T00:00:00.000Z").parse() } else { text.parse() };
        time.map(|time| Self { time, is_day }).map_err(|_| PlayedError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times_are_read_and_written_back() {
        for text in ["2026-11-20", "2024-02-29", "0000-01-01", "9999-12-30", "2026-11-20T14:03:11.123Z"] {
            assert_eq!(text.parse::<Played>().unwrap().to_string(), text);
        }
        for text in
            ["", "2026", "2026-2-3", "2025-02-29", "20.11.2026", "2026-11-20T14:03Z", "2026-11-2é", "9999-12-31"]
        {
            assert_eq!(text.parse::<Played>(), Err(PlayedError), "{text}");
        }
        assert_eq!(Played::parse_lenient("2026-11-20T16:03:11+02:00").unwrap().to_string(), "2026-11-20T14:03:11.000Z");
    }

    #[test]
    fn a_day_is_not_in_the_future_once_it_has_begun_somewhere() {
        let played: Played = "2026-11-20".parse().unwrap();
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        assert!(played.is_after(at("2026-11-19T09:59:59.999Z")));
        assert!(!played.is_after(at("2026-11-19T10:00:00.000Z")));
        let played: Played = "2026-11-20T14:00:00.000Z".parse().unwrap();
        assert!(played.is_after(at("2026-11-20T13:59:59.999Z")) && !played.is_after(at("2026-11-20T14:00:00.000Z")));
    }
}
