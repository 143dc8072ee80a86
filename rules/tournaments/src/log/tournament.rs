//! The fold of a tournament's log.

use std::collections::BTreeMap;

use plybook_events::body::{LogSort, TournamentSettings};
use plybook_events::{Body, Event, LogId, Timestamp};

use super::entrants::Entrant;
use super::misfit::{FoldError, Misfit};
use super::rounds::{Round, RoundStatus};
use super::settings::Rules;
use crate::{Format, MOST_ROUNDS};

/// The most entrants of a tournament.
pub const ENTRANTS_MAX: usize = 10_000;

/// A tournament, folded from its log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tournament {
    /// The id, which is that of its log.
    pub id: LogId,
    /// The settings.
    pub settings: TournamentSettings,
    /// What the settings say about pairing, scoring and ranking.
    pub rules: Rules,
    /// The entrants, removed ones included; index 0 is number 1.
    pub entrants: Vec<Entrant>,
    /// The rounds that were paired, in order.
    pub rounds: Vec<Round>,
    /// When it was created.
    pub created_at: Timestamp,
    /// The time of its last event.
    pub updated_at: Timestamp,
    /// When it was finished.
    pub finished_at: Option<Timestamp>,
    /// The number of events, which is the seq of the next.
    pub events: u64,
    /// The tie-breaks that were replaced after rounds were opened, each with the last of these rounds.
    pub tie_breaks_before: Vec<(u32, Vec<String>)>,
    /// The entrants' numbers by player, without removed ones.
    pub(super) by_player: BTreeMap<LogId, u16>,
    /// The entrants in the order of the draw or, in formats without one, of the ranks once they are kept.
    pub(super) drawn: Vec<u16>,
}

/// The status of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TournamentStatus {
    /// No round was opened yet.
    Planned,
    /// A round was opened.
    Running,
    /// It is over.
    Finished,
}

impl Tournament {
    /// Folds a whole log.
    ///
    /// # Errors
    /// The first event that does not fit.
    pub fn fold<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<Self, FoldError> {
        let mut events = events.into_iter();
        let first = events.next().ok_or(FoldError { seq: 0, why: Misfit::Created })?;
        let mut tournament = Self::begin(first)?;
        events.try_for_each(|event| tournament.apply(event)).map(|()| tournament)
    }

    /// The tournament after the first event of its log.
    ///
    /// # Errors
    /// It is not `tournament_created`, or its settings are invalid.
    pub fn begin(first: &Event) -> Result<Self, FoldError> {
        let misfit = |why| FoldError { seq: first.seq, why };
        let Body::TournamentCreated(settings) = &first.body else { return Err(misfit(Misfit::Created)) };
        first.check_author().map_err(|why| misfit(why.into()))?;
        Ok(Self {
            id: first.log,
            rules: Rules::read(settings).map_err(misfit)?,
            settings: settings.clone(),
            entrants: Vec::new(),
            rounds: Vec::new(),
            created_at: first.at,
            updated_at: first.at,
            finished_at: None,
            events: first.seq + 1,
            tie_breaks_before: Vec::new(),
            by_player: BTreeMap::new(),
            drawn: Vec::new(),
        })
    }

    /// Applies the next event.
    ///
    /// # Errors
    /// The event does not fit; nothing has changed.
    pub fn apply(&mut self, event: &Event) -> Result<(), FoldError> {
        self.fit(event).map_err(|why| FoldError { seq: event.seq, why })?;
        self.updated_at = event.at;
        self.events = event.seq + 1;
        Ok(())
    }

