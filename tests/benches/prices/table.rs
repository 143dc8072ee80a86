//! How each field of the schema is requested, and what it costs.
//!
//! The fields are found by introspection. A field without required arguments is requested by its name alone;
//! the others are in [`SPELLED`]. A new type needs a host in [`host`], and a new field with required
//! arguments a line in [`SPELLED`]; otherwise the run ends with its name.

#[path = "tournament.rs"]
mod tournament;

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use async_graphql::Request;
use plybook_api::access::Caller;
use plybook_api::http::Client;
use plybook_api::load::{Allowance, Load, LoadLimits, UNIT_US};
use plybook_api::schema::{self, Schema};
use plybook_api::service::{AnalysisState, Details, NODES_MAX, NewGame, NewLine, NewSeat, Service};
use plybook_events::LogId;
use plybook_rules::Rules;
use plybook_store::{Append, Store};
use plybook_tlog::Quorum;
use plybook_tournaments::random::{self, Settings};
use plybook_tournaments::trf::Version;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};

pub use self::tournament::Size;
use crate::support::{Game, draw, id, long_game, random_game, timed_on_core};

/// The most that a field may cost, as a multiple of its price.
pub const TOLERANCE: f64 = 3.0;

/// The least CPU time that matters, in microseconds: below it, only the price of a whole operation is
/// noticeable.
pub const WORTH_US: f64 = 50.0;

/// The amount of data to query.
#[derive(Clone, Copy)]
pub struct Scale {
    /// The number of games of the kind.
    pub games: u64,
    /// The number of shorter games of the kind, recorded before those.
    pub crowd: u64,
    /// The plies of each game, if it lasts that long.
    pub plies: usize,
    /// The number of plies requested at once.
    pub span: usize,
    /// The number of lines of the first game.
    pub lines: usize,
    /// The tournaments.
    pub tournament: Size,
}

/// The scale that prices are set for.
pub const FULL: Scale =
    Scale { games: 24, crowd: 10_000, plies: 150, span: 60, lines: 45, tournament: Size { entrants: 200, rounds: 8 } };

/// The knock-out and the groups are smaller, and have this many rounds of results.
const SMALL: Size = Size { entrants: 32, rounds: 2 };

/// The number of the first game; the crowd's are lower.
pub const FIRST: u64 = 1 << 32;

/// The plies of a game of the crowd, and the number of different games in it.
const CROWD_PLIES: usize = 40;
const CROWD_GAMES: u64 = 200;

/// How many random games are drawn at most to find some that last.
const DRAWN_MAX: usize = 2_000;

/// The number of actions of a line.
const LINE: usize = 100;

/// How a field is requested if its name alone is not enough.
const SPELLED: &[(&str, &str)] = &[
    ("Query.node", "node(id: $G) { id }"),
    ("Query.nodes", "nodes(ids: [$G]) { id }"),
    ("Query.ruleSet", "ruleSet(kind: $K) { kind }"),
    ("Query.fold", "fold(kind: $K, setup: $S, actions: $A) { ply }"),
    ("Query.evaluate", "evaluate(kind: $K, setup: $S, actions: $A, playouts: 200) { draw }"),
    ("Query.game", "game(id: $G) { id }"),
    ("Query.explore", "explore(kind: $K, setup: $S, actions: $A) { games }"),
    ("Query.statistics", "statistics(kind: $K) { games }"),
    ("Query.search", "search(kind: $K, where: \"ply > 3 and mobility = 0\") { total }"),
    ("Query.consistency", "consistency(from: $E) { from }"),
    ("Query.player", "player(id: $P) { id }"),
    ("Head.qr", "qr(base: \"https://plybook.example\") { size }"),
    ("Query.previewPlayers", "previewPlayers(csv: $C) { errors }"),
    ("Query.previewTournament", "previewTournament(file: $W) { rounds }"),
    ("Player.statistics", "statistics(kind: $K) { games }"),
    ("Query.ratings", "ratings(kind: $K, provisional: true) { totalCount }"),
    ("Query.expectedScore", "expectedScore(kind: $K, players: $F)"),
    ("Player.ratingHistory", "ratingHistory(kind: $K) { __typename }"),
    ("Player.against", "against(opponent: $O) { draws }"),
    ("Position.scene", "scene"),
    ("Statistics.luck", "luck { name description seats { seat count expected actual } }"),
    ("Statistics.heat", "heat(what: $H) { total max places { key count } }"),
    ("Game.record", "record(format: JSON)"),
    ("Game.positions", "positions(from: 0, to: $L) { ply }"),
    ("Game.tree", "tree(maxNodes: $M) { nodes { id parent ply action by positionKey comment glyphs same lines } }"),
    ("Query.tournament", "tournament(id: $T) { id }"),
    ("Tournament.qr", "qr(base: \"https://plybook.example\") { size }"),
    ("Tournament.entrant", "entrant(number: 1) { number }"),
    ("Tournament.round", "round(number: 1) { number }"),
    ("Tournament.checkPairing", "checkPairing(round: $U, tables: $B) { __typename }"),
    ("Tournament.entrants", "entrants(first: $V) { __typename }"),
    ("Tournament.standings", "standings(first: $V) { __typename }"),
    ("Tournament.progress", "progress(first: $V) { __typename }"),
    ("Round.table", "table(number: 1) { number }"),
];

