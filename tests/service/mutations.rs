//! Mutations, and what they change: status, outcome, moves, log, records.

use plybook_api::access::Caller;
use serde_json::{Value, json};

use crate::house::{ALL, Dice, House, kind_names, kinds, next, seats_of, text};

/// Every change leaves a log that verifies, and consistent moves, events, head and records.
async fn check(house: &House, id: &str) -> Value {
    let game = house.game(id).await;
    assert_eq!(
        game["verification"],
        json!({ "valid": true, "events": game["head"]["seq"].as_u64().unwrap() + 1, "head": game["head"]["hash"], "firstBad": null, "problem": null })
    );
    assert_eq!(game["ply"], game["head"]["ply"]);
    assert_eq!(game["ply"], game["moves"]["totalCount"]);
    assert_eq!(game["ply"], game["position"]["ply"]);
    let events = game["events"]["nodes"].as_array().unwrap();
    assert_eq!(events.last().unwrap()["hash"], game["head"]["hash"]);
    assert!(
        events.windows(2).all(|two| two[1]["prev"] == two[0]["hash"] && two[0]["at"].as_str() <= two[1]["at"].as_str())
    );
    assert!(!(game["status"] == "RUNNING" && game["outcome"] != Value::Null), "{}", game["outcome"]);
    let records = "query($id: ID!) { game(id: $id) { json: record(format: JSON) ndjson: record(format: NDJSON) text: record(format: TEXT) svg: record(format: SVG) } }";
    let records = house.get(records, json!({ "id": id })).await["game"].clone();
    let log: String = events.iter().map(|event| text(&event["bytes"]) + "\n").collect();
    assert_eq!(records["ndjson"], log);
    let record: Value = serde_json::from_str(records["json"].as_str().unwrap()).unwrap();
    assert_eq!(text(&record["status"]).to_uppercase(), text(&game["status"]));
    assert_eq!(record["outcome"]["reason"], game["outcome"]["reason"]);
    assert!(records["text"].as_str().unwrap().contains(&format!("[Game \"{id}\"]")));
    assert!(records["svg"].as_str().unwrap().starts_with("<svg"));
    game
}

async fn change(house: &House, field: &str) -> Value {
    house.get(&format!("mutation {{ {field} {{ id }} }}"), json!({})).await
}

fn types(game: &Value) -> Vec<String> {
    game["events"]["nodes"].as_array().unwrap().iter().map(|event| text(&event["type"])).collect()
}

#[tokio::test]
async fn every_kind_can_be_created_played_and_checked() {
    let house = House::new();
    for kind in kind_names() {
        let id = house.create(kind).await;
        let game = check(&house, &id).await;
        assert_eq!((&game["kind"], &game["status"], &game["ply"]), (&json!(kind), &json!("RUNNING"), &json!(0)));
        for round in 0..4 {
            house.play(&id, 8, &mut Dice(round)).await;
            check(&house, &id).await;
        }
    }
}

#[tokio::test]
async fn a_game_is_played_to_its_end_by_the_rules() {
    let house = House::new();
    let id = house.create("triangulate").await;
    house.play(&id, 450, &mut Dice(4)).await;
    let game = check(&house, &id).await;
    assert_eq!((&game["status"], &game["outcome"]["decidedBy"]), (&json!("FINISHED"), &json!("RULES")));
    assert_ne!(game["finishedAt"], Value::Null);
    assert_eq!(game["position"]["toAct"], json!([]));
    assert_eq!(types(&game).last().unwrap(), "ended");
}

#[tokio::test]
async fn the_details_of_a_new_game_are_shown() {
    let house = House::new();
    let ada = house.player("Ada").await;
    let mut seats = vec![json!({}); usize::from(seats_of("tri"))];
    seats[0] = json!({ "player": ada });
    seats[1] = json!({ "player": house.player("Bela").await, "name": "B. Novak" });
    let id = house
        .create_as(json!({ "kind": "tri", "seats": seats, "round": 3, "table": 2, "tags": { "event": "Open", "n": 5, "rated": true } }))
        .await;
    let game = check(&house, &id).await;
    assert_eq!((&game["round"], &game["table"]), (&json!(3), &json!(2)));
    assert_eq!(game["tags"], json!({ "event": "Open", "n": 5, "rated": true }));
    assert_eq!((&game["seats"][0]["name"], &game["seats"][1]["name"]), (&json!("Ada"), &json!("B. Novak")));
    assert_eq!(game["seats"][0]["player"]["id"], json!(ada));
    assert_eq!(game["origin"], "RECORDED");
}

