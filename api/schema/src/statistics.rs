//! Statistics of all recorded games that match a filter.

use std::sync::Arc;

use async_graphql::{Context, Object};
use plybook_events::{LogId, SEATS_MAX};
use plybook_models::{ActionSummary, Filter, FirstActionSum, LuckSum, Scan};
use plybook_rules::Rules;
use plybook_rules::log::Status;
use plybook_service::error::Problem;
use plybook_service::{Service, find_kind};
use roaring::RoaringBitmap;

use super::analysed::AnalysisStatistics;
use super::distribution::{Count, Distribution, Measure};
use super::explorer::{After, ExplorerAction, Results};
use super::figures::{HeatMap, Luck, find_heat};
use super::over::Over;
use super::{price, service};

/// How many first actions are listed by default, and at most.
const FIRST_ACTIONS: i32 = 20;
const FIRST_ACTIONS_MAX: i32 = 200;

/// Statistics of recorded games of one kind. Lines are not counted, and void games only if the filter asks
/// for them. Running games of kinds with secrets add only to the number of games, the plies and the dates.
pub struct Statistics {
    rules: &'static dyn Rules,
    games: Arc<RoaringBitmap>,
    finished: u64,
    results: plybook_models::Results,
    /// The player whose luck is reported; `None` reports that of every seat.
    player: Option<LogId>,
    pending: u64,
}

impl Statistics {
    /// Finds the games that match.
    ///
    /// # Errors
    /// There is no such kind, or the filter asks for another kind or for lines.
    pub fn of(service: &Service, kind: &str, filter: Filter, player: Option<LogId>) -> Result<Self, Problem> {
        let rules = find_kind(kind)?;
        let filter = filter.counted(kind)?;
        let models = service.digests().ask();
        let games = models.known.games.matching(kind, &filter, None);
        let known = models.known.games.rows().kind(kind);
        let results = known.map(|known| known.results(&games)).unwrap_or_default();
        let finished = known.map_or(0, |known| known.reasons(&games).map(|(_, count)| count).sum());
        Ok(Self { rules, games: Arc::new(games), finished, results, player, pending: models.pending })
    }

    /// Computes something over the games, from the current read models.
    fn over<T>(&self, ctx: &Context<'_>, work: impl FnOnce(&Over<'_>) -> T) -> Result<T, Problem> {
        Over::games(ctx, self.rules, &self.games, work)
    }
}

/// Statistics of recorded games of one kind. Lines are not counted, and void games only if the filter asks
/// for them. Running games of kinds with secrets add only to the number of games, the plies and the dates.
#[Object]
impl Statistics {
    /// The number of games that match the filter.
    async fn games(&self) -> u64 {
        self.games.len()
    }

    /// How many of them have an outcome.
    async fn finished(&self) -> u64 {
        self.finished
    }

    /// Their results by seat.
    async fn results(&self) -> Results {
        Results::new(self.results.clone(), self.rules.about().seats_max)
    }

    /// Actions on the mainline of each game.
    #[graphql(complexity = "price::LOOKUP + child_complexity")]
    async fn plies(&self, ctx: &Context<'_>) -> Result<Distribution, Problem> {
        self.over(ctx, |over| over.known.plies(over.games).into())
    }

    /// The time from the creation of a finished game to its end, in milliseconds.
    #[graphql(complexity = "price::LOOKUP + child_complexity")]
    async fn duration_ms(&self, ctx: &Context<'_>) -> Result<Distribution, Problem> {
        self.over(ctx, |over| over.known.durations_ms(over.games).into())
    }

    /// The mean number of legal actions in the positions of a game that offered a choice: one number per
    /// game.
    #[graphql(complexity = "price::LOOKUP + child_complexity")]
    async fn branching(&self, ctx: &Context<'_>) -> Result<Distribution, Problem> {
        let branching = |over: &Over<'_>| over.figures.branching.distribution(&over.figures.scan(over.games)).into();
        self.over(ctx, branching)
    }

