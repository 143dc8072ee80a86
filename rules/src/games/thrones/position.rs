//! The position of a game of Thrones: the board, and the state of the turn.

use plybook_events::Actor;

use super::board::Board;
use super::favor::{Favors, Hand};
use super::options::Options;
use super::sheet::Sheet;
use super::square::Square;

/// A state of the game. Seats are indices 0 and 1 here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Campaign {
    /// The board and what stands on it.
    pub(super) board: Board,
    /// What the game is waiting for.
    pub(super) phase: Phase,
    /// The number of the turn, from 1; odd turns are those of the seat that began.
    pub(super) turn: u32,
    /// What was done in this turn, apart from the notes on the pieces.
    pub(super) acted: TurnProgress,
    /// Whether each seat is still in its first turn.
    pub(super) first: [bool; 2],
    /// Each seat's favours.
    pub(super) hands: [Hand; 2],
    /// The fortress that each seat's throne stood in last; `None` before its first.
    pub(super) last_fortress: [Option<Square>; 2],
    /// Each seat's victory points.
    pub(super) points: [u16; 2],
    /// The set-ups that are in, until the middle row is laid.
    pub(super) sheets: [Option<Box<Sheet>>; 2],
}

/// What the game is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Set-ups.
    SetUp,
    /// Where chance places the fortresses of the middle row. Both set-ups are in, and kept until then.
    Fortresses,
    /// The choice of a favour.
    Favor {
        /// The seats still to choose.
        choosing: [bool; 2],
        /// Whether the turn ends after the choice.
        ends: bool,
    },
    /// An action of the seat whose turn it is.
    Turn,
    /// The outcome of a battle.
    Battle {
        /// The square of the piece that attacks or fires.
        by: Square,
        /// The fortress.
        target: Square,
        /// Whether it fires.
        fires: bool,
    },
    /// The choice of where the loser of a battle goes.
    Displace {
        /// The square of the loser.
        by: Square,
    },
    /// Nothing: the game is over.
    Over(End),
}

/// How a game ended. Seats are indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The winner removed the enemy throne.
    ThroneRemoved(usize),
    /// The winner's throne stands in the enemy's home fortress.
    FortressOccupied(usize),
    /// Somebody has 21 points; the winner has more than the other seat, or there is none.
    VictoryPoints(Option<usize>),
    /// Only the winner has pieces left.
    NoPieces(usize),
}

/// What was done in a turn, apart from the notes on the pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TurnProgress {
    /// How many regular moves were made.
    pub(super) moved: u8,
    /// Whether the regular switch action was started.
    pub(super) switched: bool,
    /// Whether a battle was lost.
    pub(super) lost: bool,
    /// Whether a favour was used.
    pub(super) favor: bool,
    /// The halves of an assault that were made: the move, and the switch.
    pub(super) assault: (bool, bool),
}

impl Campaign {
    /// The start of a game.
    pub(super) fn start(options: Options) -> Self {
        Self {
            board: Board::new(options),
            phase: Phase::SetUp,
            turn: 1,
            acted: TurnProgress::default(),
            first: [true; 2],
            hands: [Hand::default(); 2],
            last_fortress: [None; 2],
            points: [0; 2],
            sheets: [None, None],
        }
    }

    /// Whose turn it is.
    pub(super) const fn seat(&self) -> usize {
        (self.turn as usize + 1 + self.board.options.first) % 2
    }

    /// The favours that a seat can choose from.
    pub(super) fn choice(&self, seat: usize) -> Favors {
        let had = self.hands[seat].had;
        if had.len() < usize::from(self.board.options.favors) { !had } else { Favors::default() }
    }
}

/// The index of the seat that acts. It is never used for chance.
pub(super) fn index(actor: Actor) -> usize {
    match actor {
        Actor::Seat(seat) => usize::from(seat).saturating_sub(1).min(1),
        Actor::Chance => 0,
    }
}
