//! The results of a benchmark, and how they are printed.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The results for one store.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Report {
    /// The number of games in it.
    pub games: u64,
    /// Single figures.
    pub figures: Vec<Figure>,
    /// Repeated queries, with their times.
    pub times: Vec<Times>,
}

/// A single figure.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Figure {
    pub what: String,
    pub value: f64,
    pub unit: String,
}

/// How long a repeated query took, in milliseconds of CPU time over all threads. Other processes affect CPU
/// time only through the caches.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Times {
    pub what: String,
    pub asked: usize,
    /// The mean size of an answer in bytes.
    pub bytes: usize,
    pub p50: f64,
    pub p99: f64,
    pub max: f64,
    /// By wall-clock time.
    pub waited_p50: f64,
    pub waited_p99: f64,
}

impl Figure {
    pub(super) fn new(what: &str, value: f64, unit: &str) -> Self {
        Self { what: what.to_owned(), value, unit: unit.to_owned() }
    }
}

/// All reports with the facts of the machine, as one object.
pub(super) fn to_json(machine: &Value, reports: &[Report]) -> Value {
    let ratios = ratios(reports).map(|(small, _, ratio)| json!({"what": small.what, "ratio": ratio}));
    json!({ "machine": machine, "stores": reports, "ratios": ratios.collect::<Vec<_>>() })
}

/// All reports as Markdown tables.
pub(super) fn to_text(machine: &Value, reports: &[Report]) -> String {
    let mut out = String::new();
    let mut say = |line: &str| writeln!(out, "{line}").expect("a string can be written to");
    for (name, value) in machine.as_object().into_iter().flatten() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        say(&format!("- {name}: {value}"));
    }
    say("\n| games | what | figure |\n|---:|---|---:|");
    for report in reports {
        let games = grouped(report.games);
        for Figure { what, value, unit } in &report.figures {
            say(&format!("| {games} | {what} | {} {unit} |", number(*value)));
        }
    }
    say(
        "\nThrough GraphQL, in process, from the text of the query to the bytes of the answer. Milliseconds are those that\n\
         all threads of the process had a core; `waited` is the clock on the wall, with all else that the machine does:\n",
    );
    say("| games | asked | times | bytes | p50 ms | p99 ms | max ms | waited p50, p99 |");
    say("|---:|---|---:|---:|---:|---:|---:|---:|");
    for report in reports {
        let games = grouped(report.games);
        for Times { what, asked, bytes, p50, p99, max, waited_p50, waited_p99 } in &report.times {
            let bytes = grouped(*bytes as u64);
            say(&format!(
                "| {games} | {what} | {asked} | {bytes} | {p50:.3} | {p99:.3} | {max:.3} | {waited_p50:.3}, {waited_p99:.3} |"
            ));
        }
    }
    if let [first, .., last] = reports {
        let (few, many) = (grouped(first.games), grouped(last.games));
        say(&format!("\n| asked | p50 ms, {few} games | p50 ms, {many} games | ratio |\n|---|---:|---:|---:|"));
        for (small, large, ratio) in ratios(reports) {
            say(&format!("| {} | {:.3} | {:.3} | {ratio:.2} |", small.what, small.p50, large.p50));
        }
    }
    out
}

/// The rows of the first and the last store, and the ratio of their times.
fn ratios(reports: &[Report]) -> impl Iterator<Item = (&Times, &Times, f64)> {
    let pair = reports.first().zip(reports.last()).filter(|_| reports.len() > 1);
    pair.into_iter().flat_map(|(first, last)| {
        first.times.iter().filter_map(|small| {
            let large = last.times.iter().find(|large| large.what == small.what)?;
            Some((small, large, large.p50 / small.p50))
        })
    })
}

/// A number for people: small ones with decimals, large ones with digits in groups of three.
fn number(value: f64) -> String {
    if value < 100.0 { format!("{value:.2}") } else { grouped(value.round() as u64) }
}

fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).expect("digits")).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(games: u64, p50: f64) -> Report {
        let times = Times {
            what: "a node".into(),
            asked: 500,
            bytes: 1234,
            p50,
            p99: 9.0,
            max: 9.5,
            waited_p50: 3.0,
            waited_p99: 9.9,
        };
        Report { games, figures: vec![Figure::new("memory", 99.5, "MiB")], times: vec![times] }
    }

    #[test]
    fn rows_say_what_more_games_cost() {
        let reports = [report(10_000, 1.0), report(100_000, 2.5)];
        let text = to_text(&json!({"cores": 2}), &reports);
        for line in [
            "- cores: 2",
            "| 10,000 | memory | 99.50 MiB |",
            "| 10,000 | a node | 500 | 1,234 | 1.000 | 9.000 | 9.500 | 3.000, 9.900 |",
            "| a node | 1.000 | 2.500 | 2.50 |",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        assert_eq!(to_json(&json!({}), &reports)["ratios"], json!([{"what": "a node", "ratio": 2.5}]));
        assert!(!to_text(&json!({}), &reports[..1]).contains("ratio"), "one store has nothing to be compared with");
    }
}
