//! Results that are entered without a record, corrected and disputed, and what follows for games, players and ratings.

use plybook_api::access::{Caller, Role, TableNumber};
use serde_json::{Value, json};

use crate::hall::Hall;
use crate::house::{House, caller};

const TABLE: &str =
    "table(number: 1) { result source disputed game { id status ply outcome { winners reason decidedBy } } }";

async fn table(hall: &Hall<'_>) -> Value {
    hall.get(&format!("round(number: 1) {{ {TABLE} }}")).await["round"]["table"].clone()
}

async fn enter(hall: &Hall<'_>, round: u32, table: u32, ranking: &str) {
    hall.done(&format!("enterResult(tournament: $t, round: {round}, table: {table}, ranking: {ranking}) {{ status }}"))
        .await;
}

/// The number of games that a list shows.
async fn listed(hall: &Hall<'_>, filter: &str) -> u64 {
    let query = format!("query($t: ID!) {{ games(filter: {{ tournament: $t {filter} }}) {{ totalCount }} }}");
    hall.house.get(&query, json!({ "t": hall.id })).await["games"]["totalCount"].as_u64().unwrap()
}

#[tokio::test]
async fn a_result_without_a_record_is_a_game_that_is_over() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 3, &[2_000, 1_900]).await;
    hall.pair_and_open(1).await;
    enter(&hall, 1, 1, "[[1], [2]]").await;
    let found = table(&hall).await;
    assert_eq!((&found["result"], &found["source"]), (&json!("1–0"), &json!("ORGANISER")));
    let game = &found["game"];
    assert_eq!((&game["status"], &game["ply"]), (&json!("FINISHED"), &json!(0)));
    assert_eq!(
        game["outcome"],
        json!({ "winners": [1], "reason": "entered without a record", "decidedBy": "ARBITER" }),
        "{game}"
    );
    let winner = hall
        .get("standings { score player { id name games { totalCount nodes { status } } ratings { games } } }")
        .await;
    let first = &winner["standings"][0];
    assert_eq!((&first["score"], &first["player"]["games"]["totalCount"]), (&json!(1.0), &json!(1)));
    assert_eq!(first["player"]["ratings"], json!([{ "games": 1 }]), "the tournament is rated");
    let counted = house.get("{ statistics(kind: \"triangulate\") { games } }", json!({})).await;
    assert_eq!(counted["statistics"]["games"], 0, "nothing is known of how it was played");

    // It is corrected once the round is closed, and the next one paired.
    hall.done("endRound(tournament: $t, round: 1) { status }").await;
    let id = game["id"].clone();
    enter(&hall, 1, 1, "[[1, 2]]").await;
    let found = table(&hall).await;
    assert_eq!((&found["result"], &found["game"]["id"]), (&json!("½–½"), &id));
    assert_eq!(found["game"]["outcome"]["winners"], json!([]));
    hall.done("clearResult(tournament: $t, round: 1, table: 1) { status }").await;
    assert_eq!(table(&hall).await["game"]["status"], "RUNNING", "it may still be recorded");
    enter(&hall, 1, 1, "[[2], [1]]").await;
    hall.done("finishTournament(tournament: $t) { status }").await;
    enter(&hall, 1, 1, "[[1], [2]]").await;
    assert_eq!(table(&hall).await["game"]["outcome"]["winners"], json!([1]));
    assert_eq!(
        hall.get("verification { valid problem }").await["verification"],
        json!({ "valid": true, "problem": null })
    );
    assert_eq!(house.service.settle(hall.id.parse().unwrap()).unwrap(), 0, "nothing is left to be told");
}

#[tokio::test]
async fn what_never_was_a_game_is_not_listed() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 3, &[2_000, 1_900, 1_800, 1_700]).await;
    hall.pair_and_open(1).await;
    hall.done("unopenRound(tournament: $t, round: 1) { status }").await;
    assert_eq!(listed(&hall, "").await, 0, "an opening that was undone");
    hall.done("openRound(tournament: $t, round: 1) { status }").await;
    hall.done("forfeit(tournament: $t, round: 1, table: 1, seats: [1, 2]) { status }").await;
    enter(&hall, 1, 2, "[[1], [2]]").await;
    assert_eq!((listed(&hall, "").await, listed(&hall, ", status: VOID").await), (1, 3));
    assert_eq!(hall.get("games { totalCount }").await["games"]["totalCount"], 1);
    // A forfeit that was a mistake.
    enter(&hall, 1, 1, "[[1], [2]]").await;
    assert_eq!(listed(&hall, ", status: FINISHED").await, 2);
    let examined = house.service.examine_tournaments().unwrap();
    assert_eq!((examined[0].elsewhere, examined[0].unknown, examined[0].untold), (0, 0, 0));
}

