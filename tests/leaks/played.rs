//! Games with secrets, recorded in every possible way: live with one access token per seat, with a clock that
//! closes rounds, with players who have left, and after the fact; and how they look once they are over.

use std::sync::Arc;

use async_graphql::{Request, Variables};
use plybook_api::access::{Caller, Role};
use plybook_api::schema::{self, Schema};
use plybook_api::service::{Importing, Service};
use serde_json::{Value, json};

/// A service, and the one game of a test.
struct PlayedGame {
    service: Arc<Service>,
    schema: Schema,
    id: String,
}

const ARBITER: Caller = Caller { role: Role::Arbiter, ..Caller::SPECTATOR };
const RECORDER: Caller = Caller { role: Role::Recorder, ..Caller::SPECTATOR };

const SETUPS: [&str; 2] = [
    "setup:mmwwwwwww/fFffffmmm/pppppffff/ppppppppp:Ra1Rb1Tb2Sc1Sd1Xf1Df2Cg1Eg2Bh1Wh2Li1Li2:pafbwcmd",
    "setup:mmwwwwwww/fFffffmmm/pppppffff/ppppppppp:Ra9Tb8Rb9Sc9Sd9Df8Xf9Eg8Cg9Wh8Bh9Li8Li9:pafbwcmd",
];

/// Seven seats whose start cells form no line.
fn seven() -> Value {
    json!({ "players": 7, "starts": ["7.1", "7.3", "7.5", "7.7", "7.9", "7.11", "7.13"] })
}

