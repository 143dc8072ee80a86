//! How an action is put together by tapping the board, where its text does not simply name the places.

use serde::Serialize;

use crate::scene::{Item, Point};

/// How the actions of a seat are put together. What is put together may still be illegal: actions are judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// Pieces are put from trays onto slots. The parts of all trays, one after the other, are the action.
    Trays(Vec<Tray>),
    /// Places are tapped one after the other. The routes are those of every legal action.
    Routes(Vec<Route>),
}

/// Pieces and the slots that they are put on.
///
/// Its part of the action is `before`, and then, slot by slot, what stands before the slot, the letter of the piece
/// on it, and what stands after it. Of a slot without a piece, nothing is written unless there is a `blank`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Tray {
    /// What it holds, for people.
    pub title: String,
    /// What is written before the first slot.
    pub before: &'static str,
    /// The letter of an empty slot in an action that is not complete yet; empty if nothing is written for it.
    pub blank: &'static str,
    /// The pieces that are on slots in the end.
    pub total: usize,
    /// Where pieces can be put, in the order in which they are written.
    pub slots: Vec<Slot>,
    /// What can be put there.
    pub pieces: Vec<TrayPiece>,
}

/// A place that a piece can be put on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Slot {
    /// The place, as the items of the scene name it.
    pub place: String,
    /// Where the pieces' own drawings are moved to.
    pub at: Point,
    /// What is written before the letter.
    pub before: String,
    /// What is written after the letter.
    pub after: String,
}

/// A sort of piece in a tray.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TrayPiece {
    /// Its letter.
    pub letter: char,
    /// Its name, for people.
    pub name: &'static str,
    /// The most of them that can be put on slots.
    pub most: usize,
    /// The fewest of them that must be on slots in the end.
    pub least: usize,
    /// The slots that it cannot be put on, by their places.
    pub barred: Vec<String>,
    /// What it looks like, within a square of 1000 units from `[0, 0]`.
    pub items: Vec<Item>,
}

/// The places that an action leads over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Route {
    /// The action.
    pub action: String,
    /// Its places in order, the one where it starts first.
    pub places: Vec<String>,
}
