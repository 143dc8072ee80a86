//! Report files that are imported as tournaments.

use std::sync::Arc;

use async_graphql::{Enum, ID, InputObject, MaybeUndefined, Object, SimpleObject};
use plybook_models::Player as KnownPlayer;
use plybook_service::error::Problem;
use plybook_service::{NewReport, ReadReport};
use plybook_tournaments::files::{ImportedEntrant, LeftOut};

use super::settings::TournamentFormat;
use crate::input::read_id;
use crate::player::Player;
use crate::scalar::DateTime;

/// A report file to import as a tournament.
#[derive(InputObject)]
pub struct ImportTournament {
    /// The text of the file, TRF16 or TRF26.
    file: String,
    /// The kind of game.
    kind: String,
    /// The name of the tournament; by default the file's.
    name: Option<String>,
    /// The time zone of the days in the file, as the IANA database names it; by default UTC.
    time_zone: Option<String>,
    /// Whether its games are rated (default: yes).
    rated: Option<bool>,
    /// Who the entrants are. An entrant who is not named is the only player of that name, or a new one if there is none.
    players: Option<Vec<ReportPlayerInput>>,
}

/// Who an entrant of a report file is.
#[derive(InputObject)]
pub struct ReportPlayerInput {
    /// The number in the file.
    number: u16,
    /// The player; null for a new one.
    player: MaybeUndefined<ID>,
}

/// What of a report file is not taken over.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
#[graphql(remote = "LeftOut")]
pub enum ReportLeftOut {
    /// Dates of birth: what a tournament's log contains can never be erased.
    Births,
    /// That games lasted less than a move, and are not rated.
    Unrated,
    /// Virtual points that are not those of Baku acceleration.
    Acceleration,
    /// Who may not meet in some of the rounds only.
    Forbidden,
    /// Tie-breaks that are not known, or do not suit the format.
    TieBreaks,
    /// Records that are too long, or too many.
    Records,
    /// How it was paired: the format needs more to be paired on than the file has.
    Format,
}

/// What a report file would become.
pub struct ReportPreview(pub ReadReport);

/// An entrant of a report file.
#[derive(SimpleObject)]
pub struct ReportEntrant {
    /// The number in the file.
    number: u16,
    /// The name.
    name: String,
    /// The seed rating.
    rating: Option<u16>,
    /// The country: two capital letters.
    country: Option<String>,
    /// The players who are called so, up to 8.
    players: Vec<Player>,
}

impl ImportTournament {
    /// Calls `import` with the report that the input describes.
    ///
    /// # Errors
    /// An id is malformed, or as `import`.
    pub fn read<T>(self, import: impl FnOnce(&NewReport<'_>) -> Result<T, Problem>) -> Result<T, Problem> {
        let player = |player: &ReportPlayerInput| match &player.player {
            MaybeUndefined::Value(id) => Ok((player.number, Some(read_id(id)?))),
            MaybeUndefined::Null | MaybeUndefined::Undefined => Ok((player.number, None)),
        };
        import(&NewReport {
            file: self.file.as_bytes(),
            kind: self.kind,
            name: self.name,
            time_zone: self.time_zone.filter(|zone| !zone.is_empty()),
            is_unrated: !self.rated.unwrap_or(true),
            players: self.players.iter().flatten().map(player).collect::<Result<_, Problem>>()?,
        })
    }

    /// What the import costs, by the length of the file: each table is some forty characters, and becomes a game.
    pub fn price(&self) -> usize {
        self.file.len() / 2
    }
}

/// What a report file would become.
#[Object]
impl ReportPreview {
    /// The name of the tournament; empty if the file has none.
    async fn name(&self) -> &str {
        &self.0.report.settings.name
    }

    /// How it is paired on.
    async fn format(&self) -> TournamentFormat {
        let word = self.0.report.settings.format.get("format").and_then(serde_json::Value::as_str);
        TournamentFormat::of(word.unwrap_or_default())
    }

    /// When it started.
    async fn starts_at(&self) -> Option<DateTime> {
        self.0.report.settings.starts_at.map(DateTime)
    }

    /// How many rounds were paired.
    async fn rounds(&self) -> usize {
        self.0.report.rounds()
    }

    /// How many tables there were in all rounds.
    async fn tables(&self) -> usize {
        self.0.report.tables()
    }

    /// How many of them were forfeited.
    async fn forfeits(&self) -> usize {
        self.0.report.forfeits()
    }

    /// How many of them have no result yet.
    async fn open(&self) -> usize {
        self.0.report.open()
    }

    /// How many byes gave something.
    async fn byes(&self) -> usize {
        self.0.report.byes()
    }

    /// What of the file is not taken over.
    async fn left_out(&self) -> Vec<ReportLeftOut> {
        self.0.report.left_out.iter().map(|left| (*left).into()).collect()
    }

    /// The entrants, in the order of their numbers.
    #[graphql(complexity = "LINES * child_complexity.max(1)")]
    async fn entrants(&self) -> Vec<ReportEntrant> {
        let entrants = self.0.report.entrants.iter().zip(&self.0.called);
        (1..).zip(entrants).map(|(number, (entrant, called))| entrant_of(number, entrant, called)).collect()
    }
}

/// The number of entrants that the price assumes, as that of a list of players does.
const LINES: usize = 200;

fn entrant_of(number: u16, entrant: &ImportedEntrant, called: &[Arc<KnownPlayer>]) -> ReportEntrant {
    let details = &entrant.details;
    ReportEntrant {
        number,
        name: details.name.clone(),
        rating: details.rating,
        country: details.country.clone(),
        players: called.iter().cloned().map(Player).collect(),
    }
}
