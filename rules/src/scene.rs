//! What to draw: shapes in board units, with names that a viewer can use for keyboard control, colours
//! and animation. A scene says what things are (`class`), never how they look.
//!
//! Coordinates are integers; x grows to the right, y downwards; a board space is about 1000 units
//! wide. Items are drawn in order.
//!
//! Classes, several separated by spaces: `board` (ground around the spaces) · `space` with
//! optional `dark` · `terrain-plains|forest|water|mountain|fortress` · `centre` · `key` · `piece`
//! · `pad` · `seat-1` … `seat-13` (the owner) · `neutral` · `sword` · `shield` · `size-l|m|s` ·
//! `powered` `unpowered` · `breached` · `protected` · `path` · `hidden` · `label` (text on the
//! board) · `note` (small text) · `glyph` (a piece's letter) · `last` (touched by the last action)
//! · `from` `to` · `grid` (thin lines) · `outline` (a frame without filling) · `made` (the outline of
//! a piece that has left the board) · `own` (the viewer's own) · `row` (of a table beside the board).
//!
//! TRI: `tri` (on all of the following except `island`) · `mark` (the triangle on a centre) · `island`
//! (a border, with `key`, `lining` of a key, `waiting` for a new piece) · `badge` and `letter` (an
//! island's name, with its holder) · `number` (a space's) · `white` `black` (a seat's pieces) ·
//! `ring` (on white ones) · `trace` (a space that a piece left or entered) · `taken` (where a piece was
//! removed) · `joint`.
//!
//! Triforce: `base` (white pyramid) · `inset` (ring within a space) with `contested`, `fought` ·
//! `alarm` (a contested stack's sign) · `clash` (crossed swords on the stack being fought over) ·
//! `emblem` (a drawn sword or shield) with `side` (at the side of the board) · `pawn` · `stock`
//! (pieces not on the board) with `none` (none left) · `die` · `struck` (across dice that lost) ·
//! `turn` (points at the seat to act) · `status` · `step` (an action of the turn) with `used`.
//!
//! Thrones: `mark` with `tuft|tree|wave|peak|snow|wall|crack|port` (pictures of terrain) · `farm`
//! `city` · `ring` (around a piece) · `badge` (disc for a note on a piece).

use serde::Serialize;
use serde_json::Value;

/// A point `[x, y]` in board units.
pub type Point = [i32; 2];

/// A drawing of a position.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scene {
    /// What is in view: `[x, y, width, height]`.
    pub view: [i32; 4],
    /// What is drawn, from back to front.
    pub items: Vec<Item>,
    /// How the last action moved things, if the movement is to be animated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<Motion>,
}

/// A drawn item.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Item {
    /// Its outline.
    #[serde(flatten)]
    pub shape: Shape,
    /// What it is; see the list of classes.
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
}

/// The outline of an item.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "shape", rename_all = "lowercase")]
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
        Self { view, items: Vec::new(), motion: None }
    }

    /// Adds an item on top and returns it, so that it can be named.
    pub fn add(&mut self, class: impl Into<String>, shape: Shape) -> &mut Item {
        self.items.push(Item { shape, class: class.into(), place: None, title: None, group: None });
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

    /// The scene as JSON.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).expect("a scene is plain data")
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
