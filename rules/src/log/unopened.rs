//! What a log commits to and has not opened: what the vault has to keep for it.

use std::fmt;

use plybook_events::body::Created;
use plybook_events::{Body, By, Event, Hash, LogId, fair, seal};

use super::commitments::Commitments;
use super::secret::Secret;

/// Something that a log commits to and has not opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnopenedCommitment {
    /// The log.
    pub log: LogId,
    /// The seq of the event that commits to it.
    pub seq: u64,
    /// Who committed to it.
    pub by: By,
    /// The commitment.
    pub commitment: Hash,
    /// Whether it is the seed of the log's dice; otherwise it is sealed.
    pub is_seed: bool,
}

impl UnopenedCommitment {
    /// Everything that a log, from its first event on, commits to and has not opened, in the order of events.
    pub fn of(events: &[Event]) -> Vec<Self> {
        let Some(first) = events.first() else { return Vec::new() };
        let Body::Created(Created { fairness, .. }) = &first.body else { return Vec::new() };
        let mut commitments = Commitments::default();
        for event in events {
            commitments.apply(event);
        }
        let log = first.log;
        let seed = fairness.filter(|_| commitments.seed.is_none());
        let seed = seed.map(|commitment| Self { log, seq: first.seq, by: first.by, commitment, is_seed: true });
        let sealed = commitments.sealed.into_iter();
        let sealed = sealed.map(|(seq, (by, commitment))| Self { log, seq, by, commitment, is_seed: false });
        seed.into_iter().chain(sealed).collect()
    }

    /// The key that the vault keeps it under.
    pub fn key(&self) -> String {
        if self.is_seed { Secret::SEED_KEY.to_owned() } else { Secret::opening_key(&self.commitment) }
    }

    /// Whether what the vault keeps under the key opens the commitment. A seed may be kept elsewhere; see
    /// [`Secret::ELSEWHERE`].
    pub fn is_opened_by(&self, kept: &[u8]) -> bool {
        if self.is_seed {
            let opens = |seed| fair::commitment(self.log, &seed) == self.commitment;
            return kept == Secret::ELSEWHERE || Secret::read_seed(kept).is_some_and(opens);
        }
        let opens = |(salt, content): (Hash, String)| seal::commitment(self.log, self.by, &salt, &content);
        Secret::read_opening(kept).map(opens) == Some(self.commitment)
    }
}

impl fmt::Display for UnopenedCommitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.is_seed, self.by) {
            (true, _) => write!(f, "the seed of its dice"),
            (false, By::Seat(seat)) => write!(f, "what seat {seat} sealed in event {}", self.seq),
            (false, _) => write!(f, "what event {} seals", self.seq),
        }
    }
}
