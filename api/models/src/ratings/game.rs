//! Which games are rated, when, and how their players finished.

use plybook_events::{LogId, Outcome};
use plybook_rules::kind;
use plybook_rules::log::Status;

use super::skill::Skill;
use crate::catalogue::Summary;

/// The place of a game in the order in which games are rated: when it ended, in milliseconds since 1970, and
/// its id.
pub type Key = (i64, LogId);

/// A rated game.
#[derive(PartialEq)]
pub(super) struct RatedGame {
    /// Its place in the order.
    pub key: Key,
    /// The registered players in it, by seat.
    pub seats: Box<[RatedSeat]>,
}

/// A registered player in a rated game.
#[derive(PartialEq)]
pub(super) struct RatedSeat {
    pub player: LogId,
    /// 1 for the best; players with equal places drew with each other.
    pub place: u8,
}

/// What is known about a player in a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Form {
    /// The skill after the last rated game.
    pub skill: Skill,
    /// The number of rated games.
    pub games: u32,
    /// When the last of them ended, in milliseconds since 1970.
    pub last_ms: i64,
}

impl RatedGame {
    /// The game as it is rated; `None` if it is not. It is rated if it is a game that counts and is over, with at
    /// least one action unless only its result was entered, was not created as unrated, and at least two different registered players
    /// took part, each in one seat. A game that all seats lost is not, nor one with partners.
    pub fn of(game: &Summary) -> Option<Self> {
        let was_played = game.standing.ply > 0 || game.standing.is_unrecorded();
        let is_over = game.standing.status() == Status::Finished && was_played;
        let is_meant = game.fork.is_none() && !game.is_unrated && is_over;
        let outcome = game.counted_outcome().filter(|outcome| is_meant && !outcome.is_forfeit())?;
        let mut seats = Vec::new();
        for (index, player) in game.players.iter().enumerate() {
            let Some(player) = *player else { continue };
            if seats.iter().any(|seat: &RatedSeat| seat.player == player) {
                return None;
            }
            seats.push(RatedSeat { player, place: place(outcome, index as u8 + 1) });
        }
        (seats.len() > 1 && !has_partners(game)).then(|| Self { key: (over_ms(game), game.id), seats: seats.into() })
    }
}

/// Whether seats of a game win and lose together. What is secret of its setup decides nothing about that.
fn has_partners(game: &Summary) -> bool {
    let start = kind(&game.kind).and_then(|rules| rules.start(&rules.complete(&game.setup, &mut |_| 0).ok()?).ok());
    start.is_some_and(|start| start.teams().partners().next().is_some())
}

/// When a game ended, for ratings: when it was played, if that is stated, otherwise when it ended or was
/// created.
pub(super) fn over_ms(game: &Summary) -> i64 {
    match (&game.played, &game.standing.end) {
        (None, Some(end)) => end.at.as_millis(),
        _ => game.played_at().as_millis(),
    }
}

/// The place of a seat: its group in the ranking; without a ranking, 1 for winners, or for all if there are
/// none.
fn place(outcome: &Outcome, seat: u8) -> u8 {
    match &outcome.ranking {
        Some(ranking) => {
            let group = ranking.iter().position(|group| group.contains(&seat));
            group.unwrap_or(ranking.len()) as u8 + 1
        }
        None => 1 + u8::from(!outcome.winners.is_empty() && !outcome.winners.contains(&seat)),
    }
}
