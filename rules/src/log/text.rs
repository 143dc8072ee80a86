//! Text records: a game as people write it, with lines in parentheses.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

use plybook_events::body::Annotated;
use plybook_events::{LogId, Played, printable_json, printable_lines};
use serde_json::{Value, json};

use super::record::{RecordError, word_at};
use super::replay::Replay;
use crate::Viewer;

/// The most actions in a text record.
const WORDS_MAX: usize = 20_000;

/// The column at which lines of text are wrapped, approximately.
const WIDTH: usize = 100;

/// Writes a text record: a header of `[Name "value"]` lines, then the actions with their plies and comments.
/// Lines follow in parentheses after the action that they replace. `said` holds the annotations of the game
/// itself, `below` the lines below it.
pub fn record_text(game: &Replay, viewer: Viewer, said: &BTreeMap<usize, Annotated>, below: &[Arc<Replay>]) -> String {
    let mut out = header(game, viewer);
    let mut lines: BTreeMap<LogId, Vec<&Replay>> = BTreeMap::new();
    for line in below {
        let parent = line.created().fork.as_ref().map(|fork| fork.game);
        lines.entry(parent.unwrap_or(line.log())).or_default().push(line);
    }
    let mut writer = Writer { out: String::new(), width: 0, lines };
    writer.way(game, 0, viewer, said);
    out.push('\n');
    out += &writer.out;
    out.push('\n');
    out
}

fn header(game: &Replay, viewer: Viewer) -> String {
    let mut out = String::new();
    let mut header = |name: &str, value: &str| {
        writeln!(out, "[{name} {}]", printable_json(&Value::from(value).to_string()))
            .expect("a string can be written to");
    };
    let created = game.created();
    header("Game", &game.log().to_string());
    if let Some(fork) = &created.fork {
        header("Line", game.name().unwrap_or_default());
        header("ForkedFrom", &format!("{} ply {}", fork.game, fork.ply));
    }
    header("Kind", &created.kind);
    header("Rules", &created.rules);
    header("Setup", &game.rules().setup_for(game.setup(), viewer).to_string());
    if let Some(position) = &created.position {
        header("Position", &position.to_string());
    }
    for (index, seat) in created.seats.iter().enumerate() {
        header(&format!("Seat{}", index + 1), &seat.name);
    }
    if let Some(played) = created.played {
        header("Played", &played.to_string());
    }
    if created.unrated {
        header("Rated", "no");
    }
    let people = game.recorded_by();
    if !people.is_empty() {
        header("RecordedBy", &people.join(" "));
    }
    header("Created", &game.created_at().to_string());
    header("Status", game.status().name());
    if let Some(end) = game.end() {
        let winners: Vec<_> = end.outcome.winners.iter().map(ToString::to_string).collect();
        header("Winners", &winners.join(" "));
        header("Reason", &end.outcome.reason);
    }
    out
}

/// Writes pieces separated by spaces or line breaks.
struct Writer<'a> {
    out: String,
    width: usize,
    /// The lines by the log that they leave, in order.
    lines: BTreeMap<LogId, Vec<&'a Replay>>,
}

impl<'a> Writer<'a> {
    fn piece(&mut self, piece: &str) {
        if self.width > 0 && self.width + piece.len() >= WIDTH {
            self.out.push('\n');
            self.width = 0;
        } else if self.width > 0 {
            self.out.push(' ');
        }
        self.width += piece.len() + 1;
        self.out += piece;
    }

