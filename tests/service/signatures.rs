//! Signatures: what is signed by clients from nothing but the log, and what the service refuses.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use plybook_api::access::{Caller, Role};
use plybook_events::{By, Hash, LogId, PrivateKey, Statement, Timestamp, seal};
use serde_json::{Value, json};

use crate::house::{Answer, House, caller, kind_names, player, seat, text};

/// A homeland of Thrones, for seat 1.
const SETUP: &str = "setup:ffppwpmfp/pmmpppwFf/pffppwwwf/mpmfpfpww:Ba3Wa4Sb2Cb3Xc2Lc3Sd2Td3De2Re4Lf4Rg1Eh1:paffwgmh";

/// Somebody with a key, as a client.
struct Signer {
    caller: Caller,
    key: PrivateKey,
}

impl Signer {
    fn new(caller: Caller, seed: u8) -> Self {
        Self { caller, key: PrivateKey::from_seed(&[seed; 32]) }
    }

    /// What is signed: the body, at the place where the log ends.
    async fn sign(&self, house: &House, game: &str, by: By, type_name: &str, body: Value) -> String {
        let query = "query($g: ID!) { game(id: $g) { signingPlace { seq prev } } }";
        let place = house.get(query, json!({ "g": game })).await["game"]["signingPlace"].clone();
        let statement = Statement {
            body: body.as_object().unwrap().clone(),
            by,
            log: game.parse().unwrap(),
            prev: text(&place["prev"]).parse().unwrap(),
            seq: place["seq"].as_u64().unwrap(),
            type_name: type_name.to_owned(),
        };
        statement.sign(&self.key).unwrap().to_string()
    }

    async fn change(&self, house: &House, game: &str, field: &str, signature: Option<String>) -> Answer {
        let query = format!("mutation($g: ID!, $s: Signature) {{ {field} }}");
        house.ask(&self.caller, &query, json!({ "g": game, "s": signature })).await
    }

    /// Acts for a seat.
    async fn act(&self, house: &House, game: &str, seat: u8, action: &str) -> Answer {
        let signature = self.sign(house, game, By::Seat(seat), "acted", json!({ "action": action })).await;
        let field = format!(r#"act(game: $g, seat: {seat}, action: "{action}", signature: $s) {{ ply }}"#);
        self.change(house, game, &field, Some(signature)).await
    }
}

async fn signed_game(house: &House, kind: &str, players: &[&str]) -> String {
    let seats: Vec<Value> = players.iter().map(|id| json!({ "player": id })).collect();
    house.create_as(json!({ "kind": kind, "seats": seats, "signatures": "REQUIRED" })).await
}

async fn verification(house: &House, game: &str) -> Value {
    let query = "query($g: ID!) { game(id: $g) { signatures verification {
        valid events unsigned problem signers { key who events keySince player { name } } } } }";
    house.get(query, json!({ "g": game })).await["game"].clone()
}

async fn add_key(house: &House, signer: &Signer, id: &str) -> Answer {
    let query = "mutation($p: ID!, $k: PublicKey!) { addPlayerKey(player: $p, key: $k) { keys { key since until } } }";
    house.ask(&signer.caller, query, json!({ "p": id, "k": signer.key.public() })).await
}

