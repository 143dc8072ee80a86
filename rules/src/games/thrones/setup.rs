//! Setups: variants, options, who begins, and where the fortresses of victory points are.

use serde_json::{Value, json};

use super::options::{
    APART, EQUIDISTANT, FAVORS, Options, PORT_ATTACKS, Placed, ROLLED, SPEARMEN, THRONE_WINS, Variant,
};
use crate::setup::{self, Beginner, DRAWN, Member};
use crate::{Draw, SetupError, SetupReader, shuffle};

const MEMBERS: &[Member] = &[
    Member::own("variants", variants, "Any of the five variants, alone and together."),
    Member::first(2, "The seat that begins, or \"drawn\": the service draws it. (R1)"),
    Member::toss(
        "How the first move was decided at the table, such as {\"by\":\"hands\",\"even\":1,\"numbers\":[[5,5],[2,5]]}: a sum of ten is redone, and the last pair decides `first`. (R1)",
    ),
    Member::own(
        "fortresses",
        fortresses,
        "With victory-points only: the three columns of the middle fortresses; \"drawn\" before the set-ups, or \"rolled\" once both are in. (R15)",
    ),
    THRONE_WINS,
    FAVORS,
    SPEARMEN,
    PORT_ATTACKS,
    APART,
];

fn variants() -> Value {
    let variants = Variant::ALL.map(Variant::schema);
    json!({ "type": "array", "uniqueItems": true, "default": [], "items": { "oneOf": variants } })
}

fn fortresses() -> Value {
    let column = json!({ "enum": ["a", "b", "c", "d", "e", "f", "g", "h", "i"] });
    let columns = json!({ "type": "array", "uniqueItems": true, "minItems": 3, "maxItems": 3, "items": column });
    json!({ "anyOf": [columns, { "enum": [DRAWN, ROLLED] }], "default": ["b", "e", "h"] })
}

/// A setup as it was given; what can be drawn may still be open.
pub(super) struct Setup {
    /// The options, as far as they are settled.
    pub(super) options: Options,
    /// Who begins; it may still be open.
    first: Beginner,
    /// Whether the columns of the fortresses are to be drawn.
    draws_fortresses: bool,
}

impl Setup {
    /// Reads a setup; missing members take their defaults.
    pub(super) fn read(setup: &Value) -> Result<Self, SetupError> {
        let members = SetupReader::of(setup, MEMBERS)?;
        let mut options = Options::new(&read_variants(&members)?, 0);
        let draws_fortresses = read_fortresses(&members, &mut options)?;
        options.throne_wins = THRONE_WINS.chosen(&members)?;
        options.free_spearmen = SPEARMEN.chosen(&members)?;
        options.raids = PORT_ATTACKS.chosen(&members)?;
        options.apart = APART.number(&members)?;
        options.favors = FAVORS.number(&members)?;
        options.check()?;
        let first = Beginner::read(&members, 2)?;
        options.first = usize::from(first.seat().unwrap_or(1)) - 1;
        Ok(Self { options, first, draws_fortresses })
    }

    /// Draws what is to be drawn, the fortresses before the seat that begins.
    pub(super) fn drawn(mut self, draw: &mut Draw<'_>) -> Self {
        if std::mem::take(&mut self.draws_fortresses) {
            let mut columns = [0, 1, 2, 3, 4, 5, 6, 7, 8];
            shuffle(&mut columns, 3, draw);
            self.options.columns = columns[..3].iter().fold(0, |set, column| set | 1 << column);
        }
        self.first = self.first.drawn(2, draw);
        self.options.first = usize::from(self.first.seat().unwrap_or(1)) - 1;
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
        self.first.seat()?;
        Ok(self.options)
    }

    /// The complete setup.
    pub(super) fn to_json(&self) -> Value {
        let mut setup = self.options.to_setup();
        if self.draws_fortresses {
            setup["fortresses"] = DRAWN.into();
        }
        self.first.write(&mut setup);
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

/// The JSON Schema of a setup.
pub(super) fn schema() -> Value {
    let about = "Which variants are played, who begins, and how the rules are read where they leave a choice. The homelands are laid by the seats, as their first action.";
    let mut schema = setup::schema("Setup of Thrones", about, MEMBERS);
    schema["default"] = json!({ "variants": [] });
    schema
}
