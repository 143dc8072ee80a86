//! The seats of a game.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use async_graphql::parser::types::Field;
use async_graphql::registry::Registry;
use async_graphql::resolver_utils::enum_value;
use async_graphql::{
    ComplexObject, Context, ContextSelectionSet, Enum, OutputType, Positioned, ServerResult, SimpleObject, Value,
};
use plybook_events::LogId;
use plybook_models::Summary;
use plybook_service::error::Problem;

use super::plain::{Members, Plain, WrittenList};
use super::player::Player;
use super::rating::Rating;
use super::{price, service};

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

#[ComplexObject]
impl Seat {
    /// The rating that the player had in this kind before the game, with the deviation at that moment. Null
    /// for a player without earlier rated games.
    #[graphql(complexity = "price::RATING + child_complexity")]
    async fn rating(&self, ctx: &Context<'_>) -> Option<Rating> {
        let (player, game) = self.sitter.as_ref()?;
        let form = service(ctx).ratings().before(game, *player)?;
        Some(Rating { kind: game.kind.clone(), player: *player, form })
    }
}

impl Plain for Seat {
    const NAME: &'static str = "Seat";
    const ABOUT: &'static str = "";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Seat>> = LazyLock::new(|| {
            Members::<Seat>::new()
                .registered("number", |seat, out| out.put(&seat.number))
                .registered("name", |seat, out| out.put(&seat.name))
                .registered("result", |seat, out| out.put(&enum_value(seat.result)))
        });
        &MEMBERS
    }
}

/// The seats of a game, of which up to 13 are in each game of a list.
pub enum Seats {
    /// Only what is recorded of them is asked for.
    Recorded(WrittenList<Seat>),
    /// So is something else, for which they are resolved.
    Whole(Vec<Seat>),
}

impl Seats {
    /// What the operation asks for of seats, in the resolver of their field.
    ///
    /// # Errors
    /// The answer becomes too large.
    pub fn new(ctx: &Context<'_>, seats: Vec<Seat>) -> Result<Self, Problem> {
        Ok(WrittenList::if_plain(ctx, &seats)?.map_or(Self::Whole(seats), Self::Recorded))
    }
}

impl OutputType for Seats {
    fn type_name() -> Cow<'static, str> {
        Vec::<Seat>::type_name()
    }

    fn qualified_type_name() -> String {
        Vec::<Seat>::qualified_type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        Vec::<Seat>::create_type_info(registry)
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        match self {
            Self::Recorded(seats) => seats.resolve(ctx, field).await,
            Self::Whole(seats) => seats.resolve(ctx, field).await,
        }
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
