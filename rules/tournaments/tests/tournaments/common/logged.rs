//! Tournaments played at random through their logs: every decision is a command, and its events are folded.

use plybook_events::body::{
    AbsenceAnnounced, AbsenceCancelled, Adjourned, Bye, EntrantBye, EntrantDetails, Forfeited, GameHead, GameOpened,
    ResultRecorded, ResultRemoved, Resumed, SeatRange, TournamentSettings,
};
use plybook_events::{Body, By, Hash, LogId, Timestamp};
use plybook_tournaments::log::{Cell, Command, Draft, NewEntrant, ResultSource, RoundStatus, Table, Tournament};
use plybook_tournaments::{Format, PairingError, Scoring, Standings};
use serde_json::{Map, Value};

use super::numbers::Numbers;

/// A tournament with its log.
pub struct Logged {
    pub tournament: Tournament,
    /// The exact bytes of its events.
    pub lines: Vec<Vec<u8>>,
    pub numbers: Numbers,
    /// What was shown at some moments: the number of events at the time, and everything that could be seen.
    pub shown: Vec<(usize, Shown)>,
    /// Pairs that were paired by hand against the rules, the lower number first.
    pub forced: Vec<(u16, u16)>,
    /// Whether nothing is done that report files cannot express: pairings changed by hand, results that
    /// arrived or changed after the next round was paired.
    pub is_plain: bool,
    head: Hash,
}

/// What spectators see of a tournament.
#[derive(Debug, PartialEq)]
pub struct Shown {
    tournament: Tournament,
    standings: Standings,
    cards: Vec<Vec<Cell>>,
}

impl Shown {
    pub fn of(tournament: &Tournament) -> Self {
        let played = tournament.last_played();
        let standings = tournament.standings(played).unwrap();
        Self { tournament: tournament.clone(), standings, cards: tournament.cards(u32::MAX) }
    }
}

fn object(value: Value) -> Map<String, Value> {
    serde_json::from_value(value).unwrap()
}

fn id(numbers: &mut Numbers) -> LogId {
    let (high, low) = (numbers.next(), numbers.next());
    LogId::from_bytes(((u128::from(high) << 64) | u128::from(low)).to_be_bytes())
}

fn salt(numbers: &mut Numbers) -> Hash {
    Hash::of_event(&numbers.next().to_be_bytes())
}

impl Logged {
    /// A tournament in a format, with this many entrants, for a game with these numbers of seats.
    pub fn new(format: &Format, seats: (u8, u8), entrants: usize, tie_breaks: &[&str], mut numbers: Numbers) -> Self {
        let (least, most) = seats;
        let settings = TournamentSettings {
            name: "Random".to_owned(),
            kind: "game".to_owned(),
            seats: SeatRange { least, most },
            format: object(serde_json::to_value(format).unwrap()),
            scoring: object(serde_json::to_value(Scoring::for_seats(format.seats(&(least..=most)))).unwrap()),
            tie_breaks: tie_breaks.iter().map(|name| (*name).to_owned()).collect(),
            half_byes: Some(1),
            ..TournamentSettings::default()
        };
        let at = Timestamp::from_millis(1_795_000_000_000).unwrap();
        let draft = Draft::create(id(&mut numbers), at, None, Body::TournamentCreated(settings)).unwrap();
        let (tournament, lines) = draft.finish();
        let head = Hash::of_event(&lines[0]);
        let (shown, forced) = (Vec::new(), Vec::new());
        let mut logged = Self { tournament, lines, numbers, shown, forced, is_plain: false, head };
        let all = (0..entrants).map(|_| logged.newcomer(None, 0)).collect();
        logged.done(Command::Enter(all));
        logged
    }

    fn newcomer(&mut self, from_round: Option<u32>, points: u32) -> NewEntrant {
        let rating = Some(1_400 + self.numbers.below(1_200) as u16).filter(|rating| rating % 10 != 0);
        let country = Some("AT".to_owned()).filter(|_| self.numbers.percent(50));
        let name = format!("Player {}", self.numbers.below(100_000));
        let details = EntrantDetails { name, rating, country, ..EntrantDetails::default() };
        NewEntrant { player: id(&mut self.numbers), details, from_round, points }
    }

