//! The generator's games: complete, valid logs, the same on every run, covering every kind and every way of
//! ending.

use std::collections::{BTreeMap, BTreeSet};

use plybook_events::{Body, Event};
use plybook_example::kinds;
use plybook_generator::{GeneratedLog, PLAYERS, Plan};
use plybook_rules::Rules;
use plybook_rules::log::Secrets;
use plybook_rules::log::verify;
use plybook_tests::store;
use serde_json::json;

use crate::golden::lines;
use crate::load::service_over;
use crate::python;

/// The number of games of each kind, enough for every way of ending.
const GAMES: u64 = 120;

/// A kind none of whose games has this many actions ends soon: nobody resigns it.
const SOON_OVER: usize = 20;

/// How many of them are checked byte by byte.
const CHECKED: u64 = 100;

/// A plan of games of all kinds, or of one.
fn plan(games: u64, seed: u64, kind: Option<&'static dyn Rules>) -> Plan {
    plybook_example::register();
    Plan::new(games, seed, kind)
}

fn games(plan: &Plan, count: u64) -> Vec<GeneratedLog> {
    (0..count).map(|n| plan.game(n).expect("it can be played")).collect()
}

fn events(game: &GeneratedLog) -> Vec<Event> {
    game.events.iter().map(|bytes| Event::parse(bytes).expect("it is an event")).collect()
}

#[test]
fn they_verify() {
    let plan = plan(CHECKED, 7, None);
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("games.ndjson");
    let mut all = Vec::new();
    for written in games(&plan, CHECKED).into_iter().chain((0..5).map(|n| plan.player(n).expect("it is a player"))) {
        let (found, replay) = verify(written.log, &written.events, &Secrets::new());
        assert_eq!(found.fault, None, "{}", written.log);
        let is_sealed = written.kept.iter().any(|(key, _)| key.starts_with("seal:"));
        let is_game = !matches!(events(&written)[0].body, Body::PlayerCreated(_));
        assert_eq!(replay.is_some(), is_game && !is_sealed, "{}: only what is sealed cannot be folded", written.log);
        for line in written.events {
            all.extend(line);
            all.push(b'\n');
        }
    }
    std::fs::write(&path, &all).expect("a file can be written");
    let (found, is_right) = python::run(&[], &[path]);
    assert!(is_right && found.len() as u64 == CHECKED + 5, "{found:?}");
    let events = found.iter().map(|line| line.split(' ').nth(2).and_then(|count| count.parse().ok()).unwrap_or(0));
    assert_eq!(events.sum::<usize>(), lines(&all).len());
}

#[test]
fn the_same_plan_gives_the_same_bytes() {
    let again = |seed| games(&plan(CHECKED, seed, None), 60);
    let first = again(7);
    assert_eq!(first, again(7));
    for (other, written) in again(8).iter().zip(&first) {
        assert_ne!(other.log, written.log);
    }
    let ids: BTreeSet<_> = first.iter().map(|game| game.log).collect();
    assert!(ids.len() == 60 && first.is_sorted_by_key(|game| game.log), "ids ascend");
    // In a plan of one kind, all games are of that kind.
    for game in games(&plan(10, 7, Some(kinds()[2])), 10) {
        assert!(matches!(&events(&game)[0].body, Body::Created(created) if created.kind == kinds()[2].about().kind));
    }
}

#[test]
fn every_kind_and_every_way_of_ending_is_among_them() {
    let (mut types, mut ends, mut setups, mut fair, mut open) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut longest: BTreeMap<String, usize> = BTreeMap::new();
    let all = GAMES * kinds().len() as u64;
    for game in games(&plan(all, 7, None), all) {
        let mut actions = 0;
        let log = events(&game);
        let Body::Created(created) = &log[0].body else { panic!("it is a game") };
        setups.insert((created.kind.clone(), created.setup.to_string()));
        open.insert((created.kind.clone(), created.open));
        let mut end = "running".to_owned();
        for event in &log {
            types.insert(event.body.type_name());
            match &event.body {
                Body::Acted(acted) if acted.fair => drop(fair.insert(created.kind.clone())),
                Body::Ended(ended) => end = format!("{:?}", ended.decided_by),
                Body::TakenBack(_) => "running".clone_into(&mut end),
                _ => {}
            }
            actions += usize::from(matches!(event.body, Body::Acted(_) | Body::Sealed(_)));
        }
        let most = longest.entry(created.kind.clone()).or_default();
        *most = actions.max(*most);
        ends.insert((created.kind.clone(), end));
    }
    assert_eq!(types.len(), 12, "all types but a player's: {types:?}");
    for rules in kinds() {
        let (kind, seats) = (rules.about().kind, rules.about().seats_max);
        let ways = ends.iter().filter(|(of, _)| of == kind).count();
        // With more than two seats, nobody resigns or runs out of time on behalf of the others.
        let expected = if longest[kind] < SOON_OVER { 1 } else { 3 + 2 * usize::from(seats == 2) };
        assert!(ways >= expected, "{kind}: {ends:?}");
        assert_eq!(open.iter().filter(|(of, _)| of == kind).count(), 1 + usize::from(rules.about().secrets), "{kind}");
        assert_eq!(fair.contains(kind), rules.about().chance, "{kind}");
        let count = setups.iter().filter(|(of, _)| of == kind).count();
        let has_members = rules.complete(&json!({}), &mut |_| 0).is_ok_and(|setup| setup != json!({}));
        assert!(count >= 2 || !has_members, "{kind}: {count} setups");
    }
}

#[test]
fn a_store_that_is_filled_can_be_served() {
    let store = store::new();
    let plan = plan(60, 7, None);
    let mut told = 0;
    let written = plan.fill(&store, 0, &mut |games| told += games).expect("it can be written");
    assert_eq!((told, written, store.log().logs_len() as u64), (60, store.log().len(), 60 + PLAYERS));
    let service = service_over(store);
    let ids = service.models().known().games.select(&Default::default()).list(plybook_models::Order::CreatedAsc, None);
    assert_eq!(ids.len(), 60);
    for (n, id) in (0..).zip(ids) {
        let game = service.models().known().games.get(id).expect("it is known");
        assert_eq!(game.id, plan.game(n).expect("it can be played").log, "they stand in the order of their creation");
        // Also those whose secrets are only in the vault.
        assert_eq!(service.glance(game.id).expect("it folds").mainline().len(), game.standing.ply as usize);
    }
}
