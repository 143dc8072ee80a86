//! Tournaments: how their games affect them, what is refused, and what can be undone.

use plybook_api::access::{Caller, Role, TableNumber};
use plybook_api::service::Importing;
use plybook_events::body::EntrantEdited;
use plybook_events::{Body, Hash, LogId};
use plybook_rules::log::{EVENTS_MAX, EVENTS_RESERVED};
use plybook_tests::logs;
use plybook_tournaments::log::{Command, ENTERED_MAX, verify};
use serde_json::{Value, json};

use crate::hall::Hall;
use crate::house::{Dice, House, caller, text};
use crate::tournament_roles::Stage;

/// Every event that is removed, changed or moved is detected.
#[tokio::test]
async fn a_log_that_was_tampered_with_does_not_verify() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 3, &[2_000, 1_900, 1_800, 1_700, 1_600]).await;
    for round in 1..=2 {
        hall.pair_and_open(round).await;
        hall.play(round).await;
        hall.done(&format!("endRound(tournament: $t, round: {round}) {{ status }}")).await;
    }
    let id: LogId = hall.id.parse().unwrap();
    let lines: Vec<Vec<u8>> = house.service.log().read(id, 0).unwrap().iter().map(|line| line.to_vec()).collect();
    assert_eq!(verify(id, &lines, 100).fault, None);
    for seq in 0..lines.len() - 1 {
        let mut without = lines.clone();
        without.remove(seq);
        assert!(verify(id, &without, 100).fault.is_some(), "without event {seq}");
        let mut swapped = lines.clone();
        swapped.swap(seq, seq + 1);
        assert!(verify(id, &swapped, 100).fault.is_some(), "events {seq} and {} swapped", seq + 1);
    }
    // Rewritten with a valid chain, a different pairing is still not the system's.
    let mut events = hall.log();
    let paired = events.iter().position(|event| matches!(event.body, Body::Paired(_))).unwrap();
    let Body::Paired(body) = &mut events[paired].body else { unreachable!() };
    body.tables[0].swap(0, 1);
    let (mut prev, mut forged) = (plybook_events::Hash::ZERO, Vec::new());
    for event in events.iter_mut().take(paired + 1) {
        event.prev = prev;
        let bytes = event.to_bytes().unwrap();
        prev = plybook_events::Hash::of_event(&bytes);
        forged.push(bytes);
    }
    let (seq, why) = verify(id, &forged, 100).fault.unwrap();
    assert_eq!(seq, paired as u64);
    assert!(why.contains("paired otherwise"), "{why}");
}

#[tokio::test]
async fn people_are_kept_apart_and_tournaments_archived() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 3, &[2_000, 1_900, 1_800, 1_700]).await;
    let edit = |input: &str| format!("editTournament(tournament: $t, input: {{ {input} }}) {{ id }}");
    hall.done(&edit("forbidden: [[3, 1, 3]], announcement: \"Lunch at noon\"")).await;
    assert_eq!(
        hall.get("forbidden announcement archived").await,
        json!({ "forbidden": [[1, 3]], "announcement": "Lunch at noon", "archived": false })
    );
    hall.done("pairRound(tournament: $t) { status }").await;
    let pairs: Vec<Vec<u64>> = hall.games(1).await.into_iter().map(|(_, seats)| seats).collect();
    assert!(pairs.iter().all(|seats| !(seats.contains(&1) && seats.contains(&3))), "{pairs:?}");
    let input = hall.get("round(number: 1) { pairingInput }").await;
    assert!(text(&input["round"]["pairingInput"]).contains("\"forbidden\":[[1,3]]"), "{input}");
    let check = "checkPairing(round: 1, tables: [[1, 3], [2, 4]]) { warnings { rule text table } }";
    let warned = json!([{ "rule": "forbidden", "text": "Player 1 and Player 3 are not to meet", "table": 1 }]);
    assert_eq!(hall.get(check).await["checkPairing"]["warnings"], warned);
    assert_eq!(
        hall.get("verification { valid problem }").await["verification"],
        json!({ "valid": true, "problem": null })
    );
    for wrong in ["[[1]]", "[[0, 1]]", "[[]]"] {
        let refused = hall.change(&edit(&format!("forbidden: {wrong}")), "", json!({})).await;
        assert_eq!(refused.code(), "BAD_INPUT", "{wrong}");
    }
    let listed = async |filter: &str| {
        let found = house.get(&format!("{{ tournaments(filter: {{ {filter} }}) {{ totalCount }} }}"), json!({})).await;
        found["tournaments"]["totalCount"].clone()
    };
    hall.done(&edit("archived: true, announcement: \"\"")).await;
    assert_eq!(hall.get("announcement").await["announcement"], Value::Null);
    for (filter, count) in [("archived: true", 1), ("archived: false", 0), ("", 1)] {
        assert_eq!(listed(filter).await, count, "{filter}");
    }
}

