//! The service: loads games, judges commands, writes events, and notifies followers; who may do what ([`access`]), and what
//! work may cost ([`load`]). Where rules and store meet, without a transport.

pub mod access;
mod analyses;
pub mod analysis;
mod archive;
mod branch;
mod changes;
pub mod clock;
mod context;
mod deadlines;
pub mod error;
mod evaluations;
mod feed;
mod game;
mod history;
mod imports;
mod kept_analyses;
mod lines;
pub mod load;
mod losses;
mod people;
mod pieces;
mod proof_file;
mod reading;
mod requests;
mod search;
mod shelf;
mod tlog;
mod tournaments;
mod tree;
mod write;

use std::ops::Deref;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use plybook_events::LogId;
use plybook_models::{Catalogue, Digests, Ratings};
use plybook_store::{Log, Memory, Shared, Store, Tlog};

pub use analyses::{About, Analysis, AnalysisState, AnalysisWatch, JOBS_MAX, WORKERS_DEFAULT};
pub use changes::Watch;
pub use context::{Context, Signing};
pub use evaluations::{EVALUATIONS_MAX, Evaluating};
pub use feed::{Feed, FeedCursor, FeedEvent, FeedPage, FeedPageSize, FeedStart};
pub use game::Live;
pub use imports::{ImportSource, Importing, MayExtend};
pub use lines::{LINES_MAX, NewLine};
pub use losses::Losses;
pub use losses::told;
pub use people::{Change, Details, Roster, RosterAction, RosterLine};
pub use pieces::Pieces;
pub use proof_file::{ProofFileError, Proven, TrustError, Trusted, TrustedCheckpoint, check_proof};
pub use requests::Written;
pub use search::{Extent, Found, Hit, Search, SearchPlace};
pub use tlog::{Consistency, Inclusion};
pub use tournaments::is_of_tournament;
pub use tournaments::verify_any;
pub use tournaments::{
    Entry, Explanations, Job, JobState, LiveTournament, Moment, NewReport, NewTournament, ReadReport,
    TournamentExamination,
};
pub use tree::{LineEntry, NODES_DEFAULT, NODES_MAX, NodeEntry, TreePage, TreePart, TreeReader};
pub use write::find_kind;
pub use write::{Draft, NewGame, NewSeat};

use self::access::Quotas;
use self::analyses::Analyses;
use self::branch::Branches;
use self::changes::Changes;
use self::evaluations::Evaluations;
use self::feed::Tail;
use self::losses::{LossFinder, named};
use self::shelf::Shelf;
use self::tournaments::{Halls, Jobs};
use crate::clock::Clock;
use crate::error::Problem;

/// How often the read models are saved.
const SAVE_EVERY: Duration = Duration::from_secs(2);

/// A read model that lacks so many events is still loading, or cannot keep up.
const BEHIND_EVENTS: u64 = 10_000;

/// How often a shutdown looks whether the servers of the journal are away.
pub const ENDING_INTERVAL: Duration = Duration::from_millis(100);

/// The service on top of one store, as it is used for somebody.
pub struct Service {
    inner: Arc<Inner>,
    context: Context,
    /// Whether what was written has the request of the context.
    has_written: AtomicBool,
}

/// What all handles of a service share.
pub struct Inner {
    store: Store,
    models: Arc<Catalogue>,
    /// `None` in a service that only reads.
    digests: Option<Digests>,
    /// `None` in a service that only reads.
    ratings: Option<Ratings>,
    games: Shelf,
    halls: Halls,
    jobs: Jobs,
    analyses: Analyses,
    evaluations: Arc<Evaluations>,
    branches: Branches,
    changes: Arc<Changes>,
    tail: Arc<Tail>,
    clock: Clock,
    losses: LossFinder,
    quotas: Quotas,
    /// Held while players are changed.
    people: Mutex<()>,
}

impl Deref for Service {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.inner
    }
}

impl From<Arc<Inner>> for Service {
    /// The service for nobody in particular.
    fn from(inner: Arc<Inner>) -> Self {
        Self { inner, context: Context::default(), has_written: AtomicBool::new(false) }
    }
}

