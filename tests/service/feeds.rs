//! The feed: every event of every game that matches, once, in the order of the journal, and nothing else.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{FutureExt, StreamExt};
use plybook_api::access::{Caller, Role};
use plybook_api::service::{FeedPageSize, FeedStart};
use plybook_events::{Event, LogId};
use plybook_models::Filter;
use plybook_tests::logs;
use serde_json::{Value, json};

use crate::house::{Answer, Dice, House, caller, next, nobody, player, text};

const CHANGES: &str = "subscription($f: GameFilter, $a: String, $h: Boolean) { changes(filter: $f, after: $a, \
    includeHidden: $h) { cursor nodes { game { id } event { seq type bytes } } } }";

/// The bytes of events, in order, and the last cursor.
#[derive(Default)]
struct Read {
    events: Vec<String>,
    cursor: Option<String>,
}

impl Read {
    fn take(&mut self, answer: Answer) {
        let page = answer.ok()["changes"].clone();
        for node in page["nodes"].as_array().unwrap() {
            let event = Event::parse(node["event"]["bytes"].as_str().unwrap().as_bytes()).unwrap();
            assert_eq!(node["game"]["id"], event.log.to_string());
            self.events.push(text(&node["event"]["bytes"]));
        }
        self.cursor = Some(text(&page["cursor"]));
    }

    /// Everything up to now.
    fn all(house: &House, who: &Caller, variables: Value) -> Self {
        let (mut read, mut stream) = (Self::default(), house.follow(who, CHANGES, variables));
        while let Some(Some(answer)) = stream.next().now_or_never() {
            read.take(answer);
        }
        read
    }
}

/// The events of recorded games in the journal that are accepted, from a position on.
fn recorded(house: &House, accepts: impl Fn(&Event) -> bool) -> Vec<String> {
    let entries = house.service.log().entries(0, usize::MAX).unwrap();
    let known = house.service.models().known();
    let is_game = |event: &Event| known.games.get(event.log).is_some_and(|game| game.fork.is_none());
    let found = entries.iter().filter(|entry| {
        let event = Event::parse(&entry.bytes).unwrap();
        is_game(&event) && accepts(&event)
    });
    found.map(|entry| String::from_utf8(entry.bytes.to_vec()).unwrap()).collect()
}

/// Games of two kinds, players, a tournament, a request with a key, and a line that is hidden.
async fn busy(house: &House) -> [String; 3] {
    let ada = house.player("Ada").await;
    let seats = json!([{ "player": ada }, { "name": "Bela" }]);
    let one = house.create_as(json!({ "kind": "triangulate", "seats": seats, "tags": { "hall": "A" } })).await;
    let two = house.create("tri").await;
    let tournament =
        "mutation { createTournament(input: { name: \"Open\", kind: \"tri\", format: SWISS, rounds: 2 }) { id } }";
    house.get(tournament, json!({})).await;
    let act = "mutation($g: ID!) { act(game: $g, action: \"b1-b2\", idempotencyKey: \"a-key-of-feeds-1\") { id } }";
    let with_token = Caller { token: Some(plybook_events::Hash::ZERO), ..Caller::ADMIN };
    house.ask(&with_token, act, json!({ "g": one })).await.ok();
    let fork = "mutation($g: ID!) { fork(game: $g, ply: 0, actions: [\"b1-b2\"]) { id } }";
    let line = text(&house.get(fork, json!({ "g": one })).await["fork"]["id"]);
    house.get("mutation($l: ID!) { arrangeLine(line: $l, hidden: true) { id } }", json!({ "l": line })).await;
    house.play(&two, 30, &mut Dice(7)).await;
    [one, two, ada]
}

#[tokio::test]
async fn it_has_the_events_of_games_in_order_and_nothing_else() {
    let house = House::new();
    let [one, two, ada] = busy(&house).await;
    let everybody = Caller::SPECTATOR;
    let all = Read::all(&house, &everybody, json!({}));
    assert_eq!(all.events, recorded(&house, |_| true));
    assert!(all.events.len() > 30);
    let types: BTreeSet<&str> =
        all.events.iter().map(|bytes| Event::parse(bytes.as_bytes()).unwrap().body.type_name()).collect();
    assert!(!types.iter().any(|of| of.starts_with("player_") || of.starts_with("tour")));
    for (filter, game) in [
        (json!({ "kind": "triangulate" }), Some(&one)),
        (json!({ "kind": "tri" }), Some(&two)),
        (json!({ "kind": "thrones" }), None),
        (json!({ "player": ada }), Some(&one)),
        (json!({ "players": [ada], "seat": 1 }), Some(&one)),
        (json!({ "players": [ada], "seat": 2 }), None),
        (json!({ "tags": ["hall=A"] }), Some(&one)),
        (json!({ "tournament": nobody() }), None),
        (json!({ "since": "2100-01-01" }), None),
    ] {
        let found = Read::all(&house, &everybody, json!({ "f": filter }));
        assert_eq!(found.events, recorded(&house, |event| Some(&event.log.to_string()) == game), "{filter}");
        assert!(found.cursor.is_some(), "the first answer comes at once: {filter}");
    }
}

