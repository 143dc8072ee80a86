//! Applies events to a folded log.

use std::sync::Arc;

use plybook_events::body::{Annotated, Corrected, Ended};
use plybook_events::{Actor, Body, By, Decider, Event};

use super::misfit::{FoldError, Misfit};
use super::replay::{KEPT_EVERY, Ply, Replay, Secrets};
use super::standing::Status;
use crate::{Deadline, Viewer};

impl Replay {
    /// Applies the next event.
    ///
    /// # Errors
    /// The event does not fit; nothing has changed.
    pub fn apply(&mut self, event: &Event, secrets: &Secrets) -> Result<(), FoldError> {
        let checked = self.order.check(event).map_err(Misfit::from);
        let fitted = checked.and_then(|()| self.fit(event, secrets));
        fitted.map_err(|why| FoldError { seq: event.seq, ply: self.mainline.len(), why })?;
        self.order.apply(event);
        if matches!(&event.body, Body::Revealed(revealed) if !self.is_opened(revealed.of)) {
            self.order.close();
        }
        self.remarks.apply(event);
        self.last_at = event.at;
        self.recorded_by.extend(event.who);
        Ok(())
    }

    /// Checks by the rules an event that may come next as far as can be told without them, and plays it.
    fn fit(&mut self, event: &Event, secrets: &Secrets) -> Result<(), Misfit> {
        let out_of_place = Misfit::OutOfPlace(event.body.type_name());
        match &event.body {
            Body::Acted(acted) => {
                let actor = event.by.actor().ok_or(out_of_place)?;
                if self.is_secret(actor, &acted.action) {
                    let refused = self.position.judge(actor, &acted.action).err();
                    let action = acted.action.clone();
                    return Err(refused.map_or(Misfit::Unsealed, |why| Misfit::Action { action, why }));
                }
                self.check_unsigned(event, &acted.action)?;
                self.act(event, actor, &acted.action, acted.clock_ms)?;
                self.mainline.last_mut().expect("it has just acted").is_fair = acted.fair;
            }
            Body::Sealed(sealed) => {
                let actor = event.by.actor().ok_or(out_of_place)?;
                let action = secrets.get(&event.seq).ok_or(Misfit::Sealed)?;
                if !self.is_secret(actor, action) {
                    return Err(Misfit::Secret(Box::new(Misfit::Needless)));
                }
                let acted = self.check_unsigned(event, action);
                let acted = acted.and_then(|()| self.act(event, actor, action, sealed.clock_ms));
                acted.map_err(|why| Misfit::Secret(Box::new(why)))?;
                let done = self.mainline.last_mut().expect("it has just acted");
                (done.is_sealed, done.is_fair) = (true, sealed.fair);
            }
            Body::Ended(ended) if ended.decided_by == Decider::Rules => {
                let outcome = self.position.outcome().filter(|outcome| *outcome == ended.outcome);
                outcome.ok_or(Misfit::Outcome)?;
            }
            Body::Revealed(_) => {}
            _ if self.is_over() => return Err(Misfit::Over),
            Body::Annotated(annotated) => self.annotate(annotated),
            Body::TakenBack(taken) => self.take_back(taken.to_ply as usize),
            Body::Reopened(_) if !self.may_reopen() => return Err(out_of_place),
            Body::Resigned(_) if !event.by.actor().is_some_and(|actor| self.may_resign(actor)) => {
                return Err(out_of_place);
            }
            Body::EntropyAdded(_) if !self.has_dice() => return Err(Misfit::Without("dice")),
            Body::DeadlineSet(set) if event.by == By::Service => {
                let deadline = Deadline { opens: set.opens, due: set.due };
                if deadline != self.deadline_from(event.at, event.seq == 1) {
                    return Err(Misfit::Deadline);
                }
            }
            // What can be told without the rules is checked.
            body => self.check_teams(body)?,
        }
        Ok(())
    }

    /// Checks that the outcome in an event, if there is one, divides no team.
    pub(super) fn check_teams(&self, body: &Body) -> Result<(), Misfit> {
        let divided = match body {
            Body::Ended(Ended { outcome, .. }) | Body::Corrected(Corrected { outcome, .. }) => {
                self.position.teams().divided(outcome)
            }
            _ => None,
        };
        divided.map_or(Ok(()), |team| Err(Misfit::Divided(team)))
    }

    /// Checks that what a seat does unsigned, in a game where everything is signed, is what the rules submit for a seat
    /// that does not act.
    fn check_unsigned(&self, event: &Event, action: &str) -> Result<(), Misfit> {
        match event.by {
            By::Seat(seat) if self.created.signed && event.signature.is_none() => {
                let absent = self.position.absent(seat);
                if absent.as_deref() == Some(action) { Ok(()) } else { Err(Misfit::Unsigned) }
            }
            _ => Ok(()),
        }
    }

    /// Whether the end of the game is begun and not written yet, so that no log stops here: the events of an end
    /// are written together.
    pub(super) fn is_ending(&self) -> bool {
        self.order.is_ending() || self.is_over()
    }

    /// Whether the rules end the game in this position, and no event says so yet.
    fn is_over(&self) -> bool {
        self.status() == Status::Running && self.position.outcome().is_some()
    }

    /// Whether not everybody may see an action, so that it is sealed.
    pub(super) fn is_secret(&self, actor: Actor, action: &str) -> bool {
        !self.is_open() && self.position.shown(Viewer::Public, actor, action).as_deref() != Some(action)
    }

    fn act(&mut self, event: &Event, actor: Actor, action: &str, clock_ms: Option<u64>) -> Result<(), Misfit> {
        self.position.act(actor, action).map_err(|why| Misfit::Action { action: action.to_owned(), why })?;
        let elapsed_ms = (event.at.as_millis() - self.last_at.as_millis()).max(0).unsigned_abs();
        self.mainline.push(Ply {
            seq: event.seq,
            actor,
            action: action.into(),
            at: event.at,
            elapsed_ms,
            clock_ms,
            is_sealed: false,
            is_fair: false,
            who: event.who,
        });
        if self.mainline.len().is_multiple_of(KEPT_EVERY) {
            self.kept.push((self.mainline.len(), Arc::from(self.position.boxed())));
        }
        Ok(())
    }

    fn take_back(&mut self, to_ply: usize) {
        self.position = self.position_at(to_ply).expect("it is a ply of the mainline");
        self.mainline.truncate(to_ply);
        self.kept.retain(|(ply, _)| *ply <= to_ply);
        self.annotations.retain(|ply, _| *ply as usize <= to_ply);
    }

    fn annotate(&mut self, annotated: &Annotated) {
        // On a line, an empty annotation hides an ancestor's annotation of that ply.
        let is_own = annotated.ply as usize >= self.own_from();
        if annotated.comment.is_none() && annotated.glyphs.is_empty() && is_own {
            self.annotations.remove(&annotated.ply);
        } else {
            self.annotations.insert(annotated.ply, annotated.clone());
        }
    }

    /// Whether the game is over, and its rules are not what ended it.
    pub(super) fn may_reopen(&self) -> bool {
        self.status() == Status::Finished && self.position.outcome().is_none()
    }

    /// Whether the game goes on after this actor leaves for good.
    fn may_resign(&self, actor: Actor) -> bool {
        match actor {
            Actor::Seat(seat) => self.position.absent(seat).is_some(),
            Actor::Chance => false,
        }
    }
}
