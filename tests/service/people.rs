//! Players: edited, merged, found, imported, and which of their details are private.

use plybook_api::access::Role;
use plybook_tests::store;
use serde_json::{Value, json};

use crate::house::{Answer, House, caller, player, seat, text};

/// The fields requested of a player.
const FIELDS: &str = "id name club country links yearOfBirth seq mergedInto { id } merged { id } namesakes { id }";

async fn create(house: &House, input: Value) -> Value {
    let query = format!("mutation($i: CreatePlayer!) {{ createPlayer(input: $i) {{ {FIELDS} }} }}");
    house.get(&query, json!({ "i": input })).await["createPlayer"].clone()
}

async fn edit(house: &House, id: &str, input: Value, expected: Option<u64>) -> Answer {
    let query = format!(
        "mutation($p: ID!, $i: EditPlayer!, $e: Int) {{ editPlayer(player: $p, input: $i, expectedSeq: $e) {{ {FIELDS} }} }}"
    );
    house.ask(&caller(Role::Arbiter), &query, json!({ "p": id, "i": input, "e": expected })).await
}

async fn merge(house: &House, from: &str, into: &str) -> Answer {
    let query = "mutation($f: ID!, $i: ID!) { mergePlayers(from: $f, into: $i) { id } }";
    house.ask(&caller(Role::Arbiter), query, json!({ "f": from, "i": into })).await
}

async fn unmerge(house: &House, id: &str) -> Answer {
    let query = "mutation($p: ID!) { unmergePlayer(player: $p) { id mergedInto { id } } }";
    house.ask(&caller(Role::Arbiter), query, json!({ "p": id })).await
}

async fn import(house: &House, field: &str, csv: &str) -> Answer {
    let operation = if field == "previewPlayers" { "query" } else { "mutation" };
    let query = format!(
        "{operation}($c: String!) {{ {field}(csv: $c) {{ creates edits same errors \
         lines {{ number action name changes problem player {{ name club country }} }} }} }}"
    );
    house.ask(&caller(Role::Arbiter), &query, json!({ "c": csv })).await
}

async fn found(house: &House, search: &str) -> Vec<String> {
    let query = "query($s: String!) { players(filter: { search: $s }) { nodes { name } } }";
    let answer = house.get(query, json!({ "s": search })).await;
    answer["players"]["nodes"].as_array().unwrap().iter().map(|player| text(&player["name"])).collect()
}

/// The number of games listed with this filter.
async fn count(house: &House, filter: Value) -> u64 {
    let query = "query($f: GameFilter!) { games(filter: $f) { totalCount } }";
    house.get(query, json!({ "f": filter })).await["games"]["totalCount"].as_u64().unwrap()
}

/// A game of Triangulate that seat 2 wins.
async fn lost(house: &House, one: &str, two: &str) -> String {
    let game = house.create_as(json!({ "kind": "triangulate", "seats": [{ "player": one }, { "player": two }] })).await;
    house.get("mutation($g: ID!) { resign(game: $g, seat: 1) { id } }", json!({ "g": game })).await;
    game
}

#[tokio::test]
async fn a_player_is_edited_and_keeps_what_an_edit_leaves_out() {
    let house = House::new();
    let ada = create(&house, json!({ "name": "Ada", "club": "North", "country": "se", "yearOfBirth": 1987 })).await;
    assert_eq!((&ada["country"], &ada["yearOfBirth"], &ada["seq"]), (&json!("SE"), &json!(1987), &json!(1)));
    let id = text(&ada["id"]);
    let input = json!({ "club": null, "links": ["https://example.org/ada"] });
    let edited = edit(&house, &id, input.clone(), Some(1)).await.ok()["editPlayer"].clone();
    let told = (&edited["name"], &edited["club"], &edited["country"], &edited["yearOfBirth"], &edited["seq"]);
    assert_eq!(told, (&json!("Ada"), &Value::Null, &json!("SE"), &json!(1987), &json!(2)));
    // Repeated, it changes nothing; with an outdated `expectedSeq`, it is refused.
    assert_eq!(edit(&house, &id, input.clone(), None).await.ok()["editPlayer"]["seq"], 2);
    let refused = edit(&house, &id, input, Some(1)).await;
    assert_eq!(
        (refused.code(), refused.errors[0]["extensions"]["head"].as_u64()),
        ("LOG_CONFLICT".to_owned(), Some(2))
    );
    for wrong in [
        json!({ "name": null }),
        json!({ "name": " " }),
        json!({ "country": "XX" }),
        json!({ "links": ["http://a.org"] }),
    ] {
        assert_eq!(edit(&house, &id, wrong, None).await.code(), "BAD_INPUT");
    }
    let unknown = crate::house::nobody();
    assert_eq!(edit(&house, &unknown, json!({ "name": "X" }), None).await.code(), "NOT_FOUND");
    let verified = plybook_rules::log::verify(
        id.parse().unwrap(),
        &house.service.log().read(id.parse().unwrap(), 0).unwrap(),
        &plybook_rules::log::Secrets::new(),
    );
    assert_eq!((verified.0.fault, verified.0.events), (None, 3));
}

