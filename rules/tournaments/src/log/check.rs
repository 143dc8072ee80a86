//! The rules that a pairing by hand breaks.

use std::collections::BTreeMap;

use plybook_events::body::{Bye, EntrantBye};

use super::tournament::Tournament;
use crate::{Format, Points};

/// A rule that a pairing by hand breaks, or a sign that it is a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The rule.
    pub rule: Broken,
    /// The finding in words, with the names of the entrants.
    pub text: String,
    /// The table, from 1, if it concerns one.
    pub table: Option<u32>,
}

/// The rules that a pairing can break.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Broken {
    /// Two entrants have already met as often as they may.
    Rematch,
    /// Two entrants meet who do not, as the settings say.
    Forbidden,
    /// A second bye from the pairing.
    SecondBye,
    /// The same seat for the third time in a row.
    ThirdSeat,
    /// One seat three times more often than the other.
    SeatBalance,
    /// Scores further apart than one win.
    ScoreGap,
    /// Somebody is paired who has withdrawn or is absent.
    Absent,
    /// Somebody who is present neither plays nor has a bye.
    LeftOut,
    /// Somebody does not get the bye that was announced.
    ByeLost,
}

impl Broken {
    /// The name of the rule.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rematch => "rematch",
            Self::Forbidden => "forbidden",
            Self::SecondBye => "second-bye",
            Self::ThirdSeat => "third-seat",
            Self::SeatBalance => "seat-balance",
            Self::ScoreGap => "score-gap",
            Self::Absent => "absent",
            Self::LeftOut => "left-out",
            Self::ByeLost => "bye-lost",
        }
    }
}

/// What entrants did in the rounds before this one.
struct Past {
    /// How often two entrants have met, with the lower number first.
    met: BTreeMap<(u16, u16), u32>,
    /// The seats of each entrant's played games, the first game first.
    seats: BTreeMap<u16, Vec<u8>>,
    /// Who had a bye from the pairing, and in which round.
    byes: BTreeMap<u16, u32>,
    /// The scores.
    points: BTreeMap<u16, Points>,
}

impl Tournament {
    /// What pairing a round by hand like this would break, considering the rounds before it.
    pub fn warnings(&self, round: u32, tables: &[Vec<u16>], byes: &[EntrantBye]) -> Vec<Warning> {
        let past = self.past(round);
        let mut found = Vec::new();
        for (number, seats) in (1..).zip(tables) {
            let mut add = |rule, text| found.push(Warning { rule, text, table: Some(number) });
            self.check_meetings(seats, &past, &mut add);
            if seats.len() == 2 && self.rules.table_seats() == (2..=2) {
                self.check_colours(seats, &past, &mut add);
            }
            self.check_scores(seats, &past, &mut add);
            for entrant in seats.iter().filter(|entrant| !self.is_available(**entrant, round)) {
                add(Broken::Absent, format!("{} does not play in round {round}", self.name(*entrant)));
            }
        }
        for bye in byes.iter().filter(|bye| bye.bye == Bye::Pairing) {
            if let Some(before) = past.byes.get(&bye.entrant) {
                let text = format!("{} had the bye of round {before} already", self.name(bye.entrant));
                found.push(Warning { rule: Broken::SecondBye, text, table: None });
            }
        }
        let named: Vec<u16> = tables.iter().flatten().copied().chain(byes.iter().map(|bye| bye.entrant)).collect();
        for entrant in self.entrants().filter(|entrant| entrant.is_available(round)) {
            if !named.contains(&entrant.number) && !self.rules.is_list() {
                let text = format!("{} neither plays nor has a bye", entrant.details.name);
                found.push(Warning { rule: Broken::LeftOut, text, table: None });
            }
        }
        for announced in self.announced(round) {
            let given = byes.iter().find(|bye| bye.entrant == announced.entrant);
            let is_seated = tables.iter().flatten().any(|seated| *seated == announced.entrant);
            if is_seated || given.is_some_and(|given| given.bye == announced.bye) {
                continue;
            }
            let gets = given.map_or("nothing".to_owned(), |given| format!("a {}", bye_name(given.bye)));
            let (name, asked) = (self.name(announced.entrant), bye_name(announced.bye));
            let text = format!("{name} announced a {asked} for round {round} and gets {gets}");
            found.push(Warning { rule: Broken::ByeLost, text, table: None });
        }
        found
    }

