//! Distributions: percentiles and histograms.

/// The most bins in a histogram.
const BINS_MAX: f64 = 20.0;

/// The distribution of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Distribution {
    /// The number of numbers.
    pub count: usize,
    /// Smallest, largest, mean, median, and the 10th and 90th percentiles; `None` if there are no numbers.
    /// See [`Spread`].
    pub spread: Option<Spread>,
    /// The lower bounds of bins with the number of values in each, ascending, including empty ones in
    /// between. All bins are equally wide: 1, 2 or 5 times a power of ten, the smallest width that gives at
    /// most 20.
    pub histogram: Vec<(f64, usize)>,
}

/// Summary values of one or more numbers. Percentiles are nearest-rank: the smallest value that at least that
/// percentage of the numbers does not exceed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// The smallest.
    pub min: f64,
    /// The largest.
    pub max: f64,
    /// Their sum divided by their count.
    pub mean: f64,
    /// The 50th percentile.
    pub median: f64,
    /// The 10th percentile.
    pub p10: f64,
    /// The 90th percentile.
    pub p90: f64,
}

/// A value and how often it occurs.
pub(super) type Run = (f64, usize);

impl Distribution {
    /// The distribution of numbers in any order.
    pub fn of(values: Vec<f64>) -> Self {
        let count = values.len();
        if count == 0 {
            return Self::default();
        }
        let (mut min, mut max, mut sum, mut are_whole) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, true);
        for value in &values {
            (min, max, sum) = (value.min(min), value.max(max), sum + value);
            are_whole &= value - floor(*value) as f64 == 0.0;
        }
        let width = bin_width(min, max, are_whole);
        let histogram = histogram(values.iter().map(|value| (*value, 1)), (min, max), width);
        let [low, middle, high] = [10, 50, 90].map(|percent| rank(count, percent) - 1);
        // Whole numbers are compared faster.
        let mut ordinals: Vec<i64> = values.into_iter().map(|value| in_order(value.to_bits() as i64)).collect();
        let (below, median, above) = ordinals.select_nth_unstable(middle);
        let nth = |of: &mut [i64], n| *of.select_nth_unstable(n).1;
        let p10 = if low < middle { nth(below, low) } else { *median };
        let p90 = if high > middle { nth(above, high - middle - 1) } else { *median };
        let [p10, median, p90] = [p10, *median, p90].map(|ordinal| f64::from_bits(in_order(ordinal) as u64));
        Self { count, spread: Some(Spread { min, max, mean: sum / count as f64, median, p10, p90 }), histogram }
    }

    /// The distribution of numbers that are counted; ascending, each once.
    pub(super) fn of_runs(runs: &[Run]) -> Self {
        let (Some((min, _)), Some((max, _))) = (runs.first().copied(), runs.last().copied()) else {
            return Self::default();
        };
        let count = runs.iter().map(|(_, count)| count).sum();
        let mean = runs.iter().map(|(value, count)| value * *count as f64).sum::<f64>() / count as f64;
        let [p10, median, p90] = [10, 50, 90].map(|percent| ranked(runs, rank(count, percent)));
        let width = bin_width(min, max, runs.iter().all(|(value, _)| value.fract() == 0.0));
        let histogram = histogram(runs.iter().copied(), (min, max), width);
        Self { count, spread: Some(Spread { min, max, mean, median, p10, p90 }), histogram }
    }
}

/// The bits of numbers as whole numbers in the order of [`f64::total_cmp`], and back.
fn in_order(bits: i64) -> i64 {
    bits ^ ((bits >> 63) & i64::MAX)
}

/// The whole number below a number of at most 63 bits; faster than [`f64::floor`], which is a call on older processors.
fn floor(number: f64) -> i64 {
    let cut = number as i64;
    cut - i64::from(cut as f64 > number)
}

/// The rank of a percentile among so many numbers, from 1.
fn rank(count: usize, percent: usize) -> usize {
    (count * percent).div_ceil(100).max(1)
}

