//! The guarantees of every journal.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::thread;
use std::time::Duration;

use plybook_events::chain::{Chain, ChainError};
use plybook_events::{Event, Hash, RequestId};
use plybook_store::{
    Append, AppendError, Appended, EventBytes, FileJournal, Journal, JournalError, MemoryJournal, Store,
};

use crate::support::{House, all_logs, event, events, log_id, push};

#[test]
fn an_append_is_there_when_it_returns_and_after_reopening() {
    for house in House::all() {
        let store = house.open();
        let log = log_id(1);
        assert_eq!(store.log().head(log), None);
        assert!(store.log().is_empty());
        let batch = events(log, None, &["a", "b", "c"]);
        let appended = store.log().append(log, None, batch.clone()).unwrap();
        assert_eq!((appended.position, appended.head.seq()), (0, 2));
        let next = push(&store, log, "d");
        assert_eq!(next.seq(), 3);
        let before = all_logs(&store);
        assert_eq!(before[0].1[..3], batch);
        drop(store);
        let store = house.open();
        assert_eq!(all_logs(&store), before);
        assert_eq!(store.log().head(log), Some(next));
        assert_eq!(push(&store, log, "e").seq(), 4);
    }
}

#[test]
fn a_batch_with_one_bad_event_writes_none() {
    for house in House::all() {
        let store = house.open();
        let log = log_id(1);
        push(&store, log, "a");
        let head = store.log().head(log);
        let good = events(log, head.as_ref(), &["b", "c", "d"]);
        for bad in 0..3 {
            let mut batch = good.clone();
            let last = batch[bad].len() - 30;
            batch[bad][last] ^= 1;
            let refused = store.log().append(log, head.as_ref(), batch);
            assert!(matches!(refused, Err(AppendError::Invalid(_))), "{refused:?}");
        }
        let other = store.log().append(log_id(2), None, good.clone());
        assert!(matches!(other, Err(AppendError::Invalid(_))), "{other:?}");
        assert!(matches!(store.log().append(log, None, Vec::new()), Err(AppendError::Empty)));
        assert_eq!((store.log().len(), store.log().head(log)), (1, head));
        store.log().append(log, head.as_ref(), good).unwrap();
        assert_eq!(store.log().len(), 4);
    }
}

#[test]
fn time_does_not_go_back_between_appends() {
    for house in House::all() {
        let store = house.open();
        let log = log_id(1);
        push(&store, log, "a");
        let head = store.log().head(log);
        let text = String::from_utf8(event(log, head.as_ref(), "b")).unwrap();
        let early = text.replacen("{\"at\":\"2", "{\"at\":\"1", 1).into_bytes();
        let refused = store.log().append(log, head.as_ref(), vec![early]);
        assert!(matches!(refused, Err(AppendError::Invalid(ChainError::Time { seq: 1 }))), "{refused:?}");
        assert_eq!(store.log().len(), 1);
    }
}

