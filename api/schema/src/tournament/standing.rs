//! Standings, crosstable and progress.

use std::sync::Arc;

use async_graphql::{Context, Object};
use plybook_service::error::Problem;
use plybook_tournaments::log::{Cell, End};
use plybook_tournaments::{Against, Amount, EntrantNumber, Figure, How, Standings, Term};

use super::super::player::Player;
use super::super::price;
use super::entrant::{Entrant, ProgressCell};
use super::view::{LIST_MAX, ROUNDS, View, points};

/// A place in the standings.
pub struct Standing {
    view: Arc<View>,
    standings: Arc<Standings>,
    index: usize,
    number: u16,
}

/// A tie-break of an entrant.
pub struct TieBreak {
    view: Arc<View>,
    standings: Arc<Standings>,
    row: usize,
    column: usize,
}

/// What one round adds to a tie-break.
pub struct TieBreakTerm {
    view: Arc<View>,
    term: Term,
}

/// An entrant's rounds.
pub struct ProgressRow {
    view: Arc<View>,
    number: u16,
    place: u16,
    score: f64,
    rounds: u32,
}

impl Standing {
    /// The row of the standings with this index.
    pub fn new(view: &Arc<View>, standings: &Arc<Standings>, index: usize) -> Self {
        let number = view.ranks().entrant(standings.rows[index].entrant);
        Self { view: Arc::clone(view), standings: Arc::clone(standings), index, number }
    }

    fn row(&self) -> &plybook_tournaments::Standing {
        &self.standings.rows[self.index]
    }

    /// The number of games that were played, count, and meet a condition.
    fn count(&self, is_meant: impl Fn(&Cell) -> bool) -> usize {
        let cards = self.view.cards(self.standings.round as u32);
        let card = cards[usize::from(self.number) - 1].iter();
        card.filter(|cell| cell.end.is_some() && !cell.is_forfeit && !cell.is_struck && is_meant(cell)).count()
    }
}

/// A place in the standings.
#[Object]
impl Standing {
    /// The place, from 1, possibly shared. Entrants whose results do not count share the last place.
    async fn rank(&self) -> u16 {
        let last = self.standings.rows.len() as u16;
        self.row().place.unwrap_or(last)
    }

    /// Whether the results do not count, because the entrant left a round robin early.
    async fn struck(&self) -> bool {
        self.row().place.is_none()
    }

    /// How far the entrant has come in a knock-out, in words; null in other formats.
    async fn reached(&self) -> Option<String> {
        self.row().reached.map(|reached| reached.to_string())
    }

    /// The player; null if the player's log is not here.
    async fn player(&self, ctx: &Context<'_>) -> Option<Player> {
        self.view.player(ctx, self.number)
    }

    /// The entrant.
    async fn entrant(&self) -> Entrant {
        Entrant::new(&self.view, self.number)
    }

    /// The number of games, without forfeits.
    async fn played(&self) -> usize {
        self.count(|_| true)
    }

    /// The number of wins.
    async fn wins(&self) -> usize {
        self.count(|cell| cell.end == Some(End::Win))
    }

    /// The number of draws.
    async fn draws(&self) -> usize {
        self.count(|cell| cell.end == Some(End::Draw))
    }

    /// The number of losses.
    async fn losses(&self) -> usize {
        self.count(|cell| cell.end == Some(End::Loss))
    }

    /// The points.
    async fn score(&self) -> f64 {
        points(self.row().points)
    }

    /// The tie-breaks, in the order in which they are compared.
    #[graphql(complexity = "price::TIE_BREAKS * child_complexity.max(1) + 1")]
    async fn tie_breaks(&self) -> Vec<TieBreak> {
        let column = |column| TieBreak {
            view: Arc::clone(&self.view),
            standings: Arc::clone(&self.standings),
            row: self.index,
            column,
        };
        (0..self.standings.columns.len()).map(column).collect()
    }
}

impl TieBreak {
    fn figure(&self) -> Option<&Figure> {
        self.standings.rows[self.row].figures.get(self.column)
    }

    fn code(&self) -> String {
        self.standings.columns[self.column].tie_break.to_string()
    }
}

/// A tie-break of an entrant.
#[Object]
impl TieBreak {
    /// The code, such as `BH/C1`.
    async fn name(&self) -> String {
        self.code()
    }

    /// The name.
    async fn title(&self) -> &'static str {
        self.standings.columns[self.column].tie_break.criterion.name()
    }

    /// The figure; 0 if it is not defined.
    async fn value(&self) -> f64 {
        self.figure().and_then(|figure| figure.amount).map_or(0.0, number)
    }

    /// The figure as printed; a dash if it is not defined.
    async fn text(&self) -> String {
        let amount = self.figure().and_then(|figure| figure.amount);
        amount.map_or_else(|| "–".to_owned(), |amount| amount.to_string())
    }

    /// How it is computed from its terms, in words.
    async fn explanation(&self) -> String {
        let Some(figure) = self.figure() else { return "not compared".to_owned() };
        if let Some(unrated) = self.standings.columns[self.column].dropped {
            return format!("not compared: {unrated} entrants have no rating");
        }
        let kept = figure.terms.iter().filter(|term| !term.is_cut);
        let sum = kept.map(|term| term.value.to_string()).collect::<Vec<_>>().join(" + ");
        match figure.how {
            How::Sum if sum.is_empty() => "nothing counts yet".to_owned(),
            How::Sum => sum,
            How::Mean => format!("the mean of {sum}"),
            How::Performance { share, difference } => {
                format!("the mean rating of the opponents, and {difference} for {share} % of the points")
            }
            How::Expected { .. } => "the lowest rating with which this many points are expected".to_owned(),
            How::Place { tied, all_met: true } => format!("the place among {tied} who all met"),
            How::Place { tied, all_met: false } => format!("the place among {tied}, not all of whom met"),
            How::Fact => self.standings.columns[self.column].tie_break.criterion.name().to_owned(),
        }
    }

    /// Its terms, round by round.
    #[graphql(complexity = "super::view::ROUNDS * child_complexity.max(1) + 1")]
    async fn terms(&self) -> Vec<TieBreakTerm> {
        let terms = self.figure().map_or(&[][..], |figure| figure.terms.as_slice());
        terms.iter().map(|term| TieBreakTerm { view: Arc::clone(&self.view), term: *term }).collect()
    }
}