#[tokio::test]
async fn act_takes_clocks_and_the_expected_seq() {
    let house = House::new();
    let id = house.create("triangulate").await;
    let query = "mutation($g: ID!, $e: Int) { act(game: $g, seat: 1, action: \"b1-b2\", expectedSeq: $e, clockMs: 9007199254740991) { ply head { seq ply } position { toAct } } }";
    let done = house.get(query, json!({ "g": id, "e": 0 })).await;
    assert_eq!(done["act"], json!({ "ply": 1, "head": { "seq": 1, "ply": 1 }, "position": { "toAct": ["seat:2"] } }));
    let game = check(&house, &id).await;
    let first = &game["moves"]["nodes"][0];
    assert_eq!(
        (&first["action"], &first["clockMs"], &first["by"], &first["seq"]),
        (&json!("b1-b2"), &json!(9_007_199_254_740_991.0), &json!("seat:1"), &json!(1))
    );
    // When it is sent again, it does nothing: the caller is told that the game has moved on.
    let again = house.ask(&Caller::ADMIN, query, json!({ "g": id, "e": 0 })).await;
    assert_eq!((again.code().as_str(), &again.errors[0]["extensions"]["head"]), ("LOG_CONFLICT", &json!(1)));
    assert_eq!(house.head(&id).await, 1);
}

#[tokio::test]
async fn a_takeback_shortens_the_mainline_and_stays_in_the_log() {
    let house = House::new();
    for kind in kind_names() {
        let id = house.create(kind).await;
        house.play(&id, 6, &mut Dice(5)).await;
        let before = check(&house, &id).await;
        change(&house, &format!("annotate(game: \"{id}\", ply: 5, comment: \"gone\")")).await;
        change(&house, &format!("takeBack(game: \"{id}\", toPly: 3, reason: \"slip\")")).await;
        let game = check(&house, &id).await;
        assert_eq!(game["ply"], 3, "{kind}");
        assert_eq!(game["moves"]["nodes"].as_array().unwrap()[..], before["moves"]["nodes"].as_array().unwrap()[..3]);
        assert_eq!(types(&game)[..7], types(&before)[..7]);
        house.play(&id, 4, &mut Dice(6)).await;
        let game = check(&house, &id).await;
        assert!(game["moves"]["nodes"].as_array().unwrap().iter().all(|done| done["comment"] == Value::Null), "{kind}");
    }
}

#[tokio::test]
async fn a_takeback_reopens_a_game_that_was_over() {
    let house = House::new();
    let id = house.create("triangulate").await;
    house.play(&id, 10, &mut Dice(5)).await;
    change(&house, &format!("resign(game: \"{id}\", seat: 1)")).await;
    assert_eq!(check(&house, &id).await["status"], "FINISHED");
    change(&house, &format!("takeBack(game: \"{id}\", toPly: 9, reason: \"misheard\", expectedSeq: 11)")).await;
    let game = check(&house, &id).await;
    assert_eq!(
        (&game["status"], &game["outcome"], &game["finishedAt"]),
        (&json!("RUNNING"), &Value::Null, &Value::Null)
    );
    house.play(&id, 1, &mut Dice(1)).await;
}

#[tokio::test]
async fn comments_and_glyphs_are_replaced_and_removed() {
    let house = House::new();
    let id = house.create("triangulate").await;
    house.play(&id, 3, &mut Dice(5)).await;
    let said =
        |game: &Value| (game["moves"]["nodes"][1]["comment"].clone(), game["moves"]["nodes"][1]["glyphs"].clone());
    change(&house, &format!("annotate(game: \"{id}\", ply: 2, comment: \"züge {{ }} \\\"\", glyphs: [\"!\", \"?!\"])"))
        .await;
    assert_eq!(said(&check(&house, &id).await), (json!("züge { } \""), json!(["!", "?!"])));
    change(&house, &format!("annotate(game: \"{id}\", ply: 2, glyphs: [\"??\"])")).await;
    assert_eq!(said(&check(&house, &id).await), (Value::Null, json!(["??"])));
    change(&house, &format!("annotate(game: \"{id}\", ply: 2)")).await;
    assert_eq!(said(&check(&house, &id).await), (Value::Null, json!([])));
    assert_eq!(types(&check(&house, &id).await)[4..], ["annotated", "annotated", "annotated"]);
}

