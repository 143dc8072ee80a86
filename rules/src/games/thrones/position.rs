//! The position of a game of Thrones: the battlefield, and where the turn stands.

use plybook_events::{Actor, Outcome};
use serde_json::{Value, json};

use super::action::Action;
use super::estimate;
use super::favor::{Favors, Hand};
use super::field::Field;
use super::options::Options;
use super::sheet::{self, Sheet};
use super::square::{NONE, Square, near, squares};
use super::{from_json, measures, reasons, scene, to_json, words};
use crate::{Actors, Draw, Illegal, Last, Position, PositionError, Scene, Tally, Viewer};

/// A state of the game. Seats are indices 0 and 1 here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Campaign {
    /// The board and what stands on it.
    pub(super) field: Field,
    /// What is awaited.
    pub(super) phase: Phase,
    /// The number of the turn, from 1; seat 1 has the odd ones.
    pub(super) turn: u32,
    /// What has been done in this turn, apart from the notes on the pieces.
    pub(super) acted: Acted,
    /// Whether each seat's first turn has not ended yet.
    pub(super) first: [bool; 2],
    /// Each seat's favours.
    pub(super) hands: [Hand; 2],
    /// The fortress each seat's throne stood in last; [`NONE`] before there is one.
    pub(super) last_fortress: [Square; 2],
    /// Each seat's victory points.
    pub(super) points: [u16; 2],
    /// The set-ups that are in, until both are.
    pub(super) sheets: [Option<Box<Sheet>>; 2],
}

/// What is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Set-ups.
    SetUp,
    /// The choice of a favour.
    Favor {
        /// Who is still to choose.
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
    /// Where the loser of a battle goes.
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
    /// Somebody has 21 points: the winner has more, or nobody has.
    VictoryPoints(Option<usize>),
    /// The winner alone has pieces.
    NoPieces(usize),
}

/// What has been done in a turn, apart from the notes on the pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Acted {
    /// How many regular moves were made.
    pub(super) moved: u8,
    /// Whether the regular switch action was begun.
    pub(super) switched: bool,
    /// Whether a battle was lost.
    pub(super) lost: bool,
    /// Whether a favour was used.
    pub(super) favor: bool,
    /// The halves of an assault that were made: the move, the switch.
    pub(super) assault: (bool, bool),
}

impl Campaign {
    /// The start of a game.
    pub(super) fn start(options: Options) -> Self {
        Self {
            field: Field::new(options),
            phase: Phase::SetUp,
            turn: 1,
            acted: Acted::default(),
            first: [true; 2],
            hands: [Hand::default(); 2],
            last_fortress: [NONE; 2],
            points: [0; 2],
            sheets: [None, None],
        }
    }

    /// Whose turn it is.
    pub(super) const fn seat(&self) -> usize {
        (self.turn as usize + 1) % 2
    }

    /// The favours a seat can choose from.
    pub(super) const fn choice(&self, seat: usize) -> Favors {
        self.hands[seat].had.others()
    }
}

impl Position for Campaign {
    type Action = Action;

    fn seats(&self) -> u8 {
        2
    }

    fn to_act(&self) -> Actors {
        let those = |awaited: [bool; 2]| (1..=2).filter(|seat| awaited[*seat as usize - 1]).map(Actor::Seat).collect();
        match self.phase {
            Phase::SetUp => those([0, 1].map(|seat| self.sheets[seat as usize].is_none())),
            Phase::Favor { choosing, .. } => those(choosing),
            Phase::Turn => Actors::seat(self.seat() as u8 + 1),
            Phase::Battle { .. } => Actors::CHANCE,
            Phase::Displace { .. } => Actors::seat(2 - self.seat() as u8),
            Phase::Over(_) => Actors::NONE,
        }
    }

    fn prompt(&self, _actor: Actor) -> Option<Value> {
        (self.phase == Phase::SetUp).then(|| json!({ "kind": "setup" }))
    }

