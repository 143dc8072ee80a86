//! Who caused an event: the holder of the token stands in it, and nobody in what follows by itself.

use std::sync::Arc;

use plybook_api::access::{Caller, Role, Tokens};
use plybook_api::schema;
use plybook_api::service::Service;
use plybook_events::{Actor, Event};
use plybook_tests::store;
use serde_json::{Value, json};

use crate::hall::Hall;
use crate::house::{House, caller, seat, text};

/// The holder of a token with this role and id.
fn holder(role: Role, id: &str) -> Caller {
    named(caller(role), id)
}

/// The same caller with the token of this id.
fn named(caller: Caller, id: &str) -> Caller {
    let who = format!("{}:{id}", caller.role).parse().unwrap();
    Caller { who: Some(who), ..caller }
}

async fn run(house: &House, who: &Caller, field: &str, game: &str) -> Value {
    house.ask(who, &format!("mutation($g: ID!) {{ {field} }}"), json!({ "g": game })).await.ok()
}

/// The type, the author and the person of each event of a log.
fn told(events: &[Event]) -> Vec<String> {
    let line = |event: &Event| {
        let who = event.who.map_or("-".to_owned(), |who| who.to_string());
        format!("{} {} {who}", event.body.type_name(), event.by)
    };
    events.iter().map(line).collect()
}

fn log(house: &House, id: &str) -> Vec<String> {
    told(&house.service.events(id.parse().unwrap(), 0).unwrap())
}

#[tokio::test]
async fn a_caller_is_named_by_the_id_of_the_token() {
    plybook_example::register();
    let service = Service::start(store::new()).unwrap();
    let tokens = Arc::new(Tokens::in_memory());
    let house = House { schema: schema::build_with(Arc::clone(&service), Arc::clone(&tokens)), service };
    let query = "mutation { createToken(input: { role: \"recorder\", label: \"hall\" }) { id token } }";
    let made = house.get(query, json!({})).await["createToken"].clone();
    let recorder = tokens.identify(Some(&text(&made["token"]))).unwrap();
    assert_eq!(recorder.who.unwrap().to_string(), format!("recorder:{}", text(&made["id"])));
    assert_eq!(tokens.identify(None).unwrap().who, None);
    let create = "mutation($i: CreateGame!) { createGame(input: $i) { id } }";
    let input = json!({ "i": { "kind": "triangulate", "seats": [{}, {}] } });
    let game = text(&house.ask(&recorder, create, input).await.ok()["createGame"]["id"]);
    assert_eq!(log(&house, &game), [format!("created service recorder:{}", text(&made["id"]))]);
    // Links of seats and tables are tokens too, each with an id of its own.
    let links = "mutation($g: ID!) { issueGameTokens(game: $g) { seat id token } }";
    let links = house.ask(&recorder, links, json!({ "g": game })).await.ok()["issueGameTokens"].clone();
    for link in links.as_array().unwrap() {
        let role = if link["seat"].is_null() { "recorder" } else { "player" };
        let caller = tokens.identify(Some(&text(&link["token"]))).unwrap();
        assert_eq!(caller.who.unwrap().to_string(), format!("{role}:{}", text(&link["id"])));
    }
}

#[tokio::test]
async fn what_people_do_in_a_game_names_them() {
    let house = House::new();
    let [recorder, arbiter] = [holder(Role::Recorder, "0000000a"), holder(Role::Arbiter, "0000000b")];
    let create = "mutation($i: CreateGame!) { createGame(input: $i) { id } }";
    let input = json!({ "i": { "kind": "triangulate", "seats": [{}, {}] } });
    let game = text(&house.ask(&recorder, create, input).await.ok()["createGame"]["id"]);
    let two = named(seat(&game, 2), "0000000c");
    for (who, number) in [(&recorder, 1), (&two, 2)] {
        let live = house.service.game(game.parse().unwrap()).unwrap();
        let action = live.replay().position().legal(Actor::Seat(number)).unwrap().remove(0);
        run(&house, who, &format!("act(game: $g, action: \"{action}\") {{ ply }}"), &game).await;
    }
    run(&house, &two, "annotate(game: $g, ply: 2, comment: \"hm\") { ply }", &game).await;
    run(&house, &arbiter, "takeBack(game: $g, toPly: 1, reason: \"touched\") { ply }", &game).await;
    run(&house, &two, "offerDraw(game: $g, seat: 2) { ply }", &game).await;
    run(&house, &recorder, "answerDraw(game: $g, seat: 1, accept: true) { ply }", &game).await;
    assert_eq!(
        log(&house, &game),
        [
            "created service recorder:0000000a",
            "acted seat:1 recorder:0000000a",
            "acted seat:2 player:0000000c",
            "annotated seat:2 player:0000000c",
            "taken_back arbiter arbiter:0000000b",
            "draw_offered seat:2 player:0000000c",
            "draw_answered seat:1 recorder:0000000a",
            "ended service -",
        ]
    );
    let query = "query($g: ID!) { game(id: $g) { moves(first: 5) { nodes { who } } \
        events(first: 3) { nodes { who } } json: record(format: JSON) text: record(format: TEXT) \
        verification { valid } } }";
    let found = house.ask(&Caller::SPECTATOR, query, json!({ "g": game })).await.ok()["game"].clone();
    assert_eq!(found["moves"]["nodes"], json!([{ "who": "recorder:0000000a" }]));
    assert_eq!(found["events"]["nodes"][2], json!({ "who": "player:0000000c" }));
    assert_eq!(found["verification"]["valid"], true);
    let record: Value = serde_json::from_str(&text(&found["json"])).unwrap();
    assert_eq!(record["recordedBy"], json!(["arbiter:0000000b", "player:0000000c", "recorder:0000000a"]));
    let header = "[RecordedBy \"arbiter:0000000b player:0000000c recorder:0000000a\"]\n";
    assert!(text(&found["text"]).contains(header), "{}", found["text"]);
    // Another service takes the record over as it is, and refuses one that names other people.
    let other = House::new();
    let import = "mutation($r: String!) { importRecord(record: $r, format: JSON) { id } }";
    let changed = text(&found["json"]).replacen("[\"arbiter:0000000b\",", "[", 1);
    assert_eq!(other.ask(&Caller::ADMIN, import, json!({ "r": changed })).await.code(), "BAD_INPUT");
    other.get(import, json!({ "r": found["json"] })).await;
    assert_eq!(log(&other, &game), log(&house, &game));
}

