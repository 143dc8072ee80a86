//! The chances of the seats, in whole parts: the same on every machine.

use plybook_events::{Outcome, SEATS_MAX};

use crate::{Game, Position, Teams};

/// A certainty: chances are parts of this number.
pub const WHOLE: u32 = 1 << 16;

/// How likely each seat is to win, and how likely a draw is. Those of all teams and of a draw add up to [`WHOLE`]; seats of
/// different teams that win together share the win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chances {
    teams: Teams,
    /// The share of each seat in what its team may expect.
    parts: [u32; SEATS_MAX as usize],
    draw: u32,
}

impl Chances {
    /// No chances for anybody, to add some.
    fn none(teams: Teams) -> Self {
        Self { teams, parts: [0; SEATS_MAX as usize], draw: 0 }
    }

    /// The mean of several; `None` of nothing. All of them are of the same game.
    pub fn mean(all: &[Self]) -> Option<Self> {
        let mut sum = Sum::new(all.first()?.teams);
        for chances in all {
            sum.add(chances);
        }
        sum.mean()
    }

    /// Those of a game that ended.
    pub fn of_outcome(teams: Teams, outcome: &Outcome) -> Self {
        Self::of_winners(teams, winners(outcome))
    }

    /// Those of a game that these seats win; nobody means a draw.
    pub(super) fn of_winners(teams: Teams, winners: Winners) -> Self {
        let mut chances = Self::none(teams);
        let count = winners.count_ones();
        let mut rest = WHOLE;
        for seat in (0..teams.seats()).filter(|seat| winners >> seat & 1 == 1) {
            chances.parts[usize::from(seat)] = WHOLE / count;
            rest -= WHOLE / count;
        }
        chances.draw = if count == 0 { WHOLE } else { 0 };
        // What does not divide evenly goes to the first winner.
        if count > 0 {
            chances.parts[winners.trailing_zeros() as usize] += rest;
        }
        chances
    }

    /// Those that a game's estimate gives while it runs: a lead of [`Game::LEAD`] doubles the odds.
    pub(super) fn estimated<G: Game>(position: &G::Position) -> Self {
        let seats = position.seats();
        let mut chances = Self::none(position.teams());
        let mut estimates = [0_i32; SEATS_MAX as usize];
        for seat in 1..=seats {
            estimates[usize::from(seat) - 1] = position.estimate(seat);
        }
        let estimates = &estimates[..usize::from(seats)];
        let best = estimates.iter().copied().max().unwrap_or(0);
        let weights = estimates.iter().map(|estimate| halved(best.saturating_sub(*estimate), G::LEAD));
        for (part, weight) in chances.parts.iter_mut().zip(weights) {
            *part = weight;
        }
        let sum: u64 = chances.parts.iter().map(|weight| u64::from(*weight)).sum();
        let mut rest = WHOLE;
        for part in &mut chances.parts[..usize::from(seats)] {
            *part = (u64::from(*part) * u64::from(WHOLE) / sum) as u32;
            rest -= *part;
        }
        chances.parts[0] += rest;
        chances
    }

    /// Each part changed to a weight of at most 2^32, divided by the sum of all; unchanged if nothing has any weight.
    pub(super) fn reweighted(&self, weight: impl Fn(u32) -> u64) -> Self {
        let sum: u64 = self.parts.iter().map(|part| weight(*part)).sum::<u64>() + weight(self.draw);
        let part = |part: u32| (weight(part) * u64::from(WHOLE)).checked_div(sum).map(|part| part as u32);
        let Some(draw) = part(self.draw) else { return *self };
        let parts = self.parts.map(|own| part(own).unwrap_or(own));
        let mut chances = Self { teams: self.teams, parts, draw };
        let rest = WHOLE - draw - parts.iter().sum::<u32>();
        // What rounding lost goes to what is likeliest.
        *chances.parts.iter_mut().chain([&mut chances.draw]).max().expect("there are seats") += rest;
        chances
    }

    /// The chance of a seat to win, alone or with its team, of [`WHOLE`].
    pub fn seat(&self, seat: u8) -> u32 {
        self.teams.of(seat).map(|partner| self.parts[usize::from(partner) - 1]).sum()
    }

    /// The chance of a draw, of [`WHOLE`].
    pub fn draw(&self) -> u32 {
        self.draw
    }

    /// The number of seats.
    pub fn seats(&self) -> u8 {
        self.teams.seats()
    }

    /// The teams.
    pub(super) fn teams(&self) -> Teams {
        self.teams
    }

    /// What a seat may expect, of [`WHOLE`]: its chance to win, and the share of its team in a draw.
    pub fn expected(&self, seat: u8) -> u32 {
        self.seat(seat) + self.draw / u32::from(self.teams.count())
    }
}

