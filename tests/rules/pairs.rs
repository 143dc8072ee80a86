//! Pairs of games that differ in one secret, found from a game's declaration ([`Rules::secrets`]).

use std::collections::BTreeSet;
use std::fmt;

use plybook_events::Actor;
use plybook_rules::{Actors, AnyPosition, Opens, Rules, Secret, Viewer};
use serde_json::Value;

use crate::data::Failure;
use crate::numbers::{self, Numbers};

/// How often another action is drawn to make a pair.
const DRAWS: usize = 8;

/// How many legal actions are tried to find one that leads to a secret.
const LOOKED_AT: usize = 16;

/// One action in this many closes the round or is a resignation, if the rules define what is then submitted.
const ABSENCES: usize = 12;

/// Two games that differ in one secret, and the steps of both.
pub struct Pair {
    pub rules: &'static dyn Rules,
    /// The secret: the name of a [`Secret`], or `setup`.
    pub secret: &'static str,
    /// The complete setups of the two games; they differ if they are the secret.
    pub setups: [Value; 2],
    pub steps: Vec<Step>,
    /// The seats whose secrets differ.
    pub owners: BTreeSet<u8>,
    /// The index of the first step that differs; 0 if the setups do.
    pub first: usize,
}

/// A step in both games of a pair.
#[derive(Clone, Debug)]
pub enum Step {
    /// An action; if the actions of the two games differ, only the seat may know.
    Act(Actor, [String; 2]),
    /// What the rules submit for everybody who is still to act.
    CloseRound,
    /// A seat leaves: from now on, the rules submit for it.
    Resign(u8),
}

/// One of the two games of a pair.
#[derive(Clone)]
pub struct Side {
    pub position: Box<dyn AnyPosition>,
    /// The seats that have resigned.
    left: Vec<u8>,
    /// What the rules submitted.
    submitted: Vec<String>,
}

impl Side {
    pub fn new(position: Box<dyn AnyPosition>) -> Self {
        Self { position, left: Vec::new(), submitted: Vec::new() }
    }

    /// Carries out a step; `side` says which of its actions.
    pub fn play(&mut self, step: &Step, side: usize) -> Result<(), Failure> {
        match step {
            Step::Act(actor, actions) => self.act(*actor, &actions[side])?,
            Step::CloseRound => {
                for actor in self.position.to_act().iter().collect::<Vec<_>>() {
                    self.submit(actor)?;
                }
            }
            Step::Resign(seat) => self.left.push(*seat),
        }
        while let Some(seat) = self.left.iter().find(|seat| self.position.to_act().contains(Actor::Seat(**seat))) {
            self.submit(Actor::Seat(*seat))?;
        }
        Ok(())
    }

    fn act(&mut self, actor: Actor, action: &str) -> Result<(), Failure> {
        self.position.act(actor, action).map_err(|why| format!("{action} of {actor}: {why}"))
    }

    fn submit(&mut self, actor: Actor) -> Result<(), Failure> {
        let absent = if let Actor::Seat(seat) = actor { self.position.absent(seat) } else { None };
        let action = absent.ok_or_else(|| format!("nothing is submitted for {actor}"))?;
        if self.position.to_act().contains(actor) {
            self.act(actor, &action)?;
            self.submitted.push(action);
        }
        Ok(())
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.rules.about().kind;
        write!(f, "{kind}: {} of {:?} in {}", self.secret, self.owners, self.setups[0])?;
        if self.setups[0] != self.setups[1] {
            write!(f, " | {}", self.setups[1])?;
        }
        for step in &self.steps {
            match step {
                Step::Act(actor, [one, other]) if one == other => write!(f, " {actor}:{one}")?,
                Step::Act(actor, [one, other]) => write!(f, " {actor}:[{one} | {other}]")?,
                other => write!(f, " {other:?}")?,
            }
        }
        Ok(())
    }
}

