//! Tournaments.

mod bracket;
mod entrant;
mod input;
mod list;
mod me;
mod mutation;
pub(super) mod qr;
mod report;
mod round;
mod settings;
mod standing;
mod table;
mod token;
mod view;

use std::sync::{Arc, OnceLock};

use async_graphql::{Context, ID, Object};
use plybook_events::body::TournamentSettings;
use plybook_events::{Hash, LogId};
use plybook_models::{Filter, Order, TournamentSummary};
use plybook_service::error::Problem;
use plybook_service::{LiveTournament, Moment};
use plybook_tournaments::ByeKind as LogBye;
use plybook_tournaments::log::{self, TournamentStatus as Status};

use self::bracket::{Bracket, Group};
use self::entrant::Entrant;
use self::input::ByeInput;
use self::qr::QrCode;
use self::round::{PairingCheck, Round};
use self::settings::{ByePolicy, TournamentFormat, TournamentHead, TournamentStatus};
use self::standing::{ProgressRow, Standing};
use self::view::{View, cut};
use super::connection::Page;
use super::event::{EventPage, list_events};
use super::games::{GamePage, list_games};
use super::input::{RollSource, Signatures};
use super::player::Player;
use super::position::Verification;
use super::rule_set::RuleSet;
use super::scalar::{DateTime, HashHex, Json};
use super::tlog::InclusionProof;
use super::token::TokenInfo;
use super::{desk, json, measured, price, service, spend};

pub use self::input::TournamentFilter;
pub use self::list::{TournamentPage, list_tournaments};
pub use self::me::Me;
pub use self::mutation::TournamentMutation;
pub use self::report::ReportPreview;

/// The number of groups that the price of all groups counts.
const GROUPS: usize = 8;
/// A tournament: the summary that lists show, and its log, which is folded only if a field needs it.
pub struct Tournament {
    id: LogId,
    /// `None` for an earlier state of a tournament.
    summary: Option<Arc<TournamentSummary>>,
    view: OnceLock<Arc<View>>,
}

impl Tournament {
    /// A tournament in a list.
    pub fn listed(summary: Arc<TournamentSummary>) -> Self {
        Self { id: summary.id, summary: Some(summary), view: OnceLock::new() }
    }

    /// The tournament with an id.
    pub fn find(ctx: &Context<'_>, id: LogId) -> Option<Self> {
        service(ctx).models().known().tournaments.get(id).cloned().map(Self::listed)
    }

    /// A tournament in its state at a moment.
    pub(super) fn find_at(ctx: &Context<'_>, id: LogId, moment: Moment) -> Result<Option<Self>, Problem> {
        if Self::find(ctx, id).is_none() {
            return Ok(None);
        }
        let found = service(ctx).tournament_at(id, moment)?;
        Ok(found.map(|(tournament, seq, hash)| {
            let view = OnceLock::from(Arc::new(View::new(tournament, seq, hash, true)));
            Self { id, summary: None, view }
        }))
    }

    /// A tournament that was just changed.
    pub(super) fn changed(ctx: &Context<'_>, live: &LiveTournament) -> Self {
        let (tournament, head) = live.at();
        let id = tournament.id;
        let summary = service(ctx).models().known().tournaments.get(id).cloned();
        let view = OnceLock::from(Arc::new(View::new(tournament, head.seq(), head.hash(), false)));
        Self { id, summary, view }
    }

    /// The folded tournament; the same for all fields of this object.
    pub(super) fn view(&self, ctx: &Context<'_>) -> Result<&Arc<View>, Problem> {
        if let Some(view) = self.view.get() {
            return Ok(view);
        }
        spend(ctx, 0)?;
        let (tournament, head) = service(ctx).tournament(self.id)?.at();
        Ok(self.view.get_or_init(|| Arc::new(View::new(tournament, head.seq(), head.hash(), false))))
    }

