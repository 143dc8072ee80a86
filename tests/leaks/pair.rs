//! Two games that differ in one secret.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use plybook_api::service::{Live, NewGame, NewSeat, Service};
use plybook_events::fair::Dice;
use plybook_events::{Actor, Hash, LogId};
use plybook_rules::log::Command;
use plybook_rules::{AnyPosition, Rules, Viewer, kind};
use serde_json::{Value, json};

/// The sorts of secrets.
pub(crate) const SORTS: [&str; 5] = ["favour", "second favour", "set-up", "start cells", "submissions"];

/// How often something is drawn again until it is what is needed.
const TRIES: usize = 40;

/// The most actions after a favour was chosen.
const FOLLOWING: usize = 6;

/// The most rounds before the one with the secret.
const ROUNDS: usize = 3;

/// Two games that differ in one secret, and what is done in both; where the two sides of a step
/// differ, it is what nobody but its owner may know.
pub(crate) struct Pair {
    pub(crate) sort: &'static str,
    pub(crate) rules: &'static dyn Rules,
    pub(crate) setups: [Value; 2],
    pub(crate) steps: Vec<[Command; 2]>,
    /// The seats whose secrets differ.
    pub(crate) owners: BTreeSet<u8>,
    /// The index of the first step whose sides differ; 0 where the setups do.
    pub(crate) first: usize,
    /// Some numbers for what is asked later.
    pub(crate) seed: Hash,
}

/// A source of numbers, the same in every run.
pub(crate) struct Numbers(Dice);

impl Numbers {
    pub(crate) fn new(seed: &Hash, of: u64) -> Self {
        Self(Dice::new(seed, LogId::from_bytes([0; 16]), of))
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0.below(u32::try_from(n).expect("numbers are small")) as usize
    }

    fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// Puts items in some order.
    pub(crate) fn shuffled<T>(&mut self, items: impl IntoIterator<Item = T>) -> Vec<T> {
        let mut items: Vec<T> = items.into_iter().collect();
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
        items
    }

    fn token(&mut self, table: &dyn AnyPosition, actor: Actor) -> String {
        table.sample(actor, &mut |n| self.0.below(n))
    }
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {:?} in {}", self.sort, self.owners, self.setups[0])?;
        for [one, other] in &self.steps {
            match (one, other) {
                (Command::Act { actor, token, .. }, Command::Act { token: same, .. }) if token == same => {
                    write!(f, " {actor}:{token}")?;
                }
                (Command::Act { actor, token, .. }, Command::Act { token: other, .. }) => {
                    write!(f, " {actor}:[{token} | {other}]")?;
                }
                (other, _) => write!(f, " {other:?}")?,
            }
        }
        Ok(())
    }
}

impl Pair {
    /// The pair with a number.
    pub(crate) fn generate(number: usize) -> Self {
        let seed = Hash::of_parts(&[b"leaks", &number.to_be_bytes()]);
        let mut numbers = Numbers::new(&seed, 0);
        // A second favour needs a throne between two fortresses, which few drawn set-ups have.
        let second = if number % 10 == 1 && (number / 10 % 32) & 16 == 0 { TRIES * 10 } else { 0 };
        let found = (0..second).find_map(|_| favour(&seed, &mut numbers, number / 10 % 32, true));
        let found = found.or_else(|| {
            (0..TRIES).find_map(|_| match number % 5 {
                0 => set_up(&seed, &mut numbers, number / 5 % 32),
                1 => favour(&seed, &mut numbers, number / 5 % 32, false),
                2 => start_cells(&seed, &mut numbers, number / 5 % 3),
                _ => submissions(&seed, &mut numbers, number / 5 % 3),
            })
        });
        found.unwrap_or_else(|| panic!("no pair number {number}"))
    }

