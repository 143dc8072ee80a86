//! Applies the events that say who takes part.

use plybook_events::Timestamp;
use plybook_events::body::{AbsenceAnnounced, AbsenceCancelled, Bye, Entered};

use super::entrants::Entrant;
use super::misfit::Misfit;
use super::tournament::{ENTRANTS_MAX, Tournament};

impl Tournament {
    pub(super) fn enter(&mut self, entered: &Entered, at: Timestamp) -> Result<(), Misfit> {
        let next = self.entrants.len() + 1;
        if next > ENTRANTS_MAX {
            return Err(Misfit::Full(ENTRANTS_MAX));
        }
        if usize::from(entered.entrant) != next {
            return Err(Misfit::Number(next));
        }
        if let Some(entrant) = self.by_player.get(&entered.player) {
            return Err(Misfit::Twice { player: entered.player, entrant: *entrant });
        }
        let from_round = entered.from_round.unwrap_or(1);
        self.check_unpaired(from_round)?;
        self.check_late(from_round, entered.points.unwrap_or(0))?;
        self.entrants.push(Entrant::new(entered, at));
        self.by_player.insert(entered.player, entered.entrant);
        Ok(())
    }

    fn check_late(&self, from_round: u32, points: u32) -> Result<(), Misfit> {
        let missed = from_round.saturating_sub(1);
        let limit = missed.saturating_mul(self.rules.most_points().0);
        if points > limit { Err(Misfit::Points { missed, limit }) } else { Ok(()) }
    }

    /// Checks that plans can still be made for a round.
    fn check_unpaired(&self, round: u32) -> Result<(), Misfit> {
        if round < self.next_round() {
            return Err(if round == 0 { Misfit::NotPaired(0) } else { Misfit::AlreadyPaired(round) });
        }
        // In formats that draw all opponents at the start, the number of rounds follows from the number of
        // entrants.
        if self.rules.is_drawn() { Ok(()) } else { self.check_planned(round) }
    }

    pub(super) fn remove(&mut self, number: u16) -> Result<(), Misfit> {
        let was_paired = self.rounds.iter().any(|round| round.everybody().any(|entrant| entrant == number));
        let entrant = self.entrant_mut(number)?;
        if was_paired {
            return Err(Misfit::WasPaired(number));
        }
        entrant.is_removed = true;
        let player = entrant.player;
        self.by_player.remove(&player);
        Ok(())
    }

    pub(super) fn withdraw(&mut self, number: u16, from_round: u32) -> Result<(), Misfit> {
        self.check_unpaired(from_round)?;
        let entrant = self.entrant_mut(number)?;
        if entrant.withdrawn_from().is_some() {
            return Err(Misfit::Withdrawn(number));
        }
        entrant.away.push((from_round, None));
        Ok(())
    }

    pub(super) fn bring_back(&mut self, number: u16, from_round: u32) -> Result<(), Misfit> {
        self.check_unpaired(from_round)?;
        let entrant = self.entrant_mut(number)?;
        let Some((from, None)) = entrant.away.last().copied() else { return Err(Misfit::NotWithdrawn(number)) };
        entrant.away.pop();
        if from < from_round {
            entrant.away.push((from, Some(from_round)));
        }
        Ok(())
    }

    pub(super) fn announce(&mut self, absence: AbsenceAnnounced) -> Result<(), Misfit> {
        if absence.bye == Bye::Pairing {
            return Err(Misfit::PairingBye);
        }
        self.check_unpaired(absence.round)?;
        self.entrant_mut(absence.entrant)?.absences.insert(absence.round, absence.bye);
        Ok(())
    }

    pub(super) fn cancel(&mut self, cancelled: AbsenceCancelled) -> Result<(), Misfit> {
        let AbsenceCancelled { entrant, round } = cancelled;
        self.check_unpaired(round)?;
        let removed = self.entrant_mut(entrant)?.absences.remove(&round);
        removed.map(|_| ()).ok_or(Misfit::NoAbsence { entrant, round })
    }
}
