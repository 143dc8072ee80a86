//! What other Swiss systems for two seats share with the Dutch one: scores, absolute criteria and seats.

use super::player::{Player, Seat, check_known, players};
use super::{Options, explain, initial_seat, seats};
use crate::{EntrantNumber, History, PairedBye, Pairing, PairingError, Points};

/// The players of a round, by score and number, and what the absolute criteria say about them.
pub(crate) struct Seating {
    players: Vec<Player>,
    /// The opponents that each player may not have, by index in the history, in order.
    excluded: Vec<Vec<usize>>,
    initial: Seat,
}

impl Seating {
    /// Reads a history.
    ///
    /// # Errors
    /// The history or the options are invalid.
    pub(crate) fn new(history: &History, options: &Options<'_>) -> Result<Self, PairingError> {
        for entrant in options.available.iter().chain(options.forbidden.iter().flatten()) {
            check_known(history, *entrant)?;
        }
        let players = players(history, options)?;
        let mut excluded: Vec<Vec<usize>> = players.iter().map(|player| player.met.clone()).collect();
        for (player, excluded) in players.iter().zip(&mut excluded) {
            for group in options.forbidden.iter().filter(|group| group.contains(&player.number)) {
                excluded.extend(group.iter().map(|number: &EntrantNumber| number.index()));
            }
            excluded.sort_unstable();
        }
        Ok(Self { players, excluded, initial: initial_seat(history, options) })
    }

    /// The score of a player, with acceleration.
    pub(crate) fn score(&self, player: usize) -> Points {
        self.players[player].score
    }

    /// Whether a player may get the bye.
    pub(crate) fn may_have_bye(&self, player: usize) -> bool {
        self.players[player].may_have_bye
    }

    /// Whether two players may meet: they have not, and do not both absolutely need the same seat.
    pub(crate) fn may_meet(&self, one: usize, other: usize) -> bool {
        let (player, opponent) = (&self.players[one], &self.players[other]);
        let is_clash = player.is_absolute() && opponent.is_absolute() && player.preferred() == opponent.preferred();
        !is_clash && self.excluded[one].binary_search(&opponent.number.index()).is_err()
    }

    /// Whether both can have the seat that they prefer.
    pub(crate) fn is_agreeable(&self, one: usize, other: usize) -> bool {
        match (self.players[one].preferred(), self.players[other].preferred()) {
            (Some(one), Some(other)) => one != other,
            _ => true,
        }
    }

    /// The pairs as tables.
    pub(crate) fn tables(&self, pairs: Vec<(usize, usize)>, left: &[usize]) -> Pairing {
        let bye = |left: &usize| PairedBye {
            entrant: self.players[*left].number,
            reasons: vec![explain::lowest(&self.players[*left])],
        };
        let byes = left.iter().map(bye).collect();
        Pairing { tables: seats::tables(&self.players, pairs, self.initial), byes }
    }
}
