//! Scenes: what to draw of a position, and of consecutive positions.

use std::sync::LazyLock;

use async_graphql::indexmap::IndexSet;
use async_graphql::{Context, Enum};
use plybook_rules::scene::{Item, Motion, Point, Row, Scene, Shape, Table};
use plybook_service::error::Problem;

use super::plain::{Members, Plain};
use super::position::Position;
use super::spend;

/// How an item of a scene is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
enum SceneShape {
    /// A filled polygon with the corners `points`.
    Polygon,
    /// A filled circle about `at` with the radius `r`.
    Circle,
    /// An open line through `points`.
    Line,
    /// The text `text`, centred on `at`, with the font size (em) `size`.
    Text,
}

impl Plain for Scene {
    const NAME: &'static str = "Scene";
    const ABOUT: &'static str = "What to draw of a position, as shapes in board units; see docs/scenes.md.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Scene>> = LazyLock::new(|| {
            Members::<Scene>::new()
                .value::<String>("kind", "The kind of game.", |scene, out| out.put(scene.kind))
                .value::<Vec<i32>>("view", "What is in view: `[x, y, width, height]`.", |scene, out| {
                    out.put(&scene.view);
                })
                .objects("items", "What is drawn, from back to front.", |scene| &scene.items)
                .object("motion", "How the last action turned things; null if it turned nothing.", |scene| {
                    scene.motion.as_ref()
                })
                .value::<String>("status", "What is happening, in a sentence.", |scene, out| {
                    out.put(&scene.status);
                })
                .objects("tables", "What stands beside the board.", |scene| &scene.tables)
        });
        &MEMBERS
    }
}

impl Plain for Item {
    const NAME: &'static str = "SceneItem";
    const ABOUT: &'static str = "A drawn item of a scene.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Item>> = LazyLock::new(|| {
            Members::<Item>::new()
                .value::<SceneShape>("shape", "How it is drawn.", |item, out| {
                    out.put(match &item.shape {
                        Shape::Polygon { .. } => "POLYGON",
                        Shape::Circle { .. } => "CIRCLE",
                        Shape::Line { .. } => "LINE",
                        Shape::Text { .. } => "TEXT",
                    });
                })
                .value::<Option<Vec<Vec<i32>>>>(
                    "points",
                    "The points `[x, y]` of a polygon or a line, in order.",
                    |item, out| match &item.shape {
                        Shape::Polygon { points } | Shape::Line { points } => out.put(points),
                        Shape::Circle { .. } | Shape::Text { .. } => out.put(&()),
                    },
                )
                .value::<Option<Vec<i32>>>("at", "The centre `[x, y]` of a circle or a text.", |item, out| {
                    let at: Option<&Point> = match &item.shape {
                        Shape::Circle { at, .. } | Shape::Text { at, .. } => Some(at),
                        Shape::Polygon { .. } | Shape::Line { .. } => None,
                    };
                    out.put(&at);
                })
                .value::<Option<i32>>("r", "The radius of a circle.", |item, out| {
                    out.put(&if let Shape::Circle { r, .. } = &item.shape { Some(r) } else { None });
                })
                .value::<Option<i32>>("size", "The font size (em) of a text.", |item, out| {
                    out.put(&if let Shape::Text { size, .. } = &item.shape { Some(size) } else { None });
                })
                .value::<Option<String>>("text", "The text of a text.", |item, out| {
                    out.put(&if let Shape::Text { text, .. } = &item.shape { Some(text) } else { None });
                })
                .value::<String>("class", "What it is: words separated by spaces.", |item, out| {
                    out.put(&item.class);
                })
                .value::<Option<String>>(
                    "place",
                    "The place on the board that it stands for or on, in the game's notation.",
                    |item, out| out.put(&item.place),
                )
                .value::<Option<String>>("title", "What it is in words, for people who ask.", |item, out| {
                    out.put(&item.title);
                })
                .value::<Option<String>>("group", "The group of items that it moves with.", |item, out| {
                    out.put(&item.group);
                })
                .value::<bool>(
                    "flat",
                    "Whether it lies flat on the board and turns with it, as grounds, spaces, borders and paths \
                     always do.",
                    |item, out| out.put(&item.flat),
                )
        });
        &MEMBERS
    }
}

