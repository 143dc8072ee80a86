//! Which role may do what.

use plybook_api::access::{Caller, Role};
use plybook_events::LogId;
use serde_json::{Value, json};

use crate::house::{Dice, House, caller, player, seat};

/// A change, its text, and the answers to: a spectator, the player of seat 1, the holder of a token for seat
/// 1 of this game, the player of another game, a recorder, a recorder of another game, an arbiter, an
/// administrator.
const TABLE: &[(&str, &str, [&str; 8])] = {
    const U: &str = "UNAUTHENTICATED";
    const F: &str = "FORBIDDEN";
    const O: &str = "OK";
    // Allowed, but there is no such key.
    const N: &str = "NOT_FOUND";
    // Allowed, but refused because there is nothing to undo, close or arrange in this game.
    const B: &str = "BAD_INPUT";
    // Allowed, and no part of the record.
    const W: &str = "WRITES NOTHING";
    &[
        ("createPlayer", "createPlayer(input: { name: \"Bela\" })", [U, F, F, F, O, F, O, O]),
        ("editPlayer", "editPlayer(player: $p, input: { name: $n })", [U, F, F, F, F, F, O, O]),
        ("mergePlayers", "mergePlayers(from: $q, into: $p)", [U, F, F, F, F, F, O, O]),
        ("unmergePlayer", "unmergePlayer(player: $m)", [U, F, F, F, F, F, O, O]),
        (
            "addPlayerKey",
            "addPlayerKey(player: $q, key: \"ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c\")",
            [U, F, F, F, F, F, O, O],
        ),
        (
            "removePlayerKey",
            "removePlayerKey(player: $q, key: \"ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c\")",
            [U, F, F, F, F, F, N, N],
        ),
        ("importPlayers", "importPlayers(csv: $c)", [U, F, F, F, F, F, O, O]),
        ("createGame", "createGame(input: { kind: \"triangulate\", seats: [{}, {}] })", [U, F, F, F, O, F, O, O]),
        ("act", "act(game: $g, seat: 1, action: $a)", [U, O, O, F, O, F, O, O]),
        ("act for the only one", "act(game: $g, action: $a)", [U, O, O, F, O, F, O, O]),
        ("actAll", "actAll(game: $g, actions: [{ seat: 1, action: $a }])", [U, O, O, F, O, F, O, O]),
        (
            "actAll for both",
            "actAll(game: $g, actions: [{ seat: 1, action: $a }, { seat: 2, action: $b }])",
            [U, F, F, F, O, F, O, O],
        ),
        ("takeBack", "takeBack(game: $g, toPly: 0, reason: \"r\")", [U, F, F, F, F, F, O, O]),
        ("annotate", "annotate(game: $g, ply: 1, comment: \"c\")", [U, O, O, F, O, F, O, O]),
        ("resign", "resign(game: $g, seat: 1)", [U, O, O, F, O, F, O, O]),
        ("resign for the other", "resign(game: $g, seat: 2)", [U, F, F, F, O, F, O, O]),
        (
            "addEntropy",
            "addEntropy(game: $g, seat: 1, entropy: \"abababababababababababababababababababababababababababababababab\")",
            [U, B, B, F, B, F, B, B],
        ),
        ("offerDraw", "offerDraw(game: $g, seat: 1)", [U, O, O, F, O, F, O, O]),
        ("answerDraw for the other", "answerDraw(game: $g, seat: 2, accept: true)", [U, F, F, F, B, F, B, B]),
        ("flagFall", "flagFall(game: $g, seat: 1)", [U, F, F, F, O, F, O, O]),
        ("abandon", "abandon(game: $g, seat: 1)", [U, F, F, F, O, F, O, O]),
        ("adjudicate", "adjudicate(game: $g, input: { winners: [1], reason: \"r\" })", [U, F, F, F, F, F, O, O]),
        ("voidGame", "voidGame(game: $g, reason: \"r\")", [U, F, F, F, F, F, O, O]),
        ("unvoidGame", "unvoidGame(game: $g, reason: \"r\")", [U, F, F, F, F, F, B, B]),
        ("reopenGame", "reopenGame(game: $g, reason: \"r\")", [U, F, F, F, F, F, B, B]),
        ("closeRound", "closeRound(game: $g)", [U, F, F, F, B, F, B, B]),
        ("setDeadline", "setDeadline(game: $g, reason: \"r\")", [U, F, F, F, F, F, B, B]),
        ("fork", "fork(game: $g, ply: 0)", [U, O, O, O, O, F, O, O]),
        ("analyze", "analyze(game: $g, playouts: 1)", [U, W, W, W, W, F, W, W]),
        ("arrangeLine", "arrangeLine(line: $g, name: \"n\")", [U, B, B, B, B, F, B, B]),
        ("importRecord", "importRecord(record: $t, format: TEXT)", [U, F, F, F, O, F, O, O]),
        (
            "roll",
            "roll(game: $g)",
            [U, "NOT_YOUR_TURN", "NOT_YOUR_TURN", F, "NOT_YOUR_TURN", F, "NOT_YOUR_TURN", "NOT_YOUR_TURN"],
        ),
    ]
};