    fn settings(&self) -> &TournamentSettings {
        match (self.view.get(), &self.summary) {
            (Some(view), _) => &view.tournament.settings,
            (None, Some(summary)) => &summary.settings,
            (None, None) => unreachable!("a tournament of the past is folded"),
        }
    }
}

/// A tournament.
#[Object]
impl Tournament {
    /// The id, which is also that of its log.
    pub async fn id(&self) -> ID {
        self.id.to_string().into()
    }

    /// The name.
    async fn name(&self) -> &str {
        &self.settings().name
    }

    /// The kind of game.
    async fn kind(&self) -> &str {
        &self.settings().kind
    }

    /// The rules of the game.
    async fn rule_set(&self) -> Option<RuleSet> {
        plybook_rules::kind(&self.settings().kind).map(RuleSet)
    }

    /// How entrants are paired.
    async fn format(&self) -> TournamentFormat {
        let word = self.settings().format.get("format").and_then(serde_json::Value::as_str);
        TournamentFormat::of(word.unwrap_or_default())
    }

    /// The format with its options, as in the log; see docs/standings.md.
    async fn format_options(&self, ctx: &Context<'_>) -> Result<Json, Problem> {
        json(ctx, &self.settings().format)
    }

    /// The status.
    async fn status(&self, ctx: &Context<'_>) -> Result<TournamentStatus, Problem> {
        let status = match (self.view.get(), &self.summary) {
            (None, Some(summary)) => summary.status(),
            _ => self.view(ctx)?.tournament.status(),
        };
        Ok(match status {
            Status::Planned => TournamentStatus::Planned,
            Status::Running => TournamentStatus::Running,
            Status::Finished => TournamentStatus::Finished,
        })
    }

    /// The usual number of seats at a table.
    async fn seats(&self, ctx: &Context<'_>) -> Result<u8, Problem> {
        Ok(self.view(ctx)?.tournament.rules.standings.seats)
    }

    /// How many rounds are planned; null if that depends on results or on the organiser.
    async fn rounds_planned(&self, ctx: &Context<'_>) -> Result<Option<u32>, Problem> {
        Ok(self.view(ctx)?.tournament.rounds_planned())
    }

    /// The setups of the games, one for each round in turn; empty for the default setup.
    async fn setups(&self, ctx: &Context<'_>) -> Result<Vec<Json>, Problem> {
        self.settings().setups.iter().map(|setup| json(ctx, setup)).collect()
    }

    /// The time control, in words.
    async fn time_control(&self) -> Option<&str> {
        self.settings().time_control.as_deref()
    }

    /// The points for results, as in the log; see docs/standings.md.
    async fn scoring(&self, ctx: &Context<'_>) -> Result<Json, Problem> {
        json(ctx, &self.settings().scoring)
    }

    /// The tie-breaks, in order.
    async fn tie_breaks(&self) -> &[String] {
        &self.settings().tie_breaks
    }

    /// The points for byes.
    async fn bye_policy(&self, ctx: &Context<'_>) -> Result<ByePolicy, Problem> {
        let tournament = &self.view(ctx)?.tournament;
        let points = |kind| view::points(tournament.bye_points(kind));
        Ok(ByePolicy {
            pairing: points(LogBye::Pairing),
            half: points(LogBye::Half),
            half_max: tournament.settings.half_byes,
            half_last_round: tournament.settings.half_byes_until,
        })
    }

    /// When it starts.
    async fn starts_at(&self) -> Option<DateTime> {
        self.settings().starts_at.map(DateTime)
    }

    /// When it ends.
    async fn ends_at(&self) -> Option<DateTime> {
        self.settings().ends_at.map(DateTime)
    }

    /// When each round starts, in order.
    async fn rounds_at(&self) -> Vec<DateTime> {
        self.settings().rounds_at.iter().copied().map(DateTime).collect()
    }

    /// The time zone of its days and times, as the IANA database names it; null for UTC.
    async fn time_zone(&self) -> Option<&str> {
        self.settings().time_zone.as_deref()
    }

    /// The venue.
    async fn place(&self) -> Option<&str> {
        self.settings().place.as_deref()
    }

