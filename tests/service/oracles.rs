//! A recorder learns nothing about a secret by trying actions that are then not written. Neither the order of
//! the checks nor the time of a refusal reveals whether an action is legal.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use plybook_api::access::Role;
use plybook_events::Actor;
use plybook_rules::AnyPosition;
use plybook_store::Store;
use serde_json::{Value, json};

use crate::house::{Dice, House, caller, kinds};
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

    /// An action that is legal, and one that is not.
    fn actions(&self) -> [String; 2] {
        let mut dice = Dice(1);
        [self.position.sample(Actor::Seat(self.seat), &mut |n| dice.below(n)), "nonsense".to_owned()]
    }

    /// What a recorder is answered, without the action that an answer repeats; nothing is recorded.
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
async fn a_conflict_is_told_before_any_action_is_judged() {
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
async fn what_cannot_be_recorded_is_refused_before_it_is_judged() {
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
    // The first write that fails makes the service read-only.
    let create = "mutation { createPlayer(input: { name: \"Ada\" }) { id } }";
    assert_eq!(house.ask(&caller(Role::Recorder), create, json!({})).await.code(), "OUTCOME_UNKNOWN");
    for game in games {
        for action in game.actions() {
            let told = game.refusal(&house, ACT, json!({ "s": game.seat, "a": action })).await;
            assert_eq!(told["extensions"]["code"], "READ_ONLY", "{}: {action}", game.kind);
        }
    }
}

/// Suggestions are not made for actions of more than 200 characters. If the time of a refusal showed that
/// they are made for one of 200, it would tell how long the hidden list is.
#[tokio::test]
async fn suggestions_nobody_gets_cost_no_time() {
    let house = House::new();
    let mut compared = 0;
    for game in Secretive::games(&house).await {
        if game.position.legal(Actor::Seat(game.seat)).is_none_or(|legal| legal.len() < 30) {
            continue;
        }
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..60 {
            for (times, len) in times.iter_mut().zip([200, 201]) {
                let variables = json!({ "g": game.id, "s": game.seat, "a": "x".repeat(len) });
                let start = Instant::now();
                let answer = house.ask(&caller(Role::Recorder), ACT, variables).await;
                times.push(start.elapsed());
                assert_eq!(answer.code(), "ILLEGAL_ACTION");
            }
        }
        let [short, long] = times.map(median);
        assert!(short < long * 2, "{}: {short:?} for 200 characters, {long:?} for 201", game.kind);
        compared += 1;
    }
    assert!(compared > 0, "no game has a list to suggest from");
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
