//! A Swiss tournament from the first entry to the last result, with standings compared with those that
//! `tests/python/report.py` computes from the service's exports.

use std::path::Path;
use std::process::Command;

use plybook_tournaments::log::Tournament;
use serde_json::{Value, json};

use crate::hall::Hall;
use crate::house::{Dice, House};
use crate::tournament_files::get;

const STANDINGS: &str = "standings { rank score played wins draws losses entrant { number name } \
    tieBreaks { name value text explanation terms { round value counted text opponent { number } } } }";

const TIE_BREAKS: [&str; 10] = ["BH/C1", "BH", "SB", "DE", "ARO", "TPR", "PS", "WIN", "BWG", "FB"];

/// Creates the tournament, and 32 players with names and ratings.
async fn hall(house: &House) -> Hall<'_> {
    let ratings: Vec<u32> = (0..32).map(|n| 2_200 - 13 * n).collect();
    let input = json!({ "name": "Open", "kind": "triangulate", "format": "SWISS", "rounds": 5, "place": "Graz",
        "byePolicy": { "halfMax": 1 }, "tieBreaks": TIE_BREAKS });
    Hall::entered(house, input, &ratings).await
}

/// Plays a few plies of every game of a round, then ends it, and the round.
async fn play(hall: &Hall<'_>, round: u32, dice: &mut Dice) {
    for (game, _) in hall.games(round).await {
        let replay = hall.house.service.game(game.parse().unwrap()).unwrap().replay();
        if replay.end().is_none() && replay.voided().is_none() {
            hall.house.play_on(&game, 6, dice).await;
        }
    }
    hall.play(round).await;
    hall.done(&format!("endRound(tournament: $t, round: {round}) {{ status }}")).await;
}

