//! Work that is spread over the cores.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does some work for each item, on all cores; what comes of it stands in the order of the items.
pub(crate) fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return done };
            done.push((index, work(item)));
        }
    };
    let mut all: Vec<(usize, R)> = thread::scope(|scope| {
        let others: Vec<_> = (1..cores().min(items.len())).map(|_| scope.spawn(take)).collect();
        let own = take();
        let joined = others.into_iter().map(|other| other.join().expect("what it does does not panic"));
        own.into_iter().chain(joined.flatten()).collect()
    });
    all.sort_unstable_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, result)| result).collect()
}

/// How many threads run at once.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn results_stand_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..1_000).collect();
        assert_eq!(map(&items, |n| n * 2), (0..1_000).map(|n| n * 2).collect::<Vec<_>>());
        assert_eq!(map(&[] as &[u8], |n| *n), Vec::<u8>::new());
    }
}
