//! Where pieces can go, and what they can attack or fire on.

use super::board::Board;
use super::options::Variant;
use super::piece::{BOUND, CHARGED, Cell, Kind, LOST};
use super::square::{Square, Squares};
use super::terrain::Terrain;

/// How far a dragon flies.
pub(super) const FLIGHT: usize = 4;

/// How far a lancer rides over land that is not all plains.
const RIDE: usize = 3;

/// The reason why a piece cannot be engaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protection {
    /// It was named by conspire.
    Conspired,
    /// It is a warhorse that attacked in its owner's previous turn.
    Charged,
    /// It is an elephant on plains.
    Elephant,
}

/// A dragon's lines of flight.
pub(super) struct Flight {
    /// The squares up to and including the first piece that it cannot fly over.
    pub(super) lines: Squares,
    /// The squares that it could land before.
    pub(super) open: Squares,
}

impl Board {
    /// The empty squares that the piece on a square can move to.
    pub(super) fn moves(&self, from: Square) -> Squares {
        let piece = self.cell(from);
        let seat = piece.seat();
        let mut targets = from.neighbors();
        match piece.kind() {
            Some(Kind::Spearmen) if self.options.free_spearmen => {
                let (water, open) = (self.of(Terrain::Water), !self.own(1 - seat));
                let afloat = |from: Squares| from | (from.spread() & water & open).flood(water & open);
                targets |= afloat(afloat(from.into()).spread() & open);
            }
            Some(Kind::Spearmen) if self.is(from, Terrain::Water) => {
                targets |= Squares::from(from).flood(self.of(Terrain::Water) & !self.own(1 - seat));
            }
            Some(Kind::Lancer) if self.is(from, Terrain::Plains) => {
                targets |= Squares::from(from).flood(self.of(Terrain::Plains) & !self.own(1 - seat));
                let land = !self.of(Terrain::Water) & !self.own(1 - seat);
                let mut ridden = Squares::from(from);
                for _ in 0..RIDE {
                    ridden |= ridden.spread() & land;
                }
                targets |= ridden;
            }
            Some(Kind::Dragon) => targets |= self.flight(seat, from).lines,
            _ => {}
        }
        if self.ports().has(from) {
            targets |= self.ports();
        }
        targets & self.empty()
    }

    /// A dragon's lines from a square: it flies over everything except enemy dragons and ranged pieces.
    pub(super) fn flight(&self, seat: usize, from: Square) -> Flight {
        let mut flight = Flight { lines: Squares::EMPTY, open: Squares::EMPTY };
        let occupied = self.occupied();
        for line in from.lines(FLIGHT) {
            let mut landing = true;
            for square in line {
                flight.lines |= square;
                if landing {
                    flight.open |= square;
                }
                landing = !occupied.has(square);
                if self.stops_dragon(seat, square) {
                    break;
                }
            }
        }
        flight
    }

    /// Whether a seat's dragon cannot fly over a square.
    pub(super) fn stops_dragon(&self, seat: usize, square: Square) -> bool {
        let kind = self.cell(square).kind();
        self.own(1 - seat).has(square) && kind.is_some_and(|kind| kind == Kind::Dragon || kind.is_ranged())
    }

    /// The neighbours that the piece on a square can switch with, except those with these notes.
    pub(super) fn partners(&self, from: Square, barred: u16) -> Squares {
        let piece = self.cell(from);
        let seat = piece.seat();
        let mut partners = from.neighbors() & self.own(seat);
        if piece.is(Kind::Warhorse) {
            let enemies = from.neighbors() & self.own(1 - seat) & !self.of(Terrain::Water) & !self.whole();
            partners |= enemies.keep(|square| !self.cell(square).is(Kind::Spearmen));
        }
        partners.keep(|square| !self.cell(square).any(barred))
    }

    /// The empty squares that a seat can engage: enemy farms and unbreached fortresses, if the variant
    /// homefront is in play.
    pub(super) fn hollow(&self, seat: usize) -> Squares {
        if self.plays(Variant::Homefront) {
            self.empty() & (self.whole() | self.enemy_farm(seat))
        } else {
            Squares::EMPTY
        }
    }

    /// All that a seat can engage, as far as its pieces reach.
    pub(super) fn prey(&self, seat: usize) -> Squares {
        self.own(1 - seat) | self.hollow(seat)
    }

