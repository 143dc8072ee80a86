//! The setup: which variants are in play, and where their fortresses are.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{SetupError, SetupReader};

/// A variant, in alphabetical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Variant {
    /// Farms, cities and the return of pieces.
    Homefront,
    /// Water at the border connects.
    Ports,
    /// Each home row has each terrain.
    RowBalancing,
    /// Each seat has ten pieces.
    SetPieceBattle,
    /// Fortresses give points; the throne decides nothing.
    VictoryPoints,
}

impl Variant {
    /// All variants, in alphabetical order.
    pub(super) const ALL: [Self; 5] =
        [Self::Homefront, Self::Ports, Self::RowBalancing, Self::SetPieceBattle, Self::VictoryPoints];

    /// Its name in setups.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Homefront => "homefront",
            Self::Ports => "ports",
            Self::RowBalancing => "row-balancing",
            Self::SetPieceBattle => "set-piece-battle",
            Self::VictoryPoints => "victory-points",
        }
    }
}

/// The options of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// One bit per variant.
    variants: u8,
    /// With victory points, a bit for each of the three columns with a fortress; otherwise 0.
    pub(super) columns: u16,
}

/// Columns b, e and h, which are as far from each other as from the edges.
const EQUIDISTANT: u16 = 1 << 1 | 1 << 4 | 1 << 7;

impl Options {
    /// Whether a variant is in play.
    pub(super) const fn plays(self, variant: Variant) -> bool {
        self.variants >> variant as u8 & 1 == 1
    }

    /// The variants with these names.
    pub(super) fn variants(self) -> impl Iterator<Item = Variant> {
        Variant::ALL.into_iter().filter(move |variant| self.plays(*variant))
    }

    /// The names of the variants in play, ascending.
    pub(super) fn names(self) -> Vec<&'static str> {
        self.variants().map(Variant::name).collect()
    }

    /// Options with these variants, and with fortresses in these columns.
    pub(super) fn new(variants: &[Variant], columns: u16) -> Self {
        let variants = variants.iter().fold(0, |set, variant| set | 1 << *variant as u8);
        Self { variants, columns }
    }

    /// The complete setup.
    pub(super) fn to_setup(self) -> Value {
        let mut setup = json!({ "variants": self.names() });
        if self.plays(Variant::VictoryPoints) {
            let columns = (0..9u8).filter(|column| self.columns >> column & 1 == 1);
            setup["fortresses"] = columns.map(|column| char::from(b'a' + column).to_string()).collect();
        }
        setup
    }
}

/// The JSON Schema of a setup.
pub(super) fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Setup of Thrones",
        "description": "Which variants are played. The homelands are laid by the seats, as their first action.",
        "type": "object",
        "additionalProperties": false,
        "default": { "variants": [] },
        "properties": {
            "variants": {
                "description": "Any of the five variants, alone and together.",
                "type": "array",
                "uniqueItems": true,
                "default": [],
                "items": {
                    "oneOf": [
                        { "const": "homefront", "description": "Farms and cities, where removed pieces return." },
                        { "const": "ports", "description": "Water at the edge of the board connects." },
                        { "const": "row-balancing", "description": "Every home row holds each of the four terrains." },
                        { "const": "set-piece-battle", "description": "Ten of the thirteen pieces, the throne among them." },
                        { "const": "victory-points", "description": "21 points for standing in the three middle fortresses win." },
                    ],
                },
            },
            "fortresses": {
                "description": "With victory-points only: the three columns of the middle fortresses.",
                "type": "array",
                "uniqueItems": true,
                "minItems": 3,
                "maxItems": 3,
                "default": ["b", "e", "h"],
                "items": { "enum": ["a", "b", "c", "d", "e", "f", "g", "h", "i"] },
            },
        },
    })
}

/// Reads a setup; missing members take their defaults.
pub(super) fn read(setup: &Value) -> Result<Options, SetupError> {
    let members = SetupReader::new(setup, &["variants", "fortresses"])?;
    let variants = read_variants(&members)?;
    let columns = read_columns(&members)?;
    if !variants.contains(&Variant::VictoryPoints) {
        return match columns {
            None => Ok(Options::new(&variants, 0)),
            Some(_) => Err("`fortresses` belong to the variant victory-points: leave them out, or play it too".into()),
        };
    }
    Ok(Options::new(&variants, columns.unwrap_or(EQUIDISTANT)))
}

fn read_variants(members: &SetupReader<'_>) -> Result<Vec<Variant>, SetupError> {
    let what = format!("variants, any of {}", Variant::ALL.map(Variant::name).join(", "));
    let variants = members.distinct("variants", &what, 0..=Variant::ALL.len(), |name| {
        let known = Variant::ALL.into_iter().find(|variant| name == variant.name());
        known.ok_or_else(|| format!("{name} is not a variant of Thrones"))
    });
    Ok(variants?.unwrap_or_default())
}

fn read_columns(members: &SetupReader<'_>) -> Result<Option<u16>, SetupError> {
    let what = r#"three different columns from "a" to "i", such as ["b","e","h"]"#;
    let columns = members.distinct("fortresses", what, 3..=3, |column| match column.as_str().map(str::as_bytes) {
        Some([letter @ b'a'..=b'i']) => Ok(1u16 << (letter - b'a')),
        _ => Err(format!("{column} is not a column")),
    });
    Ok(columns?.map(|columns| columns.into_iter().fold(0, |set, column| set | column)))
}