#[tokio::test]
async fn settings_that_are_cleared_are_as_usual_again() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 3, &[2_000, 1_900]).await;
    let edit = |input: &str| format!("editTournament(tournament: $t, input: {{ {input} }}) {{ id }}");
    let fields = "scoring tieBreaks startsAt endsAt";
    let usual = hall.get(fields).await;
    let three = "scoring: { by: \"result\", win: 30, draw: 10, loss: 0 }";
    hall.done(&edit(&format!("{three}, tieBreaks: [\"WON\"], startsAt: \"2026-11-21\", endsAt: \"2026-11-22\""))).await;
    let chosen = hall.get(fields).await;
    hall.done(&edit("place: \"Hall\"")).await;
    assert_eq!(hall.get(fields).await, chosen, "what is omitted stays");
    hall.done(&edit("scoring: null, tieBreaks: null, startsAt: null, endsAt: null")).await;
    assert_eq!(hall.get(fields).await, usual);
    hall.done(&edit("kind: \"triforce\", format: SWISS, seats: 4, rounds: 3, scoring: null, tieBreaks: null")).await;
    assert_eq!(hall.get("scoring").await["scoring"], json!({ "by": "beaten", "full": 4 }));
}

#[tokio::test]
async fn pods_have_as_many_seats_as_the_game_is_played_with() {
    let house = House::new();
    let create = "mutation($i: CreateTournament!) { createTournament(input: $i) { id } }";
    let pods = json!({ "name": "Pods", "kind": "triforce-building", "format": "SWISS", "rounds": 1 });
    let input = |seats: u8| {
        let mut input = pods.clone();
        input["seats"] = seats.into();
        input
    };
    let refused = house.ask(&Caller::ADMIN, create, json!({ "i": input(9) })).await;
    assert!(refused.says().contains("Triforce Building is played at tables of 7, 10, 13"), "{}", refused.says());
    for (entrants, sizes) in [(16, vec![7, 7]), (12, vec![10]), (13, vec![13])] {
        let hall = Hall::entered(&house, input(13), &vec![1_500; entrants]).await;
        hall.pair_and_open(1).await;
        let seats: Vec<usize> = hall.games(1).await.iter().map(|(_, seats)| seats.len()).collect();
        assert_eq!(seats, sizes, "{entrants} entrants");
    }
}

