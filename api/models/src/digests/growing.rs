//! Incremental folds of running games: what a ply adds is counted once, when it is recorded.

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
    /// The number of legal actions in it.
    choices: usize,
    counts: AnyCounts,
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
        Self::new(replay).apply(rest, &secrets)
    }

    /// A game of which no action is counted.
    fn new(replay: Replay) -> Self {
        let position = replay.position_at(0).expect("every game has a start");
        let (counts, digest) = (replay.rules().counts(), Digest::default());
        let mut game = Self { replay, position, choices: 0, counts, digest };
        game.reach();
        game
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
                self = Self::new(self.replay);
            }
            if at >= counted_from {
                self.count();
            }
        }
        self.conclude();
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
    pub fn digest(&self) -> &Digest {
        &self.digest
    }

    /// The same, of a game that does not go on.
    pub fn into_digest(self) -> Digest {
        self.digest
    }

    /// Counts the plies of the mainline that are not counted yet.
    fn count(&mut self) {
        while let Some(done) = self.replay.mainline().get(self.digest.words.len()) {
            if self.choices > 0 {
                self.digest.facts.choices += self.choices as u64;
                self.digest.facts.choosing += 1;
            }
            self.digest.words.push(word(self.replay.rules().about(), done.actor, &done.action).into());
            if self.digest.words.len() == self.replay.mainline().len() {
                let after = self.replay.position();
                self.position.count_action(done.actor, &done.action, after, &mut self.counts);
                self.position = after.boxed();
            } else {
                let counted = self.position.act_counted(done.actor, &done.action, &mut self.counts);
                counted.expect("the mainline was folded before");
            }
            self.reach();
        }
    }

    /// Counts the position that the counted plies have led to.
    fn reach(&mut self) {
        let Self { position, choices, counts, digest, .. } = self;
        digest.keys.push(short_key(position.as_ref()));
        *choices = position.branching();
        position.extend(digest.words.len() as u32, *choices, counts, &mut digest.facts.extremes);
    }

    /// Counts what the last position and the end of the game tell.
    fn conclude(&mut self) {
        let winners = self.replay.end().map_or(&[][..], |end| &end.outcome.winners);
        self.digest.facts.takebacks = self.replay.takebacks();
        self.digest.facts.take(self.position.figures(&self.counts, winners));
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
                assert_eq!(growing.as_ref().map(GrowingDigest::digest), whole.as_ref(), "game {n}, {to} events");
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
