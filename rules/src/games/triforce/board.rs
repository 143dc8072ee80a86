//! The board of Triforce and its rules.

use super::combat::{Combat, Hand, Offer, Serves};
use super::notation::Roll;
use super::place::{PLACES, Place, Places};
use super::setup::{Options, Setup};
use super::stack::{Owner, Piece, SIZES, Size, Stack};

/// The pieces of each size in a stash, and the swords and shields of each size.
pub(super) const EACH: u8 = 5;

/// The actions in a turn.
pub(super) const ACTIONS: u8 = 3;

/// The most seats that there is room for.
const SEATS: usize = 6;

/// What the game is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// A placement, a move, or the end of the turn.
    Act,
    /// The choice of which contested stack is fought over first.
    Order,
    /// Whether the owner of the topmost piece takes a sword.
    Sword(Combat),
    /// Whether the owner of the bottommost piece takes a shield.
    Shield(Combat),
    /// The dice of a combat.
    Roll(Combat),
    /// Nothing: the game is over.
    Over(End),
}

/// How the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Only this seat can still place or move a piece.
    OthersPinned(u8),
    /// No seat can place or move a piece.
    AllPinned,
    /// The seat on turn began it with enough territories.
    Territories,
}

/// A state of the game. Seats are numbered from 1; arrays by seat start with seat 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Board {
    /// The number of seats.
    pub(super) players: u8,
    /// Whose turn it is, or was when the game ended.
    pub(super) turn: u8,
    /// Placements and moves made in this turn.
    pub(super) spent: u8,
    /// What the game is waiting for.
    pub(super) phase: Phase,
    /// The sizes of the white pyramids, by territory.
    pub(super) bases: [Size; PLACES],
    /// The territories of the pawns; meaningless for seats that do not play.
    pub(super) pawns: [Place; SEATS],
    /// The pieces in each stash, by seat and size.
    pub(super) stash: [[u8; 3]; SEATS],
    /// The swords beside the board, by size.
    pub(super) swords: [u8; 3],
    /// The shields beside the board, by size.
    pub(super) shields: [u8; 3],
    /// The stacks.
    pub(super) stacks: [Stack; PLACES],
    /// The stacks at the start of the turn.
    pub(super) start: [Stack; PLACES],
    /// How the rules are read.
    pub(super) options: Options,
    /// If shields stay with their owners, the seat that exchanged for the shield of each stack; otherwise 0.
    pub(super) owners: [u8; PLACES],
}

impl Board {
    /// The start of a game.
    pub(super) fn start(setup: &Setup) -> Self {
        let mut pawns = [setup.pawns[0]; SEATS];
        pawns[..setup.pawns.len()].copy_from_slice(&setup.pawns);
        Self {
            players: setup.players,
            turn: setup.first.seat().unwrap_or(1),
            spent: 0,
            phase: Phase::Act,
            bases: setup.bases,
            pawns,
            stash: [[EACH; 3]; SEATS],
            swords: [EACH; 3],
            shields: [EACH; 3],
            stacks: [Stack::EMPTY; PLACES],
            start: [Stack::EMPTY; PLACES],
            options: setup.options,
            owners: [0; PLACES],
        }
    }

    /// The stack on a territory.
    pub(super) fn stack(&self, place: Place) -> Stack {
        self.stacks[place.index()]
    }

    /// The territory of a seat's pawn.
    pub(super) fn pawn(&self, seat: u8) -> Place {
        self.pawns[usize::from(seat) - 1]
    }

    /// The pieces in a seat's stash, by size.
    pub(super) fn stash_of(&self, seat: u8) -> [u8; 3] {
        self.stash[usize::from(seat) - 1]
    }

    /// An owner's stash or supply, by size.
    fn stock(&mut self, owner: Owner) -> &mut [u8; 3] {
        match owner {
            Owner::Seat(seat) => &mut self.stash[usize::from(seat) - 1],
            Owner::Sword => &mut self.swords,
            Owner::Shield => &mut self.shields,
        }
    }

    /// The board with these stacks at the start of a turn. Their pieces are taken from the stashes and
    /// supplies, which hold all others.
    ///
    /// There are not that many pieces of a sort.
    pub(super) fn set_out(&self, stacks: [Stack; PLACES]) -> Result<Self, Piece> {
        let mut board = Self {
            spent: 0,
            phase: Phase::Act,
            stash: [[EACH; 3]; SEATS],
            swords: [EACH; 3],
            shields: [EACH; 3],
            stacks,
            start: stacks,
            ..self.clone()
        };
        for piece in stacks.into_iter().flat_map(Stack::pieces) {
            let left = &mut board.stock(piece.owner())[piece.size() as usize];
            *left = left.checked_sub(1).ok_or(piece)?;
        }
        Ok(board)
    }

