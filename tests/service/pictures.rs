//! Positions as pictures, and what other sites show of links.

use std::collections::HashMap;
use std::sync::Arc;

use actix_web::App;
use actix_web::dev::ServiceResponse;
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use actix_web::web::Data;
use plybook_api::access::Caller;
use plybook_api::export;
use plybook_api::http::{Doors, Gate, Limits, Metrics, Readiness, Site, app};
use plybook_api::schema;
use resvg::tiny_skia::Pixmap;
use serde_json::json;

use crate::house::{Dice, House, kind_names};

fn site(house: &House, doors: Doors) -> Site {
    let identify = |_: Option<&str>| Ok(Caller::SPECTATOR);
    let gate = Gate::new(schema::build(Arc::clone(&house.service)), identify, Limits::default(), Metrics::new());
    Site::new(gate, doors, || Readiness::Ready)
}

fn header(answer: &ServiceResponse<impl actix_web::body::MessageBody>, name: &str) -> String {
    answer.headers().get(name).map_or(String::new(), |value| value.to_str().unwrap().to_owned())
}

/// How many pixels of a picture have each colour, as `#rrggbb`.
fn colours(png: &[u8]) -> HashMap<String, usize> {
    let pixels = Pixmap::decode_png(png).unwrap();
    assert_eq!([pixels.width(), pixels.height()], [1200, 630]);
    let mut counts = HashMap::new();
    for pixel in pixels.pixels() {
        let colour = format!("#{:02x}{:02x}{:02x}", pixel.red(), pixel.green(), pixel.blue());
        *counts.entry(colour).or_default() += 1;
    }
    counts
}

/// Colours that a picture of a kind has to have, on at least a hundred pixels each: those of paper, spaces and pieces.
fn expected(kind: &str) -> Vec<&'static str> {
    let own = match kind {
        "triangulate" => ["#f4ecd9", "#e6d8ba", "#2457a6", "#c23b22"],
        "tri" => ["#e6edf2", "#c9d7e3", "#ffffff", "#15181d"],
        "triforce" => ["#f4ecd9", "#d9cbb0", "#2457a6", "#1f7a45"],
        "triforce-building" => ["#f4ecd9", "#e6d8ba", "#d9cbb0", "#2f6db3"],
        "thrones" => ["#cfe0bf", "#e3d8d0", "#2457a6", "#c23b22"],
        _ => return vec!["#fbfaf7"],
    };
    [["#fbfaf7"].as_slice(), &own].concat()
}

#[tokio::test]
async fn every_kind_has_pictures() {
    let house = House::new();
    let app = App::new().app_data(Data::new(site(&house, Doors::default())));
    let app = init_service(app.configure(|config| export::configure(config, &house.service))).await;
    let ask = async |path: &str| call_service(&app, TestRequest::get().uri(path).to_request()).await;
    for kind in kind_names() {
        let id = house.create(kind).await;
        house.play(&id, 12, &mut Dice(5)).await;
        let (mut pictures, mut tags) = (Vec::new(), Vec::new());
        for path in [format!("/games/{id}.png"), format!("/games/{id}.png?ply=0&utm_source=somewhere")] {
            let answer = ask(&path).await;
            assert_eq!(
                (answer.status().as_u16(), header(&answer, "content-type").as_str()),
                (200, "image/png"),
                "{path}"
            );
            assert_eq!(header(&answer, "cross-origin-resource-policy"), "cross-origin");
            tags.push(header(&answer, "etag"));
            pictures.push(read_body(answer).await);
            let again = ask(&path).await;
            assert!(read_body(again).await == pictures[pictures.len() - 1], "{path} is drawn the same");
        }
        assert!(pictures.iter().all(|picture| picture.len() < 400_000), "{kind}");
        let found = colours(&pictures[0]);
        for colour in expected(kind) {
            assert!(found.get(colour).is_some_and(|count| *count >= 100), "{kind}, {colour}: {found:?}");
        }
        // What is submitted in secret is not seen.
        assert!(pictures[0] != pictures[1] || kind == "triforce-building", "{kind} has moved on");
        assert_ne!(tags[0], tags[1]);
        let known =
            TestRequest::get().uri(&format!("/games/{id}.png")).insert_header(("if-none-match", tags[0].as_str()));
        assert_eq!(call_service(&app, known.to_request()).await.status(), 304);
        let none = house.game(&id).await["ply"].as_u64().unwrap() + 1;
        for (path, status) in [
            (format!("/games/{id}.png?ply={none}"), 404),
            (format!("/games/{id}.png?ply=x"), 400),
            (format!("/games/{id}.png?line=x"), 400),
            ("/games/00000000-0000-7000-8000-000000000000.png".to_owned(), 404),
            ("/games/x.png".to_owned(), 404),
        ] {
            assert_eq!(ask(&path).await.status(), status, "{path}");
        }
    }
}

