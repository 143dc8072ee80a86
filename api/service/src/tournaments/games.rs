//! The games of a tournament: their setups and seats, and which games may be created by hand.

use std::fmt::Display;

use plybook_events::body::{Created, GameOpened, SeatEntry, TableOpened};
use plybook_events::{Body, LogId};
use plybook_rules::Rules;
use plybook_rules::log::{Command as GameCommand, FinishedDraft, Replay};
use plybook_store::Append;
use plybook_tournaments::log::{Command, Draft, RoundStatus, Tournament};
use serde_json::{Value, json};

use super::super::Service;
use super::super::write::{self, NewGame, find_kind, new_seed, with_seats};
use crate::clock;
use crate::error::Problem;

impl Service {
    /// The games that a draft opens: one for each table of an opened round, unless it is decided already, and
    /// one for each single game that is opened, except for those that already exist.
    pub(super) fn new_games(&self, draft: &Draft, brought: &[Append]) -> Result<Vec<(LogId, FinishedDraft)>, Problem> {
        let tournament = draft.tournament();
        let mut opened = Vec::new();
        for body in draft.bodies() {
            match body {
                Body::RoundOpened(round) => {
                    let tables = tournament.round(round.round).map_or(&[][..], |round| round.tables.as_slice());
                    let open = (1..).zip(tables).filter(|(_, table)| table.result.is_none());
                    opened.extend(open.map(|(table, _)| (round.round, table, round.game(tournament.id, table))));
                }
                Body::GameOpened(game) if brought.iter().all(|other| other.log != game.game) => {
                    opened.push((game.round, game.table, game.game));
                }
                _ => {}
            }
        }
        let game = |(round, table, id)| Ok((id, self.table_game(tournament, round, table, id, None)?));
        opened.into_iter().map(game).collect()
    }

    /// The game at a table of an open round, with its end if it is over already.
    pub(super) fn table_game(
        &self,
        tournament: &Tournament,
        round: u32,
        table: u32,
        id: LogId,
        end: Option<GameCommand>,
    ) -> Result<FinishedDraft, Problem> {
        let settings = &tournament.settings;
        let seats = &tournament.round(round).and_then(|round| round.table(table)).expect("it was just opened").seats;
        let entry = |number: &u16| {
            let entrant = tournament.entrant(*number).expect("a paired entrant is not removed");
            SeatEntry { name: entrant.details.name.clone(), player: Some(entrant.player) }
        };
        let created = Created {
            kind: settings.kind.clone(),
            setup: setup_for(find_kind(&settings.kind)?, &setup_of(tournament, round), seats.len() as u8)?,
            seats: seats.iter().map(entry).collect(),
            tournament: Some(tournament.id),
            round: Some(round),
            table: Some(table),
            unrated: settings.unrated,
            signed: settings.signed,
            rolls: settings.rolls,
            ..Created::default()
        };
        let mut draft = write::Draft::create(self.source_of(id), id, created, &new_seed())?;
        match end {
            None => draft.start_clock()?,
            Some(end) => draft.command(end)?,
        }
        let finished = draft.finish();
        check_teams(tournament, &finished.replay)?;
        Ok(finished)
    }

    /// Opens another game at a table whose last game is void and that has no result.
    ///
    /// # Errors
    /// The table has a result or a game that counts, or as [`Service::change_tournament`].
    pub fn open_game(
        &self,
        live: &super::LiveTournament,
        expected: Option<u64>,
        round: u32,
        table: u32,
    ) -> Result<(), Problem> {
        let game = clock::new_id();
        self.change_tournament(live, expected, |tournament| {
            self.check_free(tournament, round, table)?;
            Ok(vec![Command::OpenGame(GameOpened { round, table, game })])
        })
    }

    /// Creates a game that somebody wants to record for a tournament: at a table whose last game is void or,
    /// in a list of games, at a new table.
    ///
    /// # Errors
    /// [`Problem::BadInput`], which names the member of the game that does not fit the tournament.
    pub(crate) fn create_in_tournament(
        &self,
        id: LogId,
        new: &NewGame,
        game: LogId,
        draft: write::Draft<'_>,
    ) -> Result<(), Problem> {
        if !self.is_tournament(id) {
            return Err(wrong("tournament", format!("there is no tournament {id}")));
        }
        let live = self.tournament(id)?;
        let finished = draft.finish();
        let entries = &finished.replay.created().seats;
        let others = vec![Append { log: game, expected: None, events: finished.events.clone() }];
        let secrets: Vec<_> = finished.kept.iter().map(|(key, value)| (game, key.as_str(), value.as_slice())).collect();
        self.change_with(&live, None, &others, game, |tournament| {
            let command = self.command_to_create(tournament, new, game, entries)?;
            check_teams(tournament, &finished.replay)?;
            // Only now, so that a refusal leaves nothing in the vault.
            self.store.vault().put_all(&secrets)?;
            Ok(vec![command])
        })
    }

