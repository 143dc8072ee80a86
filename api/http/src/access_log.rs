//! The access log: a line for each request, up to so many a second, so that nobody fills the disk with them.

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

type Holder = Box<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Which requests get a line.
pub struct AccessLog {
    per_second: u32,
    holder: Holder,
    second: Mutex<Second>,
}

/// What was logged in this second.
struct Second {
    begun: Instant,
    lines: u32,
    /// The requests without a line since the last line.
    skipped: u64,
}

impl AccessLog {
    /// The lines a second by default.
    pub const PER_SECOND: u32 = 10;

    /// A log of at most so many lines a second. `holder` returns the role and id of a token.
    pub fn new(per_second: u32, holder: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        let second = Second { begun: Instant::now(), lines: 0, skipped: 0 };
        Self { per_second, holder: Box::new(holder), second: Mutex::new(second) }
    }

    /// Returns how many requests had no line since the last line, if a request at this moment gets one.
    pub(crate) fn admit(&self, now: Instant) -> Option<u64> {
        let mut second = self.second.lock().unwrap_or_else(PoisonError::into_inner);
        if now.saturating_duration_since(second.begun) >= Duration::from_secs(1) {
            (second.begun, second.lines) = (now, 0);
        }
        if second.lines >= self.per_second {
            second.skipped += 1;
            return None;
        }
        second.lines += 1;
        Some(std::mem::take(&mut second.skipped))
    }

    /// Whom a line names: the role and id of the token, or the address.
    pub(crate) fn name(&self, token: Option<&str>, address: IpAddr) -> String {
        token.and_then(|token| (self.holder)(token)).unwrap_or_else(|| address.to_string())
    }
}

impl Default for AccessLog {
    fn default() -> Self {
        Self::new(Self::PER_SECOND, |_| None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_gets_so_many_lines_a_second_and_the_next_line_counts_the_rest() {
        let log = AccessLog::new(3, |_| None);
        let begun = Instant::now() + Duration::from_secs(5);
        let at = |millis: u64| log.admit(begun + Duration::from_millis(millis));
        assert_eq!([at(0), at(1), at(2)], [Some(0); 3]);
        assert!((3..900).all(|millis| at(millis).is_none()));
        assert_eq!([at(1000), at(1001)], [Some(897), Some(0)]);
        assert_eq!(AccessLog::new(0, |_| None).admit(begun), None, "and none with 0");
    }
}
