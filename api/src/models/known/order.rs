//! The orders that games and lines are listed in.

use plybook_events::{LogId, Timestamp};

use super::summary::Summary;

/// How games are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Order {
    /// By creation, newest first.
    CreatedDesc,
    /// By creation, oldest first.
    CreatedAsc,
    /// By when they were played, newest first.
    PlayedDesc,
    /// By when they were played, oldest first.
    PlayedAsc,
    /// By their end, latest first; then running games.
    FinishedDesc,
    /// By number of actions, most first.
    PlyDesc,
    /// By number of actions, fewest first.
    PlyAsc,
}

impl Order {
    /// All orders.
    pub const ALL: [Self; 7] = [
        Self::CreatedDesc,
        Self::CreatedAsc,
        Self::PlayedDesc,
        Self::PlayedAsc,
        Self::FinishedDesc,
        Self::PlyDesc,
        Self::PlyAsc,
    ];

    /// Its number, for cursors.
    pub fn number(self) -> i64 {
        self as i64
    }
}

/// The place of a game in an order; lists are ascending.
pub type OrderKey = (i64, [u8; 16]);

/// The place of a game in the order of creation.
pub(super) type Place = (Timestamp, LogId);

/// The place of a line among those of its parent: the ply it forks from, its rank, its creation as its log says.
pub type Branch = (u32, i64, Timestamp, LogId);

impl Order {
    /// The place in [`Order::CreatedDesc`] of a game that was created at this time.
    pub fn created_desc(created_ms: i64, id: LogId) -> OrderKey {
        (created_ms.saturating_neg(), id.to_bytes().map(|b| !b))
    }

    /// The place of a game in this order.
    pub fn key(self, game: &Summary) -> OrderKey {
        let id = game.id.to_bytes();
        let backwards = id.map(|b| !b);
        match self {
            Self::CreatedDesc => Self::created_desc(game.created_at.as_millis(), game.id),
            Self::CreatedAsc => (game.created_at.as_millis(), id),
            Self::PlayedDesc => (-game.played_at().as_millis(), backwards),
            Self::PlayedAsc => (game.played_at().as_millis(), id),
            Self::FinishedDesc => (game.finished_at().map_or(i64::MAX, |end| -end.as_millis()), backwards),
            Self::PlyDesc => (-i64::from(game.standing.ply), backwards),
            Self::PlyAsc => (i64::from(game.standing.ply), id),
        }
    }
}

/// The place named by a key of [`Order::CreatedAsc`]; a key outside the range of timestamps names the first
/// or the last place.
pub(super) fn place((millis, id): OrderKey) -> Place {
    let end = if millis < 0 { Timestamp::MIN } else { Timestamp::MAX };
    (Timestamp::from_millis(millis).unwrap_or(end), LogId::from_bytes(id))
}

/// The parent of a line, and the line's place among its siblings.
pub(super) fn branch(game: &Summary) -> Option<(LogId, Branch)> {
    let fork = game.fork.as_ref()?;
    Some((fork.game, (fork.ply, game.standing.rank, game.stated_at, game.id)))
}
