//! The settings for the cost of requests.

use std::num::NonZeroU32;

use clap::Args;
use plybook_service::load::{Allowance, LoadLimits};
use serde::Deserialize;

/// The cost of requests: flags, or the table `[limits]` of the settings file. Missing ones keep their
/// defaults.
#[derive(Clone, Debug, Default, Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[command(next_help_heading = "What requests may cost (docs/limits.md)")]
pub(crate) struct Costs {
    /// Threads for expensive operations [default: one less than there are cores]
    #[arg(long, value_name = "N", env = "PLYBOOK_WORKERS")]
    workers: Option<u16>,
    /// The most that one operation may cost, in units of 10 µs
    #[arg(long, value_name = "UNITS", env = "PLYBOOK_OPERATION_COST")]
    operation_cost: Option<NonZeroU32>,
    /// The most CPU time that one operation may take, in milliseconds
    #[arg(long, value_name = "MS", env = "PLYBOOK_OPERATION_CPU_MS")]
    operation_cpu_ms: Option<NonZeroU32>,
    /// The most bytes of one answer, in MiB
    #[arg(long, value_name = "MIB", env = "PLYBOOK_ANSWER_MIB")]
    answer_mib: Option<NonZeroU32>,
    /// How many operations of one client may wait
    #[arg(long, value_name = "N", env = "PLYBOOK_WAITING")]
    waiting: Option<NonZeroU32>,
    /// What a client may spend at once, in units; 0: without limit
    #[arg(long, value_name = "UNITS", env = "PLYBOOK_CLIENT_BURST")]
    client_burst: Option<u32>,
    /// What a client may spend for ever, in units a second
    #[arg(long, value_name = "UNITS", env = "PLYBOOK_CLIENT_REFILL")]
    client_refill: Option<NonZeroU32>,
    /// What an administrator may spend at once, in units; 0: without limit
    #[arg(long, value_name = "UNITS", env = "PLYBOOK_ADMIN_BURST")]
    admin_burst: Option<u32>,
    /// What an administrator may spend for ever, in units a second
    #[arg(long, value_name = "UNITS", env = "PLYBOOK_ADMIN_REFILL")]
    admin_refill: Option<NonZeroU32>,
}

impl Costs {
    /// Applies the settings that are given.
    pub(crate) fn apply(&self, limits: LoadLimits) -> LoadLimits {
        let allowance = |was: Allowance, burst: Option<u32>, refill: Option<NonZeroU32>| Allowance {
            burst: burst.map_or(was.burst, NonZeroU32::new),
            refill: refill.unwrap_or(was.refill),
        };
        let number = |given: Option<NonZeroU32>, was: usize| given.map_or(was, |given| given.get() as usize);
        LoadLimits {
            workers: self.workers.map_or(limits.workers, usize::from),
            operation_units: self.operation_cost.map_or(limits.operation_units, NonZeroU32::get),
            operation_cpu_ms: self.operation_cpu_ms.map_or(limits.operation_cpu_ms, |ms| ms.get().into()),
            answer_bytes: self.answer_mib.map_or(limits.answer_bytes, |mib| (mib.get() as usize) << 20),
            waiting: number(self.waiting, limits.waiting),
            client: allowance(limits.client, self.client_burst, self.client_refill),
            administrator: allowance(limits.administrator, self.admin_burst, self.admin_refill),
            ..limits
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_takes_precedence() {
        let file: Costs = toml::from_str("workers = 3\nclient-burst = 0\nanswer-mib = 2").unwrap();
        let flags = Costs { workers: Some(5), ..Costs::default() };
        let limits = flags.apply(file.apply(LoadLimits::default()));
        let expected = LoadLimits {
            workers: 5,
            answer_bytes: 2 << 20,
            client: Allowance { burst: None, ..LoadLimits::default().client },
            ..LoadLimits::default()
        };
        assert_eq!(limits, expected);
        assert!(toml::from_str::<Costs>("worker = 3").is_err());
    }
}
