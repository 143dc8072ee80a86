//! How far the chances of a search are to be trusted, by kind.

use serde::Deserialize;

use super::chances::{Chances, WHOLE};
use crate::Game;

/// Chances are left as they are.
pub const NEUTRAL: u32 = 100;

/// What [`Game::CALIBRATION`] says, as far as it matters here. The rest tells how it was fitted.
#[derive(Deserialize)]
struct Calibration {
    sharpness: u32,
}

/// The sharpness of a game's chances, in percent; [`NEUTRAL`] if it was never fitted.
///
/// # Panics
/// The game's calibration is not what `plybook-lab calibrate` writes.
pub(super) fn sharpness<G: Game>() -> u32 {
    if G::CALIBRATION.is_empty() {
        return NEUTRAL;
    }
    let found: Calibration = serde_json::from_str(G::CALIBRATION).expect("`plybook-lab calibrate` wrote it");
    found.sharpness
}

impl Chances {
    /// The chances raised to a power, in percent, and divided by their sum: above 100 they move away from equal chances, below
    /// towards them. What is certain or impossible remains so.
    #[must_use]
    pub fn sharpened(&self, percent: u32) -> Self {
        if percent == NEUTRAL {
            return *self;
        }
        self.reweighted(|part| if part == 0 { 0 } else { halvings_to_part(halvings(part) * u64::from(percent) / 100) })
    }
}

/// How often a certainty has to be halved to become this part, in 65536ths: a logarithm, on a straight line between powers of two.
fn halvings(part: u32) -> u64 {
    let whole = part.ilog2();
    let rest = (u64::from(part) << 16 >> whole) - (1 << 16);
    u64::from(WHOLE.ilog2() << 16).saturating_sub((u64::from(whole) << 16) + rest)
}

/// The reverse, of 2^32.
fn halvings_to_part(halvings: u64) -> u64 {
    let whole = halvings.div_ceil(1 << 16);
    let rest = (whole << 16) - halvings;
    u32::try_from(whole).ok().and_then(|whole| (((1 << 16) + rest) << 16).checked_shr(whole)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use plybook_events::Outcome;

    use super::*;
    use crate::Teams;
    use crate::engine::chances::Sum;

    #[test]
    fn parts_are_halved_and_back() {
        for part in [1, 2, 3, 100, 4_000, 32_768, 50_000, WHOLE - 1, WHOLE] {
            assert_eq!(halvings_to_part(halvings(part)), u64::from(part) << 16, "{part}");
        }
        assert_eq!((halvings(WHOLE), halvings(WHOLE / 4)), (0, 2 << 16));
        assert_eq!(halvings_to_part(u64::MAX >> 8), 0);
    }

    #[test]
    fn sharpness_moves_chances_and_keeps_certainties() {
        let mut sum = Sum::new(Teams::alone(3));
        for winners in [vec![1], vec![1], vec![1], vec![2], vec![]] {
            let outcome = if winners.is_empty() { Outcome::draw("x") } else { Outcome::win(winners, "x") };
            sum.add(&Chances::of_outcome(Teams::alone(3), &outcome));
        }
        let found = sum.mean().unwrap();
        let told = |percent| {
            let chances = found.sharpened(percent);
            let parts = [chances.seat(1), chances.seat(2), chances.seat(3), chances.draw()];
            assert_eq!(parts.iter().sum::<u32>(), WHOLE);
            parts.map(|part| part * 100 / WHOLE)
        };
        assert_eq!(told(100), [60, 19, 0, 19]);
        assert_eq!(told(200), [82, 8, 0, 8]);
        assert_eq!(told(50), [47, 26, 0, 26]);
        assert_eq!(told(0), [33, 33, 0, 33]);
        let won = Chances::of_outcome(Teams::alone(2), &Outcome::win(vec![2], "x"));
        assert_eq!([10, 100, 300].map(|percent| won.sharpened(percent)), [won; 3]);
    }
}
