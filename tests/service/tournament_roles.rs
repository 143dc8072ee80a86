//! Which role may do what in a tournament.

use plybook_api::access::{Caller, Role};
use serde_json::{Value, json};

use crate::hall::Hall;
use crate::house::{House, caller};

/// The state of a tournament in which a change is tried.
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
    /// The game at table 1 is adjourned.
    Adjourned,
    /// Every game of round 1 is over.
    Played,
    Closed,
    Finished,
}

/// A report file of one entrant.
const IMPORT: &str = "importTournament(input: { kind: \"tri\", file: \"012 Open\\n001    1      A                                                                  0.0    1\" }) { id }";

/// A state, a change, and the answers to: a spectator, a player, a token of table 1, a recorder, the
/// organiser, the organiser of another tournament, an arbiter, an administrator.
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
        (Planned, IMPORT, CHIEF),
        (
            Planned,
            "createToken(input: { role: \"organiser\", label: \"l\", tournament: $t }) { id }",
            [U, F, F, F, F, F, "WRITES NOTHING", "WRITES NOTHING"],
        ),
        (
            Planned,
            "revokeToken(token: \"none\") { id }",
            [U, F, F, F, "NOT_FOUND", "NOT_FOUND", "NOT_FOUND", "NOT_FOUND"],
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
        (Open, "reseatTable(tournament: $t, round: 1, table: 1, seats: [3, 1]) { number }", RUN),
        (Played, "endRound(tournament: $t, round: 1) { number }", RUN),
        (Closed, "resumeRound(tournament: $t, round: 1) { number }", RUN),
        (Closed, "finishTournament(tournament: $t) { id }", RUN),
        (Finished, "resumeTournament(tournament: $t) { id }", RUN),
        (
            Open,
            "issueTableTokens(tournament: $t, round: 1) { id }",
            [U, F, F, F, "WRITES NOTHING", F, "WRITES NOTHING", "WRITES NOTHING"],
        ),
        (
            Open,
            "issueGameTokens(game: $g) { id }",
            [U, F, F, "WRITES NOTHING", F, F, "WRITES NOTHING", "WRITES NOTHING"],
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
    pub async fn at<'h>(house: &'h House, stage: Stage) -> Hall<'h> {
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
async fn every_change_is_for_the_right_roles() {
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
    let issued = hall.done("issueTableTokens(tournament: $t, round: 1) { table token names game { id } }").await;
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
async fn the_tokens_of_tables_end_when_the_opening_is_undone() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 3, &[2_000, 1_900, 1_800, 1_700]).await;
    hall.pair_and_open(1).await;
    hall.done("issueTableTokens(tournament: $t, round: 1) { table }").await;
    let tokens = async || {
        let query = "query($t: ID!) { tournament(id: $t) { tokens { id } } }";
        let found = house.ask(&Caller::ADMIN, query, json!({ "t": hall.id })).await.ok();
        found["tournament"]["tokens"].as_array().unwrap().len()
    };
    assert_eq!(tokens().await, 2);
    hall.done("unopenRound(tournament: $t, round: 1) { status }").await;
    assert_eq!(tokens().await, 0, "others may sit there when it is opened again");
}
