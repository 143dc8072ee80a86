//! Terms: what the bitmap indexes of the catalogue are about. A game has a term or not; a filter asks for terms.

use plybook_events::{Decider, Hash, LogId, SEATS_MAX};
use plybook_rules::log::Status;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::summary::Summary;
use crate::results::GameResult;

/// Something that games may have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Term {
    /// It is a line of analysis.
    Line,
    /// It is a line that lists leave out.
    Hidden,
    /// It is a line that this player owns.
    Owner(LogId),
    /// Events of it were imported.
    Imported,
    /// Its status.
    Status(Status),
    /// It belongs to a tournament.
    OfTournament,
    /// The tournament it belongs to.
    Tournament(LogId),
    /// The round of the tournament.
    Round(u32),
    /// The reason of its outcome.
    Reason(Text),
    /// Who or what decided its outcome.
    DecidedBy(Decider),
    /// The player in a seat.
    Seat(LogId, u8),
    /// A seat that won, unless the game is void.
    Winner(u8),
    /// It is counted as won by this seat.
    Won(u8),
    /// It is counted as a draw.
    Drawn,
    /// It is counted as neither.
    Open,
    /// It is void, and nobody has acted.
    Unplayed,
    /// Nothing of it is recorded but its result.
    Unrecorded,
    /// The name of a tag.
    Tag(Text),
    /// A tag, as `name=value`.
    TagValue(Text),
    /// A member of its setup.
    Setup(Text),
}

/// A text of any length: the first half of its SHA-256.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Text([u8; 16]);

impl Text {
    fn of(parts: &[&str]) -> Self {
        let parts: Vec<&[u8]> = parts.iter().map(|part| part.as_bytes()).collect();
        Self(*Hash::of_parts(&parts).0.first_chunk().expect("a hash has 32 bytes"))
    }
}

impl Term {
    /// The term for the reason of an outcome.
    pub fn reason(reason: &str) -> Self {
        Self::Reason(Text::of(&[reason]))
    }

    /// The term for a tag as filters name it: a name, or `name=value`.
    pub fn tag(asked: &str) -> Self {
        let text = Text::of(&[asked]);
        if asked.contains('=') { Self::TagValue(text) } else { Self::Tag(text) }
    }

    /// The terms of a game with this result.
    pub(super) fn of_result(result: GameResult) -> Vec<Self> {
        match result {
            GameResult::Open => vec![Self::Open],
            GameResult::Drawn => vec![Self::Drawn],
            won @ GameResult::Won(_) => won.seats().map(Self::Won).collect(),
        }
    }

    /// The term for a member of a setup.
    pub fn setup(name: &str, value: &Value) -> Self {
        Self::Setup(Text::of(&[&Value::from(name).to_string(), ":", &value.to_string()]))
    }
}

impl Summary {
    /// The terms that a game has from its beginning to its end.
    pub(super) fn lasting_terms(&self) -> Vec<Term> {
        let mut terms: Vec<Term> = Vec::new();
        if self.fork.is_some() {
            terms.push(Term::Line);
        }
        terms.extend(self.owner.map(Term::Owner));
        if let Some(tournament) = self.tournament {
            terms.extend([Term::OfTournament, Term::Tournament(tournament)]);
        }
        terms.extend(self.round.map(Term::Round));
        // A filter takes what comes before the first `=` for the name.
        for (name, value) in self.tags.iter().filter(|(name, _)| !name.contains('=')) {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            terms.extend([Term::tag(name), Term::TagValue(Text::of(&[name, "=", &value]))]);
        }
        terms.extend(self.setup.as_object().into_iter().flatten().map(|(name, value)| Term::setup(name, value)));
        terms
    }

    /// The terms that events may give to a game or take from it.
    pub(super) fn changing_terms(&self) -> Vec<Term> {
        let mut terms = vec![Term::Status(self.standing.status())];
        if self.is_hidden() {
            terms.push(Term::Hidden);
        }
        if self.is_imported {
            terms.push(Term::Imported);
        }
        let standing = &self.standing;
        let kinds = [(Term::Unplayed, standing.is_unplayed()), (Term::Unrecorded, standing.is_unrecorded())];
        terms.extend(kinds.into_iter().filter(|(_, is_so)| *is_so).map(|(term, _)| term));
        let seated = (1..=SEATS_MAX).zip(&self.players).filter_map(|(seat, player)| Some(Term::Seat((*player)?, seat)));
        terms.extend(seated);
        if let Some(end) = &self.standing.end {
            terms.extend([Term::reason(&end.outcome.reason), Term::DecidedBy(end.decided_by)]);
        }
        terms
            .extend(self.counted_outcome().into_iter().flat_map(|outcome| &outcome.winners).copied().map(Term::Winner));
        terms.extend(Term::of_result(self.result()));
        terms
    }
}
