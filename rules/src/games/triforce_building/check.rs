//! Whether a position that somebody sets up can occur in play, and if not, why.
//!
//! How the seats got to their cells is not checked.

use plybook_events::Actor;

use super::board::{Board, ROUNDS, SPENDING_FROM, Seats};
use super::lattice::Cell;
use super::notation::{Action, Submission};
use super::{outcome, round};
use crate::{Position, PositionError};

impl Board {
    /// Checks everything but submissions and tokens of life.
    pub(super) fn check(&self) -> Result<(), PositionError> {
        if !(1..=ROUNDS).contains(&self.round) {
            return Err(format!("`round` is a whole number from 1 to {ROUNDS}, not {}", self.round).into());
        }
        let mut sorted = self.priority[..self.players()].to_vec();
        sorted.sort_unstable();
        if !sorted.into_iter().eq(1..=self.setup.players) {
            return Err(format!("`priority` has each of the numbers 1 to {} once", self.setup.players).into());
        }
        if self.is_drawing() && !self.setup.labels().iter().copied().eq(1..=self.setup.players) {
            return Err("`labels` are drawn together with the places, and until then in the order of seats".into());
        }
        self.check_cells()?;
        self.check_triforces()?;
        self.check_seats()?;
        self.check_power()?;
        self.check_priority()
    }

    fn check_cells(&self) -> Result<(), PositionError> {
        let side = self.setup.side;
        let cells = self.on_board().map(|(_, cell)| cell).chain(self.triforces().map(|made| made.at));
        if let Some(cell) = cells.into_iter().find(|cell| cell.row() > side) {
            return Err(format!("{cell} is not on a board of side {side}").into());
        }
        if let Some(made) = self.triforces().find(|made| made.at.neighbours(side).is_none()) {
            return Err(format!("no triforce is made around {}, which does not have three neighbours", made.at).into());
        }
        Ok(())
    }

    /// Checks that the triforces agree with the round, the cells and the end.
    fn check_triforces(&self) -> Result<(), PositionError> {
        let (made, most) = (self.triforces_made(), self.setup.triforces());
        let rounds: Vec<u8> = self.triforces().map(|made| made.round).collect();
        let resolved = self.resolved();
        if !rounds.is_sorted() || rounds.iter().any(|round| !(1..=resolved).contains(round)) {
            return Err(format!("the rounds in `made` ascend, and {resolved} rounds are over").into());
        }
        let is_end = made == most || resolved == ROUNDS;
        if self.over != is_end || made == most && rounds.last() != Some(&resolved) {
            let end = format!("in the round in which triforce {most} is made, else after round {ROUNDS}");
            return Err(format!("`over` contradicts `round` and `made`: a game ends {end}").into());
        }
        let mut left = Seats::default();
        for (made, number) in self.triforces().zip(1..) {
            let [a, b, c] = made.seats;
            if !(1 <= a && a < b && b < c && c <= self.setup.players) {
                return Err(
                    format!("the `seats` of a triforce are three from 1 to {}, ascending", self.setup.players).into()
                );
            }
            for seat in made.seats {
                let index = usize::from(seat) - 1;
                if left.contains(index) || self.cells[index].is_some() {
                    return Err(
                        format!("seat {seat} is part of a triforce: it is in no other, and its cell is null").into()
                    );
                }
                left.insert(index);
                if number < most && !self.powered.contains(index) {
                    return Err(
                        format!("seat {seat} is not powered: only the last triforce can be of such seats").into()
                    );
                }
            }
        }
        let drawn = if self.is_drawing() { 0 } else { self.players() };
        match (0..drawn).find(|index| self.cells[*index].is_none() && !left.contains(*index)) {
            Some(index) => Err(format!("seat {} is in no triforce: it is still on a cell", index + 1).into()),
            None => Ok(()),
        }
    }

    /// Checks each seat's start cell and garnets.
    fn check_seats(&self) -> Result<(), PositionError> {
        if self.resolved() == 0 {
            let mut starts: Vec<Cell> = self.on_board().map(|(_, cell)| cell).collect();
            if let Some(cell) = starts.iter().find(|cell| !cell.is_border(self.setup.side)) {
                return Err(format!("{cell} is not a border cell: seats stand on these in round 1").into());
            }
            starts.sort_unstable();
            if let Some([cell, _]) = starts.array_windows().find(|[one, other]| one == other) {
                return Err(format!("two seats stand on {cell}: in round 1 all cells are different").into());
            }
        }
        match (0..self.players()).find(|index| self.spent(*index).next().is_none()) {
            Some(index) => Err(format!(
                "seat {} cannot have {} garnets: it began with {}, gets some as it leaves, and spends one a round at \
                 most, from round {SPENDING_FROM} on",
                index + 1,
                self.garnets[index],
                self.setup.garnets[index]
            )
            .into()),
            None => Ok(()),
        }
    }