    /// The number of stacks whose bottom piece a seat must own to win.
    pub(super) fn goal(&self) -> usize {
        11 - usize::from(self.players)
    }

    /// The number of stacks whose bottom piece a seat owns.
    pub(super) fn territories(&self, seat: u8) -> usize {
        let own = |stack: &&Stack| stack.bottom().is_some_and(|piece| piece.seat() == Some(seat));
        self.stacks.iter().filter(own).count()
    }

    /// The territories whose stack takes one more piece, by the size of that piece.
    pub(super) fn open(&self) -> [Places; 3] {
        let mut open = [Places::EMPTY; 3];
        for place in Place::all() {
            match self.stack(place).top() {
                None => open[self.bases[place.index()] as usize] |= place,
                Some(top) => {
                    for size in SIZES.into_iter().filter(|size| *size != top.size()) {
                        open[size as usize] |= place;
                    }
                }
            }
        }
        open
    }

    /// The territories whose top piece belongs to a seat, with that piece.
    pub(super) fn movable(&self, seat: u8) -> impl Iterator<Item = (Place, Piece)> {
        let tops = Place::all().filter_map(|place| Some((place, self.stack(place).top()?)));
        tops.filter(move |(_, top)| top.seat() == Some(seat))
    }

    /// The sizes that a seat may place.
    #[inline]
    pub(super) fn placeable(&self, seat: u8, open: [Places; 3]) -> impl Iterator<Item = Size> {
        let (stash, here) = (self.stash_of(seat), self.pawn(seat));
        SIZES.into_iter().filter(move |size| stash[*size as usize] > 0 && open[*size as usize].has(here))
    }

    /// Whether a seat could place or move a piece on this board, no matter whose turn it is.
    pub(super) fn is_free(&self, seat: u8, open: [Places; 3]) -> bool {
        self.placeable(seat, open).next().is_some()
            || self.movable(seat).any(|(place, top)| place.neighbours().has(open[top.size() as usize]))
    }

    /// The move that would restore the stacks from the start of the turn; forbidden as the third action.
    pub(super) fn undoing(&self) -> Option<(Place, Place)> {
        if self.spent != ACTIONS - 1 {
            return None;
        }
        let mut changed = Place::all().filter(|place| self.stack(*place) != self.start[place.index()]);
        let (a, b) = (changed.next()?, changed.next()?);
        let undoes = |from: Place, to: Place| {
            let (stack, piece) = (self.stack(from), self.stack(from).top()?);
            let back =
                stack.lifted() == self.start[from.index()] && self.stack(to).with(piece) == self.start[to.index()];
            back.then_some((from, to))
        };
        if changed.next().is_some() { None } else { undoes(a, b).or_else(|| undoes(b, a)) }
    }

    /// Whether the seat on turn can still place or move a piece.
    pub(super) fn has_action(&self) -> bool {
        let open = self.open();
        if self.spent == 0 || self.placeable(self.turn, open).next().is_some() {
            return self.is_free(self.turn, open);
        }
        let undoing = self.undoing();
        self.movable(self.turn).any(|(from, top)| !targets(from, top, open, undoing).is_empty())
    }

    /// Whether the turn has changed anything.
    pub(super) fn is_changed(&self) -> bool {
        self.stacks != self.start
    }

    /// The contested stacks.
    pub(super) fn contested(&self) -> Places {
        Places::ALL.keep(|place| self.is_contested(place))
    }

    /// Whether a stack is contested.
    pub(super) fn is_contested(&self, place: Place) -> bool {
        self.stack(place).contested(self.options.all_colours)
    }

    /// A combat on a territory, in which nothing has been exchanged yet.
    pub(super) fn combat_on(&self, at: Place) -> Combat {
        let owner = self.owners[at.index()];
        Combat::new(at, if self.options.shield_stays { Serves::Owner(owner) } else { Serves::Lowest })
    }

    /// The exchange that is awaited, and the seat that may make it.
    pub(super) fn offer(&self) -> Option<Offer> {
        match self.phase {
            Phase::Sword(combat) => self.sword_offer(combat),
            Phase::Shield(combat) => self.shield_offer(combat),
            _ => None,
        }
    }

    /// The combat that is being fought.
    pub(super) fn combat(&self) -> Option<Combat> {
        match self.phase {
            Phase::Sword(combat) | Phase::Shield(combat) | Phase::Roll(combat) => Some(combat),
            Phase::Act | Phase::Order | Phase::Over(_) => None,
        }
    }

