//! Nobody can stop the service with queries: expensive ones from many connections while others record.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Barrier, mpsc};

use plybook_api::access::{Caller, Refusal, Role};
use plybook_api::http::{Doors, Gate, Limits, Metrics, Readiness, Signals, Site, serve};
use plybook_api::load::{Allowance, LoadLimits};
use plybook_api::service::{AnalysisState, NewGame, NewSeat, Service};
use plybook_api::{export, schema};
use plybook_events::{Actor, LogId};
use plybook_rules::kind;
use plybook_store::Store;
use plybook_tests::http;
use serde_json::{Value, json};

use crate::is_long;
use crate::prices::{Prices, Row, Scale, Size};
use crate::support::{id, long_game, random_game};

/// Connections with expensive queries, each as a separate client.
pub(crate) const HOSTILE: usize = 8;

/// Queries that stopped the service before operations were executed on workers (issue 10, item 1).
pub(crate) const GAMES_DRAWN: &str = "{games(first:500){nodes{a:position{...P}b:position(ply:0){...P}c:position{...P}d:position(ply:0){...P}}}}\
    fragment P on Position{scene}";
pub(crate) const POSITIONS_DRAWN: &str =
    "{games(first:19,filter:{kind:\"thrones\",minPly:180}){nodes{positions(from:0,to:180){scene}}}}";
pub(crate) const EXPORT: &str = "/export/games.ndjson?events=true";

/// The setups that prices are tested with.
const SMALL: Scale =
    Scale { games: 4, crowd: 0, plies: 60, span: 16, lines: 2, tournament: Size { entrants: 14, rounds: 2 } };

/// A service with games, over HTTP. It ends with the test.
struct House {
    addr: SocketAddr,
    service: Arc<Service>,
}

/// Token `x…`: a spectator of its own; `w…`: a recorder.
fn identify(token: Option<&str>) -> Result<Caller, Refusal> {
    let role = match token {
        Some(token) if token.starts_with('w') => Role::Recorder,
        _ => Role::Spectator,
    };
    Ok(Caller { role, ..Caller::SPECTATOR })
}

impl House {
    fn new(limits: LoadLimits, games: u64) -> Self {
        let store = Store::in_memory().unwrap();
        fill(&store, games);
        let service = Service::start(store).unwrap();
        let (told, addr) = mpsc::channel();
        let served = Arc::clone(&service);
        std::thread::spawn(move || {
            actix_web::rt::System::new().block_on(async move {
                let limits = Limits { load: limits, ..Limits::default() };
                let gate = Gate::new(schema::build(Arc::clone(&served)), identify, limits, Metrics::new());
                let site = Site::new(gate, Doors::at([127, 0, 0, 1].into()), || Readiness::Ready);
                let routes = move |config: &mut actix_web::web::ServiceConfig| export::configure(config, &served);
                let running = serve(([127, 0, 0, 1], 0).into(), &site, routes).unwrap();
                told.send(running.addr()).unwrap();
                running.until_signal(Signals::listen()?).await
            })
        });
        Self { addr: addr.recv().unwrap(), service }
    }
}

/// Records games: nineteen long ones of Thrones, the others of all kinds.
pub(crate) fn fill(store: &Store, games: u64) {
    for n in 0..games {
        let rules = if n < 19 { kind("thrones").unwrap() } else { plybook_rules::kinds()[n as usize % 5] };
        let game = if n < 19 { long_game(rules, n, 200) } else { random_game(rules, n, 80) };
        store.log().append(id(n), None, game.log(id(n)).1).unwrap();
    }
}

/// A long game, act by act.
struct Acting {
    game: LogId,
    actions: std::vec::IntoIter<(Actor, String)>,
}

impl Acting {
    fn new(house: &House, acts: usize) -> Self {
        let played = long_game(kind("triangulate").unwrap(), 9, acts);
        let seats = vec![NewSeat::default(); 2];
        let new = NewGame { kind: "triangulate".into(), setup: Some(played.setup), seats, ..NewGame::default() };
        Self { game: house.service.create_game(&new).unwrap().replay().log(), actions: played.actions.into_iter() }
    }

    /// Records the next action, and waits for it.
    fn act(&mut self, client: &mut Client) {
        let (_, action) = self.actions.next().expect("it is long enough");
        client.record(&format!("act(game: \"{}\", action: \"{action}\")", self.game));
    }
}

/// A client with a token.
pub(crate) struct Client {
    connection: http::Client,
    token: String,
    body: Vec<u8>,
}

impl Client {
    pub(crate) fn new(addr: SocketAddr, token: &str) -> Self {
        Self { connection: http::Client::connect(addr).unwrap(), token: token.to_owned(), body: Vec::new() }
    }

    /// Sends a query and reads the whole answer: its status, and the value of `Retry-After`.
    pub(crate) fn query(&mut self, query: &str) -> (u16, Option<u64>) {
        self.send("POST", "/graphql", &json!({ "query": query }).to_string())
    }

    pub(crate) fn get(&mut self, path: &str) -> (u16, Option<u64>) {
        self.send("GET", path, "")
    }