#[tokio::test]
async fn a_game_is_signed_by_its_players_and_says_by_whom() {
    let house = House::new();
    let (greta, hans) = (house.player("Greta").await, house.player("Hans").await);
    let game = signed_game(&house, "triangulate", &[&greta, &hans]).await;
    let first = Signer::new(player(&greta), 1);
    let second = Signer::new(player(&hans), 2);
    // A player signs with a key of the player's own log.
    assert_eq!(first.act(&house, &game, 1, "g8-h8").await.code(), "BAD_SIGNATURE");
    assert_eq!(add_key(&house, &first, &hans).await.code(), "FORBIDDEN");
    let keys = add_key(&house, &first, &greta).await.ok()["addPlayerKey"]["keys"].clone();
    assert_eq!(keys[0]["key"], json!(first.key.public()));
    add_key(&house, &second, &hans).await.ok();
    first.act(&house, &game, 1, "g8-h8").await.ok();
    second.act(&house, &game, 2, "h7-g8+c5").await.ok();
    let offer = first.sign(&house, &game, By::Seat(1), "draw_offered", json!({})).await;
    first.change(&house, &game, "offerDraw(game: $g, seat: 1, signature: $s) { ply }", Some(offer)).await.ok();
    let answer = second.sign(&house, &game, By::Seat(2), "draw_answered", json!({ "accept": true })).await;
    let field = "answerDraw(game: $g, seat: 2, accept: true, signature: $s) { status }";
    assert_eq!(second.change(&house, &game, field, Some(answer)).await.ok()["answerDraw"]["status"], "FINISHED");
    let arbiter = Signer::new(caller(Role::Arbiter), 3);
    let body = json!({ "reason": "late", "outcome": { "winners": [1], "reason": "late" } });
    let ruling = arbiter.sign(&house, &game, By::Arbiter, "corrected", body).await;
    let field = r#"adjudicate(game: $g, input: { winners: [1], reason: "late" }, signature: $s) { status }"#;
    arbiter.change(&house, &game, field, Some(ruling)).await.ok();
    let found = verification(&house, &game).await;
    assert_eq!(found["signatures"], "REQUIRED");
    let found = &found["verification"];
    assert_eq!((&found["valid"], &found["unsigned"]), (&json!(true), &json!(0)), "{found}");
    let told = |signer: &Value| (signer["player"]["name"].clone(), signer["events"].clone());
    let signers: Vec<_> = found["signers"].as_array().unwrap().iter().map(told).collect();
    assert_eq!(signers, [(json!("Greta"), json!(2)), (json!("Hans"), json!(2)), (Value::Null, json!(1))]);
}

