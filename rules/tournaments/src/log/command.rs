//! Commands: what people want done with a tournament, judged before anything is written.

use plybook_events::body::{
    AbsenceAnnounced, AbsenceCancelled, Adjourned, Bye, Entered, EntrantBye, EntrantDetails, EntrantEdited,
    EntryRemoved, Forfeited, GameOpened, Nothing, OfRound, Paired, PairingChanged, ResultRecorded, ResultRemoved,
    Resumed, Returned, RoundOpened, RoundUnopened, TableOpened, TableReseated, TournamentSettings, Withdrawn,
};
use plybook_events::{Body, Hash, LogId, is_unprintable};

use super::check::Warning;
use super::entrants::Entrant;
use super::misfit::Misfit;
use super::rounds::{ResultSource, RoundStatus};
use super::settings::{NAME_CHARS_MAX, TEXT_CHARS_MAX};
use super::tournament::Tournament;
use crate::{ByeKind, Points, Scoring};

/// The most characters of a reason, or of the time when a game is resumed.
pub const REASON_CHARS_MAX: usize = 300;

/// The highest seed rating.
pub const RATING_MAX: u16 = 4_000;

/// How many times a result may be entered at one table, so that no table can fill the log.
pub const ENTERED_MAX: u32 = 20;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Replace the settings.
    Edit(Box<TournamentSettings>),
    /// Enter players, all or none.
    Enter(Vec<NewEntrant>),
    /// Replace the details of an entrant.
    EditEntrant(EntrantEdited),
    /// Remove an entry.
    RemoveEntry(u16),
    /// Withdraw an entrant, by default from the next unpaired round on.
    Withdraw {
        /// The entrant.
        entrant: u16,
        /// The first round without the entrant.
        from_round: Option<u32>,
        /// Why.
        reason: Option<String>,
    },
    /// Let an entrant play again, by default from the next unpaired round on.
    Return {
        /// The entrant.
        entrant: u16,
        /// The first round with the entrant.
        from_round: Option<u32>,
    },
    /// Note that an entrant will not play in a round.
    AnnounceAbsence(AbsenceAnnounced),
    /// Note that an entrant will play in a round after all.
    CancelAbsence(AbsenceCancelled),
    /// Adopt a pairing that a system computed.
    Pair(Paired),
    /// Pair a round by hand, or change its pairing.
    ChangePairing {
        /// The round.
        round: u32,
        /// Who meets at each table.
        tables: Vec<Vec<u16>>,
        /// Who does not play; `None` for those who did not so far, or announced it, as far as they are at no table.
        byes: Option<Vec<EntrantBye>>,
        /// Whether it may break rules.
        is_forced: bool,
    },
    /// Undo the pairing of a round.
    Unpair(u32),
    /// Open a round, with 32 random bytes for the ids of its games. Entrants who do not play in it forfeit at
    /// once.
    OpenRound {
        /// The round.
        round: u32,
        /// The random bytes.
        salt: Hash,
    },
    /// Undo the opening of a round.
    UnopenRound(u32),
    /// Open another game at a table.
    OpenGame(GameOpened),
    /// Add a table with a game to a tournament that is a list of games.
    OpenTable(TableOpened),
    /// Change who sits at a table of an open round, which gets another game.
    Reseat {
        /// Who sits there.
        reseated: TableReseated,
        /// The game's id.
        game: LogId,
    },
    /// Adopt the result of a game of the tournament.
    FeedResult(ResultRecorded),
    /// Note that a game of the tournament no longer has a result.
    FeedRemoval(ResultRemoved),
    /// Enter a result without a record.
    EnterResult {
        /// The round.
        round: u32,
        /// The table.
        table: u32,
        /// Groups of equally ranked seats, best first.
        ranking: Vec<Vec<u8>>,
        /// Whether it is entered at the table.
        at_table: bool,
    },
    /// Remove a result that was entered, or a forfeit.
    ClearResult {
        /// The round.
        round: u32,
        /// The table.
        table: u32,
        /// Why.
        reason: Option<String>,
    },
    /// Decide a table by forfeit.
    Forfeit(Forfeited),
    /// Adjourn the game at a table.
    Adjourn(Adjourned),
    /// Resume an adjourned game.
    Resume(Resumed),
    /// Close a round.
    CloseRound(u32),
    /// Open a closed round again.
    ReopenRound(u32),
    /// Close the tournament.
    Finish,
    /// Open a closed tournament again.
    Reopen,
}

