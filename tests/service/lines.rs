//! Lines of analysis: forking, acting, permissions, lists and trees.

use std::collections::BTreeMap;

use plybook_api::access::{Caller, Role};
use plybook_events::{Actor, Body, Event, Hash, LogId};
use plybook_rules::log::{LogBytes, Verifier};
use plybook_tests::TREE;
use serde_json::{Value, json};

use crate::house::{Answer, Dice, House, caller, kind_names, kinds, nobody, player, seat, text};

const FORK: &str = "mutation($g: ID!, $p: Int!, $a: [String!], $n: String, $s: [String!]) {
    fork(game: $g, ply: $p, actions: $a, name: $n, assume: $s) { id } }";

/// The fields of a line and of its game alike.
const MOVES: &str = "moves(first: 500) { nodes { ply seq game { id } by action comment glyphs positionKey } }";

impl House {
    /// Forks as a caller; returns the answer.
    async fn try_fork(&self, who: &Caller, game: &str, ply: usize, more: Value) -> Answer {
        let mut variables = json!({ "g": game, "p": ply });
        for (name, value) in more.as_object().into_iter().flatten() {
            variables[name] = value.clone();
        }
        self.ask(who, FORK, variables).await
    }

    /// The id of a line that an administrator forks.
    async fn fork(&self, game: &str, ply: usize, more: Value) -> String {
        text(&self.try_fork(&Caller::ADMIN, game, ply, more).await.ok()["fork"]["id"])
    }

    async fn fields(&self, who: &Caller, game: &str, fields: &str) -> Value {
        let query = format!("query($g: ID!) {{ game(id: $g) {{ {fields} }} }}");
        self.ask(who, &query, json!({ "g": game })).await.ok()["game"].clone()
    }

    async fn moves(&self, game: &str) -> Vec<Value> {
        self.fields(&Caller::ADMIN, game, MOVES).await["moves"]["nodes"].as_array().unwrap().clone()
    }

    async fn tree(&self, game: &str, arguments: &str) -> Value {
        self.fields(&Caller::ADMIN, game, &format!("tree{arguments} {TREE}")).await["tree"].clone()
    }

    /// A mutation of a game or a line, its arguments as text.
    async fn change(&self, who: &Caller, id: &str, what: &str) -> Answer {
        let (name, arguments) = what.split_once(' ').unwrap_or((what, ""));
        let id_name = if name == "arrangeLine" { "line" } else { "game" };
        let query = format!("mutation {{ {name}({id_name}: \"{id}\" {arguments}) {{ id ply status }} }}");
        self.ask(who, &query, json!({})).await
    }

    /// A random legal action in a game's current position, as a word.
    async fn any_word(&self, id: &str, dice: &mut Dice) -> String {
        let replay = self.service.game(id.parse().unwrap()).unwrap().replay();
        let actor = replay.position().to_act().iter().next().unwrap();
        let action = replay.position().sample(actor, &mut |n| dice.below(n));
        match actor {
            Actor::Seat(seat) if replay.rules().about().simultaneous => format!("{seat}:{action}"),
            Actor::Chance if replay.rules().about().simultaneous => format!("chance:{action}"),
            _ => action,
        }
    }
}

/// Games of all kinds after some random actions, some of them void, which opens what was secret.
async fn games(house: &House, dice: &mut Dice) -> Vec<String> {
    let mut games = Vec::new();
    for rules in kinds() {
        for is_void in [false, true] {
            if rules.about().secrets && !is_void {
                continue;
            }
            let id = house.create(rules.about().kind).await;
            house.play_on(&id, 9, dice).await;
            if is_void {
                house.change(&Caller::ADMIN, &id, "voidGame reason: \"r\"").await.ok();
            }
            games.push(id);
        }
    }
    games
}

