//! The bracket of a knock-out, and the groups before it.

use std::sync::Arc;

use async_graphql::Object;
use plybook_service::error::Problem;
use plybook_tournaments::{Match, Stage, Standings};

use super::entrant::Entrant;
use super::standing::Standing;
use super::table::Table;
use super::view::{SOME, View};

/// The number of stages that the price of a bracket counts.
const STAGES: usize = 5;

/// The current state of a knock-out.
pub struct Bracket {
    view: Arc<View>,
    stages: Vec<Stage>,
    is_decided: bool,
}

/// The matches that are played at the same time.
pub struct BracketStage {
    view: Arc<View>,
    stage: Stage,
}

/// A match between two sides.
pub struct BracketMatch {
    view: Arc<View>,
    entry: Match,
    is_third_place: bool,
}

/// A side of a match.
pub struct BracketSide {
    view: Arc<View>,
    entrant: Option<u16>,
    half_points: u8,
    has_won: bool,
}

/// A group of the first part of a tournament.
pub struct Group {
    view: Arc<View>,
    number: usize,
    standings: Arc<Standings>,
}

impl Bracket {
    /// The bracket of a tournament, if it has one yet.
    ///
    /// # Errors
    /// Never for a tournament that was folded.
    pub fn find(view: &Arc<View>) -> Result<Option<Self>, Problem> {
        let found = view.tournament.bracket().map_err(Problem::internal)?;
        Ok(found.map(|bracket| {
            let is_decided = bracket.is_decided();
            Self { view: Arc::clone(view), stages: bracket.stages, is_decided }
        }))
    }
}

impl Group {
    /// The groups of a tournament after a round, by default the last one that is closed or has a result.
    ///
    /// # Errors
    /// Never for a tournament that was folded.
    pub fn all(view: &Arc<View>, after_round: Option<u32>) -> Result<Vec<Self>, Problem> {
        let after = after_round.unwrap_or_else(|| view.tournament.last_played());
        let found = view.tournament.group_standings(after).map_err(Problem::internal)?;
        let group = |(number, standings)| Self { view: Arc::clone(view), number, standings: Arc::new(standings) };
        Ok((1..).zip(found).map(group).collect())
    }
}

/// The current state of a knock-out.
#[Object]
impl Bracket {
    /// The stages so far, in order. Stages that are not listed yet have half as many matches each, down to
    /// the final.
    #[graphql(complexity = "STAGES * child_complexity.max(1) + 1")]
    async fn stages(&self) -> Vec<BracketStage> {
        self.stages.iter().map(|stage| BracketStage { view: Arc::clone(&self.view), stage: stage.clone() }).collect()
    }

    /// Whether the knock-out is decided.
    async fn decided(&self) -> bool {
        self.is_decided
    }
}

/// The matches that are played at the same time.
#[Object]
impl BracketStage {
    /// The name, such as `Semi-finals`.
    async fn name(&self) -> String {
        self.stage.name()
    }

    /// The matches in the order of the bracket: the winners of the first two meet in the first match of the
    /// next stage. The match for third place comes after the final.
    #[graphql(complexity = "SOME * child_complexity.max(1) + 1")]
    async fn matches(&self) -> Vec<BracketMatch> {
        let entry = |(index, entry): (usize, &Match)| BracketMatch {
            view: Arc::clone(&self.view),
            entry: entry.clone(),
            is_third_place: index >= self.stage.size,
        };
        self.stage.matches.iter().enumerate().map(entry).collect()
    }
}

/// A match between two sides.
#[Object]
impl BracketMatch {
    /// Whether it is the match for third place.
    async fn third_place(&self) -> bool {
        self.is_third_place
    }

    /// The two sides, the better seed first.
    #[graphql(complexity = "2 * child_complexity.max(1) + 1")]
    async fn sides(&self) -> Vec<BracketSide> {
        let side = |index: usize| BracketSide {
            view: Arc::clone(&self.view),
            entrant: self.entry.sides[index].map(|rank| self.view.ranks().entrant(rank)),
            half_points: self.entry.score[index],
            has_won: self.entry.winner == Some(index) && self.entry.sides[index].is_some(),
        };
        [0, 1].map(side).into()
    }

    /// Whether a side advances, or both are empty.
    async fn decided(&self) -> bool {
        self.entry.is_decided()
    }

    /// The tables of its games, including those in play.
    #[graphql(complexity = "2 * child_complexity.max(1) + 1")]
    async fn tables(&self) -> Vec<Table> {
        self.entry.tables.iter().map(|(round, table)| Table::new(&self.view, *round, *table)).collect()
    }
}

/// A side of a match.
#[Object]
impl BracketSide {
    /// The entrant; null for an empty place in the bracket.
    async fn entrant(&self) -> Option<Entrant> {
        self.entrant.map(|number| Entrant::new(&self.view, number))
    }

    /// The score in games: 1 for a win, ½ for a draw, whatever they are worth in the standings.
    async fn score(&self) -> f64 {
        f64::from(self.half_points) / 2.0
    }

    /// Whether this side has won the match, or advances without play.
    async fn won(&self) -> bool {
        self.has_won
    }
}

/// A group of the first part of a tournament.
#[Object]
impl Group {
    /// The number, from 1.
    async fn number(&self) -> usize {
        self.number
    }

    /// Its standings; games of the knock-out do not count.
    #[graphql(complexity = "SOME * child_complexity.max(1) + 1")]
    async fn standings(&self) -> Vec<Standing> {
        let rows = 0..self.standings.rows.len();
        rows.map(|index| Standing::new(&self.view, &self.standings, index)).collect()
    }
}
