//! Threads that let others go first.

use rustix::process::setpriority_process;

/// The lowest priority that a thread can have. It then has about a hundredth of a core that another one wants, and all of it
/// otherwise.
const LOWEST: i32 = 19;

/// Has the calling thread let all others go first: for work that can wait, and that nobody waits for.
pub fn let_others_go_first() {
    // Linux has a priority for each thread; without a process, it is that of the calling one.
    if let Err(why) = setpriority_process(None, LOWEST) {
        tracing::warn!(%why, "what can wait does not let others go first");
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use rustix::process::getpriority_process;

    use super::*;

    #[test]
    fn only_the_thread_that_asks_for_it_lets_others_go_first() {
        let own = || getpriority_process(None).unwrap();
        let before = own();
        let asked = thread::spawn(move || {
            let_others_go_first();
            own()
        });
        assert_eq!((asked.join().unwrap(), own()), (LOWEST, before));
    }
}
