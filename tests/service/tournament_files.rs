//! A tournament's files over HTTP.

use std::sync::Arc;

use actix_web::App;
use actix_web::http::Method;
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use actix_web::web::Data;
use plybook_api::access::Caller;
use plybook_api::export;
use plybook_api::http::{Doors, Gate, Limits, Metrics, Readiness, Site};
use plybook_api::schema;
use plybook_tournaments::trf::Report;
use serde_json::{Value, json};

use crate::hall::Hall;
use crate::house::{House, text};

/// The status, the type and the text served at a path.
pub async fn get(house: &House, path: &str) -> (u16, String, String) {
    sent(house, Method::GET, path).await
}

async fn sent(house: &House, method: Method, path: &str) -> (u16, String, String) {
    let identify = |_: Option<&str>| Ok(Caller::SPECTATOR);
    let schema = schema::build(Arc::clone(&house.service));
    let gate = Gate::new(schema, identify, Limits::default(), Metrics::new());
    let site = Site::new(gate, Doors::default(), || Readiness::Ready);
    let app = App::new().app_data(Data::new(site));
    let app = init_service(app.configure(|config| export::configure(config, &house.service))).await;
    let answer = call_service(&app, TestRequest::with_uri(path).method(method).to_request()).await;
    let media = answer.headers().get("content-type").map_or(String::new(), |media| media.to_str().unwrap().to_owned());
    let status = answer.status().as_u16();
    let body = read_body(answer).await;
    (status, media, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn a_tournament_has_files() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 3, &[2000, 1900, 1800, 1700]).await;
    hall.pair_and_open(1).await;
    hall.play(1).await;
    let files = format!("/tournaments/{}/files", hall.id);
    for (name, media, holds) in [
        ("entrants.csv", "text/csv; charset=utf-8", "1,Player 1,2000"),
        ("standings.csv", "text/csv; charset=utf-8", "place,number,name"),
        ("standings.csv?round=0", "text/csv; charset=utf-8", "1,1,Player 1,2000,,,0.0"),
        ("crosstable.csv", "text/csv; charset=utf-8", "*"),
        ("progress.csv?round=1", "text/csv; charset=utf-8", "round 1"),
        ("pairings.csv", "text/csv; charset=utf-8", "Player 3"),
        ("standings.csv", "text/csv; charset=utf-8", "\u{feff}place,"),
        ("standings.html", "text/html; charset=utf-8", "<td>Player 1</td>"),
        ("standings.html?round=0&lang=de", "text/html; charset=utf-8", "<html lang=\"de\" dir=\"ltr\">"),
        ("pairings.html", "text/html; charset=utf-8", "<td>½–½</td>"),
        ("report.trf", "text/plain; charset=utf-8", "Player 3"),
        ("report-trf16.trf", "text/plain; charset=utf-8", "XXR 3"),
        ("rounds.ics", "text/calendar; charset=utf-8", "BEGIN:VEVENT"),
        ("results.atom", "application/atom+xml; charset=utf-8", "Round 1, table 1"),
    ] {
        let (status, told, text) = get(&house, &format!("{files}/{name}")).await;
        assert_eq!((status, told.as_str()), (200, media), "{name}: {text}");
        assert!(text.contains(holds), "{name}: {text}");
    }
    // Calendars and feed readers send HEAD first.
    for path in [format!("{files}/rounds.ics"), "/changes.ndjson".to_owned(), "/export/games.ndjson".to_owned()] {
        assert_eq!(sent(&house, Method::HEAD, &path).await.0, 200, "{path}");
        assert_eq!(sent(&house, Method::OPTIONS, &path).await.0, 405, "{path}");
    }
    let (_, _, text) = get(&house, &format!("{files}/report.trf")).await;
    let report = Report::parse(text.as_bytes()).unwrap();
    assert_eq!((report.history.entrants.len(), report.history.rounds.len()), (4, 1));
    assert!(report.history.rounds[0].tables.iter().all(|table| table.result.is_some()), "{text}");
    for (path, code, says) in [
        (format!("{files}/games.zip"), 404, "there are entrants.csv"),
        (format!("{files}/pairings.csv?round=2"), 404, "round 2 is not paired"),
        (format!("{files}/standings.html?round=2"), 404, "round 2 is not paired"),
        (format!("{files}/pairings.csv?rond=2"), 400, "rond"),
        (format!("{files}/standings.csv?round=x"), 400, "round"),
        ("/tournaments/x/files/standings.csv".to_owned(), 404, "there is no tournament x"),
    ] {
        let (status, _, text) = get(&house, &path).await;
        assert_eq!(status, code, "{path}: {text}");
        assert!(text.contains(says), "{path}: {text}");
    }
}

