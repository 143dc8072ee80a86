//! Answers that go over many lines, events or entrants: what they may take, where they are executed, and what a mutation
//! says if its answer is too large.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use actix_web::test::{TestRequest, call_service, init_service, read_body};
use plybook_api::access::Caller;
use plybook_api::http::{Doors, Gate, Limits, Metrics, Readiness, Site, app};
use plybook_api::load::{Allowance, LoadLimits, Meter};
use plybook_api::schema;
use plybook_api::service::{Entry, JobState, NewGame, NewLine, NewSeat, NewTournament, Service};
use plybook_events::body::{Annotated, TournamentSettings};
use plybook_events::{Actor, By, LogId};
use plybook_rules::log::Command;
use plybook_tests::store;
use serde_json::{Value, json};

/// The lines of the game with many lines.
const LINES: usize = 800;

/// The comments of the long game.
const COMMENTS: usize = 3_000;

const ENTRANTS: usize = 80;

/// Logs that are expensive to read.
struct Hostile {
    service: Arc<Service>,
    /// A game with [`LINES`] lines.
    many_lines: LogId,
    /// A game with [`COMMENTS`] comments.
    long: LogId,
    /// A Swiss of [`ENTRANTS`] with a paired round.
    tournament: LogId,
    /// An ordinary game.
    small: LogId,
}

impl Hostile {
    fn get() -> &'static Self {
        static MADE: OnceLock<Hostile> = OnceLock::new();
        MADE.get_or_init(Self::new)
    }

    fn new() -> Self {
        plybook_example::register();
        let service = Service::start(store::new()).unwrap();
        let game = || {
            let new = NewGame { kind: "triangulate".into(), seats: vec![NewSeat::default(); 2], ..NewGame::default() };
            let live = service.create_game(&new).unwrap();
            let actions = ["b1-b2", "h7-h6"].map(|action| action.to_owned());
            for (action, seat) in actions.into_iter().zip(1..) {
                let act = Command::Act { actor: Actor::Seat(seat), action, clock_ms: None };
                service.command(&live, &[act], None).unwrap();
            }
            live
        };
        let (many_lines, long, small) = (game().replay().log(), game(), game().replay().log());
        for n in 0..LINES {
            let line = NewLine {
                game: many_lines,
                ply: 2,
                actions: Vec::new(),
                position: None,
                name: Some(format!("{n} {}", "x".repeat(60))),
                assume: Vec::new(),
                owner: None,
                is_hidden: false,
            };
            service.fork(line).unwrap();
        }
        let comment = |n: usize| {
            let said = Annotated { ply: 1, comment: Some(format!("{n} {}", "y".repeat(300))), glyphs: Vec::new() };
            Command::Annotate { by: By::Arbiter, annotated: said }
        };
        for n in (0..COMMENTS).step_by(500) {
            let comments: Vec<Command> = (n..n + 500).map(comment).collect();
            service.command(&long, &comments, None).unwrap();
        }
        let tournament = Self::paired(&service);
        Self { many_lines, long: long.replay().log(), tournament, small, service }
    }

    fn paired(service: &Arc<Service>) -> LogId {
        let settings: TournamentSettings = serde_json::from_value(json!({
            "name": "Open", "kind": "triangulate", "seats": { "least": 2, "most": 2 },
            "format": { "format": "swiss", "rounds": 5 },
            "scoring": { "by": "result", "win": 10, "draw": 5, "loss": 0 }, "tie_breaks": ["BH"],
        }))
        .unwrap();
        let live = service.create_tournament(NewTournament { settings, players: Vec::new() }).unwrap();
        let entry = |n| Entry { name: Some(format!("Player {n}")), ..Entry::default() };
        service.enter(&live, None, (0..ENTRANTS).map(entry).collect()).unwrap();
        let job = service.pair_round(&live, None).unwrap();
        while matches!(job.state(), JobState::Queued | JobState::Running) {
            std::thread::yield_now();
        }
        live.tournament().id
    }
}

/// The service over HTTP, within limits of its own. Whoever has a token is the administrator.
struct Door {
    site: Site,
    metrics: Metrics,
}

/// What was answered.
struct Told {
    body: Value,
    bytes: usize,
    /// How often something waited for the heavy lane.
    heavy: u64,
}

impl Door {
    fn new(load: LoadLimits) -> Self {
        let free = Allowance { burst: None, ..load.client };
        let limits = Limits { load: LoadLimits { client: free, administrator: free, ..load }, ..Limits::default() };
        let metrics = Metrics::new();
        let identify = |token: Option<&str>| Ok(token.map_or(Caller::SPECTATOR, |_| Caller::ADMIN));
        let gate = Gate::new(schema::build(Arc::clone(&Hostile::get().service)), identify, limits, metrics.clone());
        Self { site: Site::new(gate, Doors::default(), || Readiness::Ready), metrics }
    }

