//! Everything around GraphQL: probes, metrics, the viewer's files, headers.

use actix_web::dev::ServiceResponse;
use actix_web::test::{TestRequest, call_service, init_service, read_body};
use actix_web::{HttpResponse, web};
use plybook_http::{Doors, Limits, Metrics, Readiness, Site, app, backstage};

use crate::toy::{Done, gate, gate_with};

fn site(doors: Doors) -> Site {
    Site::new(gate(Limits::default(), &Done::default(), &Done::default()), doors, || Readiness::Ready)
}

async fn serve(site: Site, requests: Vec<TestRequest>) -> Vec<ServiceResponse<impl actix_web::body::MessageBody>> {
    let extra = |config: &mut web::ServiceConfig| {
        config.route("/games/{id}/log.ndjson", web::get().to(async || HttpResponse::Ok().body("the log")));
    };
    let service = init_service(app(site, extra)).await;
    let mut responses = Vec::new();
    for request in requests {
        responses.push(call_service(&service, request.to_request()).await);
    }
    responses
}

async fn get(path: &str) -> ServiceResponse<impl actix_web::body::MessageBody> {
    serve(site(Doors::default()), vec![TestRequest::get().uri(path)]).await.remove(0)
}

fn header<B>(response: &ServiceResponse<B>, name: &str) -> String {
    response.headers().get(name).map_or(String::new(), |value| value.to_str().unwrap().to_owned())
}

async fn text<B: actix_web::body::MessageBody>(response: ServiceResponse<B>) -> String {
    String::from_utf8(read_body(response).await.to_vec()).unwrap()
}

#[actix_web::test]
async fn probes_say_how_it_is() {
    assert_eq!(text(get("/healthz").await).await, "ok\n");
    assert_eq!(text(get("/readyz").await).await, "ready\n");
    let busy = || Readiness::NotReady("rebuilding".to_owned());
    let site = Site::new(gate(Limits::default(), &Done::default(), &Done::default()), Doors::default(), busy);
    let paths = ["/readyz", "/healthz"].map(|path| TestRequest::get().uri(path)).into();
    let mut responses = serve(site, paths).await;
    assert_eq!(responses.pop().unwrap().status(), 200);
    let readiness = responses.pop().unwrap();
    assert_eq!(readiness.status(), 503);
    assert_eq!(text(readiness).await, "not ready\n", "the public is not told why");
    let site = Site::new(gate(Limits::default(), &Done::default(), &Done::default()), Doors::default(), busy);
    let service = init_service(backstage(site)).await;
    let told = call_service(&service, TestRequest::get().uri("/readyz").to_request()).await;
    assert_eq!((told.status().as_u16(), text(told).await.as_str()), (503, "not ready: rebuilding\n"));
    for path in ["/", "/graphql", "/export/games.ndjson"] {
        assert_eq!(call_service(&service, TestRequest::get().uri(path).to_request()).await.status(), 404, "{path}");
    }
}

#[actix_web::test]
async fn metrics_count_by_route_and_name_nobody() {
    let ask = |text: &str| {
        let body = serde_json::json!({ "query": text }).to_string();
        TestRequest::post().uri("/graphql").insert_header(("content-type", "application/json")).set_payload(body)
    };
    let requests = vec![
        ask("{ me }"),
        ask("mutation { work }"),
        ask("{ half(even: 1) }"),
        ask("{ nope }"),
        ask("{"),
        TestRequest::get().uri("/games/of-nobody/log.ndjson"),
        TestRequest::get().uri("/no/such/page"),
        TestRequest::with_uri("/graphql").method("BREW".parse().unwrap()),
        TestRequest::get().uri("/metrics"),
    ];
    let metrics = Metrics::new();
    let gate = gate_with(Limits::default(), &Done::default(), &Done::default(), metrics.clone());
    let site = Site::new(gate, Doors::default(), || Readiness::Ready);
    let public = serve(site.clone(), requests).await.pop().unwrap();
    assert_eq!(public.status(), 404, "metrics are not for the public");
    let service = init_service(backstage(site)).await;
    let scrape = call_service(
        &service,
        TestRequest::get()
            .uri("/metrics")
            .insert_header(("accept", "application/openmetrics-text; version=1.0.0"))
            .to_request(),
    )
    .await;
    assert_eq!(header(&scrape, "content-type"), "application/openmetrics-text; version=1.0.0; charset=utf-8");
    let text = text(scrape).await;
    for line in [
        "plybook_graphql_operations_total{type=\"query\",code=\"OK\"} 1",
        "plybook_graphql_operations_total{type=\"mutation\",code=\"OK\"} 1",
        "plybook_graphql_operations_total{type=\"query\",code=\"ILLEGAL_ACTION\"} 1",
        "plybook_graphql_operations_total{type=\"query\",code=\"BAD_INPUT\"} 1",
        "plybook_graphql_operations_total{type=\"none\",code=\"BAD_INPUT\"} 1",
        "plybook_http_requests_total{route=\"/graphql\",method=\"POST\",status=\"200\"} 5",
        "plybook_http_requests_total{route=\"/games/{id}/log.ndjson\",method=\"GET\",status=\"200\"} 1",
        "plybook_http_requests_total{route=\"none\",method=\"GET\",status=\"404\"} 2",
        "plybook_http_requests_total{route=\"/graphql\",method=\"other\",status=\"405\"} 1",
        "plybook_http_request_duration_seconds_count{route=\"/graphql\",method=\"POST\"} 5",
        "plybook_sockets_open 0",
        "plybook_subscriptions_open 0",
        "plybook_connections_open 0",
        "plybook_request_memory_bytes 0",
        "plybook_refused_total{what=\"sockets\",share=\"client\"} 0",
        "plybook_build_info{version=\"",
        "# EOF",
    ] {
        assert!(text.contains(line), "{line} is missing in\n{text}");
    }
    assert!(!text.contains("of-nobody") && !text.contains("BREW") && !text.contains("such"));
}

