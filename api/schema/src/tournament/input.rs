//! Input types of tournaments.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use async_graphql::{ID, InputObject, MaybeUndefined};
use plybook_events::body::{EntrantBye, EntrantDetails, TournamentSettings};
use plybook_service::error::Problem;
use plybook_service::{Entry, NewTournament, find_kind};
use plybook_tournaments::log::TournamentStatus as Status;
use plybook_tournaments::{Format, Scoring};
use serde_json::{Map, Value, json};

use super::super::input::{RollSource, Signatures, read_id};
use super::super::scalar::DateTime;
use super::entrant::ByeKind;
use super::settings::{TournamentFormat, TournamentStatus};

/// Conditions on tournaments; all of them must hold.
#[derive(Default, InputObject)]
pub struct TournamentFilter {
    /// The kind of game.
    kind: Option<String>,
    /// The status.
    status: Option<TournamentStatus>,
    /// How entrants are paired.
    format: Option<TournamentFormat>,
    /// Part of the name, case-insensitive.
    name_contains: Option<String>,
    /// A player who is entered.
    player: Option<ID>,
    /// Whether it is archived; by default both.
    archived: Option<bool>,
}

impl TournamentFilter {
    /// Turns the input into a filter.
    ///
    /// # Errors
    /// An id is malformed.
    pub fn read(self) -> Result<plybook_models::TournamentFilter, Problem> {
        let words = |format| match format {
            TournamentFormat::RoundRobin => vec!["round_robin"],
            TournamentFormat::Swiss => vec!["swiss", "pods"],
            TournamentFormat::Knockout => vec!["knock_out"],
            TournamentFormat::GroupsKnockout => vec!["groups"],
            TournamentFormat::Free => vec!["free"],
        };
        Ok(plybook_models::TournamentFilter {
            kind: self.kind.map(|kind| find_kind(&kind).map(|_| kind)).transpose()?,
            status: self.status.map(|status| match status {
                TournamentStatus::Planned => Status::Planned,
                TournamentStatus::Running => Status::Running,
                TournamentStatus::Finished => Status::Finished,
            }),
            formats: self.format.map(words),
            name_part: self.name_contains.map(|part| part.to_lowercase()),
            player: self.player.as_ref().map(read_id).transpose()?,
            is_archived: self.archived,
        })
    }
}

/// The options of a format. Each belongs to some formats only.
#[derive(Clone, Default, InputObject)]
pub struct FormatInput {
    /// `SWISS` with two seats: `dutch` (the FIDE system, the default) or `fast` (for thousands of entrants).
    system: Option<String>,
    /// `ROUND_ROBIN` and `GROUPS_KNOCKOUT`: everybody meets everybody twice.
    double: Option<bool>,
    /// `SWISS` with two seats: the first rounds are accelerated by the Baku method.
    accelerated: Option<bool>,
    /// `SWISS` with more seats: the smallest size of a pod.
    smallest: Option<u8>,
    /// `SWISS` with more seats: the largest size of a pod.
    largest: Option<u8>,
    /// `KNOCKOUT` and `GROUPS_KNOCKOUT`: the number of games in a match.
    best_of: Option<u8>,
    /// `KNOCKOUT` and `GROUPS_KNOCKOUT`: the losers of the semi-finals play for third place.
    third_place: Option<bool>,
    /// `KNOCKOUT` and `GROUPS_KNOCKOUT`: after this many further games that are level too, the better seed
    /// advances; by default, games are added until one is won.
    replays: Option<u8>,
    /// `GROUPS_KNOCKOUT`: the number of groups.
    groups: Option<u8>,
    /// `GROUPS_KNOCKOUT`: how many of each group advance.
    qualifiers: Option<u8>,
}

impl FormatInput {
    /// Checks that no option of another format is set.
    ///
    /// # Errors
    /// One is.
    fn check(&self, format: TournamentFormat, seats: u8) -> Result<(), Problem> {
        let is_on = |option: Option<bool>| option == Some(true);
        let given = [
            ("system", self.system.is_some()),
            ("double", is_on(self.double)),
            ("accelerated", is_on(self.accelerated)),
            ("smallest", self.smallest.is_some()),
            ("largest", self.largest.is_some()),
            ("bestOf", self.best_of.is_some()),
            ("thirdPlace", is_on(self.third_place)),
            ("replays", self.replays.is_some()),
            ("groups", self.groups.is_some()),
            ("qualifiers", self.qualifiers.is_some()),
        ];
        let own: &[&str] = match format {
            TournamentFormat::RoundRobin => &["double"],
            TournamentFormat::Swiss if seats > 2 => &["smallest", "largest"],
            TournamentFormat::Swiss => &["system", "accelerated"],
            TournamentFormat::Knockout => &["bestOf", "thirdPlace", "replays"],
            TournamentFormat::GroupsKnockout => &["double", "bestOf", "thirdPlace", "replays", "groups", "qualifiers"],
            TournamentFormat::Free => &[],
        };
        match given.iter().find(|(name, is_given)| *is_given && !own.contains(name)) {
            None => Ok(()),
            Some((name, _)) => {
                let own = if own.is_empty() { "none".to_owned() } else { own.join(", ") };
                Err(Problem::BadInput(format!("`formatOptions`: `{name}` is of another format; this one has: {own}")))
            }
        }
    }
}

