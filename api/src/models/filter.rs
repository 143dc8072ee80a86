//! The filter over games, shared by lists, the explorer, statistics and exports.

use std::collections::HashSet;
use std::sync::Arc;

use plybook_events::{Decider, LogId, SEATS_MAX, Timestamp};
use plybook_rules::log::Status;
use serde_json::Value;

use super::known::{Row, Rows, Summary};
use super::results::GameResult;
use crate::error::Problem;

/// The most tags of a filter.
const TAGS_MAX: usize = 20;

/// The conditions that a game has to meet, all of them together. A missing condition accepts every game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    /// The game that is played.
    pub kind: Option<String>,
    /// `true` for lines of analysis, `false` for recorded games.
    pub is_analysis: Option<bool>,
    /// `true` for games of which events were imported, `false` for the others.
    pub is_imported: Option<bool>,
    /// Who asks; lines hidden from them are left out.
    pub audience: Option<Audience>,
    /// Its status.
    pub status: Option<Status>,
    /// Whether void games are left out.
    pub without_void: bool,
    /// The tournament it belongs to.
    pub tournament: Option<LogId>,
    /// Players who must all take part.
    pub players: Vec<LogId>,
    /// The seat of the first of these players.
    pub seat: Option<u8>,
    /// A player who won it; nobody wins a void game.
    pub winner: Option<LogId>,
    /// The reason of the outcome.
    pub reason: Option<String>,
    /// The earliest time at which it was played.
    pub since: Option<Timestamp>,
    /// The time before which it was played.
    pub until: Option<Timestamp>,
    /// The fewest actions on the mainline.
    pub ply_min: Option<u32>,
    /// The most actions on the mainline.
    pub ply_max: Option<u32>,
    /// The lowest mean rating of its players before the game; accepts rated games only.
    pub rating_min: Option<f64>,
    /// The highest mean rating of its players before the game; accepts rated games only.
    pub rating_max: Option<f64>,
    /// An object whose members must be in the setup, with exactly these values.
    pub setup: Option<Value>,
    /// Tags that it must all have: a name, or `name=value`.
    pub tags: Vec<String>,
    /// A seat that won it, alone or with others.
    pub winning_seat: Option<u8>,
    /// Who or what decided its outcome.
    pub decided_by: Option<Decider>,
    /// The round of the tournament.
    pub round: Option<u32>,
    /// The games that it must be one of.
    pub among: Option<Arc<HashSet<LogId>>>,
}

/// Which hidden lines somebody may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// None.
    Everybody,
    /// Those owned by this player.
    Owner(LogId),
    /// All.
    Recorder,
}

impl Audience {
    /// Whether they may see a game or line.
    pub fn sees(self, game: &Summary) -> bool {
        match self {
            Self::Everybody => !game.standing.is_hidden,
            Self::Owner(player) => !game.standing.is_hidden || game.owner == Some(player),
            Self::Recorder => true,
        }
    }
}

impl Filter {
    /// Checks a filter from a client: it must be able to match some game.
    ///
    /// # Errors
    /// The kind is unknown, or no game can have this seat, number of players, setup or tag.
    pub fn checked(self) -> Result<Self, Problem> {
        let refuse = |why: String| Err(Problem::BadInput(why));
        if let Some(kind) = &self.kind
            && plybook_rules::kind(kind).is_none()
        {
            return Err(Problem::no_kind(kind));
        }
        if [self.seat, self.winning_seat].into_iter().flatten().any(|seat| !(1..=SEATS_MAX).contains(&seat)) {
            return refuse(format!("seats are numbered from 1 to {SEATS_MAX}"));
        }
        if self.seat.is_some() && self.players.is_empty() {
            return refuse(
                "`seat` is the seat of `player`: name the player too, or ask for a `winningSeat`".to_owned(),
            );
        }
        if self.round == Some(0) {
            return refuse("`round` is counted from 1".to_owned());
        }
        if self.tags.len() > TAGS_MAX {
            return refuse(format!("at most {TAGS_MAX} tags are asked for"));
        }
        if self.players.len() > usize::from(SEATS_MAX) {
            return refuse(format!("at most {SEATS_MAX} players sit in a game"));
        }
        if self.setup.as_ref().is_some_and(|setup| !setup.is_object()) {
            return refuse("`setup` is an object of members that the game's setup has".to_owned());
        }
        if self.tags.iter().any(|tag| tag.is_empty() || tag.starts_with('=')) {
            return refuse("a tag is asked for by its name, or as `name=value`".to_owned());
        }
        Ok(self)
    }