impl Service {
    /// The same service, writing for somebody.
    pub fn for_whom(&self, context: Context) -> Arc<Self> {
        Arc::new(Self { context, ..Arc::clone(&self.inner).into() })
    }

    /// Starts the service on an open store.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn start(store: Store) -> Result<Arc<Self>, Problem> {
        let models = Catalogue::open(&store)?;
        Self::start_with(store, models)
    }

    /// Like [`start`](Self::start), with the lists of games of the store, which have been opened.
    ///
    /// # Errors
    /// As for [`start`](Self::start).
    pub fn start_with(store: Store, models: Arc<Catalogue>) -> Result<Arc<Self>, Problem> {
        let (changes, tail) = (Arc::new(Changes::default()), Arc::new(Tail::default()));
        let (watched, grown) = (Arc::clone(&changes), Arc::clone(&tail));
        // The catalogue is called first, so it knows what they are told of.
        store.log().watch(move |entries| {
            for entry in entries {
                watched.tell(entry.log);
            }
            grown.push(entries);
        });
        models.keep_saved(SAVE_EVERY);
        let digests = Digests::open(&store, &models)?;
        let ratings = Ratings::open(&store, &models)?;
        let service = Self::begin(store, models, Some((digests, ratings)), (changes, tail))?;
        if service.store.refusal().is_none() {
            service.settle_all();
            service.keep_deadlines();
            service.follow_analyses();
        }
        Ok(service)
    }

    /// Starts a service that only reads games: without explorer, statistics and ratings, and without keeping the read
    /// models for the next start. It has the analyses that are kept, unless the store was opened for reading, without its
    /// index.
    ///
    /// # Errors
    /// The store cannot be read.
    pub fn start_to_read(store: Store) -> Result<Arc<Self>, Problem> {
        let models = Catalogue::open_to_read(&store)?;
        Self::begin(store, models, None, (Arc::default(), Arc::default()))
    }

    fn begin(
        store: Store,
        models: Arc<Catalogue>,
        derived: Option<(Digests, Ratings)>,
        (changes, tail): (Arc<Changes>, Arc<Tail>),
    ) -> Result<Arc<Self>, Problem> {
        let memory = store.memory();
        let (games, branches, clock) = (Shelf::new(memory), Branches::new(memory), Clock::default());
        let losses = LossFinder::start(&store, &models);
        let has_index = store.refusal().is_none();
        let analyses = if derived.is_some() || has_index { Analyses::open(&store)? } else { Analyses::closed() };
        let (digests, ratings) = derived.unzip();
        let (halls, jobs, people) = (Halls::new(memory), Jobs::default(), Mutex::default());
        let service = Self::from(Arc::new(Inner {
            store,
            models,
            digests,
            ratings,
            games,
            halls,
            jobs,
            analyses,
            evaluations: Arc::default(),
            branches,
            changes,
            tail,
            clock,
            losses,
            quotas: Quotas::default(),
            people,
        }));
        // Later, a secret that is missing on a node may be one that it has not heard of.
        if service.shared().is_some() {
            service.losses();
        }
        Ok(Arc::new(service))
    }

    /// The read models of games and players.
    pub fn models(&self) -> &Catalogue {
        &self.models
    }

    /// The read models behind the explorer and the statistics.
    pub fn digests(&self) -> &Digests {
        self.digests.as_ref().expect("a service that only reads is not asked for statistics")
    }

    /// The ratings of players.
    pub fn ratings(&self) -> &Ratings {
        self.ratings.as_ref().expect("a service that only reads is not asked for ratings")
    }

    /// The logs.
    pub fn log(&self) -> &Log {
        self.store.log()
    }

    /// How much memory caches may take.
    pub fn memory(&self) -> Memory {
        self.store.memory()
    }

    /// The clock that dates events.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// How many games were asked for that were in memory, and how many that were not.
    pub fn cached_games(&self) -> (u64, u64) {
        self.games.counts()
    }

    /// What tokens may add in a day.
    pub fn quotas(&self) -> &Quotas {
        &self.quotas
    }

    /// Watches a log, which need not exist yet, for changes from now on.
    pub fn watch(&self, log: LogId) -> Watch {
        self.changes.watch(log)
    }

    /// Whether all writing is refused: until a restart, because the journal or the vault has failed, or for now, because the
    /// servers of the journal are away.
    pub fn is_read_only(&self) -> bool {
        self.log().is_read_only() || self.store.vault().is_read_only()
    }

    /// What this node shares with others; `None` if it is on its own.
    pub fn shared(&self) -> Option<&Shared> {
        self.store.shared()
    }

    /// Refuses to write at once if nothing can be written.
    ///
    /// # Errors
    /// [`Problem::Away`] while the servers of the journal are away, [`Problem::ReadOnly`] until a restart.
    pub fn check_writable(&self) -> Result<(), Problem> {
        if self.log().away().is_some() || self.store.vault().is_away() {
            Err(Problem::Away)
        } else if self.is_read_only() {
            Err(Problem::ReadOnly)
        } else {
            Ok(())
        }
    }

    /// Why all writing is refused, and what to do; `None` if it is not.
    pub fn refusal(&self) -> Option<String> {
        if let Some(why) = self.log().away() {
            return Some(format!(
                "{why}; this node has {} events, and how many were recorded since is not known; reading still works",
                self.log().len()
            ));
        }
        if let Some(why) = self.shared().and_then(Shared::trouble) {
            return Some(format!(
                "{why}; secrets, personal data and tokens stay as this node heard of them last; reading still works, and \
                 writing goes on once the servers answer"
            ));
        }
        let what = match self.store.refusal() {
            Some(why) => format!("the disk takes no writes ({why}): make room or correct the permissions, and restart"),
            None if self.log().is_read_only() => {
                "a write to the journal failed: check the disk, and restart".to_owned()
            }
            None if self.store.vault().is_read_only() => {
                "a write to the vault failed: check the disk, and restart".to_owned()
            }
            None => return None,
        };
        Some(format!("{what}; reading still works"))
    }

    /// What does not work, or not yet, while everything can be recorded and read.
    pub fn impairments(&self) -> Vec<String> {
        let pending = [
            ("this node is", Some(self.log().behind())),
            ("the explorer and statistics are", self.digests.as_ref().map(Digests::pending)),
            ("ratings are", self.ratings.as_ref().map(Ratings::pending)),
        ];
        let behind = pending.into_iter().filter_map(|(what, pending)| {
            let pending = pending.filter(|pending| *pending >= BEHIND_EVENTS)?;
            Some(format!("{what} {pending} events behind"))
        });
        let compared =
            self.known_losses().is_none().then(|| "the vault is still being compared with the games".to_owned());
        let lost = self.known_losses().filter(|losses| !losses.is_empty()).map(|losses| named(losses).join("; "));
        self.history_changed().into_iter().chain(behind).chain(compared).chain(lost).collect()
    }

    /// What was found after the start: that the journal does not lead to the last checkpoint.
    pub fn history_changed(&self) -> Option<String> {
        let advice = if self.log().is_shared() {
            "copy the stream to a directory and examine that (docs/runbook.md, \"On a node\")"
        } else {
            "run `plybook doctor`"
        };
        let is_refused = self.store.tlog().is_some_and(Tlog::is_refused);
        is_refused.then(|| {
            format!("history was changed: the journal does not lead to the last checkpoint, and no other is signed; {advice}")
        })
    }

    /// For a shutdown: waits no more for servers of the journal that are away. Returns whether they are.
    pub fn give_up_if_away(&self) -> bool {
        let is_away = self.store.give_up_if_away();
        if is_away {
            tracing::warn!("the servers of the journal are away, and are not waited for");
        }
        is_away
    }

    /// Saves the read models before shutdown, and signs the last checkpoint. Servers that are away are not waited for.
    pub fn close(&self) {
        let (closing, closed) = mpsc::channel::<()>();
        let is_closing = move || closed.recv_timeout(ENDING_INTERVAL) == Err(RecvTimeoutError::Timeout);
        thread::scope(|scope| {
            scope.spawn(move || while is_closing() && !self.give_up_if_away() {});
            if let Some(tlog) = self.store.tlog() {
                tlog.close();
            }
            self.models.save();
            drop(closing);
        });
    }
}
