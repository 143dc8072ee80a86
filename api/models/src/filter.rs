//! The filter over games, shared by lists, the explorer, statistics and exports.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use plybook_events::{Decider, LogId, SEATS_MAX, Timestamp};
use plybook_rules::log::Status;
use roaring::RoaringBitmap;
use serde_json::Value;

use super::catalogue::{By, KindGames, Query, Summary, Term, ordinal};
use crate::error::FilterError;

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
    /// Whether games of which only the result is recorded are left out.
    pub without_unrecorded: bool,
    /// Whether void games in which nobody acted are left out.
    pub without_unplayed: bool,
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
    /// The games that it must be one of: their numbers, by kind.
    pub among: Option<Arc<BTreeMap<String, RoaringBitmap>>>,
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
    /// Whether they may see a game, or a line below one that they see.
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
    pub fn checked(self) -> Result<Self, FilterError> {
        let refuse = |why: String| Err(FilterError(why));
        if let Some(kind) = &self.kind
            && plybook_rules::kind(kind).is_none()
        {
            return Err(FilterError::unknown_kind(kind));
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

    /// The filter for a list of games: recorded games unless it says otherwise, without those that never were one
    /// unless it asks for void ones, and only lines that the audience may see.
    #[must_use]
    pub fn listed_for(self, audience: Audience) -> Self {
        let without_unplayed = self.status.is_none();
        Self { without_unplayed, ..self }.shown_to(audience)
    }

    fn shown_to(mut self, audience: Audience) -> Self {
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
    pub fn followed_by(self, audience: Audience) -> Result<Self, FilterError> {
        #[rustfmt::skip]
        let Self {
            kind: _, is_analysis: _, audience: _, tournament: _, round: _, players: _, seat: _, since: _, until: _,
            setup: _, tags: _,
            status, is_imported, without_void: _, without_unrecorded: _, without_unplayed: _, winner, reason, ply_min,
            ply_max, rating_min, rating_max, winning_seat, decided_by, among,
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
            None => Ok(self.shown_to(audience)),
            Some((name, _)) => Err(FilterError(format!(
                "`{name}` changes while a game is played, so events cannot be followed by it: leave it out, and look \
                 at the games or at the events"
            ))),
        }
    }

    /// The filter for the explorer and for statistics: recorded games of one kind, not those of which only the result is
    /// known, and void ones only if it asks for them.
    ///
    /// # Errors
    /// The filter asks for another kind, or for lines.
    pub fn counted(mut self, kind: &str) -> Result<Self, FilterError> {
        if self.kind.get_or_insert_with(|| kind.to_owned()) != kind {
            return Err(FilterError(format!("the filter asks for another kind than {kind}: leave its `kind` out")));
        }
        if *self.is_analysis.get_or_insert(false) {
            return Err(FilterError("recorded games are counted, not lines: leave `origin` out".to_owned()));
        }
        self.without_void = self.status != Some(Status::Void);
        self.without_unrecorded = true;
        Ok(self)
    }

    /// Whether its result depends on ratings, which must be up to date: see
    /// [`Ratings::wait`](super::Ratings).
    pub fn asks_for_ratings(&self) -> bool {
        self.rating_min.is_some() || self.rating_max.is_some()
    }

    /// Whether it has any condition besides the kind, game or line, and void or not.
    pub fn is_narrow(&self) -> bool {
        #[rustfmt::skip]
        let Self { kind, is_analysis, without_void, without_unrecorded, without_unplayed, .. } = self.clone();
        *self != Self { kind, is_analysis, without_void, without_unrecorded, without_unplayed, ..Self::default() }
    }

    /// The filter as a query over the games of a kind.
    pub(super) fn query<'a>(&'a self, games: &'a KindGames) -> Query<'a> {
        #[rustfmt::skip]
        let Self {
            kind, is_analysis, is_imported, audience, status, without_void, without_unrecorded, without_unplayed,
            tournament, players, seat, winner, reason, since, until, ply_min, ply_max, rating_min, rating_max, setup, tags, winning_seat, decided_by, round, among,
        } = self;
        let mut query = Query::new(games);
        if kind.as_ref().is_some_and(|kind| *kind != games.name) {
            query.has_any([]);
        }
        for (term, is_asked) in [(Term::Line, is_analysis), (Term::Imported, is_imported)] {
            match is_asked {
                Some(true) => query.has(term),
                Some(false) => query.lacks(term),
                None => {}
            }
        }
        match audience {
            Some(Audience::Everybody) => query.lacks(Term::Hidden),
            Some(Audience::Owner(player)) => query.lacks_or_has(Term::Hidden, Term::Owner(*player)),
            Some(Audience::Recorder) | None => {}
        }
        if *without_void {
            query.lacks(Term::Status(Status::Void));
        }
        if *without_unrecorded {
            query.lacks(Term::Unrecorded);
        }
        if *without_unplayed {
            query.lacks(Term::Unplayed);
        }
        if let Some(status) = status {
            query.has_status(*status);
        }
        let single = [
            tournament.map(Term::Tournament),
            round.map(Term::Round),
            reason.as_deref().map(Term::reason),
            decided_by.map(Term::DecidedBy),
            winning_seat.map(Term::Winner),
            players.first().zip(*seat).map(|(player, seat)| Term::Seat(*player, seat)),
        ];
        let members = setup.iter().filter_map(Value::as_object).flatten();
        let members = members.map(|(name, value)| Term::setup(name, value));
        for term in single.into_iter().flatten().chain(tags.iter().map(|tag| Term::tag(tag))).chain(members) {
            query.has(term);
        }
        for player in players {
            query.has_any((1..=SEATS_MAX).map(|seat| Term::Seat(*player, seat)));
        }
        if let Some(player) = winner {
            query.has_both((1..=SEATS_MAX).map(|seat| [Term::Seat(*player, seat), Term::Winner(seat)]));
        }
        if let Some(among) = among {
            query.is_among(among.get(&games.name).map_or_else(Cow::default, Cow::Borrowed));
        }
        if since.is_some() || until.is_some() {
            let since = since.map_or(i64::MIN, Timestamp::as_millis);
            query.is_within(By::Played, since..=until.map_or(i64::MAX, |until| until.as_millis() - 1));
        }
        if ply_min.is_some() || ply_max.is_some() {
            query.is_within(By::Ply, ply_min.unwrap_or_default().into()..=ply_max.unwrap_or(u32::MAX).into());
        }
        if self.asks_for_ratings() {
            let [least, most] = [rating_min.unwrap_or(f64::NEG_INFINITY), rating_max.unwrap_or(f64::INFINITY)];
            query.is_within(By::Rating, ordinal(least)..=ordinal(most));
        }
        query
    }
}
