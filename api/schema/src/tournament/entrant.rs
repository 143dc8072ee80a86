//! Entrants.

use std::sync::Arc;

use async_graphql::{Context, Enum, Object, SimpleObject};
use plybook_events::body::Bye;
use plybook_service::error::Problem;
use plybook_tournaments::log::{self, Cell, End};

use super::super::player::Player;
use super::super::price;
use super::super::scalar::DateTime;
use super::super::seat::SeatResult;
use super::standing::Standing;
use super::view::{View, points};

/// Somebody who takes part in a tournament.
pub struct Entrant {
    view: Arc<View>,
    number: u16,
}

/// Whether an entrant takes part.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum EntrantStatus {
    /// The entrant takes part.
    Active,
    /// The entrant has withdrawn.
    Withdrawn,
    /// The entry was a mistake.
    Removed,
}

/// The kind of a bye: what it gives to an entrant who does not play in a round.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "Bye")]
pub enum ByeKind {
    /// The bye that the pairing allocates.
    Pairing,
    /// As much as a draw.
    Half,
    /// As much as a win.
    Full,
    /// Nothing.
    Zero,
}

/// A round that an entrant will miss.
#[derive(SimpleObject)]
pub struct Absence {
    /// The round.
    round: u32,
    /// What the entrant gets.
    kind: ByeKind,
}

/// What an entrant did in a round.
pub struct ProgressCell {
    view: Arc<View>,
    cell: Cell,
}

impl Entrant {
    /// The entrant with a number, which exists.
    pub fn new(view: &Arc<View>, number: u16) -> Self {
        Self { view: Arc::clone(view), number }
    }

    fn entrant(&self) -> &log::Entrant {
        &self.view.tournament.entrants[usize::from(self.number) - 1]
    }
}

/// Somebody who takes part in a tournament.
#[Object]
impl Entrant {
    /// The number, from 1, in the order of entry; mutations refer to entrants by it.
    async fn number(&self) -> u16 {
        self.number
    }

    /// The starting rank, from 1: by seed rating, then by entry. It may change as long as players are
    /// entered.
    async fn rank(&self) -> u16 {
        self.view.ranks().rank(self.number).0
    }

    /// The player; null if the player's log is not here, for instance after an import.
    async fn player(&self, ctx: &Context<'_>) -> Option<Player> {
        self.view.player(ctx, self.number)
    }

    /// The name at the time of the tournament.
    async fn name(&self) -> &str {
        &self.entrant().details.name
    }

    /// The seed rating.
    async fn rating(&self) -> Option<u16> {
        self.entrant().details.rating
    }

    /// The club.
    async fn club(&self) -> Option<&str> {
        self.entrant().details.club.as_deref()
    }

    /// The country, as two letters.
    async fn country(&self) -> Option<&str> {
        self.entrant().details.country.as_deref()
    }

    /// When the entrant was entered.
    async fn entered_at(&self) -> DateTime {
        DateTime(self.entrant().entered_at)
    }

    /// The first round: above 1 for a late entrant.
    async fn from_round(&self) -> u32 {
        self.entrant().from_round
    }

    /// The points of a late entrant for the missed rounds.
    async fn points(&self) -> f64 {
        f64::from(self.entrant().points) / 10.0
    }

    /// Whether the entrant takes part.
    async fn status(&self) -> EntrantStatus {
        let entrant = self.entrant();
        match entrant.withdrawn_from() {
            _ if entrant.is_removed => EntrantStatus::Removed,
            Some(_) => EntrantStatus::Withdrawn,
            None => EntrantStatus::Active,
        }
    }

    /// The first round without the entrant.
    async fn withdrawn_from(&self) -> Option<u32> {
        self.entrant().withdrawn_from()
    }

    /// The rounds that the entrant announced to miss.
    async fn absences(&self) -> Vec<Absence> {
        let absences = self.entrant().absences.iter();
        absences.map(|(round, bye)| Absence { round: *round, kind: (*bye).into() }).collect()
    }

    /// Every round so far.
    #[graphql(complexity = "super::view::ROUNDS * child_complexity.max(1) + 1")]
    async fn card(&self) -> Vec<ProgressCell> {
        ProgressCell::all(&self.view, self.number, u32::MAX)
    }

    /// The place in the standings after a round, by default the last one that is closed or has a result; null if the entrant
    /// is not in them.
    async fn standing(&self, after_round: Option<u32>) -> Result<Option<Standing>, Problem> {
        let standings = self.view.standings(after_round)?;
        let rank = self.view.ranks().rank(self.number);
        let index = standings.rows.iter().position(|row| row.entrant == rank);
        Ok(index.map(|index| Standing::new(&self.view, &standings, index)))
    }
}

impl ProgressCell {
    /// What an entrant did in the rounds up to this one.
    pub fn all(view: &Arc<View>, number: u16, up_to_round: u32) -> Vec<Self> {
        let cards = view.cards(up_to_round);
        let cells = cards[usize::from(number) - 1].iter();
        cells.map(|cell| Self { view: Arc::clone(view), cell: cell.clone() }).collect()
    }
}

/// What an entrant did in a round.
#[Object]
impl ProgressCell {
    /// The round.
    async fn round(&self) -> u32 {
        self.cell.round
    }

    /// The table; null if the entrant was not paired.
    async fn table(&self) -> Option<u32> {
        self.cell.place.map(|(table, _)| table)
    }

    /// The seat.
    async fn seat(&self) -> Option<u8> {
        self.cell.place.map(|(_, seat)| seat)
    }

    /// The others at the table, by seat, without partners.
    #[graphql(complexity = "price::OPPONENTS * child_complexity.max(1) + 1")]
    async fn opponents(&self) -> Vec<Entrant> {
        self.cell.opponents.iter().map(|number| Entrant::new(&self.view, *number)).collect()
    }

    /// The result; `NONE` while there is none, and if the entrant was not paired.
    async fn result(&self) -> SeatResult {
        match self.cell.end {
            Some(End::Win) => SeatResult::Win,
            Some(End::Draw) => SeatResult::Draw,
            Some(End::Loss) => SeatResult::Loss,
            None => SeatResult::None,
        }
    }

    /// Whether the table was decided without play.
    async fn forfeit(&self) -> bool {
        self.cell.is_forfeit
    }

    /// Whether it does not count, because somebody at the table left a round robin early.
    async fn struck(&self) -> bool {
        self.cell.is_struck
    }

    /// The bye, if the entrant was not paired; null for an absence.
    async fn bye(&self) -> Option<ByeKind> {
        self.cell.bye.map(ByeKind::from)
    }

    /// The points; null while there is no result.
    async fn points(&self) -> Option<f64> {
        self.cell.points.map(points)
    }

    /// The points up to this round.
    async fn score(&self) -> f64 {
        points(self.cell.score)
    }
}
