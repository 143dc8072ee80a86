//! The seats of a game.

use async_graphql::{Enum, SimpleObject};

use super::player::Player;

/// A seat at the table.
#[derive(SimpleObject)]
pub struct Seat {
    /// From 1, in playing order.
    pub number: u8,
    /// The registered player who sits there, if any.
    pub player: Option<Player>,
    /// The name under which the seat was recorded.
    pub name: String,
    /// Its result; `NONE` while the game runs.
    pub result: SeatResult,
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