#[tokio::test]
async fn the_year_of_birth_is_for_arbiters_and_never_in_the_log() {
    let dir = tempfile::tempdir().unwrap();
    let open = || store::open(dir.path()).unwrap();
    let query = "query($p: ID!) { player(id: $p) { yearOfBirth } }";
    let id;
    {
        let house = House::over(open());
        id = text(&create(&house, json!({ "name": "Ada", "yearOfBirth": 1987 })).await["id"]);
        for who in [caller(Role::Spectator), caller(Role::Recorder), player(&id), seat(&id, 1)] {
            let answer = house.ask(&who, query, json!({ "p": id })).await.ok();
            assert_eq!(answer["player"]["yearOfBirth"], Value::Null, "{who:?}");
        }
        assert_eq!(house.get(query, json!({ "p": id })).await["player"]["yearOfBirth"], 1987);
        let log = house.service.log().read(id.parse().unwrap(), 0).unwrap();
        assert!(log.iter().all(|line| !String::from_utf8_lossy(line).contains("1987")));
        house.service.close();
    }
    let house = House::over(open());
    assert_eq!(house.get(query, json!({ "p": id })).await["player"]["yearOfBirth"], 1987, "it outlives a restart");
    edit(&house, &id, json!({ "yearOfBirth": null }), None).await.ok();
    assert_eq!(house.get(query, json!({ "p": id })).await["player"]["yearOfBirth"], Value::Null);
    house.service.close();
    drop(house);
    for entry in std::fs::read_dir(dir.path()).unwrap().flatten().filter(|entry| entry.path().is_file()) {
        assert!(!std::fs::read_to_string(entry.path()).unwrap_or_default().contains("1987"), "{:?}", entry.path());
    }
}

#[tokio::test]
async fn games_of_merged_players_count_for_one_of_them() {
    let house = House::new();
    let mut ids = Vec::new();
    for name in ["Ada", "Ada L.", "Bela"] {
        ids.push(house.player(name).await);
    }
    let [ada, double, bela] = ids.try_into().unwrap();
    let (first, second) = (lost(&house, &bela, &ada).await, lost(&house, &bela, &double).await);
    let before = house.game(&second).await;
    assert_eq!(merge(&house, &double, &ada).await.ok()["mergePlayers"]["id"], json!(ada));
    assert_eq!(merge(&house, &double, &ada).await.code(), "OK", "a repeated merge changes nothing");
    let against = "query($p: ID!, $o: ID!) { player(id: $p) { mergedInto { id } games { totalCount nodes { id } } \
        against(opponent: $o) { wins } statistics(kind: \"triangulate\") { games } } }";
    for id in [&ada, &double] {
        let told = house.get(against, json!({ "p": id, "o": bela })).await["player"].clone();
        let games: Vec<_> = told["games"]["nodes"].as_array().unwrap().iter().map(|game| text(&game["id"])).collect();
        assert_eq!(games, [second.clone(), first.clone()]);
        assert_eq!((&told["against"]["wins"], &told["statistics"]["games"]), (&json!([2, 0]), &json!(2)));
        for filter in [json!({ "player": id }), json!({ "players": [id, bela] }), json!({ "winner": id })] {
            assert_eq!(count(&house, filter.clone()).await, 2, "{filter}");
        }
        assert_eq!(count(&house, json!({ "player": id, "seat": 2 })).await, 2);
    }
    let after = house.game(&second).await;
    assert_eq!(after["seats"][1]["player"]["id"], json!(ada));
    assert_eq!((&after["events"], &after["seats"][1]["name"]), (&before["events"], &json!("Ada L.")));
    assert_eq!(found(&house, "ada").await, ["Ada"]);
    unmerge(&house, &double).await.ok();
    assert_eq!(house.game(&second).await, before);
    let told = house.get(against, json!({ "p": ada, "o": bela })).await["player"].clone();
    assert_eq!((&told["games"]["totalCount"], &told["against"]["wins"]), (&json!(1), &json!([1, 0])));
    assert_eq!(count(&house, json!({ "winner": double })).await, 1);
    assert_eq!(unmerge(&house, &double).await.code(), "OK", "a repeated unmerge changes nothing");
}

