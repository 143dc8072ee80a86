//! A set-up put together on the board: home tiles, pieces, and tiles for the middle row, each from a tray.

use super::pictures;
use super::scene::{corner, draw_piece};
use crate::Scene;
use crate::form::{Form, Slot, Tray, TrayPiece};
use crate::games::thrones::options::{Options, Variant};
use crate::games::thrones::piece::{Cell, Kind};
use crate::games::thrones::sheet::{MIDDLE_ROW, SET_PIECES, check_home_fortress, home_row, home_tiles, middle_tiles};
use crate::games::thrones::square::Square;
use crate::games::thrones::terrain::Terrain;
use crate::scene::{Item, rectangle};

/// The form of a seat's set-up, 0 or 1.
pub(crate) fn of(seat: usize, options: Options) -> Form {
    Form::Trays(vec![homeland(seat, options), army(seat, options), middle(options)])
}

fn homeland(seat: usize, options: Options) -> Tray {
    let barred = |terrain| match terrain {
        Terrain::Fortress => home(seat).filter(|square| check_home_fortress(seat, Some(*square)).is_err()).collect(),
        _ => Vec::new(),
    };
    let tiles = Terrain::ALL.into_iter().map(|terrain| (terrain, home_tiles(terrain, options)));
    let pieces: Vec<TrayPiece> =
        tiles.filter(|(_, count)| *count > 0).map(|(terrain, count)| tile(terrain, count, &barred(terrain))).collect();
    Tray {
        title: "Home tiles".to_owned(),
        before: "setup:",
        blank: ".",
        total: pieces.iter().map(|piece| piece.most).sum(),
        slots: home(seat)
            .enumerate()
            .map(|(index, square)| slot(square, if index > 0 && index % 9 == 0 { "/" } else { "" }, String::new()))
            .collect(),
        pieces,
    }
}

fn army(seat: usize, options: Options) -> Tray {
    let chosen = options.plays(Variant::SetPieceBattle);
    let pieces: Vec<TrayPiece> = Kind::ALL
        .into_iter()
        .map(|kind| TrayPiece {
            letter: char::from(kind.letter()),
            name: kind.name(),
            most: usize::from(kind.count()),
            least: if chosen { usize::from(kind == Kind::Throne) } else { usize::from(kind.count()) },
            barred: Vec::new(),
            items: picture(|scene| draw_piece(scene, Cell::new(seat, kind), Square::at(0, 8))),
        })
        .collect();
    let all = pieces.iter().map(|piece| piece.most).sum();
    // A set-up is printed by square, and squares are sorted by column.
    let mut squares: Vec<Square> = home(seat).collect();
    squares.sort_unstable();
    Tray {
        title: "Pieces".to_owned(),
        before: ":",
        blank: "",
        total: if chosen { SET_PIECES } else { all },
        slots: squares.into_iter().map(|square| slot(square, "", square.to_string())).collect(),
        pieces,
    }
}

fn middle(options: Options) -> Tray {
    let pieces: Vec<TrayPiece> = middle_tiles(options).iter().map(|terrain| tile(*terrain, 1, &[])).collect();
    let columns = (0..9u8).filter(|column| options.columns >> column & 1 == 0);
    Tray {
        title: "Middle tiles".to_owned(),
        before: ":",
        blank: "",
        total: pieces.len(),
        slots: columns
            .map(|column| slot(Square::at(column, MIDDLE_ROW), "", char::from(b'a' + column).to_string()))
            .collect(),
        pieces,
    }
}

/// The squares of a homeland, from its back row to its front row.
fn home(seat: usize) -> impl Iterator<Item = Square> {
    (0..4).flat_map(move |index| (0..9).map(move |column| Square::at(column, home_row(seat, index))))
}

fn slot(square: Square, before: &str, after: String) -> Slot {
    Slot { place: square.to_string(), at: corner(square), before: before.to_owned(), after }
}

fn tile(terrain: Terrain, count: usize, barred: &[Square]) -> TrayPiece {
    TrayPiece {
        letter: char::from(terrain.letter()),
        name: terrain.name(),
        most: count,
        least: count,
        barred: barred.iter().map(ToString::to_string).collect(),
        items: picture(|scene| {
            scene.polygon(format!("space terrain-{}", terrain.name()), rectangle(0, 0, 1000, 1000));
            pictures::terrain(scene, [0, 0], terrain, false);
        }),
    }
}

/// What is drawn within the square that has its corner at the origin.
fn picture(draw: impl FnOnce(&mut Scene)) -> Vec<Item> {
    let mut scene = Scene::new([0, 0, 1000, 1000]);
    draw(&mut scene);
    scene.items.iter_mut().for_each(|item| item.place = None);
    scene.items
}