/// The points for byes.
#[derive(Clone, Default, InputObject)]
pub struct ByePolicyInput {
    /// The points for the bye that the pairing allocates; by default as for a win.
    pairing: Option<f64>,
    /// How many half-point byes each entrant may request; by default any number.
    half_max: Option<u32>,
    /// The last round for which one may be requested; by default any.
    half_last_round: Option<u32>,
}

/// A tournament to create.
#[derive(InputObject)]
pub struct CreateTournament {
    /// 1 to 100 characters.
    name: String,
    /// The kind of game.
    kind: String,
    /// How entrants are paired.
    format: TournamentFormat,
    /// The options of the format.
    format_options: Option<FormatInput>,
    /// Seats per table, for kinds with a variable number of seats; by default the fewest.
    seats: Option<u8>,
    /// The setup of all games.
    setup: Option<Value>,
    /// The setups of the games, one for each round in turn.
    setups: Option<Vec<Value>>,
    /// The number of rounds. Required for `SWISS`; the other formats determine it themselves.
    rounds: Option<u16>,
    /// The time control, in words.
    time_control: Option<String>,
    /// The points for results, in tenths: `{"by":"result","win":10,"draw":5,"loss":0}`,
    /// `{"by":"place","points":[40,20,10]}` or `{"by":"beaten","full":4}`; see docs/standings.md. By default 1, ½
    /// and 0 with two seats, and by seats beaten at a full table with more.
    scoring: Option<Value>,
    /// The tie-breaks, in order, such as `BH/C1`; see docs/standings.md.
    tie_breaks: Option<Vec<String>>,
    /// The points for byes.
    bye_policy: Option<ByePolicyInput>,
    /// When it starts.
    starts_at: Option<DateTime>,
    /// When it ends.
    ends_at: Option<DateTime>,
    /// When each round starts, in order.
    rounds_at: Option<Vec<DateTime>>,
    /// The time zone of its days and times, as the IANA database names it, such as `Europe/Vienna`; by default UTC.
    time_zone: Option<String>,
    /// The venue.
    place: Option<String>,
    /// Anything else worth knowing.
    description: Option<String>,
    /// Whether its games are rated (default: yes).
    rated: Option<bool>,
    /// Whether what people do in its games has to be signed (default: OPTIONAL).
    signatures: Option<Signatures>,
    /// Where the rolls of its games come from, in a kind with dice (default: ANY).
    rolls: Option<RollSource>,
    /// An object with further search terms: names and values.
    tags: Option<Value>,
    /// The first entrants.
    players: Option<Vec<ID>>,
}

/// Changes to a tournament; omitted members change nothing. An empty text, or an empty list, removes the
/// earlier value; null is the usual scoring, the usual tie-breaks, or no time.
#[derive(Clone, InputObject)]
pub struct EditTournament {
    /// 1 to 100 characters.
    name: Option<String>,
    /// The kind of game; only before the first pairing.
    kind: Option<String>,
    /// How entrants are paired; only before the first pairing. Needs its options and, for `SWISS`, `rounds` again.
    format: Option<TournamentFormat>,
    /// The options of the format.
    format_options: Option<FormatInput>,
    /// Seats per table; with the `format`.
    seats: Option<u8>,
    /// The setups of the games, one for each round in turn.
    setups: Option<Vec<Value>>,
    /// The number of rounds.
    rounds: Option<u16>,
    /// The time control, in words.
    time_control: Option<String>,
    /// The points for results.
    scoring: MaybeUndefined<Value>,
    /// The tie-breaks, in order.
    tie_breaks: MaybeUndefined<Vec<String>>,
    /// The points for byes.
    bye_policy: Option<ByePolicyInput>,
    /// When it starts.
    starts_at: MaybeUndefined<DateTime>,
    /// When it ends.
    ends_at: MaybeUndefined<DateTime>,
    /// When each round starts.
    rounds_at: Option<Vec<DateTime>>,
    /// The time zone of its days and times, as the IANA database names it.
    time_zone: Option<String>,
    /// The venue.
    place: Option<String>,
    /// Anything else worth knowing.
    description: Option<String>,
    /// What the organiser announces, in a line.
    announcement: Option<String>,
    /// Groups of entrants who do not meet each other, by their numbers.
    forbidden: Option<Vec<Vec<u16>>>,
    /// Whether it is left out of lists.
    archived: Option<bool>,
    /// Whether its games are rated.
    rated: Option<bool>,
    /// Whether what people do in its games has to be signed: in those that are opened from now on.
    signatures: Option<Signatures>,
    /// Where the rolls of its games come from: of those that are opened from now on.
    rolls: Option<RollSource>,
    /// An object with further search terms: names and values.
    tags: Option<Value>,
}

