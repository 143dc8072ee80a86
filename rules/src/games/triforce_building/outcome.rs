//! The end: tokens of life, the ranking, the candidate.

use plybook_events::Outcome;
use serde_json::{Map, Value};

use super::board::Board;

/// Gives the remaining tokens of life to the seats still on the board.
pub(super) fn give_tokens(board: &mut Board) {
    let total = 3 * u32::from(board.setup.triforces() - 1);
    let left = total.saturating_sub(board.tokens.len()) as usize;
    for index in remaining(board).into_iter().take(left) {
        board.tokens.insert(index);
    }
}

/// The seats still on the board by index: powered ones first, then by priority.
fn remaining(board: &Board) -> Vec<usize> {
    let mut remaining: Vec<usize> = board.on_board().map(|(index, _)| index).collect();
    remaining.sort_unstable_by_key(|index| std::cmp::Reverse((board.powered.contains(*index), board.priority[*index])));
    remaining
}

/// The index of the last seat on the board.
pub(super) fn candidate(board: &Board) -> Option<usize> {
    remaining(board).pop().filter(|_| board.over)
}

/// How the game ended.
pub(super) fn of(board: &Board) -> Option<Outcome> {
    let candidate = candidate(board)?;
    let seats = |group: &dyn Fn(usize) -> bool| -> Vec<u8> {
        (0..board.players()).filter(|index| group(*index)).map(|index| index as u8 + 1).collect()
    };
    let winners = seats(&|index| board.tokens.contains(index));
    let others = seats(&|index| index != candidate && !board.tokens.contains(index));
    let eliminated = candidate as u8 + 1;
    let mut ranking = vec![winners.clone(), others, vec![eliminated]];
    ranking.retain(|group| !group.is_empty());
    let all_made = board.triforces_made() == board.setup.triforces();
    let mut details = Map::new();
    details.insert("eliminated".to_owned(), eliminated.into());
    details.insert("garnets".to_owned(), Value::from(&board.garnets[..board.players()]));
    if board.setup.announced_lives().is_some() {
        let lives = (0..board.players()).map(|index| board.setup.lives[index] + u8::from(board.tokens.contains(index)));
        details.insert("lives".to_owned(), lives.collect());
    }
    Some(Outcome {
        winners,
        ranking: Some(ranking),
        reason: if all_made { "triforces" } else { "rounds" }.to_owned(),
        details,
    })
}
