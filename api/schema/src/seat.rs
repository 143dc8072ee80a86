//! The seats of a game.

use std::sync::Arc;

use async_graphql::{ComplexObject, Context, Enum, SimpleObject};
use plybook_events::LogId;
use plybook_models::Summary;

use super::player::Player;
use super::rating::Rating;
use super::service;

/// A seat of a game.
#[derive(SimpleObject)]
#[graphql(complex)]
pub struct Seat {
    /// From 1, in playing order.
    pub number: u8,
    /// The registered player who sits there, if any.
    pub player: Option<Player>,
    /// The name under which the seat was recorded.
    pub name: String,
    /// Its result; `NONE` while the game runs.
    pub result: SeatResult,
    /// The player and the game, for looking up the rating.
    #[graphql(skip)]
    pub sitter: Option<(LogId, Arc<Summary>)>,
}

impl Seat {
    /// The seats of a game, seat 1 first.
    pub fn all_of(game: &Arc<Summary>, player: impl Fn(LogId) -> Option<Player>) -> Vec<Self> {
        let seats = (1..).zip(game.seats.iter().zip(&game.players));
        let seats = seats.map(|(number, (entry, id))| Self {
            number,
            player: id.and_then(&player),
            name: entry.name.clone(),
            result: SeatResult::of(game, number),
            sitter: id.map(|id| (id, Arc::clone(game))),
        });
        seats.collect()
    }
}

#[ComplexObject]
impl Seat {
    /// The rating that the player had in this kind before the game, with the deviation at that moment. Null
    /// for a player without earlier rated games.
    async fn rating(&self, ctx: &Context<'_>) -> Option<Rating> {
        let (player, game) = self.sitter.as_ref()?;
        let form = service(ctx).ratings().before(game, *player)?;
        Some(Rating { kind: game.kind.clone(), player: *player, form })
    }
}

/// The result of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum SeatResult {
    /// It won, alone or with others.
    Win,
    /// Nobody won.
    Draw,
    /// Others won.
    Loss,
    /// It was eliminated.
    Eliminated,
    /// The game is not over, or is void.
    None,
}

impl SeatResult {
    fn of(game: &Summary, seat: u8) -> Self {
        match game.counted_outcome() {
            None => Self::None,
            Some(outcome) if outcome.eliminated() == Some(seat) => Self::Eliminated,
            Some(outcome) if outcome.winners.contains(&seat) => Self::Win,
            Some(outcome) if outcome.winners.is_empty() && !outcome.is_forfeit() => Self::Draw,
            Some(_) => Self::Loss,
        }
    }
}
