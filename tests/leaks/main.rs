//! No channel leaks secrets: two games that differ only in what a caller may not know give that caller the
//! same answers.
//!
//! Pairs of games are played through the real service, each game alone in a store in memory. They cover every
//! kind that has secrets, and every sort of secret that it declares (`Rules::secrets`, and the setup if part
//! of it is sealed). Prefixes are short: at most 24 steps before the secret and six after it.
//!
//! Of every pair are compared, for the public, a recorder and a seat that may not know:
//!
//! - what the library gives (`seen.rs`): positions, actions as shown, the log, the records;
//! - everything that can be read (`reading.rs`): the fields and arguments are found in the schema, the
//!   exports in their routes; of the lists that are filtered or ordered, each pair is asked for one in eight;
//! - what stays hidden, at every ply: a game read from the viewer's guesses against the same game (`guessed.rs`);
//! - what is said to a recorder who tries what is illegal, or legal in one game only and junk with it
//!   (`probe.rs`);
//! - what comes of trying (`walk.rs`): mutations from the schema with arguments drawn for the position
//!   (`trial.rs`), one after another, with takebacks, forks, imports and ends in between. What is legal in one
//!   game only is recorded for all to see, and ends a walk.
//!
//! Only ids, times, salted hashes and what is derived from them are normalised first (`normal.rs`); position
//! keys are not.
//!
//! Some pairs are read from services that keep a transparency log (`tlog.rs`).
//!
//! `PLYBOOK_LEAK_PAIRS` sets how many pairs of each kind, 5 by default, 16 in `tests/run all`, 10,000 in `tests/run long`;
//! `PLYBOOK_LEAK_FIRST` the number of the first of them, 0 by default, and `PLYBOOK_LEAK_KIND` the only kind.

mod guessed;
mod normal;
mod pair;
mod played;
mod probe;
mod reading;
mod seen;
mod shape;
mod side;
mod timing;
mod tlog;
mod trial;
mod walk;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use plybook_api::service::Service;
use plybook_example::HEAPS;
use plybook_rules::{Rules, kinds};
use plybook_tests::store;
use plybook_tests::tier::size;
use plybook_tests_rules::mutant::{LEAKS, Leak, Mutant};
use plybook_tests_rules::numbers::Numbers;
use plybook_tlog::Quorum;

use crate::guessed::Guessed;
use crate::pair::{Pair, Sort, sorts};
use crate::reading::{Reading, TURNS};
use crate::shape::Shape;
use crate::side::{Asker, Side};

/// Why a check failed.
type Failure = String;

/// The number of pairs of each leaking game; some of them expose the leak.
const LEAKY_PAIRS: usize = 12;

/// The result for some pairs.
#[derive(Default)]
struct Tally {
    sorts: BTreeMap<(&'static str, &'static str), usize>,
    refused: usize,
    recorded: usize,
    parted: usize,
    over: usize,
    told_by_owner: usize,
}

#[test]
fn games_that_differ_in_a_secret_look_the_same() {
    let only = only();
    let kinds: Vec<Vec<Sort>> = tested().filter(|rules| is_asked(*rules)).map(|rules| sorts([rules])).collect();
    let kinds: Vec<Vec<Sort>> = kinds.into_iter().filter(|sorts| !sorts.is_empty()).collect();
    let (first, pairs) = (number("PLYBOOK_LEAK_FIRST").unwrap_or(0), kinds.len() * pairs_of_a_kind());
    let next = AtomicUsize::new(0);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let tallies: Vec<Result<Tally, Failure>> = std::thread::scope(|scope| {
        let work = || actix_web::rt::System::new().block_on(check(&next, first, pairs, &kinds));
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        running.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect()
    });
    let mut total = Tally::default();
    for tally in tallies {
        let tally = tally.unwrap_or_else(|why| panic!("{why}"));
        for (sort, count) in tally.sorts {
            *total.sorts.entry(sort).or_default() += count;
        }
        total.refused += tally.refused;
        total.recorded += tally.recorded;
        total.parted += tally.parted;
        total.over += tally.over;
        total.told_by_owner += tally.told_by_owner;
    }
    let Tally { refused, recorded, parted, over, .. } = total;
    println!("{:?}", total.sorts);
    println!("trials: {refused} refused, {recorded} recorded; walks: {parted} parted, {over} came to an end");
    assert_eq!(total.sorts.values().sum::<usize>(), pairs);
    assert_eq!(total.sorts.len(), kinds.concat().len(), "every sort of secret: {:?}", total.sorts);
    // Walks part in one of some thirty pairs.
    let have_parted = parted > 0 || only.is_some() || pairs_of_a_kind() < 16;
    assert!(refused > pairs && recorded > pairs / 4 && have_parted && over > 0, "walks lead somewhere");
    // A secret that not even its owner sees would prove nothing.
    assert_eq!(total.told_by_owner, pairs, "the owner of a secret sees it");
}