/// Exchanges the first seats of the first and the last table of round 3, which breaks a rule.
async fn change_by_hand(hall: &Hall<'_>) -> Vec<Vec<u64>> {
    let mut tables: Vec<Vec<u64>> = hall.games(3).await.into_iter().map(|(_, seats)| seats).collect();
    let unpaired = hall.get("round(number: 3) { unpaired { kind entrant { number } } }").await;
    let byes: Vec<Value> = unpaired["round"]["unpaired"]
        .as_array()
        .unwrap()
        .iter()
        .map(|bye| json!({ "entrant": bye["entrant"]["number"], "kind": bye["kind"] }))
        .collect();
    let end = tables.len() - 1;
    let held = tables[0][0];
    tables[0][0] = tables[end][0];
    tables[end][0] = held;
    let by_hand =
        "changePairing(tournament: $t, round: 3, tables: $p, byes: $b, force: $f) { pairing { changedByHand breaks } }";
    let declared = "$p: [[Int!]!]!, $b: [ByeInput!], $f: Boolean";
    let refused = hall.change(by_hand, declared, json!({ "p": tables, "b": byes, "f": false })).await;
    assert_eq!(refused.code(), "BAD_INPUT");
    let warnings = refused.errors[0]["extensions"]["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|warning| warning["rule"] == "score-gap"), "{warnings:?}");
    let forced = hall.change(by_hand, declared, json!({ "p": tables, "b": byes, "f": true })).await.ok();
    assert_eq!(forced["changePairing"]["pairing"]["changedByHand"], true);
    tables
}

/// Corrects the game at table 1 of round 2, so that the other side wins.
async fn correct(hall: &Hall<'_>) {
    let before = hall.get(STANDINGS).await;
    let (game, seats) = hall.games(2).await[0].clone();
    let replay = hall.house.service.game(game.parse().unwrap()).unwrap().replay();
    let winner = if replay.end().unwrap().outcome.winners == [1] { 2 } else { 1 };
    let correct = "mutation($g: ID!, $w: [Int!]!) { adjudicate(game: $g, input: { winners: $w, reason: \"the score sheet\" }) { id } }";
    hall.house.get(correct, json!({ "g": game, "w": [winner] })).await;
    let after = hall.get(STANDINGS).await;
    assert_ne!(before, after, "the correction changes the standings");
    let score = |standings: &Value, number: u64| {
        let rows = standings["standings"].as_array().unwrap();
        rows.iter().find(|row| row["entrant"]["number"] == number).unwrap()["score"].as_f64().unwrap()
    };
    let number = seats[winner as usize - 1];
    assert!(score(&after, number) > score(&before, number));
}

/// A game at table 2 of round 4 is void, and another one is played.
async fn play_again(hall: &Hall<'_>) {
    let (game, _) = hall.games(4).await[1].clone();
    let resign = "mutation($g: ID!) { resign(game: $g, seat: 1) { id } }";
    hall.house.get(resign, json!({ "g": game })).await;
    hall.house
        .get("mutation($g: ID!) { voidGame(game: $g, reason: \"wrong board\") { id } }", json!({ "g": game }))
        .await;
    hall.done("openGame(tournament: $t, round: 4, table: 2) { status }").await;
    let (again, _) = hall.games(4).await[1].clone();
    assert_ne!(again, game);
    hall.house.get(&resign.replace("seat: 1", "seat: 2"), json!({ "g": again })).await;
}

/// The output of `tests/python/report.py` for the report and the games, as anybody can fetch them.
async fn computed(hall: &Hall<'_>, rounds: u32) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for (name, from) in [
        ("report.trf", format!("/tournaments/{}/files/report.trf", hall.id)),
        ("games.ndjson", format!("/export/games.ndjson?events=true&tournament={}", hall.id)),
    ] {
        let (status, _, text) = get(hall.house, &from).await;
        assert_eq!(status, 200, "{text}");
        std::fs::write(path(name), text).unwrap();
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/report.py");
    let mut python = Command::new("python3");
    python.arg(script).arg(path("report.trf")).arg(path("games.ndjson")).arg(rounds.to_string());
    let output = python.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Compares the standings after a round with an independent computation; returns how many tables have the
/// outcome of a game.
async fn compare(hall: &Hall<'_>, after: u32) -> u64 {
    let fields = format!("standings(afterRound: {after}) {{ rank score entrant {{ name }} tieBreaks {{ text }} }}");
    let ours = hall.get(&fields).await["standings"].clone();
    let theirs = computed(hall, after).await;
    let rows = theirs["standings"].as_array().unwrap();
    assert_eq!(ours.as_array().unwrap().len(), rows.len());
    for (own, row) in ours.as_array().unwrap().iter().zip(rows) {
        let figures: Vec<&str> =
            row["figures"].as_array().unwrap().iter().map(|figure| figure.as_str().unwrap_or("–")).collect();
        let own_figures: Vec<&str> =
            own["tieBreaks"].as_array().unwrap().iter().map(|figure| figure["text"].as_str().unwrap()).collect();
        let points: f64 = row["points"].as_str().unwrap().parse().unwrap();
        let told = (&own["entrant"]["name"], &own["rank"], own["score"].as_f64(), own_figures);
        assert_eq!(told, (&row["name"], &row["place"], Some(points), figures), "after round {after}");
    }
    theirs["games"].as_u64().unwrap()
}

#[tokio::test]
async fn a_swiss_of_32_from_the_first_entry_to_the_last_result() {
    let house = House::new();
    let hall = hall(&house).await;
    let mut dice = Dice(32);
    assert_eq!(
        hall.get("status entrantsCount roundsPlanned").await,
        json!({ "status": "PLANNED", "entrantsCount": 32, "roundsPlanned": 5 })
    );
    // A half-point bye, requested beforehand; nobody may request two.
    hall.done("announceAbsence(tournament: $t, entrant: 5, round: 2, kind: HALF) { id }").await;
    let twice =
        hall.change("announceAbsence(tournament: $t, entrant: 5, round: 3, kind: HALF) { id }", "", json!({})).await;
    assert_eq!(twice.code(), "BAD_INPUT");
    assert!(twice.says().contains("1 half-point byes"), "{}", twice.says());
    let mut shown = Vec::new();

    hall.pair_and_open(1).await;
    assert_eq!(hall.games(1).await.len(), 16);
    let early = hall.change("endRound(tournament: $t, round: 1) { status }", "", json!({})).await;
    assert!(early.says().contains("no result yet at tables 1, 2, 3"), "{}", early.says());
    // One side of table 16 does not appear.
    hall.done("forfeit(tournament: $t, round: 1, table: 16, seats: [2], reason: \"did not come\") { status }").await;
    play(&hall, 1, &mut dice).await;
    shown.push((hall.head().await, hall.get(STANDINGS).await));
    compare(&hall, 1).await;

    // A late entrant with half a point, and one who withdraws.
    let late = json!({ "e": [{ "name": "Late", "rating": 2_000, "points": 0.5 }] });
    hall.change("addEntrants(tournament: $t, entrants: $e) { id }", "$e: [EntrantInput!]", late).await.ok();
    hall.done("withdraw(tournament: $t, entrant: 32, reason: \"ill\") { id }").await;
    hall.pair_and_open(2).await;
    let unpaired = hall.get("round(number: 2) { unpaired { kind entrant { number } } }").await;
    let half = json!({ "kind": "HALF", "entrant": { "number": 5 } });
    assert!(unpaired["round"]["unpaired"].as_array().unwrap().contains(&half), "{unpaired}");
    play(&hall, 2, &mut dice).await;
    shown.push((hall.head().await, hall.get(STANDINGS).await));
    compare(&hall, 2).await;

    // Round 3 is paired, changed by hand, and opened; then a game of round 2 is corrected.
    hall.done("pairRound(tournament: $t) { status }").await;
    let tables = change_by_hand(&hall).await;
    hall.done("openRound(tournament: $t, round: 3) { status }").await;
    correct(&hall).await;
    let now: Vec<Vec<u64>> = hall.games(3).await.into_iter().map(|(_, seats)| seats).collect();
    assert_eq!(now, tables, "the pairing stays");
    compare(&hall, 2).await;

    for round in 3..=5 {
        if round > 3 {
            hall.pair_and_open(round).await;
        }
        if round == 4 {
            play_again(&hall).await;
        }
        if round == 5 {
            hall.done("enterResult(tournament: $t, round: 5, table: 3, ranking: [[2], [1]]) { status }").await;
        }
        play(&hall, round, &mut dice).await;
        shown.push((hall.head().await, hall.get(STANDINGS).await));
        compare(&hall, round).await;
    }
    hall.done("finishTournament(tournament: $t) { status }").await;
    let finished = hall.get("status verification { valid events problem } head { seq }").await;
    assert_eq!(finished["status"], "FINISHED");
    assert_eq!(
        finished["verification"],
        json!({ "valid": true, "events": finished["head"]["seq"].as_u64().unwrap() + 1, "problem": null })
    );
    // Replayed up to any moment, it is what was shown at the time.
    for (seq, standings) in shown {
        assert_eq!(hall.get_at(seq, STANDINGS).await, standings, "after event {seq}");
    }
    // All tables but the forfeited one have the outcome of their game.
    let tables = meets_rules(&hall);
    for after in 1..=5 {
        assert_eq!(compare(&hall, after).await, tables - 1, "after round {after}");
    }
}

/// Checks that nobody meets anybody twice or has two byes of the pairing, and that no game is missing or
/// duplicated. Returns the number of tables.
fn meets_rules(hall: &Hall<'_>) -> u64 {
    let tournament = Tournament::fold(&hall.log()).unwrap();
    let (mut met, mut byes, mut games) = (Vec::new(), Vec::new(), Vec::new());
    for round in &tournament.rounds {
        let mut here: Vec<u16> = round.everybody().collect();
        here.sort_unstable();
        let there: Vec<u16> =
            tournament.entrants().filter(|entrant| entrant.takes_part(round.number)).map(|e| e.number).collect();
        assert_eq!(here, there, "round {}", round.number);
        for table in &round.tables {
            let mut pair = table.seats.clone();
            pair.sort_unstable();
            if round.number != 3 {
                assert!(!met.contains(&pair), "{pair:?} meet again");
            }
            met.push(pair);
            games.extend(table.games.iter().map(|game| game.id));
        }
        let left = round.byes.iter().filter(|bye| bye.bye == plybook_events::body::Bye::Pairing);
        byes.extend(left.map(|bye| bye.entrant));
    }
    let all = byes.len();
    byes.sort_unstable();
    byes.dedup();
    assert_eq!(byes.len(), all, "nobody has two byes: {byes:?}");
    for game in &games {
        assert_eq!(games.iter().filter(|other| *other == game).count(), 1);
        assert!(hall.house.service.game(*game).is_ok());
    }
    met.len() as u64
}
