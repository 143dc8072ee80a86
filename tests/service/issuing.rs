//! Tokens created, listed and revoked through the API.

use std::sync::Arc;

use plybook_api::access::{Caller, Role, Tokens};
use plybook_api::schema;
use plybook_api::service::Service;
use plybook_tests::store;
use serde_json::{Value, json};

use crate::house::{Answer, House, caller, request, text};

const CREATE: &str = "mutation($i: CreateToken!) { createToken(input: $i) { id token expires } }";
const REVOKE: &str = "mutation($t: String!) { revokeToken(token: $t) { id role label } }";
const LIST: &str =
    "{ tokens { id role label player { name } game { id } seat tournament { name } round table created expires } }";

/// A service whose tokens the test can look up.
struct Desk {
    house: House,
    tokens: Arc<Tokens>,
}

impl Desk {
    fn new() -> Self {
        plybook_example::register();
        let service = Service::start(store::new()).unwrap();
        let tokens = Arc::new(Tokens::in_memory());
        let schema = schema::build_with(Arc::clone(&service), Arc::clone(&tokens));
        Self { house: House { schema, service }, tokens }
    }

    async fn create(&self, who: &Caller, input: Value) -> Answer {
        self.house.ask(who, CREATE, json!({ "i": input })).await
    }

    /// The caller of a new token.
    async fn made(&self, input: Value) -> (Caller, String) {
        let made = self.create(&Caller::ADMIN, input).await.ok()["createToken"].clone();
        (self.tokens.identify(Some(&text(&made["token"]))).unwrap(), text(&made["id"]))
    }
}

#[tokio::test]
async fn administrators_create_list_and_revoke_tokens() {
    let desk = Desk::new();
    let ada = desk.house.player("Ada").await;
    let game = desk.house.create("thrones").await;
    let (player, id) = desk.made(json!({ "role": "player", "label": "Ada's phone", "days": 2, "player": ada })).await;
    assert_eq!((player.role, player.player.unwrap().to_string()), (Role::Player, ada.clone()));
    let (seat, _) = desk.made(json!({ "role": "player", "label": "", "game": game, "seat": 2 })).await;
    assert_eq!((seat.seat, seat.game.unwrap().to_string()), (Some(2), game.clone()));
    let (recorder, _) = desk.made(json!({ "role": "recorder", "label": "table 3" })).await;
    assert_eq!((recorder.role, recorder.game), (Role::Recorder, None));
    let me = "{ me { role token { id label expires } } }";
    let told = desk.house.ask(&player, me, json!({})).await.ok()["me"].clone();
    assert_eq!(
        (&told["role"], &told["token"]["id"], &told["token"]["label"]),
        (&json!("player"), &json!(id), &json!("Ada's phone"))
    );
    assert!(told["token"]["expires"].is_string());
    let nobody = desk.house.ask(&Caller::SPECTATOR, me, json!({})).await.ok();
    assert_eq!(nobody["me"], json!({ "role": "spectator", "token": null }));
    let listed = desk.house.get(LIST, json!({})).await["tokens"].clone();
    assert_eq!(listed.as_array().unwrap().len(), 3);
    assert_eq!(
        (&listed[0]["player"]["name"], &listed[1]["game"]["id"], &listed[1]["seat"]),
        (&json!("Ada"), &json!(game), &json!(2))
    );
    assert!(!listed.to_string().contains("plybook_"), "secrets are shown once");
    let gone = desk.house.ask(&Caller::ADMIN, REVOKE, json!({ "t": id })).await.ok();
    assert_eq!(gone["revokeToken"], json!({ "id": id, "role": "player", "label": "Ada's phone" }));
    assert_eq!(desk.house.ask(&Caller::ADMIN, REVOKE, json!({ "t": id })).await.code(), "NOT_FOUND");
    assert_eq!(desk.tokens.list().len(), 2);
}

#[tokio::test]
async fn others_create_and_see_no_tokens() {
    let desk = Desk::new();
    let (_, id) = desk.made(json!({ "role": "recorder", "label": "" })).await;
    for role in [Role::Spectator, Role::Player, Role::Recorder, Role::Arbiter] {
        let who = caller(role);
        let code = if role == Role::Spectator { "UNAUTHENTICATED" } else { "FORBIDDEN" };
        assert_eq!(
            desk.create(&who, json!({ "role": "player", "label": "", "seat": 1, "game": crate::house::nobody() }))
                .await
                .code(),
            code,
            "{role}"
        );
        assert_eq!(desk.house.ask(&who, LIST, json!({})).await.code(), code, "{role}");
        // An arbiter may revoke tokens of tournaments, and is not told of others.
        let refused = if role == Role::Arbiter { "NOT_FOUND" } else { code };
        assert_eq!(desk.house.ask(&who, REVOKE, json!({ "t": id })).await.code(), refused, "{role}");
    }
    // An administrator's token that is for one game makes no others.
    let game = desk.house.create("tri").await;
    let (confined, _) = desk.made(json!({ "role": "admin", "label": "", "game": game })).await;
    assert_eq!(desk.create(&confined, json!({ "role": "admin", "label": "" })).await.code(), "FORBIDDEN");
    assert_eq!(desk.house.ask(&confined, LIST, json!({})).await.code(), "FORBIDDEN");
    assert_eq!(desk.tokens.list().len(), 2);
}

