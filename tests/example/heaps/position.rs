//! A position of the game, with its rules.

use plybook_rules::{Actor, Actors, Draw, Illegal, Last, Outcome, Position, PositionError, Scene, Teams, Viewer};
use serde::Serialize;
use serde_json::{Value, json};

use super::notation::{Action, DIE, PLACES, dealt};
use super::setup::{Pledges, Setup};
use super::{Counts, json as written, measures, view};

/// The heaps and who has taken what; seats and heaps are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    pub setup: Setup,
    /// The current round, from 1; after the last round, one more.
    pub round: u8,
    /// The heap whose stones count double, by seat.
    pub pledges: Vec<Option<usize>>,
    /// The heap that each seat reaches for in this round.
    pub reached: Vec<Option<usize>>,
    /// The stones taken, by seat and heap.
    pub taken: Vec<Vec<u8>>,
}

/// What is awaited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Pledges that are dealt, in secret.
    Deal,
    /// Pledges of all seats, in secret.
    Pledge,
    /// All seats reach, in secret.
    Reach,
    /// The die.
    Roll,
    /// Nothing: the game is over.
    Over,
}

impl Board {
    /// The first position.
    pub fn start(setup: Setup) -> Self {
        let players = usize::from(setup.players);
        let taken = vec![vec![0; setup.heaps.len()]; players];
        Self { round: 1, pledges: vec![None; players], reached: vec![None; players], taken, setup }
    }

    /// The stones left on a heap.
    pub fn left(&self, heap: usize) -> u8 {
        self.setup.heaps[heap] - self.taken.iter().map(|taken| taken[heap]).sum::<u8>()
    }

    /// Whether all stones are taken.
    pub fn is_empty(&self) -> bool {
        (0..self.setup.heaps.len()).all(|heap| self.left(heap) == 0)
    }

    /// What is awaited.
    pub fn phase(&self) -> Phase {
        if self.is_empty() || self.round > self.setup.rounds {
            Phase::Over
        } else if self.setup.pledges != Pledges::None && self.pledges.contains(&None) {
            if self.setup.pledges == Pledges::Dealt { Phase::Deal } else { Phase::Pledge }
        } else if self.reached.contains(&None) {
            Phase::Reach
        } else {
            Phase::Roll
        }
    }

    /// The seats that reach for a heap alone, each with its heap.
    pub fn alone(&self) -> impl Iterator<Item = (usize, usize)> {
        let is_alone = |heap| self.reached.iter().filter(|other| **other == Some(heap)).count() == 1;
        let reached = self.reached.iter().enumerate().filter_map(|(seat, heap)| Some((seat, (*heap)?)));
        reached.filter(move |(_, heap)| is_alone(*heap))
    }

    /// A seat's stones, with those of its pledge counted twice.
    pub fn score(&self, seat: usize) -> u16 {
        let taken = &self.taken[seat];
        self.stones(seat) + self.pledges[seat].map_or(0, |heap| taken[heap].into())
    }

    /// The scores of a seat, numbered from 1, and of its partners.
    fn team_score(&self, seat: u8) -> u16 {
        self.teams().of(seat).map(|partner| self.score(usize::from(partner) - 1)).sum()
    }

    /// The stones that a seat has taken.
    pub fn stones(&self, seat: usize) -> u16 {
        self.taken[seat].iter().map(|stones| u16::from(*stones)).sum()
    }

    /// What a seat has still to choose in this phase.
    fn open(&self, seat: usize) -> bool {
        match self.phase() {
            Phase::Pledge => self.pledges[seat].is_none(),
            Phase::Reach => self.reached[seat].is_none(),
            Phase::Deal | Phase::Roll | Phase::Over => false,
        }
    }

    fn next_round(&mut self) {
        self.reached.fill(None);
        self.round += 1;
    }
}

impl Position for Board {
    type Action = Action;
    type Counts = Counts;

    fn seats(&self) -> u8 {
        self.setup.players
    }

    fn teams(&self) -> Teams {
        match self.setup.players {
            3 if self.setup.teams => Teams::new(&[&[1, 3], &[2]]),
            4 if self.setup.teams => Teams::new(&[&[1, 3], &[2, 4]]),
            players => Teams::alone(players),
        }
    }

    fn settings(&self) -> Value {
        self.setup.to_json()
    }

    fn to_act(&self) -> Actors {
        match self.phase() {
            Phase::Deal | Phase::Roll => Actors::CHANCE,
            _ => (1..=self.setup.players).filter(|seat| self.open(usize::from(*seat) - 1)).map(Actor::Seat).collect(),
        }
    }

    fn legal(&self, _actor: Actor, out: &mut Vec<Action>) {
        let heaps = 0..self.setup.heaps.len();
        match self.phase() {
            Phase::Deal => deals(heaps.len(), self.pledges.len(), out),
            Phase::Pledge => out.extend(heaps.map(Action::Pledge)),
            Phase::Reach => out.extend(heaps.filter(|heap| self.left(*heap) > 0).map(Action::Reach)),
            Phase::Roll => out.extend((1..=DIE).map(Action::Roll)),
            Phase::Over => {}
        }
    }

