//! Players, tables and recorders who try to fill a log, so that nobody can end the game.

use std::sync::Arc;

use plybook_api::access::{Caller, Desk, Role};
use plybook_api::error::Problem;
use plybook_api::http::Limits;
use plybook_api::service::{NewLine, Service};
use plybook_events::LogId;
use plybook_events::body::Annotated;
use plybook_rules::log::{
    ARRANGED_MAX, COMMENTS_MAX, Command, EVENTS_MAX, EVENTS_RESERVED, OFFERS_MAX, RECORDED_COMMENTS_MAX, Status,
};
use plybook_store::Store;
use plybook_tests::logs;
use serde_json::{Value, json};

use crate::house::House;

fn game(service: &Arc<Service>) -> LogId {
    let schema = plybook_api::schema::build(Arc::clone(service));
    let create = "mutation { createGame(input: { kind: \"triangulate\", seats: [{}, {}] }) { id } }";
    let request = async_graphql::Request::new(create).data(Caller::ADMIN);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let answer: Value = serde_json::to_value(runtime.block_on(schema.execute(request))).unwrap();
    answer["data"]["createGame"]["id"].as_str().unwrap().parse().unwrap()
}

fn comment() -> Annotated {
    serde_json::from_value(json!({ "ply": 0, "comment": "a" })).unwrap()
}

fn told<T>(refused: Result<T, Problem>) -> String {
    let refused = refused.err().expect("it is refused");
    assert_eq!(refused.code(), "BAD_INPUT", "{refused}");
    refused.to_string()
}

/// Neither comments nor draw offers of a seat fill a log, and the game continues.
#[test]
fn a_seat_cannot_fill_a_game_with_remarks() {
    let service = Service::start(Store::in_memory().unwrap()).unwrap();
    let game = game(&service);
    let seat = |seat| {
        let caller = Caller { role: Role::Player, game: Some(game), seat: Some(seat), ..Caller::SPECTATOR };
        Desk::new(&service, caller)
    };
    let (one, two, chief) = (seat(1), seat(2), Desk::new(&service, Caller::ADMIN));
    for _ in 0..COMMENTS_MAX {
        one.annotate(game, comment(), None).unwrap();
    }
    let refused = told(one.annotate(game, comment(), None));
    assert_eq!(refused, "seat 1 has made 1000 comments in this game, as many as a seat may");
    two.annotate(game, comment(), None).expect("each seat has its own");
    chief.annotate(game, comment(), None).expect("so have those who record");
    for _ in 0..OFFERS_MAX {
        one.command(game, Command::OfferDraw(1), None).unwrap();
        two.command(game, Command::AnswerDraw { seat: 2, accept: false }, None).unwrap();
    }
    told(one.command(game, Command::OfferDraw(1), None));
    two.command(game, Command::OfferDraw(2), None).unwrap();
    one.command(game, Command::AnswerDraw { seat: 1, accept: false }, None).expect("it has answered none so far");
    let seats = 13 * u64::from(COMMENTS_MAX + 2 * OFFERS_MAX);
    assert!(seats + u64::from(RECORDED_COMMENTS_MAX) < EVENTS_MAX - EVENTS_RESERVED, "all of them leave room to play");
}

/// What tables, recorders and arbiters say has a limit, too; that of the seats stays theirs.
#[test]
fn whoever_records_cannot_fill_a_game_with_comments() {
    let service = Service::start(Store::in_memory().unwrap()).unwrap();
    let game = game(&service);
    logs::comment(service.log(), game, u64::from(RECORDED_COMMENTS_MAX) - 1);
    let desk = |caller| Desk::new(&service, caller);
    let table = Caller { role: Role::Recorder, game: Some(game), ..Caller::SPECTATOR };
    desk(table.clone()).annotate(game, comment(), None).unwrap();
    for caller in [table, Caller { role: Role::Recorder, ..Caller::SPECTATOR }, Caller::ADMIN] {
        let refused = told(desk(caller).annotate(game, comment(), None));
        assert_eq!(refused, "this game has 10000 comments, as many as are recorded");
    }
    let seat = Caller { role: Role::Player, game: Some(game), seat: Some(1), ..Caller::SPECTATOR };
    desk(seat).annotate(game, comment(), None).unwrap();
}

/// On a line, comments and names have limits, whoever owns it.
#[test]
fn nobody_fills_a_line_with_comments_or_names() {
    let service = Service::start(Store::in_memory().unwrap()).unwrap();
    let game = game(&service);
    let chief = Desk::new(&service, Caller::ADMIN);
    let (ply, actions) = (0, vec!["b1-b2".to_owned()]);
    let new =
        NewLine { game, ply, actions, position: None, name: None, assume: Vec::new(), owner: None, is_hidden: false };
    let line = chief.fork(new).unwrap().replay().log();
    let seat = Caller { role: Role::Player, game: Some(game), seat: Some(1), ..Caller::SPECTATOR };
    logs::comment(service.log(), line, u64::from(COMMENTS_MAX) - 1);
    chief.annotate(line, comment(), None).unwrap();
    assert_eq!(told(chief.annotate(line, comment(), None)), "this line has 1000 comments, as many as are recorded");
    for n in 0..ARRANGED_MAX {
        chief.arrange(line, Some(format!("line {n}")), None, false).unwrap();
    }
    // It can be hidden all the same, and stays so.
    let full = "this line has 1000 changes to its name, place or visibility, as many as are recorded";
    assert_eq!(told(chief.arrange(line, Some("hidden".to_owned()), Some(true), false)), full);
    chief.arrange(line, None, Some(true), false).unwrap();
    assert_eq!(told(chief.arrange(line, None, Some(true), false)), full);
    assert_eq!(told(chief.arrange(line, None, Some(false), false)), full);
    assert!(Desk::new(&service, seat).annotate(line, comment(), None).is_err());
}