#[test]
fn one_append_wins_a_head() {
    const THREADS: usize = 8;
    for house in House::all() {
        let store = house.open();
        let log = log_id(1);
        for round in 0..40 {
            let head = store.log().head(log);
            let start = Barrier::new(THREADS);
            let results: Vec<_> = thread::scope(|scope| {
                let run = |n: usize| {
                    let bytes = event(log, head.as_ref(), &format!("{round} {n}"));
                    let (store, start) = (&store, &start);
                    scope.spawn(move || {
                        start.wait();
                        store.log().append(log, head.as_ref(), vec![bytes])
                    })
                };
                let threads: Vec<_> = (0..THREADS).map(run).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            let won: Vec<_> = results.iter().flatten().collect();
            assert_eq!(won.len(), 1, "round {round}");
            for lost in results.iter().filter_map(|result| result.as_ref().err()) {
                let AppendError::Conflict { head, .. } = lost else { panic!("{lost:?}") };
                assert_eq!(*head, Some(won[0].head));
            }
        }
        assert_eq!(store.log().len(), 40);
        all_logs(&store);
    }
}

/// Appends to two new logs and to an existing one.
fn three(store: &Store, what: &str) -> Vec<Append> {
    let append = |n| {
        let (log, expected) = (log_id(n), store.log().head(log_id(n)));
        Append { log, expected, events: events(log, expected.as_ref(), &[what, "more"]) }
    };
    [1, 2, 3].map(append).into()
}

#[test]
fn appends_to_several_logs_are_all_or_none() {
    for house in House::all() {
        let store = house.open();
        push(&store, log_id(2), "a");
        let together = three(&store, "b");
        let heads = store.log().append_together(&together).unwrap();
        assert_eq!(heads.iter().map(|appended| appended.position).collect::<Vec<_>>(), [1, 3, 5]);
        assert_eq!(heads.iter().map(|appended| appended.head.seq()).collect::<Vec<_>>(), [1, 2, 1]);
        assert_eq!(store.log().append_together(&together).unwrap(), heads, "a retry");
        // One of the three logs moves on; the others are left alone, and the conflict names it.
        let stale = three(&store, "c");
        let head = push(&store, log_id(3), "d");
        let refused = store.log().append_together(&stale).unwrap_err();
        let AppendError::Conflict { log, head: found } = refused else { panic!("{refused:?}") };
        assert_eq!((log, found), (log_id(3), Some(head)));
        // An append that is already there, together with one that is not, is not a retry.
        let half = [together[0].clone(), three(&store, "e").remove(1)];
        assert!(matches!(store.log().append_together(&half), Err(AppendError::Conflict { .. })));
        assert_eq!((store.log().len(), store.log().logs_len()), (8, 3));
        drop(store);
        let store = house.open();
        all_logs(&store);
        assert_eq!((store.log().len(), store.log().head(log_id(3))), (8, Some(head)));
    }
}

/// A log that diverged, for instance before the journal was restored from a copy.
#[test]
fn a_head_with_another_hash_is_a_conflict() {
    let (here, elsewhere) = (Store::in_memory().unwrap(), Store::in_memory().unwrap());
    let head = push(&here, log_id(1), "a");
    let other = push(&elsewhere, log_id(1), "b");
    let refused = here.log().append(log_id(1), Some(&other), vec![event(log_id(1), Some(&other), "c")]).unwrap_err();
    let AppendError::Conflict { head: found, .. } = refused else { panic!("{refused:?}") };
    assert_eq!(found, Some(head));
    assert_eq!(here.log().len(), 1);
}

#[test]
fn appends_written_together_are_each_to_another_log() {
    let store = Store::in_memory().unwrap();
    let twice = [three(&store, "a").remove(0), three(&store, "b").remove(0)];
    assert!(matches!(store.log().append_together(&twice), Err(AppendError::Twice(log)) if log == log_id(1)));
    assert!(matches!(store.log().append_together(&[]), Err(AppendError::Empty)));
    let mut bad = three(&store, "c");
    bad[2].events[0][30] ^= 1;
    assert!(matches!(store.log().append_together(&bad), Err(AppendError::Invalid(_))));
    assert!(store.log().is_empty());
}

/// Writers to the same two logs take turns, and neither log gets only one half.
#[test]
fn one_of_many_that_append_together_wins() {
    const THREADS: usize = 8;
    for house in House::all() {
        let store = house.open();
        for round in 0..20 {
            let start = Barrier::new(THREADS);
            let won: usize = thread::scope(|scope| {
                let run = |n: usize| {
                    let mut both = three(&store, &format!("{round} {n}"));
                    // Some name the logs in another order.
                    both.rotate_left(n % 3);
                    let (store, start) = (&store, &start);
                    scope.spawn(move || {
                        start.wait();
                        usize::from(store.log().append_together(&both).is_ok())
                    })
                };
                let threads: Vec<_> = (0..THREADS).map(run).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).sum()
            });
            assert_eq!(won, 1, "round {round}");
        }
        assert_eq!(store.log().len(), 20 * 6);
        all_logs(&store);
    }
}

/// Appends an event that carries a request to a log.
fn push_once(store: &Store, log: u64, request: RequestId) -> Result<Appended, AppendError> {
    store.log().append_once(request, &[carrying(store, log, request)]).map(|appended| appended[0])
}

fn carrying(store: &Store, log: u64, request: RequestId) -> Append {
    let (log, expected) = (log_id(log), store.log().head(log_id(log)));
    let event = Event { request: Some(request), ..Event::parse(&event(log, expected.as_ref(), "once")).unwrap() };
    Append { log, expected, events: vec![event.to_bytes().unwrap()] }
}

#[test]
fn a_request_is_carried_out_once() {
    let request = |key: &str, content: &str| RequestId::new(&Hash::ZERO, key, content.as_bytes());
    let (one, same_key, other) = (request("one", "a"), request("one", "b"), request("other", "a"));
    for house in House::all() {
        let store = house.open();
        push(&store, log_id(1), "a");
        let first = push_once(&store, 1, one).unwrap();
        let is_first = |store: &Store| {
            for request in [one, same_key] {
                let found = store.log().written_by(&request).unwrap().unwrap();
                assert_eq!((found.log, found.seq, found.position), (log_id(1), 1, first.position));
                // Whatever log it is sent for.
                for log in [1, 2] {
                    assert!(matches!(push_once(store, log, request), Err(AppendError::Repeated)));
                }
            }
            assert!(store.log().written_by(&other).unwrap().is_none());
        };
        is_first(&store);
        // What is imported may carry anything; the first counts.
        let imported = carrying(&store, 3, one);
        store.log().append_together(std::slice::from_ref(&imported)).unwrap();
        is_first(&store);
        drop(store);
        is_first(&house.open());
        if let House::File(dir) = &house {
            std::fs::remove_dir_all(dir.path().join("sled")).unwrap();
            is_first(&house.open());
        }
        let store = house.open();
        assert_eq!(store.log().append_together(&[imported]).unwrap()[0].head.seq(), 0, "a retry");
        push_once(&store, 2, other).unwrap();
        assert_eq!(store.log().len(), 4);
    }
}

#[test]
fn one_of_many_equal_requests_is_carried_out() {
    const THREADS: u64 = 8;
    for house in House::all() {
        let store = house.open();
        for round in 0..20 {
            let (request, start) =
                (RequestId::new(&Hash::ZERO, &round.to_string(), b""), Barrier::new(THREADS as usize));
            let won = thread::scope(|scope| {
                let run = |n| {
                    let (store, start) = (&store, &start);
                    scope.spawn(move || {
                        start.wait();
                        push_once(store, n, request).is_ok()
                    })
                };
                // Each to a log of its own, so that no head tells that they are the same.
                let threads: Vec<_> = (0..THREADS).map(run).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).filter(|won| *won).count()
            });
            assert_eq!(won, 1, "round {round}");
        }
    }
}

