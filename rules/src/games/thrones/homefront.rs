//! The variant homefront: farms, cities, rebuilding, and the return of pieces.

use super::board::Board;
use super::notation::Spot;
use super::options::Variant;
use super::piece::{Cell, Kind};
use super::position::Campaign;
use super::square::{Square, Squares};
use super::terrain::Terrain;
use crate::Illegal;

/// Why nothing can be established, or why no piece can return.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub(super) enum Bar {
    /// The variant is not in play.
    #[error("farms, cities, rebuilding and spawning belong to the variant homefront, which is not played")]
    NotPlayed,
    /// The seat has no throne to establish it.
    #[error("your throne is gone, and only a throne establishes farms and cities")]
    NoThrone,
    /// Each can be established once a game.
    #[error("you have established your {0} already")]
    Established(&'static str),
    /// The farm must come first.
    #[error("a city needs a farm first: establish:farm")]
    NeedsFarm,
    /// The throne stands in a fortress.
    #[error("nothing is established on a fortress, and your throne stands in one")]
    OnFortress,
    /// It is too close to another one.
    #[error(
        "a farm or city is at least {} squares from every home fortress, farm and city: {} is too close to {}",
        number(*.0), *.1, *.2
    )]
    TooClose(u8, Square, Square),
    /// This kind never returns.
    #[error("thrones and dragons never return")]
    NeverReturns,
    /// No such piece was removed.
    #[error("you have lost no {} that could return", .0.name())]
    NotLost(Kind),
    /// The seat has no such place.
    #[error("{} return at your {}, and you have none", .0.name(), .1)]
    NoPlace(Kind, &'static str),
    /// The square is occupied.
    #[error("{} return at your {}, and {} is occupied", .0.name(), .1, *.2)]
    Occupied(Kind, &'static str, Square),
    /// The place is destroyed or breached.
    #[error("{} return at your {}, and it is {}: rebuild it first", .0.name(), .1, ruin(.1))]
    Ruined(Kind, &'static str),
}

/// The state of a place that must be rebuilt.
fn ruin(place: &str) -> &'static str {
    if place == "farm" { "destroyed" } else { "breached" }
}

/// How far farms and cities are apart, in words.
pub(super) fn number(apart: u8) -> &'static str {
    if apart == 2 { "two" } else { "three" }
}

impl From<Bar> for Illegal {
    fn from(bar: Bar) -> Self {
        bar.to_string().into()
    }
}

impl Board {
    /// Checks that a seat's throne can establish a farm or a city where it stands.
    pub(super) fn may_establish(&self, seat: usize, spot: Spot) -> Result<(), Bar> {
        self.plays_homefront()?;
        let throne = self.throne(seat).ok_or(Bar::NoThrone)?;
        match spot {
            Spot::Farm if self.farms[seat].is_some() => return Err(Bar::Established("farm")),
            Spot::City if self.cities[seat].is_some() => return Err(Bar::Established("city")),
            Spot::City if self.farms[seat].is_none() => return Err(Bar::NeedsFarm),
            _ if self.is(throne, Terrain::Fortress) => return Err(Bar::OnFortress),
            _ => {}
        }
        let mut others = [self.home, self.farms, self.cities].into_iter().flatten().flatten();
        let apart = self.options.apart;
        let close = others.find(|other| other.distance(throne) < apart);
        close.map_or(Ok(()), |other| Err(Bar::TooClose(apart, throne, other)))
    }

    /// What a seat's throne could rebuild, wherever it stands: its home fortress, the fortresses of the
    /// middle row, its farm.
    pub(super) fn ruins(&self, seat: usize) -> Squares {
        if self.plays(Variant::Homefront) {
            self.breached & (Squares::MIDDLE | self.home[seat]) | self.destroyed & self.farms[seat]
        } else {
            Squares::EMPTY
        }
    }

    /// Whether a seat's throne stands on something that it can rebuild.
    pub(super) fn may_rebuild(&self, seat: usize) -> bool {
        self.ruins(seat).has(self.throne(seat))
    }

    /// The square where a seat's piece of a kind returns: the square is free, and the piece can return.
    pub(super) fn spawn_square(&self, seat: usize, kind: Kind) -> Result<Square, Bar> {
        self.plays_homefront()?;
        let (place, square) = match kind {
            Kind::Lancer | Kind::Rangers => ("farm", self.farms[seat]),
            Kind::Spearmen | Kind::Catapult | Kind::Elephant => ("city", self.cities[seat]),
            Kind::Crossbowmen | Kind::Warhorse | Kind::Trebuchet => ("home fortress", self.home[seat]),
            Kind::Throne | Kind::Dragon => return Err(Bar::NeverReturns),
        };
        if self.removed[seat][kind as usize] == 0 {
            return Err(Bar::NotLost(kind));
        }
        let square = square.ok_or(Bar::NoPlace(kind, place))?;
        if self.occupied().has(square) {
            Err(Bar::Occupied(kind, place, square))
        } else if (self.breached | self.destroyed).has(square) {
            Err(Bar::Ruined(kind, place))
        } else {
            Ok(square)
        }
    }

    fn plays_homefront(&self) -> Result<(), Bar> {
        if self.plays(Variant::Homefront) { Ok(()) } else { Err(Bar::NotPlayed) }
    }
}

impl Campaign {
    /// Whether pieces may return: nothing else was done in this turn, except establishing and rebuilding.
    pub(super) fn may_spawn(&self) -> bool {
        let acted = &self.acted;
        acted.moved == 0 && !acted.switched && !acted.favor && !acted.lost
    }

    /// Judges `spawn`.
    pub(super) fn check_spawn(&self, kind: Kind, square: Square) -> Result<(), Illegal> {
        let place = self.board.spawn_square(self.seat(), kind)?;
        if place != square {
            return Err(format!("{} return on {}, not on {}", kind.name(), place, square).into());
        }
        if !self.may_spawn() {
            return Err("a piece returns instead of moves, switches, favours, attacks and shots, not after them".into());
        }
        Ok(())
    }

    /// Judges `rebuild`.
    pub(super) fn check_rebuild(&self) -> Result<(), Illegal> {
        let seat = self.seat();
        self.board.plays_homefront()?;
        if self.board.may_rebuild(seat) {
            return Ok(());
        }
        let ruins = self.board.ruins(seat).names();
        if ruins.is_empty() {
            return Err("nothing that your throne could rebuild is breached or destroyed".into());
        }
        Err(format!("your throne rebuilds what it stands on, and it does not stand on {}", ruins.join(" or ")).into())
    }
}

impl Board {
    /// Turns the throne's square into the seat's farm or city.
    pub(super) fn establish(&mut self, seat: usize, spot: Spot) {
        match spot {
            Spot::Farm => self.farms[seat] = self.throne(seat),
            Spot::City => self.cities[seat] = self.throne(seat),
        }
    }

    /// Rebuilds what a seat's throne stands on.
    pub(super) fn rebuild(&mut self, seat: usize) {
        let here = Squares::from(self.throne(seat));
        self.breached &= !here;
        self.destroyed &= !here;
    }

    /// Brings a removed piece back.
    pub(super) fn spawn(&mut self, seat: usize, kind: Kind, square: Square) {
        self.removed[seat][kind as usize] -= 1;
        self.put(square, Cell::new(seat, kind));
    }
}