    /// Anything else worth knowing.
    async fn description(&self) -> Option<&str> {
        self.settings().description.as_deref()
    }

    /// What the organiser announces at present.
    async fn announcement(&self) -> Option<&str> {
        self.settings().announcement.as_deref()
    }

    /// Groups of entrants who do not meet each other, by their numbers.
    async fn forbidden(&self) -> &[Vec<u16>] {
        &self.settings().forbidden
    }

    /// Whether it is left out of lists.
    async fn archived(&self) -> bool {
        self.settings().archived
    }

    /// Whether its games are rated.
    async fn rated(&self) -> bool {
        !self.settings().unrated
    }

    /// Whether what people do in its games has to be signed.
    async fn signatures(&self) -> Signatures {
        Signatures::of(self.settings().signed)
    }

    /// Where the rolls of its games come from, in a kind with dice.
    async fn rolls(&self) -> RollSource {
        RollSource::of(self.settings().rolls)
    }

    /// Further search terms: names and values.
    async fn tags(&self, ctx: &Context<'_>) -> Result<Json, Problem> {
        json(ctx, &self.settings().tags)
    }

    /// When it was created.
    async fn created_at(&self, ctx: &Context<'_>) -> Result<DateTime, Problem> {
        Ok(DateTime(self.view(ctx)?.tournament.created_at))
    }

    /// The time of its last event.
    async fn updated_at(&self, ctx: &Context<'_>) -> Result<DateTime, Problem> {
        Ok(DateTime(self.view(ctx)?.tournament.updated_at))
    }

    /// The last event of its log.
    async fn head(&self, ctx: &Context<'_>) -> Result<TournamentHead, Problem> {
        let view = self.view(ctx)?;
        Ok(TournamentHead { seq: view.seq, hash: HashHex(view.hash), at: DateTime(view.tournament.updated_at) })
    }

    /// The link of its public page as a QR code: `<base>/tournaments/<id>`. `base` is the public address of the service.
    #[graphql(complexity = "price::ENTRANTS")]
    async fn qr(&self, base: String) -> Result<QrCode, Problem> {
        QrCode::of_link(&base, &format!("/tournaments/{}", self.id))
    }

    /// Whether the caller runs this tournament.
    async fn may_organise(&self, ctx: &Context<'_>) -> bool {
        desk(ctx).may_organise(self.id)
    }

    /// How many entrants there are.
    async fn entrants_count(&self, ctx: &Context<'_>) -> Result<usize, Problem> {
        Ok(self.view(ctx)?.ranks().len())
    }

    /// The players who are entered, by starting rank; at most 500 of them. `entrants` has more details.
    #[graphql(complexity = "price::FOLD + view::SOME * child_complexity.max(1)")]
    async fn players(&self, ctx: &Context<'_>) -> Result<Vec<Player>, Problem> {
        let view = self.view(ctx)?;
        let entrants = view.ranks().entrants();
        Ok(entrants.iter().take(view::LIST_MAX).filter_map(|number| view.player(ctx, *number)).collect())
    }

    /// The entrants by starting rank: `first` of them (default and at most 500) after the first `offset`.
    #[graphql(complexity = "price::FOLD + view::cost(first) * child_complexity.max(1)")]
    async fn entrants(
        &self,
        ctx: &Context<'_>,
        first: Option<i32>,
        offset: Option<i32>,
        name_contains: Option<String>,
    ) -> Result<Vec<Entrant>, Problem> {
        let view = self.view(ctx)?;
        let part = name_contains.map(|part| part.to_lowercase());
        let is_named = |number: &&u16| {
            let entrant = view.tournament.entrant(**number);
            entrant.is_some_and(|entrant| {
                part.as_ref().is_none_or(|part| entrant.details.name.to_lowercase().contains(part))
            })
        };
        let named: Vec<u16> = view.ranks().entrants().iter().filter(is_named).copied().collect();
        Ok(cut(&named, first, offset)?.iter().map(|number| Entrant::new(view, *number)).collect())
    }

