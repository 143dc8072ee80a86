//! Pieces: their kinds, and the notes on each during a turn.

/// A kind of piece, in the order of their letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// `B`: fires over a distance of three squares, at forests too.
    Trebuchet,
    /// `C`: fires over a distance of one or two squares.
    Catapult,
    /// `D`: flies up to four squares.
    Dragon,
    /// `E`: cannot be engaged on plains.
    Elephant,
    /// `L`: rides far across plains.
    Lancer,
    /// `R`: fells forests and attacks from mountains.
    Rangers,
    /// `S`: at home on water.
    Spearmen,
    /// `T`: the piece that wins or loses the game.
    Throne,
    /// `W`: switches with enemies as well.
    Warhorse,
    /// `X`: fires at adjacent squares.
    Crossbowmen,
}

impl Kind {
    /// All kinds, in the order of their letters.
    pub(super) const ALL: [Self; 10] = [
        Self::Trebuchet,
        Self::Catapult,
        Self::Dragon,
        Self::Elephant,
        Self::Lancer,
        Self::Rangers,
        Self::Spearmen,
        Self::Throne,
        Self::Warhorse,
        Self::Crossbowmen,
    ];

    /// The number of pieces of this kind that each seat has.
    pub(super) const fn count(self) -> u8 {
        if matches!(self, Self::Rangers | Self::Spearmen | Self::Lancer) { 2 } else { 1 }
    }

    /// Its letter.
    pub(super) const fn letter(self) -> u8 {
        b"BCDELRSTWX"[self as usize]
    }

    /// The kind with a letter.
    pub(super) fn read(letter: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// Its name, in the singular.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Trebuchet => "trebuchet",
            Self::Catapult => "catapult",
            Self::Dragon => "dragon",
            Self::Elephant => "elephant",
            Self::Lancer => "lancer",
            Self::Rangers => "rangers",
            Self::Spearmen => "spearmen",
            Self::Throne => "throne",
            Self::Warhorse => "warhorse",
            Self::Crossbowmen => "crossbowmen",
        }
    }

    /// Whether it fires instead of attacking.
    pub(super) const fn is_ranged(self) -> bool {
        matches!(self, Self::Crossbowmen | Self::Catapult | Self::Trebuchet)
    }

    /// Whether it engages more than its neighbours, ports aside.
    pub(super) const fn reaches_far(self) -> bool {
        matches!(self, Self::Dragon) || self.is_ranged()
    }

    /// Whether it attacks forests only from forests.
    pub(super) const fn is_cavalry(self) -> bool {
        matches!(self, Self::Lancer | Self::Warhorse | Self::Elephant)
    }
}

/// Made a regular move this turn.
pub(super) const MOVED: u16 = 1 << 5;
/// Took part in the turn's regular switch action.
pub(super) const SWITCHED: u16 = 1 << 6;
/// Is the warhorse that made the turn's switch action.
pub(super) const HORSE: u16 = 1 << 7;
/// Lost a battle this turn.
pub(super) const LOST: u16 = 1 << 8;
/// Took part in an assault this turn.
pub(super) const ASSAULT: u16 = 1 << 9;
/// Was named by conspire in this turn.
pub(super) const NAMED: u16 = 1 << 10;
/// Was named by conspire in the previous turn: can neither engage nor be engaged now.
pub(super) const BOUND: u16 = 1 << 11;
/// Is a warhorse that attacked in its owner's previous turn.
pub(super) const CHARGED: u16 = 1 << 12;
/// Is a warhorse whose attack ends this turn.
pub(super) const CHARGING: u16 = 1 << 13;
/// All notes.
const NOTES: u16 = !0x1f;

/// The content of a square: nothing, or a piece with its notes, which move with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell(u16);

impl Cell {
    /// An empty square.
    pub(super) const EMPTY: Self = Self(0);

    /// A piece of a seat (0 or 1).
    pub(super) const fn new(seat: usize, kind: Kind) -> Self {
        Self((kind as u16 + 1) | (seat as u16) << 4)
    }

    /// The piece's kind.
    pub(super) fn kind(self) -> Option<Kind> {
        Kind::ALL.get(usize::from(self.0 & 15).wrapping_sub(1)).copied()
    }

    /// Whether it is a piece of this kind.
    pub(super) fn is(self, kind: Kind) -> bool {
        self.0 & 15 == kind as u16 + 1
    }

    /// The piece's owner, 0 or 1; meaningless on an empty square.
    pub(super) const fn seat(self) -> usize {
        (self.0 >> 4 & 1) as usize
    }

    /// Whether any of these notes is on it.
    pub(super) const fn any(self, notes: u16) -> bool {
        self.0 & notes & NOTES != 0
    }

    /// The piece with these notes added.
    pub(super) const fn with(self, notes: u16) -> Self {
        Self(self.0 | notes)
    }

    /// Something with the notes of both.
    pub(super) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The piece without any notes.
    pub(super) const fn bare(self) -> Self {
        Self(self.0 & !NOTES)
    }
}