/// Checks pairs until none are left; for each kind, from number `first` on.
async fn check(next: &AtomicUsize, first: usize, pairs: usize, kinds: &[Vec<Sort>]) -> Result<Tally, Failure> {
    let mut tally = Tally::default();
    let shape = Shape::read().await;
    let reading = Reading::new(&shape);
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= pairs {
            return Ok(tally);
        }
        let (sorts, number) = (&kinds[number % kinds.len()], first + number / kinds.len());
        let (rules, secret) = sorts[number % sorts.len()];
        let (kind, secret) = (rules.about().kind, secret.map_or("setup", |secret| secret.name));
        let pair = Pair::generate(sorts, number).ok_or_else(|| format!("no pair {number} of {kind}, {secret}"))?;
        let failed = |why: Failure| format!("pair {number} of {kind}: {pair}: {why}");
        let sides = Side::both(&pair);
        tally.told_by_owner += usize::from(seen::owner_tells(&pair, &sides));
        seen::compare(&pair, &sides).map_err(failed)?;
        // Each pair is asked the main questions; one of them is asked all.
        let askers = walk::curious(&pair);
        let mut numbers = Numbers::new("readers", kind, pair.number as u64);
        let (reader, turn) = (numbers.below(askers.len()), pair.number % TURNS);
        for (index, asker) in askers.iter().enumerate() {
            let asked = if index == reader {
                reading.compare(&pair, &sides, *asker, turn).await
            } else {
                reading.compare_plain(&pair, &sides, *asker).await
            };
            asked.map_err(failed)?;
        }
        tally.refused += walk::probe(&pair, &sides).await.map_err(failed)?;
        let walked = walk::walk(&pair, &sides, &shape, &reading).await.map_err(failed)?;
        tally.refused += walked.refused;
        tally.recorded += walked.recorded;
        tally.parted += usize::from(walked.is_parted);
        tally.over += usize::from(walked.is_over);
        *tally.sorts.entry((kind, secret)).or_default() += 1;
    }
}

/// Games of the tests' own, registered beside the others.
struct Own {
    /// Games that leak, each in one way.
    leaky: Vec<&'static dyn Rules>,
    /// The games with secrets once more, with their queries counted.
    counting: Vec<&'static dyn Rules>,
    /// The games with secrets once more, read from guesses too.
    guessed: Vec<Guessed>,
    /// A game that begins to leak after two rounds, read from guesses too.
    late: Vec<Guessed>,
}

impl Own {
    fn kinds(&self) -> Vec<&'static dyn Rules> {
        let guessed = self.guessed.iter().chain(&self.late).flat_map(|guessed| guessed.kinds);
        self.leaky.iter().chain(&self.counting).copied().chain(guessed).collect()
    }
}

