//! The order in which events may stand in the log of a game or a line, and who may be their author: all that
//! can be judged without the rules. `FORMAT.md` has the same as tables.

use plybook_events::body::{AuthorError, Created};
use plybook_events::{Actor, Body, By, Decider, Event, Outcome, OutcomeError, Place, canonical};
use serde_json::Value;

use super::commitments::{Breach, Commitments};
use super::fault::FaultKind;
use super::replay::{DrawOffer, Secrets};
use super::standing::{Standing, Status};
use crate::Actors;

/// What the events of a log so far say about the next one. A writer of a log asks the same as
/// verifies it.
#[derive(Clone, Debug)]
pub(super) struct Order {
    seats: u8,
    /// Whether secret submissions are recorded openly.
    is_open: bool,
    /// The public part of a setup that is sealed.
    public_setup: Option<Value>,
    /// Where a line leaves its parent.
    fork_ply: Option<u32>,
    pub(super) standing: Standing,
    pub(super) commitments: Commitments,
    pub(super) offer: Option<DrawOffer>,
    /// The seats whose players have left; a takeback does not bring them back.
    pub(super) resigned: Actors,
    /// What was sealed on the mainline: the ply and the seq of each submission, ascending.
    submissions: Vec<(u32, u64)>,
    /// Whether everything that a person does is signed.
    is_signed: bool,
    /// The place of the first of the `revealed` events at the end.
    revealing: Option<Place>,
    /// Whether something was revealed that only the end of the game reveals.
    is_closing: bool,
}

