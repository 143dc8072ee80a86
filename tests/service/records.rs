//! Import and export of records.

use plybook_api::access::Caller;
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

/// A game without the times at which it was recorded: elsewhere, that is when it was imported.
fn undated(mut game: Value) -> Value {
    for name in ["createdAt", "finishedAt"] {
        game[name] = Value::Null;
    }
    game
}

/// A game of a kind with everything that a log can contain, finished so that nothing is sealed.
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

/// A record with any byte changed is refused, or means the same.
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
                // White space between members, or the last event, which no later one secures: apart from that
                // event, nothing that is reported about the game may differ.
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
async fn garbage_and_foreign_records_are_refused() {
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

/// A finished game with lines: one below another, and a hidden one with a line below it.
async fn with_lines(house: &House, kind: &str) -> (String, Vec<String>) {
    let game = eventful(house, kind).await;
    let fork = async |game: &str, ply: usize, name: &str| {
        let query = "mutation($g: ID!, $p: Int!, $n: String) { fork(game: $g, ply: $p, name: $n) { id } }";
        let made = house.get(query, json!({ "g": game, "p": ply, "n": name })).await;
        text(&made["fork"]["id"])
    };
    let mut lines = Vec::new();
    for (parent, ply, plies, name) in
        [(0, 3, 4, "a {first} (try)"), (1, 5, 2, "below"), (0, 7, 3, "at the end"), (0, 1, 2, "h"), (4, 3, 2, "h2")]
    {
        let parent: &String = if parent == 0 { &game } else { &lines[parent - 1] };
        let line = fork(parent, ply, name).await;
        house.play(&line, plies, &mut Dice(ply as u64 + 20)).await;
        lines.push(line);
    }
    let annotate =
        "mutation($g: ID!) { annotate(game: $g, ply: 5, comment: \"better (here)\", glyphs: [\"!\"]) { id } }";
    house.get(annotate, json!({ "g": lines[0] })).await;
    house.get("mutation($g: ID!) { arrangeLine(line: $g, hidden: true) { id } }", json!({ "g": lines[3] })).await;
    (game, lines)
}

#[tokio::test]
async fn a_game_travels_with_its_lines() {
    let house = House::new();
    for kind in kind_names() {
        let (game, lines) = with_lines(&house, kind).await;
        let sent = record(&house, &game, "JSON").await;
        let told: Value = serde_json::from_str(&sent).unwrap();
        let ids: Vec<String> = told["lines"].as_array().unwrap().iter().map(|line| text(&line["line"])).collect();
        assert_eq!(ids, lines[..3], "{kind}: parents first, without the hidden one and what is below it");
        assert_eq!(told["lines"][1]["fork"]["game"], json!(lines[0]));
        assert_eq!(told["lines"][1]["actions"].as_array().unwrap().len(), 2);
        let there = House::new();
        // A line is refused alone, and imported with its game.
        for format in ["JSON", "NDJSON"] {
            let refused = import(&there, &record(&house, &lines[0], format).await, format).await;
            assert!(refused.says().contains("which it continues, is not here"), "{kind}: {refused:?}");
        }
        assert!(there.service.log().is_empty());
        assert_eq!(import(&there, &sent, "JSON").await.ok()["importRecord"]["id"], json!(game));
        assert_eq!(record(&there, &game, "JSON").await, sent, "{kind}");
        for line in &lines[..3] {
            assert_eq!(undated(there.game(line).await), undated(house.game(line).await), "{kind}");
            assert_eq!(there.game(line).await["verification"]["valid"], true);
            assert_eq!(record(&there, line, "TEXT").await, record(&house, line, "TEXT").await);
        }
        import(&there, &record(&house, &lines[3], "NDJSON").await, "NDJSON").await.ok();
        import(&there, &record(&house, &lines[4], "JSON").await, "JSON").await.ok();
        assert_eq!(undated(there.game(&lines[4]).await), undated(house.game(&lines[4]).await), "{kind}");
    }
}

#[tokio::test]
async fn a_record_whose_lines_were_changed_is_refused() {
    let house = House::new();
    let (game, _) = with_lines(&house, "triforce").await;
    let sent = record(&house, &game, "JSON").await;
    let there = House::new();
    let mut dice = Dice(9);
    let from = sent.find("\"lines\"").unwrap();
    for _ in 0..60 {
        let mut copy = sent.clone().into_bytes();
        let at = from + dice.below((sent.len() - from) as u32 - 1) as usize;
        copy[at] = if copy[at] == b'7' { b'8' } else { b'7' };
        let Ok(copy) = String::from_utf8(copy) else { continue };
        assert_ne!(import(&there, &copy, "JSON").await.code(), "OK", "byte {at}: {}", &copy[at - 20..at + 20]);
    }
    let record: Value = serde_json::from_str(&sent).unwrap();
    let changes: [fn(&mut Value); 6] = [
        |record| record["lines"][0]["name"] = json!("another"),
        |record| record["lines"][0]["createdAt"] = json!("2026-01-01T00:00:00.000Z"),
        |record| record["lines"] = json!([]),
        |record| record["lines"][1]["line"] = record["lines"][0]["line"].clone(),
        |record| drop(record["lines"].as_array_mut().unwrap().remove(0)),
        |record| drop(record["lines"][0].as_object_mut().unwrap().remove("actions")),
    ];
    for (index, change) in changes.iter().enumerate() {
        let mut changed = record.clone();
        change(&mut changed);
        assert_ne!(import(&there, &changed.to_string(), "JSON").await.code(), "OK", "change {index}");
    }
    assert!(there.service.log().is_empty(), "nothing was written");
    // The other verifier agrees.
    let folder = tempfile::tempdir().unwrap();
    let judge = |text: &str| {
        let path = folder.path().join("record.json");
        std::fs::write(&path, text).unwrap();
        let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("python/verify.py");
        let ran = std::process::Command::new("python3").arg(script).arg(&path).output().unwrap();
        assert!(ran.stderr.is_empty(), "{}", String::from_utf8_lossy(&ran.stderr));
        (ran.status.success(), String::from_utf8(ran.stdout).unwrap())
    };
    let (is_right, found) = judge(&sent);
    assert!(is_right && found.lines().count() == 4, "{found}");
    // The line below another claims a different fork: its chain is valid, and yet it is wrong.
    let mut changed = record.clone();
    let events = changed["lines"][1]["events"].as_array_mut().unwrap();
    let mut prev = None;
    for (index, line) in events.iter_mut().enumerate() {
        let mut event: Value = serde_json::from_str(&text(line)).unwrap();
        if index == 0 {
            event["body"]["fork"]["ply"] = json!(4);
        } else {
            event["prev"] = json!(prev);
        }
        prev = Some(plybook_events::Hash::of_event(event.to_string().as_bytes()).to_string());
        *line = event.to_string().into();
    }
    changed["lines"][1]["head"] = json!(prev);
    changed["lines"][1]["fork"]["ply"] = json!(4);
    let (is_right, found) = judge(&changed.to_string());
    assert!(!is_right && found.contains("did not lead to ply 4"), "{found}");
    assert!(import(&there, &changed.to_string(), "JSON").await.says().contains("did not lead to that ply"));
}

#[tokio::test]
async fn a_text_shows_lines_in_parentheses_and_is_read_without_them() {
    let house = House::new();
    for kind in kind_names() {
        let (game, lines) = with_lines(&house, kind).await;
        let sent = record(&house, &game, "TEXT").await;
        let body = sent.split("\n\n").nth(1).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
        let word = async |id: &str, ply: usize| {
            let moves = house.game(id).await["moves"]["nodes"].clone();
            let done = &moves[ply - 1];
            let seat = text(&done["by"]);
            let is_seated = plybook_example::kind(kind).unwrap().about().simultaneous && seat.starts_with("seat:");
            let seat = if is_seated { format!("{}:", &seat[5..]) } else { String::new() };
            format!("{ply}. {seat}{}", text(&done["action"]))
        };
        let expected = format!(
            "{} ( {{a  first  (try)}} {} {} $! {{better (here)}} {} ( {{below}} {} {} ) {} )",
            word(&game, 4).await,
            word(&lines[0], 4).await,
            word(&lines[0], 5).await,
            word(&lines[0], 6).await,
            word(&lines[1], 6).await,
            word(&lines[1], 7).await,
            word(&lines[0], 7).await,
        );
        let spaced = expected.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(body.contains(&spaced), "{kind}: {body}\n{spaced}");
        let end = format!("{} ( {{at the end}} {}", word(&game, 7).await, word(&lines[2], 8).await);
        assert!(body.contains(&end), "{kind}: {body}\n{end}");
        assert!(!sent.contains("{h}"), "{kind}: the hidden one is left out");
        let taken = import(&house, &sent, "TEXT").await.ok();
        let new = house.game(&text(&taken["importRecord"]["id"])).await;
        let actions = |game: &Value| {
            game["moves"]["nodes"].as_array().unwrap().iter().map(|done| done["action"].clone()).collect::<Vec<_>>()
        };
        assert_eq!(actions(&new), actions(&house.game(&game).await), "{kind}");
        let own = record(&house, &lines[1], "TEXT").await;
        assert!(own.contains("[Line \"below\"]") && own.contains(&format!("[ForkedFrom \"{} ply 5\"]", lines[0])));
        let taken = import(&house, &own, "TEXT").await.ok();
        assert_eq!(taken["importRecord"]["ply"], 7, "{kind}: a line is read as a game of its own");
    }
    for wrong in ["1. b1-b2 ( 1. b1-b3", "1. b1-b2 )"] {
        let text = format!("[Kind \"triangulate\"]\n[Seat1 \"a\"]\n[Seat2 \"b\"]\n\n{wrong}");
        assert!(import(&house, &text, "TEXT").await.says().contains("parenthesis"), "{wrong}");
    }
}
