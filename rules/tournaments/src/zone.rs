//! Time zones by their names in the IANA database, which is compiled in, so that every machine knows the same.

use jiff::tz::{TimeZone, TimeZoneDatabase};
use plybook_events::Timestamp;

/// Whether a name is that of a time zone, as the database spells it.
pub fn is_zone(name: &str) -> bool {
    TimeZoneDatabase::bundled().get(name).is_ok_and(|zone| zone.iana_name() == Some(name))
}

/// The day of a time in a zone: year, month and day. A zone that is missing or not known is UTC.
pub(crate) fn day(at: Timestamp, zone: Option<&str>) -> (i16, i8, i8) {
    let at = jiff::Timestamp::from_millisecond(at.as_millis()).unwrap_or_default();
    let date = at.to_zoned(find(zone)).date();
    (date.year(), date.month(), date.day())
}

/// When a day begins in a zone; `None` if there is no such day.
pub(crate) fn start((year, month, day): (i16, i8, i8), zone: Option<&str>) -> Option<Timestamp> {
    let start = jiff::civil::Date::new(year, month, day).ok()?.to_zoned(find(zone)).ok()?;
    Timestamp::from_millis(start.timestamp().as_millisecond()).ok()
}

fn find(name: Option<&str>) -> TimeZone {
    name.and_then(|name| TimeZoneDatabase::bundled().get(name).ok()).unwrap_or(TimeZone::UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_that_of_the_zone() {
        let evening: Timestamp = "2026-11-28T03:00:00.000Z".parse().unwrap();
        assert_eq!(day(evening, Some("America/Los_Angeles")), (2026, 11, 27));
        assert_eq!(day(evening, None), (2026, 11, 28));
        assert_eq!(start((2026, 7, 1), Some("Europe/Vienna")), Some("2026-06-30T22:00:00.000Z".parse().unwrap()));
        assert_eq!(start((2026, 2, 30), None), None);
        assert!(is_zone("Europe/Vienna") && !is_zone("europe/vienna") && !is_zone("Vienna") && !is_zone("+01:00"));
    }
}
