//! Quotas: how much a token may add in a day, so that what can never be deleted is bounded.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError, RwLock};

use plybook_events::{Hash, Timestamp};
use serde::Deserialize;

use crate::error::Problem;

/// A day in milliseconds.
const DAY_MS: i64 = 86_400_000;

/// What each token may add in a day (UTC). Administrators have no quotas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct QuotaLimits {
    /// Games created. Default 2,000.
    pub games: u32,
    /// Players registered. Default 2,000.
    pub players: u32,
    /// Records and rosters imported. Default 1,000.
    pub imports: u32,
    /// Lines begun. Default 1,000.
    pub lines: u32,
    /// Actions on lines, at their beginning and later. Default 100,000.
    pub line_actions: u32,
    /// Games for which links are issued. Default 1,000.
    pub links: u32,
}

impl Default for QuotaLimits {
    fn default() -> Self {
        Self { games: 2_000, players: 2_000, imports: 1_000, lines: 1_000, line_actions: 100_000, links: 1_000 }
    }
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Quota {
    Games,
    Players,
    Imports,
    Lines,
    LineActions,
    Links,
}

impl Quota {
    fn name(self) -> &'static str {
        match self {
            Self::Games => "games",
            Self::Players => "players",
            Self::Imports => "imports",
            Self::Lines => "lines",
            Self::LineActions => "line-actions",
            Self::Links => "links",
        }
    }

    fn of(self, limits: &QuotaLimits) -> u32 {
        match self {
            Self::Games => limits.games,
            Self::Players => limits.players,
            Self::Imports => limits.imports,
            Self::Lines => limits.lines,
            Self::LineActions => limits.line_actions,
            Self::Links => limits.links,
        }
    }
}

/// What each token has added today; a restart begins anew, and every node counts for itself.
#[derive(Default)]
pub struct Quotas {
    limits: RwLock<QuotaLimits>,
    used: Mutex<Used>,
}

#[derive(Default)]
struct Used {
    /// The day since 1970.
    day: i64,
    counts: HashMap<(Hash, Quota), u32>,
}

impl Quotas {
    /// Sets the limits.
    pub fn set(&self, limits: QuotaLimits) {
        *self.limits.write().unwrap_or_else(PoisonError::into_inner) = limits;
    }

    /// Counts `amount` for a token.
    pub(super) fn take(&self, token: Hash, quota: Quota, amount: u32, now: Timestamp) -> Result<(), Problem> {
        let most = quota.of(&self.limits.read().unwrap_or_else(PoisonError::into_inner));
        let day = now.as_millis().div_euclid(DAY_MS);
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if used.day != day {
            *used = Used { day, counts: HashMap::new() };
        }
        let count = used.counts.entry((token, quota)).or_default();
        if count.saturating_add(amount) > most {
            let retry_after_ms = (DAY_MS - now.as_millis().rem_euclid(DAY_MS)).unsigned_abs();
            return Err(Problem::QuotaReached { quota: quota.name(), most, retry_after_ms });
        }
        *count += amount;
        Ok(())
    }

    /// Gives back what was counted for something that was refused.
    pub(super) fn give_back(&self, token: Hash, quota: Quota, amount: u32) {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = used.counts.get_mut(&(token, quota)) {
            *count = count.saturating_sub(amount);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_token_has_its_own_day_and_what_was_refused_does_not_count() {
        let quotas = Quotas::default();
        quotas.set(QuotaLimits { games: 2, ..QuotaLimits::default() });
        let (one, two) = (Hash::of_parts(&[b"1"]), Hash::of_parts(&[b"2"]));
        let at = |ms| Timestamp::from_millis(ms).unwrap();
        let take = |token, ms| quotas.take(token, Quota::Games, 1, at(ms));
        assert!(take(one, 0).is_ok() && take(one, 1).is_ok() && take(two, 2).is_ok());
        let why = take(one, DAY_MS - 1_000).unwrap_err();
        assert!(matches!(why, Problem::QuotaReached { quota: "games", most: 2, retry_after_ms: 1_000 }), "{why}");
        quotas.give_back(one, Quota::Games, 1);
        assert!(take(one, 3).is_ok() && take(one, 4).is_err() && take(one, DAY_MS).is_ok());
    }
}