/// What changes while a game is played cannot select its events.
#[tokio::test]
async fn a_filter_by_what_changes_is_refused() {
    let house = House::new();
    for (member, value) in [
        ("status", json!("RUNNING")),
        ("winner", json!(nobody())),
        ("imported", json!(false)),
        ("winningSeat", json!(1)),
        ("reason", json!("resignation")),
        ("decidedBy", json!("RULES")),
        ("minPly", json!(1)),
        ("maxPly", json!(1)),
        ("minRating", json!(1.0)),
        ("maxRating", json!(1.0)),
        ("position", json!({ "key": "0".repeat(64) })),
    ] {
        let refused = next(&mut house.follow(&Caller::SPECTATOR, CHANGES, json!({ "f": { member: value } }))).await;
        assert_eq!(refused.code(), "BAD_INPUT");
        assert!(refused.says().starts_with(&format!("`{member}` changes")), "{}", refused.says());
    }
}

#[tokio::test]
async fn hidden_lines_reach_only_those_who_may_see_them() {
    let house = House::new();
    busy(&house).await;
    let lines = |who: &Caller, hidden: bool| {
        Read::all(&house, who, json!({ "f": { "origin": "ANALYSIS" }, "h": hidden })).events.len()
    };
    assert_eq!(lines(&Caller::SPECTATOR, false), 0);
    assert_eq!(lines(&caller(Role::Recorder), false), 0);
    assert_eq!(lines(&caller(Role::Recorder), true), 3);
    assert_eq!(lines(&player(&nobody()), true), 0, "it is somebody else's");
    let mut refused = house.follow(&Caller::SPECTATOR, CHANGES, json!({ "f": { "origin": "ANALYSIS" }, "h": true }));
    assert_eq!(next(&mut refused).await.code(), "FORBIDDEN");
}

#[tokio::test]
async fn every_cursor_continues_after_what_was_read() {
    let house = House::new();
    busy(&house).await;
    let all = recorded(&house, |_| true);
    let (mut stream, mut before) = (house.follow(&Caller::SPECTATOR, CHANGES, json!({})), Read::default());
    while let Some(Some(answer)) = stream.next().now_or_never() {
        before.take(answer);
        let rest = Read::all(&house, &Caller::SPECTATOR, json!({ "a": before.cursor }));
        assert_eq!([before.events.clone(), rest.events].concat(), all);
    }
    assert_eq!(before.events, all);
    let mut now = house.follow(&Caller::SPECTATOR, CHANGES, json!({ "a": "now" }));
    let first = next(&mut now).await.ok()["changes"].clone();
    assert_eq!(first["nodes"], json!([]));
    let game = house.create("triangulate").await;
    assert_eq!(next(&mut now).await.ok()["changes"]["nodes"][0]["game"]["id"], game);
    assert_eq!(Read::all(&house, &Caller::SPECTATOR, json!({ "a": first["cursor"] })).events.len(), 1);
}

/// Junk, the future, and what another service has recorded.
#[tokio::test]
async fn a_cursor_from_elsewhere_is_refused() {
    let (house, other) = (House::new(), House::new());
    for _ in 0..3 {
        house.create("triangulate").await;
    }
    other.create("triangulate").await;
    let end = |house: &House| Read::all(house, &Caller::SPECTATOR, json!({})).cursor.unwrap();
    let (own, others) = (end(&house), end(&other));
    other.create("triangulate").await;
    let refused = |after: String, code: &'static str, says: &'static str| {
        let mut stream = house.follow(&Caller::SPECTATOR, CHANGES, json!({ "a": after }));
        async move {
            let answer = next(&mut stream).await;
            assert_eq!(answer.code(), code, "{after}");
            assert!(answer.says().contains(says), "{}", answer.says());
            assert!(stream.next().await.is_none());
        }
    };
    refused("x".to_owned(), "BAD_INPUT", "`now`").await;
    refused(String::new(), "BAD_INPUT", "`now`").await;
    refused("Now".to_owned(), "BAD_INPUT", "`now`").await;
    refused("💥".repeat(10_000), "BAD_INPUT", "`now`").await;
    refused(others, "NOT_FOUND", "something else is recorded").await;
    let mut ahead = other.follow(&Caller::SPECTATOR, CHANGES, json!({ "a": own }));
    let answer = next(&mut ahead).await;
    assert_eq!(answer.code(), "NOT_FOUND");
    assert!(answer.says().contains("ahead"), "{}", answer.says());
    // Before the first event, all are alike.
    let beginning = Read::all(&House::new(), &Caller::SPECTATOR, json!({})).cursor;
    assert_eq!(Read::all(&house, &Caller::SPECTATOR, json!({ "a": beginning })).events.len(), 3);
}

