//! Analyses of whole games.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use plybook_api::access::{Caller, Role};
use plybook_api::analysis::Examiner;
use plybook_api::service::JOBS_MAX;
use plybook_events::{Actor, Hash, LogId};
use plybook_rules::{AnyPosition, kind};
use plybook_store::{Options, Store};
use serde_json::{Value, json};

use crate::hall::Hall;
use crate::house::{Answer, Dice, House, act_input, caller, kinds, next, nobody, player, seat, text};
use crate::tournament_roles::Stage;

/// All that there is to an analysis.
const WHOLE: &str = "game { id } engine playouts head stale done total state accuracy turningPoints \
    plies { ply chances draw best line lossOfPlayed luck glyph }";

const FOLLOW: &str = "subscription($g: ID!) { analysisProgress(game: $g) { state done total plies { ply } } }";

/// Few playouts: these tests are of the service.
const PLAYOUTS: u32 = 40;

async fn analyze(house: &House, who: &Caller, game: &str, playouts: u32) -> Answer {
    let query = "mutation($g: ID!, $p: Int) { analyze(game: $g, playouts: $p) { state done total stale } }";
    house.ask(who, query, json!({ "g": game, "p": playouts })).await
}

/// What somebody sees of the analysis of a game; null if there is none.
async fn seen(house: &House, who: &Caller, game: &str) -> Value {
    let query = format!("query($g: ID!) {{ game(id: $g) {{ analysis {{ {WHOLE} }} }} }}");
    house.ask(who, &query, json!({ "g": game })).await.ok()["game"]["analysis"].clone()
}

/// The analysis of a game, once it is complete.
async fn analysed(house: &House, game: &str, playouts: u32) -> Value {
    analyze(house, &Caller::ADMIN, game, playouts).await.ok();
    complete(house, game).await
}

