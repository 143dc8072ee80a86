//! The only writer: a thread that takes all waiting appends, checks which of them follow the heads of their logs, writes those
//! together, and answers once they are durable. A second thread feeds the index behind it. If other processes append to the
//! journal, too, a third follows what they append; the writer takes that in before it decides again.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use plybook_events::chain::ChainError;

use super::request::{Part, Request};
use super::{AppendError, Appended, Head, ReadError, Shared};
use crate::entry::{Entry, EventBytes};
use crate::journal::JournalError;

/// The size at which a group is written. Only a single large append can exceed it by much.
const GROUP_EVENTS: usize = 512;
/// How many groups the index may lag behind before the writer waits for it.
const INDEX_LAG_GROUPS: usize = 256;
/// The most events that are indexed at once.
const INDEX_EVENTS_MAX: usize = 1024;
/// How long the index waits for more events to take in at once: what sled writes for one costs the disk as much as for many.
const INDEX_PAUSE: Duration = Duration::from_millis(2);

/// How many events of others are read at once.
const TAKE_IN_EVENTS: usize = 16_384;
/// How often the servers are asked whether others have appended, and how often while they do not answer.
const FOLLOW_INTERVAL: Duration = Duration::from_millis(50);
const AWAY_INTERVAL: Duration = Duration::from_millis(500);

/// The threads of the writer, the index and what others append. Dropping it writes what is waiting and stops the threads.
pub(super) struct Committer {
    shared: Arc<Shared>,
    /// `None` once this is dropped.
    to_writer: Option<mpsc::Sender<Work>>,
    is_closed: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

/// What the writer is asked to do.
enum Work {
    Write(Vec<Request>),
    /// Take in what others appended, and say whether that worked.
    TakeIn(mpsc::Sender<Result<(), ReadError>>),
}

impl Committer {
    pub(super) fn start(shared: Shared) -> Self {
        let shared = Arc::new(shared);
        let is_closed = Arc::<AtomicBool>::default();
        let (to_writer, work) = mpsc::channel();
        let (to_index, from_writer) = mpsc::sync_channel(INDEX_LAG_GROUPS);
        let writer = {
            let shared = Arc::clone(&shared);
            spawn("journal", move || write_all(&Writer { to_index }, &work, &shared))
        };
        let indexer = {
            let shared = Arc::clone(&shared);
            spawn("index", move || index_all(&shared, &from_writer))
        };
        let mut threads = vec![writer, indexer];
        if shared.journal().is_shared() {
            let (shared, to_writer, is_closed) = (Arc::clone(&shared), to_writer.clone(), Arc::clone(&is_closed));
            threads.push(spawn("follower", move || follow(&shared, &to_writer, &is_closed)));
        }
        Self { shared, to_writer: Some(to_writer), is_closed, threads }
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Has the writer write requests, in order. While nothing can be written, they are refused at once: they would wait for one
    /// that is being tried.
    pub(super) fn write(&self, requests: impl IntoIterator<Item = Request>) {
        let is_admitted = |request: Request| match self.shared.refusal() {
            Some(why) => {
                request.waiter.answer(Err(why));
                None
            }
            None => Some(request),
        };
        let requests = requests.into_iter().filter_map(is_admitted).collect();
        // If the writer is gone, dropping a request answers it.
        let _ = self.to_writer.as_ref().expect("it is there until the end").send(Work::Write(requests));
    }
}

impl Drop for Committer {
    fn drop(&mut self) {
        self.is_closed.store(true, Ordering::Release);
        self.to_writer = None;
        for thread in self.threads.drain(..) {
            if thread.join().is_err() {
                tracing::error!("a thread of the store panicked");
            }
        }
    }
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    let builder = thread::Builder::new().name(format!("plybook-{name}"));
    builder.spawn(run).expect("a process can start a thread")
}

/// Serves requests until all senders are dropped. If a watcher panics, nothing more is written, and no caller is left waiting:
/// dropping a request answers it.
fn write_all(writer: &Writer, work: &mpsc::Receiver<Work>, shared: &Shared) {
    let done = catch_unwind(AssertUnwindSafe(|| {
        while let Ok(first) = work.recv() {
            let mut requests = Vec::new();
            for work in std::iter::once(first).chain(work.try_iter()) {
                match work {
                    Work::Write(more) => requests.extend(more),
                    // Nobody hears it if the store is being closed.
                    Work::TakeIn(told) => drop(told.send(writer.take_in(shared))),
                }
            }
            writer.write(requests, shared);
        }
    }));
    if done.is_err() {
        tracing::error!("the writer panicked: read-only until restart");
        shared.stop_writing();
    }
}

/// What the thread of the writer has.
struct Writer {
    to_index: mpsc::SyncSender<Vec<Entry>>,
}

impl Writer {
    fn write(&self, mut requests: Vec<Request>, shared: &Shared) {
        while !requests.is_empty() {
            let mut group = Group::default();
            requests = group.take_from(requests, shared);
            match group.commit(shared) {
                Ok(entries) => self.index(entries),
                Err(mut again) => {
                    // Others were first. What they wrote decides whether these appends still follow their logs.
                    if let Err(why) = self.take_in(shared) {
                        shared.set_away(Some(why.to_string()));
                    }
                    again.append(&mut requests);
                    requests = again;
                }
            }
        }
    }

