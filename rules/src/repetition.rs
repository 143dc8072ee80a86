//! The option `repetition`, which every kind has: a position that comes up for the n-th time ends the game as a draw.
//!
//! Positions are compared by their complete JSON, which also says who is to act. What a game counts that never comes
//! back, such as rounds, therefore makes its positions differ.

use plybook_events::Hash;
use serde_json::{Map, Value, json};

use crate::SetupError;
use crate::setup::whole;

/// The member of a setup.
pub const REPETITION: &str = "repetition";

/// The reason in the outcome of a game that ends so.
pub(crate) const REASON: &str = "repetition";

/// How often a position may have to come up.
const TIMES: std::ops::RangeInclusive<u8> = 2..=10;

/// A setup without the option, and the option.
///
/// # Errors
/// It is no number of times.
pub(crate) fn split(setup: &Value) -> Result<(Value, Option<u8>), SetupError> {
    let mut rest = setup.clone();
    let Some(times) = rest.as_object_mut().and_then(|members| members.remove(REPETITION)) else {
        return Ok((rest, None));
    };
    let times = whole(&times, TIMES).map_err(|why| SetupError(format!("`{REPETITION}` is {why}")))?;
    Ok((rest, Some(times)))
}

/// A setup with the option.
pub(crate) fn join(mut setup: Value, times: Option<u8>) -> Value {
    if let (Some(members), Some(times)) = (setup.as_object_mut(), times) {
        members.insert(REPETITION.to_owned(), times.into());
    }
    setup
}

/// The schema of setups with the option, in every form that they may have.
pub(crate) fn describe(mut schema: Value) -> Value {
    let add = |form: &mut Value| {
        let Some(members) = form.as_object_mut() else { return };
        let properties = members.entry("properties").or_insert_with(|| Map::new().into());
        properties[REPETITION] = json!({
            "description": "The same position for this many times ends the game as a draw. Without it, games may repeat themselves for ever.",
            "type": "integer",
            "minimum": TIMES.start(),
            "maximum": TIMES.end(),
        });
    };
    match schema.get_mut("oneOf").and_then(Value::as_array_mut) {
        Some(forms) => forms.iter_mut().for_each(add),
        None => add(&mut schema),
    }
    schema
}

/// The positions of a game so far, in sorted runs: two runs of equal length are merged, so that there are few of them. Clones
/// share the runs.
#[derive(Clone)]
pub(crate) struct Past {
    times: u8,
    runs: Vec<std::sync::Arc<[u128]>>,
    /// Whether the last position came up often enough.
    pub(crate) is_over: bool,
}

impl Past {
    /// Before any position.
    pub(crate) fn new(times: u8) -> Self {
        Self { times, runs: Vec::new(), is_over: false }
    }

    /// Adds the next position, by its key.
    pub(crate) fn add(&mut self, key: Hash) {
        // Half of a SHA-256 is enough to tell positions apart.
        let key = u128::from_be_bytes(*key.0.first_chunk().expect("a hash has 32 bytes"));
        let mut run: std::sync::Arc<[u128]> = [key].into();
        while let Some(last) = self.runs.pop_if(|last| last.len() == run.len()) {
            let mut merged = [&*last, &*run].concat();
            merged.sort_unstable();
            run = merged.into();
        }
        self.runs.push(run);
        let count =
            |run: &[u128]| run.partition_point(|other| *other <= key) - run.partition_point(|other| *other < key);
        let seen: usize = self.runs.iter().map(|run| count(run)).sum();
        self.is_over = seen >= usize::from(self.times);
    }
}
