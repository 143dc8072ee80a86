//! What the seat on turn can do.

use super::favor::Favor;
use super::notation::{Action, How, Spot, Step};
use super::options::Variant;
use super::piece::{ASSAULT, Cell, HORSE, Kind, LOST, MOVED, SWITCHED};
use super::position::Campaign;
use super::square::{Square, Squares};
use super::terrain::Terrain;

/// Pieces that took part in a regular action, or lost their battle, take no part in an assault.
const ENGAGED: u16 = MOVED | SWITCHED | LOST;

impl Campaign {
    /// Whether attacks and shots are allowed: not in the first turn, and before anything else in a turn.
    pub(super) fn may_engage(&self) -> bool {
        let acted = &self.acted;
        !self.first[self.seat()] && acted.moved == 0 && !acted.switched && !acted.favor
    }

    /// Whether a piece of the seat can make a regular move.
    pub(super) fn may_move(&self, piece: Cell) -> bool {
        let left = match (self.acted.moved, self.acted.switched) {
            (0, _) => true,
            (1, false) => !piece.any(MOVED),
            _ => false,
        };
        left && !piece.any(LOST | ASSAULT)
    }

    /// The notes that rule out a partner for a piece's regular switch; `None` if the piece cannot switch at
    /// all.
    pub(super) fn switch_bars(&self, piece: Cell) -> Option<u16> {
        if self.acted.switched {
            piece.any(HORSE).then_some(SWITCHED | LOST | ASSAULT)
        } else {
            (self.acted.moved < 2 && !piece.any(LOST | ASSAULT)).then_some(LOST | ASSAULT)
        }
    }

    /// Whether the seat can use a favour that it holds.
    pub(super) fn may_use(&self, favor: Favor) -> bool {
        self.hands[self.seat()].held.has(favor) && !self.acted.lost
    }

    /// Whether the move and the switch of an assault are still available.
    pub(super) fn assault(&self) -> (bool, bool) {
        match self.acted.assault {
            (false, false) => {
                let open = self.may_use(Favor::Assault);
                (open, open)
            }
            (moved, switched) => (!moved, !switched),
        }
    }

    /// The squares that a step from a square can lead to.
    pub(super) fn targets(&self, how: How, from: Square) -> Squares {
        let (seat, board) = (self.seat(), &self.board);
        let piece = board.cell(from);
        if how == How::Deceive {
            let enemies = if self.may_use(Favor::Deceive) { board.own(1 - seat) } else { Squares::EMPTY };
            // The lower square is written first.
            return if enemies.has(from) { (from.neighbors() & enemies).above(from) } else { Squares::EMPTY };
        }
        if !board.own(seat).has(from) {
            return Squares::EMPTY;
        }
        match how {
            How::Move if self.may_move(piece) => board.moves(from),
            How::Switch => self.switch_bars(piece).map_or(Squares::EMPTY, |barred| board.partners(from, barred)),
            How::Attack if self.may_engage() => board.attacks(from),
            How::Fire if self.may_engage() => board.fires(from),
            How::Hasten if self.may_use(Favor::Hasten) => from.neighbors() & board.empty(),
            How::AssaultMove if self.assault().0 && !piece.any(ENGAGED) => board.moves(from),
            How::AssaultSwitch if self.assault().1 && !piece.any(ENGAGED) => board.partners(from, ENGAGED),
            _ => Squares::EMPTY,
        }
    }

    /// The targets of a step that let rangers fell the forest they leave.
    pub(super) fn felling(&self, how: How, from: Square, targets: Squares) -> Squares {
        let rangers = self.board.cell(from).is(Kind::Rangers) && self.board.is(from, Terrain::Forest);
        match how {
            _ if !rangers || !how.leaves() => Squares::EMPTY,
            // The battle decides whether they leave at all.
            How::Attack => targets & !self.board.whole(),
            _ => targets,
        }
    }

    /// Visits the targets of each piece for these steps until a visit returns that it is enough.
    fn each(&self, ways: &[How], mut visit: impl FnMut(How, Square, Squares) -> bool) -> bool {
        let seat = self.seat();
        ways.iter().any(|how| {
            let pieces = self.board.own(if *how == How::Deceive { 1 - seat } else { seat });
            pieces.into_iter().any(|from| visit(*how, from, self.targets(*how, from)))
        })
    }

