//! Metrics for Prometheus. Labels never carry ids or anything else about a user.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::http::Method;
use async_graphql::ServerError;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use super::graphql::code_of;

/// Upper bounds of the buckets of request durations, in seconds.
const BUCKETS_SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// The counters of the service. Clones count together.
#[derive(Clone, Debug)]
pub struct Metrics {
    registry: Arc<Mutex<Registry>>,
    requests: Family<RequestLabels, Counter>,
    durations: Family<RouteLabels, Histogram, fn() -> Histogram>,
    operations: Family<OperationLabels, Counter>,
    sockets: Gauge,
    subscriptions: Gauge,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    method: &'static str,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RouteLabels {
    route: String,
    method: &'static str,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OperationLabels {
    r#type: &'static str,
    code: String,
}

/// Counts in a gauge for as long as it lives.
#[derive(Debug)]
pub(crate) struct Presence(Gauge);

impl Metrics {
    /// Counters at zero.
    pub fn new() -> Self {
        let metrics = Self {
            registry: Arc::new(Mutex::new(Registry::with_prefix("plybook"))),
            requests: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(BUCKETS_SECONDS)),
            operations: Family::default(),
            sockets: Gauge::default(),
            subscriptions: Gauge::default(),
        };
        metrics.register(|registry| {
            let build = Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]);
            registry.register("build", "The program that runs", build);
            registry.register("http_requests", "HTTP requests answered", metrics.requests.clone());
            registry.register_with_unit(
                "http_request_duration",
                "Time from a request's head to its answer's head",
                Unit::Seconds,
                metrics.durations.clone(),
            );
            let help = "GraphQL operations by type and code of their first error (OK: none)";
            registry.register("graphql_operations", help, metrics.operations.clone());
            registry.register("sockets_open", "WebSockets open now", metrics.sockets.clone());
            let help = "GraphQL subscriptions open now";
            registry.register("subscriptions_open", help, metrics.subscriptions.clone());
        });
        metrics
    }

    /// Adds metrics of another part of the service; their names get the prefix `plybook_`.
    pub fn register(&self, add: impl FnOnce(&mut Registry)) {
        add(&mut self.registry.lock().expect("nothing panics while it is registered"));
    }

    /// All metrics as `OpenMetrics` text, for a scrape.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let registry = self.registry.lock().expect("nothing panics while it is registered");
        text::encode(&mut out, &registry).expect("a string can be written to");
        out
    }

    /// Counts an answered request; `route` is the pattern it matched.
    pub(crate) fn request(&self, route: Option<String>, method: &Method, status: u16, took: Duration) {
        let (route, method) = (route.unwrap_or_else(|| "none".to_owned()), name_of(method));
        self.durations.get_or_create(&RouteLabels { route: route.clone(), method }).observe(took.as_secs_f64());
        self.requests.get_or_create(&RequestLabels { route, method, status }).inc();
    }

    /// Counts an operation by its first error.
    pub(crate) fn operation(&self, r#type: &'static str, error: Option<&ServerError>) {
        let code = error.map_or("OK", |error| code_of(error).unwrap_or("INTERNAL")).to_owned();
        self.operations.get_or_create(&OperationLabels { r#type, code }).inc();
    }

    /// Counts a socket while it is open.
    pub(crate) fn socket(&self) -> Presence {
        Presence::new(&self.sockets)
    }

    /// How many sockets are open.
    pub(crate) fn sockets(&self) -> usize {
        usize::try_from(self.sockets.get()).unwrap_or(0)
    }

    /// Counts a subscription while it is open.
    pub(crate) fn subscription(&self) -> Presence {
        Presence::new(&self.subscriptions)
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

impl Presence {
    fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// The method as a label; methods that a client makes up share one.
fn name_of(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}
