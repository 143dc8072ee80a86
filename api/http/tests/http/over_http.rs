//! GraphQL over HTTP, in process.

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderMap;
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use plybook_http::{Doors, Limits, Readiness, Site, app};
use serde_json::{Value, json};

use crate::toy::{Done, gate};

const RESPONSE_JSON: &str = "application/graphql-response+json";

struct Answer {
    status: u16,
    headers: HeaderMap,
    body: Value,
}

impl Answer {
    fn code(&self) -> &str {
        self.body["errors"][0]["extensions"]["code"].as_str().unwrap_or("")
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

async fn answer(request: TestRequest, limits: Limits, done: &Done) -> Answer {
    let site = Site::new(gate(limits, done, &Done::default()), Doors::default(), || Readiness::Ready);
    let service = init_service(app(site, |_| {})).await;
    let response = call_service(&service, request.to_request()).await;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let body = serde_json::from_slice(&read_body(response).await).unwrap_or(Value::Null);
    Answer { status, headers, body }
}

async fn ask(request: TestRequest) -> Answer {
    answer(request, Limits::default(), &Done::default()).await
}

fn post(body: &Value) -> TestRequest {
    TestRequest::post()
        .uri("/graphql")
        .insert_header(("content-type", "application/json"))
        .set_payload(body.to_string())
}

fn query(text: &str) -> TestRequest {
    post(&json!({ "query": text })).insert_header(("accept", RESPONSE_JSON))
}

fn get(text: &str) -> TestRequest {
    let text: Vec<_> = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
    TestRequest::get().uri(&format!("/graphql?query={}", text.concat())).insert_header(("accept", RESPONSE_JSON))
}

#[actix_web::test]
async fn queries_are_answered_by_post_and_get() {
    let both = [(query("{ echo(text: \"a\") }"), "no-store"), (get("{ echo(text: \"a\") }"), "public, no-cache")];
    for (request, caching) in both {
        let answer = ask(request).await;
        assert_eq!((answer.status, answer.body.clone()), (200, json!({ "data": { "echo": "a" } })));
        assert_eq!(answer.header("content-type"), "application/graphql-response+json; charset=utf-8");
        assert_eq!(answer.header("cache-control"), caching);
        let budget = (answer.header("ratelimit-policy"), answer.header("ratelimit"));
        assert_eq!(budget, ("\"units\";q=3000000;w=60", "\"units\";r=2999999"));
    }
}

#[actix_web::test]
async fn what_a_client_has_already_is_not_sent_again() {
    let echo = |text: &str| get(&format!("{{ echo(text: \"{text}\") }}"));
    let tag = ask(echo("a")).await.header("etag").to_owned();
    assert!(tag.starts_with("W/\""), "{tag}");
    for known in [tag.clone(), format!("\"x\", {tag}"), "*".to_owned()] {
        let again = ask(echo("a").insert_header(("if-none-match", known))).await;
        assert_eq!((again.status, again.header("etag"), again.body.clone()), (304, tag.as_str(), Value::Null));
    }
    let other = ask(echo("b").insert_header(("if-none-match", tag.clone()))).await;
    assert_eq!((other.status, &other.body["data"]["echo"]), (200, &json!("b")));
    assert_ne!(other.header("etag"), tag);
    assert_eq!(ask(query("{ me }").insert_header(("if-none-match", "*"))).await.status, 200, "by POST");
    assert_eq!(ask(get("{ nothing }").insert_header(("if-none-match", "*"))).await.status, 400);
}

#[actix_web::test]
async fn who_tries_persisted_queries_is_told_to_send_the_query() {
    let hash = json!({ "persistedQuery": { "version": 1, "sha256Hash": "00" } });
    let refused = |answer: Answer| {
        assert_eq!(answer.body["errors"][0]["message"], "PersistedQueryNotSupported");
        assert_eq!(answer.code(), "PERSISTED_QUERY_NOT_SUPPORTED");
        answer.status
    };
    let body = json!({ "operationName": "A", "extensions": hash });
    assert_eq!(refused(ask(post(&body)).await), 200);
    assert_eq!(refused(ask(post(&body).insert_header(("accept", RESPONSE_JSON))).await), 400);
    let uri = "/graphql?extensions=%7B%22persistedQuery%22:%7B%22version%22:1%7D%7D";
    assert_eq!(refused(ask(TestRequest::get().uri(uri)).await), 200);
    // With the query, the hash is ignored.
    assert_eq!(
        ask(post(&json!({ "query": "{ echo(text: \"a\") }", "extensions": hash }))).await.body["data"]["echo"],
        "a"
    );
}

#[actix_web::test]
async fn pages_of_allowed_origins_may_send_requests() {
    let club = "https://club.example";
    let doors = || Doors { origins: vec![club.to_owned()], ..Doors::default() };
    let site = || Site::new(gate(Limits::default(), &Done::default(), &Done::default()), doors(), || Readiness::Ready);
    let ask = async |request: TestRequest| {
        let service = init_service(app(site(), |_| {})).await;
        let response = call_service(&service, request.to_request()).await;
        (response.status().as_u16(), response.headers().clone())
    };
    let told = |headers: &HeaderMap, name: &str| headers.get(name).map(|value| value.to_str().unwrap().to_owned());
    let preflight = |origin: &'static str| {
        TestRequest::with_uri("/graphql")
            .method("OPTIONS".parse().unwrap())
            .insert_header(("origin", origin))
            .insert_header(("access-control-request-method", "POST"))
            .insert_header(("access-control-request-headers", "authorization,content-type"))
    };
    let (status, headers) = ask(preflight(club)).await;
    assert_eq!((status, told(&headers, "access-control-allow-origin").as_deref()), (200, Some(club)));
    assert!(told(&headers, "access-control-allow-headers").unwrap().contains("authorization"));
    let (_, headers) = ask(query("{ me }").insert_header(("origin", club))).await;
    assert_eq!(told(&headers, "access-control-allow-origin").as_deref(), Some(club));
    assert_eq!(told(&headers, "access-control-allow-credentials"), None);
    for request in
        [preflight("https://evil.example"), query("{ me }").insert_header(("origin", "https://evil.example"))]
    {
        assert_eq!(told(&ask(request).await.1, "access-control-allow-origin"), None);
    }
    // Our own pages, and programs, need no permission.
    assert_eq!(ask(query("{ me }").insert_header(("origin", "http://localhost:8080"))).await.0, 200);
}

#[actix_web::test]
async fn long_answers_are_compressed_and_short_ones_are_not() {
    let encoding = async |text: &str, accepted: &'static str| {
        let request = query(&format!("{{ echo(text: \"{text}\") }}")).insert_header(("accept-encoding", accepted));
        ask(request).await.header("content-encoding").to_owned()
    };
    assert_eq!(encoding(&"a".repeat(2_000), "gzip").await, "gzip");
    assert_eq!(encoding(&"a".repeat(2_000), "zstd").await, "zstd");
    assert_eq!(encoding(&"a".repeat(200), "gzip, zstd").await, "");
}

