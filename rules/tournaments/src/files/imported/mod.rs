//! A report file as a tournament: its settings, its entrants, and the commands that play its rounds.

mod settings;

use plybook_events::body::{
    AbsenceAnnounced, Adjourned, Bye, EntrantBye, EntrantDetails, Forfeited, Paired, TournamentSettings,
};
use plybook_events::{Hash, LogId};
use thiserror::Error;

use self::settings::{format, line, planned, settings};
use super::federation::country;
use crate::log::{Command, NAME_CHARS_MAX, NewEntrant, RATING_MAX};
use crate::trf::{AskedBye, Report, TrfError};
use crate::{ByeKind, Engine, EntrantNumber, Format, Points, Round, Table, TableResult};

/// A report file, read as a tournament.
#[derive(Clone, Debug)]
pub struct ImportedReport {
    /// The settings, except for the kind of game and its seats; the name is empty if the file has none.
    pub settings: TournamentSettings,
    /// The entrants, number 1 first.
    pub entrants: Vec<ImportedEntrant>,
    /// What of the file is not taken over.
    pub left_out: Vec<LeftOut>,
    report: Report,
}

/// An entrant of a report file.
#[derive(Clone, Debug)]
pub struct ImportedEntrant {
    /// The details.
    pub details: EntrantDetails,
    /// The first round.
    pub from_round: u32,
}

/// Something in a report file that is not taken over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    /// Dates of birth, because what a tournament's log contains can never be erased.
    Births,
    /// That games lasted less than a move, and are not rated.
    Unrated,
    /// Virtual points that are not those of Baku acceleration.
    Acceleration,
    /// Who may not meet in some of the rounds only.
    Forbidden,
    /// Tie-breaks that are not known, or do not suit the format.
    TieBreaks,
    /// Records that are too long, or too many.
    Records,
    /// How the rounds were paired, in formats that the file does not have enough about to be paired on.
    Format,
}

/// Why a report file is no tournament.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ImportProblem {
    /// The file is wrong.
    #[error(transparent)]
    Trf(#[from] TrfError),
    /// Nobody takes part.
    #[error("it is no tournament report: no line begins with 001, in the first column")]
    Nobody,
    /// An entrant has a name that cannot be one.
    #[error("the name of number {} has to have 1 to {NAME_CHARS_MAX} printable characters", .0.0)]
    Name(EntrantNumber),
    /// A rating is too high.
    #[error("the rating of number {} is more than {RATING_MAX}", .0.0)]
    Rating(EntrantNumber),
    /// Points that are given here to nobody.
    #[error("forfeits and absences give points in this file, which is not supported")]
    Absent,
    /// A result that no game has here.
    #[error(
        "round {round}: {} and {} have results that do not go together: one wins and the other loses, both draw, or \
         both forfeit", .one.0, .other.0
    )]
    Result {
        /// The round, from 1.
        round: usize,
        /// Who sits in seat 1.
        one: EntrantNumber,
        /// Who sits in seat 2.
        other: EntrantNumber,
    },
}

/// What happened at a table of a report file.
enum Played {
    Ranking(Vec<Vec<u8>>),
    Forfeit(Vec<u8>),
}

impl ImportedReport {
    /// Reads a file, of either version. Its days are days in `time_zone`.
    ///
    /// # Errors
    /// The file is wrong, or has something that no tournament has here.
    pub fn read(file: &[u8], time_zone: Option<&str>) -> Result<Self, ImportProblem> {
        let report = Report::parse(file)?;
        if report.history.entrants.is_empty() {
            return Err(ImportProblem::Nobody);
        }
        if report.scoring.absent != Points::ZERO || report.scoring.forfeit != Points::ZERO {
            return Err(ImportProblem::Absent);
        }
        let format = format(&report);
        let entrants = entrants(&report, &format)?;
        for (index, round) in report.history.rounds.iter().enumerate() {
            for table in &round.tables {
                played(&report, index, table)?;
            }
        }
        let (mut settings, left_out) = settings(&report, &format, time_zone);
        settings.ranked_by_entry = !entrants.is_sorted_by_key(|entrant| std::cmp::Reverse(entrant.details.rating));
        Ok(Self { settings, entrants, left_out, report })
    }

    /// How many rounds were paired.
    pub fn rounds(&self) -> usize {
        self.report.history.rounds.len()
    }

    /// How many tables there were in all rounds.
    pub fn tables(&self) -> usize {
        self.report.history.rounds.iter().map(|round| round.tables.len()).sum()
    }

