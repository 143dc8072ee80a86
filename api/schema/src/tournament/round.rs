//! Rounds.

use std::sync::Arc;

use async_graphql::{Context, Enum, Object, SimpleObject};
use plybook_events::body::{Bye as LogBye, EntrantBye};
use plybook_service::error::Problem;
use plybook_service::{Explanations, Job, JobState as State};
use plybook_tournaments::log::{self, RoundStatus as Status, Warning};

use super::super::game::Game;
use super::super::player::Player;
use super::super::scalar::{DateTime, HashHex};
use super::super::{measured, price, service};
use super::entrant::{ByeKind, Entrant};
use super::table::{Table, result_text};
use super::view::{self, LIST_MAX, View, cut, points};

/// A round.
pub struct Round {
    view: Arc<View>,
    number: u32,
}

/// The status of a round.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum RoundStatus {
    /// It is not paired.
    Unpaired,
    /// It is paired, and the pairing can still be changed.
    Paired,
    /// It is open.
    Open,
    /// It is closed.
    Closed,
}

/// How a round was paired.
#[derive(SimpleObject)]
pub struct PairingInfo {
    /// The pairing system, or `hand`.
    engine: String,
    /// Its version: the same one pairs the same input in the same way.
    version: Option<String>,
    /// SHA-256 over `plybook/pairing/v1`, a zero byte, and the input of the pairing; null for pairings by
    /// hand.
    input: Option<HashHex>,
    /// Whether the pairing was changed by hand.
    changed_by_hand: bool,
    /// The rules that a change by hand broke, in words.
    breaks: Vec<String>,
    /// When it was paired.
    at: DateTime,
}

/// The rules that a pairing by hand would break.
#[derive(SimpleObject)]
pub struct PairingCheck {
    /// One warning for each rule and place.
    warnings: Vec<PairingWarning>,
}

/// A rule that a pairing by hand breaks.
#[derive(SimpleObject)]
pub struct PairingWarning {
    /// `rematch`, `forbidden`, `second-bye`, `third-seat`, `seat-balance`, `score-gap`, `absent`, `left-out` or `bye-lost`.
    rule: &'static str,
    /// In words.
    text: String,
    /// The table, from 1.
    table: Option<u32>,
}

/// A result that changed after a later round was paired.
#[derive(SimpleObject)]
pub struct Correction {
    /// The table.
    table: u32,
    /// The result from which the later round was paired; null if there was none, as of an adjourned game.
    before: Option<String>,
    /// The result from then on; null if there is none.
    after: Option<String>,
    /// The last round that was paired by then.
    paired: u32,
    /// When it changed last.
    at: DateTime,
}

/// The computation of a round's pairing.
#[derive(SimpleObject)]
pub struct PairingJob {
    /// Its state.
    state: JobState,
    /// How many entrants are paired so far.
    done: usize,
    /// How many entrants have to be paired.
    total: usize,
    /// Why it failed.
    error: Option<String>,
    /// When it was requested.
    started_at: DateTime,
}

/// The state of a computation.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum JobState {
    /// It is waiting for a worker.
    Queued,
    /// It is running.
    Running,
    /// The round is paired.
    Done,
    /// The round cannot be paired.
    Failed,
    /// It was stopped.
    Cancelled,
}

/// An entrant who does not play in a round.
pub struct Bye {
    view: Arc<View>,
    given: EntrantBye,
    explained: Option<Arc<Explanations>>,
}

impl PairingCheck {
    /// These warnings.
    pub fn new(warnings: Vec<Warning>) -> Self {
        let warning = |Warning { rule, text, table }| PairingWarning { rule: log::Broken::name(rule), text, table };
        Self { warnings: warnings.into_iter().map(warning).collect() }
    }
}

impl Round {
    /// The round with a number, which may not be paired yet.
    pub fn new(view: &Arc<View>, number: u32) -> Self {
        Self { view: Arc::clone(view), number }
    }

    fn paired(&self) -> Option<&log::Round> {
        self.view.tournament.round(self.number)
    }

    fn table_at(&self, number: u32) -> Option<Table> {
        self.paired()?.table(number).map(|_| Table::new(&self.view, self.number, number))
    }
}

