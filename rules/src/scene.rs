//! What to draw: shapes in board units, with names that a viewer can use for keyboard control, colours
//! and animation. A scene says what things are (`class`), never how they look.
//!
//! Coordinates are integers; x grows to the right, y downwards; a board space is about 1000 units
//! wide. Items are drawn in order, from back to front.
//!
//! The classes of an item are words separated by spaces. Each is one of [`SHARED`], or one that the
//! game declares in [`crate::Game::CLASSES`].

use serde::Serialize;
use serde_json::Value;

/// One of the words in the class of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// The word itself.
    pub name: &'static str,
    /// What an item with this class is.
    pub description: &'static str,
}

impl Class {
    /// A class with its description.
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self { name, description }
    }
}

/// The classes that several games share.
pub const SHARED: &[Class] = &[
    Class::new("board", "the ground around the spaces"),
    Class::new("border", "the border of a part of the board"),
    Class::new("space", "a space of the board"),
    Class::new("dark", "a space of the darker colour, on a board of two"),
    Class::new("centre", "in the middle: a space of the board, or a part of a piece"),
    Class::new("mark", "a picture on a space"),
    Class::new("piece", "a piece"),
    Class::new("glyph", "the text on a piece"),
    Class::new("ring", "a ring on or around a piece"),
    Class::new("badge", "a small disc with a sign on it"),
    Class::new("path", "where a piece goes or went, or what it attacks"),
    Class::new("label", "text on or beside the board"),
    Class::new("note", "small text"),
    Class::new("last", "touched by the last action"),
    Class::new("from", "where the last action started"),
    Class::new("to", "where the last action led"),
    Class::new("hidden", "not known to everybody"),
    Class::new("seat-1", "seat 1's"),
    Class::new("seat-2", "seat 2's"),
    Class::new("seat-3", "seat 3's"),
    Class::new("seat-4", "seat 4's"),
    Class::new("seat-5", "seat 5's"),
    Class::new("seat-6", "seat 6's"),
    Class::new("seat-7", "seat 7's"),
    Class::new("seat-8", "seat 8's"),
    Class::new("seat-9", "seat 9's"),
    Class::new("seat-10", "seat 10's"),
    Class::new("seat-11", "seat 11's"),
    Class::new("seat-12", "seat 12's"),
    Class::new("seat-13", "seat 13's"),
];

/// A point `[x, y]` in board units.
pub type Point = [i32; 2];

/// A drawing of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scene {
    /// The kind of game, which tells styles apart; the registry of kinds sets it.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub kind: &'static str,
    /// What is in view: `[x, y, width, height]`.
    pub view: [i32; 4],
    /// What is drawn, from back to front.
    pub items: Vec<Item>,
    /// How the last action moved things, if the movement is to be animated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
    /// What is happening, in a sentence.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub status: String,
    /// What stands beside the board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Table>,
    /// The place of what is added.
    #[serde(skip)]
    pub(crate) here: Option<String>,
}

/// Figures beside the board, shown as text instead of being drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Table {
    /// What the table shows, unless its columns make that plain.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// The headings of the columns, without the first, which names the rows.
    pub columns: Vec<String>,
    /// The rows, from top to bottom.
    pub rows: Vec<Row>,
}

/// A row of a table: of a seat, or of something with a name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Row {
    /// The seat of the row; 0 if it belongs to no seat.
    pub seat: u8,
    /// The name of the row, if it belongs to no seat.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The classes of the row, as for items.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub class: String,
    /// One text for each column.
    pub cells: Vec<String>,
}

/// A drawn item.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Item {
    /// Its outline.
    #[serde(flatten)]
    pub shape: Shape,
    /// What it is: one or several classes, separated by spaces.
    pub class: String,
    /// The board place that it stands for or on (`b1`), in the game's notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// A description in words, for people who ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The group of items that it moves with (`island:D`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Whether it lies flat on the board and turns with it, as grounds, spaces, borders and paths always do.
    /// Everything else stands upright.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub flat: bool,
}

/// The outline of an item.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "shape", rename_all = "UPPERCASE")]
pub enum Shape {
    /// A filled polygon.
    Polygon {
        /// Its corners in order.
        points: Vec<Point>,
    },
    /// A filled circle.
    Circle {
        /// Its centre.
        at: Point,
        /// Its radius.
        r: i32,
    },
    /// An open line.
    Line {
        /// Its points in order.
        points: Vec<Point>,
    },
    /// Text, centred on a point.
    Text {
        /// The middle of the text.
        at: Point,
        /// The font size (em).
        size: i32,
        /// The text itself.
        text: String,
    },
}