#[test]
fn a_retry_gets_the_first_answer_and_writes_nothing() {
    for house in House::all() {
        let store = house.open();
        let log = log_id(1);
        push(&store, log_id(2), "elsewhere");
        let first = events(log, None, &["a", "b"]);
        let answer = store.log().append(log, None, first.clone()).unwrap();
        let retry = |store: &Store| store.log().append(log, None, first.clone()).unwrap();
        assert_eq!(retry(&store), answer);
        push(&store, log, "c");
        assert_eq!(retry(&store), answer);
        assert_eq!(store.log().len(), 4);
        let other = store.log().append(log, None, events(log, None, &["a", "x"]));
        assert!(matches!(other, Err(AppendError::Conflict { .. })), "{other:?}");
        let longer = events(log, None, &["a", "b", "c", "d"]);
        let longer = store.log().append(log, None, longer);
        assert!(matches!(longer, Err(AppendError::Conflict { .. })), "{longer:?}");
        drop(store);
        let store = house.open();
        assert_eq!(retry(&store), answer);
        assert_eq!(store.log().len(), 4);
    }
}

#[test]
fn the_same_append_from_many_threads_is_written_once() {
    for house in House::all() {
        let store = house.open();
        let log = log_id(1);
        let bytes = event(log, None, "a");
        let answers: Vec<_> = thread::scope(|scope| {
            let run = |_| scope.spawn(|| store.log().append(log, None, vec![bytes.clone()]));
            let threads: Vec<_> = (0..16).map(run).collect();
            threads.into_iter().map(|thread| thread.join().unwrap().unwrap()).collect()
        });
        assert!(answers.iter().all(|answer| *answer == answers[0]));
        assert_eq!(store.log().len(), 1);
    }
}

