//! Who sits where.
//!
//! # Source
//! FIDE Handbook C.04.3, in force from 1 February 2026, article 5: colour allocation rules.

use std::cmp::{Ordering, Reverse};

use super::explain;
use super::player::{Player, Seat};
use crate::{PairedTable, SeatRule};

/// The seat of `player` against `opponent`, and the rule that decides it. `initial` is the seat drawn for the
/// first number.
pub(super) fn seat(player: &Player, opponent: &Player, initial: Seat) -> (Seat, SeatRule) {
    match (player.preferred(), opponent.preferred()) {
        (Some(seat), Some(other)) if seat != other => return (seat, SeatRule::BothPreferences),
        (Some(seat), None) => return (seat, SeatRule::BothPreferences),
        (None, Some(other)) => return (other.other(), SeatRule::BothPreferences),
        (None, None) => {
            let (higher, is_player) = higher(player, opponent);
            let seat = if higher.place % 2 == 0 { initial } else { initial.other() };
            return (if is_player { seat } else { seat.other() }, SeatRule::Number);
        }
        (Some(_), Some(_)) => {}
    }
    let wanted = player.preferred().expect("both prefer the same seat");
    match stronger(player, opponent) {
        Ordering::Greater => return (wanted, SeatRule::StrongerPreference),
        Ordering::Less => return (wanted.other(), SeatRule::StrongerPreference),
        Ordering::Equal => {}
    }
    let mut before = player.seats.iter().rev().zip(opponent.seats.iter().rev());
    if let Some((had, _)) = before.find(|(one, other)| one != other) {
        return (had.other(), SeatRule::Alternation);
    }
    let is_higher = higher(player, opponent).1;
    (if is_higher { wanted } else { wanted.other() }, SeatRule::HigherRanked)
}

/// The higher ranked of two, and whether it is the first one.
fn higher<'a>(player: &'a Player, opponent: &'a Player) -> (&'a Player, bool) {
    let is_player = (opponent.score, player.place) < (player.score, opponent.place);
    if is_player { (player, true) } else { (opponent, false) }
}

/// Whose preference for the same seat is stronger.
fn stronger(player: &Player, opponent: &Player) -> Ordering {
    let strength = |player: &Player| (player.strength(), if player.is_absolute() { player.imbalance } else { 0 });
    strength(player).cmp(&strength(opponent))
}

/// The pairs, by index, as tables in the order of publication: by the higher score, the lower score, and the
/// number of the higher player. `initial` is the seat drawn for the first number.
pub(super) fn tables(players: &[Player], pairs: Vec<(usize, usize)>, initial: Seat) -> Vec<PairedTable> {
    let key = |index: usize| (Reverse(players[index].plain_score), players[index].place);
    let published = |(one, other): &(usize, usize)| {
        let (higher, lower) = (key(*one).min(key(*other)), key(*one).max(key(*other)));
        (higher.0, lower.0, higher.1)
    };
    let mut pairs = pairs;
    pairs.sort_by_cached_key(published);
    let table = |(one, other): (usize, usize)| {
        let (player, opponent) = (&players[one], &players[other]);
        let (seat, rule) = seat(player, opponent, initial);
        let seats = match seat {
            Seat::First => vec![player.number, opponent.number],
            Seat::Second => vec![opponent.number, player.number],
        };
        PairedTable { seats, reasons: explain::table(player, opponent, seat, rule) }
    };
    pairs.into_iter().map(table).collect()
}
