//! A game judged again, by the present rules.

use async_graphql::{Enum, ID, SimpleObject};
use plybook_rules::log::{self, Judgement, Verdict};

/// A game or a line judged by the present rules of its kind, whatever version it was recorded under, from what its log
/// shows everybody.
#[derive(SimpleObject)]
pub struct Refold {
    /// The version of the rules that it was recorded under.
    recorded: String,
    /// The version that it was judged by; null if the kind no longer exists.
    present: Option<&'static str>,
    /// The last ply that was judged.
    ply: usize,
    /// Whether the rules agree with the log.
    verdict: RefoldVerdict,
    /// The first difference, if the log differs.
    difference: Option<RefoldDifference>,
}

/// Whether the present rules agree with a log.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum RefoldVerdict {
    /// They agree with every event.
    Same,
    /// They agree as far as it has been revealed.
    Sealed,
    /// Not judged: it is a line, and the log that it forks from is not recorded here.
    Orphan,
    /// They disagree.
    Differs,
}

/// The first event that the present rules disagree with.
#[derive(SimpleObject)]
pub struct RefoldDifference {
    /// The log of the event: that of the game or the line, or one that the line continues.
    log: ID,
    /// The seq of the event.
    seq: u64,
    /// The ply of an action; for any other event, the last ply before it.
    ply: usize,
    /// What they disagree about.
    what: Discrepancy,
    /// The difference in the words of the rules.
    why: String,
}

/// What the present rules and a log disagree about.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum Discrepancy {
    /// No game has this name any more.
    Kind,
    /// The setup is refused.
    Setup,
    /// The setup is for a different number of seats.
    Seats,
    /// The position that was set up is refused.
    Position,
    /// An action is refused, or its actor is not to act.
    Action,
    /// The rules end the game here, but the log continues or ends it differently.
    Over,
    /// The log says that the rules ended the game, but they do not.
    NotOver,
    /// The rules give another outcome.
    Outcome,
    /// A roll by the service does not follow from the published seed.
    Roll,
    /// No rules could lead to this event: the log is damaged.
    Log,
}

impl From<Judgement> for Refold {
    fn from(judged: Judgement) -> Self {
        let Judgement { recorded, present, ply, verdict, .. } = judged;
        let (verdict, difference) = match verdict {
            Verdict::Same => (RefoldVerdict::Same, None),
            Verdict::Sealed => (RefoldVerdict::Sealed, None),
            Verdict::Orphan(_) => (RefoldVerdict::Orphan, None),
            Verdict::Differs(found) => (RefoldVerdict::Differs, Some(found.into())),
        };
        Self { recorded, present, ply, verdict, difference }
    }
}

impl From<log::Difference> for RefoldDifference {
    fn from(found: log::Difference) -> Self {
        let log::Difference { log, seq, ply, what } = found;
        Self { log: log.to_string().into(), seq, ply, why: what.to_string(), what: what.into() }
    }
}

impl From<log::Discrepancy> for Discrepancy {
    fn from(what: log::Discrepancy) -> Self {
        match what {
            log::Discrepancy::Kind(_) => Self::Kind,
            log::Discrepancy::Setup(_) => Self::Setup,
            log::Discrepancy::Seats { .. } => Self::Seats,
            log::Discrepancy::Position(_) => Self::Position,
            log::Discrepancy::Action { .. } => Self::Action,
            log::Discrepancy::Over { .. } => Self::Over,
            log::Discrepancy::NotOver(_) => Self::NotOver,
            log::Discrepancy::Outcome { .. } => Self::Outcome,
            log::Discrepancy::Roll { .. } => Self::Roll,
            log::Discrepancy::OutOfPlace(_) => Self::Log,
        }
    }
}