    /// Carries out a command a minute after the previous one; returns whether it was accepted.
    pub fn command(&mut self, command: Command) -> bool {
        let at = Timestamp::from_millis(self.tournament.updated_at.as_millis() + 60_000).unwrap();
        let mut draft = Draft::resume(self.tournament.clone(), self.head, at, None);
        let by = match command {
            Command::FeedResult(_) | Command::FeedRemoval(_) => By::Service,
            _ => By::Arbiter,
        };
        if draft.command(by, command).is_err() {
            return false;
        }
        let (tournament, lines) = draft.finish();
        self.tournament = tournament;
        self.head = Hash::of_event(lines.last().unwrap());
        self.lines.extend(lines);
        true
    }

    #[track_caller]
    pub fn done(&mut self, command: Command) {
        let told = format!("{command:?}");
        assert!(self.command(command), "{told}");
    }

    /// Plays until the format has no more rounds, or this many; each round is paired, opened, played and
    /// closed.
    pub fn play(&mut self, rounds: u32) {
        while self.tournament.next_round() <= rounds {
            self.people();
            if !self.pair() {
                break;
            }
            self.open();
            self.games();
            self.correct();
            self.close();
            self.shown.push((self.lines.len(), Shown::of(&self.tournament)));
        }
        self.play_adjourned();
        self.done(Command::Finish);
        self.correct();
        if self.numbers.percent(20) {
            self.done(Command::Reopen);
            self.done(Command::Finish);
        }
        self.shown.push((self.lines.len(), Shown::of(&self.tournament)));
    }

    /// Late entries, withdrawals, returns and absences before a round.
    fn people(&mut self) {
        let next = self.tournament.next_round();
        let most = self.tournament.rules.most_points().0;
        if self.numbers.percent(15) {
            let points = if self.numbers.percent(50) { 0 } else { (next - 1) * most / 2 };
            let late = self.newcomer(None, points);
            self.command(Command::Enter(vec![late]));
        }
        let all: Vec<u16> = self.tournament.entrants().map(|entrant| entrant.number).collect();
        for entrant in all {
            let starters = self.tournament.entrants().filter(|entrant| entrant.is_starter()).count();
            let may_leave = next > 1 || starters > *self.tournament.rules.format.entrants().start();
            match self.numbers.below(60) {
                0 | 6 if !may_leave => {}
                0 => drop(self.command(Command::Withdraw { entrant, from_round: None, reason: None })),
                1 => drop(self.command(Command::Return { entrant, from_round: None })),
                2 => self.absence(entrant, next, Bye::Half),
                3 => self.absence(entrant, next, Bye::Zero),
                4 => self.absence(entrant, next + 1, Bye::Full),
                5 => drop(self.command(Command::CancelAbsence(AbsenceCancelled { entrant, round: next }))),
                6 if next == 1 => drop(self.command(Command::RemoveEntry(entrant))),
                _ => {}
            }
        }
    }

    fn absence(&mut self, entrant: u16, round: u32, bye: Bye) {
        self.command(Command::AnnounceAbsence(AbsenceAnnounced { entrant, round, bye }));
    }

    /// Pairs the next round; `false` if there is none.
    fn pair(&mut self) -> bool {
        if matches!(self.tournament.rules.format, Format::Free(_)) {
            return self.pair_by_hand();
        }
        let input = self.tournament.pairing_input();
        let computed = match input.pair(&self.tournament.rules, &|_, _| std::ops::ControlFlow::Continue(())) {
            Ok(computed) => computed,
            Err(PairingError::AllPaired(_) | PairingError::Decided) => return false,
            // Too few are left, or everybody has met everybody.
            Err(_) if self.tournament.next_round() > 1 => return false,
            Err(why) => panic!("{why}"),
        };
        let round = computed.paired.round;
        self.done(Command::Pair(computed.paired.clone()));
        if self.numbers.percent(10) {
            self.done(Command::Unpair(round));
            assert_eq!(self.tournament.pairing_input().hash(), input.hash(), "nothing has changed");
            self.done(Command::Pair(computed.paired));
        }
        if self.numbers.percent(25) {
            self.change(round);
        }
        true
    }

