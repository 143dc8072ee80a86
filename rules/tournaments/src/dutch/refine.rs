//! Chooses among the pairings that are equal by the criteria: the first one in the order of the rules.
//!
//! # Source
//! FIDE Handbook C.04.3, in force from 1 February 2026, article 4: rules for the sequential generation of the
//! pairings.

use std::ops::Range;

use super::optimum::Optimum;
use super::weight::Graded;
use crate::Points;

/// The cost of one more exchange, compared with the numbers of the exchanged players.
const EXCHANGE: i64 = 1 << 20;

/// Narrows the best matchings of a bracket down to the one that the rules generate first.
///
/// The first vertices are the players moved down, who have these scores; then come the `residents`. All are
/// in order.
pub(super) fn refine<W: Graded>(optimum: &mut Optimum<W>, down: &[Points], residents: Range<usize>) {
    let is_here = |mate: Option<usize>| mate.is_some_and(|mate| residents.contains(&mate));
    // Among the players moved down, the higher ones are paired here.
    for vertex in 0..down.len() {
        optimum.prefer(vertex, |mate| u16::from(is_here(mate)));
    }
    // Their opponents, as high as possible.
    for vertex in 0..down.len() {
        if is_here(optimum.mate(vertex)) {
            prefer_highest(optimum, vertex, &residents);
        }
    }
    let remainder: Vec<usize> =
        residents.clone().filter(|vertex| optimum.mate(*vertex).is_none_or(|mate| mate >= residents.start)).collect();
    exchange(optimum, &remainder, &residents);
    // The opponents of the upper half, as high as possible.
    for &vertex in &remainder {
        if is_upper(optimum, vertex, &residents) {
            prefer_highest(optimum, vertex, &residents);
        }
    }
}

/// Fixes the highest resident opponent that a vertex can have.
fn prefer_highest<W: Graded>(optimum: &mut Optimum<W>, vertex: usize, residents: &Range<usize>) {
    optimum.prefer(vertex, |mate| match mate {
        Some(mate) if residents.contains(&mate) => (residents.end - mate) as u16,
        _ => 0,
    });
    optimum.fix(vertex);
}

/// Whether a resident is the higher one of a pair of residents.
fn is_upper<W: Graded>(optimum: &Optimum<W>, vertex: usize, residents: &Range<usize>) -> bool {
    optimum.mate(vertex).is_some_and(|mate| is_upper_with(vertex, mate, residents))
}

fn is_upper_with(vertex: usize, mate: usize, residents: &Range<usize>) -> bool {
    vertex < mate && residents.contains(&mate)
}

/// Decides which residents are the higher ones of their pairs: the upper half, with as few and as small
/// exchanges with the lower half as possible.
fn exchange<W: Graded>(optimum: &mut Optimum<W>, remainder: &[usize], residents: &Range<usize>) {
    let pairs = remainder.iter().filter(|vertex| is_upper(optimum, **vertex, residents)).count();
    if pairs == 0 {
        return;
    }
    let mut rank = vec![None; residents.end];
    for (index, vertex) in remainder.iter().enumerate() {
        rank[*vertex] = Some(index);
    }
    optimum.exchange(|one, other| {
        let (higher, lower) = (one.min(other), one.max(other));
        let is_pair = rank.get(lower).is_some_and(Option::is_some);
        match rank.get(higher).copied().flatten() {
            Some(index) if is_pair => i64::from(index < pairs) * EXCHANGE - index as i64,
            _ => 0,
        }
    });
    let (upper, lower) = remainder.split_at(pairs);
    let mut exchanges = upper.iter().filter(|vertex| !is_upper(optimum, **vertex, residents)).count();
    let count = exchanges;
    // The lowest of the upper half go down.
    for &vertex in upper.iter().rev() {
        if exchanges == 0 {
            break;
        }
        optimum.prefer(vertex, |mate| u16::from(!mate.is_some_and(|mate| is_upper_with(vertex, mate, residents))));
        exchanges -= usize::from(!is_upper(optimum, vertex, residents));
    }
    // The highest of the lower half go up.
    exchanges = count;
    for &vertex in lower {
        if exchanges == 0 {
            break;
        }
        optimum.prefer(vertex, |mate| u16::from(mate.is_some_and(|mate| is_upper_with(vertex, mate, residents))));
        exchanges -= usize::from(is_upper(optimum, vertex, residents));
    }
    // From here on, each pair consists of one who is the higher one and one who is not.
    let is_upper: Vec<bool> = (0..residents.end).map(|vertex| is_upper(optimum, vertex, residents)).collect();
    optimum.keep(|one, other| {
        let (higher, lower) = (one.min(other), one.max(other));
        !residents.contains(&higher) || !residents.contains(&lower) || (is_upper[higher] && !is_upper[lower])
    });
}