impl PlayedGame {
    async fn new(kind: &str, seats: usize, more: Value) -> Self {
        let setup = if kind == "triforce-building" { seven() } else { json!({}) };
        let service = crate::service();
        let schema = schema::build(Arc::clone(&service));
        let mut game = Self { service, schema, id: String::new() };
        let mut input = json!({ "kind": kind, "setup": setup, "seats": vec![json!({}); seats] });
        input.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        let document = "mutation($input: CreateGame!) { createGame(input: $input) { id } }";
        let made = game.ask(&RECORDER, document, json!({ "input": input })).await;
        game.id = made["data"]["createGame"]["id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned();
        game
    }

    async fn building(more: Value) -> Self {
        Self::new("triforce-building", 7, more).await
    }

    async fn ask(&self, caller: &Caller, document: &str, mut variables: Value) -> Value {
        variables["id"] = self.id.clone().into();
        let request = Request::new(document).variables(Variables::from_json(variables)).data(caller.clone());
        serde_json::to_value(self.schema.execute(request).await).unwrap()
    }

    /// Sends a mutation for the game, with its arguments as text; returns the error code, if any.
    async fn change(&self, caller: &Caller, what: &str) -> Option<Value> {
        let (name, arguments) = what.split_once(' ').unwrap_or((what, ""));
        let document = format!("mutation {{ {name}(game: \"{}\" {arguments}) {{ id }} }}", self.id);
        self.ask(caller, &document, json!({})).await["errors"].get(0).cloned()
    }

    async fn done(&self, caller: &Caller, what: &str) {
        assert_eq!(self.change(caller, what).await, None, "{what}");
    }

    async fn refused(&self, caller: &Caller, what: &str, code: &str) -> String {
        let error = self.change(caller, what).await.unwrap_or_else(|| panic!("{what} was done"));
        assert_eq!(error["extensions"]["code"], code, "{what}: {error}");
        error.to_string()
    }

    /// A caller's answer about the game.
    async fn get(&self, caller: &Caller, fields: &str) -> Value {
        let answer = self.ask(caller, &format!("query($id: ID!) {{ game(id: $id) {{ {fields} }} }}"), json!({})).await;
        assert!(answer.get("errors").is_none(), "{answer}");
        answer["data"]["game"].clone()
    }

    /// The token of a seat.
    fn seat(&self, seat: u8) -> Caller {
        Caller { role: Role::Player, game: Some(self.id.parse().unwrap()), seat: Some(seat), ..Caller::SPECTATOR }
    }

    /// The types of events, with their authors.
    async fn log(&self) -> Vec<String> {
        let events = self.get(&Caller::SPECTATOR, "events(first: 500) { nodes { type by } }").await;
        let events = events["events"]["nodes"].as_array().unwrap().clone();
        let word = |event: &Value| format!("{} {}", event["type"].as_str().unwrap(), event["by"].as_str().unwrap());
        events.iter().map(word).collect()
    }

    async fn moves(&self, caller: &Caller, viewer: &str) -> Vec<String> {
        let moves = self.get(caller, &format!("moves(first: 500 {viewer}) {{ nodes {{ action }} }}")).await;
        let moves = moves["moves"]["nodes"].as_array().unwrap().clone();
        moves.iter().map(|done| done["action"].as_str().unwrap().to_owned()).collect()
    }

    /// The finished log is complete, and another service accepts it.
    async fn is_whole(&self) {
        let lines = self.service.log().read(self.id.parse().unwrap(), 0).unwrap();
        let text: String = lines.iter().map(|line| String::from_utf8_lossy(line).into_owned() + "\n").collect();
        crate::service().import_log(&text, &Importing::of(&text)).unwrap();
    }
}

#[actix_web::test]
async fn a_game_is_recorded_live_by_its_seats_and_seen_by_each_when_it_is_over() {
    let game = PlayedGame::building(json!({})).await;
    for seat in 1..=6 {
        // Several seats are to act: a token of a seat acts for it without naming it.
        game.done(&game.seat(seat), "act action: \"-\"").await;
        if seat == 3 {
            game.refused(&game.seat(3), "act action: \"-\"", "NOT_YOUR_TURN").await;
            game.refused(&RECORDER, "act action: \"-\"", "BAD_INPUT").await;
        }
    }
    assert_eq!(game.moves(&game.seat(3), "").await, ["?", "?", "-", "?", "?", "?"]);
    assert_eq!(game.moves(&ARBITER, "").await, ["-"; 6]);
    game.refused(&game.seat(3), "act seat: 7 action: \"-\"", "FORBIDDEN").await;
    game.refused(&RECORDER, "act action: \"-\", seat: 3", "NOT_YOUR_TURN").await;
    game.done(&game.seat(7), "act action: \"-\"").await;
    while game.get(&ARBITER, "status").await["status"] == "RUNNING" {
        game.done(&RECORDER, "closeRound").await;
    }
    assert_eq!(game.moves(&Caller::SPECTATOR, "").await, vec!["-"; 70]);
    let known = game.moves(&Caller::SPECTATOR, ", viewer: \"4\"").await;
    assert!(known.iter().zip(0..).all(|(action, ply)| (action == "-") == (ply % 7 == 3)), "{known:?}");
    let fields = "position(ply: 20, viewer: \"4\") { position } end: position(viewer: \"4\") { position } setup";
    let seen = game.get(&Caller::SPECTATOR, fields).await;
    assert_eq!(seen["position"]["position"]["viewer"], 4);
    assert_eq!(seen["position"]["position"].get("cells"), None, "{seen}");
    assert!(seen["end"]["position"]["cells"].is_array(), "{seen}");
    assert!(seen["setup"]["starts"].is_array(), "{seen}");
    let log = game.log().await;
    assert_eq!(log.iter().filter(|event| event.starts_with("sealed")).count(), 70);
    assert_eq!(log.iter().filter(|event| event.starts_with("revealed")).count(), 71);
    game.is_whole().await;
}

#[actix_web::test]
async fn closing_a_round_submits_for_seats_that_have_not() {
    let game = PlayedGame::building(json!({})).await;
    game.done(&game.seat(2), "act action: \"-\"").await;
    game.refused(&game.seat(2), "closeRound", "FORBIDDEN").await;
    game.refused(&RECORDER, "closeRound expectedSeq: 0", "LOG_CONFLICT").await;
    game.done(&RECORDER, "closeRound expectedSeq: 1").await;
    let sealed = [2, 1, 3, 4, 5, 6, 7].map(|seat| format!("sealed seat:{seat}"));
    assert_eq!(game.log().await[1..], sealed);
    assert_eq!(game.get(&ARBITER, "position { position }").await["position"]["position"]["round"], 2);
    let thrones = PlayedGame::new("thrones", 2, json!({})).await;
    thrones.refused(&RECORDER, "closeRound", "BAD_INPUT").await;
    assert_eq!(thrones.log().await, ["created service"]);
}

#[actix_web::test]
async fn the_service_submits_for_a_resigned_seat_in_every_round() {
    let game = PlayedGame::building(json!({})).await;
    game.done(&game.seat(5), "resign seat: 5").await;
    game.refused(&game.seat(5), "resign seat: 5", "BAD_INPUT").await;
    assert_eq!(game.log().await[1..], ["resigned seat:5", "sealed seat:5"]);
    for seat in [1, 2, 3, 4, 6, 7] {
        game.done(&game.seat(seat), "act action: \"-\"").await;
    }
    // The last submission ends the round, and the next one begins with that of seat 5.
    assert_eq!(game.log().await[8..], ["sealed seat:7", "sealed seat:5"]);
    // The player has left: a takeback to an earlier ply does not bring them back.
    game.done(&ARBITER, "takeBack toPly: 0, reason: \"wrong table\"").await;
    assert_eq!(game.log().await[10..], ["taken_back arbiter", "sealed seat:5"]);
    assert_eq!(game.moves(&ARBITER, "").await, ["-"]);
    for seat in [1, 2, 3, 4, 6, 7] {
        game.done(&game.seat(seat), &format!("resign seat: {seat}")).await;
    }
    assert_eq!(game.get(&ARBITER, "status").await["status"], "FINISHED", "nobody is left to wait for");
    game.is_whole().await;
    let three = PlayedGame::new("triforce", 3, json!({})).await;
    let why = three.refused(&RECORDER, "resign seat: 2", "BAD_INPUT").await;
    assert!(why.contains("let the arbiter adjudicate"), "{why}");
}

#[actix_web::test]
async fn set_ups_of_thrones_open_together_and_favours_at_the_end() {
    let game = PlayedGame::new("thrones", 2, json!({})).await;
    let set_up = |seat: u8| format!("act seat: {seat}, action: \"{}\"", SETUPS[usize::from(seat) - 1]);
    game.done(&game.seat(2), &set_up(2)).await;
    assert_eq!(game.moves(&game.seat(1), "").await, ["setup:?"]);
    // A set-up together with a trial would reveal the other seat's set-up, with nothing written.
    let tried = format!("actAll actions: [{{seat: 1, action: \"{}\"}}, {{seat: 1, action: \"a1-a9\"}}]", SETUPS[0]);
    game.refused(&game.seat(1), &tried, "BAD_INPUT").await;
    game.done(&game.seat(1), &set_up(1)).await;
    let opened = ["sealed seat:2", "sealed seat:1", "revealed service", "revealed service"];
    assert_eq!(game.log().await[1..], opened);
    assert_eq!(game.moves(&Caller::SPECTATOR, "").await, [SETUPS[1], SETUPS[0]]);
    game.done(&game.seat(1), "act action: \"favor:hasten\"").await;
    game.done(&game.seat(2), "act action: \"favor:conspire\"").await;
    let word = |viewer: &'static str| game.moves(&Caller::SPECTATOR, viewer);
    assert_eq!(word("").await[2..], ["favor:?", "favor:?"]);
    // A refusal must not tell a recorder whether seat 1 holds conspire.
    let refused = game.refused(&RECORDER, "act action: \"conspire:e5\"", "ILLEGAL_ACTION").await;
    assert!(!refused.contains("hold"), "{refused}");
    let own = game.refused(&game.seat(1), "act action: \"conspire:e5\"", "ILLEGAL_ACTION").await;
    assert!(own.contains("you do not hold conspire"), "{own}");
    game.done(&game.seat(2), "resign seat: 2").await;
    assert_eq!(word("").await[2..], ["favor:hasten", "favor:conspire"]);
    assert_eq!(word(", viewer: \"1\"").await, ["setup:?", SETUPS[0], "favor:hasten", "favor:?"]);
    let setup_phase = game.get(&Caller::SPECTATOR, "position(ply: 1, viewer: \"1\") { position scene }").await;
    assert_eq!(setup_phase["position"]["position"]["submitted"]["2"], "?");
    assert!(setup_phase["position"]["scene"].to_string().contains("space hidden"), "what is not known is marked");
    game.is_whole().await;
}

#[actix_web::test]
async fn a_past_game_is_recorded_openly_and_the_log_says_so() {
    for kind in ["triforce-building", "thrones"] {
        let seats = if kind == "thrones" { 2 } else { 7 };
        let game = PlayedGame::new(kind, seats, json!({ "open": true })).await;
        let action = |seat: usize| if kind == "thrones" { SETUPS[seat - 1] } else { "-" };
        let inputs: Vec<String> =
            (1..=seats).map(|seat| format!("{{seat: {seat}, action: \"{}\"}}", action(seat))).collect();
        game.done(&RECORDER, &format!("actAll actions: [{}]", inputs.join(", "))).await;
        assert!(game.log().await[1..].iter().all(|event| event.starts_with("acted ")));
        let created = game.get(&Caller::SPECTATOR, "events(first: 1) { nodes { body } } setup").await;
        assert_eq!(created["events"]["nodes"][0]["body"]["open"], true);
        assert_eq!(created["events"]["nodes"][0]["body"]["setup"], created["setup"]);
        assert!(game.moves(&Caller::SPECTATOR, "").await.iter().all(|action| !action.contains('?')));
        // It can still be viewed as a seat knew it at the board.
        let known = game.get(&Caller::SPECTATOR, "position(ply: 1, viewer: \"2\") { position }").await;
        let submitted = &known["position"]["position"]["submitted"]["1"];
        assert!(submitted.is_null() || submitted == "?", "{submitted}");
    }
}

#[actix_web::test]
async fn players_act_by_their_own_id() {
    let game = PlayedGame::building(json!({})).await;
    let player = game.service.create_player(plybook_api::service::Details::named("Ada")).unwrap().id;
    let mut seats = vec![json!({}); 7];
    seats[3] = json!({ "player": player });
    let theirs = PlayedGame {
        id: game
            .ask(
                &RECORDER,
                "mutation($input: CreateGame!) { createGame(input: $input) { id } }",
                json!({ "input": { "kind": "triforce-building", "setup": seven(), "seats": seats } }),
            )
            .await["data"]["createGame"]["id"]
            .as_str()
            .unwrap()
            .to_owned(),
        ..game
    };
    let ada = Caller { role: Role::Player, player: Some(player), ..Caller::SPECTATOR };
    theirs.done(&ada, "act action: \"-\"").await;
    assert_eq!(theirs.log().await[1..], ["sealed seat:4"]);
    assert_eq!(theirs.moves(&ada, "").await, ["-"]);
    assert_eq!(theirs.moves(&Caller::SPECTATOR, "").await, ["?"]);
}