    /// The filter for a list of games: recorded games unless it says otherwise, and only lines that the
    /// audience may see.
    #[must_use]
    pub fn listed_for(mut self, audience: Audience) -> Self {
        if *self.is_analysis.get_or_insert(false) {
            self.audience = Some(audience);
        }
        self
    }

    /// The filter for a feed: like that of a list, but it asks only for what never changes about a game. Otherwise a
    /// game would enter and leave the feed while it is read, and its events would be lost.
    ///
    /// # Errors
    /// The filter asks for something that changes.
    pub fn followed_by(self, audience: Audience) -> Result<Self, Problem> {
        #[rustfmt::skip]
        let Self {
            kind: _, is_analysis: _, audience: _, tournament: _, round: _, players: _, seat: _, since: _, until: _,
            setup: _, tags: _,
            status, is_imported, without_void: _, winner, reason, ply_min, ply_max, rating_min, rating_max, winning_seat,
            decided_by, among,
        } = &self;
        let changing = [
            ("status", status.is_some()),
            ("imported", is_imported.is_some()),
            ("winner", winner.is_some()),
            ("winningSeat", winning_seat.is_some()),
            ("reason", reason.is_some()),
            ("decidedBy", decided_by.is_some()),
            ("minPly", ply_min.is_some()),
            ("maxPly", ply_max.is_some()),
            ("minRating", rating_min.is_some()),
            ("maxRating", rating_max.is_some()),
            ("position", among.is_some()),
        ];
        match changing.iter().find(|(_, is_asked)| *is_asked) {
            None => Ok(self.listed_for(audience)),
            Some((name, _)) => Err(Problem::BadInput(format!(
                "`{name}` changes while a game is played, so events cannot be followed by it: leave it out, and look \
                 at the games or at the events"
            ))),
        }
    }

    /// The filter for the explorer and for statistics: recorded games of one kind, and void ones only if it
    /// asks for them.
    ///
    /// # Errors
    /// The filter asks for another kind, or for lines.
    pub fn counted(mut self, kind: &str) -> Result<Self, Problem> {
        if self.kind.get_or_insert_with(|| kind.to_owned()) != kind {
            return Err(Problem::BadInput(format!(
                "the filter asks for another kind than {kind}: leave its `kind` out"
            )));
        }
        if *self.is_analysis.get_or_insert(false) {
            return Err(Problem::BadInput("recorded games are counted, not lines: leave `origin` out".to_owned()));
        }
        self.without_void = self.status != Some(Status::Void);
        Ok(self)
    }

    /// Whether its result depends on ratings, which must be up to date: see
    /// [`Ratings::wait`](super::Ratings).
    pub fn asks_for_ratings(&self) -> bool {
        self.rating_min.is_some() || self.rating_max.is_some()
    }

    fn is_rated(&self, rating: f64) -> bool {
        self.rating_min.is_none_or(|least| rating >= least) && self.rating_max.is_none_or(|most| rating <= most)
    }

    /// Whether it has any condition besides the kind, game or line, and void or not.
    pub fn is_narrow(&self) -> bool {
        let Self { kind, is_analysis, without_void, .. } = self;
        let wide =
            Self { kind: kind.clone(), is_analysis: *is_analysis, without_void: *without_void, ..Self::default() };
        *self != wide
    }

    /// A player who sits in every game it accepts.
    pub(super) fn sitter(&self) -> Option<LogId> {
        self.players.first().copied().or(self.winner)
    }