    /// Swaps two entrants, as an organiser may; if that breaks rules, only now and then.
    fn change(&mut self, round: u32) {
        let paired = &self.tournament.rounds[round as usize - 1];
        let mut tables: Vec<Vec<u16>> = paired.tables.iter().map(|table| table.seats.clone()).collect();
        let byes = paired.byes.clone();
        // In other formats, later rounds rely on the pairing.
        let is_free_to_change = matches!(self.tournament.rules.format, Format::Swiss(_) | Format::Pods(_));
        if self.is_plain || !is_free_to_change || tables.len() < 2 {
            return;
        }
        let (one, other) = (self.numbers.below(tables.len()), self.numbers.below(tables.len()));
        let held = tables[one][0];
        tables[one][0] = tables[other][1];
        tables[other][1] = held;
        let is_forced = self.numbers.percent(30);
        let seats: Vec<Vec<u16>> = vec![tables[one].clone(), tables[other].clone()];
        if self.command(Command::ChangePairing { round, tables, byes: Some(byes), is_forced }) && is_forced {
            self.forced.extend(seats.iter().flat_map(|seats| pairs(seats)));
        }
    }

    /// Pairs neighbours by hand; `false` after five rounds.
    fn pair_by_hand(&mut self) -> bool {
        let round = self.tournament.next_round();
        let mut here: Vec<u16> =
            self.tournament.entrants().filter(|entrant| entrant.is_available(round)).map(|e| e.number).collect();
        if round > 5 || here.len() < 2 {
            return false;
        }
        for at in (1..here.len()).rev() {
            here.swap(at, self.numbers.below(at + 1));
        }
        let there = self.tournament.entrants().filter(|entrant| entrant.takes_part(round));
        let absent = there.filter_map(|entrant| Some((entrant.number, *entrant.absences.get(&round)?)));
        let mut byes: Vec<EntrantBye> = absent.map(|(entrant, bye)| EntrantBye { bye, entrant }).collect();
        let left = if here.len() % 2 == 1 { here.pop() } else { None };
        byes.extend(left.map(|entrant| EntrantBye { bye: Bye::Pairing, entrant }));
        let tables = here.chunks(2).map(<[u16]>::to_vec).collect();
        self.done(Command::ChangePairing { round, tables, byes: Some(byes), is_forced: true });
        true
    }

    fn open(&mut self) {
        let round = self.tournament.rounds.len() as u32;
        let salt = salt(&mut self.numbers);
        self.done(Command::OpenRound { round, salt });
        if self.numbers.percent(10) && self.command(Command::UnopenRound(round)) {
            let salt = self::salt(&mut self.numbers);
            self.done(Command::OpenRound { round, salt });
        }
    }

    /// Gives every table of the last round a result, in random order and in one of the possible ways.
    fn games(&mut self) {
        let round = self.tournament.rounds.len() as u32;
        let mut tables: Vec<u32> = (1..=self.tournament.rounds[round as usize - 1].tables.len() as u32).collect();
        for at in (1..tables.len()).rev() {
            tables.swap(at, self.numbers.below(at + 1));
        }
        for table in tables {
            for _ in 0..50 {
                if self.table(round, table).result.is_none() && self.table(round, table).adjourned.is_none() {
                    self.end(round, table);
                }
            }
        }
    }

    fn table(&self, round: u32, table: u32) -> &Table {
        self.tournament.round(round).unwrap().table(table).unwrap()
    }

    fn end(&mut self, round: u32, table: u32) {
        let seats = self.table(round, table).seats.len() as u8;
        let ranking = self.ranking(seats);
        match self.numbers.below(20) {
            0 => self.done(Command::EnterResult { round, table, ranking, at_table: true }),
            1 => {
                self.done(Command::EnterResult { round, table, ranking, at_table: false });
                self.done(Command::ClearResult { round, table, reason: Some("typo".to_owned()) });
            }
            2 => {
                let both: Vec<u8> = (1..=seats).collect();
                let one = vec![1 + self.numbers.below(usize::from(seats)) as u8];
                let seats = if self.numbers.percent(20) { both } else { one };
                self.done(Command::Forfeit(Forfeited { round, table, seats, reason: None }));
            }
            3 => {
                self.done(Command::Adjourn(Adjourned { round, table, until: Some("tomorrow".to_owned()) }));
                if self.is_plain || self.numbers.percent(80) {
                    self.done(Command::Resume(Resumed { round, table }));
                }
            }
            4 => {
                let game = id(&mut self.numbers);
                self.command(Command::OpenGame(GameOpened { round, table, game }));
            }
            _ => self.feed(round, table, ranking),
        }
    }

