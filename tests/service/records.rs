//! Records in and out.

use plybook_api::caller::Caller;
use serde_json::{Value, json};

use crate::house::{Answer, Dice, House, kind_names, seats_of, text};

async fn record(house: &House, id: &str, format: &str) -> String {
    let query = format!("query($g: ID!) {{ game(id: $g) {{ record(format: {format}) }} }}");
    text(&house.get(&query, json!({ "g": id })).await["game"]["record"])
}

async fn import(house: &House, record: &str, format: &str) -> Answer {
    let query = format!("mutation($r: String!) {{ importRecord(record: $r, format: {format}) {{ id ply status }} }}");
    house.ask(&Caller::ADMIN, &query, json!({ "r": record })).await
}

/// A game of a kind with all that a log can hold, over so that nothing is sealed.
async fn eventful(house: &House, kind: &str) -> String {
    let id = house.create(kind).await;
    house.play(&id, 9, &mut Dice(3)).await;
    for change in [
        "annotate(game: $g, ply: 2, comment: \"Ein \\\"Zug\\\"\\nin {zwei} Zeilen\", glyphs: [\"!?\"])",
        "takeBack(game: $g, toPly: 7, reason: \"slip\")",
        "adjudicate(game: $g, input: { winners: [1], reason: \"time is up\" })",
        "adjudicate(game: $g, input: { winners: [2], reason: \"appeal\" })",
    ] {
        house.get(&format!("mutation($g: ID!) {{ {change} {{ id }} }}"), json!({ "g": id })).await;
    }
    id
}

#[tokio::test]
async fn a_log_travels_as_json_and_ndjson_byte_by_byte() {
    let house = House::new();
    for kind in kind_names() {
        let id = eventful(&house, kind).await;
        for format in ["JSON", "NDJSON"] {
            let there = House::new();
            let sent = record(&house, &id, format).await;
            let taken = import(&there, &sent, format).await.ok();
            assert_eq!(taken["importRecord"], json!({ "id": id, "ply": 7, "status": "FINISHED" }), "{kind}");
            assert_eq!(record(&there, &id, format).await, sent, "{kind}");
            assert_eq!(record(&there, &id, "NDJSON").await, record(&house, &id, "NDJSON").await);
            let len = there.service.log().len();
            import(&there, &sent, format).await.ok();
            assert_eq!(there.service.log().len(), len, "what is there is left alone");
        }
    }
}