#[tokio::test]
async fn a_line_continues_from_any_ply_and_changes_nothing_else() {
    let house = House::new();
    let dice = &mut Dice(7);
    for game in games(&house, dice).await {
        let (before, moves) = (house.game(&game).await, house.moves(&game).await);
        for ply in 0..=moves.len() {
            let line = house.fork(&game, ply, json!({ "n": format!("from {ply}") })).await;
            assert_eq!(house.moves(&line).await, moves[..ply]);
            let fields = "origin name status ply forkedFrom { game { id } ply seq hash } position { positionKey } \
                events { nodes { seq type prev body } } seats { player { id } } verification { valid problem events }";
            let told = house.fields(&Caller::SPECTATOR, &line, fields).await;
            assert_eq!(told["origin"], "ANALYSIS");
            assert_eq!(told["name"], format!("from {ply}"));
            assert_eq!((&told["status"], &told["ply"]), (&json!("RUNNING"), &json!(ply)));
            let fork = &told["forkedFrom"];
            assert_eq!((&fork["game"]["id"], &fork["ply"]), (&json!(game), &json!(ply)));
            assert_eq!(told["events"]["nodes"][0]["prev"], fork["hash"]);
            let seq = fork["seq"].as_u64().unwrap() as usize;
            assert_eq!(before["events"]["nodes"][seq]["hash"], fork["hash"]);
            assert_eq!(seq, ply.checked_sub(1).map_or(0, |index| moves[index]["seq"].as_u64().unwrap() as usize));
            assert_eq!(told["verification"], json!({ "valid": true, "problem": null, "events": 1 }));
            // It continues on its own.
            let word = house.any_word(&line, dice).await;
            let longer = house.fork(&line, ply, json!({ "a": [word] })).await;
            let went = house.moves(&longer).await;
            assert_eq!((went.len(), &went[..ply]), (ply + 1, &moves[..ply]));
            assert_eq!((&went[ply]["game"]["id"], &went[ply]["seq"]), (&json!(longer), &json!(1)));
            let parent = house.fields(&Caller::ADMIN, &longer, "forkedFrom { game { id } }").await;
            assert_eq!(parent["forkedFrom"]["game"]["id"], json!(game), "the game owns that ply");
        }
        assert_eq!(house.game(&game).await, before);
    }
}

#[tokio::test]
async fn the_first_actions_of_a_line_are_written_all_or_none() {
    let house = House::new();
    let game = house.create("triangulate").await;
    let len = house.service.log().len();
    let refused = house.try_fork(&Caller::ADMIN, &game, 0, json!({ "a": ["b1-b2", "a1-a9"] })).await;
    assert_eq!((refused.code().as_str(), &refused.errors[0]["extensions"]["ply"]), ("ILLEGAL_ACTION", &json!(2)));
    for (ply, more) in [(1, json!({})), (0, json!({ "n": "x".repeat(101) })), (0, json!({ "s": ["b1-b2"] }))] {
        assert_eq!(house.try_fork(&Caller::ADMIN, &game, ply, more).await.code(), "BAD_INPUT");
    }
    assert_eq!(house.try_fork(&Caller::ADMIN, &nobody(), 0, json!({})).await.code(), "NOT_FOUND");
    assert_eq!(house.service.log().len(), len, "nothing was written");
    let line = house.fork(&game, 0, json!({ "a": ["b1-b2"], "n": " A name " })).await;
    assert_eq!(house.service.log().len(), len + 2);
    let told = house.fields(&Caller::ADMIN, &line, "name ply forkedFrom { seq hash } owner { id }").await;
    assert_eq!((&told["name"], &told["ply"], &told["owner"]), (&json!("A name"), &json!(1), &Value::Null));
    assert_eq!(house.fields(&Caller::ADMIN, &game, "forkedFrom { ply }").await["forkedFrom"], Value::Null);
}

/// Questions about a line, and the answers to a stranger, its owner, a recorder, and a recorder of another
/// game.
const CHANGES: &[(&str, [&str; 4])] = {
    const F: &str = "FORBIDDEN";
    &[
        ("act action: \"b1-b2\"", [F, "OK", "OK", F]),
        ("act seat: 2, action: \"b1-b2\"", [F, "OK", "OK", F]),
        ("act seat: 1, action: \"b1-b2\"", [F, "NOT_YOUR_TURN", "NOT_YOUR_TURN", F]),
        ("annotate ply: 1, comment: \"c\"", [F, "OK", "OK", F]),
        ("takeBack toPly: 2, reason: \"r\"", [F, "OK", "OK", F]),
        ("takeBack toPly: 1, reason: \"r\"", [F, "BAD_INPUT", "BAD_INPUT", F]),
        ("roll", [F, "NOT_YOUR_TURN", "NOT_YOUR_TURN", F]),
        ("arrangeLine name: \"n\", hidden: true, promote: true", [F, "OK", "OK", F]),
        ("arrangeLine", [F, "BAD_INPUT", "BAD_INPUT", F]),
        ("arrangeLine name: \"a\\nb\"", [F, "BAD_INPUT", "BAD_INPUT", F]),
        ("resign seat: 1", [F, "BAD_INPUT", "BAD_INPUT", F]),
        ("offerDraw seat: 1", [F, "BAD_INPUT", "BAD_INPUT", F]),
        ("answerDraw seat: 1, accept: true", [F, "BAD_INPUT", "BAD_INPUT", F]),
        ("flagFall seat: 1", [F, F, "BAD_INPUT", F]),
    ]
};

