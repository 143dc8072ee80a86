//! Records of games, in every format.

use std::sync::Arc;

use async_graphql::Enum;
use plybook_rules::Viewer;
use plybook_rules::log::Replay;
use plybook_service::error::Problem;
use plybook_service::load::Meter;
use plybook_service::{Analysis, Pieces, Service};
use plybook_viewer::draw::svg;
use plybook_viewer::language::Language;
use plybook_viewer::standalone::standalone;

use super::plies::position_at;

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
    /// One page that shows the replay with no service: the viewer, the rules and the record. Games of secrets have one
    /// once they are over.
    Html,
}

/// A record of a game in the state of `replay`, ignoring anything recorded since; with an analysis of that state, if there
/// is one and the format has a place for it; a page is in `language`.
///
/// # Errors
/// A log cannot be read, or the record is larger than an answer may be or takes too long.
pub fn record(
    service: &Service,
    replay: &Arc<Replay>,
    viewer: Viewer,
    format: RecordFormat,
    analysis: Option<&Analysis>,
    language: Language,
    meter: &Meter<'_>,
) -> Result<String, Problem> {
    match format {
        RecordFormat::Json => {
            let mut pieces = service.record_pieces(replay, None, meter)?;
            if let Some(analysis) = analysis {
                pieces.add_member("analysis", &analysis.to_record());
            }
            pieces.end_line();
            whole(service, pieces, meter)
        }
        RecordFormat::Html => {
            let page = standalone(service, replay, language, || {
                whole(service, service.record_pieces(replay, None, meter)?, meter)
            })?;
            counted(page, meter)
        }
        RecordFormat::Ndjson => whole(service, service.log_pieces(replay.log(), replay.events()), meter),
        RecordFormat::Text => counted(service.text(replay, viewer, analysis, meter)?, meter),
        RecordFormat::Svg => {
            let position = position_at(replay, viewer, replay.mainline().len()).expect("it is the last ply");
            let last = position.last.as_ref().map(|(before, actor, action)| (before.as_ref(), *actor, action.as_ref()));
            let scene = position.inner.scene(viewer, last);
            counted(svg(&scene, DRAWING_WIDTH, &position.inner.text(viewer)), meter)
        }
    }
}

/// All pieces, unless they are larger than an answer may be.
fn whole(service: &Service, mut pieces: Pieces, meter: &Meter<'_>) -> Result<String, Problem> {
    let mut out = Vec::new();
    while !pieces.is_empty() {
        let before = out.len();
        service.write_piece(&mut pieces, &mut out)?;
        meter.spend(out.len() - before)?;
    }
    String::from_utf8(out).map_err(Problem::internal)
}

fn counted(text: String, meter: &Meter<'_>) -> Result<String, Problem> {
    meter.spend(text.len())?;
    Ok(text)
}
