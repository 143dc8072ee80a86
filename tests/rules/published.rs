//! `tests/data/<kind>/published.md`: what it names exists, and it names every member of a setup.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use plybook_rules::repetition::REPETITION;

use plybook_tests_rules::data::top;
use plybook_tests_rules::tested;

/// A row of a table: its cells.
type Row<'a> = Vec<&'a str>;

/// The rows of the table on a page, without its head.
fn rows(page: &str) -> Vec<Row<'_>> {
    let lines = page.lines().filter(|line| line.starts_with("| "));
    lines.skip(1).map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// What stands between backticks.
fn quoted(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

/// The sources below a folder, put together.
fn sources(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).expect("the folder is read") {
        let path = entry.expect("it is read").path();
        if path.is_dir() {
            text += &sources(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text += &fs::read_to_string(&path).expect("a source is read");
        }
    }
    text
}

#[test]
fn every_statement_is_implemented_and_tested() {
    let mut published = 0;
    let tests = sources(&top().join("rules/src")) + &sources(&top().join("tests/rules"));
    for rules in tested() {
        let kind = rules.about().kind;
        let folder = top().join("rules/src/games").join(kind.replace('-', "_"));
        let path = top().join("tests/data").join(kind).join("published.md");
        // A game whose rules nobody has published has no such page.
        let Ok(page) = fs::read_to_string(&path) else { continue };
        published += 1;
        let rows = rows(&page);
        assert!(!rows.is_empty(), "{}: no statement", path.display());
        let mut named = BTreeSet::new();
        for row in &rows {
            let [statement, source, choice, test] = row[..] else { panic!("{kind}: not four cells: {row:?}") };
            assert!(!statement.is_empty() && !choice.is_empty(), "{kind}: an open statement: {row:?}");
            for file in quoted(source) {
                assert!(folder.join(file).is_file(), "{kind}: {statement}: there is no {file}");
            }
            named.extend(quoted(choice));
            for ruling in choice.split([';', ',', ' ']).filter(|word| word.starts_with('R')) {
                let text = format!("- **{ruling}** ");
                assert!(rules.about().document.contains(&text), "{kind}: {statement}: there is no ruling {ruling}");
            }
            let test = quoted(test);
            assert!(!test.is_empty() && !quoted(source).is_empty(), "{kind}: nothing covers it: {statement}");
            for test in test {
                let is_file = top().join("tests/data").join(kind).join(test).is_file();
                let is_function = tests.contains(&format!("#[test]\nfn {test}()"))
                    || tests.contains(&format!("#[test]\n    fn {test}()"));
                assert!(is_file || is_function, "{kind}: {statement}: there is no test {test}");
            }
        }
        let schema = rules.setup_schema();
        let ways = schema["oneOf"].as_array().into_iter().flatten().chain([&schema]);
        let members = ways.filter_map(|way| way["properties"].as_object()).flat_map(|members| members.keys());
        for member in members.filter(|member| *member != REPETITION) {
            assert!(named.contains(member.as_str()), "{kind}: published.md does not name `{member}`");
        }
        for name in named {
            let is_member = schema.to_string().contains(&format!("\"{name}\":{{"));
            assert!(is_member, "{kind}: `{name}` is no member of a setup");
        }
    }
    assert!(published >= 5 || std::env::var_os("PLYBOOK_RANDOM_KIND").is_some(), "{published} pages");
}

/// The people who wrote the rules are named where a game is shown.
#[test]
fn every_text_is_credited() {
    for rules in tested() {
        let about = rules.about();
        let section = rules.about().document;
        assert!(!about.designer.is_empty() && !about.source.is_empty(), "{}", about.kind);
        let name = about.designer.split(',').next().unwrap_or_default();
        assert!(section.contains(name), "{}: its README names nobody called {name}, its designer", about.kind);
    }
    let triforce = plybook_rules::kind("triforce").expect("it is a kind").about();
    assert!(triforce.source.contains("© 2005 Jeremiah Wittevrongel, under a Creative Commons licence"));
    assert!(triforce.document.contains("© 2005 Jeremiah Wittevrongel, under a Creative Commons licence"));
}