/// A game that is as long as it may get: nothing is played or said in it any more, and everything that ends it is taken.
#[test]
fn a_full_game_can_be_ended_by_everybody_who_may() {
    let house = House::new(Limits::default());
    let id = house.game(EVENTS_MAX - EVENTS_RESERVED);
    let game: LogId = id.parse().unwrap();
    let token = |role, seat| {
        let caller = Caller { role, game: Some(game), seat, ..Caller::SPECTATOR };
        house.tokens.create(&caller, "link", None).unwrap()
    };
    let arbiter = house.token(Role::Arbiter);
    let (table, one, two) = (token(Role::Recorder, None), token(Role::Player, Some(1)), token(Role::Player, Some(2)));
    let ask = |token: &str, field: &str| {
        let answer = house.ask(Some(token), &format!("mutation {{ {field} {{ status }} }}"));
        let says = answer["errors"][0]["message"].as_str().unwrap_or_default().to_owned();
        let name = field.split('(').next().unwrap();
        (answer["data"][name]["status"].as_str().unwrap_or("REFUSED").to_owned(), says)
    };
    let mutation = |name: &str, more: &str| format!("{name}(game: \"{id}\"{more})");
    let act = mutation("act", ", seat: 1, action: \"b1-b2\"");
    let annotate = mutation("annotate", ", ply: 0, comment: \"a\"");
    for token in [&one, &table, &house.token(Role::Recorder), &arbiter] {
        for field in [&act, &annotate] {
            let (status, says) = ask(token, field);
            let is_told = says.contains("up to 95000 events") && says.contains("it can still be resigned");
            assert!(status == "REFUSED" && is_told, "{field}: {status} {says}");
        }
    }
    let reopen = mutation("reopenGame", ", reason: \"r\"");
    let adjudicate = mutation("adjudicate", ", input: { winners: [2], reason: \"r\" }");
    let steps = [
        (&one, mutation("offerDraw", ", seat: 1"), "RUNNING"),
        (&two, mutation("answerDraw", ", seat: 2, accept: true"), "FINISHED"),
        (&arbiter, reopen.clone(), "RUNNING"),
        (&one, mutation("resign", ", seat: 1"), "FINISHED"),
        (&arbiter, reopen.clone(), "RUNNING"),
        (&table, mutation("flagFall", ", seat: 1"), "FINISHED"),
        (&arbiter, reopen.clone(), "RUNNING"),
        (&table, mutation("abandon", ", seat: 1"), "FINISHED"),
        (&arbiter, reopen.clone(), "RUNNING"),
        (&arbiter, adjudicate.clone(), "FINISHED"),
        (&arbiter, mutation("adjudicate", ", input: { winners: [1], reason: \"r\" }"), "FINISHED"),
        (&arbiter, mutation("voidGame", ", reason: \"r\""), "VOID"),
        (&arbiter, mutation("unvoidGame", ", reason: \"r\""), "FINISHED"),
        (&arbiter, reopen.clone(), "RUNNING"),
    ];
    for (token, field, expected) in &steps {
        let (status, says) = ask(token, field);
        assert_eq!(status, *expected, "{field}: {says}");
    }
    // Arbiters use up the rest as well: the end is taken all the same, and only what undoes it is not.
    let live = house.service.game(game).unwrap();
    let and_back = [Command::Void { reason: "r".to_owned() }, Command::Unvoid { reason: "r".to_owned() }];
    while live.replay().events() + 1 < EVENTS_MAX {
        house.service.command(&live, &and_back, None).unwrap();
    }
    if live.replay().events() < EVENTS_MAX {
        house.service.command(&live, &[Command::OfferDraw(1)], None).unwrap();
    }
    assert_eq!(live.replay().status(), Status::Running);
    let steps = [
        (&arbiter, mutation("takeBack", ", toPly: 0, reason: \"r\""), "REFUSED"),
        (&one, mutation("offerDraw", ", seat: 1"), "REFUSED"),
        (&one, mutation("resign", ", seat: 1"), "FINISHED"),
        (&arbiter, reopen, "REFUSED"),
        (&arbiter, adjudicate, "REFUSED"),
        (&arbiter, mutation("voidGame", ", reason: \"r\""), "VOID"),
        (&arbiter, mutation("unvoidGame", ", reason: \"r\""), "REFUSED"),
    ];
    for (token, field, expected) in &steps {
        let (status, says) = ask(token, field);
        assert_eq!(status, *expected, "{field}: {says}");
        assert!(status != "REFUSED" || says.contains("at most 100000 events"), "{field}: {says}");
    }
}