#[tokio::test]
async fn every_change_is_for_the_right_roles() {
    let house = House::new();
    let (ada, bela) = (house.player("Ada").await, house.player("Bela").await);
    let other: LogId = house.create("triangulate").await.parse().unwrap();
    for (name, field, expected) in TABLE {
        for (index, code) in expected.iter().enumerate() {
            let game = house.create_as(json!({ "kind": "triangulate", "seats": [{ "player": ada }, {}] })).await;
            house.play(&game, 2, &mut Dice(1)).await;
            let who = match index {
                0 => Caller::SPECTATOR,
                1 => player(&ada),
                2 => seat(&game, 1),
                3 => player(&bela),
                4 => caller(Role::Recorder),
                5 => Caller { game: Some(other), ..caller(Role::Recorder) },
                6 => caller(Role::Arbiter),
                _ => Caller::ADMIN,
            };
            let [a, b] = two_actions(&house, &game).await;
            let text = "[Kind \"triangulate\"]\n[Seat1 \"a\"]\n[Seat2 \"b\"]\n\n1. b1-b2";
            let [double, merged] = [house.player("Ada").await, house.player("Ada").await];
            let merge = "mutation($f: ID!, $i: ID!) { mergePlayers(from: $f, into: $i) { id } }";
            house.get(merge, json!({ "f": merged, "i": ada })).await;
            let (all, variables) = [
                ("$p: ID!", ("p", json!(ada))),
                ("$q: ID!", ("q", json!(double))),
                ("$m: ID!", ("m", json!(merged))),
                ("$n: String!", ("n", json!(format!("Ada of {game}")))),
                ("$c: String!", ("c", json!(format!("name\nBela of {game}")))),
                ("$g: ID!", ("g", json!(game))),
                ("$a: String!", ("a", json!(a))),
                ("$b: String!", ("b", json!(b))),
                ("$t: String!", ("t", json!(text))),
            ]
            .into_iter()
            .filter(|(_, (name, _))| field.contains(&format!("${name}")))
            .unzip::<_, _, Vec<_>, Vec<(&str, Value)>>();
            let head = if all.is_empty() { String::new() } else { format!("({})", all.join(", ")) };
            let before = house.service.log().len();
            let variables: Value = variables
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect::<serde_json::Map<_, _>>()
                .into();
            let answer = house.ask(&who, &format!("mutation{head} {{ {field} {{ __typename }} }}"), variables).await;
            let has_written = house.service.log().len() > before;
            let told = if *code == "WRITES NOTHING" { "OK" } else { code };
            assert_eq!(answer.code(), told, "{name} by {who:?}: {:?}", answer.errors);
            assert_eq!(has_written, *code == "OK", "{name} by {who:?}");
        }
    }
}