/// The same fields requested in other ways.
const ALSO: &[(&str, &str)] = &[
    ("Game.record NDJSON", "record(format: NDJSON)"),
    ("Game.record TEXT", "record(format: TEXT)"),
    ("Game.record SVG", "record(format: SVG)"),
    ("Query.game early", "game(id: $G) { position(ply: $L) { ply } }"),
    ("Game.position at", "position(ply: 0, at: $E) { ply }"),
    ("Game.moves keys", "moves(first: $E) { nodes { positionKey } }"),
    ("Game.scenes", "scenes(from: 0, to: $L)"),
    ("Game.analysis plies", "analysis { plies { ply chances draw best line lossOfPlayed luck glyph } }"),
    ("Game.figures", "figures { measures { value } luck { name } }"),
    (
        "Game.positions all",
        "positions(from: 0, to: $L) { ply position positionKey toAct legalActions(seat: 1) prompts { seat kind description schema example dice { seat dice } } scene text outcome { reason } }",
    ),
    (
        "Query.games seats",
        "games(first: $N, filter: {kind: $K, minPly: $Q}) { nodes { seats { number name result player { name } } } }",
    ),
    ("Query.games counted", "games(first: 1, filter: {tags: [\"none\"]}) { totalCount nodes { id } }"),
    ("Query.games by ply", "games(first: 1, orderBy: PLY_DESC) { nodes { id } }"),
    ("Query.explore filtered", "explore(kind: $K, setup: $S, filter: {tags: [\"none\"]}) { games }"),
    ("Query.statistics filtered", "statistics(kind: $K, filter: {tags: [\"none\"]}) { games }"),
    ("Query.rules documents", "rules { document setupSchema }"),
    ("Query.tournament at", "tournament(id: $T, seq: 300) { entrantsCount }"),
    ("Tournament.standings terms", "standings(first: $V) { score tieBreaks { value explanation terms { text } } }"),
    ("Tournament.progress cells", "progress(first: $V) { score cells { round score } }"),
];

/// Types whose fields are priced as a part of what selects them: names of arguments, and what only mutations and
/// subscriptions answer.
const NOT_ASKED: &[&str] = &[
    "Node",
    "Mutation",
    "Subscription",
    "Changes",
    "Change",
    "NewToken",
    "TableToken",
    "GameToken",
    "QrCode",
    "PlyAnalysis",
    "Tree",
    "TreeLine",
    "TreeNode",
    "Prompt",
    "SeatDice",
    "HeatMap",
    "FigureName",
    "Luck",
    "SeatLuck",
    "GameFigures",
    "GameMeasure",
    "Import",
    "Checkpoint",
    "Cosignature",
    "InclusionProof",
    "ConsistencyProof",
    "PlayerKey",
    "Signer",
    "RefoldDifference",
    "Correction",
];

/// A field, its price in microseconds, and the CPU time that it takes.
#[derive(Clone, Debug)]
pub struct Row {
    pub name: String,
    pub kind: &'static str,
    pub price: f64,
    /// The part of the price that pays for the memory of its values: one unit each.
    pub floor: f64,
    pub cpu_us: f64,
    pub bytes: f64,
}

