//! Ratings, lists of ratings, and curves.

use std::cmp::Ordering;

use async_graphql::connection::{Connection, CursorType, EmptyFields};
use async_graphql::{Context, ID, Object};
use plybook_events::{LogId, Timestamp};
use plybook_models::{Form, Point, RankedPlayer};
use plybook_service::error::Problem;
use plybook_service::find_kind;

use super::connection::{Page, Total};
use super::game::Game;
use super::input::read_id;
use super::player::Player;
use super::scalar::DateTime;
use super::service;

/// The number of points of a curve by default, and at most.
pub const POINTS: i32 = 200;
pub const POINTS_MAX: i32 = 1_000;

/// The rating of a player in a kind of game.
pub struct Rating {
    pub kind: String,
    pub player: LogId,
    pub form: Form,
}

/// The rating of a player in a kind of game: Glicko-2 where two play, a Weng–Lin model where more do. Both start
/// at 1500 with a deviation of 350. See docs/ratings.md.
#[Object]
impl Rating {
    /// The kind of game.
    async fn kind(&self) -> &str {
        &self.kind
    }

    /// The rating in points.
    async fn value(&self) -> f64 {
        self.form.skill.value
    }

    /// The standard deviation of the rating in points: the player's strength lies within twice as much of the
    /// rating with a probability of about 95 %.
    async fn deviation(&self) -> f64 {
        self.form.skill.deviation
    }

    /// The number of rated games that it is based on.
    async fn games(&self) -> u32 {
        self.form.games
    }

    /// Whether the deviation is above 110, which is too uncertain for comparisons.
    async fn provisional(&self) -> bool {
        self.form.skill.is_provisional()
    }

    /// When the last of these games ended.
    async fn last_game_at(&self) -> Option<DateTime> {
        Timestamp::from_millis(self.form.last_ms).ok().map(DateTime)
    }

    /// The player.
    async fn player(&self, ctx: &Context<'_>) -> Option<Player> {
        service(ctx).models().known().players.get(self.player).cloned().map(Player)
    }
}

/// A point of a player's curve.
pub struct RatingPoint(pub Point);

/// A point of a player's curve.
#[Object]
impl RatingPoint {
    /// When the game ended.
    async fn at(&self) -> Option<DateTime> {
        Timestamp::from_millis(self.0.at_ms).ok().map(DateTime)
    }

    /// The rating after it, in points.
    async fn value(&self) -> f64 {
        self.0.skill.value
    }

    /// The standard deviation after it, in points.
    async fn deviation(&self) -> f64 {
        self.0.skill.deviation
    }

    /// The game.
    async fn game(&self, ctx: &Context<'_>) -> Option<Game> {
        Game::find(ctx, self.0.game)
    }
}

/// A page of ratings.
pub type RatingPage = Connection<RatingCursor, Rating, Total, EmptyFields>;

/// A cursor: a place in the order of ratings, best first.
#[derive(Clone, Copy, Debug)]
pub struct RatingCursor(f64, LogId);

impl Ord for RatingCursor {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0).then_with(|| self.1.cmp(&other.1))
    }
}

impl PartialOrd for RatingCursor {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for RatingCursor {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for RatingCursor {}

impl CursorType for RatingCursor {
    type Error = std::fmt::Error;

    fn decode_cursor(text: &str) -> Result<Self, Self::Error> {
        let (bits, id) = text.split_once('.').ok_or(std::fmt::Error)?;
        let bits = u64::from_str_radix(bits, 16).map_err(|_| std::fmt::Error)?;
        Ok(Self(f64::from_bits(bits), id.parse().map_err(|_| std::fmt::Error)?))
    }

    fn encode_cursor(&self) -> String {
        format!("{:x}.{}", self.0.to_bits(), self.1)
    }
}

/// A page of the ratings of a kind, best first.
///
/// # Errors
/// There is no such kind, or the page is invalid.
pub fn list_ratings(ctx: &Context<'_>, kind: &str, with_provisional: bool, page: &Page) -> Result<RatingPage, Problem> {
    find_kind(kind)?;
    let mut ranking = service(ctx).ratings().ranking(kind);
    ranking.retain(|ranked| with_provisional || !ranked.form.skill.is_provisional());
    let cursor = |ranked: &RankedPlayer| RatingCursor(ranked.form.skill.value, ranked.player);
    page.cut(&ranking, cursor, |ranked| Rating { kind: kind.to_owned(), player: ranked.player, form: ranked.form })
}

/// What each of these players can expect from a game now.
///
/// # Errors
/// There is no such kind or player, or the kind is not played by this many.
pub fn expected_score(ctx: &Context<'_>, kind: &str, players: &[ID]) -> Result<Vec<f64>, Problem> {
    let about = find_kind(kind)?.about();
    let (least, most) = (usize::from(about.seats_min), usize::from(about.seats_max));
    if !(least..=most).contains(&players.len()) {
        let seats = if least == most { least.to_string() } else { format!("{least} to {most}") };
        return Err(Problem::BadInput(format!("{kind} is played by {seats} players, not by {}", players.len())));
    }
    let service = service(ctx);
    let mut ids = Vec::with_capacity(players.len());
    {
        let known = service.models().known();
        for id in players {
            let id = read_id(id)?;
            let unknown = || Problem::NotFound(format!("there is no player {id}"));
            known.players.get(id).ok_or_else(unknown)?;
            let id = known.players.survivor(id);
            if ids.contains(&id) {
                return Err(Problem::BadInput("`players` names somebody twice".to_owned()));
            }
            ids.push(id);
        }
    }
    Ok(service.ratings().expected(kind, &ids, service.clock().now().as_millis()))
}
