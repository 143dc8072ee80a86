//! Everything that can be read about a game: every field of the schema, with every argument, the
//! subscriptions and the exports. The questions are derived from the schema and the routes.

use plybook_events::LogId;
use plybook_rules::Viewer;
use serde_json::{Value, json};

use crate::pair::Pair;
use crate::shape::{Field, Given, Shape};
use crate::side::{Asker, Side};
use crate::{Failure, same};

/// The number of a game's fields in one document: more could cost more than a request may.
const FIELDS: usize = 5;

/// One in this many of the filtered or ordered lists is requested at a time: there are more of them than of
/// everything else together.
pub(crate) const TURNS: usize = 8;

/// How many of the last positions are read.
const PLIES: usize = 3;

/// Queries that do not depend on what is recorded.
const TIMELESS: [&str; 2] = ["rules", "ruleSet"];

/// Where the routes of the exports are defined.
const ROUTES: &str = include_str!("../../api/src/export/mod.rs");

/// The variables of the documents, with their types.
const VARIABLES: [(&str, &str); 14] = [
    ("id", "ID!"),
    ("kind", "String!"),
    ("setup", "JSON"),
    ("position", "JSON"),
    ("one", "Hash"),
    ("other", "Hash"),
    ("player", "ID!"),
    ("owner", "Int"),
    ("viewer", "String"),
    ("heat", "String!"),
    ("ply", "Int"),
    ("last", "Int"),
    ("count", "Int"),
    ("seq", "Int"),
];

/// The documents that read everything; the same for every game.
pub(crate) struct Reading {
    /// All fields of a game in every way, and all other queries.
    queries: Vec<String>,
    /// The other queries once more, each with one of its optional arguments.
    in_turn: Vec<String>,
    /// The queries without optional arguments.
    plain: Vec<String>,
    subscriptions: Vec<String>,
    /// The subscriptions once more, each with one of its optional arguments.
    subscriptions_in_turn: Vec<String>,
    routes: Vec<String>,
}

impl Reading {
    pub(crate) fn new(shape: &Shape) -> Self {
        let (queries, in_turn) = queries(shape, &|of, arg| given(shape, of, arg));
        let (plain, _) = self::queries(shape, &|of, arg| given(shape, of, arg).at_rest());
        let (mut subscriptions, mut subscriptions_in_turn) = (Vec::new(), Vec::new());
        for field in &shape.of("Subscription").fields {
            let asked = shape.asked(field, &[], &|of, arg| given(shape, of, arg));
            let mut ways = asked.iter().map(|field| document("subscription", field));
            subscriptions.extend(ways.next());
            subscriptions_in_turn.extend(ways);
        }
        Self { queries, in_turn, plain, subscriptions, subscriptions_in_turn, routes: routes() }
    }

    /// The same documents without those that ask for a kind rather than for a game.
    pub(crate) fn of_a_game(mut self) -> Self {
        let lists = [
            &mut self.queries,
            &mut self.in_turn,
            &mut self.plain,
            &mut self.subscriptions,
            &mut self.subscriptions_in_turn,
        ];
        lists.into_iter().for_each(|documents| documents.retain(|document| document.contains("$id")));
        self
    }

    /// Reads everything from both sides, and compares; of the queries with an optional argument, those whose
    /// turn it is, below [`TURNS`].
    pub(crate) async fn compare(
        &self,
        pair: &Pair,
        sides: &[Side; 2],
        asker: Asker,
        turn: usize,
    ) -> Result<(), Failure> {
        let known = [Known::of(pair, sides, 0), Known::of(pair, sides, 1)];
        for query in self.queries.iter().chain(self.in_turn.iter().skip(turn).step_by(TURNS)) {
            self.ask(sides, &known, asker, query).await?;
        }
        for line in sides[0].lines().into_iter().zip(sides[1].lines()).next_back().into_iter() {
            let known = [known[0].with_id(line.0), known[1].with_id(line.1)];
            for query in &self.plain {
                self.ask(sides, &known, asker, query).await?;
            }
        }
        let in_turn = self.subscriptions_in_turn.iter().skip(turn).step_by(TURNS);
        for document in self.subscriptions.iter().chain(in_turn) {
            let told = [0, 1].map(|side| sides[side].follow(asker, document, known[side].0.clone()));
            assert!(!told[0].is_empty(), "{document}");
            same_of(sides, &format!("{asker:?} following {document}"), &told)?;
        }
        // The exports do not depend on the caller.
        // Pictures take long to draw, so one pair in some has them drawn.
        let is_due = |route: &&String| asker == Asker::Public && (turn == 0 || !route.contains(".png"));
        for route in self.routes.iter().filter(is_due) {
            let told = [sides[0].get(&at(route, &sides[0])).await, sides[1].get(&at(route, &sides[1])).await];
            same_of(sides, route, &told)?;
        }
        Ok(())
    }

