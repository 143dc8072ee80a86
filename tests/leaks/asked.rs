//! What a caller learns about a game by asking (GraphQL, subscriptions, exports) and by trying illegal
//! actions.

use std::sync::Arc;

use actix_web::App;
use actix_web::test::{TestRequest, call_and_read_body, init_service};
use async_graphql::{Request, Variables};
use futures_util::StreamExt;
use plybook_api::access::{Caller, Role};
use plybook_api::export;
use plybook_api::schema::{self, Schema};
use plybook_api::service::{Live, Service};
use plybook_events::{Actor, LogId};
use plybook_rules::Viewer;
use plybook_rules::log::Command;
use plybook_rules::log::Replay;
use serde_json::{Value, json};

use crate::normal::Placeholders;
use crate::pair::Pair;
use crate::{Failure, same, seen};

/// Seats that ask about one pair.
const SEATS: usize = 1;

/// Asks for both games of a pair, each alone in its service, and compares the answers.
pub(crate) async fn compare(pair: &Pair) -> Result<(), Failure> {
    let mut both = Vec::new();
    for side in 0..2 {
        let service = crate::service();
        let live = pair.play(&service, side);
        both.push(ServedGame { schema: schema::build(Arc::clone(&service)), service, live });
    }
    let seats = both[0].live.replay().position().seats();
    let mut callers = vec![("a spectator".to_owned(), Caller::SPECTATOR, None)];
    callers.push(("a recorder".to_owned(), Caller { role: Role::Recorder, ..Caller::SPECTATOR }, None));
    let seats = seen::viewers(pair, seats).into_iter().filter_map(|viewer| match viewer {
        Viewer::Seat(seat) => Some(seat),
        _ => None,
    });
    for seat in seats.take(SEATS) {
        callers.push((format!("seat {seat}"), Caller { role: Role::Player, ..Caller::SPECTATOR }, Some(seat)));
    }
    for (name, caller, seat) in callers {
        let mut answers = Vec::new();
        for asked in &both {
            let id = asked.live.replay().log();
            let caller = Caller { game: seat.map(|_| id), seat, ..caller.clone() };
            let mut told = asked.everything(pair, &caller).await;
            if caller.role >= Role::Player {
                told.extend(asked.forked(pair, &caller).await);
            }
            // The exports ask nobody who they are.
            if caller == Caller::SPECTATOR {
                told.extend(asked.exported().await);
            }
            answers.push(told);
        }
        let placeholders = both.iter().map(|asked| Placeholders::of(&asked.service, asked.live.replay().log()));
        let normal: Vec<Vec<String>> = placeholders
            .zip(&answers)
            .map(|(placeholders, answers)| answers.iter().map(|(_, answer)| placeholders.apply(answer)).collect())
            .collect();
        assert_eq!(normal[0].len(), normal[1].len());
        // A sealed setup is not forked from while the game runs.
        let is_sealed = pair.rules.setup_for(&pair.setups[0], Viewer::Public) != pair.setups[0];
        let can_fork = caller.role >= Role::Player && !is_sealed;
        assert!(!can_fork || normal[0].iter().any(|answer| answer.contains("{\"fork\":{")), "{name} made no line");
        for (index, (one, other)) in normal[0].iter().zip(&normal[1]).enumerate() {
            same(&format!("{name}, asking {}", answers[0][index].0), one, other)?;
        }
    }
    Ok(())
}

/// A game alone in its service.
struct ServedGame {
    service: Arc<Service>,
    schema: Schema,
    live: Arc<Live>,
}

impl ServedGame {
    /// Everything that can be asked, and what comes of it.
    async fn everything(&self, pair: &Pair, caller: &Caller) -> Vec<(String, String)> {
        let replay = self.live.replay();
        let id = replay.log();
        let before = self.live.at().1;
        let mut answers = vec![
            ("all".to_owned(), self.ask(caller, &query(&replay), json!({ "id": id, "setup": pair.setups[0] })).await),
            ("events as they come".to_owned(), self.follow(caller, &replay).await),
        ];
        let owner = pair.owners.first().map(u8::to_string);
        for viewer in ["all", "public"].into_iter().map(str::to_owned).chain(owner) {
            let what = format!("for the eyes of {viewer}");
            let answer = self.ask(caller, THROUGH, json!({ "id": id, "viewer": viewer })).await;
            assert!(viewer != "public" || !answer.contains("\"errors\""), "the public may not look: {answer}");
            answers.push((what, answer));
        }
        let kind = replay.rules().about().kind;
        let figures = self.ask(caller, &figures(&replay), json!({ "kind": kind, "setup": pair.setups[0] })).await;
        assert!(figures.contains("\"statistics\":{"), "no statistics: {figures}");
        answers.push(("explorer and statistics".to_owned(), figures));
        for (document, variables) in tries(pair, &replay, caller, id) {
            let what = format!("{document} {variables}");
            let answer = self.ask(caller, document, variables).await;
            assert!(answer.contains("\"errors\""), "{what} was done: {answer}");
            answers.push((what, answer));
        }
        assert_eq!(self.live.at().1, before, "nothing was recorded");
        answers
    }

