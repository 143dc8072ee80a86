//! What was counted in games: on the places of a board, and what chance gave.

use async_graphql::{ComplexObject, Context, Object, SimpleObject};
use plybook_events::LogId;
use plybook_models::{FigureColumns, Scan, Snapshot};
use plybook_rules::{Label, Rules, Viewer};
use plybook_service::error::Problem;
use roaring::RoaringBitmap;
use serde_json::json;

use super::distribution::Count;
use super::scalar::Json;
use super::{json, price, service, spend};

/// The measures that every kind has; they come before the kind's own.
pub(super) const OF_ALL: [Label; 3] = [
    Label { name: "length", description: "Actions on the mainline." },
    Label {
        name: "branchingFactor",
        description: "Legal actions in a position with a choice, on average over a game; rolls and \
                      submissions that are not listed are left out.",
    },
    Label { name: "takebacks", description: "How often something was taken back." },
];

/// The name of something that is counted, and what it means.
#[derive(SimpleObject)]
pub struct FigureName {
    /// Its name.
    name: String,
    /// What is counted, and its unit.
    description: String,
}

impl From<&Label> for FigureName {
    fn from(label: &Label) -> Self {
        Self { name: label.name.to_owned(), description: label.description.to_owned() }
    }
}

/// Counts per place of the board.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct HeatMap {
    /// The name of what is counted.
    name: String,
    /// What is counted.
    description: String,
    /// Everything that can be counted in games of this kind.
    choices: Vec<FigureName>,
    /// The sum of all counts.
    total: u64,
    /// The highest count.
    max: u64,
    /// The counts above 0; `key` is the place, in the game's notation.
    places: Vec<Count>,
    #[graphql(skip)]
    rules: &'static dyn Rules,
}

#[ComplexObject]
impl HeatMap {
    /// A board to colour: the scene of the start of the default setup. Its items name the places.
    #[graphql(complexity = "price::SCENE")]
    async fn scene(&self, ctx: &Context<'_>) -> Result<Option<Json>, Problem> {
        let setup = self.rules.complete(&json!({}), &mut |_| 0);
        let start = setup.and_then(|setup| self.rules.start(&setup));
        start.ok().map(|start| json(ctx, &start.scene(Viewer::All, None))).transpose()
    }
}

impl HeatMap {
    /// The counts of one heat of a kind, by place.
    pub fn new(rules: &'static dyn Rules, heat: usize, counts: &[u64]) -> Self {
        let labels = rules.heat();
        let places = rules.places().iter().zip(counts).filter(|(_, count)| **count > 0);
        Self {
            name: labels[heat].name.to_owned(),
            description: labels[heat].description.to_owned(),
            choices: labels.iter().map(FigureName::from).collect(),
            total: counts.iter().sum(),
            max: counts.iter().max().copied().unwrap_or(0),
            places: places.map(|(place, count)| Count::from((*place, *count))).collect(),
            rules,
        }
    }
}

/// Finds what is counted per place, by its name.
///
/// # Errors
/// Nothing of that name is counted in this kind.
pub(super) fn find_heat(rules: &dyn Rules, name: &str) -> Result<usize, Problem> {
    let labels = rules.heat();
    labels.iter().position(|label| label.name == name).ok_or_else(|| {
        let names: Vec<_> = labels.iter().map(|label| label.name).collect();
        let kind = rules.about().kind;
        Problem::BadInput(format!("no such heat is counted in {kind}; there are: {}", names.join(", ")))
    })
}

/// How chance treated each seat, compared with what was to be expected.
#[derive(SimpleObject)]
pub struct Luck {
    /// The name of what was up to chance.
    name: String,
    /// What was up to chance, and its unit.
    description: String,
    /// By seat.
    seats: Vec<SeatLuck>,
}

/// The luck of a seat.
#[derive(SimpleObject)]
pub struct SeatLuck {
    /// The seat.
    seat: u8,
    /// How often something was up to chance.
    count: u64,
    /// The expected total.
    expected: f64,
    /// The actual total.
    actual: i64,
}

