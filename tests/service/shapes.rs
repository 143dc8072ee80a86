//! Scenes of many plies, forms, and figures: what answers are made of.

use std::collections::BTreeSet;

use plybook_api::access::Caller;
use serde_json::{Value, json};

use crate::house::{Dice, House, kind_names, seat, text};

/// The scenes of consecutive plies, put together as docs/scenes.md says.
fn put_together(scenes: &Value) -> Vec<Value> {
    let frame = |frame: &Value| {
        let items = frame["items"].as_array().unwrap().iter().flat_map(|range| {
            let [from, to] = [0, 1].map(|end| range[end].as_u64().unwrap() as usize);
            scenes["items"].as_array().unwrap()[from..to].to_vec()
        });
        let tables = frame["tables"].as_array().unwrap().iter();
        let tables = tables.map(|index| scenes["tables"][index.as_u64().unwrap() as usize].clone());
        let mut scene = frame.clone();
        scene["kind"] = scenes["kind"].clone();
        scene["items"] = items.collect();
        scene["tables"] = tables.collect();
        let members = scene.as_object_mut().unwrap();
        members.remove("ply");
        members.retain(|name, value| name != "tables" || value != &json!([]));
        scene
    };
    scenes["frames"].as_array().unwrap().iter().map(frame).collect()
}

#[tokio::test]
async fn scenes_of_many_plies_are_those_of_each_ply_and_much_smaller() {
    let house = House::new();
    for kind in kind_names() {
        let id = house.create(kind).await;
        house.play(&id, 40, &mut Dice(3)).await;
        let query = "query($g: ID!, $f: Int, $t: Int) { game(id: $g) { positions(from: $f, to: $t) { ply scene } scenes(from: $f, to: $t) } }";
        for (from, to) in [(json!(null), json!(null)), (json!(3), json!(9)), (json!(5), json!(5)), (json!(7), json!(2))]
        {
            let told = house.get(query, json!({ "g": id, "f": from, "t": to })).await["game"].clone();
            let each: Vec<Value> =
                told["positions"].as_array().unwrap().iter().map(|one| one["scene"].clone()).collect();
            assert_eq!(put_together(&told["scenes"]), each, "{kind} {from} {to}");
            let plies =
                |list: &Value| list.as_array().unwrap().iter().map(|one| one["ply"].clone()).collect::<Vec<_>>();
            assert_eq!(plies(&told["scenes"]["frames"]), plies(&told["positions"]));
            let (one, all) = (told["scenes"].to_string().len(), told["positions"].to_string().len());
            assert!(each.len() < 30 || one * 4 < all, "{kind}: {one} of {all} bytes");
        }
        for wrong in [json!({ "g": id, "f": -1 }), json!({ "g": id, "f": 9999 }), json!({ "g": id, "t": -1 })] {
            let query = "query($g: ID!, $f: Int, $t: Int) { game(id: $g) { scenes(from: $f, to: $t) } }";
            assert_eq!(house.ask(&Caller::SPECTATOR, query, wrong).await.code(), "BAD_INPUT");
        }
    }
}

#[tokio::test]
async fn the_figures_of_one_game_are_those_of_the_statistics_over_it() {
    let house = House::new();
    let counted = "name description seats { seat count expected actual }";
    for kind in kind_names() {
        let id = house.create(kind).await;
        let figures = |fields: &str| format!("query($g: ID!) {{ game(id: $g) {{ figures {{ {fields} }} }} }}");
        let has_secrets = plybook_example::kind(kind).unwrap().about().secrets;
        let running = house.get(&figures("measures { value }"), json!({ "g": id })).await;
        assert_eq!(running["game"]["figures"].is_null(), has_secrets, "{kind}");
        house.play(&id, 60, &mut Dice(4)).await;
        let end = "mutation($g: ID!) { adjudicate(game: $g, input: { winners: [1], reason: \"test\" }) { id } }";
        house.get(end, json!({ "g": id })).await;
        let heat = "heat(what: \"visits\") { name description total max places { key count } choices { name } scene }";
        let own = format!("measures {{ name description value }} luck {{ {counted} }} {heat}");
        let own = house.get(&figures(&own), json!({ "g": id })).await["game"]["figures"].clone();
        let all = format!(
            "query($k: String!) {{ statistics(kind: $k) {{ games measures {{ name description value }} luck {{ {counted} }} {heat} }} }}"
        );
        let all = house.get(&all, json!({ "k": kind })).await["statistics"].clone();
        assert_eq!(all["games"], 1);
        assert_eq!(own["heat"], all["heat"], "{kind}");
        let named = |of: &Value| {
            let measures = of["measures"].as_array().unwrap().iter();
            measures.map(|one| (one["name"].clone(), one["description"].clone())).collect::<Vec<_>>()
        };
        assert_eq!(named(&own), named(&all), "{kind}");
        for (one, many) in own["measures"].as_array().unwrap().iter().zip(all["measures"].as_array().unwrap()) {
            // Numbers are not read as exactly as they are written.
            let [one, many] = [one, many].map(|measure| measure["value"].as_f64());
            assert!(
                one == many || one.zip(many).is_some_and(|(one, many)| (one - many).abs() < 1e-9),
                "{kind}: {many:?}"
            );
        }
        assert!(
            own["measures"].as_array().unwrap().len() > 3 && own["heat"]["total"].as_u64() > Some(0),
            "{kind}: {own}"
        );
        // Statistics name all seats that the kind can have.
        for (one, many) in own["luck"].as_array().unwrap().iter().zip(all["luck"].as_array().unwrap()) {
            let seats = one["seats"].as_array().unwrap();
            assert_eq!(seats[..], many["seats"].as_array().unwrap()[..seats.len()], "{kind}");
        }
        let unknown =
            house.ask(&Caller::SPECTATOR, &figures("heat(what: \"warmth\") { max }"), json!({ "g": id })).await;
        assert_eq!(unknown.code(), "BAD_INPUT");
        let fork = "mutation($g: ID!) { fork(game: $g, ply: 0) { id } }";
        let line = house.get(fork, json!({ "g": id })).await["fork"]["id"].clone();
        assert_eq!(
            house.get(&figures("measures { value }"), json!({ "g": line })).await["game"]["figures"],
            Value::Null
        );
    }
}