/// What one round adds to a tie-break.
#[Object]
impl TieBreakTerm {
    /// The round.
    async fn round(&self) -> u16 {
        self.term.round
    }

    /// The opponent; null if there was none, or several.
    async fn opponent(&self) -> Option<Entrant> {
        match self.term.against {
            Against::Entrant(rank) => Some(Entrant::new(&self.view, self.view.ranks().entrant(rank))),
            _ => None,
        }
    }

    /// The value of the term.
    async fn value(&self) -> f64 {
        number(self.term.value)
    }

    /// Whether it counts, or is cut.
    async fn counted(&self) -> bool {
        !self.term.is_cut
    }

    /// In words.
    async fn text(&self) -> String {
        let against = match self.term.against {
            Against::Entrant(rank) => name(&self.view, rank),
            Against::Table(table) => format!("table {table}"),
            Against::Dummy(_) => "no opponent: a dummy is assumed".to_owned(),
            Against::Nobody => "on one's own".to_owned(),
        };
        let cut = if self.term.is_cut { ", left out" } else { "" };
        format!("round {}, {against}: {}{cut}", self.term.round, self.term.value)
    }
}

fn number(amount: Amount) -> f64 {
    match amount {
        Amount::Points(hundredths) => hundredths as f64 / 100.0,
        Amount::Whole(number) => number as f64,
    }
}

fn name(view: &View, rank: EntrantNumber) -> String {
    let entrant = view.tournament.entrant(view.ranks().entrant(rank));
    entrant.map_or_else(String::new, |entrant| entrant.details.name.clone())
}

impl ProgressRow {
    /// The row of the standings with this index.
    pub fn new(view: &Arc<View>, standings: &Standings, index: usize) -> Self {
        let row = &standings.rows[index];
        Self {
            view: Arc::clone(view),
            number: view.ranks().entrant(row.entrant),
            place: row.place.unwrap_or(standings.rows.len() as u16),
            score: points(row.points),
            rounds: standings.round as u32,
        }
    }
}

/// An entrant's rounds.
#[Object]
impl ProgressRow {
    /// The entrant.
    async fn entrant(&self) -> Entrant {
        Entrant::new(&self.view, self.number)
    }

    /// The place in the standings.
    async fn rank(&self) -> u16 {
        self.place
    }

    /// The points.
    async fn score(&self) -> f64 {
        self.score
    }

    /// The rounds, in order.
    #[graphql(complexity = "ROUNDS * child_complexity.max(1) + 1")]
    async fn cells(&self) -> Vec<ProgressCell> {
        ProgressCell::all(&self.view, self.number, self.rounds)
    }
}

/// The crosstable after a round, with a header.
pub fn crosstable(view: &Arc<View>, after_round: Option<u32>) -> Result<Vec<Vec<Option<String>>>, Problem> {
    let standings = view.standings(after_round)?;
    let mut places = vec![0; view.tournament.entrants.len() + 1];
    for (place, row) in (1_u32..).zip(&standings.rows) {
        places[usize::from(view.ranks().entrant(row.entrant))] = place;
    }
    let cards = view.cards(standings.round as u32);
    let some = |text: String| Some(text);
    let rounds = (1..=standings.round).map(|round| format!("Round {round}"));
    let codes = standings.columns.iter().map(|column| column.tie_break.to_string());
    let header = ["Place".to_owned(), "Name".to_owned()].into_iter().chain(rounds).chain(["Points".to_owned()]);
    let mut table = vec![header.chain(codes).map(some).collect()];
    for (place, row) in (1_u32..).zip(&standings.rows).take(LIST_MAX) {
        let number = view.ranks().entrant(row.entrant);
        let mut cells = vec![some(place.to_string()), some(name(view, row.entrant))];
        cells.extend(cards[usize::from(number) - 1].iter().map(|cell| cell_text(cell, &places)));
        cells.push(some(row.points.to_string()));
        let figures = row.figures.iter().map(|figure| figure.amount.map(|amount| amount.to_string()));
        cells.extend(figures);
        table.push(cells);
    }
    Ok(table)
}

fn cell_text(cell: &Cell, places: &[u32]) -> Option<String> {
    let Some((_, seat)) = cell.place else {
        return cell.bye.map(|_| format!("bye {}", cell.points.unwrap_or_default()));
    };
    let result = match cell.end {
        Some(End::Win) => "+",
        Some(End::Draw) => "=",
        Some(End::Loss) => "-",
        None => "*",
    };
    let forfeit = if cell.is_forfeit { "F" } else { "" };
    let struck = if cell.is_struck { "S" } else { "" };
    let others: Vec<String> = cell.opponents.iter().map(|other| places[usize::from(*other)].to_string()).collect();
    Some(format!("{result}{forfeit}{struck}{}({seat})", others.join(",")))
}
