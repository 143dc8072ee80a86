//! Explorer and statistics compared with an independent computation: `tests/python/statistics.py`, which runs SQL
//! over the program's export.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use async_graphql::{Request, Variables};
use plybook_api::schema::{self, Schema};
use plybook_api::service::{NewLine, Service};
use plybook_example::{kind, kinds};
use plybook_generator::Plan;
use plybook_store::{Options, Store};
use serde_json::{Value, json};

use crate::plybook::{program, run};

/// The number of generated games of each kind.
const GAMES: u64 = 50;

const STATISTICS: &str = "games finished results { ...R } plies { ...D } durationMs { ...D } branching { ...D } \
    reasons { ...C } byMonth { ...C } \
    firstActions(first: 200) { action positionKey games results { ...R } lastPlayed } luck { name seats { seat count expected actual } } \
    measures { name value distribution { ...D } }";

const FRAGMENTS: &str = "fragment R on Results { wins draws other } fragment C on Count { key count } \
    fragment D on Distribution { count min max mean median p10 p90 histogram { ...C } }";

const EXPLORE: &str = "query($kind: String!, $setup: JSON, $actions: [String!], $filter: GameFilter) { \
    explore(kind: $kind, setup: $setup, actions: $actions, filter: $filter) { \
    games results { ...R } actions(first: 1000) { action games results { ...R } lastPlayed } \
    recentGames { id } position { positionKey } } } \
    fragment R on Results { wins draws other }";

/// The caller.
struct Asker {
    schema: Schema,
    runtime: tokio::runtime::Runtime,
}

impl Asker {
    fn ask(&self, query: &str, variables: &Value) -> Value {
        let request = Request::new(query).variables(Variables::from_json(variables.clone()));
        let response = self.runtime.block_on(self.schema.execute(request));
        assert!(response.errors.is_empty(), "{variables}: {:?}", response.errors);
        response.data.into_json().unwrap()
    }

    fn statistics(&self, name: &str, filter: &Value) -> Value {
        let heats = kind(name).unwrap().heat().into_iter().map(|heat| heat.name);
        let heat: String = heats
            .clone()
            .map(|what| format!("{what}Heat: heat(what: \"{what}\") {{ total max places {{ ...C }} }} "))
            .collect();
        let query = format!(
            "query($kind: String!, $filter: GameFilter) {{ \
             statistics(kind: $kind, filter: $filter) {{ {STATISTICS} {heat} }} }} {FRAGMENTS}"
        );
        let mut answer = self.ask(&query, &json!({"kind": name, "filter": filter}))["statistics"].take();
        let heats: serde_json::Map<String, Value> = heats
            .map(|what| {
                let mut heat = answer.as_object_mut().unwrap().remove(&format!("{what}Heat")).unwrap();
                heat["places"] = by_name(&heat["places"], "key", |place| place["count"].clone());
                (what.to_owned(), heat)
            })
            .collect();
        answer["heat"] = heats.into();
        answer["luck"] = by_name(&answer["luck"], "name", |luck| luck["seats"].clone());
        json!({"field": "statistics", "kind": name, "filter": filter, "answer": answer})
    }

    fn explore(&self, name: &str, setup: &Value, actions: &Value, filter: &Value) -> Value {
        let asked = json!({"kind": name, "setup": setup, "actions": actions, "filter": filter});
        let answer = self.ask(EXPLORE, &asked)["explore"].take();
        json!({"field": "explore", "kind": name, "setup": setup, "actions": actions, "filter": filter, "answer": answer})
    }
}

/// A list of things with names as an object, which is easier to compare.
fn by_name(list: &Value, name: &str, value: impl Fn(&Value) -> Value) -> Value {
    list.as_array().unwrap().iter().map(|one| (one[name].as_str().unwrap().to_owned(), value(one))).collect()
}