#[actix_web::test]
async fn the_operation_that_is_named_is_executed() {
    let document = "query A { echo(text: \"a\") } query B { echo(text: \"b\") }";
    let named = |name: Value| post(&json!({ "query": document, "operationName": name }));
    assert_eq!(ask(named(json!("B"))).await.body["data"]["echo"], "b");
    for name in [json!(null), json!("C")] {
        let answer = ask(named(name).insert_header(("accept", RESPONSE_JSON))).await;
        assert_eq!((answer.status, answer.code()), (400, "BAD_INPUT"));
    }
    let uri = "/graphql?query=query%20A%7Becho(text:%22a%22)%7D%20query%20B%7Becho(text:%22b%22)%7D&operationName=B";
    assert_eq!(ask(TestRequest::get().uri(uri)).await.body["data"]["echo"], "b");
}

#[actix_web::test]
async fn only_queries_are_executed_by_get() {
    let done = Done::default();
    for text in ["mutation { work }", "mutation Named { work }", "subscription { count(to: 1) }"] {
        let answer = answer(get(text), Limits::default(), &done).await;
        assert_eq!((answer.status, answer.code(), answer.header("allow")), (405, "BAD_INPUT", "POST"), "{text}");
    }
    let uri = "/graphql?query=query%20A%7Bme%7D%20mutation%20B%7Bwork%7D&operationName=B";
    assert_eq!(answer(TestRequest::get().uri(uri), Limits::default(), &done).await.status, 405);
    assert_eq!(done.0.load(std::sync::atomic::Ordering::SeqCst), 0);
    assert_eq!(ask(query("mutation { work }")).await.body, json!({ "data": { "work": 1 } }));
}

