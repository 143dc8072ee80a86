//! Triforce: pyramids, swords and shields on a triangle of fifteen territories.

mod board;
mod chances;
mod check;
mod combat;
mod estimate;
mod facts;
mod judge;
mod measures;
mod notation;
mod place;
mod setup;
mod stack;
#[cfg(test)]
mod tests;
mod view;

use plybook_events::{Actor, Outcome};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::setup::Beginner;
use crate::{
    About, Actors, Chance, Class, Draw, Fact, Game, Heat, Illegal, Last, Measure, Position, PositionError, Scene,
    SetupError, Viewer, listed,
};

use board::{Board, End, Phase};
use combat::{Combat, Hand};
use notation::{Action, Roll};
use setup::Setup;
use stack::Owner;

/// Triforce, Jeremiah Wittevrongel, 2005.
pub(crate) struct Triforce;

impl Game for Triforce {
    type Position = Board;

    const ABOUT: About = About {
        kind: "triforce",
        version: "v1",
        title: "Triforce",
        summary: "Three to six players stack pyramids on a triangle of fifteen territories, and fight for them with swords, shields and \
                  dice. Hold enough territories, or leave everybody else without a move.",
        designer: "Jeremiah Wittevrongel, 2005",
        source: "Triforce, initial design v1.0, a game for Icehouse pyramids; © 2005 Jeremiah Wittevrongel, under a Creative Commons licence",
        seats_min: setup::PLAYERS_MIN,
        seats_max: setup::PLAYERS_MAX,
        simultaneous: false,
        chance: true,
        secrets: false,
        drawn: &["first"],
        document: include_str!("README.md"),
    };

    const MEASURES: &'static [Measure<Board>] = measures::MEASURES;
    const HEAT: &'static [Heat<measures::Counts>] = measures::HEAT;
    const LUCK: &'static [Chance<measures::Counts>] = measures::LUCK;
    const FACTS: &'static [Fact<Board>] = facts::FACTS;
    const LEAD: i32 = 60;
    const CALIBRATION: &'static str = include_str!("calibration.json");
    const PLACES: &'static [&'static str] = &measures::TERRITORIES;
    const CLASSES: &'static [Class] = view::scene::CLASSES;

    fn setup_schema() -> Value {
        setup::schema()
    }

    fn complete(setup: &Value, draw: &mut Draw<'_>) -> Result<Value, SetupError> {
        let setup = Setup::read(setup)?;
        setup.check_order()?;
        Ok(setup.complete(draw))
    }

    fn start(setup: &Value) -> Result<Board, SetupError> {
        let setup = Setup::read(setup)?;
        setup.first.seat()?;
        Ok(Board::start(&setup))
    }
}

impl Position for Board {
    type Action = Action;
    type Counts = measures::Counts;

    fn seats(&self) -> u8 {
        self.players
    }

    fn settings(&self) -> Value {
        let pawns = self.pawns[..usize::from(self.players)].to_vec();
        // Who began is nothing that later positions depend on.
        let first = Beginner::default();
        let setup = Setup {
            players: self.players,
            bases: self.bases,
            pawns,
            first,
            is_any_order: false,
            options: self.options,
        };
        setup.to_json()
    }

    fn to_act(&self) -> Actors {
        match self.phase {
            Phase::Act | Phase::Order => Actors::seat(self.turn),
            Phase::Sword(_) | Phase::Shield(_) => {
                Actors::seat(self.offer().expect("a choice is awaited only where there is one").seat)
            }
            Phase::Roll(_) => Actors::CHANCE,
            Phase::Over(_) => Actors::NONE,
        }
    }

    fn prompt(&self, _actor: Actor) -> Option<Value> {
        let Phase::Roll(combat) = self.phase else { return None };
        let hands = combat.hands(self.stack(combat.at));
        let hands: Vec<_> = hands.collect();
        let dice: Map<String, Value> =
            hands.iter().map(|(seat, hand)| (seat.to_string(), hand.names().into())).collect();
        let forms: Vec<String> = hands.iter().map(|(seat, hand)| format!("{seat}={}", hand.pattern())).collect();
        Some(serde_json::json!({
            "description": "What the dice of each seat show.",
            "dice": dice,
            "kind": "roll",
            "pattern": format!("^roll:{}$", forms.join(",")),
        }))
    }