#[tokio::test]
async fn impossible_merges_are_refused() {
    let house = House::new();
    let mut ids = Vec::new();
    for name in ["Ada", "Bela", "Chiara"] {
        ids.push(house.player(name).await);
    }
    let [ada, bela, chiara] = ids.try_into().unwrap();
    assert!(merge(&house, &ada, &ada).await.says().contains("two players"));
    assert_eq!(merge(&house, &ada, &crate::house::nobody()).await.code(), "NOT_FOUND");
    lost(&house, &ada, &bela).await;
    assert!(merge(&house, &ada, &bela).await.says().contains("both sat in the game"));
    merge(&house, &chiara, &bela).await.ok();
    assert!(merge(&house, &chiara, &ada).await.says().contains("is merged into"));
    assert!(merge(&house, &bela, &chiara).await.says().contains("is merged into"), "no circle");
    // A merged player may not play against the other, neither under its own id nor under the other's.
    let seats = json!([{ "player": bela }, { "player": chiara }]);
    let query = "mutation($i: CreateGame!) { createGame(input: $i) { id } }";
    let refused =
        house.ask(&caller(Role::Recorder), query, json!({ "i": { "kind": "triangulate", "seats": seats } })).await;
    assert!(refused.says().contains("sits in seat 1 and in seat 2"), "{}", refused.says());
}

#[tokio::test]
async fn players_are_found_by_a_few_letters() {
    let house = House::new();
    for name in ["Zoë Ångström", "Anna Zorn", "Łukasz O'Neill", "Иван Петров"] {
        house.player(name).await;
    }
    assert_eq!(found(&house, "zo").await, ["Anna Zorn", "Zoë Ångström"]);
    assert_eq!(found(&house, "ANGSTROM zoe").await, ["Zoë Ångström"]);
    assert_eq!(found(&house, "oneill").await, ["Łukasz O'Neill"]);
    assert_eq!((found(&house, "petr").await, found(&house, "Пет").await.len()), (vec!["Иван Петров".to_owned()], 1));
    assert_eq!((found(&house, " ").await.len(), found(&house, "nna").await.len()), (4, 0), "no text finds everybody");
    let query = "query($s: String!) { players(filter: { search: $s }) { totalCount } }";
    let refused = house.ask(&caller(Role::Spectator), query, json!({ "s": "a".repeat(401) })).await;
    assert_eq!(refused.code(), "BAD_INPUT");
    let twin = create(&house, json!({ "name": "Angström, Zoe" })).await;
    assert_eq!(twin["namesakes"].as_array().unwrap().len(), 1, "whoever registers a name again is told");
}

