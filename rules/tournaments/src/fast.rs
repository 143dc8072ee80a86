//! Fast Swiss: a simplified Swiss system for two seats and any number of entrants.
//!
//! It is not the Dutch system and makes no claim to FIDE's criteria. Score groups are paired from the top,
//! the upper half of each with the lower half, each player with the nearest one allowed: nobody meets the
//! same player twice, and nobody gets the same seat three times running or three times more often than the
//! other. Seat preferences are respected among the next few opponents. Players without an opponent move down.
//! Those left at the end are paired with the lowest tables, which are dissolved for that and paired again by
//! a maximum matching. The bye goes to the lowest player who may have it.

use integer_blossom::max_weight_matching;

use crate::dutch::{Options, Seating};
use crate::{History, Pairing, PairingError};

/// The name and version of the system: the same history and options give the same pairing under the same name.
pub const ENGINE: &str = "fast/1";

/// The most entrants that can be paired, which is the number of possible entrant numbers.
pub const ENTRANTS_MAX: usize = u16::MAX as usize - 1;

/// How many opponents are considered for the sake of a better seat.
const CHOICES: usize = 16;

/// How many players are paired again by a matching at first, and at most, if somebody is left over.
const REPAIRED: std::ops::RangeInclusive<usize> = 64..=1_024;

/// Pairs the round after those of the history.
///
/// # Errors
/// See [`PairingError`]. It is `Impossible` if the lowest 1,024 players cannot be paired with each other; with
/// no more than that, no pairing exists that keeps the absolute rules with this bye.
pub fn pair(history: &History, options: &Options<'_>) -> Result<Pairing, PairingError> {
    let entrants = options.available.len();
    if entrants == 0 {
        return Err(PairingError::TooFew { entrants, least: 1 });
    }
    let seating = Seating::new(history, options)?;
    let mut waiting: Vec<usize> = (0..entrants).collect();
    let mut left = Vec::new();
    if entrants % 2 == 1 {
        let bye = waiting.iter().rposition(|player| seating.may_have_bye(*player));
        let reason = "each of them has had a bye, or as many points as for a win without play";
        left.push(waiting.remove(bye.ok_or(PairingError::Impossible { entrants, reason })?));
    }
    let mut pairs = Vec::with_capacity(entrants / 2);
    let mut floaters = Vec::new();
    for group in waiting.chunk_by(|one, other| seating.score(*one) == seating.score(*other)) {
        if (options.progress)(2 * pairs.len(), entrants).is_break() {
            return Err(PairingError::Cancelled);
        }
        let mut bracket = std::mem::take(&mut floaters);
        bracket.extend(group);
        floaters = pair_bracket(&seating, &bracket, &mut pairs);
    }
    if !floaters.is_empty() {
        repair(&seating, &floaters, &mut pairs).ok_or(PairingError::Impossible {
            entrants,
            reason: "too many of the lowest have met, or need the same seat",
        })?;
    }
    Ok(seating.tables(pairs, &left))
}

/// Pairs a bracket, and returns the players without an opponent.
fn pair_bracket(seating: &Seating, bracket: &[usize], pairs: &mut Vec<(usize, usize)>) -> Vec<usize> {
    let half = bracket.len() / 2;
    let mut is_paired = vec![false; bracket.len()];
    // First the upper half with the lower half, then those who are left with each other.
    for first_opponent in [half, 0] {
        let mut begin = first_opponent;
        for index in 0..bracket.len() {
            if is_paired[index] || (first_opponent > 0 && index >= half) {
                continue;
            }
            while begin < bracket.len() && is_paired[begin] {
                begin += 1;
            }
            let mut choices = (begin.max(index + 1)..bracket.len())
                .filter(|other| !is_paired[*other] && seating.may_meet(bracket[index], bracket[*other]))
                .take(CHOICES)
                .peekable();
            let nearest = choices.peek().copied();
            let best = choices.find(|other| seating.is_agreeable(bracket[index], bracket[*other])).or(nearest);
            if let Some(other) = best {
                is_paired[index] = true;
                is_paired[other] = true;
                pairs.push((bracket[index], bracket[other]));
            }
        }
    }
    bracket.iter().zip(is_paired).filter(|(_, is_paired)| !is_paired).map(|(player, _)| *player).collect()
}

/// Pairs those who are left with the lowest tables, dissolving as few of them as possible.
fn repair(seating: &Seating, left: &[usize], pairs: &mut Vec<(usize, usize)>) -> Option<()> {
    let mut size = *REPAIRED.start();
    loop {
        let dissolved = (size.saturating_sub(left.len()) / 2).min(pairs.len());
        let kept = pairs.len() - dissolved;
        let mut players = left.to_vec();
        players.extend(pairs[kept..].iter().flat_map(|(one, other)| [*one, *other]));
        players.sort_unstable();
        if players.len() > *REPAIRED.end() {
            return None;
        }
        let size_now = players.len();
        let mut weights = vec![0_i32; size_now * size_now];
        for (row, &one) in players.iter().enumerate() {
            for (column, &other) in players.iter().enumerate().skip(row + 1) {
                if seating.may_meet(one, other) {
                    // The number of pairs counts most, then closeness in score, then that both get their
                    // preferred seats.
                    let distance = seating.score(one).0.abs_diff(seating.score(other).0).min(255) as i32;
                    let is_agreeable = i32::from(seating.is_agreeable(one, other));
                    weights[row * size_now + column] = (1 << 18) - 2 * distance + is_agreeable;
                }
            }
        }
        let mates = max_weight_matching(&weights, size_now);
        if mates.iter().all(Option::is_some) {
            pairs.truncate(kept);
            let again =
                mates.iter().enumerate().filter_map(|(one, mate)| mate.filter(|mate| one < *mate).map(|m| (one, m)));
            pairs.extend(again.map(|(one, other)| (players[one], players[other])));
            return Some(());
        }
        if dissolved == pairs.len() || size >= *REPAIRED.end() {
            return None;
        }
        size *= 4;
    }
}