    /// How many of the tables were forfeited.
    pub fn forfeits(&self) -> usize {
        let tables = self.report.history.rounds.iter().flat_map(|round| &round.tables);
        tables.filter(|table| matches!(table.result, Some(TableResult::Forfeit(_)))).count()
    }

    /// The number of byes in all rounds, except those that give nothing.
    pub fn byes(&self) -> usize {
        let byes = self.report.history.rounds.iter().flat_map(|round| &round.byes);
        byes.filter(|bye| bye.kind != ByeKind::Zero).count()
    }

    /// The tables that have no result yet.
    pub fn open(&self) -> usize {
        let tables = self.report.history.rounds.iter().flat_map(|round| &round.tables);
        tables.filter(|table| table.result.is_none()).count()
    }

    /// The commands that enter the players, in the order of the entrants, and play the rounds. A game without a result
    /// is adjourned if a later round is paired.
    pub fn commands(&self, players: &[NewEntrant], mut salt: impl FnMut() -> Hash) -> Vec<Command> {
        let history = &self.report.history;
        let withdrawn: Vec<Option<u32>> = (0..self.entrants.len()).map(|index| self.withdrawn_from(index)).collect();
        let mut commands = vec![Command::Enter(players.to_vec())];
        let mut sums = vec![Points::ZERO; history.entrants.len()];
        for (index, round) in history.rounds.iter().enumerate() {
            let number = index as u32 + 1;
            for (entrant, from) in (1..).zip(&withdrawn).filter(|(_, from)| **from == Some(number)) {
                commands.push(Command::Withdraw { entrant, from_round: *from, reason: None });
            }
            let mut tables: Vec<&Table> = round.tables.iter().collect();
            let score = |table: &&Table| {
                let mut scores: Vec<Points> = table.seats.iter().map(|seat| sums[seat.index()]).collect();
                scores.sort_unstable_by(|one, other| other.cmp(one));
                (std::cmp::Reverse(scores), table.seats.iter().min().copied())
            };
            tables.sort_by_cached_key(score);
            round.everybody().for_each(|(entrant, points)| sums[entrant.index()] += points);
            commands.push(Command::Pair(Paired {
                round: number,
                engine: None,
                tables: tables.iter().map(|table| table.seats.iter().map(|seat| seat.0).collect()).collect(),
                byes: self.byes_of(index, &withdrawn),
            }));
            commands.push(Command::OpenRound { round: number, salt: salt() });
            let is_last = index + 1 == history.rounds.len();
            for (table, at) in (1..).zip(&tables) {
                match played(&self.report, index, at).ok().flatten() {
                    Some(Played::Ranking(ranking)) => {
                        commands.push(Command::EnterResult { round: number, table, ranking, at_table: false });
                    }
                    Some(Played::Forfeit(seats)) => {
                        commands.push(Command::Forfeit(Forfeited { round: number, table, seats, reason: None }));
                    }
                    None if is_last => {}
                    None => commands.push(Command::Adjourn(Adjourned { round: number, table, until: None })),
                }
            }
            if !is_last || tables.iter().all(|table| table.result.is_some()) {
                commands.push(Command::CloseRound(number));
            }
        }
        if history.rounds_planned == Some(history.rounds.len() as u16) && self.open() == 0 {
            commands.push(Command::Finish);
            return commands;
        }
        let planned = planned(&self.report);
        let later = self.report.byes.iter().filter(|bye| bye.round <= planned);
        let is_there = |number: EntrantNumber, round: u16| self.entrants[number.index()].from_round <= u32::from(round);
        let stays = |bye: &&AskedBye| withdrawn[bye.entrant.index()].is_none() && is_there(bye.entrant, bye.round);
        commands.extend(later.filter(stays).map(|asked| {
            let (entrant, round) = (asked.entrant.0, asked.round.into());
            Command::AnnounceAbsence(AbsenceAnnounced { entrant, round, bye: bye(asked.kind) })
        }));
        commands
    }

    /// The round from which an entrant is withdrawn: the file says nothing of its last rounds, and asks to be left out of
    /// those to come.
    fn withdrawn_from(&self, index: usize) -> Option<u32> {
        let (one, history) = (EntrantNumber::from_index(index), &self.report.history);
        let is_named = |round: &Round| round.everybody().any(|(entrant, _)| entrant == one);
        let from = history.rounds.iter().rposition(is_named).map_or(1, |last| last as u32 + 2);
        let next = history.rounds.len() as u16 + 1;
        let is_out = |round: u16| {
            let asks = |bye: &AskedBye| bye.round == round && bye.entrant == one && bye.kind == ByeKind::Zero;
            self.report.byes.iter().any(asks)
        };
        let was_there = from > self.entrants[index].from_round && from < u32::from(next);
        (was_there && (next..=planned(&self.report)).all(is_out)).then_some(from)
    }

