//! Every golden log loads: chain, events, rules, import, record.

use std::collections::BTreeSet;
use std::sync::Arc;

use plybook_api::caller::Caller;
use plybook_api::service::{Service, record_json};
use plybook_api::verify::verify;
use plybook_events::{Body, Hash};
use plybook_rules::fold::{Replay, Secrets};
use plybook_store::{EventBytes, Store};
use serde_json::{Value, json};

use crate::endings::outcome_of;
use crate::golden::{Golden, all};

pub(crate) fn service() -> Arc<Service> {
    service_over(Store::in_memory().expect("memory can be opened"))
}

pub(crate) fn service_over(store: Store) -> Arc<Service> {
    Service::start(store).expect("the store can be read")
}

/// The game of a golden log; `None` of a player, and where something is still sealed.
pub(crate) fn replay(golden: &Golden) -> Option<Replay> {
    let (found, replay) = verify(golden.id(), &golden.lines(), &Secrets::new());
    assert_eq!(found.fault, None, "{}", golden.name());
    assert_eq!(found.events as usize, golden.lines().len(), "{}", golden.name());
    replay.filter(|replay| replay.sealed().next().is_none())
}

/// The JSON record of a game whose log this is.
pub(crate) fn record(golden: &Golden, replay: &Replay) -> String {
    let lines: Vec<EventBytes> = golden.lines().into_iter().map(EventBytes::from).collect();
    record_json(replay, &lines).to_string()
}

#[test]
fn every_golden_log_verifies_and_is_taken_in() {
    let service = service();
    for golden in all() {
        let replay = replay(&golden).filter(|replay| replay.created().fork.is_none());
        let Some(replay) = replay else {
            let refused = service.import_log(&golden.text, &Caller::ADMIN).err();
            assert!(refused.is_some(), "{}: it holds no game that could be taken in", golden.name());
            continue;
        };
        if let Some(outcome) = outcome_of(&golden.path) {
            assert_eq!(json!(replay.end().map(|end| &end.outcome)), outcome, "{}", golden.name());
        }
        let record = record(&golden, &replay);
        service.import_json(&record, &Caller::ADMIN).unwrap_or_else(|why| panic!("{}: {why}", golden.name()));
        let length = service.log().len();
        let live =
            service.import_log(&golden.text, &Caller::ADMIN).unwrap_or_else(|why| panic!("{}: {why}", golden.name()));
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
    assert_eq!(types.len(), 12, "{types:?}");
    assert_eq!(deciders.len(), 6, "{deciders:?}");
    assert!(sealed_setups > 0 && forks > 0 && seeds > 0, "{sealed_setups} {forks} {seeds}");
}