    /// Publishes what others appended, as far as it is known.
    fn take_in(&self, shared: &Shared) -> Result<(), ReadError> {
        loop {
            let entries = shared.unpublished(TAKE_IN_EVENTS)?;
            if entries.is_empty() {
                return Ok(());
            }
            for group in entries.chunks(GROUP_EVENTS) {
                shared.publish(group);
                self.index(group.to_vec());
            }
        }
    }

    fn index(&self, entries: Vec<Entry>) {
        if !entries.is_empty() && self.to_index.send(entries).is_err() {
            tracing::error!("the index is no longer fed; logs are read from the journal");
        }
    }
}

/// Follows what others append, and notes whether the servers answer.
fn follow(shared: &Shared, to_writer: &mpsc::Sender<Work>, is_closed: &AtomicBool) {
    let take_in = || {
        let (tell, told) = mpsc::channel();
        // If the writer is gone, nothing is taken in any more.
        let _ = to_writer.send(Work::TakeIn(tell));
        told.recv().unwrap_or(Ok(()))
    };
    while !is_closed.load(Ordering::Acquire) {
        let followed = shared.journal().follow().map_err(ReadError::from);
        let followed = followed.and_then(|()| if shared.behind() > 0 { take_in() } else { Ok(()) });
        let interval = if followed.is_ok() { FOLLOW_INTERVAL } else { AWAY_INTERVAL };
        shared.set_away(followed.err().map(|why| why.to_string()));
        thread::sleep(interval);
    }
}

/// The requests that are written together, at most one per log.
#[derive(Default)]
struct Group {
    accepted: Vec<Request>,
    events: usize,
    bytes: usize,
}

impl Group {
    /// Decides on requests. Answers those that are refused or were written before, and returns those that
    /// have to wait for this group.
    fn take_from(&mut self, requests: Vec<Request>, shared: &Shared) -> Vec<Request> {
        let (mut logs, mut keys) = (HashSet::new(), HashSet::new());
        let mut later = Vec::new();
        for request in requests {
            let of_request = || request.parts.iter().map(|part| part.log);
            let key = request.once.map(|request| request.key);
            let (bytes, max) = (request.bytes(), shared.journal().append_bytes_max());
            let is_full = self.events >= GROUP_EVENTS || self.bytes > 0 && self.bytes + bytes > max;
            let is_taken = |key| keys.contains(&key);
            if is_full || of_request().any(|log| logs.contains(&log)) || key.is_some_and(is_taken) {
                logs.extend(of_request());
                keys.extend(key);
                later.push(request);
                continue;
            }
            match decide(&request, shared) {
                Decision::Write if bytes > max => request.waiter.answer(Err(AppendError::TooLarge { bytes, max })),
                Decision::Write => {
                    logs.extend(of_request());
                    keys.extend(key);
                    self.events += request.entries().count();
                    self.bytes += bytes;
                    self.accepted.push(request);
                }
                Decision::Answer(answer) => request.waiter.answer(answer),
            }
        }
        later
    }