#[actix_web::test]
async fn files_are_served_with_their_types_and_not_sent_twice() {
    for (path, content_type) in [
        ("/graphiql", "text/html; charset=utf-8"),
        ("/static/pages/graphiql.js", "text/javascript; charset=utf-8"),
        ("/static/base/scene.css", "text/css; charset=utf-8"),
        ("/static/vendor/graphiql/graphiql.min.js", "text/javascript; charset=utf-8"),
        ("/static/base/manifest.webmanifest", "application/manifest+json"),
        ("/service-worker.js", "text/javascript; charset=utf-8"),
    ] {
        let first = get(path).await;
        assert_eq!((first.status().as_u16(), header(&first, "content-type").as_str()), (200, content_type), "{path}");
        let tag = header(&first, "etag");
        for (sent, status) in [(tag.as_str(), 304), ("\"other\"", 200), ("*", 304)] {
            let again = TestRequest::get().uri(path).insert_header(("if-none-match", sent));
            let again = serve(site(Doors::default()), vec![again]).await.remove(0);
            assert_eq!((again.status().as_u16(), header(&again, "etag")), (status, tag.clone()), "{path} {sent}");
        }
    }
    let worker = text(get("/service-worker.js").await).await;
    let cache = worker.split("'plybook ").nth(1).expect("its cache has a name").split('\'').next();
    assert!(
        cache.is_some_and(|version| version.len() == 32),
        "the name is the number of the viewer's version: {worker}"
    );
    let pages = [
        ("/", "index.html"),
        ("/games/0192f0c1-2a3b-7c4d-8e5f-60718293a4b5", "game.html"),
        ("/players/018f", "player.html"),
        ("/statistics", "statistics.html"),
    ];
    for (path, file) in pages {
        let is_there =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web-viewer/pages").join(file).exists();
        assert_eq!(get(path).await.status().as_u16(), if is_there { 200 } else { 404 }, "{path}");
    }
    assert_eq!(text(get("/games/018f/log.ndjson").await).await, "the log", "other routes come first");
}

#[actix_web::test]
async fn what_is_not_there_is_not_found() {
    for path in [
        "/nope",
        "/static/",
        "/static/nope.js",
        "/static/pages/index.html",
        "/static/../Cargo.toml",
        "/static/%2e%2e/api/Cargo.toml",
        "/static/vendor/graphiql/README.md",
        "/static//etc/passwd",
        "/games/a/b",
        "/games/018f",
    ] {
        assert_eq!(get(path).await.status(), 404, "{path}");
    }
    let page = TestRequest::get().uri("/nope").insert_header(("accept", "text/html"));
    let page = serve(site(Doors::default()), vec![page]).await.remove(0);
    assert_eq!(page.status(), 404);
    assert!(text(page).await.contains("<h1>Not found</h1>"));
}

#[actix_web::test]
async fn pages_are_for_looking_at() {
    let head = TestRequest::with_uri("/graphiql").method("HEAD".parse().unwrap());
    let post = TestRequest::post().uri("/graphiql");
    let responses = serve(site(Doors::default()), vec![head, post]).await;
    assert_eq!(responses[0].status(), 200);
    assert_eq!((responses[1].status().as_u16(), header(&responses[1], "allow").as_str()), (405, "GET, HEAD"));
}

#[actix_web::test]
async fn a_slash_at_the_end_leads_to_the_page() {
    let response = get("/rules/tri/?lang=de").await;
    assert_eq!((response.status().as_u16(), header(&response, "location").as_str()), (308, "/rules/tri?lang=de"));
    for elsewhere in ["//evil.example/", "/\\evil.example/", "/%5cevil.example/"] {
        assert_eq!(get(elsewhere).await.status(), 404, "{elsewhere}");
    }
}

#[actix_web::test]
async fn every_answer_has_the_careful_headers() {
    for path in ["/graphql", "/graphiql", "/healthz", "/nope", "/static/base/scene.css", "/games/x/log.ndjson"] {
        let response = get(path).await;
        assert_eq!(header(&response, "x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header(&response, "referrer-policy"), "same-origin", "{path}");
        assert_eq!(header(&response, "access-control-allow-origin"), "", "{path}");
        let policy = header(&response, "content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'") && policy.contains("script-src 'self'"), "{path}: {policy}");
        assert_eq!(policy.contains("unsafe-inline"), path == "/graphiql", "{path}: {policy}");
    }
}

#[actix_web::test]
async fn a_request_has_an_id() {
    let with = |id: &str| TestRequest::get().uri("/healthz").insert_header(("x-request-id", id));
    let long = "a".repeat(65);
    let requests = vec![with("abc-1_2.3"), with("a b"), with("<script>"), with(&long), with("")];
    let responses = serve(site(Doors::default()), requests).await;
    let ids: Vec<_> = responses.iter().map(|response| header(response, "x-request-id")).collect();
    assert_eq!(ids[0], "abc-1_2.3");
    for id in &ids[1..] {
        assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
    }
}

#[actix_web::test]
async fn on_loopback_other_names_are_not_answered_to() {
    let to = |host: &str| TestRequest::get().uri("/healthz").insert_header(("host", host));
    let requests = vec![to("localhost:8080"), to("127.0.0.1"), to("evil.example")];
    let responses = serve(site(Doors::at([127, 0, 0, 1].into())), requests).await;
    let statuses: Vec<_> = responses.iter().map(|response| response.status().as_u16()).collect();
    assert_eq!(statuses, [200, 200, 421]);
    assert!(!header(&responses[2], "x-request-id").is_empty());
}
