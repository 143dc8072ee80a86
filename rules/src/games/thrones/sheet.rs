//! A seat's set-up: its home tiles, its pieces on them, and its tiles for the middle row.

use std::fmt::{self, Write};

use super::options::{Options, Variant};
use super::piece::Kind;
use super::square::Square;
use super::terrain::Terrain;
use crate::{Draw, Illegal, Syntax};

/// The row of the board, from 0, between the homelands.
pub(super) const MIDDLE_ROW: u8 = 4;

/// How many pieces a seat has in a set-piece battle.
pub(super) const SET_PIECES: usize = 10;

/// A set-up as it was submitted. [`Sheet::check`] judges whether it follows the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sheet {
    /// The home rows, from back to front, columns a to i.
    rows: [[Terrain; 9]; 4],
    /// The pieces, by square.
    pieces: Vec<(Square, Kind)>,
    /// The middle tiles, by column, from 0.
    middle: Vec<(u8, Terrain)>,
}

/// The row of the board, from 0, of a home row counted from the seat's back row.
pub(super) const fn home_row(seat: usize, index: usize) -> u8 {
    if seat == 0 { index as u8 } else { 8 - index as u8 }
}

/// The number of home tiles of a terrain that each seat lays.
pub(super) fn home_tiles(terrain: Terrain, options: Options) -> usize {
    let points = options.plays(Variant::VictoryPoints);
    match terrain {
        Terrain::Plains => 14 + usize::from(points),
        Terrain::Forest => 9,
        Terrain::Water => 7,
        Terrain::Mountain => 5,
        Terrain::Fortress => 1 - usize::from(points),
    }
}

/// The terrains of each seat's middle tiles.
pub(super) fn middle_tiles(options: Options) -> &'static [Terrain] {
    if options.plays(Variant::VictoryPoints) {
        &[Terrain::Plains, Terrain::Forest, Terrain::Mountain]
    } else {
        &[Terrain::Plains, Terrain::Forest, Terrain::Water, Terrain::Mountain]
    }
}

impl Sheet {
    /// The home tiles with their squares.
    pub(super) fn tiles(&self, seat: usize) -> impl Iterator<Item = (Square, Terrain)> {
        self.rows.iter().enumerate().flat_map(move |(index, tiles)| {
            let tiles = tiles.iter().enumerate();
            tiles.map(move |(column, terrain)| (Square::at(column as u8, home_row(seat, index)), *terrain))
        })
    }

    /// The pieces with their squares.
    pub(super) fn pieces(&self) -> &[(Square, Kind)] {
        &self.pieces
    }

    /// The middle tiles with their columns, from 0.
    pub(super) fn middle(&self) -> &[(u8, Terrain)] {
        &self.middle
    }

    /// Judges a seat's set-up.
    pub(super) fn check(&self, seat: usize, options: Options) -> Result<(), Illegal> {
        self.check_tiles(seat, options)?;
        self.check_pieces(seat, options)?;
        self.check_middle(options)
    }

    fn check_tiles(&self, seat: usize, options: Options) -> Result<(), Illegal> {
        for terrain in Terrain::ALL {
            let laid = self.rows.iter().flatten().filter(|tile| **tile == terrain).count();
            let due = home_tiles(terrain, options);
            if laid != due {
                let name = terrain.name();
                return Err(format!("your homeland has {due} tiles of {name}, and {laid} are laid").into());
            }
        }
        let fortress = self.tiles(seat).find(|(_, terrain)| *terrain == Terrain::Fortress);
        check_home_fortress(seat, fortress.map(|(square, _)| square))?;
        if options.plays(Variant::RowBalancing) {
            for (index, tiles) in self.rows.iter().enumerate() {
                let missing = Terrain::ALL[..4].iter().find(|terrain| !tiles.contains(terrain));
                if let Some(terrain) = missing {
                    let row = home_row(seat, index) + 1;
                    let name = terrain.name();
                    return Err(format!(
                        "each home row holds plains, forest, water and mountain: row {row} has no {name}"
                    )
                    .into());
                }
            }
        }
        Ok(())
    }

