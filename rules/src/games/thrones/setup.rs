//! Setups: variants, options, who begins, and where the fortresses of victory points are.

use serde_json::{Value, json};

use super::options::{EQUIDISTANT, FREE, Options, Placed, RAIDS, ROLLED, Variant};
use super::toss::Toss;
use crate::setup::{DRAWN, First};
use crate::{Draw, SetupError, SetupReader};

/// A setup as it was given; what can be drawn may still be open.
pub(super) struct Setup {
    /// The options, as far as they are settled.
    pub(super) options: Options,
    /// Who begins, if the setup says so: a seat from 1, or to be drawn.
    first: Option<First>,
    /// How the first move was decided at the table.
    toss: Option<Toss>,
    /// Whether the columns of the fortresses are to be drawn.
    draws_fortresses: bool,
}

impl Setup {
    /// Reads a setup; missing members take their defaults.
    pub(super) fn read(setup: &Value) -> Result<Self, SetupError> {
        let known =
            ["variants", "fortresses", "throneWins", "first", "toss", "spearmen", "portAttacks", "apart", "favors"];
        let members = SetupReader::new(setup, &known)?;
        let mut options = Options::new(&read_variants(&members)?, 0);
        let draws_fortresses = read_fortresses(&members, &mut options)?;
        let usual = Options::default();
        options.throne_wins = members.flag("throneWins", false)?;
        options.free_spearmen = members.word("spearmen", &["afloat", FREE])? == Some(FREE);
        options.raids = members.word("portAttacks", &["onto-water", RAIDS])? == Some(RAIDS);
        options.apart = members.whole("apart", usual.apart, 2..=3)?;
        options.favors = members.whole("favors", usual.favors, 0..=usual.favors)?;
        options.check()?;
        let toss = members.get("toss").map(Toss::read).transpose()?;
        let first = read_first(&members, toss.as_ref())?;
        if let Some(First::Seat(seat)) = first {
            options.first = usize::from(seat) - 1;
        }
        Ok(Self { options, first, toss, draws_fortresses })
    }

    /// Draws what is to be drawn, the fortresses before the seat that begins.
    pub(super) fn drawn(mut self, draw: &mut Draw<'_>) -> Self {
        if std::mem::take(&mut self.draws_fortresses) {
            let mut columns = [0, 1, 2, 3, 4, 5, 6, 7, 8];
            for place in 0..3 {
                columns.swap(place, place + draw(9 - place as u32) as usize);
            }
            self.options.columns = columns[..3].iter().fold(0, |set, column| set | 1 << column);
        }
        if self.first == Some(First::Drawn) {
            let index = draw(2) as u8;
            self.options.first = usize::from(index);
            self.first = Some(First::Seat(index + 1));
        }
        self
    }

    /// The options, if nothing is left to draw.
    ///
    /// # Errors
    /// Something is; the text names it.
    pub(super) fn settled(self) -> Result<Options, SetupError> {
        if self.draws_fortresses {
            return Err("`fortresses` are still to be drawn: name their three columns".into());
        }
        First::seat(self.first)?;
        Ok(self.options)
    }

    /// The complete setup.
    pub(super) fn to_json(&self) -> Value {
        let mut setup = self.options.to_setup();
        if self.draws_fortresses {
            setup["fortresses"] = DRAWN.into();
        }
        if let Some(first) = self.first {
            setup["first"] = first.to_json();
        }
        if let Some(toss) = &self.toss {
            setup["toss"] = toss.to_json();
        }
        setup
    }
}

fn read_variants(members: &SetupReader<'_>) -> Result<Vec<Variant>, SetupError> {
    let what = format!("variants, any of {}", Variant::ALL.map(Variant::name).join(", "));
    let variants = members.distinct("variants", &what, 0..=Variant::ALL.len(), |name| {
        let known = Variant::ALL.into_iter().find(|variant| name == variant.name());
        known.ok_or_else(|| format!("{name} is not a variant of Thrones"))
    });
    Ok(variants?.unwrap_or_default())
}