#[actix_web::test]
async fn a_position_that_is_no_number_is_not_waited_for() {
    let answer = ask(query("{ me }").insert_header(("plybook-min-position", "soon"))).await;
    assert_eq!((answer.status, answer.code()), (400, "BAD_INPUT"));
}

#[actix_web::test]
async fn a_subscription_is_sent_to_the_socket() {
    let answer = ask(query("subscription { count(to: 1) }")).await;
    assert_eq!((answer.status, answer.code()), (400, "BAD_INPUT"));
}

#[actix_web::test]
async fn other_methods_are_told_which_are_allowed() {
    for method in ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"] {
        let answer = ask(TestRequest::with_uri("/graphql").method(method.parse().unwrap())).await;
        assert_eq!((answer.status, answer.header("allow")), (405, "GET, POST"), "{method}");
    }
}

#[actix_web::test]
async fn only_json_is_read_and_only_json_is_written() {
    let body = json!({ "query": "{ me }" }).to_string();
    for content_type in
        ["text/plain", "application/x-www-form-urlencoded", "application/graphql", "multipart/form-data"]
    {
        let request = TestRequest::post().uri("/graphql").insert_header(("content-type", content_type));
        assert_eq!(ask(request.set_payload(body.clone())).await.status, 415, "{content_type}");
    }
    assert_eq!(ask(TestRequest::post().uri("/graphql").set_payload(body.clone())).await.status, 415);
    let zipped = query("{ me }").insert_header(("content-encoding", "gzip"));
    assert_eq!(ask(zipped).await.status, 415);
    assert_eq!(ask(query("{ me }").insert_header(("accept", "text/html"))).await.status, 406);
    let old = ask(post(&json!({ "query": "{ me }" }))).await;
    assert_eq!(old.header("content-type"), "application/json; charset=utf-8");
}

#[actix_web::test]
async fn members_of_wrong_types_are_refused() {
    let bodies = [
        json!([{ "query": "{ me }" }]),
        json!({}),
        json!({ "query": 1 }),
        json!({ "query": "{ me }", "variables": [] }),
        json!({ "query": "{ me }", "operationName": 1 }),
        json!({ "query": "{ me }", "extensions": "x" }),
    ];
    for body in bodies {
        let answer = ask(post(&body)).await;
        assert_eq!((answer.status, answer.code()), (400, "BAD_INPUT"), "{body}");
    }
}

#[actix_web::test]
async fn a_document_that_is_not_executed_has_no_data_and_a_status_by_medium() {
    for text in ["{", "{ nope }", "query($n: Int!) { half(even: $n) }", "{ ...F }", "{ me "] {
        let answer = ask(query(text)).await;
        assert_eq!((answer.status, answer.code()), (400, "BAD_INPUT"), "{text}");
        assert!(answer.body.get("data").is_none(), "{text}");
        let old = ask(post(&json!({ "query": text }))).await;
        assert_eq!((old.status, old.code()), (200, "BAD_INPUT"), "{text}");
        assert!(old.body.get("data").is_none(), "{text}");
    }
}

#[actix_web::test]
async fn an_object_of_which_nothing_is_selected_is_there() {
    let text = "{ node { ...F @include(if: false) list { ... on Node { number @skip(if: true) } } } } fragment F on Node { number }";
    let answer = ask(query(text)).await;
    let node = &answer.body["data"]["node"];
    let list = node["list"].as_array().expect("it was asked for");
    assert!(!list.is_empty() && list.iter().all(|item| *item == json!({}) || item.is_null()), "{}", answer.body);
    assert_eq!(node.as_object().unwrap().len(), 1, "{}", answer.body);
    assert_eq!(ask(query("{ node { number @skip(if: true) } }")).await.body["data"], json!({ "node": {} }));
    assert_eq!(ask(query("{ me @skip(if: true) }")).await.body["data"], json!({}));
}