#[test]
fn reads_start_where_they_are_told() {
    for house in House::all() {
        let store = house.open();
        let log = log_id(1);
        let batch = events(log, None, &["a", "b", "c", "d"]);
        store.log().append(log, None, batch.clone()).unwrap();
        for from in 0..6 {
            let found = store.log().read(log, from).unwrap();
            let expected = batch.get(from as usize..).unwrap_or_default();
            assert!(found.iter().map(|b| &**b).eq(expected.iter().map(Vec::as_slice)), "{from}");
        }
        assert!(store.log().read(log_id(2), 0).unwrap().is_empty());
    }
}

#[test]
fn logs_are_paged_in_the_order_of_their_ids() {
    for house in House::all() {
        let store = house.open();
        let ids: Vec<_> = (0..200).map(|n| log_id(n * 7919 % 200)).collect();
        let appends: Vec<_> = ids
            .iter()
            .map(|log| Append { log: *log, expected: None, events: events(*log, None, &["a", "b"]) })
            .collect();
        let answers = store.log().append_many(&appends);
        for (answer, log) in answers.iter().zip(&ids) {
            assert_eq!(store.log().head(*log), Some(answer.as_ref().unwrap().head));
        }
        let mut sorted = ids.clone();
        sorted.sort();
        let mut found = Vec::new();
        loop {
            let page = store.log().logs_after(found.last().copied(), 33).unwrap();
            if page.is_empty() {
                break;
            }
            found.extend(page);
        }
        assert_eq!(found, sorted);
        all_logs(&store);
        let again = store.log().append_many(&appends);
        assert!(again.iter().zip(&answers).all(|(a, b)| a.as_ref().unwrap() == b.as_ref().unwrap()));
    }
}

#[test]
fn readers_and_watchers_see_every_event_once_and_in_order() {
    const WRITERS: u64 = 6;
    const EVENTS: u64 = 80;
    for house in House::all() {
        let store = house.open();
        push(&store, log_id(99), "before");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let watched_from = {
            let seen = Arc::clone(&seen);
            store.log().watch(move |entries| seen.lock().unwrap().extend_from_slice(entries))
        };
        assert_eq!(watched_from, 1);
        let total = 1 + WRITERS * EVENTS;
        let follow = |from: u64, limit: usize| {
            let mut entries = Vec::new();
            while (from + entries.len() as u64) < total {
                let batch = store.log().entries(from + entries.len() as u64, limit).unwrap();
                assert!(batch.len() <= limit);
                entries.extend(batch);
            }
            assert!(store.log().entries(total, limit).unwrap().is_empty());
            entries
        };
        let followed: Vec<_> = thread::scope(|scope| {
            let follow = |from, limit| scope.spawn(move || (from, follow(from, limit)));
            let followers = [follow(0, 1), follow(0, 7), follow(1, 1000), follow(50, 64)];
            for n in 0..WRITERS {
                let store = &store;
                scope.spawn(move || {
                    for seq in 0..EVENTS {
                        push(store, log_id(n), &format!("{n} {seq}"));
                    }
                });
            }
            followers.into_iter().map(|follower| follower.join().unwrap()).collect()
        });
        let all = &followed[0].1;
        for (position, entry) in all.iter().enumerate() {
            assert_eq!(entry.position, position as u64);
        }
        for (from, entries) in &followed {
            assert_eq!(*entries, all[*from as usize..]);
        }
        assert_eq!(*seen.lock().unwrap(), all[watched_from as usize..]);
        for n in 0..WRITERS {
            let mut chain = Chain::new(log_id(n));
            let of_log = all.iter().filter(|entry| entry.log == log_id(n));
            of_log.for_each(|entry| assert_eq!(chain.check(&entry.bytes).unwrap(), entry.hash));
            assert_eq!(chain.len(), EVENTS);
        }
    }
}

