//! The scenes of consecutive positions.

use async_graphql::Context;
use async_graphql::indexmap::IndexSet;
use plybook_rules::scene::{Item, Motion, Scene, Table};
use plybook_service::error::Problem;
use serde::Serialize;

use super::position::Position;
use super::spend;

/// The scenes of consecutive plies, with what they share only once; docs/scenes.md shows how to put them together.
#[derive(Serialize)]
pub struct Scenes {
    kind: String,
    items: Vec<Item>,
    tables: Vec<Table>,
    frames: Vec<Frame>,
}

/// One of the scenes.
#[derive(Serialize)]
struct Frame {
    ply: usize,
    view: [i32; 4],
    /// Ranges of the shared items.
    items: Vec<[usize; 2]>,
    /// The numbers of shared tables.
    tables: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    motion: Option<Motion>,
    #[serde(skip_serializing_if = "String::is_empty")]
    status: String,
}

impl Scenes {
    /// The scenes of positions.
    ///
    /// # Errors
    /// They become too large.
    pub fn of(ctx: &Context<'_>, kind: String, positions: &[Position]) -> Result<Self, Problem> {
        let (mut items, mut tables) = (IndexSet::new(), IndexSet::new());
        let mut frames = Vec::with_capacity(positions.len());
        for position in positions {
            let known = items.len();
            let Scene { view, items: drawn, motion, status, tables: beside, .. } = position.scene();
            frames.push(Frame {
                ply: position.ply,
                view,
                items: ranges(drawn.into_iter().map(|item| items.insert_full(item).0)),
                tables: beside.into_iter().map(|table| tables.insert_full(table).0).collect(),
                motion,
                status,
            });
            spend(ctx, (items.len() - known) * size_of::<Item>())?;
        }
        Ok(Self { kind, items: items.into_iter().collect(), tables: tables.into_iter().collect(), frames })
    }
}

/// Numbers as ranges `[from, to]`, without their ends.
fn ranges(numbers: impl Iterator<Item = usize>) -> Vec<[usize; 2]> {
    let mut ranges: Vec<[usize; 2]> = Vec::new();
    for number in numbers {
        match ranges.last_mut() {
            Some([_, to]) if *to == number => *to += 1,
            _ => ranges.push([number, number + 1]),
        }
    }
    ranges
}
