//! No leak by any channel: two games that differ only in what a viewer may not know give that viewer
//! the same bytes.
//!
//! Pairs of games are played through the real service, each in a store in memory: Thrones in all 32
//! combinations of its variants and Triforce Building for 7, 10 and 13 seats. The two games of a pair
//! differ in one kind of secret (see `pair.rs`): a set-up while the other is awaited, a favour that
//! nobody has used, submissions of the running round, who started where. Prefixes are short: up to
//! three rounds, or six actions after the favour.
//!
//! - **Every pair**, for the public and up to three seats that may not know: positions from the first
//!   difference on (JSON, key, words, scene with the last action, whose turn, legal actions, prompts),
//!   the actions as shown, the log as it stands, the records as text and JSON.
//! - **One pair in ten**, at least 200, for the public, a recorder and a seat that may not know: everything
//!   that GraphQL, the subscriptions and the two exports over HTTP answer, errors of illegal tries
//!   included, and lines that are forked from the game, or not, with what is assumed (see `asked.rs`).
//!
//! Only ids, times, salted hashes and what follows from them are put aside first (`normal.rs`); keys of
//! positions are not. `PLYBOOK_LEAK_GAMES` says how many games are played, 2,000 unless it does; a
//! game that came out in two versions counts once.

mod asked;
mod normal;
mod pair;
mod played;
mod seen;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use plybook_api::service::Service;
use plybook_store::Store;

use crate::pair::Pair;

/// Why a check failed.
type Failure = String;

/// Pairs of games where `PLYBOOK_LEAK_GAMES` does not say how many.
const GAMES: usize = 2_000;

/// One pair in so many is asked for over the API.
const ASKED_EVERY: usize = 10;

/// The fewest pairs that are asked for over the API.
const ASKED_MIN: usize = 200;

/// What came of some pairs: how many of each sort, how many of them over the API, how many the owner
/// of the secret could tell apart.
#[derive(Default)]
struct Tally {
    sorts: BTreeMap<&'static str, usize>,
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
    assert_eq!(total.sorts.len(), pair::SORTS.len(), "every sort of secret: {:?}", total.sorts);
    assert!(total.asked >= ASKED_MIN.min(games), "{} over the API", total.asked);
    // A secret that its owner does not see either would prove nothing.
    assert_eq!(total.told_by_owner, games, "the owner of a secret sees it");
}

/// Checks pairs until none are left.
async fn check(next: &AtomicUsize, games: usize, every: usize) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    let service = service();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= games {
            return Ok(tally);
        }
        let pair = Pair::generate(number);
        let failed = |why: Failure| format!("pair {number}: {pair}: {why}");
        let both = [0, 1].map(|side| pair.play(&service, side));
        let [one, other] = &both;
        seen::compare(&pair, &service, one, other).map_err(failed)?;
        tally.told_by_owner += usize::from(seen::owner_tells(&pair, one, other));
        if number.is_multiple_of(every) {
            asked::compare(&pair).await.map_err(failed)?;
            tally.asked += 1;
        }
        *tally.sorts.entry(pair.sort).or_default() += 1;
    }
}

fn service() -> Arc<Service> {
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
