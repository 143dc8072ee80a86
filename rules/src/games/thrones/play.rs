//! Applies actions that were judged, and everything that follows from them automatically.

use plybook_events::Actor;

use super::favor::{Favor, Favors};
use super::notation::{Action, Columns, How, Step};
use super::options::{Placed, Variant};
use super::piece::{ASSAULT, BOUND, CHARGED, CHARGING, Cell, HORSE, Kind, LOST, MOVED, NAMED, SWITCHED};
use super::position::{Campaign, End, Phase, TurnProgress, index};
use super::sheet::MIDDLE_ROW;
use super::square::Square;
use super::terrain::Terrain;

/// The number of points that ends a game.
pub(super) const GOAL: u16 = 21;

impl Campaign {
    /// Applies a legal action.
    pub(super) fn play(&mut self, actor: Actor, action: &Action) {
        let seat = self.seat();
        match *action {
            Action::SetUp(ref sheet) => {
                self.sheets[index(actor)] = Some(sheet.clone());
                self.open();
                return;
            }
            Action::Favor(favor) => {
                self.choose(index(actor), favor);
                return;
            }
            Action::Step(step) => {
                self.step(step);
                return;
            }
            Action::Battle { won } => {
                self.decide(won);
                return;
            }
            Action::Fortresses(Columns(columns)) => {
                for column in (0..9).filter(|column| columns >> column & 1 == 1) {
                    self.board.lay(Square::at(column, MIDDLE_ROW), Terrain::Fortress);
                }
                self.lay_middle();
                return;
            }
            Action::Conspire(square) => {
                self.use_up(Favor::Conspire);
                self.board.note(square, NAMED);
            }
            Action::Establish(spot) => self.board.establish(seat, spot),
            Action::Rebuild => self.board.rebuild(seat),
            Action::Spawn(kind, square) => self.board.spawn(seat, kind, square),
            Action::Displace(to) => {
                if let Phase::Displace { by } = self.phase {
                    self.board.go(by, to);
                }
            }
            Action::Leave | Action::End | Action::Pass => {}
        }
        self.settle(matches!(action, Action::Spawn(..) | Action::End | Action::Pass));
    }

    /// Lays out the homelands once both set-ups are in, and then the middle row, unless chance places its
    /// fortresses first.
    pub(super) fn open(&mut self) {
        if self.sheets.iter().any(Option::is_none) {
            return;
        }
        for (seat, sheet) in self.sheets.iter().flatten().enumerate() {
            for (square, terrain) in sheet.tiles(seat) {
                self.board.lay(square, terrain);
                if terrain == Terrain::Fortress {
                    self.board.home[seat] = Some(square);
                }
            }
            for (square, kind) in sheet.pieces() {
                self.board.put(*square, Cell::new(seat, *kind));
            }
        }
        if self.board.options.placed == Placed::After {
            self.phase = Phase::Fortresses;
        } else {
            self.lay_middle();
        }
    }

    /// Lays out the middle row: first the columns chosen by only one seat; then the contested tiles of each
    /// column, those of the seat that begins before the other's, in the columns still open, from the left of
    /// the seat that begins; a fortress fills the last one. A tile for a column in which chance has placed a
    /// fortress is contested.
    fn lay_middle(&mut self) {
        let mut chosen: [[Option<Terrain>; 9]; 2] = [[None; 9]; 2];
        for (seat, sheet) in std::mem::take(&mut self.sheets).into_iter().flatten().enumerate() {
            for (column, terrain) in sheet.middle() {
                chosen[seat][usize::from(*column)] = Some(*terrain);
            }
        }
        let first = self.board.options.first;
        let mut columns = [0, 1, 2, 3, 4, 5, 6, 7, 8u8];
        if first == 1 {
            columns.reverse();
        }
        let mut contested = Vec::new();
        for column in columns {
            let square = Square::at(column, MIDDLE_ROW);
            let tiles = [first, 1 - first].map(|seat| chosen[seat][usize::from(column)]);
            match tiles {
                [Some(tile), None] | [None, Some(tile)] if self.board.terrain(square).is_none() => {
                    self.board.lay(square, tile);
                }
                _ => contested.extend(tiles.into_iter().flatten()),
            }
        }
        let squares = columns.map(|column| Square::at(column, MIDDLE_ROW));
        let open: Vec<Square> = squares.into_iter().filter(|square| self.board.terrain(*square).is_none()).collect();
        let tiles = contested.into_iter().chain(std::iter::repeat(Terrain::Fortress));
        for (square, terrain) in open.into_iter().zip(tiles) {
            self.board.lay(square, terrain);
        }
        let choosing = [0, 1].map(|seat| self.enters_fortress(seat));
        self.phase = if choosing == [false; 2] { Phase::Turn } else { Phase::Favor { choosing, ends: false } };
    }