    fn legal(&self, _actor: Actor, out: &mut Vec<Action>) {
        match self.phase {
            Phase::Act => {
                let (open, undoing, before) = (self.open(), self.undoing(), out.len());
                out.extend(self.placeable(self.turn, open).map(Action::Place));
                for (from, top) in self.movable(self.turn) {
                    out.extend(board::targets(from, top, open, undoing).iter().map(|to| Action::Move { from, to }));
                }
                if out.len() == before {
                    out.push(Action::Pass);
                } else if self.is_changed() {
                    out.push(Action::End);
                }
            }
            Phase::Order => out.extend(self.contested().iter().map(Action::Fight)),
            Phase::Sword(_) | Phase::Shield(_) => {
                let choice = |index| match self.phase {
                    Phase::Sword(_) => Action::Sword(index),
                    _ => Action::Shield(index),
                };
                out.push(choice(None));
                let pieces = self.offer().map_or(0, |offer| offer.pieces);
                out.extend(
                    (0..u32::BITS as u8).filter(|index| pieces >> index & 1 == 1).map(|index| choice(Some(index))),
                );
            }
            Phase::Roll(_) | Phase::Over(_) => {}
        }
    }

    fn count_legal(&self, _actor: Actor) -> usize {
        match self.phase {
            Phase::Act => {
                let (open, undoing) = (self.open(), self.undoing());
                let count = |(from, top)| board::targets(from, top, open, undoing).len();
                let count = self.placeable(self.turn, open).count() + self.movable(self.turn).map(count).sum::<usize>();
                if count == 0 { 1 } else { count + usize::from(self.is_changed()) }
            }
            Phase::Order => self.contested().len(),
            Phase::Sword(_) | Phase::Shield(_) => {
                1 + self.offer().map_or(0, |offer| offer.pieces.count_ones() as usize)
            }
            Phase::Roll(_) | Phase::Over(_) => 0,
        }
    }

    fn judge(&self, _actor: Actor, action: &Action) -> Result<(), Illegal> {
        self.judged(*action)
    }

    fn apply(&mut self, _actor: Actor, action: &Action) {
        match (*action, self.phase) {
            (Action::Place(size), _) => {
                self.place(size);
                self.spend();
            }
            (Action::Move { from, to }, _) => {
                self.move_piece(from, to);
                self.spend();
            }
            (Action::End | Action::Pass, _) => self.settle(),
            (Action::Fight(at), _) => self.fight(at),
            (Action::Sword(None), Phase::Sword(combat)) => self.after_sword(combat),
            (Action::Sword(Some(index)), Phase::Sword(combat)) => {
                let sword = self.stack(combat.at).top_seat();
                self.exchange(combat.at, usize::from(index), Owner::Sword);
                self.after_sword(Combat { sword, ..combat });
            }
            (Action::Shield(None), Phase::Shield(combat)) => self.phase = Phase::Roll(combat),
            (Action::Shield(Some(index)), Phase::Shield(combat)) => {
                let shield = self.stack(combat.at).bottom_seat();
                self.exchange(combat.at, usize::from(index), Owner::Shield);
                self.phase = Phase::Roll(Combat { shield, ..combat });
            }
            (Action::Roll(roll), Phase::Roll(combat)) => self.resolve(combat, &roll),
            (Action::Sword(_) | Action::Shield(_) | Action::Roll(_), _) => {
                unreachable!("an action is judged before it is done")
            }
        }
    }

    fn count(&self, actor: Actor, action: &Action, after: &Self, counts: &mut measures::Counts) {
        measures::count(self, actor, action, after, counts);
    }

    fn outcome(&self) -> Option<Outcome> {
        let Phase::Over(end) = self.phase else { return None };
        Some(match end {
            End::OthersPinned(seat) => Outcome::win(vec![seat], "others-pinned"),
            End::AllPinned => Outcome::draw("all-pinned"),
            End::Territories => Outcome::win(vec![self.turn], "territories"),
        })
    }

    fn view(&self, _viewer: Viewer) -> impl Serialize {
        view::json::View::from(self)
    }

    fn from_json(json: &Value) -> Result<Self, PositionError> {
        crate::view::read::<view::json::View, _>(json)
    }

    fn sample(&self, actor: Actor, draw: &mut Draw<'_>) -> Action {
        if let Phase::Roll(combat) = self.phase {
            let mut roll = Roll::default();
            for (seat, hand) in combat.hands(self.stack(combat.at)) {
                let mut die = |sides: u8| draw(u32::from(sides)) as u8 + 1;
                roll.set(seat, die(hand.sides()), if hand == Hand::Sword { die(12) } else { 0 });
            }
            return Action::Roll(roll);
        }
        listed(self, actor, draw)
    }

    fn scene(&self, _viewer: Viewer, last: Option<Last<'_, Self>>) -> Scene {
        view::scene::draw(self, last.map(|last| (last.before, last.action)))
    }

    fn text(&self, _viewer: Viewer) -> String {
        view::words::to_text(self)
    }

    fn estimate(&self, seat: u8) -> i32 {
        estimate::of(self, seat)
    }
}