    /// The game at a table ends, or its outcome is corrected.
    fn feed(&mut self, round: u32, table: u32, ranking: Vec<Vec<u8>>) {
        let record = Some(self.game_head(round, table));
        self.done(Command::FeedResult(ResultRecorded { round, table, ranking, record, at_table: false }));
    }

    fn game_head(&mut self, round: u32, table: u32) -> GameHead {
        let game = self.table(round, table).game().unwrap();
        GameHead { game, seq: self.numbers.below(90) as u64, hash: salt(&mut self.numbers) }
    }

    /// Everybody gets a place; in knock-outs and groups mostly without ties, so that they end.
    fn ranking(&mut self, seats: u8) -> Vec<Vec<u8>> {
        let mut order: Vec<u8> = (1..=seats).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, self.numbers.below(at + 1));
        }
        let mut ranking: Vec<Vec<u8>> = Vec::new();
        for seat in order {
            match ranking.last_mut() {
                Some(group) if self.numbers.percent(25) => {
                    group.push(seat);
                    group.sort_unstable();
                }
                _ => ranking.push(vec![seat]),
            }
        }
        ranking
    }

    /// Gives tables without a result the draw that rounds after them were paired from, so that the tournament can be
    /// finished.
    fn play_adjourned(&mut self) {
        let rounds = (1..).zip(&self.tournament.rounds);
        let open: Vec<(u32, u32, u8)> = rounds
            .flat_map(|(round, of)| (1..).zip(&of.tables).map(move |(number, table)| (round, number, table)))
            .filter(|(.., table)| table.result.is_none())
            .map(|(round, number, table)| (round, number, table.seats.len() as u8))
            .collect();
        for (round, table, seats) in open {
            let ranking = vec![(1..=seats).collect()];
            self.done(Command::EnterResult { round, table, ranking, at_table: false });
        }
    }

    /// Now and then, a game of an earlier round is corrected, or void and played again.
    fn correct(&mut self) {
        // In knock-outs, a later correction changes who should have played at all.
        let is_bracket = matches!(self.tournament.rules.format, Format::KnockOut(_) | Format::Groups(_));
        let rounds = self.tournament.rounds.len();
        if self.is_plain || is_bracket || rounds < 2 || !self.numbers.percent(40) {
            return;
        }
        let round = 1 + self.numbers.below(rounds - 1) as u32;
        let tables = self.tournament.rounds[round as usize - 1].tables.len();
        if tables == 0 {
            return;
        }
        let table = 1 + self.numbers.below(tables) as u32;
        let seats = self.table(round, table).seats.len() as u8;
        // Two who had not met may have met since.
        if self.table(round, table).result.as_ref().is_some_and(|result| result.source == ResultSource::Forfeit) {
            return;
        }
        let has_record = self.table(round, table).games.last().is_some_and(|game| game.ranking.is_some());
        if has_record && self.numbers.percent(40) {
            let record = Some(self.game_head(round, table));
            let reason = Some("void".to_owned());
            self.done(Command::FeedRemoval(ResultRemoved { round, table, record, reason }));
        }
        let ranking = self.ranking(seats);
        self.feed(round, table, ranking);
    }

    fn close(&mut self) {
        let round = self.tournament.rounds.len() as u32;
        self.done(Command::CloseRound(round));
        if self.numbers.percent(10) {
            self.done(Command::ReopenRound(round));
            self.done(Command::CloseRound(round));
        }
        assert_eq!(self.tournament.rounds[round as usize - 1].status, RoundStatus::Closed);
    }
}

/// Every two at a table, the lower number first.
pub fn pairs(seats: &[u16]) -> Vec<(u16, u16)> {
    let others = |at: usize| seats[at + 1..].iter().map(move |other| (seats[at], *other));
    let all = (0..seats.len()).flat_map(others);
    all.map(|(one, other)| (one.min(other), one.max(other))).collect()
}
