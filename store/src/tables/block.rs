//! Blocks: consecutive pairs of a table, compressed together.

use std::ops::Range;

use crate::numbers::{Numbers, push_number};

/// What a value stands under; the second number tells several values of one thing apart.
pub type Key = (u64, u8);

/// Adds a pair: how much its key is greater than the one before, the second number, the length of the value, and the value.
pub(super) fn push(to: &mut Vec<u8>, before: Key, key: Key, value: &[u8]) {
    push_number(to, key.0 - before.0);
    to.push(key.1);
    push_number(to, value.len() as u64);
    to.extend_from_slice(value);
}

/// Reads the pair that begins at `at`: its key, and where its value is. `None` if there is none.
pub(super) fn read(block: &[u8], at: usize, before: Key) -> Option<(Key, Range<usize>)> {
    let mut numbers = Numbers(block.get(at..)?);
    let key = before.0.checked_add(numbers.next()?)?;
    let (second, rest) = numbers.0.split_first()?;
    let mut numbers = Numbers(rest);
    let length = usize::try_from(numbers.next()?).ok()?;
    let start = block.len() - numbers.0.len();
    let end = start.checked_add(length).filter(|end| *end <= block.len())?;
    Some(((key, *second), start..end))
}