impl Plain for Motion {
    const NAME: &'static str = "SceneMotion";
    const ABOUT: &'static str = "Groups of items that the last action turned about a point.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Motion>> = LazyLock::new(|| {
            Members::<Motion>::new()
                .value::<Vec<String>>("groups", "The groups that were turned.", |motion, out| {
                    out.put(&motion.groups);
                })
                .value::<Vec<i32>>("about", "The centre `[x, y]` of the turn.", |motion, out| {
                    out.put(&motion.about);
                })
                .value::<i32>(
                    "degrees",
                    "The angle, clockwise on the screen. The scene shows the groups after the turn.",
                    |motion, out| out.put(&motion.degrees),
                )
        });
        &MEMBERS
    }
}

impl Plain for Table {
    const NAME: &'static str = "SceneTable";
    const ABOUT: &'static str = "Figures beside the board, shown as text.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Table>> = LazyLock::new(|| {
            Members::<Table>::new()
                .value::<String>("title", "What it shows; empty if its columns make that plain.", |table, out| {
                    out.put(&table.title);
                })
                .value::<Vec<String>>(
                    "columns",
                    "The headings of the columns, without the first, which names the rows.",
                    |table, out| out.put(&table.columns),
                )
                .objects("rows", "The rows, from top to bottom.", |table| &table.rows)
        });
        &MEMBERS
    }
}

impl Plain for Row {
    const NAME: &'static str = "SceneRow";
    const ABOUT: &'static str = "A row of a table: of a seat, or of something with a name.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Row>> = LazyLock::new(|| {
            Members::<Row>::new()
                .value::<Option<u8>>("seat", "The seat of the row; null if it is of no seat.", |row, out| {
                    out.put(&(row.seat > 0).then_some(row.seat));
                })
                .value::<String>("name", "The name of the row; empty if it is of a seat.", |row, out| {
                    out.put(&row.name);
                })
                .value::<String>("class", "What it is, as for items.", |row, out| out.put(&row.class))
                .value::<Vec<String>>("cells", "One text for each column.", |row, out| out.put(&row.cells))
        });
        &MEMBERS
    }
}

/// The scenes of consecutive plies, with everything that they share only once.
pub struct Scenes {
    kind: String,
    items: Vec<Item>,
    tables: Vec<Table>,
    frames: Vec<Frame>,
}

/// One of the scenes.
pub struct Frame {
    ply: usize,
    view: [i32; 4],
    /// Ranges of the shared items.
    items: Vec<[usize; 2]>,
    /// The numbers of shared tables.
    tables: Vec<usize>,
    motion: Option<Motion>,
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

impl Plain for Scenes {
    const NAME: &'static str = "Scenes";
    const ABOUT: &'static str = "The scenes of consecutive plies, with everything that they share only once; \
                                 docs/scenes.md shows how to put them together.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Scenes>> = LazyLock::new(|| {
            Members::<Scenes>::new()
                .value::<String>("kind", "The kind of game.", |scenes, out| out.put(&scenes.kind))
                .objects("items", "Every item of these scenes, once.", |scenes| &scenes.items)
                .objects("tables", "Every table of these scenes, once.", |scenes| &scenes.tables)
                .objects("frames", "The scenes, in the order of plies.", |scenes| &scenes.frames)
        });
        &MEMBERS
    }
}

impl Plain for Frame {
    const NAME: &'static str = "SceneFrame";
    const ABOUT: &'static str = "The scene of one ply, which names shared items and tables by their indices.";

    fn members() -> &'static Members<Self> {
        static MEMBERS: LazyLock<Members<Frame>> = LazyLock::new(|| {
            Members::<Frame>::new()
                .value::<usize>("ply", "The ply.", |frame, out| out.put(&frame.ply))
                .value::<Vec<i32>>("view", "What is in view: `[x, y, width, height]`.", |frame, out| {
                    out.put(&frame.view);
                })
                .value::<Vec<Vec<usize>>>(
                    "items",
                    "What is drawn, from back to front: ranges `[from, to]` of the shared items, without item `to`.",
                    |frame, out| out.put(&frame.items),
                )
                .value::<Vec<usize>>(
                    "tables",
                    "What stands beside the board: indices of the shared tables.",
                    |frame, out| out.put(&frame.tables),
                )
                .object("motion", "How the last action turned things; null if it turned nothing.", |frame| {
                    frame.motion.as_ref()
                })
                .value::<String>("status", "What is happening, in a sentence.", |frame, out| {
                    out.put(&frame.status);
                })
        });
        &MEMBERS
    }
}
