//! The fair dice and the commitments: known answers from another implementation, and statistics.

use plybook_events::body::Seed;
use plybook_events::fair::{self, Dice};
use plybook_events::{By, Hash, LogId, seal};

/// The number of rolls in a statistical test.
const ROLLS: u32 = 1_200_000;

/// The number of rolls per event, as in a fight with several dice.
const ROLLS_OF_EVENT: u32 = 3;

fn bytes(from: u8) -> Hash {
    Hash(std::array::from_fn(|n| from + n as u8))
}

fn log() -> LogId {
    "0192f0c1-2a3b-7c4d-8e5f-60718293a4b5".parse().unwrap()
}

fn rolls(seq: u64, sides: &[u32]) -> Vec<u32> {
    let mut dice = Dice::new(&bytes(0), log(), seq);
    sides.iter().map(|n| dice.below(*n)).collect()
}

#[test]
fn commitments_are_those_of_hashlib() {
    let seed = Seed { seed: bytes(0), salt: bytes(32) };
    let of_seed = fair::commitment(log(), &seed).to_string();
    assert_eq!(of_seed, "2fd831b3d52c4d0f36dcc086bbf8f8f23b5a07ff6e137d4998345499014cd022");
    let of_seal = seal::commitment(log(), By::Seat(13), &bytes(32), "LUR! é").to_string();
    assert_eq!(of_seal, "d95a7adfa50d2fc153f9a634f747ebeafb18cc948e63dac6979f30da51f3de1a");
}

#[test]
fn rolls_are_those_of_hmac_and_hashlib() {
    let d20 = [2, 19, 4, 0, 5, 15, 19, 6, 5, 6, 18, 6, 12, 15, 14, 14, 8, 12, 16, 0, 7, 5, 7, 17];
    assert_eq!(rolls(7, &[20; 24]), d20);
    assert_eq!(rolls(9, &[1, 2, 6, 12, 20, 52, 1_000_000_007]), [0, 1, 1, 3, 12, 42, 433_219_476]);
}

#[test]
fn numbers_near_the_whole_range_are_those_of_another_implementation() {
    // For 3 × 2^30 + 1 numbers a quarter of the words is rejected, for 2^31 + 1 one half.
    let known = [
        1_850_168_957,
        459_381_996,
        1_746_230_403,
        144_112_334,
        2_785_674_294,
        2_950_981_052,
        971_559_382,
        315_531_933,
        302_330_722,
        182_069_945,
    ];
    assert_eq!(rolls(1 << 40, &[3 * (1 << 30) + 1; 10]), known);
    let known = [
        1_091_785_383,
        1_006_678_549,
        1_679_513_764,
        1_969_750_809,
        2_132_669_961,
        340_616_931,
        2_001_540_268,
        1_429_094_389,
        786_026_043,
        1_125_113_144,
    ];
    assert_eq!(rolls(3, &[(1 << 31) + 1; 10]), known);
    assert_eq!(rolls(5, &[u32::MAX; 3]), [3_671_591_416, 1_823_586_817, 1_571_309_211]);
}

#[test]
fn a_number_that_rejects_many_words_is_still_uniform() {
    // Without rejection, numbers below 2^30 would come up twice as often as the others.
    let n = 3 * (1 << 30);
    let counts = counts(1, n, |number| (number >> 29) as usize);
    assert_even(&counts[..6], 20.52);
}

#[test]
fn dice_are_even() {
    for (sides, threshold) in [(2, 10.83), (12, 31.26), (20, 43.82)] {
        for game in 0..3 {
            let counts = counts(game, sides, |number| number as usize);
            assert_eq!(counts[sides as usize..].iter().sum::<u32>(), 0);
            assert_even(&counts[..sides as usize], threshold);
        }
    }
}

#[test]
fn games_and_events_roll_independently() {
    let seed = bytes(7);
    let ids: Vec<LogId> = (0..2).map(|n| LogId::from_bytes([n; 16])).collect();
    let (mut of_games, mut of_events) = ([0; 144], [0; 144]);
    for seq in 0..u64::from(ROLLS) {
        let [first, other] = [ids[0], ids[1]].map(|id| Dice::new(&seed, id, seq).below(12));
        let next = Dice::new(&seed, ids[0], seq + 1).below(12);
        of_games[(first * 12 + other) as usize] += 1;
        of_events[(first * 12 + next) as usize] += 1;
    }
    // 143 degrees of freedom, one in a thousand.
    assert_even(&of_games, 198.8);
    assert_even(&of_events, 198.8);
}

/// How often each group of numbers below `n` comes up in the events of a game.
fn counts(game: u8, n: u32, group: impl Fn(u32) -> usize) -> [u32; 32] {
    let (seed, log) = (bytes(game), LogId::from_bytes([game; 16]));
    let mut counts = [0; 32];
    for seq in 0..u64::from(ROLLS / ROLLS_OF_EVENT) {
        let mut dice = Dice::new(&seed, log, seq);
        for _ in 0..ROLLS_OF_EVENT {
            counts[group(dice.below(n))] += 1;
        }
    }
    counts
}

/// Chi-square against a uniform distribution; by chance, the threshold is exceeded once in a thousand.
fn assert_even(counts: &[u32], threshold: f64) {
    let expected = f64::from(counts.iter().sum::<u32>()) / f64::from(counts.len() as u32);
    let sum: f64 = counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum();
    assert!(sum < threshold, "chi-square {sum} is not below {threshold}: {counts:?}");
}