#[tokio::test]
async fn a_list_is_previewed_then_imported_and_a_second_time_changes_nothing() {
    let house = House::new();
    create(&house, json!({ "name": "Zoë Ångström", "club": "North" })).await;
    let bela = text(&create(&house, json!({ "name": "Bela" })).await["id"]);
    let csv = format!(
        "\u{feff}Name;Club;Country;Year of birth;id\r\n\
         \"Ångström, Zoe\";South;;;\r\n\
         \r\n\
         Chiara;North;it;1990;\r\n\
         Béla K.;;;;{bela}\r\n"
    );
    let preview = import(&house, "previewPlayers", &csv).await.ok()["previewPlayers"].clone();
    let actions: Vec<_> = preview["lines"].as_array().unwrap().iter().map(|line| text(&line["action"])).collect();
    assert_eq!(actions, ["EDIT", "CREATE", "EDIT"]);
    assert_eq!(preview["lines"][0]["changes"], json!(["club"]), "{preview}");
    assert_eq!((&preview["lines"][1]["number"], &preview["lines"][2]["changes"]), (&json!(4), &json!(["name"])));
    let events = house.service.log().len();
    assert_eq!(found(&house, "chiara").await.len(), 0, "a preview changes nothing");
    let imported = import(&house, "importPlayers", &csv).await.ok()["importPlayers"].clone();
    assert_eq!(imported["lines"][0]["player"], json!({ "name": "Zoë Ångström", "club": "South", "country": null }));
    assert_eq!(imported["lines"][1]["player"], json!({ "name": "Chiara", "club": "North", "country": "IT" }));
    assert_eq!((&imported["creates"], &imported["edits"]), (&json!(1), &json!(2)));
    assert_eq!(house.service.log().len(), events + 4);
    let again = import(&house, "importPlayers", &csv).await.ok()["importPlayers"].clone();
    assert_eq!((&again["same"], house.service.log().len()), (&json!(3), events + 4));
}

#[tokio::test]
async fn nothing_is_imported_from_a_list_with_an_error() {
    let house = House::new();
    for name in ["Ada", "ADA", "Bela"] {
        house.player(name).await;
    }
    create(&house, json!({ "name": "Chiara", "yearOfBirth": 1990 })).await;
    let events = house.service.log().len();
    let lines = [
        ("Deniz,,,", "CREATE", ""),
        ("deniz,,,", "ERROR", "line 2 is about the same player"),
        ("Ada,,,", "ERROR", "2 players are called"),
        (",SE,,", "ERROR", "neither name nor id"),
        ("Eun-ji,Sweden,,", "ERROR", "ISO 3166-1"),
        ("Farid,SE,19x,", "ERROR", "a year such as 1987"),
        ("Chiara,,1991,", "ERROR", "born in 1990"),
        ("Bela,,,7", "ERROR", "`id`"),
        ("Greta,,,,,", "ERROR", "fields"),
        ("Hugo", "CREATE", ""),
    ];
    let csv = ["name,country,year_of_birth,id"].into_iter().chain(lines.iter().map(|(line, ..)| *line));
    let csv = csv.collect::<Vec<_>>().join("\n");
    let preview = import(&house, "previewPlayers", &csv).await.ok()["previewPlayers"].clone();
    for ((line, action, says), found) in lines.iter().zip(preview["lines"].as_array().unwrap()) {
        let problem = found["problem"].as_str().unwrap_or_default();
        assert!(found["action"] == *action && problem.contains(says), "{line}: {found}");
    }
    assert_eq!(preview["errors"], 8);
    let refused = import(&house, "importPlayers", &csv).await;
    assert!(refused.says().starts_with("nothing was imported: line 3: "), "{}", refused.says());
    for (csv, says) in [
        ("", "the first line names the columns"),
        ("club\nNorth", "the first line names the columns"),
        ("name,age\nAda,7", "no column \"age\""),
        ("name,name\nAda,Ada", "name twice"),
        (&format!("name\n{}", "x\n".repeat(5_001)), "more than 5000 lines"),
    ] {
        let refused = import(&house, "previewPlayers", csv).await;
        assert!(refused.says().contains(says), "{}", refused.says());
    }
    assert_eq!(house.service.log().len(), events);
}