/// A round.
#[Object]
impl Round {
    /// The number, from 1.
    async fn number(&self) -> u32 {
        self.number
    }

    /// The status.
    async fn status(&self) -> RoundStatus {
        match self.paired().map(|round| round.status) {
            None => RoundStatus::Unpaired,
            Some(Status::Paired) => RoundStatus::Paired,
            Some(Status::Open) => RoundStatus::Open,
            Some(Status::Closed) => RoundStatus::Closed,
        }
    }

    /// The tables: `first` of them (default and at most 500) after the first `offset`.
    #[graphql(complexity = "view::cost(first) * child_complexity.max(1) + 1")]
    async fn tables(&self, first: Option<i32>, offset: Option<i32>) -> Result<Vec<Table>, Problem> {
        let count = self.paired().map_or(0, |round| round.tables.len()) as u32;
        let numbers: Vec<u32> = (1..=count).collect();
        Ok(cut(&numbers, first, offset)?.iter().filter_map(|number| self.table_at(*number)).collect())
    }

    /// The table with a number.
    async fn table(&self, number: u32) -> Option<Table> {
        self.table_at(number)
    }

    /// The number of tables.
    async fn tables_count(&self) -> usize {
        self.paired().map_or(0, |round| round.tables.len())
    }

    /// The entrant with the bye that the pairing allocated.
    #[graphql(complexity = "price::SEATS * child_complexity.max(1) + 1")]
    async fn byes(&self, ctx: &Context<'_>) -> Vec<Player> {
        let byes = self.paired().map_or(&[][..], |round| round.byes.as_slice());
        let paired = byes.iter().filter(|bye| bye.bye == LogBye::Pairing);
        paired.filter_map(|bye| self.view.player(ctx, bye.entrant)).collect()
    }

    /// All entrants who do not play in this round.
    #[graphql(complexity = "price::LOOKUP + view::SOME * child_complexity.max(1)")]
    async fn unpaired(&self, ctx: &Context<'_>) -> Result<Vec<Bye>, Problem> {
        let Some(round) = self.paired() else { return Ok(Vec::new()) };
        let explained = explain(ctx, &self.view, round).await?;
        let bye = |bye: &EntrantBye| Bye { view: Arc::clone(&self.view), given: *bye, explained: explained.clone() };
        Ok(round.byes.iter().take(LIST_MAX).map(bye).collect())
    }

    /// The current or last games at its tables; at most 500.
    #[graphql(complexity = "view::SOME * child_complexity.max(1) + 1")]
    async fn games(&self, ctx: &Context<'_>) -> Vec<Game> {
        let games = self.paired().into_iter().flat_map(|round| &round.tables).filter_map(log::Table::game);
        Game::find_all(ctx, &games.take(LIST_MAX).collect::<Vec<_>>())
    }

    /// Whether it was opened and every table has a result.
    async fn complete(&self) -> bool {
        let is_complete = |round: &log::Round| {
            round.status != Status::Paired && round.tables.iter().all(|table| table.result.is_some())
        };
        self.paired().is_some_and(is_complete)
    }

    /// The tables of a round that was opened that have no result and are not adjourned: they keep it from being closed,
    /// and the next one from being paired.
    async fn missing(&self) -> Vec<u32> {
        self.paired().filter(|round| round.status != Status::Paired).map_or_else(Vec::new, log::Round::missing)
    }

    /// The tables whose game is adjourned and has no result yet.
    async fn adjourned(&self) -> Vec<u32> {
        self.paired().map_or_else(Vec::new, log::Round::adjourned)
    }

    /// The tables at which two different results were entered. They keep the round from being closed until whoever runs
    /// the tournament decides, or the table enters the same result twice.
    async fn disputed(&self) -> Vec<u32> {
        self.paired().map_or_else(Vec::new, log::Round::disputed)
    }

    /// The results that changed after a later round was paired, whose pairing stays as it is.
    #[graphql(complexity = "price::SEATS * child_complexity.max(1) + 1")]
    async fn corrections(&self) -> Vec<Correction> {
        let Some(round) = self.paired() else { return Vec::new() };
        let correction = |found: &log::Correction| {
            let seats = round.table(found.table).map_or(0, |table| table.seats.len());
            let text = |result: &Option<log::TableResult>| result.as_ref().map(|result| result_text(result, seats));
            Correction {
                table: found.table,
                before: text(&found.before),
                after: text(&found.after),
                paired: found.paired,
                at: DateTime(found.at),
            }
        };
        round.corrections.iter().take(LIST_MAX).map(correction).collect()
    }

