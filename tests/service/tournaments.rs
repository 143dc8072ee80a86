//! Tournaments, from the first entry to the last result.

use plybook_api::access::{Caller, Role};
use plybook_events::{Body, Event, LogId};
use plybook_tournaments::log::{Tournament, verify};
use serde_json::{Value, json};

use crate::house::{Answer, House, caller, text};

/// A tournament that is driven through the API.
pub struct Hall<'a> {
    pub house: &'a House,
    pub id: String,
}

impl<'a> Hall<'a> {
    pub async fn create(house: &'a House, input: Value) -> Self {
        let query = "mutation($i: CreateTournament!) { createTournament(input: $i) { id } }";
        let made = house.get(query, json!({ "i": input })).await;
        Self { house, id: text(&made["createTournament"]["id"]) }
    }

    /// A tournament of new players with these seed ratings, entered by name.
    pub async fn swiss(house: &'a House, kind: &str, rounds: u32, ratings: &[u32]) -> Self {
        let hall = Self::create(
            house,
            json!({ "name": "Open", "kind": kind, "format": "SWISS", "rounds": rounds,
                "byePolicy": { "halfMax": 1 } }),
        )
        .await;
        let entrant = |(n, rating): (usize, &u32)| json!({ "name": format!("Player {}", n + 1), "rating": rating });
        let entrants: Vec<Value> = ratings.iter().enumerate().map(entrant).collect();
        hall.change(
            "addEntrants(tournament: $t, entrants: $e) { id }",
            "$e: [EntrantInput!]",
            json!({ "e": entrants }),
        )
        .await
        .ok();
        hall
    }

    /// Asks for a change as an administrator.
    pub async fn change(&self, field: &str, declared: &str, variables: Value) -> Answer {
        self.change_as(&Caller::ADMIN, field, declared, variables).await
    }

    pub async fn change_as(&self, who: &Caller, field: &str, declared: &str, mut variables: Value) -> Answer {
        variables["t"] = json!(self.id);
        self.house.ask(who, &format!("mutation($t: ID! {declared}) {{ {field} }}"), variables).await
    }

    pub async fn done(&self, field: &str) -> Value {
        self.change(field, "", json!({})).await.ok()
    }

    /// Asks for fields of the tournament, as anybody may.
    pub async fn get(&self, fields: &str) -> Value {
        let query = format!("query($t: ID!) {{ tournament(id: $t) {{ {fields} }} }}");
        self.house.ask(&Caller::SPECTATOR, &query, json!({ "t": self.id })).await.ok()["tournament"].clone()
    }

    /// Asks for fields of the tournament as it stood after an event.
    pub async fn get_at(&self, seq: u64, fields: &str) -> Value {
        let query = format!("query($t: ID!, $s: Int!) {{ tournament(id: $t, seq: $s) {{ {fields} }} }}");
        let variables = json!({ "t": self.id, "s": seq });
        self.house.ask(&Caller::SPECTATOR, &query, variables).await.ok()["tournament"].clone()
    }

    pub async fn head(&self) -> u64 {
        self.get("head { seq }").await["head"]["seq"].as_u64().unwrap()
    }

    pub async fn pair_and_open(&self, round: u32) {
        self.done("pairRound(tournament: $t) { status }").await;
        self.done(&format!("openRound(tournament: $t, round: {round}) {{ status }}")).await;
    }

    /// The games of a round by table, with the entrants by seat.
    pub async fn games(&self, round: u32) -> Vec<(String, Vec<u64>)> {
        let fields =
            format!("round(number: {round}) {{ tables {{ game {{ id }} seats {{ entrant {{ number }} }} }} }}");
        let found = self.get(&fields).await;
        let tables = found["round"]["tables"].as_array().unwrap().clone();
        let seats = |table: &Value| {
            let seats = table["seats"].as_array().unwrap().iter();
            seats.map(|seat| seat["entrant"]["number"].as_u64().unwrap()).collect()
        };
        tables.iter().map(|table| (table["game"]["id"].as_str().unwrap_or("").to_owned(), seats(table))).collect()
    }