    /// The number of garnets that a seat can have spent, given what it has.
    fn spent(&self, index: usize) -> impl Iterator<Item = u8> {
        let left = self.triforces().zip(1..).find(|(made, _)| made.seats.contains(&(index as u8 + 1)));
        let (reward, until, bonus) = match left {
            None => (0, self.resolved(), 0),
            Some((made, number)) => (if number == self.setup.triforces() { 1 } else { 3 }, made.round, 7),
        };
        let most = self.setup.garnets[index].min((until + 1).saturating_sub(SPENDING_FROM));
        let (began, now) = (self.setup.garnets[index], self.garnets[index]);
        [0, bonus]
            .into_iter()
            .filter_map(move |bonus| (began + reward + bonus).checked_sub(now))
            .filter(move |spent| *spent <= most)
    }

    /// Checks that no line or triforce on the board is still to be resolved.
    fn check_power(&self) -> Result<(), PositionError> {
        if self.resolved() == 0 {
            return match (0..self.players()).find(|index| self.powered.contains(*index)) {
                Some(index) => {
                    Err(format!("seat {} is powered, but no line counts before round 1 is resolved", index + 1).into())
                }
                None => Ok(()),
            };
        }
        if let Some((at, _)) = round::strongest(self) {
            return Err(format!("there is a triforce around {at} that would have been made").into());
        }
        let mut again = self.clone();
        (0..self.players()).for_each(|index| again.priority[index] = round::unshifted(self, index));
        round::power(&mut again);
        // If a triforce has just left, the seat that counted on a cell may be gone.
        let just_left: Vec<Cell> = self
            .triforces()
            .filter(|made| made.round == self.resolved())
            .filter_map(|made| made.at.neighbours(self.setup.side))
            .flatten()
            .collect();
        let fresh = again.powered.without(self.powered);
        match self.on_board().find(|(index, cell)| fresh.contains(*index) && !just_left.contains(cell)) {
            Some((index, cell)) => {
                Err(format!("seat {} counts in a line on {cell}: it would be powered", index + 1).into())
            }
            None => Ok(()),
        }
    }

    /// Checks that the priorities are the announced ones, as long as nobody can have spent a garnet.
    fn check_priority(&self) -> Result<(), PositionError> {
        let players = self.players();
        let mut unspent = self.setup.priority;
        (1..=self.round).for_each(|round| round::shift(&mut unspent[..players], round, self.setup.shift_from));
        if self.priority != unspent && (0..players).all(|index| self.spent(index).all(|spent| spent == 0)) {
            return Err(format!("nobody has spent a garnet: `priority` would be {:?}", &unspent[..players]).into());
        }
        Ok(())
    }

    /// Checks a submission for the current round.
    pub(super) fn check_submission(&self, seat: u8, submission: Submission) -> Result<(), PositionError> {
        let is_seat = (1..=self.setup.players).contains(&seat);
        if !is_seat || !self.to_act().contains(Actor::Seat(seat)) {
            return Err(format!("seat {seat} has nothing to submit").into());
        }
        let action = Action::Submit(submission);
        self.judge(Actor::Seat(seat), &action).map_err(|why| format!("`submitted`, seat {seat}: {why}").into())
    }

    /// Checks that somebody is still to submit in a running round.
    pub(super) fn check_waiting(&self) -> Result<(), PositionError> {
        if !self.over && self.to_act().is_empty() {
            return Err("all seats have submitted: the round would have been resolved".into());
        }
        Ok(())
    }

    /// Hands out the tokens of life that follow from the triforces and the end.
    pub(super) fn give_tokens(&mut self) {
        let before_last = usize::from(self.setup.triforces()) - 1;
        for made in self.made.into_iter().take(before_last).flatten() {
            made.seats.into_iter().for_each(|seat| self.tokens.insert(usize::from(seat) - 1));
        }
        if self.over {
            outcome::give_tokens(self);
        }
    }

    /// The number of rounds that have been resolved.
    fn resolved(&self) -> u8 {
        if self.over { self.round } else { self.round - 1 }
    }
}
