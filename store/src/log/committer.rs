//! The only writer. Whoever holds it takes all waiting appends, checks which of them follow the heads of their logs,
//! writes those together, and answers once they are durable. A caller who waits anyway, and finds nobody writing, does
//! that on its own thread; otherwise the writer's thread does. A second thread feeds the index behind it.

use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, JoinHandle};

use plybook_events::chain::ChainError;

use super::request::{Part, Request};
use super::{AppendError, Appended, Head, Saver, Shared};
use crate::{Entry, EventBytes};

/// The size at which a group is written. Only a single large append can exceed it by much.
const GROUP_EVENTS: usize = 512;
/// How many groups the index may lag behind before the writer waits for it.
const INDEX_LAG_GROUPS: usize = 256;
/// The most events that are indexed at once.
const INDEX_EVENTS_MAX: usize = 1024;

/// The writer and the threads of the writer and the index. Dropping it writes what is waiting and stops both threads.
pub(super) struct Committer {
    shared: Arc<Shared>,
    queue: Arc<Queue>,
    threads: Vec<JoinHandle<()>>,
}

/// The appends that wait for the writer.
struct Queue {
    waiting: Mutex<Waiting>,
    /// There is something for the writer's thread to do, or to do again.
    changed: Condvar,
}

struct Waiting {
    requests: Vec<Request>,
    /// `None` while somebody is writing.
    writer: Option<Writer>,
    is_closed: bool,
}

/// The right to write. There is one for each log, so its owner is the only one who writes.
struct Writer {
    to_index: mpsc::SyncSender<Vec<Entry>>,
}

impl Committer {
    pub(super) fn start(shared: Shared, saver: Option<Saver>) -> Self {
        let shared = Arc::new(shared);
        let (to_index, from_writer) = mpsc::sync_channel(INDEX_LAG_GROUPS);
        let queue = Arc::new(Queue::new(Writer { to_index }));
        let writer = {
            let (shared, queue) = (Arc::clone(&shared), Arc::clone(&queue));
            spawn("journal", move || {
                while let Some((writer, requests)) = queue.take() {
                    queue.write(writer, requests, &shared);
                }
            })
        };
        let indexer = {
            let shared = Arc::clone(&shared);
            spawn("index", move || index_all(&shared, &from_writer, saver))
        };
        Self { shared, queue, threads: vec![writer, indexer] }
    }

    pub(super) fn shared(&self) -> &Shared {
        &self.shared
    }

    /// Leaves requests to the writer's thread, in order.
    pub(super) fn push(&self, requests: impl IntoIterator<Item = Request>) {
        self.queue.push(requests.into_iter().collect());
    }

    /// Writes requests, in order: at once on this thread if nobody is writing, otherwise the writer's thread will.
    pub(super) fn write(&self, requests: impl IntoIterator<Item = Request>) {
        let requests = requests.into_iter().collect();
        match self.queue.take_idle() {
            Some(writer) => self.queue.write(writer, requests, &self.shared),
            None => self.queue.push(requests),
        }
    }
}

impl Drop for Committer {
    fn drop(&mut self) {
        self.queue.close();
        for thread in self.threads.drain(..) {
            // The last log may be dropped on the writer's own thread, by an answer. The thread cannot join
            // itself; it ends when it finds the queue closed.
            if thread.thread().id() != thread::current().id() && thread.join().is_err() {
                tracing::error!("a thread of the store panicked");
            }
        }
    }
}

impl Queue {
    fn new(writer: Writer) -> Self {
        let waiting = Waiting { requests: Vec::new(), writer: Some(writer), is_closed: false };
        Self { waiting: Mutex::new(waiting), changed: Condvar::new() }
    }

    fn push(&self, requests: Vec<Request>) {
        let mut waiting = self.waiting();
        if waiting.is_closed {
            // Dropping a request answers it.
            drop(waiting);
            drop(requests);
            return;
        }
        waiting.requests.extend(requests);
        drop(waiting);
        self.changed.notify_one();
    }

    fn close(&self) {
        self.waiting().is_closed = true;
        self.changed.notify_one();
    }

    /// The writer, if nothing is being written or waiting.
    fn take_idle(&self) -> Option<Writer> {
        let mut waiting = self.waiting();
        if waiting.is_closed || !waiting.requests.is_empty() { None } else { waiting.writer.take() }
    }

    /// The writer and all waiting requests; blocks until nobody is writing and there is one. `None` once the queue is
    /// closed and empty; then there is no writer any more.
    fn take(&self) -> Option<(Writer, Vec<Request>)> {
        let waiting = self.waiting();
        let idle =
            |waiting: &mut Waiting| waiting.writer.is_none() || waiting.requests.is_empty() && !waiting.is_closed;
        let waited = self.changed.wait_while(waiting, idle);
        let mut waiting = waited.unwrap_or_else(PoisonError::into_inner);
        let writer = waiting.writer.take().expect("this is what was waited for");
        let requests = std::mem::take(&mut waiting.requests);
        if requests.is_empty() { None } else { Some((writer, requests)) }
    }

