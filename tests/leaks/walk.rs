//! Walks: trials one after another, in both games of a pair. After each, nobody who may not know the secret
//! can tell the games apart.

use std::sync::Arc;

use plybook_events::Actor;
use plybook_rules::Opens;
use plybook_rules::log::{Replay, Status};
use plybook_tests_rules::numbers::Numbers;
use serde_json::{Value, json};

use crate::Failure;
use crate::pair::Pair;
use crate::probe::Probes;
use crate::reading::{Reading, TURNS, same_of};
use crate::shape::Shape;
use crate::side::{Asker, Side};
use crate::trial::Trial;

/// The most steps of a walk.
const STEPS: usize = 12;

/// One step in this many is taken by somebody who knows everything.
const DEEDS: usize = 10;

/// The number of actions that a recorder tries for each seat.
const PROBES: usize = 8;

const ACT_ALL: &str = "mutation($id: ID!, $actions: [ActInput!]!, $expected: Int) {
    actAll(game: $id, actions: $actions, expectedSeq: $expected) { id } }";

/// One step in this many repeats the previous one.
const REPEATS: usize = 6;

/// The result of a walk.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Walked {
    /// Trials that were refused on both sides.
    pub(crate) refused: usize,
    /// Trials that were recorded on both sides.
    pub(crate) recorded: usize,
    /// Whether it ended because something was legal on only one side and recorded there for all to see, or
    /// because the dice differed.
    pub(crate) is_parted: bool,
    /// Whether the game ended on both sides, and was read as it had been known.
    pub(crate) is_over: bool,
}

/// The effect of a step on both sides.
enum Done {
    Refused,
    Recorded,
    /// Something was legal on only one side, or the dice differed.
    Parted,
    /// From here on, everybody may know.
    Shown,
    /// A decision ended the game.
    Over,
}

/// Callers who may not know the secret of a pair.
pub(crate) fn curious(pair: &Pair) -> Vec<Asker> {
    let mut numbers = Numbers::new("askers", pair.rules.about().kind, pair.number as u64);
    let seats = pair.rules.start(&pair.setups[0]).expect("it was started before").seats();
    let other = numbers.shuffled(pair.others(seats)).pop();
    let seat = other.map(|seat| if numbers.below(2) == 0 { Asker::Seat(seat) } else { Asker::OtherPlayer });
    [Asker::Public, Asker::Recorder].into_iter().chain(seat).collect()
}

/// Makes a recorder try, for each seat whose secret differs, actions that are illegal in both games,
/// preferably for different reasons, and actions that are legal in one game, combined with junk. None of it
/// is recorded, and the answers are the same. Returns the number of trials.
pub(crate) async fn probe(pair: &Pair, sides: &[Side; 2]) -> Result<usize, Failure> {
    let mut numbers = Numbers::new("probes", pair.rules.about().kind, pair.number as u64);
    let mut asked = 0;
    for seat in &pair.owners {
        let Probes { illegal, legal_once } = Probes::of(sides, Actor::Seat(*seat), &mut numbers);
        let one = |action: &String| json!({ "actions": [{ "seat": seat, "action": action }] });
        let then = |action: &String, last: Value| json!({ "actions": [{ "seat": seat, "action": action }, last] });
        let mut tries: Vec<Value> = illegal.iter().take(PROBES).map(one).collect();
        for action in legal_once.iter().chain(&illegal).take(PROBES) {
            tries.push(then(action, json!({ "seat": seat, "action": "zzz" })));
            tries.push(then(action, json!({ "action": "zzz" })));
        }
        for (number, mut variables) in tries.into_iter().enumerate() {
            let head = sides[0].replay().events() - 1;
            variables["expected"] = [json!(null), json!(head), json!(9_999)][number % 3].clone();
            let variables = sides.each_ref().map(|side| {
                let mut variables = variables.clone();
                variables["id"] = json!(side.id());
                variables
            });
            let trial = Trial { asker: Asker::Recorder, document: ACT_ALL.to_owned(), variables };
            let done = step(pair, sides, &trial, false).await?;
            assert!(matches!(done, Done::Refused), "something was recorded: {trial:?}");
            asked += 1;
        }
    }
    Ok(asked)
}

/// Takes both sides for a walk.
pub(crate) async fn walk(pair: &Pair, sides: &[Side; 2], shape: &Shape, reading: &Reading) -> Result<Walked, Failure> {
    let mut numbers = Numbers::new("walks", pair.rules.about().kind, pair.number as u64);
    let askers = curious(pair);
    let mut walked = Walked::default();
    let mut last: Option<Trial> = None;
    for _ in 0..STEPS {
        let is_deed = numbers.below(DEEDS) == 0;
        let trial = if is_deed {
            let (asker, names) = *numbers.one(&[
                (Asker::Arbiter, &["takeBack", "takeBack", "takeBack", "voidGame", "adjudicate"][..]),
                (Asker::Owner, &["act"][..]),
            ]);
            Trial::one_of(names, shape, pair, sides, asker, &mut numbers)
        } else {
            let asker = *numbers.one(&askers);
            match last.take().filter(|_| numbers.below(REPEATS) == 0) {
                Some(last) => last.by(asker),
                None => Trial::any(shape, pair, sides, asker, &mut numbers),
            }
        };
        match step(pair, sides, &trial, is_deed).await? {
            Done::Refused => walked.refused += 1,
            Done::Recorded => {
                walked.recorded += 1;
                let asker = *numbers.one(&askers);
                reading.compare_plain(pair, sides, asker).await?;
            }
            Done::Parted => return Ok(Walked { is_parted: true, ..walked }),
            Done::Shown => return Ok(walked),
            Done::Over => {
                as_it_was_known(pair, sides).await?;
                return Ok(Walked { is_over: true, ..walked });
            }
        }
        last = Some(trial).filter(|_| !is_deed);
    }
    let asker = *numbers.one(&askers);
    reading.compare(pair, sides, asker, numbers.below(TURNS)).await?;
    Ok(walked)
}