#[tokio::test]
async fn games_feed_their_tournament() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 3, &[2_000, 1_900]).await;
    hall.pair_and_open(1).await;
    let (game, _) = hall.games(1).await[0].clone();
    let ask = |field: &'static str| {
        let game = game.clone();
        let house = &house;
        async move { house.get(&format!("mutation($g: ID!) {{ {field} {{ id }} }}"), json!({ "g": game })).await }
    };
    let result = async || {
        hall.get("round(number: 1) { complete table(number: 1) { result source status } }").await["round"].clone()
    };
    ask("resign(game: $g, seat: 2)").await;
    assert_eq!(
        result().await,
        json!({ "complete": true, "table": { "result": "1–0", "source": "GAME", "status": "FINISHED" } })
    );
    let seq = hall.head().await;
    ask("annotate(game: $g, ply: 0, comment: \"c\")").await;
    assert_eq!(hall.head().await, seq, "only what matters is told");
    ask("adjudicate(game: $g, input: { winners: [], reason: \"agreed\" })").await;
    assert_eq!(result().await["table"]["result"], "½–½");
    hall.done("endRound(tournament: $t, round: 1) { status }").await;
    hall.done("finishTournament(tournament: $t) { status }").await;
    ask("adjudicate(game: $g, input: { winners: [2], reason: \"looked again\" })").await;
    assert_eq!(result().await["table"]["result"], "0–1", "a correction counts after the end too");
    ask("voidGame(game: $g, reason: \"wrong board\")").await;
    assert_eq!(
        result().await,
        json!({ "complete": false, "table": { "result": null, "source": null, "status": "PLAYING" } })
    );
    assert_eq!(
        hall.get("verification { valid problem }").await["verification"],
        json!({ "valid": true, "problem": null })
    );
}

#[tokio::test]
async fn games_that_do_not_fit_a_tournament_are_refused() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 3, &[2_000, 1_900, 1_800]).await;
    hall.pair_and_open(1).await;
    let players = hall.get("entrants { number player { id } }").await;
    let player = |number: u64| {
        let entrants = players["entrants"].as_array().unwrap();
        entrants.iter().find(|entrant| entrant["number"] == number).unwrap()["player"]["id"].clone()
    };
    let stranger = house.player("Stranger").await;
    let (_, seats) = hall.games(1).await[0].clone();
    let paired = json!([{ "player": player(seats[0]) }, { "player": player(seats[1]) }]);
    let with = |changes: Value| {
        let mut input =
            json!({ "kind": "triangulate", "seats": paired, "tournament": hall.id, "round": 1, "table": 1 });
        for (name, value) in changes.as_object().unwrap() {
            input[name] = value.clone();
        }
        input
    };
    for (changes, says) in [
        (json!({ "tournament": crate::house::nobody() }), "`tournament`: there is no tournament"),
        (json!({ "kind": "tri" }), "`kind`: this tournament is one of triangulate"),
        (
            json!({ "seats": [{ "player": stranger }, { "player": player(seats[1]) }] }),
            "`seats`: who sits in seat 1 is not entered",
        ),
        (
            json!({ "seats": [{ "name": "A" }, { "player": player(seats[1]) }] }),
            "`seats`: who sits in seat 1 is not entered",
        ),
        (
            json!({ "seats": [{ "player": player(seats[1]) }, { "player": player(seats[0]) }] }),
            "`seats`: others are paired at table 1",
        ),
        (json!({ "round": null }), "`round`"),
        (json!({ "round": 2 }), "`round`: round 2 is not open"),
        (json!({ "table": 9 }), "`table`: round 1 has no table 9"),
        (json!({}), "`table`: table 1 of round 1 is taken"),
    ] {
        let before = house.service.log().len();
        let query = "mutation($i: CreateGame!) { createGame(input: $i) { id } }";
        let answer = house.ask(&Caller::ADMIN, query, json!({ "i": with(changes) })).await;
        assert_eq!(answer.code(), "BAD_INPUT", "{says}");
        assert!(answer.says().contains(says), "{}: {says}", answer.says());
        assert_eq!(house.service.log().len(), before, "{says}");
    }
    // Once the game is void, another one may be recorded.
    let (game, _) = hall.games(1).await[0].clone();
    house.get("mutation($g: ID!) { voidGame(game: $g, reason: \"lost\") { id } }", json!({ "g": game })).await;
    let other = house.create_as(with(json!({}))).await;
    assert_eq!(hall.games(1).await[0].0, other);
}

