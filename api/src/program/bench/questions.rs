//! The benchmark's questions, and what their answers must contain.

use plybook_events::{Event, Timestamp};
use plybook_generator::{PLAYERS, Plan};
use plybook_rules::log::word;
use plybook_rules::log::{Replay, Status, revealed};
use plybook_rules::{Rules, Viewer};
use serde_json::{Value, json};

use super::super::Failure;

const EXPLORE: &str = "query($kind: String!, $setup: JSON, $actions: [String!], $key: Hash, $filter: GameFilter) { \
    explore(kind: $kind, setup: $setup, actions: $actions, positionKey: $key, filter: $filter) { \
    games results { wins draws other } \
    actions { action positionKey games results { wins draws other } lastPlayed } \
    topGames { id ply seats { name } outcome { winners } } recentGames { id createdAt seats { name } } \
    position { ply positionKey toAct } } }";

const STATISTICS: &str = "fragment D on Distribution { count min max mean median p10 p90 histogram { key count } } \
    query($kind: String!, $filter: GameFilter) { statistics(kind: $kind, filter: $filter) { \
    games finished results { wins draws other } plies { ...D } durationMs { ...D } branching { ...D } \
    reasons { key count } byMonth { key count } firstActions { action games results { wins draws other } } \
    luck { name seats { seat count expected actual } } measures { name value distribution { ...D } } } }";

const HEAT: &str = "query($kind: String!, $what: String!, $filter: GameFilter) { \
    statistics(kind: $kind, filter: $filter) { games heat(what: $what) { name total max places { key count } \
    scene } } }";

const GAMES: &str = "query($filter: GameFilter) { games(first: 25, filter: $filter) { \
    pageInfo { hasNextPage endCursor } \
    nodes { id kind status createdAt ply seats { number name result } outcome { winners reason } } } }";

const LIST: &str = "query($filter: GameFilter, $order: GameOrder!) { games(first: 25, filter: $filter, orderBy: $order) { \
    totalCount pageInfo { hasNextPage endCursor } \
    nodes { id kind status createdAt ply seats { number name result } outcome { winners reason } } } }";

const ORDERS: [&str; 7] =
    ["CREATED_DESC", "CREATED_ASC", "PLAYED_DESC", "PLAYED_ASC", "FINISHED_DESC", "PLY_DESC", "PLY_ASC"];

const SEARCH: &str = "query($kind: String!, $where: String!) { search(kind: $kind, where: $where, first: 0) { \
    total games results { wins draws other } actions { key count } searched { games positions end } } }";

/// The explorer is asked about positions up to this ply.
const PLIES: u64 = 12;

/// How many games are tried before giving up on finding a suitable one.
const TRIES: u64 = 1_000;

/// A question to ask.
pub(super) struct Question {
    pub(super) query: &'static str,
    pub(super) variables: Value,
    /// JSON pointers into the answer, and the values expected there.
    pub(super) expected: Vec<(&'static str, Value)>,
    /// Whether the answer must contain at least one game; otherwise it may be empty.
    pub(super) has_games: bool,
}

/// What questions are drawn from. The plan knows what was generated.
pub(super) struct Questions<'a> {
    plan: &'a Plan,
    games: u64,
    /// Draws a number below the given one.
    draw: Box<dyn FnMut(u64) -> u64 + 'a>,
}

/// A recorded game, with what questions need of it.
struct SampleGame {
    rules: &'static dyn Rules,
    replay: Replay,
    words: Vec<String>,
}

impl<'a> Questions<'a> {
    /// Questions about the games of a plan.
    pub(super) fn new(plan: &'a Plan, games: u64, draw: impl FnMut(u64) -> u64 + 'a) -> Self {
        Self { plan, games, draw: Box::new(draw) }
    }

    /// The start of a recorded game.
    pub(super) fn start(&mut self) -> Result<Question, Failure> {
        let game = self.game(0)?;
        Ok(game.node(0, &Value::Null))
    }

    /// A position after 1 to 12 plies of a recorded game.
    pub(super) fn node(&mut self) -> Result<Question, Failure> {
        let ply = 1 + (self.draw)(PLIES);
        let game = self.game(ply)?;
        Ok(game.node(ply as usize, &Value::Null))
    }

    /// The same, with a filter.
    pub(super) fn filtered_node(&mut self) -> Result<Question, Failure> {
        let filter = self.filter()?;
        let question = self.node()?;
        let mut variables = question.variables;
        variables["filter"] = filter;
        Ok(Question { variables, has_games: false, ..question })
    }

    /// A position by its key.
    pub(super) fn key(&mut self) -> Result<Question, Failure> {
        let ply = 1 + (self.draw)(PLIES);
        let game = self.game(ply)?;
        let question = game.node(ply as usize, &Value::Null);
        let key = question.expected[0].1.clone();
        Ok(Question { variables: json!({"kind": game.rules.about().kind, "key": key}), ..question })
    }

    /// Statistics of all games of a kind.
    pub(super) fn statistics(&mut self) -> Result<Question, Failure> {
        let game = self.game(0)?;
        Ok(statistics(game.rules, &Value::Null, true))
    }

    /// Statistics with two random filters.
    pub(super) fn filtered_statistics(&mut self) -> Result<Question, Failure> {
        let filter = self.filter()?;
        let game = self.game(0)?;
        Ok(statistics(game.rules, &filter, false))
    }

    /// Statistics with two filters that most games match.
    pub(super) fn broad_statistics(&mut self) -> Result<Question, Failure> {
        let game = self.game(0)?;
        Ok(statistics(game.rules, &json!({"status": "FINISHED", "minPly": 3}), true))
    }