/// Many write at once, and readers come and go: each gets every event once, in the same order.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_is_lost_or_comes_twice_while_writers_record() {
    let house = Arc::new(House::new());
    let writers: Vec<_> = (0..8)
        .map(|n| {
            let house = Arc::clone(&house);
            tokio::spawn(async move {
                let game = house.create(["triangulate", "tri"][n % 2]).await;
                let query = "mutation($g: ID!, $c: String!) { annotate(game: $g, ply: 0, comment: $c) { id } }";
                for turn in 0..40 {
                    house.get(query, json!({ "g": game, "c": format!("{n} {turn}") })).await;
                }
            })
        })
        .collect();
    // Each reader gives up after some answers, and another one resumes.
    let readers: Vec<_> = (0..4)
        .map(|n| {
            let house = Arc::clone(&house);
            let filter = if n == 0 { json!({ "kind": "tri" }) } else { json!(null) };
            tokio::spawn(async move {
                let (mut read, expected) = (Read::default(), if n == 0 { 4 * 41 } else { 8 * 41 });
                while read.events.len() < expected {
                    let variables = json!({ "f": filter, "a": read.cursor });
                    let mut stream = house.follow(&Caller::SPECTATOR, CHANGES, variables);
                    for _ in 0..=n {
                        match tokio::time::timeout(Duration::from_millis(500), next(&mut stream)).await {
                            Ok(answer) => read.take(answer),
                            Err(_) => break,
                        }
                    }
                }
                read.events
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    let of_kind = |kind: &str| {
        let known = house.service.models().known();
        let games: BTreeSet<_> = known.games.rows().of(kind).ids().iter().copied().collect();
        drop(known);
        recorded(&house, |event| games.contains(&event.log))
    };
    for (n, reader) in readers.into_iter().enumerate() {
        let expected = if n == 0 { of_kind("tri") } else { recorded(&house, |_| true) };
        assert_eq!(reader.await.unwrap(), expected, "reader {n}");
    }
}

/// A filter that accepts little does not make a reader start over: now and then it is told how far it has come. If few games
/// match, that is the next event of one of them, or the end.
#[tokio::test]
async fn a_reader_without_events_comes_forward() {
    for (games, pages) in [(0, 1), (65, 2)] {
        let house = House::new();
        for _ in 0..games {
            house.create("tri").await;
        }
        let mut stream = house.follow(&Caller::SPECTATOR, CHANGES, json!({ "f": { "kind": "tri" } }));
        let mut read = Read::default();
        while read.cursor.is_none() || read.events.len() < games {
            read.take(next(&mut stream).await);
        }
        let other = house.create("triangulate").await.parse().unwrap();
        logs::comment(house.service.log(), other, 2_500);
        let mut cursors = vec![read.cursor.unwrap()];
        for _ in 0..pages {
            let page = next(&mut stream).await.ok()["changes"].clone();
            assert_eq!(page["nodes"], json!([]));
            assert!(!cursors.contains(&text(&page["cursor"])));
            cursors.push(text(&page["cursor"]));
        }
        assert!(stream.next().now_or_never().is_none(), "the rest is too little to tell");
        house.create("tri").await;
        assert_eq!(next(&mut stream).await.ok()["changes"]["nodes"][0]["event"]["type"], "created");
    }
}

/// Whatever is looked up in an index, a reader gets what a scan of the whole journal finds, from every cursor on.
#[tokio::test]
async fn what_is_skipped_has_nothing_that_matches() {
    let house = House::new();
    let mut dice = Dice(45);
    let (mut many, mut rare): (Vec<LogId>, Vec<LogId>) = Default::default();
    for n in 0..140 {
        let tag = if n % 50 == 7 { "rare" } else { "many" };
        let input = json!({ "kind": "triangulate", "seats": [{}, {}], "tags": { tag: "1" } });
        let game = house.create_as(input).await.parse().unwrap();
        if tag == "rare" { &mut rare } else { &mut many }.push(game);
        let at = dice.below(many.len() as u32) as usize;
        logs::comment(house.service.log(), many[at], 1 + u64::from(dice.below(400)));
    }
    logs::comment(house.service.log(), rare[0], 1);
    logs::comment(house.service.log(), many[0], 3_000);
    let end = house.service.log().len();
    let size = FeedPageSize { events: 64, bytes: 8 << 10 };
    // Each event is found by one look into the index, and a page is read after it.
    for (tag, games, pages_max) in [("rare", &rare, 9), ("none", &Vec::new(), 1), ("many", &many, end)] {
        let filter = Filter { is_analysis: Some(false), tags: vec![tag.to_owned()], ..Filter::default() };
        let expected = recorded(&house, |event| games.contains(&event.log));
        let mut starts = vec![(FeedStart::Beginning, 0)];
        let mut tried = 0;
        while let Some((start, before)) = starts.pop() {
            let mut feed = house.service.open_feed(filter.clone(), start).unwrap();
            let (mut found, mut pages) = (Vec::new(), 0_u64);
            while let Some(page) = feed.next_page(size).unwrap() {
                found.extend(page.events.iter().map(|event| String::from_utf8(event.bytes.to_vec()).unwrap()));
                pages += 1;
                if tried == 0 && (tag == "rare" || pages % 64 == 0) {
                    starts.push((FeedStart::After(page.cursor), found.len()));
                }
            }
            assert_eq!(found, expected[before..], "{tag}, from {start:?}");
            assert!(pages <= pages_max, "{tag}: {pages} pages of {end} events");
            tried += 1;
        }
    }
}