    /// The entrant with a number; null if there is none.
    async fn entrant(&self, ctx: &Context<'_>, number: u16) -> Result<Option<Entrant>, Problem> {
        let view = self.view(ctx)?;
        Ok(view.tournament.entrant(number).map(|_| Entrant::new(view, number)))
    }

    /// The planned and the paired rounds, in order.
    #[graphql(complexity = "price::FOLD + view::ROUNDS * child_complexity.max(1)")]
    async fn rounds(&self, ctx: &Context<'_>) -> Result<Vec<Round>, Problem> {
        let view = self.view(ctx)?;
        let paired = view.tournament.rounds.len() as u32;
        let last = view.tournament.rounds_planned().unwrap_or(0).max(paired);
        Ok((1..=last).map(|number| Round::new(view, number)).collect())
    }

    /// The round with a number, which may not be paired yet; null if it is not planned.
    async fn round(&self, ctx: &Context<'_>, number: u32) -> Result<Option<Round>, Problem> {
        let view = self.view(ctx)?;
        let last = view.tournament.rounds_planned().unwrap_or(0).max(view.tournament.next_round());
        Ok((1..=last).contains(&number).then(|| Round::new(view, number)))
    }

    /// The last paired round; null before the first pairing.
    async fn current_round(&self, ctx: &Context<'_>) -> Result<Option<Round>, Problem> {
        let view = self.view(ctx)?;
        Ok(view.tournament.rounds.last().map(|round| Round::new(view, round.number)))
    }

    /// The standings after a round, by default the last one with any result; after 0, by starting rank.
    /// `first` of them (default and at most 500) after the first `offset`.
    #[graphql(complexity = "price::ENTRANTS + view::cost(first) * child_complexity.max(1)")]
    async fn standings(
        &self,
        ctx: &Context<'_>,
        after_round: Option<u32>,
        first: Option<i32>,
        offset: Option<i32>,
    ) -> Result<Vec<Standing>, Problem> {
        let view = self.view(ctx)?;
        spend(ctx, 0)?;
        let standings = view.standings(after_round)?;
        let rows: Vec<usize> = (0..standings.rows.len()).collect();
        let row = |index: &usize| Standing::new(view, &standings, *index);
        Ok(cut(&rows, first, offset)?.iter().map(row).collect())
    }

    /// The crosstable, as texts in the order of the standings. The first row is the header; a cell is the
    /// result (`+`, `=`, `-`, `*` while there is none, `F` after a forfeit), the opponents' places, and the
    /// seat in brackets: `+12(1)`. At most 500 rows.
    #[graphql(complexity = "price::GAMES")]
    async fn crosstable(
        &self,
        ctx: &Context<'_>,
        after_round: Option<u32>,
    ) -> Result<Vec<Vec<Option<String>>>, Problem> {
        let rows = standing::crosstable(self.view(ctx)?, after_round)?;
        spend(ctx, rows.iter().flatten().flatten().map(|cell| cell.len() + 4).sum())?;
        Ok(rows)
    }

    /// Every entrant's rounds, in the order of the standings; `first` and `offset` as for `standings`.
    #[graphql(complexity = "price::ENTRANTS + view::cost(first) * child_complexity.max(1)")]
    async fn progress(
        &self,
        ctx: &Context<'_>,
        after_round: Option<u32>,
        first: Option<i32>,
        offset: Option<i32>,
    ) -> Result<Vec<ProgressRow>, Problem> {
        let view = self.view(ctx)?;
        let standings = view.standings(after_round)?;
        let rows: Vec<usize> = (0..standings.rows.len()).collect();
        Ok(cut(&rows, first, offset)?.iter().map(|index| ProgressRow::new(view, &standings, *index)).collect())
    }

    /// The bracket of a knock-out; null in other formats, before the first pairing, and during a group stage.
    #[graphql(complexity = "price::LOOKUP + child_complexity")]
    async fn bracket(&self, ctx: &Context<'_>) -> Result<Option<Bracket>, Problem> {
        let view = self.view(ctx)?;
        spend(ctx, 0)?;
        Bracket::find(view)
    }

