//! The battlefield: the tiles, what has been built and broken on them, and the pieces.

use super::options::{Options, Variant};
use super::piece::{Cell, Kind};
use super::square::{BOARD, BORDER, NONE, SQUARES, Square, Squares, bit, has, squares};
use super::terrain::Terrain;

/// What lies and stands on the board. Seats are indices 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    /// What was agreed before the game.
    pub(super) options: Options,
    /// The squares of each terrain.
    ground: [Squares; 5],
    /// What stands on each square.
    cells: [Cell; SQUARES],
    /// The squares of each seat's pieces.
    own: [Squares; 2],
    /// Where each seat's throne stands; [`NONE`] when it is gone.
    thrones: [Square; 2],
    /// Each seat's home fortress; [`NONE`] with victory points and before it is known.
    pub(super) home: [Square; 2],
    /// Fortresses that are breached.
    pub(super) breached: Squares,
    /// Each seat's farm, destroyed or not.
    pub(super) farms: [Square; 2],
    /// Each seat's city.
    pub(super) cities: [Square; 2],
    /// Farms that are destroyed.
    pub(super) destroyed: Squares,
    /// How many pieces of each kind each seat has lost and may not have back yet.
    pub(super) removed: [[u8; 10]; 2],
}

impl Field {
    /// A board of which nothing is known yet but the fortresses that were agreed.
    pub(super) fn new(options: Options) -> Self {
        let mut field = Self {
            options,
            ground: [0; 5],
            cells: [Cell::EMPTY; SQUARES],
            own: [0; 2],
            thrones: [NONE; 2],
            home: [NONE; 2],
            breached: 0,
            farms: [NONE; 2],
            cities: [NONE; 2],
            destroyed: 0,
            removed: [[0; 10]; 2],
        };
        for column in (0..9).filter(|column| options.columns >> column & 1 == 1) {
            field.lay(super::square::at(column, 4), Terrain::Fortress);
        }
        field
    }

    /// Whether a variant is played.
    pub(super) const fn plays(&self, variant: Variant) -> bool {
        self.options.plays(variant)
    }

    /// What stands on a square.
    pub(super) fn cell(&self, square: Square) -> Cell {
        self.cells[usize::from(square)]
    }

    /// The squares of a seat's pieces.
    pub(super) const fn own(&self, seat: usize) -> Squares {
        self.own[seat]
    }

    /// The squares where somebody stands.
    pub(super) const fn occupied(&self) -> Squares {
        self.own[0] | self.own[1]
    }

    /// The squares where nobody stands.
    pub(super) const fn empty(&self) -> Squares {
        BOARD & !self.occupied()
    }

    /// Where a seat's throne stands; [`NONE`] when it is gone.
    pub(super) const fn throne(&self, seat: usize) -> Square {
        self.thrones[seat]
    }

    /// The squares of a terrain.
    pub(super) const fn of(&self, terrain: Terrain) -> Squares {
        self.ground[terrain as usize]
    }

    /// The terrain of a square, once it is known.
    pub(super) fn terrain(&self, square: Square) -> Option<Terrain> {
        Terrain::ALL.into_iter().find(|terrain| has(self.of(*terrain), square))
    }

    /// Whether a square is of a terrain.
    pub(super) const fn is(&self, square: Square, terrain: Terrain) -> bool {
        has(self.of(terrain), square)
    }

    /// Fortresses that are whole.
    pub(super) const fn whole(&self) -> Squares {
        self.of(Terrain::Fortress) & !self.breached
    }

    /// Ports, where the variant is played.
    pub(super) const fn ports(&self) -> Squares {
        if self.plays(Variant::Ports) { self.of(Terrain::Water) & BORDER } else { 0 }
    }

    /// The farm of a seat's enemy while it stands, as a set.
    pub(super) const fn enemy_farm(&self, seat: usize) -> Squares {
        bit(self.farms[1 - seat]) & !self.destroyed
    }

    /// Lays a tile on a square.
    pub(super) fn lay(&mut self, square: Square, terrain: Terrain) {
        for ground in &mut self.ground {
            *ground &= !bit(square);
        }
        self.ground[terrain as usize] |= bit(square);
    }

    /// Puts a piece on an empty square.
    pub(super) fn put(&mut self, square: Square, piece: Cell) {
        self.cells[usize::from(square)] = piece;
        self.own[piece.seat()] |= bit(square);
        if piece.is(Kind::Throne) {
            self.thrones[piece.seat()] = square;
        }
    }

    /// Lifts whoever stands on a square.
    fn lift(&mut self, square: Square) -> Cell {
        let piece = std::mem::take(&mut self.cells[usize::from(square)]);
        self.own[0] &= !bit(square);
        self.own[1] &= !bit(square);
        if piece.is(Kind::Throne) {
            self.thrones[piece.seat()] = NONE;
        }
        piece
    }

    /// Removes the piece on a square, if there is one, from play.
    pub(super) fn remove(&mut self, square: Square) {
        let piece = self.lift(square);
        if let Some(kind) = piece.kind() {
            self.removed[piece.seat()][kind as usize] += 1;
        }
    }

    /// Moves the piece on `from` to the empty square `to`.
    pub(super) fn go(&mut self, from: Square, to: Square) {
        if from != to {
            let piece = self.lift(from);
            self.put(to, piece);
        }
    }

    /// Exchanges the pieces on two squares.
    pub(super) fn exchange(&mut self, a: Square, b: Square) {
        let (first, second) = (self.lift(a), self.lift(b));
        self.put(b, first);
        self.put(a, second);
    }

    /// Adds notes to the piece on a square.
    pub(super) fn note(&mut self, square: Square, notes: u16) {
        let cell = &mut self.cells[usize::from(square)];
        *cell = cell.with(notes);
    }

    /// Gives every piece new notes: none, and those that `notes` says.
    pub(super) fn renew(&mut self, notes: impl Fn(Cell) -> u16) {
        for square in squares(self.occupied()) {
            let cell = &mut self.cells[usize::from(square)];
            *cell = cell.bare().with(notes(*cell));
        }
    }

    /// The squares of pieces with any of these notes.
    pub(super) fn noted(&self, notes: u16) -> Squares {
        squares(self.occupied()).filter(|square| self.cell(*square).any(notes)).map(bit).sum()
    }
}