impl Command {
    /// Whether it decides a table, or ends what has begun: this is still taken when a log is nearly full.
    pub fn concludes(&self) -> bool {
        match self {
            Self::EnterResult { at_table, .. } => !at_table,
            Self::FeedResult(_)
            | Self::FeedRemoval(_)
            | Self::ClearResult { .. }
            | Self::Forfeit(_)
            | Self::Adjourn(_)
            | Self::Resume(_)
            | Self::OpenGame(_)
            | Self::CloseRound(_)
            | Self::ReopenRound(_)
            | Self::Finish
            | Self::Reopen => true,
            _ => false,
        }
    }
}

/// Somebody to enter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEntrant {
    /// The player.
    pub player: LogId,
    /// The name, seed rating and so on.
    pub details: EntrantDetails,
    /// The first round of a late entrant; by default the next unpaired one.
    pub from_round: Option<u32>,
    /// What a late entrant gets for the missed rounds, in tenths of a point.
    pub points: u32,
}

/// Why a command is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The events would not fit the log.
    #[error(transparent)]
    Misfit(#[from] Misfit),
    /// The text is missing, too long, or not printable.
    #[error("`{member}` has 1 to {most} printable characters")]
    Text {
        /// Which text.
        member: &'static str,
        /// The most characters.
        most: usize,
    },
    /// The country is not a code.
    #[error("a country is two capital letters, such as AT")]
    Country,
    /// The rating is too high.
    #[error("a seed rating is at most {RATING_MAX}")]
    Rating,
    /// The points of a late entrant are none that byes give.
    #[error(
        "the points for missed rounds are wins of {win} and draws of {draw}, at most one for each round that was missed"
    )]
    LatePoints {
        /// What a win gives.
        win: Points,
        /// What a draw gives.
        draw: Points,
    },
    /// The format draws everybody at the start.
    #[error("nobody can be entered any more: all pairings were drawn at the start")]
    Drawn,
    /// The entrant has already asked for as many half-point byes as allowed.
    #[error("an entrant may request {limit} half-point byes here, and entrant {entrant} has requested that many")]
    HalfByes {
        /// The entrant.
        entrant: u16,
        /// How many are allowed.
        limit: u32,
    },
    /// It is too late for half-point byes.
    #[error("half-point byes can be requested up to round {0} here")]
    HalfByesUntil(u32),
    /// The pairing breaks rules, and is not forced.
    #[error("the pairing breaks rules: {}", .0.iter().map(|warning| warning.text.as_str()).collect::<Vec<_>>().join("; "))]
    Breaks(Vec<Warning>),
    /// Results are not entered at the table once the round is closed.
    #[error("round {0} is closed: only the organiser changes its results")]
    Closed(u32),
    /// The result was entered at the table as often as it may be.
    #[error("the result of table {table} was entered there {ENTERED_MAX} times: only the organiser changes it")]
    Entered {
        /// The table.
        table: u32,
    },
    /// The organiser has decided the table.
    #[error("the result of table {table} is the organiser's: only the organiser changes it")]
    Decided {
        /// The table.
        table: u32,
    },
}