    /// Writes the plies of a log after a given one, each followed by the lines that replace it.
    fn way(&mut self, game: &Replay, from: usize, viewer: Viewer, said: &BTreeMap<usize, Annotated>) {
        let lines = self.lines.remove(&game.log()).unwrap_or_default();
        let mut lines: Vec<(usize, &'a Replay)> = lines.into_iter().map(|line| (game.meets(line), line)).collect();
        lines.sort_by_key(|(meets, _)| *meets);
        let mut lines = lines.into_iter().peekable();
        let last = game.mainline().len();
        for ply in from + 1..=last {
            self.piece(&action(game, ply, viewer, said.get(&ply)));
            while let Some((meets, line)) = lines.next_if(|(meets, _)| meets + 1 == ply) {
                self.variation(line, meets);
            }
        }
        for (meets, line) in lines {
            self.variation(line, meets);
        }
    }

    /// Writes a line in parentheses, preceded by its name as a comment.
    fn variation(&mut self, line: &Replay, meets: usize) {
        self.piece("(");
        if let Some(name) = line.name() {
            self.piece(&comment(name));
        }
        let said = line.annotations().map(|(ply, said)| (ply, said.clone())).collect();
        self.way(line, meets, Viewer::All, &said);
        self.piece(")");
    }
}

/// An action with its ply, glyphs and comment.
fn action(game: &Replay, ply: usize, viewer: Viewer, said: Option<&Annotated>) -> String {
    let mut piece = format!("{ply}. {}", word_at(game, ply, viewer));
    if let Some(said) = said {
        said.glyphs.iter().for_each(|said| piece += &format!(" {}", glyph(said)));
        if let Some(text) = &said.comment {
            piece += &format!(" {}", comment(text));
        }
    }
    piece
}

/// A comment in braces. Braces and line breaks in the text become spaces.
fn comment(text: &str) -> String {
    format!("{{{}}}", escaped(&text.replace(['{', '}', '\n', '\r'], " ")))
}

/// A glyph as one word: a parenthesis would begin a line of analysis, and a space another word.
fn glyph(text: &str) -> String {
    format!("${}", escaped(text).replace(|c: char| matches!(c, '(' | ')') || c.is_whitespace(), ""))
}

/// A text in a line, without braces: what cannot be printed is written as `\u1b`.
fn escaped(text: &str) -> String {
    printable_lines(text).replace(['{', '}'], "")
}

/// A parsed text record.
pub struct TextRecord {
    /// The kind of game.
    pub kind: String,
    /// The setup; an empty object if the record has none.
    pub setup: Value,
    /// The position to start from, if one is set up.
    pub position: Option<Value>,
    /// When it was played, if that is stated.
    pub played: Option<Played>,
    /// Whether it is left out of ratings.
    pub is_unrated: bool,
    /// The names, seat 1 first.
    pub seats: Vec<String>,
    /// The actions of the mainline, as words.
    pub words: Vec<String>,
}

impl TextRecord {
    /// Parses header lines and words. Comments in braces, glyphs and everything in parentheses are skipped.
    ///
    /// # Errors
    /// The text is not laid out as a text record.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let bad = |why: String| RecordError::Text(why);
        let mut record = Self {
            kind: String::new(),
            setup: json!({}),
            position: None,
            played: None,
            is_unrated: false,
            seats: Vec::new(),
            words: Vec::new(),
        };
        let (mut names, mut seats) = (BTreeSet::new(), BTreeMap::new());
        let mut body = String::new();
        // Editors may put a byte order mark in front.
        for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let line = line.trim();
            let inside = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
            let Some(inside) = inside.filter(|_| body.trim().is_empty()) else {
                body += line;
                body.push('\n');
                continue;
            };
            let wrong = || bad(format!("line {number}: a header line is [Name \"value\"]"));
            let (name, value) = inside.split_once(' ').ok_or_else(wrong)?;
            let value: String = serde_json::from_str(value).map_err(|_| wrong())?;
            if !names.insert(name) {
                return Err(bad(format!("line {number}: `{name}` appears twice")));
            }
            match name {
                "Kind" => record.kind = value,
                "Setup" => record.setup = serde_json::from_str(&value).map_err(|_| bad("`Setup` holds JSON".into()))?,
                "Position" => {
                    let position = serde_json::from_str(&value);
                    record.position = Some(position.map_err(|_| bad("`Position` holds JSON".into()))?);
                }
                "Played" => {
                    let played = Played::parse_lenient(&value);
                    record.played = Some(played.map_err(|why| bad(format!("`Played`: {why}")))?);
                }
                "Rated" => match value.as_str() {
                    "yes" => {}
                    "no" => record.is_unrated = true,
                    _ => return Err(bad("`Rated` is yes or no".into())),
                },
                _ => {
                    let seat = name.strip_prefix("Seat").and_then(|number| number.parse::<usize>().ok());
                    seats.extend(seat.map(|seat| (seat, value)));
                }
            }
        }
        if record.kind.is_empty() {
            return Err(bad("it lacks [Kind \"…\"]".into()));
        }
        if let Some(missing) = (1..=seats.len()).find(|seat| !seats.contains_key(seat)) {
            return Err(bad(format!("it lacks [Seat{missing} \"…\"]")));
        }
        record.seats = seats.into_values().collect();
        record.words = words(&body).map_err(bad)?;
        Ok(record)
    }
}

