//! The board: its tiles, what was built and destroyed on them, and the pieces.

use super::options::{Options, Variant};
use super::piece::{Cell, Kind};
use super::sheet::MIDDLE_ROW;
use super::square::{SQUARES, Square, Squares};
use super::terrain::Terrain;

/// The terrain, the buildings and the pieces. Seats are indices 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    /// The options of the setup.
    pub(super) options: Options,
    /// The squares of each terrain.
    ground: [Squares; 5],
    /// The content of each square.
    cells: [Cell; SQUARES],
    /// The squares of each seat's pieces.
    own: [Squares; 2],
    /// The squares of the pieces that engage more than their neighbours.
    far: Squares,
    /// The square of each seat's throne; `None` once it is gone.
    thrones: [Option<Square>; 2],
    /// Each seat's home fortress; `None` with victory points, and until it is known.
    pub(super) home: [Option<Square>; 2],
    /// The breached fortresses.
    pub(super) breached: Squares,
    /// Each seat's farm, even if destroyed.
    pub(super) farms: [Option<Square>; 2],
    /// Each seat's city.
    pub(super) cities: [Option<Square>; 2],
    /// The farms that are destroyed.
    pub(super) destroyed: Squares,
    /// How many pieces of each kind each seat has lost and may not have returned yet.
    pub(super) removed: [[u8; 10]; 2],
}

impl Board {
    /// A board on which only the agreed fortresses are known.
    pub(super) fn new(options: Options) -> Self {
        let mut board = Self {
            options,
            ground: [Squares::EMPTY; 5],
            cells: [Cell::EMPTY; SQUARES],
            own: [Squares::EMPTY; 2],
            far: Squares::EMPTY,
            thrones: [None; 2],
            home: [None; 2],
            breached: Squares::EMPTY,
            farms: [None; 2],
            cities: [None; 2],
            destroyed: Squares::EMPTY,
            removed: [[0; 10]; 2],
        };
        for column in (0..9).filter(|column| options.columns >> column & 1 == 1) {
            board.lay(Square::at(column, MIDDLE_ROW), Terrain::Fortress);
        }
        board
    }

    /// Whether a variant is in play.
    pub(super) const fn plays(&self, variant: Variant) -> bool {
        self.options.plays(variant)
    }

    /// The content of a square.
    pub(super) fn cell(&self, square: Square) -> Cell {
        self.cells[square.index()]
    }

    /// The squares of a seat's pieces.
    pub(super) fn own(&self, seat: usize) -> Squares {
        self.own[seat]
    }

    /// The squares of the pieces, of both seats, that engage more than their neighbours.
    pub(super) const fn far(&self) -> Squares {
        self.far
    }

    /// The occupied squares.
    pub(super) fn occupied(&self) -> Squares {
        self.own[0] | self.own[1]
    }

    /// The empty squares.
    pub(super) fn empty(&self) -> Squares {
        !self.occupied()
    }

    /// The square of a seat's throne; `None` once it is gone.
    pub(super) const fn throne(&self, seat: usize) -> Option<Square> {
        self.thrones[seat]
    }

    /// The squares of a terrain.
    pub(super) const fn of(&self, terrain: Terrain) -> Squares {
        self.ground[terrain as usize]
    }

    /// The terrain of a square, if it is known yet.
    pub(super) fn terrain(&self, square: Square) -> Option<Terrain> {
        Terrain::ALL.into_iter().find(|terrain| self.of(*terrain).has(square))
    }

    /// Whether a square has a terrain.
    pub(super) fn is(&self, square: Square, terrain: Terrain) -> bool {
        self.of(terrain).has(square)
    }

    /// Fortresses that are not breached.
    pub(super) fn whole(&self) -> Squares {
        self.of(Terrain::Fortress) & !self.breached
    }

    /// The ports, if that variant is in play.
    pub(super) fn ports(&self) -> Squares {
        if self.plays(Variant::Ports) { self.of(Terrain::Water) & Squares::BORDER } else { Squares::EMPTY }
    }

    /// The enemy's farm while it is intact, as a set.
    pub(super) fn enemy_farm(&self, seat: usize) -> Squares {
        Squares::from(self.farms[1 - seat]) & !self.destroyed
    }

    /// Lays a tile on a square.
    pub(super) fn lay(&mut self, square: Square, terrain: Terrain) {
        for ground in &mut self.ground {
            *ground &= !Squares::from(square);
        }
        self.ground[terrain as usize] |= square;
    }

    /// Puts a piece on an empty square.
    pub(super) fn put(&mut self, square: Square, piece: Cell) {
        self.cells[square.index()] = piece;
        self.own[piece.seat()] |= square;
        if piece.kind().is_some_and(Kind::reaches_far) {
            self.far |= square;
        }
        if piece.is(Kind::Throne) {
            self.thrones[piece.seat()] = Some(square);
        }
    }

    /// Takes the piece off a square.
    fn lift(&mut self, square: Square) -> Cell {
        let piece = std::mem::take(&mut self.cells[square.index()]);
        self.own[0] &= !Squares::from(square);
        self.own[1] &= !Squares::from(square);
        self.far &= !Squares::from(square);
        if piece.is(Kind::Throne) {
            self.thrones[piece.seat()] = None;
        }
        piece
    }

    /// Removes the piece on a square, if any, from play.
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
        let cell = &mut self.cells[square.index()];
        *cell = cell.with(notes);
    }

    /// Replaces the notes on every piece with those that `notes` returns.
    pub(super) fn renew(&mut self, notes: impl Fn(Cell) -> u16) {
        for square in self.occupied() {
            let cell = &mut self.cells[square.index()];
            *cell = cell.bare().with(notes(*cell));
        }
    }

    /// The squares of pieces with any of these notes.
    pub(super) fn noted(&self, notes: u16) -> Squares {
        // Most often there are none, which one pass over the cells tells.
        if !self.cells.iter().fold(Cell::EMPTY, |all, cell| all.union(*cell)).any(notes) {
            return Squares::EMPTY;
        }
        self.occupied().keep(|square| self.cell(square).any(notes))
    }
}
