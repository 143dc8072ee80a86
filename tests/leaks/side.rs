//! One of the two games of a pair, alone in a service of its own, and the callers who query it.

use std::collections::HashMap;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, LazyLock, OnceLock, RwLock};

use actix_web::App;
use actix_web::body::MessageBody;
use actix_web::test::{TestRequest, call_service, init_service};
use actix_web::web::Data;
use async_graphql::parser::parse_query;
use async_graphql::parser::types::ExecutableDocument;
use async_graphql::{Request, Response, Variables};
use futures_util::{FutureExt, StreamExt};
use plybook_api::access::{Caller, Role};
use plybook_api::export;
use plybook_api::http::{Doors, Gate, Limits, Metrics, Readiness, Site};
use plybook_api::load::{Allowance, LoadLimits};
use plybook_api::schema::{self, Schema};
use plybook_api::service::{Live, Service};
use plybook_events::{Hash, LogId};
use plybook_rules::log::Replay;
use serde_json::Value;

use crate::normal::Placeholders;
use crate::pair::Pair;

/// One of the two games of a pair, alone in a service of its own.
pub(crate) struct Side {
    pub(crate) service: Arc<Service>,
    pub(crate) live: Arc<Live>,
    /// The players of the seat whose secret differs and of a seat that may not know it.
    pub(crate) players: [LogId; 2],
}

/// A caller. It is created for each side, because tokens name games and players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asker {
    /// Somebody without a token.
    Public,
    /// Somebody who records for every seat.
    Recorder,
    /// Somebody with the token of a seat of the game.
    Seat(u8),
    /// The player who sits in a seat that may not know.
    OtherPlayer,
    /// The player whose secret differs.
    Owner,
    /// Somebody who sees everything.
    Arbiter,
}

impl Asker {
    pub(crate) fn caller(self, side: &Side) -> Caller {
        let token = Some(Hash::of_event(format!("{self:?}").as_bytes()));
        let of = |role| Caller { role, token, ..Caller::SPECTATOR };
        match self {
            Self::Public => Caller::SPECTATOR,
            Self::Recorder => of(Role::Recorder),
            Self::Arbiter => of(Role::Arbiter),
            Self::Seat(seat) => Caller { game: Some(side.id()), seat: Some(seat), ..of(Role::Player) },
            Self::Owner => Caller { player: Some(side.players[0]), ..of(Role::Player) },
            Self::OtherPlayer => Caller { player: Some(side.players[1]), ..of(Role::Player) },
        }
    }
}

/// The schema, which gets the service with each request: creating it takes longer than querying it.
fn schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| schema::build(crate::service()))
}

/// A parsed document: the same ones are requested again and again. `None` if it cannot be parsed.
fn parsed(document: &str) -> Option<ExecutableDocument> {
    static PARSED: LazyLock<RwLock<HashMap<String, ExecutableDocument>>> = LazyLock::new(RwLock::default);
    if let Some(known) = PARSED.read().expect("nobody panics meanwhile").get(document) {
        return Some(known.clone());
    }
    let parsed = parse_query(document).ok()?;
    PARSED.write().expect("nobody panics meanwhile").insert(document.to_owned(), parsed.clone());
    Some(parsed)
}

/// Admits the public, which may make any number of requests.
fn gate() -> &'static Gate {
    static GATE: OnceLock<Gate> = OnceLock::new();
    GATE.get_or_init(|| {
        let load = LoadLimits::default();
        let load = LoadLimits { client: Allowance { burst: None, ..load.client }, ..load };
        let identify = |_: Option<&str>| Ok(Caller::SPECTATOR);
        Gate::new(schema().clone(), identify, Limits { load, ..Limits::default() }, Metrics::new())
    })
}

impl Side {
    /// Both games of a pair.
    pub(crate) fn both(pair: &Pair) -> [Self; 2] {
        [0, 1].map(|side| Self::of(pair, side, crate::service()))
    }