#[tokio::test]
async fn a_token_that_makes_no_sense_is_refused_with_the_reason() {
    let desk = Desk::new();
    let game = desk.house.create("tri").await;
    let nothing = "07070707-0707-0707-0707-070707070707";
    for (input, code, says) in [
        (json!({ "role": "king", "label": "" }), "BAD_INPUT", "a role is player"),
        (json!({ "role": "table", "label": "" }), "BAD_INPUT", "when their round is open"),
        (json!({ "role": "player", "label": "" }), "BAD_INPUT", "names a player, or a game and a seat"),
        (
            json!({ "role": "recorder", "label": "", "seat": 1, "game": game }),
            "BAD_INPUT",
            "names a player, or a game and a seat",
        ),
        (json!({ "role": "player", "label": "", "seat": 1 }), "BAD_INPUT", "name the game too"),
        (json!({ "role": "player", "label": "", "seat": 3, "game": game }), "BAD_INPUT", "from 1 to 2"),
        (json!({ "role": "player", "label": "", "seat": 1, "game": nothing }), "NOT_FOUND", ""),
        (json!({ "role": "player", "label": "", "player": nothing }), "NOT_FOUND", ""),
        (json!({ "role": "organiser", "label": "" }), "BAD_INPUT", "names a tournament"),
        (json!({ "role": "organiser", "label": "", "tournament": nothing }), "NOT_FOUND", ""),
        (json!({ "role": "admin", "label": "x".repeat(101) }), "BAD_INPUT", "at most 100"),
        (json!({ "role": "admin", "label": "a\nb" }), "BAD_INPUT", "printable"),
        (json!({ "role": "admin", "label": "", "days": 0 }), "BAD_INPUT", "1 to 36500 days"),
    ] {
        let refused = desk.create(&Caller::ADMIN, input.clone()).await;
        assert_eq!(refused.code(), code, "{input}: {:?}", refused.errors);
        assert!(refused.says().contains(says), "{input}: {}", refused.says());
    }
    assert!(desk.tokens.list().is_empty());
    let told = desk.house.schema.execute(request(&Caller::ADMIN, LIST, json!({}))).await;
    assert!(told.errors.is_empty());
}

/// A recorder who issues links of a game does not take the place of those whom an arbiter gave theirs, and what a recorder
/// issued ends with the recorder's own token.
#[tokio::test]
async fn a_recorder_does_not_replace_the_links_of_somebody_else() {
    let desk = Desk::new();
    let links = "mutation($g: ID!) { issueGameTokens(game: $g) { seat token } }";
    let input = json!({ "kind": "triangulate", "open": true, "seats": [{ "name": "A" }, { "name": "B" }] });
    let game = desk.house.create_as(input).await;
    let (arbiter, _) = desk.made(json!({ "role": "arbiter", "label": "" })).await;
    let (one, one_id) = desk.made(json!({ "role": "recorder", "label": "" })).await;
    let (two, _) = desk.made(json!({ "role": "recorder", "label": "" })).await;
    let issue = async |who: &Caller| desk.house.ask(who, links, json!({ "g": game })).await;
    let seat = |told: &Value| text(&told["issueGameTokens"][1]["token"]);
    let first = seat(&issue(&one).await.ok());
    let second = seat(&issue(&one).await.ok());
    assert!(desk.tokens.identify(Some(&first)).is_err(), "one's own are replaced");
    let refused = issue(&two).await;
    assert_eq!(refused.code(), "FORBIDDEN");
    assert!(refused.says().contains("only arbiters replace them"), "{}", refused.says());
    let third = seat(&issue(&arbiter).await.ok());
    assert!(desk.tokens.identify(Some(&second)).is_err(), "an arbiter replaces all");
    assert_eq!(issue(&one).await.code(), "FORBIDDEN");
    assert!(desk.tokens.identify(Some(&third)).is_ok(), "the arbiter's stay");
    // Links end with the token whose holder issued them.
    let other = desk.house.create_as(json!({ "kind": "triangulate", "open": true, "seats": [{}, {}] })).await;
    let told = desk.house.ask(&one, links, json!({ "g": other })).await.ok();
    desk.house.ask(&Caller::ADMIN, REVOKE, json!({ "t": one_id })).await.ok();
    assert!(desk.tokens.identify(Some(&seat(&told))).is_err());
    assert!(desk.tokens.identify(Some(&third)).is_ok());
}
