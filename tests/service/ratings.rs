//! Ratings: which games are rated, in which order, and what depends on them.

use plybook_api::access::{Caller, Role};
use serde_json::{Value, json};

use crate::house::{Dice, House, caller, text};

/// The fields requested of a rating.
const RATING: &str = "kind value deviation games provisional player { id }";

/// A game of Triangulate between these players, won by seat 1, by seat 2, or by nobody.
async fn play(house: &House, players: [&str; 2], winner: Option<u8>, more: Value) -> String {
    let mut input = json!({ "kind": "triangulate", "seats": players.map(|player| json!({ "player": player })) });
    input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let game = house.create_as(input).await;
    house.play_on(&game, 1, &mut Dice(1)).await;
    decide(house, &game, winner).await;
    game
}

/// Ends a game, or corrects its outcome.
async fn decide(house: &House, game: &str, winner: Option<u8>) {
    let query = "mutation($g: ID!, $r: Ruling!) { adjudicate(game: $g, input: $r) { id } }";
    let ruling = json!({ "winners": winner.into_iter().collect::<Vec<_>>(), "reason": "r" });
    house.get(query, json!({ "g": game, "r": ruling })).await;
}

async fn change(house: &House, game: &str, field: &str) {
    house.get(&format!("mutation($g: ID!) {{ {field} {{ id }} }}"), json!({ "g": game })).await;
}

/// A player's rating in Triangulate; null if there is none.
async fn rating(house: &House, player: &str) -> Value {
    let query = format!("query($p: ID!) {{ player(id: $p) {{ ratings {{ {RATING} }} }} }}");
    house.get(&query, json!({ "p": player })).await["player"]["ratings"][0].clone()
}

async fn curve(house: &House, player: &str) -> Vec<Value> {
    let query =
        "query($p: ID!) { player(id: $p) { ratingHistory(kind: \"triangulate\") { at value deviation game { id } } } }";
    house.get(query, json!({ "p": player })).await["player"]["ratingHistory"].as_array().unwrap().clone()
}

/// All ratings and curves of these players.
async fn all(house: &House, players: &[&str]) -> Value {
    let mut told = Vec::new();
    for player in players {
        told.push(json!([rating(house, player).await, curve(house, player).await]));
    }
    told.into()
}

async fn three(house: &House) -> [String; 3] {
    [house.player("Ada").await, house.player("Bela").await, house.player("Chiara").await]
}

#[tokio::test]
async fn a_game_changes_both_ratings_as_glicko_2_says() {
    let house = House::new();
    let [ada, bela, _] = three(&house).await;
    assert_eq!((rating(&house, &ada).await, curve(&house, &ada).await.len()), (Value::Null, 0));
    let game = play(&house, [&ada, &bela], Some(1), json!({})).await;
    let (won, lost) = (rating(&house, &ada).await, rating(&house, &bela).await);
    // The first line of tests/data/ratings/glicko-2.txt.
    assert!((won["value"].as_f64().unwrap() - 1_662.310_894).abs() < 0.01, "{won}");
    assert!((lost["value"].as_f64().unwrap() + won["value"].as_f64().unwrap() - 3000.0).abs() < 1e-6);
    assert_eq!((&won["games"], &won["provisional"], &won["player"]["id"]), (&json!(1), &json!(true), &json!(ada)));
    let points = curve(&house, &ada).await;
    assert_eq!((points.len(), &points[0]["game"]["id"], &points[0]["value"]), (1, &json!(game), &won["value"]));
    let seats = "query($g: ID!) { game(id: $g) { averageRating seats { rating { value deviation games } } } }";
    let first = house.get(seats, json!({ "g": game })).await["game"].clone();
    assert_eq!(first, json!({ "averageRating": null, "seats": [{ "rating": null }, { "rating": null }] }));
    let second = play(&house, [&ada, &bela], None, json!({})).await;
    let told = house.get(seats, json!({ "g": second })).await["game"].clone();
    assert_eq!(told["seats"][0]["rating"]["value"], won["value"]);
    assert!((told["averageRating"].as_f64().unwrap() - 1500.0).abs() < 1e-3, "{told}");
}