impl Tournament {
    /// Judges a command, and returns the events that carry it out, all of which fit one after another.
    ///
    /// # Errors
    /// The command is refused; nothing is to be written.
    pub fn decide(&self, command: Command) -> Result<Vec<Body>, CommandError> {
        Ok(vec![match command {
            Command::Edit(settings) => Body::TournamentEdited(*settings),
            Command::Enter(entrants) => return self.decide_entries(entrants),
            Command::EditEntrant(edited) => {
                check_details(&edited.details)?;
                Body::EntrantEdited(edited)
            }
            Command::RemoveEntry(entrant) => Body::EntryRemoved(EntryRemoved { entrant }),
            Command::Withdraw { entrant, from_round, reason } => {
                let from_round = from_round.unwrap_or_else(|| self.next_round());
                let reason = check_line("reason", reason)?;
                Body::Withdrawn(Withdrawn { entrant, from_round, reason })
            }
            Command::Return { entrant, from_round } => {
                let was_drawn = |entrant: &Entrant| entrant.is_starter() || self.rounds.is_empty();
                if self.rules.is_drawn() && !self.entrant(entrant).is_none_or(was_drawn) {
                    return Err(CommandError::Drawn);
                }
                let from_round = from_round.unwrap_or_else(|| self.next_round());
                Body::Returned(Returned { entrant, from_round })
            }
            Command::AnnounceAbsence(absence) => {
                self.check_half_byes(absence)?;
                Body::AbsenceAnnounced(absence)
            }
            Command::CancelAbsence(cancelled) => Body::AbsenceCancelled(cancelled),
            Command::Pair(paired) => Body::Paired(paired),
            Command::ChangePairing { round, tables, byes, is_forced } => {
                self.decide_change(round, tables, byes, is_forced)?
            }
            Command::Unpair(round) => Body::Unpaired(OfRound { round }),
            Command::OpenRound { round, salt } => return Ok(self.decide_opening(round, salt)),
            Command::UnopenRound(round) => Body::RoundUnopened(RoundUnopened { round }),
            Command::OpenGame(opened) => Body::GameOpened(opened),
            Command::OpenTable(opened) => Body::TableOpened(opened),
            Command::Reseat { reseated, game } => {
                let opened = GameOpened { round: reseated.round, table: reseated.table, game };
                return Ok(vec![Body::TableReseated(reseated), Body::GameOpened(opened)]);
            }
            Command::FeedResult(result) => Body::ResultRecorded(result),
            Command::FeedRemoval(removed) => Body::ResultRemoved(removed),
            Command::EnterResult { round, table, ranking, at_table } => {
                if at_table {
                    self.check_at_table(round, table)?;
                }
                let ranking = ranking.into_iter().map(sorted).collect();
                Body::ResultRecorded(ResultRecorded { round, table, ranking, record: None, at_table })
            }
            Command::ClearResult { round, table, reason } => {
                let reason = check_line("reason", reason)?;
                Body::ResultRemoved(ResultRemoved { round, table, record: None, reason })
            }
            Command::Forfeit(Forfeited { round, table, seats, reason }) => {
                let (seats, reason) = (sorted(seats), check_line("reason", reason)?);
                Body::Forfeited(Forfeited { round, table, seats, reason })
            }
            Command::Adjourn(Adjourned { round, table, until }) => {
                Body::Adjourned(Adjourned { round, table, until: check_line("until", until)? })
            }
            Command::Resume(resumed) => Body::Resumed(resumed),
            Command::CloseRound(round) => Body::RoundClosed(OfRound { round }),
            Command::ReopenRound(round) => Body::RoundReopened(OfRound { round }),
            Command::Finish => Body::TournamentFinished(Nothing {}),
            Command::Reopen => Body::TournamentReopened(Nothing {}),
        }])
    }

    fn decide_entries(&self, entrants: Vec<NewEntrant>) -> Result<Vec<Body>, CommandError> {
        let next = self.next_round();
        if self.rules.is_drawn() && next > 1 {
            return Err(CommandError::Drawn);
        }
        let first = self.entrants.len() + 1;
        let entered = entrants.into_iter().enumerate().map(|(index, new)| {
            check_details(&new.details)?;
            let from_round = new.from_round.unwrap_or(next);
            if self.has_reports() && !self.are_byes(new.points, from_round.saturating_sub(1)) {
                let (win, draw) = (self.bye_points(ByeKind::Full), self.bye_points(ByeKind::Half));
                return Err(CommandError::LatePoints { win, draw });
            }
            Ok(Body::Entered(Entered {
                entrant: u16::try_from(first + index).unwrap_or(u16::MAX),
                player: new.player,
                details: new.details,
                from_round: Some(from_round).filter(|round| *round != 1),
                points: Some(new.points).filter(|points| *points > 0),
            }))
        });
        entered.collect()
    }

    /// Whether a report file can hold the tournament: tables of two that are scored by results.
    fn has_reports(&self) -> bool {
        self.rules.table_seats() == (2..=2) && matches!(self.rules.standings.scoring, Scoring::Result { .. })
    }

