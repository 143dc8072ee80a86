//! The rules on one core: folding actions, counting action sequences, listing legal actions.
//!
//! `cargo bench -p plybook-tests --bench rules`. Every registered game is measured on random games, and every
//! fold is compared with the position that the game reached.

mod support;

use std::hint::black_box;

use plybook_events::{Event, Hash};
use plybook_rules::log::{Replay, Secrets, word};
use plybook_rules::predicate::Predicate;
use plybook_rules::{AnyPosition, Argument, Rules, Viewer, kinds};
use support::{Game, Runs, grouped, id, ms, random_game, timed_on_core, verdict};

/// The number of games of each kind.
const GAMES: u64 = 40;

/// The most plies of one.
const PLIES_MAX: usize = 1_000;

/// How often each figure is measured.
const RUNS: usize = 11;

/// The greatest depth, for positions with few actions.
const DEPTH_MAX: u32 = 12;

/// How many plies are searched for a position whose actions are listed.
const SEARCHED: usize = 60;

/// The most that a list of legal actions may take.
const LEGAL_MS_MAX: u128 = 1;

/// The goals of a kind, in actions and nodes per second.
fn goals(kind: &str) -> (f64, Option<f64>) {
    match kind {
        "triangulate" => (1e6, Some(1e7)),
        "triforce-building" => (1e5, None),
        _ => (3e5, None),
    }
}

fn main() {
    println!("Fold: actions a second, one core; {GAMES} random games a kind, median of {RUNS} runs (best)\n");
    println!("| kind | what | actions | actions/s | best | goal | |");
    println!("|---|---|---:|---:|---:|---:|---|");
    let all: Vec<(&dyn Rules, Vec<Game>)> = kinds().iter().map(|rules| (*rules, games(*rules))).collect();
    for (rules, games) in &all {
        fold(*rules, games);
    }
    println!("\nPerft: nodes a second, one core, median of {RUNS} runs (best)\n");
    println!("| kind | from | depth | nodes | nodes/s | best | goal | |");
    println!("|---|---|---:|---:|---:|---:|---:|---|");
    for (rules, games) in &all {
        perft(*rules, &games[0]);
    }
    println!("\nLegal actions as text, every tenth position of the same games\n");
    println!("| kind | positions | most listed | median ms | p99 ms | max ms | goal p99 | |");
    println!("|---|---:|---:|---:|---:|---:|---:|---|");
    for (rules, games) in &all {
        legal(*rules, games);
    }
    println!("\nSearch: positions a second, one core, the same games; median of {RUNS} runs (best)\n");
    println!("| kind | predicate | positions | hits | positions/s | best | goal | |");
    println!("|---|---|---:|---:|---:|---:|---:|---|");
    for (rules, games) in &all {
        search(*rules, games);
    }
}

/// Evaluates predicates over the games, from their actions as text.
fn search(rules: &dyn Rules, games: &[Game]) {
    let about = rules.about();
    let goal = match about.kind {
        "triangulate" => Some(2e6),
        "thrones" => Some(3e5),
        _ => None,
    };
    let words = |game: &Game| -> Vec<String> {
        game.actions.iter().map(|(actor, action)| word(about, *actor, action)).collect()
    };
    let games: Vec<_> =
        games.iter().map(|game| (rules.start(&game.setup).expect("it was played"), words(game))).collect();
    let positions: u64 = games.iter().map(|(_, words)| words.len() as u64 + 1).sum();
    let own = rules.facts().into_iter().find(|fact| fact.argument == Argument::Seat).map(|fact| fact.label.name);
    let name = own.expect("every game has facts of seats");
    for text in [
        "ply >= 0 and toAct(1)".to_owned(),
        format!("{name}(1) > {name}(2) then within 6: change({name}(2)) >= 1"),
        "mobility > 20".to_owned(),
    ] {
        let predicate = Predicate::read(rules, &text).expect("it is a predicate");
        let mut hits = 0;
        let runs = Runs::of(RUNS, || {
            let plies = games.iter().map(|(start, words)| {
                start
                    .plies_with(&predicate, &|_, _| None, &mut words.iter().map(String::as_str))
                    .expect("it was played")
                    .len()
            });
            hits = black_box(plies.sum::<usize>());
        });
        let (rate, goal) = (runs.median(positions), goal.filter(|_| !text.contains("mobility")));
        let (rate_text, best, (goal, met)) = (grouped(rate), grouped(runs.best(positions)), against(rate, goal));
        println!("| {} | `{text}` | {positions} | {hits} | {rate_text} | {best} | {goal} | {met} |", about.kind);
    }
}

