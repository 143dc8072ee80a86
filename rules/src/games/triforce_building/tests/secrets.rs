//! Secrets that a viewer must not learn.

use plybook_events::Actor;
use serde_json::json;

use super::{play, setups, seven};
use crate::games::triforce_building::TriforceBuilding;
use crate::{Game, Position, Viewer};

#[test]
fn a_viewer_sees_nothing_of_another_seats_submission() {
    for (seed, setup) in (100..=106).zip(setups().iter().cycle()) {
        play(seed, setup, |board, numbers| {
            let actors: Vec<Actor> = board.to_act().iter().collect();
            // The last submission resolves the round, which is no secret.
            if actors.len() < 2 {
                return;
            }
            let actor = actors[numbers.below(actors.len() as u32) as usize];
            let [one, other] = [(); 2].map(|()| board.sample(actor, &mut |n| numbers.below(n)));
            let (mut a, mut b) = (board.clone(), board.clone());
            a.apply(actor, &one);
            b.apply(actor, &other);
            for viewer in (1..=board.setup.players).map(Viewer::Seat).chain([Viewer::Public]) {
                if viewer.knows(actor) {
                    continue;
                }
                let last = |action| Some(crate::Last { before: board, actor, action });
                assert_eq!(a.to_json(viewer), b.to_json(viewer));
                assert_eq!(a.text(viewer), b.text(viewer));
                assert_eq!(a.scene(viewer, last(&one)), b.scene(viewer, last(&other)));
                assert_eq!(board.shown(viewer, actor, &one), None);
            }
        });
    }
}

/// Positions look the same to a viewer if they differ only in which seat is on which cell.
#[test]
fn a_viewer_does_not_see_who_is_where() {
    let board = seven(3, ["3.1", "3.2", "3.4", "3.4", "2.1", "1.1", "4.7"], &[3, 4]);
    let mut other = seven(3, ["3.1", "2.1", "3.4", "1.1", "3.4", "3.2", "3.1"], &[3, 4]);
    // The spaces differ: 4.7 is empty now, and seat 4 shows its power on 1.1.
    assert_ne!(board.to_json(Viewer::Public), other.to_json(Viewer::Public));
    other = seven(3, ["3.1", "2.1", "3.4", "3.4", "4.7", "3.2", "1.1"], &[3]);
    other.garnets[4] = 0;
    other.priority[..7].reverse();
    for viewer in [Viewer::Public, Viewer::Seat(9)] {
        assert_eq!(board.to_json(viewer), other.to_json(viewer));
        assert_eq!(board.text(viewer), other.text(viewer));
        assert_eq!(board.scene(viewer, None), other.scene(viewer, None));
    }
}

#[test]
fn the_served_setup_tells_nobody_who_is_where() {
    let setup = TriforceBuilding::complete(&json!({}), &mut |_| 0).expect("a setup");
    assert_eq!(TriforceBuilding::setup_for(&setup, Viewer::All), setup);
    for viewer in [Viewer::Public, Viewer::Seat(3)] {
        let shown = TriforceBuilding::setup_for(&setup, viewer);
        let keys: Vec<&String> = shown.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["garnets", "line", "players", "priority", "side"]);
    }
}
