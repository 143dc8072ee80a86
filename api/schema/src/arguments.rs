//! What the arguments of fields mean: the same name means the same everywhere, so each is described once.

use std::borrow::Cow;

use async_graphql::parser::types::Field;
use async_graphql::registry::{MetaType, Registry};
use async_graphql::{ContextSelectionSet, OutputType, Positioned, ServerResult, Value};

/// Arguments by name.
const ARGUMENTS: &[(&str, &str)] = &[
    ("accept", "Whether the seat agrees."),
    ("action", "The action in the game's notation."),
    ("actions", "Actions in the game's notation, in order; written `SEAT:action` where several seats are to act."),
    ("after", "Begin after this `endCursor` or `cursor` of the same list."),
    ("afterRound", "As it was after this round; by default, as it is now."),
    ("assume", "What to play instead of the actions that the public does not know, in order."),
    ("at", "The seq of an event: as the game was after it, with what was taken back since."),
    ("base", "The public address of the service, such as `https://games.example`."),
    ("before", "End before this `startCursor` or `cursor` of the same list."),
    ("byes", "Who has no game in the round, and what it counts; by default, as it is."),
    ("clockMs", "What the seat's clock showed after the action, in milliseconds."),
    ("comment", "The comment; without one, there is none afterwards."),
    ("csv", "The list of players; its first line names the columns."),
    ("days", "How many days the token is valid; by default, until it is revoked."),
    ("due", "When the running round is closed; without it, there is no deadline."),
    ("entrant", "The number of an entrant."),
    ("entrants", "Who to enter, in order."),
    ("entropy", "32 bytes that were drawn at random."),
    ("expectedPly", "The ply of the position that the caller decided on; docs/errors.md says when this is refused."),
    ("expectedSeq", "The seq of the last event that the caller knows; if there are others by now, nothing is written."),
    ("filter", "What must hold for what is listed or counted; by default, everything is."),
    ("file", "The text of a file."),
    ("first", "At most this many, from the start or `after` a cursor."),
    (
        "force",
        "Whether to write what is possible but against the pairing rules, such as a second game of the same players.",
    ),
    ("format", "The format of the record."),
    ("from", "The first ply; by default 0."),
    ("fromRound", "The first round that this concerns; by default, the next one to be paired."),
    ("game", "The id of a game or a line."),
    ("glyphs", "Marks such as `!` and `?`; without them, there are none afterwards."),
    ("hidden", "Whether lists leave the line out."),
    ("id", "The id."),
    ("idempotencyKey", "Makes the mutation safe to send again; see the type."),
    ("ids", "The ids, in the order of the answer."),
    ("includeHidden", "Whether to include hidden lines, as far as the caller may see them."),
    ("input", "What to write."),
    ("into", "The id of the player who stands for both from now on."),
    ("key", "The public key."),
    ("kind", "The kind of game, as `rules { kind }` lists them."),
    ("label", "What the token is for, for those who see the list of tokens."),
    ("language", "The language of a page in `HTML`; by default, English."),
    ("last", "At most this many, from the end or `before` a cursor."),
    ("line", "The id of a line."),
    ("maxNodes", "At most this many nodes: 2,000 by default, up to 5,000."),
    ("name", "The name of the line; an empty one removes it."),
    ("nameContains", "A part of the name, regardless of case."),
    ("number", "The number, from 1."),
    ("offset", "How many to leave out from the start."),
    ("opponent", "The id of the other player."),
    ("orderBy", "The order of the list."),
    ("player", "The id of a player."),
    ("players", "The ids of players."),
    ("playouts", "The most playouts of each search: 2,000 by default, up to 20,000."),
    ("ply", "The number of actions that led to the position; 0 is the start."),
    ("position", "A complete position, as `position { position }` returns it, instead of the one that comes before."),
    ("positionKey", "The key of a position that occurred in a recorded game, instead of `setup` and `actions`."),
    ("promote", "Whether to move the line before the others that leave its parent at the same ply."),
    ("provisional", "Whether to list ratings of few games too."),
    ("ranking", "Groups of seats that share a place, best first; each seat once."),
    ("reason", "Why, for the log."),
    ("record", "The record, in the given format."),
    ("recordedWith", "The `idempotencyKey` that the action to be taken back was recorded with."),
    ("role", "What the token allows."),
    ("round", "The number of a round, from 1."),
    (
        "salt",
        "32 random bytes for the commitment of an action that is sealed, with the `signature` of that commitment.",
    ),
    ("seat", "The number of a seat, from 1."),
    ("seats", "The numbers of seats, from 1."),
    ("seq", "The seq of an event: as it was after it."),
    ("setup", "The setup, as in `ruleSet { setupSchema }`; what is missing takes its default."),
    ("signature", "The signature of the event that is recorded, as FORMAT.md says."),
    ("source", "What the record comes from, for the log: the name of a file, for instance."),
    ("table", "The number of a table in the round, from 1."),
    ("tables", "Who plays whom: the tables of the round, in order."),
    ("timeZone", "The time zone of the days in the file, as the IANA database names it; by default UTC."),
    ("to", "The last ply; by default, the last of the game, as far as one request may ask for."),
    ("toPly", "The ply to go back to."),
    ("token", "The id of a token: its eight characters, not the token itself."),
    ("tournament", "The id of a tournament."),
    ("until", "When the game is to continue."),
    ("version", "The version of the rules; by default, the present one."),
    ("withAnalysis", "Whether to add the analysis of the game to the record."),
    ("where", "What must hold in a position: a predicate, as docs/search.md describes."),
    (
        "viewer",
        "Who to show it to: `all`, `public` or the number of a seat; by default, as much as the caller may see.",
    ),
];