#[tokio::test]
async fn what_follows_by_itself_names_nobody() {
    let house = House::new();
    let game = house.create("triforce-building").await;
    let recorder = holder(Role::Recorder, "0000000a");
    run(&house, &named(seat(&game, 3), "0000000c"), "resign(game: $g, seat: 3) { ply }", &game).await;
    run(&house, &recorder, "closeRound(game: $g) { ply }", &game).await;
    let events = log(&house, &game);
    // Seat 3 is gone: its submission follows from the resignation. All others are the recorder's doing.
    assert_eq!(events[1..3], ["resigned seat:3 player:0000000c", "sealed seat:3 -"]);
    let closed: Vec<&String> = events[3..].iter().filter(|line| line.ends_with("recorder:0000000a")).collect();
    assert_eq!(closed.len(), 12, "{events:?}");
    assert!(closed.iter().all(|line| line.starts_with("sealed ") && !line.contains("seat:3")), "{closed:?}");
    let nobody =
        |line: &&String| line.starts_with("revealed ") || line.starts_with("ended ") || line.contains("seat:3 ");
    assert!(events[3..].iter().filter(nobody).all(|line| line.ends_with(" -")), "{events:?}");
}

#[tokio::test]
async fn a_tournament_and_its_games_name_whoever_runs_it() {
    let house = House::new();
    let input = json!({ "name": "Open", "kind": "triangulate", "format": "SWISS", "rounds": 2 });
    let chief = holder(Role::Arbiter, "0000000a");
    let create = "mutation($i: CreateTournament!) { createTournament(input: $i) { id } }";
    let id = text(&house.ask(&chief, create, json!({ "i": input })).await.ok()["createTournament"]["id"]);
    let hall = Hall { house: &house, id };
    let organiser = named(Caller { tournament: Some(hall.id.parse().unwrap()), ..caller(Role::Organiser) }, "0000000b");
    let table = named(Caller { tournament: organiser.tournament, ..caller(Role::Organiser) }, "0000000c");
    let entrants = json!({ "e": [{ "name": "Ada" }, { "name": "Ben" }, { "name": "Cleo" }, { "name": "Dan" }] });
    let enter = "addEntrants(tournament: $t, entrants: $e) { id }";
    hall.change_as(&organiser, enter, "$e: [EntrantInput!]", entrants).await.ok();
    hall.change_as(&organiser, "pairRound(tournament: $t) { status }", "", json!({})).await.ok();
    hall.change_as(&organiser, "openRound(tournament: $t, round: 1) { status }", "", json!({})).await.ok();
    let games = hall.games(1).await;
    run(&house, &table, "resign(game: $g, seat: 2) { ply }", &games[0].0).await;
    let by = |line: &str| line.rsplit_once(' ').unwrap().1.to_owned();
    let events = told(&hall.log());
    assert_eq!(events[0], "tournament_created arbiter arbiter:0000000a");
    assert!(events[1..].iter().any(|line| line == "paired arbiter organiser:0000000b"), "{events:?}");
    let (last, rest) = events[1..].split_last().unwrap();
    assert!(rest.iter().all(|line| by(line) == "organiser:0000000b"), "{events:?}");
    // The game says who recorded its end; the result follows from it.
    assert_eq!(last, "result_recorded service -");
    assert_eq!(log(&house, &games[0].0), ["created service organiser:0000000b", "ended seat:2 organiser:0000000c"]);
    let known = hall.get("entrants { player { id } }").await;
    let player = text(&known["entrants"][0]["player"]["id"]);
    assert_eq!(log(&house, &player), ["player_created service organiser:0000000b"]);
}

#[tokio::test]
async fn the_log_of_a_player_names_who_keeps_it() {
    let house = House::new();
    let [recorder, arbiter] = [holder(Role::Recorder, "0000000a"), holder(Role::Arbiter, "0000000b")];
    let create = "mutation { createPlayer(input: { name: \"Ada\", club: \"Lace\" }) { id } }";
    let ada = text(&house.ask(&recorder, create, json!({})).await.ok()["createPlayer"]["id"]);
    let roster = "mutation($c: String!) { importPlayers(csv: $c) { lines { player { id } } } }";
    let csv = format!("id,name,club\n{ada},Ada,Engines\n,Ben,\n");
    let lines = house.ask(&arbiter, roster, json!({ "c": csv })).await.ok()["importPlayers"]["lines"].clone();
    let ben = text(&lines[1]["player"]["id"]);
    let merge = "mutation($a: ID!, $b: ID!) { mergePlayers(from: $a, into: $b) { id } }";
    house.ask(&arbiter, merge, json!({ "a": ada, "b": ben })).await.ok();
    assert_eq!(
        log(&house, &ada),
        [
            "player_created service recorder:0000000a",
            "player_edited service recorder:0000000a",
            "player_edited arbiter arbiter:0000000b",
            "player_merged arbiter arbiter:0000000b",
        ]
    );
    assert_eq!(log(&house, &ben), ["player_created service arbiter:0000000b"]);
}