#[tokio::test]
async fn two_entries_of_one_table_are_a_dispute_for_the_organiser() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 3, &[2_000, 1_900]).await;
    hall.pair_and_open(1).await;
    let slip = Caller {
        tournament: Some(hall.id.parse().unwrap()),
        table: Some(TableNumber { round: 1, table: 1 }),
        ..caller(Role::Table)
    };
    let by_slip = async |ranking: &str| {
        let field = format!("enterResult(tournament: $t, round: 1, table: 1, ranking: {ranking}) {{ disputed }}");
        hall.change_as(&slip, &field, "", json!({})).await
    };
    by_slip("[[1], [2]]").await.ok();
    assert_eq!(by_slip("[[2], [1]]").await.ok()["enterResult"]["disputed"], json!([1]));
    assert_eq!(table(&hall).await["disputed"], json!([[1], [2]]));
    let refused = hall.change("endRound(tournament: $t, round: 1) { status }", "", json!({})).await;
    assert!(refused.says().contains("different results were entered at table 1"), "{}", refused.says());
    enter(&hall, 1, 1, "[[1, 2]]").await;
    let refused = by_slip("[[1], [2]]").await;
    assert!(refused.says().contains("the result of table 1 is the organiser's"), "{}", refused.says());
    assert_eq!(table(&hall).await["result"], "½–½");
    hall.done("endRound(tournament: $t, round: 1) { status }").await;
}

/// A result of a round before the last is corrected, an adjourned game ends: standings follow, and the round says so.
#[tokio::test]
async fn a_closed_round_says_what_was_changed_since() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 2, &[2_000, 1_900, 1_800, 1_700]).await;
    hall.pair_and_open(1).await;
    enter(&hall, 1, 1, "[[1], [2]]").await;
    hall.done("adjourn(tournament: $t, round: 1, table: 2) { status }").await;
    hall.done("endRound(tournament: $t, round: 1) { status }").await;
    hall.pair_and_open(2).await;
    let before = hall.get("round(number: 2) { tables { seats { entrant { number } } } }").await;
    enter(&hall, 1, 1, "[[2], [1]]").await;
    enter(&hall, 1, 2, "[[1], [2]]").await;
    let found = hall.get("round(number: 1) { adjourned corrections { table before after paired } }").await;
    let expected = json!([
        { "table": 1, "before": "1–0", "after": "0–1", "paired": 2 },
        { "table": 2, "before": null, "after": "1–0", "paired": 2 },
    ]);
    assert_eq!(found["round"], json!({ "adjourned": [], "corrections": expected }));
    assert_eq!(hall.get("round(number: 2) { tables { seats { entrant { number } } } }").await, before);
}

/// However a name is spelled, it is the same player; clubs and countries reach the player.
#[tokio::test]
async fn people_are_found_under_any_spelling() {
    let house = House::new();
    let hall =
        Hall::create(&house, json!({ "name": "Club", "kind": "triangulate", "format": "SWISS", "rounds": 3 })).await;
    let entrants = json!([{ "name": "Müller, Jörg", "club": "SK Nord", "country": "DE" }, { "name": "Zoë Ångström" }]);
    hall.change("addEntrants(tournament: $t, entrants: $e) { id }", "$e: [EntrantInput!]", json!({ "e": entrants }))
        .await
        .ok();
    let found = async |filter: &str, text: &str| {
        let query =
            format!("query($n: String!) {{ players(filter: {{ {filter}: $n }}) {{ nodes {{ name club country }} }} }}");
        house.get(&query, json!({ "n": text })).await["players"]["nodes"].clone()
    };
    for text in ["joerg mueller", "Muller, Jorg", "Mu\u{308}ller Jo\u{308}rg", "Jörg Müller"] {
        let nodes = found("called", text).await;
        assert_eq!(nodes, json!([{ "name": "Müller, Jörg", "club": "SK Nord", "country": "DE" }]), "{text}");
    }
    assert_eq!(found("called", "Jörg").await, json!([]));
    assert_eq!(found("search", "mue").await.as_array().unwrap().len(), 1);
    assert_eq!(found("search", "").await.as_array().unwrap().len(), 2, "an empty text finds everybody");
}