/// An entrant to be added.
#[derive(InputObject)]
pub struct EntrantInput {
    /// The player; without one, a new player called `name` is registered.
    player: Option<ID>,
    /// The name in this tournament; by default the player's.
    name: Option<String>,
    /// The seed rating.
    rating: Option<u16>,
    /// The club.
    club: Option<String>,
    /// The country: two capital letters.
    country: Option<String>,
    /// The first round of a late entrant; by default the next unpaired one.
    from_round: Option<u32>,
    /// The points of a late entrant for the missed rounds.
    points: Option<f64>,
}

/// Changes to an entrant; omitted members change nothing. An empty text, or a rating of 0, removes the
/// earlier value.
#[derive(Clone, InputObject)]
pub struct EditEntrant {
    /// The name in this tournament.
    name: Option<String>,
    /// The seed rating.
    rating: Option<u16>,
    /// The club.
    club: Option<String>,
    /// The country: two capital letters.
    country: Option<String>,
}

/// An entrant who does not play in a round.
#[derive(Clone, Copy, InputObject)]
pub struct ByeInput {
    /// The entrant's number.
    entrant: u16,
    /// The kind of bye.
    kind: ByeKind,
}

/// Turns the input into byes; `None` if it names none.
pub fn read_byes(byes: Option<Vec<ByeInput>>) -> Option<Vec<EntrantBye>> {
    let bye = |input: ByeInput| EntrantBye { bye: input.kind.into(), entrant: input.entrant };
    Some(byes?.into_iter().map(bye).collect())
}

impl CreateTournament {
    /// Turns the input into a tournament to create.
    ///
    /// # Errors
    /// The kind is unknown, or something is missing or malformed.
    pub fn read(self) -> Result<NewTournament, Problem> {
        let about = find_kind(&self.kind)?.about();
        let seats = self.seats.unwrap_or(about.seats_min);
        if !(about.seats_min..=about.seats_max).contains(&seats) {
            let (least, most) = (about.seats_min, about.seats_max);
            let by = if least == most { least.to_string() } else { format!("{least} to {most}") };
            return Err(Problem::BadInput(format!("`seats`: {} is played by {by}", about.title)));
        }
        if self.setup.is_some() && self.setups.is_some() {
            return Err(Problem::BadInput("give `setup` or `setups`, not both".to_owned()));
        }
        let format = read_format(self.format, self.format_options.unwrap_or_default(), seats, self.rounds)?;
        let tie_breaks =
            self.tie_breaks.unwrap_or_else(|| format.usual_tie_breaks(&(about.seats_min..=about.seats_max)));
        let byes = self.bye_policy.unwrap_or_default();
        let scoring = match self.scoring {
            Some(scoring) => members("scoring", scoring)?,
            None => to_members(&Scoring::for_seats(seats.max(2))),
        };
        let settings = TournamentSettings {
            name: self.name.trim().to_owned(),
            kind: self.kind,
            format: to_members(&format),
            scoring: with_pairing_bye(scoring, byes.pairing)?,
            tie_breaks,
            setups: self.setups.unwrap_or_else(|| self.setup.into_iter().collect()),
            half_byes: byes.half_max,
            half_byes_until: byes.half_last_round,
            time_control: some_text(self.time_control),
            starts_at: self.starts_at.map(|at| at.0),
            ends_at: self.ends_at.map(|at| at.0),
            rounds_at: self.rounds_at.unwrap_or_default().into_iter().map(|at| at.0).collect(),
            time_zone: some_text(self.time_zone),
            place: some_text(self.place),
            description: some_text(self.description),
            unrated: !self.rated.unwrap_or(true),
            signed: self.signatures.is_some_and(Signatures::is_required),
            rolls: self.rolls.and_then(RollSource::rolls),
            tags: self.tags.map_or_else(|| Ok(Map::new()), |tags| members("tags", tags))?,
            ..TournamentSettings::default()
        };
        let players = self.players.unwrap_or_default();
        Ok(NewTournament { settings, players: players.iter().map(read_id).collect::<Result<_, _>>()? })
    }
}

