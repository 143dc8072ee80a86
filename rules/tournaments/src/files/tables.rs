//! Tables for spreadsheets.

use plybook_events::body::Bye;

use super::outcome::{name, outcome};
use super::sheet::Sheet;
use crate::crosstable::{Crosstable, Meeting};
use crate::log::{Cell, Ranks, Tournament};
use crate::{EntrantNumber, HistoryError};

/// What lists by starting rank need from a tournament.
struct Names<'a> {
    tournament: &'a Tournament,
    ranks: Ranks,
}

impl<'a> Names<'a> {
    fn new(tournament: &'a Tournament) -> Self {
        Self { tournament, ranks: tournament.ranks() }
    }

    fn name(&self, rank: EntrantNumber) -> &str {
        name(self.tournament, self.ranks.entrant(rank))
    }

    /// Rank, name, rating, club and country.
    fn facts(&self, rank: EntrantNumber) -> [String; 5] {
        let details = &self.tournament.entrants[usize::from(self.ranks.entrant(rank)) - 1].details;
        let rating = details.rating.map_or(String::new(), |rating| rating.to_string());
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        [rank.0.to_string(), details.name.clone(), rating, text(&details.club), text(&details.country)]
    }

    /// What an entrant did in a round.
    fn cell(&self, cell: &Cell) -> String {
        let points = cell.points.map_or("?".to_owned(), |points| points.to_string());
        let done = match (cell.place, cell.bye) {
            (None, Some(Bye::Pairing | Bye::Full)) => format!("bye {points}"),
            (None, _) => format!("absent {points}"),
            (Some((_, seat)), _) => {
                let rank = |entrant: &u16| self.ranks.rank(*entrant).0.to_string();
                let others = cell.opponents.iter().map(rank).collect::<Vec<_>>().join("+");
                let forfeit = if cell.is_forfeit { "F" } else { "" };
                let what = if cell.is_struck { "struck out".to_owned() } else { format!("{points}{forfeit}") };
                format!("{others} s{seat} {what}")
            }
        };
        format!("{done} ({})", cell.score)
    }
}

const FACTS: [&str; 5] = ["number", "name", "rating", "club", "country"];

/// The entrants, by starting rank.
pub fn entrants_csv(tournament: &Tournament) -> String {
    let names = Names::new(tournament);
    let mut sheet = Sheet::new(FACTS);
    for index in 0..names.ranks.len() {
        sheet.row(names.facts(EntrantNumber::from_index(index)));
    }
    sheet.text()
}

/// The standings after a round, with a column for each tie-break.
///
/// # Errors
/// As for [`Tournament::standings`].
pub fn standings_csv(tournament: &Tournament, after_round: u32) -> Result<String, HistoryError> {
    let names = Names::new(tournament);
    let standings = tournament.standings(after_round)?;
    let tie_breaks: Vec<String> = standings.columns.iter().map(|column| column.tie_break.to_string()).collect();
    let has_reached = standings.rows.iter().any(|row| row.reached.is_some());
    let reached = has_reached.then_some("reached");
    let columns = ["place"].into_iter().chain(FACTS).chain(reached).chain(["points"]);
    let mut sheet = Sheet::new(columns.chain(tie_breaks.iter().map(String::as_str)));
    for row in &standings.rows {
        let place = row.place.map_or(String::new(), |place| place.to_string());
        let reached = has_reached.then(|| row.reached.map_or(String::new(), |reached| reached.to_string()));
        let figures = row.figures.iter().map(|figure| figure.amount.map_or(String::new(), |amount| amount.to_string()));
        let cells = [place].into_iter().chain(names.facts(row.entrant)).chain(reached);
        sheet.row(cells.chain([row.points.to_string()]).chain(figures));
    }
    Ok(sheet.text())
}

