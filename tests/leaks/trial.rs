//! Trials: a mutation of the schema with arguments drawn for the position, legal or not.

use plybook_events::body::{Acted, Created, Ended, Fork, Revealed, TakenBack, Voided};
use plybook_events::{Actor, Body, By, Decider, Event, Hash, LogId, Outcome};
use plybook_rules::Viewer;
use plybook_tests_rules::numbers::Numbers;
use serde_json::{Value, json};

use crate::pair::Pair;
use crate::shape::{Field, Shape};
use crate::side::{Asker, Side};

/// The arguments that name the game of a mutation.
const GAMES: [&str; 3] = ["game", "line", "record"];

/// The fields selected from a changed game.
const TOLD: &str = "{ id ply status head { seq hash ply } }";

/// The fields selected from an analysis.
const ANALYSIS_TOLD: &str = "{ state done total stale plies { chances line } }";

/// A trial on both sides: the same, apart from ids.
#[derive(Clone, Debug)]
pub(crate) struct Trial {
    pub(crate) asker: Asker,
    pub(crate) document: String,
    pub(crate) variables: [Value; 2],
}

/// The state that arguments are drawn for: both sides at present.
struct Draw<'a> {
    pair: &'a Pair,
    sides: &'a [Side; 2],
    numbers: &'a mut Numbers,
    /// The caller, if this trial is an action.
    actor: Option<Actor>,
}

impl Trial {
    /// A trial of any mutation; every other trial acts.
    pub(crate) fn any(shape: &Shape, pair: &Pair, sides: &[Side; 2], asker: Asker, numbers: &mut Numbers) -> Self {
        let all: Vec<&Field> = shape.of("Mutation").fields.iter().collect();
        let acting: Vec<&Field> = all.iter().copied().filter(|field| field.name.starts_with("act")).collect();
        let those = if numbers.below(2) == 0 { acting } else { all };
        let is_of_game = |field: &&Field| field.args.iter().any(|arg| GAMES.contains(&arg.name.as_str()));
        let those: Vec<&Field> = those.into_iter().filter(is_of_game).collect();
        let field = *numbers.one(&those);
        Self::of(field, shape, pair, sides, asker, numbers)
    }

    /// A trial of one of these mutations.
    pub(crate) fn one_of(
        names: &[&str],
        shape: &Shape,
        pair: &Pair,
        sides: &[Side; 2],
        asker: Asker,
        numbers: &mut Numbers,
    ) -> Self {
        let name = *numbers.one(names);
        let field = shape.of("Mutation").fields.iter().find(|field| field.name == name);
        Self::of(field.expect("there is such a mutation"), shape, pair, sides, asker, numbers)
    }

    fn of(field: &Field, shape: &Shape, pair: &Pair, sides: &[Side; 2], asker: Asker, numbers: &mut Numbers) -> Self {
        let mut draw = Draw { pair, sides, numbers, actor: None };
        let mut variables = [json!({}), json!({})];
        let (mut declared, mut passed) = (Vec::new(), Vec::new());
        for arg in &field.args {
            let Some(values) = draw.value(&field.name, arg, shape) else {
                assert!(!arg.is_required, "`{}` of {} has to be given", arg.name, field.name);
                continue;
            };
            for (variables, value) in variables.iter_mut().zip(values) {
                variables[&arg.name] = value;
            }
            let list = if arg.is_list { format!("[{}!]", arg.of) } else { arg.of.clone() };
            declared.push(format!("${}: {list}{}", arg.name, if arg.is_required { "!" } else { "" }));
            passed.push(format!("{0}: ${0}", arg.name));
        }
        let (name, declared, passed) = (&field.name, declared.join(", "), passed.join(", "));
        let told = if field.of == "Analysis" { ANALYSIS_TOLD } else { TOLD };
        Self { asker, document: format!("mutation({declared}) {{ {name}({passed}) {told} }}"), variables }
    }

