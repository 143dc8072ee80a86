//! Distributions of one number per game.

use async_graphql::SimpleObject;
use plybook_rules::Label;

/// How a set of numbers is distributed. Percentiles are nearest-rank: the p-th percentile is the smallest number that is
/// at least as large as p percent of them. Without numbers, everything but `count` and `histogram` is null.
#[derive(SimpleObject)]
pub struct Distribution {
    /// The number of numbers.
    count: usize,
    /// The smallest.
    min: Option<f64>,
    /// The largest.
    max: Option<f64>,
    /// The arithmetic mean.
    mean: Option<f64>,
    /// The 50th percentile.
    median: Option<f64>,
    /// The 10th percentile.
    p10: Option<f64>,
    /// The 90th percentile.
    p90: Option<f64>,
    /// At most 20 bins, each 1, 2 or 5 times a power of ten wide. `key` is a bin's lower bound; empty bins in between are
    /// listed.
    histogram: Vec<Count>,
}

/// How often something occurs.
#[derive(SimpleObject)]
pub struct Count {
    /// What is counted.
    pub key: String,
    /// How often it occurs.
    pub count: u64,
}

/// A measure of the games of a kind.
#[derive(SimpleObject)]
pub struct Measure {
    /// Its name.
    name: &'static str,
    /// What it measures, and its unit.
    description: &'static str,
    /// The mean over the games that it applies to.
    value: Option<f64>,
    /// How the numbers are distributed over those games; null if there are none.
    distribution: Option<Distribution>,
}

impl From<plybook_models::Distribution> for Distribution {
    fn from(found: plybook_models::Distribution) -> Self {
        let spread = found.spread.as_ref();
        Self {
            count: found.count,
            min: spread.map(|of| of.min),
            max: spread.map(|of| of.max),
            mean: spread.map(|of| of.mean),
            median: spread.map(|of| of.median),
            p10: spread.map(|of| of.p10),
            p90: spread.map(|of| of.p90),
            histogram: found.histogram.iter().map(|(key, count)| Count::bin(*key, *count)).collect(),
        }
    }
}

impl From<(&str, u64)> for Count {
    fn from((key, count): (&str, u64)) -> Self {
        Self { key: key.to_owned(), count }
    }
}

impl Count {
    /// A bin of a histogram. The key has three decimals, since no bin is narrower than a thousandth.
    fn bin(from: f64, count: usize) -> Self {
        let key = format!("{from:.3}");
        Self { key: key.trim_end_matches('0').trim_end_matches('.').to_owned(), count: count as u64 }
    }
}

impl Measure {
    /// A measure, with the numbers that it took.
    pub fn new(label: &Label, found: plybook_models::Distribution) -> Self {
        let distribution = Distribution::from(found);
        Self {
            name: label.name,
            description: label.description,
            value: distribution.mean,
            distribution: Some(distribution).filter(|distribution| distribution.count > 0),
        }
    }
}