#[tokio::test]
async fn what_is_not_signed_or_is_signed_otherwise_is_refused_and_leaves_nothing() {
    let house = House::new();
    let game = house.create_as(json!({ "kind": "triangulate", "seats": [{}, {}], "signatures": "REQUIRED" })).await;
    let one = Signer::new(seat(&game, 1), 1);
    let act = r#"act(game: $g, seat: 1, action: "g8-h8", signature: $s) { ply }"#;
    let unsigned = one.change(&house, &game, act, None).await;
    assert_eq!(unsigned.code(), "BAD_SIGNATURE");
    // The refusal says what is to be signed.
    let said = unsigned.says();
    assert!(said.contains(r#"{"body":{"action":"g8-h8"},"by":"seat:1","game":""#), "{said}");
    let other = one.sign(&house, &game, By::Seat(1), "acted", json!({ "action": "b1-b2" })).await;
    assert_eq!(one.change(&house, &game, act, Some(other)).await.code(), "BAD_SIGNATURE");
    let other = one.sign(&house, &game, By::Seat(2), "acted", json!({ "action": "g8-h8" })).await;
    assert_eq!(one.change(&house, &game, act, Some(other)).await.code(), "BAD_SIGNATURE");
    for wrong in
        ["resign(game: $g, seat: 1, signature: $s) { ply }", "offerDraw(game: $g, seat: 1, signature: $s) { ply }"]
    {
        assert_eq!(one.change(&house, &game, wrong, None).await.code(), "BAD_SIGNATURE", "{wrong}");
    }
    let recorder = Signer::new(caller(Role::Recorder), 2);
    let all = house.act_all(&game, &[json!({ "seat": 1, "action": "g8-h8" })]).await;
    assert_eq!(all.code(), "BAD_SIGNATURE");
    assert_eq!(house.head(&game).await, 0);
    // Where signatures are optional, a wrong one is refused all the same.
    let optional = house.create("triangulate").await;
    let elsewhere = one.sign(&house, &game, By::Seat(1), "acted", json!({ "action": "g8-h8" })).await;
    assert_eq!(recorder.change(&house, &optional, act, Some(elsewhere)).await.code(), "BAD_SIGNATURE");
    recorder.change(&house, &optional, act, None).await.ok();
    let found = verification(&house, &optional).await;
    assert_eq!((&found["signatures"], &found["verification"]["unsigned"]), (&json!("OPTIONAL"), &json!(1)));
}

/// An arbiter signs the deadline; what the service submits once it is over follows from it, and nobody signs that.
#[tokio::test]
async fn a_deadline_is_signed_and_what_is_submitted_after_it_is_not() {
    let house = House::new();
    let setup = json!({ "players": 7, "deadlines": { "round": "24h" } });
    let new =
        json!({ "kind": "triforce-building", "setup": setup, "seats": vec![json!({}); 7], "signatures": "REQUIRED" });
    let game = house.create_as(new).await;
    let arbiter = Signer::new(caller(Role::Arbiter), 3);
    let close = "mutation($g: ID!) { closeRound(game: $g) { ply } }";
    let early = house.ask(&arbiter.caller, close, json!({ "g": game })).await;
    assert_eq!(early.code(), "BAD_INPUT");
    assert!(early.says().contains("a round is closed once its deadline is over: set a deadline"), "{}", early.says());
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_millis() as i64;
    let due = Timestamp::from_millis(now + 6_000).unwrap();
    let field = format!(r#"setDeadline(game: $g, due: "{due}", reason: "the hall closes", signature: $s) {{ ply }}"#);
    assert_eq!(arbiter.change(&house, &game, &field, None).await.code(), "BAD_SIGNATURE");
    let body = json!({ "due": due, "reason": "the hall closes" });
    let signature = arbiter.sign(&house, &game, By::Arbiter, "deadline_set", body).await;
    arbiter.change(&house, &game, &field, Some(signature)).await.ok();
    let until = Instant::now() + Duration::from_secs(30);
    while house.head(&game).await < 10 {
        assert!(Instant::now() < until, "the round is not closed");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let found = verification(&house, &game).await["verification"].clone();
    assert_eq!(
        (&found["valid"], &found["events"], &found["unsigned"]),
        (&json!(true), &json!(11), &json!(7)),
        "{found}"
    );
    assert_eq!(found["signers"][0]["events"], 1, "the deadline");
}

/// The seat chooses the salt, so that it knows the commitment which it signs; the end reveals in between.
#[tokio::test]
async fn what_is_sealed_is_signed_as_its_commitment() {
    let house = House::new();
    let game = house.create_as(json!({ "kind": "thrones", "seats": [{}, {}], "signatures": "REQUIRED" })).await;
    let (one, two) = (Signer::new(seat(&game, 1), 1), Signer::new(seat(&game, 2), 2));
    let log: LogId = game.parse().unwrap();
    let salt = Hash([9; 32]);
    let commitment = seal::commitment(log, By::Seat(1), &salt, SETUP);
    let signature = one.sign(&house, &game, By::Seat(1), "sealed", json!({ "commitment": commitment })).await;
    let with = |salt: &str| format!(r#"act(game: $g, seat: 1, action: "{SETUP}", signature: $s{salt}) {{ ply }}"#);
    assert_eq!(one.change(&house, &game, &with(""), Some(signature.clone())).await.code(), "BAD_SIGNATURE");
    let salted = with(&format!(r#", salt: "{salt}""#));
    assert_eq!(one.change(&house, &game, &salted, None).await.code(), "BAD_INPUT");
    // A recorder who may not know the seat's set-up learns nothing from a wrong signature.
    let recorder = Signer::new(caller(Role::Recorder), 3);
    let legal = recorder.change(&house, &game, &salted, Some(signature.replace('1', "2"))).await.says();
    let illegal = salted.replace("setup:ff", "setup:zz");
    let illegal = recorder.change(&house, &game, &illegal, Some(signature.replace('1', "2"))).await.says();
    assert_eq!(legal.replace("setup:ff", "setup:zz"), illegal);
    one.change(&house, &game, &salted, Some(signature)).await.ok();
    let body = json!({ "decided_by": "resignation", "outcome": { "reason": "resignation", "winners": [1] } });
    let resigned = two.sign(&house, &game, By::Seat(2), "ended", body).await;
    let field = "resign(game: $g, seat: 2, signature: $s) { status }";
    assert_eq!(two.change(&house, &game, field, Some(resigned)).await.ok()["resign"]["status"], "FINISHED");
    let found = verification(&house, &game).await["verification"].clone();
    assert_eq!((&found["valid"], &found["unsigned"]), (&json!(true), &json!(0)), "{found}");
}

#[tokio::test]
async fn keys_are_added_and_removed_by_the_player_and_arbiters() {
    let house = House::new();
    let greta = house.player("Greta").await;
    let signer = Signer::new(player(&greta), 1);
    add_key(&house, &signer, &greta).await.ok();
    add_key(&house, &signer, &greta).await.ok();
    let remove = "mutation($p: ID!, $k: PublicKey!) { removePlayerKey(player: $p, key: $k) { keys { until } } }";
    let variables = json!({ "p": greta, "k": signer.key.public() });
    let recorder = house.ask(&caller(Role::Recorder), remove, variables.clone()).await;
    assert_eq!(recorder.code(), "FORBIDDEN");
    let keys = house.ask(&caller(Role::Arbiter), remove, variables.clone()).await.ok();
    assert!(keys["removePlayerKey"]["keys"][0]["until"].is_string(), "{keys}");
    assert_eq!(house.ask(&signer.caller, remove, variables).await.code(), "NOT_FOUND");
    // Whoever likes can sign with a key of small order.
    let weak = "mutation($p: ID!, $k: PublicKey!) { addPlayerKey(player: $p, key: $k) { id } }";
    let weak = house.ask(&signer.caller, weak, json!({ "p": greta, "k": format!("01{}", "0".repeat(62)) })).await;
    assert_eq!(weak.code(), "BAD_INPUT");
}

/// What a client has to know before it signs: whether a player who resigns ends the game.
#[tokio::test]
async fn whether_a_resignation_ends_the_game_is_told_beforehand() {
    let house = House::new();
    for kind in kind_names() {
        let game = house.create(kind).await;
        let query = "query($g: ID!) { game(id: $g) { seats { number } position { closable } } }";
        let before = house.get(query, json!({ "g": game })).await["game"].clone();
        let resign = "mutation($g: ID!) { resign(game: $g, seat: 1) { events(last: 3) { nodes { type } } } }";
        let answer = house.ask(&Caller::ADMIN, resign, json!({ "g": game })).await;
        if before["position"]["closable"] == json!(true) {
            let events = answer.ok()["resign"]["events"]["nodes"].clone();
            assert!(events.as_array().unwrap().iter().any(|event| event["type"] == "resigned"), "{kind}: {events}");
        } else if before["seats"].as_array().unwrap().len() == 2 {
            let events = answer.ok()["resign"]["events"]["nodes"].clone();
            assert_eq!(events.as_array().unwrap().last().unwrap()["type"], "ended", "{kind}: {events}");
        } else {
            assert_eq!(answer.code(), "BAD_INPUT", "{kind}");
        }
    }
}

#[tokio::test]
async fn the_code_of_a_head_needs_the_address_of_the_service() {
    let house = House::new();
    let game = house.create_as(json!({ "kind": "triangulate", "seats": [{}, {}] })).await;
    let query = "query($g: ID!, $b: String!) { game(id: $g) { head { seq qr(base: $b) { size path } } } }";
    let code = house.get(query, json!({ "g": game, "b": "https://plybook.example/" })).await;
    assert!(code["game"]["head"]["qr"]["size"].as_u64().unwrap() > 30, "{code}");
    for wrong in ["", "plybook.example", "javascript:alert(1)", &format!("https://{}", "a".repeat(300))] {
        let answer = house.ask(&caller(Role::Spectator), query, json!({ "g": game, "b": wrong })).await;
        assert_eq!(answer.code(), "BAD_INPUT", "{wrong}");
    }
}
