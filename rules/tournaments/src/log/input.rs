//! What a round is paired from, in canonical JSON.

use std::ops::ControlFlow;

use plybook_events::body::EntrantBye;
use plybook_events::{Hash, canonical};
use serde_json::{Value, json};

use super::history::Ranks;
use super::tournament::Tournament;
use crate::{Bye, EntrantNumber, Format, History, PairingError, Table, TableResult};

/// Everything that the pairing of a round depends on. The same version of the same system pairs two inputs
/// with the same text in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairingInput {
    /// The round to be paired, from 1.
    pub round: u32,
    /// The entrants' starting ranks, which identify them in the history.
    pub ranks: Ranks,
    /// Everything so far; adjourned games count as drawn.
    pub history: History,
    /// The entrants to be paired.
    pub available: Vec<EntrantNumber>,
    /// Groups of entrants who do not meet each other.
    pub forbidden: Vec<Vec<EntrantNumber>>,
    /// The entrants who take part without playing, and what that gives.
    pub absent: Vec<EntrantBye>,
    /// The input as canonical JSON, with `format` and `scoring` of the tournament.
    pub text: String,
}

impl PairingInput {
    /// SHA-256 over a domain string and the text.
    pub fn hash(&self) -> Hash {
        Hash::of_parts(&[b"plybook/pairing/v1\0", self.text.as_bytes()])
    }
}

impl Tournament {
    /// The input for pairing the next round.
    pub fn pairing_input(&self) -> PairingInput {
        let round = self.next_round();
        let ranks = self.ranks();
        let history = self.history_to_pair(&ranks);
        let is_available = |number: &&u16| self.entrant(**number).is_some_and(|entrant| entrant.is_available(round));
        let mut available: Vec<EntrantNumber> =
            ranks.entrants().iter().filter(is_available).map(|entrant| ranks.rank(*entrant)).collect();
        available.sort_unstable();
        let forbidden = self.forbidden(&ranks);
        let mut value = json!({
            "available": available,
            "entrants": history.entrants.iter().map(entrant_json).collect::<Vec<_>>(),
            "format": self.settings.format,
            "round": round,
            "rounds": history.rounds.iter().map(round_json).collect::<Vec<_>>(),
            "rounds_planned": history.rounds_planned,
            "scoring": self.settings.scoring,
            "seats": self.settings.seats,
        });
        if !forbidden.is_empty() {
            value["forbidden"] = json!(forbidden);
        }
        let text = canonical::to_bytes(&value).expect("it is as deep as the settings, and numbers are small");
        let text = String::from_utf8(text).expect("canonical JSON is UTF-8");
        PairingInput { round, ranks, history, available, forbidden, absent: self.absent(), text }
    }

    /// Checks that it is known who goes on in a knock-out, or out of a group. Pairing counts an adjourned game as drawn,
    /// which would have a match replayed, or a group decided, before the game is over.
    ///
    /// # Errors
    /// [`PairingError::Missing`].
    pub fn check_adjourned(&self) -> Result<(), PairingError> {
        let has_knock_out = matches!(self.rules.format, Format::KnockOut(_) | Format::Groups(_));
        if !has_knock_out || self.rounds.iter().flat_map(|round| &round.tables).all(|table| table.adjourned.is_none()) {
            return Ok(());
        }
        let mut input = self.pairing_input();
        input.history = self.history(&input.ranks);
        match input.pair(&self.rules, &|_, _| ControlFlow::Continue(())) {
            Err(why @ PairingError::Missing { .. }) => Err(why),
            _ => Ok(()),
        }
    }
}

impl Tournament {
    /// The groups of entrants who do not meet, by starting rank; those who were removed are in none.
    pub(crate) fn forbidden(&self, ranks: &Ranks) -> Vec<Vec<EntrantNumber>> {
        let there = |number: &&u16| self.entrant(**number).is_some();
        let group = |group: &Vec<u16>| group.iter().filter(there).map(|number| ranks.rank(*number)).collect::<Vec<_>>();
        self.settings.forbidden.iter().map(group).filter(|group| group.len() > 1).collect()
    }
}

fn entrant_json(entrant: &crate::Entrant) -> Value {
    json!({ "entered_after": entrant.entered_after, "rating": entrant.rating, "withdrew_after": entrant.withdrew_after })
}

fn round_json(round: &crate::Round) -> Value {
    json!({
        "byes": round.byes.iter().copied().map(bye_json).collect::<Vec<_>>(),
        "tables": round.tables.iter().map(table_json).collect::<Vec<_>>(),
    })
}

fn bye_json(bye: Bye) -> Value {
    json!({ "bye": bye.kind, "entrant": bye.entrant, "points": bye.points })
}

fn table_json(table: &Table) -> Value {
    let is_forfeit = matches!(table.result, Some(TableResult::Forfeit(_)));
    json!({
        "forfeit": is_forfeit,
        "points": table.result.as_ref().map(TableResult::points),
        "seats": table.seats,
    })
}
