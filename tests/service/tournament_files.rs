//! A tournament's files over HTTP.

use std::sync::Arc;

use actix_web::App;
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use actix_web::web::Data;
use plybook_api::access::Caller;
use plybook_api::export;
use plybook_api::http::{Doors, Gate, Limits, Metrics, Readiness, Site};
use plybook_api::schema;
use plybook_tournaments::trf::Report;

use crate::hall::Hall;
use crate::house::House;

/// The status, the type and the text served at a path.
pub async fn get(house: &House, path: &str) -> (u16, String, String) {
    let identify = |_: Option<&str>| Ok(Caller::SPECTATOR);
    let schema = schema::build(Arc::clone(&house.service));
    let gate = Gate::new(schema, identify, Limits::default(), Metrics::new());
    let site = Site::new(gate, Doors::default(), || Readiness::Ready);
    let app = App::new().app_data(Data::new(site));
    let app = init_service(app.configure(|config| export::configure(config, &house.service))).await;
    let answer = call_service(&app, TestRequest::get().uri(path).to_request()).await;
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
    let (_, _, text) = get(&house, &format!("{files}/report.trf")).await;
    let report = Report::parse(text.as_bytes()).unwrap();
    assert_eq!((report.history.entrants.len(), report.history.rounds.len()), (4, 1));
    assert!(report.history.rounds[0].tables.iter().all(|table| table.result.is_some()), "{text}");
    for (path, code, says) in [
        (format!("{files}/games.zip"), 404, "there are entrants.csv"),
        (format!("{files}/pairings.csv?round=2"), 404, "round 2 is not paired"),
        (format!("{files}/pairings.csv?rond=2"), 400, "rond"),
        (format!("{files}/standings.csv?round=x"), 400, "round"),
        ("/tournaments/x/files/standings.csv".to_owned(), 404, "there is no tournament x"),
    ] {
        let (status, _, text) = get(&house, &path).await;
        assert_eq!(status, code, "{path}: {text}");
        assert!(text.contains(says), "{path}: {text}");
    }
}
