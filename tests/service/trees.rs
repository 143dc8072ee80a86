//! The lists and trees of a game's lines.

use std::collections::{BTreeMap, BTreeSet};

use plybook_api::access::{Caller, Role};
use plybook_rules::{AnyPosition, Viewer};
use plybook_tests::TREE;
use serde_json::{Value, json};

use crate::house::{Dice, House, caller, player, seat, text};

const LISTS: &str = "branches(first: 500 HIDDEN) { totalCount nodes { id name } } tree(maxNodes: 5000 HIDDEN) { totalLines lines { id } }";

/// The lines of a game in its list and in its tree, as a caller sees them; or the error code.
async fn listed(house: &House, who: &Caller, game: &str, hidden: bool) -> Result<[Vec<String>; 2], String> {
    let (hidden, of_tree) = if hidden { (", includeHidden: true", true) } else { ("", false) };
    let query = format!("query($g: ID!) {{ game(id: $g) {{ {} }} }}", LISTS.replace(" HIDDEN", hidden));
    let answer = house.ask(who, &query, json!({ "g": game })).await;
    if !answer.errors.is_empty() {
        assert!(of_tree);
        return Err(text(&answer.errors[0]["extensions"]["code"]));
    }
    let ids = |of: &Value| of.as_array().unwrap().iter().map(|line| text(&line["id"])).collect::<Vec<_>>();
    let game = &answer.data["game"];
    assert_eq!(game["branches"]["totalCount"], game["branches"]["nodes"].as_array().unwrap().len());
    assert_eq!(game["tree"]["totalLines"], game["tree"]["lines"].as_array().unwrap().len());
    Ok([ids(&game["branches"]["nodes"]), ids(&game["tree"]["lines"])])
}

async fn fork(house: &House, who: &Caller, game: &str, ply: usize, actions: &[&str]) -> String {
    let query = "mutation($g: ID!, $p: Int!, $a: [String!]) { fork(game: $g, ply: $p, actions: $a) { id } }";
    text(&house.ask(who, query, json!({ "g": game, "p": ply, "a": actions })).await.ok()["fork"]["id"])
}

async fn arrange(house: &House, line: &str, what: &str) {
    house.get(&format!("mutation {{ arrangeLine(line: \"{line}\", {what}) {{ id }} }}"), json!({})).await;
}

/// A game of Triangulate after two actions.
async fn game(house: &House) -> String {
    let game = house.create("triangulate").await;
    house.act_all(&game, &[json!({ "action": "b1-b2" }), json!({ "action": "h7-h6" })]).await.ok();
    game
}

#[tokio::test]
async fn hidden_lines_are_shown_to_their_owners_and_to_recorders() {
    let house = House::new();
    let (ada, bela) = (house.player("Ada").await, house.player("Bela").await);
    let game = game(&house).await;
    let plain = fork(&house, &player(&bela), &game, 1, &[]).await;
    let hidden = fork(&house, &player(&ada), &game, 2, &["b2-b3"]).await;
    let below = fork(&house, &player(&bela), &hidden, 3, &["h6-h5"]).await;
    arrange(&house, &hidden, "hidden: true, name: \"secret\"").await;
    let shown = [vec![plain.clone()], vec![plain.clone()]];
    let all = [vec![plain.clone(), hidden.clone()], vec![plain.clone(), hidden.clone(), below.clone()]];
    for who in [Caller::SPECTATOR, player(&ada), player(&bela), caller(Role::Recorder), Caller::ADMIN] {
        assert_eq!(listed(&house, &who, &game, false).await.unwrap(), shown);
    }
    for (who, expected) in [
        (Caller::SPECTATOR, Err("FORBIDDEN".to_owned())),
        (seat(&game, 1), Err("FORBIDDEN".to_owned())),
        (Caller { game: Some(game.parse().unwrap()), ..caller(Role::Recorder) }, Err("FORBIDDEN".to_owned())),
        (player(&bela), Ok(shown.clone())),
        (player(&ada), Ok(all.clone())),
        (caller(Role::Recorder), Ok(all.clone())),
        (Caller::ADMIN, Ok(all.clone())),
    ] {
        assert_eq!(listed(&house, &who, &game, true).await, expected, "{who:?}");
    }
    // A link keeps working, although the lists of all games omit the line.
    let told =
        house.ask(&Caller::SPECTATOR, "query($g: ID!) { game(id: $g) { hidden name } }", json!({ "g": hidden })).await;
    assert_eq!(told.ok()["game"], json!({ "hidden": true, "name": "secret" }));
    let lines = async |who: &Caller, more: &str| {
        let query = format!(
            "{{ games(filter: {{ origin: ANALYSIS }}, orderBy: CREATED_ASC {more}) {{ totalCount nodes {{ id }} }} }}"
        );
        house.ask(who, &query, json!({})).await
    };
    // A line names the lines that it continues, so lines below a hidden one are hidden with it.
    let deeper = fork(&house, &player(&bela), &below, 4, &[]).await;
    let without = json!({ "totalCount": 1, "nodes": [{ "id": plain }] });
    assert_eq!(lines(&Caller::ADMIN, "").await.ok()["games"], without);
    let own = json!({ "totalCount": 3, "nodes": [{ "id": plain }, { "id": below }, { "id": deeper }] });
    assert_eq!(lines(&player(&bela), ", includeHidden: true").await.ok()["games"], own);
    let own = json!({ "totalCount": 2, "nodes": [{ "id": plain }, { "id": hidden }] });
    assert_eq!(lines(&player(&ada), ", includeHidden: true").await.ok()["games"], own);
    assert_eq!(lines(&Caller::SPECTATOR, ", includeHidden: true").await.code(), "FORBIDDEN");
    assert_eq!(house.get("{ games { totalCount } }", json!({})).await["games"]["totalCount"], 1);
    arrange(&house, &hidden, "hidden: false").await;
    let tree = [all[0].clone(), [all[1].clone(), vec![deeper]].concat()];
    assert_eq!(listed(&house, &Caller::SPECTATOR, &game, false).await.unwrap(), tree);
    assert_eq!(lines(&Caller::SPECTATOR, "").await.ok()["games"]["totalCount"], 4);
}

