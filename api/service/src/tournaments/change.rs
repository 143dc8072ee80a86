//! Changes to tournaments.

use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

use plybook_events::body::{EntrantDetails, TournamentSettings};
use plybook_events::{Actor, Body, By, Hash, LogId, canonical};
use plybook_rules::AnyPosition;
use plybook_rules::log::{EVENTS_MAX, EVENTS_RESERVED, FinishedDraft, Profile};
use plybook_store::{Append, Head};
use plybook_tournaments::is_zone;
use plybook_tournaments::log::{Command, Draft, NewEntrant, Tournament};
use serde_json::{Value, json};

use super::super::Service;
use super::super::people::check_country;
use super::super::write::{check_name, find_kind, with_seats};
use super::LiveTournament;
use crate::clock;
use crate::error::Problem;
use crate::game::State;

/// The most players that are entered at once.
pub(super) const ENTRIES_MAX: usize = 2_000;

/// A tournament to create.
#[derive(Clone, Debug)]
pub struct NewTournament {
    /// The settings; the seats are those of the kind.
    pub settings: TournamentSettings,
    /// The first entrants.
    pub players: Vec<LogId>,
}

/// An entry: a player, or a name for which a new player is registered.
#[derive(Clone, Debug, Default)]
pub struct Entry {
    /// The player.
    pub player: Option<LogId>,
    /// The name; by default the player's.
    pub name: Option<String>,
    /// The seed rating.
    pub rating: Option<u16>,
    /// The club.
    pub club: Option<String>,
    /// The country.
    pub country: Option<String>,
    /// The first round of a late entrant.
    pub from_round: Option<u32>,
    /// The points of a late entrant for the missed rounds, in tenths.
    pub points: u32,
}

impl Service {
    /// Creates a tournament.
    ///
    /// # Errors
    /// The kind is unknown, a setting is invalid, or nothing can be written.
    pub fn create_tournament(&self, new: NewTournament) -> Result<Arc<LiveTournament>, Problem> {
        let id = clock::new_id();
        let settings = check_settings(new.settings)?;
        let at = self.clock().now();
        let mut draft = Draft::create(id, at, self.context.who, Body::TournamentCreated(settings))?;
        if !new.players.is_empty() {
            let entries = new.players.into_iter().map(|player| Entry { player: Some(player), ..Entry::default() });
            draft.command(By::Arbiter, Command::Enter(self.check_entries(entries.collect())?.0))?;
        }
        self.append(id, vec![Append { log: id, expected: None, events: draft.finish().1 }])?;
        self.tournament(id)
    }

    /// Replaces the settings of a tournament, except for the seats of its kind.
    ///
    /// # Errors
    /// The last event is not `expected`, a setting is invalid or cannot be changed any more, or nothing can be
    /// written.
    pub fn edit_tournament(
        &self,
        live: &LiveTournament,
        expected: Option<u64>,
        edit: impl Fn(&mut TournamentSettings) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        self.change_tournament(live, expected, |tournament| {
            let mut settings = tournament.settings.clone();
            edit(&mut settings)?;
            let entrants = tournament.entrants.len();
            if let Some(unknown) = settings.forbidden.iter().flatten().find(|number| usize::from(**number) > entrants) {
                return Err(Problem::BadInput(format!("`forbidden`: there is no entrant {unknown}")));
            }
            Ok(vec![Command::Edit(Box::new(check_settings(settings)?))])
        })
    }

    /// Enters players, all or none. Names without a player become new players, registered together with the entry.
    ///
    /// # Errors
    /// A player is unknown or takes part already, an entry is invalid, or nothing can be written.
    pub fn enter(&self, live: &LiveTournament, expected: Option<u64>, entries: Vec<Entry>) -> Result<(), Problem> {
        if entries.is_empty() || entries.len() > ENTRIES_MAX {
            return Err(Problem::BadInput(format!("enter 1 to {ENTRIES_MAX} at once")));
        }
        let checked =
            |entry: Entry| Ok(Entry { country: entry.country.as_deref().map(check_country).transpose()?, ..entry });
        let entries = entries.into_iter().map(checked).collect::<Result<_, Problem>>()?;
        let (entrants, players) = self.check_entries(entries)?;
        let about = live.tournament().id;
        self.change_with(live, expected, &players, about, |tournament| {
            self.check_merged(tournament, &entrants)?;
            Ok(vec![Command::Enter(entrants.clone())])
        })
    }

    /// Checks that none of the players takes part already as somebody who was merged into them.
    fn check_merged(&self, tournament: &Tournament, entries: &[NewEntrant]) -> Result<(), Problem> {
        let models = self.models();
        let players = &models.known().players;
        let is_taken =
            |player| tournament.entrants.iter().find(|it| it.player != player && players.survivor(it.player) == player);
        match entries.iter().find_map(|entry| is_taken(entry.player)) {
            Some(entrant) => Err(Problem::BadInput(format!(
                "the player takes part already: entrant {} was merged into them",
                entrant.number
            ))),
            None => Ok(()),
        }
    }