#[tokio::test]
async fn a_line_is_for_its_owner_and_for_recorders() {
    let house = House::new();
    let (ada, bela) = (house.player("Ada").await, house.player("Bela").await);
    let game = house.create("triangulate").await;
    house.play(&game, 2, &mut Dice(1)).await;
    let other = Caller { game: Some(nobody().parse().unwrap()), ..caller(Role::Recorder) };
    let who = [player(&bela), player(&ada), caller(Role::Recorder), other];
    for (what, codes) in CHANGES {
        for (who, code) in who.iter().zip(codes) {
            let word = house.any_word(&game, &mut Dice(2)).await;
            let made = house.try_fork(&player(&ada), &game, 2, json!({ "a": [word] })).await.ok();
            let line = text(&made["fork"]["id"]);
            let word = house.any_word(&line, &mut Dice(2)).await;
            let what = what.replace("b1-b2", &word);
            assert_eq!(house.change(who, &line, &what).await.code(), *code, "{what}: {who:?}");
            assert_eq!(house.change(&Caller::SPECTATOR, &line, &what).await.code(), "UNAUTHENTICATED", "{what}");
        }
    }
    let line = house.fork(&game, 1, json!({})).await;
    for what in ["adjudicate input: {winners: [1], reason: \"r\"}", "voidGame reason: \"r\""] {
        let refused = house.change(&Caller::ADMIN, &line, what).await;
        assert!(refused.says().contains("line of analysis"), "{what}: {refused:?}");
        assert_eq!(house.change(&player(&ada), &line, what).await.code(), "FORBIDDEN");
    }
    assert!(house.change(&Caller::ADMIN, &game, "arrangeLine name: \"n\"").await.says().contains("this is a game"));
    assert_eq!(house.try_fork(&Caller::SPECTATOR, &game, 0, json!({})).await.code(), "UNAUTHENTICATED");
}

#[tokio::test]
async fn the_token_of_a_seat_forks_its_game_and_keeps_its_lines() {
    let house = House::new();
    let ada = house.player("Ada").await;
    let game = house.create_as(json!({ "kind": "triangulate", "seats": [{ "player": ada }, {}] })).await;
    let other = house.create("triangulate").await;
    let (first, second) = (seat(&game, 1), seat(&game, 2));
    assert_eq!(house.try_fork(&first, &other, 0, json!({})).await.code(), "FORBIDDEN");
    let line = text(&house.try_fork(&first, &game, 0, json!({ "a": ["b1-b2"] })).await.ok()["fork"]["id"]);
    assert_eq!(house.fields(&first, &line, "owner { id }").await["owner"]["id"], json!(ada));
    let word = house.any_word(&line, &mut Dice(1)).await;
    house.change(&first, &line, &format!("act action: \"{word}\"")).await.ok();
    house.change(&player(&ada), &line, "takeBack toPly: 1, reason: \"r\"").await.ok();
    assert_eq!(house.change(&second, &line, &format!("act action: \"{word}\"")).await.code(), "FORBIDDEN");
    // Seat 2 has no known player: its lines are for recorders, who can fork from any line.
    let theirs = text(&house.try_fork(&second, &line, 1, json!({})).await.ok()["fork"]["id"]);
    assert_eq!(house.fields(&second, &theirs, "owner { id }").await["owner"], Value::Null);
    assert_eq!(house.change(&second, &theirs, "arrangeLine name: \"n\"").await.code(), "FORBIDDEN");
    // Neither sits at the line: it belongs to nobody.
    assert_eq!(house.change(&second, &line, "resign seat: 2").await.code(), "FORBIDDEN");
    let seats = house.fields(&first, &line, "seats { name player { id } }").await["seats"].clone();
    assert_eq!(seats[0], json!({ "name": "Ada", "player": null }));
    let listed = house.get("query($p: ID!) { player(id: $p) { games { nodes { id } } } }", json!({ "p": ada })).await;
    assert_eq!(listed["player"]["games"]["nodes"], json!([{ "id": game }]));
}