    async fn ask(&self, query: &str) -> Told {
        let app = init_service(app(self.site.clone(), |_| {})).await;
        let before = self.heavy();
        let request = TestRequest::post().uri("/graphql").insert_header(("authorization", "Bearer a"));
        let answer = call_service(&app, request.set_json(json!({ "query": query })).to_request()).await;
        let bytes = read_body(answer).await;
        let body = serde_json::from_slice(&bytes).unwrap();
        Told { body, bytes: bytes.len(), heavy: self.heavy() - before }
    }

    fn heavy(&self) -> u64 {
        let text = self.metrics.text();
        let name = "plybook_lane_wait_seconds_count{lane=\"heavy\"} ";
        text.lines().find_map(|line| line.strip_prefix(name)).unwrap().parse().unwrap()
    }
}

/// Held by tests that record, and count what is recorded.
static WRITING: tokio::sync::Mutex<()> = tokio::sync::Mutex::const_new(());

/// A field of a game.
type Field = (LogId, &'static str);

/// Fields of games that cost far more than their price, and those that cost less.
fn fields() -> ([Field; 6], [Field; 5]) {
    let Hostile { many_lines, long, small, .. } = *Hostile::get();
    let expensive = [
        (many_lines, "tree(maxNodes: 5000) { lines { id } }"),
        (many_lines, "record(format: JSON)"),
        (many_lines, "record(format: TEXT)"),
        (long, "record(format: NDJSON)"),
        (long, "verification { valid }"),
        (long, "refold { verdict }"),
    ];
    let cheap = [
        (many_lines, "tree(maxNodes: 1) { nodes { id } next }"),
        (many_lines, "id ply"),
        (small, "tree { totalLines lines { id } nodes { id lines } next }"),
        (small, "record(format: JSON)"),
        (small, "verification { valid }"),
    ];
    (expensive, cheap)
}

/// Limits that nothing here reaches.
fn free() -> LoadLimits {
    LoadLimits {
        operation_cpu_ms: 600_000,
        cheap_cpu: Duration::MAX / 2,
        answer_bytes: 1 << 30,
        ..LoadLimits::default()
    }
}

/// Where no time is left among cheap operations, whatever goes over many things is begun again among expensive ones,
/// also in the answer of a mutation, which itself is not moved.
#[actix_web::test]
async fn what_goes_over_many_things_is_done_in_the_heavy_lane_whatever_its_price() {
    let _writing = WRITING.lock().await;
    let (expensive, cheap) = fields();
    let impatient = Door::new(LoadLimits { cheap_cpu: Duration::ZERO, ..free() });
    let annotate =
        |game, field| format!("mutation {{ annotate(game: \"{game}\", ply: 0, comment: \"x\") {{ {field} }} }}");
    for (game, field) in expensive {
        let told = impatient.ask(&annotate(game, field)).await;
        assert!(told.body["errors"].is_null() && told.heavy > 0, "{field}: {}", told.body["errors"]);
    }
    assert_eq!(impatient.ask(&annotate(Hostile::get().small, "id ply")).await.heavy, 0);
    let patient = Door::new(free());
    for (game, field) in cheap {
        let told = patient.ask(&format!("{{ game(id: \"{game}\") {{ {field} }} }}")).await;
        assert_eq!((told.body["errors"].as_array(), told.heavy), (None, 0), "{field}");
    }
}

#[actix_web::test]
async fn what_goes_over_many_things_is_stopped_when_its_time_is_over() {
    let door = Door::new(LoadLimits { operation_cpu_ms: 0, ..free() });
    let mut asked: Vec<String> =
        fields().0.iter().map(|(game, field)| format!("{{ game(id: \"{game}\") {{ {field} }} }}")).collect();
    let tournament = Hostile::get().tournament;
    asked.push(format!("{{ tournament(id: \"{tournament}\") {{ verification {{ valid }} }} }}"));
    for field in asked {
        let told = door.ask(&field).await.body;
        let code = &told["errors"][0]["extensions"];
        assert_eq!((code["code"].as_str(), code["limit"].as_u64()), (Some("TOO_COMPLEX"), Some(0)), "{field}: {told}");
        let object = told["data"].as_object().unwrap().values().next().unwrap();
        assert!(object.is_object(), "what was asked for beside it is there: {told}");
    }
}

#[test]
fn the_lines_of_a_record_are_read_when_it_is_their_turn() {
    let Hostile { service, many_lines, .. } = Hostile::get();
    let replay = service.game(*many_lines).unwrap().replay();
    let mut pieces = service.record_pieces(&replay, None, &Meter::unlimited()).unwrap();
    let (mut most, mut out) = (0, Vec::new());
    while !pieces.is_empty() {
        most = most.max(pieces.bytes());
        service.write_piece(&mut pieces, &mut out).unwrap();
    }
    let record: Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(record["lines"].as_array().unwrap().len(), LINES);
    assert!(most < out.len() / 50, "{most} bytes of {} are in memory before they are written", out.len());
}

/// The values of a list are all in memory before they are written, so that is what counts.
#[actix_web::test]
async fn a_tree_counts_as_the_memory_that_it_takes() {
    let Hostile { many_lines, small, .. } = *Hostile::get();
    let door = Door::new(LoadLimits { answer_bytes: 1 << 19, ..free() });
    let tree = |game| {
        format!("{{ game(id: \"{game}\") {{ tree {{ lines {{ id name last }} nodes {{ id parent ply action }} }} }} }}")
    };
    let told = door.ask(&tree(many_lines)).await;
    assert_eq!(told.body["errors"][0]["extensions"]["code"], "TOO_COMPLEX", "its text would fit: {} bytes", told.bytes);
    assert!(door.ask(&tree(small)).await.body["errors"].is_null());
    let patient = Door::new(free()).ask(&tree(many_lines)).await;
    assert!(patient.body["errors"].is_null() && patient.bytes < 1 << 19, "{} bytes", patient.bytes);
}

#[actix_web::test]
async fn what_a_mutation_answers_is_bounded_and_what_it_recorded_stands() {
    let _writing = WRITING.lock().await;
    let limit = 200_000;
    let door = Door::new(LoadLimits { answer_bytes: limit, cheap_cpu: Duration::ZERO, ..free() });
    let Hostile { service, many_lines, small, .. } = Hostile::get();
    let records: String = (0..26).map(|n| format!("a{n}: record(format: JSON) ")).collect();
    let key = "c1-0000-0000-0000-0001";
    let asked = format!(
        "mutation {{ first: annotate(game: \"{many_lines}\", ply: 0, comment: \"x\", idempotencyKey: \"{key}\") \
         {{ id ply log: record(format: NDJSON) {records} tags head {{ seq }} }} \
         second: annotate(game: \"{small}\", ply: 0, comment: \"{key}\") {{ id record(format: TEXT) }} }}"
    );
    let head = |game: &LogId| service.log().head(*game).unwrap().seq();
    let (before, before_second) = (head(many_lines), head(small));
    let told = door.ask(&asked).await;
    assert!(told.bytes < limit, "{} bytes", told.bytes);
    assert!(told.heavy > 0, "readers of records do not keep writers waiting");
    assert_eq!((head(many_lines), head(small)), (before + 1, before_second + 1), "both are recorded");
    let first = &told.body["data"]["first"];
    assert_eq!((first["id"].as_str(), &first["ply"]), (Some(many_lines.to_string().as_str()), &json!(2)));
    assert_eq!((&first["tags"], &first["head"]["seq"]), (&json!({}), &json!(before + 1)));
    assert!(first["log"].is_string() && first["a0"].is_null() && first["a25"].is_null(), "what fits is there");
    assert!(told.body["data"]["second"]["record"].is_string(), "what follows is carried out and answered");
    let errors = told.body["errors"].as_array().unwrap();
    assert_eq!(errors.len(), 26);
    let refused: BTreeSet<String> = errors.iter().map(|error| error["path"].to_string()).collect();
    assert_eq!(refused, (0..26).map(|n| format!("[\"first\",\"a{n}\"]")).collect());
    for error in errors {
        let more = &error["extensions"];
        assert_eq!((&more["code"], &more["recorded"]), (&json!("TOO_COMPLEX"), &json!(true)));
        assert!(error["message"].as_str().unwrap().starts_with("the change is recorded"), "{error}");
    }
    // Sent again, the first records nothing and says the same.
    let again = door.ask(&asked).await;
    assert_eq!((head(many_lines), &again.body["data"]["first"]), (before + 1, first));
    assert_eq!(again.body["errors"].as_array().unwrap().len(), 26);
    // A mutation that was refused looks different.
    let refused = format!("mutation {{ annotate(game: \"{small}\", ply: 9, comment: \"x\") {{ id }} }}");
    let told = door.ask(&refused).await.body;
    assert_eq!((&told["data"]["annotate"], told["errors"][0]["path"].as_array().unwrap().len()), (&Value::Null, 1));
    assert_eq!(told["errors"][0]["extensions"]["recorded"], Value::Null);
}