impl Row {
    /// Whether it costs many times its price.
    pub fn is_too_cheap(&self) -> bool {
        self.cpu_us > TOLERANCE * self.price.max(WORTH_US)
    }

    /// Whether its price is many times what it costs.
    pub fn is_too_expensive(&self) -> bool {
        self.price - self.floor > TOLERANCE * self.cpu_us.max(WORTH_US)
    }
}

/// The most expensive query that the limits permit.
pub struct Attack {
    pub name: String,
    pub query: String,
    pub price: u64,
    pub cpu_us: f64,
    pub bytes: usize,
}

/// Games of one kind to query.
pub struct Prices {
    rules: &'static dyn Rules,
    scale: Scale,
    schema: Schema,
    /// Without limits, for measuring.
    load: Load,
    /// With the limits that the service has by default, except budgets.
    limited: Load,
    runtime: Runtime,
    words: Vec<(&'static str, String)>,
    /// The folder of the transparency log, which is removed when it is dropped.
    _tlog: TempDir,
}

/// What an operation costs, in units and in CPU time of the thread that executes it.
pub struct Cost {
    pub price: u64,
    pub cpu: Duration,
    pub bytes: usize,
    pub data: Value,
}

/// The context of a field: the text around it, and how many objects answer it.
struct Host {
    before: String,
    after: &'static str,
    objects: usize,
}

impl Prices {
    /// A service with games of a kind.
    pub fn new(rules: &'static dyn Rules, scale: Scale) -> Self {
        let kind = rules.about().kind;
        let tlog_dir = TempDir::new().expect("a folder can be made");
        let store = Store::in_memory().expect("it is in memory");
        store.keep_tlog(tlog_dir.path(), None, Quorum::default(), false).expect("it is new");
        let service = Service::start(store).expect("it is empty");
        let player = |n: u64| service.create_player(Details::named(&format!("Player {n}"))).expect("it is a name").id;
        let players: Vec<LogId> = (0..2 + scale.crowd / 10).map(player).collect();
        crowd(&service, rules, scale.crowd, &players[..2]);
        let long = long_game(rules, 1, scale.plies);
        append(&service, &long, id(FIRST));
        // Random games may be over early; those that last as long as what is asked about are taken.
        let lasting = (2..).map(|n| (n, random_game(rules, n, scale.plies))).take(DRAWN_MAX);
        let lasting = lasting.filter(|(_, game)| game.actions.len() > scale.span);
        for (n, game) in lasting.take(scale.games as usize - 1) {
            append(&service, &game, id(FIRST + n));
        }
        let nodes = 1 + long.actions.len() + fork(&service, &long, scale.lines);
        let seats = usize::from(rules.start(&long.setup).expect("it has been played").seats());
        let seat = |n: usize| NewSeat { player: players.get(n).copied(), name: Some(format!("P{n}")) };
        let new = NewGame { kind: kind.to_owned(), seats: (0..seats).map(seat).collect(), ..NewGame::default() };
        let rated = service.create_game(&new).expect("it is a setup").replay().log();
        let formats = tournament::formats(rules, scale.tournament.rounds + 1);
        let held: Vec<_> = (0..)
            .zip(&formats)
            .map(|(n, format)| tournament::play(&service, rules, format, if n == 0 { scale.tournament } else { SMALL }))
            .collect();
        let tournament = |n: usize| format!("\"{}\"", held[n.min(held.len() - 1)].tournament().id);
        let schema = schema::build(Arc::clone(&service));
        let heat = rules.heat().first().map_or("none", |label| label.name);
        let actions: Vec<String> =
            long.actions.iter().take(scale.span).map(|(actor, action)| word(*actor, action)).collect();
        let words = vec![
            ("$G", format!("\"{}\"", id(FIRST))),
            ("$K", format!("\"{kind}\"")),
            ("$P", format!("\"{}\"", players[0])),
            ("$O", format!("\"{}\"", players[1])),
            ("$C", graphql(&json!(list_of_players()))),
            ("$W", graphql(&json!(report_file()))),
            ("$F", graphql(&json!(players[..usize::from(rules.about().seats_min)]))),
            ("$R", format!("\"{rated}\"")),
            ("$H", format!("\"{heat}\"")),
            ("$S", graphql(&long.setup)),
            ("$A", graphql(&json!(actions))),
            ("$T", tournament(0)),
            ("$X", tournament(1)),
            ("$Y", tournament(2)),
            ("$U", (scale.tournament.rounds + 1).to_string()),
            ("$V", scale.tournament.entrants.to_string()),
            ("$B", tournament::tables(&held[0]).to_string()),
            ("$N", scale.games.to_string()),
            ("$Q", (scale.span + 1).to_string()),
            ("$E", scale.span.to_string()),
            ("$L", (scale.span - 1).to_string()),
            ("$M", nodes.min(NODES_MAX).to_string()),
        ];
        let free = Allowance { burst: None, ..LoadLimits::default().client };
        let limited = LoadLimits { client: free, workers: 1, ..LoadLimits::default() };
        let unlimited =
            LoadLimits { operation_units: u32::MAX, operation_cpu_ms: u64::MAX, answer_bytes: usize::MAX, ..limited };
        let (load, limited) = (Load::new(unlimited), Load::new(limited));
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime can be made");
        let tlog = service.tlog().expect("it is kept");
        while tlog.published().checkpoint.size < service.log().len() {
            std::thread::sleep(Duration::from_millis(10));
        }
        analyse(&service, (0..scale.games + DRAWN_MAX as u64).map(|n| id(FIRST + n)));
        let prices = Self { rules, scale, schema, load, limited, runtime, words, _tlog: tlog_dir };
        // A game that is rated.
        prices.ask(&prices.fill("mutation { adjudicate(game: $R, input: {winners: [1], reason: \"r\"}) { id } }"));
        prices
    }