#[tokio::test]
async fn a_parent_that_is_taken_back_leaves_its_lines_as_they_are() {
    let dir = tempfile::tempdir().unwrap();
    let mut told = Vec::new();
    for turn in 0..2 {
        let house = House::over(crate::memory::open(dir.path()));
        if turn == 0 {
            let game = house.create("triangulate").await;
            house.play(&game, 6, &mut Dice(3)).await;
            let line = house.fork(&game, 5, json!({ "n": "five" })).await;
            let below = house.fork(&game, 4, json!({})).await;
            house.play(&below, 3, &mut Dice(4)).await;
            let deep = house.fork(&below, 6, json!({ "n": "deep" })).await;
            house.change(&Caller::ADMIN, &below, "takeBack toPly: 5, reason: \"r\"").await.ok();
            house.change(&Caller::ADMIN, &game, "takeBack toPly: 2, reason: \"r\"").await.ok();
            house.play(&game, 2, &mut Dice(9)).await;
            told = vec![(game, 4), (line, 5), (below, 5), (deep, 6)]
                .into_iter()
                .map(|(id, ply)| (id, ply, Vec::new()))
                .collect();
        }
        for (id, ply, before) in &mut told {
            let moves = house.moves(id).await;
            assert_eq!(moves.len(), *ply);
            assert_eq!(house.game(id).await["verification"]["valid"], true);
            if turn == 0 {
                *before = moves;
            } else {
                assert_eq!(moves, *before);
            }
        }
        // Plies that the game has abandoned are the line's own in the tree.
        let (game, line, below, deep) = (&told[0].0, &told[1].0, &told[2].0, &told[3].0);
        let tree = house.tree(game, "").await;
        let ids: Vec<String> = tree["nodes"].as_array().unwrap().iter().map(|node| text(&node["id"])).collect();
        let expected: Vec<String> = (0..=4)
            .map(|ply| format!("{game}:{ply}"))
            .chain((3..=5).map(|ply| format!("{below}:{ply}")))
            .chain([format!("{deep}:6")])
            .chain([format!("{line}:5")])
            .collect();
        assert_eq!(ids, expected, "{tree:#}");
        let parent_of = |id: &str| tree["nodes"][ids.iter().position(|known| known == id).unwrap()]["parent"].clone();
        assert_eq!(parent_of(&format!("{below}:3")), json!(format!("{game}:2")));
        assert_eq!(parent_of(&format!("{deep}:6")), json!(format!("{below}:5")));
        assert_eq!(parent_of(&format!("{line}:5")), json!(format!("{below}:4")), "shared until there");
    }
}

#[tokio::test]
async fn comments_of_the_parent_are_shown_until_the_line_replaces_them() {
    let house = House::new();
    let game = house.create("triangulate").await;
    house.play(&game, 4, &mut Dice(3)).await;
    let line = house.fork(&game, 3, json!({})).await;
    let below = house.fork(&game, 3, json!({})).await;
    house.play(&below, 2, &mut Dice(8)).await;
    let deep = house.fork(&below, 4, json!({})).await;
    for (id, ply, comment) in
        [(&game, 1, "one"), (&game, 2, "two"), (&game, 4, "beyond"), (&below, 4, "four"), (&line, 2, "other")]
    {
        house.change(&Caller::ADMIN, id, &format!("annotate ply: {ply}, comment: \"{comment}\"")).await.ok();
    }
    house.change(&Caller::ADMIN, &line, "annotate ply: 1").await.ok();
    let comments =
        async |id: &str| -> Vec<Value> { house.moves(id).await.iter().map(|done| done["comment"].clone()).collect() };
    assert_eq!(comments(&game).await, [json!("one"), json!("two"), Value::Null, json!("beyond")]);
    assert_eq!(comments(&line).await, [Value::Null, json!("other"), Value::Null]);
    assert_eq!(comments(&deep).await, [json!("one"), json!("two"), Value::Null, json!("four")]);
    // After a takeback, the parent's ply of that number is a different one.
    house.change(&Caller::ADMIN, &game, "takeBack toPly: 1, reason: \"r\"").await.ok();
    house.play(&game, 1, &mut Dice(77)).await;
    house.change(&Caller::ADMIN, &game, "annotate ply: 2, comment: \"of another\"").await.ok();
    assert_eq!(comments(&deep).await[..2], [json!("one"), Value::Null]);
}

