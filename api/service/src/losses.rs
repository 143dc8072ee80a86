//! What the vault should contain but does not.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use plybook_events::LogId;
use plybook_models::{Catalogue, Filter, Order};
use plybook_rules::kind;
use plybook_rules::log::{Status, UnopenedCommitment};
use plybook_store::{Log, Store, Vault, let_others_go_first};

use super::Service;
use super::reading::events;
use crate::error::Problem;

/// The number of games that a message about losses names.
const NAMED: usize = 10;

/// What the vault has lost, by log: commitments that nobody can open any more.
pub type Losses = BTreeMap<LogId, Vec<UnopenedCommitment>>;

/// Compares the vault with the logs, on a thread of its own, which lets others go first: that is a second for some thousands of
/// games. Dropping it ends the thread.
pub(super) struct LossFinder {
    finding: Arc<Finding>,
    thread: Option<JoinHandle<()>>,
}

struct Finding {
    log: Log,
    vault: Arc<Vault>,
    /// The games that are compared.
    running: Vec<LogId>,
    is_over: AtomicBool,
    found: OnceLock<Losses>,
}

impl Service {
    /// What the vault had lost when the service started, once that is known. The games in question are read as far as possible;
    /// whatever needs a lost secret is refused with [`Problem::SecretLost`], whether this is known or not.
    pub fn losses(&self) -> &Losses {
        self.losses.finding.losses()
    }

    /// The same; `None` if it is not known yet.
    pub fn known_losses(&self) -> Option<&Losses> {
        self.losses.finding.found.get()
    }

    /// Tells what was lost from what this node has only not heard of: it knew at its start what was lost, and what other nodes
    /// have put into the vault since may reach it later than the event that commits to it.
    pub(super) fn awaited(&self, id: LogId, why: impl Into<Problem>) -> Problem {
        match why.into() {
            Problem::SecretLost { seq } if self.shared().is_some() && !self.losses().contains_key(&id) => {
                Problem::SecretAwaited { seq }
            }
            other => other,
        }
    }
}

impl LossFinder {
    /// Starts to compare the vault with all logs that may commit to something they have not opened: those of running games of
    /// kinds with secrets or dice.
    pub fn start(store: &Store, models: &Catalogue) -> Self {
        let (log, vault, running) = (store.log().clone(), Arc::clone(store.vault()), running(models));
        let (is_over, found) = (AtomicBool::new(false), OnceLock::new());
        let finding = Arc::new(Finding { log, vault, running, is_over, found });
        let found = Arc::clone(&finding);
        let thread = thread::spawn(move || {
            let_others_go_first();
            found.found.get_or_init(|| found.find());
        });
        Self { finding, thread: Some(thread) }
    }
}

impl Finding {
    /// What is lost. A caller that asks during the search waits; if the thread that looks for it is gone, the caller looks itself.
    fn losses(&self) -> &Losses {
        self.found.get_or_init(|| self.find())
    }

    fn find(&self) -> Losses {
        let mut losses = Losses::new();
        for id in self.running.iter().copied().take_while(|_| !self.is_over.load(Ordering::Relaxed)) {
            match lost_in(id, &self.log, &self.vault) {
                Ok(lost) if lost.is_empty() => {}
                Ok(lost) => drop(losses.insert(id, lost)),
                Err(why) => tracing::error!(game = %id, %why, "it cannot be compared with the vault"),
            }
        }
        for line in named(&losses) {
            tracing::error!("{line}");
        }
        losses
    }
}

impl Drop for LossFinder {
    fn drop(&mut self) {
        self.finding.is_over.store(true, Ordering::Relaxed);
        let Some(thread) = self.thread.take() else { return };
        if thread.join().is_err() {
            tracing::error!("the thread that compares the vault with the logs panicked");
        }
    }
}

/// The running games of kinds with secrets or dice.
fn running(models: &Catalogue) -> Vec<LogId> {
    let known = models.known();
    let has_any = |name: &&str| kind(name).is_none_or(|rules| rules.about().chance || rules.about().secrets);
    let of_kind = |name: &str| {
        let filter = Filter { kind: Some(name.to_owned()), status: Some(Status::Running), ..Filter::default() };
        known.games.select(&filter).list(Order::CreatedAsc, None)
    };
    known.games.rows().kinds().filter(has_any).flat_map(of_kind).collect()
}

/// What the vault has lost of a log.
fn lost_in(id: LogId, log: &Log, vault: &Vault) -> Result<Vec<UnopenedCommitment>, Problem> {
    let mut unopened = UnopenedCommitment::of(&events(log, id, 0)?);
    unopened.retain(|unopened| !vault.get(id, &unopened.key()).is_some_and(|kept| unopened.is_opened_by(&kept)));
    Ok(unopened)
}

/// Names the losses, game by game: one line each, at most ten.
pub(super) fn named(losses: &Losses) -> Vec<String> {
    let mut lines: Vec<String> = losses.iter().take(NAMED).map(|(id, lost)| told(*id, lost)).collect();
    if losses.len() > NAMED {
        lines.push(format!("and {} more games; `plybook verify` names all", losses.len() - NAMED));
    }
    lines
}

/// The losses of one log.
pub fn told(id: LogId, lost: &[UnopenedCommitment]) -> String {
    let lost: Vec<String> = lost.iter().map(UnopenedCommitment::to_string).collect();
    format!("{id}: the vault has lost {}", lost.join(", "))
}
