//! Numbers derived from a seed: the same on every run.

use plybook_events::Hash;

/// A generator of pseudorandom numbers.
#[derive(Clone)]
pub struct Numbers(u64);

/// 32 bytes derived from a seed, a purpose, and a number.
pub fn derived(seed: u64, what: &str, n: u64) -> Hash {
    Hash::of_parts(&[b"plybook generated\0", &seed.to_be_bytes(), what.as_bytes(), b"\0", &n.to_be_bytes()])
}

impl Numbers {
    /// The numbers for one purpose.
    pub fn new(seed: u64, what: &str, n: u64) -> Self {
        let hash = derived(seed, what, n);
        Self(u64::from_be_bytes(*hash.0.first_chunk().expect("a hash is longer")))
    }

    /// A uniform number in `0..n`.
    pub fn below(&mut self, n: u32) -> u32 {
        ((u128::from(self.word()) * u128::from(n)) >> 64) as u32
    }

    /// A number in `0..n` that favours low values: n·u³ for a uniform u. For n = 10, nearly half of them are
    /// 0.
    pub fn skewed(&mut self, n: usize) -> usize {
        let u = u128::from(self.word() >> 32);
        ((n as u128 * u * u * u) >> 96) as usize
    }

    /// Whether an event with this probability, in percent, happens.
    pub fn happens(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// `SplitMix64`, <https://prng.di.unimi.it/splitmix64.c>.
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::Numbers;

    #[test]
    fn low_numbers_are_likelier_and_all_come() {
        let mut numbers = Numbers::new(1, "test", 0);
        let mut counts = [0_u32; 10];
        for _ in 0..10_000 {
            counts[numbers.skewed(10)] += 1;
        }
        assert!((4_300..5_000).contains(&counts[0]), "{counts:?}");
        assert!(counts.iter().all(|count| *count > 200), "{counts:?}");
        assert!(counts.is_sorted_by(|a, b| a >= b || b - a < 100), "{counts:?}");
    }
}