    /// The groups after a round, by default the last one with any result; empty in formats without groups.
    #[graphql(complexity = "price::LOOKUP + GROUPS * child_complexity.max(1)")]
    async fn groups(&self, ctx: &Context<'_>, after_round: Option<u32>) -> Result<Vec<Group>, Problem> {
        let view = self.view(ctx)?;
        spend(ctx, 0)?;
        Group::all(view, after_round)
    }

    /// The recorded games, newest first. Explorer, statistics and lists take `filter.tournament`.
    #[graphql(complexity = "Page::cost(first, None) * child_complexity.max(1) + price::LIST")]
    async fn games(&self, ctx: &Context<'_>, first: Option<i32>, after: Option<String>) -> Result<GamePage, Problem> {
        let filter = Filter { tournament: Some(self.id), is_analysis: Some(false), ..Filter::default() };
        list_games(
            ctx,
            &Filter { without_unplayed: true, ..filter },
            Order::CreatedDesc,
            &Page { first, after, ..Page::default() },
        )
    }

    /// The rules that a pairing by hand would break; nothing is written. Entrants are given by their numbers.
    #[graphql(complexity = "price::GAMES + child_complexity")]
    async fn check_pairing(
        &self,
        ctx: &Context<'_>,
        round: u32,
        tables: Vec<Vec<u16>>,
        byes: Option<Vec<ByeInput>>,
    ) -> Result<PairingCheck, Problem> {
        let tournament = &self.view(ctx)?.tournament;
        let byes = input::read_byes(byes).unwrap_or_else(|| tournament.byes_kept(round, &tables));
        let change =
            log::Command::ChangePairing { round, tables: tables.clone(), byes: Some(byes.clone()), is_forced: true };
        tournament.decide(change).map_err(log::DraftError::from)?;
        Ok(PairingCheck::new(tournament.warnings(round, &tables, &byes)))
    }

    /// Its log as it was recorded.
    #[graphql(complexity = "Page::cost(first, last) * (child_complexity + 1) + price::FOLD")]
    async fn events(
        &self,
        ctx: &Context<'_>,
        first: Option<i32>,
        after: Option<String>,
        last: Option<i32>,
        before: Option<String>,
    ) -> Result<EventPage, Problem> {
        list_events(ctx, self.id, self.view(ctx)?.seq + 1, &Page { first, last, after, before })
    }

    /// The proof that the transparency log contains an event of the tournament's log: the last one, or the one with `seq`, as `inclusion`
    /// of a game.
    #[graphql(complexity = "price::LOG + child_complexity")]
    async fn inclusion(&self, ctx: &Context<'_>, seq: Option<i64>) -> Result<Option<InclusionProof>, Problem> {
        InclusionProof::read(ctx, self.id, seq)
    }

    /// Verifies its log: every hash, every decision, and every pairing of up to 300 entrants computed again.
    #[graphql(complexity = "price::PAIRING + child_complexity")]
    async fn verification(&self, ctx: &Context<'_>) -> Result<Option<Verification>, Problem> {
        let found = measured(ctx, |meter| service(ctx).verify_tournament(self.id, meter)).await?;
        let head: Hash = found.head;
        let (first_bad, problem) = found.fault.unzip();
        Ok(Some(Verification {
            valid: first_bad.is_none(),
            events: found.events,
            head: HashHex(head),
            first_bad,
            problem,
            signers: Vec::new(),
            unsigned: None,
        }))
    }

    /// The tokens of its organisers and tables, without their secrets. For its organisers and arbiters.
    #[graphql(complexity = "price::LIST + view::SOME * child_complexity.max(1)")]
    async fn tokens(&self, ctx: &Context<'_>) -> Result<Vec<TokenInfo>, Problem> {
        Ok(desk(ctx).tournament_tokens(self.id)?.into_iter().map(TokenInfo).collect())
    }
}
