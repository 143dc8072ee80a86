//! A service with a schema to query, and games to play in it.

use std::sync::Arc;

use async_graphql::{Request, Variables};
use futures_util::stream::{BoxStream, Stream, StreamExt};
use plybook_api::access::{Caller, Role};
use plybook_api::schema::{self, Schema};
use plybook_api::service::Service;
use plybook_events::{Actor, LogId};
use plybook_example::TOYS;
use plybook_rules::{AnyPosition, Rules};
use plybook_store::Store;
use plybook_tests::store;
use serde_json::{Value, json};

/// All fields of a game that tests query.
pub const ALL: &str = "id kind rulesVersion setup origin status createdAt finishedAt round table tags ply corrected \
    voidReason drawOfferedBy seats { number name result player { id name } } \
    outcome { winners ranking reason decidedBy details } \
    moves(first: 500) { totalCount nodes { ply seq by who action text elapsedMs clockMs fair comment glyphs positionKey } } \
    events(first: 500) { totalCount nodes { seq at by who type body hash prev bytes } } \
    position { ply position positionKey toAct prompts { seat kind description schema example dice { seat dice } } outcome { reason } text scene } \
    head { seq hash ply } verification { valid events head firstBad problem }";

/// A service in memory, or over a given store.
pub struct House {
    pub service: Arc<Service>,
    pub schema: Schema,
}

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Answer {
    pub data: Value,
    pub errors: Vec<Value>,
}

impl House {
    pub fn new() -> Self {
        Self::over(store::new())
    }

    pub fn over(store: Store) -> Self {
        plybook_example::register();
        let service = Service::start(store).unwrap();
        Self { schema: schema::build(Arc::clone(&service)), service }
    }

    /// Sends a request as a caller.
    pub async fn ask(&self, caller: &Caller, query: &str, variables: Value) -> Answer {
        Answer::of(&self.schema.execute(request(caller, query, variables)).await)
    }

    /// Sends a request as an administrator, which must be answered without errors.
    pub async fn get(&self, query: &str, variables: Value) -> Value {
        self.ask(&Caller::ADMIN, query, variables).await.ok()
    }

    /// Subscribes as a caller.
    pub fn follow(&self, caller: &Caller, query: &str, variables: Value) -> BoxStream<'static, Answer> {
        let responses = self.schema.execute_stream(request(caller, query, variables));
        responses.map(|response| Answer::of(&response)).boxed()
    }

    /// Everything about a game.
    pub async fn game(&self, id: &str) -> Value {
        self.get(&format!("query($id: ID!) {{ game(id: $id) {{ {ALL} }} }}"), json!({ "id": id })).await["game"].clone()
    }

    /// The seq of a game's last event.
    pub async fn head(&self, id: &str) -> u64 {
        self.get("query($id: ID!) { game(id: $id) { head { seq } } }", json!({ "id": id })).await["game"]["head"]["seq"]
            .as_u64()
            .unwrap()
    }

    pub async fn player(&self, name: &str) -> String {
        let made =
            self.get("mutation($n: String!) { createPlayer(input: { name: $n }) { id } }", json!({ "n": name })).await;
        text(&made["createPlayer"]["id"])
    }

    /// A game of a kind, with its default setup and without players in its seats.
    pub async fn create(&self, kind: &str) -> String {
        let seats: Vec<Value> = (0..seats_of(kind)).map(|_| json!({})).collect();
        self.create_as(json!({ "kind": kind, "seats": seats })).await
    }

    pub async fn create_as(&self, input: Value) -> String {
        let made = self.get("mutation($i: CreateGame!) { createGame(input: $i) { id } }", json!({ "i": input })).await;
        text(&made["createGame"]["id"])
    }

    /// Plays actions; all or none.
    pub async fn act_all(&self, id: &str, actions: &[Value]) -> Answer {
        let query = "mutation($g: ID!, $a: [ActInput!]!) { actAll(game: $g, actions: $a) { ply head { seq } } }";
        self.ask(&Caller::ADMIN, query, json!({ "g": id, "a": actions })).await
    }

    /// Plays at most this many random actions in a game of any kind, one after another.
    pub async fn play(&self, id: &str, actions: usize, dice: &mut Dice) {
        self.play_until(id, actions, dice, |_| false).await;
    }

    /// The same, but stops before the game would be over.
    pub async fn play_on(&self, id: &str, actions: usize, dice: &mut Dice) {
        self.play_until(id, actions, dice, |position| position.outcome().is_some()).await;
    }

    async fn play_until(&self, id: &str, actions: usize, dice: &mut Dice, stops: impl Fn(&dyn AnyPosition) -> bool) {
        let live = self.service.game(id.parse().unwrap()).unwrap();
        let mut position = live.replay().position().boxed();
        let mut sent = Vec::new();
        while let Some(actor) = position.to_act().iter().next().filter(|_| sent.len() < actions) {
            let action = position.sample(actor, &mut |n| dice.below(n));
            position.act(actor, &action).unwrap();
            if stops(position.as_ref()) {
                break;
            }
            sent.push(act_input(actor, &action));
        }
        if !sent.is_empty() {
            self.act_all(id, &sent).await.ok();
        }
    }
}