    fn fit(&mut self, event: &Event) -> Result<(), Misfit> {
        let at = event.at;
        // Results can be corrected even after the end: the standings follow.
        let is_late = !matches!(
            event.body,
            Body::ResultRecorded(_) | Body::ResultRemoved(_) | Body::Forfeited(_) | Body::TournamentReopened(_)
        );
        if event.body.sort() == LogSort::Tournament && !event.body.is_first() {
            event.check_author()?;
        }
        if self.finished_at.is_some() && is_late {
            return Err(Misfit::Finished);
        }
        match &event.body {
            Body::TournamentCreated(_) => Err(Misfit::Created),
            Body::TournamentEdited(settings) => self.edit(settings),
            Body::Entered(entered) => self.enter(entered, at),
            Body::EntrantEdited(edited) => {
                self.entrant_mut(edited.entrant)?.details = edited.details.clone();
                Ok(())
            }
            Body::EntryRemoved(removed) => self.remove(removed.entrant),
            Body::Withdrawn(withdrawn) => self.withdraw(withdrawn.entrant, withdrawn.from_round),
            Body::Returned(returned) => self.bring_back(returned.entrant, returned.from_round),
            Body::AbsenceAnnounced(absence) => self.announce(*absence),
            Body::AbsenceCancelled(cancelled) => self.cancel(*cancelled),
            Body::Paired(paired) => self.pair(paired, event.seq, at),
            Body::PairingChanged(changed) => self.change_pairing(changed, event.seq, at),
            Body::Unpaired(unpaired) => self.unpair(unpaired.round),
            Body::RoundOpened(opened) => self.open(*opened, at),
            Body::RoundUnopened(unopened) => self.unopen(unopened.round),
            Body::GameOpened(opened) => self.open_game(opened),
            Body::TableOpened(opened) => self.open_table(opened, event.seq, at),
            Body::TableReseated(reseated) => self.reseat(reseated),
            Body::ResultRecorded(result) => {
                self.change_result(result.round, result.table, at, |tournament| tournament.record(result, at))
            }
            Body::ResultRemoved(removed) => {
                self.change_result(removed.round, removed.table, at, |tournament| tournament.remove_result(removed, at))
            }
            Body::Forfeited(forfeited) => {
                self.change_result(forfeited.round, forfeited.table, at, |tournament| tournament.forfeit(forfeited, at))
            }
            Body::Adjourned(adjourned) => self.adjourn(adjourned),
            Body::Resumed(resumed) => self.resume(*resumed),
            Body::RoundClosed(closed) => self.close(closed.round, at),
            Body::RoundReopened(reopened) => self.reopen(reopened.round),
            Body::TournamentFinished(_) => self.finish(at),
            Body::TournamentReopened(_) => self.finished_at.take().map(|_| ()).ok_or(Misfit::NotFinished),
            other => Err(Misfit::Foreign(other.type_name())),
        }
    }

    fn edit(&mut self, settings: &TournamentSettings) -> Result<(), Misfit> {
        let rules = Rules::read(settings)?;
        if !self.rounds.is_empty() {
            if settings.kind != self.settings.kind {
                return Err(Misfit::Fixed("kind"));
            }
            if with_rounds(&rules.format, 0) != with_rounds(&self.rules.format, 0) {
                return Err(Misfit::Fixed("format"));
            }
            if settings.seats != self.settings.seats {
                return Err(Misfit::Fixed("seats"));
            }
            if settings.teams != self.settings.teams {
                return Err(Misfit::Fixed("teams"));
            }
            let paired = self.rounds.len() as u32;
            let starters = self.entrants().filter(|entrant| entrant.is_starter()).count();
            if rules.format.rounds(starters).is_some_and(|rounds| u32::from(rounds) < paired) {
                let why = format!("{paired} rounds are paired already");
                return Err(Misfit::Setting { member: "format", why });
            }
        }
        self.note_tie_breaks(settings);
        self.rules = rules;
        self.settings = settings.clone();
        Ok(())
    }