#[test]
fn a_watcher_that_panics_leaves_nobody_waiting() {
    for house in House::all() {
        let store = house.open();
        store.log().watch(|_| {
            // Meanwhile, the others queue up.
            thread::sleep(Duration::from_millis(50));
            panic!("on purpose");
        });
        let append = |n| store.log().append(log_id(n), None, vec![event(log_id(n), None, "a")]);
        let answers: Vec<_> = thread::scope(|scope| {
            let writers: Vec<_> = (0..50).map(|n| scope.spawn(move || append(n))).collect();
            writers.into_iter().map(|writer| writer.join().unwrap()).collect()
        });
        // Events written when it panicked are there; the later ones are not.
        let unknown = answers.iter().filter(|answer| matches!(answer, Err(AppendError::Unknown))).count();
        let refused = answers.iter().filter(|answer| matches!(answer, Err(AppendError::ReadOnly))).count();
        assert!(unknown > 0 && unknown + refused == 50, "{unknown} unknown, {refused} refused");
        assert_eq!(store.log().len(), unknown as u64);
        let late = store.log().append(log_id(99), None, vec![event(log_id(99), None, "a")]);
        assert!(matches!(late, Err(AppendError::ReadOnly)), "{late:?}");
        let (written, _) = all_logs(&store).remove(0);
        assert!(store.log().is_read_only());
        drop(store);
        assert_eq!(push(&house.open(), written, "b").seq(), 1);
    }
}

/// A journal whose appends fail from some moment on, as after a failed sync.
struct Failing {
    journal: Arc<dyn Journal>,
    fails: AtomicBool,
}

impl Journal for Failing {
    fn len(&self) -> u64 {
        self.journal.len()
    }

    fn append(&self, at: u64, events: &[EventBytes]) -> Result<(), JournalError> {
        if self.fails.load(Ordering::SeqCst) {
            return Err(JournalError::ReadOnly);
        }
        self.journal.append(at, events)
    }

    fn read(&self, from: u64, limit: usize) -> Result<Vec<EventBytes>, JournalError> {
        self.journal.read(from, limit)
    }
}

#[test]
fn after_a_failed_sync_it_reads_and_does_not_write_until_restart() {
    let dir = tempfile::tempdir().unwrap();
    let file = FileJournal::open(dir.path(), 20_000).unwrap();
    let journals: [Arc<dyn Journal>; 2] = [Arc::new(MemoryJournal::default()), Arc::new(file)];
    for journal in journals {
        let failing = Arc::new(Failing { journal: journal.clone(), fails: false.into() });
        let store = Store::over(failing.clone()).unwrap();
        let log = log_id(1);
        push(&store, log, "a");
        let head = push(&store, log, "b");
        let before = all_logs(&store);
        failing.fails.store(true, Ordering::SeqCst);
        let lost = event(log, Some(&head), "c");
        for (n, fails) in [true, true, false].into_iter().enumerate() {
            failing.fails.store(fails, Ordering::SeqCst);
            let refused = store.log().append(log, Some(&head), vec![lost.clone()]);
            // Only the append that failed may be on disk; the later ones are not.
            let is_unknown = matches!(refused, Err(AppendError::Unknown));
            assert!(is_unknown == (n == 0), "{refused:?}");
            assert!(is_unknown || matches!(refused, Err(AppendError::ReadOnly)), "{refused:?}");
            assert!(store.log().is_read_only());
            assert_eq!(all_logs(&store), before);
            assert_eq!(store.log().entries(0, 9).unwrap().len(), 2);
        }
        drop(store);
        let store = Store::over(journal).unwrap();
        store.log().append(log, Some(&head), vec![lost]).unwrap();
        assert_eq!(store.log().len(), 3);
    }
}

#[test]
fn whoever_writes_only_one_does_and_positions_have_no_gaps() {
    const WRITERS: u64 = 8;
    const EVENTS: usize = 100;
    for house in House::all() {
        let store = house.open();
        let (seen, positions) = mpsc::channel();
        store.log().watch(move |entries| entries.iter().for_each(|entry| seen.send(entry.position).unwrap()));
        thread::scope(|scope| {
            for n in 0..WRITERS {
                let store = &store;
                scope.spawn(move || {
                    for _ in 0..EVENTS {
                        push(store, log_id(n), "a");
                    }
                });
            }
        });
        let seen: Vec<u64> = positions.try_iter().collect();
        assert!(seen.iter().copied().eq(0..WRITERS * EVENTS as u64), "in the order of the journal");
    }
}
