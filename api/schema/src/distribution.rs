//! Distributions of one number per game.

use std::sync::LazyLock;

use plybook_models::Spread;
use plybook_rules::Label;

use super::plain::{Members, Plain};

/// How a set of numbers is distributed.
pub struct Distribution {
    count: usize,
    spread: Option<Spread>,
    histogram: Vec<Count>,
}

/// How often something occurs.
pub struct Count {
    /// What is counted.
    pub key: String,
    /// How often it occurs.
    pub count: u64,
}

/// A measure of the games of a kind.
pub struct Measure {
    name: &'static str,
    description: &'static str,
    distribution: Distribution,
}

impl From<plybook_models::Distribution> for Distribution {
    fn from(found: plybook_models::Distribution) -> Self {
        let histogram = found.histogram.iter().map(|(key, count)| Count::bin(*key, *count)).collect();
        Self { count: found.count, spread: found.spread, histogram }
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
    pub fn new(label: &Label, spread: plybook_models::Distribution) -> Self {
        Self { name: label.name, description: label.description, distribution: spread.into() }
    }
}

/// The name of a member, what it is, and the member.
type SpreadMember = (&'static str, &'static str, fn(&Spread) -> f64);

/// The members of a distribution that are null if it has no numbers.
const SPREAD: [SpreadMember; 6] = [
    ("min", "The smallest.", |of| of.min),
    ("max", "The largest.", |of| of.max),
    ("mean", "The arithmetic mean.", |of| of.mean),
    ("median", "The 50th percentile.", |of| of.median),
    ("p10", "The 10th percentile.", |of| of.p10),
    ("p90", "The 90th percentile.", |of| of.p90),
];

impl Plain for Distribution {
    const NAME: &'static str = "Distribution";
    const ABOUT: &'static str = "How a set of numbers is distributed. Percentiles are nearest-rank: the p-th percentile is the \
        smallest number that is at least as large as p percent of them.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Distribution>> = LazyLock::new(|| {
            let counted =
                Members::<Distribution>::new()
                    .value::<usize>("count", "The number of numbers.", |all, out| out.put(&all.count));
            let add = |members: Members<Distribution>, (name, about, of): SpreadMember| {
                members.value::<Option<f64>>(name, about, move |all, out| out.put(&all.spread.as_ref().map(of)))
            };
            SPREAD.into_iter().fold(counted, add).objects(
                "histogram",
                "At most 20 bins, each 1, 2 or 5 times a power of ten wide. `key` is a bin's lower bound; empty bins in between \
                 are listed.",
                |all: &Distribution| &all.histogram,
            )
        });
        &MEMBERS
    }
}

impl Plain for Count {
    const NAME: &'static str = "Count";
    const ABOUT: &'static str = "How often something occurs.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Count>> =
            LazyLock::new(|| {
                Members::<Count>::new()
                    .value::<String>("key", "What is counted.", |of, out| out.put(&of.key))
                    .value::<u64>("count", "How often it occurs.", |of, out| out.put(&of.count))
            });
        &MEMBERS
    }
}

impl Plain for Measure {
    const NAME: &'static str = "Measure";
    const ABOUT: &'static str = "A measure of the games of a kind.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Measure>> = LazyLock::new(|| {
            Members::<Measure>::new()
                .value::<String>("name", "Its name.", |of, out| out.put(of.name))
                .value::<String>("description", "What it measures, and its unit.", |of, out| out.put(of.description))
                .value::<Option<f64>>("value", "The mean over the games that it applies to.", |of, out| {
                    out.put(&of.distribution.spread.as_ref().map(|spread| spread.mean));
                })
                .object(
                    "distribution",
                    "How the numbers are distributed over those games; null if there are none.",
                    |of: &Measure| Some(&of.distribution).filter(|distribution| distribution.count > 0),
                )
        });
        &MEMBERS
    }
}