#[actix_web::test]
async fn what_would_be_carried_out_twice_or_never_is_refused() {
    for (text, says) in [
        ("mutation { work work }", "`work` is in the mutation twice"),
        ("mutation { ...F work } fragment F on Mutation { work }", "`work` is in the mutation twice"),
        ("subscription { count(to: 1) other: count(to: 1) }", "a subscription asks for one field"),
        ("subscription { ...F } fragment F on Subscription { count(to: 1) }", "a subscription asks for one field"),
    ] {
        let answer = ask(post(&json!({ "query": text }))).await;
        assert_eq!(answer.code(), "BAD_INPUT", "{text}");
        assert!(answer.body["errors"][0]["message"].as_str().unwrap().contains(says), "{}", answer.body);
    }
    let text = "query($n: Int!) { half(even: $n) }";
    for variables in [json!({}), json!({ "n": null })] {
        let answer = ask(post(&json!({ "query": text, "variables": variables }))).await;
        assert_eq!(answer.body["errors"][0]["message"], "the variable $n is required, and is null or not given");
    }
    let text = "query($n: Int! = 2) { half(even: $n) }";
    assert_eq!(ask(post(&json!({ "query": text, "variables": { "n": null } }))).await.code(), "BAD_INPUT");
    assert_eq!(ask(post(&json!({ "query": text }))).await.body["data"], json!({ "half": 1 }));
}

#[actix_web::test]
async fn errors_of_execution_come_with_data() {
    let answer = ask(query("{ half(even: 3) me }")).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.body["data"], json!({ "half": null, "me": null }));
    assert_eq!(answer.code(), "ILLEGAL_ACTION");
    let answer = ask(query("{ half(even: -3) }")).await;
    assert_eq!(answer.code(), "BAD_INPUT", "{}", answer.body);
    let says = answer.body["errors"][0]["message"].as_str().unwrap();
    assert!(says.contains("a whole number that is not negative is expected"), "{says}");
}

#[actix_web::test]
async fn what_fails_is_null_or_makes_what_is_around_it_null() {
    let cases = [
        ("{ node { number soft(fail: true) } }", json!({ "node": { "number": 0, "soft": null } })),
        ("{ node { soft(fail: true) } }", json!({ "node": { "soft": null } })),
        ("{ maybe { number hard(fail: true) } me }", json!({ "maybe": null, "me": null })),
        ("{ maybe { hard(fail: true) } me }", json!({ "maybe": null, "me": null })),
        ("{ node { hard(fail: true) } me }", Value::Null),
        ("{ maybe { next { next { hard(fail: true) } } } me }", json!({ "maybe": null, "me": null })),
        ("{ maybe { x: hard(fail: true) y: soft(fail: true) } me }", json!({ "maybe": null, "me": null })),
        ("{ maybe { y: soft(fail: true) x: hard(fail: true) } me }", json!({ "maybe": null, "me": null })),
        (
            "{ node { maybe { ...F } } } fragment F on Node { ... { a: hard(fail: true) } }",
            json!({ "node": { "maybe": null } }),
        ),
        ("{ node { list { oneFails } } }", json!({ "node": { "list": [{ "oneFails": 1 }, null, { "oneFails": 1 }] } })),
        ("{ maybe { strict { oneFails } } me }", json!({ "maybe": null, "me": null })),
        ("query A { me } query B { maybe { hard(fail: true) } me }", json!({ "maybe": null, "me": null })),
    ];
    for (text, data) in cases {
        let body = if text.starts_with("query A") {
            json!({ "query": text, "operationName": "B" })
        } else {
            json!({ "query": text })
        };
        let answer = ask(post(&body).insert_header(("accept", RESPONSE_JSON))).await;
        assert_eq!((answer.status, answer.body.get("data")), (200, Some(&data)), "{text}: {}", answer.body);
        assert_eq!(answer.code(), "GAME_OVER", "{text}");
    }
}

#[actix_web::test]
async fn bugs_are_internal_and_keep_their_words() {
    for text in ["{ bug }", "{ panic }"] {
        let answer = ask(query(text)).await;
        assert_eq!((answer.code(), &answer.body["errors"][0]["message"]), ("INTERNAL", &json!("internal error")));
        assert!(!answer.body.to_string().contains("secret"));
    }
}