    fn check_pieces(&self, seat: usize, options: Options) -> Result<(), Illegal> {
        for pair in self.pieces.windows(2) {
            if pair[0].0 == pair[1].0 {
                return Err(format!("a square holds one piece: two are placed on {}", pair[0].0).into());
            }
        }
        let (first, last) = if seat == 0 { (0, 3) } else { (5, 8) };
        for (square, kind) in &self.pieces {
            if !(first..=last).contains(&square.row()) {
                let (kind, square) = (kind.name(), square.to_string());
                let home = format!("your home rows are {} to {}", first + 1, last + 1);
                return Err(format!("{home}: the {kind} cannot start on {square}").into());
            }
        }
        let chosen = options.plays(Variant::SetPieceBattle);
        for kind in Kind::ALL {
            let placed = self.pieces.iter().filter(|(_, placed)| *placed == kind).count();
            let most = usize::from(kind.count());
            let name = kind.name();
            if placed > most {
                return Err(format!("you have {most} {name}, and {placed} are placed").into());
            }
            if chosen && kind == Kind::Throne && placed == 0 {
                return Err("the throne is always among the ten pieces, and it is missing".into());
            }
            if !chosen && placed < most {
                return Err(format!("all your pieces start on the board: {name} {placed} of {most} placed").into());
            }
        }
        let placed = self.pieces.len();
        if chosen && placed != SET_PIECES {
            return Err(
                format!("in a set-piece battle each seat has ten of its pieces, and {placed} are placed").into()
            );
        }
        Ok(())
    }

    fn check_middle(&self, options: Options) -> Result<(), Illegal> {
        let due = middle_tiles(options);
        let names: Vec<&str> = due.iter().map(|terrain| terrain.name()).collect();
        let counted = |terrain| self.middle.iter().filter(|(_, tile)| *tile == terrain).count();
        if self.middle.len() != due.len() || due.iter().any(|terrain| counted(*terrain) != 1) {
            return Err(format!("your middle tiles are one each of {}", names.join(", ")).into());
        }
        for pair in self.middle.windows(2) {
            if pair[0].0 == pair[1].0 {
                let column = char::from(b'a' + pair[0].0);
                return Err(format!("middle tiles go to different columns: two go to column {column}").into());
            }
        }
        if let Some((column, _)) = self.middle.iter().find(|(column, _)| options.columns >> column & 1 == 1) {
            let column = char::from(b'a' + column);
            return Err(format!("column {column} of the middle row has a fortress already: choose another").into());
        }
        Ok(())
    }
}

/// Judges the place of a seat's home fortress, if it has one.
pub(super) fn check_home_fortress(seat: usize, fortress: Option<Square>) -> Result<(), Illegal> {
    let edge = |square: &Square| square.row() == home_row(seat, 0) || matches!(square.column(), 0 | 8);
    fortress.filter(edge).map_or(Ok(()), |square| {
        let text = "the home fortress may not touch the edge of the board (back row, columns a and i)";
        Err(format!("{text}: not {square}").into())
    })
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("setup")?;
        for (index, tiles) in self.rows.iter().enumerate() {
            f.write_char(if index == 0 { ':' } else { '/' })?;
            for tile in tiles {
                f.write_char(char::from(tile.letter()))?;
            }
        }
        f.write_char(':')?;
        for (square, kind) in &self.pieces {
            write!(f, "{}{}", char::from(kind.letter()), *square)?;
        }
        f.write_char(':')?;
        for (column, terrain) in &self.middle {
            write!(f, "{}{}", char::from(terrain.letter()), char::from(b'a' + column))?;
        }
        Ok(())
    }
}

/// The form of a set-up, as a regular expression.
pub(super) const PATTERN: &str = "^setup:[pfwmF]{9}(/[pfwmF]{9}){3}:([BCDELRSTWX][a-i][1-9])*:([pfwmF][a-i])*$";

/// Reads the text after `setup:`.
pub(super) fn parse(text: &str) -> Result<Sheet, Syntax> {
    let mut parts = text.split(':');
    let (Some(rows), Some(pieces), Some(middle), None) = (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err("a set-up is written setup:ROW/ROW/ROW/ROW:PIECES:MIDDLE".into());
    };
    let mut sheet = Sheet { rows: read_rows(rows)?, pieces: Vec::new(), middle: Vec::new() };
    let (pieces, rest) = pieces.as_bytes().as_chunks::<3>();
    for [letter, column, row] in pieces {
        let Some((kind, square)) = Kind::read(*letter).zip(Square::named(*column, *row)) else {
            return Err("the pieces of a set-up are letters with squares, such as Ra1Tb2: BCDELRSTWX, a1 to i9".into());
        };
        sheet.pieces.push((square, kind));
    }
    let (middle, tail) = middle.as_bytes().as_chunks::<2>();
    for [letter, column] in middle {
        let Some(terrain) = Terrain::read(*letter).filter(|_| matches!(column, b'a'..=b'i')) else {
            return Err("the middle tiles of a set-up are letters with columns, such as pafcmdwi".into());
        };
        sheet.middle.push((column - b'a', terrain));
    }
    if !rest.is_empty() || !tail.is_empty() {
        return Err("a set-up's last piece or middle tile is cut off".into());
    }
    sheet.pieces.sort_unstable_by_key(|(square, kind)| (*square, *kind));
    sheet.middle.sort_unstable_by_key(|(column, terrain)| (*column, terrain.letter()));
    Ok(sheet)
}

