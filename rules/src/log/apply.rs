//! Applies events to a folded log.

use std::sync::Arc;

use plybook_events::body::Annotated;
use plybook_events::{Actor, Body, By, Decider, Event};

use super::misfit::{FoldError, Misfit};
use super::replay::{DrawOffer, KEPT_EVERY, Ply, Replay, Secrets};
use super::standing::Status;

impl Replay {
    /// Applies the next event.
    ///
    /// # Errors
    /// The event does not fit; nothing has changed.
    pub fn apply(&mut self, event: &Event, secrets: &Secrets) -> Result<(), FoldError> {
        let checked = self.commitments.check(event).map_err(Misfit::from);
        let fitted = checked.and_then(|()| self.fit(event, secrets));
        fitted.map_err(|why| FoldError { seq: event.seq, ply: self.mainline.len(), why })?;
        self.commitments.apply(event);
        self.standing.apply(event);
        self.remarks.apply(event);
        self.last_at = event.at;
        Ok(())
    }

    fn fit(&mut self, event: &Event, secrets: &Secrets) -> Result<(), Misfit> {
        let out_of_place = Misfit::OutOfPlace(event.body.type_name());
        match &event.body {
            Body::Created(_) | Body::PlayerCreated(_) => return Err(Misfit::Created),
            body if !self.is_for(body) => return Err(out_of_place),
            Body::Arranged(_) | Body::Revealed(_) => {}
            Body::Annotated(annotated) => {
                if annotated.ply as usize > self.mainline.len() {
                    return Err(out_of_place);
                }
                self.annotate(annotated);
            }
            Body::Voided(_) if !self.standing.is_void() => {}
            Body::Unvoided(_) if self.standing.is_void() => {}
            Body::Reopened(_) if self.may_reopen() => {}
            Body::TakenBack(taken) if !self.standing.is_void() && (taken.to_ply as usize) < self.mainline.len() => {
                self.take_back(taken.to_ply as usize);
            }
            Body::Corrected(_) if self.status() == Status::Finished => {}
            _ if self.status() != Status::Running => return Err(out_of_place),
            Body::Acted(acted) => {
                let actor = event.by.actor().ok_or(out_of_place)?;
                self.act(event, actor, &acted.action, acted.clock_ms)?;
                self.mainline.last_mut().expect("it has just acted").is_fair = acted.fair;
            }
            Body::Sealed(sealed) => {
                let actor = event.by.actor().ok_or(out_of_place)?;
                let action = secrets.get(&event.seq).ok_or(Misfit::Sealed)?;
                self.act(event, actor, action, sealed.clock_ms).map_err(|why| Misfit::Secret(Box::new(why)))?;
                self.mainline.last_mut().expect("it has just acted").is_sealed = true;
            }
            Body::EntropyAdded(_) => {
                let By::Seat(seat) = event.by else { return Err(out_of_place) };
                if seat > self.position.seats() {
                    return Err(out_of_place);
                }
            }
            Body::DrawOffered(_) => {
                let By::Seat(by) = event.by else { return Err(out_of_place) };
                self.offer = Some(DrawOffer { by, agreed: vec![by] });
            }
            Body::DrawAnswered(answer) => {
                let By::Seat(by) = event.by else { return Err(out_of_place) };
                self.answer(by, answer.accept).ok_or(out_of_place)?;
            }
            Body::Resigned(_) => {
                let seat = event.by.actor().filter(|actor| self.may_resign(*actor)).ok_or(out_of_place)?;
                self.resigned = self.resigned.with(seat);
            }
            Body::Ended(ended) => {
                let by_rules = ended.decided_by == Decider::Rules;
                if by_rules && self.position.outcome().as_ref() != Some(&ended.outcome) {
                    return Err(Misfit::Outcome);
                }
                self.offer = None;
            }
            // Ends that are not allowed now, and the events of logs that are not games.
            _ => return Err(out_of_place),
        }
        Ok(())
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
        });
        if self.mainline.len().is_multiple_of(KEPT_EVERY) {
            self.kept.push((self.mainline.len(), Arc::from(self.position.boxed())));
        }
        self.offer = self.offer.take().filter(|offer| Actor::Seat(offer.by) == actor);
        Ok(())
    }

    fn take_back(&mut self, to_ply: usize) {
        self.position = self.position_at(to_ply).expect("it is a ply of the mainline");
        self.mainline.truncate(to_ply);
        self.kept.retain(|(ply, _)| *ply <= to_ply);
        self.annotations.retain(|ply, _| *ply as usize <= to_ply);
        self.offer = None;
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

    fn answer(&mut self, by: u8, accept: bool) -> Option<()> {
        let offer = self.offer.as_mut().filter(|offer| !offer.agreed.contains(&by))?;
        if accept {
            offer.agreed.push(by);
        } else {
            self.offer = None;
        }
        Some(())
    }

    /// Whether the game is over, and its rules are not what ended it.
    pub(super) fn may_reopen(&self) -> bool {
        self.status() == Status::Finished && self.position.outcome().is_none()
    }

    /// Whether the game goes on after this actor leaves for good.
    fn may_resign(&self, actor: Actor) -> bool {
        match actor {
            Actor::Seat(seat) => {
                seat <= self.position.seats() && !self.resigned.contains(actor) && self.position.absent(seat).is_some()
            }
            Actor::Chance => false,
        }
    }
}
