//! Tournaments played at random: paired by a format, with results, absences, withdrawals and late entries.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use plybook_tournaments::{
    Bye, Entrant, EntrantNumber, Format, History, Pairing, PairingError, PairingOptions, Points, Round, Scoring,
    StandingsRules, Table, TableResult,
};

use super::numbers::Numbers;

/// The probabilities of events besides games, each in percent.
#[derive(Clone, Copy, Default)]
pub struct Trouble {
    /// An entrant is absent from a round, or does not come to a game.
    pub absence: usize,
    /// An entrant withdraws after a round.
    pub withdrawal: usize,
    /// Somebody enters after a round.
    pub late_entry: usize,
}

/// A tournament in progress.
pub struct Played {
    pub format: Format,
    pub rules: StandingsRules,
    pub seats: RangeInclusive<u8>,
    pub history: History,
    pub numbers: Numbers,
}

impl Played {
    pub fn new(format: Format, seats: RangeInclusive<u8>, entrants: usize, mut numbers: Numbers) -> Self {
        format.check(&seats).unwrap();
        let scoring = Scoring::for_seats(format.seats(&seats));
        let rules = format.standings_rules(&seats, scoring, Vec::new());
        let entrant = |number: usize, numbers: &mut Numbers| Entrant {
            name: format!("Player {number}"),
            rating: Some(2400 - 20 * number as u16 + numbers.below(15) as u16),
            ..Entrant::default()
        };
        let history = History {
            rounds_planned: format.rounds(entrants),
            entrants: (1..=entrants).map(|number| entrant(number, &mut numbers)).collect(),
            rounds: Vec::new(),
        };
        Self { format, rules, seats, history, numbers }
    }

    /// The entrants who may be paired now.
    pub fn here(&self) -> Vec<EntrantNumber> {
        let all = (0..self.history.entrants.len()).map(EntrantNumber::from_index);
        all.filter(|entrant| self.history.entrants[entrant.index()].withdrew_after.is_none()).collect()
    }

    /// Pairs and plays a round; returns the pairing, and who was available for it.
    pub fn play(&mut self, trouble: Trouble) -> Result<(Pairing, Vec<EntrantNumber>), PairingError> {
        let mut available = self.here();
        available.retain(|_| !self.numbers.percent(trouble.absence));
        let pairing = self.format.pair(&self.history, &self.rules, &self.seats, &PairingOptions::new(&available))?;
        let again = self.format.pair(&self.history, &self.rules, &self.seats, &PairingOptions::new(&available));
        assert_eq!(again.as_ref(), Ok(&pairing), "the same history gives the same pairing");
        Self::check_round(&pairing);
        let tables = pairing.tables.iter().map(|table| self.result(&table.seats, &available, trouble)).collect();
        let kind = self.format.bye();
        let points = self.rules.scoring.bye(kind, self.rules.seats);
        let byes = pairing.byes.iter().map(|bye| Bye { entrant: bye.entrant, kind, points }).collect();
        self.history.rounds.push(Round { tables, byes });
        self.people(trouble);
        Ok((pairing, available))
    }

    /// Nobody appears twice in a round, and every reason is a sentence.
    fn check_round(pairing: &Pairing) {
        let mut seen = BTreeSet::new();
        let seated = pairing.tables.iter().flat_map(|table| &table.seats);
        for entrant in seated.chain(pairing.byes.iter().map(|bye| &bye.entrant)) {
            assert!(seen.insert(*entrant), "{entrant:?} is there twice: {pairing:?}");
        }
        let reasons =
            pairing.tables.iter().map(|table| &table.reasons).chain(pairing.byes.iter().map(|bye| &bye.reasons));
        for reasons in reasons {
            assert!(!reasons.is_empty(), "{pairing:?}");
            for reason in reasons {
                let (text, json) = (reason.to_string(), serde_json::to_string(reason).unwrap());
                assert!(text.ends_with('.'), "{text}");
                assert_eq!(serde_json::from_str::<plybook_tournaments::Reason>(&json).unwrap(), *reason, "{json}");
            }
        }
    }

    /// A random result of those who sit there.
    pub fn result(&mut self, seats: &[EntrantNumber], available: &[EntrantNumber], trouble: Trouble) -> Table {
        let numbers = &mut self.numbers;
        let count = seats.len() as u8;
        let absent: Vec<bool> =
            seats.iter().map(|seat| !available.contains(seat) || numbers.percent(trouble.absence)).collect();
        let result = if absent.contains(&true) && count == 2 {
            let (win, none) = (self.rules.scoring.win(2), Points::ZERO);
            TableResult::Forfeit(absent.iter().map(|absent| if *absent { none } else { win }).collect())
        } else {
            // Everybody gets a place; some share one.
            let mut order: Vec<u8> = (1..=count).collect();
            for at in (1..order.len()).rev() {
                order.swap(at, numbers.below(at + 1));
            }
            let mut ranking: Vec<Vec<u8>> = Vec::new();
            for seat in order {
                match ranking.last_mut() {
                    Some(group) if numbers.percent(30) => group.push(seat),
                    _ => ranking.push(vec![seat]),
                }
            }
            TableResult::Played(self.rules.scoring.of_ranking(&ranking, count).unwrap())
        };
        Table { seats: seats.to_vec(), result: Some(result) }
    }

    /// Withdrawals and late entries after a round.
    pub fn people(&mut self, trouble: Trouble) {
        let after = self.history.rounds.len() as u16;
        for entrant in self.here() {
            if self.numbers.percent(trouble.withdrawal) {
                self.history.entrants[entrant.index()].withdrew_after = Some(after);
            }
        }
        if self.numbers.percent(trouble.late_entry) {
            let name = format!("Late {after}");
            self.history.entrants.push(Entrant {
                name,
                rating: Some(1500),
                entered_after: after,
                ..Entrant::default()
            });
        }
    }
}