    /// Writes the group, answers its appends, and returns what was written; or the requests, if others were first.
    fn commit(mut self, shared: &Shared) -> Result<Vec<Entry>, Vec<Request>> {
        if self.accepted.is_empty() {
            return Ok(Vec::new());
        }
        let entries = self.accepted.iter().flat_map(Request::entries);
        let events: Vec<EventBytes> = entries.map(|entry| entry.bytes.clone()).collect();
        let mut position = shared.state().len();
        self.set_written(true);
        match shared.write(&events) {
            Ok(()) => {}
            Err(JournalError::Conflict { at, len }) if len > at => {
                self.set_written(false);
                return Err(self.accepted);
            }
            Err(JournalError::Pending) => return Ok(self.refuse(|| AppendError::Away)),
            Err(JournalError::TooLarge { bytes, max }) => {
                return Ok(self.refuse(|| AppendError::TooLarge { bytes, max }));
            }
            Err(_) => {
                // Dropping a request answers it.
                drop(self.accepted);
                return Ok(Vec::new());
            }
        }
        let mut entries = Vec::with_capacity(self.events);
        let mut answers = Vec::with_capacity(self.accepted.len());
        for request in self.accepted {
            let mut answer = Vec::with_capacity(request.parts.len());
            for part in request.parts {
                let first = position;
                for mut entry in part.entries {
                    entry.position = position;
                    position += 1;
                    entries.push(entry);
                }
                answer.push(appended(first, entries.last().expect("just pushed")));
            }
            answers.push((request.waiter, answer));
        }
        shared.publish(&entries);
        for (waiter, answer) in answers {
            waiter.answer(Ok(answer));
        }
        Ok(entries)
    }

    /// Answers all appends, of which nothing was written.
    fn refuse(self, why: impl Fn() -> AppendError) -> Vec<Entry> {
        self.accepted.into_iter().for_each(|request| request.waiter.answer(Err(why())));
        Vec::new()
    }

    fn set_written(&mut self, is_written: bool) {
        self.accepted.iter_mut().for_each(|request| request.waiter.set_written(is_written));
    }
}

enum Decision {
    Write,
    Answer(Result<Vec<Appended>, AppendError>),
}

fn decide(request: &Request, shared: &Shared) -> Decision {
    if let Some(why) = shared.refusal() {
        return Decision::Answer(Err(why));
    }
    match request.parts.iter().find_map(|part| conflict(part, shared)) {
        Some(why @ AppendError::Conflict { .. }) => {
            let answers = request.parts.iter().map(|part| first_answer(part, shared)).collect::<Option<_>>();
            Decision::Answer(answers.ok_or(why))
        }
        Some(why) => Decision::Answer(Err(why)),
        None => match request.once.map(|once| shared.written_by(&once)) {
            None | Some(Ok(None)) => Decision::Write,
            Some(Ok(Some(_))) => Decision::Answer(Err(AppendError::Repeated)),
            Some(Err(why)) => Decision::Answer(Err(why.into())),
        },
    }
}

/// Why an append does not follow the head of its log.
fn conflict(part: &Part, shared: &Shared) -> Option<AppendError> {
    let head = match shared.head(part.log) {
        Ok(head) => head,
        Err(why) => return Some(why.into()),
    };
    if head.map(|head| (head.seq, head.hash)) != part.expected.map(|head| (head.seq, head.hash)) {
        return Some(AppendError::Conflict { log: part.log, head });
    }
    let is_early = head.is_some_and(|head| part.at() < head.at);
    is_early.then(|| ChainError::Time { seq: part.entries[0].seq }.into())
}

/// The answer that the same append got before, if the log already contains it. Comparing the last event is
/// enough, since its hash depends on all events before it.
fn first_answer(part: &Part, shared: &Shared) -> Option<Appended> {
    let last = part.entries.last().expect("an append has events");
    if shared.head(part.log).ok()??.seq < last.seq {
        return None;
    }
    let found = shared.read(part.log, part.entries[0].seq).ok()?;
    let again = found.get(part.entries.len() - 1)?;
    (again.hash == last.hash).then(|| appended(found[0].position, again))
}

fn appended(position: u64, last: &Entry) -> Appended {
    Appended { head: Head::of(last), position }
}

/// Feeds the index until the writer stops.
fn index_all(shared: &Shared, from_writer: &mpsc::Receiver<Vec<Entry>>) {
    // Those that could not be added stay for the next time.
    let mut entries = Vec::new();
    while let Ok(more) = from_writer.recv() {
        entries.extend(more);
        thread::sleep(INDEX_PAUSE);
        while entries.len() < INDEX_EVENTS_MAX
            && let Ok(more) = from_writer.try_recv()
        {
            entries.extend(more);
        }
        match shared.index(&entries) {
            Ok(()) => entries.clear(),
            Err(why) => tracing::error!(%why, "events stay in memory until they can be indexed"),
        }
    }
}
