//! The measures of Triangulate.

use super::board::Board;
use super::notation::Move;
use crate::{Heat, Marks, Measure};

/// The counts of a game.
#[derive(Default)]
pub(crate) struct Counts {
    stacks: i64,
    blocks: i64,
    /// By seat.
    slides: [i64; 2],
    longest_slide: i64,
    pads_most: i64,
    pads_replaced: i64,
    extra_pad: i64,
    won_by_slide: i64,
    visits_at: Marks<64>,
    stacks_at: Marks<64>,
    pads_at: Marks<64>,
    replaced_at: Marks<64>,
}

pub(super) const MEASURES: &[Measure<Board>] = &[
    Measure::counted("stacks", "Stacks made: moves of a frog onto a single other frog, anybody's.", |of| of.stacks),
    Measure::counted("blocks", "Stacks made on a frog of the other seat, which it blocks.", |of| of.blocks),
    Measure::counted("slides", "Slides made, of two squares or more, by both seats.", |of| of.slides.iter().sum()),
    Measure::of_winner("slidesWinner", "Slides made by the winner; none without a winner.", |game, winner| {
        game.counts.slides[winner]
    }),
    Measure::sometimes("longestSlide", "The longest slide, in squares; none if nobody slid.", |game| {
        Some(game.counts.longest_slide).filter(|length| *length > 0)
    }),
    Measure::counted("padsMost", "The most pads on the board at once, of both seats.", |of| of.pads_most),
    Measure::always("padsEnd", "Pads on the board at the end, of both seats.", |game| {
        (game.position.pads[0] | game.position.pads[1]).len() as i64
    }),
    Measure::of_winner(
        "padsWinner",
        "The winner's pads on the board at the end; none without a winner.",
        |game, winner| game.position.pads[winner].len() as i64,
    ),
    Measure::counted("padsReplaced", "Pads put in the place of one of the other seat.", |of| of.pads_replaced),
    Measure::sometimes("extraPad", "1 if seat 2 added its extra pad, else 0; none before its first move.", |game| {
        (!game.position.fresh).then_some(game.counts.extra_pad)
    }),
    Measure::sometimes(
        "wonBySlide",
        "1 if the third frog came by a slide, 0 if by a step; none without one.",
        |game| game.position.third.is_some().then_some(game.counts.won_by_slide),
    ),
];

pub(super) const HEAT: &[Heat<Counts>] = &[
    Heat::new("visits", "Frogs that came to the square.", |counts| &counts.visits_at),
    Heat::new("stacks", "Stacks made on the square.", |counts| &counts.stacks_at),
    Heat::new("pads", "Pads placed on the square.", |counts| &counts.pads_at),
    Heat::new("replaced", "Pads of the other seat replaced on the square.", |counts| &counts.replaced_at),
];

pub(super) fn count(before: &Board, action: Move, after: &Board, counts: &mut Counts) {
    let Move::Frog { from, to, extra } = action else { return };
    let seat = before.turn;
    let length = from.column().abs_diff(to.column()).max(from.row().abs_diff(to.row()));
    counts.visits_at.add(to);
    if length > 1 {
        counts.slides[seat] += 1;
        counts.longest_slide = counts.longest_slide.max(i64::from(length));
    }
    if after.third.is_some() {
        counts.won_by_slide = i64::from(length > 1);
    } else if before.occupied().has(to) {
        counts.stacks += 1;
        counts.blocks += i64::from(before.lower[1 - seat].has(to));
        counts.stacks_at.add(to);
    }
    counts.extra_pad += i64::from(extra.is_some());
    for square in after.pads[seat] & !before.pads[seat] {
        counts.pads_at.add(square);
    }
    for square in before.pads[1 - seat] & !after.pads[1 - seat] {
        counts.pads_replaced += 1;
        counts.replaced_at.add(square);
    }
    counts.pads_most = counts.pads_most.max((after.pads[0] | after.pads[1]).len() as i64);
}
