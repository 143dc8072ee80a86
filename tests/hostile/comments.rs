//! A player who tries to fill a game with comments.

use std::sync::Arc;

use plybook_api::access::{Caller, Desk, Role};
use plybook_api::service::{EVENTS_MAX, Service};
use plybook_events::{LogId, body::Annotated};
use plybook_rules::log::{COMMENTS_MAX, OFFERS_MAX};
use plybook_store::Store;
use serde_json::{Value, json};

fn game(service: &Arc<Service>) -> LogId {
    let schema = plybook_api::schema::build(Arc::clone(service));
    let create = "mutation { createGame(input: { kind: \"triangulate\", seats: [{}, {}] }) { id } }";
    let request = async_graphql::Request::new(create).data(Caller::ADMIN);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let answer: Value = serde_json::to_value(runtime.block_on(schema.execute(request))).unwrap();
    answer["data"]["createGame"]["id"].as_str().unwrap().parse().unwrap()
}

/// Neither comments nor draw offers of a seat fill a log, and the game continues.
#[test]
fn a_seat_cannot_fill_a_game_with_remarks() {
    let service = Service::start(Store::in_memory().unwrap()).unwrap();
    let game = game(&service);
    let seat = |seat| {
        let caller = Caller { role: Role::Player, game: Some(game), seat: Some(seat), ..Caller::SPECTATOR };
        Desk::new(Arc::clone(&service), caller)
    };
    let (one, two, chief) = (seat(1), seat(2), Desk::new(Arc::clone(&service), Caller::ADMIN));
    let comment = || serde_json::from_value::<Annotated>(json!({ "ply": 0, "comment": "a" })).unwrap();
    for _ in 0..COMMENTS_MAX {
        one.annotate(game, comment(), None).unwrap();
    }
    let refused = one.annotate(game, comment(), None).err().unwrap();
    assert_eq!(
        (refused.code(), refused.to_string().as_str()),
        ("BAD_INPUT", "seat 1 has made 1000 comments in this game, as many as a seat may")
    );
    two.annotate(game, comment(), None).expect("each seat has its own");
    chief.annotate(game, comment(), None).expect("so have those who record");
    for _ in 0..OFFERS_MAX {
        one.offer_draw(game, 1, None).unwrap();
        two.answer_draw(game, 2, false, None).unwrap();
    }
    assert_eq!(one.offer_draw(game, 1, None).err().unwrap().code(), "BAD_INPUT");
    two.offer_draw(game, 2, None).unwrap();
    one.answer_draw(game, 1, false, None).expect("it has answered none so far");
    let events = service.log().head(game).unwrap().seq() + 1;
    assert!(events * 13 < EVENTS_MAX, "{events} events: not even thirteen such seats would fill a log");
}
