//! Positions as JSON: complete, which can be read again, and as a viewer may see them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Sight, labels, spaces};
use crate::games::triforce_building::TriforceBuilding;
use crate::games::triforce_building::board::{Board, TRIFORCES_MAX, Triforce};
use crate::games::triforce_building::lattice::Cell;
use crate::games::triforce_building::notation::Submission;
use crate::games::triforce_building::setup::{Brought, Members, SEATS, Setup};
use crate::view::Kind;
use crate::{PositionError, Viewer, pairs};

/// A position as it is written.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum View<'b> {
    Complete(Complete),
    Announcement(Announcement<'b>),
}

/// A complete position; lists are by seat.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Complete {
    cells: Vec<Option<Cell>>,
    game: Kind<TriforceBuilding>,
    garnets: Vec<u8>,
    made: Vec<Triforce>,
    over: bool,
    phase: Phase,
    powered: Vec<bool>,
    priority: Vec<u8>,
    round: u8,
    setup: Setup,
    /// Written in the order of the seats' names: 1, 10, 11, 12, 13, 2.
    #[serde(serialize_with = "pairs::serialize", deserialize_with = "pairs::sorted")]
    submitted: Vec<(u8, Submission)>,
    tokens: Vec<u8>,
}

/// What everybody knows while the game runs, and what a seat knows about itself.
#[derive(Serialize)]
pub(crate) struct Announcement<'b> {
    board: BTreeMap<Cell, &'static str>,
    game: Kind<TriforceBuilding>,
    garnets: Brought<'b>,
    labels: Option<BTreeMap<char, Cell>>,
    over: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    own: Option<OwnSeat>,
    phase: Phase,
    priority: Vec<u8>,
    round: u8,
    setup: Members<'b>,
    submitted: BTreeMap<u8, Option<Submission>>,
    triforces: Vec<Left>,
    viewer: Value,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Phase {
    Draw,
    Submit,
    Over,
}

/// What a seat knows about itself.
#[derive(Serialize)]
struct OwnSeat {
    cell: Option<Cell>,
    garnets: u8,
    powered: bool,
    priority: Option<u8>,
    token: u8,
}

/// A triforce, by the cells that its seats left from.
#[derive(Serialize)]
struct Left {
    cells: [Cell; 3],
    round: u8,
    seats: [u8; 3],
}

impl<'b> View<'b> {
    /// A position as a viewer may see it.
    pub(crate) fn of(board: &'b Board, viewer: Viewer) -> Self {
        match Sight::of(board, viewer) {
            Sight::All => Self::Complete(board.into()),
            Sight::Public => Self::Announcement(announced(board, None)),
            Sight::Own(index) => Self::Announcement(announced(board, Some(index))),
        }
    }
}

fn announced(board: &Board, own: Option<usize>) -> Announcement<'_> {
    let setup = &board.setup;
    let left = |made: Triforce| {
        let cells = made.at.neighbours(setup.side).expect("the middle of a triforce has three neighbours");
        Left { cells, round: made.round, seats: made.seats }
    };
    let shown = |(seat, submission)| (seat, Some(submission).filter(|_| own == Some(usize::from(seat) - 1)));
    Announcement {
        board: spaces(board)
            .into_iter()
            .map(|(cell, powered)| (cell, if powered { "powered" } else { "unpowered" }))
            .collect(),
        game: Kind::default(),
        garnets: setup.announced_garnets(),
        labels: labels(board).map(|labels| labels.into_iter().collect()),
        over: false,
        own: own.map(|index| OwnSeat {
            cell: board.cells[index],
            garnets: board.garnets[index],
            powered: board.powered.contains(index),
            priority: board.cells[index].map(|_| board.priority[index]),
            token: board.tokens.contains(index).into(),
        }),
        phase: phase(board),
        priority: setup.priority().to_vec(),
        round: board.round,
        setup: setup.shape(),
        submitted: submitted(board).map(shown).collect(),
        triforces: board.triforces().map(left).collect(),
        viewer: own.map_or("public".into(), |index| (index + 1).into()),
    }
}

fn phase(board: &Board) -> Phase {
    match board {
        _ if board.over => Phase::Over,
        _ if board.is_drawing() => Phase::Draw,
        _ => Phase::Submit,
    }
}

/// The seats in the order of their names.
const NAMED: [u8; SEATS] = [1, 10, 11, 12, 13, 2, 3, 4, 5, 6, 7, 8, 9];

/// The submissions, by seat.
fn submitted(board: &Board) -> impl Iterator<Item = (u8, Submission)> {
    (1..).zip(board.submitted).filter_map(|(seat, submission)| Some((seat, submission?)))
}

impl From<&Board> for Complete {
    fn from(board: &Board) -> Self {
        let players = board.players();
        Self {
            cells: board.cells[..players].to_vec(),
            game: Kind::default(),
            garnets: board.garnets[..players].to_vec(),
            made: board.triforces().collect(),
            over: board.over,
            phase: phase(board),
            powered: (0..players).map(|index| board.powered.contains(index)).collect(),
            priority: board.priority[..players].to_vec(),
            round: board.round,
            setup: board.setup,
            submitted: NAMED
                .iter()
                .filter_map(|seat| Some((*seat, board.submitted[usize::from(*seat) - 1]?)))
                .collect(),
            tokens: (0..players).map(|index| board.tokens.contains(index).into()).collect(),
        }
    }
}

impl TryFrom<Complete> for Board {
    type Error = PositionError;

    /// Tokens of life follow from the triforces and the end, so they are not read here.
    fn try_from(view: Complete) -> Result<Self, PositionError> {
        let mut board = Board::start(view.setup, &[]);
        let players = board.players();
        (board.over, board.round) = (view.over, view.round);
        by_seat("cells", &view.cells, &mut board.cells[..players])?;
        by_seat("garnets", &view.garnets, &mut board.garnets[..players])?;
        by_seat("priority", &view.priority, &mut board.priority[..players])?;
        let mut powered = vec![false; players];
        by_seat("powered", &view.powered, &mut powered)?;
        (0..players).filter(|index| powered[*index]).for_each(|index| board.powered.insert(index));
        let most = usize::from(view.setup.triforces()).min(TRIFORCES_MAX);
        if view.made.len() > most {
            return Err(format!("`made` lists at most {most} triforces, not {}", view.made.len()).into());
        }
        board.made.iter_mut().zip(view.made).for_each(|(slot, made)| *slot = Some(made));
        board.check()?;
        board.give_tokens();
        for (seat, submission) in view.submitted {
            board.check_submission(seat, submission)?;
            board.submitted[usize::from(seat) - 1] = Some(submission);
        }
        board.check_waiting()?;
        Ok(board)
    }
}

/// Copies a list that must have an entry for each seat.
fn by_seat<T: Copy>(member: &str, given: &[T], to: &mut [T]) -> Result<(), PositionError> {
    if given.len() != to.len() {
        return Err(format!("`{member}` has an entry for each of {} seats, not {}", to.len(), given.len()).into());
    }
    to.copy_from_slice(given);
    Ok(())
}
