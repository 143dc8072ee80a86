//! Lines: logs that continue the fold of another log.

use std::sync::Arc;

use plybook_events::body::{Annotated, Fork};
use plybook_events::{Body, Event, Hash, LogId};

use super::misfit::{FoldError, Misfit};
use super::order::Order;
use super::replay::{Replay, Secrets, check_parts};
use crate::AnyPosition;

/// The most forks between a game and a line: from the game, from a line of it, from a line of that line, and
/// so on.
pub const FORKS_MAX: usize = 100;

impl Replay {
    /// Starts a line that continues this log, from the line's first event. `hash` is the hash of the event of
    /// this log that the line forks from.
    ///
    /// Only this log up to that event matters. Later actions and takebacks make no difference, as long as the
    /// ply is still on the mainline. If this log was folded no further than that event, see [`Replay::open`].
    ///
    /// # Errors
    /// The event is not the `created` of a line, or does not fit this log; [`Misfit::Sealed`] if the line
    /// would reveal something that is still sealed.
    pub fn branch(&self, event: &Event, hash: Hash) -> Result<Self, FoldError> {
        let misfit = |why| FoldError { seq: event.seq, ply: 0, why };
        let wrong = |why| misfit(Misfit::Fork(why));
        let Body::Created(created) = &event.body else { return Err(misfit(Misfit::Created)) };
        let order = Order::begin(event, created).map_err(|why| misfit(why.into()))?;
        let fork = created.fork.as_ref().ok_or_else(|| misfit(Misfit::Created))?;
        if fork.game != self.log {
            return Err(wrong("another log is its parent"));
        }
        if fork.hash != hash || event.prev != hash {
            return Err(wrong("the event it forks from has another hash"));
        }
        if event.at < self.created_at {
            return Err(wrong("it is dated before the log that it continues"));
        }
        let ply = fork.ply as usize;
        if !self.stands(ply, fork.seq) {
            return Err(wrong("the event it forks from did not lead to that ply"));
        }
        if self.is_setup_sealed() || self.unknown().any(|unknown| unknown <= ply) {
            return Err(misfit(Misfit::Sealed));
        }
        if (&created.kind, &created.rules) != (&self.created.kind, &self.created.rules) {
            return Err(wrong("it is another game, or under other rules"));
        }
        if created.setup != self.setup || created.sealed_setup.is_some() {
            return Err(wrong("it has another setup"));
        }
        if created.seats.len() != self.created.seats.len() {
            return Err(wrong("it has another number of seats"));
        }
        if created.open != self.rules.about().secrets {
            return Err(wrong("a line seals nothing, and says so if the game has secrets"));
        }
        check_parts(self.rules, created).map_err(misfit)?;
        if self.ancestry.len() >= FORKS_MAX {
            return Err(wrong("too many lines lie between it and the game"));
        }
        let start = match &created.position {
            None => self.position_at(ply).expect("the ply stands"),
            Some(json) => self.rules.set_up(&self.setup, json).map_err(|why| misfit(why.into()))?,
        };
        Ok(self.line(event, fork, start, order))
    }

    /// The line that starts with this event, which has been checked.
    fn line(&self, event: &Event, fork: &Fork, start: Box<dyn AnyPosition>, order: Order) -> Self {
        let Body::Created(created) = &event.body else { unreachable!("the event was checked") };
        let ply = fork.ply as usize;
        let mut mainline = self.mainline[..ply].to_vec();
        for done in &mut mainline {
            done.is_sealed = false;
        }
        let sets_up = created.position.is_some();
        let own_from = ply + usize::from(!sets_up);
        let mut kept = self.kept.clone();
        kept.retain(|(kept, _)| *kept < own_from);
        let mut set_ups = self.set_ups.to_vec();
        set_ups.retain(|set_up| *set_up < own_from);
        if sets_up {
            kept.push((ply, Arc::from(start.boxed())));
            set_ups.push(ply);
        }
        Self {
            log: event.log,
            rules: self.rules,
            created: created.clone(),
            setup: self.setup.clone(),
            created_at: event.at,
            ancestry: self.ancestry.iter().chain([fork]).cloned().collect(),
            owners: self.owners.iter().copied().chain([(self.log, own_from)]).collect(),
            set_ups: set_ups.into(),
            mainline,
            kept,
            position: start,
            annotations: std::collections::BTreeMap::new(),
            order,
            remarks: super::limits::Remarks::default(),
            last_at: event.at,
            recorded_by: event.who.into_iter().collect(),
        }
    }

