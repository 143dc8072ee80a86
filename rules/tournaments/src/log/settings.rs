//! The settings of a tournament: pairing, scoring and ranking.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use plybook_events::body::TournamentSettings;
use plybook_events::{SEATS_MAX, is_unprintable};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::misfit::Misfit;
use crate::{Format, Points, Scoring, StandingsRules, TieBreak};

/// The most characters of a name.
pub const NAME_CHARS_MAX: usize = 100;

/// The most characters of a place or a time control.
pub const LINE_CHARS_MAX: usize = 300;

/// The most characters of a description.
pub const TEXT_CHARS_MAX: usize = 4_000;

/// The most tie-breaks.
pub const TIE_BREAKS_MAX: usize = 10;

/// The most setups, start times of rounds, and groups of entrants who do not meet.
pub const LIST_MAX: usize = 200;

/// What the settings of a tournament say about pairing, scoring and ranking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The format.
    pub format: Format,
    /// How the tournament is scored and ranked.
    pub standings: StandingsRules,
    /// The numbers of seats that the game can be played with.
    pub seats: RangeInclusive<u8>,
}

impl Rules {
    /// Reads and checks the settings.
    ///
    /// # Errors
    /// [`Misfit::Setting`]: the first that is invalid.
    pub fn read(settings: &TournamentSettings) -> Result<Self, Misfit> {
        check_texts(settings)?;
        let (least, most) = (settings.seats.least, settings.seats.most);
        if !(1 <= least && least <= most && most <= SEATS_MAX) {
            return Err(setting("seats", format!("a game has 1 to {SEATS_MAX} seats, the fewest first")));
        }
        let seats = least..=most;
        let is_team = |team: &Vec<u8>| {
            team.len() > 1
                && team.is_sorted_by(|one, other| one < other)
                && team.iter().all(|seat| (1..=most).contains(seat))
        };
        let named: BTreeSet<&u8> = settings.teams.iter().flatten().collect();
        if !settings.teams.iter().all(is_team) || named.len() < settings.teams.iter().flatten().count() {
            return Err(setting("teams", "a team is two or more seats, ascending, and no seat is in two".to_owned()));
        }
        let format: Format = object("format", &settings.format)?;
        format.check(&seats).map_err(|why| setting("format", why.to_string()))?;
        let suitability = format.suitability(&seats);
        let scoring: Scoring = object("scoring", &settings.scoring)?;
        scoring.check(&suitability.seats).map_err(|why| setting("scoring", why.to_string()))?;
        if settings.tie_breaks.len() > TIE_BREAKS_MAX {
            return Err(setting("tie_breaks", format!("at most {TIE_BREAKS_MAX} are compared")));
        }
        let read = |text: &String| text.parse::<TieBreak>().map_err(|why| setting("tie_breaks", why.to_string()));
        let tie_breaks: Vec<TieBreak> = settings.tie_breaks.iter().map(read).collect::<Result<_, _>>()?;
        TieBreak::check_all(&tie_breaks, &suitability).map_err(|why| setting("tie_breaks", why.to_string()))?;
        let teams = settings.teams.clone();
        let standings = StandingsRules { teams, ..format.standings_rules(&seats, scoring, tie_breaks) };
        Ok(Self { format, standings, seats })
    }

    /// How many seats a table may have.
    pub fn table_seats(&self) -> RangeInclusive<u8> {
        self.format.suitability(&self.seats).seats
    }

    /// Whether the tournament is a list of games, to which tables can be added one by one.
    pub fn is_list(&self) -> bool {
        matches!(self.format, Format::Free(_))
    }

    /// Whether all opponents follow from a draw at the start, so that nobody can enter later.
    pub fn is_drawn(&self) -> bool {
        matches!(self.format, Format::RoundRobin(_) | Format::KnockOut(_) | Format::Groups(_))
    }

    /// The most points that one round can give.
    pub fn most_points(&self) -> Points {
        let seats = *self.table_seats().end();
        self.standings.scoring.win(seats).max(self.standings.scoring.pairing_bye(seats))
    }

    /// The points of each seat for a table's ranking; index 0 is seat 1.
    pub(super) fn points(&self, ranking: &[Vec<u8>], seats: usize) -> Vec<Points> {
        let points = self.standings.scoring.of_ranking(ranking, seats as u8);
        points.expect("rankings are checked before they are applied")
    }

    /// The points of each seat for a forfeit: the winners get theirs, the others nothing.
    pub(super) fn forfeit_points(&self, winners: &[Vec<u8>], seats: usize) -> Vec<Points> {
        let mut points = vec![Points::ZERO; seats];
        if !winners.is_empty() {
            let given = self.points(winners, seats);
            for seat in winners.iter().flatten() {
                let index = usize::from(*seat) - 1;
                points[index] = given[index];
            }
        }
        points
    }
}

fn check_texts(settings: &TournamentSettings) -> Result<(), Misfit> {
    let line = |member, text: &str, most: usize, least: usize| {
        let chars = text.chars().count();
        let is_fit = (least..=most).contains(&chars) && text.trim() == text;
        let has_controls = text.chars().any(|c| is_unprintable(c) && (c != '\n' || most < TEXT_CHARS_MAX));
        if is_fit && !has_controls {
            return Ok(());
        }
        Err(setting(member, format!("it has {least} to {most} printable characters, and no space around them")))
    };
    line("name", &settings.name, NAME_CHARS_MAX, 1)?;
    line("kind", &settings.kind, NAME_CHARS_MAX, 1)?;
    line("time_control", settings.time_control.as_deref().unwrap_or("-"), LINE_CHARS_MAX, 1)?;
    line("place", settings.place.as_deref().unwrap_or("-"), LINE_CHARS_MAX, 1)?;
    line("description", settings.description.as_deref().unwrap_or("-"), TEXT_CHARS_MAX, 1)?;
    line("time_zone", settings.time_zone.as_deref().unwrap_or("-"), NAME_CHARS_MAX, 1)?;
    line("announcement", settings.announcement.as_deref().unwrap_or("-"), LINE_CHARS_MAX, 1)?;
    let lists = [
        ("setups", settings.setups.len()),
        ("rounds_at", settings.rounds_at.len()),
        ("forbidden", settings.forbidden.len()),
        ("records", settings.records.len()),
    ];
    for (member, len) in lists {
        if len > LIST_MAX {
            return Err(setting(member, format!("there are at most {LIST_MAX}")));
        }
    }
    for record in &settings.records {
        line("records", record, LINE_CHARS_MAX, 1)?;
    }
    let is_group = |group: &Vec<u16>| {
        (2..=LIST_MAX).contains(&group.len()) && group[0] > 0 && group.is_sorted_by(|one, other| one < other)
    };
    if !settings.forbidden.iter().all(is_group) {
        return Err(setting("forbidden", format!("a group is 2 to {LIST_MAX} numbers of entrants, ascending")));
    }
    if !settings.rounds_at.is_sorted() {
        return Err(setting("rounds_at", "a round starts no earlier than the one before it".to_owned()));
    }
    match (settings.starts_at, settings.ends_at) {
        (Some(start), Some(end)) if end < start => {
            Err(setting("ends_at", "a tournament ends no earlier than it starts".to_owned()))
        }
        _ => Ok(()),
    }
}

fn object<T: DeserializeOwned>(member: &'static str, members: &Map<String, Value>) -> Result<T, Misfit> {
    serde_json::from_value(Value::Object(members.clone())).map_err(|why| setting(member, why.to_string()))
}

fn setting(member: &'static str, why: String) -> Misfit {
    Misfit::Setting { member, why }
}
