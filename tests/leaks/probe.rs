//! Probes: the actions whose refusal could reveal most.

use std::collections::BTreeSet;

use plybook_events::Actor;
use plybook_tests_rules::numbers::Numbers;

use crate::side::Side;

/// The number of actions combined from two others.
const MIXED: usize = 60;

/// Actions of one actor, as both sides judge them.
#[derive(Default)]
pub(crate) struct Probes {
    /// Illegal on both sides, beginning with those that are illegal for different reasons.
    pub(crate) illegal: Vec<String>,
    /// Legal on only one side.
    pub(crate) legal_once: Vec<String>,
}

impl Probes {
    /// All actions that the actor could do at some time on either side, did, or that combine two such
    /// actions.
    pub(crate) fn of(sides: &[Side; 2], actor: Actor, numbers: &mut Numbers) -> Self {
        let replays = sides.each_ref().map(Side::replay);
        let mut known = BTreeSet::new();
        for replay in &replays {
            for ply in 0..=replay.mainline().len() {
                let position = replay.position_at(ply).expect("it is a ply");
                known.extend(position.legal(actor).unwrap_or_default());
            }
            known.extend(replay.mainline().iter().map(|done| done.action.to_string()));
        }
        let known: Vec<String> = known.into_iter().collect();
        // One of each sort comes first: there are many steps, but few favours to use.
        let sorts: BTreeSet<&str> = known.iter().filter_map(|action| Some(action.split_once(':')?.0)).collect();
        let mut tried: BTreeSet<String> = numbers.shuffled(known.iter().cloned()).into_iter().take(MIXED).collect();
        for sort in sorts {
            let of_sort: Vec<&String> = known.iter().filter(|action| action.starts_with(sort)).collect();
            tried.insert((*numbers.one(&of_sort)).clone());
        }
        for action in tried.clone() {
            tried.insert(mixed(&action, numbers.one::<String>(&known)));
        }
        let mut probes = Self::default();
        let mut alike = Vec::new();
        for action in tried {
            match replays.each_ref().map(|replay| replay.position().judge(actor, &action)) {
                [Err(one), Err(other)] if one == other => alike.push(action),
                [Err(_), Err(_)] => probes.illegal.push(action),
                [Ok(_), Ok(_)] => {}
                _ => probes.legal_once.push(action),
            }
        }
        probes.illegal.extend(numbers.shuffled(alike));
        probes
    }
}

/// An action with the last two characters of another one.
fn mixed(one: &str, other: &str) -> String {
    let (Some((start, _)), Some((from, _))) = (one.char_indices().nth_back(1), other.char_indices().nth_back(1)) else {
        return format!("{one}{other}");
    };
    format!("{}{}", &one[..start], &other[from..])
}