impl EditTournament {
    /// Applies the changes to the settings.
    ///
    /// # Errors
    /// Something is missing or malformed.
    pub fn apply(&self, settings: &mut TournamentSettings) -> Result<(), Problem> {
        let edit = self.clone();
        let text = |member: &mut Option<String>, text: Option<String>| {
            if let Some(text) = text {
                *member = some_text(Some(text));
            }
        };
        if let Some(name) = edit.name {
            name.trim().clone_into(&mut settings.name);
        }
        settings.kind = edit.kind.unwrap_or_else(|| settings.kind.clone());
        if edit.format.is_none() && (edit.format_options.is_some() || edit.seats.is_some()) {
            return Err(Problem::BadInput("`formatOptions` and `seats` come with the `format`".to_owned()));
        }
        if let Some(format) = edit.format {
            let seats = edit.seats.unwrap_or(find_kind(&settings.kind)?.about().seats_min);
            let format = read_format(format, edit.format_options.unwrap_or_default(), seats, edit.rounds)?;
            settings.format = to_members(&format);
        } else if let Some(rounds) = edit.rounds {
            settings.format.insert("rounds".to_owned(), rounds.into());
        }
        settings.setups = edit.setups.unwrap_or_else(|| settings.setups.clone());
        text(&mut settings.time_control, edit.time_control);
        text(&mut settings.time_zone, edit.time_zone);
        text(&mut settings.place, edit.place);
        text(&mut settings.description, edit.description);
        text(&mut settings.announcement, edit.announcement);
        if let Some(forbidden) = edit.forbidden {
            let ascending = |group: Vec<u16>| group.into_iter().collect::<BTreeSet<_>>().into_iter().collect();
            settings.forbidden = forbidden.into_iter().map(ascending).collect();
        }
        settings.archived = edit.archived.unwrap_or(settings.archived);
        match edit.scoring {
            MaybeUndefined::Undefined => {}
            MaybeUndefined::Value(scoring) => settings.scoring = members("scoring", scoring)?,
            MaybeUndefined::Null => {
                let (format, seats) = format_of(settings)?;
                let usual = edit.seats.unwrap_or_else(|| format.seats(&seats));
                settings.scoring = to_members(&Scoring::for_seats(usual.max(2)));
            }
        }
        match edit.tie_breaks {
            MaybeUndefined::Undefined => {}
            MaybeUndefined::Value(tie_breaks) => settings.tie_breaks = tie_breaks,
            MaybeUndefined::Null => {
                let (format, seats) = format_of(settings)?;
                settings.tie_breaks = format.usual_tie_breaks(&seats);
            }
        }
        if let Some(byes) = edit.bye_policy {
            settings.scoring = with_pairing_bye(std::mem::take(&mut settings.scoring), byes.pairing)?;
            (settings.half_byes, settings.half_byes_until) = (byes.half_max, byes.half_last_round);
        }
        edit.starts_at.map_value(|at| at.0).update_to(&mut settings.starts_at);
        edit.ends_at.map_value(|at| at.0).update_to(&mut settings.ends_at);
        if let Some(rounds_at) = edit.rounds_at {
            settings.rounds_at = rounds_at.into_iter().map(|at| at.0).collect();
        }
        settings.unrated = edit.rated.map_or(settings.unrated, |rated| !rated);
        settings.signed = edit.signatures.map_or(settings.signed, Signatures::is_required);
        settings.rolls = edit.rolls.map_or(settings.rolls, RollSource::rolls);
        if let Some(tags) = edit.tags {
            settings.tags = members("tags", tags)?;
        }
        Ok(())
    }
}

impl EntrantInput {
    /// Turns the input into an entry.
    ///
    /// # Errors
    /// The id is malformed, or the points are no tenths.
    pub fn read(self) -> Result<Entry, Problem> {
        Ok(Entry {
            player: self.player.as_ref().map(read_id).transpose()?,
            name: self.name,
            rating: self.rating.filter(|rating| *rating > 0),
            club: self.club,
            country: some_text(self.country),
            from_round: self.from_round,
            points: self.points.map_or(Ok(0), |points| tenths("points", points))?,
        })
    }
}