/// Each of two partners gets the win, and no result, of the game or of the table, divides them.
#[tokio::test]
async fn partners_win_together() {
    let house = House::new();
    let setup = |is_of_teams: bool| json!({ "players": 4, "teams": is_of_teams });
    let input = json!({ "name": "Pairs", "kind": "heaps", "seats": 4, "format": "SWISS", "rounds": 2, "scoring": { "by": "result", "win": 10, "draw": 5, "loss": 0 } });
    let create = async |setups: Value| {
        let mut input = input.clone();
        input["setups"] = setups;
        let query = "mutation($i: CreateTournament!) { createTournament(input: $i) { id } }";
        house.ask(&Caller::ADMIN, query, json!({ "i": input })).await
    };
    let mixed = create(json!([setup(true), setup(false)])).await;
    assert_eq!(
        (mixed.code(), mixed.says()),
        ("BAD_INPUT".to_owned(), "`setups`: all have the same partners".to_owned())
    );
    let mut input = input.clone();
    input["setup"] = setup(true);
    let hall = Hall::entered(&house, input, &[2_000, 1_900, 1_800, 1_700]).await;
    hall.pair_and_open(1).await;
    let (game, seats) = hall.games(1).await[0].clone();
    let teams = house.get("query($id: ID!) { game(id: $id) { teams } }", json!({ "id": game })).await;
    assert_eq!(teams["game"]["teams"], json!([[1, 3], [2, 4]]));
    let together = "partners";
    for field in [
        "enterResult(tournament: $t, round: 1, table: 1, ranking: [[1], [2], [3], [4]]) { number }",
        "forfeit(tournament: $t, round: 1, table: 1, seats: [2]) { number }",
    ] {
        let refused = hall.change(field, "", json!({})).await;
        assert!(refused.code() == "BAD_INPUT" && refused.says().contains(together), "{field}: {}", refused.says());
    }
    let adjudicate = async |ruling: Value| {
        let query = "mutation($g: ID!, $r: Ruling!) { adjudicate(game: $g, input: $r) { id } }";
        house.ask(&Caller::ADMIN, query, json!({ "g": game, "r": ruling })).await
    };
    let says = |seats: [u8; 2]| {
        format!("the outcome: the seats {seats:?} are partners, who win, lose and share a place together")
    };
    for (ruling, divided) in [
        (json!({ "winners": [1], "reason": "r" }), [1, 3]),
        (json!({ "winners": [1, 3], "ranking": [[1, 3], [2], [4]], "reason": "r" }), [2, 4]),
    ] {
        let refused = adjudicate(ruling).await;
        assert_eq!((refused.code(), refused.says()), ("BAD_INPUT".to_owned(), says(divided)));
    }
    house.play_on(&game, 1, &mut Dice(1)).await;
    adjudicate(json!({ "winners": [1, 3], "reason": "r" })).await.ok();
    // A correction does not divide them either.
    assert_eq!(adjudicate(json!({ "winners": [3], "reason": "r" })).await.says(), says([1, 3]));
    let found = hall.get("standings { score entrant { number } } verification { valid }").await;
    let score = |seat: usize| {
        let rows = found["standings"].as_array().unwrap();
        rows.iter().find(|row| row["entrant"]["number"] == seats[seat - 1]).unwrap()["score"].as_f64()
    };
    assert_eq!([1, 2, 3, 4].map(score), [1.0, 0.0, 1.0, 0.0].map(Some));
    assert_eq!(found["verification"]["valid"], true);
    // What one of them did, the result does not say.
    let rated = house.get("{ ratings(kind: \"heaps\", provisional: true) { nodes { value } } }", json!({})).await;
    assert_eq!(rated["ratings"]["nodes"], json!([]));
}

/// A list of games has the partners of its setups.
#[tokio::test]
async fn a_game_with_other_partners_does_not_fit_a_tournament() {
    let house = House::new();
    let hall = Hall::entered(&house, json!({ "name": "Club", "kind": "heaps", "format": "FREE" }), &[1, 2, 3, 4]).await;
    let players = hall.get("entrants { player { id } }").await;
    let seats: Vec<Value> = players["entrants"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entrant| json!({ "player": entrant["player"]["id"] }))
        .collect();
    let game = |table: u32, is_of_teams: bool| {
        json!({ "i": { "kind": "heaps", "tournament": hall.id, "round": table, "table": 1, "seats": seats,
            "setup": { "players": 4, "teams": is_of_teams } } })
    };
    let query = "mutation($i: CreateGame!) { createGame(input: $i) { id } }";
    let refused = house.ask(&Caller::ADMIN, query, game(1, true)).await;
    assert_eq!(
        (refused.code(), refused.says()),
        ("BAD_SETUP".to_owned(), "setup: the games of this tournament have other partners".to_owned())
    );
    house.ask(&Caller::ADMIN, query, game(1, false)).await.ok();
}