    fn check_meetings(&self, seats: &[u16], past: &Past, add: &mut dyn FnMut(Broken, String)) {
        let limit = self.meetings();
        for (index, one) in seats.iter().enumerate() {
            for other in &seats[index + 1..] {
                let met = past.met.get(&(*one.min(other), *one.max(other))).copied().unwrap_or(0);
                if limit.is_some_and(|limit| met >= limit) {
                    let times = if met == 1 { "already".to_owned() } else { format!("{met} times") };
                    add(Broken::Rematch, format!("{} and {} have met {times}", self.name(*one), self.name(*other)));
                }
                if self.settings.forbidden.iter().any(|group| group.contains(one) && group.contains(other)) {
                    add(Broken::Forbidden, format!("{} and {} are not to meet", self.name(*one), self.name(*other)));
                }
            }
        }
    }

    /// How often two entrants may meet; `None` for any number.
    fn meetings(&self) -> Option<u32> {
        match &self.rules.format {
            Format::RoundRobin(round_robin) => Some(round_robin.cycles.into()),
            Format::Swiss(_) | Format::Pods(_) => Some(1),
            Format::KnockOut(_) | Format::Groups(_) | Format::Free(_) => None,
        }
    }

    fn check_colours(&self, seats: &[u16], past: &Past, add: &mut dyn FnMut(Broken, String)) {
        if !matches!(self.rules.format, Format::Swiss(_)) {
            return;
        }
        for (seat, entrant) in (1_u8..).zip(seats) {
            let before = past.seats.get(entrant).map_or(&[][..], Vec::as_slice);
            let name = self.name(*entrant);
            if before.len() >= 2 && before[before.len() - 2..] == [seat, seat] {
                add(Broken::ThirdSeat, format!("{name} gets seat {seat} for the third time in a row"));
            }
            let same = before.iter().filter(|had| **had == seat).count();
            if same + 1 > before.len() - same + 2 {
                add(Broken::SeatBalance, format!("{name} gets seat {seat} three times more often than the other"));
            }
        }
    }

    fn check_scores(&self, seats: &[u16], past: &Past, add: &mut dyn FnMut(Broken, String)) {
        if !matches!(self.rules.format, Format::Swiss(_) | Format::Pods(_)) {
            return;
        }
        let score = |entrant: &u16| (past.points.get(entrant).copied().unwrap_or_default(), *entrant);
        let (Some(most), Some(least)) = (seats.iter().map(score).max(), seats.iter().map(score).min()) else { return };
        if most.0.0 > least.0.0 + self.rules.most_points().0 {
            let (best, worst) = (self.name(most.1), self.name(least.1));
            add(Broken::ScoreGap, format!("{best} has {} points and {worst} {}", most.0, least.0));
        }
    }

    fn past(&self, round: u32) -> Past {
        let ranks = self.ranks();
        let history = self.history(&ranks);
        let (mut met, mut seats, mut byes) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut points: BTreeMap<u16, Points> = BTreeMap::new();
        for (number, past) in (1..round).zip(&self.rounds) {
            for bye in past.byes.iter().filter(|bye| bye.bye == Bye::Pairing) {
                byes.insert(bye.entrant, number);
            }
            for table in past.tables.iter().filter(|table| table.is_played_or_open()) {
                for (index, one) in table.seats.iter().enumerate() {
                    seats.entry(*one).or_insert_with(Vec::new).push(index as u8 + 1);
                    for other in &table.seats[index + 1..] {
                        *met.entry((*one.min(other), *one.max(other))).or_insert(0) += 1;
                    }
                }
            }
            for (entrant, given) in history.rounds[number as usize - 1].everybody() {
                *points.entry(ranks.entrant(entrant)).or_default() += given;
            }
        }
        Past { met, seats, byes, points }
    }

    fn is_available(&self, entrant: u16, round: u32) -> bool {
        self.entrant(entrant).is_some_and(|entrant| entrant.is_available(round))
    }

    fn name(&self, entrant: u16) -> &str {
        self.entrant(entrant).map_or("?", |entrant| entrant.details.name.as_str())
    }
}

/// The name of a bye in words.
fn bye_name(bye: Bye) -> &'static str {
    match bye {
        Bye::Pairing => "pairing's bye",
        Bye::Half => "half-point bye",
        Bye::Full => "full-point bye",
        Bye::Zero => "zero-point bye",
    }
}