impl EditEntrant {
    /// Applies the changes to the details of an entrant.
    pub fn apply(&self, details: &mut EntrantDetails) {
        if let Some(name) = &self.name {
            name.trim().clone_into(&mut details.name);
        }
        if let Some(rating) = self.rating {
            details.rating = Some(rating).filter(|rating| *rating > 0);
        }
        if let Some(club) = &self.club {
            details.club = some_text(Some(club.clone()));
        }
        if let Some(country) = &self.country {
            details.country = some_text(Some(country.clone()));
        }
    }
}

/// The format of a tournament, and the numbers of seats that its game is played with.
fn format_of(settings: &TournamentSettings) -> Result<(Format, RangeInclusive<u8>), Problem> {
    let about = find_kind(&settings.kind)?.about();
    let format = serde_json::from_value(Value::Object(settings.format.clone()))
        .map_err(|why| Problem::BadInput(format!("`format`: {why}")))?;
    Ok((format, about.seats_min..=about.seats_max))
}

fn read_format(
    format: TournamentFormat,
    options: FormatInput,
    seats: u8,
    rounds: Option<u16>,
) -> Result<Format, Problem> {
    options.check(format, seats)?;
    if rounds.is_some() && !matches!(format, TournamentFormat::Swiss | TournamentFormat::Free) {
        return Err(Problem::BadInput("`rounds`: this format has as many rounds as it needs: leave it out".to_owned()));
    }
    let needed =
        || rounds.ok_or_else(|| Problem::BadInput("`rounds`: a Swiss tournament has a number of rounds".to_owned()));
    let cycles = if options.double.unwrap_or_default() { 2 } else { 1 };
    let level = options.replays.map_or_else(
        || json!({ "then": "replay" }),
        |replays| json!({ "then": "higher_seed", "after_replays": replays }),
    );
    let best_of = options.best_of.unwrap_or(1);
    let knock_out =
        json!({ "best_of": best_of, "has_third_place": options.third_place.unwrap_or_default(), "level": level });
    let mut value = match format {
        TournamentFormat::RoundRobin => json!({ "format": "round_robin", "cycles": cycles }),
        TournamentFormat::Swiss if seats > 2 => {
            let mut pods = json!({ "format": "pods", "rounds": needed()?, "size": seats });
            for (member, size) in [("smallest", options.smallest), ("largest", options.largest)] {
                if let Some(size) = size {
                    pods[member] = size.into();
                }
            }
            pods
        }
        TournamentFormat::Swiss => json!({
            "format": "swiss",
            "rounds": needed()?,
            "system": options.system.unwrap_or_else(|| "dutch".to_owned()),
            "is_accelerated": options.accelerated.unwrap_or_default(),
        }),
        TournamentFormat::Knockout => knock_out.clone(),
        TournamentFormat::GroupsKnockout => json!({
            "format": "groups",
            "groups": options.groups.unwrap_or(4),
            "advance": options.qualifiers.unwrap_or(2),
            "cycles": cycles,
            "knock_out": knock_out,
        }),
        TournamentFormat::Free if seats > 2 => json!({ "format": "free", "size": seats }),
        TournamentFormat::Free => json!({ "format": "free" }),
    };
    if format == TournamentFormat::Knockout {
        value["format"] = "knock_out".into();
    }
    if let (TournamentFormat::Free, Some(rounds)) = (format, rounds) {
        value["rounds"] = rounds.into();
    }
    serde_json::from_value(value).map_err(|why| Problem::BadInput(format!("`formatOptions`: {why}")))
}

fn with_pairing_bye(mut scoring: Map<String, Value>, pairing: Option<f64>) -> Result<Map<String, Value>, Problem> {
    if let Some(pairing) = pairing {
        scoring.insert("pairing_bye".to_owned(), tenths("byePolicy", pairing)?.into());
    }
    Ok(scoring)
}

/// Points as tenths.
fn tenths(member: &str, points: f64) -> Result<u32, Problem> {
    let tenths = (points * 10.0).round();
    let is_fit = (0.0..=10_000.0).contains(&tenths) && (tenths - points * 10.0).abs() < 1e-6;
    if is_fit {
        Ok(tenths as u32)
    } else {
        Err(Problem::BadInput(format!("`{member}`: points have one decimal, from 0")))
    }
}

fn some_text(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn members(name: &str, value: Value) -> Result<Map<String, Value>, Problem> {
    match value {
        Value::Object(members) => Ok(members),
        _ => Err(Problem::BadInput(format!("`{name}` is an object"))),
    }
}

fn to_members(value: &impl serde::Serialize) -> Map<String, Value> {
    match serde_json::to_value(value).expect("it is plain data") {
        Value::Object(members) => members,
        _ => unreachable!("it is an object"),
    }
}