#[tokio::test]
async fn a_list_of_games_takes_tables_one_by_one() {
    let house = House::new();
    let hall = Hall::create(&house, json!({ "name": "Club", "kind": "triangulate", "format": "FREE" })).await;
    let (ada, bela) = (house.player("Ada").await, house.player("Bela").await);
    hall.change("addEntrants(tournament: $t, players: $p) { id }", "$p: [ID!]", json!({ "p": [ada, bela] })).await.ok();
    for round in 1..=2 {
        let input = json!({ "kind": "triangulate", "tournament": hall.id, "round": round, "table": 1,
            "seats": [{ "player": ada }, { "player": bela }] });
        let game = house.create_as(input).await;
        house.get("mutation($g: ID!) { resign(game: $g, seat: 1) { id } }", json!({ "g": game })).await;
    }
    let standings = hall.get("standings { score player { name } }").await;
    assert_eq!(standings["standings"][0], json!({ "score": 2.0, "player": { "name": "Bela" } }));
}

#[tokio::test]
async fn every_subscription_event_comes_once() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 3, &[2_000, 1_900]).await;
    let query = "subscription($t: ID!, $a: Int) { tournamentEvents(tournament: $t, after: $a) { seq type } }";
    let mut stream = house.follow(&Caller::SPECTATOR, query, json!({ "t": hall.id, "a": 0 }));
    let mut seen = Vec::new();
    for _ in 0..2 {
        seen.push(crate::house::next(&mut stream).await.ok()["tournamentEvents"].clone());
    }
    hall.pair_and_open(1).await;
    for _ in 0..2 {
        seen.push(crate::house::next(&mut stream).await.ok()["tournamentEvents"].clone());
    }
    let told: Vec<_> = seen.iter().map(|event| (event["seq"].as_u64().unwrap(), text(&event["type"]))).collect();
    let expected = [(1, "entered"), (2, "entered"), (3, "paired"), (4, "round_opened")];
    assert_eq!(told, expected.map(|(seq, name)| (seq, name.to_owned())));
}