    /// The entries, and the logs of new players.
    pub(super) fn check_entries(&self, entries: Vec<Entry>) -> Result<(Vec<NewEntrant>, Vec<Append>), Problem> {
        let (mut entrants, mut logs) = (Vec::with_capacity(entries.len()), Vec::new());
        for entry in entries {
            let (player, own) = if let Some(id) = entry.player {
                let known = self.models().known();
                let player = known.players.get(id);
                let player = player.ok_or_else(|| Problem::BadInput(format!("there is no player {id}")))?;
                if let Some(into) = player.profile.merged_into {
                    let name = &player.profile.name;
                    return Err(Problem::BadInput(format!("{name} ({id}) is merged into {into}: enter that player")));
                }
                (id, player.profile.clone())
            } else {
                let name = entry.name.clone().ok_or_else(|| {
                    Problem::BadInput("an entrant has a `player`, or a `name` that becomes a new player's".to_owned())
                })?;
                let append = self.new_player(name, entry.club.clone(), entry.country.clone())?;
                let player = append.log;
                logs.push(append);
                (player, Profile::default())
            };
            let trimmed =
                |text: Option<String>| text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
            let details = EntrantDetails {
                name: entry.name.as_deref().map_or(Ok(own.name), check_name)?,
                rating: entry.rating,
                club: trimmed(entry.club).or(own.club),
                country: entry.country.or(own.country),
                ..EntrantDetails::default()
            };
            entrants.push(NewEntrant { player, details, from_round: entry.from_round, points: entry.points });
        }
        Ok((entrants, logs))
    }

    /// Drafts a change and writes it with the games that it opens, all or nothing. If another writer was
    /// faster, the change is drafted once more. `expected` is compared before anything is drafted.
    ///
    /// # Errors
    /// [`Problem::LogConflict`] if the last event is not `expected`, the log is full, any error of `commands`, or
    /// nothing can be written.
    pub fn change_tournament(
        &self,
        live: &LiveTournament,
        expected: Option<u64>,
        commands: impl Fn(&Tournament) -> Result<Vec<Command>, Problem>,
    ) -> Result<(), Problem> {
        self.change_with(live, expected, &[], live.tournament().id, commands)
    }

    /// As [`change_tournament`](Self::change_tournament), with appends to other logs that are written together with it.
    /// `about` is the log that the request is about.
    pub(super) fn change_with(
        &self,
        live: &LiveTournament,
        expected: Option<u64>,
        others: &[Append],
        about: LogId,
        commands: impl Fn(&Tournament) -> Result<Vec<Command>, Problem>,
    ) -> Result<(), Problem> {
        let _writing = live.writing.lock().unwrap_or_else(PoisonError::into_inner);
        for is_second in [false, true] {
            self.catch_up_tournament(live)?;
            let State { folded: tournament, head } = live.state();
            if let Some(expected) = expected.filter(|expected| *expected != head.seq()) {
                tracing::debug!(expected, head = head.seq(), "a tournament has gone on");
                return Err(Problem::LogConflict { head: head.seq() });
            }
            let draft = self.draft(&tournament, &head, &commands)?;
            match self.write_tournament(&head, draft, others.to_vec(), about) {
                Ok(later) => {
                    live.advance(later);
                    return Ok(());
                }
                Err(Problem::LogConflict { .. }) if !is_second => {}
                Err(why) => return Err(why),
            }
        }
        unreachable!("the second time returns")
    }

    fn draft(
        &self,
        tournament: &Tournament,
        head: &Head,
        commands: impl Fn(&Tournament) -> Result<Vec<Command>, Problem>,
    ) -> Result<Draft, Problem> {
        let commands = commands(tournament)?;
        check_room(tournament, &commands)?;
        let mut draft = Draft::resume(tournament.clone(), head.hash(), self.clock().now(), self.context.who);
        for command in commands {
            draft.command(By::Arbiter, command)?;
        }
        Ok(draft)
    }

    /// Writes a draft, the games that it opens, and the appends that go with it.
    fn write_tournament(
        &self,
        head: &Head,
        draft: Draft,
        mut appends: Vec<Append>,
        about: LogId,
    ) -> Result<State<Tournament>, Problem> {
        let mut kept = Vec::new();
        let games = self.new_games(&draft, &appends)?;
        for (game, FinishedDraft { events, kept: secrets, .. }) in games {
            kept.extend(secrets.into_iter().map(|(key, value)| (game, key, value)));
            appends.push(Append { log: game, expected: None, events });
        }
        let (tournament, events) = draft.finish();
        if events.is_empty() {
            return Ok(State::new(tournament, *head));
        }
        let secrets: Vec<_> = kept.iter().map(|(game, key, value)| (*game, key.as_str(), value.as_slice())).collect();
        self.store.vault().put_all(&secrets)?;
        appends.push(Append { log: tournament.id, expected: Some(*head), events });
        let appended = self.append(about, appends)?;
        let head = appended.last().expect("there is an answer for each append").head;
        Ok(State::new(tournament, head))
    }

