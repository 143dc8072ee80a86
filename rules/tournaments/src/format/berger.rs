//! The Berger tables.

/// The pairs of a round in the Berger tables for `size` positions, an even number. Positions and rounds count
/// from 1. The first position of a pair has the first seat. Pairs are in the order of the printed tables.
///
/// # Source
/// FIDE Handbook C.05, annex 1.
pub fn pairs(size: u16, round: u16) -> Vec<(u16, u16)> {
    let others = size - 1;
    // The sum of two paired positions is one more than the round, modulo `size - 1`; a position that would
    // meet itself meets the last one.
    let alone = if round % 2 == 1 { round.div_ceil(2) } else { (round + 1 + others) / 2 };
    let last = if alone <= size / 2 { (alone, size) } else { (size, alone) };
    let mut pairs = vec![last];
    for step in 1..size / 2 {
        let above = (alone + step - 1) % others + 1;
        let below = (alone + others - step - 1) % others + 1;
        let (low, high) = (above.min(below), above.max(below));
        pairs.push(if (low + high) % 2 == 1 { (low, high) } else { (high, low) });
    }
    pairs
}

/// The round of the tables, from 1, and the cycle, from 0, for a round of the tournament. The last two rounds
/// of every cycle but the last are swapped, so that nobody has the same seat three times in a row when the
/// next cycle reverses the seats.
pub fn scheduled(size: u16, cycles: u8, round: u16) -> (u16, u8) {
    let others = size - 1;
    let (cycle, at) = (round / others, round % others);
    let is_last = cycle + 1 >= u16::from(cycles);
    let at = match others - at {
        1 if !is_last && others > 1 => at - 1,
        2 if !is_last => at + 1,
        _ => at,
    };
    (at + 1, cycle as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_those_of_the_handbook() {
        let told = |size, round| {
            let pairs: Vec<String> = pairs(size, round).iter().map(|(a, b)| format!("{a}-{b}")).collect();
            pairs.join(" ")
        };
        // FIDE Handbook C.05, annex 1: 3 or 4, 5 or 6, and 9 or 10 players.
        assert_eq!([told(4, 1), told(4, 2), told(4, 3)], ["1-4 2-3", "4-3 1-2", "2-4 3-1"]);
        assert_eq!(told(6, 1), "1-6 2-5 3-4");
        assert_eq!(told(6, 2), "6-4 5-3 1-2");
        assert_eq!(told(6, 3), "2-6 3-1 4-5");
        assert_eq!(told(6, 4), "6-5 1-4 2-3");
        assert_eq!(told(6, 5), "3-6 4-2 5-1");
        assert_eq!(told(10, 1), "1-10 2-9 3-8 4-7 5-6");
        assert_eq!(told(10, 2), "10-6 7-5 8-4 9-3 1-2");
        assert_eq!(told(10, 9), "5-10 6-4 7-3 8-2 9-1");
    }

    #[test]
    fn the_last_two_rounds_of_a_cycle_change_places_if_another_follows() {
        let rounds =
            |size, cycles| (0..u16::from(cycles) * (size - 1)).map(move |round| scheduled(size, cycles, round));
        assert_eq!(rounds(4, 1).collect::<Vec<_>>(), [(1, 0), (2, 0), (3, 0)]);
        assert_eq!(rounds(4, 2).collect::<Vec<_>>(), [(1, 0), (3, 0), (2, 0), (1, 1), (2, 1), (3, 1)]);
        assert_eq!(rounds(2, 2).collect::<Vec<_>>(), [(1, 0), (1, 1)]);
    }
}