/// A set of seats: bit 0 is seat 1.
pub(super) type Winners = u16;

/// Who won.
pub(super) fn winners(outcome: &Outcome) -> Winners {
    outcome.winners.iter().fold(0, |set, seat| set | 1 << (seat - 1))
}

/// [`WHOLE`], halved once for each `lead` that a seat is behind, and in between on a straight line; at least 1.
fn halved(behind: i32, lead: i32) -> u32 {
    let (behind, lead) = (behind as u64, lead as u64);
    let Some(weight) = WHOLE.checked_shr((behind / lead).min(31) as u32) else { return 1 };
    let part = u64::from(weight) * (behind % lead) / lead / 2;
    (weight - part as u32).max(1)
}

/// Chances added up over playouts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    teams: Teams,
    parts: [u64; SEATS_MAX as usize],
    draw: u64,
    count: u64,
}

impl Sum {
    pub(super) fn new(teams: Teams) -> Self {
        Self { teams, parts: [0; SEATS_MAX as usize], draw: 0, count: 0 }
    }

    pub(super) fn add(&mut self, chances: &Chances) {
        for (sum, part) in self.parts.iter_mut().zip(chances.parts) {
            *sum += u64::from(part);
        }
        self.draw += u64::from(chances.draw);
        self.count += 1;
    }

    /// Adds what another search found.
    pub(super) fn join(&mut self, other: &Self) {
        for (sum, part) in self.parts.iter_mut().zip(other.parts) {
            *sum += part;
        }
        self.draw += other.draw;
        self.count += other.count;
    }

    /// The mean; `None` of nothing.
    pub(super) fn mean(&self) -> Option<Chances> {
        let mut chances = Chances::none(self.teams);
        let mut rest = WHOLE;
        chances.draw = self.draw.checked_div(self.count)? as u32;
        rest -= chances.draw;
        for (part, sum) in chances.parts.iter_mut().zip(self.parts) {
            *part = (sum / self.count) as u32;
            rest -= *part;
        }
        // What rounding lost goes to the likeliest winner.
        *chances.parts.iter_mut().max().expect("there are seats") += rest;
        Some(chances)
    }
}

#[cfg(test)]
mod tests {
    use plybook_events::Outcome;

    use super::{Chances, Sum, WHOLE, halved};
    use crate::Teams;

    #[test]
    fn a_lead_doubles_the_odds() {
        assert_eq!([0, 10, 20, 30].map(|behind| halved(behind, 10)), [WHOLE, WHOLE / 2, WHOLE / 4, WHOLE / 8]);
        assert!((0..400).map(|behind| halved(behind, 10)).is_sorted_by(|a, b| a >= b));
        assert_eq!(halved(i32::MAX, 1), 1);
    }

    #[test]
    fn chances_add_up_to_a_whole() {
        let total =
            |chances: Chances| (1..=chances.seats()).map(|seat| chances.seat(seat)).sum::<u32>() + chances.draw();
        let thirteen = Teams::alone(13);
        let three = Chances::of_outcome(thirteen, &Outcome::win(vec![2, 3, 13], "x"));
        let none = Chances::of_outcome(thirteen, &Outcome::draw("x"));
        assert_eq!((total(three), total(none), none.draw(), none.expected(1)), (WHOLE, WHOLE, WHOLE, WHOLE / 13));
        let mut sum = Sum::new(thirteen);
        assert_eq!(sum.mean(), None);
        for chances in [three, none, three] {
            sum.add(&chances);
        }
        let mean = sum.mean().unwrap();
        assert_eq!((total(mean), mean.draw(), mean.seat(1)), (WHOLE, WHOLE / 3, 0));
    }

    #[test]
    fn partners_win_as_a_whole() {
        let teams = Teams::new(&[&[1, 3], &[2, 4]]);
        let won = Chances::of_outcome(teams, &Outcome::win(vec![2, 4], "x"));
        assert_eq!([1, 2, 3, 4].map(|seat| won.seat(seat)), [0, WHOLE, 0, WHOLE]);
        let drawn = Chances::of_outcome(teams, &Outcome::draw("x"));
        assert_eq!([1, 2, 3, 4].map(|seat| drawn.expected(seat)), [WHOLE / 2; 4]);
        let mut sum = Sum::new(teams);
        for chances in [won, won, won, drawn] {
            sum.add(&chances);
        }
        let mean = sum.mean().unwrap();
        assert_eq!([mean.seat(2), mean.seat(4), mean.draw()], [WHOLE / 4 * 3, WHOLE / 4 * 3, WHOLE / 4]);
    }
}
