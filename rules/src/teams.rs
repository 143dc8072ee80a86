//! Teams: which seats win and lose together.

use plybook_events::{Outcome, SEATS_MAX};

/// Which seats win and lose together; the same throughout a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Teams {
    seats: u8,
    /// By seat, the seats of its team: bit 0 is seat 1.
    of: [u16; SEATS_MAX as usize],
}

impl Teams {
    /// Every seat for itself.
    pub const fn alone(seats: u8) -> Self {
        let mut of = [0; SEATS_MAX as usize];
        let mut seat = 0;
        while seat < seats {
            of[seat as usize] = 1 << seat;
            seat += 1;
        }
        Self { seats, of }
    }

    /// Teams of these seats, numbered from 1, each of which is in one team.
    pub const fn new(teams: &[&[u8]]) -> Self {
        let mut all = Self::alone(0);
        let mut team = 0;
        while team < teams.len() {
            let (mut set, mut at) = (0, 0);
            while at < teams[team].len() {
                set |= 1 << (teams[team][at] - 1);
                at += 1;
            }
            at = 0;
            while at < teams[team].len() {
                all.of[teams[team][at] as usize - 1] = set;
                all.seats += 1;
                at += 1;
            }
            team += 1;
        }
        all
    }

    /// The number of seats.
    pub const fn seats(self) -> u8 {
        self.seats
    }

    /// The seats of a seat's team, itself included, ascending.
    pub fn of(self, seat: u8) -> impl Iterator<Item = u8> {
        (1..=self.seats).filter(move |other| self.are_partners(seat, *other))
    }

    /// Whether two seats, which may be the same, win and lose together.
    pub fn are_partners(self, seat: u8, other: u8) -> bool {
        self.of[usize::from(seat) - 1] >> (other - 1) & 1 == 1
    }

    /// The number of teams.
    pub fn count(self) -> u8 {
        self.firsts().count() as u8
    }

    /// The seats of each team, ascending, in the order of their first seats.
    pub fn groups(self) -> Vec<Vec<u8>> {
        self.firsts().map(|seat| self.of(seat).collect()).collect()
    }

    /// The teams of two or more seats.
    pub fn partners(self) -> impl Iterator<Item = Vec<u8>> {
        self.groups().into_iter().filter(|team| team.len() > 1)
    }

    /// The first team that an outcome divides: some of its seats win, or have a place, and others do not.
    pub fn divided(self, outcome: &Outcome) -> Option<Vec<u8>> {
        let groups = || outcome.ranking.iter().flatten().chain([&outcome.winners]);
        let divides =
            |group: &Vec<u8>, team: &[u8]| team.iter().any(|seat| group.contains(seat) != group.contains(&team[0]));
        self.partners().find(|team| groups().any(|group| divides(group, team)))
    }

    /// The first seat of each team.
    fn firsts(self) -> impl Iterator<Item = u8> {
        (1..=self.seats).filter(move |seat| self.of(*seat).next() == Some(*seat))
    }

    /// Whether these seats, ascending, are a whole team.
    pub fn is_team(self, seats: &[u8]) -> bool {
        seats.first().is_some_and(|first| self.of(*first).eq(seats.iter().copied()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_seat_has_the_partners_of_its_team() {
        let teams = Teams::new(&[&[1, 3], &[2, 4], &[5]]);
        assert_eq!((teams.seats(), teams.count()), (5, 3));
        assert_eq!(teams.groups(), [vec![1, 3], vec![2, 4], vec![5]]);
        assert_eq!(teams.of(3).collect::<Vec<_>>(), [1, 3]);
        assert!(teams.is_team(&[2, 4]) && teams.is_team(&[5]));
        assert!(!teams.is_team(&[1]) && !teams.is_team(&[1, 2]) && !teams.is_team(&[]));
        assert_eq!(teams.partners().collect::<Vec<_>>(), [[1, 3], [2, 4]]);
        assert_eq!(Teams::new(&[&[1], &[2]]), Teams::alone(2));
    }

    #[test]
    fn no_outcome_divides_a_team() {
        let teams = Teams::new(&[&[1, 3], &[2, 4], &[5]]);
        let divided = |winners: &[u8], ranking: Option<Vec<Vec<u8>>>| {
            teams.divided(&Outcome { ranking, ..Outcome::win(winners.to_vec(), "r") })
        };
        assert_eq!(divided(&[], None), None);
        assert_eq!(divided(&[1, 3, 5], Some(vec![vec![1, 3, 5], vec![2, 4]])), None);
        assert_eq!(divided(&[1], None), Some(vec![1, 3]));
        assert_eq!(divided(&[1, 3, 4], None), Some(vec![2, 4]));
        assert_eq!(divided(&[1, 3], Some(vec![vec![1, 3], vec![2], vec![4, 5]])), Some(vec![2, 4]));
    }
}
