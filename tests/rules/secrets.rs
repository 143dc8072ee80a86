//! Two games that differ only in what another seat keeps secret look the same.

use plybook_events::{Actor, canonical};
use plybook_rules::{Actors, AnyPosition, Rules, Viewer, playthrough};

use crate::data::Failure;
use crate::numbers::{self, Numbers, PLIES};
use crate::random::words;

/// How far a pair of games is followed at most.
const FOLLOWED: usize = 15;

/// How often another token is drawn to make a pair.
const DRAWS: usize = 8;

pub fn check(rules: &dyn Rules) -> Vec<Failure> {
    let kind = rules.about().kind;
    let mut failures = Vec::new();
    let mut pairs = 0;
    for number in 0..numbers::games() {
        match game(rules, number) {
            Ok(found) => pairs += found,
            Err(why) => failures.push(format!("{kind}: secret game {number}: {why}")),
        }
    }
    if rules.about().secrets != (pairs > 0) && failures.is_empty() {
        failures.push(format!("{kind}: {pairs} pairs of games differ in a secret only"));
    }
    failures
}

/// Plays a game; at its plies pairs are made and followed. Says how many.
fn game(rules: &dyn Rules, number: u64) -> Result<usize, Failure> {
    let mut numbers = Numbers::new("secrets", rules.about().kind, number);
    let setup = numbers::setup(rules, number, &mut numbers)?;
    let mut table = rules.start(&setup).map_err(|why| format!("setup {setup}: {why}"))?;
    let mut gathering = Gathering::new(table.as_ref());
    let mut done = Vec::new();
    let mut pairs = 0;
    while let Some(actor) = numbers.actor(table.as_ref()).filter(|_| done.len() < PLIES) {
        let token = numbers.token(table.as_ref(), actor);
        // Somebody at the table, and those who sit nowhere.
        let seat = Viewer::Seat(*numbers.one(&(1..=table.seats()).collect::<Vec<_>>()));
        for viewer in [seat, Viewer::Public] {
            let Some(other) = secret(table.as_ref(), viewer, actor, &token, gathering, &mut numbers) else { continue };
            let pair = Pair { viewer, actor, one: &token, other: &other };
            pair.follow(table.as_ref(), gathering, &mut numbers)
                .map_err(|why| format!("setup {setup}, after {}: {why}", words(&done)))?;
            pairs += 1;
        }
        table.act(actor, &token).map_err(|why| format!("{token}: {why}"))?;
        gathering.acted(actor, table.as_ref());
        done.push((actor, token));
    }
    Ok(pairs)
}

/// Another legal token that the viewer cannot tell from this one, if there is one and the rules do
/// not open it at once.
fn secret(
    table: &dyn AnyPosition,
    viewer: Viewer,
    actor: Actor,
    token: &str,
    gathering: Gathering,
    numbers: &mut Numbers,
) -> Option<String> {
    let shown = table.shown(viewer, actor, token);
    if viewer.knows(actor) || shown.as_deref() == Some(token) || gathering.opened_by(actor) {
        return None;
    }
    let others = (0..DRAWS).map(|_| numbers.token(table, actor));
    let mut others = others.filter(|other| other != token && table.shown(viewer, actor, other) == shown);
    // Where one of the two ends the game or a turn and the other does not, it is no secret.
    let after = |token: &str| {
        let mut after = table.boxed();
        after.act(actor, token).ok()?;
        Some((after.to_act(), after.outcome()))
    };
    let expected = after(token);
    let other = others.next().filter(|_| expected.is_some())?;
    (after(&other) == expected).then_some(other)
}

/// Two tokens of an actor between which a viewer cannot tell.
struct Pair<'a> {
    viewer: Viewer,
    actor: Actor,
    one: &'a str,
    other: &'a str,
}

