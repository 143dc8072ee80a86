//! The tokens of a tournament's organisers and tables.

use plybook_events::{LogId, Timestamp};
use plybook_tournaments::log::RoundStatus;

use crate::access::issuing::unwritten;
use crate::access::tokens::{IssuedToken, NewToken, Token};
use crate::access::{Caller, Desk, Role, TableNumber};
use crate::error::Problem;

/// How long a table's token is valid at most, in milliseconds: a week. It ends earlier if its round does.
const TABLE_TOKEN_MS: i64 = 7 * DAY_MS;

/// A day in milliseconds.
const DAY_MS: i64 = 86_400_000;

/// A token of a table.
#[derive(Clone, Debug)]
pub struct TableToken {
    /// The table.
    pub table: u32,
    /// The token.
    pub issued: IssuedToken,
}

impl Desk {
    /// # Errors
    /// The round is not open: the tokens of its tables have ended.
    pub(in crate::access) fn require_open(&self, tournament: LogId, round: u32) -> Result<(), Problem> {
        let live = self.service.tournament(tournament)?.tournament();
        let is_open = live.round(round).is_some_and(|round| round.status == RoundStatus::Open);
        if is_open { Ok(()) } else { Err(Problem::Forbidden(format!("your token ended with round {round}"))) }
    }

    /// Issues a token to each table of an open round, or to some of them. Earlier tokens of these tables end.
    ///
    /// # Errors
    /// The caller may not do this, the round is not open, there is no such table, or nothing can be written.
    pub fn issue_table_tokens(
        &self,
        id: LogId,
        round: u32,
        tables: Option<Vec<u32>>,
    ) -> Result<Vec<TableToken>, Problem> {
        let live = self.run(id)?.tournament();
        let open = live.round(round).filter(|round| round.status == RoundStatus::Open);
        let open = open.ok_or_else(|| Problem::BadInput(format!("`round`: round {round} is not open")))?;
        let all = open.tables.len() as u32;
        let mut tables = tables.unwrap_or_else(|| (1..=all).collect());
        tables.sort_unstable();
        tables.dedup();
        if let Some(table) = tables.iter().find(|table| !(1..=all).contains(*table)) {
            return Err(Problem::BadInput(format!("`tables`: round {round} has no table {table}")));
        }
        let expires = after(self.service.clock().now(), TABLE_TOKEN_MS);
        let new = |table: u32| NewToken {
            caller: Caller {
                role: Role::Table,
                tournament: Some(id),
                table: Some(TableNumber { round, table }),
                ..Caller::SPECTATOR
            },
            label: format!("round {round}, table {table}"),
            issuer: None,
            expires,
        };
        let replaces = |token: &Token| {
            let is_of = |at: TableNumber| at.round == round && tables.contains(&at.table);
            token.tournament == Some(id) && token.table.is_some_and(is_of)
        };
        let issued = self.tokens()?.replace(tables.iter().copied().map(new).collect(), replaces);
        let issued = issued.map_err(unwritten)?;
        Ok(tables.iter().zip(issued).map(|(table, issued)| TableToken { table: *table, issued }).collect())
    }

    /// Ends the tokens of a round's tables: others may sit there when it is opened again.
    pub(super) fn end_table_tokens(&self, id: LogId, round: u32) -> Result<(), Problem> {
        let Some(tokens) = &self.tokens else { return Ok(()) };
        let is_of = |token: &Token| token.tournament == Some(id) && token.table.is_some_and(|at| at.round == round);
        tokens.replace(Vec::new(), is_of).map(drop).map_err(unwritten)
    }

    /// The tokens of a tournament's organisers and tables, without their secrets. For its organisers.
    ///
    /// # Errors
    /// The caller may not see them.
    pub fn tournament_tokens(&self, id: LogId) -> Result<Vec<Token>, Problem> {
        self.run(id)?;
        let mut tokens = self.tokens()?.list();
        tokens.retain(|token| token.tournament == Some(id));
        Ok(tokens)
    }
}

fn after(now: Timestamp, millis: i64) -> Option<Timestamp> {
    Timestamp::from_millis(now.as_millis() + millis).ok()
}
