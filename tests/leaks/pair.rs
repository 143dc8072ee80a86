//! Two games that differ in one secret, as commands to a service.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use plybook_api::service::{Live, NewGame, NewSeat, Service};
use plybook_events::LogId;
use plybook_rules::log::Command;
use plybook_rules::{Opens, Rules, Secret, Viewer};
use plybook_tests_rules::numbers::{self, Numbers};
use plybook_tests_rules::pairs::{self, Step};
use serde_json::Value;

/// How many games are started to find one pair.
const TRIES: u64 = 400;

/// The most steps before a secret, and after it.
const STEPS: [usize; 2] = [24, 6];

/// A sort of secret of a kind; `None` is its setup.
pub(crate) type Sort = (&'static dyn Rules, Option<&'static Secret>);

/// The sorts of secrets of some kinds.
pub(crate) fn sorts(kinds: impl IntoIterator<Item = &'static dyn Rules>) -> Vec<Sort> {
    let of = |rules: &'static dyn Rules| pairs::secrets(rules).into_iter().map(move |secret| (rules, secret));
    kinds.into_iter().flat_map(of).collect()
}

/// Two games that differ in one secret, and the steps of both. Where the two sides of a step differ, only its
/// owner may know.
pub(crate) struct Pair {
    pub(crate) number: usize,
    pub(crate) rules: &'static dyn Rules,
    /// The kinds of the two games, which differ in the name alone, if at all.
    pub(crate) kinds: [&'static str; 2],
    pub(crate) setups: [Value; 2],
    pub(crate) steps: Vec<[Command; 2]>,
    /// The seats whose secrets differ.
    pub(crate) owners: BTreeSet<u8>,
    /// The first ply that differs, or one before it; 0 if the setups differ.
    pub(crate) first: usize,
    /// When everybody may see the consequences of the secret.
    pub(crate) shows: Opens,
    told: String,
}

impl fmt::Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told)
    }
}

impl Pair {
    /// The pair with a number, of one of these sorts; `None` if no games differ in such a secret alone.
    pub(crate) fn generate(sorts: &[Sort], number: usize) -> Option<Self> {
        let (rules, secret) = sorts[number % sorts.len()];
        let kind = rules.about().kind;
        (0..TRIES).find_map(|again| {
            let mut numbers = Numbers::new("leaks", kind, number as u64 * TRIES + again);
            let setup = numbers::drawn_setup(rules, &mut numbers)?;
            let pair = pairs::pair(rules, secret, &setup, &mut numbers, STEPS)?;
            // A setup affects the result of a round.
            Some(Self::of(&pair, number, secret.map_or(Opens::Together, |secret| secret.shows)))
        })
    }

    fn of(pair: &pairs::Pair, number: usize, shows: Opens) -> Self {
        let resigned = pair.steps.iter().filter(|step| matches!(step, Step::Resign(_))).count();
        Self {
            number,
            rules: pair.rules,
            kinds: [pair.rules.about().kind; 2],
            setups: pair.setups.clone(),
            steps: pair.steps.iter().map(commands).collect(),
            owners: pair.owners.clone(),
            first: pair.first.saturating_sub(resigned),
            shows,
            told: pair.to_string(),
        }
    }

    /// Two games with one setup, of which a viewer knows what it may know, and nothing was played yet.
    pub(crate) fn alike(kinds: [&'static dyn Rules; 2], setup: &Value, viewer: Viewer) -> Self {
        let seats = kinds[0].start(setup).expect("it can be started").seats();
        Self {
            number: 0,
            rules: kinds[0],
            kinds: kinds.map(|rules| rules.about().kind),
            setups: [setup.clone(), setup.clone()],
            steps: Vec::new(),
            owners: (1..=seats).filter(|seat| viewer != Viewer::Seat(*seat)).collect(),
            first: 0,
            shows: Opens::End,
            told: String::new(),
        }
    }

    /// Plays one of the two games. The first player sits where the secret differs, the second where it may
    /// not be known.
    pub(crate) fn play(&self, service: &Service, side: usize, players: [LogId; 2]) -> Arc<Live> {
        let count = self.rules.start(&self.setups[side]).expect("the setup was started before").seats();
        let mut seats = vec![NewSeat::default(); usize::from(count)];
        let [owner, other] = [self.owners.first().copied(), self.others(count).next()];
        for (seat, player) in [owner, other].into_iter().zip(players) {
            if let Some(seat) = seat {
                seats[usize::from(seat) - 1].player = Some(player);
            }
        }
        let live = service
            .create_game(&NewGame {
                kind: self.kinds[side].to_owned(),
                setup: Some(self.setups[side].clone()),
                seats,
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