    /// Every field of the schema, each measured this often.
    pub fn rows(&self, times: usize) -> Vec<Row> {
        let mut rows = Vec::new();
        for (name, text) in self.fields() {
            let of = name.split('.').next().expect("there is a first part");
            let host = host(of, self.scale).unwrap_or_else(|| panic!("{name}: the type {of} has no host"));
            rows.push(self.measure(&name, &host, &self.fill(&text), times));
        }
        rows
    }

    /// The fields, and how they are requested.
    fn fields(&self) -> Vec<(String, String)> {
        let asked = "{ __schema { types { kind name fields { name args { type { kind } defaultValue } type { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } }";
        let told = self.ask(asked).data;
        let spelled: BTreeMap<_, _> = SPELLED.iter().copied().collect();
        let mut fields = Vec::new();
        for of in told["__schema"]["types"].as_array().expect("it is a list") {
            let name = of["name"].as_str().expect("it has a name");
            if of["kind"] != "OBJECT" || name.starts_with("__") || NOT_ASKED.contains(&name) {
                continue;
            }
            for field in of["fields"].as_array().expect("an object has fields") {
                let field_name = field["name"].as_str().expect("it has a name");
                let key = format!("{name}.{field_name}");
                let text = spelled.get(key.as_str()).map(|text| (*text).to_owned());
                let text = text.unwrap_or_else(|| {
                    let args = field["args"].as_array().expect("it is a list");
                    let is_required = |arg: &Value| arg["type"]["kind"] == "NON_NULL" && arg["defaultValue"].is_null();
                    assert!(!args.iter().any(is_required), "{key} is not spelled out");
                    if is_object(&field["type"]) {
                        format!("{field_name} {{ __typename }}")
                    } else {
                        field_name.to_owned()
                    }
                });
                fields.push((key, text));
            }
        }
        fields.extend(ALSO.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())));
        fields
    }

    fn measure(&self, name: &str, host: &Host, text: &str, times: usize) -> Row {
        let before = self.fill(&host.before);
        let query = format!("{before}{text}{}", host.after);
        let without = format!("{before}__typename{}", host.after);
        let (mut cost, mut base) = (self.ask(&query), self.ask(&without));
        // Taking turns, so that other work on the machine slows both down.
        for _ in 0..times {
            for (query, least) in [(&query, &mut cost), (&without, &mut base)] {
                least.cpu = least.cpu.min(self.ask(query).cpu);
            }
        }
        let objects = host.objects as f64;
        // Less than a fifth of the context cannot be told from noise.
        let own = cost.cpu.saturating_sub(base.cpu.mul_f64(1.2));
        Row {
            name: name.to_owned(),
            kind: self.rules.about().kind,
            price: (cost.price as f64 - base.price as f64) * UNIT_US as f64 / objects,
            floor: (values(&cost.data) as f64 - values(&base.data) as f64) * UNIT_US as f64 / objects,
            cpu_us: own.as_secs_f64() * 1e6 / objects,
            bytes: (cost.bytes as f64 - base.bytes as f64) / objects,
        }
    }

    /// What an operation costs, with its data.
    pub fn ask(&self, query: &str) -> Cost {
        self.ask_within(query, &self.load).unwrap_or_else(|| panic!("{query} is too expensive"))
    }

    /// What an operation costs, if it is within the limits.
    fn ask_within(&self, query: &str, load: &Load) -> Option<Cost> {
        let client = Client::at(Ipv4Addr::LOCALHOST.into());
        let execution = load.execution(client);
        let request = Request::new(query).data(Caller::ADMIN).data(Arc::clone(&execution));
        let mut answer = String::new();
        let cpu = timed_on_core(|| {
            let response = self.runtime.block_on(self.schema.execute(request));
            answer = serde_json::to_string(&response).expect("it is JSON");
        });
        let mut told: Value = serde_json::from_str(&answer).unwrap_or_else(|why| panic!("{query}: {why}"));
        if told["errors"][0]["extensions"]["code"] == "TOO_COMPLEX" {
            return None;
        }
        assert!(told.get("errors").is_none(), "{query}: {}", told["errors"]);
        Some(Cost { price: execution.price(), cpu, bytes: answer.len(), data: told["data"].take() })
    }

    fn fill(&self, text: &str) -> String {
        self.words.iter().fold(text.to_owned(), |text, (name, word)| text.replace(name, word))
    }
}