const IMPORT: &str = "mutation($i: ImportTournament!) { importTournament(input: $i) { id } }";

/// The report of a Swiss of four is imported: the players are those of these names, and its games are over.
#[tokio::test]
async fn a_report_becomes_a_tournament() {
    let house = House::new();
    let hall = Hall::swiss(&house, "triangulate", 2, &[2000, 1900, 1800, 1700]).await;
    hall.pair_and_open(1).await;
    hall.play(1).await;
    let (_, _, file) = get(&house, &format!("/tournaments/{}/files/report.trf", hall.id)).await;
    let ask = async |query: &str, variables: Value| house.ask(&Caller::ADMIN, query, variables).await;
    let preview = "query($f: String!) { previewTournament(file: $f) {
        name format rounds tables forfeits byes open leftOut entrants { number name rating players { lastTournament { id } } } } }";
    let found = ask(preview, json!({ "f": file })).await.ok()["previewTournament"].clone();
    assert_eq!((&found["rounds"], &found["tables"], &found["open"]), (&json!(1), &json!(2), &json!(0)), "{found}");
    assert_eq!(found["entrants"][2]["players"], json!([{ "lastTournament": { "id": hall.id } }]), "{found}");

    let input = json!({ "file": file, "kind": "triangulate", "name": "Again", "timeZone": "Asia/Tokyo" });
    let made = ask(IMPORT, json!({ "i": input })).await.ok();
    let id = text(&made["importTournament"]["id"]);
    let query = "query($t: ID!) { tournament(id: $t) { status timeZone verification { valid problem }
        entrants { player { id } } rounds { status tables { result source game { status outcome { reason } } } } } }";
    let of = house.get(query, json!({ "t": id })).await["tournament"].clone();
    assert_eq!((&of["status"], &of["timeZone"]), (&json!("RUNNING"), &json!("Asia/Tokyo")), "{of}");
    assert_eq!(of["verification"], json!({ "valid": true, "problem": null }));
    let table = &of["rounds"][0]["tables"][0];
    assert_eq!(table["game"], json!({ "status": "FINISHED", "outcome": { "reason": "entered without a record" } }));
    let players = hall.get("entrants { player { id } }").await["entrants"].clone();
    assert_eq!(of["entrants"], players, "nobody is registered twice");
    let games =
        house.get("query($t: ID!) { games(filter: { tournament: $t }) { totalCount } }", json!({ "t": id })).await;
    assert_eq!(games["games"]["totalCount"], 2);
    let (_, _, again) = get(&house, &format!("/tournaments/{id}/files/report.trf")).await;
    let entrants =
        |file: &str| file.lines().filter(|line| line.starts_with("001")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(entrants(&again), entrants(&file));

    // Another player of that name: it has to be said who is meant.
    let twin = house.player("Player 3").await;
    let why = ask(IMPORT, json!({ "i": input })).await;
    assert_eq!(why.code(), "BAD_INPUT");
    assert!(why.says().contains("`players`: say who number 3, \"Player 3\", is"), "{}", why.says());
    let chosen = json!([{ "number": 3, "player": twin }, { "number": 4, "player": null }]);
    let mut input = input;
    input["players"] = chosen;
    let made = ask(IMPORT, json!({ "i": input })).await.ok();
    let query = "query($t: ID!) { tournament(id: $t) { entrants { player { id } } } }";
    let entrants =
        house.get(query, json!({ "t": made["importTournament"]["id"] })).await["tournament"]["entrants"].clone();
    assert_eq!((&entrants[2]["player"]["id"], &entrants[0]), (&json!(twin), &players[0]));
    assert_ne!(entrants[3], players[3], "a new one was chosen");
    for (member, value, says) in [
        ("timeZone", "Vienna", "`timeZone`: \"Vienna\" is no time zone"),
        ("file", "012 Open", "`file`: it is no tournament report"),
        ("kind", "triforce", "format"),
        ("kind", "chess", "chess"),
    ] {
        let mut wrong = input.clone();
        wrong[member] = value.into();
        let refused = ask(IMPORT, json!({ "i": wrong })).await;
        assert_eq!(refused.code(), "BAD_INPUT", "{member}");
        assert!(refused.says().contains(says), "{member}: {}", refused.says());
    }
}