#[tokio::test]
async fn only_games_that_count_between_registered_players_are_rated() {
    let house = House::new();
    let [ada, bela, chiara] = three(&house).await;
    play(&house, [&ada, &bela], Some(1), json!({ "rated": false })).await;
    let guest = json!({ "kind": "triangulate", "seats": [{ "player": ada }, { "name": "Guest" }] });
    let with_guest = house.create_as(guest).await;
    house.play_on(&with_guest, 1, &mut Dice(1)).await;
    decide(&house, &with_guest, Some(1)).await;
    // Nobody has played: it is as good as a forfeit.
    let seats = json!([{ "player": ada }, { "player": bela }]);
    let unplayed = house.create_as(json!({ "kind": "triangulate", "seats": seats })).await;
    change(&house, &unplayed, "resign(game: $g, seat: 2)").await;
    let running =
        house.create_as(json!({ "kind": "triangulate", "seats": [{ "player": ada }, { "player": bela }] })).await;
    change(&house, &running, "fork(game: $g, ply: 0)").await;
    let void = play(&house, [&ada, &bela], Some(1), json!({})).await;
    change(&house, &void, "voidGame(game: $g, reason: \"v\")").await;
    assert_eq!(rating(&house, &ada).await, Value::Null);
    // A game that counts again is rated again; a reopened one is not, until it is decided.
    change(&house, &void, "unvoidGame(game: $g, reason: \"u\")").await;
    assert_eq!(rating(&house, &ada).await["games"], 1);
    change(&house, &void, "reopenGame(game: $g, reason: \"o\")").await;
    assert_eq!(rating(&house, &ada).await, Value::Null);
    // A guest does not prevent the other seats from being rated.
    let seats = json!([{ "player": ada }, { "player": bela }, { "name": "Guest" }]);
    let game = house.create_as(json!({ "kind": "triforce", "setup": { "players": 3 }, "seats": seats })).await;
    house.play_on(&game, 1, &mut Dice(1)).await;
    decide(&house, &game, Some(2)).await;
    let (won, lost) = (rating(&house, &bela).await, rating(&house, &ada).await);
    assert!(won["kind"] == "triforce" && won["value"].as_f64() > Some(1500.0) && lost["value"].as_f64() < Some(1500.0));
    assert_eq!(rating(&house, &chiara).await, Value::Null);
}

#[tokio::test]
async fn late_and_changed_games_are_rated_in_their_place() {
    let (house, plain) = (House::new(), House::new());
    let [ada, bela, chiara] = three(&house).await;
    let first = play(&house, [&ada, &bela], Some(2), json!({ "played": "2024-01-01" })).await;
    play(&house, [&bela, &chiara], Some(1), json!({ "played": "2024-03-01" })).await;
    play(&house, [&chiara, &ada], Some(1), json!({ "played": "2024-04-01" })).await;
    all(&house, &[&ada, &bela, &chiara]).await;
    // A backdated game, a correction, and a void game.
    let late = play(&house, [&ada, &chiara], Some(1), json!({ "played": "2024-02-01" })).await;
    decide(&house, &first, Some(1)).await;
    let gone = play(&house, [&ada, &bela], Some(1), json!({ "played": "2024-02-15" })).await;
    change(&house, &gone, "voidGame(game: $g, reason: \"v\")").await;
    let order: Vec<Value> = curve(&house, &ada).await.iter().map(|point| point["game"]["id"].clone()).collect();
    assert_eq!(order[..2], [json!(first), json!(late)]);

    // Just the same games in their order.
    let [a, b, c] = three(&plain).await;
    for (players, winner, played) in [
        ([&a, &b], 1, "2024-01-01"),
        ([&a, &c], 1, "2024-02-01"),
        ([&b, &c], 1, "2024-03-01"),
        ([&c, &a], 1, "2024-04-01"),
    ] {
        play(&plain, players.map(String::as_str), Some(winner), json!({ "played": played })).await;
    }
    for (one, other) in [(&ada, &a), (&bela, &b), (&chiara, &c)] {
        let (one, other) = (rating(&house, one).await, rating(&plain, other).await);
        for name in ["value", "deviation", "games"] {
            assert_eq!(one[name], other[name], "to the last bit");
        }
    }
}

