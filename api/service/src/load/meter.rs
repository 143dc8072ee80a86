//! Cooperative cancellation: loops over lines, events and entrants ask whether to go on.

use std::time::Duration;

use super::{Execution, LoadError};

/// A deadline in CPU time, and a limit on the bytes of an answer.
pub struct Meter<'a> {
    /// `None`: nothing is limited.
    of: Option<&'a Execution>,
    /// The CPU time of the operation at which this part of it ends.
    ends: Duration,
}

impl<'a> Meter<'a> {
    /// Stops nothing.
    pub const fn unlimited() -> Self {
        Self { of: None, ends: Duration::MAX }
    }

    pub(super) fn new(of: &'a Execution, ends: Duration) -> Self {
        Self { of: Some(of), ends: ends.min(of.cpu_limit()) }
    }

    /// Checks whether to go on.
    ///
    /// # Errors
    /// The operation has taken too long; every later check fails too.
    pub fn check(&self) -> Result<(), LoadError> {
        let Some(of) = self.of else { return Ok(()) };
        let cpu = of.cpu();
        if cpu <= self.ends { Ok(()) } else { Err(LoadError::too_long(cpu, self.ends)) }
    }

    /// Counts bytes of the answer, or that are held until it is complete.
    ///
    /// # Errors
    /// As for [`Meter::check`], or the answer becomes too large.
    pub fn spend(&self, bytes: usize) -> Result<(), LoadError> {
        self.of.map_or(Ok(()), |of| of.spend(bytes))?;
        self.check()
    }

    /// Whether to go on, for loops that cannot fail: [`Meter::check`] says afterwards whether they were stopped.
    pub fn goes_on(&self) -> bool {
        self.check().is_ok()
    }
}