    /// The same, tried by somebody else.
    pub(crate) fn by(&self, asker: Asker) -> Self {
        Self { asker, ..self.clone() }
    }
}

impl Draw<'_> {
    /// The values of an argument on each side; `None` omits it.
    fn value(&mut self, of: &str, arg: &Field, shape: &Shape) -> Option<[Value; 2]> {
        let values = &shape.of(&arg.of).values;
        let alike = |value: Value| Some([value.clone(), value]);
        match (of, arg.name.as_str()) {
            (_, "game" | "line") => Some(self.log()),
            ("importRecord", "record") => Some(self.record()),
            ("importRecord", "format") => alike("NDJSON".into()),
            ("importRecord", "source") => self.often(&[None, Some(json!("a file"))]).and_then(alike),
            (_, "action") => {
                let action = self.action();
                alike(action.into())
            }
            ("fork", "actions") => {
                let words = (0..self.numbers.below(3)).map(|_| self.word()).collect::<Vec<_>>();
                alike(json!(words))
            }
            (_, "actions") => alike((0..1 + self.numbers.below(3)).map(|_| self.act()).collect()),
            ("act", "seat") => self.seat_of_actor().and_then(alike),
            (_, "seat") => {
                let seat = self.seat();
                alike(seat.into())
            }
            // Walks come to an end by them.
            ("adjudicate" | "voidGame", "expectedSeq") => None,
            (_, "expectedSeq") => {
                let head = self.sides[0].replay().events() - 1;
                self.often(&[None, Some(json!(head)), Some(json!(9_999)), Some(json!(0))]).and_then(alike)
            }
            (_, "expectedPly") => {
                let plies = self.sides[0].replay().mainline().len();
                let before = plies.saturating_sub(1 + self.numbers.below(2));
                self.often(&[None, Some(json!(plies)), Some(json!(before)), Some(json!(9_999))]).and_then(alike)
            }
            (_, "recordedWith") => self.often(&[None, Some(json!("key-of-many-trials"))]).and_then(alike),
            // Often a new one; or one key for this change and another, or for two attempts at the same
            // change.
            (_, "idempotencyKey") => {
                let new = format!("key-of-one-trial-{}", self.numbers.below(1 << 20));
                self.often(&[None, None, Some(json!("key-of-many-trials")), Some(json!(new))]).and_then(alike)
            }
            (_, "entropy") => alike(json!(self.numbers.one(&["0".repeat(64), "ab".repeat(32)]))),
            // A wrong one must not tell whether what it is with is legal.
            (_, "signature") => {
                let wrong =
                    format!("ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c:{}", "0".repeat(128));
                self.often(&[None, None, Some(json!(wrong))]).and_then(alike)
            }
            (_, "salt") => self.often(&[None, None, Some(json!("ab".repeat(32)))]).and_then(alike),
            (_, "key") => alike(json!("ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c")),
            (_, "playouts") => self.often(&[None, Some(json!(1)), Some(json!(0))]).and_then(alike),
            (_, "clockMs") => self.often(&[None, Some(json!(1_000)), Some(json!(1_u64 << 53))]).and_then(alike),
            (_, "due") => alike(json!(self.numbers.one(&["2100-01-01T00:00:00Z", "2000-01-01T00:00:00Z"]))),
            (_, "toPly" | "ply") => {
                let plies = self.sides[0].replay().mainline().len();
                let some = [0, self.pair.first, self.pair.first + 1, plies.saturating_sub(1), plies, plies + 1];
                alike(json!(self.numbers.one(&some)))
            }
            (_, "reason" | "name") => alike(json!(self.numbers.one(&["r", "r", ""]))),
            (_, "comment") => self.often(&[Some(json!("c")), None]).and_then(alike),
            (_, "glyphs") => self.often(&[None, Some(json!(["!"])), Some(json!([" "]))]).and_then(alike),
            (_, "accept" | "hidden" | "promote") => alike(json!(self.numbers.below(2) == 0)),
            (_, "assume") => self.assumption().and_then(alike),
            (_, "position") => self.position().and_then(alike),
            ("adjudicate", "input") => {
                let inputs = [
                    json!({ "winners": [1], "reason": "r" }),
                    json!({ "winners": [], "forfeit": true, "reason": "r" }),
                ];
                alike(self.numbers.one(&inputs).clone())
            }
            _ if !values.is_empty() => alike(json!(self.numbers.one(values))),
            (of, name) => panic!("say what is given for `{name}` of `{of}`"),
        }
    }

    /// The first of these in half of all cases.
    fn often(&mut self, values: &[Option<Value>]) -> Option<Value> {
        if self.numbers.below(2) == 0 { values[0].clone() } else { self.numbers.one(values).clone() }
    }

    /// The game or, now and then, its newest line.
    fn log(&mut self) -> [Value; 2] {
        let lines = [0, 1].map(|side| self.sides[side].lines().pop());
        match lines {
            [Some(one), Some(other)] if self.numbers.below(4) == 0 => [json!(one), json!(other)],
            _ => [0, 1].map(|side| json!(self.sides[side].id())),
        }
    }

    fn seat(&mut self) -> u8 {
        let seats = self.sides[0].replay().position().seats();
        let owner = self.pair.owners.first().copied().unwrap_or(1);
        let any = 1 + self.numbers.below(usize::from(seats)) as u8;
        *self.numbers.one(&[owner, owner, any, seats + 1])
    }

    /// The seat that goes with the action, another one, or none.
    fn seat_of_actor(&mut self) -> Option<Value> {
        match self.actor() {
            Actor::Seat(seat) if self.numbers.below(6) > 0 => Some(json!(seat)),
            Actor::Seat(_) => Some(json!(self.seat())).filter(|_| self.numbers.below(2) == 0),
            Actor::Chance => None,
        }
    }

    /// The actor: usually one whose secret differs or who is to act.
    fn actor(&mut self) -> Actor {
        if let Some(actor) = self.actor {
            return actor;
        }
        let mut actors: Vec<Actor> = self.sides[0].replay().position().to_act().iter().collect();
        actors.extend(self.pair.owners.iter().map(|seat| Actor::Seat(*seat)));
        let actor = *self.numbers.one(&actors);
        self.actor = Some(actor);
        actor
    }

    /// An action: legal on one side or on both, nearly legal, played before, or junk.
    fn action(&mut self) -> String {
        let actor = self.actor();
        let side = self.numbers.below(2);
        let replay = self.sides[side].replay();
        let position = replay.position();
        let legal = |numbers: &mut Numbers| {
            if !position.to_act().contains(actor) {
                return "zzz".to_owned();
            }
            numbers.action(position, actor)
        };
        match self.numbers.below(10) {
            0..6 => legal(self.numbers),
            6 => legal(self.numbers) + "~",
            7 if !replay.mainline().is_empty() => self.numbers.one(replay.mainline()).action.to_string(),
            7 => legal(self.numbers).repeat(2),
            8 => "x".repeat(*self.numbers.one(&[0, 3, 200, 201, 4_001])),
            _ => "zzz".to_owned(),
        }
    }

    fn act(&mut self) -> Value {
        self.actor = None;
        let mut act = json!({ "action": self.action() });
        act["seat"] = self.seat_of_actor().unwrap_or_default();
        act
    }

    fn word(&mut self) -> String {
        self.actor = None;
        match (self.actor(), self.action()) {
            (Actor::Seat(seat), action) => format!("{seat}:{action}"),
            (Actor::Chance, action) => action,
        }
    }

    /// Guesses at what the public does not know: the truth of one side, junk, or too few.
    fn assumption(&mut self) -> Option<Value> {
        let side = self.numbers.below(2);
        let replay = self.sides[side].replay();
        let truth: Vec<String> = replay.unknown().map(|ply| replay.mainline()[ply - 1].action.to_string()).collect();
        match self.numbers.below(4) {
            0 => None,
            1 => Some(json!(vec!["zzz"; truth.len()])),
            2 => Some(json!(truth)),
            _ => Some(json!(truth[..truth.len().min(1)])),
        }
    }

    /// A position to set up: as the public sees it, as one side has it, or from another setup.
    fn position(&mut self) -> Option<Value> {
        let side = self.numbers.below(2);
        let replay = self.sides[side].replay();
        let start = replay.position_at(0).expect("there is a start").to_json(Viewer::All);
        match self.numbers.below(8) {
            0 => Some(replay.position().to_json(Viewer::Public)),
            1 => Some(replay.position().to_json(Viewer::All)),
            2 => Some(start),
            3 => self.pair.rules.start(&self.pair.setups[1 - side]).ok().map(|other| other.to_json(Viewer::All)),
            _ => None,
        }
    }

    /// A record: the log as anybody can read it, complete or cut off, continued by hand, or a line made up by
    /// hand.
    fn record(&mut self) -> [Value; 2] {
        let (how, action) = (self.numbers.below(8), self.action());
        let by = By::Seat(self.pair.owners.first().copied().unwrap_or(1));
        let ply = self.numbers.below(self.sides[0].replay().mainline().len() + 1);
        let text = |side: &Side| {
            let lines = side.service.log().read(side.id(), 0).expect("the log can be read");
            let mut lines: Vec<String> = lines.iter().map(|line| String::from_utf8_lossy(line).into_owned()).collect();
            let of = lines.len() as u64 - 1;
            match how {
                0 => {}
                1 => lines.truncate(1 + lines.len() / 2),
                2 => return made_up_line(side, ply, &action),
                _ => {
                    let body = match how {
                        3 => {
                            Body::Ended(Ended { decided_by: Decider::Arbiter, outcome: Outcome::draw("r"), seed: None })
                        }
                        4 => Body::Voided(Voided { reason: "r".to_owned(), seed: None }),
                        5 => Body::Revealed(Revealed { of, content: action.clone(), salt: Hash::ZERO }),
                        6 => Body::TakenBack(TakenBack { to_ply: 0, reason: "r".to_owned() }),
                        _ => Body::Acted(Acted { action: action.clone(), clock_ms: None, fair: false }),
                    };
                    lines.push(continued(&lines, by, body));
                }
            }
            lines.join("\n")
        };
        self.sides.each_ref().map(|side| text(side).into())
    }
}