impl Pair<'_> {
    /// Plays both, then the same in both games until the secret can have been opened.
    fn follow(&self, table: &dyn AnyPosition, mut gathering: Gathering, numbers: &mut Numbers) -> Result<(), Failure> {
        let (mut one, mut other) = (table.boxed(), table.boxed());
        let mut done = Vec::new();
        let (mut actor, mut tokens) = (self.actor, [self.one.to_owned(), self.other.to_owned()]);
        for ply in 1..=FOLLOWED {
            let seen = [(&mut one, &tokens[0]), (&mut other, &tokens[1])].map(|(table, token)| {
                let before = table.boxed();
                let shown = before.shown(self.viewer, actor, token);
                table.act(actor, token).map_err(|why| format!("{token} of {actor}: {why}"))?;
                Ok::<_, Failure>(self.seen(table.as_ref(), before.as_ref(), ply, actor, token, shown))
            });
            let [seen_one, seen_other] = seen;
            let (seen_one, seen_other) = (seen_one?, seen_other?);
            if let Some((a, b)) = seen_one.iter().zip(&seen_other).find(|(a, b)| a != b) {
                let (viewer, secret, same) = (self.viewer, self.actor, words(&done));
                return Err(format!(
                    "{viewer} can tell {} from {} of {secret}, followed by {same}:\n  {}\n  {}",
                    self.one,
                    self.other,
                    difference(a, b),
                    difference(b, a),
                ));
            }
            if ply > 1 {
                done.push((actor, tokens[0].clone()));
            }
            gathering.acted(actor, one.as_ref());
            // The game goes on with somebody else: what the seat itself does may open its secret.
            let next = numbers.actor(one.as_ref()).filter(|next| *next != self.actor && !gathering.opened_by(*next));
            let Some(next) = next else { break };
            let token = numbers.token(one.as_ref(), next);
            if other.judge(next, &token).is_err() {
                break;
            }
            (actor, tokens) = (next, [token.clone(), token]);
        }
        Ok(())
    }

    /// Everything that the viewer gets of a position.
    fn seen(
        &self,
        table: &dyn AnyPosition,
        before: &dyn AnyPosition,
        ply: usize,
        actor: Actor,
        token: &str,
        shown: Option<String>,
    ) -> [String; 6] {
        let viewer = self.viewer;
        let scene = |last| {
            let json = table.scene(viewer, last).to_json();
            String::from_utf8(canonical::to_bytes(&json).expect("scenes are canonical")).expect("JSON is UTF-8")
        };
        [
            playthrough::line(ply, Some((actor, token)), shown, table, viewer),
            table.to_json(viewer).to_string(),
            table.key(viewer).to_string(),
            table.text(viewer),
            scene(None),
            scene(Some((before, actor, token))),
        ]
    }
}

/// Where two texts part, with a little around it.
fn difference(a: &str, b: &str) -> String {
    let parts = a.bytes().zip(b.bytes()).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
    let bytes = &a.as_bytes()[parts.saturating_sub(80)..(parts + 80).min(a.len())];
    format!("… {} …", String::from_utf8_lossy(bytes))
}

/// Whether submissions are being gathered from several seats, to be opened with the last of them.
#[derive(Clone, Copy)]
struct Gathering {
    on: bool,
    to_act: Actors,
}

impl Gathering {
    fn new(table: &dyn AnyPosition) -> Self {
        Self { on: table.to_act().len() > 1, to_act: table.to_act() }
    }

    /// After an action: still the same gathering, another one, or none.
    fn acted(&mut self, actor: Actor, table: &dyn AnyPosition) {
        let left = self.to_act.without(actor);
        let goes_on = self.on && !left.is_empty() && table.to_act() == left;
        *self = Self { on: goes_on || table.to_act().len() > 1, to_act: table.to_act() };
    }

    /// Whether the next action of this actor is the last that is waited for.
    fn opened_by(self, actor: Actor) -> bool {
        self.on && self.to_act.only() == Some(actor)
    }
}
