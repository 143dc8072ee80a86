//! Analyses of whole games.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use plybook_api::access::{Caller, Role};
use plybook_api::analysis::Examiner;
use plybook_api::service::JOBS_MAX;
use plybook_events::{Actor, Hash, LogId};
use plybook_rules::{AnyPosition, kind};
use plybook_tests::store;
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
    // The random game misses other wins before, which weigh as much.
    let first = &found["plies"][found["turningPoints"][0].as_u64().unwrap() as usize];
    assert!(first["ply"].as_u64().unwrap() as usize <= last, "{first}");
    assert_eq!(first["lossOfPlayed"], 1.0, "{first}");
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
    let open = || House::over(store::open(dir.path()).unwrap());
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
    assert!(told.is_sorted_by_key(|(done, _)| *done), "{told:?}");
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

async fn record(house: &House, who: &Caller, game: &str, format: &str) -> String {
    let query = format!("query($g: ID!) {{ game(id: $g) {{ record(format: {format}, withAnalysis: true) }} }}");
    text(&house.ask(who, &query, json!({ "g": game })).await.ok()["game"]["record"])
}

async fn import(record: &str, format: &str) -> Answer {
    let query = format!("mutation($r: String!) {{ importRecord(record: $r, format: {format}) {{ id ply }} }}");
    House::new().ask(&Caller::ADMIN, &query, json!({ "r": record })).await
}

#[tokio::test]
async fn a_record_carries_the_analysis_of_the_game_that_it_is_of() {
    let house = House::new();
    let game = house.create_as(json!({ "kind": "triangulate", "seats": [{}, {}] })).await;
    house.play_on(&game, 9, &mut Dice(2)).await;
    let annotate = "mutation($g: ID!) { annotate(game: $g, ply: 3, comment: \"Bold.\", glyphs: [\"!?\"]) { id } }";
    house.get(annotate, json!({ "g": game })).await;
    let (_, actions) = blundered();
    let sent: Vec<Value> = actions.iter().map(|(actor, action)| act_input(*actor, action)).collect();
    let position = crate::house::start(kind("triangulate").unwrap()).to_json(plybook_rules::Viewer::All);
    let lost = house.create_as(json!({ "kind": "triangulate", "seats": [{}, {}], "position": position })).await;
    house.act_all(&lost, &sent).await.ok();
    assert!(!record(&house, &Caller::SPECTATOR, &game, "JSON").await.contains("\"analysis\""), "there is none yet");
    let found = [analysed(&house, &game, PLAYOUTS).await, analysed(&house, &lost, 300).await];
    for (id, mut told) in [&game, &lost].into_iter().zip(found) {
        let json = record(&house, &Caller::SPECTATOR, id, "JSON").await;
        let read: Value = serde_json::from_str(&json).unwrap();
        for member in ["done", "total", "state", "stale"] {
            told.as_object_mut().unwrap().remove(member);
        }
        told["game"] = json!(id);
        assert_eq!(read["analysis"], told);
        assert_eq!(import(&json, "JSON").await.ok()["importRecord"]["id"], json!(id));
        let mut other = read.clone();
        other["analysis"]["head"] = json!(Hash::of_event(b"another"));
        let refused = import(&other.to_string(), "JSON").await;
        assert!(refused.says().contains("`analysis` was changed"), "of another state: {refused:?}");
        let written = record(&house, &Caller::SPECTATOR, id, "TEXT").await;
        let plies = told["plies"].as_array().unwrap();
        let chances: Vec<f64> =
            plies[plies.len() - 1]["chances"].as_array().unwrap().iter().filter_map(Value::as_f64).collect();
        let chances = format!("[%chances {} {}]", chances[0], chances[1]);
        assert!(written.contains(&chances) && written.contains("[Analysis \"engine "), "{chances}: {written}");
        assert_eq!(written.matches("[%chances ").count(), plies.len() - 1, "{written}");
        let ply = import(&written, "TEXT").await.ok()["importRecord"]["ply"].as_u64().unwrap() as usize;
        assert_eq!(ply + 1, plies.len(), "{written}");
        let glyphs = plies.iter().filter(|ply| ply["glyph"].is_string()).count();
        assert!(written.matches(" $").count() >= glyphs, "{written}");
    }
    let written = record(&house, &Caller::SPECTATOR, &game, "TEXT").await;
    assert!(written.contains("$!?") && written.contains("{Bold. [%chances "), "{written}");
    let written = record(&house, &Caller::SPECTATOR, &lost, "TEXT").await;
    assert!(written.contains("$??") && written.contains("[%best ") && written.contains("[Accuracy1 \""), "{written}");
    // What has no place for it says so; what is stale, or not for everybody, is left out.
    let drawn = "query($g: ID!) { game(id: $g) { record(format: SVG, withAnalysis: true) } }";
    assert_eq!(house.ask(&Caller::ADMIN, drawn, json!({ "g": game })).await.code(), "BAD_INPUT");
    house.play_on(&game, 1, &mut Dice(5)).await;
    for format in ["JSON", "TEXT"] {
        let stale = record(&house, &Caller::ADMIN, &game, format).await;
        assert!(!stale.contains("\"analysis\"") && !stale.contains("%chances"), "{stale}");
    }
    let hall = Hall::at(&house, Stage::Open).await;
    let held = hall.games(1).await[0].0.clone();
    analysed(&house, &held, 1).await;
    for (who, is_shown) in [(Caller::SPECTATOR, false), (caller(Role::Recorder), false), (caller(Role::Arbiter), true)]
    {
        assert_eq!(record(&house, &who, &held, "JSON").await.contains("\"analysis\""), is_shown, "{who:?}");
        assert_eq!(record(&house, &who, &held, "TEXT").await.contains("[Analysis "), is_shown, "{who:?}");
    }
}