#[tokio::test]
async fn a_text_record_becomes_a_new_game_with_the_same_actions() {
    let house = House::new();
    for kind in kind_names() {
        let id = eventful(&house, kind).await;
        let taken = import(&house, &record(&house, &id, "TEXT").await, "TEXT").await.ok();
        let new = text(&taken["importRecord"]["id"]);
        assert_ne!(new, id);
        let (old, new) = (house.game(&id).await, house.game(&new).await);
        let actions = |game: &Value| {
            game["moves"]["nodes"]
                .as_array()
                .unwrap()
                .iter()
                .map(|done| (done["by"].clone(), done["action"].clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(actions(&new), actions(&old), "{kind}");
        assert_eq!(
            (&new["setup"], &new["position"]["position"]),
            (&old["setup"], &old["position"]["position"]),
            "{kind}"
        );
        assert_eq!(new["seats"].as_array().unwrap().len(), usize::from(seats_of(kind)));
    }
}

#[tokio::test]
async fn text_is_read_as_people_write_it() {
    let house = House::new();
    let sloppy = "[Kind \"triangulate\"]\r\n[Seat1 \"A\"]\n [Seat2 \"B\"] \n[Mood \"good\"]\n\n  1. b1-b2 $! {a comment of words 2. d1-d2} \n";
    let game = import(&house, sloppy, "TEXT").await.ok();
    assert_eq!(game["importRecord"]["ply"], 1);
    for (bad, code) in [
        ("", "BAD_INPUT"),
        ("hello", "BAD_INPUT"),
        ("[Kind \"chess\"]\n", "BAD_INPUT"),
        ("[Kind triangulate]\n", "BAD_INPUT"),
        ("[Kind \"triangulate\"]\n[Setup \"{\"]\n[Seat1 \"A\"]\n[Seat2 \"B\"]\n", "BAD_INPUT"),
        ("[Kind \"triangulate\"]\n[Setup \"{\\\"x\\\":1}\"]\n[Seat1 \"A\"]\n[Seat2 \"B\"]\n", "BAD_SETUP"),
        ("[Kind \"triangulate\"]\n[Seat1 \"A\"]\n", "BAD_INPUT"),
        ("[Kind \"triangulate\"]\n[Seat1 \"A\"]\n[Seat2 \"B\"]\n\nb1-b2 b1-b2", "ILLEGAL_ACTION"),
    ] {
        let len = house.service.log().len();
        assert_eq!(import(&house, bad, "TEXT").await.code(), code, "{bad:?}");
        assert_eq!(house.service.log().len(), len, "{bad:?} wrote something");
    }
}

/// A record with any of its bytes changed is refused, or says the same.
#[tokio::test]
async fn a_changed_byte_is_found() {
    let house = House::new();
    let id = eventful(&house, "triangulate").await;
    for format in ["JSON", "NDJSON"] {
        let sent = record(&house, &id, format).await;
        let there = House::new();
        let step = 7;
        for at in (0..sent.len()).step_by(step) {
            let mut changed = sent.clone().into_bytes();
            changed[at] ^= 1;
            let Ok(changed) = String::from_utf8(changed) else { continue };
            let answer = import(&there, &changed, format).await;
            if answer.errors.is_empty() {
                // White space between members, or the last event, which no later one holds fast:
                // nothing that is told of the game may differ but what that event itself says.
                assert_eq!(
                    format,
                    "NDJSON",
                    "byte {at}: {:?} was taken",
                    &changed[at.saturating_sub(20)..(at + 20).min(changed.len())]
                );
                let last_line = sent.trim_end().rfind('\n').unwrap();
                assert!(at > last_line, "byte {at} of {} was changed and not found", sent.len());
                break;
            }
            assert_eq!(answer.code(), "BAD_INPUT", "byte {at}: {:?}", answer.errors);
            assert_eq!(there.service.log().len(), 0, "byte {at} was written");
        }
    }
}

#[tokio::test]
async fn a_record_cut_short_is_found_unless_it_is_a_shorter_log() {
    let house = House::new();
    let id = eventful(&house, "triangulate").await;
    let json = record(&house, &id, "JSON").await;
    for len in (0..json.trim_end().len()).step_by(13) {
        let Some(cut) = json.get(..len) else { continue };
        let there = House::new();
        assert_eq!(import(&there, cut, "JSON").await.code(), "BAD_INPUT", "{len} bytes");
        assert_eq!(there.service.log().len(), 0);
    }
    let log = record(&house, &id, "NDJSON").await;
    let there = House::new();
    let ends: Vec<usize> = log.match_indices('\n').map(|(at, _)| at + 1).collect();
    for len in (0..log.len()).step_by(29).chain(ends.iter().copied()) {
        let Some(cut) = log.get(..len) else { continue };
        let answer = import(&there, cut, "NDJSON").await;
        let is_whole = len > 0 && (ends.contains(&len) || ends.contains(&(len + 1)));
        assert_eq!(answer.code(), if is_whole { "OK" } else { "BAD_INPUT" }, "{len} bytes");
    }
    assert_eq!(record(&there, &id, "NDJSON").await, log, "prefix after prefix it has become whole");
}

#[tokio::test]
async fn garbage_and_strangers_are_refused() {
    let (house, there) = (House::new(), House::new());
    let id = eventful(&house, "triangulate").await;
    let player = house.player("Ada").await;
    let of = |id: &str| {
        let lines = house.service.log().read(id.parse().unwrap(), 0).unwrap();
        lines.iter().map(|line| String::from_utf8(line.to_vec()).unwrap() + "\n").collect::<String>()
    };
    let (log, players) = (of(&id), of(&player));
    let lines: Vec<&str> = log.lines().collect();
    let mut header: Value = serde_json::from_str(&record(&house, &id, "JSON").await).unwrap();
    header["outcome"]["winners"] = json!([1]);
    let swapped = [lines[0], lines[2], lines[1]].join("\n");
    for (bad, format) in [
        ("", "JSON"),
        ("null", "JSON"),
        ("[]", "JSON"),
        ("{}", "JSON"),
        ("{\"format\":\"plybook-record/1\"}", "JSON"),
        ("\u{0}", "NDJSON"),
        ("", "NDJSON"),
        ("\n\n", "NDJSON"),
        ("{}", "NDJSON"),
        (&"[".repeat(100_000), "JSON"),
        (&"{\"at\":".repeat(1000), "NDJSON"),
        (&log, "JSON"),
        (&header.to_string(), "JSON"),
        (lines[1], "NDJSON"),
        (&swapped, "NDJSON"),
        (&format!("{log}{}", lines[1]), "NDJSON"),
        (&players, "NDJSON"),
        (&format!("{log}{players}"), "NDJSON"),
        (&log, "SVG"),
        (&log, "TEXT"),
    ] {
        let answer = import(&there, bad, format).await;
        assert_eq!(answer.code(), "BAD_INPUT", "{format} {:?}", bad.get(..60));
        assert!(answer.says().len() < 1000);
        assert_eq!(there.service.log().len(), 0);
    }
    // Another log of the same game: the first event is the same, the second is not.
    import(&there, lines[0], "NDJSON").await.ok();
    there.play(&id, 1, &mut Dice(77)).await;
    let len = there.service.log().len();
    let other = import(&there, &log, "NDJSON").await;
    if there.service.log().read(id.parse().unwrap(), 1).unwrap()[0][..] != *lines[1].as_bytes() {
        assert_eq!((other.code().as_str(), there.service.log().len()), ("BAD_INPUT", len));
        assert!(other.says().contains("another log"), "{}", other.says());
    }
}