    /// Who does not play in a round: who has a bye in the file, and of whom it says nothing.
    fn byes_of(&self, index: usize, withdrawn: &[Option<u32>]) -> Vec<EntrantBye> {
        let round = &self.report.history.rounds[index];
        let mut kinds = vec![Some(ByeKind::Zero); self.entrants.len()];
        for seat in round.tables.iter().flat_map(|table| &table.seats) {
            kinds[seat.index()] = None;
        }
        for bye in &round.byes {
            kinds[bye.entrant.index()] = Some(bye.kind);
        }
        let byes = (1..).zip(&self.entrants).zip(kinds);
        let round = index as u32 + 1;
        let is_there = |number: u16, entrant: &ImportedEntrant| {
            entrant.from_round <= round && withdrawn[usize::from(number) - 1].is_none_or(|from| from > round)
        };
        byes.filter(|((number, entrant), _)| is_there(*number, entrant))
            .filter_map(|((entrant, _), kind)| Some(EntrantBye { bye: bye(kind?), entrant }))
            .collect()
    }
}

/// A new entrant for the log.
impl ImportedEntrant {
    /// The entrant, as this player.
    pub fn of(&self, player: LogId) -> NewEntrant {
        NewEntrant { player, details: self.details.clone(), from_round: Some(self.from_round), points: 0 }
    }
}

fn bye(kind: ByeKind) -> Bye {
    match kind {
        ByeKind::Pairing => Bye::Pairing,
        ByeKind::Half => Bye::Half,
        ByeKind::Full => Bye::Full,
        ByeKind::Zero => Bye::Zero,
    }
}

fn entrants(report: &Report, format: &Format) -> Result<Vec<ImportedEntrant>, ImportProblem> {
    let is_drawn = matches!(format, Format::RoundRobin(_));
    let engine = if is_drawn { Engine::Berger } else { Engine::Dutch };
    let known = engine.entrants(&report.history);
    (1..)
        .zip(known.iter().zip(&report.cards))
        .map(|(number, (entrant, card))| {
            let number = EntrantNumber(number);
            let name = line(&entrant.name);
            if name.is_empty() || name.chars().count() > NAME_CHARS_MAX {
                return Err(ImportProblem::Name(number));
            }
            if entrant.rating.is_some_and(|rating| rating > RATING_MAX) {
                return Err(ImportProblem::Rating(number));
            }
            let stated = |text: &str| Some(line(text)).filter(|text| !text.is_empty());
            let country = country(&card.federation).map(str::to_owned);
            let details = EntrantDetails {
                name,
                rating: entrant.rating,
                club: None,
                federation: stated(&card.federation).filter(|_| country.is_none()),
                country,
                federation_id: stated(&card.fide_number),
                sex: stated(&card.sex),
                title: stated(&card.title),
            };
            let missed = entrant.entered_after;
            let from_round = if is_drawn || missed >= planned(report) { 1 } else { u32::from(missed) + 1 };
            Ok(ImportedEntrant { details, from_round })
        })
        .collect()
}

/// What happened at a table; `None` if it has no result yet.
fn played(report: &Report, index: usize, table: &Table) -> Result<Option<Played>, ImportProblem> {
    let &[one, other] = table.seats.as_slice() else { return Ok(None) };
    let wrong = Err(ImportProblem::Result { round: index + 1, one, other });
    let system = &report.scoring;
    let Some(result) = &table.result else { return Ok(None) };
    let &[first, second] = result.points() else { return wrong };
    let is_won = |points: [Points; 2], loss: Points| points == [system.win, loss];
    Ok(Some(match result {
        TableResult::Played(_) if is_won([first, second], system.loss) => Played::Ranking(vec![vec![1], vec![2]]),
        TableResult::Played(_) if is_won([second, first], system.loss) => Played::Ranking(vec![vec![2], vec![1]]),
        TableResult::Played(_) if first == system.draw && second == system.draw => Played::Ranking(vec![vec![1, 2]]),
        TableResult::Forfeit(_) if is_won([first, second], system.forfeit) => Played::Forfeit(vec![2]),
        TableResult::Forfeit(_) if is_won([second, first], system.forfeit) => Played::Forfeit(vec![1]),
        TableResult::Forfeit(_) if first == system.forfeit && second == system.forfeit => Played::Forfeit(vec![1, 2]),
        _ => return wrong,
    }))
}
