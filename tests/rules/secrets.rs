//! Two games that differ only in another seat's secrets look the same.

use plybook_events::{Actor, canonical};
use plybook_rules::{Actors, AnyPosition, Opens, Rules, Secret, Viewer, playthrough};

use crate::data::Failure;
use crate::numbers::{self, Numbers, PLIES};
use crate::pairs::{self, Pair, Side, Step};
use crate::random::words;

/// The most steps before a secret, and after it.
const STEPS: [usize; 2] = [40, 15];

/// How many games are started to find one pair.
const TRIES: u64 = 20;

/// The number of pairs of each sort of secret for each random game requested.
const PAIRS: u64 = 2;

/// The playouts of a search whose answer is compared.
const PLAYOUTS: u32 = 3;

/// All findings; see [`leaks`].
pub fn check(rules: &'static dyn Rules) -> Vec<Failure> {
    leaks(rules).collect()
}

/// Follows pairs of games for every secret that the game declares, and checks the declaration of when it
/// opens.
pub fn leaks(rules: &'static dyn Rules) -> impl Iterator<Item = Failure> {
    let kind = rules.about().kind;
    let secrets = pairs::secrets(rules);
    let is_undeclared = rules.about().secrets == secrets.is_empty();
    let undeclared = is_undeclared.then(|| format!("{kind}: `ABOUT.secrets` and `SECRETS` contradict each other"));
    let opened = (0..numbers::games()).filter_map(move |number| {
        opened(rules, number).err().map(|why| format!("{kind}: secret game {number}: {why}"))
    });
    let followed = secrets.into_iter().flat_map(move |secret| {
        (0..PAIRS * numbers::games()).filter_map(move |number| match found(rules, secret, number) {
            Some(pair) => follow(&pair, number).err().map(|why| format!("{pair}: {why}")),
            None => {
                let name = secret.map_or("setup", |secret| secret.name);
                Some(format!("{kind}: no two games differ in the secret {name:?} alone"))
            }
        })
    });
    undeclared.into_iter().chain(opened).chain(followed)
}

/// A pair of games that differ in this secret.
fn found(rules: &'static dyn Rules, secret: Option<&'static Secret>, number: u64) -> Option<Pair> {
    (0..TRIES).find_map(|again| {
        let mut numbers = Numbers::new("pairs", rules.about().kind, number * TRIES + again);
        let setup = numbers::setup(rules, number + again, &mut numbers).ok()?;
        pairs::pair(rules, secret, &setup, &mut numbers, STEPS)
    })
}

/// Plays both games and compares, from the first difference on, everything that the public and another seat
/// get.
fn follow(pair: &Pair, number: u64) -> Result<(), Failure> {
    let start = |side: usize| pair.rules.start(&pair.setups[side]).map(Side::new).map_err(|why| why.to_string());
    let mut sides = [start(0)?, start(1)?];
    let seats = sides[0].position.seats();
    let others = (1..=seats).filter(|seat| !pair.owners.contains(seat));
    let other = Numbers::new("viewers", pair.rules.about().kind, number).shuffled(others).pop();
    let viewers: Vec<Viewer> = [Viewer::Public].into_iter().chain(other.map(Viewer::Seat)).collect();
    for (ply, step) in pair.steps.iter().enumerate() {
        let before = sides.clone();
        for (side, game) in sides.iter_mut().enumerate() {
            game.play(step, side)?;
        }
        if ply < pair.first {
            continue;
        }
        for viewer in &viewers {
            let [one, other] = [0, 1].map(|side| {
                let (before, after) = (before[side].position.as_ref(), sides[side].position.as_ref());
                seen(*viewer, before, after, step, side)
            });
            for ((what, one), (_, other)) in one.iter().zip(&other) {
                if one != other {
                    let step = ply + 1;
                    let (one, other) = (difference(one, other), difference(other, one));
                    return Err(format!("{viewer} can tell by {what} after step {step}:\n  {one}\n  {other}"));
                }
            }
        }
    }
    Ok(())
}

