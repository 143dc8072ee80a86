//! Which log an event belongs to, and who may be its author.

use super::{Acted, Body, Sealed};
use crate::{By, Decider, Event};

/// What a log is about. Its first event says so, and all its events are of that sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogSort {
    /// A game, or a line of analysis.
    Game,
    /// A player.
    Player,
    /// A tournament.
    Tournament,
    /// What was imported of another log.
    Imports,
    /// A change of history that was accepted.
    Acceptance,
    /// A rotation of the transparency log's key.
    Rotation,
}

/// Who cannot be behind an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AuthorError {
    /// Somebody else is the author of such events, or there is no such seat.
    #[error("`{what}` cannot be by {by}")]
    By {
        /// The type of the event.
        what: &'static str,
        /// The author.
        by: By,
    },
    /// The service added it by itself, and it names a person.
    #[error("`{0}` follows from another event: nobody caused it, as `who` says")]
    Who(&'static str),
    /// The service added it by itself, and it is signed.
    #[error("`{0}` follows from another event, or was rolled by the service: nobody signs it")]
    Signature(&'static str),
}

impl Event {
    /// Checks who it is by and who caused it, as far as its type tells: the table *Authors* of `FORMAT.md`. Which
    /// seats a game has is not looked at.
    ///
    /// # Errors
    /// It cannot be theirs.
    pub fn check_author(&self) -> Result<(), AuthorError> {
        let (what, by) = (self.body.type_name(), self.by);
        if !self.body.may_be_by(by) {
            Err(AuthorError::By { what, by })
        } else if self.who.is_some() && !self.body.may_have_who(by) {
            Err(AuthorError::Who(what))
        } else if self.signature.is_some() && !self.is_personal() {
            Err(AuthorError::Signature(what))
        } else {
            Ok(())
        }
    }

    /// Whether it is something that a person does, and can sign: it is not by the service, nor rolled by it.
    pub fn is_personal(&self) -> bool {
        self.by != By::Service && !self.body.is_fair()
    }
}

impl Body {
    /// The sort of log that has such events.
    pub fn sort(&self) -> LogSort {
        match self {
            Self::Created(_)
            | Self::Acted(_)
            | Self::EntropyAdded(_)
            | Self::Sealed(_)
            | Self::Revealed(_)
            | Self::TakenBack(_)
            | Self::Annotated(_)
            | Self::DrawOffered(_)
            | Self::DrawAnswered(_)
            | Self::Resigned(_)
            | Self::Ended(_)
            | Self::Corrected(_)
            | Self::Voided(_)
            | Self::Reopened(_)
            | Self::Unvoided(_)
            | Self::DeadlineSet(_)
            | Self::Arranged(_) => LogSort::Game,
            Self::PlayerCreated(_)
            | Self::PlayerEdited(_)
            | Self::PlayerMerged(_)
            | Self::PlayerUnmerged(_)
            | Self::PlayerKeyAdded(_)
            | Self::PlayerKeyRemoved(_) => LogSort::Player,
            Self::Imported(_) => LogSort::Imports,
            Self::HistoryAccepted(_) => LogSort::Acceptance,
            Self::KeyRotated(_) => LogSort::Rotation,
            _ => LogSort::Tournament,
        }
    }

    /// Whether every log of its sort begins with such an event.
    pub fn is_first(&self) -> bool {
        matches!(
            self,
            Self::Created(_)
                | Self::PlayerCreated(_)
                | Self::TournamentCreated(_)
                | Self::HistoryAccepted(_)
                | Self::KeyRotated(_)
        )
    }

    /// Whether an event by this author may say who caused it. What the service adds by itself has nobody behind it.
    fn may_have_who(&self, by: By) -> bool {
        match self {
            Self::Created(_)
            | Self::PlayerCreated(_)
            | Self::PlayerEdited(_)
            | Self::Imported(_)
            | Self::HistoryAccepted(_)
            | Self::KeyRotated(_) => true,
            _ => by != By::Service,
        }
    }

    /// Whether the service rolled it from the seed of the log.
    pub fn is_fair(&self) -> bool {
        matches!(self, Self::Acted(Acted { fair: true, .. }) | Self::Sealed(Sealed { fair: true, .. }))
    }

    fn may_be_by(&self, by: By) -> bool {
        let is_seat = matches!(by, By::Seat(_));
        match self {
            Self::Created(_)
            | Self::Revealed(_)
            | Self::PlayerCreated(_)
            | Self::Imported(_)
            | Self::HistoryAccepted(_)
            | Self::KeyRotated(_) => by == By::Service,
            Self::Acted(acted) => by == By::Chance || is_seat && !acted.fair,
            Self::Sealed(sealed) => by == By::Chance || is_seat && !sealed.fair,
            Self::EntropyAdded(_) | Self::DrawOffered(_) | Self::DrawAnswered(_) | Self::Resigned(_) => is_seat,
            Self::Annotated(_) => is_seat || by == By::Arbiter,
            Self::Ended(ended) => match ended.decided_by {
                Decider::Rules | Decider::Agreement => by == By::Service,
                Decider::Resignation => is_seat,
                Decider::Time | Decider::Arbiter | Decider::Abandonment => by == By::Arbiter,
            },
            Self::PlayerEdited(_) => by == By::Arbiter || by == By::Service,
            Self::DeadlineSet(set) => by == if set.reason.is_some() { By::Arbiter } else { By::Service },
            // What follows from a game, and what a person enters.
            Self::ResultRecorded(result) => by == author_of_result(result.record.is_some()),
            Self::ResultRemoved(removed) => by == author_of_result(removed.record.is_some()),
            _ => by == By::Arbiter,
        }
    }
}

fn author_of_result(is_from_game: bool) -> By {
    if is_from_game { By::Service } else { By::Arbiter }
}
