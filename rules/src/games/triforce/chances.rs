//! The probability of not losing a combat, given everybody's dice.

use super::combat::Hand;

/// The most seats with plain dice in one combat.
const PLAINS_MAX: usize = 6;

/// Chances in millionths by hand, in the order of [`Hand`].
type Chances = [i64; 3];

/// Indexed by the number of plain hands, whether there is a sword, and whether there is a shield.
const CHANCES: [[[Chances; 2]; 2]; PLAINS_MAX + 1] = {
    let mut table = [[[[0; 3]; 2]; 2]; PLAINS_MAX + 1];
    let mut plains = 0;
    while plains <= PLAINS_MAX {
        let mut rest = 0;
        while rest < 4 {
            table[plains][rest / 2][rest % 2] = chances(plains as u32, rest / 2 == 1, rest % 2 == 1);
            rest += 1;
        }
        plains += 1;
    }
    table
};

/// The probability that each hand does not lose when these roll against each other, in millionths, rounded.
/// Indexed by [`Hand`]; meaningless for hands that nobody has.
pub(super) fn of(hands: impl Iterator<Item = Hand>) -> Chances {
    let mut count = [0; 3];
    hands.for_each(|hand| count[hand as usize] += 1);
    CHANCES[count[Hand::Plain as usize]][count[Hand::Sword as usize]][count[Hand::Shield as usize]]
}

/// Counts the rolls in which a hand has the lowest total. Among equal totals the shield loses first, then
/// plain dice, which lose together, then the sword.
const fn chances(plains: u32, sword: bool, shield: bool) -> Chances {
    let (swords, shields) = (if sword { 144 } else { 1 }, if shield { 20 } else { 1 });
    let all = 12_u64.pow(plains) * swords * shields;
    let mut lost = [0; 3];
    let mut total = 1;
    while total <= 24 {
        let not_below = plain_from(total);
        let sword_not_below = if sword { sword_from(total) } else { 1 };
        let shield_above = if shield { shield_from(total + 1) } else { 1 };
        if plains > 0 && total <= 12 {
            lost[Hand::Plain as usize] += not_below.pow(plains - 1) * sword_not_below * shield_above;
        }
        if sword {
            let ways = sword_from(total) - sword_from(total + 1);
            lost[Hand::Sword as usize] += ways * plain_from(total + 1).pow(plains) * shield_above;
        }
        if shield && total <= 20 {
            lost[Hand::Shield as usize] += not_below.pow(plains) * sword_not_below;
        }
        total += 1;
    }
    let mut chances = [0; 3];
    let mut hand = 0;
    while hand < 3 {
        chances[hand] = (((all - lost[hand]) * 1_000_000 + all / 2) / all) as i64;
        hand += 1;
    }
    chances
}

/// The number of ways in which a d12 shows at least this much.
const fn plain_from(total: u64) -> u64 {
    13_u64.saturating_sub(total)
}

/// The number of ways in which a d20 shows at least this much.
const fn shield_from(total: u64) -> u64 {
    21_u64.saturating_sub(total)
}

/// The number of ways in which two d12 show at least this much together.
const fn sword_from(total: u64) -> u64 {
    let (mut ways, mut first) = (0, 1);
    while first <= 12 {
        let rest = total.saturating_sub(first);
        ways += if rest == 0 { 12 } else { plain_from(rest) };
        first += 1;
    }
    ways
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_plain_dice_tie_once_in_twelve() {
        // 66 of 144 rolls are won; in 12 both lose.
        assert_eq!(of([Hand::Plain, Hand::Plain].into_iter())[0], 458_333);
        // A hand alone always loses: nobody rolls higher.
        assert_eq!(of([Hand::Plain].into_iter())[0], 0);
    }

    #[test]
    fn chances_are_those_of_all_rolls() {
        use Hand::{Plain, Shield, Sword};
        let cases: [&[Hand]; 8] = [
            &[Plain, Sword],
            &[Plain, Shield],
            &[Sword, Shield],
            &[Plain, Plain, Plain],
            &[Plain, Sword, Shield],
            &[Plain, Plain, Shield],
            &[Plain, Plain, Sword],
            &[Plain, Plain, Plain, Shield],
        ];
        for hands in cases {
            let mut won = vec![0_u64; hands.len()];
            let mut all = 0;
            each_roll(hands, &mut Vec::new(), &mut |totals| {
                all += 1;
                let rank = |index: usize| (totals[index], [1, 2, 0][hands[index] as usize]);
                let lowest = (0..hands.len()).map(rank).min();
                for (index, won) in won.iter_mut().enumerate() {
                    *won += u64::from(Some(rank(index)) != lowest);
                }
            });
            let told = of(hands.iter().copied());
            for (hand, won) in hands.iter().zip(won) {
                assert_eq!(told[*hand as usize], ((won * 1_000_000 + all / 2) / all) as i64, "{hand:?} of {hands:?}");
            }
        }
    }

    fn each_roll(hands: &[Hand], totals: &mut Vec<u8>, visit: &mut impl FnMut(&[u8])) {
        let Some(hand) = hands.get(totals.len()) else { return visit(totals) };
        let blacks = if *hand == Hand::Sword { 1..=12 } else { 0..=0 };
        for black in blacks {
            for first in 1..=hand.sides() {
                totals.push(first + black);
                each_roll(hands, totals, visit);
                totals.pop();
            }
        }
    }
}
