//! What a log commits to and opens again: secrets by salted hashes, dice by their seed.

use std::collections::BTreeMap;

use plybook_events::body::Seed;
use plybook_events::{Body, By, Event, Hash, LogId, fair, seal};

/// The commitments of a log so far. They are checked without the rules, so that nothing hides
/// behind a submission that stays sealed.
#[derive(Clone, Debug, Default)]
pub(super) struct Commitments {
    fairness: Option<Hash>,
    /// What is not revealed yet, by the seq of the event with the commitment.
    pub(super) sealed: BTreeMap<u64, (By, Hash)>,
    /// The seed of the dice, once it is published.
    pub(super) seed: Option<Seed>,
}

/// How an event breaks what the log has committed to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Breach {
    /// There is no such commitment, or it was opened before.
    #[error("it reveals what is not sealed")]
    NotSealed,
    /// The commitment is one to something else.
    #[error("it reveals something else than was sealed in event {0}")]
    Content(u64),
    /// A roll of the service's dice is by a seat.
    #[error("only chance rolls")]
    Roller,
    /// A roll from a seed in a log without a commitment to one.
    #[error("it is rolled from a seed that was never committed to")]
    NoSeed,
    /// A roll from a seed that everybody knew.
    #[error("it is rolled from a seed that was public")]
    PublicSeed,
    /// The end has to reveal everything before it.
    #[error("something is still sealed at the end")]
    StillSealed,
    /// The commitment is one to another seed.
    #[error("the seed is not the one that was committed to")]
    Seed,
}

impl Commitments {
    /// Checks the log's next event against what was committed to before it.
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

    /// Takes in the log's next event, which was checked.
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

    /// What is rolled from a seed was committed to before, and the seed was not public yet.
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

    /// The end opens everything.
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
