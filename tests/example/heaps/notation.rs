//! `deal:h2.h1.h2`, `pledge:h2`, `reach:h2` and `roll:4`.

use std::fmt;
use std::str::FromStr;

use plybook_rules::Syntax;

/// The names of the heaps, as in actions and scenes. They begin with a letter: a bare number could mean
/// anything that is counted.
pub const PLACES: [&str; 5] = ["h1", "h2", "h3", "h4", "h5"];

/// The highest number on the die.
pub const DIE: u8 = 6;

/// An action of a seat or of the die; heaps are numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Each seat gets the heap whose stones count double for it: heaps by seat.
    Deal([Option<usize>; 4]),
    /// A seat chooses in secret whose stones count double for it.
    Pledge(usize),
    /// A seat reaches for a heap, in secret until all have reached.
    Reach(usize),
    /// The die determines how many stones may be taken.
    Roll(u8),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deal(heaps) => f.write_str(&dealt(heaps.iter().flatten().map(|heap| PLACES[*heap]))),
            Self::Pledge(heap) => write!(f, "pledge:{}", PLACES[*heap]),
            Self::Reach(heap) => write!(f, "reach:{}", PLACES[*heap]),
            Self::Roll(stones) => write!(f, "roll:{stones}"),
        }
    }
}

/// The text of a deal, from what is known of each seat's.
pub fn dealt(heaps: impl Iterator<Item = &'static str>) -> String {
    format!("deal:{}", heaps.collect::<Vec<_>>().join("."))
}

impl FromStr for Action {
    type Err = Syntax;

    fn from_str(text: &str) -> Result<Self, Syntax> {
        let heap = |name: &str| PLACES.iter().position(|place| *place == name);
        let read = match text.split_once(':') {
            Some(("deal", names)) => deal(names.split('.').map(heap)),
            Some(("pledge", name)) => heap(name).map(Self::Pledge),
            Some(("reach", name)) => heap(name).map(Self::Reach),
            Some(("roll", stones)) => {
                let is_digit = stones.len() == 1;
                let stones = stones.parse().ok().filter(|stones| is_digit && (1..=DIE).contains(stones));
                stones.map(Self::Roll)
            }
            _ => None,
        };
        read.ok_or_else(|| {
            "an action is pledge:h2 or reach:h2 (h1 to h5 are the heaps), roll:1 to roll:6, or deal:h2.h1".into()
        })
    }
}

fn deal(named: impl Iterator<Item = Option<usize>>) -> Option<Action> {
    let mut heaps = [None; 4];
    for (seat, heap) in named.enumerate() {
        *heaps.get_mut(seat)? = Some(heap?);
    }
    Some(Action::Deal(heaps))
}