#[tokio::test]
async fn merged_players_have_one_rating_and_get_their_own_back() {
    let house = House::new();
    let [ada, bela, double] = three(&house).await;
    play(&house, [&ada, &bela], Some(1), json!({})).await;
    play(&house, [&double, &bela], Some(1), json!({})).await;
    let before = all(&house, &[&ada, &bela, &double]).await;
    let merge = "mutation($f: ID!, $i: ID!) { mergePlayers(from: $f, into: $i) { id } }";
    house.get(merge, json!({ "f": double, "i": ada })).await;
    let one = rating(&house, &ada).await;
    assert_eq!((&one["games"], &one["player"]["id"]), (&json!(2), &json!(ada)));
    assert_eq!(rating(&house, &double).await, one, "the merged player stands for the other");
    let listed = house.get("{ ratings(kind: \"triangulate\", provisional: true) { totalCount } }", json!({})).await;
    assert_eq!(listed["ratings"]["totalCount"], 2);
    change(&house, &double, "unmergePlayer(player: $g)").await;
    assert_eq!(all(&house, &[&ada, &bela, &double]).await, before);
}

#[tokio::test]
async fn ratings_are_listed_page_by_page_and_provisional_ones_on_request() {
    let house = House::new();
    let mut players = Vec::new();
    for n in 0..7 {
        players.push(house.player(&format!("Player {n}")).await);
    }
    for round in 0..14 {
        for one in 0..5 {
            for other in one + 1..5 {
                let winner = if (round + one + other) % 4 == 0 { 2 } else { 1 };
                play(&house, [&players[one], &players[other]], Some(winner), json!({})).await;
            }
        }
    }
    play(&house, [&players[5], &players[6]], Some(1), json!({})).await;
    let query = format!(
        "query($p: Boolean, $a: String) {{ ratings(kind: \"triangulate\", provisional: $p, first: 2, after: $a) \
         {{ totalCount pageInfo {{ hasNextPage endCursor }} nodes {{ {RATING} }} }} }}"
    );
    for (with_provisional, total) in [(false, 5), (true, 7)] {
        let (mut after, mut seen) = (Value::Null, Vec::new());
        loop {
            let page = house.get(&query, json!({ "p": with_provisional, "a": after })).await["ratings"].clone();
            assert_eq!(page["totalCount"], total);
            seen.extend(page["nodes"].as_array().unwrap().clone());
            after = page["pageInfo"]["endCursor"].clone();
            if page["pageInfo"]["hasNextPage"] == false {
                break;
            }
        }
        assert_eq!(seen.len(), total);
        assert!(seen.is_sorted_by(|one, other| one["value"].as_f64() >= other["value"].as_f64()));
        assert!(with_provisional || seen.iter().all(|rating| rating["provisional"] == false));
    }
    let limits = "query($l: Int) { player(id: \"ID\") { ratingHistory(kind: \"triangulate\", last: $l) { value } } }";
    let limits = limits.replace("ID", &players[0]);
    let last = async |last: i32| house.ask(&caller(Role::Spectator), &limits, json!({ "l": last })).await;
    assert_eq!(last(3).await.ok()["player"]["ratingHistory"].as_array().unwrap().len(), 3);
    assert_eq!((last(-1).await.code(), last(1_001).await.code()), ("BAD_INPUT".to_owned(), "BAD_INPUT".to_owned()));
    let unknown = house.ask(&caller(Role::Spectator), "{ ratings(kind: \"chess\") { totalCount } }", json!({})).await;
    assert_eq!(unknown.code(), "BAD_INPUT");
}