/// The secrets of a game's seats: its declared secrets, and the setup if not all of it is public.
pub fn secrets(rules: &'static dyn Rules) -> Vec<Option<&'static Secret>> {
    let mut numbers = Numbers::new("secrets", rules.about().kind, 0);
    let setup = numbers::setup(rules, 0, &mut numbers).expect("the default setup can be completed");
    let is_sealed = rules.setup_for(&setup, Viewer::Public) != setup;
    is_sealed.then_some(None).into_iter().chain(rules.secrets().iter().map(Some)).collect()
}

/// The declared secret that an action is, if the public sees something else instead.
pub fn secret_of(
    rules: &'static dyn Rules,
    position: &dyn AnyPosition,
    actor: Actor,
    action: &str,
) -> Option<&'static Secret> {
    let is_hidden = position.shown(Viewer::Public, actor, action).as_deref() != Some(action);
    rules.secrets().iter().find(|secret| is_hidden && action.starts_with(secret.prefix))
}

/// A pair of games that differ in such a secret; `None` if chance brought none. At most `before` steps lead
/// to the secret, and `after` follow it.
pub fn pair(
    rules: &'static dyn Rules,
    secret: Option<&'static Secret>,
    setup: &Value,
    numbers: &mut Numbers,
    [before, after]: [usize; 2],
) -> Option<Pair> {
    let name = secret.map_or("setup", |secret| secret.name);
    let setups = [setup.clone(), setup.clone()];
    let pair = Pair { rules, secret: name, setups, steps: Vec::new(), owners: BTreeSet::new(), first: 0 };
    match secret {
        None => setups_exchanged(pair, numbers, after),
        Some(secret) => action_exchanged(pair, secret, numbers, before, after),
    }
}

/// Exchanges two seats in the part of the setup that is not public.
fn setups_exchanged(mut pair: Pair, numbers: &mut Numbers, after: usize) -> Option<Pair> {
    let rules = pair.rules;
    let start = rules.start(&pair.setups[0]).ok()?;
    let order = numbers.shuffled(1..=start.seats());
    let (a, b) = (order[0], order[1]);
    let public = rules.setup_for(&pair.setups[0], Viewer::Public);
    for (_, member) in pair.setups[1].as_object_mut()?.iter_mut().filter(|(name, _)| public.get(name).is_none()) {
        exchange(member, a, b)?;
    }
    if pair.setups[0] == pair.setups[1] {
        return None;
    }
    pair.owners = BTreeSet::from([a, b]);
    let mut sides = [Side::new(start), Side::new(rules.start(&pair.setups[1]).ok()?)];
    let until = 1 + numbers.below(sides[0].position.to_act().len().max(2) - 1).min(after);
    for seat in order.into_iter().skip(numbers.below(2)).take(until) {
        let actor = Actor::Seat(seat);
        if !sides[0].position.to_act().without(actor).is_empty() && sides[0].position.to_act().contains(actor) {
            let mut actions = [0, 1].map(|side| numbers.action(sides[side].position.as_ref(), actor));
            if !pair.owners.contains(&seat) {
                actions[1] = actions[0].clone();
            }
            do_both(&mut pair, &mut sides, Step::Act(actor, actions))?;
        }
    }
    Some(pair)
}

/// Exchanges two seats in a list that has an item for each seat, or names each seat once.
fn exchange(member: &mut Value, a: u8, b: u8) -> Option<()> {
    let items = member.as_array_mut()?;
    let of = |seat: u8| items.iter().position(|item| item.as_u64() == Some(u64::from(seat)));
    let (at_a, at_b) = (of(a).unwrap_or(usize::from(a) - 1), of(b).unwrap_or(usize::from(b) - 1));
    (at_a.max(at_b) < items.len()).then(|| items.swap(at_a, at_b))
}