fn read_rows(text: &str) -> Result<[[Terrain; 9]; 4], Syntax> {
    let mut rows = [[Terrain::Plains; 9]; 4];
    let mut lines = text.split('/');
    for row in &mut rows {
        let line = lines.next().map(str::as_bytes).filter(|line| line.len() == 9);
        let line =
            line.ok_or("a set-up has four home rows of nine tiles, from the back to the front, with / between")?;
        for (tile, letter) in row.iter_mut().zip(line) {
            *tile = Terrain::read(*letter).ok_or("the home tiles of a set-up are letters: p, f, w, m and F")?;
        }
    }
    if lines.next().is_some() {
        return Err("a set-up has four home rows, and more are given".into());
    }
    Ok(rows)
}

/// Draws a set-up that follows the rules. The throne often starts in the home fortress, and tends to start at
/// the back.
pub(super) fn sample(seat: usize, options: Options, draw: &mut Draw<'_>) -> Sheet {
    let rows = sample_rows(options, draw);
    let fortress = rows.iter().flatten().position(|tile| *tile == Terrain::Fortress);
    let mut kinds: Vec<Kind> = Kind::ALL.into_iter().flat_map(|kind| vec![kind; usize::from(kind.count())]).collect();
    shuffle(&mut kinds, draw);
    let throne = kinds.iter().position(|kind| *kind == Kind::Throne).expect("every seat has a throne");
    kinds.swap(0, throne);
    if options.plays(Variant::SetPieceBattle) {
        kinds.truncate(SET_PIECES);
    }
    let mut places: Vec<usize> = (0..36).collect();
    shuffle(&mut places, draw);
    if let Some(fortress) = fortress.filter(|_| draw(2) == 0) {
        let index = places.iter().position(|place| *place == fortress).expect("the fortress is a home square");
        places.swap(0, index);
    } else if places[1] < places[0] {
        // Of two drawn squares, the throne takes the one nearer to the back, which makes games longer.
        places.swap(0, 1);
    }
    let square = |place: usize| Square::at((place % 9) as u8, home_row(seat, place / 9));
    let mut pieces: Vec<(Square, Kind)> = places.into_iter().map(square).zip(kinds).collect();
    pieces.sort_unstable_by_key(|(square, _)| *square);
    let mut columns: Vec<u8> = (0..9).filter(|column| options.columns >> column & 1 == 0).collect();
    shuffle(&mut columns, draw);
    let mut middle: Vec<(u8, Terrain)> = columns.into_iter().zip(middle_tiles(options).iter().copied()).collect();
    middle.sort_unstable_by_key(|(column, _)| *column);
    Sheet { rows, pieces, middle }
}

/// Draws home rows: the fortress away from the edge, one tile of each terrain in each row if rows are
/// balanced, and the rest anywhere.
fn sample_rows(options: Options, draw: &mut Draw<'_>) -> [[Terrain; 9]; 4] {
    let mut rows = [[None; 9]; 4];
    let mut left: Vec<Terrain> =
        Terrain::ALL[..4].iter().flat_map(|terrain| vec![*terrain; home_tiles(*terrain, options)]).collect();
    if home_tiles(Terrain::Fortress, options) == 1 {
        rows[1 + draw(3) as usize][1 + draw(7) as usize] = Some(Terrain::Fortress);
    }
    if options.plays(Variant::RowBalancing) {
        for row in &mut rows {
            let mut open: Vec<usize> = (0..9).filter(|column| row[*column].is_none()).collect();
            shuffle(&mut open, draw);
            for (column, terrain) in open.into_iter().zip(&Terrain::ALL[..4]) {
                row[column] = Some(*terrain);
                let index = left.iter().position(|tile| tile == terrain).expect("there are four of each terrain");
                left.swap_remove(index);
            }
        }
    }
    shuffle(&mut left, draw);
    let mut left = left.into_iter();
    rows.map(|row| row.map(|tile| tile.or_else(|| left.next()).expect("the tiles fill the homeland")))
}

fn shuffle<T>(items: &mut [T], draw: &mut Draw<'_>) {
    for last in (1..items.len()).rev() {
        items.swap(last, draw(last as u32 + 1) as usize);
    }
}
