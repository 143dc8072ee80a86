//! Metrics, and the alert rules and the dashboard that are made for them.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use regex_lite::Regex;
use serde_json::{Value, json};
use yaml_rust2::{Yaml, YamlLoader};

use crate::plybook::{Served, http_at, run};

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");

/// The names of our metrics in an expression.
fn metrics_in(expression: &str) -> impl Iterator<Item = String> {
    let names = Regex::new("(?:plybook|process)_[a-z_]+").unwrap();
    names.find_iter(expression).map(|found| found.as_str().to_owned()).collect::<Vec<_>>().into_iter()
}

/// The alert rules: their names and expressions.
fn alerts() -> Vec<(String, String)> {
    let text = fs::read_to_string(Path::new(DOCS).join("monitoring/alerts.yaml")).unwrap();
    let rules = YamlLoader::load_from_str(&text).unwrap().remove(0);
    let rules = rules["groups"][0]["rules"].as_vec().unwrap().clone();
    let text = |rule: &Yaml, name: &str| rule[name].as_str().unwrap_or_else(|| panic!("{name}: {rule:?}")).to_owned();
    for rule in &rules {
        assert!(["page", "ticket"].contains(&rule["labels"]["severity"].as_str().unwrap()), "{rule:?}");
        assert!(rule["annotations"]["summary"].as_str().is_some(), "{rule:?}");
    }
    rules.iter().map(|rule| (text(rule, "alert"), text(rule, "expr"))).collect()
}

/// What the panels of the dashboard ask for.
fn panels() -> Vec<String> {
    let dashboard = fs::read_to_string(Path::new(DOCS).join("monitoring/dashboard.json")).unwrap();
    let dashboard: Value = serde_json::from_str(&dashboard).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels.iter().flat_map(|panel| panel["targets"].as_array().unwrap());
    targets.map(|target| target["expr"].as_str().unwrap().to_owned()).collect()
}

/// The names of all samples.
fn samples(text: &str) -> BTreeSet<String> {
    let name = |line: &str| line.split(['{', ' ']).next().unwrap_or_default().to_owned();
    text.lines().filter(|line| !line.starts_with('#')).map(name).collect()
}

#[test]
fn every_metric_that_rules_and_dashboard_name_is_exported_and_every_alarm_is_in_the_runbook() {
    let dir = tempfile::tempdir().unwrap();
    let (data, backup) = (dir.path().join("data"), dir.path().join("backup"));
    let served = Served::start(&data, &[]);
    let create = "mutation { createGame(input: { kind: \"triangulate\", seats: [{}, {}] }) { id } }";
    served.get(Some(&served.admin()), create, &Value::Null);
    run(&["backup", "--data", data.to_str().unwrap(), "--to", backup.to_str().unwrap()]).ok();
    let (status, text) = http_at(served.backstage(), "GET", "/metrics", None, "").unwrap();
    assert_eq!(status, 200);
    let exported = samples(&text);
    let alerts = alerts();
    assert!(alerts.len() > 10);
    let expressions = panels();
    assert!(expressions.len() > 20);
    let mut named = BTreeSet::new();
    for expression in alerts.iter().map(|(_, expression)| expression).chain(&expressions) {
        named.extend(metrics_in(expression));
    }
    let missing: Vec<_> = named.difference(&exported).collect();
    assert!(missing.is_empty(), "{missing:?} of\n{text}");
    // Page and rules have the same alarms.
    let runbook = fs::read_to_string(Path::new(DOCS).join("runbook.md")).unwrap();
    let told: BTreeSet<String> =
        Regex::new("`(Plybook[A-Za-z]+)`").unwrap().captures_iter(&runbook).map(|found| found[1].to_owned()).collect();
    assert_eq!(told, alerts.into_iter().map(|(name, _)| name).collect());
    // And every metric has a line in the settings, without the suffixes of its samples.
    let settings = fs::read_to_string(Path::new(DOCS).join("settings.md")).unwrap();
    for name in exported.iter().filter(|name| name.starts_with("plybook_")) {
        let family = ["_bucket", "_count", "_sum"].iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(name);
        assert!(settings.contains(&format!("`{family}")), "{family} is not in docs/settings.md");
    }
}

/// What `promtool check metrics` demands of the older format: each sample is described, under its own name or that of its
/// histogram; counters, and nothing else, end in `_total`; units are base units.
#[test]
fn metrics_are_in_the_format_that_is_asked_for_and_named_as_prometheus_has_it() {
    let dir = tempfile::tempdir().unwrap();
    let served = Served::start(dir.path(), &[]);
    served.get(None, "{ games(first: 1) { totalCount } }", &Value::Null);
    let (_, classic) = http_at(served.backstage(), "GET", "/metrics", None, "").unwrap();
    let kinds: Vec<(&str, &str)> =
        classic.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' ')).collect();
    assert!(kinds.len() > 30, "{classic}");
    for (name, kind) in &kinds {
        assert!(["counter", "gauge", "histogram"].contains(kind), "{name}: {kind}");
        assert_eq!(name.ends_with("_total"), *kind == "counter", "{name}: {kind}");
        assert!(classic.contains(&format!("# HELP {name} ")), "{name} has no help");
        assert!(!name.ends_with("_ms") && !name.ends_with("_us") && !name.contains("_mib"), "{name}");
    }
    for sample in samples(&classic) {
        let of_histogram = ["_bucket", "_count", "_sum"].iter().find_map(|suffix| sample.strip_suffix(suffix));
        let is_told = |name: &str| kinds.iter().any(|(told, _)| *told == name);
        assert!(is_told(&sample) || of_histogram.is_some_and(is_told), "{sample} is not described");
    }
    let mut stream = TcpStream::connect(served.backstage()).unwrap();
    let asked =
        "GET /metrics HTTP/1.0\r\nHost: localhost\r\nAccept: application/openmetrics-text;version=1.0.0\r\n\r\n";
    stream.write_all(asked.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, open) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("application/openmetrics-text") && open.ends_with("# EOF\n"), "{head}");
    assert!(open.contains("# TYPE plybook_build info"), "{open}");
    assert_eq!(samples(open), samples(&classic));
}

/// Prometheus' own tool, where it is installed, reads the metrics, the rules, and what the dashboard asks for.
#[test]
fn promtool_finds_nothing_wrong() {
    if Command::new("promtool").arg("--version").output().is_err() {
        println!("SKIPPED: there is no promtool (Debian's package `prometheus`)");
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let served = Served::start(&dir.path().join("data"), &[]);
    served.get(None, "{ games(first: 1) { totalCount } }", &Value::Null);
    let metrics = dir.path().join("metrics");
    fs::write(&metrics, http_at(served.backstage(), "GET", "/metrics", None, "").unwrap().1).unwrap();
    let rule = |(n, expression)| json!({ "record": format!("panel:{n}"), "expr": expression });
    let asked = dir.path().join("dashboard.json");
    let rules: Vec<Value> = (1..).zip(panels()).map(rule).collect();
    fs::write(&asked, json!({ "groups": [{ "name": "dashboard", "rules": rules }] }).to_string()).unwrap();
    let alerts = Path::new(DOCS).join("monitoring/alerts.yaml");
    for (what, read, argument) in [
        ("metrics", Stdio::from(fs::File::open(metrics).unwrap()), None),
        ("rules", Stdio::null(), Some(alerts)),
        ("rules", Stdio::null(), Some(asked)),
    ] {
        let ran = Command::new("promtool").args(["check", what]).args(argument).stdin(read).output().unwrap();
        let said = [ran.stdout, ran.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        assert!(ran.status.success(), "{what}: {said:?}");
    }
}