/// Groups of items that the last action rotated about a point.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Motion {
    /// The groups that were rotated.
    pub groups: Vec<String>,
    /// The centre of rotation.
    pub about: Point,
    /// The angle in degrees, positive clockwise on the screen. The scene shows the groups after the rotation.
    pub degrees: i32,
}

impl Scene {
    /// An empty scene of `[x, y, width, height]`.
    pub fn new(view: [i32; 4]) -> Self {
        Self { kind: "", view, items: Vec::new(), motion: None, status: String::new(), tables: Vec::new(), here: None }
    }

    /// Adds a table beside the board.
    pub fn table(&mut self, title: &str, columns: &[&str], rows: impl IntoIterator<Item = Row>) {
        let columns = columns.iter().map(|&name| name.to_owned()).collect();
        self.tables.push(Table { title: title.to_owned(), columns, rows: rows.into_iter().collect() });
    }

    /// What is added from now on stands for this place, or on it.
    pub fn at(&mut self, place: impl Into<String>) {
        self.here = Some(place.into());
    }

    /// Adds an item on top and returns it, so that it can be named.
    pub fn add(&mut self, class: impl Into<String>, shape: Shape) -> &mut Item {
        let place = self.here.clone();
        self.items.push(Item { shape, class: class.into(), place, title: None, group: None, flat: false });
        self.items.last_mut().expect("it was just added")
    }

    /// Adds a polygon on top.
    pub fn polygon(&mut self, class: impl Into<String>, points: Vec<Point>) -> &mut Item {
        self.add(class, Shape::Polygon { points })
    }

    /// Adds a circle on top.
    pub fn circle(&mut self, class: impl Into<String>, at: Point, r: i32) -> &mut Item {
        self.add(class, Shape::Circle { at, r })
    }

    /// Adds a line on top.
    pub fn line(&mut self, class: impl Into<String>, points: Vec<Point>) -> &mut Item {
        self.add(class, Shape::Line { points })
    }

    /// Adds a text on top, centred on a point.
    pub fn text(&mut self, class: impl Into<String>, at: Point, size: i32, text: impl Into<String>) -> &mut Item {
        self.add(class, Shape::Text { at, size, text: text.into() })
    }

    /// What the scene says in words: the status, the titles of its items but for places that it only names, and the tables.
    pub fn words(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        let titles = self.items.iter().filter(|item| item.title != item.place).filter_map(|item| item.title.as_deref());
        for line in [self.status.as_str()].into_iter().filter(|status| !status.is_empty()).chain(titles) {
            // What lies on a place may have the title of the place.
            if !lines.iter().any(|before| before == line) {
                lines.push(line.to_owned());
            }
        }
        for table in &self.tables {
            for row in &table.rows {
                let name = if row.seat == 0 { row.name.clone() } else { format!("Seat {}", row.seat) };
                let cells = table.columns.iter().zip(&row.cells).map(|(column, cell)| format!("{column} {cell}"));
                lines.push(format!("{name}: {}", cells.collect::<Vec<_>>().join(", ")));
            }
        }
        lines.join("\n")
    }

    /// The scene as JSON.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).expect("a scene is plain data")
    }
}

impl Row {
    /// A row for a seat.
    pub fn of(seat: u8, cells: impl IntoIterator<Item = String>) -> Self {
        Self { seat, cells: cells.into_iter().collect(), ..Self::default() }
    }

    /// A row with a name.
    pub fn named(name: &str, cells: impl IntoIterator<Item = String>) -> Self {
        Self { name: name.to_owned(), ..Self::of(0, cells) }
    }
}

impl Item {
    /// Sets the board place.
    pub fn place(&mut self, place: impl Into<String>) -> &mut Self {
        self.place = Some(place.into());
        self
    }

    /// Sets the description in words.
    pub fn title(&mut self, title: impl Into<String>) -> &mut Self {
        self.title = Some(title.into());
        self
    }

    /// Lays it flat on the board.
    pub fn flat(&mut self) -> &mut Self {
        self.flat = true;
        self
    }

    /// Sets the group it moves with.
    pub fn group(&mut self, group: impl Into<String>) -> &mut Self {
        self.group = Some(group.into());
        self
    }
}

/// The four corners of an upright rectangle.
pub fn rectangle(x: i32, y: i32, width: i32, height: i32) -> Vec<Point> {
    vec![[x, y], [x + width, y], [x + width, y + height], [x, y + height]]
}
