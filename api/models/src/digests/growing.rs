//! Games that are being digested: what a ply adds is counted once, when it is recorded.

use plybook_events::{Body, Event, LogId};
use plybook_rules::log::{Replay, Secrets, Status, revealed, word};
use plybook_rules::{AnyCounts, AnyPosition};
use quick_cache::Weighter;
use quick_cache::unsync::Cache;

use super::digest::{Digest, short_key};

/// How many plies of running games are kept. A ply takes a few hundred bytes.
const PLIES_KEPT: u64 = 1 << 16;

/// The weight of a game besides its plies; it limits the games that are kept to 1,024, however short.
const GAME_WEIGHT: u64 = 64;

/// A game that is digested as far as it was recorded.
pub(super) struct GrowingDigest {
    replay: Replay,
    /// The position after the plies that are counted.
    position: Box<dyn AnyPosition>,
    counts: AnyCounts,
    /// What is counted, without what only the end adds.
    digest: Digest,
}

/// The running games that changed last.
pub(super) struct GrowingDigests(Cache<LogId, GrowingDigest, Weigh>);

struct Weigh;

impl Weighter<LogId, GrowingDigest> for Weigh {
    fn weight(&self, _id: &LogId, game: &GrowingDigest) -> u64 {
        GAME_WEIGHT + game.digest.keys.len() as u64
    }
}

impl GrowingDigest {
    /// Folds a game from its log. `None` if the log is not that of a recorded game, if the game is running and may have
    /// secrets, or if its rules are unknown here.
    pub fn begin(events: &[&Event]) -> Option<Self> {
        let (first, rest) = events.split_first()?;
        let secrets = revealed(events.iter().copied());
        let replay = Replay::begin(first, &secrets).ok()?;
        let (position, counts) = (replay.position().boxed(), replay.rules().counts());
        Self { replay, position, counts, digest: Digest::default() }.apply(rest, &secrets)
    }

    /// Goes on with the next events of the log. `None` if they are not those.
    pub fn extend(self, events: &[&Event]) -> Option<Self> {
        // Nothing is sealed in a running game that everybody may see.
        self.apply(events, &Secrets::new())
    }

    fn apply(mut self, events: &[&Event], secrets: &Secrets) -> Option<Self> {
        // What is taken back later is not counted first, however often that happens.
        let counted_from = events.iter().rposition(|event| matches!(event.body, Body::TakenBack(_))).unwrap_or(0);
        for (at, event) in events.iter().enumerate() {
            self.replay.apply(event, secrets).ok()?;
            if self.replay.mainline().len() < self.digest.words.len() {
                self.position = self.replay.position_at(0)?;
                self.counts = self.replay.rules().counts();
                self.digest = Digest::default();
            }
            if at >= counted_from {
                self.count();
            }
        }
        // A game with secrets that goes on after its end was undone is not for everybody any more.
        self.replay.is_open().then_some(self)
    }

    /// The number of events that it was folded from.
    pub fn events(&self) -> u64 {
        self.replay.events()
    }

    /// Whether the game may go on.
    pub fn is_running(&self) -> bool {
        self.replay.status() == Status::Running
    }

    /// The digest of the game as it stands.
    pub fn digest(&self) -> Digest {
        self.finish(self.digest.clone())
    }

    /// Like [`digest`](Self::digest), of a game that does not go on.
    pub fn into_digest(mut self) -> Digest {
        let counted = std::mem::take(&mut self.digest);
        self.finish(counted)
    }

    /// Counts the plies of the mainline that are not counted yet.
    fn count(&mut self) {
        let (about, position, digest) = (self.replay.rules().about(), &mut self.position, &mut self.digest);
        let mainline = self.replay.mainline();
        for (ply, done) in mainline.iter().enumerate().skip(digest.words.len()) {
            digest.keys.push(short_key(position.as_ref()));
            let choices = position.branching();
            if choices > 0 {
                digest.facts.choices += choices as u64;
                digest.facts.choosing += 1;
            }
            position.extend(ply as u32, choices, &self.counts, &mut digest.facts.extremes);
            if ply + 1 == mainline.len() {
                let after = self.replay.position();
                position.count_action(done.actor, &done.action, after, &mut self.counts);
                *position = after.boxed();
            } else {
                position
                    .act_counted(done.actor, &done.action, &mut self.counts)
                    .expect("the mainline was folded before");
            }
            digest.words.push(word(about, done.actor, &done.action).into());
        }
    }

    /// Adds what the last position and the end of the game tell.
    fn finish(&self, mut digest: Digest) -> Digest {
        let position = &self.position;
        digest.keys.push(short_key(position.as_ref()));
        let plies = digest.words.len() as u32;
        position.extend(plies, position.branching(), &self.counts, &mut digest.facts.extremes);
        digest.facts.takebacks = self.replay.takebacks();
        let winners = self.replay.end().map_or(&[][..], |end| &end.outcome.winners);
        digest.facts.take(position.figures(&self.counts, winners));
        digest
    }
}

impl GrowingDigests {
    pub fn new() -> Self {
        Self(Cache::with_weighter((PLIES_KEPT / GAME_WEIGHT) as usize, PLIES_KEPT, Weigh))
    }

    /// Takes out a game, if it is kept.
    pub fn take(&mut self, id: LogId) -> Option<GrowingDigest> {
        self.0.remove(&id).map(|(_, game)| game)
    }

    /// Keeps a game for its next events. Those not used recently make room for it.
    pub fn keep(&mut self, id: LogId, game: GrowingDigest) {
        self.0.insert(id, game);
    }
}

#[cfg(test)]
mod tests {
    use plybook_generator::Plan;

    use super::*;

    #[test]
    fn a_digest_that_grows_is_that_of_the_whole_log() {
        let (plan, mut takebacks) = (Plan::new(40, 7, None), 0);
        for n in 0..40 {
            let log = plan.game(n).unwrap();
            let events: Vec<Event> = log.events.iter().map(|bytes| Event::parse(bytes).unwrap()).collect();
            let events: Vec<&Event> = events.iter().collect();
            let mut growing: Option<GrowingDigest> = None;
            let mut from = 0;
            while from < events.len() {
                let to = events.len().min(from + 1 + from % 3);
                growing = match growing {
                    Some(before) => Some(before.extend(&events[from..to]).expect("the log goes on")),
                    None => GrowingDigest::begin(&events[..to]),
                };
                let whole = GrowingDigest::begin(&events[..to]).map(GrowingDigest::into_digest);
                assert_eq!(growing.as_ref().map(GrowingDigest::digest), whole, "game {n}, {to} events");
                from = to;
            }
            takebacks += growing.map_or(0, |game| game.digest().facts.takebacks);
        }
        assert!(takebacks > 0, "some games go back");
    }

    #[test]
    fn events_that_do_not_follow_are_refused() {
        let log = Plan::new(1, 7, None).game(0).unwrap();
        let events: Vec<Event> = log.events.iter().map(|bytes| Event::parse(bytes).unwrap()).collect();
        let events: Vec<&Event> = events.iter().collect();
        assert!(GrowingDigest::begin(&events[..3]).unwrap().extend(&events[4..]).is_none());
    }
}