#[tokio::test]
async fn what_an_arbiter_has_hidden_only_arbiters_show_again() {
    let house = House::new();
    let ada = house.player("Ada").await;
    let game = game(&house).await;
    let line = fork(&house, &player(&ada), &game, 2, &["b2-b3"]).await;
    let arrange = async |who: &Caller, hidden: bool| {
        let change = format!("mutation {{ arrangeLine(line: \"{line}\", hidden: {hidden}) {{ hidden }} }}");
        house.ask(who, &change, json!({})).await
    };
    let known = |role: Role| Caller { who: format!("{role}:00000001").parse().ok(), ..caller(role) };
    let owner = Caller { who: "player:00000002".parse().ok(), ..player(&ada) };
    let by_arbiter = (known(Role::Arbiter), known(Role::Admin), true);
    for (hides, shows, is_withdrawn) in [by_arbiter, (owner.clone(), owner.clone(), false)] {
        arrange(&hides, true).await.ok();
        for who in [&owner, &known(Role::Recorder)].into_iter().filter(|_| is_withdrawn) {
            assert_eq!(arrange(who, false).await.code(), "FORBIDDEN");
        }
        arrange(&shows, false).await.ok();
    }
}

#[tokio::test]
async fn a_line_that_is_promoted_comes_before_its_siblings() {
    let house = House::new();
    let game = game(&house).await;
    let mut lines = Vec::new();
    for ply in [1, 0, 1, 1, 0] {
        lines.push(fork(&house, &Caller::ADMIN, &game, ply, &[]).await);
    }
    let order = async |expected: [usize; 5]| {
        let expected: Vec<String> = expected.iter().map(|index| lines[*index].clone()).collect();
        assert_eq!(listed(&house, &Caller::ADMIN, &game, false).await.unwrap(), [expected.clone(), expected]);
    };
    order([1, 4, 0, 2, 3]).await;
    arrange(&house, &lines[3], "promote: true").await;
    order([1, 4, 3, 0, 2]).await;
    arrange(&house, &lines[2], "promote: true").await;
    arrange(&house, &lines[4], "promote: true").await;
    order([4, 1, 2, 3, 0]).await;
    let len = house.service.log().len();
    arrange(&house, &lines[2], "promote: true").await;
    assert_eq!(house.service.log().len(), len, "it is the first already");
    // A page of them, and the next one.
    let page = async |after: &Value| {
        let query = "query($g: ID!, $a: String) { game(id: $g) { branches(first: 2, after: $a) {
            pageInfo { hasNextPage endCursor } nodes { id } } } }";
        house.get(query, json!({ "g": game, "a": after })).await["game"]["branches"].clone()
    };
    let (mut found, mut after) = (Vec::new(), Value::Null);
    loop {
        let page = page(&after).await;
        found.extend(page["nodes"].as_array().unwrap().iter().map(|line| text(&line["id"])));
        after = page["pageInfo"]["endCursor"].clone();
        if page["pageInfo"]["hasNextPage"] == false {
            break;
        }
    }
    assert_eq!(found, [4, 1, 2, 3, 0].map(|index: usize| lines[index].clone()));
}

