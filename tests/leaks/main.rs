//! No channel leaks secrets: two games that differ only in what a viewer may not know give that viewer the
//! same bytes.
//!
//! Pairs of games are played through the real service, each in a store in memory. They cover every kind that
//! has secrets, and every sort of secret that it declares (`Rules::secrets`, and the setup if part of it is
//! sealed). Prefixes are short: at most 24 steps before the secret and six after it.
//!
//! - **Every pair**, for the public and up to three seats that may not know: positions from the first
//!   difference on (JSON, key, words, scene with the last action, whose turn, legal actions, prompts), the
//!   actions as shown, the log as it stands, the records as text and JSON.
//! - **One pair in ten**, but at least 200, for the public, a recorder and a seat that may not know:
//!   everything that GraphQL, the subscriptions and the two exports return over HTTP. This includes errors
//!   for illegal actions, and attempts to fork lines on various assumptions (see `asked.rs`).
//!
//! Only ids, times, salted hashes and what is derived from them are normalised first (`normal.rs`); position
//! keys are not. `PLYBOOK_LEAK_GAMES` sets the number of games, 2,000 by default; a game that came out in two
//! versions counts once.

mod asked;
mod normal;
mod pair;
mod played;
mod seen;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use plybook_api::service::Service;
use plybook_example::HEAPS;
use plybook_rules::{Rules, kinds};
use plybook_store::Store;
use plybook_tests_rules::mutant::{LEAKS, Mutant};

use crate::pair::{Pair, sorts};

/// Why a check failed.
type Failure = String;

/// Pairs of games where `PLYBOOK_LEAK_GAMES` does not say how many.
const GAMES: usize = 2_000;

/// Pairs of each game that leaks; some of them show it.
const LEAKY_PAIRS: usize = 12;

/// One pair in so many is asked for over the API.
const ASKED_EVERY: usize = 10;

/// The fewest pairs that are asked for over the API.
const ASKED_MIN: usize = 200;

/// What came of some pairs: how many of each sort, how many of them over the API, how many the owner
/// of the secret could tell apart.
#[derive(Default)]
struct Tally {
    sorts: BTreeMap<(&'static str, &'static str), usize>,
    asked: usize,
    told_by_owner: usize,
}

#[test]
fn games_that_differ_in_a_secret_look_the_same() {
    let games = games();
    let every = ASKED_EVERY.min(games / ASKED_MIN).max(1);
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let tallies: Vec<Result<Tally, Failure>> = std::thread::scope(|scope| {
        let work = || actix_web::rt::System::new().block_on(check(&next, games, every));
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        running.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect()
    });
    let mut total = Tally::default();
    for tally in tallies {
        let tally = tally.unwrap_or_else(|why| panic!("{why}"));
        for (sort, count) in tally.sorts {
            *total.sorts.entry(sort).or_default() += count;
        }
        total.asked += tally.asked;
        total.told_by_owner += tally.told_by_owner;
    }
    println!("{:?}, {} of them over the API", total.sorts, total.asked);
    assert_eq!(total.sorts.values().sum::<usize>(), games);
    assert_eq!(total.sorts.len(), sorts(tested()).len(), "every sort of secret: {:?}", total.sorts);
    assert!(total.asked >= ASKED_MIN.min(games), "{} over the API", total.asked);
    // A secret that its owner does not see either would prove nothing.
    assert_eq!(total.told_by_owner, games, "the owner of a secret sees it");
}

/// Checks pairs until none are left.
async fn check(next: &AtomicUsize, games: usize, every: usize) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    let (service, sorts) = (service(), sorts(tested()));
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= games {
            return Ok(tally);
        }
        let sort = sorts[number % sorts.len()];
        let pair = Pair::generate(&sorts, number).ok_or_else(|| format!("no pair {number} of {:?}", sort.1))?;
        let is_asked = number.is_multiple_of(every);
        tally.told_by_owner += usize::from(compare(&pair, &service, is_asked).await?);
        tally.asked += usize::from(is_asked);
        let (rules, secret) = sort;
        *tally.sorts.entry((rules.about().kind, secret.map_or("setup", |secret| secret.name))).or_default() += 1;
    }
}

/// Compares what those get of both games who may not know; says whether the owners of the secret can
/// tell the games apart.
async fn compare(pair: &Pair, service: &Service, is_asked: bool) -> Result<bool, Failure> {
    let failed = |why: Failure| format!("pair {}: {pair}: {why}", pair.number);
    let [one, other] = [0, 1].map(|side| pair.play(service, side));
    seen::compare(pair, service, &one, &other).map_err(failed)?;
    if is_asked {
        asked::compare(pair).await.map_err(failed)?;
    }
    Ok(seen::owner_tells(pair, &one, &other))
}

/// Games that leak, each in one way; registered beside the others.
fn leaky() -> &'static [&'static dyn Rules] {
    static LEAKY: LazyLock<Vec<&'static dyn Rules>> = LazyLock::new(|| {
        let names = ["leaky-json", "leaky-json-later", "leaky-key", "leaky-text", "leaky-scene", "leaky-action"];
        let leaky = LEAKS.into_iter().zip(names);
        let leaky: Vec<&dyn Rules> = leaky.map(|(leak, name)| Mutant::named(HEAPS, leak, name) as &dyn Rules).collect();
        plybook_example::register_with(&leaky);
        leaky
    });
    &LEAKY
}

/// The kinds that keep what they promise.
fn tested() -> Vec<&'static dyn Rules> {
    let is_leaky = |rules: &&dyn Rules| leaky().iter().any(|leaky| leaky.about().kind == rules.about().kind);
    leaky();
    kinds().iter().copied().filter(|rules| !is_leaky(rules)).collect()
}

#[actix_web::test]
async fn a_game_that_leaks_is_found() {
    for leaky in leaky() {
        let (service, sorts) = (service(), sorts([*leaky]));
        let mut found = false;
        for number in 0..LEAKY_PAIRS {
            // What is not secret at all differs in nothing: that is found too.
            found |= match Pair::generate(&sorts, number) {
                Some(pair) => compare(&pair, &service, false).await.is_err(),
                None => true,
            };
        }
        assert!(found, "nobody noticed {}", leaky.about().kind);
    }
}

fn service() -> Arc<Service> {
    leaky();
    Service::start(Store::in_memory().expect("there is memory")).expect("an empty store can be read")
}

fn games() -> usize {
    match std::env::var("PLYBOOK_LEAK_GAMES") {
        Err(_) => GAMES,
        Ok(text) => text.parse().unwrap_or_else(|why| panic!("PLYBOOK_LEAK_GAMES={text:?}: {why}")),
    }
}

/// Where two texts part, with a little around it.
fn same(what: &str, one: &str, other: &str) -> Result<(), Failure> {
    if one == other {
        return Ok(());
    }
    let at = one.bytes().zip(other.bytes()).position(|(a, b)| a != b).unwrap_or(one.len().min(other.len()));
    let around = |text: &str| {
        let bytes = &text.as_bytes()[at.saturating_sub(120)..(at + 120).min(text.len())];
        String::from_utf8_lossy(bytes).into_owned()
    };
    Err(format!("{what} tells them apart:\n  … {} …\n  … {} …", around(one), around(other)))
}
