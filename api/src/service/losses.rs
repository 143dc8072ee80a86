//! What the vault should contain but does not.

use std::collections::BTreeMap;

use plybook_events::LogId;
use plybook_models::{Filter, Order};
use plybook_rules::kind;
use plybook_rules::log::{Status, UnopenedCommitment};

use super::Service;
use crate::error::Problem;

/// The number of games that a message about losses names.
const NAMED: usize = 10;

/// What the vault has lost, by log: commitments that nobody can open any more.
pub type Losses = BTreeMap<LogId, Vec<UnopenedCommitment>>;

impl Service {
    /// The losses found when the service started. The games in question are read as far as possible; whatever
    /// needs a lost secret is refused with [`Problem::SecretLost`].
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// Compares the vault with all logs that may commit to something they have not opened: those of running
    /// games of kinds with secrets or dice.
    pub(super) fn find_losses(&self) -> Result<Losses, Problem> {
        let running = {
            let filter = Filter { status: Some(Status::Running), ..Filter::default() };
            let known = self.models().known();
            let mut games = known.games.select(&filter).list(Order::CreatedAsc, None);
            let rules = |game: &LogId| known.games.kind(*game).and_then(kind);
            games.retain(|game| rules(game).is_none_or(|rules| rules.about().chance || rules.about().secrets));
            games
        };
        let mut losses = Losses::new();
        for id in running {
            let lost = self.lost_in(id)?;
            if !lost.is_empty() {
                losses.insert(id, lost);
            }
        }
        Ok(losses)
    }

    /// Tells what was lost from what this node has only not heard of: it knew at its start what was lost, and what other nodes
    /// have put into the vault since may reach it later than the event that commits to it.
    pub(super) fn awaited(&self, id: LogId, why: impl Into<Problem>) -> Problem {
        match why.into() {
            Problem::SecretLost { seq } if self.shared().is_some() && !self.losses.contains_key(&id) => {
                Problem::SecretAwaited { seq }
            }
            other => other,
        }
    }

    /// What the vault has lost of a log.
    fn lost_in(&self, id: LogId) -> Result<Vec<UnopenedCommitment>, Problem> {
        let vault = self.store.vault();
        let mut unopened = UnopenedCommitment::of(&self.events(id, 0)?);
        unopened.retain(|unopened| !vault.get(id, &unopened.key()).is_some_and(|kept| unopened.is_opened_by(&kept)));
        Ok(unopened)
    }
}

/// Names the losses, game by game: one line each, at most ten.
pub(crate) fn named(losses: &Losses) -> Vec<String> {
    let mut lines: Vec<String> = losses.iter().take(NAMED).map(|(id, lost)| told(*id, lost)).collect();
    if losses.len() > NAMED {
        lines.push(format!("and {} more games; `plybook verify` names all", losses.len() - NAMED));
    }
    lines
}

/// The losses of one log.
pub(crate) fn told(id: LogId, lost: &[UnopenedCommitment]) -> String {
    let lost: Vec<String> = lost.iter().map(UnopenedCommitment::to_string).collect();
    format!("{id}: the vault has lost {}", lost.join(", "))
}