    /// Ends every game of a round that has none yet: by resignation, or as a draw.
    pub async fn play(&self, round: u32) {
        for (game, seats) in self.games(round).await {
            let game: LogId = match game.parse() {
                Ok(game) => game,
                Err(_) => continue,
            };
            let live = self.house.service.game(game).unwrap();
            if live.replay().end().is_some() || live.replay().voided().is_some() {
                continue;
            }
            let field = match seats.iter().sum::<u64>() % 3 {
                0 => "adjudicate(game: $g, input: { winners: [], reason: \"agreed\" }) { id }",
                1 => "resign(game: $g, seat: 1) { id }",
                _ => "resign(game: $g, seat: 2) { id }",
            };
            self.house.get(&format!("mutation($g: ID!) {{ {field} }}"), json!({ "g": game.to_string() })).await;
        }
    }

    pub fn log(&self) -> Vec<Event> {
        self.house.service.events(self.id.parse().unwrap(), 0).unwrap()
    }
}

const STANDINGS: &str = "standings { rank score played wins draws losses entrant { number name } \
    tieBreaks { name value text explanation terms { round value counted text opponent { number } } } }";

#[tokio::test]
async fn a_swiss_of_32_from_the_first_entry_to_the_last_result() {
    let house = House::new();
    let ratings: Vec<u32> = (0..32).map(|n| 2_200 - 13 * n).collect();
    let hall = Hall::swiss(&house, "triangulate", 5, &ratings).await;
    assert_eq!(
        hall.get("status entrantsCount roundsPlanned").await,
        json!({ "status": "PLANNED", "entrantsCount": 32, "roundsPlanned": 5 })
    );
    // A half-point bye, asked for beforehand; nobody may ask for two.
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
    // One side of table 16 does not come.
    hall.done("forfeit(tournament: $t, round: 1, table: 16, seats: [2], reason: \"did not come\") { status }").await;
    hall.play(1).await;
    hall.done("endRound(tournament: $t, round: 1) { status }").await;
    shown.push((hall.head().await, hall.get(STANDINGS).await));

    // A late entrant with half a point, and one who leaves.
    let late = json!({ "e": [{ "name": "Late", "rating": 2_000, "points": 0.5 }] });
    hall.change("addEntrants(tournament: $t, entrants: $e) { id }", "$e: [EntrantInput!]", late).await.ok();
    hall.done("withdraw(tournament: $t, entrant: 32, reason: \"ill\") { id }").await;
    hall.pair_and_open(2).await;
    let unpaired = hall
        .get("round(number: 2) { tables { number } unpaired { kind points entrant { number } explanation } }")
        .await;
    let unpaired = &unpaired["round"]["unpaired"];
    assert!(
        unpaired.as_array().unwrap().iter().any(|bye| bye["kind"] == "HALF" && bye["entrant"]["number"] == 5),
        "{unpaired}"
    );
    hall.play(2).await;
    hall.done("endRound(tournament: $t, round: 2) { status }").await;
    shown.push((hall.head().await, hall.get(STANDINGS).await));

    // Round 3 is paired, changed by hand, and opened; then a game of round 2 is corrected.
    hall.done("pairRound(tournament: $t) { status }").await;
    let mut tables: Vec<Vec<u64>> = hall.games(3).await.into_iter().map(|(_, seats)| seats).collect();
    let byes: Vec<Value> =
        hall.get("round(number: 3) { unpaired { kind entrant { number } } }").await["round"]["unpaired"]
            .as_array()
            .unwrap()
            .iter()
            .map(|bye| json!({ "entrant": bye["entrant"]["number"], "kind": bye["kind"] }))
            .collect();
    let (first, last) = (tables[0][0], tables[tables.len() - 1][0]);
    tables[0][0] = last;
    let end = tables.len() - 1;
    tables[end][0] = first;
    let by_hand =
        "changePairing(tournament: $t, round: 3, tables: $p, byes: $b, force: $f) { pairing { changedByHand breaks } }";
    let declared = "$p: [[Int!]!]!, $b: [ByeInput!], $f: Boolean";
    let refused = hall.change(by_hand, declared, json!({ "p": tables, "b": byes, "f": false })).await;
    assert_eq!(refused.code(), "BAD_INPUT");
    let warnings = refused.errors[0]["extensions"]["warnings"].as_array().unwrap();
    assert!(warnings.iter().any(|warning| warning["rule"] == "score-gap"), "{warnings:?}");
    let forced = hall.change(by_hand, declared, json!({ "p": tables, "b": byes, "f": true })).await.ok();
    assert_eq!(forced["changePairing"]["pairing"]["changedByHand"], true);
    hall.done("openRound(tournament: $t, round: 3) { status }").await;
    let before = hall.get(STANDINGS).await;
    let (game, seats) = hall.games(2).await[0].clone();
    let replay = house.service.game(game.parse().unwrap()).unwrap().replay();
    let winner = if replay.end().unwrap().outcome.winners == [1] { 2 } else { 1 };
    let correct = "mutation($g: ID!, $w: [Int!]!) { adjudicate(game: $g, input: { winners: $w, reason: \"the score sheet\" }) { id } }";
    house.get(correct, json!({ "g": game, "w": [winner] })).await;
    let after = hall.get(STANDINGS).await;
    assert_ne!(before, after, "the correction changes the standings");
    let score = |standings: &Value, number: u64| {
        let rows = standings["standings"].as_array().unwrap();
        rows.iter().find(|row| row["entrant"]["number"] == number).unwrap()["score"].as_f64().unwrap()
    };
    assert!(score(&after, seats[winner as usize - 1]) > score(&before, seats[winner as usize - 1]));
    assert_eq!(
        hall.games(3).await.into_iter().map(|(_, seats)| seats).collect::<Vec<_>>(),
        tables,
        "the pairing stays"
    );

    for round in 3..=5 {
        if round > 3 {
            hall.pair_and_open(round).await;
        }
        hall.play(round).await;
        hall.done(&format!("endRound(tournament: $t, round: {round}) {{ status }}")).await;
        shown.push((hall.head().await, hall.get(STANDINGS).await));
    }
    hall.done("finishTournament(tournament: $t) { status }").await;
    let finished = hall.get("status verification { valid events problem } head { seq }").await;
    assert_eq!(finished["status"], "FINISHED");
    assert_eq!(
        finished["verification"],
        json!({ "valid": true, "events": finished["head"]["seq"].as_u64().unwrap() + 1, "problem": null })
    );
    // Replayed to any moment, it is what was shown then.
    for (seq, standings) in shown {
        assert_eq!(hall.get_at(seq, STANDINGS).await, standings, "after event {seq}");
    }
    meets_rules(&hall);
}