    /// Notes the tie-breaks that are replaced once a round was opened, at most one list for each round.
    fn note_tie_breaks(&mut self, settings: &TournamentSettings) {
        let opened = self.rounds.iter().filter(|round| round.opened_at.is_some()).count() as u32;
        if opened == 0 || settings.tie_breaks == self.settings.tie_breaks {
            return;
        }
        match self.tie_breaks_before.last() {
            Some((round, before)) if *round == opened => {
                if *before == settings.tie_breaks {
                    self.tie_breaks_before.pop();
                }
            }
            _ => self.tie_breaks_before.push((opened, self.settings.tie_breaks.clone())),
        }
    }

    fn finish(&mut self, at: Timestamp) -> Result<(), Misfit> {
        if let Some(round) = self.rounds.iter().find(|round| round.status != RoundStatus::Closed) {
            return Err(Misfit::NotClosed(round.number));
        }
        for round in &self.rounds {
            let tables: Vec<u32> = (1..)
                .zip(&round.tables)
                .filter(|(_, table)| table.result.is_none())
                .map(|(number, _)| number)
                .collect();
            if !tables.is_empty() {
                return Err(Misfit::Missing { round: round.number, tables });
            }
        }
        self.finished_at = Some(at);
        Ok(())
    }

    /// The status.
    pub fn status(&self) -> TournamentStatus {
        match self.rounds.first() {
            _ if self.finished_at.is_some() => TournamentStatus::Finished,
            Some(round) if round.opened_at.is_some() => TournamentStatus::Running,
            _ => TournamentStatus::Planned,
        }
    }

    /// The entrants, without those who were entered by mistake.
    pub fn entrants(&self) -> impl DoubleEndedIterator<Item = &Entrant> {
        self.entrants.iter().filter(|entrant| !entrant.is_removed)
    }

    /// The entrant with a number.
    pub fn entrant(&self, number: u16) -> Option<&Entrant> {
        self.entrants.get(usize::from(number).checked_sub(1)?).filter(|entrant| !entrant.is_removed)
    }

    /// The entrant who is this player.
    pub fn entrant_of(&self, player: LogId) -> Option<&Entrant> {
        self.entrant(*self.by_player.get(&player)?)
    }

    /// The round with this number, from 1, if it is paired.
    pub fn round(&self, number: u32) -> Option<&Round> {
        self.rounds.get((number as usize).checked_sub(1)?)
    }

    /// The number of the first unpaired round.
    pub fn next_round(&self) -> u32 {
        self.rounds.len() as u32 + 1
    }

    /// The number of planned rounds; `None` if it depends on results or on the organiser.
    pub fn rounds_planned(&self) -> Option<u32> {
        let starters = self.entrants().filter(|entrant| entrant.is_starter()).count();
        self.rules.format.rounds(starters).map(u32::from)
    }

    pub(super) fn check_planned(&self, round: u32) -> Result<(), Misfit> {
        let most = self.rounds_planned().unwrap_or(u32::from(MOST_ROUNDS)).min(u32::from(MOST_ROUNDS));
        if round > most { Err(Misfit::NoMoreRounds(most)) } else { Ok(()) }
    }

    pub(super) fn entrant_mut(&mut self, number: u16) -> Result<&mut Entrant, Misfit> {
        let entrant = usize::from(number).checked_sub(1).and_then(|index| self.entrants.get_mut(index));
        entrant.filter(|entrant| !entrant.is_removed).ok_or(Misfit::NoEntrant(number))
    }

    pub(super) fn round_mut(&mut self, number: u32) -> Result<&mut Round, Misfit> {
        let round = (number as usize).checked_sub(1).and_then(|index| self.rounds.get_mut(index));
        round.ok_or(Misfit::NotPaired(number))
    }
}

/// The format with another number of rounds, if that can be chosen.
fn with_rounds(format: &Format, rounds: u16) -> Format {
    let mut format = format.clone();
    match &mut format {
        Format::Swiss(swiss) => swiss.rounds = rounds,
        Format::Pods(pods) => pods.rounds = rounds,
        Format::Free(free) => free.rounds = None,
        Format::RoundRobin(_) | Format::KnockOut(_) | Format::Groups(_) => {}
    }
    format
}