/// Fills a store with generated games and lines that fork from them, and exports it.
fn filled(data: &Path, plan: &Plan) -> (Store, Vec<Value>) {
    let open = || Store::open(data, &Options::default(), &mut |_, _| ()).unwrap();
    let store = open();
    plan.fill(&store, 0, &mut |_| ()).unwrap();
    let service = Service::start(store).unwrap();
    for n in 0..20 {
        let game = plan.game(n).unwrap().log;
        let Ok(replay) = service.glance(game) else { continue };
        // A ply that the public does not know cannot be forked from.
        if replay.is_open() && !replay.mainline().is_empty() {
            let (ply, name, owner) = (1, None, None);
            let line = NewLine {
                game,
                ply,
                actions: Vec::new(),
                position: None,
                name,
                assume: Vec::new(),
                owner,
                is_hidden: false,
            };
            service.fork(line).unwrap();
        }
    }
    service.close();
    drop(service);
    let records = run(&["export", "--format", "json", "--data", data.to_str().unwrap()]).ok();
    std::fs::write(data.with_extension("json"), &records).unwrap();
    (open(), records.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// Filters that match something in a kind: `record` is one of its games.
fn filters(plan: &Plan, record: &Value) -> Vec<Value> {
    let first: Value = serde_json::from_str(record["events"][0].as_str().unwrap()).unwrap();
    let player = |n| plan.player_id(n).to_string();
    vec![
        Value::Null,
        json!({"status": "FINISHED"}),
        json!({"status": "RUNNING"}),
        json!({"status": "VOID"}),
        json!({"player": player(0), "since": "2024-06-01T00:00:00.000Z"}),
        json!({"player": player(1), "seat": 1}),
        json!({"players": [player(0), player(2)], "minPly": 10}),
        json!({"winner": player(0), "maxPly": 45}),
        json!({"reason": "agreement", "minPly": 25}),
        json!({"tags": ["venue=Hall A"], "until": "2026-01-01T00:00:00.000Z"}),
        json!({"tags": ["venue"], "status": "FINISHED"}),
        json!({"setup": first["body"]["setup"], "since": record["createdAt"]}),
        json!({"tournament": plan.game(0).map(|game| tournament(&game.events)).unwrap()}),
    ]
}

/// The tournament of the game with these events.
fn tournament(events: &[Vec<u8>]) -> Value {
    let first: Value = serde_json::from_slice(&events[0]).unwrap();
    first["body"]["tournament"].clone()
}

/// All queries, with the answers.
fn answers(asker: &Asker, plan: &Plan, records: &[Value]) -> Vec<Value> {
    let mut answers = Vec::new();
    for rules in kinds() {
        let name = rules.about().kind;
        let is_told = |record: &&Value| {
            let events = record["events"].as_array().unwrap();
            record["kind"] == name
                && !events[0].as_str().unwrap().contains("sealed_setup")
                && record["status"] == "finished"
        };
        let told: Vec<&Value> = records.iter().filter(is_told).collect();
        for filter in filters(plan, told[told.len() / 2]) {
            answers.push(asker.statistics(name, &filter));
        }
        for (n, record) in told.iter().take(8).enumerate() {
            let actions = record["actions"].as_array().unwrap();
            for ply in [0, 1, 2, 3 + n, actions.len()] {
                let words = Value::from(&actions[..ply.min(actions.len())]);
                answers.push(asker.explore(name, &record["setup"], &words, &Value::Null));
            }
            let filter = json!({"status": "FINISHED", "since": "2024-06-01T00:00:00.000Z"});
            answers.push(asker.explore(name, &record["setup"], &json!(actions[..1]), &filter));
        }
    }
    answers
}

/// The other computation's verdict on answers: its status and its output.
fn judged(data: &Path, answers: &[Value]) -> (bool, String) {
    let asked = data.with_extension("answers");
    std::fs::write(&asked, Value::from(answers).to_string()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/statistics.py");
    let mut command = Command::new("python3");
    let output = command.arg(script).arg(program()).arg(data.with_extension("json")).arg(asked).output().unwrap();
    let problem = String::from_utf8_lossy(&output.stderr);
    assert!(problem.is_empty(), "{problem}");
    (output.status.success(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn every_figure_agrees_with_another_computation() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let games = GAMES * kinds().len() as u64;
    let plan = Plan::new(games, 3, None);
    let (store, records) = filled(&data, &plan);
    let service = Service::start(store).unwrap();
    let asker = Asker { schema: schema::build(Arc::clone(&service)), runtime: tokio::runtime::Runtime::new().unwrap() };
    let mut answers = answers(&asker, &plan, &records);
    let found = answers.iter().filter(|told| told["answer"]["games"].as_u64().unwrap() > 0).count();
    assert!(answers.len() > 50 * kinds().len() && found * 10 > answers.len() * 9, "{found} of {}", answers.len());
    let (is_right, said) = judged(&data, &answers);
    assert!(is_right, "{said}");
    assert!(said.contains(&format!(" of {games} games with ")) && said.ends_with(" 0 differ\n"), "{said}");
    // A wrong figure would be found.
    let is_told =
        |told: &&mut Value| told["field"] == "statistics" && told["kind"] == "thrones" && told["filter"].is_null();
    let told = answers.iter_mut().rfind(is_told).unwrap();
    for pointer in
        ["/games", "/measures/4/distribution/histogram/0/count", "/luck/battles/0/actual", "/heat/visits/max"]
    {
        let figure = told["answer"].pointer_mut(pointer).unwrap();
        *figure = (figure.as_u64().unwrap() + 1).into();
    }
    let (is_right, said) = judged(&data, std::slice::from_ref(told));
    assert!(!is_right && said.ends_with(" 4 differ\n"), "{said}");
}