    /// Why a piece of this kind cannot engage another.
    pub(super) fn protection(&self, by: Kind, target: Square) -> Option<Protection> {
        let piece = self.cell(target);
        let elephant = piece.is(Kind::Elephant) && self.is(target, Terrain::Plains);
        if piece.any(BOUND) {
            Some(Protection::Conspired)
        } else if by == Kind::Throne {
            None
        } else if piece.any(CHARGED) {
            Some(Protection::Charged)
        } else if elephant && by != Kind::Dragon {
            Some(Protection::Elephant)
        } else {
            None
        }
    }

    /// Whether a piece of this kind can attack from a square at all.
    pub(super) fn attacks_from(&self, kind: Kind, from: Square) -> bool {
        let climbs = matches!(kind, Kind::Rangers | Kind::Dragon | Kind::Throne);
        !kind.is_ranged() && (climbs || !self.is(from, Terrain::Mountain))
    }

    /// The squares whose terrain stops an attack by a piece of this kind from a square.
    pub(super) fn unassailable(&self, kind: Kind, from: Square) -> Squares {
        let water = match kind {
            Kind::Spearmen | Kind::Dragon | Kind::Throne => Squares::EMPTY,
            _ => self.of(Terrain::Water),
        };
        let forest = match kind {
            Kind::Dragon => self.of(Terrain::Forest),
            _ if kind.is_cavalry() && !self.is(from, Terrain::Forest) => self.of(Terrain::Forest),
            _ => Squares::EMPTY,
        };
        water | forest
    }

    /// The squares that the piece on a square can attack or fire on.
    pub(super) fn engages(&self, from: Square) -> Squares {
        let is_ranged = self.cell(from).kind().is_some_and(Kind::is_ranged);
        if is_ranged { self.fires(from) } else { self.attacks(from) }
    }

    /// The squares that the piece on a square can attack.
    pub(super) fn attacks(&self, from: Square) -> Squares {
        let piece = self.cell(from);
        let seat = piece.seat();
        let prey = self.prey(seat);
        let Some(kind) = fit(piece).filter(|kind| self.attacks_from(*kind, from)) else { return Squares::EMPTY };
        let mut targets = match kind {
            Kind::Dragon if (from.within(FLIGHT) & prey).is_empty() => Squares::EMPTY,
            Kind::Dragon => {
                let flight = self.flight(seat, from);
                flight.open | flight.lines & !self.whole()
            }
            _ => from.neighbors(),
        };
        targets &= prey & !self.unassailable(kind, from);
        if self.sails(kind, from) {
            let hollow = if self.options.raids { self.hollow(seat) } else { Squares::EMPTY };
            targets |= self.ports() & (self.own(1 - seat) | hollow);
        }
        targets.keep(|target| self.protection(kind, target).is_none())
    }

    /// Whether a piece of this kind on a square can attack other ports.
    pub(super) fn sails(&self, kind: Kind, from: Square) -> bool {
        let swims = matches!(kind, Kind::Spearmen | Kind::Dragon | Kind::Throne);
        self.ports().has(from) && (swims || self.options.raids && !kind.is_ranged())
    }

    /// The squares that the piece on a square can fire on.
    pub(super) fn fires(&self, from: Square) -> Squares {
        let piece = self.cell(from);
        let seat = piece.seat();
        let Some(kind) = fit(piece).filter(|kind| kind.is_ranged()) else { return Squares::EMPTY };
        if (self.of(Terrain::Forest) | self.of(Terrain::Water)).has(from) {
            return Squares::EMPTY;
        }
        let (nearest, farthest) = range(kind);
        let prey = self.prey(seat);
        if (from.within(farthest) & prey).is_empty() {
            return Squares::EMPTY;
        }
        let mountains = self.of(Terrain::Mountain);
        let mut targets = Squares::EMPTY;
        for line in from.lines(farthest) {
            let clear = line.take_while(|square| !mountains.has(*square));
            targets |= clear.skip(nearest - 1).collect::<Squares>();
        }
        if kind != Kind::Trebuchet {
            targets &= !self.of(Terrain::Forest);
        }
        targets &= prey;
        targets.keep(|target| self.protection(kind, target).is_none())
    }

    /// Whether an engagement of a square by a piece of this kind leads to a battle.
    pub(super) fn needs_battle(&self, kind: Kind, target: Square) -> bool {
        kind != Kind::Throne && self.whole().has(target)
    }
}

/// The shortest and the longest distance at which a ranged piece fires.
pub(super) const fn range(kind: Kind) -> (usize, usize) {
    match kind {
        Kind::Crossbowmen => (1, 1),
        Kind::Catapult => (1, 2),
        _ => (3, 3),
    }
}

/// The kind of a piece that may engage at all: one that is not bound and has not lost a battle.
fn fit(piece: Cell) -> Option<Kind> {
    piece.kind().filter(|_| !piece.any(BOUND | LOST))
}