    /// Plays one of the two games.
    pub(crate) fn play(&self, service: &Service, side: usize) -> Arc<Live> {
        let seats = self.rules.start(&self.setups[side]).expect("the setup was started before").seats();
        let live = service
            .create_game(NewGame {
                kind: self.rules.about().kind.to_owned(),
                setup: Some(self.setups[side].clone()),
                seats: (0..seats).map(|_| NewSeat::default()).collect(),
                ..NewGame::default()
            })
            .expect("the setup was started before");
        let steps: Vec<Command> = self.steps.iter().map(|sides| sides[side].clone()).collect();
        if !steps.is_empty() {
            service.command(&live, steps, None).unwrap_or_else(|why| panic!("{self}: {why}"));
        }
        live
    }

    /// Seats that may not know the secret.
    pub(crate) fn others(&self, seats: u8) -> impl Iterator<Item = u8> {
        (1..=seats).filter(|seat| !self.owners.contains(seat))
    }

    fn new(sort: &'static str, rules: &'static dyn Rules, setup: Value, seed: &Hash) -> Self {
        let setups = [setup.clone(), setup];
        Self { sort, rules, setups, steps: Vec::new(), owners: BTreeSet::new(), first: 0, seed: *seed }
    }

    fn both(&mut self, command: Command) {
        self.steps.push([command.clone(), command]);
    }

    /// A step that only its seat knows.
    fn differ(&mut self, seat: u8, tokens: [String; 2]) {
        if self.owners.is_empty() {
            self.first = self.steps.len();
        }
        self.owners.insert(seat);
        self.steps.push(tokens.map(|token| act(Actor::Seat(seat), token)));
    }
}

fn act(actor: Actor, token: String) -> Command {
    Command::Act { actor, token, clock_ms: None }
}

/// A game of Thrones with these variants, a bit for each.
fn thrones(variants: usize) -> (&'static dyn Rules, Value) {
    let names = ["homefront", "ports", "row-balancing", "set-piece-battle", "victory-points"];
    let names: Vec<&str> = (0..5).filter(|bit| variants >> bit & 1 == 1).map(|bit| names[bit]).collect();
    let rules = kind("thrones").expect("it is a kind");
    (rules, rules.complete(&json!({ "variants": names }), &mut |_| 0).expect("variants can be combined"))
}

/// A set-up of Thrones while the other one is awaited.
fn set_up(seed: &Hash, numbers: &mut Numbers, variants: usize) -> Option<Pair> {
    let (rules, setup) = thrones(variants);
    let table = rules.start(&setup).expect("the setup is complete");
    let mut pair = Pair::new("set-up", rules, setup, seed);
    let seat = 1 + numbers.below(2) as u8;
    let tokens = [0, 1].map(|_| numbers.token(table.as_ref(), Actor::Seat(seat)));
    pair.differ(seat, tokens);
    Some(pair)
}

/// A favour of Thrones that is held and not used: the first of its seat, or the second, while the
/// first one may be used.
fn favour(seed: &Hash, numbers: &mut Numbers, variants: usize, is_second: bool) -> Option<Pair> {
    let (rules, setup) = thrones(variants);
    let mut table = rules.start(&setup).expect("the setup is complete");
    let sort = if is_second { "second favour" } else { "favour" };
    let mut pair = Pair::new(sort, rules, setup, seed);
    // With victory points no throne starts in a fortress: somebody has to walk into one.
    let until_first = if variants & 16 == 0 { 2 } else { 40 };
    choose_at_last(table.as_mut(), &mut pair, numbers, until_first)?;
    if is_second {
        while is_choosing(table.as_ref()) {
            let actor = table.to_act().iter().next()?;
            go_on(table.as_mut(), &mut pair, numbers, actor)?;
        }
        choose_at_last(table.as_mut(), &mut pair, numbers, FOLLOWING)?;
        let actor = table.to_act().only()?;
        if !had_one(table.as_ref(), actor) {
            return None;
        }
    }
    let mut other = table.boxed();
    while is_choosing(table.as_ref()) {
        let actor = numbers.shuffled(table.to_act().iter()).pop()?;
        let Actor::Seat(seat) = actor else { return None };
        let one = numbers.token(table.as_ref(), actor);
        let mut tokens = [one.clone(), one];
        if pair.owners.is_empty() {
            let choice = table.legal(actor).unwrap_or_default();
            tokens[1] = numbers.shuffled(choice.into_iter().filter(|token| *token != tokens[0])).pop()?;
            pair.differ(seat, tokens.clone());
        } else {
            pair.both(act(actor, tokens[0].clone()));
        }
        table.act(actor, &tokens[0]).ok()?;
        other.act(actor, &tokens[1]).ok()?;
    }
    // The game goes on with what is possible whichever it was.
    let following = if is_second { 1 } else { 0 } + numbers.below(FOLLOWING);
    for _ in 0..following {
        let Some(actor) = table.to_act().iter().next() else { break };
        let drawn: Vec<String> = (0..8).map(|_| numbers.token(table.as_ref(), actor)).collect();
        let legal = |token: &&String| other.judge(actor, token).is_ok() && !is_secret(table.as_ref(), actor, token);
        let uses = |token: &&String| {
            ["hasten:", "assault:", "conspire:", "deceive:"].iter().any(|name| token.starts_with(name))
        };
        let listed = table.legal(actor).unwrap_or_default();
        let using = listed.iter().filter(|token| uses(token) && legal(token)).nth(numbers.below(3));
        let Some(token) = using.or_else(|| drawn.iter().find(legal)) else { break };
        table.act(actor, token).ok()?;
        other.act(actor, token).ok()?;
        if table.to_act() != other.to_act() || table.outcome().is_some() {
            return None;
        }
        pair.both(act(actor, token.clone()));
    }
    Some(pair)
}

