//! The folds of long games, on disk, so that the first answer about one does not wait for its whole log.
//!
//! A game has as many rows as its bytes need: under its id and a number, a part of a zstd frame. A replay serves readers
//! only, and only if the log still has the event that it was folded up to.

use plybook_events::{Hash, LogId};
use plybook_rules::log::{Replay, SavedReplay};
use plybook_store::{Changes, Keyspace, KeyspaceError, Store};
use zstd::bulk::{Compressor, decompress};

/// What the names of the keyspaces begin with, one for each version of what is saved.
pub const KEYSPACES: &str = "replays/";

/// The fewest plies of a game whose fold is saved; shorter ones are folded fast enough.
pub const LONG_PLIES: usize = if cfg!(test) { 16 } else { 256 };

/// The most bytes of a row.
const ROW_BYTES: usize = 64 << 10;

/// The most bytes of a replay; a longer one is not saved.
const REPLAY_BYTES_MAX: usize = 32 << 20;

/// The level at which replays are compressed: the fastest.
const LEVEL: i32 = 1;

/// The folds of long games.
pub(crate) struct SavedReplays(Keyspace);

impl SavedReplays {
    pub fn open(store: &Store) -> Result<Self, KeyspaceError> {
        store.keyspace(&format!("{KEYSPACES}v{}", SavedReplay::VERSION)).map(Self)
    }

    /// Saves the fold of a game up to the event with this hash, in place of what was saved of it. If that is refused, whoever
    /// reads the game folds its log.
    pub fn save(&self, replay: &Replay, head: Hash) {
        let Some(saved) = SavedReplay::new(replay) else { return };
        let bytes = serde_json::to_vec(&saved).expect("a replay is plain data");
        if bytes.len() > REPLAY_BYTES_MAX {
            return;
        }
        if let Err(why) = self.write(replay.log(), &pack(head, &bytes)) {
            tracing::warn!(game = %replay.log(), %why, "a long game is not saved as it stands");
        }
    }

    fn write(&self, game: LogId, packed: &[u8]) -> Result<(), KeyspaceError> {
        let mut changes = Changes::new();
        for row in self.0.prefix(&game.to_bytes()) {
            changes.delete(row?.0);
        }
        for (n, part) in (0_u16..).zip(packed.chunks(ROW_BYTES)) {
            changes.put([game.to_bytes().as_slice(), &n.to_be_bytes()].concat(), part);
        }
        self.0.apply(&changes, 0)
    }

    /// The fold of a game as it was saved last, and the hash of the event that it was folded up to. `None` if it is damaged or
    /// not there.
    pub fn get(&self, game: LogId) -> Option<(Replay, Hash)> {
        let rows: Vec<_> = self.0.prefix(&game.to_bytes()).collect::<Result<_, _>>().ok()?;
        for (key, _) in &rows {
            self.0.look_again(key, Keyspace::LOOKS.div_ceil(rows.len()));
        }
        let packed = rows.iter().map(|(_, part)| part.as_slice()).collect::<Vec<_>>().concat();
        if packed.is_empty() {
            return None;
        }
        let restored = unpack(&packed).and_then(|(head, bytes)| Some((restore(&bytes)?, head)));
        if restored.is_none() {
            tracing::warn!(%game, "what was saved of a long game cannot be read; its log is folded");
        }
        restored.filter(|(replay, _)| replay.log() == game)
    }

    /// Forgets everything.
    pub fn clear(&self) -> Result<(), KeyspaceError> {
        self.0.clear()
    }
}

/// The replay that was written as these bytes.
fn restore(bytes: &[u8]) -> Option<Replay> {
    serde_json::from_slice::<SavedReplay<'_>>(bytes).ok()?.restored()
}

/// The hash, the number of bytes, and these in a frame with a checksum.
fn pack(head: Hash, bytes: &[u8]) -> Vec<u8> {
    let mut compressor = Compressor::new(LEVEL).expect("there is memory for a compressor");
    compressor.include_checksum(true).expect("frames may have checksums");
    let frame = compressor.compress(bytes).expect("bytes can be compressed");
    [&head.0, (bytes.len() as u32).to_be_bytes().as_slice(), &frame].concat()
}

/// What [`pack`] was given; `None` if it is not as it was made.
fn unpack(packed: &[u8]) -> Option<(Hash, Vec<u8>)> {
    let (head, rest) = packed.split_first_chunk()?;
    let (len, frame) = rest.split_first_chunk()?;
    let len = u32::from_be_bytes(*len) as usize;
    let bytes = decompress(frame, len.min(REPLAY_BYTES_MAX)).ok()?;
    (bytes.len() == len).then_some((Hash(*head), bytes))
}

