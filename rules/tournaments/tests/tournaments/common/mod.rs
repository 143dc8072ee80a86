//! Helpers shared by several suites.

pub mod crosstable;
pub mod logged;
pub mod numbers;
pub mod played;

/// The number of random tournaments of each sort: 40, or `PLYBOOK_TOURNAMENTS`.
pub fn tournaments() -> u64 {
    std::env::var("PLYBOOK_TOURNAMENTS").map_or(40, |count| count.parse().expect("PLYBOOK_TOURNAMENTS is a number"))
}