    fn send(&mut self, method: &str, path: &str, body: &str) -> (u16, Option<u64>) {
        let response = self.connection.send(method, path, Some(&self.token), body).unwrap();
        self.body = response.body;
        (response.status, response.retry_after_s)
    }

    pub(crate) fn answer(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    fn code(&self) -> String {
        self.answer()["errors"][0]["extensions"]["code"].as_str().unwrap_or("OK").to_owned()
    }

    /// Records something, and waits for it.
    pub(crate) fn record(&mut self, mutation: &str) {
        let (status, _) = self.query(&format!("mutation {{ {mutation} {{ head {{ seq }} }} }}"));
        assert_eq!((status, self.code().as_str()), (200, "OK"), "{}", String::from_utf8_lossy(&self.body));
    }
}

/// Limits without budgets: what is tested here must hold without them.
fn without_budgets() -> LoadLimits {
    let limits = LoadLimits::default();
    let free = Allowance { burst: None, ..limits.client };
    LoadLimits { workers: 1, client: free, administrator: free, ..limits }
}

/// The answers that the attackers got.
#[derive(Default)]
struct Taken {
    executed: AtomicU64,
    refused: AtomicU64,
}

/// Runs hostile clients, and `innocent` until it finishes.
fn under_attack(house: &House, queries: &[String], innocent: impl FnOnce()) -> Taken {
    let (stop, taken) = (AtomicBool::new(false), Taken::default());
    std::thread::scope(|scope| {
        for n in 0..HOSTILE {
            let (stop, taken) = (&stop, &taken);
            scope.spawn(move || {
                let mut client = Client::new(house.addr, &format!("x-hostile-{n}"));
                for query in queries.iter().cycle().skip(n) {
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let (status, _) = if query.starts_with('/') { client.get(query) } else { client.query(query) };
                    let count = if status == 200 { &taken.executed } else { &taken.refused };
                    count.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        // Whatever happens to the innocent client, the others stop.
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(innocent));
        stop.store(true, Ordering::Relaxed);
        if let Err(panic) = done {
            std::panic::resume_unwind(panic);
        }
    });
    taken
}

/// An innocent client gets many answers before each of eight connections gets one to its expensive query. The
/// counts are compared within one run: without workers, they would take turns.
#[test]
fn an_innocent_client_is_answered_while_others_send_expensive_queries() {
    let house = House::new(without_budgets(), 40);
    let mut queries: Vec<String> = [GAMES_DRAWN, POSITIONS_DRAWN, EXPORT].map(str::to_owned).to_vec();
    queries.push(format!("{{ game(id: \"{}\") {{ positions(from: 0, to: 180) {{ scene positionKey }} }} }}", id(0)));
    let (typenames, acts) = (200, 25);
    let mut acting = Acting::new(&house, acts);
    let taken = under_attack(&house, &queries, || {
        let mut innocent = Client::new(house.addr, "w-innocent");
        for n in 0..typenames {
            assert_eq!(innocent.query("{__typename}").0, 200);
            if n % (typenames / acts) == 0 {
                acting.act(&mut innocent);
            }
        }
    });
    let executed = taken.executed.load(Ordering::Relaxed);
    assert!(executed > 0, "something expensive was answered");
    assert!(
        executed * 4 < (typenames + acts) as u64,
        "{executed} expensive answers to {typenames} cheap ones and {acts} acts"
    );
}

/// Games are recorded while others are analysed: many answers before a few positions are done.
#[test]
fn an_innocent_client_is_answered_while_games_are_analysed() {
    let house = House::new(without_budgets(), 0);
    let analysed: Vec<LogId> = (0..3).map(id).collect();
    for (n, game) in (0..).zip(&analysed) {
        let played = long_game(kind("triangulate").unwrap(), n, 30);
        house.service.log().append(*game, None, played.log(*game).1).unwrap();
    }
    let mut innocent = Client::new(house.addr, "w-innocent");
    for game in &analysed {
        let asked = format!("mutation {{ analyze(game: \"{game}\", playouts: 20000) {{ state }} }}");
        assert_eq!((innocent.query(&asked).0, innocent.code().as_str()), (200, "OK"));
    }
    let (typenames, acts) = (200, 25);
    let mut acting = Acting::new(&house, acts);
    for n in 0..typenames {
        assert_eq!(innocent.query("{__typename}").0, 200);
        if n % (typenames / acts) == 0 {
            acting.act(&mut innocent);
        }
    }
    let found = analysed.iter().map(|game| house.service.analysis(*game).unwrap().unwrap());
    let (mut done, mut is_under_way) = (0, false);
    for analysis in found {
        done += analysis.plies.len();
        is_under_way |= analysis.state != AnalysisState::Done;
    }
    assert!(is_under_way, "they were analysed meanwhile");
    assert!(done * 4 < typenames + acts, "{done} positions for {typenames} cheap answers and {acts} acts");
}

#[test]
fn the_cost_of_one_operation_is_bounded() {
    let limits = LoadLimits { answer_bytes: 300_000, operation_units: 50_000, ..without_budgets() };
    let house = House::new(limits, 25);
    let mut client = Client::new(house.addr, "x");
    // By its price, before it is executed.
    assert_eq!(client.query(POSITIONS_DRAWN).0, 400);
    let told = client.answer()["errors"][0]["extensions"].clone();
    assert_eq!(told["code"], "TOO_COMPLEX");
    assert!(told["cost"].as_u64() > Some(50_000) && told["limit"] == 50_000, "{told}");
    // By its bytes, while its answer is built.
    let drawn = format!("{{ game(id: \"{}\") {{ positions(from: 0, to: 150) {{ scene }} }} }}", id(0));
    assert_eq!(client.query(&drawn).0, 200, "it is executed");
    let told = client.answer()["errors"][0]["extensions"].clone();
    assert_eq!((told["code"].as_str(), told["limit"].as_u64()), (Some("TOO_COMPLEX"), Some(300_000)));
    assert!(told["cost"].as_u64() < Some(400_000), "it was stopped soon: {told}");
    assert!(client.body.len() < 100_000, "{} bytes to say so", client.body.len());
    // Its cost is reported on request.
    let body = json!({ "query": "{ __typename }", "extensions": { "cost": true } }).to_string();
    client.send("POST", "/graphql", &body);
    assert_eq!(client.answer()["extensions"]["cost"], json!({ "price": 1, "limit": 50_000, "unitUs": 10 }));
}

#[test]
fn a_budget_refuses_and_says_when_to_come_back() {
    let scarce = Allowance { burst: 20_000.try_into().ok(), refill: 1.try_into().unwrap() };
    let house = House::new(LoadLimits { client: scarce, ..LoadLimits::default() }, 25);
    let query = format!("{{ game(id: \"{}\") {{ positions(from: 0, to: 150) {{ scene positionKey text }} }} }}", id(0));
    let mut client = Client::new(house.addr, "x-1");
    let mut answers = 0;
    let (status, retry_after) = loop {
        match client.query(&query) {
            (200, None) if answers < 200 => answers += 1,
            refused => break refused,
        }
    };
    assert!(answers > 0, "a full budget covers it");
    assert_eq!(status, 429, "after {answers} answers");
    assert_eq!(client.code(), "RATE_LIMITED");
    let told = client.answer()["errors"][0]["extensions"]["retryAfterMs"].as_u64().unwrap();
    assert_eq!(retry_after, Some(told.div_ceil(1_000)));
    assert_eq!(client.get(EXPORT).0, 429, "exports are paid from the same budget");
    let mut other = Client::new(house.addr, "x-2");
    assert_eq!(other.query(&query).0, 200, "another client has a budget of its own");
}

/// The number of waiting operations of one client is limited, and only that client is told.
#[test]
fn a_crowd_of_one_client_is_turned_away() {
    let house = House::new(LoadLimits { waiting: 4, ..without_budgets() }, 25);
    let query = format!("{{ game(id: \"{}\") {{ positions(from: 0, to: 180) {{ scene positionKey }} }} }}", id(0));
    let refused = AtomicU64::new(0);
    let together = Barrier::new(20);
    // On a busy machine, few of a crowd may be there at the same time: another one comes.
    for _ in 0..20 {
        std::thread::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|| {
                    together.wait();
                    let (status, retry_after) = Client::new(house.addr, "x-crowd").query(&query);
                    assert!(status == 200 || (status == 429 && retry_after.is_some()), "{status}");
                    refused.fetch_add(u64::from(status == 429), Ordering::Relaxed);
                });
            }
            assert_eq!(Client::new(house.addr, "x-other").query(&query).0, 200);
        });
        if refused.load(Ordering::Relaxed) > 0 {
            break;
        }
    }
    assert!(refused.load(Ordering::Relaxed) > 0, "not all of them could wait");
}

/// No field costs much more than its price, compared with other fields in the same run. The bench has
/// stricter limits, on optimised code.
#[test]
fn prices_follow_what_fields_cost() {
    // On a machine that does other things too, single fields cannot be distinguished from noise, so each is
    // only requested.
    if !is_long() {
        assert!(!Prices::new(kind("triangulate").unwrap(), SMALL).rows(0).is_empty());
        return;
    }
    for name in ["thrones", "triforce-building"] {
        let rows = Prices::new(kind(name).unwrap(), SMALL).rows(3);
        let mut units: Vec<f64> =
            rows.iter().filter(|row| row.price >= 200.0).map(|row| row.cpu_us / row.price).collect();
        units.sort_by(f64::total_cmp);
        let unit = units[units.len() * 9 / 10];
        let most = rows.iter().map(|row| row.cpu_us).fold(0.0, f64::max);
        // Cheap fields have a minimum for the comparison.
        let is_under = |row: &&Row| row.cpu_us > most / 20.0 && row.cpu_us > 5.0 * unit * row.price.max(10.0);
        let under: Vec<&Row> = rows.iter().filter(is_under).collect();
        assert!(under.is_empty(), "{name}, at {unit} µs for one of its price: {under:#?}");
    }
}
