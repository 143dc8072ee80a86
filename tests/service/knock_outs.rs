//! Knock-outs through the API: matches of several games, the bracket, groups.

use serde_json::{Value, json};

use crate::hall::Hall;
use crate::house::House;

const BRACKET: &str = "bracket { decided stages { name matches { thirdPlace decided \
    sides { score won entrant { number } } tables { round number } } } }";

/// A knock-out of new players by seed.
async fn knock_out<'a>(house: &'a House, entrants: usize, options: Value) -> Hall<'a> {
    let format = if options["groups"].is_null() { "KNOCKOUT" } else { "GROUPS_KNOCKOUT" };
    let input = json!({ "name": "Cup", "kind": "triangulate", "format": format, "formatOptions": options });
    let hall = Hall::create(house, input).await;
    let entrants: Vec<Value> = (1..=entrants).map(|number| json!({ "name": format!("Player {number}") })).collect();
    hall.change("addEntrants(tournament: $t, entrants: $e) { id }", "$e: [EntrantInput!]", json!({ "e": entrants }))
        .await
        .ok();
    hall
}

/// Plays a round: at every table the lower number wins, or both agree on a draw. Returns the games.
async fn play(hall: &Hall<'_>, round: u32, is_draw: impl Fn(&[u64]) -> bool) -> Vec<(String, Vec<u64>)> {
    hall.pair_and_open(round).await;
    let games = hall.games(round).await;
    for (game, seats) in &games {
        let loser = if seats[0] < seats[1] { 2 } else { 1 };
        let field = if is_draw(seats) {
            "adjudicate(game: $g, input: { winners: [], reason: \"agreed\" }) { id }".to_owned()
        } else {
            format!("resign(game: $g, seat: {loser}) {{ id }}")
        };
        hall.house.get(&format!("mutation($g: ID!) {{ {field} }}"), json!({ "g": game })).await;
    }
    hall.done(&format!("endRound(tournament: $t, round: {round}) {{ status }}")).await;
    games
}

async fn bracket(hall: &Hall<'_>) -> Value {
    hall.get(BRACKET).await["bracket"].clone()
}

/// Of each match of a stage: the sides' numbers and scores, and whether it is decided.
fn matches(bracket: &Value, stage: usize) -> Vec<(Vec<Option<u64>>, Vec<f64>, bool)> {
    let matches = bracket["stages"][stage]["matches"].as_array().unwrap();
    let sides = |found: &Value| found["sides"].as_array().unwrap().clone();
    let read = |found: &Value| {
        let numbers = sides(found).iter().map(|side| side["entrant"]["number"].as_u64()).collect();
        let scores = sides(found).iter().map(|side| side["score"].as_f64().unwrap()).collect();
        (numbers, scores, found["decided"].as_bool().unwrap())
    };
    matches.iter().map(read).collect()
}

async fn check(hall: &Hall<'_>) {
    let found = hall.get("verification { valid problem }").await;
    assert_eq!(found["verification"], json!({ "valid": true, "problem": null }));
}