#[tokio::test]
async fn games_of_two_end_by_resignation_and_time() {
    let house = House::new();
    for kind in kind_names().into_iter().filter(|kind| seats_of(kind) == 2) {
        for (field, seat, decided, reason) in
            [("resign", 1, "RESIGNATION", "resignation"), ("flagFall", 2, "TIME", "time")]
        {
            let id = house.create(kind).await;
            house.play(&id, 3, &mut Dice(7)).await;
            change(&house, &format!("{field}(game: \"{id}\", seat: {seat})")).await;
            let game = check(&house, &id).await;
            assert_eq!(game["status"], "FINISHED");
            assert_eq!(
                game["outcome"],
                json!({ "winners": [3 - seat], "ranking": null, "reason": reason, "decidedBy": decided, "details": {} })
            );
            let results: Vec<_> = game["seats"].as_array().unwrap().iter().map(|seat| seat["result"].clone()).collect();
            assert_eq!(results[seat - 1], "LOSS");
            assert_eq!(results[2 - seat], "WIN");
            assert_eq!(game["position"]["toAct"], json!([]));
        }
    }
}

#[tokio::test]
async fn draws_are_offered_declined_and_agreed() {
    let house = House::new();
    for kind in kind_names() {
        let seats = seats_of(kind);
        let id = house.create(kind).await;
        change(&house, &format!("offerDraw(game: \"{id}\", seat: 2)")).await;
        assert_eq!(check(&house, &id).await["drawOfferedBy"], 2);
        change(&house, &format!("answerDraw(game: \"{id}\", seat: 1, accept: false)")).await;
        let game = check(&house, &id).await;
        assert_eq!((&game["drawOfferedBy"], &game["status"]), (&Value::Null, &json!("RUNNING")));
        change(&house, &format!("offerDraw(game: \"{id}\", seat: 1)")).await;
        for seat in 2..=seats {
            assert_eq!(check(&house, &id).await["status"], "RUNNING");
            change(&house, &format!("answerDraw(game: \"{id}\", seat: {seat}, accept: true)")).await;
        }
        let game = check(&house, &id).await;
        assert_eq!(
            (&game["status"], &game["outcome"]["decidedBy"], &game["outcome"]["winners"]),
            (&json!("FINISHED"), &json!("AGREEMENT"), &json!([]))
        );
        assert!(game["seats"].as_array().unwrap().iter().all(|seat| seat["result"] == "DRAW"), "{kind}");
    }
}

#[tokio::test]
async fn the_arbiter_decides_corrects_and_voids() {
    let house = House::new();
    for kind in kind_names() {
        let id = house.create(kind).await;
        let places: Vec<Vec<u8>> = vec![vec![1], (2..=seats_of(kind)).collect()];
        let rule = "mutation($g: ID!, $r: Ruling!) { adjudicate(game: $g, input: $r) { status corrected outcome { winners decidedBy } } }";
        let decided = house
            .get(rule, json!({ "g": id, "r": { "winners": [1], "ranking": places, "reason": "left the hall" } }))
            .await;
        assert_eq!(
            decided["adjudicate"],
            json!({ "status": "FINISHED", "corrected": false, "outcome": { "winners": [1], "decidedBy": "ARBITER" } })
        );
        let first = check(&house, &id).await;
        assert_eq!(first["outcome"]["ranking"], json!(places));
        let corrected = house.get(rule, json!({ "g": id, "r": { "winners": [2], "reason": "appeal" } })).await;
        assert_eq!(
            corrected["adjudicate"],
            json!({ "status": "FINISHED", "corrected": true, "outcome": { "winners": [2], "decidedBy": "ARBITER" } })
        );
        let game = check(&house, &id).await;
        assert_eq!((&game["outcome"]["reason"], &game["finishedAt"]), (&json!("appeal"), &first["finishedAt"]));
        let types = types(&game);
        assert_eq!(
            types.iter().filter(|name| *name == "ended" || *name == "corrected").count(),
            2,
            "{kind}: {types:?}"
        );
        change(&house, &format!("voidGame(game: \"{id}\", reason: \"wrong set\")")).await;
        let game = check(&house, &id).await;
        assert_eq!((&game["status"], &game["voidReason"]), (&json!("VOID"), &json!("wrong set")));
        assert!(game["seats"].as_array().unwrap().iter().all(|seat| seat["result"] == "NONE"));
    }
}