#[tokio::test]
async fn every_decision_can_be_undone() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 3, &[2_000, 1_900, 1_800, 1_700]).await;
    let status = async || hall.get("status round(number: 1) { status }").await;
    hall.done("pairRound(tournament: $t) { status }").await;
    hall.done("unpairRound(tournament: $t, round: 1) { status }").await;
    assert_eq!(status().await["round"]["status"], "UNPAIRED");
    hall.pair_and_open(1).await;
    let games = hall.games(1).await;
    hall.done("unopenRound(tournament: $t, round: 1) { status }").await;
    assert_eq!(status().await, json!({ "status": "PLANNED", "round": { "status": "PAIRED" } }));
    let unvoid = "mutation($g: ID!) { unvoidGame(game: $g, reason: \"r\") { status } }";
    let refusal = async |game: &str| {
        let answer = house.ask(&Caller::ADMIN, unvoid, json!({ "g": game })).await;
        assert_eq!(answer.code(), "BAD_INPUT");
        text(&answer.errors[0]["message"])
    };
    for (game, _) in games {
        assert!(house.service.game(game.parse().unwrap()).unwrap().replay().voided().is_some());
        assert!(refusal(&game).await.contains("the opening of its round was undone"));
    }
    hall.done("openRound(tournament: $t, round: 1) { status }").await;
    let (void, _) = hall.games(1).await[0].clone();
    hall.done("enterResult(tournament: $t, round: 1, table: 1, ranking: [[2], [1]]) { status }").await;
    hall.done("clearResult(tournament: $t, round: 1, table: 1, reason: \"typo\") { status }").await;
    hall.done("forfeit(tournament: $t, round: 1, table: 1, seats: [1]) { status }").await;
    assert!(refusal(&void).await.contains("table 1 of round 1 has a result"), "the forfeit counts");
    hall.done("clearResult(tournament: $t, round: 1, table: 1, reason: \"he came\") { status }").await;
    hall.done("openGame(tournament: $t, round: 1, table: 1) { status }").await;
    assert!(refusal(&void).await.contains("or another game by now"));
    hall.done("adjourn(tournament: $t, round: 1, table: 2, until: \"Sunday\") { status }").await;
    hall.done("resumeGame(tournament: $t, round: 1, table: 2) { status }").await;
    hall.play(1).await;
    hall.done("endRound(tournament: $t, round: 1) { status }").await;
    hall.done("resumeRound(tournament: $t, round: 1) { status }").await;
    hall.done("endRound(tournament: $t, round: 1) { status }").await;
    hall.done("finishTournament(tournament: $t) { status }").await;
    hall.done("resumeTournament(tournament: $t) { status }").await;
    assert_eq!(status().await, json!({ "status": "RUNNING", "round": { "status": "CLOSED" } }));
    // A caller who has not seen all of it is told so.
    let stale = hall.change("finishTournament(tournament: $t, expectedSeq: 3) { status }", "", json!({})).await;
    assert_eq!(stale.code(), "LOG_CONFLICT");
    assert_eq!(stale.errors[0]["extensions"]["head"], hall.head().await);
    assert_eq!(
        hall.get("verification { valid problem }").await["verification"],
        json!({ "valid": true, "problem": null })
    );
}

/// An imported tournament follows the ends of its games, whichever is imported first.
#[tokio::test]
async fn imported_games_update_their_tournament() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 3, &[2_000, 1_900]).await;
    hall.pair_and_open(1).await;
    let text = |id: LogId| {
        let lines = house.service.log().read(id, 0).unwrap();
        lines.iter().map(|line| String::from_utf8_lossy(line).into_owned() + "\n").collect::<String>()
    };
    let id: LogId = hall.id.parse().unwrap();
    let before = text(id);
    hall.play(1).await;
    let (game, _) = hall.games(1).await[0].clone();
    let (after, game) = (text(id), text(game.parse().unwrap()));
    let result = "round(number: 1) { complete table(number: 1) { result source } }";
    let expected = hall.get(result).await;
    for (tournament, comes_first) in [(&before, true), (&before, false), (&after, true), (&after, false)] {
        let other = House::new();
        if comes_first {
            other.service.import_tournament(tournament, &Importing::of(tournament).source).unwrap();
        }
        other.service.import_log(&game, &Importing::of(&game)).unwrap();
        if !comes_first {
            other.service.import_tournament(tournament, &Importing::of(tournament).source).unwrap();
        }
        let moved = Hall { house: &other, id: hall.id.clone() };
        assert_eq!(moved.get(result).await, expected);
        assert_eq!(moved.log().len(), hall.log().len(), "each result is taken over once");
        assert_eq!(other.service.settle(id).unwrap(), 0);
        let verified = moved.get("verification { valid problem }").await;
        assert_eq!(verified["verification"], json!({ "valid": true, "problem": null }));
    }
    let other = House::new();
    other.service.import_log(&game, &Importing::of(&game)).unwrap();
    // The game was drawn.
    let (mut forged, mut prev) = (String::new(), None);
    for line in after.replace("\"ranking\":[[1,2]]", "\"ranking\":[[1],[2]]").lines() {
        let mut event: Value = serde_json::from_str(line).unwrap();
        if let Some(prev) = prev {
            event["prev"] = json!(prev);
        }
        prev = Some(Hash::of_event(event.to_string().as_bytes()).to_string());
        forged += &format!("{event}\n");
    }
    let refused = other.service.import_tournament(&forged, &Importing::of(&forged).source).unwrap_err();
    assert!(refused.to_string().contains("does not have this result"), "{refused}");
}