#[tokio::test]
async fn a_match_ends_when_one_side_cannot_be_caught() {
    let house = House::new();
    let hall = knock_out(&house, 4, json!({ "bestOf": 3, "thirdPlace": true })).await;
    assert_eq!(bracket(&hall).await, Value::Null, "nothing is drawn yet");
    play(&hall, 1, |_| false).await;
    // Seats change; the match of 2 and 3 continues, that of 1 and 4 is over.
    let second = play(&hall, 2, |seats| seats.contains(&2)).await;
    assert_eq!(second.len(), 2);
    let found = bracket(&hall).await;
    assert_eq!(
        matches(&found, 0),
        [(vec![Some(1), Some(4)], vec![2.0, 0.0], true), (vec![Some(2), Some(3)], vec![1.5, 0.5], false)]
    );
    let third = play(&hall, 3, |_| true).await;
    assert_eq!(third.len(), 1, "a decided match has no further game");
    let found = bracket(&hall).await;
    assert_eq!(
        matches(&found, 1),
        [(vec![Some(1), Some(2)], vec![0.0, 0.0], false), (vec![Some(3), Some(4)], vec![0.0, 0.0], false)]
    );
    for round in 4..=5 {
        play(&hall, round, |_| false).await;
    }
    let found = bracket(&hall).await;
    assert_eq!(found["decided"], true);
    assert_eq!(found["stages"][1]["matches"][1]["thirdPlace"], true);
    assert_eq!(
        found["stages"][1]["matches"][0]["tables"],
        json!([{ "round": 4, "number": 1 }, { "round": 5, "number": 1 }])
    );
    assert_eq!(
        hall.change("pairRound(tournament: $t) { status job { error } }", "", json!({})).await.code(),
        "BAD_INPUT"
    );
    let standings = hall.get("standings { reached entrant { number } }").await["standings"].clone();
    let places = ["Winner", "Final", "Third place", "Fourth place"];
    for (index, reached) in places.into_iter().enumerate() {
        assert_eq!(standings[index], json!({ "reached": reached, "entrant": { "number": index + 1 } }));
    }
    check(&hall).await;
}

#[tokio::test]
async fn a_level_match_is_replayed_or_the_better_seed_advances() {
    let house = House::new();
    let hall = knock_out(&house, 2, json!({ "bestOf": 2, "replays": 1 })).await;
    for round in 1..=2 {
        play(&hall, round, |_| true).await;
        assert_eq!(bracket(&hall).await["decided"], false);
    }
    play(&hall, 3, |_| true).await;
    let found = bracket(&hall).await;
    assert_eq!(matches(&found, 0), [(vec![Some(1), Some(2)], vec![1.5, 1.5], true)]);
    assert_eq!(found["stages"][0]["matches"][0]["sides"][0]["won"], true);

    let hall = knock_out(&house, 2, json!({})).await;
    for round in 1..=4 {
        play(&hall, round, |_| true).await;
        assert_eq!(bracket(&hall).await["decided"], false, "games are added until one is won");
    }
    play(&hall, 5, |_| false).await;
    assert_eq!(bracket(&hall).await["decided"], true);
    check(&hall).await;
}

/// A game of a decided match is corrected, made void and counted again: the bracket follows.
#[tokio::test]
async fn a_corrected_game_reopens_its_match() {
    let house = House::new();
    let hall = knock_out(&house, 4, json!({ "bestOf": 2 })).await;
    let first = play(&hall, 1, |_| false).await;
    play(&hall, 2, |_| false).await;
    assert_eq!(matches(&bracket(&hall).await, 1), [(vec![Some(1), Some(2)], vec![0.0, 0.0], false)]);
    play(&hall, 3, |_| false).await;
    assert_eq!(matches(&bracket(&hall).await, 1), [(vec![Some(1), Some(2)], vec![1.0, 0.0], false)]);

    let (game, seats) = first.iter().find(|(_, seats)| seats.contains(&4)).unwrap();
    let winner = seats.iter().position(|seat| *seat == 4).unwrap() + 1;
    let corrected = format!(
        "mutation($g: ID!) {{ adjudicate(game: $g, input: {{ winners: [{winner}], reason: \"typo\" }}) {{ id }} }}"
    );
    house.get(&corrected, json!({ "g": game })).await;
    let found = bracket(&hall).await;
    assert_eq!(matches(&found, 0)[0], (vec![Some(1), Some(4)], vec![1.0, 1.0], false));
    assert_eq!(found["stages"].as_array().unwrap().len(), 1, "the final is not drawn any more");
    let next = play(&hall, 4, |_| false).await;
    assert_eq!(next.len(), 1, "the match that is level again goes on, before the final");
    assert!(next[0].1.contains(&4));
    // The game of the final that was played too early then does not count as one of its games.
    let found = bracket(&hall).await;
    assert_eq!(matches(&found, 1), [(vec![Some(1), Some(2)], vec![0.0, 0.0], false)]);

    house.get("mutation($g: ID!) { voidGame(game: $g, reason: \"engine\") { id } }", json!({ "g": game })).await;
    // Without it, the better seed has won both games.
    assert_eq!(matches(&bracket(&hall).await, 0)[0], (vec![Some(1), Some(4)], vec![2.0, 0.0], true));
    house.get("mutation($g: ID!) { unvoidGame(game: $g, reason: \"a mistake\") { id } }", json!({ "g": game })).await;
    play(&hall, 5, |_| false).await;
    check(&hall).await;
}

