//! A queue that is fair between clients.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// Work that waits for a worker. Clients take turns, and each client's work is done in the order in which it
/// arrived. At most `share` items of one client are in progress at once, so that others find a free worker.
pub(super) struct Queue<C, T> {
    lines: HashMap<C, Line<T>>,
    /// The clients that may be served, in order of their turns.
    turns: VecDeque<C>,
    share: usize,
}

/// The work of one client: waiting and in progress.
struct Line<T> {
    waiting: VecDeque<T>,
    running: usize,
    /// Whether the client is in the list of turns.
    has_turn: bool,
}

impl<C: Copy + Eq + Hash, T> Queue<C, T> {
    /// An empty queue.
    pub(super) fn new(share: usize) -> Self {
        Self { lines: HashMap::new(), turns: VecDeque::new(), share }
    }

    /// The number of a client's items that wait.
    pub(super) fn waiting(&self, client: C) -> usize {
        self.lines.get(&client).map_or(0, |line| line.waiting.len())
    }

    /// Adds an item to the end of its client's queue.
    pub(super) fn push(&mut self, client: C, work: T) {
        let line = self.lines.entry(client).or_insert(Line { waiting: VecDeque::new(), running: 0, has_turn: false });
        line.waiting.push_back(work);
        self.give_turn(client);
    }

    /// Takes the next item; [`done`](Self::done) must follow.
    pub(super) fn pop(&mut self) -> Option<(C, T)> {
        let client = self.turns.pop_front()?;
        let line = self.lines.get_mut(&client).expect("a client with a turn has a line");
        let work = line.waiting.pop_front().expect("a client with a turn has work");
        line.has_turn = false;
        line.running += 1;
        self.give_turn(client);
        Some((client, work))
    }

    /// Notes that an item of a client is done. Returns whether another one became available.
    pub(super) fn done(&mut self, client: C) -> bool {
        // If the client is unknown, the item was taken before the lane was closed.
        let Some(line) = self.lines.get_mut(&client) else { return false };
        line.running -= 1;
        if line.running == 0 && line.waiting.is_empty() {
            self.lines.remove(&client);
            return false;
        }
        self.give_turn(client)
    }

    fn give_turn(&mut self, client: C) -> bool {
        let line = self.lines.get_mut(&client).expect("it was just looked at");
        let is_due = !line.has_turn && !line.waiting.is_empty() && line.running < self.share;
        if is_due {
            line.has_turn = true;
            self.turns.push_back(client);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drain(queue: &mut Queue<char, u32>) -> Vec<(char, u32)> {
        std::iter::from_fn(|| {
            let next = queue.pop()?;
            queue.done(next.0);
            Some(next)
        })
        .collect()
    }

    #[test]
    fn clients_take_turns_and_each_is_served_in_order() {
        let mut queue = Queue::new(1);
        for n in 0..3 {
            queue.push('a', n);
        }
        queue.push('b', 10);
        queue.push('c', 20);
        queue.push('b', 11);
        let served = drain(&mut queue);
        assert_eq!(served, [('a', 0), ('b', 10), ('c', 20), ('a', 1), ('b', 11), ('a', 2)]);
        assert!(queue.lines.is_empty() && queue.turns.is_empty(), "nothing is kept of clients that have nothing left");
    }

    #[test]
    fn no_client_has_more_than_its_share_done_at_once() {
        let mut queue = Queue::new(2);
        for n in 0..4 {
            queue.push('a', n);
        }
        assert_eq!((queue.pop(), queue.pop(), queue.pop()), (Some(('a', 0)), Some(('a', 1)), None));
        queue.push('b', 10);
        assert_eq!(queue.pop(), Some(('b', 10)));
        assert_eq!(queue.waiting('a'), 2);
        assert!(queue.done('a'));
        assert_eq!((queue.pop(), queue.pop()), (Some(('a', 2)), None));
    }
}