    /// The steps that are open to any piece at all.
    fn ways(&self) -> ([How; 8], usize) {
        let (assault_moves, assault_switches) = self.assault();
        let open = [
            (How::Move, self.acted.moved + u8::from(self.acted.switched) < 2),
            (How::Switch, self.acted.moved < 2),
            (How::Attack, self.may_engage()),
            (How::Fire, self.may_engage()),
            (How::Hasten, self.may_use(Favor::Hasten)),
            (How::AssaultMove, assault_moves),
            (How::AssaultSwitch, assault_switches),
            (How::Deceive, self.may_use(Favor::Deceive)),
        ];
        let mut ways = [How::Move; 8];
        let mut count = 0;
        for (how, _) in open.into_iter().filter(|(_, open)| *open) {
            ways[count] = how;
            count += 1;
        }
        (ways, count)
    }

    /// Whether a regular move or switch is possible.
    fn has_regular(&self) -> bool {
        self.each(&[How::Move, How::Switch], |_, _, targets| !targets.is_empty())
    }

    /// Whether `end` is legal.
    pub(super) fn may_end(&self) -> bool {
        let acted = &self.acted;
        acted.moved > 0 || acted.switched || acted.lost || (acted.favor && !self.has_regular())
    }

    /// Visits every action that is not a step, except `end` and `pass`, until a visit returns that it is
    /// enough.
    fn each_other(&self, mut visit: impl FnMut(Action) -> bool) -> bool {
        if self.may_use(Favor::Conspire)
            && self.board.occupied().into_iter().any(|square| visit(Action::Conspire(square)))
        {
            return true;
        }
        if !self.board.plays(Variant::Homefront) {
            return false;
        }
        let seat = self.seat();
        [Spot::Farm, Spot::City]
            .into_iter()
            .any(|spot| self.board.may_establish(seat, spot).is_ok() && visit(Action::Establish(spot)))
            || self.board.may_rebuild(seat) && visit(Action::Rebuild)
            || self.may_spawn()
                && Kind::ALL.into_iter().any(|kind| {
                    let spot = self.board.spawn_square(seat, kind);
                    spot.is_ok_and(|square| visit(Action::Spawn(kind, square)))
                })
    }

    /// Whether anything but `end` and `pass` is legal.
    fn has_action(&self) -> bool {
        let (ways, count) = self.ways();
        self.each(&ways[..count], |_, _, targets| !targets.is_empty()) || self.each_other(|_| true)
    }

    /// Whether `pass` is the only action.
    pub(super) fn must_pass(&self) -> bool {
        !self.may_end() && !self.has_action()
    }

    /// Whether the turn ends by itself; `holds` says whether the seat holds a favour.
    pub(super) fn is_done(&self, holds: bool) -> bool {
        // A seat that holds a favour ends its turn by hand, whether the favour can be used or not. Otherwise
        // everybody would learn which favour it is.
        let asks = holds && !self.acted.lost && self.may_end();
        !asks && !self.has_action()
    }

    /// Lists the actions of the turn.
    pub(super) fn list_turn(&self, out: &mut Vec<Action>) {
        let (ways, count) = self.ways();
        self.each(&ways[..count], |how, from, targets| {
            let felling = self.felling(how, from, targets);
            for to in targets {
                out.push(Action::Step(Step { how, from, to, fell: false }));
                if felling.has(to) {
                    out.push(Action::Step(Step { how, from, to, fell: true }));
                }
            }
            false
        });
        self.each_other(|action| {
            out.push(action);
            false
        });
        if self.may_end() {
            out.push(Action::End);
        }
        if out.is_empty() {
            out.push(Action::Pass);
        }
    }

    /// Counts the actions of the turn.
    pub(super) fn count_turn(&self) -> usize {
        let (ways, count) = self.ways();
        let mut total = usize::from(self.may_end());
        self.each(&ways[..count], |how, from, targets| {
            total += targets.len() + self.felling(how, from, targets).len();
            false
        });
        self.each_other(|_| {
            total += 1;
            false
        });
        total.max(1)
    }
}