/// The most expensive queries that the limits permit: as many as fit into one operation of the fields whose
/// CPU time or bytes are highest for their price.
pub fn attacks(prices: &Prices, times: usize) -> Vec<Attack> {
    let mut rows = prices.rows(times);
    rows.retain(|row| row.cpu_us > WORTH_US / 2.0);
    let mut names: Vec<String> = Vec::new();
    for worth in [|row: &Row| row.cpu_us / row.price, |row: &Row| row.bytes / row.price] {
        rows.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
        names.extend(rows.iter().take(5).map(|row| row.name.clone()));
    }
    let fields: BTreeMap<_, _> = prices.fields().into_iter().collect();
    let attack = |name: &String| {
        let of = host(name.split('.').next()?, prices.scale)?;
        let text = prices.fill(&fields[name]);
        (1..=29_usize).rev().find_map(|copies| {
            let fields: Vec<String> = (0..copies).map(|n| format!("a{n}: {text}")).collect();
            let query = format!("{}{}{}", prices.fill(&of.before), fields.join(" "), of.after);
            let Cost { price, cpu, bytes, .. } = prices.ask_within(&query, &prices.limited)?;
            Some(Attack { name: name.clone(), query, price, cpu_us: cpu.as_secs_f64() * 1e6, bytes })
        })
    };
    names.iter().filter_map(attack).collect()
}

/// Records shorter, finished games of two players; a few games are repeated again and again.
fn crowd(service: &Service, rules: &'static dyn Rules, games: u64, players: &[LogId]) {
    let different: Vec<_> = (0..games.min(CROWD_GAMES)).map(|n| random_game(rules, n, CROWD_PLIES)).collect();
    let numbers: Vec<u64> = (0..games).collect();
    for some in numbers.chunks(500) {
        let event = |n: &u64| (id(*n), different[*n as usize % different.len()].finished_log(id(*n), players).1);
        let appends = some.iter().map(event).map(|(log, events)| Append { log, expected: None, events });
        for appended in service.log().append_many(&appends.collect::<Vec<_>>()) {
            appended.expect("it is in memory");
        }
    }
}

/// Forks lines from a game, each with random actions. Returns the number of their own plies.
fn fork(service: &Service, game: &Game, lines: usize) -> usize {
    let mut draw = draw(7);
    let replay = service.game(id(FIRST)).expect("it was recorded").replay();
    let mut plies = 0;
    for number in 0..lines {
        let ply = number * game.actions.len() / (lines + 1);
        let mut position = replay.position_at(ply).expect("it has as many plies");
        let mut actions = Vec::new();
        while actions.len() < LINE
            && let Some(actor) = position.to_act().iter().next()
        {
            let action = position.sample(actor, &mut draw);
            position.act(actor, &action).expect("what is sampled is legal");
            actions.push(word(actor, &action));
        }
        plies += actions.len();
        let line = NewLine {
            game: id(FIRST),
            ply,
            actions,
            position: None,
            name: None,
            assume: Vec::new(),
            owner: None,
            is_hidden: false,
        };
        service.fork(line).expect("it can be forked");
    }
    plies
}

