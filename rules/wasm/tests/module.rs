//! Requests and their answers, as the host of the module sees them.

use std::fs;
use std::path::Path;

use plybook_wasm::{Module, Request};
use serde_json::{Value, json};

fn ask(module: &mut Module, request: &Value) -> Value {
    serde_json::from_slice(&module.answer(request.to_string().as_bytes())).expect("an answer is JSON")
}

fn record(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/records").join(name);
    fs::read_to_string(path).expect("the record is there")
}

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or("none")
}

#[test]
fn a_record_is_opened_and_played_on() {
    let mut module = Module::default();
    let opened = ask(&mut module, &json!({ "do": "open", "text": record("played.ndjson") }));
    let log = &opened["ok"]["logs"][0];
    assert_eq!(opened["ok"]["valid"], true, "{opened}");
    let (game, plies) = (&log["game"], log["judged"]["plies"].as_u64().expect("it was judged"));
    let request = json!({ "do": "positions", "game": game, "from": 0, "to": plies, "parts": ["legal", "text"] });
    let positions = ask(&mut module, &request);
    assert_eq!(positions["ok"].as_array().map(Vec::len), Some(plies as usize + 1));
    let start = &positions["ok"][0];
    let legal = &start["legal"][start["toAct"][0].as_str().expect("somebody is to act")]["actions"];
    let play = |action: &Value| json!({ "do": "play", "game": game, "ply": 0, "actions": [action], "parts": [] });
    assert_eq!(ask(&mut module, &play(&legal[0]))["ok"]["action"], legal[0]);
    assert_eq!(code(&ask(&mut module, &play(&json!("no action")))), "ILLEGAL_ACTION");
    assert_eq!(ask(&mut module, &json!({ "do": "close" })), json!({ "ok": null }));
    assert_eq!(code(&ask(&mut module, &request)), "NOT_FOUND");
}

#[test]
fn a_log_that_breaks_the_rules_is_not_kept() {
    let mut module = Module::default();
    let text = record("played.ndjson").replacen("\"seq\":1,", "\"seq\":7,", 1);
    let opened = ask(&mut module, &json!({ "do": "open", "text": text }));
    let log = &opened["ok"]["logs"][0];
    assert_eq!((&opened["ok"]["valid"], &log["firstBad"], &log["judged"]), (&json!(false), &json!(1), &Value::Null));
    let request = json!({ "do": "positions", "game": log["game"], "from": 0, "to": 0, "parts": [] });
    assert_eq!(code(&ask(&mut module, &request)), "NOT_FOUND");
}

#[test]
fn what_is_asked_is_bounded() {
    let mut module = Module::default();
    let fold = |actions: &Value, viewer: &str| json!({ "do": "fold", "kind": "triangulate", "actions": actions, "viewer": viewer, "parts": ["scene"] });
    assert_eq!(code(&ask(&mut module, &fold(&json!([]), "1"))), "none");
    assert_eq!(code(&ask(&mut module, &fold(&json!([]), "3"))), "BAD_INPUT");
    assert_eq!(code(&ask(&mut module, &fold(&json!(["x".repeat(4_001)]), "all"))), "TOO_LARGE");
    assert_eq!(code(&ask(&mut module, &fold(&json!(vec!["x"; 5_001]), "all"))), "TOO_LARGE");
}

#[test]
fn a_request_that_is_none_is_refused_with_what_would_be_right() {
    let refused = [
        ("{", "the request: "),
        ("[]", "a request is an object"),
        ("{}", "`do` is a text"),
        (r#"{"do":"no"}"#, "`do` is `kinds`, `open`"),
        (r#"{"do":"open","text":7}"#, "`text` is a text"),
        (r#"{"do":"close","now":true}"#, "there is no member `now`"),
        (r#"{"do":"positions","game":"x","from":0,"to":0,"parts":[]}"#, "`game`: an id is a UUID"),
        (r#"{"do":"fold","kind":"tri","actions":[7],"parts":[]}"#, "`actions` is a list of texts"),
        (r#"{"do":"fold","kind":"tri","actions":[],"parts":["all"]}"#, "`parts` are `scene`"),
        (r#"{"do":"fold","kind":"tri","actions":[],"viewer":"0","parts":[]}"#, "\"0\" is not a viewer"),
    ];
    for (request, why) in refused {
        let refusal = Request::parse(request.as_bytes()).expect_err(request);
        assert!(refusal.message.starts_with(why), "{request}: {refusal}");
    }
}
