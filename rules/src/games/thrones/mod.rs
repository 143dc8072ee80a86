//! Thrones: secret homelands, battles for fortresses, fate's favours.
//!
//! The state: `board` holds tiles and pieces, `position` the turn around them, `sheet` a seat's set-up,
//! `favor` its favours, `setup` what a game is set up with. The rules: `reach` tells where a piece can go and what it can engage, `turn` what the
//! seat on turn can do, `homefront` what that variant adds, `play` applies actions, `judge` explains why an
//! action is refused, and `possible` why a position is.

mod board;
mod estimate;
mod facts;
mod favor;
mod homefront;
mod judge;
mod measures;
mod notation;
mod options;
mod piece;
mod play;
mod position;
mod possible;
mod reach;
mod setup;
mod sheet;
mod square;
mod terrain;
#[cfg(test)]
mod tests;
mod turn;
mod view;

use plybook_events::{Actor, Outcome};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    About, Actors, Chance, Class, Draw, Fact, Form, Game, Heat, Illegal, Last, Measure, Opens, Position, PositionError,
    Scene, Secret, SetupError, Viewer, listed,
};

use notation::{Action, Columns};
use position::{Campaign, End, Phase, index};
use setup::Setup;
use view::{form, scene, words};

/// Thrones, after the board game by Chad Anthony Randell.
pub(crate) struct Thrones;

impl Game for Thrones {
    type Position = Campaign;

    const ABOUT: About = About {
        kind: "thrones",
        version: "v1",
        title: "Thrones",
        summary: "Two players build their homelands in secret, then send thirteen pieces against each other's throne. Fortresses, terrain \
                  and hidden favours of fate decide who takes it.",
        designer: "Chad Anthony Randell",
        source: "Thrones, rules page of the implementation by karwler",
        seats_min: 2,
        seats_max: 2,
        simultaneous: true,
        chance: true,
        secrets: true,
        drawn: &["first", "fortresses"],
        document: include_str!("README.md"),
    };

    const MEASURES: &'static [Measure<Campaign>] = &measures::MEASURES;
    const HEAT: &'static [Heat<measures::Counts>] = measures::HEAT;
    const LUCK: &'static [Chance<measures::Counts>] = measures::LUCK;
    const FACTS: &'static [Fact<Campaign>] = facts::FACTS;
    const LEAD: i32 = 900;
    const CALIBRATION: &'static str = include_str!("calibration.json");
    const PLACES: &'static [&'static str] = &square::Square::NAMES;
    const CLASSES: &'static [Class] = scene::CLASSES;

    const SECRETS: &'static [Secret] = &[
        Secret { name: "set-up", prefix: "setup:", opens: Opens::Together, shows: Opens::Together },
        Secret { name: "favour", prefix: "favor:", opens: Opens::End, shows: Opens::End },
    ];

    fn setup_schema() -> Value {
        setup::schema()
    }

    fn complete(setup: &Value, draw: &mut Draw<'_>) -> Result<Value, SetupError> {
        Ok(Setup::read(setup)?.drawn(draw).to_json())
    }

    fn start(setup: &Value) -> Result<Campaign, SetupError> {
        Setup::read(setup)?.settled().map(Campaign::start)
    }
}

impl Position for Campaign {
    type Action = Action;
    type Counts = measures::Counts;

    fn seats(&self) -> u8 {
        2
    }

    fn settings(&self) -> Value {
        self.board.options.to_setup()
    }

    fn to_act(&self) -> Actors {
        let those = |awaited: [bool; 2]| (1..=2).filter(|seat| awaited[*seat as usize - 1]).map(Actor::Seat).collect();
        match self.phase {
            Phase::SetUp => those([0, 1].map(|seat| self.sheets[seat as usize].is_none())),
            Phase::Favor { choosing, .. } => those(choosing),
            Phase::Turn => Actors::seat(self.seat() as u8 + 1),
            Phase::Fortresses | Phase::Battle { .. } => Actors::CHANCE,
            Phase::Displace { .. } => Actors::seat(2 - self.seat() as u8),
            Phase::Over(_) => Actors::NONE,
        }
    }

