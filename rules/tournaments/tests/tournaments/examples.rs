//! Worked examples of tie-breaks: `tests/data/tournaments/*.txt`, each a crosstable with the figures that its
//! source gives for it.

use std::path::{Path, PathBuf};

use plybook_tournaments::{Scoring, Standings, StandingsRules, TieBreak};

use crate::common::crosstable;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/tournaments");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|extension| extension == "txt")).collect()
}

/// A row of figures: the number of the entrant, and its figures as text.
fn row(line: &str) -> (u16, Vec<&str>) {
    let mut words = line.split_whitespace();
    (words.next().unwrap().parse().unwrap(), words.collect())
}

fn check(file: &Path) {
    let text = std::fs::read_to_string(file).unwrap();
    assert!(text.starts_with("# source "), "{} names its source", file.display());
    let parts: Vec<&str> = text.split("\n\n").collect();
    let [head, crosstable, figures] = parts[..] else { panic!("{} has three parts", file.display()) };
    let history = crosstable::history(crosstable.lines());
    let mut lines = figures.lines();
    let mut columns = lines.next().unwrap().split_whitespace();
    assert_eq!(columns.next(), Some("PTS"));
    let expected: Vec<(u16, Vec<&str>)> = lines.map(row).collect();
    for (index, column) in columns.enumerate() {
        let tie_break: TieBreak = column.parse().unwrap();
        let rules = StandingsRules {
            scoring: Scoring::default(),
            seats: 2,
            is_round_robin: head.ends_with("system: round-robin"),
            tie_breaks: vec![tie_break],
            teams: Vec::new(),
        };
        let standings = Standings::after(&history, &rules, usize::MAX).unwrap();
        for (entrant, figures) in &expected {
            let row = standings.rows.iter().find(|row| row.entrant.0 == *entrant).unwrap();
            let told = row.figures[0].amount.map_or("-".to_owned(), |amount| amount.to_string());
            let what = format!("{}: {column} of {entrant}: {:#?}", file.display(), row.figures[0]);
            assert_eq!(told, figures[index + 1], "{what}");
            assert_eq!(row.points.to_string(), figures[0], "{what}");
        }
    }
}

#[test]
fn figures_are_those_of_the_sources() {
    let files = files();
    assert!(files.len() >= 3, "{files:?}");
    for file in files {
        check(&file);
    }
}
