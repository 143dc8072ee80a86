//! The order of the marks of imports: what was imported of one log, each event once.

use plybook_events::body::Imported;
use plybook_events::{Body, Event};

use super::order::Disorder;

/// The first event that cannot stand in a log of marks, with its seq.
pub(super) fn check_imports(events: &[Event]) -> Option<(u64, Disorder)> {
    let mut next = 0;
    events.iter().find_map(|event| match check(event, next) {
        Ok(imported) => {
            next = imported.last + 1;
            None
        }
        Err(why) => Some((event.seq, why)),
    })
}

/// Checks a mark; before `next`, everything was imported or recorded already.
fn check(event: &Event, next: u64) -> Result<&Imported, Disorder> {
    let what = event.body.type_name();
    let Body::Imported(imported) = &event.body else { return Err(Disorder::Foreign(what)) };
    event.check_author()?;
    if event.log != Imported::marks_of(imported.log) {
        return Err(Disorder::Place { what, why: "this log is for the imports of another one" });
    }
    if imported.first < next {
        return Err(Disorder::Place { what, why: "an event is imported once" });
    }
    Ok(imported)
}