#[tokio::test]
async fn dice_on_a_line_are_the_lines_own_and_can_be_checked() {
    let house = House::new();
    let (dice, mut ended) = (&mut Dice(5), 0);
    for kind in kind_names().into_iter().filter(|kind| plybook_example::kind(kind).unwrap().about().chance) {
        let (game, roll) = loop {
            let game = house.create(kind).await;
            house.play(&game, 400, dice).await;
            let replay = house.service.game(game.parse().unwrap()).unwrap().replay();
            if let Some(roll) = replay.mainline().iter().position(|done| done.actor == Actor::Chance) {
                break (game, roll);
            }
        };
        house.change(&Caller::ADMIN, &game, "voidGame reason: \"r\"").await.ok();
        let line = house.fork(&game, roll, json!({})).await;
        house.change(&Caller::ADMIN, &line, "roll").await.ok();
        let fields = "moves(last: 1) { nodes { by fair } } events { nodes { body } }";
        let told = house.fields(&Caller::ADMIN, &line, fields).await;
        assert_eq!(told["moves"]["nodes"][0], json!({ "by": "chance", "fair": true }));
        let fairness = |game: &Value| game["events"]["nodes"][0]["body"]["fairness"].clone();
        assert_ne!(fairness(&told), fairness(&house.game(&game).await), "a seed of its own");
        for _ in 0..10 {
            house.play(&line, 200, dice).await;
        }
        let told = house.game(&line).await;
        assert_eq!((&told["verification"]["valid"], &told["verification"]["problem"]), (&json!(true), &Value::Null));
        // Some kinds do not end in random play.
        let events = told["events"]["nodes"].as_array().unwrap();
        let Some(end) = events.iter().find(|event| event["type"] == "ended") else { continue };
        assert!(end["body"]["seed"]["seed"].is_string(), "{kind}: the seed is published");
        let problem = with_another_roll(&house, &line, dice);
        assert!(problem.starts_with("event 1: the seed gives "), "{kind}: {problem}");
        ended += 1;
    }
    assert!(ended > 0, "some line has ended");
}

/// The finding for the log of a line in which the first event after `created` is another roll, and all hashes
/// are recomputed.
fn with_another_roll(house: &House, line: &str, dice: &mut Dice) -> String {
    let id: LogId = line.parse().unwrap();
    let lines = house.service.log().read(id, 0).unwrap();
    let replay = house.service.game(id).unwrap().replay();
    let position = replay.position_at(replay.fork_ply()).unwrap();
    let (mut prev, mut changed) = (None, Vec::new());
    for line in &lines {
        let mut event = Event::parse(line).unwrap();
        if let (1, Body::Acted(acted)) = (event.seq, &mut event.body) {
            let rolled = acted.action.clone();
            while acted.action == rolled {
                acted.action = position.sample(Actor::Chance, &mut |n| dice.below(n));
            }
        }
        event.prev = prev.unwrap_or(event.prev);
        changed.push(event.to_bytes().unwrap());
        prev = changed.last().map(|bytes| Hash::of_event(bytes));
    }
    let find = |id| Some(LogBytes { lines: house.service.log().read(id, 0).ok()?, secrets: BTreeMap::new() });
    Verifier::new(&find).verify(id, &changed, &BTreeMap::new()).0.fault.unwrap().problem
}