/// The crosstable after a round: a column for every entrant, in the order of the standings.
///
/// # Errors
/// As for [`Tournament::standings`].
pub fn crosstable_csv(tournament: &Tournament, after_round: u32) -> Result<String, HistoryError> {
    let names = Names::new(tournament);
    let standings = tournament.standings(after_round)?;
    let table = Crosstable::new(&tournament.history(&names.ranks), &tournament.rules.standings, &standings);
    let columns: Vec<String> = table.entrants.iter().map(|entrant| entrant.0.to_string()).collect();
    let fixed = ["place", "number", "name", "points"];
    let mut sheet = Sheet::new(fixed.into_iter().chain(columns.iter().map(String::as_str)));
    for (row, cells) in standings.rows.iter().zip(&table.cells) {
        let place = row.place.map_or(String::new(), |place| place.to_string());
        let head = [place, row.entrant.0.to_string(), names.name(row.entrant).to_owned(), row.points.to_string()];
        let games = cells.iter().zip(&table.entrants).map(|(games, column)| {
            if *column == row.entrant {
                "*".to_owned()
            } else {
                games.iter().map(meeting).collect::<Vec<_>>().join(" ")
            }
        });
        sheet.row(head.into_iter().chain(games));
    }
    Ok(sheet.text())
}

fn meeting(meeting: &Meeting) -> String {
    let forfeit = if meeting.is_forfeit { "F" } else { "" };
    let struck = if meeting.is_struck { "S" } else { "" };
    meeting.points.map_or("?".to_owned(), |points| format!("{points}{forfeit}{struck}"))
}

/// Each entrant's opponents in the rounds up to this one, with the scores: `12 s2 1.0 (3.5)` is a point
/// against number 12, played in the second seat, which makes 3.5 points.
///
/// # Errors
/// As for [`Tournament::standings`].
pub fn progress_csv(tournament: &Tournament, after_round: u32) -> Result<String, HistoryError> {
    let names = Names::new(tournament);
    let standings = tournament.standings(after_round)?;
    let cards = tournament.cards(standings.round as u32);
    let rounds: Vec<String> = (1..=standings.round).map(|round| format!("round {round}")).collect();
    let fixed = ["place", "number", "name", "points"];
    let mut sheet = Sheet::new(fixed.into_iter().chain(rounds.iter().map(String::as_str)));
    for row in &standings.rows {
        let place = row.place.map_or(String::new(), |place| place.to_string());
        let head = [place, row.entrant.0.to_string(), names.name(row.entrant).to_owned(), row.points.to_string()];
        let card = &cards[usize::from(names.ranks.entrant(row.entrant)) - 1];
        sheet.row(head.into_iter().chain(card.iter().map(|cell| names.cell(cell))));
    }
    Ok(sheet.text())
}

/// The pairings of a round with the outcomes, by table, followed by the byes; `None` if the round is not
/// paired.
pub fn pairings_csv(tournament: &Tournament, round: u32) -> Option<String> {
    let names = Names::new(tournament);
    let round = tournament.round(round)?;
    let most = round.tables.iter().map(|table| table.seats.len()).max().unwrap_or(2).max(2);
    let seats: Vec<String> = (1..=most)
        .flat_map(|seat| [format!("number {seat}"), format!("seat {seat}"), format!("points {seat}")])
        .collect();
    let mut sheet = Sheet::new(["table"].into_iter().chain(seats.iter().map(String::as_str)).chain(["result"]));
    let rank = |entrant: u16| names.ranks.rank(entrant).0.to_string();
    for (number, table) in (1..).zip(&round.tables) {
        let points = tournament.table_points(table);
        let cells = (0..most).flat_map(|seat| match table.seats.get(seat) {
            Some(entrant) => {
                let points = points.as_ref().map_or(String::new(), |points| points[seat].to_string());
                [rank(*entrant), name(tournament, *entrant).to_owned(), points]
            }
            None => Default::default(),
        });
        sheet.row([u32::to_string(&number)].into_iter().chain(cells).chain([outcome(table)]));
    }
    for bye in &round.byes {
        let points = tournament.bye_points(crate::log::kind_of(bye.bye)).to_string();
        let first = [rank(bye.entrant), name(tournament, bye.entrant).to_owned(), points];
        let rest = std::iter::repeat_n(String::new(), 3 * (most - 1));
        sheet.row([String::new()].into_iter().chain(first).chain(rest).chain(["bye".to_owned()]));
    }
    Some(sheet.text())
}