    /// How it was paired.
    async fn pairing(&self) -> Option<PairingInfo> {
        let round = self.paired()?;
        let engine = round.engine.as_ref();
        Some(PairingInfo {
            engine: engine.map_or_else(|| "hand".to_owned(), |engine| engine.name.clone()),
            version: engine.map(|engine| engine.version.clone()),
            input: engine.map(|engine| HashHex(engine.input)),
            changed_by_hand: round.is_changed,
            breaks: round.breaks.clone(),
            at: DateTime(round.paired_at),
        })
    }

    /// The input of its pairing in canonical JSON, whose hash is `pairing { input }`; null for pairings by
    /// hand.
    #[graphql(complexity = "price::GAMES")]
    async fn pairing_input(&self, ctx: &Context<'_>) -> Result<Option<String>, Problem> {
        let Some(round) = self.paired().filter(|round| round.engine.is_some()) else { return Ok(None) };
        super::spend(ctx, 0)?;
        let moment = plybook_service::Moment::Seq(round.paired_seq - 1);
        let before = service(ctx).tournament_at(self.view.tournament.id, moment)?;
        let text = before.map(|(before, ..)| before.pairing_input().text);
        super::spend(ctx, text.as_ref().map_or(0, String::len))?;
        Ok(text)
    }

    /// The computation of its pairing that is in progress, or that failed last.
    async fn job(&self, ctx: &Context<'_>) -> Option<PairingJob> {
        let job = service(ctx).pairing_job(self.view.tournament.id)?;
        (job.round == self.number && !self.view.is_past).then(|| PairingJob::of(&job))
    }

    /// When it is planned to start.
    async fn starts_at(&self) -> Option<DateTime> {
        let index = self.number as usize - 1;
        self.view.tournament.settings.rounds_at.get(index).copied().map(DateTime)
    }

    /// When it was opened.
    async fn opened_at(&self) -> Option<DateTime> {
        self.paired()?.opened_at.map(DateTime)
    }

    /// When it was closed.
    async fn closed_at(&self) -> Option<DateTime> {
        self.paired()?.closed_at.map(DateTime)
    }
}

impl PairingJob {
    fn of(job: &Job) -> Self {
        let (done, total) = job.progress();
        let (state, error) = match job.state() {
            State::Queued => (JobState::Queued, None),
            State::Running => (JobState::Running, None),
            State::Done => (JobState::Done, None),
            State::Failed(why) => (JobState::Failed, Some(why.to_string())),
            State::Cancelled => (JobState::Cancelled, None),
        };
        Self { state, done, total, error, started_at: DateTime(job.started_at) }
    }
}

/// An entrant who does not play in a round.
#[Object]
impl Bye {
    /// The entrant.
    async fn entrant(&self) -> Entrant {
        Entrant::new(&self.view, self.given.entrant)
    }

    /// The kind of bye.
    async fn kind(&self) -> ByeKind {
        self.given.bye.into()
    }

    /// The points for the bye.
    async fn points(&self) -> f64 {
        points(self.view.tournament.points_of_bye(self.given.bye))
    }

    /// The reason, in words.
    async fn explanation(&self) -> Vec<String> {
        let told = self.explained.as_ref().map_or(&[][..], |explained| explained.bye(self.given.entrant));
        match (self.given.bye, told.is_empty()) {
            (LogBye::Pairing | LogBye::Zero, false) => told.to_vec(),
            (LogBye::Pairing, true) => vec!["left over".to_owned()],
            _ => vec!["announced".to_owned()],
        }
    }
}

/// The reasons for the pairing of a round; `None` if they are unknown, or it was paired by hand.
pub async fn explain(ctx: &Context<'_>, view: &View, round: &log::Round) -> Result<Option<Arc<Explanations>>, Problem> {
    if round.engine.is_none() {
        return Ok(None);
    }
    measured(ctx, |meter| service(ctx).explain(view.tournament.id, round.paired_seq, meter)).await
}
