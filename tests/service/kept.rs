//! Answers that are kept for whoever asks the same again.

use std::sync::Arc;

use actix_web::test::{TestRequest, call_service, init_service, read_body};
use plybook_api::access::Caller;
use plybook_api::http::{Doors, Gate, Limits, Metrics, Readiness, Site, app};
use plybook_api::schema;
use plybook_rules::log::Status;
use serde_json::{Value, json};

use crate::house::{Dice, House, caller, kind_names, seats_of};

/// Everything whose answer may be kept, of the game `$g`.
const OF_LOG: &str = "query($g: ID!) { game(id: $g) { __typename id kind rulesVersion setup origin name hidden status \
    outcome { winners reason decidedBy } createdAt played playedAt finishedAt round table tags ply corrected \
    originalOutcome { reason } voidReason entropyFrom entropyAwaitedFrom drawOfferedBy deadline { opens due } \
    seats { number name result } \
    moves(first: 100) { totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } \
        edges { cursor node { ply } } \
        nodes { ply seq seat by action text at elapsedMs clockMs fair comment glyphs positionKey game { ply } } } \
    position { ply position positionKey toAct text scene { items { shape at } } } \
    positions(from: 0, to: 1) { ply } refold { verdict difference { seq } } ...Start } } \
    fragment Start on Game { scenes(from: 0, to: 1) { __typename } }";

/// A house over HTTP; any token is the administrator's.
struct Door {
    house: House,
    site: Site,
    metrics: Metrics,
}

impl Door {
    fn new() -> Self {
        let (house, metrics) = (House::new(), Metrics::new());
        let identify = |token: Option<&str>| Ok(token.map_or(Caller::SPECTATOR, |_| Caller::ADMIN));
        let gate = Gate::new(house.schema.clone(), identify, Limits::default(), metrics.clone());
        let gate = gate.keeping(schema::basis(Arc::clone(&house.service)));
        Self { house, site: Site::new(gate, Doors::default(), || Readiness::Ready), metrics }
    }

    /// The answer to a request, and whether it is a kept one.
    async fn ask(&self, token: Option<&str>, query: &str, variables: &Value) -> (Value, bool) {
        let app = init_service(app(self.site.clone(), |_| {})).await;
        let before = self.count();
        let body = json!({ "query": query, "variables": variables });
        let mut request = TestRequest::post().uri("/graphql").set_json(body);
        if let Some(token) = token {
            request = request.insert_header(("authorization", format!("Bearer {token}")));
        }
        let answer = call_service(&app, request.to_request()).await;
        let body = serde_json::from_slice(&read_body(answer).await).unwrap();
        (body, self.count() > before)
    }

    /// How many kept answers were sent.
    fn count(&self) -> u64 {
        let text = self.metrics.text();
        let line = text.lines().find_map(|line| line.strip_prefix("plybook_graphql_kept_answers_total "));
        line.unwrap().parse().unwrap()
    }

    /// Asks as a spectator, three times: what is asked a second time is kept for the third, if that is expected.
    async fn thrice(&self, query: &str, variables: &Value, is_kept: bool) {
        let (first, _) = self.ask(None, query, variables).await;
        for expected in [false, is_kept] {
            let (answer, kept) = self.ask(None, query, variables).await;
            assert_eq!((&answer, kept), (&first, expected), "{query}");
        }
    }
}

fn is_running(house: &House, id: &str) -> bool {
    house.service.game(id.parse().unwrap()).unwrap().replay().status() == Status::Running
}

#[actix_web::test]
async fn what_depends_on_one_log_is_answered_from_memory() {
    let door = Door::new();
    let id = door.house.create("triangulate").await;
    door.house.play(&id, 4, &mut Dice(1)).await;
    let game = json!({ "g": id });
    door.thrice(OF_LOG, &game, true).await;
    door.thrice(&format!("{{ game(id: {id:?}) {{ position(ply: 2) {{ text }} }} }}"), &json!({}), true).await;
    door.thrice("query($g: ID!) { game(id: $g) { position { text } } }", &game, true).await;

    let other = |selection: &str| format!("query($g: ID!) {{ {selection} }}");
    for selection in [
        "game(id: $g) { ply seats { player { name } } }",
        "game(id: $g) { ply branches { totalCount } }",
        "game(id: $g) { ...Below } } fragment Below on Game { averageRating",
        "game(id: $g) { moves { nodes { game { averageRating } } } }",
        "game(id: $g) { position(ply: 99) { text } }",
        "game(id: $g) { ply } rules { kind }",
        "a: game(id: $g) { ply } b: game(id: $g) { kind }",
        "node(id: $g) { id }",
    ] {
        door.thrice(&other(selection), &game, false).await;
    }
    let nobody = json!({ "g": crate::house::nobody() });
    door.thrice("query($g: ID!) { game(id: $g) { ply } }", &nobody, false).await;
}