    /// Marks secrets as revealed by events after the last one folded, by the seq of the event that sealed
    /// them.
    pub fn open(&mut self, revealed: &Secrets) {
        self.order.commitments.sealed.retain(|seq, _| !revealed.contains_key(seq));
    }

    /// Whether an event of this log itself led to a ply on the current mainline.
    pub fn stands(&self, ply: usize, seq: u64) -> bool {
        ply >= self.own_from() && ply <= self.mainline.len() && self.led_to(ply) == seq
    }

    /// The seq of the event that led to a ply, in the log that [`Replay::owner`] returns.
    pub fn led_to(&self, ply: usize) -> u64 {
        if ply == 0 || self.is_set_up(ply) { 0 } else { self.mainline[ply - 1].seq }
    }

    /// The last ply up to which a line of this log shares this log's current mainline: the ply it forks from,
    /// unless this log has been taken back since.
    pub fn meets(&self, line: &Self) -> usize {
        let stands = |ply: usize| ply < self.own_from() || self.stands(ply, line.led_to(ply));
        (0..line.own_from()).rev().find(|ply| stands(*ply)).unwrap_or(0)
    }

    /// The log whose event led to a ply: this one or, for a line, one of its ancestors.
    pub fn owner(&self, ply: usize) -> LogId {
        self.owners.iter().find(|(_, end)| ply < *end).map_or(self.log, |(log, _)| *log)
    }

    /// The first ply of this log's own: 0 for a game; for a line, where it leaves its parent.
    pub fn own_from(&self) -> usize {
        self.owners.last().map_or(0, |(_, end)| *end)
    }

    /// The game itself, or the recorded game that the line belongs to.
    pub fn root(&self) -> LogId {
        self.ancestry.first().map_or(self.log, |fork| fork.game)
    }

    /// Where this line and its ancestors forked, starting with the fork from the game; empty for a game.
    pub fn ancestry(&self) -> &[Fork] {
        &self.ancestry
    }

    /// Whether this is a line of analysis.
    pub fn is_line(&self) -> bool {
        self.created.fork.is_some()
    }

    /// The ply at which a line leaves its parent; 0 for a game.
    pub fn fork_ply(&self) -> usize {
        self.created.fork.as_ref().map_or(0, |fork| fork.ply as usize)
    }

    /// The current name of a line.
    pub fn name(&self) -> Option<&str> {
        self.order.standing.name.as_deref()
    }

    /// Whether lists leave the line out.
    pub fn is_hidden(&self) -> bool {
        self.order.standing.is_hidden
    }

    /// The position of a line among its siblings, lowest first.
    pub fn rank(&self) -> i64 {
        self.order.standing.rank
    }

    /// Whether part of the setup is sealed, so that only the vault knows it.
    pub fn is_setup_sealed(&self) -> bool {
        self.created.sealed_setup.is_some() && self.order.commitments.sealed.contains_key(&0)
    }

    /// The plies of the mainline whose actions are still sealed, ascending.
    pub fn unknown(&self) -> impl Iterator<Item = usize> {
        let plies = self.mainline.iter().enumerate();
        plies
            .filter(|(_, done)| done.is_sealed && self.order.commitments.sealed.contains_key(&done.seq))
            .map(|(index, _)| index + 1)
    }

    /// The annotations in this log itself, by ply.
    pub fn annotations(&self) -> impl Iterator<Item = (usize, &Annotated)> {
        self.annotations.iter().map(|(ply, said)| (*ply as usize, said))
    }
}
