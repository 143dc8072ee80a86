//! The digests of a kind, and what the version of all of them depends on.

use plybook_events::Hash;
use plybook_rules::kinds;
use serde::{Deserialize, Serialize};

use super::figures::FigureColumns;
use super::position_index::PositionIndex;

/// The digests of the games of one kind, by their numbers in [`Rows`](crate::catalogue::Rows).
#[derive(Default, Serialize, Deserialize)]
pub struct KindDigests {
    /// What was played from each position.
    pub positions: PositionIndex,
    /// What was counted.
    pub figures: FigureColumns,
}

/// A hash of what the kinds measure and name, which is part of the version of the snapshot: where it is another, that is made again
/// from the journal, so a new measure covers everything recorded.
pub(super) fn measured() -> String {
    let mut measured = Vec::new();
    for rules in kinds() {
        let facts = rules.facts().into_iter().map(|fact| fact.label).collect();
        let names = [rules.measures(), rules.heat(), rules.luck(), facts].concat();
        let names: Vec<&str> = names.iter().map(|label| label.name).chain(rules.places().iter().copied()).collect();
        measured.push(format!("{} {}: {}", rules.about().kind, rules.about().version, names.join(" ")));
    }
    let mut hash = Hash::of_parts(&[measured.join("\n").as_bytes()]).to_string();
    hash.truncate(16);
    hash
}