#[tokio::test]
async fn what_is_awaited_has_a_schema_and_an_example_that_is_legal() {
    let house = House::new();
    let prompts = "prompts { seat kind description schema example dice { seat dice } }";
    let ask = format!("query($g: ID!) {{ game(id: $g) {{ position {{ {prompts} }} }} }}");
    let mut seen = Vec::new();
    for kind in ["thrones", "triforce"] {
        let id = house.create(kind).await;
        let mut dice = Dice(5);
        for _ in 0..120 {
            let told = house.get(&ask, json!({ "g": id })).await["game"]["position"]["prompts"].clone();
            for prompt in told.as_array().unwrap() {
                let form = regex_lite::Regex::new(prompt["schema"]["pattern"].as_str().unwrap()).unwrap();
                let replay = house.service.game(id.parse().unwrap()).unwrap().replay();
                let actor = prompt["seat"]
                    .as_u64()
                    .map_or(plybook_events::Actor::Chance, |seat| plybook_events::Actor::Seat(seat as u8));
                for sampled in 0..20 {
                    let action = match sampled {
                        0 => text(&prompt["example"]),
                        _ => replay.position().sample(actor, &mut |n| dice.below(n)),
                    };
                    assert!(form.is_match(&action), "{action} is not of the form {form}");
                    assert_eq!(replay.position().judge(actor, &action), Ok(action.clone()), "{kind}");
                }
                assert!(text(&prompt["description"]).ends_with('.'), "{prompt}");
                seen.push(text(&prompt["kind"]));
            }
            house.play_on(&id, 1, &mut dice).await;
        }
    }
    assert!(
        seen.iter().filter(|kind| *kind == "roll").count() > 3 && seen.iter().any(|kind| kind == "setup"),
        "{seen:?}"
    );
    // The example of a seat is for those who may know what the seat may do.
    let id = house.create("thrones").await;
    let told = house.ask(&Caller::SPECTATOR, &ask, json!({ "g": id })).await.ok();
    let told = told["game"]["position"]["prompts"].as_array().unwrap().clone();
    assert_eq!(told.len(), 2);
    assert!(
        told.iter().all(|prompt| prompt["example"].is_null() && prompt["schema"]["pattern"].is_string()),
        "{told:?}"
    );
}

#[tokio::test]
async fn how_an_action_is_put_together_shows_a_seat_only_to_those_who_may_know_it() {
    let house = House::new();
    let ask = "query($g: ID!, $n: Int) { game(id: $g) { position { form(seat: $n) } } }";
    let form = async |who: &Caller, id: &str, seat: Option<u8>| {
        house.ask(who, ask, json!({ "g": id, "n": seat })).await.ok()["game"]["position"]["form"].clone()
    };
    // Set-ups are the same for everybody; routes start where the seat is.
    let thrones = house.create("thrones").await;
    let told = form(&Caller::SPECTATOR, &thrones, Some(2)).await;
    let trays = told["trays"].as_array().unwrap();
    assert_eq!(
        trays.iter().map(|tray| text(&tray["title"])).collect::<Vec<_>>(),
        ["Home tiles", "Pieces", "Middle tiles"]
    );
    assert_eq!(trays[0]["slots"][0]["place"], "a9");
    assert!(told.get("routes").is_none());
    let building = house.create("triforce-building").await;
    let own = seat(&building, 2);
    let routes = form(&own, &building, Some(2)).await["routes"].as_array().unwrap().clone();
    // Whoever may not know where the seat is gets routes from wherever it may be, for every seat the same.
    let public = form(&Caller::SPECTATOR, &building, Some(2)).await["routes"].clone();
    let starts = |routes: &[Value]| routes.iter().map(|route| text(&route["places"][0])).collect::<BTreeSet<_>>().len();
    assert!(starts(public.as_array().unwrap()) > 1 && starts(&routes) == 1);
    assert_eq!(form(&Caller::SPECTATOR, &building, Some(3)).await["routes"], public);
    assert!(routes.iter().any(|route| route["action"] == "-" && route["places"].as_array().unwrap().len() == 1));
    assert_eq!(form(&own, &building, None).await["routes"], json!(routes), "its own, where several are to act");
    // Where actions name their places, there is nothing to tell.
    let tri = house.create("tri").await;
    assert_eq!(form(&Caller::SPECTATOR, &tri, None).await, Value::Null);
    assert_eq!(house.ask(&own, ask, json!({ "g": building, "n": 99 })).await.code(), "BAD_INPUT");
}
