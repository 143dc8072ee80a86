//! The option `repetition`: games end as soon as a position has come up often enough, and not before.

use std::collections::BTreeMap;

use plybook_rules::{Rules, Viewer};

use crate::data::Failure;
use crate::numbers::{self, Numbers, PLIES};

/// How often positions may come up.
const TIMES: u32 = 2;

/// Plays random games; the number of those that ended by repetition.
pub fn check(rules: &dyn Rules) -> Result<u64, Failure> {
    (0..numbers::games()).map(|number| game(rules, number)).sum()
}

fn game(rules: &dyn Rules, number: u64) -> Result<u64, Failure> {
    let mut numbers = Numbers::new("repetition", rules.about().kind, number);
    let mut setup = numbers::setup(rules, number, &mut numbers)?;
    setup["repetition"] = TIMES.into();
    if rules.complete(&setup, &mut |_| 0).as_ref() != Ok(&setup) {
        return Err(format!("completing {setup} again changes it"));
    }
    let mut position = rules.start(&setup).map_err(|why| format!("complete setup {setup}: {why}"))?;
    let mut seen = BTreeMap::from([(position.to_json(Viewer::All).to_string(), 1)]);
    for ply in 0..PLIES {
        let Some(actor) = numbers.actor(position.as_ref()) else { return Ok(0) };
        // Now and then back to where the game was before, as random play seldom goes there.
        let back = position.legal(actor).into_iter().flatten().find(|action| {
            let mut next = position.boxed();
            next.act(actor, action).is_ok() && seen.contains_key(&next.to_json(Viewer::All).to_string())
        });
        let action = back.unwrap_or_else(|| numbers.action(position.as_ref(), actor));
        position.act(actor, &action).map_err(|why| format!("setup {setup}, ply {ply}: {action} is refused: {why}"))?;
        let count = seen.entry(position.to_json(Viewer::All).to_string()).or_insert(0);
        *count += 1;
        let is_repeated = *count == TIMES;
        let reason = position.outcome().map(|outcome| outcome.reason);
        match reason.as_deref() {
            None if !is_repeated => {}
            Some("repetition") if is_repeated && position.to_act().is_empty() => return Ok(1),
            Some(reason) if reason != "repetition" => return Ok(0),
            _ => {
                let json = position.to_json(Viewer::All);
                return Err(format!(
                    "setup {setup}, ply {ply}: {json} came up {count} times, and the end is {reason:?}"
                ));
            }
        }
    }
    Ok(0)
}
