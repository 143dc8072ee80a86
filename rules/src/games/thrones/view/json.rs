//! A position as JSON: written as a viewer may see it, read only if complete.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use plybook_events::Actor;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::as_name;
use crate::games::thrones::board::Board;
use crate::games::thrones::favor::{self, Favor};
use crate::games::thrones::notation::Action;
use crate::games::thrones::options::{Options, Placed, ROLLED, Variant};
use crate::games::thrones::piece::{ASSAULT, BOUND, CHARGED, Cell, HORSE, Kind, LOST, MOVED, NAMED, SWITCHED};
use crate::games::thrones::play::points_end;
use crate::games::thrones::position::{self, Campaign, Phase};
use crate::games::thrones::possible;
use crate::games::thrones::setup::Setup;
use crate::games::thrones::sheet::Sheet;
use crate::games::thrones::square::{SQUARES, Square, Squares};
use crate::games::thrones::terrain::Terrain;
use crate::view::Hidden;
use crate::{Position, PositionError, Viewer, pairs};

/// One value for each seat, by its number.
type BySeat<T> = Vec<(u8, T)>;

/// A position, member by member, as README.md documents it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct View {
    acted: TurnView,
    attacked: Squares,
    breached: Squares,
    #[serde(with = "pairs")]
    cities: BySeat<Square>,
    conspired: Squares,
    destroyed: Squares,
    #[serde(with = "pairs")]
    farms: BySeat<Square>,
    #[serde(with = "pairs")]
    favors: BySeat<Hand>,
    first_turn: [bool; 2],
    game: Cow<'static, str>,
    home: [Option<Square>; 2],
    last_fortress: [Option<Square>; 2],
    /// What differs from the usual rules, in the words of a setup.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    options: Map<String, Value>,
    pending: Option<Pending>,
    phase: PhaseName,
    #[serde(serialize_with = "pairs::serialize", deserialize_with = "pairs::sorted")]
    pieces: Vec<(Square, Piece)>,
    points: [u16; 2],
    removed: Vec<Piece>,
    #[serde(with = "pairs")]
    submitted: BySeat<Hidden<Action>>,
    tiles: Tiles,
    to_act: Vec<Value>,
    turn: u32,
    variants: Vec<Variant>,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PhaseName {
    SetUp,
    Fortresses,
    Favor,
    Turn,
    Battle,
    Displace,
    Over,
}

/// What a phase awaits: `ends` for a choice of favours; `by`, `kind` and `target` for a battle; `by` for a
/// piece to be displaced.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pending {
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<Square>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ends: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<Engagement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<Square>,
}

#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Engagement {
    Attack,
    Fire,
}

/// What was done in this turn.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TurnView {
    assault: Assault,
    conspired: Squares,
    favor: bool,
    lost: Squares,
    moved: Squares,
    switched: Squares,
    warhorse: Option<Square>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Assault {
    by: Squares,
    r#move: bool,
    switch: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Hand {
    had: Vec<Hidden<Favor>>,
    held: Vec<Hidden<Favor>>,
}

/// A piece: its seat and its letter, such as `1R`.
#[derive(Clone, Copy)]
struct Piece {
    seat: usize,
    kind: Kind,
}

impl FromStr for Piece {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match *text.as_bytes() {
            [seat @ (b'1' | b'2'), letter] => {
                Kind::read(letter).map(|kind| Self { seat: usize::from(seat - b'1'), kind })
            }
            _ => None,
        }
        .ok_or_else(|| format!("{text:?} is not a piece: write a seat and a letter of BCDELRSTWX, such as 1R"))
    }
}

/// The tiles by row from row 1, each from column a; null where they are not known yet.
struct Tiles([Option<Terrain>; SQUARES]);

/// The squares in the order of the tiles.
fn by_rows() -> impl Iterator<Item = Square> {
    (0..9).flat_map(|row| (0..9).map(move |column| Square::at(column, row)))
}

impl fmt::Display for Tiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = self.0.map(|tile| tile.map_or(b'.', Terrain::letter));
        f.write_str(std::str::from_utf8(&letters).expect("letters are ASCII"))
    }
}

impl FromStr for Tiles {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = |letter: u8| if letter == b'.' { Some(None) } else { Terrain::read(letter).map(Some) };
        let tiles: Option<Vec<_>> = text.bytes().map(read).collect();
        let wrong = "the tiles are 81 letters, row 1 to 9, each from column a to i: p, f, w, m, F, or a dot";
        tiles.and_then(|tiles| tiles.try_into().ok()).map(Self).ok_or(wrong)
    }
}

