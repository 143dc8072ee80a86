//! Cooperative cancellation: loops over lines, events and entrants ask a meter whether to go on.

use std::sync::OnceLock;
use std::time::Duration;

use super::ticket::{Overspent, Ticket};

/// Tells a loop when to stop: at the limits of its operation or, outside the lane for expensive operations, after a few
/// milliseconds, because the work is begun again there. A loop that was stopped has no result.
pub struct Meter<'a> {
    /// `None`: nothing is limited.
    ticket: Option<&'a Ticket>,
    /// The CPU time of the operation at which it changes lanes.
    leaves_at: Option<Duration>,
    stopped: OnceLock<Overspent>,
}

impl<'a> Meter<'a> {
    /// A meter that never stops anything.
    pub const fn unlimited() -> Self {
        Self { ticket: None, leaves_at: None, stopped: OnceLock::new() }
    }

    pub(super) const fn new(ticket: &'a Ticket, leaves_at: Option<Duration>) -> Self {
        Self { ticket: Some(ticket), leaves_at, stopped: OnceLock::new() }
    }

    /// Checks whether to go on.
    ///
    /// # Errors
    /// The operation has used more than it may here; every later check fails too.
    pub fn check(&self) -> Result<(), Overspent> {
        self.spend(0)
    }

    /// Counts bytes of the answer, or that are held until it is complete.
    ///
    /// # Errors
    /// As for [`Meter::check`].
    pub fn spend(&self, bytes: usize) -> Result<(), Overspent> {
        let Some(ticket) = self.ticket else { return Ok(()) };
        if let Some(why) = self.stopped.get() {
            return Err(*why);
        }
        let is_misplaced = self.leaves_at.is_some_and(|at| ticket.cpu() > at);
        let spent = if is_misplaced { Err(Overspent::Lane) } else { ticket.spend(bytes) };
        spent.inspect_err(|why| {
            let _ = self.stopped.set(*why);
        })
    }

    /// Whether to go on, for loops that cannot fail: [`Meter::check`] says afterwards whether they were stopped.
    pub fn goes_on(&self) -> bool {
        self.check().is_ok()
    }

    /// Whether the work has to be done again in the lane for expensive operations.
    pub(super) fn is_misplaced(&self) -> bool {
        self.stopped.get() == Some(&Overspent::Lane)
    }
}