/// The number of values in an answer.
fn values(of: &Value) -> usize {
    match of {
        Value::Array(items) => items.iter().map(values).sum(),
        Value::Object(members) => members.values().map(|value| 1 + values(value)).sum(),
        _ => 0,
    }
}

fn append(service: &Service, game: &Game, id: LogId) {
    service.log().append(id, None, game.log(id).1).expect("it is in memory");
}

fn word(actor: plybook_rules::Actor, action: &str) -> String {
    match actor {
        plybook_rules::Actor::Seat(seat) => format!("{seat}:{action}"),
        plybook_rules::Actor::Chance => action.to_owned(),
    }
}

/// The number of players in the imported list.
const LISTED: usize = 200;

/// A list of players to import, a few of whom are registered.
fn list_of_players() -> String {
    let lines = (0..LISTED - 2).map(|n| format!("Player {n},Club {n},SE,1990\n"));
    ["name,club,country,year_of_birth\nAnn,,,\nBen,North,,\n".to_owned()].into_iter().chain(lines).collect()
}

/// A report file with as many entrants.
fn report_file() -> String {
    let settings = Settings { players: LISTED as u16, rounds: 5, seed: 1, is_accelerated: false, is_fast: false };
    let report = random::tournament(&settings, &|_, _| ControlFlow::Continue(())).expect("it can be paired");
    report.write(Version::Trf26).expect("it has a place for everything")
}

/// A value as GraphQL writes it.
fn graphql(value: &Value) -> String {
    async_graphql::Value::from_json(value.clone()).expect("it is plain data").to_string()
}

fn is_object(of: &Value) -> bool {
    match of["kind"].as_str() {
        Some("NON_NULL" | "LIST") => is_object(&of["ofType"]),
        kind => matches!(kind, Some("OBJECT" | "INTERFACE")),
    }
}