/// What the statistics say of analyses, of all games or of a player's.
async fn counted(house: &House, of: Option<&str>) -> Value {
    const PART: &str = "statistics(kind: \"triangulate\") { analysis { games accuracy accuracyBySeat
        phases { actions dubious mistakes blunders } chances { ply games chances draw } } }";
    let query = of.map_or_else(|| format!("{{ {PART} }}"), |of| format!("{{ player(id: \"{of}\") {{ {PART} }} }}"));
    let told = house.ask(&Caller::SPECTATOR, &query, json!({})).await.ok();
    let of = if of.is_some() { &told["player"] } else { &told };
    of["statistics"]["analysis"].clone()
}

fn mean(values: &[f64], decimals: i32) -> Option<f64> {
    let scale = 10_f64.powi(decimals);
    (!values.is_empty()).then(|| (values.iter().sum::<f64>() / values.len() as f64 * scale).round() / scale)
}

#[tokio::test]
async fn statistics_count_the_analyses_of_games() {
    let dir = tempfile::tempdir().unwrap();
    let open = || House::over(store::open(dir.path()).unwrap());
    let house = open();
    let (ada, ben) = (house.player("Ada").await, house.player("Ben").await);
    let mut games = Vec::new();
    for (seed, seats) in [[&ada, &ben], [&ben, &ada], [&ada, &ben]].iter().enumerate() {
        let seats: Vec<Value> = seats.iter().map(|player| json!({ "player": player })).collect();
        let game = house.create_as(json!({ "kind": "triangulate", "seats": seats })).await;
        house.play_on(&game, 8 + 3 * seed, &mut Dice(seed as u64)).await;
        games.push(game);
    }
    assert_eq!(counted(&house, None).await["games"], 0);
    let mut found = Vec::new();
    for game in &games {
        found.push(analysed(&house, game, PLAYOUTS).await);
    }
    // The same from the analyses themselves: of all seats, and of Ada's.
    for (of, own) in [(None, [[true; 2]; 3]), (Some(ada.as_str()), [[true, false], [false, true], [true, false]])] {
        let told = counted(&house, of).await;
        assert_eq!(told["games"], 3);
        let by_seat = |seat: usize| -> Vec<f64> {
            let own = found.iter().zip(own).filter(|(_, own)| own[seat]);
            own.filter_map(|(game, _)| game["accuracy"][seat].as_f64()).collect()
        };
        assert_eq!(told["accuracyBySeat"], json!([mean(&by_seat(0), 1), mean(&by_seat(1), 1)]));
        assert_eq!(told["accuracy"].as_f64(), mean(&[by_seat(0), by_seat(1)].concat(), 1));
        let mut phases = vec![[0_u64; 4]; 3];
        for (game, (id, own)) in found.iter().zip(games.iter().zip(own)) {
            let replay = house.service.game(id.parse().unwrap()).unwrap().replay();
            let plies = game["plies"].as_array().unwrap();
            for (ply, played) in replay.mainline().iter().enumerate() {
                let Actor::Seat(seat) = played.actor else { continue };
                if !own[usize::from(seat) - 1] || plies[ply]["lossOfPlayed"].is_null() {
                    continue;
                }
                let phase = &mut phases[ply * 3 / replay.mainline().len()];
                phase[0] += 1;
                if let Some(mark) = ["?!", "?", "??"].iter().position(|mark| plies[ply]["glyph"] == *mark) {
                    phase[mark + 1] += 1;
                }
            }
        }
        let names = ["actions", "dubious", "mistakes", "blunders"];
        let told_phases: Vec<Vec<u64>> = told["phases"]
            .as_array()
            .unwrap()
            .iter()
            .map(|phase| names.iter().map(|name| phase[*name].as_u64().unwrap()).collect())
            .collect();
        assert_eq!(told_phases, phases, "{of:?}");
        assert!(
            phases.iter().all(|phase| phase[0] > 0) && phases.iter().any(|phase| phase[1..] != [0; 3]),
            "{phases:?}"
        );
        for (ply, chances) in told["chances"].as_array().unwrap().iter().enumerate() {
            let there: Vec<&Value> = found.iter().filter_map(|game| game["plies"].get(ply)).collect();
            assert_eq!((&chances["ply"], &chances["games"]), (&json!(ply), &json!(there.len())));
            for seat in 0..2 {
                let own: Vec<f64> = there.iter().map(|ply| ply["chances"][seat].as_f64().unwrap()).collect();
                let told = chances["chances"][seat].as_f64().unwrap();
                assert!((told - mean(&own, 4).unwrap()).abs() < 2e-4, "ply {ply}: {told}");
            }
        }
        assert_eq!(told["chances"].as_array().unwrap().len(), 15, "the longest game has 14 plies");
    }
    // Where more games are asked about than are analysed, these are gone through instead.
    let before = counted(&house, None).await;
    for kind in ["triangulate", "tri"] {
        house.create_as(json!({ "kind": kind, "seats": [{ "player": ada }, { "player": ben }] })).await;
    }
    assert_eq!(counted(&house, None).await, before);
    // It is kept, and what is stale or void is not counted.
    house.service.close();
    drop(house);
    let house = open();
    assert_eq!(counted(&house, None).await, before);
    house.get("mutation($g: ID!) { voidGame(game: $g, reason: \"r\") { id } }", json!({ "g": games[0] })).await;
    house.play_on(&games[1], 1, &mut Dice(5)).await;
    assert_eq!(counted(&house, None).await["games"], 1);
    // What a running tournament game is worth is for arbiters only.
    let hall = Hall::at(&house, Stage::Open).await;
    let held = hall.games(1).await[0].0.clone();
    analysed(&house, &held, 1).await;
    assert_eq!(counted(&house, None).await["games"], 1);
    hall.play(1).await;
    analysed(&house, &held, 1).await;
    assert_eq!(counted(&house, None).await["games"], 2);
}

