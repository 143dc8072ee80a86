//! Forking running games that have secrets: public knowledge, and assumptions.

use plybook_api::access::{Caller, Role};
use plybook_api::service::Importing;
use plybook_rules::Viewer;
use plybook_rules::log::Replay;
use serde_json::{Value, json};

use crate::house::{Answer, Dice, House, caller, text};

const FORK: &str = "mutation($g: ID!, $p: Int!, $a: [String!], $s: [String!]) {
    fork(game: $g, ply: $p, actions: $a, assume: $s) { id ply forkedFrom { ply } } }";

async fn fork(house: &House, who: &Caller, game: &str, ply: usize, assume: &[String]) -> Answer {
    house.ask(who, FORK, json!({ "g": game, "p": ply, "s": assume })).await
}

fn replay(house: &House, id: &str) -> std::sync::Arc<Replay> {
    house.service.game(id.parse().unwrap()).unwrap().replay()
}

/// A game of Thrones with held favours that are not public, and some plies since; and another one that the
/// public cannot distinguish from it, with another favour. Returns the first unknown ply.
async fn two_games(house: &House) -> ([String; 2], usize) {
    for seed in 1..200 {
        let game = house.create("thrones").await;
        house.play(&game, 12, &mut Dice(seed)).await;
        let first = replay(house, &game);
        let Some(unknown) = first.unknown().next().filter(|_| first.mainline().len() == 12) else { continue };
        let done = &first.mainline()[unknown - 1];
        let legal = first.position_at(unknown - 1).unwrap().legal(done.actor).unwrap();
        for action in legal.iter().filter(|action| **action != *done.action) {
            let mut position = first.position_at(unknown - 1).unwrap();
            if position.act(done.actor, action).is_err() {
                continue;
            }
            let rest = &first.mainline()[unknown..];
            if !rest.iter().all(|done| position.act(done.actor, &done.action).is_ok()) {
                continue;
            }
            let other = house.create("thrones").await;
            let word =
                |ply: usize| if ply == unknown { action.clone() } else { first.mainline()[ply - 1].action.to_string() };
            let input = |ply: usize| crate::house::act_input(first.mainline()[ply - 1].actor, &word(ply));
            let inputs: Vec<Value> = (1..=12).map(input).collect();
            house.act_all(&other, &inputs).await.ok();
            return ([game, other], unknown);
        }
    }
    panic!("no such game in 200");
}

#[tokio::test]
async fn forks_assume_what_the_public_does_not_know() {
    let house = House::new();
    let (games, first) = two_games(&house).await;
    let both = games.each_ref().map(|id| replay(&house, id));
    let unknown: Vec<usize> = both[0].unknown().collect();
    let arbiter = caller(Role::Arbiter);
    let known = fork(&house, &arbiter, &games[0], first - 1, &[]).await.ok();
    assert_eq!(known["fork"]["forkedFrom"]["ply"], first - 1);
    // Even an arbiter, who sees everything, has to state assumptions, because everybody sees the line.
    let refused = fork(&house, &arbiter, &games[0], first, &[]).await;
    assert_eq!(refused.code(), "BAD_INPUT");
    let actor = both[0].mainline()[first - 1].actor;
    assert!(refused.says().contains(&format!("ply {first} ({actor})")), "{refused:?}");
    let needless = fork(&house, &arbiter, &games[0], first - 1, &["pass".to_owned()]).await;
    assert!(needless.says().contains("leave `assume` out"));

    let truth =
        |side: usize| unknown.iter().map(|ply| both[side].mainline()[ply - 1].action.to_string()).collect::<Vec<_>>();
    assert_ne!(truth(0), truth(1));
    let mut told = [Vec::new(), Vec::new()];
    for (side, game) in games.iter().enumerate() {
        let mut guesses =
            vec![truth(0), truth(1), vec!["pass".to_owned(); unknown.len()], vec!["zzz".to_owned(); unknown.len()]];
        guesses.extend(
            ["assault", "conspire", "deceive", "hasten"].map(|name| vec![format!("favor:{name}"); unknown.len()]),
        );
        for ply in [first, 12] {
            for guess in &guesses {
                let needed = unknown.iter().filter(|unknown| **unknown <= ply).count();
                let answer = fork(&house, &Caller::ADMIN, game, ply, &guess[..needed]).await;
                let Some(made) = answer.data["fork"].as_object() else {
                    told[side].push(json!(answer.errors));
                    continue;
                };
                assert_eq!((&made["ply"], &made["forkedFrom"]["ply"]), (&json!(ply), &json!(first - 1)));
                let line = replay(&house, &text(&made["id"]));
                for (index, done) in line.mainline().iter().enumerate() {
                    let is_known = !unknown.contains(&(index + 1));
                    let expected = if is_known {
                        both[side].mainline()[index].action.to_string()
                    } else {
                        done.action.to_string()
                    };
                    assert_eq!((&*done.action, done.actor), (expected.as_str(), both[side].mainline()[index].actor));
                }
                assert!(line.is_open());
                assert_eq!(house.game(&text(&made["id"])).await["verification"]["valid"], true);
                told[side].push(json!("made"));
            }
        }
    }
    assert_eq!(told[0], told[1], "what is answered does not depend on the truth");
    assert!(told[0].contains(&json!("made")) && told[0].iter().any(|answer| answer != "made"), "{:?}", told[0]);
    // Once the game is over, nothing is left to assume.
    house.get("mutation($g: ID!) { resign(game: $g, seat: 1) { id } }", json!({ "g": games[0] })).await;
    let whole = fork(&house, &Caller::SPECTATOR, &games[0], 12, &[]).await;
    assert_eq!(whole.code(), "UNAUTHENTICATED");
    let whole = fork(&house, &arbiter, &games[0], 12, &[]).await.ok();
    assert_eq!(whole["fork"]["forkedFrom"]["ply"], 12);
    let line = replay(&house, &text(&whole["fork"]["id"]));
    assert_eq!(line.position().key(Viewer::All), both[0].position().key(Viewer::All));
}

