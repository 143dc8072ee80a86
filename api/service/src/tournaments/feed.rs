//! Games feed their tournament: the result of a game is written into the tournament's log, together with the
//! game's own event.

use std::sync::{Arc, MutexGuard, PoisonError};

use plybook_events::body::{GameHead, ResultRecorded, ResultRemoved};
use plybook_events::{By, LogId, Outcome, UNRECORDED};
use plybook_models::TournamentFilter;
use plybook_rules::log::{Replay, Standing};
use plybook_store::{Append, Head};
use plybook_tournaments::log::{Command, Draft, Tournament, TournamentStatus, ranking_of};

use super::super::Service;
use super::LiveTournament;
use crate::error::Problem;
use crate::game::State;

/// What a game's new state means for its tournament.
#[derive(Clone, Debug)]
struct News {
    round: u32,
    table: u32,
    /// The game and its last event.
    record: GameHead,
    /// The result; `None` if there is none now.
    ranking: Option<Vec<Vec<u8>>>,
    reason: Option<String>,
}

/// Events of a tournament that are to be written together with those of a game.
pub(crate) struct Feeding<'a> {
    live: &'a LiveTournament,
    tournament: Tournament,
    /// The appends.
    pub(crate) append: Append,
    _writing: MutexGuard<'a, ()>,
}

impl Feeding<'_> {
    /// Reports that the events were appended.
    pub(crate) fn written(self, head: Head) {
        self.live.advance(State::new(self.tournament, head));
    }
}

impl Service {
    /// The tournament that a game belongs to, if it is here. A tournament that cannot be read does not stop its games.
    pub(crate) fn tournament_of(&self, game: &Replay) -> Option<Arc<LiveTournament>> {
        let id = game.created().tournament.filter(|id| !game.is_line() && self.is_tournament(*id))?;
        let live = self.tournament(id);
        live.inspect_err(|why| tracing::error!(%id, %why, "a tournament cannot be updated with its game")).ok()
    }

    /// The events for a tournament's log when a game of it has come to this state; `None` if there are none.
    ///
    /// # Errors
    /// The tournament cannot be read.
    pub(crate) fn feed<'a>(
        &self,
        live: &'a LiveTournament,
        game: &Replay,
        head: GameHead,
    ) -> Result<Option<Feeding<'a>>, Problem> {
        let is_void = game.voided().is_some();
        let outcome = game.end().map(|end| &end.outcome);
        let outcome = outcome.filter(|outcome| !is_void && is_news(outcome, game.mainline().len()));
        let news = |tournament: &Tournament| {
            let reason = game.voided().map(reason_of);
            news(tournament, head, outcome, reason)
        };
        if news(&live.tournament()).is_none() {
            return Ok(None);
        }
        let writing = live.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.catch_up_tournament(live)?;
        let State { folded: tournament, head } = live.state();
        let Some(news) = news(&tournament) else { return Ok(None) };
        let mut draft = Draft::resume((*tournament).clone(), head.hash(), self.clock().now(), None);
        draft.command(By::Service, news.command())?;
        let (tournament, events) = draft.finish();
        let append = Append { log: tournament.id, expected: Some(head), events };
        Ok(Some(Feeding { live, tournament, append, _writing: writing }))
    }

    /// Adopts results of a tournament's games that its log missed, for instance when games were imported.
    /// Returns how many results were written.
    ///
    /// # Errors
    /// The tournament cannot be read, or nothing can be written.
    pub fn settle(&self, id: LogId) -> Result<usize, Problem> {
        let live = self.tournament(id)?;
        let missing = self.missing(&live.tournament());
        if missing.is_empty() {
            return Ok(0);
        }
        let count = missing.len();
        let _writing = live.writing.lock().unwrap_or_else(PoisonError::into_inner);
        self.catch_up_tournament(&live)?;
        let State { folded: tournament, head } = live.state();
        let mut draft = Draft::resume((*tournament).clone(), head.hash(), self.clock().now(), None);
        for news in self.missing(&tournament) {
            draft.command(By::Service, news.command())?;
        }
        let (tournament, events) = draft.finish();
        if !events.is_empty() {
            let head = self.log().append(id, Some(&head), events)?.head;
            live.advance(State::new(tournament, head));
        }
        Ok(count)
    }

    /// How many results of its games a tournament's log does not have yet.
    pub(super) fn untold(&self, tournament: &Tournament) -> usize {
        self.missing(tournament).len()
    }

    /// The states of games that a tournament's log does not have yet.
    fn missing(&self, tournament: &Tournament) -> Vec<News> {
        let known = self.models().known();
        let games = tournament.rounds.iter().flat_map(|round| &round.tables).flat_map(|table| &table.games);
        let news = games.filter_map(|game| {
            let standing: &Standing = &known.games.get(game.id)?.standing;
            let head = self.log().head(game.id)?;
            // What was recorded since then is reported when the catalogue has applied it.
            if head.seq() + 1 != standing.events {
                return None;
            }
            let record = GameHead { game: game.id, seq: head.seq(), hash: head.hash() };
            let outcome = standing.outcome();
            let outcome = outcome.filter(|outcome| !standing.is_void() && is_news(outcome, standing.ply as usize));
            news(tournament, record, outcome, standing.voided.as_deref().map(reason_of))
        });
        news.collect()
    }

    /// Brings every tournament in progress up to date with its games.
    pub(crate) fn settle_all(&self) {
        let running = TournamentFilter { status: Some(TournamentStatus::Running), ..TournamentFilter::default() };
        let running = self.models().known().tournaments.list(&running);
        for id in running.iter().map(|tournament| tournament.id) {
            match self.settle(id) {
                Ok(0) => {}
                Ok(results) => tracing::info!(%id, results, "a tournament took over results of its games"),
                Err(why) => tracing::error!(%id, %why, "a tournament cannot be updated with its games"),
            }
        }
    }
}

impl News {
    fn command(self) -> Command {
        let Self { round, table, record, ranking, reason } = self;
        let record = Some(record);
        match ranking {
            Some(ranking) => Command::FeedResult(ResultRecorded { round, table, ranking, record, at_table: false }),
            None => Command::FeedRemoval(ResultRemoved { round, table, record, reason }),
        }
    }
}

/// The news for a tournament from a game in this state; `None` if there is none, or it is not one of its
/// games.
fn news(tournament: &Tournament, record: GameHead, outcome: Option<&Outcome>, reason: Option<String>) -> Option<News> {
    let (round, table) = tournament.table_of(record.game)?;
    let at = tournament.round(round)?.table(table)?;
    let told = &at.games.iter().find(|game| game.id == record.game)?.ranking;
    let ranking = outcome.map(|outcome| ranking_of(outcome, at.seats.len() as u8));
    (*told != ranking).then_some(News { round, table, record, ranking, reason })
}

/// Whether a game tells its tournament this outcome: not if all seats lost, and not if the tournament has told the game.
pub(super) fn is_news(outcome: &Outcome, plies: usize) -> bool {
    !(outcome.is_forfeit() || plies == 0 && outcome.reason == UNRECORDED)
}

/// As much of a reason as fits into the log of a tournament.
fn reason_of(text: &str) -> String {
    text.chars().take(plybook_tournaments::log::REASON_CHARS_MAX).collect()
}
