//! Games judged again by the present rules.

use plybook_api::access::{Caller, Role};
use plybook_events::LogId;
use plybook_rules::Viewer;
use plybook_tests::logs::triangulate;
use serde_json::{Value, json};

use crate::house::{Dice, House, caller, kind_names, kinds, seat, text};

const REFOLD: &str = "query($g: ID!) { game(id: $g) { refold { recorded present ply verdict \
    difference { log seq ply what why } } } }";

impl House {
    /// What the present rules say of a game, asked by a spectator.
    async fn refold(&self, game: &str) -> Value {
        self.ask(&Caller::SPECTATOR, REFOLD, json!({ "g": game })).await.ok()["game"]["refold"].clone()
    }

    /// Records a log of Triangulate that no rules were asked about; returns its id.
    fn append(&self, n: u8, version: &str, actions: &[&str]) -> String {
        let log = LogId::from_bytes([n; 16]);
        let lines = triangulate(log, version, actions);
        let events = lines.iter().map(|line| line.trim_end().as_bytes().to_vec()).collect();
        self.service.log().append(log, None, events).unwrap();
        log.to_string()
    }
}

#[tokio::test]
async fn the_present_rules_agree_with_what_is_recorded() {
    let house = House::new();
    for kind in kind_names() {
        let id = house.create(kind).await;
        house.play_on(&id, 6, &mut Dice(3)).await;
        let ruling =
            "mutation($g: ID!) { adjudicate(game: $g, input: { winners: [1], reason: \"a\" }) { ply rulesVersion } }";
        let ended = house.get(ruling, json!({ "g": id })).await["adjudicate"].clone();
        let version = &ended["rulesVersion"];
        let same = json!({ "recorded": version, "present": version, "ply": ended["ply"], "verdict": "SAME", "difference": null });
        assert_eq!(house.refold(&id).await, same, "{kind}");
        let fork = "mutation($g: ID!, $p: Int!) { fork(game: $g, ply: $p) { id } }";
        let ply = ended["ply"].as_u64().unwrap().min(2);
        let line = text(&house.get(fork, json!({ "g": id, "p": ply })).await["fork"]["id"]);
        let found = house.refold(&line).await;
        assert_eq!((&found["verdict"], &found["ply"]), (&json!("SAME"), &json!(ply)), "{kind}: a line");
    }
}

/// A game under rules that are gone can no longer be replayed, but it can be judged.
#[tokio::test]
async fn a_game_under_old_rules_is_judged_by_the_present_ones() {
    let house = House::new();
    let legal = house.append(1, "v0", &["b1-b2", "d1-d2+f6"]);
    let replayed =
        house.ask(&Caller::SPECTATOR, "query($g: ID!) { game(id: $g) { position { ply } } }", json!({ "g": legal }));
    assert_eq!(replayed.await.code(), "INTERNAL");
    let same = json!({ "recorded": "v0", "present": "v1", "ply": 2, "verdict": "SAME", "difference": null });
    assert_eq!(house.refold(&legal).await, same);
    let illegal = house.append(2, "v0", &["b1-b2", "d1-d2+f6", "b2-b8", "d2-d3"]);
    let found = house.refold(&illegal).await;
    assert_eq!((&found["verdict"], &found["ply"], &found["recorded"]), (&json!("DIFFERS"), &json!(2), &json!("v0")));
    let difference = &found["difference"];
    let place = json!([difference["log"], difference["seq"], difference["ply"], difference["what"]]);
    assert_eq!(place, json!([illegal, 3, 3, "ACTION"]));
    assert!(text(&difference["why"]).starts_with("seat:1 b2-b8: "), "{difference}");
    let unknown = house.ask(&Caller::SPECTATOR, REFOLD, json!({ "g": crate::house::nobody() })).await.ok();
    assert_eq!(unknown["game"], Value::Null);
}

/// The verdict is the same for everybody, as it rests on what everybody can read: up to something sealed and no further,
/// even for those who know it.
#[tokio::test]
async fn a_running_game_is_judged_as_far_as_it_is_revealed() {
    let house = House::new();
    let mut sealed = 0;
    for rules in kinds().iter().filter(|rules| rules.about().secrets) {
        let kind = rules.about().kind;
        let id = house.create(kind).await;
        house.play_on(&id, 14, &mut Dice(5)).await;
        let replay = house.service.game(id.parse().unwrap()).unwrap().replay();
        let hidden = (1..=replay.mainline().len()).find(|ply| {
            replay.shown(*ply, Viewer::Public).is_none_or(|shown| *shown != *replay.mainline()[ply - 1].action)
        });
        let found = house.refold(&id).await;
        for who in [Caller::ADMIN, caller(Role::Recorder), caller(Role::Arbiter), seat(&id, 1)] {
            let told = house.ask(&who, REFOLD, json!({ "g": id })).await.ok();
            assert_eq!(told["game"]["refold"], found, "{kind}: {who:?}");
        }
        if found["verdict"] == "SEALED" {
            sealed += 1;
            let before = hidden.map_or(0, |ply| ply as u64 - 1);
            assert!(found["ply"].as_u64().unwrap() <= before, "{kind}: {found}");
            assert_eq!(found["difference"], Value::Null);
        } else {
            assert_eq!((&found["verdict"], hidden), (&json!("SAME"), None), "{kind}");
        }
        house.get("mutation($g: ID!) { voidGame(game: $g, reason: \"over\") { id } }", json!({ "g": id })).await;
        assert_eq!(house.refold(&id).await["verdict"], "SAME", "{kind}: once it is revealed");
    }
    assert!(sealed > 1, "{sealed} games had something sealed");
}
