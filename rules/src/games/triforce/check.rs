//! Whether a position that somebody sets up can occur in play, and if not, why.
//!
//! The actions of the turn are reconstructed. Its combats are checked only as far as the stacks show.

use super::board::{ACTIONS, Board, End, Phase};
use super::combat::Combat;
use super::notation::Action;
use super::place::Place;
use super::stack::{Owner, Piece, SIZES, Stack};
use plybook_events::Actor;

use crate::{Position, PositionError};

impl Board {
    /// How the game has ended with this board, if it has.
    pub(super) fn end(&self) -> Option<End> {
        let won = self.spent == 0 && !self.is_changed() && self.territories(self.turn) >= self.goal();
        self.pinned_end().or(won.then_some(End::Territories)).filter(|_| self.contested().is_empty())
    }

    /// Checks a position whose pieces add up. `begun` is the board at the start of its turn.
    pub(super) fn check(&self, begun: &Self) -> Result<(), PositionError> {
        if self.phase == Phase::Over(End::Territories) {
            return Ok(());
        }
        begun.check_start()?;
        match self.phase {
            Phase::Act => self.check_actions(begun),
            Phase::Order if self.contested().len() < 2 => {
                Err("`phase` is order only if several stacks are contested".into())
            }
            Phase::Order | Phase::Over(_) => self.check_pieces(begun),
            Phase::Sword(combat) | Phase::Shield(combat) | Phase::Roll(combat) => {
                self.check_pieces(begun)?;
                self.check_combat(combat)
            }
        }
    }

    /// Checks that each shield has an owner, if it stays with that.
    pub(super) fn check_owners(&self) -> Result<(), PositionError> {
        let is_wrong = |place: &Place| {
            let has_owner = (1..=self.players).contains(&self.owners[place.index()]);
            let is_due = self.options.shield_stays && self.stack(*place).find(Owner::Shield).is_some();
            has_owner != is_due || !has_owner && self.owners[place.index()] != 0
        };
        match Place::all().find(is_wrong) {
            Some(at) => Err(format!(
                "`owners` names the seat of each shield if `options.shield` is \"owner\", and no other: {at} is wrong"
            )
            .into()),
            None => Ok(()),
        }
    }

    /// Checks that a turn can begin with this board.
    fn check_start(&self) -> Result<(), PositionError> {
        let seat = self.turn;
        if let Some(at) = self.contested().first() {
            return Err(
                format!("{at} is contested in `start`: it would have been fought over before the turn began").into()
            );
        }
        if self.pinned_end().is_some() {
            return Err("with the stacks in `start` at most one seat can place or move: the game would be over".into());
        }
        if self.territories(seat) >= self.goal() {
            let goal = self.goal();
            return Err(format!(
                "seat {seat} has begun its turn with {goal} territories or more: the game would be over"
            )
            .into());
        }
        Ok(())
    }

    /// Checks that the actions of the turn lead from its start to this board.
    fn check_actions(&self, begun: &Self) -> Result<(), PositionError> {
        let (seat, spent) = (self.turn, self.spent);
        if spent >= ACTIONS {
            return Err(format!("`spent` is 0 to 2 while seat {seat} is to act: {ACTIONS} actions end a turn").into());
        }
        if begun.leads_to(self) {
            return Ok(());
        }
        if spent == 0 {
            return Err("`start` is the same as `stacks` while `spent` is 0".into());
        }
        if !self.has_action() {
            return Err(format!("seat {seat} has nothing left to do: its turn would have ended").into());
        }
        let actions = if spent == 1 { "one action" } else { "two actions" };
        Err(format!("seat {seat} cannot get from `start` to `stacks` with {actions}").into())
    }

    /// Whether actions of this turn lead to a board.
    fn leads_to(&self, target: &Self) -> bool {
        if self.spent == target.spent {
            return self == target;
        }
        // An action changes one or two stacks.
        let differ = Place::all().filter(|place| self.stack(*place) != target.stack(*place)).count();
        let is_same_turn = self.phase == Phase::Act && self.turn == target.turn && self.spent < target.spent;
        if !is_same_turn || differ > 2 * usize::from(target.spent - self.spent) {
            return false;
        }
        let mut actions = Vec::new();
        let actor = Actor::Seat(self.turn);
        self.legal(actor, &mut actions);
        actions.retain(|action| matches!(action, Action::Place(_) | Action::Move { .. }));
        actions.iter().any(|action| {
            let mut next = self.clone();
            next.apply(actor, action);
            next.leads_to(target)
        })
    }

    /// Checks that the stacks have not gained more than the turn's actions can bring.
    fn check_pieces(&self, begun: &Self) -> Result<(), PositionError> {
        let (seat, spent) = (self.turn, self.spent);
        if !(1..=ACTIONS).contains(&spent) {
            return Err(format!("`spent` is 1 to {ACTIONS} once a turn has changed something").into());
        }
        let mut brought = 0;
        for place in Place::all() {
            let (now, before) = (self.stack(place), begun.stack(place));
            let more = |owner| {
                let pieces = SIZES.map(|size| Piece::new(Owner::Seat(owner), size));
                let count = |stack: Stack, piece| stack.pieces().filter(|other| *other == piece).count();
                pieces.map(|piece| count(now, piece).saturating_sub(count(before, piece))).iter().sum::<usize>()
            };
            if let Some(other) = (1..=self.players).find(|other| *other != seat && more(*other) > 0) {
                return Err(
                    format!("a piece of seat {other} has come to {place}, but it is the turn of seat {seat}").into()
                );
            }
            // A piece that a seat added may have been exchanged, which leaves the stack as tall as it was.
            brought += more(seat).max(now.len().saturating_sub(before.len()));
        }
        if brought > usize::from(spent) {
            return Err(
                format!("{brought} pieces have come to the stacks since `start`, but `spent` is {spent}").into()
            );
        }
        Ok(())
    }

    /// Checks a combat against its stack.
    fn check_combat(&self, combat: Combat) -> Result<(), PositionError> {
        let (at, stack) = (combat.at, self.stack(combat.at));
        if !self.is_contested(at) {
            return Err(format!(
                "{at} is not contested: `fight` is a stack of four pieces or more, of two seats or more"
            )
            .into());
        }
        for (member, user, owner) in [("sword", combat.sword, Owner::Sword), ("shield", combat.shield, Owner::Shield)] {
            if user.is_some_and(|seat| stack.count(Owner::Seat(seat)) == 0 || stack.find(owner).is_none()) {
                return Err(
                    format!("`{member}` is null, or a seat with a piece on {at} and a {member} beside it").into()
                );
            }
        }
        if self.options.shield_stays && combat.shield.is_some_and(|seat| self.owners[at.index()] != seat) {
            return Err("`shield` is null, or the seat that `owners` names".into());
        }
        if combat.sword.is_some() && combat.sword == combat.shield {
            return Err("a seat takes a sword or a shield in one combat, not both".into());
        }
        let is_first = combat.sword.is_none() && combat.shield.is_none();
        match self.phase {
            Phase::Sword(_) if !is_first => Err("`sword` and `shield` are null while `phase` is sword".into()),
            Phase::Shield(_) if combat.shield.is_some() => Err("`shield` is null while `phase` is shield".into()),
            Phase::Sword(_) | Phase::Shield(_) if self.offer().is_none() => {
                Err(format!("nobody on {at} can exchange a piece: `phase` would be a later one").into())
            }
            _ => Ok(()),
        }
    }
}