    /// One game of a pair, in an empty service.
    pub(crate) fn of(pair: &Pair, side: usize, service: Arc<Service>) -> Self {
        let players = ["Ada", "Bela"]
            .map(|name| service.create_player(plybook_api::service::Details::named(name)).expect("it is a name").id);
        let live = pair.play(&service, side, players);
        Self { service, live, players }
    }

    pub(crate) fn replay(&self) -> Arc<Replay> {
        self.live.replay()
    }

    pub(crate) fn id(&self) -> LogId {
        self.replay().log()
    }

    /// The lines of the game, oldest first.
    pub(crate) fn lines(&self) -> Vec<LogId> {
        crate::normal::lines(&self.service, self.id())
    }

    pub(crate) fn placeholders(&self) -> Placeholders {
        Placeholders::of(&self.service, self.id(), self.players)
    }

    fn request(&self, asker: Asker, document: &str, variables: Value) -> Request {
        let mut request = Request::new(document).variables(Variables::from_json(variables));
        if let Some(parsed) = parsed(document) {
            request.set_parsed_query(parsed);
        }
        request.data(asker.caller(self)).data(Arc::clone(&self.service))
    }

    /// The answer to somebody.
    pub(crate) async fn ask(&self, asker: Asker, document: &str, variables: Value) -> Value {
        in_order(schema().execute(self.request(asker, document, variables)).await)
    }

    /// The messages of a subscription up to now.
    pub(crate) fn follow(&self, asker: Asker, document: &str, variables: Value) -> String {
        let mut stream = schema().execute_stream(self.request(asker, document, variables));
        let mut told = String::new();
        while let Some(Some(answer)) = stream.next().now_or_never() {
            told += &in_order(answer).to_string();
        }
        told
    }

    /// What an export returns, with its status.
    pub(crate) async fn get(&self, path: &str) -> String {
        let site = Site::new(gate().clone(), Doors::default(), || Readiness::Ready);
        let app = App::new().app_data(Data::new(site));
        let app = init_service(app.configure(|config| export::configure(config, &self.service))).await;
        let mut body = pin!(call_service(&app, TestRequest::get().uri(path).to_request()).await.into_body());
        let mut told = Vec::new();
        let is_endless = path.starts_with("/changes.sse");
        while !is_endless || self.is_behind(&told) {
            let Some(piece) = poll_fn(|context| body.as_mut().poll_next(context)).await else { break };
            told.extend_from_slice(&piece.unwrap_or_else(|_| panic!("an export goes on to its end")));
        }
        if path.contains(".png") {
            // A refusal is text.
            return String::from_utf8(told.clone())
                .unwrap_or_else(|_| plybook_events::Hash::of_parts(&[&told]).to_string());
        }
        if path.starts_with("/tile/") {
            // A refusal is text, whose hashes are in hex already.
            return String::from_utf8(told.clone()).unwrap_or_else(|_| hashes(&told));
        }
        String::from_utf8(told).expect("exports are UTF-8")
    }

    /// Whether the feed has more events of recorded games than it has told.
    fn is_behind(&self, told: &[u8]) -> bool {
        let known = self.service.models().known();
        let is_game = |log: LogId| known.games.get(log).is_some_and(|game| game.fork.is_none());
        let entries = self.service.log().entries(0, usize::MAX).expect("the journal can be read");
        let events = entries.iter().filter(|entry| is_game(entry.log)).count();
        events > String::from_utf8_lossy(told).matches("\ndata: ").count()
    }
}

/// The hashes of a tile in hex, one a line.
fn hashes(tile: &[u8]) -> String {
    let hash = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + "\n";
    tile.chunks(32).map(hash).collect()
}

/// An answer as JSON. Members and errors arrive as they are ready; here, they are sorted.
fn in_order(response: Response) -> Value {
    let mut answer = serde_json::to_value(response).expect("an answer is JSON");
    if let Some(errors) = answer.get_mut("errors").and_then(Value::as_array_mut) {
        errors.sort_by_key(ToString::to_string);
    }
    answer
}

/// The schema's introspection.
pub(crate) async fn introspected(document: &str) -> Value {
    serde_json::to_value(schema().execute(document).await).expect("an answer is JSON")
}