fn games(rules: &'static dyn Rules) -> Vec<Game> {
    (0..GAMES).map(|seed| random_game(rules, seed, PLIES_MAX)).collect()
}

fn fold(rules: &dyn Rules, games: &[Game]) {
    let about = rules.about();
    let actions: u64 = games.iter().map(|game| game.actions.len() as u64).sum();
    let print = |what: &str, runs: &Runs, goal: Option<f64>| {
        let rate = runs.median(actions);
        let (rate_text, best) = (grouped(rate), grouped(runs.best(actions)));
        let (goal, met) = against(rate, goal);
        println!("| {} | {what} | {actions} | {rate_text} | {best} | {goal} | {met} |", about.kind);
    };
    let goal = Some(goals(about.kind).0);
    let keys: Vec<Hash> = games.iter().map(|game| game.last.key(Viewer::All)).collect();
    let is_right = |position: &dyn AnyPosition, game: &Game, key: Hash, is_deep: bool| {
        assert!(position.to_act() == game.last.to_act() && position.outcome() == game.last.outcome());
        assert!(!is_deep || position.key(Viewer::All) == key);
    };
    // The first fold compares whole positions; the timed ones compare who is to act, and the outcome.
    let mut is_first = true;
    let actions = Runs::of(RUNS, || {
        for (game, key) in games.iter().zip(&keys) {
            let mut position = rules.start(&game.setup).expect("it has started before");
            for (actor, action) in &game.actions {
                position.act(*actor, action).expect("it was played");
            }
            is_right(position.as_ref(), game, *key, is_first);
        }
        is_first = false;
    });
    print("actions through the rules", &actions, goal);
    let counted = Runs::of(RUNS, || {
        for game in games {
            let mut position = rules.start(&game.setup).expect("it has started before");
            let mut counts = rules.counts();
            for (actor, action) in &game.actions {
                position.act_counted(*actor, action, &mut counts).expect("it was played");
            }
            let figures = position.figures(&counts, &[1]);
            assert!(figures.heat[0].iter().any(|count| *count > 0), "visits come first, and there were some");
            assert!(position.outcome() == game.last.outcome());
        }
    });
    print("actions through the rules, counted", &counted, None);
    let logs: Vec<(Vec<Event>, Vec<Vec<u8>>)> =
        games.iter().enumerate().map(|(n, game)| game.log(id(n as u64))).collect();
    let nothing = Secrets::new();
    let mut is_first = true;
    let events = Runs::of(RUNS, || {
        for ((game, key), (events, _)) in games.iter().zip(&keys).zip(&logs) {
            let replay = Replay::fold(events, &nothing).expect("it was played");
            assert_eq!(replay.mainline().len(), game.actions.len());
            is_right(replay.position(), game, *key, is_first);
        }
        is_first = false;
    });
    print("events through the replay", &events, goal);
    let mut is_first = true;
    let bytes = Runs::of(RUNS, || {
        for ((game, key), (_, lines)) in games.iter().zip(&keys).zip(&logs) {
            let events: Vec<Event> = lines.iter().map(|line| Event::parse(line).expect("an event")).collect();
            let replay = Replay::fold(&events, &nothing).expect("it was played");
            is_right(replay.position(), game, *key, is_first);
        }
        is_first = false;
    });
    print("bytes of the log, parsed and replayed", &bytes, None);
}

