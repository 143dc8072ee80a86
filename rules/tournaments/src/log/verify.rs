//! Verifies a tournament's log: the chain, the fold, and every pairing, which is computed again.

use std::ops::ControlFlow;

use plybook_events::body::Paired;
use plybook_events::chain::Chain;
use plybook_events::{Body, Event, Hash, LogId};

use super::engine::engine_of;
use super::tournament::Tournament;

/// The result of verifying a tournament's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// The number of valid events before the first fault.
    pub events: u64,
    /// The hash of the last of them.
    pub head: Hash,
    /// The seq of the first event that is wrong, and the reason.
    pub fault: Option<(u64, String)>,
    /// The tournament up to that event; `None` if the first event is wrong.
    pub tournament: Option<Tournament>,
    /// The rounds that were not paired again because another version of the pairing system paired them.
    pub unchecked: Vec<u32>,
}

/// Verifies the exact bytes of a tournament's log. Rounds of more than `entrants_max` entrants are not paired
/// again.
pub fn verify<B: AsRef<[u8]>>(id: LogId, lines: &[B], entrants_max: usize) -> Verification {
    verify_while(id, lines, entrants_max, &|| true)
}

/// Like [`verify`], but asks before each event and each entrant that is paired whether to go on. If not, it stops, and the
/// result means nothing.
pub fn verify_while<B: AsRef<[u8]>>(
    id: LogId,
    lines: &[B],
    entrants_max: usize,
    goes_on: &dyn Fn() -> bool,
) -> Verification {
    let mut chain = Chain::new(id);
    let (mut tournament, mut unchecked) = (None, Vec::new());
    let again = Again { entrants_max, goes_on };
    for (seq, line) in (0_u64..).zip(lines) {
        let head = chain.head();
        if let Err(why) = check(&mut chain, line.as_ref(), &mut tournament, &again, &mut unchecked) {
            return Verification { events: seq, head, fault: Some((seq, why)), tournament, unchecked };
        }
    }
    let (events, head) = (lines.len() as u64, chain.head());
    let fault = lines.is_empty().then(|| (0, "it contains no event".to_owned()));
    Verification { events, head, fault, tournament, unchecked }
}

/// How rounds are paired again.
struct Again<'a> {
    entrants_max: usize,
    goes_on: &'a dyn Fn() -> bool,
}

/// Checks one event, and applies it.
fn check(
    chain: &mut Chain,
    line: &[u8],
    tournament: &mut Option<Tournament>,
    again: &Again<'_>,
    unchecked: &mut Vec<u32>,
) -> Result<(), String> {
    if !(again.goes_on)() {
        return Err("not verified any further".to_owned());
    }
    chain.check(line).map_err(|why| why.to_string())?;
    let event = Event::parse(line).map_err(|why| why.to_string())?;
    let Some(before) = tournament else {
        *tournament = Some(Tournament::begin(&event).map_err(|why| why.to_string())?);
        return Ok(());
    };
    if let Body::Paired(paired) = &event.body
        && !pair_again(before, paired, again).map_err(|why| format!("event {}: {why}", event.seq))?
    {
        unchecked.push(paired.round);
    }
    before.apply(&event).map_err(|why| why.to_string())
}

/// Pairs a round again; `false` if another version paired it, or it has too many entrants.
fn pair_again(before: &Tournament, paired: &Paired, again: &Again<'_>) -> Result<bool, String> {
    let Again { entrants_max, goes_on } = *again;
    let Some(engine) = &paired.engine else { return Ok(true) };
    let is_ours = engine_of(&before.rules.format) == Some((engine.name.as_str(), engine.version.as_str()));
    let input = before.pairing_input();
    if !is_ours || input.available.len() > entrants_max {
        return Ok(false);
    }
    if input.hash() != engine.input {
        return Err(format!("round {} was not paired from this tournament", paired.round));
    }
    let again =
        input.pair(&before.rules, &|_, _| if goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) });
    let again = again.map_err(|why| format!("round {}: {why}", paired.round))?;
    if again.paired == *paired {
        Ok(true)
    } else {
        Err(format!("round {} is paired otherwise by its system", paired.round))
    }
}
