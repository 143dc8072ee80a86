//! `search`: finds positions of recorded games.

use std::io::{self, BufWriter, Write};

use clap::Args;
use plybook_models::Filter;
use plybook_rules::fact::common_facts;
use plybook_rules::predicate::Predicate;
use plybook_rules::{Rules, kind};
use plybook_service::{Extent, Found, Hit, Search as Searching};
use serde_json::json;

use super::rules::no_such_kind;
use super::settings::Data;
use super::{Failure, data, print};

/// Find the positions of recorded games in which a predicate holds, newest games first.
///
/// Prints a line for each: the game, the ply, and what was played next. A summary goes to standard error. The
/// predicate compares facts, such as `pads(1) > pads(2)`, and can ask for sequences, streaks and changes. --facts lists
/// the facts of a kind; docs/search.md describes the language. Lines, void games and running games of kinds with
/// secrets are left out. Nothing is changed, and a service may be using the data directory.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  plybook search tri --facts
  plybook search tri 'islands(1) >= 4 then within 6: captured(2) > 0' --data /srv/plybook
  plybook search triangulate 'first: blocked(1) >= 2 and not over' --limit 20
  plybook search thrones 'for 4 plies: fortresses(1) > fortresses(2)' --json")]
pub(crate) struct Search {
    /// The kind of game
    kind: String,
    /// What must hold in a position
    #[arg(required_unless_present = "facts")]
    predicate: Option<String>,
    #[command(flatten)]
    data: Data,
    /// List what a predicate can ask for, and exit
    #[arg(long)]
    facts: bool,
    /// Stop after this many positions [default: list all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Print JSON objects, one per line
    #[arg(long)]
    json: bool,
}

impl Search {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let rules = kind(&self.kind).ok_or_else(|| no_such_kind(&self.kind))?;
        match &self.predicate {
            Some(text) if !self.facts => self.search(rules, text),
            _ => print(list_facts(rules).as_bytes()),
        }
    }

    fn search(&self, rules: &'static dyn Rules, text: &str) -> Result<(), Failure> {
        let predicate = Predicate::read(rules, text).map_err(|why| Failure::trouble(why.pointing_into(text)))?;
        let service = self.data.read()?;
        let hits = self.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
        let extent = Extent { hits, counts_all: false, positions: u64::MAX, is_parallel: true };
        let mut search = Searching::new(rules, predicate, Filter::default(), None, extent).map_err(Failure::trouble)?;
        let bar = data::bar("games", search.games(&service) as u64);
        let mut out = BufWriter::new(io::stdout().lock());
        loop {
            let is_more = search.step(&service);
            bar.set_position(search.found.games_searched);
            for hit in search.found.hits.drain(..) {
                self.print(&mut out, &hit).map_err(Failure::output)?;
            }
            if !is_more {
                break;
            }
        }
        out.flush().map_err(Failure::output)?;
        bar.finish_and_clear();
        eprintln!("{}", self.summary(&search.found));
        Ok(())
    }

    fn print(&self, out: &mut impl Write, hit: &Hit) -> io::Result<()> {
        let (id, ply, next) = (hit.game.id, hit.ply, hit.next.as_deref());
        if self.json {
            return writeln!(out, "{}", json!({ "game": id, "ply": ply, "action": next }));
        }
        writeln!(out, "{id} {ply:>4} {}", next.unwrap_or("(end)"))
    }

    fn summary(&self, found: &Found) -> String {
        let Found { total, games_searched, positions_searched, .. } = found;
        let games = found.games.len();
        match self.limit.filter(|limit| total > limit) {
            Some(limit) => format!("the first {limit} positions; there are more"),
            None => format!("{total} of {positions_searched} positions, in {games} of {games_searched} games"),
        }
    }
}

fn list_facts(rules: &dyn Rules) -> String {
    let facts = [common_facts(), rules.facts()].concat();
    let width = facts.iter().map(|fact| fact.form().len()).max().unwrap_or_default();
    let lines = facts.iter().map(|fact| format!("{:width$}  {}", fact.form(), fact.description()));
    lines.collect::<Vec<_>>().join("\n") + "\n"
}
