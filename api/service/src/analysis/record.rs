//! An analysis in a record of its game.

use std::collections::BTreeMap;
use std::fmt::Write;

use plybook_events::body::Annotated;
use plybook_events::{Hash, LogId};
use serde_json::{Value, json};

use super::ply::{Glyph, PlyAnalysis, accuracy, turning_points};

/// The analysis of a game as JSON, with the members of `Analysis` in the API. What it was made with: the version of the
/// engine, and the playouts; and the last event of the game that it was made of.
pub fn to_record(game: LogId, (engine, playouts, head): (&str, u32, Hash), plies: &[impl AsRef<PlyAnalysis>]) -> Value {
    let ply = |ply: &PlyAnalysis| {
        json!({
            "ply": ply.ply,
            "chances": ply.chances(),
            "draw": ply.draw(),
            "best": ply.best,
            "line": ply.line,
            "lossOfPlayed": ply.loss(),
            "luck": ply.luck(),
            "glyph": ply.glyph.map(Glyph::text),
        })
    };
    json!({
        "game": game,
        "engine": engine,
        "playouts": playouts,
        "head": head,
        "plies": plies.iter().map(|one| ply(one.as_ref())).collect::<Vec<_>>(),
        "accuracy": accuracy(plies),
        "turningPoints": turning_points(plies),
    })
}

/// Adds an analysis to the annotations of a game: to each ply, the mark of the action that led there and, behind the
/// comment, the chances after it; where something else was better, also that. They are written as commands in PGN are:
/// `[%chances 0.61 0.36] [%draw 0.03] [%best b1-b2]`.
pub fn annotate(said: &mut BTreeMap<usize, Annotated>, plies: &[impl AsRef<PlyAnalysis>]) {
    for pair in plies.windows(2) {
        let [played, after] = [pair[0].as_ref(), pair[1].as_ref()];
        let none = || Annotated { ply: after.ply as u32, comment: None, glyphs: Vec::new() };
        let said = said.entry(after.ply).or_insert_with(none);
        let mark = played.glyph.map(|glyph| glyph.text().to_owned());
        let chances: Vec<String> = after.chances().iter().map(ToString::to_string).collect();
        let mut comment = said.comment.take().map(|comment| comment + " ").unwrap_or_default();
        comment += &format!("[%chances {}]", chances.join(" "));
        let mut add = |name: &str, value: &dyn std::fmt::Display| {
            write!(comment, " [%{name} {value}]").expect("a string can be written to");
        };
        if after.draw() > 0.0 {
            add("draw", &after.draw());
        }
        if let (Some(best), Some(Glyph::Dubious | Glyph::Mistake | Glyph::Blunder)) = (&played.best, played.glyph) {
            add("best", best);
        }
        said.comment = Some(comment);
        said.glyphs.extend(mark.filter(|mark| !said.glyphs.contains(mark)));
    }
}
