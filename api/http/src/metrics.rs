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
use super::pool::PoolCounts;

/// Upper bounds of the buckets of request durations, in seconds.
const BUCKETS_SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// The counters of the service. Clones count together.
#[derive(Clone, Debug)]
pub struct Metrics {
    registry: Arc<Mutex<Registry>>,
    requests: Family<RequestLabels, Counter>,
    durations: Family<RouteLabels, Histogram, fn() -> Histogram>,
    operations: Family<OperationLabels, Counter>,
    refused: Family<RefusedLabels, Counter>,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RequestLabels {
    route: String,
    method: String,
    status: u16,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RouteLabels {
    route: String,
    method: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct OperationLabels {
    r#type: String,
    code: String,
}

#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
struct RefusedLabels {
    what: &'static str,
    /// Whose share is used up: the client's, or the share of all.
    share: &'static str,
}

impl Metrics {
    /// The counters, at zero.
    pub fn new() -> Self {
        let metrics = Self {
            registry: Arc::default(),
            requests: Family::default(),
            durations: Family::new_with_constructor(|| Histogram::new(BUCKETS_SECONDS)),
            operations: Family::default(),
            refused: Family::default(),
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
            let help = "What was refused because a client's share or that of all was used up";
            registry.register("refused", help, metrics.refused.clone());
        });
        metrics
    }

    /// Adds metrics of another part of the service, with the prefix `plybook_`.
    pub fn register(&self, add: impl FnOnce(&mut Registry)) {
        self.register_standard(|registry| add(registry.sub_registry_with_prefix("plybook")));
    }

    /// Adds metrics whose names Prometheus prescribes, without a prefix.
    pub fn register_standard(&self, add: impl FnOnce(&mut Registry)) {
        add(&mut self.registry.lock().expect("nothing panics while it is registered"));
    }

    /// All metrics as `OpenMetrics` text, for a scrape.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let registry = self.registry.lock().expect("nothing panics while it is registered");
        text::encode(&mut out, &registry).expect("a string can be written to");
        out
    }

    /// All metrics in the older text format of Prometheus, for who asks for no `OpenMetrics`. There, a counter and an info are
    /// described under the names of their samples, and an info is a gauge.
    pub fn classic_text(&self) -> String {
        let (text, mut out, mut help) = (self.text(), String::new(), "");
        for line in text.lines() {
            if let Some(described) = line.strip_prefix("# HELP ") {
                help = described;
            } else if let Some((name, kind)) = line.strip_prefix("# TYPE ").and_then(|typed| typed.split_once(' ')) {
                let (suffix, kind) = match kind {
                    "counter" => ("_total", kind),
                    "info" => ("_info", "gauge"),
                    _ => ("", kind),
                };
                let help = help.split_once(' ').map_or("", |(_, help)| help);
                out += &format!("# HELP {name}{suffix} {help}\n# TYPE {name}{suffix} {kind}\n");
            } else if !line.starts_with('#') {
                out += line;
                out.push('\n');
            }
        }
        out
    }

    /// Counts an answered request; `route` is the pattern it matched.
    pub fn request(&self, route: Option<String>, method: &Method, status: u16, took: Duration) {
        let (route, method) = (route.unwrap_or_else(|| "none".to_owned()), name_of(method).to_owned());
        self.durations
            .get_or_create(&RouteLabels { route: route.clone(), method: method.clone() })
            .observe(took.as_secs_f64());
        self.requests.get_or_create(&RequestLabels { route, method, status }).inc();
    }

    /// Counts an operation by its first error.
    pub fn operation(&self, r#type: &str, error: Option<&ServerError>) {
        let code = error.map_or("OK", |error| code_of(error).unwrap_or("INTERNAL")).to_owned();
        self.operations.get_or_create(&OperationLabels { r#type: r#type.to_owned(), code }).inc();
    }

    /// The counts of the pool of `what`; what is held of it has this name and this help.
    pub fn pool(&self, what: &'static str, name: &str, help: &str) -> PoolCounts {
        let held = Gauge::default();
        self.register(|registry| registry.register(name, help, held.clone()));
        let refused = |share| self.refused.get_or_create(&RefusedLabels { what, share }).clone();
        PoolCounts { held, refused_client: refused("client"), refused_all: refused("all") }
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

/// The method as a label; methods made up by clients share one.
fn name_of(method: &Method) -> &str {
    let known = [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::PATCH, Method::DELETE, Method::OPTIONS];
    if known.contains(method) { method.as_str() } else { "other" }
}