/// A wrong end is undone without changing a move: after a resignation, a loss on time, an agreement, an
/// adjudication, and at the first ply too.
#[tokio::test]
async fn a_game_that_was_ended_by_mistake_can_continue() {
    let house = House::new();
    for (plies, end) in [
        (0, "resign(game: $g, seat: 1)"),
        (3, "flagFall(game: $g, seat: 2)"),
        (4, "adjudicate(game: $g, input: { winners: [1], reason: \"a\" })"),
    ] {
        let id = house.create("triangulate").await;
        house.play(&id, plies, &mut Dice(7)).await;
        let before = house.game(&id).await;
        house.get(&format!("mutation($g: ID!) {{ {end} {{ id }} }}"), json!({ "g": id })).await;
        assert_eq!(house.game(&id).await["status"], "FINISHED", "{end}");
        let reopen = "mutation($g: ID!) { reopenGame(game: $g, reason: \"a slip\") { status outcome { reason } ply } }";
        let reopened = house.get(reopen, json!({ "g": id })).await;
        assert_eq!(reopened["reopenGame"], json!({ "status": "RUNNING", "outcome": null, "ply": plies }));
        let after = check(&house, &id).await;
        assert_eq!(after["moves"], before["moves"], "{end}");
        house.play(&id, 1, &mut Dice(8)).await;
        let again = house.ask(&Caller::ADMIN, reopen, json!({ "g": id })).await;
        assert_eq!(again.code(), "BAD_INPUT", "a running game is not reopened");
    }
}

/// An end by the rules is not reopened, and neither is a void game.
#[tokio::test]
async fn an_end_by_the_rules_is_not_undone() {
    let house = House::new();
    let id = house.create("triangulate").await;
    let mut dice = Dice(3);
    while house.game(&id).await["status"] == "RUNNING" {
        house.play(&id, 20, &mut dice).await;
    }
    let head = house.head(&id).await;
    let reopen = "mutation($g: ID!) { reopenGame(game: $g, reason: \"r\") { id } }";
    assert_eq!(house.ask(&Caller::ADMIN, reopen, json!({ "g": id })).await.code(), "BAD_INPUT");
    change(&house, &format!("adjudicate(game: \"{id}\", input: {{ winners: [2], reason: \"appeal\" }})")).await;
    assert_eq!(house.ask(&Caller::ADMIN, reopen, json!({ "g": id })).await.code(), "BAD_INPUT");
    assert_eq!(house.head(&id).await, head + 1);
}

#[tokio::test]
async fn a_void_game_counts_again() {
    let house = House::new();
    let unvoid = "mutation($g: ID!) { unvoidGame(game: $g, reason: \"it was the right set\") { status voidReason } }";
    for (end, status) in [(None, "RUNNING"), (Some("resign(game: $g, seat: 1)"), "FINISHED")] {
        let id = house.create("triangulate").await;
        if let Some(end) = end {
            house.get(&format!("mutation($g: ID!) {{ {end} {{ id }} }}"), json!({ "g": id })).await;
        }
        assert_eq!(house.ask(&Caller::ADMIN, unvoid, json!({ "g": id })).await.code(), "BAD_INPUT", "it is not void");
        change(&house, &format!("voidGame(game: \"{id}\", reason: \"wrong set\")")).await;
        let counted = house.get(unvoid, json!({ "g": id })).await;
        assert_eq!(counted["unvoidGame"], json!({ "status": status, "voidReason": null }));
        check(&house, &id).await;
    }
}

/// Plays at random until there were six rolls, every other one by the service; returns the number of the
/// service's.
async fn roll_some(house: &House, kind: &str, seed: u64) -> (String, usize) {
    let id = house.create(kind).await;
    let (mut dice, mut rolls) = (Dice(seed), 0);
    for _ in 0..400 {
        let position = house.service.game(id.parse().unwrap()).unwrap().replay().position().boxed();
        let Some(actor) = position.to_act().iter().next().filter(|_| rolls < 6) else { break };
        let is_roll = actor == plybook_events::Actor::Chance;
        if is_roll && rolls % 2 == 0 {
            change(house, &format!("roll(game: \"{id}\")")).await;
        } else {
            house.play(&id, 1, &mut dice).await;
        }
        rolls += usize::from(is_roll);
    }
    (id, rolls)
}