    /// The command that adds a created game to its tournament.
    fn command_to_create(
        &self,
        tournament: &Tournament,
        new: &NewGame,
        game: LogId,
        entries: &[SeatEntry],
    ) -> Result<Command, Problem> {
        if new.kind != tournament.settings.kind {
            return Err(wrong("kind", format!("this tournament is one of {}", tournament.settings.kind)));
        }
        let entrant = |(index, entry): (usize, &SeatEntry)| {
            let entered = entry.player.and_then(|player| tournament.entrant_of(player));
            let who = || wrong("seats", format!("who sits in seat {} is not entered in the tournament", index + 1));
            entered.map(|entrant| entrant.number).ok_or_else(who)
        };
        let seats: Vec<u16> = entries.iter().enumerate().map(entrant).collect::<Result<_, _>>()?;
        let round = new.round.ok_or_else(|| wrong("round", "a game of a tournament has one".to_owned()))?;
        let table = new.table.ok_or_else(|| wrong("table", "a game of a tournament has one".to_owned()))?;
        if tournament.rules.is_list() {
            return Ok(Command::OpenTable(TableOpened { round, table, seats, game }));
        }
        let open = tournament.round(round).filter(|round| round.status == RoundStatus::Open);
        let open = open.ok_or_else(|| wrong("round", format!("round {round} is not open")))?;
        let paired = open.table(table).ok_or_else(|| wrong("table", format!("round {round} has no table {table}")))?;
        if paired.seats != seats {
            return Err(wrong("seats", format!("others are paired at table {table} of round {round}")));
        }
        self.check_free(tournament, round, table)?;
        Ok(Command::OpenGame(GameOpened { round, table, game }))
    }

    /// Checks that a table has neither a result nor a game that counts.
    fn check_free(&self, tournament: &Tournament, round: u32, table: u32) -> Result<(), Problem> {
        let Some(found) = tournament.round(round).and_then(|round| round.table(table)) else { return Ok(()) };
        let known = self.models().known();
        let counts = |game: LogId| known.games.get(game).is_some_and(|game| !game.standing.is_void());
        if found.result.is_some() || found.games.iter().any(|game| counts(game.id)) {
            let why = format!("`table`: table {table} of round {round} is taken");
            return Err(Problem::BadInput(why));
        }
        Ok(())
    }
}

/// The setup of a round's games, according to the tournament.
fn setup_of(tournament: &Tournament, round: u32) -> Value {
    let setups = &tournament.settings.setups;
    let index = (round as usize).saturating_sub(1) % setups.len().max(1);
    setups.get(index).cloned().unwrap_or_else(|| json!({}))
}

/// A setup for this many seats: the given one or, if it is for another number, the same with that number of players.
fn setup_for(rules: &dyn Rules, setup: &Value, seats: u8) -> Result<Value, Problem> {
    // An imported tournament can contain anything as a setup.
    let fit = setup.as_object().and_then(|setup| with_seats(rules, setup, seats));
    fit.ok_or_else(|| Problem::BadSetup(format!("the setups of the tournament cannot be played with {seats} seats")))
}

/// Checks that the partners in a game are those of its tournament.
fn check_teams(tournament: &Tournament, game: &Replay) -> Result<(), Problem> {
    let teams = game.position().teams();
    let is_there = |seat: &u8| *seat <= teams.seats();
    let those = tournament.settings.teams.iter().map(|team| team.iter().copied().filter(is_there).collect::<Vec<_>>());
    if teams.partners().eq(those.filter(|team| team.len() > 1)) {
        return Ok(());
    }
    Err(Problem::BadSetup("the games of this tournament have other partners".to_owned()))
}

/// The refusal of a member of a game.
fn wrong(member: &str, why: impl Display) -> Problem {
    Problem::BadInput(format!("`{member}`: {why}"))
}
