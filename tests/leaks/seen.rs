//! What a viewer sees of a game, below the API.

use plybook_api::load::Meter;
use plybook_events::{Actor, canonical};
use plybook_rules::Viewer;
use plybook_rules::log::Replay;
use plybook_tests_rules::numbers::Numbers;

use crate::pair::Pair;
use crate::side::Side;
use crate::{Failure, same};

/// The number of seats that view one pair.
const SEATS: usize = 3;

/// The number of plies examined after the first difference.
const PLIES: usize = 4;

/// Compares what the public, and some seats that may not know the secret, see of both games.
pub(crate) fn compare(pair: &Pair, sides: &[Side; 2]) -> Result<(), Failure> {
    let replays = sides.each_ref().map(Side::replay);
    let told = [0, 1].map(|side| {
        let replay = &replays[side];
        let (placeholders, service) = (sides[side].placeholders(), &sides[side].service);
        let lines = service.log().read(replay.log(), 0).expect("the log can be read");
        let log: String = lines.iter().map(|line| String::from_utf8_lossy(line).into_owned() + "\n").collect();
        let record =
            service.record_pieces(replay, None, &Meter::unlimited()).and_then(|pieces| service.write_whole(pieces));
        (placeholders, log, record.expect("lines can be read"))
    });
    let [(mine, log, json), (theirs, other_log, other_json)] = &told;
    same("the log", &mine.apply(log), &theirs.apply(other_log))?;
    same("the JSON record", &mine.apply(json), &theirs.apply(other_json))?;
    for viewer in viewers(pair, replays[0].position().seats()) {
        let text = [0, 1].map(|side| {
            sides[side].service.text(&replays[side], viewer, None, &Meter::unlimited()).expect("lines can be read")
        });
        let text = [0, 1].map(|side| told[side].0.apply(&text[side]));
        same(&format!("the text record for {viewer}"), &text[0], &text[1])?;
        let last = replays[0].mainline().len();
        let from = last.saturating_sub(PLIES).max(pair.first);
        for ply in from..=last {
            let seen = replays.each_ref().map(|replay| position(replay, ply, viewer));
            same(&format!("the position at ply {ply} for {viewer}"), &seen[0], &seen[1])?;
        }
    }
    Ok(())
}

/// The public, and some seats that may not know.
pub(crate) fn viewers(pair: &Pair, seats: u8) -> Vec<Viewer> {
    let mut numbers = Numbers::new("viewers", pair.rules.about().kind, pair.number as u64);
    let seats = numbers.shuffled(pair.others(seats));
    [Viewer::Public].into_iter().chain(seats.into_iter().take(SEATS).map(Viewer::Seat)).collect()
}

/// Whether each seat whose secret differs sees the difference.
pub(crate) fn owner_tells(pair: &Pair, sides: &[Side; 2]) -> bool {
    let last = |side: usize, seat| sides[side].replay().position().to_json(Viewer::Seat(seat));
    pair.owners.iter().all(|seat| last(0, *seat) != last(1, *seat))
}

/// Everything that a viewer gets of a position.
fn position(replay: &Replay, ply: usize, viewer: Viewer) -> String {
    let position = replay.position_at(ply).expect("the ply exists");
    let done = ply.checked_sub(1).map(|index| &replay.mainline()[index]);
    let before = ply.checked_sub(1).and_then(|ply| replay.position_at(ply));
    let last = before.as_deref().zip(done).map(|(before, done)| (before, done.actor, &*done.action));
    let scene = canonical::to_bytes(&position.scene(viewer, last).to_json()).expect("scenes are canonical");
    let shown: Vec<_> = (1..=ply).map(|ply| replay.shown(ply, viewer)).collect();
    let actors: Vec<Actor> = position.to_act().iter().collect();
    let prompts: Vec<_> = actors.iter().map(|actor| position.prompt(*actor)).collect();
    let legal: Vec<_> =
        actors.iter().filter(|actor| viewer.knows(**actor)).map(|actor| position.legal(*actor)).collect();
    format!(
        "{}\n{}\n{}\n{}\n{shown:?} {actors:?} {prompts:?} {legal:?} {:?}",
        position.to_json(viewer),
        position.key(viewer),
        position.text(viewer),
        String::from_utf8_lossy(&scene),
        position.outcome(),
    )
}
