//! Weights of edges: the criteria, packed so that comparing two sums compares them criterion by criterion.

use std::ops::{Add, AddAssign, Sub, SubAssign};

use integer_blossom::Weight;

/// A weight that can be refined: later choices count less than all earlier ones, except pins, which count
/// more because all of them can be satisfied.
pub(super) trait Graded: Weight {
    /// The value of a decision to each edge that keeps it.
    const PIN: Self;

    /// The value of an exchange.
    fn exchange(value: i64) -> Self;

    /// The value of the current preference.
    fn bias(value: i64) -> Self;
}

/// Words that are compared one after another. The last three are pins, exchanges and bias.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Words<const N: usize>(pub(super) [i64; N]);

impl<const N: usize> Words<N> {
    fn only(index: usize, value: i64) -> Self {
        let mut words = [0; N];
        words[index] = value;
        Self(words)
    }
}

impl<const N: usize> Add for Words<N> {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl<const N: usize> AddAssign for Words<N> {
    fn add_assign(&mut self, other: Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word += other;
        }
    }
}

impl<const N: usize> Sub for Words<N> {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        self -= other;
        self
    }
}

impl<const N: usize> SubAssign for Words<N> {
    fn sub_assign(&mut self, other: Self) {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word -= other;
        }
    }
}

impl<const N: usize> Weight for Words<N> {
    const ZERO: Self = Self([0; N]);
    const ONE: Self = {
        let mut words = [0; N];
        words[N - 1] = 1;
        Self(words)
    };

    fn inf() -> Self {
        Self::only(0, i64::MAX / 4)
    }

    fn double(self) -> Self {
        self + self
    }

    fn half(self) -> Self {
        Self(self.0.map(|word| word / 2))
    }
}

impl<const N: usize> Graded for Words<N> {
    const PIN: Self = {
        let mut words = [0; N];
        words[N - 3] = 1;
        Self(words)
    };

    fn exchange(value: i64) -> Self {
        Self::only(N - 2, value)
    }

    fn bias(value: i64) -> Self {
        Self::only(N - 1, value)
    }
}

/// Bits below the exchanges in an `i64`: a bias is less than 2^12.
const BIAS_BITS: u32 = 12;

/// Bits below the pins in an `i64`: the sum of all exchanges is less than 2^(45 - 12).
const PIN_BITS: u32 = 45;

impl Graded for i64 {
    const PIN: Self = 1 << PIN_BITS;

    fn exchange(value: i64) -> Self {
        value << BIAS_BITS
    }

    fn bias(value: i64) -> Self {
        value
    }
}
