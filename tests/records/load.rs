//! Every golden log loads: chain, events, rules, import, record.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use plybook_api::service::{Importing, Service};
use plybook_events::{Body, Event, Hash, LogId};
use plybook_rules::log::record_json;
use plybook_rules::log::{Fault, FaultKind, LogBytes, Verification, Verifier};
use plybook_rules::log::{Replay, Secrets};
use plybook_store::{EventBytes, Store};
use plybook_tests::store;
use plybook_tournaments::log as tournaments;
use serde_json::{Value, json};

use crate::endings::outcome_of;
use crate::golden::{Golden, all};

pub(crate) fn service() -> Arc<Service> {
    service_over(store::new())
}

pub(crate) fn service_over(store: Store) -> Arc<Service> {
    Service::start(store).expect("the store can be read")
}

/// What our verifier says of a log, which may be damaged, with all golden logs at hand; and its game.
pub(crate) fn judged<B: AsRef<[u8]>>(id: LogId, lines: &[B]) -> (Verification, Option<Replay>) {
    static LOGS: LazyLock<BTreeMap<LogId, Vec<EventBytes>>> = LazyLock::new(|| {
        let bytes = |golden: &Golden| golden.lines().into_iter().map(EventBytes::from).collect();
        all().iter().map(|golden| (golden.id(), bytes(golden))).collect()
    });
    let find = |id| Some(LogBytes { lines: LOGS.get(&id)?.clone(), secrets: Secrets::new() });
    let (found, replay) = Verifier::new(&find).verify(id, lines, &Secrets::new());
    let first = lines.first().and_then(|line| Event::parse(line.as_ref()).ok()).map(|event| event.body);
    let is_tournament = matches!(first, Some(Body::TournamentCreated(_)));
    let again = (found.fault.is_none() && is_tournament).then(|| tournaments::verify(id, lines, usize::MAX));
    let Some((seq, problem)) = again.and_then(|again| again.fault) else { return (found, replay) };
    (Verification { events: seq, fault: Some(Fault { seq, kind: FaultKind::Order, problem }), ..found }, replay)
}

/// The game of a golden log; `None` of a player, and where something is still sealed.
pub(crate) fn replay(golden: &Golden) -> Option<Replay> {
    let (found, replay) = judged(golden.id(), &golden.lines());
    assert_eq!(found.fault, None, "{}", golden.name());
    assert_eq!(found.events as usize, golden.lines().len(), "{}", golden.name());
    replay.filter(|replay| replay.sealed().next().is_none())
}

/// The JSON record of a game whose log this is.
pub(crate) fn record(golden: &Golden, replay: &Replay) -> String {
    let lines: Vec<EventBytes> = golden.lines().into_iter().map(EventBytes::from).collect();
    record_json(replay, &lines, &[]).to_string()
}

#[test]
fn every_golden_log_verifies_and_is_imported() {
    let service = service();
    for golden in all() {
        let Some(replay) = replay(&golden) else {
            let refused = service.import_log(&golden.text, &Importing::of(&golden.text)).err();
            assert!(refused.is_some(), "{}: it holds no game that could be taken in", golden.name());
            continue;
        };
        let missing: Vec<LogId> = replay.ancestry().iter().map(|fork| fork.game).collect();
        for id in missing.into_iter().filter(|id| service.log().head(*id).is_none()) {
            let refused =
                service.import_log(&golden.text, &Importing::of(&golden.text)).err().expect("its parent is not here");
            assert!(refused.to_string().contains("which it continues, is not here"), "{refused}");
            let parent = all().into_iter().find(|golden| golden.id() == id).expect("its parent is golden");
            service.import_log(&parent.text, &Importing::of(&parent.text)).expect("its parent can be taken in");
        }
        if let Some(outcome) = outcome_of(&golden.path) {
            assert_eq!(json!(replay.end().map(|end| &end.outcome)), outcome, "{}", golden.name());
        }
        let record = record(&golden, &replay);
        service.import_json(&record, &Importing::of(&record)).unwrap_or_else(|why| panic!("{}: {why}", golden.name()));
        let length = service.log().len();
        let live = service
            .import_log(&golden.text, &Importing::of(&golden.text))
            .unwrap_or_else(|why| panic!("{}: {why}", golden.name()));
        assert_eq!(service.log().len(), length, "{}: what is there already is left alone", golden.name());
        let last = golden.lines().last().copied().expect("a log is not empty");
        assert_eq!(live.at().1, Hash::of_event(last), "{}", golden.name());
        let record: Value = serde_json::from_str(&record).expect("a record is JSON");
        assert_eq!(record["head"], live.at().1.to_string(), "{}", golden.name());
    }
}

#[test]
fn the_golden_logs_show_every_type_of_event_and_every_way_of_ending() {
    let (mut types, mut deciders, mut sealed_setups, mut forks, mut seeds) =
        (BTreeSet::new(), BTreeSet::new(), 0, 0, 0);
    for event in all().iter().flat_map(Golden::events) {
        types.insert(event.body.type_name());
        match event.body {
            Body::Created(created) => {
                sealed_setups += usize::from(created.sealed_setup.is_some());
                forks += usize::from(created.fork.is_some());
            }
            Body::Ended(ended) => {
                deciders.insert(format!("{:?}", ended.decided_by));
                seeds += usize::from(ended.seed.is_some());
            }
            _ => {}
        }
    }
    assert_eq!(types.len(), 47, "{types:?}");
    assert_eq!(deciders.len(), 6, "{deciders:?}");
    assert!(sealed_setups > 0 && forks > 0 && seeds > 0, "{sealed_setups} {forks} {seeds}");
}
