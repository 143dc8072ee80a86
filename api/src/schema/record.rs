//! Records of games, in every format.

use std::sync::Arc;

use async_graphql::{Context, Enum};
use plybook_rules::Viewer;
use plybook_rules::log::Replay;

use super::game::position_at;
use super::{service, spend};
use crate::draw::svg;
use crate::error::Problem;
use crate::language::Language;
use crate::service::{Analysis, Pieces};
use crate::standalone::standalone;

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
/// A log cannot be read, or the record is larger than an answer may be.
pub fn record(
    ctx: &Context<'_>,
    replay: &Arc<Replay>,
    viewer: Viewer,
    format: RecordFormat,
    analysis: Option<&Analysis>,
    language: Language,
) -> Result<String, Problem> {
    let service = service(ctx);
    match format {
        RecordFormat::Json => {
            let mut pieces = service.record_pieces(replay, None)?;
            if let Some(analysis) = analysis {
                pieces.add_member("analysis", &analysis.to_record());
            }
            pieces.end_line();
            whole(ctx, pieces)
        }
        RecordFormat::Html => {
            let page = standalone(service, replay, language, || whole(ctx, service.record_pieces(replay, None)?))?;
            counted(ctx, page)
        }
        RecordFormat::Ndjson => whole(ctx, service.log_pieces(replay.log(), replay.events())),
        RecordFormat::Text => counted(ctx, service.text(replay, viewer, analysis)?),
        RecordFormat::Svg => {
            let position = position_at(replay, viewer, replay.mainline().len()).expect("it is the last ply");
            let last = position.last.as_ref().map(|(before, actor, action)| (before.as_ref(), *actor, action.as_ref()));
            let scene = position.inner.scene(viewer, last);
            counted(ctx, svg(&scene, DRAWING_WIDTH, &position.inner.text(viewer)))
        }
    }
}

/// All pieces, unless they are larger than an answer may be.
fn whole(ctx: &Context<'_>, mut pieces: Pieces) -> Result<String, Problem> {
    let mut out = Vec::new();
    while !pieces.is_empty() {
        let before = out.len();
        service(ctx).write_piece(&mut pieces, &mut out)?;
        spend(ctx, out.len() - before)?;
    }
    String::from_utf8(out).map_err(Problem::internal)
}

fn counted(ctx: &Context<'_>, text: String) -> Result<String, Problem> {
    spend(ctx, text.len())?;
    Ok(text)
}
