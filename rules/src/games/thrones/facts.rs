//! The facts of Thrones.

use super::piece::Kind;
use super::position::{Campaign, Phase};
use super::square::Square;
use super::terrain::Terrain;
use crate::{Fact, Numbered};

pub(super) const FACTS: &[Fact<Campaign>] = &[
    Fact::game("turn", "The number of the turn, of both seats together; 0 until the board is set up.", |game| {
        if matches!(game.phase, Phase::SetUp | Phase::Fortresses) { 0 } else { i64::from(game.turn) }
    }),
    Fact::seat("pieces", "Pieces of the seat on the board.", |game, seat| game.board.own(seat).len() as i64),
    Fact::seat("lost", "Pieces of the seat that were removed and have not returned.", |game, seat| {
        game.board.removed[seat].iter().map(|pieces| i64::from(*pieces)).sum()
    }),
    Fact::seat("fortresses", "Pieces of the seat on fortresses, breached ones included.", |game, seat| {
        (game.board.own(seat) & game.board.of(Terrain::Fortress)).len() as i64
    }),
    Fact::game("breached", "Fortresses that are breached.", |game| game.board.breached.len() as i64),
    Fact::seat_sometimes(
        "throneDistance",
        "Steps from the seat's throne to the throne of the other; none if one of them is gone.",
        |game, seat| {
            let (own, other) = (game.board.throne(seat)?, game.board.throne(1 - seat)?);
            Some(own.distance(other).into())
        },
    ),
    Fact::seat_sometimes(
        "homeDistance",
        "Steps from the seat's throne to the home fortress of the other; none without one of them.",
        |game, seat| Some(game.board.throne(seat)?.distance(game.board.home[1 - seat]?).into()),
    ),
    Fact::seat("favors", "Favours that the seat has not used yet.", |game, seat| game.hands[seat].held.len() as i64),
    Fact::seat("points", "Victory points of the seat.", |game, seat| i64::from(game.points[seat])),
    Fact::place("owner", "The seat whose piece is on the square; 0 if there is none.", |game, place| {
        let cell = game.board.cell(square(place));
        cell.kind().map_or(0, |_| cell.seat() as i64 + 1)
    }),
    Fact::word("piece", "The piece on the square.", &PIECES, |game, place| {
        game.board.cell(square(place)).kind().map_or(0, |kind| kind as usize + 1)
    }),
    Fact::word("terrain", "The terrain of the square; none until it is laid.", &TERRAINS, |game, place| {
        game.board.terrain(square(place)).map_or(0, |terrain| terrain as usize + 1)
    }),
];

const PIECES: [&str; Kind::ALL.len() + 1] = {
    let mut names = ["none"; Kind::ALL.len() + 1];
    let mut kind = 0;
    while kind < Kind::ALL.len() {
        names[kind + 1] = Kind::ALL[kind].name();
        kind += 1;
    }
    names
};

const TERRAINS: [&str; Terrain::ALL.len() + 1] = {
    let mut names = ["none"; Terrain::ALL.len() + 1];
    let mut terrain = 0;
    while terrain < Terrain::ALL.len() {
        names[terrain + 1] = Terrain::ALL[terrain].name();
        terrain += 1;
    }
    names
};

/// The square at an index of the places.
fn square(place: usize) -> Square {
    Square::numbered(place as u8)
}
