//! What several suites use.
#![allow(dead_code, reason = "each suite uses a part of it")]

pub mod crosstable;
pub mod numbers;
pub mod played;