    /// The reasons for the outcomes, most frequent first.
    #[graphql(complexity = "price::GAMES + child_complexity")]
    async fn reasons(&self, ctx: &Context<'_>) -> Result<Vec<Count>, Problem> {
        let count = |over: &Over<'_>| {
            let mut counts: Vec<Count> = over.known.reasons(over.games).map(Count::from).collect();
            counts.sort_by_key(|count| u64::MAX - count.count);
            counts
        };
        self.over(ctx, count)
    }

    /// Games by the month in which they were played (UTC, `YYYY-MM`), ascending; months without games are left out.
    #[graphql(complexity = "price::LOOKUP + child_complexity")]
    async fn by_month(&self, ctx: &Context<'_>) -> Result<Vec<Count>, Problem> {
        let months = |over: &Over<'_>| over.known.months(over.games).map(Count::from).collect::<Vec<_>>();
        self.over(ctx, months)
    }

    /// The first actions of the games, most frequent first: 20 by default, at most 200. The same action is
    /// listed once for each setup that it was played from.
    #[graphql(
        complexity = "price::GAMES + first.unwrap_or(FIRST_ACTIONS).clamp(0, FIRST_ACTIONS_MAX) as usize * child_complexity.max(1)"
    )]
    async fn first_actions(&self, ctx: &Context<'_>, first: Option<i32>) -> Result<Vec<ExplorerAction>, Problem> {
        let first =
            usize::try_from(first.unwrap_or(FIRST_ACTIONS)).ok().filter(|first| *first <= FIRST_ACTIONS_MAX as usize);
        let first =
            first.ok_or_else(|| Problem::BadInput(format!("`first` is a number from 0 to {FIRST_ACTIONS_MAX}")))?;
        let seats = self.rules.about().seats_max;
        self.over(ctx, move |over| first_actions(over, seats, first))
    }

    /// Counts per place of the board, added up.
    #[graphql(complexity = "price::GAMES + child_complexity")]
    async fn heat(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is counted; `choices` lists the names, of which `visits` is always one.")] what: String,
    ) -> Result<HeatMap, Problem> {
        let heat = find_heat(self.rules, &what)?;
        let counts = self.over(ctx, |over| over.figures.heat(heat, &over.figures.scan(over.games)))?;
        Ok(HeatMap::new(self.rules, heat, &counts))
    }

    /// How chance treated each seat, compared with what was to be expected. A player's statistics count only
    /// that player's own luck. Empty for kinds without chance.
    #[graphql(complexity = "price::ENTRANTS + child_complexity")]
    async fn luck(&self, ctx: &Context<'_>) -> Result<Vec<Luck>, Problem> {
        let (rules, player) = (self.rules, self.player);
        if rules.luck().is_empty() {
            return Ok(Vec::new());
        }
        self.over(ctx, |over| luck(over, rules, player))
    }

    /// The measures of all kinds, then those of this kind.
    #[graphql(complexity = "price::GAMES + 20 * child_complexity.max(1)")]
    async fn measures(&self, ctx: &Context<'_>) -> Result<Vec<Measure>, Problem> {
        self.over(ctx, |over| over.measures(self.rules))
    }

    /// What the engine says of these games, as far as they were analysed.
    #[graphql(complexity = "price::GAMES + child_complexity")]
    async fn analysis(&self, ctx: &Context<'_>) -> Result<AnalysisStatistics, Problem> {
        let (rules, player, service) = (self.rules, self.player, service(ctx));
        self.over(ctx, |over| analysed(over, rules, player, service))
    }

    /// Events that were recorded before this request but are not counted yet; almost always 0.
    async fn pending(&self) -> u64 {
        self.pending
    }
}

fn first_actions(over: &Over<'_>, seats: u8, first: usize) -> Vec<ExplorerAction> {
    let (known, rows) = (over.figures.first_actions(), over.known.rows());
    let sums = over.figures.first_action_sums(over.games, rows);
    let mut sums: Vec<_> = known.iter().zip(&*sums).filter_map(|(action, sum)| Some((action, sum.as_ref()?))).collect();
    sums.sort_by(|(one_word, one), (other_word, other)| (other.games, one_word).cmp(&(one.games, other_word)));
    let action = |((word, _), sum): (&(Box<str>, u64), &FirstActionSum)| ExplorerAction {
        seats,
        after: After::Game(rows.id(sum.example), 1),
        summary: ActionSummary {
            word: (&**word).into(),
            games: sum.games,
            results: sum.results.clone(),
            last_ms: sum.last_ms,
            average_rating: (sum.rated.1 > 0).then(|| sum.rated.0 / f64::from(sum.rated.1)),
        },
    };
    sums.into_iter().take(first).map(action).collect()
}

fn luck(over: &Over<'_>, rules: &dyn Rules, player: Option<LogId>) -> Vec<Luck> {
    let sums = match player {
        None => over.figures.luck(&over.figures.scan(over.games), |_, _| true),
        Some(player) => over
            .figures
            .luck(&Scan::each(over.games.clone()), |number, seat| over.known.is_seated(player, seat as u8 + 1, number)),
    };
    let mut sums = sums.chunks(usize::from(SEATS_MAX));
    let seats = usize::from(rules.about().seats_max);
    let none = [LuckSum::default(); SEATS_MAX as usize];
    rules.luck().iter().map(|label| Luck::new(label, &sums.next().unwrap_or(&none)[..seats])).collect()
}

/// What everybody may know of the analyses of the games.
fn analysed(over: &Over<'_>, rules: &dyn Rules, player: Option<LogId>, service: &Service) -> AnalysisStatistics {
    let mut all = AnalysisStatistics::default();
    let (known, rows) = (over.known, over.known.rows());
    let kind = rules.about().kind;
    let place = |id| over.contents.games.place(id);
    let number = |id| place(id).filter(|(of, _)| *of == kind).map(|(_, number)| number);
    // Of many games, few are analysed.
    let few = service.few_analysed(over.games.len());
    let few = few.map(|ids| over.games & ids.into_iter().filter_map(number).collect::<RoaringBitmap>());
    for number in few.as_ref().unwrap_or(over.games) {
        let may_be_hidden = || rules.about().secrets || known.is_of_tournament(number);
        let is_hidden = || rows.status(number) == Status::Running && may_be_hidden();
        if let Some(figures) = service.analysis_figures(rows.id(number)).filter(|_| !is_hidden()) {
            all.add(&figures, |seat| player.is_none_or(|player| known.is_seated(player, seat as u8 + 1, number)));
        }
    }
    all
}
