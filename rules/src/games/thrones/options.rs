//! The options of a game: which variants are in play, and how the text is read where it leaves a choice.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::SetupError;
use crate::setup::Member;

pub(super) const THRONE_WINS: Member =
    Member::flag("throneWins", false, "With victory-points only: removing the enemy throne wins as well. (R9)");

pub(super) const FAVORS: Member =
    Member::whole("favors", 0..=4, 4, "The most favours that a seat can gain in the game. (R7)");

pub(super) const SPEARMEN: Member = Member::choice(
    "spearmen",
    ["afloat", "free"],
    "Where water carries spearmen: if they start \"afloat\", or in any move, \"free\", before and after their step. (R16)",
);

pub(super) const PORT_ATTACKS: Member = Member::choice(
    "portAttacks",
    ["onto-water", "any"],
    "With ports only: from port to port attack pieces that attack \"onto-water\", or \"any\" that attacks, and empty farms too. (R17)",
);

pub(super) const APART: Member = Member::whole(
    "apart",
    2..=3,
    3,
    "With homefront only: how far farms and cities are from home fortresses, farms and cities, in squares. (R18)",
);

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

/// The variants' names in setups, and what they are.
const VARIANTS: [(&str, &str); 5] = [
    ("homefront", "Farms and cities, where removed pieces return."),
    ("ports", "Water at the edge of the board connects."),
    ("row-balancing", "Every home row holds each of the four terrains."),
    ("set-piece-battle", "Ten of the thirteen pieces, the throne among them."),
    ("victory-points", "21 points for standing in the three middle fortresses win."),
];

impl Variant {
    /// All variants, in alphabetical order.
    pub(super) const ALL: [Self; 5] =
        [Self::Homefront, Self::Ports, Self::RowBalancing, Self::SetPieceBattle, Self::VictoryPoints];

    /// Its name in setups.
    pub(super) const fn name(self) -> &'static str {
        VARIANTS[self as usize].0
    }

    /// The JSON Schema of its name.
    pub(super) fn schema(self) -> Value {
        let (name, about) = VARIANTS[self as usize];
        json!({ "const": name, "description": about })
    }
}

/// The options of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Options {
    /// One bit per variant.
    variants: u8,
    /// With victory points, a bit for each of the three columns with a fortress; otherwise 0, as while they are
    /// still to be rolled.
    pub(super) columns: u16,
    /// When the fortresses of victory points are placed.
    pub(super) placed: Placed,
    /// Whether removing a throne wins with victory points as well.
    pub(super) throne_wins: bool,
    /// The index of the seat that begins.
    pub(super) first: usize,
    /// Whether water costs spearmen nothing, wherever their move begins.
    pub(super) free_spearmen: bool,
    /// The least distance of a farm or city from home fortresses, farms and cities.
    pub(super) apart: u8,
    /// Whether every piece that attacks may do so from port to port, and take an empty farm there.
    pub(super) raids: bool,
    /// The most favours that a seat can gain.
    pub(super) favors: u8,
}

/// When the fortresses of the middle row are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Placed {
    /// They are known while the homelands are laid.
    Before,
    /// Chance places them once both set-ups are in.
    After,
}

/// Columns b, e and h, which are as far from each other as from the edges.
pub(super) const EQUIDISTANT: u16 = 1 << 1 | 1 << 4 | 1 << 7;

impl Default for Options {
    fn default() -> Self {
        Self {
            variants: 0,
            columns: 0,
            placed: Placed::Before,
            throne_wins: false,
            first: 0,
            free_spearmen: false,
            apart: APART.usual(),
            raids: false,
            favors: FAVORS.usual(),
        }
    }
}

impl Options {
    /// Whether a variant is in play.
    pub(super) const fn plays(self, variant: Variant) -> bool {
        self.variants >> variant as u8 & 1 == 1
    }

    /// The variants in play.
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
        Self { variants, columns, ..Self::default() }
    }

    /// The columns with a fortress from the start, by letter.
    pub(super) fn letters(self) -> Vec<String> {
        let columns = (0..9u8).filter(|column| self.columns >> column & 1 == 1);
        columns.map(|column| char::from(b'a' + column).to_string()).collect()
    }

    /// What the setup settles for the whole game.
    pub(super) fn to_setup(self) -> Value {
        let mut setup = Value::Object(self.unusual());
        setup["variants"] = json!(self.names());
        if self.columns != 0 {
            setup["fortresses"] = json!(self.letters());
        }
        setup
    }

    /// What differs from the usual rules, as members of a setup, without variants and columns.
    pub(super) fn unusual(self) -> Map<String, Value> {
        let mut setup = json!({});
        if self.first == 1 {
            setup["first"] = 2.into();
        }
        if self.placed == Placed::After {
            setup["fortresses"] = ROLLED.into();
        }
        APART.write_number(&mut setup, self.apart);
        FAVORS.write_number(&mut setup, self.favors);
        PORT_ATTACKS.write_chosen(&mut setup, self.raids);
        SPEARMEN.write_chosen(&mut setup, self.free_spearmen);
        THRONE_WINS.write_chosen(&mut setup, self.throne_wins);
        setup.as_object().cloned().unwrap_or_default()
    }

    /// Checks that options which only some variants know come with these.
    ///
    /// # Errors
    /// One does not; the text names it.
    pub(super) fn check(self) -> Result<(), SetupError> {
        let needs = [
            ("throneWins", self.throne_wins, Variant::VictoryPoints),
            ("apart", self.apart != APART.usual(), Variant::Homefront),
            ("portAttacks", self.raids, Variant::Ports),
        ];
        match needs.into_iter().find(|(_, is_set, variant)| *is_set && !self.plays(*variant)) {
            Some((name, _, variant)) => {
                let variant = variant.name();
                Err(format!("`{name}` belongs to the variant {variant}: leave it out, or play that too").into())
            }
            None => Ok(()),
        }
    }
}

/// The value of `fortresses` that has chance place them once both set-ups are in.
pub(super) const ROLLED: &str = "rolled";