/// Everything that a viewer gets of a position.
fn seen(
    viewer: Viewer,
    before: &dyn AnyPosition,
    after: &dyn AnyPosition,
    step: &Step,
    side: usize,
) -> [(&'static str, String); 7] {
    let last = match step {
        Step::Act(actor, actions) => Some((*actor, actions[side].as_str())),
        _ => None,
    };
    let scene = |last| {
        let json = after.scene(viewer, last).to_json();
        String::from_utf8(canonical::to_bytes(&json).expect("scenes are canonical")).expect("JSON is UTF-8")
    };
    let shown = last.and_then(|(actor, action)| before.shown(viewer, actor, action));
    [
        ("the line of the playthrough", playthrough::line(0, last, shown, after, viewer)),
        ("the JSON", after.to_json(viewer).to_string()),
        ("the key", after.key(viewer).to_string()),
        ("the words", after.text(viewer)),
        ("the search", found_by_search(after, viewer)),
        ("the scene", scene(None)),
        ("the scene with the last action", scene(last.map(|(actor, action)| (before, actor, action)))),
    ]
}

/// What a short search tells the viewer.
fn found_by_search(position: &dyn AnyPosition, viewer: Viewer) -> String {
    let mut numbers = Numbers::new("search", "any", 1);
    let mut engine = position.search(viewer);
    engine.run(PLAYOUTS, &mut numbers.draw());
    let actors = (1..=position.seats()).map(Actor::Seat);
    actors.map(|actor| format!("{:?}", engine.findings(actor))).collect()
}

/// An action that was secret when it was played.
struct Done {
    secret: &'static Secret,
    actor: Actor,
    action: String,
    /// Who was still to act at the same time.
    awaited: Actors,
    was_open: bool,
}

/// Plays a game: its secrets open when declared; while its setup is sealed, the public does not get the
/// complete position.
fn opened(rules: &'static dyn Rules, number: u64) -> Result<(), Failure> {
    let mut numbers = Numbers::new("secrets", rules.about().kind, number);
    let setup = numbers::setup(rules, number, &mut numbers)?;
    let mut position = rules.start(&setup).map_err(|why| format!("setup {setup}: {why}"))?;
    let mut done: Vec<(Actor, String)> = Vec::new();
    let mut hidden: Vec<Done> = Vec::new();
    let is_sealed = rules.setup_for(&setup, Viewer::Public) != setup;
    while let Some(actor) = numbers.actor(position.as_ref()).filter(|_| done.len() < PLIES) {
        let at = |why: String| format!("setup {setup}, after {}: {why}", words(&done));
        let action = numbers.action(position.as_ref(), actor);
        let secret = pairs::secret_of(rules, position.as_ref(), actor, &action);
        let is_shown = position.shown(Viewer::Public, actor, &action).as_deref() == Some(action.as_str());
        if secret.is_none() && !is_shown {
            return Err(at(format!("{action} is hidden, but `SECRETS` has no such action")));
        }
        let awaited = position.to_act().without(actor);
        position.act(actor, &action).map_err(|why| at(format!("{action}: {why}")))?;
        for earlier in &mut hidden {
            earlier.awaited = earlier.awaited.without(actor);
        }
        let was_open = false;
        hidden.extend(secret.map(|secret| Done { secret, actor, action: action.clone(), awaited, was_open }));
        done.push((actor, action));
        if position.outcome().is_none() {
            let at = |why: String| format!("setup {setup}, after {}: {why}", words(&done));
            hidden.iter_mut().try_for_each(|done| opens(done, position.as_ref())).map_err(at)?;
            if is_sealed && position.to_json(Viewer::Public) == position.to_json(Viewer::All) {
                return Err(at("the setup is secret, but the public gets the whole position".to_owned()));
            }
        }
    }
    Ok(())
}

/// Whether a secret action is open in a position, as declared.
fn opens(done: &mut Done, position: &dyn AnyPosition) -> Result<(), Failure> {
    let Done { secret, actor, action, awaited, was_open } = done;
    // What was opened once is revealed, and never asked about again.
    if *was_open {
        return Ok(());
    }
    let is_open = position.is_opened(*actor, action);
    let is_right = match secret.opens {
        Opens::Together => is_open == awaited.is_empty(),
        Opens::Rules => true,
        Opens::End => !is_open,
    };
    *was_open = is_open;
    let (name, opens, is) = (secret.name, secret.opens, if is_open { "open" } else { "not open" });
    if is_right { Ok(()) } else { Err(format!("the {name} {action} of {actor} is {is}, but it opens: {opens:?}")) }
}

/// The place where two texts differ, with a little around it.
fn difference(a: &str, b: &str) -> String {
    let parts = a.bytes().zip(b.bytes()).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
    let bytes = &a.as_bytes()[parts.saturating_sub(80)..(parts + 80).min(a.len())];
    format!("… {} …", String::from_utf8_lossy(bytes))
}
