//! Standings and pairings as pages for frames of other sites, and to be copied to them.

use std::collections::BTreeMap;

use plybook_service::error::Problem;
use plybook_tournaments::files::outcome;
use plybook_tournaments::log::{Round, Tournament};
use plybook_viewer::language::{Language, escaped};

/// How often a page in a frame is loaded again, in seconds.
const AGAIN_S: u32 = 60;

/// The pages of a tournament in one language.
pub(super) struct TournamentPage<'a> {
    tournament: &'a Tournament,
    /// The address of the service.
    site: &'a str,
    language: Language,
    words: BTreeMap<String, String>,
}

impl<'a> TournamentPage<'a> {
    pub(super) fn new(tournament: &'a Tournament, site: &'a str, language: Language) -> Self {
        Self { tournament, site, language, words: language.words().unwrap_or_default() }
    }

    /// The page of this name, after a round or of it; by default the last one.
    ///
    /// # Errors
    /// The round is not paired.
    pub(super) fn text(&self, name: &str, round: Option<u32>) -> Result<String, Problem> {
        if name == "standings.html" {
            return self.standings(round.unwrap_or_else(|| self.tournament.last_played()));
        }
        let number = round.unwrap_or(self.tournament.rounds.len() as u32);
        let round = self.tournament.round(number);
        let round = round.ok_or_else(|| Problem::NotFound(format!("round {number} is not paired")))?;
        Ok(self.pairings(number, round))
    }

    fn standings(&self, after: u32) -> Result<String, Problem> {
        let standings = self.tournament.standings(after).map_err(Problem::internal)?;
        let ranks = self.tournament.ranks();
        let head = [self.of("sheet.place"), self.of("sheet.name"), self.of("sheet.points")];
        let codes = standings.columns.iter().map(|column| column.tie_break.to_string());
        let rows = standings.rows.iter().map(|row| {
            let place = row.place.map_or(String::new(), |place| place.to_string());
            let figures =
                row.figures.iter().map(|figure| figure.amount.map_or(String::new(), |amount| amount.to_string()));
            let name = self.name(ranks.entrant(row.entrant));
            [place, name, row.points.to_string()].into_iter().chain(figures).collect()
        });
        let title = self.of("sheet.standings").replace("{what}", &after.to_string());
        Ok(self.page(&title, &head.into_iter().chain(codes).collect::<Vec<_>>(), rows))
    }

    fn pairings(&self, number: u32, round: &Round) -> String {
        let head = ["sheet.table", "sheet.players", "sheet.result"].map(|key| self.of(key));
        let tables = (1_u32..).zip(&round.tables).map(|(number, table)| {
            let names: Vec<String> = table.seats.iter().map(|entrant| self.name(*entrant)).collect();
            vec![number.to_string(), names.join(" – "), outcome(table)]
        });
        let byes = round.byes.iter().map(|bye| vec![String::new(), self.name(bye.entrant), self.of("sheet.out")]);
        self.page(&self.of("sheet.round").replace("{what}", &number.to_string()), &head, tables.chain(byes))
    }

    fn name(&self, entrant: u16) -> String {
        self.tournament.entrant(entrant).map_or_else(String::new, |entrant| entrant.details.name.clone())
    }

    fn of(&self, key: &str) -> String {
        self.words.get(key).cloned().unwrap_or_default()
    }

    fn page(&self, title: &str, head: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
        let Self { site, tournament, .. } = self;
        let cells = |tag: &str, cells: &[String]| {
            cells.iter().fold(String::new(), |row, cell| row + &format!("<{tag}>{}</{tag}>", escaped(cell)))
        };
        let rows = rows.fold(String::new(), |rows, row| rows + &format!("<tr>{}</tr>\n", cells("td", &row)));
        let (code, name) = (self.language.code(), escaped(&tournament.settings.name));
        let direction = self.of("dir");
        format!(
            "<!doctype html>\n<html lang=\"{code}\" dir=\"{direction}\">\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta http-equiv=\"refresh\" content=\"{AGAIN_S}\">\n<title>{name}: {title}</title>\n\
             <link rel=\"stylesheet\" href=\"{site}/static/tournaments/sheet.css\">\n\
             <h1><a href=\"{site}/tournaments/{id}\" target=\"_top\">{name}</a></h1>\n<h2>{title}</h2>\n\
             <table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n",
            id = tournament.id,
            title = escaped(title),
            head = cells("th", head),
        )
    }
}
