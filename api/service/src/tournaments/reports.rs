//! Report files imported as tournaments.

use std::collections::BTreeMap;
use std::sync::Arc;

use plybook_events::{Body, By, LogId, Outcome};
use plybook_models::Player;
use plybook_rules::log::Command as GameCommand;
use plybook_store::Append;
use plybook_tournaments::files::ImportedReport;
use plybook_tournaments::log::{Draft, ResultSource, Tournament};

use super::super::Service;
use super::LiveTournament;
use super::change::{ENTRIES_MAX, Entry, check_settings, check_zone};
use crate::clock;
use crate::error::Problem;

/// The most tables that a file may have in all rounds: each becomes a game.
const TABLES_MAX: usize = 10_000;

/// The most players of one name that are offered for an entrant.
const CALLED_MAX: usize = 8;

/// A report file to import.
#[derive(Clone, Debug, Default)]
pub struct NewReport<'a> {
    /// The file.
    pub file: &'a [u8],
    /// The kind of game.
    pub kind: String,
    /// The name; by default the file's.
    pub name: Option<String>,
    /// The time zone of its days; by default UTC.
    pub time_zone: Option<String>,
    /// Whether its games are left out of ratings.
    pub is_unrated: bool,
    /// Who the entrants are, by their numbers: a player, or `None` for a new one. An entrant who is not named is the only
    /// player of that name, or a new one if there is none.
    pub players: BTreeMap<u16, Option<LogId>>,
}

/// A report file that was read, and the players who have the names of its entrants.
pub struct ReadReport {
    /// What the file says.
    pub report: ImportedReport,
    /// The players called like each entrant, in the order of the entrants.
    pub called: Vec<Vec<Arc<Player>>>,
}

impl Service {
    /// Reads a report file, and looks up its entrants.
    ///
    /// # Errors
    /// The file is no report, or has something that no tournament has here.
    pub fn read_report(&self, file: &[u8], time_zone: Option<&str>) -> Result<ReadReport, Problem> {
        check_zone(time_zone)?;
        let report = ImportedReport::read(file, time_zone).map_err(refused)?;
        if report.entrants.len() > ENTRIES_MAX || report.tables() > TABLES_MAX {
            return Err(Problem::BadInput(format!(
                "`file`: a tournament is imported with at most {ENTRIES_MAX} entrants and {TABLES_MAX} tables in all rounds"
            )));
        }
        let known = self.models().known();
        let called = |name: &str| known.players.called(name).into_iter().take(CALLED_MAX).cloned().collect();
        let called = report.entrants.iter().map(|entrant| called(&entrant.details.name)).collect();
        Ok(ReadReport { report, called })
    }

    /// Creates a tournament from a report file: with its entrants, rounds and results, all or nothing.
    ///
    /// # Errors
    /// See [`Service::read_report`]; several players have an entrant's name and none is chosen, or nothing can be written.
    pub fn import_report(&self, new: &NewReport<'_>) -> Result<Arc<LiveTournament>, Problem> {
        let ReadReport { report, called } = self.read_report(new.file, new.time_zone.as_deref())?;
        let mut settings = report.settings.clone();
        settings.kind.clone_from(&new.kind);
        settings.unrated = new.is_unrated;
        if let Some(name) = new.name.as_deref().map(str::trim).filter(|name| !name.is_empty()) {
            name.clone_into(&mut settings.name);
        }
        if settings.name.is_empty() {
            return Err(Problem::BadInput("`name`: record 012 of the file has no name for the tournament".to_owned()));
        }
        let settings = check_settings(settings)?;
        let mut entries = Vec::with_capacity(called.len());
        let mut taken = BTreeMap::new();
        for (number, (entrant, called)) in (1..).zip(report.entrants.iter().zip(&called)) {
            let player = match (new.players.get(&number), called.as_slice()) {
                (Some(chosen), _) => *chosen,
                (None, []) => None,
                (None, [only]) => Some(only.id),
                (None, _) => return Err(undecided(number, &entrant.details.name, "several players have this name")),
            };
            if let Some(other) = player.and_then(|player| taken.insert(player, number)) {
                let why = format!("number {other} is the same player");
                return Err(undecided(number, &entrant.details.name, &why));
            }
            let details = entrant.details.clone();
            let name = Some(details.name);
            entries.push(Entry { player, name, country: details.country, rating: details.rating, ..Entry::default() });
        }
        let (mut entrants, mut appends) = self.check_entries(entries)?;
        for (entrant, read) in entrants.iter_mut().zip(&report.entrants) {
            *entrant = read.of(entrant.player);
        }
        let id = clock::new_id();
        let mut draft = Draft::create(id, self.clock().now(), self.context.who, Body::TournamentCreated(settings))?;
        for command in report.commands(&entrants, clock::random) {
            draft.command(By::Arbiter, command)?;
        }
        let mut kept = Vec::new();
        for (game, finished) in self.played_games(draft.tournament())? {
            kept.extend(finished.kept.into_iter().map(|(key, value)| (game, key, value)));
            appends.push(Append { log: game, expected: None, events: finished.events });
        }
        let secrets: Vec<_> = kept.iter().map(|(game, key, value)| (*game, key.as_str(), value.as_slice())).collect();
        self.store.vault().put_all(&secrets)?;
        appends.push(Append { log: id, expected: None, events: draft.finish().1 });
        self.append(id, appends)?;
        self.tournament(id)
    }

    /// The games of all tables that were not forfeited: over if there is a result.
    fn played_games(
        &self,
        tournament: &Tournament,
    ) -> Result<Vec<(LogId, plybook_rules::log::FinishedDraft)>, Problem> {
        let mut games = Vec::new();
        for round in &tournament.rounds {
            for (number, table) in (1..).zip(&round.tables) {
                let result = table.result.as_ref();
                let Some(game) = table.game() else { continue };
                if result.is_some_and(|result| result.source == ResultSource::Forfeit) {
                    continue;
                }
                let end =
                    result.map(|result| GameCommand::Adjudicate { outcome: Outcome::unrecorded(&result.ranking) });
                games.push((game, self.table_game(tournament, round.number, number, game, end)?));
            }
        }
        Ok(games)
    }
}

fn refused(why: impl std::fmt::Display) -> Problem {
    Problem::BadInput(format!("`file`: {why}"))
}

fn undecided(number: u16, name: &str, why: &str) -> Problem {
    Problem::BadInput(format!("`players`: say who number {number}, {name:?}, is, or null for a new player: {why}"))
}