/// The value at a rank, from 1.
fn ranked(runs: &[Run], rank: usize) -> f64 {
    let mut below = 0;
    let reaches = |(_, count): &&Run| {
        below += count;
        below >= rank
    };
    runs.iter().find(reaches).expect("a rank is at most the count").0
}

/// The width of bins for values from `min` to `max`. Whole numbers get whole widths.
fn bin_width(min: f64, max: f64, is_whole: bool) -> f64 {
    let fits = |width: f64| (max / width).floor() - (min / width).floor() < BINS_MAX;
    let mut exponent = ((max - min).max(f64::MIN_POSITIVE) / BINS_MAX).log10().floor() as i32 - 1;
    exponent = exponent.max(if is_whole { 0 } else { -3 });
    loop {
        let power = 10_f64.powi(exponent);
        if let Some(width) = [1.0, 2.0, 5.0].into_iter().map(|n| n * power).find(|width| fits(*width)) {
            return width;
        }
        exponent += 1;
    }
}

fn histogram(runs: impl Iterator<Item = Run>, (min, max): (f64, f64), width: f64) -> Vec<(f64, usize)> {
    let bin = |value: f64| floor(value / width);
    let first = bin(min);
    let mut bins: Vec<(f64, usize)> = (first..=bin(max)).map(|bin| (bin as f64 * width, 0)).collect();
    for (value, count) in runs {
        bins[(bin(value) - first) as usize].1 += count;
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_are_there() {
        let spread = Distribution::of(vec![4.0, 1.0, 3.0, 2.0]).spread.unwrap();
        assert_eq!((spread.p10, spread.median, spread.p90), (1.0, 2.0, 4.0));
        assert_eq!((spread.min, spread.max, spread.mean), (1.0, 4.0, 2.5));
        let spread = Distribution::of((1..=10).map(f64::from).collect()).spread.unwrap();
        assert_eq!((spread.p10, spread.median, spread.p90), (1.0, 5.0, 9.0));
        assert_eq!(Distribution::of(Vec::new()), Distribution::default());
    }

    #[test]
    fn counted_numbers_are_distributed_like_single_ones() {
        for length in 1..60_usize {
            let mut values: Vec<f64> = (0..length).map(|n| (n * n % 17) as f64 / 4.0 - 1.0).collect();
            let single = Distribution::of(values.clone());
            values.sort_unstable_by(f64::total_cmp);
            let runs: Vec<Run> = values.chunk_by(f64::eq).map(|equal| (equal[0], equal.len())).collect();
            assert_eq!(Distribution::of_runs(&runs), single, "{values:?}");
            let Spread { median, p10, p90, .. } = single.spread.unwrap();
            let at = |percent| values[rank(length, percent) - 1];
            assert_eq!((p10, median, p90), (at(10), at(50), at(90)), "{values:?}");
        }
    }

    #[test]
    fn bins_are_round_and_few() {
        let histogram = |values: Vec<f64>| Distribution::of(values).histogram;
        assert_eq!(histogram(vec![3.0, 5.0, 5.0]), [(3.0, 1), (4.0, 0), (5.0, 2)]);
        assert_eq!(histogram(vec![7.0]), [(7.0, 1)]);
        assert_eq!(histogram(vec![0.0, 19.0]).len(), 20);
        assert_eq!(histogram(vec![0.0, 20.0]).len(), 11);
        assert_eq!(histogram(vec![0.0, 99.0])[19], (95.0, 1));
        assert_eq!(histogram(vec![0.0, 100.0])[10], (100.0, 1));
        assert_eq!(histogram(vec![-3.0, 2.0])[0], (-3.0, 1));
        assert_eq!(histogram(vec![1.25, 1.5]).len(), 14);
        assert!(histogram(vec![1.0, 1e15]).len() <= 20);
    }
}
