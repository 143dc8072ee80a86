//! What a log commits to and opens later: secrets by salted hashes, dice by their seed.

use std::collections::BTreeMap;

use plybook_events::body::Seed;
use plybook_events::{Body, By, Event, Hash, LogId, fair, seal};

/// The commitments of a log so far. They are checked without the rules, so that nothing can hide behind a
/// submission that stays sealed.
#[derive(Clone, Debug, Default)]
pub(super) struct Commitments {
    fairness: Option<Hash>,
    /// The commitments not revealed yet, by the seq of their event.
    pub(super) sealed: BTreeMap<u64, (By, Hash)>,
    /// The seed of the dice, once it is published.
    pub(super) seed: Option<Seed>,
}

/// How an event violates the log's commitments.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Breach {
    /// There is no such commitment, or it has been opened already.
    #[error("it reveals what is not sealed")]
    NotSealed,
    /// The revealed content does not match the commitment.
    #[error("it reveals something else than was sealed in event {0}")]
    Content(u64),
    /// A roll of the service's dice was made by a seat.
    #[error("only chance rolls")]
    Roller,
    /// A roll from the seed, in a log that does not commit to one.
    #[error("it is rolled from a seed that was never committed to")]
    NoSeed,
    /// A roll from a seed that was already public.
    #[error("it is rolled from a seed that was public")]
    PublicSeed,
    /// The end of the game leaves something sealed.
    #[error("something is still sealed at the end")]
    StillSealed,
    /// The published seed does not match the commitment.
    #[error("the seed is not the one that was committed to")]
    Seed,
}

impl Commitments {
    /// Checks the log's next event against the commitments so far.
    pub(super) fn check(&self, event: &Event) -> Result<(), Breach> {
        match &event.body {
            Body::Revealed(revealed) => {
                let (by, commitment) = self.sealed.get(&revealed.of).ok_or(Breach::NotSealed)?;
                let opened = seal::commitment(event.log, *by, &revealed.salt, &revealed.content);
                if opened == *commitment { Ok(()) } else { Err(Breach::Content(revealed.of)) }
            }
            Body::Acted(acted) if acted.fair => self.check_fair(event.by),
            Body::Ended(ended) => self.check_end(event.log, ended.seed.as_ref()),
            Body::Voided(voided) => self.check_end(event.log, voided.seed.as_ref()),
            _ => Ok(()),
        }
    }

    /// Adds the log's next event, which has been checked.
    pub(super) fn apply(&mut self, event: &Event) {
        match &event.body {
            Body::Created(created) => {
                self.fairness = created.fairness;
                self.sealed.extend(created.sealed_setup.map(|commitment| (event.seq, (event.by, commitment))));
            }
            Body::Sealed(sealed) => {
                self.sealed.insert(event.seq, (event.by, sealed.commitment));
            }
            Body::Revealed(revealed) => {
                self.sealed.remove(&revealed.of);
            }
            Body::Ended(ended) if ended.seed.is_some() => self.seed.clone_from(&ended.seed),
            Body::Voided(voided) if voided.seed.is_some() => self.seed.clone_from(&voided.seed),
            _ => {}
        }
    }

    /// Checks that a fair roll comes from a seed that was committed to and is not public yet.
    fn check_fair(&self, by: By) -> Result<(), Breach> {
        if by != By::Chance {
            Err(Breach::Roller)
        } else if self.fairness.is_none() {
            Err(Breach::NoSeed)
        } else if self.seed.is_some() {
            Err(Breach::PublicSeed)
        } else {
            Ok(())
        }
    }

    /// Checks that the end opens everything.
    fn check_end(&self, log: LogId, seed: Option<&Seed>) -> Result<(), Breach> {
        if !self.sealed.is_empty() {
            return Err(Breach::StillSealed);
        }
        match seed {
            Some(seed) if self.fairness != Some(fair::commitment(log, seed)) => Err(Breach::Seed),
            _ => Ok(()),
        }
    }
}
