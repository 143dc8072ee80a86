//! Positions of Triforce as JSON, both ways.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::PositionError;
use crate::games::triforce::Triforce;
use crate::games::triforce::board::{Board, EACH, Phase};
use crate::games::triforce::combat::Combat;
use crate::games::triforce::place::{PLACES, Place};
use crate::games::triforce::setup::{Options, Setup, bases_text};
use crate::games::triforce::stack::Stack;
use crate::pairs;
use crate::view::Kind;

/// A position, as the game's page documents it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct View {
    bases: String,
    #[serde(deserialize_with = "Option::deserialize")]
    fight: Option<Place>,
    game: Kind<Triforce>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    options: Option<Options>,
    #[serde(with = "pairs", default, skip_serializing_if = "Vec::is_empty")]
    owners: Vec<(Place, u8)>,
    pawns: Vec<Place>,
    phase: PhaseName,
    players: u8,
    #[serde(deserialize_with = "Option::deserialize")]
    shield: Option<u8>,
    shields: [u8; 3],
    spent: u8,
    #[serde(serialize_with = "pairs::serialize", deserialize_with = "pairs::sorted")]
    stacks: Vec<(Place, Stack)>,
    #[serde(serialize_with = "pairs::serialize", deserialize_with = "pairs::sorted")]
    start: Vec<(Place, Stack)>,
    stash: Vec<[u8; 3]>,
    #[serde(deserialize_with = "Option::deserialize")]
    sword: Option<u8>,
    swords: [u8; 3],
    turn: u8,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum PhaseName {
    Act,
    Order,
    Sword,
    Shield,
    Roll,
    Over,
}

impl From<&Board> for View {
    fn from(board: &Board) -> Self {
        let players = usize::from(board.players);
        let combat = board.combat();
        Self {
            bases: bases_text(&board.bases),
            fight: combat.map(|combat| combat.at),
            game: Kind::default(),
            options: Some(board.options).filter(|options| !options.is_usual()),
            owners: Place::all().map(|at| (at, board.owners[at.index()])).filter(|(_, seat)| *seat != 0).collect(),
            pawns: board.pawns[..players].to_vec(),
            phase: match board.phase {
                Phase::Act => PhaseName::Act,
                Phase::Order => PhaseName::Order,
                Phase::Sword(_) => PhaseName::Sword,
                Phase::Shield(_) => PhaseName::Shield,
                Phase::Roll(_) => PhaseName::Roll,
                Phase::Over(_) => PhaseName::Over,
            },
            players: board.players,
            shield: combat.and_then(|combat| combat.shield),
            shields: board.shields,
            spent: board.spent,
            stacks: occupied(&board.stacks),
            start: occupied(&board.start),
            stash: board.stash[..players].to_vec(),
            sword: combat.and_then(|combat| combat.sword),
            swords: board.swords,
            turn: board.turn,
        }
    }
}

/// The stacks that have pieces, by territory.
fn occupied(stacks: &[Stack; PLACES]) -> Vec<(Place, Stack)> {
    let stacks = Place::all().map(|place| (place, stacks[place.index()]));
    stacks.filter(|(_, stack)| !stack.is_empty()).collect()
}

impl TryFrom<View> for Board {
    type Error = PositionError;

    /// Stashes and supplies follow from the stacks, so they are not read here.
    fn try_from(view: View) -> Result<Self, PositionError> {
        let setup = json!({ "players": view.players, "bases": view.bases, "pawns": view.pawns });
        let mut board = Board::start(&Setup::read(&setup).map_err(|why| why.0)?);
        board.options = view.options.unwrap_or_default();
        for (place, seat) in view.owners {
            board.owners[place.index()] = seat;
        }
        let seats = 1..=view.players;
        if !seats.contains(&view.turn) {
            return Err(format!("`turn` is a seat from 1 to {}, not {}", view.players, view.turn).into());
        }
        board.turn = view.turn;
        let begun = set_out(&board, "start", view.start)?;
        board = set_out(&board, "stacks", view.stacks)?;
        board.start = begun.start;
        board.spent = view.spent;
        board.check_owners()?;
        let combat = view.fight.map(|at| Combat { sword: view.sword, shield: view.shield, ..board.combat_on(at) });
        board.phase = match (view.phase, combat) {
            (PhaseName::Act, None) => Phase::Act,
            (PhaseName::Order, None) => Phase::Order,
            (PhaseName::Sword, Some(combat)) => Phase::Sword(combat),
            (PhaseName::Shield, Some(combat)) => Phase::Shield(combat),
            (PhaseName::Roll, Some(combat)) => Phase::Roll(combat),
            (PhaseName::Over, None) => {
                Phase::Over(board.end().ok_or("nothing has ended the game: `phase` is another")?)
            }
            (_, None) => {
                return Err(
                    "`fight` names the territory that is fought for in the phases sword, shield and roll".into()
                );
            }
            (_, Some(_)) => return Err("`fight` is null outside the phases sword, shield and roll".into()),
        };
        board.check(&begun)?;
        Ok(board)
    }
}

/// The board with exactly these stacks.
fn set_out(board: &Board, member: &str, occupied: Vec<(Place, Stack)>) -> Result<Board, PositionError> {
    let mut stacks = [Stack::EMPTY; PLACES];
    for (place, stack) in occupied {
        if let Some(piece) = stack.pieces().find(|piece| piece.seat().is_some_and(|seat| seat > board.players)) {
            return Err(format!("`{member}` has {piece} on {place}, but there are {} seats", board.players).into());
        }
        stacks[place.index()] = stack;
    }
    let too_many = |piece| format!("`{member}` has more pieces {piece} than there are: {EACH} of each owner and size");
    board.set_out(stacks).map_err(|piece| too_many(piece).into())
}
