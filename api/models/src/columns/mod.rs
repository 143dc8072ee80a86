//! A column store: numbers of the games of one kind, each for all games side by side, with the sums of the games that count.
//!
//! To add up the games of a set, a [`Scan`] reads each of them, or starts from the sums and reads only the games that make
//! the difference, whichever are fewer.

mod column;
mod distribution;
mod extremes;
mod packed_column;
mod real_column;
mod scan;

pub use column::Column;
pub use distribution::{Distribution, Spread};
pub use extremes::Extremes;
pub use packed_column::PackedColumn;
pub use real_column::RealColumn;
pub use scan::Scan;
