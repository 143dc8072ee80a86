//! The cache of folded games, limited by their number of plies.

use std::sync::Arc;

use plybook_events::LogId;
use plybook_store::Memory;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::game::Live;

/// The 64ths of the memory that the cache may take.
const PARTS: u64 = 16;

/// The memory of a ply in bytes, or less (`docs/benchmarks.md`).
const PLY_BYTES: u64 = 256;

/// The weight of a game besides its plies; it limits the cache to 4,096 games in 2 GiB, however short.
const GAME_WEIGHT: u64 = 512;

/// The games in memory. Those not used recently make room for others.
pub(super) struct Shelf(Cache<LogId, CachedGame, Weigh>);

/// A game, and its weight when it was inserted.
#[derive(Clone)]
struct CachedGame {
    live: Arc<Live>,
    weight: u64,
}

#[derive(Clone)]
struct Weigh;

impl Weighter<LogId, CachedGame> for Weigh {
    fn weight(&self, _id: &LogId, kept: &CachedGame) -> u64 {
        kept.weight
    }
}

impl CachedGame {
    fn new(live: Arc<Live>) -> Self {
        let weight = weight(&live);
        Self { live, weight }
    }
}

fn weight(live: &Live) -> u64 {
    GAME_WEIGHT + live.replay().mainline().len() as u64
}

impl Shelf {
    /// An empty cache.
    pub(super) fn new(memory: Memory) -> Self {
        let plies = memory.parts(PARTS) / PLY_BYTES;
        Self(Cache::with_weighter((plies / GAME_WEIGHT) as usize, plies, Weigh))
    }

    /// How many games were asked for that were cached, and how many that were not.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.0.hits(), self.0.misses())
    }

    /// A game, if it is cached.
    pub(super) fn get(&self, id: &LogId) -> Option<Arc<Live>> {
        self.0.get(id).map(|kept| kept.live)
    }

    /// A game, loaded first if it is not cached; concurrent callers load it once. A game that has grown by a
    /// quarter since it was weighed is weighed again.
    ///
    /// # Errors
    /// Whatever `load` returns.
    pub(super) fn get_or_insert_with<E>(
        &self,
        id: &LogId,
        load: impl FnOnce() -> Result<Arc<Live>, E>,
    ) -> Result<Arc<Live>, E> {
        let kept = self.0.get_or_insert_with(id, || load().map(CachedGame::new))?;
        if weight(&kept.live) > kept.weight + kept.weight / 4 {
            // It may have been evicted meanwhile; then it is loaded again when next requested.
            let _ = self.0.replace(*id, CachedGame::new(Arc::clone(&kept.live)), true);
        }
        Ok(kept.live)
    }
}

#[cfg(test)]
pub(super) mod tests {
    #![allow(clippy::maybe_infinite_iter, reason = "some legal action goes on")]

    use plybook_events::Actor;
    use plybook_rules::log::Command;
    use plybook_rules::{AnyPosition, kind};
    use plybook_store::Store;
    use serde_json::json;

    use super::*;
    use crate::{NewGame, NewSeat, Service};

    /// This many actions, none of which ends the game.
    pub(crate) fn actions(plies: usize) -> Vec<Command> {
        let rules = kind("triangulate").unwrap();
        let mut position = rules.start(&rules.complete(&json!({}), &mut |_| 0).unwrap()).unwrap();
        let mut commands = Vec::new();
        let after = |position: &dyn AnyPosition, actor, action: &str| {
            let mut next = position.boxed();
            next.act(actor, action).unwrap();
            next
        };
        while commands.len() < plies {
            let actor: Actor = position.to_act().only().unwrap();
            let legal = position.legal(actor).unwrap();
            let goes_on = |action: &&String| !after(position.as_ref(), actor, action).to_act().is_empty();
            // Every seventh action, so that the pieces move about.
            let action = legal.iter().cycle().skip(7 * commands.len() % legal.len()).find(goes_on).unwrap().clone();
            position = after(position.as_ref(), actor, &action);
            commands.push(Command::Act { actor, action, clock_ms: None });
        }
        commands
    }

    #[test]
    fn a_game_that_grows_weighs_more() {
        let service = Service::start(Store::in_memory().unwrap()).unwrap();
        let new = NewGame { kind: "triangulate".into(), seats: vec![NewSeat::default(); 2], ..NewGame::default() };
        let live = service.create_game(&new).unwrap();
        let id = live.replay().log();
        assert_eq!(service.games.0.weight(), GAME_WEIGHT);
        service.command(&live, &actions(200), None).unwrap();
        service.game(id).unwrap();
        assert_eq!(service.games.0.weight(), GAME_WEIGHT + 200);
        assert!(Arc::ptr_eq(&live, &service.game(id).unwrap()), "it is the same game");
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let service = Service::start(Store::in_memory().unwrap()).unwrap();
        let new = NewGame { kind: "triangulate".into(), seats: vec![NewSeat::default(); 2], ..NewGame::default() };
        let live = service.create_game(&new).unwrap();
        let memory = Memory::of(512 << 20);
        let (shelf, plies) = (Shelf::new(memory), memory.parts(PARTS) / PLY_BYTES);
        for n in 0..10_000_u128 {
            let id = LogId::from_bytes(n.to_be_bytes());
            shelf.get_or_insert_with(&id, || Ok::<_, ()>(Arc::clone(&live))).unwrap();
            assert!(shelf.0.weight() <= plies, "{n}");
        }
        assert!(shelf.0.weight() > plies / 2, "most of the room is used");
    }
}
