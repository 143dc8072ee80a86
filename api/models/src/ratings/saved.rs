//! The ratings on disk, for the next start.

use std::collections::{BTreeMap, HashMap};
use std::io;

use plybook_events::LogId;
use plybook_store::{Store, TableError};

use super::game::{Form, RatedSeat};
use super::skill::Skill;
use super::timeline::Timeline;
use crate::blocks::{BlockFile, BlockReader, BlockWriter};

/// The folder of the table.
const FOLDER: &str = "ratings";

/// The version of what is in it, and of how games are rated.
const VERSION: &str = "v1";

/// About how many bytes a rated game takes.
const GAME_BYTES: u64 = 128;

/// The most games in a block; few in tests, so that they have several.
const BLOCK_GAMES: usize = if cfg!(test) { 8 } else { 1 << 14 };

/// A seat in a block: the number of the player, the place, and the skill after the game.
const SEAT_BYTES: usize = 4 + 1 + 3 * 8;

/// The ratings on disk.
pub(super) struct SavedRatings(BlockFile);

impl SavedRatings {
    /// Opens the folder; `None` if the store keeps nothing on disk.
    pub fn open(store: &Store) -> io::Result<Option<Self>> {
        Ok(BlockFile::open(store, FOLDER, VERSION.to_owned())?.map(Self))
    }

    /// The ratings as they were saved, and the position of the journal up to which they have been applied.
    pub fn load(&self) -> Option<(BTreeMap<String, Timeline>, u64)> {
        self.0.read(|from| {
            let mut kinds = BTreeMap::new();
            for _ in 0..from.read(|kinds| kinds.first().copied())? {
                let name = from.read(|name| Some(str::from_utf8(name).ok()?.to_owned()))?;
                let timeline = read(from, Timeline::of_kind(&name))?;
                kinds.insert(name, timeline);
            }
            Ok(kinds)
        })
    }

    /// Saves ratings that have applied the journal up to a position.
    pub fn save(&self, kinds: &BTreeMap<String, Timeline>, position: u64) -> io::Result<()> {
        let games: usize = kinds.values().map(Timeline::len).sum();
        self.0.write(position, games as u64 * GAME_BYTES, |to| {
            to.push(&[kinds.len() as u8])?;
            for (name, timeline) in kinds {
                to.push(name.as_bytes())?;
                write(to, timeline)?;
            }
            Ok(())
        })
    }
}

/// Writes the players in blocks, and then the games in their order, in blocks, the last of which is empty: when it ended, its
/// id, the number of seats, and the seats.
fn write(to: &mut BlockWriter, timeline: &Timeline) -> io::Result<()> {
    let mut players: Vec<LogId> = timeline.players().map(|(player, _)| player).collect();
    players.sort_unstable();
    let numbers: HashMap<LogId, u32> = players.iter().copied().zip(0..).collect();
    to.push_list(players)?;
    let mut block = Vec::new();
    for (n, ((at_ms, id), seats)) in timeline.games().enumerate() {
        if n % BLOCK_GAMES == 0 && n > 0 {
            to.push(&block)?;
            block.clear();
        }
        block.extend_from_slice(&at_ms.to_be_bytes());
        block.extend_from_slice(&id.to_bytes());
        block.push(seats.len() as u8);
        for seat in seats {
            let Skill { value, deviation, volatility } = seat.after;
            block.extend_from_slice(&numbers[&seat.player].to_be_bytes());
            block.push(seat.place);
            for number in [value, deviation, volatility] {
                block.extend_from_slice(&number.to_be_bytes());
            }
        }
    }
    if !block.is_empty() {
        to.push(&block)?;
    }
    to.push(&[])
}

fn read(from: &mut BlockReader<'_>, mut timeline: Timeline) -> Result<Timeline, TableError> {
    let mut players: Vec<LogId> = Vec::new();
    from.read_list(|player| players.push(player))?;
    while from.read(|block| read_games(block, &players, &mut timeline))? {}
    Ok(timeline)
}

/// Reads the games of a block; `false` if there are none.
fn read_games(mut block: &[u8], players: &[LogId], timeline: &mut Timeline) -> Option<bool> {
    let is_last = block.is_empty();
    while !block.is_empty() {
        let (at_ms, rest) = block.split_first_chunk()?;
        let (id, rest) = rest.split_first_chunk()?;
        let (len, rest) = rest.split_first()?;
        let (seats, rest) = rest.split_at_checked(usize::from(*len) * SEAT_BYTES)?;
        let seats = seats.as_chunks::<SEAT_BYTES>().0.iter().map(|seat| read_seat(seat, players));
        timeline.push((i64::from_be_bytes(*at_ms), LogId::from_bytes(*id)), seats.collect::<Option<_>>()?);
        block = rest;
    }
    Some(!is_last)
}

fn read_seat(seat: &[u8; SEAT_BYTES], players: &[LogId]) -> Option<RatedSeat> {
    let player = *players.get(u32::from_be_bytes(*seat.first_chunk()?) as usize)?;
    let number = |n: usize| Some(f64::from_be_bytes(*seat[5 + 8 * n..].first_chunk()?));
    let after = Skill { value: number(0)?, deviation: number(1)?, volatility: number(2)? };
    Some(RatedSeat { player, place: seat[4], before: Form::default(), after })
}
