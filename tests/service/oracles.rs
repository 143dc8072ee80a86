//! A recorder learns nothing about a secret by trying actions that are then not written: the order of the
//! checks does not reveal whether an action is legal. For what time reveals, see `tests/leaks/timing.rs`.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use plybook_api::access::Role;
use plybook_events::Actor;
use plybook_rules::AnyPosition;
use plybook_rules::log::{EVENTS_MAX, EVENTS_RESERVED};
use plybook_store::Store;
use plybook_tests::logs;
use serde_json::{Value, json};

use crate::house::{Dice, House, caller, kinds, seat};
use crate::refusals::Failing;

const ACT: &str = "mutation($g: ID!, $s: Int, $a: String!, $e: Int, $c: Int) {
    act(game: $g, seat: $s, action: $a, expectedSeq: $e, clockMs: $c) { id } }";
const ACT_ALL: &str =
    "mutation($g: ID!, $a: [ActInput!]!, $e: Int) { actAll(game: $g, actions: $a, expectedSeq: $e) { id } }";

/// A running game with secrets in which a seat is to act.
struct Secretive {
    kind: &'static str,
    id: String,
    seat: u8,
    position: Box<dyn AnyPosition>,
}

impl Secretive {
    /// Games of every kind with secrets, after some actions, with a seat to act.
    async fn games(house: &House) -> Vec<Self> {
        let mut games = Vec::new();
        for rules in kinds().iter().filter(|rules| rules.about().secrets) {
            for plies in [0, 5, 11, 14] {
                let kind = rules.about().kind;
                let id = house.create(kind).await;
                house.play(&id, plies, &mut Dice(5)).await;
                let position = house.service.game(id.parse().unwrap()).unwrap().replay().position().boxed();
                if let Some(Actor::Seat(seat)) = position.to_act().iter().next() {
                    games.push(Self { kind, id, seat, position });
                }
            }
        }
        assert!(games.len() > 2, "some games have secrets");
        games
    }

    /// A legal action and an illegal one.
    fn actions(&self) -> [String; 2] {
        let mut dice = Dice(1);
        [self.position.sample(Actor::Seat(self.seat), &mut |n| dice.below(n)), "nonsense".to_owned()]
    }

    /// The answer to a recorder, without the action that it quotes; nothing is recorded.
    async fn refusal(&self, house: &House, query: &str, variables: Value) -> Value {
        let head = house.head(&self.id).await;
        let mut variables = variables;
        variables["g"] = json!(self.id);
        let answer = house.ask(&caller(Role::Recorder), query, variables).await;
        assert_eq!((answer.errors.len(), house.head(&self.id).await), (1, head), "{}: {answer:?}", self.kind);
        let mut error = answer.errors[0].clone();
        error["message"] = json!(null);
        error["extensions"]["action"] = json!(null);
        error
    }
}

#[tokio::test]
async fn a_conflict_is_reported_before_any_action_is_judged() {
    let house = House::new();
    for game in Secretive::games(&house).await {
        for action in game.actions() {
            let both = json!([{ "seat": game.seat, "action": action }, { "seat": game.seat, "action": "junk" }]);
            let told = game.refusal(&house, ACT_ALL, json!({ "a": both, "e": 9999 })).await;
            assert_eq!(told["extensions"]["code"], "LOG_CONFLICT", "{}: {action}", game.kind);
            let told = game.refusal(&house, ACT, json!({ "s": game.seat, "a": action, "e": 9999 })).await;
            assert_eq!(told["extensions"]["code"], "LOG_CONFLICT", "{}: {action}", game.kind);
        }
    }
}

#[tokio::test]
async fn requests_that_cannot_be_recorded_are_refused_before_judging() {
    let house = House::new();
    for game in Secretive::games(&house).await {
        let [legal, illegal] = game.actions();
        for clock_ms in [1_u64 << 53, u64::MAX] {
            let with = |action: &str| json!({ "s": game.seat, "a": action, "c": clock_ms });
            let told = game.refusal(&house, ACT, with(&legal)).await;
            assert_eq!(told, game.refusal(&house, ACT, with(&illegal)).await, "{}", game.kind);
        }
    }
}

#[tokio::test]
async fn a_service_that_cannot_write_judges_nothing() {
    let journal = Arc::new(Failing::default());
    let house = House::over(Store::over(journal.clone()).unwrap());
    let games = Secretive::games(&house).await;
    journal.has_failed.store(true, Ordering::Relaxed);
    // The first failing write makes the service read-only.
    let create = "mutation { createPlayer(input: { name: \"Ada\" }) { id } }";
    assert_eq!(house.ask(&caller(Role::Recorder), create, json!({})).await.code(), "OUTCOME_UNKNOWN");
    for game in games {
        for action in game.actions() {
            let told = game.refusal(&house, ACT, json!({ "s": game.seat, "a": action })).await;
            assert_eq!(told["extensions"]["code"], "READ_ONLY", "{}: {action}", game.kind);
        }
    }
}

/// A further action would be judged after the first one, and refused together with it: the answer, or its
/// time, would reveal something about the first.
#[tokio::test]
async fn actions_are_sent_one_by_one_while_there_are_secrets() {
    let house = House::new();
    for game in Secretive::games(&house).await {
        let [legal, illegal] = game.actions();
        let batches = [vec![&legal, &illegal], vec![&illegal, &legal], vec![&legal, &legal], vec![&illegal; 3]];
        for who in [caller(Role::Recorder), seat(&game.id, game.seat)] {
            for batch in &batches {
                let acts: Vec<Value> =
                    batch.iter().map(|action| json!({ "seat": game.seat, "action": action })).collect();
                let answer = house.ask(&who, ACT_ALL, json!({ "g": game.id, "a": acts })).await;
                assert_eq!(answer.code(), "BAD_INPUT", "{}: {batch:?}", game.kind);
                assert!(answer.says().contains("one by one"), "{}: {}", game.kind, answer.says());
            }
        }
        // A caller who sees everything has nothing to learn.
        let head = house.head(&game.id).await;
        let acts = [json!({ "seat": game.seat, "action": legal }), json!({ "seat": game.seat, "action": illegal })];
        assert_ne!(house.act_all(&game.id, &acts).await.code(), "BAD_INPUT", "{}", game.kind);
        assert_eq!(house.head(&game.id).await, head);
    }
}

/// The number of events that an action brings can depend on secrets: whether there is room is checked first.
#[tokio::test]
async fn a_full_log_is_refused_before_anything_is_judged() {
    let house = House::new();
    let game = Secretive::games(&house).await.swap_remove(0);
    let id = game.id.parse().unwrap();
    let live = house.service.game(id).unwrap();
    let events = EVENTS_MAX - EVENTS_RESERVED;
    logs::comment(house.service.log(), id, events - 1 - live.replay().events());
    let mut told = Vec::new();
    for action in game.actions() {
        told.push(house.ask(&caller(Role::Recorder), ACT, json!({ "g": game.id, "s": game.seat, "a": action })).await);
    }
    assert_eq!(told[0].code(), "OK", "there is room for one");
    assert!(live.replay().events() >= events);
    assert!(told[1].says().contains("up to"), "{}", told[1].says());
    for action in game.actions() {
        let told = game.refusal(&house, ACT, json!({ "s": game.seat, "a": action })).await;
        assert_eq!(told["extensions"]["code"], "BAD_INPUT");
    }
}