/// Nobody meets anybody twice or has two byes of the pairing, and no game is missing or there twice.
fn meets_rules(hall: &Hall<'_>) {
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
        byes.extend(
            round.byes.iter().filter(|bye| bye.bye == plybook_events::body::Bye::Pairing).map(|bye| bye.entrant),
        );
    }
    let (mut once, all) = (byes.clone(), byes.len());
    once.dedup();
    assert_eq!(once.len(), all, "{byes:?}");
    for game in &games {
        assert_eq!(games.iter().filter(|other| *other == game).count(), 1);
        assert!(hall.house.service.game(*game).is_ok());
    }
}

/// Every event that is taken out, changed or put elsewhere is noticed.
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
    // Written anew with a sound chain, another pairing is still not what the system computes.
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
    // Once the game is void, somebody may record another one.
    let (game, _) = hall.games(1).await[0].clone();
    house.get("mutation($g: ID!) { voidGame(game: $g, reason: \"lost\") { id } }", json!({ "g": game })).await;
    let other = house.create_as(with(json!({}))).await;
    assert_eq!(hall.games(1).await[0].0, other);
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

/// How far a tournament is when somebody wants to change it.
#[derive(Clone, Copy, PartialEq)]
pub enum Stage {
    Planned,
    Paired,
    /// Round 1 is open.
    Open,
    /// The game at table 1 is void.
    Void,
    /// A result is entered at table 1.
    Entered,
    /// The game at table 1 is broken off.
    Adjourned,
    /// Every game of round 1 is over.
    Played,
    Closed,
    Finished,
}

