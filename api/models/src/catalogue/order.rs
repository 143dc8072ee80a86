//! Sort orders of games and lines, and the keys of their pages.

use std::ops::Bound;

use plybook_events::{LogId, Timestamp};

use super::rows::{By, Key, Row};
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

/// The place of a line among those of its parent: the ply it forks from, its rank, its creation as its log says.
pub type Branch = (u32, i64, Timestamp, LogId);

impl Order {
    /// The place in [`Order::CreatedDesc`] of a game that was created at this time.
    pub fn created_desc(created_ms: i64, id: LogId) -> OrderKey {
        Self::CreatedDesc.place((created_ms, u128::from_be_bytes(id.to_bytes())))
    }

    /// The place of a game in this order.
    pub fn key(self, game: &Summary) -> OrderKey {
        self.place(Row::of(game).key(self.by().0))
    }

    /// What games are ordered by, and whether it descends.
    pub(super) fn by(self) -> (By, bool) {
        match self {
            Self::CreatedDesc => (By::Created, true),
            Self::CreatedAsc => (By::Created, false),
            Self::PlayedDesc => (By::Played, true),
            Self::PlayedAsc => (By::Played, false),
            Self::FinishedDesc => (By::Finished, true),
            Self::PlyDesc => (By::Ply, true),
            Self::PlyAsc => (By::Ply, false),
        }
    }

    /// The place in this order of a key of what it is [by](Self::by).
    pub(super) fn place(self, (value, id): Key) -> OrderKey {
        if self.by().1 { (value.saturating_neg(), (!id).to_be_bytes()) } else { (value, id.to_be_bytes()) }
    }

    /// The keys that are [placed](Self::place) between two places.
    pub(super) fn keys_between(self, from: Bound<OrderKey>, to: Bound<OrderKey>) -> (Bound<Key>, Bound<Key>) {
        let is_descending = self.by().1;
        let key = |(value, id): OrderKey| {
            let id = u128::from_be_bytes(id);
            if is_descending { (value.saturating_neg(), !id) } else { (value, id) }
        };
        let (from, to) = (from.map(key), to.map(key));
        if is_descending { (to, from) } else { (from, to) }
    }
}

/// The parent of a line, and the line's place among its siblings.
pub(super) fn branch(game: &Summary) -> Option<(LogId, Branch)> {
    let fork = game.fork.as_ref()?;
    Some((fork.game, (fork.ply, game.standing.rank, game.stated_at, game.id)))
}