fn own() -> &'static Own {
    static OWN: LazyLock<Own> = LazyLock::new(|| {
        let names =
            ["leaky-json", "leaky-json-later", "leaky-key", "leaky-text", "leaky-scene", "leaky-sum", "leaky-action"];
        let leaky = LEAKS.into_iter().zip(names).map(|(leak, name)| Mutant::named(HEAPS, leak, name) as &dyn Rules);
        let secretive = || kinds().iter().copied().chain([HEAPS]).filter(|rules| rules.about().secrets);
        let (guessed, late) = (secretive().flat_map(Guessed::of).collect(), Guessed::leaking(HEAPS));
        let counting = secretive().map(|rules| {
            let name = format!("counting-{}", rules.about().kind);
            Mutant::named(rules, Leak::Nothing, name.leak()) as &dyn Rules
        });
        let own = Own { leaky: leaky.collect(), counting: counting.collect(), guessed, late };
        plybook_example::register_with(&own.kinds());
        own
    });
    &OWN
}

/// The only kind whose games are played, if there is one.
fn only() -> Option<String> {
    std::env::var("PLYBOOK_LEAK_KIND").ok()
}

/// Whether games of a kind are played, which may be one of the tests' own.
fn is_asked(rules: &dyn Rules) -> bool {
    let kind = rules.about().kind;
    only().is_none_or(|only| kind == only || kind.ends_with(&format!("-{only}")))
}

/// The kinds without leaks.
fn tested() -> impl Iterator<Item = &'static dyn Rules> {
    let own: Vec<&str> = own().kinds().iter().map(|rules| rules.about().kind).collect();
    kinds().iter().copied().filter(move |rules| !own.contains(&rules.about().kind))
}

#[actix_web::test]
async fn a_game_that_leaks_is_found() {
    let reading = Reading::new(&Shape::read().await);
    for leaky in &own().leaky {
        let sorts = sorts([*leaky]);
        let (mut is_seen, mut is_read) = (false, false);
        for number in 0..LEAKY_PAIRS {
            // A secret without effect makes no difference: that is detected too.
            let Some(pair) = Pair::generate(&sorts, number) else {
                (is_seen, is_read) = (true, true);
                break;
            };
            let sides = Side::both(&pair);
            is_seen |= seen::compare(&pair, &sides).is_err();
            is_read |= reading.compare(&pair, &sides, Asker::Public, number % TURNS).await.is_err();
        }
        assert!(is_seen && is_read, "nobody noticed {}: {is_seen} {is_read}", leaky.about().kind);
    }
}

/// If the service mistook somebody who may not know for somebody who may, the tests would notice.
#[actix_web::test]
async fn a_caller_who_learns_a_secret_is_found() {
    let shape = Shape::read().await;
    let reading = Reading::new(&shape);
    for sort in sorts(tested()) {
        for number in 0..size(1, 3, 3) {
            let pair = Pair::generate(&[sort], number).expect("there are pairs");
            let sides = Side::both(&pair);
            for asker in [Asker::Arbiter, Asker::Owner] {
                assert!(
                    reading.compare(&pair, &sides, asker, number % TURNS).await.is_err(),
                    "{asker:?} cannot tell: {pair}"
                );
                assert!(reading.compare_plain(&pair, &sides, asker).await.is_err(), "{asker:?} cannot tell: {pair}");
            }
        }
    }
}

fn service() -> Arc<Service> {
    own();
    let service = Service::start(store::new()).expect("an empty store can be read");
    // How far an analysis of a line is would differ. A game with secrets is refused before that is looked at.
    service.set_analysis_workers(0);
    service
}

/// A service that keeps a transparency log in a folder.
fn service_with_tlog(folder: &Path) -> Arc<Service> {
    own();
    let store = store::new();
    store.keep_tlog(folder, Some("leaks.example.org"), Quorum::default(), false).expect("it is new");
    Service::start(store).expect("an empty store can be read")
}

fn pairs_of_a_kind() -> usize {
    number("PLYBOOK_LEAK_PAIRS").unwrap_or(size(5, 16, 10_000))
}

/// The number in an environment variable.
fn number(name: &str) -> Option<usize> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|why| panic!("{name}={text:?}: {why}")))
}

/// Whether the long form is requested, as by `tests/run long`.
fn is_long() -> bool {
    size(false, false, true)
}

/// The place where two texts differ, with some context.
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