/// Plays until a seat does something of this sort, which differs in the other game; then continues for as
/// long as nobody else may learn of it.
fn action_exchanged(
    mut pair: Pair,
    secret: &'static Secret,
    numbers: &mut Numbers,
    before: usize,
    after: usize,
) -> Option<Pair> {
    let start = pair.rules.start(&pair.setups[0]).ok()?;
    let mut sides = [Side::new(start.boxed()), Side::new(start)];
    let skipped = numbers.below(3);
    let mut seen = 0;
    let (mut awaited, mut chosen) = (Actors::NONE, None);
    while chosen.is_none() {
        let position = &sides[0].position;
        let actor = numbers.actor(position.as_ref()).filter(|_| pair.steps.len() < before)?;
        let action = leading(pair.rules, position.as_ref(), actor, secret, numbers);
        let is_one = secret_of(pair.rules, position.as_ref(), actor, &action).is_some_and(|of| of.name == secret.name);
        awaited = position.to_act().without(actor);
        let is_last = awaited.is_empty() && secret.shows == Opens::Together && actor != Actor::Chance;
        seen += usize::from(is_one);
        // What is dealt is dealt seldom.
        let is_chosen = is_one && (seen > skipped || actor == Actor::Chance) && !is_last;
        let (action, other) = match actor {
            Actor::Chance if is_chosen => redrawn(position.as_ref(), numbers)?,
            _ => {
                let other = is_chosen.then(|| other_action(position.as_ref(), actor, &action, numbers)).flatten();
                (action, other)
            }
        };
        if let Some(other) = other {
            pair.first = pair.steps.len();
            pair.owners.extend(concerned(position.as_ref(), actor, [&action, &other]));
            do_both(&mut pair, &mut sides, Step::Act(actor, [action.clone(), other.clone()]))?;
            if actor == Actor::Chance {
                awaited = sides[0].position.to_act();
            }
            chosen = Some((actor, [action, other]));
        } else if let Some(step) = absence(pair.rules, &sides[0], numbers) {
            do_both(&mut pair, &mut sides, step)?;
        } else {
            do_both(&mut pair, &mut sides, Step::Act(actor, [action.clone(), action]))?;
        }
    }
    let (owner, actions) = chosen?;
    for _ in 0..numbers.below(after + 1) {
        let Some(actor) = numbers.actor(sides[0].position.as_ref()) else { break };
        if secret.shows == Opens::Together && (awaited.only() == Some(actor) || !awaited.contains(actor)) {
            break;
        }
        let action = numbers.action(sides[0].position.as_ref(), actor);
        let mut step = [action.clone(), action.clone()];
        let is_alike = secret.shows == Opens::Together && pair.owners.len() < 2 && numbers.below(2) == 0;
        let other = is_alike.then(|| other_action(sides[0].position.as_ref(), actor, &action, numbers)).flatten();
        if let Some(other) = other {
            pair.owners.extend(concerned(sides[0].position.as_ref(), actor, [&action, &other]));
            step[1] = other;
        }
        let mut next = sides.clone();
        let step = Step::Act(actor, step);
        if sides[1].position.judge(actor, &step_action(&step)).is_err() {
            break;
        }
        pair.steps.push(step.clone());
        for (side, next) in next.iter_mut().enumerate() {
            next.play(&step, side).ok()?;
        }
        let is_open = |(side, action): (&Side, &String)| {
            side.position.outcome().is_some() || secret.shows == Opens::Rules && side.position.is_opened(owner, action)
        };
        // What ends the game, opens the secret, or is submitted because of it, is not part of the pair.
        if next.iter().zip(&actions).any(is_open) || next[0].submitted != next[1].submitted {
            pair.steps.pop();
            break;
        }
        awaited = awaited.without(actor);
        sides = next;
    }
    Some(pair)
}

/// Those who may see that an action differs: of a seat's, the seat and those of its partners to whom it is shown; of what chance
/// did, all to whom it is shown.
fn concerned(position: &dyn AnyPosition, actor: Actor, [one, other]: [&str; 2]) -> Vec<u8> {
    let shown = |seat, action: &str| position.shown(Viewer::Seat(seat), actor, action);
    let teams = position.teams();
    let is_concerned = |seat: &u8| {
        let is_shown = shown(*seat, one) != shown(*seat, other);
        match actor {
            Actor::Seat(own) => *seat == own || teams.are_partners(*seat, own) && is_shown,
            Actor::Chance => is_shown,
        }
    };
    (1..=position.seats()).filter(is_concerned).collect()
}

fn step_action(step: &Step) -> String {
    if let Step::Act(_, actions) = step { actions[1].clone() } else { String::new() }
}

