//! Games that can be played here.

use async_graphql::Object;
use plybook_rules::Rules;
use serde_json::Value;

/// A game that can be played here, and its rules.
pub struct RuleSet(pub &'static dyn Rules);

/// A game that can be played here, and its rules.
#[Object]
impl RuleSet {
    /// Its id in the API and in records.
    async fn kind(&self) -> &str {
        self.0.about().kind
    }

    /// The version of the rules; a game is replayed under its own version for ever.
    async fn version(&self) -> &str {
        self.0.about().version
    }

    /// Its name for people.
    async fn title(&self) -> &str {
        self.0.about().title
    }

    /// Who designed it, and when.
    async fn designer(&self) -> &str {
        self.0.about().designer
    }

    /// The published rules.
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

    /// Whether several seats can be to act at once.
    async fn simultaneous(&self) -> bool {
        self.0.about().simultaneous
    }

    /// Whether dice are rolled.
    async fn chance(&self) -> bool {
        self.0.about().chance
    }

    /// Whether seats know what others do not.
    async fn secrets(&self) -> bool {
        self.0.about().secrets
    }

    /// JSON Schema of the setup object, with defaults.
    #[graphql(name = "setupSchema")]
    async fn setup_schema(&self) -> Value {
        self.0.setup_schema()
    }

    /// Markdown: the rules as implemented, with the numbered rulings.
    async fn document(&self) -> &str {
        self.0.about().document
    }
}
