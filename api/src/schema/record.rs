//! Records of games, in every format.

use async_graphql::Enum;
use plybook_rules::Viewer;
use plybook_rules::log::{Replay, record_json};
use plybook_store::EventBytes;

use super::game::position_at;
use crate::draw::svg;
use crate::error::Problem;
use crate::service::Service;

/// The width of a drawn record in pixels.
const DRAWING_WIDTH: u32 = 800;

/// The format of a record.
#[derive(Clone, Copy, PartialEq, Eq, Enum)]
pub enum RecordFormat {
    /// A portable record: a header, and the exact log that proves it.
    Json,
    /// The exact bytes of the log, one event per line.
    Ndjson,
    /// A header and the actions, for people to read.
    Text,
    /// A drawing of the last position.
    Svg,
}

/// A record of a game as `replay` holds it, ignoring anything recorded since.
///
/// # Errors
/// A log cannot be read.
pub fn record(service: &Service, replay: &Replay, viewer: Viewer, format: RecordFormat) -> Result<String, Problem> {
    let lines = || -> Result<Vec<EventBytes>, Problem> {
        let mut lines = service.log().read(replay.log(), 0)?;
        lines.truncate(replay.events() as usize);
        Ok(lines)
    };
    Ok(match format {
        RecordFormat::Json => format!("{}\n", record_json(replay, &lines()?, &service.below(replay.log())?)),
        RecordFormat::Ndjson => lines()?.iter().map(|line| String::from_utf8_lossy(line).into_owned() + "\n").collect(),
        RecordFormat::Text => service.text(replay, viewer)?,
        RecordFormat::Svg => {
            let position = position_at(replay, viewer, replay.mainline().len()).expect("it is the last ply");
            let last = position.last.as_ref().map(|(before, actor, action)| (before.as_ref(), *actor, action.as_ref()));
            svg(&position.inner.scene(viewer, last), DRAWING_WIDTH, &position.inner.text(viewer))
        }
    })
}