    /// Takes a chosen favour. Once all seats have chosen, the turn goes on or ends.
    fn choose(&mut self, seat: usize, favor: Favor) {
        self.hands[seat].gain(favor);
        let Phase::Favor { mut choosing, ends } = self.phase else { return };
        choosing[seat] = false;
        if choosing != [false; 2] {
            self.phase = Phase::Favor { choosing, ends };
        } else if ends {
            self.end_turn();
        } else {
            self.phase = Phase::Turn;
        }
    }

    /// Marks a favour of the seat on turn as used.
    fn use_up(&mut self, favor: Favor) {
        let seat = self.seat();
        self.hands[seat].held &= !Favors::from(favor);
        self.acted.favor = true;
    }

    /// Applies any action from one square to another.
    fn step(&mut self, step: Step) {
        let Step { how, from, to, fell } = step;
        if fell {
            self.board.lay(from, Terrain::Plains);
        }
        match how {
            How::Move => {
                self.acted.moved += 1;
                self.board.note(from, MOVED);
                self.board.go(from, to);
            }
            How::Switch => {
                if !self.acted.switched && self.board.cell(from).is(Kind::Warhorse) {
                    self.board.note(from, HORSE);
                }
                self.acted.switched = true;
                self.switch(from, to, SWITCHED);
            }
            How::Attack | How::Fire => return self.engage(from, to, how == How::Fire),
            How::Hasten => {
                self.use_up(Favor::Hasten);
                self.board.go(from, to);
            }
            How::AssaultMove => {
                self.use_up(Favor::Assault);
                self.acted.assault.0 = true;
                self.board.note(from, ASSAULT);
                self.board.go(from, to);
            }
            How::AssaultSwitch => {
                self.use_up(Favor::Assault);
                self.acted.assault.1 = true;
                self.switch(from, to, ASSAULT);
            }
            How::Deceive => {
                self.use_up(Favor::Deceive);
                self.board.exchange(from, to);
            }
        }
        self.settle(false);
    }

    fn switch(&mut self, a: Square, b: Square, notes: u16) {
        self.board.note(a, notes);
        self.board.note(b, notes);
        self.board.exchange(a, b);
    }

    /// Attacks or fires: either starts a battle, or succeeds at once.
    fn engage(&mut self, from: Square, target: Square, fires: bool) {
        let piece = self.board.cell(from);
        if piece.kind().is_some_and(|kind| self.board.needs_battle(kind, target)) {
            self.phase = Phase::Battle { by: from, target, fires };
            return;
        }
        self.board.remove(target);
        self.board.destroyed |= self.board.enemy_farm(piece.seat()) & target;
        if !fires {
            self.board.go(from, target);
            self.charge(target);
        }
        self.settle(true);
    }

    /// Notes the attack of a warhorse, which protects it during the next turn.
    fn charge(&mut self, square: Square) {
        if self.board.cell(square).is(Kind::Warhorse) {
            self.board.note(square, CHARGING);
        }
    }

