//! Lists that are printed and published: progress, crosstable, pairings by table and by name.

mod crosstable;
mod pairings;
mod progress;

pub use crosstable::{CROSSTABLE_MAX, Crosstable, Meeting};
pub use pairings::{Assignment, by_name};
pub use progress::{Progress, RoundCell, progress};