/// A stage, a change, and what it is answered for each of: a spectator, a player, a table's token of table 1, a
/// recorder, the organiser, the organiser of another tournament, an arbiter, an administrator.
pub const ROLES: &[(Stage, &str, [&str; 8])] = {
    use Stage::*;
    const U: &str = "UNAUTHENTICATED";
    const F: &str = "FORBIDDEN";
    const O: &str = "OK";
    const B: &str = "BAD_INPUT";
    const CHIEF: [&str; 8] = [U, F, F, F, F, F, O, O];
    const RUN: [&str; 8] = [U, F, F, F, O, F, O, O];
    const RECORD: [&str; 8] = [U, F, O, O, O, F, O, O];
    &[
        (Planned, "createTournament(input: { name: \"n\", kind: \"tri\", format: FREE }) { id }", CHIEF),
        (
            Planned,
            "createOrganiserToken(tournament: $t, label: \"l\") { id }",
            [U, F, F, F, F, F, "WRITES NOTHING", "WRITES NOTHING"],
        ),
        (
            Planned,
            "revokeTournamentToken(tournament: $t, id: \"none\") { id }",
            [U, F, F, F, "NOT_FOUND", F, "NOT_FOUND", "NOT_FOUND"],
        ),
        (Planned, "editTournament(tournament: $t, input: { place: \"Hall\" }) { id }", RUN),
        (Planned, "addEntrants(tournament: $t, entrants: [{ name: \"New\" }]) { id }", RUN),
        (Planned, "editEntrant(tournament: $t, entrant: 1, input: { club: \"c\" }) { id }", RUN),
        (Planned, "removeEntrant(tournament: $t, entrant: 6) { id }", RUN),
        (Planned, "withdraw(tournament: $t, entrant: 1) { id }", RUN),
        (Planned, "returnEntrant(tournament: $t, entrant: 5) { id }", RUN),
        (Planned, "announceAbsence(tournament: $t, entrant: 1, round: 3, kind: ZERO) { id }", RUN),
        (Planned, "cancelAbsence(tournament: $t, entrant: 4, round: 3) { id }", RUN),
        (Planned, "pairRound(tournament: $t) { number }", RUN),
        (
            Planned,
            "cancelPairing(tournament: $t) { number }",
            [U, F, F, F, "WRITES NOTHING", F, "WRITES NOTHING", "WRITES NOTHING"],
        ),
        (Planned, "changePairing(tournament: $t, round: 1, tables: [[1, 2]], force: true) { number }", RUN),
        (Paired, "unpairRound(tournament: $t, round: 1) { number }", RUN),
        (Paired, "openRound(tournament: $t, round: 1) { number }", RUN),
        (Open, "unopenRound(tournament: $t, round: 1) { number }", RUN),
        (Open, "enterResult(tournament: $t, round: 1, table: 1, ranking: [[1], [2]]) { number }", RECORD),
        (
            Open,
            "enterResult(tournament: $t, round: 1, table: 2, ranking: [[1, 2]]) { number }",
            [U, F, F, O, O, F, O, O],
        ),
        (Entered, "clearResult(tournament: $t, round: 1, table: 1) { number }", RUN),
        (Open, "forfeit(tournament: $t, round: 1, table: 1, seats: [1]) { number }", RUN),
        (Open, "adjourn(tournament: $t, round: 1, table: 1) { number }", RUN),
        (Adjourned, "resumeGame(tournament: $t, round: 1, table: 1) { number }", RUN),
        (Void, "openGame(tournament: $t, round: 1, table: 1) { number }", RUN),
        (Played, "endRound(tournament: $t, round: 1) { number }", RUN),
        (Closed, "resumeRound(tournament: $t, round: 1) { number }", RUN),
        (Closed, "finishTournament(tournament: $t) { id }", RUN),
        (Finished, "resumeTournament(tournament: $t) { id }", RUN),
        (
            Open,
            "issueTableTokens(tournament: $t, round: 1) { id }",
            [U, F, F, F, "WRITES NOTHING", F, "WRITES NOTHING", "WRITES NOTHING"],
        ),
        (Open, "act(game: $g, seat: 1, action: $a) { id }", RECORD),
        (Open, "resign(game: $g, seat: 2) { id }", RECORD),
        (Open, "resign(game: $h, seat: 2) { id }", [U, F, F, O, O, F, O, O]),
        (Open, "annotate(game: $g, ply: 0, comment: \"c\") { id }", RECORD),
        (Open, "takeBack(game: $g, toPly: 0, reason: \"r\") { id }", [U, F, F, F, B, F, B, B]),
        (Open, "adjudicate(game: $g, input: { winners: [1], reason: \"r\" }) { id }", RUN),
        (Open, "voidGame(game: $g, reason: \"r\") { id }", RUN),
        (Open, "createPlayer(input: { name: \"n\" }) { id }", [U, F, F, O, F, F, O, O]),
        (Open, "createGame(input: { kind: \"tri\", seats: [{}, {}] }) { id }", [U, F, F, O, F, F, O, O]),
    ]
};