    /// Reads the main things from both sides, and compares the answers.
    pub(crate) async fn compare_plain(&self, pair: &Pair, sides: &[Side; 2], asker: Asker) -> Result<(), Failure> {
        let known = [Known::of(pair, sides, 0), Known::of(pair, sides, 1)];
        for query in &self.plain {
            self.ask(sides, &known, asker, query).await?;
        }
        Ok(())
    }

    async fn ask(&self, sides: &[Side; 2], known: &[Known; 2], asker: Asker, query: &str) -> Result<(), Failure> {
        let mut told = [String::new(), String::new()];
        for (side, told) in told.iter_mut().enumerate() {
            *told = sides[side].ask(asker, query, known[side].0.clone()).await.to_string();
            assert!(!told.contains("complex"), "{query}: {told}");
        }
        same_of(sides, &format!("{asker:?} asking {query}"), &told)
    }
}

/// Compares the answers of two sides, apart from ids, times and salted hashes.
pub(crate) fn same_of(sides: &[Side; 2], what: &str, told: &[String; 2]) -> Result<(), Failure> {
    if told[0] == told[1] {
        return Ok(());
    }
    same(what, &sides[0].placeholders().apply(&told[0]), &sides[1].placeholders().apply(&told[1]))
}

/// The variables of one side.
struct Known(Value);

impl Known {
    /// The questions about the game: the same for both sides, apart from ids.
    fn of(pair: &Pair, sides: &[Side; 2], side: usize) -> Self {
        let replays = [sides[0].replay(), sides[1].replay()];
        let last = replays[0].mainline().len();
        let key = |side: usize| replays[side].position().key(Viewer::All).to_string();
        Self(json!({
            "id": sides[side].id(),
            "kind": pair.kinds[side],
            "setup": pair.setups[0],
            "position": replays[0].position().to_json(Viewer::Public),
            // Search texts of somebody who guesses right, and of somebody who guesses wrong.
            "one": key(0),
            "other": key(1),
            "player": sides[side].players[0],
            "owner": pair.owners.first(),
            "viewer": pair.owners.first().map(u8::to_string),
            "heat": pair.rules.heat()[0].name,
            "ply": last.saturating_sub(PLIES).max(pair.first).min(last),
            "last": last,
            "count": replays[0].events() + 2,
            "seq": replays[0].events().saturating_sub(2),
        }))
    }

    fn with_id(&self, id: LogId) -> Self {
        let mut known = self.0.clone();
        known["id"] = json!(id);
        Self(known)
    }
}

/// The documents of all fields of a game in every way, and of all other queries; and of these with each
/// optional argument.
fn queries(shape: &Shape, give: &dyn Fn(&str, &Field) -> Given) -> (Vec<String>, Vec<String>) {
    let of_game = shape.of("Game").fields.iter().filter(|field| !TIMELESS.contains(&field.name.as_str()));
    let of_game = of_game.flat_map(|field| shape.asked(field, &["Game"], give));
    let of_game: Vec<String> = of_game.map(|field| format!("game(id: $id) {{ {field} }}")).collect();
    let named = |some: &[String]| {
        (0..).zip(some).map(|(number, field): (usize, _)| format!("a{number}: {field} ")).collect::<String>()
    };
    let mut documents: Vec<String> = of_game.chunks(FIELDS).map(|some| document("query", &named(some))).collect();
    let mut in_turn = Vec::new();
    let others = shape.of("Query").fields.iter().filter(|field| field.name != "game");
    for field in others.filter(|field| !TIMELESS.contains(&field.name.as_str())) {
        let asked = shape.asked(field, &["Query"], give);
        let mut ways = asked.iter().map(|field| document("query", field));
        documents.extend(ways.next());
        in_turn.extend(ways);
    }
    (documents, in_turn)
}

/// A document with the variables that it uses.
fn document(operation: &str, fields: &str) -> String {
    let is_used = |name: &str| {
        fields.split('$').skip(1).any(|rest| {
            rest.trim_start_matches(name).len() < rest.len()
                && !rest[name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric())
        })
    };
    let used = VARIABLES.iter().filter(|(name, _)| is_used(name)).map(|(name, of)| format!("${name}: {of}"));
    let used: Vec<String> = used.collect();
    let head = if used.is_empty() { String::new() } else { format!("({})", used.join(", ")) };
    format!("{operation}{head} {{ {fields} }}")
}

