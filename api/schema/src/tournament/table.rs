//! Tables.

use std::sync::Arc;

use async_graphql::{Context, Enum, Object};
use plybook_service::error::Problem;
use plybook_tournaments::Points;
use plybook_tournaments::log::{self, Cell, ResultSource as Source, TableStatus as Status};

use super::super::game::Game;
use super::super::player::Player;
use super::super::price;
use super::entrant::Entrant;
use super::round::explain;
use super::view::{View, points};

/// A table of a round.
pub struct Table {
    view: Arc<View>,
    round: u32,
    number: u32,
}

/// The status of a table.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum TableStatus {
    /// Its round is not open yet.
    Paired,
    /// Its game is in play.
    Playing,
    /// The game is adjourned.
    Adjourned,
    /// It has a result.
    Finished,
}

/// The source of a result.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum ResultSource {
    /// The record of a game.
    Game,
    /// It was entered at the table.
    Table,
    /// It was entered by an organiser.
    Organiser,
    /// A forfeit.
    Forfeit,
}

/// A seat at a table.
pub struct TableSeat {
    view: Arc<View>,
    round: u32,
    number: u8,
    entrant: u16,
    partners: Vec<u8>,
    points: Option<Points>,
    is_forfeited: bool,
}

impl Table {
    /// An existing table.
    pub fn new(view: &Arc<View>, round: u32, number: u32) -> Self {
        Self { view: Arc::clone(view), round, number }
    }

    fn round(&self) -> &log::Round {
        self.view.tournament.round(self.round).expect("the round of a table exists")
    }

    fn table(&self) -> &log::Table {
        self.round().table(self.number).expect("the table exists")
    }
}

/// A table of a round.
#[Object]
impl Table {
    /// The number, from 1.
    async fn number(&self) -> u32 {
        self.number
    }

    /// The round.
    #[graphql(name = "round")]
    async fn round_number(&self) -> u32 {
        self.round
    }

    /// The seats, in order.
    #[graphql(complexity = "price::SEATS * child_complexity.max(1) + 1")]
    async fn seats(&self) -> Vec<TableSeat> {
        let table = self.table();
        let given = self.view.tournament.table_points(table);
        let teams = &self.view.tournament.settings.teams;
        let partners = |number: u8| -> Vec<u8> {
            let team = teams.iter().find(|team| team.contains(&number)).into_iter().flatten();
            team.copied().filter(|seat| *seat != number && usize::from(*seat) <= table.seats.len()).collect()
        };
        let seat = |(number, entrant): (u8, &u16)| TableSeat {
            view: Arc::clone(&self.view),
            round: self.round,
            number,
            entrant: *entrant,
            partners: partners(number),
            points: given.as_ref().map(|given| given[usize::from(number) - 1]),
            is_forfeited: table.result.as_ref().is_some_and(|result| result.is_forfeited_by(number)),
        };
        (1..).zip(&table.seats).map(seat).collect()
    }

    /// The status.
    async fn status(&self) -> TableStatus {
        match self.round().status_of(self.table()) {
            Status::Paired => TableStatus::Paired,
            Status::Playing => TableStatus::Playing,
            Status::Adjourned => TableStatus::Adjourned,
            Status::Finished => TableStatus::Finished,
        }
    }

    /// The current or last game.
    async fn game(&self, ctx: &Context<'_>) -> Option<Game> {
        Game::find(ctx, self.table().game()?)
    }

    /// All its games, void ones included.
    #[graphql(complexity = "2 * child_complexity.max(1) + 1")]
    async fn games(&self, ctx: &Context<'_>) -> Vec<Game> {
        Game::find_all(ctx, &self.table().games.iter().map(|game| game.id).collect::<Vec<_>>())
    }

    /// The result as people write it, such as `1–0`, `½–½`, `+–-`, or with more seats `2 > 1 = 3`; null while there is
    /// none.
    async fn result(&self) -> Option<String> {
        self.table().result.as_ref().map(|result| result_text(result, self.table().seats.len()))
    }

    /// Groups of equally ranked seats, best first; after a forfeit, those who did not forfeit.
    async fn ranking(&self) -> Option<&[Vec<u8>]> {
        self.table().result.as_ref().map(|result| result.ranking.as_slice())
    }

    /// The source of the result.
    async fn source(&self) -> Option<ResultSource> {
        self.table().result.as_ref().map(|result| match result.source {
            Source::Game => ResultSource::Game,
            Source::Table => ResultSource::Table,
            Source::Organiser => ResultSource::Organiser,
            Source::Forfeit => ResultSource::Forfeit,
        })
    }

    /// The other ranking that was entered at the table, if two different ones were; null if nobody disputes the result.
    async fn disputed(&self) -> Option<&[Vec<u8>]> {
        self.table().disputed.as_deref()
    }

    /// Why it was forfeited.
    async fn reason(&self) -> Option<&str> {
        self.table().result.as_ref()?.reason.as_deref()
    }

    /// The reasons for this pairing, in words. Empty if it was paired by hand, and after a restart for rounds with more
    /// than 300 entrants.
    #[graphql(complexity = "price::LOOKUP")]
    async fn explanation(&self, ctx: &Context<'_>) -> Result<Vec<String>, Problem> {
        let explained = explain(ctx, &self.view, self.round()).await?;
        Ok(explained.map_or_else(Vec::new, |explained| explained.table(&self.table().seats).to_vec()))
    }

    /// When the adjourned game is to be resumed, in words; null if it is not adjourned, or nobody said.
    async fn adjourned_until(&self) -> Option<&str> {
        self.table().adjourned.as_ref()?.as_deref()
    }
}

/// A seat at a table.
#[Object]
impl TableSeat {
    /// The seat, from 1.
    async fn number(&self) -> u8 {
        self.number
    }

    /// The entrant.
    async fn entrant(&self) -> Entrant {
        Entrant::new(&self.view, self.entrant)
    }

    /// The player; null if the player's log is not here.
    async fn player(&self, ctx: &Context<'_>) -> Option<Player> {
        self.view.player(ctx, self.entrant)
    }

    /// The points; null while there is no result.
    async fn points(&self) -> Option<f64> {
        self.points.map(points)
    }

    /// The points before this round.
    async fn score_before(&self) -> f64 {
        let cards = self.view.cards(self.round - 1);
        points(cards[usize::from(self.entrant) - 1].last().map_or(Points::ZERO, |cell: &Cell| cell.score))
    }

    /// The seats at this table that win and lose with it, ascending.
    async fn partners(&self) -> &[u8] {
        &self.partners
    }

    /// Whether the seat forfeited.
    async fn forfeited(&self) -> bool {
        self.is_forfeited
    }
}

/// A result as people write it.
pub fn result_text(result: &log::TableResult, seats: usize) -> String {
    let wins = |seat: u8| result.ranking.first().is_some_and(|first| first.contains(&seat));
    if result.source == Source::Forfeit {
        let signs: Vec<&str> = (1..=seats as u8).map(|seat| if wins(seat) { "+" } else { "-" }).collect();
        return signs.join("–");
    }
    if seats == 2 {
        return match (wins(1), wins(2)) {
            (true, true) => "½–½",
            (true, false) => "1–0",
            _ => "0–1",
        }
        .to_owned();
    }
    let group = |group: &Vec<u8>| group.iter().map(u8::to_string).collect::<Vec<_>>().join(" = ");
    result.ranking.iter().map(group).collect::<Vec<_>>().join(" > ")
}