/// Reads where the fortresses are; returns whether their columns are to be drawn.
fn read_fortresses(members: &SetupReader<'_>, options: &mut Options) -> Result<bool, SetupError> {
    let given = members.get("fortresses");
    if !options.plays(Variant::VictoryPoints) {
        return match given {
            None => Ok(false),
            Some(_) => Err("`fortresses` belong to the variant victory-points: leave them out, or play it too".into()),
        };
    }
    if members.is_drawn("fortresses") {
        return Ok(true);
    }
    if given.is_some_and(|value| value == ROLLED) {
        options.placed = Placed::After;
    } else {
        options.columns = read_columns(members)?.unwrap_or(EQUIDISTANT);
    }
    Ok(false)
}

fn read_columns(members: &SetupReader<'_>) -> Result<Option<u16>, SetupError> {
    let what = r#"three different columns from "a" to "i", such as ["b","e","h"]; or is "drawn" or "rolled""#;
    let columns = members.distinct("fortresses", what, 3..=3, |column| match column.as_str().map(str::as_bytes) {
        Some([letter @ b'a'..=b'i']) => Ok(1u16 << (letter - b'a')),
        _ => Err(format!("{column} is not a column")),
    });
    Ok(columns?.map(|columns| columns.into_iter().fold(0, |set, column| set | column)))
}

fn read_first(members: &SetupReader<'_>, toss: Option<&Toss>) -> Result<Option<First>, SetupError> {
    let is_drawn = members.is_drawn("first");
    let given = match members.get("first") {
        Some(_) if !is_drawn => Some(members.whole("first", 1, 1..=2)?),
        _ => None,
    };
    let won = toss.and_then(Toss::winner);
    match (given, won) {
        _ if is_drawn && toss.is_some() => {
            Err("either the service draws who begins, or a `toss` at the table decides it: leave one of them out"
                .into())
        }
        _ if is_drawn => Ok(Some(First::Drawn)),
        (Some(seat), Some(won)) if seat != won => {
            Err(format!("`toss` was won by seat {won}, which begins: `first` cannot be {seat}").into())
        }
        (None, None) if toss.is_some() => Err("a coin does not say who won it: give the seat as `first`".into()),
        (given, won) => Ok(given.or(won).map(First::Seat)),
    }
}

/// The JSON Schema of a setup.
pub(super) fn schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Setup of Thrones",
        "description": "Which variants are played, who begins, and how the rules are read where they leave a choice. The homelands are laid by the seats, as their first action.",
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
            "first": {
                "description": "The seat that begins, or \"drawn\": the service draws it. (R1)",
                "enum": [1, 2, DRAWN],
                "default": 1,
            },
            "toss": super::toss::schema(),
            "fortresses": {
                "description": "With victory-points only: the three columns of the middle fortresses; \"drawn\" before the set-ups, or \"rolled\" once both are in. (R15)",
                "anyOf": [
                    {
                        "type": "array",
                        "uniqueItems": true,
                        "minItems": 3,
                        "maxItems": 3,
                        "items": { "enum": ["a", "b", "c", "d", "e", "f", "g", "h", "i"] },
                    },
                    { "enum": [DRAWN, ROLLED] },
                ],
                "default": ["b", "e", "h"],
            },
            "throneWins": {
                "description": "With victory-points only: removing the enemy throne wins as well. (R9)",
                "type": "boolean",
                "default": false,
            },
            "favors": {
                "description": "The most favours that a seat can gain in the game. (R7)",
                "type": "integer",
                "minimum": 0,
                "maximum": Options::default().favors,
                "default": Options::default().favors,
            },
            "spearmen": {
                "description": "Where water carries spearmen: if they start \"afloat\", or in any move, \"free\", before and after their step. (R16)",
                "enum": ["afloat", FREE],
                "default": "afloat",
            },
            "portAttacks": {
                "description": "With ports only: from port to port attack pieces that attack \"onto-water\", or \"any\" that attacks, and empty farms too. (R17)",
                "enum": ["onto-water", RAIDS],
                "default": "onto-water",
            },
            "apart": {
                "description": "With homefront only: how far farms and cities are from home fortresses, farms and cities, in squares. (R18)",
                "type": "integer",
                "minimum": 2,
                "maximum": 3,
                "default": Options::default().apart,
            },
        },
    })
}