/// Three actions, the first and the last of which can be swapped.
fn transposing() -> [String; 3] {
    let rules = plybook_example::kind("triangulate").unwrap();
    let start = rules.start(&rules.complete(&json!({}), &mut |_| 0).unwrap()).unwrap();
    let legal = |position: &dyn AnyPosition| position.legal(position.to_act().only().unwrap()).unwrap();
    let after = |words: [&str; 3]| {
        let mut position = start.boxed();
        words
            .iter()
            .all(|word| position.act(position.to_act().only().unwrap(), word).is_ok())
            .then(|| position.key(Viewer::All))
    };
    let first = legal(start.as_ref());
    let mut next = start.boxed();
    next.act(next.to_act().only().unwrap(), &first[0]).unwrap();
    let second = legal(next.as_ref()).remove(0);
    let last = first[1..].iter().find(|last| {
        let there = after([&first[0], &second, last]);
        there.is_some() && there == after([last, &second, &first[0]])
    });
    [first[0].clone(), second, last.expect("some actions can be exchanged").clone()]
}

#[tokio::test]
async fn lines_share_the_nodes_they_have_in_common_and_transpositions_are_joined() {
    let house = House::new();
    let [a, b, c] = transposing();
    let game = house.create("triangulate").await;
    house.act_all(&game, &[&a, &b, &c].map(|word| json!({ "action": word }))).await.ok();
    let same = fork(&house, &Caller::ADMIN, &game, 0, &[&a, &b]).await;
    let other = fork(&house, &Caller::ADMIN, &game, 0, &[&c, &b, &a]).await;
    let longer = fork(&house, &Caller::ADMIN, &game, 0, &[&c, &b]).await;
    let annotated =
        format!("mutation {{ annotate(game: \"{longer}\", ply: 2, comment: \"back\", glyphs: [\"?\"]) {{ id }} }}");
    house.get(&annotated, json!({})).await;
    let tree =
        house.get(&format!("query($g: ID!) {{ game(id: $g) {{ tree {TREE} }} }}"), json!({ "g": game })).await["game"]
            ["tree"]
            .clone();
    let nodes: BTreeMap<String, Value> =
        tree["nodes"].as_array().unwrap().iter().map(|node| (text(&node["id"]), node.clone())).collect();
    assert_eq!(nodes.len(), 7, "{tree:#}");
    assert_eq!(nodes[&format!("{game}:1")]["lines"], json!([same]));
    assert_eq!(nodes[&format!("{game}:2")]["lines"], json!([same]));
    assert_eq!(nodes[&format!("{game}:3")]["lines"], json!([]));
    let second = &nodes[&format!("{other}:2")];
    assert_eq!((&second["lines"], &second["comment"]), (&json!([longer]), &json!("back")));
    assert_eq!(second["glyphs"], json!(["?"]));
    assert_eq!((&second["action"], &second["by"], &second["ply"]), (&json!(b), &json!("seat:2"), &json!(2)));
    let third = &nodes[&format!("{other}:3")];
    assert_eq!((&third["same"], &third["parent"]), (&json!(format!("{game}:3")), &json!(format!("{other}:2"))));
    assert!(nodes.values().filter(|node| node["same"].is_string()).count() == 1, "{tree:#}");
    let keys = house.game(&game).await;
    for ply in 1..=3 {
        assert_eq!(nodes[&format!("{game}:{ply}")]["positionKey"], keys["moves"]["nodes"][ply - 1]["positionKey"]);
    }
    let ends: Vec<Value> = tree["lines"].as_array().unwrap().iter().map(|line| line["last"].clone()).collect();
    assert_eq!(ends, [format!("{game}:2"), format!("{other}:3"), format!("{other}:2")]);
    let line = &tree["lines"][0];
    assert_eq!(
        (&line["id"], &line["parent"], &line["ply"], &line["plies"], &line["hidden"], &line["rank"]),
        (&json!(same), &json!(game), &json!(0), &json!(2), &json!(false), &json!(0))
    );
    assert_eq!((&line["mayArrange"], line["createdAt"].is_string()), (&json!(true), true));
    let query = &format!("query($g: ID!) {{ game(id: $g) {{ tree {TREE} }} }}");
    let seen = house.ask(&Caller::SPECTATOR, query, json!({ "g": game })).await.ok();
    assert_eq!(seen["game"]["tree"]["lines"][0]["mayArrange"], false);
    // The tree of a line contains the plies that it continues, and everything below it.
    let below = fork(&house, &Caller::ADMIN, &other, 1, &[&b]).await;
    let own = house.get(query, json!({ "g": below })).await["game"]["tree"].clone();
    let ids: Vec<String> = own["nodes"].as_array().unwrap().iter().map(|node| text(&node["id"])).collect();
    assert_eq!(ids, [(&game, 0), (&other, 1), (&below, 2)].map(|(id, ply)| format!("{id}:{ply}")));
}

