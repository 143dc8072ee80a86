//! The games that can be played.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_graphql::Object;
use plybook_rules::fact::common_facts;
use plybook_rules::{AnyPosition, Rules, Viewer};
use serde_json::Value;

use super::position::Position;
use super::price;
use super::search::Fact;

/// How long an example has been played: pieces have met, and most are still there.
const EXAMPLE_PLIES: usize = 26;

/// A game that can be played, and its rules.
pub struct RuleSet(pub &'static dyn Rules);

impl RuleSet {
    /// The rules of a kind in this version, or in whatever version there is.
    pub fn of(kind: &str, version: Option<&str>) -> Option<Self> {
        let rules = plybook_rules::kind(kind)?;
        version.is_none_or(|version| version == rules.about().version).then_some(Self(rules))
    }
}

/// A game that can be played, and its rules.
#[Object]
impl RuleSet {
    /// Its id in the API and in records.
    async fn kind(&self) -> &str {
        self.0.about().kind
    }

    /// The version of the rules. A game is always replayed under the version that it was recorded with.
    async fn version(&self) -> &str {
        self.0.about().version
    }

    /// Its name for people.
    async fn title(&self) -> &str {
        self.0.about().title
    }

    /// What it is about and how it is won, in two sentences, for people who have never seen it.
    async fn summary(&self) -> &str {
        self.0.about().summary
    }

    /// Who designed it, and when.
    async fn designer(&self) -> &str {
        self.0.about().designer
    }

    /// Where the rules are published.
    async fn source(&self) -> &str {
        self.0.about().source
    }

    /// The fewest seats.
    async fn min_seats(&self) -> u8 {
        self.0.about().seats_min
    }

    /// The most seats.
    async fn max_seats(&self) -> u8 {
        self.0.about().seats_max
    }

    /// Whether several seats may act at the same time.
    async fn simultaneous(&self) -> bool {
        self.0.about().simultaneous
    }

    /// Whether dice are rolled.
    async fn chance(&self) -> bool {
        self.0.about().chance
    }

    /// Whether some seats know things that others do not.
    async fn secrets(&self) -> bool {
        self.0.about().secrets
    }

    /// How the actions of seats begin that are sealed when they are recorded, each as a prefix of the notation; an empty
    /// one means every action of a seat. In a game that is recorded openly, nothing is sealed.
    async fn sealed(&self) -> Vec<&str> {
        self.0.secrets().iter().map(|secret| secret.prefix).collect()
    }

    /// The JSON Schema of the setup object, with defaults.
    #[graphql(name = "setupSchema", complexity = "price::TEXT")]
    async fn setup_schema(&self) -> Value {
        self.0.setup_schema()
    }

    /// What it looks like: a position after some plies of sensible play, always the same.
    #[graphql(complexity = "price::AT_PLY + child_complexity")]
    async fn example(&self) -> Position {
        let inner = example(self.0);
        Position { ply: EXAMPLE_PLIES, inner, last: None, viewer: Viewer::All, is_running: true, outcome: None }
    }

    /// What positions can be searched for: the facts that all games have, then those of this one; docs/search.md.
    #[graphql(complexity = "20 * child_complexity.max(1)")]
    async fn facts(&self) -> Vec<Fact> {
        [common_facts(), self.0.facts()].concat().into_iter().map(Fact).collect()
    }

    /// The rules as implemented, with numbered rulings, in Markdown.
    #[graphql(complexity = "price::TEXT")]
    async fn document(&self) -> &str {
        self.0.about().document
    }
}

/// Some plies of sensible play. A kind is played once: sensible play takes long.
fn example(rules: &'static dyn Rules) -> Arc<dyn AnyPosition> {
    static KNOWN: Mutex<BTreeMap<&str, Arc<dyn AnyPosition>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().expect("nothing panics while an example is played");
    let example = known.entry(rules.about().kind).or_insert_with(|| {
        let mut draw = drawn();
        let setup = rules.complete(&serde_json::json!({}), &mut draw).expect("a setup may be left out");
        let mut position = rules.start(&setup).expect("it is complete");
        for _ in 0..EXAMPLE_PLIES {
            let Some(actor) = position.to_act().iter().next() else { break };
            let action = position.choose(actor, &mut draw);
            position.act(actor, &action).expect("it was chosen among legal actions");
        }
        Arc::from(position)
    });
    Arc::clone(example)
}

/// Numbers for examples, always the same: a linear congruential generator.
pub(super) fn drawn() -> impl FnMut(u32) -> u32 {
    let mut state = 1_u64;
    move |below| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % u64::from(below)) as u32
    }
}