    fn prompt(&self, _actor: Actor) -> Option<Value> {
        (self.phase == Phase::SetUp).then(|| {
            json!({
                "description": "The seat's set-up: its home tiles, its pieces and its middle tiles.",
                "kind": "setup",
                "pattern": sheet::PATTERN,
            })
        })
    }

    fn form(&self, _viewer: Viewer, actor: Actor) -> Option<Form> {
        (self.phase == Phase::SetUp).then(|| form::of(index(actor), self.board.options))
    }

    fn legal(&self, actor: Actor, out: &mut Vec<Action>) {
        match self.phase {
            Phase::SetUp | Phase::Over(_) => {}
            Phase::Fortresses => out.extend(Columns::all().map(Action::Fortresses)),
            Phase::Favor { .. } => out.extend(self.choice(index(actor)).iter().map(Action::Favor)),
            Phase::Turn => self.list_turn(out),
            Phase::Battle { .. } => out.extend([true, false].map(|won| Action::Battle { won })),
            Phase::Displace { by } => {
                out.push(Action::Leave);
                out.extend((by.neighbors() & self.board.empty()).into_iter().map(Action::Displace));
            }
        }
    }

    fn count_legal(&self, actor: Actor) -> usize {
        match self.phase {
            Phase::SetUp | Phase::Over(_) => 0,
            Phase::Fortresses => Columns::all().count(),
            Phase::Favor { .. } => self.choice(index(actor)).len(),
            Phase::Turn => self.count_turn(),
            Phase::Battle { .. } => 2,
            Phase::Displace { by } => 1 + (by.neighbors() & self.board.empty()).len(),
        }
    }

    fn judge(&self, actor: Actor, action: &Action) -> Result<(), Illegal> {
        judge::judge(self, actor, action)
    }

    fn apply(&mut self, actor: Actor, action: &Action) {
        self.play(actor, action);
    }

    fn count(&self, _actor: Actor, action: &Action, after: &Self, counts: &mut measures::Counts) {
        measures::count(self, action, after, counts);
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

    fn view(&self, viewer: Viewer) -> impl Serialize {
        view::json::View::new(self, viewer)
    }

    fn from_json(json: &Value) -> Result<Self, PositionError> {
        crate::view::read::<view::json::View, _>(json)
    }

    fn shown(&self, viewer: Viewer, actor: Actor, action: &Action) -> Option<String> {
        Some(match action {
            Action::SetUp(_) if !viewer.knows(actor) => "setup:?".to_owned(),
            Action::Favor(_) if !viewer.knows(actor) => "favor:?".to_owned(),
            _ => action.to_string(),
        })
    }

    // Favours stay hidden until the end, even used ones: learning which of two hidden favours was chosen
    // first would reveal what its seat was after.
    fn is_opened(&self, _actor: Actor, action: &Action) -> bool {
        matches!(action, Action::SetUp(_)) && self.phase != Phase::SetUp
    }

    fn sample(&self, actor: Actor, draw: &mut Draw<'_>) -> Action {
        if self.phase == Phase::SetUp {
            return Action::SetUp(Box::new(sheet::sample(index(actor), self.board.options, draw)));
        }
        listed(self, actor, draw)
    }

    fn guess(&self, viewer: Viewer, draw: &mut Draw<'_>) -> Self {
        let mut guess = self.clone();
        for seat in (1..=2).filter(|seat| !viewer.knows(Actor::Seat(*seat))) {
            let index = usize::from(seat) - 1;
            if let (Phase::SetUp, Some(sheet)) = (self.phase, &mut guess.sheets[index]) {
                **sheet = sheet::sample(index, self.board.options, draw);
            }
            guess.hands[index] = self.hands[index].guess(draw);
        }
        guess
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