impl Hall<'_> {
    /// A tournament of four who play, one who has withdrawn and one who was entered by mistake.
    async fn at<'h>(house: &'h House, stage: Stage) -> Hall<'h> {
        let hall = Hall::swiss(house, "triangulate", 3, &[2_000, 1_900, 1_800, 1_700]).await;
        hall.done("addEntrants(tournament: $t, entrants: [{ name: \"Away\" }, { name: \"Wrong\" }]) { id }").await;
        hall.done("withdraw(tournament: $t, entrant: 5) { id }").await;
        hall.done("announceAbsence(tournament: $t, entrant: 4, round: 3, kind: ZERO) { id }").await;
        if stage == Stage::Planned {
            return hall;
        }
        hall.done("removeEntrant(tournament: $t, entrant: 6) { id }").await;
        hall.done("pairRound(tournament: $t) { status }").await;
        if stage == Stage::Paired {
            return hall;
        }
        hall.done("openRound(tournament: $t, round: 1) { status }").await;
        let game = hall.games(1).await[0].0.clone();
        match stage {
            Stage::Void => {
                house.get("mutation($g: ID!) { voidGame(game: $g, reason: \"r\") { id } }", json!({ "g": game })).await;
            }
            Stage::Entered => {
                hall.done("enterResult(tournament: $t, round: 1, table: 1, ranking: [[1], [2]]) { number }").await;
            }
            Stage::Adjourned => {
                hall.done("adjourn(tournament: $t, round: 1, table: 1) { number }").await;
            }
            Stage::Played | Stage::Closed | Stage::Finished => hall.play(1).await,
            _ => {}
        }
        if matches!(stage, Stage::Closed | Stage::Finished) {
            hall.done("endRound(tournament: $t, round: 1) { status }").await;
        }
        if stage == Stage::Finished {
            hall.done("finishTournament(tournament: $t) { status }").await;
        }
        hall
    }
}

/// The callers of the table above.
fn callers(hall: &Hall<'_>, other: &Hall<'_>) -> [Caller; 8] {
    let organiser = |of: &Hall<'_>| Caller { tournament: Some(of.id.parse().unwrap()), ..caller(Role::Organiser) };
    let table = Some(plybook_api::access::TableNumber { round: 1, table: 1 });
    [
        Caller::SPECTATOR,
        caller(Role::Player),
        Caller { role: Role::Table, table, ..organiser(hall) },
        caller(Role::Recorder),
        organiser(hall),
        organiser(other),
        caller(Role::Arbiter),
        Caller::ADMIN,
    ]
}

#[tokio::test]
async fn every_change_is_for_those_it_is_for() {
    let house = House::new();
    let other = Hall::swiss(&house, "triangulate", 3, &[2_000, 1_900]).await;
    for (stage, field, expected) in ROLES {
        for (index, code) in expected.iter().enumerate() {
            let hall = Hall::at(&house, *stage).await;
            let mut games = hall.games(1).await.into_iter().map(|(game, _)| game);
            let (game, second) = (games.next().unwrap_or_default(), games.next().unwrap_or_default());
            let action = match game.parse() {
                Ok(game) => {
                    let replay = house.service.game(game).unwrap().replay();
                    replay.position().legal(plybook_events::Actor::Seat(1)).unwrap().swap_remove(0)
                }
                Err(_) => String::new(),
            };
            let who = &callers(&hall, &other)[index];
            let variables = [("g", json!(game)), ("h", json!(second)), ("a", json!(action)), ("t", json!(hall.id))];
            let types = [("g", "ID!"), ("h", "ID!"), ("a", "String!"), ("t", "ID!")];
            let used = |name: &str| field.contains(&format!("${name}"));
            let declared: Vec<String> =
                types.iter().filter(|(name, _)| used(name)).map(|(name, of)| format!("${name}: {of}")).collect();
            let head = if declared.is_empty() { String::new() } else { format!("({})", declared.join(", ")) };
            let variables: serde_json::Map<String, Value> = variables
                .into_iter()
                .filter(|(name, _)| used(name))
                .map(|(name, value)| (name.to_owned(), value))
                .collect();
            let before = house.service.log().len();
            let answer = house.ask(who, &format!("mutation{head} {{ {field} }}"), variables.into()).await;
            let has_written = house.service.log().len() > before;
            let told = match *code {
                "WRITES NOTHING" if !has_written => "OK",
                code => code,
            };
            assert_eq!(answer.code(), told, "{field} by {who:?}: {:?}", answer.errors);
            assert_eq!(has_written, *code == "OK", "{field} by {who:?}");
        }
    }
}

