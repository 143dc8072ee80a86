//! Threads that let others go first.

use rustix::process::setpriority_process;

/// The lowest priority that a thread can have. It then has about a hundredth of a core that another one wants, and all of it
/// otherwise.
const LOWEST: i32 = 19;

/// Gives the calling thread the lowest priority: for work in the background.
pub fn let_others_go_first() {
    // Linux has a priority for each thread; without a process, it is that of the calling one.
    if let Err(why) = setpriority_process(None, LOWEST) {
        tracing::warn!(%why, "what can wait does not let others go first");
    }
}

#[cfg(test)]
mod tests;
