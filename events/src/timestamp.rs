//! Points in time, to the millisecond.

use std::fmt;
use std::str::FromStr;

/// A point in time: milliseconds since 1970-01-01T00:00:00Z, from the year 0000 to 9999.
///
/// Written as RFC 3339 in UTC with exactly three decimals: `2026-11-20T14:03:11.123Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

crate::as_text!(Timestamp);

/// The text is not a timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a timestamp is written 2026-11-20T14:03:11.123Z: UTC, three decimals")]
pub struct TimestampError;

/// 0000-01-01T00:00:00.000Z, and 9999-12-30T22:00:00.000Z, the last millisecond that jiff accepts.
const RANGE_MS: std::ops::RangeInclusive<i64> = -62_167_219_200_000..=253_402_207_200_000;

const DAY_MS: i64 = 86_400_000;

/// The days of 400 years, after which the calendar repeats itself.
const ERA_DAYS: i64 = 146_097;

/// The days from 0000-03-01 to 1970-01-01.
const EPOCH_DAYS: i64 = 719_468;

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

    /// The written form, as 24 ASCII bytes.
    pub fn to_text(self) -> [u8; 24] {
        let (days, ms) = (self.0.div_euclid(DAY_MS), self.0.rem_euclid(DAY_MS));
        let (year, month, day) = date(days);
        let mut text = *b"0000-00-00T00:00:00.000Z";
        write_digits(&mut text[..4], year);
        write_digits(&mut text[5..7], month);
        write_digits(&mut text[8..10], day);
        write_digits(&mut text[11..13], ms / 3_600_000);
        write_digits(&mut text[14..16], ms / 60_000 % 60);
        write_digits(&mut text[17..19], ms / 1_000 % 60);
        write_digits(&mut text[20..23], ms % 1_000);
        text
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
        f.write_str(std::str::from_utf8(&self.to_text()).expect("digits are ASCII"))
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
        let bytes: &[u8; 24] = text.as_bytes().try_into().map_err(|_| TimestampError)?;
        let days = days(read_digits(&bytes[..4]), read_digits(&bytes[5..7]), read_digits(&bytes[8..10]));
        let minutes = 60 * read_digits(&bytes[11..13]) + read_digits(&bytes[14..16]);
        let ms = 1_000 * (60 * minutes + read_digits(&bytes[17..19])) + read_digits(&bytes[20..23]);
        let time = Self::from_millis(days * DAY_MS + ms)?;
        // There is one way to write it: this refuses other characters, and days and hours that do not exist.
        if time.to_text() == *bytes { Ok(time) } else { Err(TimestampError) }
    }
}

/// Reads digits; anything else gives some number.
fn read_digits(digits: &[u8]) -> i64 {
    digits.iter().fold(0, |number, digit| 10 * number + i64::from(digit.wrapping_sub(b'0')))
}

/// Writes a number that has no more digits than there is room for.
fn write_digits(to: &mut [u8], mut number: i64) {
    for digit in to.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

/// The days from 1970-01-01 to a day.
///
/// # Source
/// `days_from_civil` in <https://howardhinnant.github.io/date_algorithms.html>: years begin in March.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * ERA_DAYS + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - EPOCH_DAYS
}

/// The year, month and day that is so many days after 1970-01-01.
///
/// # Source
/// `civil_from_days`, as for [`days`].
fn date(days: i64) -> (i64, i64, i64) {
    let days = days + EPOCH_DAYS;
    let (era, day_of_era) = (days.div_euclid(ERA_DAYS), days.rem_euclid(ERA_DAYS));
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let month = (from_march + 2) % 12 + 1;
    (400 * era + year_of_era + i64::from(month <= 2), month, day_of_year - (153 * from_march + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_is_written_as_jiff_writes_it_and_reads_back() {
        for day in (*RANGE_MS.start()..=*RANGE_MS.end()).step_by(DAY_MS as usize) {
            // Another time of each day.
            let time = Timestamp((day + day.unsigned_abs() as i64 / 7 % DAY_MS).min(*RANGE_MS.end()));
            let text = format!("{:.3}", jiff::Timestamp::from_millisecond(time.0).unwrap());
            assert_eq!(time.to_string(), text);
            assert_eq!(text.parse(), Ok(time), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for text in [
            "2026-02-29T00:00:00.000Z",
            "2026-13-01T00:00:00.000Z",
            "2026-00-01T00:00:00.000Z",
            "2026-01-00T00:00:00.000Z",
            "2026-01-01T24:00:00.000Z",
            "2026-01-01T00:60:00.000Z",
            "2026-01-01T00:00:60.000Z",
            "2026-01-01t00:00:00.000Z",
            "2026-01-01T00:00:00.000z",
            "2026-01-01T00:00:00.00Z",
            "2026-01-01T00:00:00.000+",
            "-026-01-01T00:00:00.000Z",
            "2026-01-0\u{e9}T00:00:00.00Z",
            "2026-01-01T00:00:00:000Z",
            "2026-01-01T0/:00:00.000Z",
            "9999-12-31T23:59:59.999Z",
        ] {
            assert_eq!(text.parse::<Timestamp>(), Err(TimestampError), "{text}");
        }
    }
}