/// Plays until somebody is to choose a favour, entering fortresses where possible.
fn choose_at_last(table: &mut dyn AnyPosition, pair: &mut Pair, numbers: &mut Numbers, plies: usize) -> Option<()> {
    for _ in 0..plies {
        if is_choosing(table) {
            break;
        }
        let actor = numbers.shuffled(table.to_act().iter()).pop()?;
        go_on(table, pair, numbers, actor)?;
    }
    is_choosing(table).then_some(())
}

/// The same action in both games: one that leads to a favour, or any.
fn go_on(table: &mut dyn AnyPosition, pair: &mut Pair, numbers: &mut Numbers, actor: Actor) -> Option<()> {
    let entering = if is_choosing(table) { None } else { entering(table, actor) };
    let token = entering.unwrap_or_else(|| numbers.token(table, actor));
    table.act(actor, &token).ok()?;
    pair.both(act(actor, token));
    Some(())
}

/// Whether a seat has had one favour and still holds it.
fn had_one(table: &dyn AnyPosition, actor: Actor) -> bool {
    let Actor::Seat(seat) = actor else { return false };
    let hand = &table.to_json(Viewer::All)["favors"][seat.to_string()];
    hand["held"] == hand["had"] && hand["held"].as_array().is_some_and(|held| held.len() == 1)
}

fn is_secret(table: &dyn AnyPosition, actor: Actor, token: &str) -> bool {
    table.shown(Viewer::Public, actor, token).as_deref() != Some(token)
}

fn is_choosing(table: &dyn AnyPosition) -> bool {
    let favours = ["favor:assault", "favor:conspire", "favor:deceive", "favor:hasten"];
    table.to_act().iter().next().is_some_and(|actor| favours.iter().any(|token| table.judge(actor, token).is_ok()))
}

/// A move after which a favour is chosen.
fn entering(table: &dyn AnyPosition, actor: Actor) -> Option<String> {
    table.legal(actor)?.into_iter().find(|token| {
        let mut after = table.boxed();
        after.act(actor, token).is_ok() && is_choosing(after.as_ref())
    })
}

/// A game of Triforce Building.
fn building(numbers: &mut Numbers, size: usize) -> (&'static dyn Rules, Value) {
    let rules = kind("triforce-building").expect("it is a kind");
    let asked = json!({ "players": ([7, 10, 13][size]), "garnets": 1 + numbers.below(2) });
    let setup = rules.complete(&asked, &mut |n| numbers.0.below(n)).expect("the sizes are allowed");
    (rules, setup)
}