#[tokio::test]
async fn groups_have_standings_of_their_own() {
    let house = House::new();
    let hall = knock_out(&house, 6, json!({ "groups": 2, "qualifiers": 1 })).await;
    for round in 1..=3 {
        assert_eq!(bracket(&hall).await, Value::Null, "groups are being played");
        play(&hall, round, |_| false).await;
    }
    let groups = hall.get("groups { number standings { rank score wins entrant { number } } }").await["groups"].clone();
    let numbers = |group: usize| {
        let rows = groups[group]["standings"].as_array().unwrap();
        rows.iter().map(|row| row["entrant"]["number"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!([numbers(0), numbers(1)], [[1, 4, 5], [2, 3, 6]]);
    assert_eq!(groups[0]["standings"][0], json!({ "rank": 1, "score": 2.0, "wins": 2, "entrant": { "number": 1 } }));
    play(&hall, 4, |_| false).await;
    let found = bracket(&hall).await;
    assert_eq!(matches(&found, 0), [(vec![Some(1), Some(2)], vec![1.0, 0.0], true)]);
    assert_eq!(
        hall.get("groups { standings { wins } }").await["groups"][0]["standings"][0]["wins"],
        2,
        "games of the knock-out do not count in the group"
    );
    assert_eq!(
        hall.get("groups(afterRound: 0) { standings { score } }").await["groups"][0]["standings"][0]["score"],
        0.0
    );
    check(&hall).await;
}

#[tokio::test]
async fn the_next_stage_waits_for_adjourned_games() {
    let house = House::new();
    let hall = knock_out(&house, 4, json!({})).await;
    hall.pair_and_open(1).await;
    hall.done("enterResult(tournament: $t, round: 1, table: 1, ranking: [[1], [2]]) { status }").await;
    hall.done("adjourn(tournament: $t, round: 1, table: 2) { status }").await;
    hall.done("endRound(tournament: $t, round: 1) { status }").await;
    let waits = hall.change("pairRound(tournament: $t) { status }", "", json!({})).await;
    assert_eq!(waits.says(), "the result of round 1, table 2 is missing");
    hall.done("enterResult(tournament: $t, round: 1, table: 2, ranking: [[1], [2]]) { status }").await;
    hall.pair_and_open(2).await;

    // A group is decided once all of its games are, although its rounds go on meanwhile.
    let hall = knock_out(&house, 6, json!({ "groups": 2, "qualifiers": 1 })).await;
    for round in 1..=3 {
        hall.pair_and_open(round).await;
        for table in 1..=2 {
            let at = format!("tournament: $t, round: {round}, table: {table}");
            let entered = format!("enterResult({at}, ranking: [[1], [2]]) {{ status }}");
            let adjourned = format!("adjourn({at}) {{ status }}");
            hall.done(if (round, table) == (1, 1) { &adjourned } else { &entered }).await;
        }
        hall.done(&format!("endRound(tournament: $t, round: {round}) {{ status }}")).await;
    }
    let waits = hall.change("pairRound(tournament: $t) { status }", "", json!({})).await;
    assert_eq!(waits.says(), "the result of round 1, table 1 is missing");
    hall.done("enterResult(tournament: $t, round: 1, table: 1, ranking: [[1], [2]]) { status }").await;
    hall.pair_and_open(4).await;
    check(&hall).await;
}