#[tokio::test]
async fn a_set_up_is_known_once_it_is_open_and_a_sealed_setup_at_the_end() {
    let house = House::new();
    let game = house.create("thrones").await;
    house.play(&game, 1, &mut Dice(3)).await;
    assert_eq!(fork(&house, &Caller::ADMIN, &game, 1, &[]).await.code(), "BAD_INPUT");
    house.play(&game, 1, &mut Dice(4)).await;
    for ply in 0..=2 {
        let made = fork(&house, &Caller::ADMIN, &game, ply, &[]).await.ok();
        assert_eq!(made["fork"]["forkedFrom"]["ply"], ply);
        assert_eq!(house.game(&text(&made["fork"]["id"])).await["verification"]["valid"], true);
    }
    let game = house.create("triforce-building").await;
    house.play(&game, 3, &mut Dice(3)).await;
    let refused = fork(&house, &Caller::ADMIN, &game, 0, &[]).await;
    assert!(refused.says().contains("it can be forked then"), "{refused:?}");
    house.get("mutation($g: ID!) { voidGame(game: $g, reason: \"r\") { id } }", json!({ "g": game })).await;
    for ply in 0..=3 {
        fork(&house, &Caller::ADMIN, &game, ply, &[]).await.ok();
    }
}

/// Somebody who may import logs forges one that forks where something is still sealed: its fold would reveal
/// the contents to everybody.
#[tokio::test]
async fn a_line_that_would_reveal_a_secret_is_not_imported() {
    let house = House::new();
    let (games, first) = two_games(&house).await;
    let game = replay(&house, &games[0]);
    let made = fork(&house, &Caller::ADMIN, &games[0], first - 1, &[]).await.ok();
    let line = house.service.log().read(text(&made["fork"]["id"]).parse().unwrap(), 0).unwrap();
    let mut event = plybook_events::Event::parse(&line[0]).unwrap();
    let seq = game.mainline()[first - 1].seq;
    let hash = plybook_events::Hash::of_event(&house.service.log().read(game.log(), seq).unwrap()[0]);
    let plybook_events::Body::Created(created) = &mut event.body else { panic!("it is a line") };
    let fork = created.fork.as_mut().unwrap();
    (fork.ply, fork.seq, fork.hash) = (first as u32, seq, hash);
    event.prev = hash;
    event.log = crate::house::nobody().parse().unwrap();
    let text = String::from_utf8(event.to_bytes().unwrap()).unwrap();
    let refused = house.service.import_log(&text, &Importing::of(&text)).err().expect("it is refused");
    assert_eq!(refused.code(), "BAD_INPUT");
    assert!(house.service.log().head(event.log).is_none());
    house.get("mutation($g: ID!) { resign(game: $g, seat: 1) { id } }", json!({ "g": games[0] })).await;
    house.service.import_log(&text, &Importing::of(&text)).expect("nothing is secret any more");
}
