//! Lists of players as CSV: previewing an import, and carrying it out.

use std::collections::HashMap;
use std::sync::Arc;

use plybook_events::LogId;
use plybook_models::{Contents, Player, folded};

use super::details::{Change, Details};
use super::{EDITED_MAX, PlayerDraft, changes};
use crate::Service;
use crate::error::Problem;

/// The most lines of a list, not counting its header.
pub(super) const LINES_MAX: usize = 5_000;

/// The preview of a list of players, line by line.
pub struct Roster {
    /// The lines after the header.
    pub lines: Vec<RosterLine>,
}

/// A line of a list of players.
pub struct RosterLine {
    /// Its number in the file, where the header is usually line 1.
    pub number: u64,
    /// The name in it.
    pub name: String,
    /// The player that it refers to, if registered.
    pub player: Option<Arc<Player>>,
    /// What it does.
    pub action: RosterAction,
}

/// What a line does.
pub enum RosterAction {
    /// Registers a player.
    Create(Details),
    /// Changes a player.
    Edit {
        /// The details in the line.
        details: Details,
        /// The names of those that differ.
        changed: Vec<&'static str>,
    },
    /// Changes nothing: everything is known already.
    Same,
    /// The line is wrong; the text says why, and what would be right.
    Error(String),
}

/// The meaning of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Column {
    Id,
    Name,
    Club,
    Country,
    YearOfBirth,
    Links,
}

impl Column {
    const ALL: [(&'static str, Self); 6] = [
        ("id", Self::Id),
        ("name", Self::Name),
        ("club", Self::Club),
        ("country", Self::Country),
        ("year_of_birth", Self::YearOfBirth),
        ("links", Self::Links),
    ];
}

impl Service {
    /// Previews a list of players. It has a header with `name` and any of `id`, `club`, `country`,
    /// `year_of_birth` and `links` (separated by spaces), and commas, semicolons or tabs between its columns.
    /// A line refers to the player with its `id`, or else to the only player of that name; if there is none,
    /// it registers one. An empty field leaves a detail as it is.
    ///
    /// # Errors
    /// The text is not such a list. Errors in single lines are reported in those lines.
    pub fn read_roster(&self, csv: &str) -> Result<Roster, Problem> {
        let (columns, records) = records(csv)?;
        let known = self.models().known();
        let read = |(number, fields): &(u64, Vec<String>)| {
            let (id, details) = read_line(&columns, fields);
            let name = details.as_ref().ok().and_then(|details| details.name.clone().some()).unwrap_or_default();
            let found = details.and_then(|details| {
                let details = details.checked(self.clock().now()).map_err(|why| why.to_string())?;
                let id = id?;
                let player = find(&known, id, &details)?.cloned();
                Ok((self.action(player.as_deref(), id, details)?, player))
            });
            let (action, player) = found.unwrap_or_else(|why| (RosterAction::Error(why), None));
            RosterLine { number: *number, name, player, action }
        };
        let mut lines: Vec<RosterLine> = records.iter().map(read).collect();
        refuse_doubles(&mut lines);
        Ok(Roster { lines })
    }

    /// Carries out a list, unless one of its lines is wrong. Importing the same list again changes nothing,
    /// so an import whose answer was lost can be repeated. Returns what was done with each line.
    ///
    /// # Errors
    /// The list cannot be read, one of its lines is wrong, or nothing can be written.
    pub fn import_roster(&self, csv: &str) -> Result<Roster, Problem> {
        let _people = self.people();
        let mut roster = self.read_roster(csv)?;
        let errors: Vec<String> = roster.lines.iter().filter_map(RosterLine::error).collect();
        if let Some(first) = errors.first() {
            let more = if errors.len() > 1 { format!(" (and {} more)", errors.len() - 1) } else { String::new() };
            return Err(Problem::BadInput(format!("nothing was imported: {first}{more}")));
        }
        let stamp = self.stamp();
        let mut drafts = Vec::new();
        let mut ids = Vec::with_capacity(roster.lines.len());
        for RosterLine { player, action, .. } in &roster.lines {
            let draft = match (action, player) {
                (RosterAction::Create(details), _) => Some(PlayerDraft::create(stamp, details.clone())?),
                (RosterAction::Edit { details, .. }, Some(player)) => {
                    let head = self.player_head(player, None, EDITED_MAX)?;
                    PlayerDraft::edit(stamp, player, &head, details.clone(), self.store.personal())?
                }
                _ => None,
            };
            ids.push(draft.as_ref().map(|draft| draft.append.log));
            drafts.extend(draft);
        }
        if let Some(first) = drafts.first() {
            self.write_players(first.append.log, drafts)?;
        }
        for (line, id) in roster.lines.iter_mut().zip(ids) {
            if let Some(id) = id {
                line.player = Some(self.player(id)?);
            }
        }
        Ok(roster)
    }

