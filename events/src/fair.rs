//! Fair dice: the service commits to a seed before the game, derives every roll from it, and
//! publishes it at the end, so that anyone can recompute every roll.
//!
//! Commitment: `SHA-256("plybook/seed/v1" || 0 || log id (16 bytes) || salt (32) || seed (32))`.
//! Key of the rolls: `HMAC-SHA256(seed, "plybook/entropy/v1" || 0 || log id || entropy)`, where
//! `entropy` is a byte for the seat and 32 bytes for each contribution, in the order of the log.
//! Roll: blocks `HMAC-SHA256(key, "plybook/roll/v1" || 0 || log id || ordinal (8, big-endian) ||
//! block number (4, big-endian))` from block 0, read as big-endian 32-bit words; a number below
//! `n` is the first word under the largest multiple of `n` that 2^32 holds, modulo `n`. The
//! ordinal is the number of rolls that the log's dice have made before.
//!
//! Setups are drawn from the blocks of the ordinal 0 with the seed itself as the key.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::body::Seed;
use crate::{Hash, LogId};

/// The commitment that a game's first event carries.
pub fn commitment(log: LogId, seed: &Seed) -> Hash {
    Hash::of_parts(&[b"plybook/seed/v1\0", &log.to_bytes(), &seed.salt.0, &seed.seed.0])
}

/// What a seat contributed to the dice of its game: the seat, and 32 bytes.
pub type Entropy = (u8, Hash);

/// Dice: numbers that follow from a key, a log and an ordinal.
pub struct Dice {
    mac: Hmac<Sha256>,
    block: [u8; 32],
    blocks: u32,
    used: usize,
}

impl Dice {
    /// The dice that a log's setup is drawn from.
    pub fn of_setup(seed: &Hash, log: LogId) -> Self {
        Self::new(seed, log, 0)
    }

    /// The dice of a log's roll `ordinal`, from 0, to which the seats have contributed `entropy`.
    pub fn of_roll(seed: &Hash, log: LogId, entropy: &[Entropy], ordinal: u64) -> Self {
        let mut mac = keyed(seed);
        mac.update(b"plybook/entropy/v1\0");
        mac.update(&log.to_bytes());
        for (seat, contributed) in entropy {
            mac.update(&[*seat]);
            mac.update(&contributed.0);
        }
        let key = Hash(mac.finalize().into_bytes().into());
        Self::new(&key, log, ordinal)
    }

    /// The dice of a key and an ordinal.
    pub fn new(key: &Hash, log: LogId, ordinal: u64) -> Self {
        let mut mac = keyed(key);
        mac.update(b"plybook/roll/v1\0");
        mac.update(&log.to_bytes());
        mac.update(&ordinal.to_be_bytes());
        Self { mac, block: [0; 32], blocks: 0, used: 32 }
    }

    /// The next number, uniform in `0..n`.
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "there is no number below 0");
        let limit = (1 << 32) / u64::from(n) * u64::from(n);
        loop {
            let word = self.word();
            if u64::from(word) < limit {
                return word % n;
            }
        }
    }

    fn word(&mut self) -> u32 {
        if self.used == self.block.len() {
            let mut mac = self.mac.clone();
            mac.update(&self.blocks.to_be_bytes());
            self.block = mac.finalize().into_bytes().into();
            self.blocks += 1;
            self.used = 0;
        }
        let bytes = &self.block[self.used..self.used + 4];
        self.used += 4;
        u32::from_be_bytes(bytes.try_into().expect("four bytes"))
    }
}

fn keyed(key: &Hash) -> Hmac<Sha256> {
    Hmac::new_from_slice(&key.0).expect("HMAC takes keys of any length")
}