/// A table cannot make its game one whose result nobody can enter.
#[tokio::test]
async fn the_result_of_a_full_game_is_entered() {
    let house = House::new();
    let hall = Hall::at(&house, Stage::Open).await;
    let table = |number| Caller {
        tournament: Some(hall.id.parse().unwrap()),
        table: Some(TableNumber { round: 1, table: number }),
        ..caller(Role::Table)
    };
    let games: Vec<String> = hall.games(1).await.into_iter().map(|(game, _)| game).collect();
    for (number, game) in (1..).zip(&games) {
        house.get("mutation($g: ID!) { act(game: $g, action: \"b1-b2\") { id } }", json!({ "g": game })).await;
        let room = EVENTS_MAX - EVENTS_RESERVED - house.head(game).await - 1;
        logs::comment(house.service.log(), game.parse().unwrap(), room);
        let annotate = "mutation($g: ID!) { annotate(game: $g, ply: 0, comment: \"c\") { id } }";
        let refused = house.ask(&table(number), annotate, json!({ "g": game })).await;
        assert!(refused.code() == "BAD_INPUT" && refused.says().contains("adjudicated"), "{}", refused.says());
    }
    let adjudicate = "mutation($g: ID!) { adjudicate(game: $g, input: { winners: [2], reason: \"r\" }) { id } }";
    house.get(adjudicate, json!({ "g": games[0] })).await;
    house.get("mutation($g: ID!) { voidGame(game: $g, reason: \"r\") { id } }", json!({ "g": games[1] })).await;
    hall.done("enterResult(tournament: $t, round: 1, table: 2, ranking: [[1], [2]]) { number }").await;
    let found = hall.get("round(number: 1) { tables { ranking } }").await;
    assert_eq!(found["round"]["tables"], json!([{ "ranking": [[2], [1]] }, { "ranking": [[1], [2]] }]));
    hall.done("endRound(tournament: $t, round: 1) { status }").await;
}

/// A table cannot fill the log of its tournament; and if that is full, it can still be finished.
#[tokio::test]
async fn a_full_tournament_can_be_finished() {
    let house = House::new();
    let hall = Hall::at(&house, Stage::Open).await;
    let table = |number| Caller {
        tournament: Some(hall.id.parse().unwrap()),
        table: Some(TableNumber { round: 1, table: number }),
        ..caller(Role::Table)
    };
    let enter =
        |table| format!("enterResult(tournament: $t, round: 1, table: {table}, ranking: [[1], [2]]) {{ number }}");
    for _ in 0..ENTERED_MAX {
        hall.change_as(&table(1), &enter(1), "", json!({})).await.ok();
    }
    let refused = hall.change_as(&table(1), &enter(1), "", json!({})).await;
    assert!(refused.code() == "BAD_INPUT" && refused.says().contains("20 times"), "{}", refused.says());
    hall.done(&enter(1)).await;
    let live = house.service.tournament(hall.id.parse().unwrap()).unwrap();
    let details = live.tournament().entrants[0].details.clone();
    let edit = Command::EditEntrant(EntrantEdited { entrant: 1, details });
    let room = EVENTS_MAX - EVENTS_RESERVED - live.tournament().events;
    for edits in vec![edit; room as usize].chunks(2_000) {
        house.service.change_tournament(&live, None, |_| Ok(edits.to_vec())).unwrap();
    }
    let add = "addEntrants(tournament: $t, entrants: [{ name: \"New\" }]) { id }";
    for refused in [hall.change(add, "", json!({})).await, hall.change_as(&table(2), &enter(2), "", json!({})).await] {
        assert!(refused.code() == "BAD_INPUT" && refused.says().contains("up to 95000 events"), "{}", refused.says());
    }
    hall.done(&enter(2)).await;
    hall.done("endRound(tournament: $t, round: 1) { status }").await;
    hall.done("finishTournament(tournament: $t) { status }").await;
}

