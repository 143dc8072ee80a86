//! What games are found by. A game has a term or not; a filter asks for terms.

use plybook_events::{Decider, Hash, LogId, SEATS_MAX};
use plybook_rules::log::Status;
use serde_json::Value;

use super::rows::STATUSES;
use super::summary::Summary;
use crate::results::GameResult;

/// Something that games may have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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

    /// The term for a member of a setup.
    pub fn setup(name: &str, value: &Value) -> Self {
        Self::Setup(Text::of(&[&Value::from(name).to_string(), ":", &value.to_string()]))
    }
}

/// The bytes of a term: what it is, sixteen of its contents, and one more for a seat.
pub(super) type TermBytes = [u8; 18];

/// All who decide, by their numbers.
const DECIDERS: [Decider; 6] =
    [Decider::Rules, Decider::Resignation, Decider::Agreement, Decider::Time, Decider::Arbiter, Decider::Abandonment];

impl Term {
    /// Its bytes in a table.
    pub(super) fn to_bytes(self) -> TermBytes {
        let number = |number: u32| u128::from(number).to_be_bytes();
        let (what, contents, seat) = match self {
            Self::Line => (0, [0; 16], 0),
            Self::Hidden => (1, [0; 16], 0),
            Self::Owner(player) => (2, player.to_bytes(), 0),
            Self::Imported => (3, [0; 16], 0),
            Self::Status(status) => (4, number(status as u32), 0),
            Self::Tournament(id) => (5, id.to_bytes(), 0),
            Self::Round(round) => (6, number(round), 0),
            Self::Reason(Text(text)) => (7, text, 0),
            Self::DecidedBy(decider) => (8, number(decider as u32), 0),
            Self::Seat(player, seat) => (9, player.to_bytes(), seat),
            Self::Winner(seat) => (10, [0; 16], seat),
            Self::Tag(Text(text)) => (11, text, 0),
            Self::TagValue(Text(text)) => (12, text, 0),
            Self::Setup(Text(text)) => (13, text, 0),
            Self::OfTournament => (14, [0; 16], 0),
            Self::Won(seat) => (15, [0; 16], seat),
            Self::Drawn => (16, [0; 16], 0),
            Self::Open => (17, [0; 16], 0),
            Self::Unplayed => (18, [0; 16], 0),
            Self::Unrecorded => (19, [0; 16], 0),
        };
        let mut bytes = [0; 18];
        (bytes[0], bytes[17]) = (what, seat);
        bytes[1..17].copy_from_slice(&contents);
        bytes
    }

    /// The term with these bytes; `None` if there is none.
    pub(super) fn from_bytes(bytes: TermBytes) -> Option<Self> {
        let [what, .., seat] = bytes;
        let contents: [u8; 16] = *bytes[1..].first_chunk()?;
        let number = u32::try_from(u128::from_be_bytes(contents)).ok();
        let (id, text) = (LogId::from_bytes(contents), Text(contents));
        Some(match what {
            0 => Self::Line,
            1 => Self::Hidden,
            2 => Self::Owner(id),
            3 => Self::Imported,
            4 => Self::Status(*STATUSES.get(number? as usize)?),
            5 => Self::Tournament(id),
            6 => Self::Round(number?),
            7 => Self::Reason(text),
            8 => Self::DecidedBy(*DECIDERS.get(number? as usize)?),
            9 => Self::Seat(id, seat),
            10 => Self::Winner(seat),
            11 => Self::Tag(text),
            12 => Self::TagValue(text),
            13 => Self::Setup(text),
            14 => Self::OfTournament,
            15 => Self::Won(seat),
            16 => Self::Drawn,
            17 => Self::Open,
            18 => Self::Unplayed,
            19 => Self::Unrecorded,
            _ => return None,
        })
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
        match self.result() {
            GameResult::Open => terms.push(Term::Open),
            GameResult::Drawn => terms.push(Term::Drawn),
            won @ GameResult::Won(_) => terms.extend(won.seats().map(Term::Won)),
        }
        terms
    }
}