impl Luck {
    /// The luck of each seat, from how often, the expected total in millionths and the actual one.
    pub fn new(label: &Label, seats: &[(u64, i64, i64)]) -> Self {
        let seat = |(index, (count, expected, actual)): (usize, &(u64, i64, i64))| SeatLuck {
            seat: index as u8 + 1,
            count: *count,
            expected: *expected as f64 / 1e6,
            actual: *actual,
        };
        let seats = seats.iter().enumerate().map(seat).collect();
        Self { name: label.name.to_owned(), description: label.description.to_owned(), seats }
    }
}

/// A measure of one game.
#[derive(SimpleObject)]
pub struct GameMeasure {
    /// Its name.
    name: String,
    /// What it measures, and its unit.
    description: String,
    /// The number; null where the measure does not apply.
    value: Option<f64>,
}

/// What was counted in one game.
pub struct GameFigures {
    game: LogId,
    rules: &'static dyn Rules,
    number: u32,
    ply: u32,
}

impl GameFigures {
    /// The figures of a game; `None` if it has none, as lines and running games with secrets.
    pub fn find(ctx: &Context<'_>, game: LogId) -> Option<Self> {
        let models = service(ctx).digests().ask();
        let summary = models.known.games.get(game)?;
        let rules = plybook_rules::kind(&summary.kind)?;
        let number = models.known.games.number(game).filter(|_| summary.fork.is_none())?;
        models.kind(&summary.kind).filter(|kind| kind.figures.has(number))?;
        Some(Self { game, rules, number, ply: summary.standing.ply })
    }

    /// Reads something from the figures of all games of the kind.
    fn read<T>(&self, ctx: &Context<'_>, read: impl FnOnce(&FigureColumns) -> Option<T>) -> Result<T, Problem> {
        spend(ctx, 0)?;
        let models: Snapshot<'_> = service(ctx).digests().now();
        let found = models.kind(self.rules.about().kind).and_then(|kind| read(&kind.figures));
        found.ok_or_else(|| Problem::no_game(self.game))
    }
}

/// What was counted in one game: the same figures as in the statistics of many.
#[Object]
impl GameFigures {
    /// The measures of all kinds, then those of this kind.
    async fn measures(&self, ctx: &Context<'_>) -> Result<Vec<GameMeasure>, Problem> {
        let number = self.number;
        self.read(ctx, |figures| {
            let of_all = [
                Some(f64::from(self.ply)),
                figures.branching.get(number),
                figures.takebacks.get(number).map(|takebacks| takebacks as f64),
            ];
            let own = self.rules.measures();
            let column = |measure| figures.measures.get(measure);
            let values = (0..own.len()).map(|measure| column(measure)?.get(number).map(|value| value as f64));
            let measure = |(label, value): (&Label, Option<f64>)| GameMeasure {
                name: label.name.to_owned(),
                description: label.description.to_owned(),
                value,
            };
            Some(OF_ALL.iter().chain(&own).zip(of_all.into_iter().chain(values)).map(measure).collect())
        })
    }

    /// How chance treated each seat; empty for kinds without chance.
    async fn luck(&self, ctx: &Context<'_>) -> Result<Vec<Luck>, Problem> {
        self.read(ctx, |figures| {
            let luck = figures.has(self.number).then(|| figures.luck_of(self.number))?;
            Some(self.rules.luck().iter().zip(luck).map(|(label, seats)| Luck::new(label, &seats)).collect())
        })
    }

    /// Counts per place of the board.
    async fn heat(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "What is counted; `choices` lists the names, of which `visits` is always one.")] what: String,
    ) -> Result<HeatMap, Problem> {
        let heat = find_heat(self.rules, &what)?;
        let game = || Scan::each(RoaringBitmap::from_iter([self.number]));
        let counts = self.read(ctx, |figures| figures.has(self.number).then(|| figures.heat(heat, &game())))?;
        Ok(HeatMap::new(self.rules, heat, &counts))
    }
}