/// Carries out a step in both games, neither of which may be over afterwards.
fn do_both(pair: &mut Pair, sides: &mut [Side; 2], step: Step) -> Option<()> {
    for (side, game) in sides.iter_mut().enumerate() {
        game.play(&step, side).ok()?;
    }
    pair.steps.push(step);
    sides.iter().all(|side| side.position.outcome().is_none()).then_some(())
}

/// Another legal action of an actor that nobody else can distinguish from this one.
fn other_action(position: &dyn AnyPosition, actor: Actor, action: &str, numbers: &mut Numbers) -> Option<String> {
    let shown = position.shown(Viewer::Public, actor, action);
    if shown.as_deref() == Some(action) {
        return None;
    }
    let listed = position.legal(actor).unwrap_or_default();
    let drawn = (0..DRAWS).map(|_| numbers.action(position, actor)).collect::<Vec<_>>();
    let mut others = drawn.into_iter().chain(listed);
    others.find(|other| other != action && position.shown(Viewer::Public, actor, other) == shown)
}

/// What chance gives, and what it gives if one of the numbers that it draws for it is another, if the public cannot tell one
/// from the other. Few secrets differ then.
fn redrawn(position: &dyn AnyPosition, numbers: &mut Numbers) -> Option<(String, Option<String>)> {
    let mut drawn = Vec::new();
    let one = position.sample(Actor::Chance, &mut |n| {
        drawn.push((n, numbers.below(n as usize) as u32));
        drawn[drawn.len() - 1].1
    });
    let shown = |action: &str| position.shown(Viewer::Public, Actor::Chance, action);
    for _ in 0..DRAWS {
        let changed = numbers.below(drawn.len().max(1));
        let (below, before) = *drawn.get(changed)?;
        let number = (before + 1 + numbers.below(below.max(2) as usize - 1) as u32) % below;
        let mut next = 0;
        let other = position.sample(Actor::Chance, &mut |n| {
            next += 1;
            if next - 1 == changed { number } else { drawn.get(next - 1).map_or(0, |(_, drawn)| drawn % n) }
        });
        if one != other && shown(&one) == shown(&other) {
            return Some((one, Some(other)));
        }
    }
    Some((one, None))
}

/// An action of an actor that is such a secret, or after which somebody can do one, if there is any.
fn leading(
    rules: &'static dyn Rules,
    position: &dyn AnyPosition,
    actor: Actor,
    secret: &Secret,
    numbers: &mut Numbers,
) -> String {
    let drawn = numbers.action(position, actor);
    let is_one = |position: &dyn AnyPosition, actor: Actor, action: &str| {
        secret_of(rules, position, actor, action).is_some_and(|of| of.name == secret.name)
    };
    if secret.prefix.is_empty() || is_one(position, actor, &drawn) {
        return drawn;
    }
    let leads = |action: &String| {
        let mut next = position.boxed();
        next.act(actor, action).is_ok()
            && next.to_act().iter().any(|actor| {
                let listed = next.legal(actor).unwrap_or_default();
                listed.iter().any(|action| is_one(next.as_ref(), actor, action))
            })
    };
    let listed = position.legal(actor).unwrap_or_default();
    let from = numbers.below(listed.len().max(1));
    let tried = listed.iter().cycle().skip(from).take(listed.len().min(LOOKED_AT));
    let found = tried.into_iter().find(|action| leads(action)).cloned();
    found.unwrap_or(drawn)
}

/// Now and then, the round is closed, or somebody leaves.
fn absence(rules: &'static dyn Rules, side: &Side, numbers: &mut Numbers) -> Option<Step> {
    let position = &side.position;
    let knows_absent = position.absent(1).is_some() && position.to_act().len() > 1;
    if !knows_absent || numbers.below(ABSENCES) > 0 {
        return None;
    }
    if numbers.below(2) == 0 {
        return Some(Step::CloseRound);
    }
    // In a game of two, a resignation ends the game.
    (rules.about().seats_max > 2 && position.seats() > 2 && side.left.is_empty())
        .then(|| Step::Resign(1 + numbers.below(usize::from(position.seats())) as u8))
}