async fn complete(house: &House, game: &str) -> Value {
    for _ in 0..6_000 {
        let found = seen(house, &Caller::ADMIN, game).await;
        if found["state"] == "DONE" {
            return found;
        }
        assert!(found["state"] == "QUEUED" || found["state"] == "RUNNING", "{found}");
        assert_eq!((&found["accuracy"], &found["turningPoints"]), (&nulls(&found["accuracy"]), &json!([])));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the analysis of {game} takes too long");
}

/// As many nulls.
fn nulls(list: &Value) -> Value {
    list.as_array().unwrap().iter().map(|_| Value::Null).collect()
}

fn token(number: u64, role: Role) -> Caller {
    Caller { token: Some(Hash::of_event(&number.to_be_bytes())), ..caller(role) }
}

/// A game of a kind that anybody may see, with some actions.
async fn played(house: &House, kind: &str, plies: usize) -> String {
    let seats: Vec<Value> = (0..crate::house::seats_of(kind)).map(|_| json!({})).collect();
    let game = house.create_as(json!({ "kind": kind, "seats": seats, "open": true })).await;
    house.play_on(&game, plies, &mut Dice(3)).await;
    game
}

#[tokio::test]
async fn an_analysis_says_of_every_ply_what_the_engine_finds() {
    let house = House::new();
    for rules in kinds() {
        let name = rules.about().kind;
        let game = played(&house, name, 14).await;
        let found = analysed(&house, &game, PLAYOUTS).await;
        let replay = house.service.game(game.parse().unwrap()).unwrap().replay();
        let plies = found["plies"].as_array().unwrap();
        assert_eq!(plies.len(), replay.mainline().len() + 1, "{name}");
        assert_eq!((&found["done"], &found["total"]), (&json!(plies.len()), &json!(plies.len())), "{name}");
        assert_eq!((&found["playouts"], &found["stale"]), (&json!(PLAYOUTS), &json!(false)), "{name}");
        assert_eq!((&found["game"]["id"], found["engine"].as_str().is_some()), (&json!(game), true), "{name}");
        let seats = usize::from(replay.position().seats());
        assert_eq!(found["accuracy"].as_array().unwrap().len(), seats, "{name}");
        // The same, from the engine itself, and with the plies the other way round.
        let examiner = Examiner::new(Arc::clone(&replay), PLAYOUTS);
        for (number, ply) in plies.iter().enumerate().rev() {
            let part = |part: &Value| part.as_f64().unwrap();
            let chances: Vec<f64> = ply["chances"].as_array().unwrap().iter().map(part).collect();
            assert_eq!((&ply["ply"], chances.len()), (&json!(number), seats), "{name}");
            let sum = chances.iter().sum::<f64>() + part(&ply["draw"]);
            assert!((sum - 1.0).abs() < 1e-3, "{name}, ply {number}: {sum}");
            let next = (number + 1 < plies.len()).then(|| examiner.search(number + 1));
            let again = examiner.judge(number, &examiner.search(number), next.as_ref());
            assert_eq!((ply["best"].as_str(), &ply["chances"]), (again.best.as_deref(), &json!(again.chances())));
            assert_eq!((ply["lossOfPlayed"].as_f64(), &ply["luck"]), (again.loss(), &json!(again.luck())), "{name}");
            let Some(done) = replay.mainline().get(number) else {
                assert!(ply["lossOfPlayed"].is_null() && ply["luck"].is_null() && ply["glyph"].is_null());
                continue;
            };
            assert_eq!(ply["luck"].is_null(), done.actor != Actor::Chance, "{name}, ply {number}");
            if done.actor == Actor::Chance {
                assert!(ply["lossOfPlayed"].is_null() && ply["glyph"].is_null(), "a roll is nobody's mistake");
                let sum: f64 = ply["luck"].as_array().unwrap().iter().map(part).sum();
                assert!(sum.abs() < 2e-3, "{name}, ply {number}: one's luck is the others' misfortune: {sum}");
                continue;
            }
            let position = replay.position_at(number).unwrap();
            position.judge(done.actor, ply["best"].as_str().unwrap()).unwrap();
            assert_eq!(ply["line"][0], ply["best"], "{name}, ply {number}");
            if ply["best"].as_str() == Some(&*done.action) {
                assert!(ply["lossOfPlayed"].as_f64().unwrap_or_default() == 0.0, "{name}, ply {number}: {ply}");
            }
            let is_forced = position.legal(done.actor).is_some_and(|legal| legal.len() == 1);
            assert_eq!(ply["lossOfPlayed"].is_null(), is_forced, "{name}, ply {number}");
        }
    }
}

/// A game in which a seat can win at once, does something else, and lets the other seat win at once: the winning
/// actions, and the actions.
fn blundered() -> (Vec<String>, Vec<(Actor, String)>) {
    let wins = |position: &dyn AnyPosition| -> (Vec<String>, Vec<String>) {
        let Some(actor) = position.to_act().only() else { return Default::default() };
        let Actor::Seat(seat) = actor else { return Default::default() };
        position.legal(actor).unwrap_or_default().into_iter().partition(|action| {
            let mut after = position.boxed();
            after.act(actor, action).unwrap();
            after.outcome().is_some_and(|outcome| outcome.winners == [seat])
        })
    };
    for seed in 0..2_000 {
        let mut dice = Dice(seed);
        let mut position = crate::house::start(kind("triangulate").unwrap());
        let mut played = Vec::new();
        while let Some(actor) = position.to_act().only().filter(|_| played.len() < 200) {
            let (winning, others) = wins(position.as_ref());
            if !winning.is_empty() {
                for action in others {
                    let mut after = position.boxed();
                    after.act(actor, &action).unwrap();
                    if after.to_act().only() != Some(actor) && !wins(after.as_ref()).0.is_empty() {
                        played.push((actor, action));
                        return (winning, played);
                    }
                }
            }
            let action = position.sample(actor, &mut |n| dice.below(n));
            position.act(actor, &action).unwrap();
            played.push((actor, action));
        }
    }
    panic!("no random game has such a position");
}

#[tokio::test]
async fn to_miss_a_win_and_allow_another_is_a_blunder() {
    let house = House::new();
    let (winning, actions) = blundered();
    let setup = crate::house::start(kind("triangulate").unwrap()).to_json(plybook_rules::Viewer::All);
    let game = house.create_as(json!({ "kind": "triangulate", "seats": [{}, {}], "position": setup })).await;
    let sent: Vec<Value> = actions.iter().map(|(actor, action)| act_input(*actor, action)).collect();
    house.act_all(&game, &sent).await.ok();
    let found = analysed(&house, &game, 300).await;
    let last = actions.len() - 1;
    let Actor::Seat(seat) = actions[last].0 else { panic!("a seat blunders") };
    let (ply, after) = (&found["plies"][last], &found["plies"][last + 1]);
    assert_eq!((&ply["glyph"], &ply["lossOfPlayed"]), (&json!("??"), &json!(1.0)), "{ply}");
    assert!(winning.contains(&text(&ply["best"])), "{ply}");
    assert_eq!(ply["chances"][usize::from(seat) - 1], 1.0, "the win is proved: {ply}");
    assert_eq!(after["chances"][usize::from(seat) - 1], 0.0, "and so is the loss: {after}");
    assert_eq!(found["turningPoints"][0], last, "{found}");
    let accuracy = found["accuracy"][usize::from(seat) - 1].as_f64().unwrap();
    assert!(accuracy < 100.0, "{accuracy}");
}

#[tokio::test]
async fn an_analysis_is_stale_once_the_game_goes_on() {
    let house = House::new();
    let game = played(&house, "triangulate", 6).await;
    let first = analysed(&house, &game, PLAYOUTS).await;
    let told = analyze(&house, &Caller::ADMIN, &game, PLAYOUTS - 1).await.ok();
    assert_eq!(told["analyze"]["state"], "DONE", "what is as good is not made again");
    house.play_on(&game, 1, &mut Dice(5)).await;
    let old = seen(&house, &Caller::SPECTATOR, &game).await;
    assert_eq!((&old["stale"], &old["head"], &old["plies"]), (&json!(true), &first["head"], &first["plies"]));
    let new = analysed(&house, &game, PLAYOUTS).await;
    assert_eq!((&new["stale"], new["total"].as_u64()), (&json!(false), Some(first["total"].as_u64().unwrap() + 1)));
    assert_ne!(new["head"], first["head"]);
    let better = analysed(&house, &game, PLAYOUTS + 1).await;
    assert_eq!(better["playouts"], PLAYOUTS + 1, "more playouts replace it");
}

#[tokio::test]
async fn an_analysis_is_kept_over_a_restart() {
    let dir = tempfile::tempdir().unwrap();
    let open = || House::over(Store::open(dir.path(), &Options::DEFAULT, &mut |_, _| {}).unwrap());
    let house = open();
    let game = played(&house, "tri", 8).await;
    let before = analysed(&house, &game, PLAYOUTS).await;
    house.service.close();
    drop(house);
    assert_eq!(seen(&open(), &Caller::SPECTATOR, &game).await, before);
}

#[tokio::test]
async fn whoever_follows_an_analysis_is_told_until_it_is_complete() {
    let house = House::new();
    let game = played(&house, "triangulate", 10).await;
    let code = |answers: Vec<Answer>| answers.iter().map(Answer::code).collect::<Vec<_>>();
    let refused = house.follow(&Caller::SPECTATOR, FOLLOW, json!({ "g": game })).collect::<Vec<_>>().await;
    assert_eq!(code(refused), ["NOT_FOUND"], "there is none yet");
    analyze(&house, &Caller::ADMIN, &game, 2_000).await.ok();
    let mut told = Vec::new();
    let mut stream = house.follow(&Caller::SPECTATOR, FOLLOW, json!({ "g": game }));
    loop {
        let answer = next(&mut stream).await.ok()["analysisProgress"].clone();
        assert_eq!(answer["done"].as_u64().unwrap() as usize, answer["plies"].as_array().unwrap().len());
        told.push((answer["done"].as_u64().unwrap(), text(&answer["state"])));
        if told.last().unwrap().1 == "DONE" {
            break;
        }
    }
    assert!(told.is_sorted(), "{told:?}");
    assert_eq!(told.last().unwrap().0, 11, "{told:?}");
    assert!(stream.next().await.is_none(), "that was all");
    let kept = house.follow(&Caller::SPECTATOR, FOLLOW, json!({ "g": game })).collect::<Vec<_>>().await;
    assert_eq!(kept.len(), 1, "a complete one is told once");
    let unknown = house.follow(&Caller::SPECTATOR, FOLLOW, json!({ "g": nobody() })).collect::<Vec<_>>().await;
    assert_eq!(code(unknown), ["NOT_FOUND"]);
}

#[tokio::test]
async fn everybody_has_one_game_analysed_at_a_time_and_the_queue_is_bounded() {
    let house = House::new();
    let mut games = Vec::new();
    for _ in 0..JOBS_MAX + 2 {
        games.push(played(&house, "tri", 30).await);
    }
    let recorder = |number: usize| token(number as u64, Role::Recorder);
    for (number, game) in games[..JOBS_MAX].iter().enumerate() {
        let told = analyze(&house, &recorder(number), game, 20_000).await;
        assert_eq!(told.ok()["analyze"]["state"], "QUEUED", "{number}");
        let told = analyze(&house, &recorder(number), game, 20_000).await.ok();
        assert_ne!(told["analyze"]["state"], "DONE", "the same again is no other");
    }
    let own = analyze(&house, &recorder(0), &games[JOBS_MAX], 1).await;
    assert!(own.says().contains(&format!("the game {} is being analysed for you", games[0])), "{own:?}");
    let other = analyze(&house, &recorder(JOBS_MAX), &games[JOBS_MAX], 1).await;
    assert_eq!(
        (other.code().as_str(), other.says().contains("too many games are being analysed")),
        ("BAD_INPUT", true)
    );
}

#[tokio::test]
async fn what_cannot_be_analysed_is_refused_with_the_reason() {
    let house = House::new();
    let game = played(&house, "triangulate", 4).await;
    for playouts in [0, 20_001] {
        let refused = analyze(&house, &Caller::ADMIN, &game, playouts).await;
        assert!(refused.says().contains("a number from 1 to 20000"), "{refused:?}");
    }
    assert_eq!(analyze(&house, &Caller::ADMIN, &nobody(), 1).await.code(), "NOT_FOUND");
    let person = house.player("Ada").await;
    assert_eq!(analyze(&house, &Caller::ADMIN, &person, 1).await.code(), "NOT_FOUND");
    house.service.set_analysis_workers(0);
    let off = analyze(&house, &Caller::ADMIN, &game, 1).await;
    assert_eq!((off.code().as_str(), off.says().contains("plybook analyse --game")), ("BAD_INPUT", true));
}

/// A game with secrets is analysed open, and therefore not while it runs: neither made nor shown.
#[tokio::test]
async fn a_running_game_with_secrets_is_not_analysed() {
    let house = House::new();
    for rules in kinds().into_iter().filter(|rules| rules.about().secrets) {
        let game = house.create(rules.about().kind).await;
        house.play_on(&game, 6, &mut Dice(3)).await;
        for who in [Caller::ADMIN, caller(Role::Arbiter), caller(Role::Recorder), seat(&game, 1)] {
            let refused = analyze(&house, &who, &game, 1).await;
            assert_eq!(refused.code(), "BAD_INPUT", "{refused:?}");
            assert!(refused.says().contains("it can be analysed once it is over"), "{refused:?}");
        }
        let change = async |field: &str| {
            house
                .get(
                    &format!("mutation($g: ID!) {{ {field}(game: $g, reason: \"r\") {{ id }} }}"),
                    json!({ "g": game }),
                )
                .await
        };
        change("voidGame").await;
        analysed(&house, &game, PLAYOUTS).await;
        let mut stream = house.follow(&Caller::ADMIN, FOLLOW, json!({ "g": game }));
        assert_eq!(next(&mut stream).await.ok()["analysisProgress"]["state"], "DONE");
        change("unvoidGame").await;
        for who in [Caller::SPECTATOR, Caller::ADMIN, seat(&game, 1)] {
            assert!(seen(&house, &who, &game).await.is_null(), "it runs again");
            let mut stream = house.follow(&who, FOLLOW, json!({ "g": game }));
            assert_eq!(next(&mut stream).await.code(), "BAD_INPUT");
        }
    }
}

/// A line is public knowledge, but what a running tournament game is worth is for arbiters only.
#[tokio::test]
async fn running_tournament_games_are_analysed_for_arbiters_only() {
    let house = House::new();
    let (hall, other) = (Hall::at(&house, Stage::Open).await, Hall::at(&house, Stage::Planned).await);
    let game = hall.games(1).await[0].0.clone();
    let ada = house.player("Ada").await;
    let fork = "mutation($g: ID!) { fork(game: $g, ply: 0) { id } }";
    let line = text(&house.ask(&player(&ada), fork, json!({ "g": game })).await.ok()["fork"]["id"]);
    let organiser = |of: &Hall<'_>| Caller { tournament: Some(of.id.parse().unwrap()), ..caller(Role::Organiser) };
    for id in [&game, &line] {
        for (who, code) in [
            (Caller::SPECTATOR, "UNAUTHENTICATED"),
            (player(&ada), "FORBIDDEN"),
            (caller(Role::Recorder), "FORBIDDEN"),
            (organiser(&other), "FORBIDDEN"),
            (organiser(&hall), "OK"),
            (caller(Role::Arbiter), "OK"),
        ] {
            assert_eq!(analyze(&house, &who, id, 1).await.code(), code, "{who:?}");
            if code == "OK" {
                complete(&house, id).await;
            }
            assert_eq!(seen(&house, &who, id).await.is_null(), code != "OK", "{who:?}");
            let told = next(&mut house.follow(&who, FOLLOW, json!({ "g": id }))).await.code();
            assert_eq!(told, code, "{who:?}");
        }
        assert!(seen(&house, &Caller::SPECTATOR, id).await.is_null());
    }
    hall.play(1).await;
    for id in [&game, &line] {
        assert_eq!(seen(&house, &Caller::SPECTATOR, id).await["state"], "DONE", "it is over");
    }
    let before: LogId = game.parse().unwrap();
    assert!(house.service.analysis(before).unwrap().is_some());
}