    fn legal(&self, actor: Actor, out: &mut Vec<Action>) {
        match self.phase {
            Phase::SetUp | Phase::Over(_) => {}
            Phase::Favor { .. } => out.extend(self.choice(index(actor)).iter().map(Action::Favor)),
            Phase::Turn => self.list_turn(out),
            Phase::Battle { .. } => out.extend([true, false].map(|won| Action::Battle { won })),
            Phase::Displace { by } => {
                out.push(Action::Leave);
                out.extend(squares(near(by) & self.field.empty()).map(Action::Displace));
            }
        }
    }

    fn count_legal(&self, actor: Actor) -> usize {
        match self.phase {
            Phase::SetUp | Phase::Over(_) => 0,
            Phase::Favor { .. } => self.choice(index(actor)).len(),
            Phase::Turn => self.count_turn(),
            Phase::Battle { .. } => 2,
            Phase::Displace { by } => 1 + (near(by) & self.field.empty()).count_ones() as usize,
        }
    }

    fn judge(&self, actor: Actor, action: &Action) -> Result<(), Illegal> {
        reasons::judge(self, actor, action)
    }

    fn apply(&mut self, actor: Actor, action: &Action) {
        self.play(actor, action);
    }

    fn count(&self, _actor: Actor, action: &Action, after: &Self, tally: &mut Tally) {
        measures::count(self, action, after, tally);
    }

    fn standing(&self, winners: &[u8], tally: &mut Tally) {
        measures::standing(self, winners, tally);
    }

    fn outcome(&self) -> Option<Outcome> {
        let Phase::Over(end) = self.phase else { return None };
        let win = |seat: usize, reason| Outcome::win(vec![seat as u8 + 1], reason);
        Some(match end {
            End::ThroneRemoved(seat) => win(seat, "throne-removed"),
            End::FortressOccupied(seat) => win(seat, "fortress-occupied"),
            End::VictoryPoints(Some(seat)) => win(seat, "victory-points"),
            End::VictoryPoints(None) => Outcome::draw("victory-points"),
            End::NoPieces(seat) => win(seat, "no-pieces"),
        })
    }

    fn to_json(&self, viewer: Viewer) -> Value {
        to_json::write(self, viewer)
    }

    fn from_json(json: &Value) -> Result<Self, PositionError> {
        from_json::read(json)
    }

    fn shown(&self, viewer: Viewer, actor: Actor, action: &Action) -> Option<String> {
        Some(match action {
            Action::SetUp(_) if !viewer.knows(actor) => "setup:?".to_owned(),
            Action::Favor(_) if !viewer.knows(actor) => "favor:?".to_owned(),
            _ => action.to_string(),
        })
    }

    // Favours stay closed until the end, used ones too: which of two that were hidden was chosen
    // first would tell what its seat was after.
    fn is_opened(&self, _actor: Actor, action: &Action) -> bool {
        matches!(action, Action::SetUp(_)) && self.phase != Phase::SetUp
    }

    fn sample(&self, actor: Actor, draw: &mut Draw<'_>) -> Action {
        if self.phase == Phase::SetUp {
            return Action::SetUp(Box::new(sheet::sample(index(actor), self.field.options, draw)));
        }
        let mut actions = Vec::new();
        self.legal(actor, &mut actions);
        actions.swap_remove(draw(actions.len() as u32) as usize)
    }

    fn scene(&self, viewer: Viewer, last: Option<Last<'_, Self>>) -> Scene {
        scene::draw(self, viewer, last.as_ref())
    }

    fn text(&self, viewer: Viewer) -> String {
        words::write(self, viewer)
    }

    fn estimate(&self, seat: u8) -> i32 {
        estimate::standing(self, usize::from(seat) - 1)
    }
}

/// The index of the seat that acts; chance is asked for nothing that a seat's index is needed for.
pub(super) fn index(actor: Actor) -> usize {
    match actor {
        Actor::Seat(seat) => usize::from(seat).saturating_sub(1).min(1),
        Actor::Chance => 0,
    }
}