/// For each kind with dice, a game is played in which the service rolls, and its rolls verify once the seed
/// is public; rolls entered by hand are distinguished.
#[tokio::test]
async fn the_service_rolls_where_dice_are_awaited() {
    let house = House::new();
    for kind in kinds().iter().filter(|rules| rules.about().chance).map(|rules| rules.about().kind) {
        let mut found = None;
        for seed in 0..200 {
            let (id, rolls) = roll_some(&house, kind, seed).await;
            if rolls >= 2 && house.game(&id).await["status"] == "RUNNING" {
                found = Some((id, rolls));
                break;
            }
        }
        let (id, rolls) = found.unwrap_or_else(|| panic!("{kind}: no running game in which two rolls were made"));
        let public = |game: &Value| {
            game["events"]["nodes"].as_array().unwrap().iter().any(|event| event["body"]["seed"].is_object())
        };
        assert!(!public(&house.game(&id).await), "{kind}");
        change(&house, &format!("voidGame(game: \"{id}\", reason: \"enough\")")).await;
        let game = check(&house, &id).await;
        assert!(public(&game), "{kind}: the seed is published at the end");
        let fair = game["moves"]["nodes"].as_array().unwrap().iter().filter(|done| done["fair"] == true).count();
        assert_eq!(fair, rolls.div_ceil(2), "{kind}");
    }
    let id = house.create("triangulate").await;
    let none = house.ask(&Caller::ADMIN, "mutation($g: ID!) { roll(game: $g) { id } }", json!({ "g": id })).await;
    assert_eq!((none.code().as_str(), house.head(&id).await), ("NOT_YOUR_TURN", 0));
}

/// Seats contribute to the dice until something is rolled, and the API says who has and who can.
#[tokio::test]
async fn seats_contribute_to_the_dice() {
    let house = House::new();
    let id = house.create("triforce").await;
    let entropy = "0f".repeat(32);
    let add = |seat: u8| format!("addEntropy(game: \"{id}\", seat: {seat}, entropy: \"{entropy}\")");
    change(&house, &add(2)).await;
    let fields = "query($g: ID!) { game(id: $g) { entropyFrom entropyAwaitedFrom seats { number } } }";
    let game = house.ask(&Caller::SPECTATOR, fields, json!({ "g": id })).await.ok()["game"].clone();
    let others: Vec<usize> = (1..=game["seats"].as_array().unwrap().len()).filter(|seat| *seat != 2).collect();
    assert_eq!((&game["entropyFrom"], &game["entropyAwaitedFrom"]), (&json!([2]), &json!(others)));
    for call in [add(2), add(9)] {
        let told = house.ask(&Caller::ADMIN, &format!("mutation {{ {call} {{ id }} }}"), json!({})).await;
        assert_eq!((told.code().as_str(), house.head(&id).await), ("BAD_INPUT", 1), "{call}");
    }
    change(&house, &format!("voidGame(game: \"{id}\", reason: \"enough\")")).await;
    let game = house.ask(&Caller::SPECTATOR, fields, json!({ "g": id })).await.ok()["game"].clone();
    assert_eq!((&game["entropyFrom"], &game["entropyAwaitedFrom"]), (&json!([2]), &json!([])));
    check(&house, &id).await;
}

/// The answer to a change is the game after it, and so is the message to a follower.
#[tokio::test]
async fn answers_and_followers_see_the_game_after_the_change() {
    let house = House::new();
    let id = house.create("triangulate").await;
    let query = format!("subscription($g: ID!) {{ gameUpdated(game: $g) {{ {ALL} }} }}");
    let mut updates = house.follow(&Caller::SPECTATOR, &query, json!({ "g": id }));
    assert_eq!(next(&mut updates).await.ok()["gameUpdated"]["head"]["seq"], 0);
    for seq in 1..=20 {
        house.play(&id, 1, &mut Dice(seq)).await;
        let told = next(&mut updates).await.ok()["gameUpdated"].clone();
        assert_eq!(
            (&told["head"]["seq"], &told["ply"], &told["position"]["ply"]),
            (&json!(seq), &json!(seq), &json!(seq))
        );
    }
}
