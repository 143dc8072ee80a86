//! Which queries depend on the log of a single game and on nothing else, so that their answers can be kept.
//!
//! This holds for what spectators ask about a recorded game. It does not hold for lines of analysis, which their
//! games' logs have a say in, nor for fields that read other logs (players, ratings, tournaments, lines) or what is
//! known apart from logs.

use std::sync::Arc;

use async_graphql::Variables;
use async_graphql::parser::types::{ExecutableDocument, Field, OperationDefinition, Selection, SelectionSet};
use async_graphql_value::Value;
use plybook_events::LogId;
use plybook_http::Basis;
use plybook_service::Service;

/// The fields of a game that are of its log, with all that is below them.
const OF_GAME: [&str; 28] = [
    "id",
    "kind",
    "rulesVersion",
    "setup",
    "origin",
    "name",
    "hidden",
    "status",
    "outcome",
    "createdAt",
    "played",
    "playedAt",
    "finishedAt",
    "round",
    "table",
    "tags",
    "ply",
    "corrected",
    "originalOutcome",
    "voidReason",
    "entropyFrom",
    "entropyAwaitedFrom",
    "drawOfferedBy",
    "deadline",
    "position",
    "positions",
    "scenes",
    "refold",
];

/// The fields of a page of moves that are of the log; `game` leads back to the game.
const OF_MOVES: [&str; 23] = [
    "edges",
    "nodes",
    "node",
    "cursor",
    "pageInfo",
    "hasNextPage",
    "hasPreviousPage",
    "startCursor",
    "endCursor",
    "totalCount",
    "ply",
    "seq",
    "seat",
    "by",
    "action",
    "text",
    "at",
    "elapsedMs",
    "clockMs",
    "fair",
    "comment",
    "glyphs",
    "positionKey",
];

/// The fields of a seat that are of the log.
const OF_SEAT: [&str; 3] = ["number", "name", "result"];

/// The basis of answers over a service.
pub fn basis(service: Arc<Service>) -> impl Basis {
    Logs(service)
}

struct Logs(Arc<Service>);

/// What a selection is made of.
#[derive(Clone, Copy)]
enum Part {
    Game,
    Moves,
    Seat,
}

impl Basis for Logs {
    fn log_of(
        &self,
        document: &ExecutableDocument,
        operation: &OperationDefinition,
        variables: &Variables,
    ) -> Option<LogId> {
        let document = Document(document);
        let [game] = document.fields(&operation.selection_set.node)[..] else { return None };
        if game.name.node != "game" || !document.is_of_log(&game.selection_set.node, Part::Game) {
            return None;
        }
        match &game.get_argument("id")?.node {
            Value::String(id) => id.parse().ok(),
            Value::Variable(name) => match variables.get(name)? {
                async_graphql::Value::String(id) => id.parse().ok(),
                _ => None,
            },
            _ => None,
        }
    }

    fn events(&self, log: LogId) -> Option<u64> {
        let known = self.0.models().known();
        known.games.get(log).filter(|game| game.fork.is_none()).map(|game| game.standing.events)
    }
}

struct Document<'a>(&'a ExecutableDocument);

impl<'a> Document<'a> {
    /// The fields of a selection, with those of its fragments. Fragments do not go round in circles: such documents
    /// are refused before.
    fn fields(&self, set: &'a SelectionSet) -> Vec<&'a Field> {
        let fields = set.items.iter().flat_map(|item| match &item.node {
            Selection::Field(field) => vec![&field.node],
            Selection::InlineFragment(fragment) => self.fields(&fragment.node.selection_set.node),
            Selection::FragmentSpread(spread) => {
                let fragment = self.0.fragments.get(&spread.node.fragment_name.node);
                fragment.map_or_else(Vec::new, |fragment| self.fields(&fragment.node.selection_set.node))
            }
        });
        fields.collect()
    }

    /// Whether a selection asks for nothing but what is of the log.
    fn is_of_log(&self, set: &'a SelectionSet, part: Part) -> bool {
        self.fields(set).into_iter().all(|field| {
            let (name, below) = (field.name.node.as_str(), &field.selection_set.node);
            match part {
                _ if name == "__typename" => true,
                Part::Game if name == "moves" => self.is_of_log(below, Part::Moves),
                Part::Game if name == "seats" => self.is_of_log(below, Part::Seat),
                Part::Game => OF_GAME.contains(&name),
                Part::Moves if name == "game" => self.is_of_log(below, Part::Game),
                Part::Moves => OF_MOVES.contains(&name) && self.is_of_log(below, Part::Moves),
                Part::Seat => OF_SEAT.contains(&name),
            }
        })
    }
}