#[cfg(test)]
mod tests {
    use plybook_events::Event;
    use plybook_generator::Plan;
    use plybook_rules::log::revealed;
    use plybook_rules::{Viewer, kinds};

    use super::*;

    /// The fold of a game, or of a part of it; `None` if it is running and has secrets.
    fn fold(events: &[Event]) -> Option<Replay> {
        Replay::fold(events, &revealed(events)).ok().filter(Replay::is_open)
    }

    fn text(replay: &Replay) -> String {
        serde_json::to_string(&SavedReplay::new(replay).expect("it is no line")).unwrap()
    }

    /// Asserts that two folds are the same, by what they save and by all their positions.
    fn assert_same(one: &Replay, other: &Replay) {
        assert_eq!(text(one), text(other));
        assert_eq!(one.mainline(), other.mainline());
        for ply in 0..=one.mainline().len() {
            let [one, other] = [one, other].map(|replay| replay.position_at(ply).unwrap());
            assert_eq!(one.to_json(Viewer::All), other.to_json(Viewer::All));
            assert_eq!(one.to_act(), other.to_act());
        }
    }

    #[test]
    fn a_replay_that_was_saved_goes_on_like_the_log() {
        let (store, plan) = (Store::in_memory().unwrap(), Plan::new(50, 7, None));
        let (saved, mut folds, mut revealed_games) = (SavedReplays::open(&store).unwrap(), 0, 0);
        for n in 0..50 {
            let log = plan.game(n).unwrap();
            let events: Vec<Event> = log.events.iter().map(|bytes| Event::parse(bytes).unwrap()).collect();
            let Some(whole) = fold(&events) else { continue };
            for until in [1, events.len().div_ceil(3), events.len().div_ceil(2), events.len()] {
                let Some(replay) = fold(&events[..until]) else { continue };
                let head = Hash::of_event(&log.events[replay.events() as usize - 1]);
                saved.save(&replay, head);
                let (mut restored, hash) = saved.get(log.log).expect("it was saved");
                assert_eq!(hash, head);
                assert_same(&restored, &replay);
                for event in &events[restored.events() as usize..] {
                    restored.apply(event, &revealed(&events)).unwrap();
                }
                assert_same(&restored, &whole);
                folds += 1;
                revealed_games += u32::from(replay.rules().about().secrets);
            }
        }
        assert!(folds > 120 && revealed_games > 5, "{folds} {revealed_games}");
        assert!(saved.get(LogId::from_bytes([9; 16])).is_none());
    }

    #[test]
    fn what_is_damaged_or_of_another_game_is_not_restored() {
        let rules = kinds().iter().copied().find(|rules| !rules.about().secrets).unwrap();
        let (store, plan) = (Store::in_memory().unwrap(), Plan::new(2, 7, Some(rules)));
        let saved = SavedReplays::open(&store).unwrap();
        let log = plan.game(0).unwrap();
        let events: Vec<Event> = log.events.iter().map(|bytes| Event::parse(bytes).unwrap()).collect();
        let replay = fold(&events).expect("it has no secrets");
        saved.save(&replay, Hash::ZERO);
        let key = [log.log.to_bytes().as_slice(), &[0, 0]].concat();
        let row = saved.0.get(&key).unwrap().expect("it takes a row");
        let with = |bytes: &[u8]| {
            saved.0.put(&key, bytes).unwrap();
            saved.get(log.log).map(|(replay, _)| text(&replay))
        };
        assert_eq!(with(&row), Some(text(&replay)));
        // A few bits of a frame mean nothing.
        let mut read = 0;
        for at in 32..row.len() {
            let mut bytes = row.clone();
            bytes[at] ^= 1;
            if let Some(found) = with(&bytes) {
                assert_eq!(found, text(&replay), "byte {at}");
                read += 1;
            }
        }
        assert!(read < 8, "{read}");
        for len in 0..row.len() {
            assert_eq!(with(&row[..len]), None, "{len} bytes");
        }
        let other = plan.game(1).unwrap().log;
        saved.0.put(&[other.to_bytes().as_slice(), &[0, 0]].concat(), &row).unwrap();
        assert!(saved.get(other).is_none());
        assert!(with(&row).is_some());
        saved.clear().unwrap();
        assert!(saved.get(log.log).is_none());
    }

    #[test]
    fn a_longer_replay_is_replaced_by_a_shorter_one() {
        let store = Store::in_memory().unwrap();
        let (saved, game) = (SavedReplays::open(&store).unwrap(), LogId::from_bytes([1; 16]));
        saved.write(game, &vec![1; 3 * ROW_BYTES + 1]).unwrap();
        assert_eq!(saved.0.len(), 4);
        saved.write(game, &vec![2; ROW_BYTES]).unwrap();
        assert_eq!(saved.0.len(), 1);
        assert!(saved.get(game).is_none());
    }
}