/// Arguments that mean something else in one place, by type, field and name.
const ELSEWHERE: &[(&str, &str, &str, &str)] = &[
    ("Game", "tree", "after", "The `next` of the part before."),
    ("Mutation", "announceAbsence", "kind", "What the absence counts."),
    (
        "Mutation",
        "fork",
        "actions",
        "Actions to play on the line at once, written `SEAT:action` where several seats are to act.",
    ),
    ("Mutation", "fork", "name", "The name of the line."),
    ("Mutation", "fork", "visibility", "Whether the line is in lists; by default, it is."),
    ("Mutation", "fork", "ply", "The ply at which the line leaves its parent."),
    ("Mutation", "issueTableTokens", "tables", "The numbers of tables; by default, all of the round."),
    ("Mutation", "mergePlayers", "from", "The id of the player who is registered twice."),
    ("Query", "consistency", "from", "The number of events of the older transparency log, at least 1."),
    ("Query", "consistency", "to", "The number of events of the newer one; by default, that of the last checkpoint."),
    ("Query", "evaluate", "seat", "The seat to evaluate for, where several are to act; by default, the first of them."),
    ("Query", "tournament", "at", "As it was at this time."),
    (
        "Subscription",
        "changes",
        "after",
        "The `cursor` of the last answer, or `now` for what is recorded from now on; by default, from the first event.",
    ),
    ("Subscription", "gameEvents", "after", "The seq of the last event that the client has; -1, the default, is none."),
    (
        "Subscription",
        "tournamentEvents",
        "after",
        "The seq of the last event that the client has; -1, the default, is none.",
    ),
];

/// Describes the arguments of all types that are registered before it. It is no type: registering is where
/// async-graphql lets one see the schema.
pub struct Descriptions;

#[async_trait::async_trait]
impl OutputType for Descriptions {
    fn type_name() -> Cow<'static, str> {
        String::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        for found in registry.types.values_mut() {
            match found {
                MetaType::Object { name, fields, .. } => {
                    for field in fields.values_mut() {
                        for argument in field.args.values_mut().filter(|argument| argument.description.is_none()) {
                            argument.description = describe(name, &field.name, &argument.name).map(str::to_owned);
                        }
                    }
                }
                MetaType::Scalar { name, specified_by_url, .. } if name == "JSON" => {
                    *specified_by_url = Some("https://www.rfc-editor.org/rfc/rfc8259".to_owned());
                }
                _ => {}
            }
        }
        String::create_type_info(registry)
    }

    async fn resolve(&self, _ctx: &ContextSelectionSet<'_>, _field: &Positioned<Field>) -> ServerResult<Value> {
        Ok(Value::Null)
    }
}

fn describe(of: &str, field: &str, argument: &str) -> Option<&'static str> {
    let is_it = |place: &&(&str, &str, &str, &str)| (place.0, place.1, place.2) == (of, field, argument);
    let elsewhere = ELSEWHERE.iter().find(is_it).map(|place| place.3);
    elsewhere.or_else(|| ARGUMENTS.iter().find(|(name, _)| *name == argument).map(|(_, described)| *described))
}