#[tokio::test]
async fn a_line_has_pictures_of_its_own() {
    let house = House::new();
    let id = house.create("tri").await;
    house.play(&id, 6, &mut Dice(5)).await;
    let legal = house
        .get(
            "query($g: ID!) { game(id: $g) { position(ply: 4) { legalActions } moves { nodes { action } } } }",
            json!({ "g": id }),
        )
        .await;
    let played = &legal["game"]["moves"]["nodes"][4]["action"];
    let other =
        legal["game"]["position"]["legalActions"].as_array().unwrap().iter().find(|action| *action != played).unwrap();
    let forked = house
        .get(
            "mutation($g: ID!, $a: [String!]!) { fork(game: $g, ply: 4, actions: $a, name: \"Or this\") { id } }",
            json!({ "g": id, "a": [other] }),
        )
        .await;
    let line = forked["fork"]["id"].as_str().unwrap();
    let doors = Doors { public_url: Some("https://games.example.org/play".parse().unwrap()), ..Doors::default() };
    let site = export::with_previews(site(&house, doors), &house.service);
    let service = Arc::clone(&house.service);
    let app = init_service(app(site, move |config| export::configure(config, &service))).await;
    let get = async |path: &str| read_body(call_service(&app, TestRequest::get().uri(path).to_request()).await).await;
    let picture = get(&format!("/games/{line}.png")).await;
    assert!(get(&format!("/games/{id}.png?line={line}")).await == picture);
    assert!(get(&format!("/games/{id}.png?ply=5")).await != picture);
    assert!(get(&format!("/games/{id}.png?ply=4")).await == get(&format!("/games/{line}.png?ply=4")).await);

    let page = String::from_utf8(get(&format!("/games/{id}?line={line}&ply=5")).await.to_vec()).unwrap();
    for (property, content) in [
        ("og:url", format!("https://games.example.org/play/games/{id}?line={line}&amp;ply=5")),
        ("og:image", format!("https://games.example.org/play/games/{line}.png?ply=5")),
        ("og:image:width", "1200".to_owned()),
        ("og:description", "Ply 5".to_owned()),
    ] {
        assert!(
            page.contains(&format!("<meta property=\"{property}\" content=\"{content}\">\n")),
            "{property}: {content} in\n{page}"
        );
    }
    assert!(page.contains("<title>Or this · "), "{page}");
}

#[tokio::test]
async fn a_link_says_what_it_leads_to() {
    let house = House::new();
    let id = house.create("triangulate").await;
    house.play(&id, 3, &mut Dice(5)).await;
    let site = export::with_previews(site(&house, Doors::default()), &house.service);
    let service = Arc::clone(&house.service);
    let app = init_service(app(site, move |config| export::configure(config, &service))).await;
    let get = async |path: &str, language: &str| {
        let request = TestRequest::get().uri(path).insert_header(("host", "localhost:8080"));
        let request =
            request.insert_header(("accept-language", language)).insert_header(("x-forwarded-host", "evil.example"));
        String::from_utf8(read_body(call_service(&app, request.to_request()).await).await.to_vec()).unwrap()
    };
    let names = house.game(&id).await["seats"]
        .as_array()
        .unwrap()
        .iter()
        .map(|seat| seat["name"].as_str().unwrap().to_owned())
        .collect::<Vec<_>>();
    let title = format!("{} · Triangulate", names.join(" – "));
    for (language, says) in [("en", "In play · Ply 3"), ("de", "Läuft · Halbzug 3"), ("he", "מתנהל · חצי־מהלך 3")]
    {
        for path in [format!("/games/{id}"), format!("/embed/{id}"), format!("/games/{id}/beside?ply=9999999999")] {
            let page = get(&path, language).await;
            let bare = path.split('?').next().unwrap();
            for line in [
                format!("<title>{title} · Plybook</title>"),
                format!("<meta property=\"og:title\" content=\"{title}\">"),
                format!("<meta property=\"og:description\" content=\"{says}\">"),
                format!("<meta property=\"og:url\" content=\"http://localhost:8080{bare}\">"),
                format!("<meta property=\"og:image\" content=\"http://localhost:8080/games/{id}.png\">"),
                "<meta name=\"twitter:card\" content=\"summary_large_image\">".to_owned(),
            ] {
                assert_eq!(page.matches(&format!("{line}\n")).count(), 1, "{path} in {language}: {line}\n{page}");
            }
            assert!(!page.contains("evil.example"));
        }
    }
    house.get("mutation($g: ID!) { resign(game: $g, seat: 1) { id } }", json!({ "g": id })).await;
    assert!(get(&format!("/games/{id}"), "en").await.contains(&format!("content=\"Won by {} · Ply 3\"", names[1])));
    let before = get(&format!("/games/{id}?ply=2"), "en").await;
    assert!(
        before.contains("og:description\" content=\"Ply 2\"") && !before.contains("Won by"),
        "who links to a ply does not tell the end"
    );
    let lost =
        "mutation($g: ID!) { adjudicate(game: $g, input: { winners: [], forfeit: true, reason: \"r\" }) { id } }";
    house.get(lost, json!({ "g": id })).await;
    assert!(get(&format!("/games/{id}"), "en").await.contains("content=\"Lost by all · Ply 3\""), "it is no draw");
    let player = house.player("\"Ada\" <b>").await;
    let page = get(&format!("/players/{player}"), "en").await;
    assert!(page.contains("<title>&quot;Ada&quot; &lt;b> · Plybook</title>") && !page.contains("<b>"), "{page}");
    let list = get("/", "en").await;
    assert!(list.contains("<meta property=\"og:title\" content=\"Games\">") && !list.contains("og:image"), "{list}");
}
