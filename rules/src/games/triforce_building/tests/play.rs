//! Invariants at every ply of random play.

use plybook_events::Actor;

use super::{Numbers, play, setups};
use crate::games::triforce_building::board::Board;
use crate::games::triforce_building::notation::{Action, Submission};
use crate::{Position, Viewer};

#[test]
fn random_play_keeps_every_invariant() {
    let mut reasons = std::collections::BTreeSet::new();
    for (seed, setup) in (1..=18).zip(setups().iter().cycle()) {
        let end = play(seed, setup, |board, numbers| {
            let json = board.to_json(Viewer::All);
            assert!(Board::from_json(&json).as_ref() == Ok(board), "{json}");
            let players = board.players();
            let mut priorities = board.priority[..players].to_vec();
            priorities.sort_unstable();
            assert!(priorities.iter().copied().eq(1..=board.setup.players), "{json}");
            assert_eq!(board.on_board().count() + 3 * usize::from(board.triforces_made()), players, "{json}");
            assert_eq!(board.to_act().is_empty(), board.outcome().is_some());
            let mut actions = Vec::new();
            for actor in board.to_act().iter() {
                actions.clear();
                board.legal(actor, &mut actions);
                assert_eq!(board.count_legal(actor), actions.len());
                let mut texts: Vec<String> = actions.iter().map(ToString::to_string).collect();
                for (action, text) in actions.iter().zip(&texts) {
                    assert_eq!(board.judge(actor, action), Ok(()), "{text}");
                    assert_eq!(text.parse::<Action>().as_ref(), Ok(action));
                }
                texts.sort_unstable();
                assert!(texts.windows(2).all(|pair| pair[0] < pair[1]));
            }
            paths_agree(board, numbers);
        });
        let outcome = end.outcome().expect("a game that is over has an outcome");
        let groups: Vec<u8> = outcome.ranking.into_iter().flatten().flatten().collect();
        assert_eq!(groups.len(), end.players());
        assert_eq!(outcome.winners.len(), usize::from(end.setup.triforces() - 1) * 3);
        reasons.insert(outcome.reason);
    }
    assert_eq!(reasons.len(), 2, "both endings are reached: {reasons:?}");
}

/// Compares every path of up to three steps with the list of one seat. A path is allowed exactly if it stays
/// on the board; it then leads to a listed cell, and the listed path is no longer, and no later in byte
/// order.
fn paths_agree(board: &Board, numbers: &mut Numbers) {
    let actors: Vec<Actor> = board.to_act().iter().collect();
    if actors.is_empty() {
        return;
    }
    let actor = actors[numbers.below(actors.len() as u32) as usize];
    let Actor::Seat(seat) = actor else { unreachable!("chance never acts") };
    let from = board.cells[usize::from(seat) - 1].expect("it is to act");
    let mut listed = Vec::new();
    board.legal(actor, &mut listed);
    let letters = ["", "D", "L", "R", "U"];
    let mut best = std::collections::BTreeMap::new();
    for a in letters {
        for b in letters {
            for c in letters {
                let path = format!("{a}{b}{c}");
                let text = if path.is_empty() { "-".to_owned() } else { path.clone() };
                let submission: Submission = text.parse().expect("up to three steps");
                let end = board.end(from, submission);
                assert_eq!(
                    board.judge(actor, &Action::Submit(submission)).is_ok(),
                    end.is_some(),
                    "{text} from {from}"
                );
                if let Some(end) = end {
                    let first = best.entry(end).or_insert_with(|| path.clone());
                    if (path.len(), &path) < (first.len(), first) {
                        *first = path;
                    }
                }
            }
        }
    }
    let mut expected: Vec<String> =
        best.into_values().map(|path| if path.is_empty() { "-".into() } else { path }).collect();
    expected.sort_unstable();
    let mut plain: Vec<String> = listed.iter().map(ToString::to_string).filter(|path| !path.ends_with('!')).collect();
    plain.sort_unstable();
    assert_eq!(plain, expected);
}
