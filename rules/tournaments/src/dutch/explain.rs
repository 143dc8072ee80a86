//! Explains pairings.

use super::player::{Player, Seat};
use super::round::Round;
use crate::{Reason, SeatPreference, SeatRule};

/// Why two players meet and `player`, the higher one, has this seat.
pub(super) fn table(player: &Player, opponent: &Player, seat: Seat, rule: SeatRule) -> Vec<Reason> {
    let meeting = if player.score == opponent.score {
        Reason::SameScore { points: player.score }
    } else {
        Reason::Float { down: player.number, from: player.score, up: opponent.number, to: opponent.score }
    };
    vec![meeting, preference(player, seat), preference(opponent, seat.other()), Reason::Seats { rule }]
}

fn preference(player: &Player, seat: Seat) -> Reason {
    Reason::SeatPreference {
        entrant: player.number,
        preference: player.preference.map(|(seat, strength)| SeatPreference { seat: seat.number(), strength }),
        seats: player.seats.iter().map(|seat| seat.number()).collect(),
        granted: player.preferred().is_none_or(|preferred| preferred == seat),
    }
}

/// Why a player is left over.
pub(super) fn bye(round: &Round, left: usize) -> Vec<Reason> {
    let player = &round.players[left];
    let others = (0..round.players.len())
        .filter(|&other| other != left && round.may_have_bye(other) && round.players[other].score == player.score)
        .map(|other| round.players[other].number)
        .collect();
    vec![Reason::Bye { points: player.score, played: player.seats.len() as u16, others }]
}

/// Why a player is left over by a system that chooses the lowest.
pub(super) fn lowest(player: &Player) -> Reason {
    Reason::LowestBye { points: player.score, played: player.seats.len() as u16 }
}