impl Answer {
    pub fn of(response: &async_graphql::Response) -> Self {
        let value = serde_json::to_value(response).unwrap();
        let errors = value.get("errors").and_then(Value::as_array).cloned().unwrap_or_default();
        Self { data: value["data"].clone(), errors }
    }

    /// The data of an answer without errors.
    #[track_caller]
    pub fn ok(self) -> Value {
        assert!(self.errors.is_empty(), "{:?}", self.errors);
        self.data
    }

    /// The code of the only error; `OK` if there is none.
    #[track_caller]
    pub fn code(&self) -> String {
        match self.errors.as_slice() {
            [] => "OK".to_owned(),
            [error] => error["extensions"]["code"].as_str().unwrap_or("none").to_owned(),
            errors => panic!("several errors: {errors:?}"),
        }
    }

    /// The message of the only error.
    #[track_caller]
    pub fn says(&self) -> String {
        assert_eq!(self.errors.len(), 1, "{:?}", self.errors);
        text(&self.errors[0]["message"])
    }
}

pub fn request(caller: &Caller, query: &str, variables: Value) -> Request {
    Request::new(query).variables(Variables::from_json(variables)).data(caller.clone())
}

/// A caller with a role, but without a player or seat.
pub fn caller(role: Role) -> Caller {
    Caller { role, ..Caller::SPECTATOR }
}

/// A caller with the token of a player.
pub fn player(id: &str) -> Caller {
    Caller { player: Some(id.parse().unwrap()), ..caller(Role::Player) }
}

/// A caller with the token of a seat of a game.
pub fn seat(game: &str, seat: u8) -> Caller {
    Caller { game: Some(game.parse().unwrap()), seat: Some(seat), ..caller(Role::Player) }
}

#[track_caller]
pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no string")).to_owned()
}

pub fn act_input(actor: Actor, action: &str) -> Value {
    match actor {
        Actor::Seat(seat) => json!({ "seat": seat, "action": action }),
        Actor::Chance => json!({ "action": action }),
    }
}

/// The first position of a kind's default setup, drawn without randomness.
pub fn start(rules: &dyn Rules) -> Box<dyn AnyPosition> {
    let setup = rules.complete(&json!({}), &mut |_| 0).unwrap();
    rules.start(&setup).unwrap()
}

pub fn seats_of(kind: &str) -> u8 {
    start(plybook_example::kind(kind).unwrap()).seats()
}

/// The kinds whose games last long enough for these tests.
pub fn kinds() -> Vec<&'static dyn Rules> {
    let is_toy = |rules: &&dyn Rules| TOYS.iter().any(|toy| toy.about().kind == rules.about().kind);
    plybook_example::kinds().iter().copied().filter(|rules| !is_toy(rules)).collect()
}

pub fn kind_names() -> Vec<&'static str> {
    kinds().iter().map(|rules| rules.about().kind).collect()
}

/// An id that does not exist.
pub fn nobody() -> String {
    LogId::from_bytes([7; 16]).to_string()
}

/// Numbers that are the same in every run (SplitMix64).
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % u64::from(n)) as u32
    }
}

/// The next answers of a stream, which must arrive soon.
pub async fn next(stream: &mut (impl Stream<Item = Answer> + Unpin)) -> Answer {
    let soon = std::time::Duration::from_secs(20);
    tokio::time::timeout(soon, stream.next()).await.expect("an answer comes").expect("the stream goes on")
}