#[tokio::test]
async fn lines_are_forked_from_lines_to_a_depth() {
    let house = House::new();
    let game = house.create("triangulate").await;
    let mut line = game.clone();
    let dice = &mut Dice(6);
    for ply in 0..100 {
        let word = house.any_word(&line, dice).await;
        line = house.fork(&line, ply, json!({ "a": [word] })).await;
    }
    assert_eq!(house.moves(&line).await.len(), 100);
    let word = house.any_word(&line, dice).await;
    let refused = house.try_fork(&Caller::ADMIN, &line, 100, json!({ "a": [word] })).await;
    assert!(refused.says().contains("at most 100 forks"), "{refused:?}");
    let nearer = house.try_fork(&Caller::ADMIN, &line, 99, json!({})).await;
    assert_eq!(nearer.code(), "OK", "ply 99 belongs to the line before");
    assert_eq!(house.game(&line).await["verification"]["valid"], true);
    let tree = house.tree(&game, "").await;
    assert_eq!((&tree["totalLines"], tree["nodes"].as_array().unwrap().len()), (&json!(101), 101));
}

#[tokio::test]
async fn a_line_is_followed_like_a_game() {
    let house = House::new();
    let game = house.create("triangulate").await;
    let line = house.fork(&game, 0, json!({})).await;
    let who = &Caller::SPECTATOR;
    let mut events =
        house.follow(who, "subscription($g: ID!) { gameEvents(game: $g) { seq type } }", json!({ "g": line }));
    let mut updates =
        house.follow(who, "subscription($g: ID!) { gameUpdated(game: $g) { ply name } }", json!({ "g": line }));
    let next = crate::house::next;
    assert_eq!(next(&mut events).await.ok()["gameEvents"], json!({ "seq": 0, "type": "created" }));
    assert_eq!(next(&mut updates).await.ok()["gameUpdated"], json!({ "ply": 0, "name": null }));
    house.change(&Caller::ADMIN, &line, "arrangeLine name: \"n\"").await.ok();
    assert_eq!(next(&mut events).await.ok()["gameEvents"], json!({ "seq": 1, "type": "arranged" }));
    assert_eq!(next(&mut updates).await.ok()["gameUpdated"], json!({ "ply": 0, "name": "n" }));
}

/// A line that was recorded elsewhere may say who sat there.
#[tokio::test]
async fn a_players_games_have_no_lines_and_none_that_is_hidden() {
    let house = House::new();
    let (ada, ben) = (house.player("Ada").await, house.player("Ben").await);
    let seats = json!([{ "player": ada }, { "player": ben }]);
    let game = house.create_as(json!({ "kind": "triangulate", "seats": seats })).await;
    let line = house.fork(&game, 0, json!({ "n": "my secret" })).await;
    house.change(&Caller::ADMIN, &line, "arrangeLine , hidden: true").await.ok();
    let mut prev = None;
    let mut log = String::new();
    for event in house.service.events(line.parse().unwrap(), 0).unwrap() {
        let mut event: Value = serde_json::from_slice(&event.to_bytes().unwrap()).unwrap();
        event["game"] = json!("0192f0c1-2a3b-7c4d-8e5f-60718293a4b5");
        if event["seq"] == 0 {
            event["body"]["seats"][0]["player"] = json!(ada);
        } else {
            event["prev"] = json!(prev);
        }
        let bytes = event.to_string();
        prev = Some(Hash::of_event(bytes.as_bytes()).to_string());
        log += &(bytes + "\n");
    }
    let import = "mutation($r: String!) { importRecord(record: $r, format: NDJSON) { hidden } }";
    assert_eq!(house.get(import, json!({ "r": log })).await["importRecord"]["hidden"], true);
    let void = house.create_as(json!({ "kind": "triangulate", "seats": seats })).await;
    house.change(&Caller::ADMIN, &void, "voidGame , reason: \"r\"").await.ok();
    let query = "query($p: ID!) { games(filter: { player: $p }) { nodes { id } }
        player(id: $p) { games { nodes { id } } lines: games(filter: { origin: ANALYSIS }) { totalCount } } }";
    let found = house.ask(&Caller::SPECTATOR, query, json!({ "p": ada })).await.ok();
    assert_eq!(found["player"]["games"], json!({ "nodes": [{ "id": game }] }), "as the list of games has them");
    assert_eq!((&found["games"], &found["player"]["lines"]["totalCount"]), (&found["player"]["games"], &json!(0)));
}
