//! Entrants, and when they take part.

use std::collections::BTreeMap;

use plybook_events::body::{Bye, Entered, EntrantDetails};
use plybook_events::{LogId, Timestamp};

/// Somebody who takes part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// The number, from 1, in the order of entry.
    pub number: u16,
    /// The player.
    pub player: LogId,
    /// The name, seed rating and so on.
    pub details: EntrantDetails,
    /// When the entrant was entered.
    pub entered_at: Timestamp,
    /// The first round: above 1 for a late entrant.
    pub from_round: u32,
    /// What a late entrant got for the missed rounds, in tenths of a point.
    pub points: u32,
    /// Whether the entry was a mistake.
    pub is_removed: bool,
    /// When the entrant was withdrawn: from a round, up to the round of the return.
    pub(super) away: Vec<(u32, Option<u32>)>,
    /// The rounds in which the entrant announced an absence, and what that gives.
    pub absences: BTreeMap<u32, Bye>,
}

impl Entrant {
    pub(super) fn new(entered: &Entered, at: Timestamp) -> Self {
        Self {
            number: entered.entrant,
            player: entered.player,
            details: entered.details.clone(),
            entered_at: at,
            from_round: entered.from_round.unwrap_or(1),
            points: entered.points.unwrap_or(0),
            is_removed: false,
            away: Vec::new(),
            absences: BTreeMap::new(),
        }
    }

    /// The round from which the entrant is withdrawn, unless the entrant has returned.
    pub fn withdrawn_from(&self) -> Option<u32> {
        self.away.last().filter(|(_, until)| until.is_none()).map(|(from, _)| *from)
    }

    /// The first round in which the entrant took part, or would have: an entrant who withdrew before it and returned later
    /// is a late entrant.
    pub fn first_round(&self) -> u32 {
        self.away.iter().fold(self.from_round, |first, (from, until)| match until {
            Some(until) if *from <= first => first.max(*until),
            _ => first,
        })
    }

    /// Whether the entrant was in the tournament when it began.
    pub fn is_starter(&self) -> bool {
        self.takes_part(1)
    }

    /// Whether the entrant takes part in a round, playing or with a bye.
    pub fn takes_part(&self, round: u32) -> bool {
        let is_away = |(from, until): &(u32, Option<u32>)| *from <= round && until.is_none_or(|until| round < until);
        !self.is_removed && self.from_round <= round && !self.away.iter().any(is_away)
    }

    /// Whether the entrant is to be paired in a round.
    pub fn is_available(&self, round: u32) -> bool {
        self.takes_part(round) && !self.absences.contains_key(&round)
    }
}
