//! What a log commits to and opens later: secrets by salted hashes, dice by their seed.

use std::collections::BTreeMap;

use plybook_events::body::{Acted, Rolls, Sealed, Seed};
use plybook_events::fair::{self, Dice, Entropy};
use plybook_events::{Body, By, Event, Hash, LogId, seal};

use super::fault::FaultKind;

/// The commitments of a log so far. They are checked without the rules, so that nothing can hide behind a
/// submission that stays sealed.
#[derive(Clone, Debug, Default)]
pub(super) struct Commitments {
    fairness: Option<Hash>,
    /// Where all rolls come from; `None` if each says so.
    source: Option<Rolls>,
    /// The commitments not revealed yet, by the seq of their event.
    pub(super) sealed: BTreeMap<u64, (By, Hash)>,
    /// The seed of the dice, once it is published.
    pub(super) seed: Option<Seed>,
    /// Whether something of the setup was drawn from the seed.
    is_drawn: bool,
    /// How many rolls the log's dice have made, including those taken back.
    rolls: u64,
    /// What the seats have contributed to the dice, in the order of the log.
    entropy: Vec<Entropy>,
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
    /// A roll from a seed, in a log that does not commit to one.
    #[error("it is rolled from a seed that was never committed to")]
    NoSeed,
    /// A roll from a seed that was already public.
    #[error("it is rolled from a seed that was public")]
    PublicSeed,
    /// A roll that does not come from where this game has its rolls from.
    #[error("all rolls of this game are {}", if *.0 == Rolls::Fair { "fair: the service makes them" } else { "typed in" })]
    Rolls(Rolls),
    /// A seat contributes to the dice where it cannot, or no longer can.
    #[error(transparent)]
    Entropy(#[from] EntropyError),
    /// The end of a game whose dice were rolled, or whose setup was drawn, does not publish the seed.
    #[error("the game ends without the seed that its dice or its setup come from")]
    SeedWithheld,
    /// The end of the game leaves something sealed.
    #[error("something is still sealed at the end")]
    StillSealed,
    /// The published seed does not match the commitment.
    #[error("the seed is not the one that was committed to")]
    Seed,
    /// The revealed setup is not canonical JSON, or contradicts its public part.
    #[error("the setup that it reveals is not one that the public part in `created` belongs to")]
    Setup,
}

impl Breach {
    /// The sort of fault that it is.
    pub(super) fn kind(&self) -> FaultKind {
        match self {
            Self::NotSealed | Self::Content(_) | Self::StillSealed | Self::Setup => FaultKind::Seal,
            _ => FaultKind::Dice,
        }
    }
}

/// Why a seat cannot contribute to the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EntropyError {
    /// The log has no dice that take contributions.
    #[error("this log has no dice that seats contribute to")]
    NoDice,
    /// Something has been rolled already.
    #[error("the dice have been rolled already: seats contribute before the first roll")]
    Late,
    /// The seat has contributed before.
    #[error("seat {0} has contributed to the dice already")]
    Again(u8),
}

impl Commitments {
    /// The dice of the next roll.
    pub(super) fn dice(&self, seed: &Seed, log: LogId) -> Dice {
        Dice::of_roll(&seed.seed, log, &self.entropy, self.rolls)
    }

    /// Checks that a seat may contribute to the dice now.
    pub(super) fn check_entropy(&self, seat: u8) -> Result<(), EntropyError> {
        if self.fairness.is_none() || self.source == Some(Rolls::Typed) {
            Err(EntropyError::NoDice)
        } else if self.rolls > 0 || self.seed.is_some() {
            Err(EntropyError::Late)
        } else if self.entropy.iter().any(|(contributor, _)| *contributor == seat) {
            Err(EntropyError::Again(seat))
        } else {
            Ok(())
        }
    }

    /// Whether the end of the game must publish the seed.
    pub(super) fn owes_seed(&self) -> bool {
        (self.rolls > 0 || self.is_drawn) && self.seed.is_none()
    }

    /// The seats that have contributed to the dice, in the order of the log.
    pub(super) fn contributors(&self) -> impl Iterator<Item = u8> {
        self.entropy.iter().map(|(seat, _)| *seat)
    }

    /// Checks the log's next event, whose author was checked, against the commitments so far.
    pub(super) fn check(&self, event: &Event) -> Result<(), Breach> {
        match &event.body {
            Body::Revealed(revealed) => {
                let (by, commitment) = self.sealed.get(&revealed.of).ok_or(Breach::NotSealed)?;
                let opened = seal::commitment(event.log, *by, &revealed.salt, &revealed.content);
                if opened == *commitment { Ok(()) } else { Err(Breach::Content(revealed.of)) }
            }
            Body::Acted(Acted { fair, .. }) | Body::Sealed(Sealed { fair, .. }) if event.by == By::Chance => {
                self.check_roll(*fair)
            }
            Body::EntropyAdded(_) => match event.by {
                By::Seat(seat) => Ok(self.check_entropy(seat)?),
                _ => Ok(()),
            },
            Body::Ended(ended) => {
                if self.owes_seed() && ended.seed.is_none() {
                    return Err(Breach::SeedWithheld);
                }
                self.check_end(event.log, ended.seed.as_ref())
            }
            Body::Voided(voided) => self.check_end(event.log, voided.seed.as_ref()),
            _ => Ok(()),
        }
    }

    /// Adds the log's next event, which has been checked.
    pub(super) fn apply(&mut self, event: &Event) {
        self.rolls += u64::from(event.body.is_fair());
        match &event.body {
            Body::Created(created) => {
                (self.fairness, self.source) = (created.fairness, created.rolls);
                self.is_drawn = !created.drawn.is_empty();
                self.sealed.extend(created.sealed_setup.map(|commitment| (event.seq, (event.by, commitment))));
            }
            Body::Sealed(sealed) => {
                self.sealed.insert(event.seq, (event.by, sealed.commitment));
            }
            Body::EntropyAdded(added) => {
                if let By::Seat(seat) = event.by {
                    self.entropy.push((seat, added.entropy));
                }
            }
            Body::Revealed(revealed) => {
                self.sealed.remove(&revealed.of);
            }
            Body::Ended(ended) if ended.seed.is_some() => self.seed.clone_from(&ended.seed),
            Body::Voided(voided) if voided.seed.is_some() => self.seed.clone_from(&voided.seed),
            _ => {}
        }
    }

    /// Checks that a roll may be fair, or typed in: a fair one comes from a seed that was committed to and is not
    /// public yet.
    pub(super) fn check_roll(&self, is_fair: bool) -> Result<(), Breach> {
        if let Some(rolls) = self.source.filter(|rolls| (*rolls == Rolls::Fair) != is_fair) {
            Err(Breach::Rolls(rolls))
        } else if !is_fair {
            Ok(())
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