    /// Opens a round.
    ///
    /// # Errors
    /// As [`Service::change_tournament`].
    pub fn open_round(&self, live: &LiveTournament, expected: Option<u64>, round: u32) -> Result<(), Problem> {
        let salt: Hash = clock::random();
        self.change_tournament(live, expected, |_| Ok(vec![Command::OpenRound { round, salt }]))
    }
}

/// Checks that the log has room for commands. What games bring is always taken: they have limits of their own.
fn check_room(tournament: &Tournament, commands: &[Command]) -> Result<(), Problem> {
    let limit = EVENTS_MAX - EVENTS_RESERVED;
    if tournament.events >= EVENTS_MAX {
        return Err(Problem::LogFull(format!("a tournament has at most {EVENTS_MAX} events")));
    }
    if tournament.events >= limit && !commands.iter().all(Command::concludes) {
        return Err(Problem::LogFull(format!(
            "a tournament is run up to {limit} events, and the last {EVENTS_RESERVED} are reserved: its organiser can still \
             enter results, forfeit tables, and close rounds and the tournament"
        )));
    }
    Ok(())
}

/// Checks the settings that depend on the game, and fills in the numbers of seats that it can be played with.
pub(super) fn check_settings(mut settings: TournamentSettings) -> Result<TournamentSettings, Problem> {
    let about = find_kind(&settings.kind)?.about();
    (settings.seats.least, settings.seats.most) = (about.seats_min, about.seats_max);
    canonical::to_bytes(&json!([settings.format, settings.scoring, settings.setups, settings.tags]))
        .map_err(|why| Problem::BadInput(format!("the settings: {why}")))?;
    check_zone(settings.time_zone.as_deref())?;
    for setup in &settings.setups {
        check_setup(&settings.kind, setup)?;
    }
    fit_pods(&mut settings)?;
    let starts = starts(&settings)?;
    if settings.rolls.is_some() && !about.chance && !starts.iter().all(|start| start.to_act().contains(Actor::Chance)) {
        return Err(Problem::BadInput("`rolls`: the games have no dice".to_owned()));
    }
    let mut teams: BTreeSet<Vec<_>> = starts.iter().map(|start| start.teams().partners().collect()).collect();
    settings.teams = teams.pop_first().unwrap_or_default();
    if teams.is_empty() {
        Ok(settings)
    } else {
        Err(Problem::BadInput("`setups`: all have the same partners".to_owned()))
    }
}

/// Checks that the game is played at tables of the preferred size, and sets the step between the sizes that it is played with.
fn fit_pods(settings: &mut TournamentSettings) -> Result<(), Problem> {
    if settings.format.get("format").and_then(Value::as_str) != Some("pods") {
        return Ok(());
    }
    let rules = find_kind(&settings.kind)?;
    let setup = settings.setups.first().and_then(Value::as_object).cloned().unwrap_or_default();
    let is_played = |seats: &u8| with_seats(rules, &setup, *seats).is_some();
    let played: Vec<u8> = (settings.seats.least..=settings.seats.most).filter(is_played).collect();
    let size = settings.format.get("size").and_then(Value::as_u64);
    if !played.iter().any(|seats| Some(u64::from(*seats)) == size) {
        let seats: Vec<String> = played.iter().map(u8::to_string).collect();
        let (title, seats) = (rules.about().title, seats.join(", "));
        return Err(Problem::BadInput(format!("`seats`: {title} is played at tables of {seats}")));
    }
    let step = played.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(settings.seats.most);
    settings.format.remove("step");
    if step > 1 {
        settings.format.insert("step".to_owned(), step.into());
    }
    Ok(())
}

/// How the games begin at full tables, by the setups.
fn starts(settings: &TournamentSettings) -> Result<Vec<Box<dyn AnyPosition>>, Problem> {
    let rules = find_kind(&settings.kind)?;
    let default = [json!({})];
    let setups = if settings.setups.is_empty() { &default } else { settings.setups.as_slice() };
    let start = |setup: &Value| -> Result<_, Problem> {
        let full = setup.as_object().and_then(|setup| with_seats(rules, setup, settings.seats.most));
        let full = full.unwrap_or_else(|| setup.clone());
        Ok(rules.start(&rules.complete(&full, &mut |_| 0)?)?)
    };
    setups.iter().map(start).collect()
}

/// Checks that a time zone is known.
pub(super) fn check_zone(time_zone: Option<&str>) -> Result<(), Problem> {
    match time_zone.filter(|zone| !is_zone(zone)) {
        None => Ok(()),
        Some(zone) => Err(Problem::BadInput(format!(
            "`timeZone`: {zone:?} is no time zone: write its name in the IANA database, such as Europe/Vienna"
        ))),
    }
}

/// Checks that a setup is valid for the kind.
fn check_setup(kind: &str, setup: &Value) -> Result<(), Problem> {
    let rules = find_kind(kind)?;
    let completed = rules.complete(setup, &mut |_| 0)?;
    rules.start(&completed)?;
    Ok(())
}