#[actix_web::test]
async fn who_has_a_token_gets_answers_of_their_own() {
    let door = Door::new();
    let id = door.house.create("thrones").await;
    let (query, game) =
        ("query($g: ID!) { game(id: $g) { position(viewer: \"all\") { position } } }", json!({ "g": id }));
    let (seen, _) = door.ask(Some("admin"), query, &game).await;
    assert!(seen["data"]["game"]["position"]["position"].is_object(), "{seen}");
    for _ in 0..2 {
        let (again, kept) = door.ask(Some("admin"), query, &game).await;
        assert_eq!((&again, kept), (&seen, false));
    }
    let (refused, kept) = door.ask(None, query, &game).await;
    assert_eq!((refused["errors"][0]["extensions"]["code"].as_str(), kept), (Some("FORBIDDEN"), false));
}

#[actix_web::test]
async fn lines_are_not_kept() {
    let door = Door::new();
    let id = door.house.create("triangulate").await;
    door.house.play(&id, 4, &mut Dice(1)).await;
    let forked = door.house.get("mutation($g: ID!) { fork(game: $g, ply: 2) { id } }", json!({ "g": id })).await;
    door.thrice("query($g: ID!) { game(id: $g) { ply } }", &json!({ "g": forked["fork"]["id"] }), false).await;
}

/// Whatever is recorded, the answer that is sent is the one that would be given anew.
#[actix_web::test]
async fn kept_answers_are_those_that_would_be_given_anew() {
    let door = Door::new();
    let changes = [
        "takeBack(game: $g, toPly: 1, reason: \"test\")",
        "annotate(game: $g, ply: 1, comment: \"c\", glyphs: [\"!\"])",
        "annotate(game: $g, ply: 1, comment: \"\")",
        "resign(game: $g, seat: 1)",
        "reopenGame(game: $g, reason: \"test\")",
        "adjudicate(game: $g, input: { winners: [1], reason: \"test\" })",
        "adjudicate(game: $g, input: { winners: [2], reason: \"test\" })",
        "voidGame(game: $g, reason: \"test\")",
        "unvoidGame(game: $g, reason: \"test\")",
        "roll(game: $g)",
    ];
    for (n, kind) in kind_names().into_iter().enumerate() {
        let mut dice = Dice(n as u64);
        let ann = door.house.player(&format!("Ann {n}")).await;
        let seats: Vec<Value> =
            (1..=seats_of(kind)).map(|seat| if seat == 1 { json!({ "player": ann }) } else { json!({}) }).collect();
        let id = door.house.create_as(json!({ "kind": kind, "seats": seats })).await;
        let game = json!({ "g": id });
        let mut kept_answers = 0;
        for step in 0..40 {
            match dice.below(3) {
                0 if is_running(&door.house, &id) => door.house.play(&id, 1, &mut dice).await,
                0 | 1 => {
                    let change = changes[dice.below(changes.len() as u32) as usize];
                    let query = format!("mutation($g: ID!) {{ {change} {{ id }} }}");
                    door.house.ask(&Caller::ADMIN, &query, game.clone()).await;
                }
                _ => {
                    let renamed =
                        "mutation($p: ID!, $n: String!) { editPlayer(player: $p, input: { name: $n }) { id } }";
                    door.house.get(renamed, json!({ "p": ann, "n": format!("Ann {n} {step}") })).await;
                }
            }
            let anew = door.house.ask(&caller(Caller::SPECTATOR.role), OF_LOG, game.clone()).await;
            for _ in 0..3 {
                let (answer, kept) = door.ask(None, OF_LOG, &game).await;
                assert_eq!((&answer["data"], answer.get("errors")), (&anew.data, None), "{kind}, step {step}");
                kept_answers += u64::from(kept);
            }
        }
        assert!(kept_answers >= 40, "{kind}: the last of three is always a kept one: {kept_answers}");
    }
}