#[tokio::test]
async fn recorders_register_players_and_arbiters_change_them() {
    let house = House::new();
    let (ada, bela) = (house.player("Ada").await, house.player("Bela").await);
    let changes = [
        format!("mutation {{ editPlayer(player: \"{ada}\", input: {{ club: \"North\" }}) {{ id }} }}"),
        format!("mutation {{ mergePlayers(from: \"{ada}\", into: \"{bela}\") {{ id }} }}"),
        format!("mutation {{ unmergePlayer(player: \"{ada}\") {{ id }} }}"),
        "mutation { importPlayers(csv: \"name\\nDeniz\") { creates } }".to_owned(),
        "{ previewPlayers(csv: \"name\\nDeniz\") { creates } }".to_owned(),
    ];
    for query in &changes {
        let code = async |who| house.ask(&who, query, json!({})).await.code();
        assert_eq!(code(caller(Role::Spectator)).await, "UNAUTHENTICATED", "{query}");
        for who in [player(&ada), caller(Role::Recorder)] {
            assert_eq!(code(who.clone()).await, "FORBIDDEN", "{who:?}: {query}");
        }
        let of_one_game = plybook_api::access::Caller { game: ada.parse().ok(), ..caller(Role::Arbiter) };
        assert_eq!(code(of_one_game).await, "FORBIDDEN", "{query}");
        assert_eq!(code(caller(Role::Arbiter)).await, "OK", "{query}");
    }
}

#[tokio::test]
async fn games_say_when_they_were_played() {
    let house = House::new();
    let (ada, bela) = (house.player("Ada").await, house.player("Bela").await);
    let seats = json!([{ "player": ada }, { "player": bela }]);
    let create = async |more: Value| {
        let mut input = json!({ "kind": "triangulate", "seats": seats });
        input.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        house.create_as(input).await
    };
    let now = create(json!({})).await;
    let old = create(json!({ "played": "2019-05-04", "rated": false })).await;
    let older = create(json!({ "played": "2019-05-04T12:00:00+14:00" })).await;
    let query = "query($o: GameOrder, $f: GameFilter) { games(orderBy: $o, filter: $f) { nodes { id } } }";
    let listed = async |order: &str, filter: Value| -> Vec<String> {
        let answer = house.get(query, json!({ "o": order, "f": filter })).await;
        answer["games"]["nodes"].as_array().unwrap().iter().map(|game| text(&game["id"])).collect()
    };
    assert_eq!(listed("CREATED_DESC", json!({})).await, [older.clone(), old.clone(), now.clone()]);
    assert_eq!(listed("PLAYED_DESC", json!({})).await, [now.clone(), old.clone(), older.clone()]);
    assert_eq!(listed("PLAYED_ASC", json!({})).await, [older.clone(), old.clone(), now.clone()]);
    let (since, until) = ("2019-05-04T00:00:00Z", "2020-01-01T00:00:00Z");
    assert_eq!(listed("CREATED_DESC", json!({ "since": since, "until": until })).await, [&*old]);
    assert_eq!(listed("CREATED_DESC", json!({ "until": since })).await, [&*older]);
    assert_eq!(listed("CREATED_DESC", json!({ "since": until })).await, [now]);
    let fields = "query($g: ID!) { game(id: $g) { played playedAt rated record(format: TEXT) } }";
    let told = house.get(fields, json!({ "g": old })).await["game"].clone();
    assert_eq!((&told["played"], &told["playedAt"]), (&json!("2019-05-04"), &json!("2019-05-04T00:00:00.000Z")));
    assert_eq!(told["rated"], false);
    let record = text(&told["record"]);
    assert!(record.contains("[Played \"2019-05-04\"]") && record.contains("[Rated \"no\"]"), "{record}");
    let again = "mutation($r: String!) { importRecord(record: $r, format: TEXT) { played rated } }";
    let imported = house.get(again, json!({ "r": record })).await["importRecord"].clone();
    assert_eq!(imported, json!({ "played": "2019-05-04", "rated": false }));
    let input = "mutation($i: CreateGame!) { createGame(input: $i) { id } }";
    for (played, says) in [("2999-01-01", "in the future"), ("yesterday", "a day is written 2026-11-20")] {
        let game = json!({ "kind": "triangulate", "seats": seats, "played": played });
        let refused = house.ask(&caller(Role::Recorder), input, json!({ "i": game })).await;
        assert!(refused.says().contains(says), "{}", refused.says());
    }
}