    /// A search that no game can satisfy, which says so without looking into any.
    pub(super) fn vain_search(&mut self) -> Result<Question, Failure> {
        let game = self.game(0)?;
        let variables = json!({"kind": game.rules.about().kind, "where": "ply >= 0 then within 6: ply > 20000"});
        let expected = vec![("/search/total", json!(0)), ("/search/searched/end", Value::Null)];
        Ok(Question { query: SEARCH, variables, expected, has_games: false })
    }

    /// A search that no position satisfies, and that has to look at each of them: one request's worth of the newest games.
    pub(super) fn thorough_search(&mut self) -> Result<Question, Failure> {
        let game = self.game(0)?;
        let variables = json!({"kind": game.rules.about().kind, "where": "toAct(1) and not ply >= 0"});
        let expected = vec![("/search/total", json!(0))];
        Ok(Question { query: SEARCH, variables, expected, has_games: false })
    }

    /// A heat map with two filters that most games match.
    pub(super) fn heat(&mut self) -> Result<Question, Failure> {
        let game = self.game(0)?;
        let kinds = game.rules.heat();
        let what = kinds[(self.draw)(kinds.len() as u64) as usize].name;
        let filter = json!({"status": "FINISHED", "minPly": 3});
        let variables = json!({"kind": game.rules.about().kind, "what": what, "filter": filter});
        let expected = vec![("/statistics/heat/name", json!(what))];
        Ok(Question { query: HEAT, variables, expected, has_games: true })
    }

    /// The newest games, of all kinds or with a filter.
    pub(super) fn page(&mut self) -> Result<Question, Failure> {
        let filter = match (self.draw)(3) {
            0 => Value::Null,
            1 => json!({"kind": self.game(0)?.rules.about().kind}),
            _ => json!({"player": self.player()}),
        };
        Ok(Question { query: GAMES, variables: json!({"filter": filter}), expected: Vec::new(), has_games: false })
    }

    /// The first page in a random order, with the number of games, under no filter, one or two.
    pub(super) fn listed(&mut self) -> Result<Question, Failure> {
        let filter = match (self.draw)(4) {
            0 => Value::Null,
            1 => json!({"kind": self.game(0)?.rules.about().kind}),
            2 => json!({"status": "RUNNING"}),
            _ => self.filter()?,
        };
        let order = ORDERS[(self.draw)(ORDERS.len() as u64) as usize];
        let variables = json!({"filter": filter, "order": order});
        Ok(Question { query: LIST, variables, expected: Vec::new(), has_games: false })
    }

    /// Two conditions that people would combine.
    fn filter(&mut self) -> Result<Value, Failure> {
        let game = self.game(0)?;
        let created = game.replay.created_at().as_millis();
        let at = |millis: i64| Timestamp::from_millis(millis).map_err(Failure::trouble);
        let month = 30 * 86_400_000;
        let created_word = at(created)?;
        Ok(match (self.draw)(6) {
            0 => json!({"since": at(created - 3 * month)?, "until": at(created + 3 * month)?}),
            1 => json!({"player": self.player(), "since": created_word}),
            2 => {
                json!({"tags": [format!("event={}", game.replay.created().tags["event"].as_str().unwrap_or_default())],
                        "status": "FINISHED"})
            }
            3 => json!({"reason": "resignation", "minPly": 20 + (self.draw)(20)}),
            4 => json!({"setup": game.replay.setup(), "until": created_word}),
            _ => json!({"winner": self.player(), "maxPly": 20 + (self.draw)(40)}),
        })
    }

    fn player(&mut self) -> String {
        // The first players play most of the games.
        self.plan.player_id((self.draw)(PLAYERS) / 4).to_string()
    }

    /// A game that counts and has at least this many plies.
    fn game(&mut self, ply: u64) -> Result<SampleGame, Failure> {
        for _ in 0..TRIES {
            let written = self.plan.game((self.draw)(self.games)).map_err(Failure::trouble)?;
            let events: Result<Vec<Event>, _> = written.events.iter().map(|bytes| Event::parse(bytes)).collect();
            let events = events.map_err(Failure::trouble)?;
            // Nothing can be asked about a game that still has something sealed.
            let Ok(replay) = Replay::fold(&events, &revealed(&events)) else { continue };
            let is_counted = replay.is_open() && replay.status() != Status::Void;
            if is_counted && replay.mainline().len() as u64 >= ply {
                return Ok(SampleGame::new(replay));
            }
        }
        Err(Failure::trouble(format!("of {} games none has {ply} plies and counts: generate more", self.games)))
    }
}

impl SampleGame {
    fn new(replay: Replay) -> Self {
        let about = replay.rules().about();
        let words = replay.mainline().iter().map(|done| word(about, done.actor, &done.action)).collect();
        Self { rules: replay.rules(), words, replay }
    }

    fn node(&self, ply: usize, filter: &Value) -> Question {
        let position = self.replay.position_at(ply).expect("the game has this ply");
        let variables = json!({
            "kind": self.rules.about().kind,
            "setup": self.replay.setup(),
            "actions": self.words[..ply],
            "filter": filter,
        });
        let expected = vec![("/explore/position/positionKey", json!(position.key(Viewer::All)))];
        Question { query: EXPLORE, variables, expected, has_games: true }
    }
}

fn statistics(rules: &dyn Rules, filter: &Value, has_games: bool) -> Question {
    let variables = json!({"kind": rules.about().kind, "filter": filter});
    Question { query: STATISTICS, variables, expected: Vec::new(), has_games }
}