/// Two seats have started on each other's cell, under each other's letter.
fn start_cells(seed: &Hash, numbers: &mut Numbers, size: usize) -> Option<Pair> {
    let (rules, setup) = building(numbers, size);
    let seats = [7, 10, 13][size];
    let order = numbers.shuffled(0..seats);
    let (a, b) = (order[0], order[1]);
    let mut pair = Pair::new("start cells", rules, setup, seed);
    let other = &mut pair.setups[1];
    other["starts"].as_array_mut()?.swap(a, b);
    for label in other["labels"].as_array_mut()? {
        let seat = label.as_u64()? as usize - 1;
        *label = (if seat == a {
            b + 1
        } else if seat == b {
            a + 1
        } else {
            seat + 1
        })
        .into();
    }
    pair.owners = BTreeSet::from([a as u8 + 1, b as u8 + 1]);
    let tables = [0, 1].map(|side| rules.start(&pair.setups[side]).expect("cells were exchanged"));
    for index in order.into_iter().skip(numbers.below(2)).take(numbers.below(seats - 1)) {
        let actor = Actor::Seat(index as u8 + 1);
        let tokens = tables.each_ref().map(|table| numbers.token(table.as_ref(), actor));
        match pair.owners.contains(&(index as u8 + 1)) {
            true => pair.steps.push(tokens.map(|token| act(actor, token))),
            false => pair.both(act(actor, tokens[0].clone())),
        }
    }
    Some(pair)
}

/// Submissions of the running round, which somebody has still to submit for.
fn submissions(seed: &Hash, numbers: &mut Numbers, size: usize) -> Option<Pair> {
    let (rules, setup) = building(numbers, size);
    let mut table = rules.start(&setup).expect("the setup is complete");
    let mut pair = Pair::new("submissions", rules, setup, seed);
    let mut left = Vec::new();
    for _ in 0..numbers.below(ROUNDS + 1) {
        let closes = numbers.once_in(6);
        for actor in numbers.shuffled(table.to_act().iter()) {
            let Actor::Seat(seat) = actor else { return None };
            if left.contains(&seat) || !table.to_act().contains(actor) {
                continue;
            }
            if closes && numbers.once_in(4) {
                break;
            }
            let token = numbers.token(table.as_ref(), actor);
            pair.both(act(actor, token.clone()));
            advance(table.as_mut(), actor, &token, &left);
        }
        if closes && table.to_json(Viewer::Public)["submitted"] != json!({}) {
            pair.both(Command::CloseRound);
            let waited_for: Vec<Actor> = table.to_act().iter().collect();
            for actor in waited_for {
                if table.to_act().contains(actor) {
                    advance(table.as_mut(), actor, "-", &[]);
                }
            }
            resubmit(table.as_mut(), &left);
        }
        if left.is_empty() && numbers.once_in(6) {
            let seat = 1 + numbers.below(usize::from(table.seats())) as u8;
            pair.both(Command::Resign(seat));
            left.push(seat);
            resubmit(table.as_mut(), &left);
        }
        if table.outcome().is_some() {
            return None;
        }
    }
    let waited_for = numbers.shuffled(table.to_act().iter());
    let differing = 1 + numbers.below(2);
    let count = 1 + numbers.below(waited_for.len() - 1);
    for actor in waited_for.into_iter().take(count) {
        let Actor::Seat(seat) = actor else { return None };
        let one = numbers.token(table.as_ref(), actor);
        let other = (0..8).map(|_| numbers.token(table.as_ref(), actor)).find(|other| *other != one);
        match other.filter(|_| pair.owners.len() < differing) {
            Some(other) => pair.differ(seat, [one, other]),
            None => pair.both(act(actor, one)),
        }
    }
    (!pair.owners.is_empty()).then_some(pair)
}

/// Acts, and submits for those who have left.
fn advance(table: &mut dyn AnyPosition, actor: Actor, token: &str, left: &[u8]) {
    table.act(actor, token).expect("the token was drawn here");
    resubmit(table, left);
}

fn resubmit(table: &mut dyn AnyPosition, left: &[u8]) {
    while let Some(seat) = left.iter().find(|seat| table.to_act().contains(Actor::Seat(**seat))) {
        table.act(Actor::Seat(*seat), "-").expect("staying is always legal");
    }
}
