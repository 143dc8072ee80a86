//! The ratings on disk, for the next start.

use std::collections::BTreeMap;
use std::io;

use plybook_events::LogId;
use plybook_store::{Store, TableError};

use super::seats::{Seats, TimelineSeat};
use super::skill::Skill;
use super::timeline::{Timeline, TimelineGame};
use crate::blocks::{BlockFile, BlockReader, BlockWriter};

/// The folder of the table.
const FOLDER: &str = "ratings";

/// The version of what is in it, and of how games are rated.
const VERSION: &str = "v1";

/// About how many bytes a rated game takes.
const GAME_BYTES: u64 = 96;

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
        let games: usize = kinds.values().map(|timeline| timeline.games().len()).sum();
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

/// Writes the players, the games and the seats, each as items of one length.
fn write(to: &mut BlockWriter, timeline: &Timeline) -> io::Result<()> {
    to.push_items(timeline.player_ids().map(LogId::to_bytes))?;
    to.push_items(timeline.games().iter().map(game_to_bytes))?;
    to.push_items(timeline.seats().iter().map(seat_to_bytes))
}

fn read(from: &mut BlockReader<'_>, none: Timeline) -> Result<Timeline, TableError> {
    let players = from.read_items(LogId::from_bytes)?;
    let games = from.read_items(game_from_bytes)?;
    let mut seats = Seats::with_capacity(games.last().map_or(0, |game| game.seats_end as usize));
    from.read_items(|seat| seats.push(seat_from_bytes(seat)))?;
    none.with(players, games, seats).ok_or_else(|| from.damaged())
}

/// When it ended, its id, where its seats end, and the average.
fn game_to_bytes(game: &TimelineGame) -> [u8; 32] {
    let TimelineGame { key: (at_ms, id), seats_end, average } = game;
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&at_ms.to_be_bytes());
    bytes[8..24].copy_from_slice(&id.to_bytes());
    bytes[24..28].copy_from_slice(&seats_end.to_be_bytes());
    bytes[28..].copy_from_slice(&average.to_be_bytes());
    bytes
}

fn game_from_bytes(bytes: [u8; 32]) -> TimelineGame {
    let (at_ms, id) = (i64::from_be_bytes(part(&bytes, 0)), LogId::from_bytes(part(&bytes, 8)));
    let (seats_end, average) = (u32::from_be_bytes(part(&bytes, 24)), f32::from_be_bytes(part(&bytes, 28)));
    TimelineGame { key: (at_ms, id), seats_end, average }
}

/// The number of the player, the place, and the skill after the game, rounded as in memory.
fn seat_to_bytes(seat: TimelineSeat) -> [u8; 17] {
    let Skill { value, deviation, volatility } = seat.after;
    let mut bytes = [0; 17];
    bytes[..4].copy_from_slice(&seat.player.to_be_bytes());
    bytes[4] = seat.place;
    let numbers = [value, deviation, volatility].map(|number| (number as f32).to_be_bytes());
    bytes[5..].copy_from_slice(numbers.as_flattened());
    bytes
}

fn seat_from_bytes(bytes: [u8; 17]) -> TimelineSeat {
    let number = |at| f32::from_be_bytes(part(&bytes, at)).into();
    let after = Skill { value: number(5), deviation: number(9), volatility: number(13) };
    TimelineSeat { player: u32::from_be_bytes(part(&bytes, 0)), place: bytes[4], after }
}

/// So many bytes from a place on, which are there.
fn part<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    *bytes[at..].first_chunk().expect("the item is as long as that")
}