    /// Writes requests and gives the writer back. If a watcher panics, nothing more is written. Nobody is left waiting,
    /// since dropping a request answers it.
    fn write(&self, writer: Writer, requests: Vec<Request>, shared: &Shared) {
        let writing = AssertUnwindSafe(|| writer.write(requests, shared));
        let has_panicked = catch_unwind(writing).is_err();
        if has_panicked {
            tracing::error!("the writer panicked: read-only until restart");
            shared.stop_writing();
        }
        let mut waiting = self.waiting();
        waiting.writer = Some(writer);
        waiting.is_closed |= has_panicked;
        let is_waited_for = waiting.is_closed || !waiting.requests.is_empty();
        drop(waiting);
        if is_waited_for {
            self.changed.notify_one();
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    let builder = thread::Builder::new().name(format!("plybook-{name}"));
    builder.spawn(run).expect("a process can start a thread")
}

impl Writer {
    fn write(&self, mut requests: Vec<Request>, shared: &Shared) {
        while !requests.is_empty() {
            let mut group = Group::default();
            requests = group.take_from(requests, shared);
            let entries = group.commit(shared);
            if !entries.is_empty() && self.to_index.send(entries).is_err() {
                tracing::error!("the index is no longer fed; logs are read from the journal");
            }
        }
    }
}

/// The requests that are written together, at most one per log.
#[derive(Default)]
struct Group {
    accepted: Vec<Request>,
    events: usize,
}

impl Group {
    /// Decides on requests. Answers those that are refused or were written before, and returns those that
    /// have to wait for this group.
    fn take_from(&mut self, requests: Vec<Request>, shared: &Shared) -> Vec<Request> {
        let mut logs = HashSet::new();
        let mut later = Vec::new();
        for request in requests {
            let of_request = || request.parts.iter().map(|part| part.log);
            if self.events >= GROUP_EVENTS || of_request().any(|log| logs.contains(&log)) {
                logs.extend(of_request());
                later.push(request);
                continue;
            }
            match decide(&request, shared) {
                Decision::Write => {
                    logs.extend(of_request());
                    self.events += request.parts.iter().map(|part| part.entries.len()).sum::<usize>();
                    self.accepted.push(request);
                }
                Decision::Answer(answer) => request.waiter.answer(answer),
            }
        }
        later
    }

    /// Writes the group, answers its appends, and returns what was written.
    fn commit(mut self, shared: &Shared) -> Vec<Entry> {
        if self.accepted.is_empty() {
            return Vec::new();
        }
        self.accepted.iter_mut().for_each(|request| request.waiter.begin_writing());
        let parts = self.accepted.iter().flat_map(|request| &request.parts);
        let events: Vec<EventBytes> = parts.flat_map(|part| &part.entries).map(|entry| entry.bytes.clone()).collect();
        let mut position = shared.state().len();
        if shared.write(&events).is_err() {
            // Dropping a request answers it.
            drop(self.accepted);
            return Vec::new();
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
        entries
    }
}

enum Decision {
    Write,
    Answer(Result<Vec<Appended>, AppendError>),
}

fn decide(request: &Request, shared: &Shared) -> Decision {
    if shared.is_read_only() {
        return Decision::Answer(Err(AppendError::ReadOnly));
    }
    match request.parts.iter().find_map(|part| conflict(part, shared)) {
        Some(why @ AppendError::Conflict { .. }) => {
            let answers = request.parts.iter().map(|part| first_answer(part, shared)).collect::<Option<_>>();
            Decision::Answer(answers.ok_or(why))
        }
        Some(why) => Decision::Answer(Err(why)),
        None => Decision::Write,
    }
}

/// Why an append does not follow the end of its log.
fn conflict(part: &Part, shared: &Shared) -> Option<AppendError> {
    let (head, last_at) = {
        let state = shared.state();
        (state.head(part.log), state.last_at(part.log))
    };
    if head.map(|head| (head.seq, head.hash)) != part.expected.map(|head| (head.seq, head.hash)) {
        return Some(AppendError::Conflict { log: part.log, head });
    }
    let is_early = last_at.is_some_and(|last_at| part.at() < last_at);
    is_early.then(|| ChainError::Time { seq: part.entries[0].seq }.into())
}

/// The answer that the same append got before, if the log already contains it. Comparing the last event is
/// enough, since its hash depends on all events before it.
fn first_answer(part: &Part, shared: &Shared) -> Option<Appended> {
    let last = part.entries.last().expect("an append has events");
    if shared.state().head(part.log)?.seq < last.seq {
        return None;
    }
    let found = shared.read(part.log, part.entries[0].seq).ok()?;
    let again = found.get(part.entries.len() - 1)?;
    (again.hash == last.hash).then(|| appended(found[0].position, again))
}

fn appended(position: u64, last: &Entry) -> Appended {
    let head = Head { seq: last.seq, hash: last.hash, position: last.position };
    Appended { head, position }
}

/// Feeds the index until the writer stops, and keeps the ends of logs.
fn index_all(shared: &Shared, from_writer: &mpsc::Receiver<Vec<Entry>>, mut saver: Option<Saver>) {
    loop {
        if let Some(saver) = saver.as_mut().filter(|saver| saver.is_due(shared)) {
            saver.save(shared);
        }
        let Ok(mut entries) = from_writer.recv() else { break };
        while entries.len() < INDEX_EVENTS_MAX
            && let Ok(more) = from_writer.try_recv()
        {
            entries.extend(more);
        }
        shared.index(&entries);
    }
    if let Some(mut saver) = saver {
        saver.save(shared);
    }
}