/// Why an event cannot come next, whatever the rules of the game are.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Disorder {
    /// It does not belong in a log of this sort.
    #[error("`{0}` does not belong in this log")]
    Foreign(&'static str),
    /// Somebody else is the author of such events, or there is no such seat.
    #[error(transparent)]
    Author(#[from] AuthorError),
    /// Nobody has signed it.
    #[error("`{0}` is not signed, and everything that a person does in this game is")]
    Unsigned(&'static str),
    /// It cannot come at this point.
    #[error("`{what}` cannot come here: {why}")]
    Place {
        /// The type of the event.
        what: &'static str,
        /// What is so at this point.
        why: &'static str,
    },
    /// No game with so many seats ends like this.
    #[error("the outcome: {0}")]
    Outcome(#[from] OutcomeError),
    /// A game that was decided like this ends otherwise.
    #[error("the outcome: {0}")]
    Decided(&'static str),
    /// It violates the log's commitments.
    #[error(transparent)]
    Breach(#[from] Breach),
}

impl Disorder {
    /// The sort of fault that it is.
    pub(super) fn kind(&self) -> FaultKind {
        match self {
            Self::Author(_) => FaultKind::Author,
            Self::Unsigned(_) => FaultKind::Signature,
            Self::Foreign(_) | Self::Place { .. } => FaultKind::Order,
            Self::Outcome(_) | Self::Decided(_) => FaultKind::Outcome,
            Self::Breach(breach) => breach.kind(),
        }
    }
}

impl Order {
    /// The order of a log that begins with this event, which holds `created`.
    pub(super) fn begin(event: &Event, created: &Created) -> Result<Self, Disorder> {
        event.check_author()?;
        let mut commitments = Commitments::default();
        commitments.apply(event);
        Ok(Self {
            seats: created.seats.len() as u8,
            is_open: created.open,
            public_setup: created.sealed_setup.map(|_| created.setup.clone()),
            fork_ply: created.fork.as_ref().map(|fork| fork.ply),
            standing: Standing::begin(event.seq, created),
            commitments,
            offer: None,
            resigned: Actors::NONE,
            submissions: Vec::new(),
            is_signed: created.signed,
            revealing: None,
            is_closing: false,
        })
    }

    /// Checks that this event may come next.
    ///
    /// # Errors
    /// It may not.
    pub(super) fn check(&self, event: &Event) -> Result<(), Disorder> {
        let (body, what) = (&event.body, event.body.type_name());
        if !self.has(body) {
            return Err(Disorder::Foreign(what));
        }
        event.check_author()?;
        let is_ours = match event.by {
            By::Seat(seat) => seat <= self.seats && !(self.is_line() && matches!(body, Body::Annotated(_))),
            _ => true,
        };
        if !is_ours {
            return Err(AuthorError::By { what, by: event.by }.into());
        }
        if event.signature.is_none() && self.must_sign(event) {
            return Err(Disorder::Unsigned(what));
        }
        self.place(event).map_err(|why| Disorder::Place { what, why })?;
        match body {
            Body::Ended(ended) => self.check_end(event.by, ended.decided_by, &ended.outcome)?,
            Body::Corrected(corrected) => corrected.outcome.check(self.seats)?,
            _ => {}
        }
        self.commitments.check(event)?;
        match body {
            Body::Revealed(revealed) if revealed.of == 0 => Ok(self.check_setup(&revealed.content)?),
            _ => Ok(()),
        }
    }

    /// Adds the next event, which was checked.
    pub(super) fn apply(&mut self, event: &Event) {
        self.revealing = Place::of(event, self.revealing).revealing(event);
        self.commitments.apply(event);
        self.standing.apply(event);
        match (&event.body, event.by) {
            (Body::Acted(_), by) => self.lapse(by),
            (Body::Sealed(_), by) => {
                self.submissions.push((self.standing.ply, event.seq));
                self.lapse(by);
            }
            (Body::Revealed(revealed), _) => {
                self.is_closing |= !self.submissions.iter().any(|(_, seq)| *seq == revealed.of);
            }
            (Body::TakenBack(taken), _) => {
                self.submissions.retain(|(ply, _)| *ply <= taken.to_ply);
                self.offer = None;
            }
            (Body::DrawOffered(_), By::Seat(by)) => self.offer = Some(DrawOffer { by, agreed: vec![by] }),
            (Body::DrawAnswered(answer), By::Seat(seat)) => match &mut self.offer {
                Some(offer) if answer.accept => offer.agreed.push(seat),
                offer => *offer = None,
            },
            (Body::Resigned(_), By::Seat(seat)) => self.resigned = self.resigned.with(Actor::Seat(seat)),
            (Body::Ended(_), _) => (self.offer, self.is_closing) = (None, false),
            (Body::Voided(_), _) => self.is_closing = false,
            _ => {}
        }
    }

    /// The place of the first of the `revealed` events at the end, if there are any.
    pub(super) fn revealing(&self) -> Option<Place> {
        self.revealing
    }

    /// The place that the signature of the next event names.
    pub(super) fn place_of(&self, next: &Event) -> Place {
        Place::of(next, self.revealing)
    }

    /// Whether this is to be signed: somebody does it, in a game where everything is signed. What is submitted for a
    /// player who has left, or for a seat that has not acted in time, follows by itself.
    pub(super) fn must_sign(&self, event: &Event) -> bool {
        let due = self.standing.deadline.and_then(|deadline| deadline.due);
        let is_late = due.is_some_and(|due| due <= event.at);
        let is_absent = match (&event.body, event.by) {
            (Body::Acted(_) | Body::Sealed(_), By::Seat(seat)) => is_late || self.resigned.contains(Actor::Seat(seat)),
            _ => false,
        };
        self.is_signed && event.is_personal() && !is_absent
    }

    /// Notes that something was revealed that only the end of the game reveals.
    pub(super) fn close(&mut self) {
        self.is_closing = true;
    }

    /// Whether the end of the game is begun, so that no log ends here: events are written with those that
    /// follow from them.
    pub(super) fn is_ending(&self) -> bool {
        self.is_closing || self.is_agreed()
    }

    /// Whether something up to a ply was sealed that is not among what was revealed later.
    pub(super) fn hides(&self, ply: u32, revealed: &Secrets) -> bool {
        let is_hidden = |seq: u64| !revealed.contains_key(&seq);
        self.public_setup.is_some() && is_hidden(0)
            || self.submissions.iter().any(|(at, seq)| *at <= ply && is_hidden(*seq))
    }

    /// Why the game cannot be reopened; `None` if only the rules can tell.
    fn why_not_reopened(&self) -> Option<&'static str> {
        let end = self.standing.original.as_ref().or(self.standing.end.as_ref());
        match (self.standing.status(), end) {
            (Status::Finished, Some(end)) if end.decided_by == Decider::Rules => Some("the rules ended the game"),
            (Status::Finished, _) => None,
            _ => Some("the game is not over, or void"),
        }
    }

    fn is_line(&self) -> bool {
        self.fork_ply.is_some()
    }

    /// An offer lapses as soon as somebody else acts.
    fn lapse(&mut self, by: By) {
        self.offer = self.offer.take().filter(|offer| By::Seat(offer.by) == by);
    }

    /// Whether all seats have agreed to a draw.
    fn is_agreed(&self) -> bool {
        self.offer.as_ref().is_some_and(|offer| offer.agreed.len() > 1 && offer.agreed.len() == usize::from(self.seats))
    }

    /// Whether such an event may occur in a log of this sort at all.
    fn has(&self, body: &Body) -> bool {
        match body {
            Body::Created(_) => false,
            Body::Arranged(_) => self.is_line(),
            Body::Acted(_) | Body::Annotated(_) | Body::TakenBack(_) => true,
            Body::Ended(ended) => !self.is_line() || ended.decided_by == Decider::Rules,
            body => body.sort() == plybook_events::body::LogSort::Game && !self.is_line(),
        }
    }

    /// Checks that an event may come at this point; the error says what is so at this point.
    fn place(&self, event: &Event) -> Result<(), &'static str> {
        let (body, standing) = (&event.body, &self.standing);
        let status = standing.status();
        let unless = |refused: bool, why| if refused { Err(why) } else { Ok(()) };
        let is_end = matches!(body, Body::Revealed(_) | Body::Ended(_) | Body::Voided(_));
        unless(self.is_closing && !is_end, "what only the end reveals is revealed: the game ends")?;
        let is_agreement = matches!(body, Body::Ended(ended) if ended.decided_by == Decider::Agreement);
        let follows = is_agreement || matches!(body, Body::Revealed(_));
        unless(self.is_agreed() && !follows, "a draw is agreed: the game ends")?;
        match body {
            Body::Arranged(_) | Body::Revealed(_) => Ok(()),
            Body::Annotated(annotated) => unless(annotated.ply > standing.ply, "there is no such ply"),
            Body::Voided(_) => unless(status == Status::Void, "the game is void already"),
            Body::Unvoided(_) => unless(status != Status::Void, "the game is not void"),
            Body::Reopened(_) => self.why_not_reopened().map_or(Ok(()), Err),
            Body::Corrected(_) => unless(status != Status::Finished, "the game is not over, or void"),
            Body::TakenBack(_) if status == Status::Void => Err("the game is void"),
            Body::TakenBack(taken) => {
                unless(taken.to_ply >= standing.ply, "there is no later ply to take back")?;
                unless(self.fork_ply.is_some_and(|fork| taken.to_ply < fork), "the line begins at a later ply")
            }
            _ if status != Status::Running => Err("the game is over"),
            Body::Sealed(_) => unless(self.is_open, "the game is recorded openly"),
            Body::DrawOffered(_) => unless(self.offer.is_some(), "a draw is offered already"),
            Body::DrawAnswered(_) => match (&self.offer, event.by) {
                (Some(offer), By::Seat(seat)) => unless(offer.agreed.contains(&seat), "the seat has agreed already"),
                _ => Err("no draw is offered"),
            },
            Body::DeadlineSet(set) => {
                unless(set.due.is_some_and(|due| due <= event.at), "the deadline is over already")
            }
            Body::Resigned(_) => {
                let is_gone = event.by.actor().is_some_and(|actor| self.resigned.contains(actor));
                unless(is_gone, "the seat has resigned already")
            }
            Body::Ended(ended) if ended.decided_by == Decider::Agreement => {
                unless(!self.is_agreed(), "not all seats have agreed to a draw")
            }
            _ => Ok(()),
        }
    }

    /// Checks that a game which was decided like this may have such an outcome.
    fn check_end(&self, by: By, decided_by: Decider, outcome: &Outcome) -> Result<(), Disorder> {
        outcome.check(self.seats)?;
        let is_plain = |reason| outcome.ranking.is_none() && outcome.details.is_empty() && outcome.reason == reason;
        let (is_right, otherwise) = match (decided_by, by) {
            (Decider::Resignation, By::Seat(seat)) => (
                is_plain("resignation") && self.seats == 2 && outcome.winners == [3 - seat],
                "a resignation is won by the other one of two seats, with the reason `resignation`",
            ),
            (Decider::Time, _) => (
                is_plain("time") && self.seats == 2 && outcome.winners.len() == 1,
                "a loss on time is won by the other one of two seats, with the reason `time`",
            ),
            (Decider::Agreement, _) => (
                is_plain("agreement") && outcome.winners.is_empty(),
                "an agreed game is a draw, with the reason `agreement`",
            ),
            _ => (true, ""),
        };
        if is_right { Ok(()) } else { Err(Disorder::Decided(otherwise)) }
    }

    /// Checks that the setup that is revealed has everything that was public of it.
    fn check_setup(&self, content: &str) -> Result<(), Breach> {
        let is_canonical = canonical::check(content.as_bytes()).is_ok();
        let whole: Value = serde_json::from_str(content).ok().filter(|_| is_canonical).ok_or(Breach::Setup)?;
        let agrees = match (&self.public_setup, &whole) {
            (Some(Value::Object(public)), Value::Object(whole)) => {
                public.iter().all(|(name, value)| whole.get(name) == Some(value))
            }
            (Some(public), whole) => public == whole,
            (None, _) => true,
        };
        if agrees { Ok(()) } else { Err(Breach::Setup) }
    }
}