/// The values for an argument, or for a member of an input, by its name.
fn given(shape: &Shape, of: &str, arg: &Field) -> Given {
    let text = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect::<Vec<_>>();
    let values = &shape.of(&arg.of).values;
    match (of, arg.name.as_str()) {
        ("player", "id") | (_, "opponent") => Given::Always("$player".to_owned()),
        (_, "id" | "game") => Given::Always("$id".to_owned()),
        (_, "ids") => Given::Always("[$id, $player]".to_owned()),
        (_, "kind") if arg.is_required => Given::Always("$kind".to_owned()),
        (_, "kind") => Given::InTurn(text(&["$kind"])),
        (_, "viewer") => Given::WithAll(text(&["\"all\"", "\"public\"", "$viewer"])),
        (_, "ply") => Given::WithAll(text(&["$ply"])),
        (_, "from") => Given::Always("$ply".to_owned()),
        (_, "to") => Given::Always("$last".to_owned()),
        (_, "first") => Given::Always("$count".to_owned()),
        (_, "seat") => Given::InTurn(text(&["$owner"])),
        (_, "what") => Given::Always("$heat".to_owned()),
        (_, "playouts") => Given::Always("9".to_owned()),
        (_, "setup") => Given::InTurn(text(&["$setup"])),
        (_, "position") => Given::InTurn(text(&["$position"])),
        (_, "positionKey") => Given::InTurn(text(&["$one", "$other"])),
        (_, "actions") if arg.is_required => Given::Always("[]".to_owned()),
        (_, "actions") => Given::InTurn(text(&["[]"])),
        // What a running game has of secrets would be found.
        (_, "where") => Given::Always("\"ply >= 0\"".to_owned()),
        (_, "withAnalysis") => Given::InTurn(text(&["true"])),
        (_, "includeHidden") => Given::InTurn(text(&["true"])),
        (_, "filter") => Given::InTurn(filters(shape, &arg.of)),
        // The games are in no tournament.
        (_, "tournament") => Given::Always("$id".to_owned()),
        (_, "round" | "number") => Given::Always("1".to_owned()),
        (_, "tables") => Given::Always("[[1, 2]]".to_owned()),
        (_, "players") => Given::Always("[$player]".to_owned()),
        (_, "csv") => Given::Always("\"name\"".to_owned()),
        (_, "file") => Given::Always(format!("\"001    1      {:<67}0.0    1\"", "A")),
        (_, "base") => Given::Always("\"\"".to_owned()),
        (_, "last" | "before" | "after" | "maxNodes" | "version" | "timeZone") => Given::Omitted,
        ("position" | "positions" | "moves", "at") => Given::InTurn(text(&["$seq"])),
        (_, "afterRound" | "offset" | "nameContains" | "byes" | "at" | "seq" | "provisional") => Given::Omitted,
        _ if !values.is_empty() && arg.is_required => Given::Each(values.clone()),
        _ if !values.is_empty() => Given::InTurn(values.clone()),
        (of, name) => panic!("say what is given for `{name}` of `{of}`"),
    }
}

/// A filter for each of its members.
fn filters(shape: &Shape, of: &str) -> Vec<String> {
    let member = |field: &Field| {
        let values = &shape.of(&field.of).values;
        let value = match field.name.as_str() {
            "kind" => "$kind",
            "setup" => "$setup",
            "player" | "winner" | "tournament" => "$player",
            "players" => "[$player]",
            "seat" => return vec!["{ seat: $owner, player: $player }".to_owned()],
            "minPly" | "maxPly" => "$last",
            "since" | "until" => "\"2020-01-01T00:00:00.000Z\"",
            "reason" | "tag" => "\"x\"",
            "tags" => "[\"x\"]",
            "winningSeat" | "round" => "1",
            name @ ("imported" | "archived") => {
                return ["true", "false"].map(|value| format!("{{ {name}: {value} }}")).to_vec();
            }
            "positionKey" => {
                return ["$one", "$other"].map(|key| format!("{{ positionKey: {key} }}")).to_vec();
            }
            "position" => {
                let ways = ["{ key: $one }", "{ key: $other }", "{ actions: [] }", "{ position: $position }"];
                return ways.map(|position| format!("{{ kind: $kind, position: {position} }}")).to_vec();
            }
            "nameContains" | "search" | "called" => "\"ad\"",
            "minRating" | "maxRating" => "1500.0",
            _ if !values.is_empty() => {
                return values.iter().map(|value| format!("{{ {}: {value} }}", field.name)).collect();
            }
            name => panic!("say what is given for `{name}` of {of}"),
        };
        vec![format!("{{ {}: {value} }}", field.name)]
    };
    shape.of(of).fields.iter().flat_map(member).collect()
}

/// The paths of the exports, each with and without its parameters.
fn routes() -> Vec<String> {
    let found = ROUTES.split("resource(\"").skip(1).filter_map(|rest| rest.split('"').next());
    let ways = |path: &str| {
        let query: &[&str] = match path {
            "/games/{id}.png" => &["", "?ply=1"],
            _ if path.contains('{') => &[""],
            "/changes.ndjson" => &["", "?wait=1", "?origin=analysis"],
            "/changes.sse" => &[""],
            _ => &["", "?events=true", "?status=running"],
        };
        query.iter().map(|query| format!("{path}{query}")).collect::<Vec<_>>()
    };
    let routes: Vec<String> = found.flat_map(ways).collect();
    assert!(!routes.is_empty(), "there are exports");
    routes
}

fn at(route: &str, side: &Side) -> String {
    let size = side.service.tlog().map_or(1, |tlog| tlog.published().checkpoint.size);
    let tile = format!("0/000.p/{size}");
    route.replace("{id}", &side.id().to_string()).replace("{name}", "standings.csv").replace("{tile:.*}", &tile)
}