    /// What comes of forking the game: the lines that are made, and what is said where none is, for what
    /// the caller cannot know either. What is assumed is the same in both games, the truth of each too.
    async fn forked(&self, pair: &Pair, caller: &Caller) -> Vec<(String, String)> {
        let replay = self.live.replay();
        let plies = replay.mainline().len();
        let unknown: Vec<usize> = replay.unknown().collect();
        // What both games have in common may be known to the caller; what differs is assumed both ways.
        let mut guesses = vec![Vec::new()];
        let acts = |side: usize| {
            let actions = pair.steps.iter().map(move |sides| match &sides[side] {
                Command::Act { action, .. } => action.clone(),
                _ => "-".to_owned(),
            });
            actions.collect::<Vec<_>>()
        };
        for side in 0..2 {
            let acts = acts(side);
            guesses.push(unknown.iter().map(|ply| acts.get(ply - 1).cloned().unwrap_or_default()).collect());
        }
        guesses.push(vec!["zzz".to_owned(); unknown.len()]);
        let first = unknown.first().copied().unwrap_or(plies);
        let mut answers = Vec::new();
        for ply in [0, first.saturating_sub(1), first, plies, plies + 1] {
            for guess in &guesses {
                let needed = unknown.iter().filter(|unknown| **unknown <= ply).count();
                let assume = &guess[..needed.min(guess.len())];
                let variables = json!({ "id": replay.log(), "ply": ply, "assume": assume });
                answers.push((format!("{FORK} {variables}"), self.ask(caller, FORK, variables).await));
            }
        }
        let variables = json!({ "id": replay.log() });
        answers.push(("lines".to_owned(), self.ask(caller, LINES, variables).await));
        answers
    }

    /// What is exported over HTTP.
    async fn exported(&self) -> Vec<(String, String)> {
        let log = format!("/games/{}/log.ndjson", self.live.replay().log());
        let mut answers = Vec::new();
        for path in ["/export/games.ndjson", "/export/games.ndjson?events=true", &log] {
            answers.push((path.split('/').next_back().unwrap_or_default().to_owned(), get(&self.service, path).await));
        }
        answers
    }

    async fn ask(&self, caller: &Caller, document: &str, variables: Value) -> String {
        let request = Request::new(document).variables(Variables::from_json(variables)).data(caller.clone());
        // Members come as they are ready: as a value they are in order.
        serde_json::to_value(self.schema.execute(request).await).expect("an answer is JSON").to_string()
    }

    async fn follow(&self, caller: &Caller, replay: &Replay) -> String {
        let mut answers = String::new();
        let subscriptions = [
            (
                "subscription($id: ID!) { gameEvents(game: $id) { seq at by type body hash prev bytes } }",
                replay.events(),
            ),
            (
                "subscription($id: ID!) { gameUpdated(game: $id) { id setup ply position { text position positionKey } } }",
                1,
            ),
        ];
        for (document, count) in subscriptions {
            let variables = Variables::from_json(json!({ "id": replay.log() }));
            let request = Request::new(document).variables(variables).data(caller.clone());
            let stream = self.schema.execute_stream(request).take(count as usize);
            for answer in stream.collect::<Vec<_>>().await {
                answers += &serde_json::to_value(&answer).expect("an answer is JSON").to_string();
            }
        }
        answers
    }
}

async fn get(service: &Arc<Service>, path: &str) -> String {
    let app = init_service(App::new().configure(|config| export::configure(config, service))).await;
    String::from_utf8(call_and_read_body(&app, TestRequest::get().uri(path).to_request()).await.to_vec())
        .expect("exports are UTF-8")
}

const THROUGH: &str = "query($id: ID!, $viewer: String) { game(id: $id) {
    position(viewer: $viewer) { position positionKey scene text toAct prompt }
    positions(viewer: $viewer) { position scene text }
    moves(first: 500, viewer: $viewer) { nodes { action text positionKey } }
} }";

const FORK: &str = "mutation($id: ID!, $ply: Int!, $assume: [String!]) { fork(game: $id, ply: $ply, assume: $assume) {
    id ply setup status forkedFrom { game { id } ply seq hash } verification { valid problem }
    moves(first: 500) { nodes { ply seq game by action text positionKey } }
    positions { position positionKey scene text toAct prompt } } }";

const LINES: &str =
    "query($id: ID!) { game(id: $id) { tree branches(first: 500) { nodes { id ply name hidden owner { id } } }
    json: record(format: JSON) text: record(format: TEXT) } }";