    fn decide_opening(&self, number: u32, salt: Hash) -> Vec<Body> {
        let mut bodies = vec![Body::RoundOpened(RoundOpened { round: number, salt })];
        for (table, found) in (1..).zip(self.round(number).map_or(&[][..], |round| round.tables.as_slice())) {
            let is_absent = |entrant: u16| !self.entrant(entrant).is_some_and(|entrant| entrant.is_available(number));
            let seats: Vec<u8> =
                (1..).zip(&found.seats).filter(|(_, entrant)| is_absent(**entrant)).map(|(seat, _)| seat).collect();
            // At a larger table, the others still play.
            if found.seats.len() == 2 && !seats.is_empty() {
                let reason = Some("absent".to_owned());
                bodies.push(Body::Forfeited(Forfeited { round: number, table, seats, reason }));
            }
        }
        bodies
    }

    fn check_half_byes(&self, absence: AbsenceAnnounced) -> Result<(), CommandError> {
        let Some(entrant) = self.entrant(absence.entrant).filter(|_| absence.bye == Bye::Half) else { return Ok(()) };
        if let Some(until) = self.settings.half_byes_until.filter(|until| absence.round > *until) {
            return Err(CommandError::HalfByesUntil(until));
        }
        let others = entrant.absences.iter().filter(|(round, bye)| **round != absence.round && **bye == Bye::Half);
        match self.settings.half_byes {
            Some(limit) if others.count() as u32 >= limit => {
                Err(CommandError::HalfByes { entrant: absence.entrant, limit })
            }
            _ => Ok(()),
        }
    }

    fn decide_change(
        &self,
        round: u32,
        tables: Vec<Vec<u16>>,
        byes: Option<Vec<EntrantBye>>,
        is_forced: bool,
    ) -> Result<Body, CommandError> {
        let byes = byes.unwrap_or_else(|| self.byes_kept(round, &tables));
        self.check_tables(&tables, &byes)?;
        let warnings = self.warnings(round, &tables, &byes);
        if !warnings.is_empty() && !is_forced {
            return Err(CommandError::Breaks(warnings));
        }
        let breaks: Vec<String> = warnings.into_iter().map(|warning| warning.text).collect();
        Ok(if self.round(round).is_none() && breaks.is_empty() {
            Body::Paired(Paired { round, engine: None, tables, byes })
        } else {
            Body::PairingChanged(PairingChanged { round, tables, byes, breaks })
        })
    }

    /// Checks that results may still be entered at a table.
    fn check_at_table(&self, round: u32, table: u32) -> Result<(), CommandError> {
        let Some(found) = self.round(round) else { return Ok(()) };
        if found.status == RoundStatus::Closed {
            return Err(CommandError::Closed(round));
        }
        let found = found.table(table);
        if found.is_some_and(|found| found.entered >= ENTERED_MAX) {
            return Err(CommandError::Entered { table });
        }
        let source = found.and_then(|found| found.result.as_ref()).map(|result| result.source);
        let is_decided = matches!(source, Some(ResultSource::Organiser | ResultSource::Forfeit));
        if is_decided { Err(CommandError::Decided { table }) } else { Ok(()) }
    }
}

fn sorted(mut seats: Vec<u8>) -> Vec<u8> {
    seats.sort_unstable();
    seats
}

fn check_details(details: &EntrantDetails) -> Result<(), CommandError> {
    check_text("name", &details.name, NAME_CHARS_MAX)?;
    if let Some(club) = &details.club {
        check_text("club", club, NAME_CHARS_MAX)?;
    }
    if details.country.as_ref().is_some_and(|code| code.len() != 2 || !code.bytes().all(|b| b.is_ascii_uppercase())) {
        return Err(CommandError::Country);
    }
    if details.rating.is_some_and(|rating| rating > RATING_MAX) { Err(CommandError::Rating) } else { Ok(()) }
}

fn check_line(member: &'static str, text: Option<String>) -> Result<Option<String>, CommandError> {
    if let Some(text) = &text {
        check_text(member, text, REASON_CHARS_MAX)?;
    }
    Ok(text)
}

fn check_text(member: &'static str, text: &str, most: usize) -> Result<(), CommandError> {
    debug_assert!(most <= TEXT_CHARS_MAX, "longer texts are checked as settings");
    let is_fit = (1..=most).contains(&text.chars().count()) && text.trim() == text;
    if is_fit && !text.chars().any(is_unprintable) { Ok(()) } else { Err(CommandError::Text { member, most }) }
}
