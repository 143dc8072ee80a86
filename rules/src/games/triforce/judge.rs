//! Whether the rules allow an action, and if not, why, in a player's words.

use super::board::{ACTIONS, Board, Phase};
use super::combat::{Combat, Hand};
use super::notation::{Action, Roll};
use super::place::Place;
use super::stack::{Owner, Size, Stack};
use crate::Illegal;

impl Board {
    /// Judges an action.
    pub(super) fn judged(&self, action: Action) -> Result<(), Illegal> {
        match (self.phase, action) {
            (Phase::Act, Action::Place(size)) => self.judge_placement(size),
            (Phase::Act, Action::Move { from, to }) => self.judge_move(from, to),
            (Phase::Act, Action::End) => self.judge_end(),
            (Phase::Act, Action::Pass) if self.has_action() || self.spent > 0 => {
                Err("you are not pinned: you may pass only when you can neither place nor move a piece".into())
            }
            (Phase::Act, Action::Pass) => Ok(()),
            (Phase::Order, Action::Fight(at)) => self.judge_fight(at),
            (Phase::Sword(_), Action::Sword(index)) => self.judge_exchange(index, Owner::Sword),
            (Phase::Shield(_), Action::Shield(index)) => self.judge_exchange(index, Owner::Shield),
            (Phase::Roll(combat), Action::Roll(roll)) => judge_roll(combat, self.stack(combat.at), &roll),
            _ => Err(self.awaited().into()),
        }
    }

    /// What to do instead of an action that belongs to another phase.
    fn awaited(&self) -> String {
        match self.phase {
            Phase::Act if self.spent == 0 && !self.has_action() => {
                "you are pinned: you can neither place nor move a piece, so you must pass".into()
            }
            Phase::Act => "this is for combat: now you place a piece (+L), move one (b2-d3), or end the turn".into(),
            Phase::Order => "several stacks are contested: name the one that is fought on first, like fight:c2".into(),
            Phase::Sword(Combat { at, .. }) => {
                format!("there is combat on {at}: take a sword in exchange for a piece of yours (sword:1), or nosword")
            }
            Phase::Shield(Combat { at, .. }) => {
                format!(
                    "there is combat on {at}: take a shield in exchange for a piece of yours (shield:1), or noshield"
                )
            }
            Phase::Roll(Combat { at, .. }) => {
                format!("there is combat on {at}: the dice are awaited, like roll:1=7,3=4+11")
            }
            Phase::Over(_) => "the game is over".into(),
        }
    }

    fn judge_placement(&self, size: Size) -> Result<(), Illegal> {
        let at = self.pawn(self.turn);
        if self.stash_of(self.turn)[size as usize] == 0 {
            return Err(format!("you have no {} piece left in your stash", size.word()).into());
        }
        if !self.open()[size as usize].has(at) {
            return Err(self.why_closed(at, self.stack(at), size).into());
        }
        Ok(())
    }

    fn judge_move(&self, from: Place, to: Place) -> Result<(), Illegal> {
        let Some(top) = self.stack(from).top() else {
            return Err(format!("there is no piece on {from}").into());
        };
        match top.owner() {
            Owner::Seat(seat) if seat == self.turn => {}
            Owner::Seat(_) => {
                let top = top.words();
                return Err(
                    format!("only a piece of your own on top of a stack can move: on {from} it is {top}").into()
                );
            }
            Owner::Sword | Owner::Shield => {
                let top = top.words();
                return Err(format!("{top} on {from} never moves, and nothing below it does").into());
            }
        }
        if from == to {
            return Err("a moved piece ends on another territory".into());
        }
        let (open, size) = (self.open()[top.size() as usize], top.size());
        if !open.has(to) {
            return Err(self.why_closed(to, self.stack(to), size).into());
        }
        if !from.reach(open).has(to) {
            let size = size.word();
            return Err(
                format!("there is no way from {from} to {to}: every territory on it must take a {size} piece").into()
            );
        }
        if self.undoing() == Some((from, to)) {
            return Err(
                "the stacks would stand as at the start of your turn: the third action must leave a change".into()
            );
        }
        Ok(())
    }

    /// Why a stack does not take a piece.
    fn why_closed(&self, at: Place, stack: Stack, size: Size) -> String {
        let size = size.word();
        if let Some(top) = stack.top() {
            return format!("{} on top of {at} has the same size: a {size} piece cannot go on it", top.words());
        }
        let base = self.bases[at.index()].word();
        format!("the white pyramid of {at} is {base}: its first piece must be {base} too, not {size}")
    }

    fn judge_end(&self) -> Result<(), Illegal> {
        if self.spent == 0 && !self.has_action() {
            return Err(self.awaited().into());
        }
        if self.spent == 0 {
            return Err(format!("a turn has one action at least, and up to {ACTIONS}, before it ends").into());
        }
        if !self.is_changed() {
            return Err(
                "the stacks stand as at the start of your turn: you must leave a change before you end it".into()
            );
        }
        Ok(())
    }

    fn judge_fight(&self, at: Place) -> Result<(), Illegal> {
        if self.is_contested(at) {
            Ok(())
        } else {
            let of = if self.options.all_colours { "colours" } else { "seats" };
            Err(format!("{at} is not contested: that takes four pieces or more, of two {of} or more").into())
        }
    }

    fn judge_exchange(&self, index: Option<u8>, owner: Owner) -> Result<(), Illegal> {
        let (Some(index), Some(combat), Some(offer)) = (index, self.combat(), self.offer()) else { return Ok(()) };
        if offer.pieces.checked_shr(u32::from(index)).unwrap_or(0) & 1 == 1 {
            return Ok(());
        }
        let (at, stack, number) = (combat.at, self.stack(combat.at), u16::from(index) + 1);
        if usize::from(index) >= stack.len() {
            return Err(format!("the stack on {at} has {} pieces, there is no number {number}", stack.len()).into());
        }
        let piece = stack.get(usize::from(index));
        if piece.seat() != Some(offer.seat) {
            let piece = piece.words();
            return Err(format!("number {number} on {at} is {piece}: only a piece of your own can be exchanged").into());
        }
        let what = if owner == Owner::Sword { "sword" } else { "shield" };
        Err(format!("there is no {} {what} left at the side", piece.size().word()).into())
    }
}

/// Judges whether the dice are the ones to be rolled.
fn judge_roll(combat: Combat, stack: Stack, roll: &Roll) -> Result<(), Illegal> {
    let at = combat.at;
    let seats = stack.seats();
    if let Some(seat) = (1..=6).find(|seat| seats & 1 << seat == 0 && roll.dice(*seat) != (0, 0)) {
        return Err(format!("seat {seat} has no piece in the stack on {at} and does not roll").into());
    }
    for (seat, hand) in combat.hands(stack) {
        let (first, black) = roll.dice(seat);
        let (sides, sword) = (hand.sides(), hand == Hand::Sword);
        if first == 0 {
            return Err(format!("seat {seat} has a piece in the stack on {at} and must roll").into());
        }
        if first > sides {
            return Err(format!("seat {seat} rolls a d{sides}, which cannot show {first}").into());
        }
        if sword && black == 0 {
            return Err(format!("seat {seat} uses the sword and rolls two dice, like {seat}=4+11").into());
        }
        if !sword && black != 0 {
            return Err(format!("seat {seat} does not use the sword and rolls one die").into());
        }
        if black > 12 {
            return Err(format!("the black die is a d12, which cannot show {black}").into());
        }
    }
    Ok(())
}
