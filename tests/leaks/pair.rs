//! Two games that differ in one secret, as commands to a service.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use plybook_api::service::{Live, NewGame, NewSeat, Service};
use plybook_events::Actor;
use plybook_rules::log::Command;
use plybook_rules::{Rules, Secret};
use plybook_tests_rules::numbers::{self, Numbers};
use plybook_tests_rules::pairs::{self, Side, Step};
use serde_json::Value;

/// How often a game is begun until a pair is found.
const TRIES: u64 = 400;

/// How many steps lead to a secret at most, and how many follow it.
const STEPS: [usize; 2] = [24, 6];

/// Actions that are tried of each actor.
const TRIED: usize = 12;

/// A sort of secret of a kind; `None` is its setup.
pub(crate) type Sort = (&'static dyn Rules, Option<&'static Secret>);

/// The sorts of secrets of some kinds.
pub(crate) fn sorts(kinds: impl IntoIterator<Item = &'static dyn Rules>) -> Vec<Sort> {
    let of = |rules: &'static dyn Rules| pairs::secrets(rules).into_iter().map(move |secret| (rules, secret));
    kinds.into_iter().flat_map(of).collect()
}

/// Two games that differ in one secret, and what is done in both; where the two sides of a step
/// differ, it is what nobody but its owner may know.
pub(crate) struct Pair {
    pub(crate) number: usize,
    pub(crate) rules: &'static dyn Rules,
    pub(crate) setups: [Value; 2],
    pub(crate) steps: Vec<[Command; 2]>,
    /// The seats whose secrets differ.
    pub(crate) owners: BTreeSet<u8>,
    /// The first ply that differs, or one before; 0 where the setups do.
    pub(crate) first: usize,
    /// Actions that no seat may play in either game.
    pub(crate) illegal: Vec<String>,
    /// Actions that a seat may play in one of the games, or in both.
    pub(crate) probes: Vec<String>,
    told: String,
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told)
    }
}

impl Pair {
    /// The pair with a number, of one of these sorts; `None` where no games differ in such a secret alone.
    pub(crate) fn generate(sorts: &[Sort], number: usize) -> Option<Self> {
        let (rules, secret) = sorts[number % sorts.len()];
        let kind = rules.about().kind;
        (0..TRIES).find_map(|again| {
            let mut numbers = Numbers::new("leaks", kind, number as u64 * TRIES + again);
            let setup = numbers::drawn_setup(rules, &mut numbers)?;
            let pair = pairs::pair(rules, secret, &setup, &mut numbers, STEPS)?;
            Some(Self::of(&pair, number, &mut numbers))
        })
    }

    fn of(pair: &pairs::Pair, number: usize, numbers: &mut Numbers) -> Self {
        let (illegal, probes) = actions(pair, numbers);
        let resigned = pair.steps.iter().filter(|step| matches!(step, Step::Resign(_))).count();
        Self {
            number,
            rules: pair.rules,
            setups: pair.setups.clone(),
            steps: pair.steps.iter().map(commands).collect(),
            owners: pair.owners.clone(),
            first: pair.first.saturating_sub(resigned),
            illegal,
            probes,
            told: pair.to_string(),
        }
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
            service.command(&live, &steps, None).unwrap_or_else(|why| panic!("{self}: {why}"));
        }
        live
    }

    /// Seats that may not know the secret.
    pub(crate) fn others(&self, seats: u8) -> impl Iterator<Item = u8> {
        (1..=seats).filter(|seat| !self.owners.contains(seat))
    }
}

fn commands(step: &Step) -> [Command; 2] {
    match step {
        Step::Act(actor, actions) => {
            actions.clone().map(|action| Command::Act { actor: *actor, action, clock_ms: None })
        }
        Step::CloseRound => [Command::CloseRound, Command::CloseRound],
        Step::Resign(seat) => [Command::Resign(*seat), Command::Resign(*seat)],
    }
}

/// What can be tried at the end of both games: actions that are illegal in both for every seat, and actions
/// that are legal for some seat in one of them.
fn actions(pair: &pairs::Pair, numbers: &mut Numbers) -> (Vec<String>, Vec<String>) {
    let ends = [0, 1].map(|side| {
        let mut game = Side::new(pair.rules.start(&pair.setups[side]).expect("it was started before"));
        pair.steps.iter().for_each(|step| game.play(step, side).expect("it was played before"));
        game.position
    });
    let mut known = BTreeSet::from([String::new(), "zzz".to_owned()]);
    for end in &ends {
        for actor in end.to_act().iter() {
            let drawn = (0..TRIED).map(|_| numbers.action(end.as_ref(), actor)).collect::<Vec<_>>();
            known.extend(
                drawn.into_iter().flat_map(|action| [format!("{action}{action}"), format!("{action}~"), action]),
            );
        }
    }
    let played =
        pair.steps.iter().filter_map(|step| if let Step::Act(_, actions) = step { Some(actions) } else { None });
    known.extend(played.flatten().cloned());
    let is_legal = |action: &String| {
        let seats = (1..=ends[0].seats()).map(Actor::Seat);
        seats.into_iter().any(|seat| ends.iter().any(|end| end.judge(seat, action).is_ok()))
    };
    let (legal, illegal): (Vec<String>, Vec<String>) = known.into_iter().partition(is_legal);
    let some =
        |actions: Vec<String>, numbers: &mut Numbers| numbers.shuffled(actions).into_iter().take(TRIED).collect();
    (some(illegal, numbers), some(legal, numbers))
}