as_name!(Piece);

plybook_events::as_text!(Tiles);

// Writing.

impl View {
    /// The position as a viewer may see it.
    pub(crate) fn new(game: &Campaign, viewer: Viewer) -> Self {
        let viewer = if matches!(game.phase, Phase::Over(_)) { Viewer::All } else { viewer };
        let knows = [1, 2].map(|seat| viewer.knows(Actor::Seat(seat)));
        let are_open = game.phase != Phase::SetUp;
        let board = &game.board;
        let (phase, pending) = phase(game.phase);
        let hands = [0, 1].map(|seat| Some(Hand::new(game.hands[seat], knows[seat])));
        let submitted = [0, 1].map(|seat| {
            let sheet = game.sheets[seat].as_ref()?;
            Some(Hidden((knows[seat] || are_open).then(|| Action::SetUp(sheet.clone()))))
        });
        Self {
            game: "thrones".into(),
            variants: board.options.variants().collect(),
            options: board.options.unusual(),
            phase,
            pending,
            turn: game.turn,
            to_act: game.to_act().iter().map(actor).collect(),
            tiles: tiles(board),
            pieces: pieces(board),
            removed: removed(board),
            home: board.home,
            last_fortress: game.last_fortress,
            farms: by_seat(board.farms),
            cities: by_seat(board.cities),
            breached: board.breached,
            destroyed: board.destroyed,
            attacked: board.noted(CHARGED),
            conspired: board.noted(BOUND),
            first_turn: game.first,
            acted: TurnView::new(game),
            favors: by_seat(hands),
            points: game.points,
            submitted: by_seat(submitted),
        }
    }
}

/// The name of a phase, and what it awaits.
fn phase(phase: Phase) -> (PhaseName, Option<Pending>) {
    match phase {
        Phase::SetUp => (PhaseName::SetUp, None),
        Phase::Fortresses => (PhaseName::Fortresses, None),
        Phase::Favor { ends, .. } => (PhaseName::Favor, Some(Pending { ends: Some(ends), ..Pending::default() })),
        Phase::Turn => (PhaseName::Turn, None),
        Phase::Battle { by, target, fires } => {
            let kind = if fires { Engagement::Fire } else { Engagement::Attack };
            (PhaseName::Battle, Some(Pending { by: Some(by), ends: None, kind: Some(kind), target: Some(target) }))
        }
        Phase::Displace { by } => (PhaseName::Displace, Some(Pending { by: Some(by), ..Pending::default() })),
        Phase::Over(_) => (PhaseName::Over, None),
    }
}

fn actor(actor: Actor) -> Value {
    match actor {
        Actor::Seat(seat) => seat.into(),
        Actor::Chance => "chance".into(),
    }
}

fn by_seat<T>(each: [Option<T>; 2]) -> BySeat<T> {
    (1..).zip(each).filter_map(|(seat, one)| Some((seat, one?))).collect()
}

fn of_seat<T>(each: &BySeat<T>, seat: u8) -> Option<&T> {
    each.iter().find_map(|(of, one)| (*of == seat).then_some(one))
}

impl Piece {
    fn name(&self) -> [u8; 2] {
        [b'1' + self.seat as u8, self.kind.letter()]
    }

    fn on(board: &Board, square: Square) -> Option<Self> {
        let cell = board.cell(square);
        Some(Self { seat: cell.seat(), kind: cell.kind()? })
    }
}

fn tiles(board: &Board) -> Tiles {
    let mut tiles = [None; SQUARES];
    for terrain in Terrain::ALL {
        for square in board.of(terrain) {
            tiles[usize::from(9 * square.row() + square.column())] = Some(terrain);
        }
    }
    Tiles(tiles)
}

fn pieces(board: &Board) -> Vec<(Square, Piece)> {
    let occupied = board.occupied();
    let mut pieces = Vec::with_capacity(occupied.len());
    pieces.extend(occupied.into_iter().filter_map(|square| Some((square, Piece::on(board, square)?))));
    pieces
}

fn removed(board: &Board) -> Vec<Piece> {
    let kinds = [0, 1].into_iter().flat_map(|seat| Kind::ALL.map(|kind| Piece { seat, kind }));
    let times = |piece: &Piece| usize::from(board.removed[piece.seat][piece.kind as usize]);
    kinds.flat_map(|piece| std::iter::repeat_n(piece, times(&piece))).collect()
}