/// Every change is in the table.
#[tokio::test]
async fn every_change_is_in_the_table() {
    let house = House::new();
    let fields = house.get("{ __schema { mutationType { fields { name } } } }", json!({})).await;
    let fields = fields["__schema"]["mutationType"]["fields"].as_array().unwrap();
    let of_tournaments = crate::tournament_roles::ROLES.iter().map(|(_, field, _)| *field);
    let all: Vec<&str> = TABLE.iter().map(|(_, field, _)| *field).chain(of_tournaments).collect();
    let judged = |name: &str| all.iter().any(|field| field.split('(').next() == Some(name));
    let missing: Vec<&str> =
        fields.iter().map(|field| field["name"].as_str().unwrap()).filter(|name| !judged(name)).collect();
    assert!(missing.is_empty(), "add rows for {missing:?}");
}

/// A legal action of seat 1, and one of seat 2 after it.
async fn two_actions(house: &House, game: &str) -> [String; 2] {
    let mut position = house.service.game(game.parse().unwrap()).unwrap().replay().position().boxed();
    [1, 2].map(|seat| {
        let actor = plybook_events::Actor::Seat(seat);
        let action = position.legal(actor).unwrap().swap_remove(0);
        position.act(actor, &action).unwrap();
        action
    })
}

#[tokio::test]
async fn whoever_comments_is_named() {
    let house = House::new();
    let ada = house.player("Ada").await;
    let game = house.create_as(json!({ "kind": "triangulate", "seats": [{}, { "player": ada }] })).await;
    for (who, by) in [(player(&ada), "seat:2"), (seat(&game, 1), "seat:1"), (caller(Role::Recorder), "arbiter")] {
        let query = "mutation($g: ID!) { annotate(game: $g, ply: 0, comment: \"c\") { events(last: 1) { nodes { by type } } } }";
        let told = house.ask(&who, query, json!({ "g": game })).await.ok();
        assert_eq!(told["annotate"]["events"]["nodes"][0], json!({ "by": by, "type": "annotated" }));
    }
}

/// Everybody may read everything about a game without secrets.
#[tokio::test]
async fn reading_needs_no_token() {
    let house = House::new();
    let id = house.create("triangulate").await;
    let query = format!("query($id: ID!) {{ game(id: $id) {{ {} }} }}", crate::house::ALL);
    let told = house.ask(&Caller::SPECTATOR, &query, json!({ "id": id })).await.ok();
    assert_eq!(told["game"], house.game(&id).await);
}

/// A log may contain what only an arbiter may do, so only arbiters extend one by importing.
#[tokio::test]
async fn a_recorder_cannot_slip_an_arbiters_decision_in() {
    let (here, there) = (House::new(), House::new());
    let id = here.create("triangulate").await;
    let log = |house: &House| {
        String::from_utf8(house.service.log().read(id.parse().unwrap(), 0).unwrap().concat())
            .unwrap()
            .replace("}{", "}\n{")
    };
    let import = "mutation($r: String!) { importRecord(record: $r, format: NDJSON) { id status } }";
    there.ask(&caller(Role::Recorder), import, json!({ "r": log(&here) })).await.ok();
    there.get("mutation($g: ID!) { voidGame(game: $g, reason: \"r\") { id } }", json!({ "g": id })).await;
    let voided = json!({ "r": log(&there) });
    assert_eq!(here.ask(&caller(Role::Recorder), import, voided.clone()).await.code(), "FORBIDDEN");
    assert_eq!(here.head(&id).await, 0);
    assert_eq!(here.ask(&caller(Role::Arbiter), import, voided.clone()).await.ok()["importRecord"]["status"], "VOID");
    assert_eq!(
        here.ask(&caller(Role::Recorder), import, voided).await.code(),
        "OK",
        "what is there already is left alone"
    );
}