#[tokio::test]
async fn a_tree_of_two_thousand_lines_comes_in_pages() {
    let house = House::new();
    let game = house.create("triangulate").await;
    let dice = &mut Dice(8);
    house.play(&game, 60, dice).await;
    let mut logs = vec![game.clone()];
    while logs.len() <= 2_000 {
        let parent = logs[dice.below(logs.len() as u32) as usize].clone();
        let replay = house.service.game(parent.parse().unwrap()).unwrap().replay();
        let ply = dice.below(replay.mainline().len() as u32 + 1) as usize;
        let Some(mut position) = replay.position_at(ply).filter(|position| !position.to_act().is_empty()) else {
            continue;
        };
        let mut words = Vec::new();
        while let Some(actor) = position.to_act().iter().next().filter(|_| words.len() < 4) {
            words.push(position.sample(actor, &mut |n| dice.below(n)));
            position.act(actor, words.last().unwrap()).unwrap();
        }
        let new = plybook_api::service::NewLine {
            position: None,
            game: parent.parse().unwrap(),
            ply,
            actions: words,
            name: None,
            assume: Vec::new(),
            owner: None,
            is_hidden: false,
        };
        logs.push(house.service.fork(new).unwrap().replay().log().to_string());
    }
    let page = async |after: &Value, nodes: usize| {
        let query = format!(
            "query($g: ID!, $a: String, $n: Int) {{ game(id: $g) {{ tree(maxNodes: $n, after: $a) {TREE} }} }}"
        );
        house.get(&query, json!({ "g": game, "a": after, "n": nodes })).await["game"]["tree"].clone()
    };
    let (mut nodes, mut lines, mut after, mut pages) = (BTreeSet::new(), BTreeSet::new(), Value::Null, 0);
    loop {
        let began = std::time::Instant::now();
        let page = page(&after, 700).await;
        println!("page {pages}: {:?}", began.elapsed());
        assert_eq!(page["totalLines"], 2_000);
        assert!(page["nodes"].as_array().unwrap().len() <= 700 && page["lines"].as_array().unwrap().len() <= 700);
        for node in page["nodes"].as_array().unwrap() {
            let parent = &node["parent"];
            assert!(parent.is_null() == nodes.is_empty() && (parent.is_null() || nodes.contains(&text(parent))));
            assert!(node["same"].is_null() || nodes.contains(&text(&node["same"])));
            assert!(nodes.insert(text(&node["id"])), "each node comes once");
        }
        for line in page["lines"].as_array().unwrap() {
            let parent = text(&line["parent"]);
            assert!(parent == game || lines.contains(&parent), "a line comes after its parent");
            assert!(lines.insert(text(&line["id"])), "each line comes once");
            assert!(nodes.contains(&text(&line["last"])) || page["next"].is_string());
        }
        pages += 1;
        after = page["next"].clone();
        if after.is_null() {
            assert_eq!(lines.len(), 2_000);
            break;
        }
    }
    assert!(pages > 3 && nodes.len() > 2_000, "{pages} pages with {} nodes", nodes.len());
    let refused =
        "query($g: ID!, $a: String, $n: Int) { game(id: $g) { tree(maxNodes: $n, after: $a) { totalLines } } }";
    for (nodes, after) in [(0, Value::Null), (5_001, Value::Null), (1, json!("x")), (1, json!(format!("{game}:999")))] {
        let answer = house.ask(&Caller::ADMIN, refused, json!({ "g": game, "a": after, "n": nodes })).await;
        assert_eq!(answer.code(), "BAD_INPUT");
    }
}