impl TurnView {
    fn new(game: &Campaign) -> Self {
        let board = &game.board;
        let (r#move, switch) = game.acted.assault;
        Self {
            moved: board.noted(MOVED),
            switched: board.noted(SWITCHED),
            warhorse: board.noted(HORSE).into_iter().next(),
            lost: board.noted(LOST),
            favor: game.acted.favor,
            assault: Assault { by: board.noted(ASSAULT), r#move, switch },
            conspired: board.noted(NAMED),
        }
    }
}

impl Hand {
    /// A seat's favours. For viewers who may not know them, the favours it holds have no names.
    fn new(hand: favor::Hand, known: bool) -> Self {
        let show = |favor| Hidden(Some(favor).filter(|favor| known || !hand.held.has(*favor)));
        let mut had: Vec<Hidden<Favor>> = hand.had.iter().map(show).collect();
        had.sort_unstable();
        Self { had, held: hand.held.iter().map(show).collect() }
    }
}

// Reading. Members that follow from others, such as `toAct` and `home`, are computed and compared with what
// was read.

fn wrong(why: impl Into<String>) -> PositionError {
    PositionError(why.into())
}

impl TryFrom<View> for Campaign {
    type Error = PositionError;

    fn try_from(view: View) -> Result<Self, PositionError> {
        let mut game = Self::start(view.options()?);
        if matches!(view.phase, PhaseName::SetUp | PhaseName::Fortresses) {
            let are_in = view.phase == PhaseName::Fortresses;
            game.sheets = view.sheets(game.board.options, are_in)?;
            game.open();
            return Ok(game);
        }
        view.lay(&mut game.board)?;
        view.note(&mut game)?;
        for (hand, seat) in game.hands.iter_mut().zip(1..) {
            let read = of_seat(&view.favors, seat).ok_or_else(|| wrong(format!("`favors.{seat}` is missing")))?;
            *hand = favor::Hand { had: read_favors(&read.had)?, held: read_favors(&read.held)? };
        }
        game.turn = view.turn;
        game.first = [view.turn < 2, view.turn < 3];
        if game.board.options.first == 1 {
            game.first.reverse();
        }
        game.last_fortress = view.last_fortress;
        game.points = view.points;
        game.phase = view.phase(&game)?;
        possible::check(&game)?;
        Ok(game)
    }
}

impl View {
    fn options(&self) -> Result<Options, PositionError> {
        let points = self.variants.contains(&Variant::VictoryPoints);
        let mut setup = self.options.clone();
        setup.insert("variants".to_owned(), json!(Options::new(&self.variants, 0).names()));
        let rolled = self.options.get("fortresses").is_some_and(|value| value == ROLLED);
        let options = Setup::read(&setup.into()).and_then(Setup::settled);
        let mut options = options.map_err(|why| wrong(format!("`options`: {}", why.0)))?;
        if rolled {
            return Ok(options);
        }
        let fortresses = by_rows().zip(&self.tiles.0).filter(|(_, tile)| **tile == Some(Terrain::Fortress));
        let columns: Vec<u8> =
            fortresses.filter(|(square, _)| square.row() == 4).map(|(square, _)| square.column()).collect();
        if points && columns.len() != 3 {
            let text = "with victory-points three fortresses stand in row 5 from the start";
            return Err(wrong(format!("`tiles`: {text}, and there are {}", columns.len())));
        }
        let columns = columns.into_iter().filter(|_| points).fold(0, |set, column| set | 1 << column);
        options.columns = columns;
        Ok(options)
    }

    /// The set-ups that are in while another one is awaited.
    fn sheets(self, options: Options, are_in: bool) -> Result<[Option<Box<Sheet>>; 2], PositionError> {
        let mut sheets = [None, None];
        for (seat, action) in self.submitted {
            let why = match (action.0, usize::from(seat).checked_sub(1)) {
                (Some(Action::SetUp(sheet)), Some(index @ 0..=1)) => match sheet.check(index, options) {
                    Ok(()) => {
                        sheets[index] = Some(sheet);
                        continue;
                    }
                    Err(why) => why.to_string(),
                },
                (_, Some(0..=1)) => "a set-up is written setup:ROW/ROW/ROW/ROW:PIECES:MIDDLE".to_owned(),
                _ => "the seats are 1 and 2".to_owned(),
            };
            return Err(wrong(format!("`submitted.{seat}`: {why}")));
        }
        if are_in && options.placed == Placed::Before {
            return Err(wrong("`phase` is \"fortresses\" only if `options.fortresses` is \"rolled\""));
        }
        if are_in && sheets.iter().any(Option::is_none) {
            return Err(wrong("`submitted`: both set-ups are in before the fortresses are placed"));
        }
        if !are_in && sheets.iter().all(Option::is_some) {
            return Err(wrong("`submitted`: both set-ups are in, so the phase is no longer \"setup\""));
        }
        Ok(sheets)
    }

    /// Lays out the board. A seat's home fortress is the fortress in its homeland.
    fn lay(&self, board: &mut Board) -> Result<(), PositionError> {
        for (square, tile) in by_rows().zip(&self.tiles.0) {
            let Some(terrain) = *tile else {
                return Err(wrong(format!("`tiles`: {square} is not known, and all are once both set-ups are in")));
            };
            board.lay(square, terrain);
            if terrain == Terrain::Fortress && square.row() != 4 {
                board.home[usize::from(square.row() > 4)] = Some(square);
            }
        }
        for (square, piece) in &self.pieces {
            board.put(*square, Cell::new(piece.seat, piece.kind));
        }
        for piece in &self.removed {
            let count = &mut board.removed[piece.seat][piece.kind as usize];
            *count = count.saturating_add(1);
        }
        board.farms = [1, 2].map(|seat| of_seat(&self.farms, seat).copied());
        board.cities = [1, 2].map(|seat| of_seat(&self.cities, seat).copied());
        board.breached = self.breached;
        board.destroyed = self.destroyed;
        Ok(())
    }

    /// Adds the notes to the pieces.
    fn note(&self, game: &mut Campaign) -> Result<(), PositionError> {
        let acted = &self.acted;
        let notes = [
            ("acted.moved", MOVED, acted.moved),
            ("acted.switched", SWITCHED, acted.switched),
            ("acted.warhorse", HORSE, acted.warhorse.into()),
            ("acted.lost", LOST, acted.lost),
            ("acted.assault.by", ASSAULT, acted.assault.by),
            ("acted.conspired", NAMED, acted.conspired),
            ("conspired", BOUND, self.conspired),
            ("attacked", CHARGED, self.attacked),
        ];
        for (member, note, squares) in notes {
            if let Some(square) = (squares & game.board.empty()).into_iter().next() {
                return Err(wrong(format!("`{member}` names the pieces on squares, and {square} is empty")));
            }
            for square in squares {
                game.board.note(square, note);
            }
        }
        game.acted = position::TurnProgress {
            moved: acted.moved.len() as u8,
            switched: !acted.switched.is_empty(),
            lost: !acted.lost.is_empty(),
            favor: acted.favor,
            assault: (acted.assault.r#move, acted.assault.switch),
        };
        Ok(())
    }

    fn phase(&self, game: &Campaign) -> Result<Phase, PositionError> {
        let no_pending = Pending::default();
        let pending = self.pending.as_ref().unwrap_or(&no_pending);
        let due = |member: &str| wrong(format!("`pending.{member}` is missing, and the phase needs it"));
        Ok(match self.phase {
            PhaseName::SetUp => Phase::SetUp,
            PhaseName::Fortresses => Phase::Fortresses,
            PhaseName::Turn => Phase::Turn,
            PhaseName::Favor => {
                let is_awaited = |seat: u8| self.to_act.iter().any(|actor| *actor == seat);
                Phase::Favor { choosing: [1, 2].map(is_awaited), ends: pending.ends.ok_or_else(|| due("ends"))? }
            }
            PhaseName::Battle => Phase::Battle {
                by: pending.by.ok_or_else(|| due("by"))?,
                target: pending.target.ok_or_else(|| due("target"))?,
                fires: pending.kind.ok_or_else(|| due("kind"))? == Engagement::Fire,
            },
            PhaseName::Displace => Phase::Displace { by: pending.by.ok_or_else(|| due("by"))? },
            PhaseName::Over => {
                let end = game.decided().or_else(|| points_end(game.points));
                Phase::Over(end.ok_or_else(|| wrong("`phase` is \"over\", and nothing has ended the game"))?)
            }
        })
    }
}

fn read_favors(list: &[Hidden<Favor>]) -> Result<favor::Favors, PositionError> {
    let mut favors = favor::Favors::default();
    for favor in list.iter().filter_map(|hidden| hidden.0) {
        if favors.has(favor) {
            return Err(wrong(format!("`favors`: each is had once in a game, and {favor} is listed twice")));
        }
        favors |= favor;
    }
    Ok(favors)
}
