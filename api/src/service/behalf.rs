//! On whose behalf a thread writes. Writing takes no `await`, so it begins and ends on one thread; the dozens of
//! functions in between would only have passed the person on.

use std::cell::Cell;

use plybook_events::Who;

thread_local! {
    static PERSON: Cell<Option<Who>> = const { Cell::new(None) };
}

/// Puts back who it was, after a panic too.
struct Restore(Option<Who>);

impl Drop for Restore {
    fn drop(&mut self) {
        PERSON.set(self.0);
    }
}

/// Does something on behalf of a person: the events that this thread writes meanwhile name them as `who`.
pub fn on_behalf_of<T>(who: Option<Who>, change: impl FnOnce() -> T) -> T {
    let _restore = Restore(PERSON.replace(who));
    change()
}

/// The person on whose behalf this thread writes.
pub(super) fn person() -> Option<Who> {
    PERSON.get()
}
