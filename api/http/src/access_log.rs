//! The access log: a line for each request, up to so many a second, so that nobody fills the disk with them.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};

use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};

type Holder = Box<dyn Fn(&str) -> Option<String> + Send + Sync>;

/// Which requests get a line.
pub struct AccessLog {
    /// `None`: no request does.
    lines: Option<DefaultDirectRateLimiter>,
    holder: Holder,
    /// The requests without a line since the last line.
    skipped: AtomicU64,
}

impl AccessLog {
    /// The lines a second by default.
    pub const PER_SECOND: u32 = 10;

    /// A log of at most so many lines a second. `holder` returns the role and id of a token.
    pub fn new(per_second: u32, holder: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        let lines = NonZeroU32::new(per_second).map(|lines| RateLimiter::direct(Quota::per_second(lines)));
        Self { lines, holder: Box::new(holder), skipped: AtomicU64::new(0) }
    }

    /// Returns how many requests had no line since the last line, if the next one gets one.
    pub(crate) fn admit(&self) -> Option<u64> {
        if self.lines.as_ref().is_some_and(|lines| lines.check().is_ok()) {
            return Some(self.skipped.swap(0, Ordering::Relaxed));
        }
        self.skipped.fetch_add(1, Ordering::Relaxed);
        None
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
    use std::iter::repeat_with;
    use std::thread::sleep;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_flood_gets_so_many_lines_a_second_and_the_next_line_counts_the_rest() {
        let log = AccessLog::new(3, |_| None);
        let first: Vec<_> = repeat_with(|| log.admit()).take_while(Option::is_some).collect();
        assert!((3..10).contains(&first.len()) && first.iter().all(|skipped| *skipped == Some(0)), "{first:?}");
        sleep(Duration::from_millis(500));
        assert_eq!(log.admit(), Some(1));
        assert_eq!(AccessLog::new(0, |_| None).admit(), None, "and none with 0");
    }
}