/// All that the schema has of a game.
fn query(replay: &Replay) -> String {
    let legal: String =
        (1..=replay.position().seats()).map(|seat| format!("s{seat}: legalActions(seat: {seat}) ")).collect();
    let position = format!(
        "{{ ply position positionKey toAct prompt scene text {legal} \
         outcome {{ winners ranking reason decidedBy details }} }}"
    );
    format!(
        "query($id: ID!, $setup: JSON) {{
            game(id: $id) {{
                id kind rulesVersion setup origin name hidden owner {{ id }} forkedFrom {{ ply }} tree status createdAt finishedAt round table tags ply corrected
                voidReason drawOfferedBy seats {{ number name result player {{ id }} }}
                outcome {{ winners ranking reason decidedBy details }} head {{ seq hash ply }}
                moves(first: 500) {{ totalCount pageInfo {{ hasNextPage startCursor endCursor }} edges {{ cursor node {{
                    ply seq by action text at elapsedMs clockMs fair comment glyphs positionKey game }} }} }}
                events(first: 500) {{ totalCount edges {{ cursor node {{ seq at by type body hash prev bytes }} }} }}
                positions {position} position {position} turn: position {{ legalActions }}
                verification {{ valid events head firstBad problem }}
                json: record(format: JSON) lines: record(format: NDJSON) text: record(format: TEXT)
                drawing: record(format: SVG)
            }}
            node(id: $id) {{ id ... on Game {{ setup ply }} }}
            games {{ totalCount edges {{ cursor node {{ id kind setup ply status }} }} }}
            longest: games(orderBy: PLY_DESC) {{ edges {{ cursor }} }}
            bySetup: games(filter: {{ setup: $setup }}) {{ totalCount }}
        }}"
    )
}

/// All that explorer and statistics say of a kind, whose only game this is.
fn figures(replay: &Replay) -> String {
    let spread = "{ count min max mean median p10 p90 histogram { key count } }";
    let heat: String =
        replay.rules().heat().iter().map(|heat| format!("{0}: heat(what: \"{0}\") ", heat.name)).collect();
    let explored = "{ games results { wins draws other } pending actions { action positionKey games lastPlayed } \
        recentGames { id } topGames { id } }";
    format!(
        "query($kind: String!, $setup: JSON) {{
            statistics(kind: $kind) {{ games finished pending results {{ wins draws other }} plies {spread}
                durationMs {spread} branching {spread} reasons {{ key count }} byMonth {{ key count }}
                firstActions {{ action positionKey }} luck {heat}
                measures {{ name value distribution {spread} }} }}
            start: explore(kind: $kind) {explored} own: explore(kind: $kind, setup: $setup) {explored}
        }}"
    )
}

const ACT: &str = "mutation($id: ID!, $seat: Int, $action: String!, $expected: Int) {
    act(game: $id, seat: $seat, action: $action, expectedSeq: $expected) { id } }";

const ACT_ALL: &str = "mutation($id: ID!, $actions: [ActInput!]!) { actAll(game: $id, actions: $actions) { id } }";

/// What is refused whatever the secrets are: mutations with their variables. A recorder tries
/// everything for a seat whose secret differs, a player for the own seat and some for the other's.
fn tries(pair: &Pair, replay: &Replay, caller: &Caller, id: LogId) -> Vec<(&'static str, Value)> {
    let mut tried = Vec::new();
    for seat in pair.owners.first().copied().into_iter().chain(caller.seat) {
        let is_pointless = caller.role < Role::Recorder && Some(seat) != caller.seat;
        let some = if is_pointless { 1 } else { usize::MAX };
        for action in pair.illegal.iter().take(some) {
            tried.push((ACT, json!({ "id": id, "seat": seat, "action": action })));
        }
        for (index, probe) in pair.probes.iter().take(some).enumerate() {
            let first = json!({ "seat": seat, "action": probe });
            let then =
                if index % 2 == 0 { json!({ "seat": seat, "action": "zzz" }) } else { json!({ "action": "zzz" }) };
            tried.push((ACT_ALL, json!({ "id": id, "actions": [first, then] })));
        }
    }
    if let Some(only) = replay.position().to_act().iter().next() {
        let seat = if let Actor::Seat(seat) = only { Some(seat) } else { None };
        tried.push((ACT, json!({ "id": id, "seat": seat, "action": "zzz", "expected": 100_000 })));
    }
    tried.push((ACT, json!({ "id": id, "action": "zzz" })));
    tried.push(("mutation($id: ID!) { takeBack(game: $id, toPly: 0, reason: \"\") { id } }", json!({ "id": id })));
    tried.push(("mutation($id: ID!) { closeRound(game: $id, expectedSeq: 100000) { id } }", json!({ "id": id })));
    tried
}