    /// The predicate over these rows and summaries.
    pub(super) fn predicate(&self, rows: &Rows) -> Predicate<'_> {
        Predicate {
            filter: self,
            kind: self.kind.as_ref().map(|kind| rows.kind_number(kind)),
            tournament: self.tournament.map(|id| rows.tournament_number(id)),
            reason: self.reason.as_ref().map(|reason| rows.reason_number(reason)),
            needs_summary: !self.players.is_empty()
                || self.seat.is_some()
                || self.winner.is_some()
                || self.setup.is_some()
                || !self.tags.is_empty()
                || self.decided_by.is_some()
                || self.round.is_some()
                || (self.audience.is_some() && self.is_analysis != Some(false)),
        }
    }
}

/// Decides which games a filter accepts. Rows answer most conditions; summaries are read only for the others.
pub(super) struct Predicate<'a> {
    filter: &'a Filter,
    /// The numbers that rows use for the kind, the tournament and the reason.
    kind: Option<u16>,
    tournament: Option<u32>,
    reason: Option<u32>,
    needs_summary: bool,
}

impl Predicate<'_> {
    /// Whether the filter accepts a game.
    pub fn accepts<'s>(&self, row: &Row, summary: impl FnOnce() -> &'s Summary) -> bool {
        self.accepts_row(row) && (!self.needs_summary || self.accepts_summary(summary()))
    }

    fn accepts_row(&self, row: &Row) -> bool {
        let filter = self.filter;
        self.kind.is_none_or(|kind| kind == row.kind)
            && filter.is_analysis.is_none_or(|analysis| analysis == row.is_line())
            && filter.status.is_none_or(|status| status == row.status)
            && filter.is_imported.is_none_or(|imported| imported == row.is_imported())
            && (!filter.without_void || row.status != Status::Void)
            && filter.since.is_none_or(|since| row.played_ms >= since.as_millis())
            && filter.until.is_none_or(|until| row.played_ms < until.as_millis())
            && filter.ply_min.is_none_or(|fewest| row.ply >= fewest)
            && filter.ply_max.is_none_or(|most| row.ply <= most)
            && (!filter.asks_for_ratings() || row.rating().is_some_and(|rating| filter.is_rated(rating.into())))
            && filter
                .winning_seat
                .is_none_or(|seat| matches!(row.result, GameResult::Won(seats) if seats & 1 << (seat - 1) != 0))
            && filter.among.as_ref().is_none_or(|games| games.contains(&row.id))
            && self.tournament.is_none_or(|tournament| tournament == row.tournament)
            && self.reason.is_none_or(|reason| reason == row.reason)
    }

    fn accepts_summary(&self, game: &Summary) -> bool {
        let filter = self.filter;
        let sits = |player: &LogId| game.players.contains(&Some(*player));
        filter.audience.is_none_or(|audience| audience.sees(game))
            && filter.players.iter().all(sits)
            && filter.seat.is_none_or(|seat| is_in_seat(game, seat, filter.players.first()))
            && filter.winner.is_none_or(|winner| game.is_won_by(winner))
            && filter.setup.as_ref().is_none_or(|setup| has_setup(game, setup))
            && filter.tags.iter().all(|tag| has_tag(game, tag))
            && filter.round.is_none_or(|round| game.round == Some(round))
            && filter.decided_by.is_none_or(|by| game.standing.end.as_ref().is_some_and(|end| end.decided_by == by))
    }
}

/// Whether the player sits in this seat of a game.
fn is_in_seat(game: &Summary, seat: u8, player: Option<&LogId>) -> bool {
    let sitter = usize::from(seat).checked_sub(1).and_then(|index| game.players.get(index));
    sitter.is_some_and(|sitter| player.is_none_or(|player| *sitter == Some(*player)))
}

fn has_setup(game: &Summary, asked: &Value) -> bool {
    match asked.as_object() {
        Some(members) => members.iter().all(|(key, value)| game.setup.get(key) == Some(value)),
        None => *asked == game.setup,
    }
}

fn has_tag(game: &Summary, asked: &str) -> bool {
    match asked.split_once('=') {
        None => game.tags.contains_key(asked),
        Some((name, wanted)) => match game.tags.get(name) {
            Some(Value::String(text)) => text == wanted,
            Some(other) => format!("{other}") == wanted,
            None => false,
        },
    }
}