/// Whoever asks only how an analysis stands need not wait until its positions are read.
/// The positions of analysed games in which seat 1 has a chance of at least so many per cent.
async fn likely(house: &House, percent: u32) -> Vec<(String, u64)> {
    let query =
        "query($w: String!) { search(kind: \"triangulate\", where: $w, first: 500) { hits { ply game { id } } } }";
    let predicate = format!("chance(1) >= {percent}");
    let told = house.ask(&Caller::SPECTATOR, query, json!({ "w": predicate })).await.ok();
    let hits = told["search"]["hits"].as_array().unwrap().iter();
    hits.map(|hit| (text(&hit["game"]["id"]), hit["ply"].as_u64().unwrap())).collect()
}

#[tokio::test]
async fn searches_know_the_chances_in_analysed_games() {
    let house = House::new();
    let (game, other) = (played(&house, "triangulate", 12).await, played(&house, "triangulate", 5).await);
    assert_eq!(likely(&house, 0).await, []);
    let found = analysed(&house, &game, PLAYOUTS).await;
    for percent in [0, 30, 50, 51, 70, 101] {
        let holds = |ply: &&Value| (ply["chances"][0].as_f64().unwrap() * 100.0).round() >= f64::from(percent);
        let wanted: Vec<(String, u64)> = found["plies"]
            .as_array()
            .unwrap()
            .iter()
            .filter(holds)
            .map(|ply| (game.clone(), ply["ply"].as_u64().unwrap()))
            .collect();
        assert_eq!(likely(&house, percent).await, wanted, "{percent}");
    }
    assert!(!likely(&house, 30).await.iter().any(|(id, _)| *id == other));
    house.play_on(&game, 1, &mut Dice(5)).await;
    assert_eq!(likely(&house, 0).await, [], "it is stale");
    // What a running tournament game is worth is for arbiters only.
    let hall = Hall::at(&house, Stage::Open).await;
    let held = hall.games(1).await[0].0.clone();
    analysed(&house, &held, 1).await;
    assert_eq!(likely(&house, 0).await, []);
    hall.play(1).await;
    analysed(&house, &held, 1).await;
    assert!(!likely(&house, 0).await.is_empty());
}

#[tokio::test]
async fn how_an_analysis_stands_is_told_without_its_positions() {
    let house = House::new();
    let game = played(&house, "triangulate", 5).await;
    let whole = analysed(&house, &game, PLAYOUTS).await;
    let query = "query($g: ID!) { game(id: $g) { analysis { state done total stale playouts engine head } } }";
    let told = house.get(query, json!({ "g": game })).await["game"]["analysis"].clone();
    for (member, value) in told.as_object().unwrap() {
        assert_eq!(*value, whole[member], "{member}");
    }
    let found = house.service.find_analysis(game.parse().unwrap(), false).unwrap().unwrap();
    assert!(found.plies.is_empty(), "they were read");
}