/// Makes a trial on both sides. The answers are the same, unless something was recorded for all to see on
/// only one side, or reveals what was secret.
async fn step(pair: &Pair, sides: &[Side; 2], trial: &Trial, is_deed: bool) -> Result<Done, Failure> {
    let Trial { asker, document, variables } = trial;
    let what = format!("{asker:?} trying {document} {}", variables[0]);
    let before = sides.each_ref().map(Side::replay);
    let logs = sides.each_ref().map(|side| side.service.log().len());
    let mut told = [String::new(), String::new()];
    for (side, told) in told.iter_mut().enumerate() {
        *told = sides[side].ask(*asker, document, variables[side].clone()).await.to_string();
    }
    let after = sides.each_ref().map(Side::replay);
    let grown = [0, 1].map(|side| sides[side].service.log().len() - logs[side]);
    if grown[0] == 0 || grown[1] == 0 {
        if grown == [0, 0] {
            if !is_deed {
                same_of(sides, &what, &told)?;
            }
            return Ok(Done::Refused);
        }
        // Whether something is legal shows when it is recorded: that is no secret. A seat knows what it may
        // do.
        let may_part = is_deed || *asker == Asker::Recorder;
        return if may_part { Ok(Done::Parted) } else { Err(format!("{what}: recorded in one game only")) };
    }
    let is_over = after.iter().any(|replay| replay.status() != Status::Running);
    if is_over {
        let is_decided =
            after.iter().all(|replay| replay.status() != Status::Running && replay.position().outcome().is_none());
        return Ok(if is_decided { Done::Over } else { Done::Shown });
    }
    let is_shown = |side: usize| is_shown(pair, &before[side], &after[side]);
    if is_shown(0) || is_shown(1) {
        return Ok(Done::Shown);
    }
    // The dice of two games differ, and those of their lines; from here on, so do the positions.
    if rolled(&sides[0]) != rolled(&sides[1]) {
        return Ok(Done::Parted);
    }
    if grown[0] != grown[1] {
        return Err(format!("{what}: {} events in one game, {} in the other", grown[0], grown[1]));
    }
    if !is_deed {
        same_of(sides, &what, &told)?;
    }
    Ok(Done::Recorded)
}

/// What the service has rolled in the game and in its lines.
fn rolled(side: &Side) -> Vec<Arc<str>> {
    let line = |id| side.service.game(id).expect("a line can be read").replay();
    let replays = [side.replay()].into_iter().chain(side.lines().into_iter().map(line));
    let rolls = |replay: Arc<Replay>| {
        let fair = replay.mainline().iter().filter(|done| done.is_fair);
        fair.map(|done| Arc::clone(&done.action)).collect::<Vec<_>>()
    };
    replays.flat_map(rolls).collect()
}

/// Whether what was recorded may reveal the secret: all who act together have acted, or the rules opened
/// something.
fn is_shown(pair: &Pair, before: &Replay, after: &Replay) -> bool {
    let (was, is) = (before.position().to_act(), after.position().to_act());
    let acted = after.mainline().len().saturating_sub(before.mainline().len());
    let is_round_over = acted > 0 && (acted >= was.len() || is.iter().any(|actor| !was.contains(actor)));
    match pair.shows {
        Opens::Together => is_round_over,
        Opens::Rules => is_round_over || after.unknown().count() < before.unknown().count(),
        Opens::End => false,
    }
}

const KNOWN: &str = "query($id: ID!, $viewer: String, $from: Int, $to: Int, $count: Int) { game(id: $id) { status ply
    positions(from: $from, to: $to, viewer: $viewer) { ply position positionKey text toAct prompts { seat kind description schema example dice { seat dice } } }
    scenes(from: $from, to: $to, viewer: $viewer)
    moves(first: $count, viewer: $viewer) { nodes { ply seq by action text positionKey } } } }";

/// Compares games that a decision ended: everything is open then, but what a seat knew at the time was the
/// same.
async fn as_it_was_known(pair: &Pair, sides: &[Side; 2]) -> Result<(), Failure> {
    let seats = sides[0].replay().position().seats();
    let others = pair.others(seats).map(|seat| seat.to_string()).take(1);
    for viewer in ["public".to_owned()].into_iter().chain(others) {
        let last = sides[0].replay().mainline().len();
        let mut told = [String::new(), String::new()];
        for (side, told) in told.iter_mut().enumerate() {
            let id = sides[side].id();
            let variables =
                json!({ "id": id, "viewer": viewer, "from": pair.first.min(last), "to": last, "count": last + 1 });
            *told = sides[side].ask(Asker::Public, KNOWN, variables).await.to_string();
            assert!(!told.contains("\"errors\""), "what was known can be asked: {told}");
        }
        same_of(sides, &format!("what {viewer} knew"), &told)?;
    }
    Ok(())
}