    /// How the game ends after a turn because seats cannot do anything, if it does.
    pub(super) fn pinned_end(&self) -> Option<End> {
        let open = self.open();
        let mut free = (1..=self.players).filter(|seat| self.is_free(*seat, open));
        match (free.next(), free.next()) {
            (None, _) => Some(End::AllPinned),
            (Some(seat), None) => Some(End::OthersPinned(seat)),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn place(&mut self, size: Size) {
        let (seat, at) = (self.turn, self.pawn(self.turn).index());
        self.stash[usize::from(seat) - 1][size as usize] -= 1;
        self.stacks[at] = self.stacks[at].with(Piece::new(Owner::Seat(seat), size));
    }

    #[inline]
    pub(super) fn move_piece(&mut self, from: Place, to: Place) {
        let (from, to) = (from.index(), to.index());
        let piece = self.stacks[from].top().expect("a move that was judged lifts a piece");
        self.stacks[from] = self.stacks[from].lifted();
        self.stacks[to] = self.stacks[to].with(piece);
    }

    /// Called after a placement or a move: the turn may end by itself.
    #[inline]
    pub(super) fn spend(&mut self) {
        self.spent += 1;
        if self.spent == ACTIONS || !self.has_action() {
            self.settle();
        }
    }

    /// Called after the actions of a turn, and after the combats on a stack.
    pub(super) fn settle(&mut self) {
        let contested = self.contested();
        match contested.len() {
            0 => self.finish_turn(),
            1 => self.fight(contested.first().expect("one is contested")),
            _ => self.phase = Phase::Order,
        }
    }

    pub(super) fn fight(&mut self, at: Place) {
        let combat = self.combat_on(at);
        if self.sword_offer(combat).is_some() {
            self.phase = Phase::Sword(combat);
        } else {
            self.after_sword(combat);
        }
    }

    pub(super) fn after_sword(&mut self, combat: Combat) {
        let offered = self.shield_offer(combat).is_some();
        self.phase = if offered { Phase::Shield(combat) } else { Phase::Roll(combat) };
    }

    /// Exchanges a piece for a sword or a shield; the piece goes back to its owner.
    pub(super) fn exchange(&mut self, at: Place, index: usize, owner: Owner) {
        let stack = &mut self.stacks[at.index()];
        let piece = stack.get(index);
        *stack = stack.exchanged(index, Piece::new(owner, piece.size()));
        if let (Owner::Shield, true, Some(seat)) = (owner, self.options.shield_stays, piece.seat()) {
            self.owners[at.index()] = seat;
        }
        self.give_back(piece);
        self.stock(owner)[piece.size() as usize] -= 1;
    }

    pub(super) fn resolve(&mut self, combat: Combat, roll: &Roll) {
        let before = self.stack(combat.at);
        for (seat, hand) in combat.losers(before, roll) {
            let stack = &mut self.stacks[combat.at.index()];
            let lost = match hand {
                Hand::Plain => Owner::Seat(seat),
                Hand::Sword => Owner::Sword,
                Hand::Shield => Owner::Shield,
            };
            let index = stack.find(lost).expect("a seat that rolls has a piece, and what it fights with is there");
            let piece = stack.get(index);
            *stack = stack.without(index);
            if lost == Owner::Shield {
                self.owners[combat.at.index()] = 0;
            }
            self.give_back(piece);
        }
        if self.is_contested(combat.at) { self.fight(combat.at) } else { self.settle() }
    }

    /// Returns a piece that leaves the board to where it came from.
    fn give_back(&mut self, piece: Piece) {
        self.stock(piece.owner())[piece.size() as usize] += 1;
    }

    fn finish_turn(&mut self) {
        if let Some(end) = self.pinned_end() {
            self.phase = Phase::Over(end);
            return;
        }
        self.turn = self.turn % self.players + 1;
        self.spent = 0;
        self.start = self.stacks;
        let won = self.territories(self.turn) >= self.goal();
        self.phase = if won { Phase::Over(End::Territories) } else { Phase::Act };
    }
}

/// The territories that the piece on top of a stack may go to without undoing the turn.
#[inline]
pub(super) fn targets(from: Place, top: Piece, open: [Places; 3], undoing: Option<(Place, Place)>) -> Places {
    let targets = from.reach(open[top.size() as usize]);
    match undoing {
        Some((place, back)) if place == from => targets & !Places::from(back),
        _ => targets,
    }
}

impl Board {
    /// The exchanges for a sword that are possible in a combat.
    pub(super) fn sword_offer(&self, combat: Combat) -> Option<Offer> {
        Offer::of_sword(self.stack(combat.at), combat, self.swords)
    }

    /// The exchanges for a shield that are possible in a combat.
    pub(super) fn shield_offer(&self, combat: Combat) -> Option<Offer> {
        Offer::of_shield(self.stack(combat.at), combat, self.shields)
    }
}