/// The next event of a log, as somebody who has read the log would write it.
fn continued(lines: &[String], by: By, body: Body) -> String {
    let last = lines.last().expect("a log has events").as_bytes();
    let before = Event::parse(last).expect("the log holds events");
    let event = Event { by, prev: Hash::of_event(last), seq: before.seq + 1, body, ..before };
    event.to_bytes().map_or_else(|why| why.to_string(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// A line that leaves the game at a ply, with an action, as somebody who has read the log would write it.
fn made_up_line(side: &Side, ply: usize, action: &str) -> String {
    let replay = side.replay();
    let seq = replay.led_to(ply);
    let hash = Hash::of_event(&side.service.log().read(side.id(), seq).expect("the log can be read")[0]);
    let fork = Fork { game: side.id(), ply: ply as u32, seq, hash };
    let created =
        Created { fork: Some(fork), sealed_setup: None, open: true, fairness: None, ..replay.created().clone() };
    let log = LogId::from_bytes([7; 16]);
    let first = Event {
        at: replay.last_at(),
        by: By::Service,
        log,
        prev: hash,
        seq: 0,
        body: Body::Created(created),
        who: None,
        signature: None,
        request: None,
    };
    let first = String::from_utf8(first.to_bytes().expect("it is an event")).expect("events are UTF-8");
    let by = replay.mainline().get(ply).map_or(By::Seat(1), |done| done.actor.into());
    let acted = Body::Acted(Acted { action: action.to_owned(), clock_ms: None, fair: false });
    let second = continued(std::slice::from_ref(&first), by, acted);
    format!("{first}\n{second}")
}
