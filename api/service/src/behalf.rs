//! On whose behalf a thread writes, and what that person signed. Writing takes no `await`, so it begins and ends on one
//! thread; the dozens of functions in between would only have passed the person on.

use std::cell::Cell;

use plybook_events::{Hash, Signature, Who};

/// What somebody signed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Signing {
    /// The signature of the event that is to be recorded.
    pub signature: Option<Signature>,
    /// The salt of what the event seals, if it does: its commitment is what was signed.
    pub salt: Option<Hash>,
}

#[derive(Clone, Copy, Default)]
struct Behalf {
    who: Option<Who>,
    signing: Signing,
}

thread_local! {
    static BEHALF: Cell<Behalf> = const { Cell::new(Behalf { who: None, signing: Signing { signature: None, salt: None } }) };
}

/// Puts back who it was, after a panic too.
struct Restore(Behalf);

impl Drop for Restore {
    fn drop(&mut self) {
        BEHALF.set(self.0);
    }
}

/// Does something on behalf of a person: the events that this thread writes meanwhile name them as `who`.
pub fn on_behalf_of<T>(who: Option<Who>, change: impl FnOnce() -> T) -> T {
    let _restore = Restore(BEHALF.replace(Behalf { who, signing: Signing::default() }));
    change()
}

/// Does something that the person signed: the first event of a game that this thread writes meanwhile, and that somebody
/// does, carries the signature.
pub fn with_signing<T>(signing: Signing, change: impl FnOnce() -> T) -> T {
    let _restore = Restore(BEHALF.replace(Behalf { signing, ..BEHALF.get() }));
    change()
}

/// The person on whose behalf this thread writes.
pub(super) fn person() -> Option<Who> {
    BEHALF.get().who
}

/// What that person signed.
pub fn signing() -> Signing {
    BEHALF.get().signing
}