#[tokio::test]
async fn expected_scores_are_given_for_any_number_of_players() {
    let house = House::new();
    let [ada, bela, chiara] = three(&house).await;
    play(&house, [&ada, &bela], Some(1), json!({})).await;
    let query = "query($k: String!, $p: [ID!]!) { expectedScore(kind: $k, players: $p) }";
    let ask = async |kind: &str, players: &[&String]| {
        house.ask(&Caller::SPECTATOR, query, json!({ "k": kind, "p": players })).await
    };
    let expected = ask("triangulate", &[&ada, &bela]).await.ok()["expectedScore"].clone();
    let [one, other] = [0, 1].map(|n| expected[n].as_f64().unwrap());
    assert!(one > 0.6 && (one + other - 1.0).abs() < 1e-12, "{expected}");
    let even = ask("tri", &[&ada, &bela]).await.ok()["expectedScore"].clone();
    assert_eq!(even, json!([0.5, 0.5]), "nothing is known in this kind");
    let three = ask("triforce", &[&ada, &bela, &chiara]).await.ok()["expectedScore"].clone();
    assert!((three.as_array().unwrap().iter().filter_map(Value::as_f64).sum::<f64>() - 1.0).abs() < 1e-12);
    assert!(ask("triangulate", &[&ada]).await.says().contains("2 players, not by 1"));
    assert!(ask("triforce", &[&ada, &bela]).await.says().contains("3 to 6 players"));
    assert!(ask("tri", &[&ada, &ada]).await.says().contains("twice"));
    assert_eq!(ask("tri", &[&ada, &crate::house::nobody()]).await.code(), "NOT_FOUND");
}

#[tokio::test]
async fn lists_and_the_explorer_use_ratings() {
    let house = House::new();
    let [ada, bela, chiara] = three(&house).await;
    let act = "mutation($g: ID!) { act(game: $g, action: \"b1-b2\") { id } }";
    let mut games = Vec::new();
    for (one, other) in [(&ada, &bela), (&ada, &bela), (&ada, &chiara), (&bela, &chiara)] {
        let seats = json!([{ "player": one }, { "player": other }]);
        let game = house.create_as(json!({ "kind": "triangulate", "seats": seats })).await;
        house.get(act, json!({ "g": game })).await;
        house.play_on(&game, 1, &mut Dice(1)).await;
        decide(&house, &game, Some(1)).await;
        games.push(game);
    }
    let mut rated = Vec::new();
    for game in &games {
        let query = "query($g: ID!) { game(id: $g) { averageRating } }";
        rated.push(house.get(query, json!({ "g": game })).await["game"]["averageRating"].as_f64());
    }
    assert!(rated[0].is_none() && rated[2] > rated[1] && rated[3] < rated[1], "{rated:?}");
    let query = "query($f: GameFilter!) { games(filter: $f) { totalCount nodes { id } } }";
    let listed = async |filter: Value| -> Vec<String> {
        let answer = house.get(query, json!({ "f": filter })).await;
        answer["games"]["nodes"].as_array().unwrap().iter().map(|game| text(&game["id"])).collect()
    };
    let [low, high] = [rated[1].unwrap() - 1.0, rated[1].unwrap() + 1.0];
    assert_eq!(listed(json!({ "minRating": low, "maxRating": high })).await, [games[1].clone()]);
    assert_eq!(listed(json!({ "minRating": low })).await, [games[2].clone(), games[1].clone()]);
    assert_eq!(listed(json!({ "maxRating": low })).await, [games[3].clone()]);
    assert!(listed(json!({ "minRating": 9000.0 })).await.is_empty());
    let query = "query($f: GameFilter) { explore(kind: \"triangulate\", filter: $f) \
        { games topGames { id } actions { action games averageRating } } }";
    let told = house.get(query, json!({})).await["explore"].clone();
    let top: Vec<String> = told["topGames"].as_array().unwrap().iter().map(|game| text(&game["id"])).collect();
    assert_eq!(top, [2, 1, 3, 0].map(|n| games[n].clone()));
    let mean = rated.iter().flatten().sum::<f64>() / 3.0;
    assert!((told["actions"][0]["averageRating"].as_f64().unwrap() - mean).abs() < 0.01, "{told}");
    let narrow = house.get(query, json!({ "f": { "minRating": low } })).await["explore"].clone();
    assert_eq!((&narrow["games"], &narrow["actions"][0]["games"]), (&json!(2), &json!(2)));
    let first = "{ statistics(kind: \"triangulate\") { firstActions { averageRating } } }";
    let first = house.get(first, json!({})).await["statistics"]["firstActions"][0]["averageRating"].as_f64();
    assert!((first.unwrap() - mean).abs() < 0.01);
}