    /// What a line does to the player it refers to.
    fn action(&self, player: Option<&Player>, id: Option<LogId>, details: Details) -> Result<RosterAction, String> {
        let Some(player) = player else { return Ok(RosterAction::Create(details)) };
        let born = self.year_of_birth(player.id);
        if let (None, Some(born), Change::To(year)) = (id, born, &details.year_of_birth)
            && born != *year
        {
            return Err(format!("a player of this name was born in {born}: for the same person, add a column `id`"));
        }
        // Without an id, another spelling of the name still refers to the player, and does not change the
        // name.
        let details = if id.is_some() { details } else { Details { name: Change::Keep, ..details } };
        let (edited, year_of_birth) = changes(player, details.clone(), self.store.personal());
        let edited = edited.unwrap_or_default();
        let differ = [
            ("name", edited.name.is_some()),
            ("club", edited.club.is_some()),
            ("country", edited.country.is_some()),
            ("yearOfBirth", year_of_birth.is_some()),
            ("links", edited.links.is_some()),
        ];
        let changed: Vec<_> = differ.into_iter().filter(|(_, differs)| *differs).map(|(name, _)| name).collect();
        Ok(if changed.is_empty() { RosterAction::Same } else { RosterAction::Edit { details, changed } })
    }
}

/// The player that a line refers to: the one with its id, or the only one of its name; `None` if nobody has
/// that name.
fn find<'a>(known: &'a Contents, id: Option<LogId>, details: &Details) -> Result<Option<&'a Arc<Player>>, String> {
    if let Some(id) = id {
        let player = known.players.get(id).ok_or_else(|| format!("there is no player {id}"))?;
        return match player.profile.merged_into {
            Some(into) => Err(format!("{} is merged into {into}", player.profile.name)),
            None => Ok(Some(player)),
        };
    }
    let Change::To(name) = &details.name else { return Err("it has neither name nor id".to_owned()) };
    match known.players.called(name).as_slice() {
        [] => Ok(None),
        [player] => Ok(Some(*player)),
        several => Err(format!("{} players are called {name:?}: add a column `id`", several.len())),
    }
}

impl RosterLine {
    fn error(&self) -> Option<String> {
        match &self.action {
            RosterAction::Error(why) => Some(format!("line {}: {why}", self.number)),
            _ => None,
        }
    }
}

/// Marks lines as wrong that refer to the same player, or register the same name, as an earlier line.
fn refuse_doubles(lines: &mut [RosterLine]) {
    let mut seen: HashMap<String, u64> = HashMap::new();
    for line in lines {
        let key = match (&line.action, &line.player) {
            (_, Some(player)) => player.id.to_string(),
            (RosterAction::Create(_), None) => folded(&line.name),
            _ => continue,
        };
        if let Some(first) = seen.get(&key) {
            line.action = RosterAction::Error(format!("line {first} is about the same player"));
        } else {
            seen.insert(key, line.number);
        }
    }
}

/// The columns, and the fields of each line with its number.
type Table = (Vec<Column>, Vec<(u64, Vec<String>)>);

fn records(text: &str) -> Result<Table, Problem> {
    let bad = |why: String| Problem::BadInput(format!("`csv`: {why}"));
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let header = text.lines().next().unwrap_or_default();
    let count = |c: char| header.matches(c).count();
    let delimiter = [',', ';', '\t'].into_iter().max_by_key(|c| count(*c)).unwrap_or(',') as u8;
    let mut reader =
        csv::ReaderBuilder::new().delimiter(delimiter).flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let names = reader.headers().map_err(|why| bad(why.to_string()))?.clone();
    let columns = names.iter().map(column).collect::<Result<Vec<_>, _>>().map_err(bad)?;
    let has = |column| columns.iter().filter(|other| **other == column).count();
    if let Some((name, _)) = Column::ALL.iter().find(|(_, column)| has(*column) > 1) {
        return Err(bad(format!("the header has {name} twice")));
    }
    if has(Column::Name) + has(Column::Id) == 0 {
        return Err(bad(
            "the first line names the columns: name, and any of id, club, country, year_of_birth, links".into()
        ));
    }
    let mut records = Vec::new();
    // The reader's own line count is wrong if lines end in CR LF or are empty.
    let (mut line, mut counted) = (1, 0);
    for record in reader.records() {
        let record = record.map_err(|why| bad(why.to_string()))?;
        if records.len() >= LINES_MAX {
            return Err(bad(format!("it has more than {LINES_MAX} lines")));
        }

        let start = record.position().map_or(0, |position| position.byte() as usize);
        let start = start + text[start..].bytes().take_while(|b| matches!(b, b'\r' | b'\n')).count();
        line += text[counted..start].matches('\n').count() as u64;
        counted = start;
        if record.iter().any(|field| !field.is_empty()) {
            records.push((line, record.iter().map(str::to_owned).collect()));
        }
    }
    Ok((columns, records))
}

fn column(name: &str) -> Result<Column, String> {
    let plain = name.to_lowercase().replace([' ', '-'], "_");
    let known = Column::ALL.iter().find(|(known, _)| *known == plain).map(|(_, column)| *column);
    known.ok_or_else(|| {
        let names: Vec<_> = Column::ALL.iter().map(|(name, _)| *name).collect();
        let name: String = name.chars().take(40).collect();
        format!("there is no column {name:?}; there are: {}", names.join(", "))
    })
}

/// The id and the details in a line, or what is wrong with them.
fn read_line(columns: &[Column], fields: &[String]) -> (Result<Option<LogId>, String>, Result<Details, String>) {
    let (mut id, mut details) = (Ok(None), Details::default());
    let mut wrong = (fields.len() > columns.len())
        .then(|| format!("it has {} fields, and the header {}", fields.len(), columns.len()));
    for (column, field) in columns.iter().zip(fields).filter(|(_, field)| !field.is_empty()) {
        match column {
            Column::Id => id = field.parse().map(Some).map_err(|why| format!("`id`: {why}")),
            Column::Name => details.name = Change::To(field.clone()),
            Column::Club => details.club = Change::To(field.clone()),
            Column::Country => details.country = Change::To(field.clone()),
            Column::YearOfBirth => match field.parse() {
                Ok(year) => details.year_of_birth = Change::To(year),
                Err(_) => wrong = Some("`year_of_birth` is a year such as 1987".to_owned()),
            },
            Column::Links => details.links = Some(field.split_whitespace().map(str::to_owned).collect()),
        }
    }
    (id, wrong.map_or(Ok(details), Err))
}