#[tokio::test]
async fn what_belongs_to_another_format_is_refused_by_its_name() {
    let house = House::new();
    let create = async |more: Value| {
        let mut input = json!({ "name": "Cup", "kind": "triangulate" });
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let query = "mutation($i: CreateTournament!) { createTournament(input: $i) { id } }";
        house.ask(&Caller::ADMIN, query, json!({ "i": input })).await
    };
    for (input, why) in [
        (json!({ "format": "ROUND_ROBIN", "formatOptions": { "bestOf": 3 } }), "`bestOf` is of another format"),
        (json!({ "format": "KNOCKOUT", "formatOptions": { "double": true } }), "has: bestOf, thirdPlace, replays"),
        (json!({ "format": "SWISS", "rounds": 3, "formatOptions": { "smallest": 3 } }), "`smallest`"),
        (json!({ "format": "FREE", "formatOptions": { "groups": 2 } }), "has: none"),
        (json!({ "format": "KNOCKOUT", "rounds": 7 }), "`rounds`"),
        (json!({ "format": "FREE", "tieBreaks": ["XX"] }), "`tieBreaks`: there is no"),
    ] {
        let refused = create(input.clone()).await;
        assert_eq!(refused.code(), "BAD_INPUT", "{input}");
        assert!(refused.says().contains(why), "{input}: {}", refused.says());
    }
    let options = json!({ "double": false, "bestOf": 3 });
    create(json!({ "format": "KNOCKOUT", "formatOptions": options })).await.ok();
    let open = json!({ "name": "Open", "kind": "triangulate", "format": "SWISS", "rounds": 3 });
    let hall = Hall::create(&house, open).await;
    for (field, why) in [
        ("editTournament(tournament: $t, input: { seats: 2 }) { id }", "come with the `format`"),
        ("addEntrants(tournament: $t, entrants: [{ name: \"Ada\", country: \"ZZ\" }]) { id }", "`country`"),
        (
            "editTournament(tournament: $t, input: { forbidden: [[1, 99]] }) { id }",
            "`forbidden`: there is no entrant 1",
        ),
    ] {
        let refused = hall.change(field, "", json!({})).await;
        assert!(refused.says().contains(why), "{}", refused.says());
    }
    hall.done("addEntrants(tournament: $t, entrants: [{ name: \"Ada\", country: \"at\" }]) { id }").await;
    let edit =
        |code: &str| format!("editEntrant(tournament: $t, entrant: 1, input: {{ country: \"{code}\" }}) {{ id }}");
    assert!(hall.change(&edit("ZZ"), "", json!({})).await.says().contains("`country`"));
    hall.done(&edit("CH")).await;
    assert_eq!(hall.get("entrants { country }").await["entrants"], json!([{ "country": "CH" }]));
}

#[tokio::test]
async fn nobody_is_entered_twice_under_two_names() {
    let house = House::new();
    let hall = Hall::create(&house, json!({ "name": "Club", "kind": "triangulate", "format": "FREE" })).await;
    let enter = async |player: &str| {
        hall.change("addEntrants(tournament: $t, players: $p) { id }", "$p: [ID!]", json!({ "p": [player] })).await
    };
    let merge = async |from: &str, into: &str| {
        let query = "mutation($f: ID!, $i: ID!) { mergePlayers(from: $f, into: $i) { id } }";
        house.ask(&Caller::ADMIN, query, json!({ "f": from, "i": into })).await
    };
    let (ada, double) = (house.player("Ada").await, house.player("Ada L.").await);
    let (other, new) = (house.player("A. Lovelace").await, house.player("Ada Lovelace").await);
    enter(&ada).await.ok();
    enter(&other).await.ok();
    let refused = merge(&other, &ada).await;
    assert!(refused.says().contains("both are entered in the tournament"), "{}", refused.says());
    merge(&double, &ada).await.ok();
    let refused = enter(&double).await;
    assert!(refused.says().contains("is merged into"), "{}", refused.says());
    merge(&ada, &new).await.ok();
    let refused = enter(&new).await;
    assert!(refused.says().contains("takes part already: entrant 1 was merged into them"), "{}", refused.says());
    hall.done("finishTournament(tournament: $t) { id }").await;
    merge(&other, &new).await.ok();
}