fn perft(rules: &dyn Rules, game: &Game) {
    let kind = rules.about().kind;
    let start = rules.start(&game.setup).expect("it has started before");
    for (place, from) in [("the start", 0), ("the middle of a game", game.actions.len() / 2)] {
        let Some((ply, position)) = listed(start.as_ref(), game, from) else {
            println!("| {kind} | {place} | – | – | – | – | – | actions are not listed |");
            continue;
        };
        let mut depth = 1;
        while timed_on_core(|| _ = black_box(position.perft(depth + 1))).as_millis() < 300 && depth < DEPTH_MAX {
            depth += 1;
        }
        let nodes = sum_of_children(position.as_ref(), depth);
        let runs = Runs::of(RUNS, || assert_eq!(position.perft(depth), nodes));
        let (rate, best) = (runs.median(nodes), grouped(runs.best(nodes)));
        let (goal, met) = against(rate, goals(kind).1);
        println!("| {kind} | {place}, ply {ply} | {depth} | {nodes} | {} | {best} | {goal} | {met} |", grouped(rate));
    }
}

/// The first position of a game, from a ply on, whose actions are listed.
fn listed(start: &dyn AnyPosition, game: &Game, from: usize) -> Option<(usize, Box<dyn AnyPosition>)> {
    let is_listed = |position: &dyn AnyPosition| {
        let actors = position.to_act();
        !actors.is_empty() && actors.iter().all(|actor| position.prompt(actor).is_none())
    };
    let mut position = start.boxed();
    for (ply, (actor, action)) in game.actions.iter().enumerate() {
        if ply >= from && is_listed(position.as_ref()) {
            return Some((ply, position));
        }
        if ply >= from + SEARCHED {
            return None;
        }
        position.act(*actor, action).expect("it was played");
    }
    None
}

/// The goal of a rate, and whether it is met.
fn against(rate: f64, goal: Option<f64>) -> (String, &'static str) {
    goal.map_or(("–".to_owned(), "–"), |goal| (grouped(goal), verdict(rate >= goal)))
}

/// The same count in another way: legal actions and folding as the API does them, one ply deep.
fn sum_of_children(start: &dyn AnyPosition, depth: u32) -> u64 {
    let mut nodes = 0;
    for actor in start.to_act().iter() {
        for action in start.legal(actor).expect("actions are listed") {
            let mut next = start.boxed();
            next.act(actor, &action).expect("it is legal");
            nodes += next.perft(depth - 1);
        }
    }
    nodes
}

fn legal(rules: &dyn Rules, games: &[Game]) {
    let kind = rules.about().kind;
    let (mut took, mut most) = (Vec::new(), 0);
    for game in games {
        let mut position = rules.start(&game.setup).expect("it has started before");
        for (ply, (actor, action)) in game.actions.iter().enumerate() {
            if ply % 10 == 5 && position.prompt(*actor).is_none() {
                let mut listed = Vec::new();
                took.push(timed_on_core(|| listed = position.legal(*actor).expect("actions are listed")));
                assert!(listed.windows(2).all(|pair| pair[0] < pair[1]) && listed.binary_search(action).is_ok());
                most = most.max(listed.len());
            }
            position.act(*actor, action).expect("it was played");
        }
    }
    if took.is_empty() {
        println!("| {kind} | 0 | – | – | – | – | – | actions are not listed |");
        return;
    }
    let positions = took.len();
    let runs = Runs::from(took);
    println!(
        "| {kind} | {positions} | {most} | {} | {} | {} | {LEGAL_MS_MAX} ms | {} |",
        ms(runs.at(50.0)),
        ms(runs.at(99.0)),
        ms(runs.at(100.0)),
        verdict(runs.at(99.0).as_micros() <= LEGAL_MS_MAX * 1_000)
    );
}