/// The actions of a mainline. A number before an action has to be its ply, so that a move that was lost while somebody edited
/// the text does not go unnoticed.
///
/// # Errors
/// A comment or a parenthesis is not closed or not opened, a ply is another, or there are too many actions.
fn words(body: &str) -> Result<Vec<String>, String> {
    let (mut words, mut depth, mut in_comment) = (Vec::new(), 0_usize, false);
    let mut word = String::new();
    for c in body.chars().chain([' ']) {
        if in_comment {
            in_comment = c != '}';
            continue;
        }
        if !c.is_whitespace() && !matches!(c, '{' | '}' | '(' | ')') {
            word.push(c);
            continue;
        }
        let ended = std::mem::take(&mut word);
        let ply = ended.strip_suffix('.').filter(|ply| !ply.is_empty() && ply.bytes().all(|b| b.is_ascii_digit()));
        match ply {
            _ if depth > 0 || ended.is_empty() || ended.starts_with('$') => {}
            Some(ply) if ply.parse::<usize>() == Ok(words.len() + 1) => {}
            Some(ply) => return Err(format!("ply {} is expected, not ply {ply}", words.len() + 1)),
            None if words.len() == WORDS_MAX => return Err(format!("it has more than {WORDS_MAX} actions")),
            None => words.push(ended),
        }
        match c {
            '{' => in_comment = true,
            '}' => return Err("a brace closes that none opened".to_owned()),
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).ok_or("a parenthesis closes that none opened")?,
            _ => {}
        }
    }
    match (in_comment, depth) {
        (true, _) => Err("a comment is not closed".to_owned()),
        (_, 0) => Ok(words),
        _ => Err("a parenthesis is not closed".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comment_that_was_imported_commands_no_terminal() {
        let text = comment("a\u{1b}[2J {b}\n\u{202E}c");
        assert_eq!(text, "{a\\u1b[2J  b  \\u202ec}");
        assert_eq!(words(&text), Ok(Vec::new()), "and is read as one comment");
        assert_eq!(glyph("!( {\u{1b}) ?"), "$!\\u1b?");
    }

    fn parsed(text: &str) -> Result<TextRecord, String> {
        TextRecord::parse(text).map_err(|why| why.to_string())
    }

    #[test]
    fn what_an_editor_does_to_a_text_loses_no_action() {
        let with = |body: &str| parsed(&format!("[Kind \"k\"]\n\n{body}")).map(|record| record.words.join(" "));
        for body in [
            "1. a {x}2. b 3. c",
            "1. a{x} 2. b {y\n[Kind \"z\"]\n( } 3. c",
            "1. a $! (1. d (2. e)) 2. b\r\n3. c",
            "a b c",
        ] {
            assert_eq!(with(body).as_deref(), Ok("a b c"), "{body:?}");
        }
        for (body, why) in [
            ("1. a {x 2. b", "a comment is not closed"),
            ("1. a x} 2. b", "a brace closes that none opened"),
            ("1. a ( 1. b", "a parenthesis is not closed"),
            ("1. a ) 2. b", "a parenthesis closes that none opened"),
            ("1. a 3. c", "ply 2 is expected, not ply 3"),
            ("1. a 1. b", "ply 2 is expected, not ply 1"),
        ] {
            assert_eq!(with(body), Err(format!("not a text record: {why}")), "{body:?}");
        }
    }

    #[test]
    fn headers_are_read_in_any_order_and_once() {
        let record = parsed("\u{feff}[Seat2 \"b\"]\r\n[Rated \"no\"]\r\n[Seat1 \"a\"]\r\n[Kind \"k\"]\r\n").unwrap();
        assert_eq!((record.seats, record.is_unrated), (vec!["a".to_owned(), "b".to_owned()], true));
        for (header, why) in [
            ("[Seat1 \"b\"]", "line 3: `Seat1` appears twice"),
            ("[Kind \"l\"]", "line 3: `Kind` appears twice"),
            ("[Seat3 \"c\"]", "it lacks [Seat2 \"…\"]"),
            ("[Rated \"No\"]", "`Rated` is yes or no"),
        ] {
            let why = Err(format!("not a text record: {why}"));
            assert_eq!(parsed(&format!("[Kind \"k\"]\n[Seat1 \"a\"]\n{header}")).map(|_| ()), why, "{header}");
        }
    }
}