#[actix_web::test]
async fn the_caller_is_who_holds_the_token() {
    let with = |value: &str| query("{ me }").insert_header(("authorization", value));
    assert_eq!(ask(with("Bearer good")).await.body["data"]["me"], "Ann");
    assert_eq!(ask(query("{ me }")).await.body["data"]["me"], Value::Null);
    assert_eq!(ask(with("bearer  good ")).await.body["data"]["me"], "Ann");
    for value in ["Bearer forged", "Bearer old", "Bearer", "Bearer ", "Bearer good a", "Basic Z29vZA==", "good", ""] {
        let answer = ask(with(value)).await;
        let found = (answer.status, answer.code(), answer.header("www-authenticate"));
        assert_eq!(found, (401, "UNAUTHENTICATED", "Bearer"), "{value}");
        assert!(answer.body.get("data").is_none());
    }
}

/// The texts of the first numbers, concatenated.
fn repeat(times: usize, text: impl Fn(usize) -> String) -> String {
    (0..times).map(text).collect::<Vec<_>>().concat()
}

#[actix_web::test]
async fn what_is_too_large_is_too_complex() {
    let fragments = repeat(40, |n| format!(" fragment F{n} on Query {{ ...F{m} ...F{m} }}", m = n + 1));
    let chain = repeat(40, |n| format!(" fragment F{n} on Query {{ ...F{} }}", n + 1));
    let cases = [
        ("complexity", "{ dear }".to_owned()),
        ("depth", format!("{{ node {}number{} }}", "{ next ".repeat(16) + "{ ", " }".repeat(17))),
        ("size", format!("{{ node {{ {} }} }}", "number ".repeat(2_000))),
        ("doubling fragments", format!("{{ ...F0 }} fragment F40 on Query {{ me }}{fragments}")),
        ("a chain of fragments", format!("{{ ...F0 }} fragment F40 on Query {{ me }}{chain}")),
        ("a fragment within itself", "{ ...F } fragment F on Query { ...F }".to_owned()),
        ("bytes", format!("{{ me }} #{}", "x".repeat(64 << 10))),
        ("nesting of values", format!("{{ echo(text: {}) }}", "[".repeat(32_000))),
        ("nesting of sets", "{a".repeat(8_000) + &"}".repeat(8_000)),
    ];
    for (what, text) in cases {
        let answer = ask(query(&text)).await;
        assert_eq!((answer.status, answer.code()), (400, "TOO_COMPLEX"), "{what}: {}", answer.body);
    }
    let deep = format!("{{ node {}number{} }}", "{ next ".repeat(14) + "{ ", " }".repeat(15));
    assert_eq!(ask(query(&deep)).await.status, 200, "sixteen levels are allowed");
    // As many brackets as may be open fit on the stack of all that recurses with them.
    for levels in [62, 290, 1_000, 1_999] {
        let nested = format!("{{ echo(text: {}1{}) }}", "[".repeat(levels), "]".repeat(levels));
        let answer = ask(query(&nested)).await;
        assert_eq!(answer.status, 400, "{levels} levels: {}", answer.body);
        assert!(answer.code() == "BAD_INPUT" || (levels > 62 && answer.code() == "TOO_COMPLEX"), "{}", answer.body);
    }
}

#[actix_web::test]
async fn a_body_over_the_limit_is_refused() {
    let limits = Limits { body_bytes: 100, ..Limits::default() };
    let sized = |size: usize| post(&json!({ "query": format!("{{ echo(text: \"{}\") }}", "x".repeat(size)) }));
    let done = Done::default();
    assert_eq!(answer(sized(20), limits.clone(), &done).await.status, 200);
    let large = answer(sized(100), limits.clone(), &done).await;
    assert_eq!((large.status, large.code()), (413, "TOO_COMPLEX"));
    let announced = answer(sized(1).insert_header(("content-length", "101")), limits.clone(), &done).await;
    assert_eq!(announced.status, StatusCode::PAYLOAD_TOO_LARGE.as_u16());
}