#[tokio::test]
async fn a_tables_token_ends_with_its_round() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 3, &[2_000, 1_900, 1_800, 1_700]).await;
    hall.pair_and_open(1).await;
    let issued = hall.done("issueTableTokens(tournament: $t, round: 1) { table token names game }").await;
    assert_eq!(issued["issueTableTokens"].as_array().unwrap().len(), 2);
    let [.., _arbiter, _admin] = callers(&hall, &hall);
    let table = &callers(&hall, &hall)[2];
    let resign = "mutation($g: ID!) { resign(game: $g, seat: 1) { id } }";
    hall.play(1).await;
    hall.done("endRound(tournament: $t, round: 1) { status }").await;
    let (game, _) = hall.games(1).await[0].clone();
    let late = house.ask(table, resign, json!({ "g": game })).await;
    assert_eq!(late.code(), "FORBIDDEN");
    assert!(late.says().contains("ended with round 1"), "{}", late.says());
    let late = hall
        .change_as(
            table,
            "enterResult(tournament: $t, round: 1, table: 1, ranking: [[1, 2]]) { number }",
            "",
            json!({}),
        )
        .await;
    assert_eq!(late.code(), "FORBIDDEN");
    let me = house.ask(table, "{ me { role round table game { id } tournament { name } } }", json!({})).await.ok();
    assert_eq!(
        me["me"],
        json!({ "role": "table", "round": 1, "table": 1, "game": { "id": game }, "tournament": { "name": "Open" } })
    );
}

#[tokio::test]
async fn what_was_done_can_be_undone() {
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
    for (game, _) in games {
        assert!(house.service.game(game.parse().unwrap()).unwrap().replay().voided().is_some());
    }
    hall.done("openRound(tournament: $t, round: 1) { status }").await;
    hall.done("enterResult(tournament: $t, round: 1, table: 1, ranking: [[2], [1]]) { status }").await;
    hall.done("clearResult(tournament: $t, round: 1, table: 1, reason: \"typo\") { status }").await;
    hall.done("openGame(tournament: $t, round: 1, table: 1) { status }").await;
    hall.done("adjourn(tournament: $t, round: 1, table: 2, until: \"Sunday\") { status }").await;
    hall.done("resumeGame(tournament: $t, round: 1, table: 2) { status }").await;
    hall.play(1).await;
    hall.done("endRound(tournament: $t, round: 1) { status }").await;
    hall.done("resumeRound(tournament: $t, round: 1) { status }").await;
    hall.done("endRound(tournament: $t, round: 1) { status }").await;
    hall.done("finishTournament(tournament: $t) { status }").await;
    hall.done("resumeTournament(tournament: $t) { status }").await;
    assert_eq!(status().await, json!({ "status": "RUNNING", "round": { "status": "CLOSED" } }));
    // Somebody who has not seen all of it is told so.
    let stale = hall.change("finishTournament(tournament: $t, expectedSeq: 3) { status }", "", json!({})).await;
    assert_eq!(stale.code(), "LOG_CONFLICT");
    assert_eq!(stale.errors[0]["extensions"]["head"], hall.head().await);
    assert_eq!(
        hall.get("verification { valid problem }").await["verification"],
        json!({ "valid": true, "problem": null })
    );
}
