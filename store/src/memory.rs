//! How much memory a store, and what is built on it, may take.

/// An amount of memory, which the caches divide among themselves; the rest is for what is always in memory, such as the lists of
/// games, and for answers in the making. `docs/settings.md` says who has how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Memory(u64);

impl Memory {
    /// What is enough for a large store: 2 GiB.
    pub const USUAL: Self = Self::of(2 << 30);

    /// So many bytes.
    pub const fn of(bytes: u64) -> Self {
        Self(bytes)
    }

    /// What caches may take beside so many bytes that are always in memory. A quarter is set aside for these; of what is more,
    /// caches take less, but not less than an eighth.
    #[must_use]
    pub fn beside(self, bytes: u64) -> Self {
        let more = bytes.saturating_sub(self.0 / 4);
        Self(self.0.saturating_sub(more).max(self.0 / 8))
    }

    /// So many 64ths of it, in bytes.
    pub const fn parts(self, parts: u64) -> u64 {
        self.0 / 64 * parts
    }
}

#[cfg(test)]
mod tests;
