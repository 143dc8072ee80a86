//! Timing: requests of the same shape, about games that differ in a secret, take the same time.
//!
//! The long form measures (2,000 samples of each game, interleaved; the medians differ by less than 2 %). The
//! short form makes the same requests a few times and does not look at times: it counts the work that would
//! take time.
//!
//! The long form measures (2,000 samples of each game, interleaved; the medians differ by less than 2 %). The
//! short form asks the same a few times and does not look at times: it counts the work that would take time.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use plybook_events::Actor;
use plybook_tests_rules::mutant::COUNTED;
use plybook_tests_rules::numbers::Numbers;
use serde_json::{Value, json};

use crate::pair::{Pair, sorts};
use crate::probe::Probes;
use crate::side::{Asker, Side};
use crate::{is_long, own, tested};

/// How often each game is queried: in CI, and in the long form.
const SAMPLES: [usize; 2] = [4, 2_000];

/// The number of copies of each game, because a game's place in memory affects times too.
const COPIES: usize = 4;

/// The largest allowed difference of the medians, in thousandths.
const DIFFERENCE: u128 = 20;

/// How often a difference has to be measured, always in the same direction, before it counts.
const MEASUREMENTS: usize = 3;

/// The number of illegal actions tried for each pair.
const ILLEGAL: usize = 3;

const ACT: &str =
    "mutation($id: ID!, $seat: Int, $action: String!) { act(game: $id, seat: $seat, action: $action) { id } }";
const ACT_ALL: &str = "mutation($id: ID!, $actions: [ActInput!]!) { actAll(game: $id, actions: $actions) { id } }";

/// A query of both games.
struct Question {
    what: String,
    asker: Asker,
    document: String,
    variables: Value,
}

impl Question {
    fn new(what: &str, asker: Asker, document: &str, variables: Value) -> Self {
        Self { what: what.to_owned(), asker, document: document.to_owned(), variables }
    }

    /// The queries whose answers do not reveal the secret.
    fn of(pair: &Pair, sides: &[Side; 2]) -> Vec<Self> {
        let owner = pair.owners.first().copied().unwrap_or(1);
        let mut asked = Vec::new();
        let mut act = |what: &str, action: &str| {
            let variables = json!({ "seat": owner, "action": action });
            asked.push(Self::new(what, Asker::Recorder, ACT, variables));
        };
        act("200 characters of junk", &"x".repeat(200));
        let mut numbers = Numbers::new("timing", pair.rules.about().kind, pair.number as u64);
        let Probes { illegal, legal_once } = Probes::of(sides, Actor::Seat(owner), &mut numbers);
        for action in illegal.iter().take(ILLEGAL) {
            act(&format!("{action}, illegal in both"), action);
        }
        if let Some(action) = legal_once.first() {
            let actions = json!([{ "seat": owner, "action": action }, { "seat": owner, "action": "junk" }]);
            let what = format!("{action}, legal in one, then junk");
            asked.push(Self::new(&what, Asker::Recorder, ACT_ALL, json!({ "actions": actions })));
        }
        for (what, fields) in [
            (
                "a position",
                "position { position scene text toAct prompts { seat kind description schema example dice { seat dice } } }",
            ),
            ("a key", "position { positionKey }"),
            ("legal actions", "position { legalActions(seat: 1) two: legalActions(seat: 2) }"),
            ("moves", "moves(first: 100) { nodes { action text positionKey } }"),
            ("a JSON record", "record(format: JSON)"),
            ("a text record", "record(format: TEXT)"),
            ("the tree", "tree { nodes { id action positionKey comment same lines } }"),
            ("verification", "verification { valid events }"),
        ] {
            let document = format!("query($id: ID!) {{ game(id: $id) {{ {fields} }} }}");
            asked.push(Self::new(what, Asker::Public, &document, json!({})));
        }
        asked
    }
}

#[actix_web::test]
async fn what_takes_equally_long_tells_nothing() {
    let mut wrong = Vec::new();
    for sort in sorts(tested().filter(|rules| !rules.about().kind.starts_with("heaps-"))) {
        let pair = Pair::generate(&[sort], 1).expect("there are pairs");
        let copies: Vec<[Side; 2]> = (0..COPIES).map(|_| Side::both(&pair)).collect();
        for question in Question::of(&pair, &copies[0]) {
            let secret = sort.1.map_or("setup", |secret| secret.name);
            let what = format!("{} {secret}: {}", pair.rules.about().kind, question.what);
            // A busy machine disturbs some measurements, but not always in the same direction.
            let mut found = BTreeSet::new();
            for _ in 0..MEASUREMENTS {
                let [one, other] = measured(&question, &copies).await;
                let difference = one.abs_diff(other).as_nanos() * 1_000 / one.min(other).as_nanos().max(1);
                if is_long() {
                    println!("{what}: {one:?} {other:?}, {}.{} %", difference / 10, difference % 10);
                }
                found.insert((difference >= DIFFERENCE).then_some(one > other));
                if found.contains(&None) || found.len() > 1 {
                    break;
                }
            }
            if !found.contains(&None) && found.len() == 1 {
                wrong.push(what);
            }
        }
    }
    assert!(!is_long() || wrong.is_empty(), "time tells: {wrong:#?}");
}

/// The median times of a query for each of the two games.
async fn measured(question: &Question, copies: &[[Side; 2]]) -> [Duration; 2] {
    let mut times = [Vec::new(), Vec::new()];
    for number in 0..SAMPLES[usize::from(is_long())] {
        let sides = &copies[number % COPIES];
        // They take turns in going first.
        for side in [number / COPIES % 2, 1 - number / COPIES % 2] {
            let mut variables = question.variables.clone();
            variables["id"] = json!(sides[side].id());
            let start = Instant::now();
            sides[side].ask(question.asker, &question.document, variables).await;
            times[side].push(start.elapsed());
        }
    }
    times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2]
    })
}

/// A recorder who may not know a list of legal actions gets no suggestions from it, and none are computed:
/// the list is not even requested. Whatever is refused, the same number of actions is judged.
#[actix_web::test]
async fn a_refusal_to_a_recorder_takes_the_same_work() {
    for rules in &own().counting {
        for number in 0..4 {
            let pair = Pair::generate(&sorts([*rules]), number).expect("there are pairs");
            let sides = Side::both(&pair);
            let recorder = Question::of(&pair, &sides).into_iter().filter(|question| question.asker == Asker::Recorder);
            let questions: Vec<Question> = recorder.collect();
            assert!(!questions.is_empty());
            // Explorer and statistics fold the games in the background.
            sides.iter().for_each(|side| drop(side.service.digests().ask()));
            for question in questions {
                let mut work = Vec::new();
                for side in &sides {
                    let mut variables = question.variables.clone();
                    variables["id"] = json!(side.id());
                    let before = COUNTED.each_ref().map(|count| count.load(Ordering::Relaxed));
                    let answer = side.ask(question.asker, &question.document, variables).await;
                    assert!(answer["errors"].is_array(), "{} was done: {answer}", question.what);
                    let [listed, judged] = COUNTED.each_ref().map(|count| count.load(Ordering::Relaxed));
                    assert_eq!(listed, before[0], "{pair}: {}: legal actions were listed", question.what);
                    work.push(judged - before[1]);
                }
                assert_eq!(work[0], work[1], "{pair}: {}: judged", question.what);
            }
        }
    }
}