    fn judge(&self, _actor: Actor, action: &Action) -> Result<(), Illegal> {
        match (self.phase(), *action) {
            (Phase::Pledge, Action::Pledge(heap)) | (Phase::Reach, Action::Reach(heap))
                if heap >= self.setup.heaps.len() =>
            {
                Err(format!("there are {} heaps, and no {}", self.setup.heaps.len(), PLACES[heap]).into())
            }
            (Phase::Reach, Action::Reach(heap)) if self.left(heap) == 0 => {
                Err(format!("{} is empty", PLACES[heap]).into())
            }
            (Phase::Deal, Action::Deal(dealt))
                if dealt.iter().flatten().count() != self.pledges.len()
                    || dealt.iter().flatten().any(|heap| *heap >= self.setup.heaps.len()) =>
            {
                Err("one of the heaps is dealt to each seat".into())
            }
            (Phase::Deal, Action::Deal(_))
            | (Phase::Pledge, Action::Pledge(_))
            | (Phase::Reach, Action::Reach(_))
            | (Phase::Roll, Action::Roll(_)) => Ok(()),
            (Phase::Deal, _) => Err("the pledges are dealt first".into()),
            (Phase::Pledge, _) => Err("first every seat pledges a heap, for example pledge:h1".into()),
            (Phase::Reach, _) => Err("every seat reaches for a heap now, for example reach:h1".into()),
            (Phase::Roll | Phase::Over, _) => Err("the die is awaited".into()),
        }
    }

    fn apply(&mut self, actor: Actor, action: &Action) {
        let seat = if let Actor::Seat(seat) = actor { usize::from(seat) - 1 } else { 0 };
        match *action {
            Action::Deal(heaps) => {
                let seats = self.pledges.len();
                self.pledges.copy_from_slice(&heaps[..seats]);
            }
            Action::Pledge(heap) => self.pledges[seat] = Some(heap),
            Action::Reach(heap) => {
                self.reached[seat] = Some(heap);
                if !self.reached.contains(&None) && self.alone().next().is_none() {
                    self.next_round();
                }
            }
            Action::Roll(stones) => {
                for (seat, heap) in self.alone().collect::<Vec<_>>() {
                    self.taken[seat][heap] += stones.min(self.left(heap));
                }
                self.next_round();
            }
        }
    }

    fn count(&self, actor: Actor, action: &Action, after: &Self, counts: &mut Counts) {
        measures::count(self, actor, *action, after, counts);
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.phase() != Phase::Over {
            return None;
        }
        let scores: Vec<u16> = (1..=self.setup.players).map(|seat| self.team_score(seat)).collect();
        let mut values = scores.clone();
        values.sort_unstable_by_key(|score| std::cmp::Reverse(*score));
        values.dedup();
        let scoring =
            |value: &u16| (1..).zip(&scores).filter(|(_, score)| *score == value).map(|(seat, _)| seat).collect();
        let ranking: Vec<Vec<u8>> = values.iter().map(scoring).collect();
        // Nobody wins against nobody.
        let winners = if ranking.len() > 1 { ranking[0].clone() } else { Vec::new() };
        let mut outcome = Outcome::win(winners, if self.is_empty() { "empty" } else { "rounds" });
        outcome.ranking = Some(ranking);
        outcome.details.insert("scores".to_owned(), json!(scores));
        Some(outcome)
    }

    fn view(&self, viewer: Viewer) -> impl Serialize {
        written::write(self, viewer)
    }

    fn from_json(json: &Value) -> Result<Self, PositionError> {
        written::read(json)
    }

    fn shown(&self, viewer: Viewer, actor: Actor, action: &Action) -> Option<String> {
        Some(match action {
            // Each seat sees its own.
            Action::Deal(heaps) if viewer != Viewer::All => dealt((1..).zip(heaps.iter().flatten()).map(
                |(seat, heap)| {
                    if viewer.knows(Actor::Seat(seat)) { PLACES[*heap] } else { "?" }
                },
            )),
            Action::Pledge(_) if !viewer.knows(actor) => "pledge:?".to_owned(),
            Action::Reach(_) if !viewer.knows(actor) => "reach:?".to_owned(),
            _ => action.to_string(),
        })
    }

    // Earlier rounds are never requested: everything was opened when the die was rolled for them.
    fn is_opened(&self, _actor: Actor, action: &Action) -> bool {
        let is_gathering = self.phase() == Phase::Reach && self.reached.iter().any(Option::is_some);
        matches!(action, Action::Reach(_)) && !is_gathering
    }

    fn absent(&self, _seat: u8) -> Option<Action> {
        let fullest = (0..self.setup.heaps.len()).rev().max_by_key(|heap| self.left(*heap))?;
        Some(if self.phase() == Phase::Pledge { Action::Pledge(0) } else { Action::Reach(fullest) })
    }

    fn guess(&self, viewer: Viewer, draw: &mut Draw<'_>) -> Self {
        let mut guess = self.clone();
        let full: Vec<usize> = (0..self.setup.heaps.len()).filter(|heap| self.left(*heap) > 0).collect();
        for seat in (0..self.pledges.len()).filter(|seat| !viewer.knows(Actor::Seat(*seat as u8 + 1))) {
            if self.pledges[seat].is_some() {
                guess.pledges[seat] = Some(draw(self.setup.heaps.len() as u32) as usize);
            }
            if self.phase() == Phase::Reach && self.reached[seat].is_some() {
                guess.reached[seat] = Some(full[draw(full.len() as u32) as usize]);
            }
        }
        guess
    }

    fn scene(&self, viewer: Viewer, last: Option<Last<'_, Self>>) -> Scene {
        view::draw(self, viewer, last.as_ref())
    }

    fn text(&self, viewer: Viewer) -> String {
        view::describe(self, viewer)
    }

    fn estimate(&self, seat: u8) -> i32 {
        self.team_score(seat).into()
    }
}

/// All ways to deal one of the heaps to each seat.
fn deals(heaps: usize, seats: usize, out: &mut Vec<Action>) {
    out.extend((0..heaps.pow(seats as u32)).map(|number| {
        let mut dealt = [None; 4];
        for (seat, heap) in dealt[..seats].iter_mut().rev().enumerate() {
            *heap = Some(number / heaps.pow(seat as u32) % heaps);
        }
        Action::Deal(dealt)
    }));
}
