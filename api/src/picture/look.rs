//! How an item looks, by the style sheet.

use std::collections::HashMap;

use plybook_rules::scene::{Item, Shape};

use super::colour::Colour;
use super::selector::Element;
use super::sheet::{Declared, Sheet};

/// What is drawn of an item. Lengths are in board units.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Look {
    pub(super) fill: Option<Colour>,
    pub(super) stroke: Option<Colour>,
    pub(super) stroke_width: f32,
    /// How long dashes and the gaps between them are; empty for a whole line.
    pub(super) dashes: Vec<f32>,
    pub(super) has_round_ends: bool,
    pub(super) has_round_corners: bool,
    /// From 0 to 1, as `stroke_opacity`.
    pub(super) fill_opacity: f32,
    pub(super) stroke_opacity: f32,
}

/// The looks of the items of a scene; equal items are looked up once.
pub(super) struct Looks {
    class: String,
    root: Declared,
    known: HashMap<(&'static str, String), Look>,
}

impl Looks {
    /// For scenes of a kind.
    pub(super) fn of(kind: &str) -> Self {
        let class = format!("scene {kind}");
        let root = Sheet::of_scenes().of(&Element { name: "svg", class: &class, root: None });
        Self { class, root, known: HashMap::new() }
    }

    /// The colour of what is around the board.
    pub(super) fn paper(&self) -> Colour {
        let paper =
            self.root.get("background").and_then(|text| Colour::read(text, &|name| self.root.get(name).copied()));
        paper.unwrap_or(Colour::WHITE)
    }

    pub(super) fn of_item(&mut self, item: &Item) -> Look {
        let name = match item.shape {
            Shape::Polygon { .. } => "polygon",
            Shape::Line { .. } => "polyline",
            Shape::Circle { .. } => "circle",
            Shape::Text { .. } => "text",
        };
        let (class, root) = (&self.class, &self.root);
        let look = self.known.entry((name, item.class.clone())).or_insert_with(|| {
            let svg = Element { name: "svg", class, root: None };
            let own = Sheet::of_scenes().of(&Element { name, class: &item.class, root: Some(&svg) });
            Look::of(&own, root)
        });
        look.clone()
    }
}

impl Look {
    /// By what is declared for an item, and for the drawing, from which it inherits variables.
    fn of(own: &Declared, root: &Declared) -> Self {
        let variable = |name: &str| own.get(name).or_else(|| root.get(name)).copied();
        // What cannot be read is as if it were not there.
        let colour = |property, otherwise| match own.get(property) {
            Some(&"none") => None,
            Some(text) => Colour::read(text, &variable).or(otherwise),
            None => otherwise,
        };
        let number = |property, otherwise| own.get(property).and_then(|text| text.parse().ok()).unwrap_or(otherwise);
        let is_round = |property| own.get(property) == Some(&"round");
        Self {
            fill: colour("fill", Some(Colour::BLACK)),
            stroke: colour("stroke", None),
            stroke_width: number("stroke-width", 1.0),
            dashes: own.get("stroke-dasharray").and_then(|text| numbers(text)).unwrap_or_default(),
            has_round_ends: is_round("stroke-linecap"),
            has_round_corners: is_round("stroke-linejoin"),
            fill_opacity: number("fill-opacity", 1.0),
            stroke_opacity: number("stroke-opacity", 1.0),
        }
    }
}

/// Numbers between spaces.
fn numbers(text: &str) -> Option<Vec<f32>> {
    text.split(' ').map(|number| number.parse().ok()).collect()
}

/// Whether pictures can show a declaration, or need not.
#[cfg(test)]
pub(super) fn is_known(property: &str, value: &str) -> bool {
    // A variable has some colour; which one, its own declaration is asked for.
    let is_colour = |text| Colour::read(text, &|_| Some("#000")).is_some();
    match property {
        // What is written has one face, is centred, and nobody points at it.
        "color-scheme" | "font-family" | "font-weight" | "font-style" | "pointer-events" => true,
        "text-anchor" => value == "middle",
        "dominant-baseline" => value == "central",
        "fill" | "stroke" => value == "none" || is_colour(value),
        "background" => is_colour(value),
        "stroke-width" | "fill-opacity" | "stroke-opacity" => value.parse::<f32>().is_ok(),
        "stroke-dasharray" => value == "none" || numbers(value).is_some(),
        "stroke-linecap" | "stroke-linejoin" => ["round", "miter"].contains(&value),
        _ => property.starts_with("--") && is_colour(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(kind: &str, class: &str, shape: Shape) -> Look {
        let mut scene = plybook_rules::Scene::new([0, 0, 1, 1]);
        scene.add(class, shape);
        Looks::of(kind).of_item(&scene.items[0])
    }

    #[test]
    fn items_look_as_the_style_sheet_says() {
        let circle = || Shape::Circle { at: [0, 0], r: 1 };
        let piece = look("triangulate", "piece seat-2", circle());
        assert_eq!(piece.fill, Colour::read("#c23b22", &|_| None), "its seat's colour");
        assert!((piece.stroke_width - 30.0).abs() < f32::EPSILON);
        assert_eq!(look("triangulate", "piece seat-1", circle()).fill, Colour::read("#2457a6", &|_| None));
        let ring = look("thrones", "ring protected", circle());
        assert_eq!((ring.fill, ring.dashes.as_slice(), ring.has_round_ends), (None, &[90.0, 60.0][..], true));
        let label = look("tri", "label", Shape::Text { at: [0, 0], size: 1, text: String::new() });
        assert_eq!((label.stroke, label.fill_opacity), (None, 0.75));
    }
}