    /// Ends a battle.
    fn decide(&mut self, won: bool) {
        let Phase::Battle { by, target, fires } = self.phase else { return };
        if won {
            self.board.breached |= target;
            let stand = match by.before(target) {
                Some(square) if !fires && self.board.cell(by).is(Kind::Dragon) => square,
                _ => by,
            };
            self.board.go(by, stand);
            if !fires {
                self.charge(stand);
            }
            self.settle(true);
            return;
        }
        self.acted.lost = true;
        self.board.note(by, LOST);
        if !fires && by.neighbors().has(self.board.empty()) {
            self.phase = Phase::Displace { by };
        } else {
            self.settle(false);
        }
    }

    /// Applies what follows every action: the end of the game, favours, the end of the turn.
    fn settle(&mut self, ends: bool) {
        if let Some(end) = self.decided() {
            self.finish(end);
            return;
        }
        let choosing = [0, 1].map(|seat| self.enters_fortress(seat));
        self.phase = Phase::Turn;
        let seat = self.seat();
        let ends = ends || self.is_done(choosing[seat] || !self.hands[seat].held.is_empty());
        if choosing != [false; 2] {
            self.phase = Phase::Favor { choosing, ends };
        } else if ends {
            self.end_turn();
        }
    }

    /// How the pieces on the board decide the game, if they do.
    pub(super) fn decided(&self) -> Option<End> {
        let board = &self.board;
        let removed = (0..2).find(|seat| board.throne(1 - seat).is_none()).map(End::ThroneRemoved);
        if board.plays(Variant::VictoryPoints) {
            let bare = || (0..2).find(|seat| board.own(1 - seat).is_empty()).map(End::NoPieces);
            return removed.filter(|_| board.options.throne_wins).or_else(bare);
        }
        let occupied = || (0..2).find(|seat| board.throne(*seat) == board.home[1 - seat]).map(End::FortressOccupied);
        removed.or_else(occupied)
    }

    /// Records the fortress that a seat's throne stands in. Returns whether the seat may choose a favour for
    /// it.
    fn enters_fortress(&mut self, seat: usize) -> bool {
        let throne = self.board.throne(seat);
        if !self.board.of(Terrain::Fortress).has(throne) || self.last_fortress[seat] == throne {
            return false;
        }
        self.last_fortress[seat] = throne;
        let choice = self.choice(seat);
        let mut left = choice.iter();
        match (left.next(), left.next()) {
            (Some(last), None) => {
                self.hands[seat].gain(last);
                false
            }
            (first, _) => first.is_some(),
        }
    }

    /// Ends the turn.
    fn end_turn(&mut self) {
        let seat = self.seat();
        if !self.board.plays(Variant::Homefront) {
            self.board.breached &= self.board.occupied();
        }
        if self.board.plays(Variant::VictoryPoints) {
            for seat in 0..2 {
                let held = self.board.own(seat) & self.board.of(Terrain::Fortress);
                self.points[seat] += held.len() as u16;
            }
            if let Some(end) = points_end(self.points) {
                self.finish(end);
                return;
            }
        }
        self.board.renew(|piece| {
            let named = if piece.any(NAMED) { BOUND } else { 0 };
            let charging = piece.any(CHARGING) || piece.any(LOST) && piece.is(Kind::Warhorse);
            named | if charging { CHARGED } else { 0 }
        });
        self.acted = TurnProgress::default();
        self.first[seat] = false;
        self.turn += 1;
        self.phase = Phase::Turn;
    }

    /// Ends the game.
    fn finish(&mut self, end: End) {
        self.board.renew(|_| 0);
        self.acted = TurnProgress::default();
        self.phase = Phase::Over(end);
    }
}

/// How these points end the game, if they do.
pub(super) fn points_end(points: [u16; 2]) -> Option<End> {
    let [first, second] = points;
    let winner = match first.cmp(&second) {
        std::cmp::Ordering::Greater => Some(0),
        std::cmp::Ordering::Less => Some(1),
        std::cmp::Ordering::Equal => None,
    };
    (first.max(second) >= GOAL).then_some(End::VictoryPoints(winner))
}