/// Analyses those of these games that are there.
fn analyse(service: &Arc<Service>, games: impl Iterator<Item = LogId>) {
    for live in games.filter_map(|game| service.game(game).ok()) {
        service.analyse(live.at(), 1, None).expect("it is analysed");
        let game = live.replay().log();
        while service.analysis(game).expect("it can be read").is_none_or(|found| found.state != AnalysisState::Done) {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// The place where the fields of a type are requested.
fn host(of: &str, scale: Scale) -> Option<Host> {
    // The games of full length: those of tournaments, which are newer, have no plies.
    let games = "{ games(first: $N, filter: {kind: $K, minPly: $Q}) { ";
    let game = "{ game(id: $G) { ";
    let evaluate = "{ evaluate(kind: $K, setup: $S, actions: $A, playouts: 9) {";
    let all = scale.games as usize;
    let (before, after, objects) = match of {
        "Query" => ("{ ".to_owned(), " }", 1),
        "Game" => (format!("{games} nodes {{ "), " } } }", all),
        "GameConnection" => (games.to_owned(), " } }", 1),
        "GameEdge" => (format!("{games} edges {{ "), " } } }", all),
        "PageInfo" => (format!("{games} pageInfo {{ "), " } } }", 1),
        "Outcome" => (format!("{games} nodes {{ outcome {{ "), " } } } }", all),
        "Deadline" => (format!("{games} nodes {{ deadline {{ "), " } } } }", all),
        "Head" => (format!("{games} nodes {{ head {{ "), " } } } }", all),
        "SigningPlace" => (format!("{games} nodes {{ signingPlace {{ "), " } } } }", all),
        "Seat" => (format!("{games} nodes {{ seats {{ "), " } } } }", 2 * all),
        "Verification" => (format!("{game} verification {{ "), " } } }", 1),
        "Refold" => (format!("{game} refold {{ "), " } } }", 1),
        "Analysis" => (format!("{game} analysis {{ "), " } } }", 1),
        "Position" => (format!("{game} positions(from: 0, to: $L) {{ "), " } } }", scale.span),
        "MoveConnection" => (format!("{game} moves(first: $E) {{ "), " } } }", 1),
        "MoveEdge" => (format!("{game} moves(first: $E) {{ edges {{ "), " } } } }", scale.span),
        "Move" => (format!("{game} moves(first: $E) {{ nodes {{ "), " } } } }", scale.span),
        "EventConnection" => (format!("{game} events(first: $E) {{ "), " } } }", 1),
        "EventEdge" => (format!("{game} events(first: $E) {{ edges {{ "), " } } } }", scale.span),
        "Event" => (format!("{game} events(first: $E) {{ nodes {{ "), " } } } }", scale.span),
        "Fork" => ("{ games(first: 1, filter: {origin: ANALYSIS}) { nodes { forkedFrom { ".to_owned(), " } } } }", 1),
        "Player" => ("{ player(id: $P) { ".to_owned(), " } }", 1),
        "PlayerConnection" => ("{ players { ".to_owned(), " } }", 1),
        "PlayerEdge" => ("{ players { edges { ".to_owned(), " } } }", 2),
        "PlayerImport" => ("{ previewPlayers(csv: $C) { ".to_owned(), " } }", 1),
        "PlayerImportLine" => ("{ previewPlayers(csv: $C) { lines { ".to_owned(), " } } }", LISTED),
        "ReportPreview" => ("{ previewTournament(file: $W) { ".to_owned(), " } }", 1),
        "ReportEntrant" => ("{ previewTournament(file: $W) { entrants { ".to_owned(), " } } }", LISTED),
        "Rating" => ("{ player(id: $P) { ratings { ".to_owned(), " } } }", 1),
        "RatingPoint" => ("{ player(id: $P) { ratingHistory(kind: $K, last: 1) { ".to_owned(), " } } }", 1),
        "RatingConnection" => ("{ ratings(kind: $K, provisional: true) { ".to_owned(), " } }", 1),
        "RatingEdge" => ("{ ratings(kind: $K, provisional: true) { edges { ".to_owned(), " } } }", 1),
        "Results" => ("{ statistics(kind: $K) { results { ".to_owned(), " } } }", 1),
        "Explorer" => ("{ explore(kind: $K, setup: $S) { ".to_owned(), " } }", 1),
        "ExplorerAction" => ("{ explore(kind: $K, setup: $S) { actions(first: 1) { ".to_owned(), " } } }", 1),
        "Statistics" => ("{ statistics(kind: $K) { ".to_owned(), " } }", 1),
        "Search" => ("{ search(kind: $K, where: \"ply = 1\", first: 1) { ".to_owned(), " } }", 1),
        "SearchHit" => ("{ search(kind: $K, where: \"ply = 1\", first: 1) { hits { ".to_owned(), " } } }", 1),
        "Searched" => ("{ search(kind: $K, where: \"ply = 1\", first: 1) { searched { ".to_owned(), " } } }", 1),
        "Evaluation" => (format!("{evaluate} "), " } }", 1),
        "EvaluatedAction" => (format!("{evaluate} actions(first: 1) {{ "), " } } }", 1),
        "Proof" => (format!("{evaluate} proof {{ "), " } } }", 1),
        "Fact" => ("{ ruleSet(kind: $K) { facts { ".to_owned(), " } } }", 10),
        "Distribution" => ("{ statistics(kind: $K) { plies { ".to_owned(), " } } }", 1),
        "Count" => ("{ statistics(kind: $K) { reasons { ".to_owned(), " } } }", 1),
        "AnalysisStatistics" => ("{ statistics(kind: $K) { analysis { ".to_owned(), " } } }", 1),
        "MarkedActions" => ("{ statistics(kind: $K) { analysis { phases { ".to_owned(), " } } } }", 3),
        "MeanChances" => ("{ statistics(kind: $K) { analysis { chances { ".to_owned(), " } } } }", 150),
        "Measure" => ("{ statistics(kind: $K) { measures { ".to_owned(), " } } }", 3),
        "RuleSet" => ("{ ruleSet(kind: $K) { ".to_owned(), " } }", 1),
        "Me" => ("{ me { ".to_owned(), " } }", 1),
        of => return tournament::host(of, scale),
    };
    Some(Host { before, after, objects })
}
