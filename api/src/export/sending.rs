//! An export in progress: written on the workers, piece by piece, and charged to the memory that clients
//! share.

use std::io;
use std::sync::Arc;

use actix_web::web::Bytes;
use futures_util::stream::{self, Stream};
use plybook_events::LogId;
use plybook_http::PoolShare;
use plybook_models::Summary;
use plybook_rules::log::{cursor, record_json};
use plybook_service::error::Problem;
use plybook_service::load::{Execution, Meter};
use plybook_service::{Pieces, Service};
use serde_json::{Value, json};

/// The size of a piece in bytes, without the last thing written to it.
const PIECE_BYTES: usize = 64 << 10;

/// The price of a piece after the first, in units.
const PIECE_UNITS: u64 = 500;

/// The largest number of games in a piece.
const PIECE_GAMES: usize = 64;

/// The memory that an export holds while it is in progress: the piece being written, the page it is written
/// from, and the previous piece, which the connection holds twice.
const HELD_BYTES: u64 = 4 * PIECE_BYTES as u64;

/// The content of an export.
pub(super) struct Content {
    games: std::vec::IntoIter<LogId>,
    /// Whether the records include events and lines.
    with_events: bool,
    /// The rest of the log, or of the last game.
    pieces: Pieces,
}

/// An export that is being sent.
pub(super) struct Sending {
    service: Arc<Service>,
    execution: Arc<Execution>,
    held: PoolShare,
    content: Content,
    /// The next piece.
    piece: Bytes,
}

impl Content {
    /// The lines of a log before seq `end`.
    pub(super) fn log(service: &Service, id: LogId, end: u64) -> Self {
        Self { games: Vec::new().into_iter(), with_events: true, pieces: service.log_pieces(id, end) }
    }

    /// The records of games.
    pub(super) fn games(games: Vec<LogId>, with_events: bool) -> Self {
        Self { games: games.into_iter(), with_events, pieces: Pieces::default() }
    }

    /// The next piece; empty at the end.
    fn write(&mut self, service: &Service) -> Result<Bytes, Problem> {
        let mut out = Vec::new();
        let mut room = PIECE_GAMES;
        while out.len() < PIECE_BYTES {
            if !self.pieces.is_empty() {
                service.write_piece(&mut self.pieces, &mut out)?;
                continue;
            }
            let Some(id) = (room > 0).then(|| self.games.next()).flatten() else { break };
            let game = service.models().known().games.get(id).ok_or(Problem::Internal)?;
            self.begin(service, &game, &mut out)?;
            room -= 1;
        }
        Ok(out.into())
    }

    /// Begins the line of a game. A game that cannot be read does not keep others from being sent.
    fn begin(&mut self, service: &Service, game: &Summary, out: &mut Vec<u8>) -> Result<(), Problem> {
        let id = game.id;
        let glanced = service.glance_at(id);
        if self.with_events {
            let place = cursor(game.created_at, id);
            let unlimited = Meter::unlimited();
            let pieces = glanced.and_then(|(replay, _)| service.record_pieces(&replay, Some(place), &unlimited));
            match pieces.and_then(|pieces| service.check_lines(&pieces).map(|()| pieces)) {
                Ok(mut pieces) => {
                    pieces.end_line();
                    self.pieces = pieces;
                    return Ok(());
                }
                Err(why) => return unreadable(game, why, out),
            }
        }
        let (replay, head) = match glanced {
            Ok(glanced) => glanced,
            Err(why) => return unreadable(game, why, out),
        };
        let mut record = record_json(&replay, &[], &[]);
        if let Some(members) = record.as_object_mut() {
            members.remove("events");
        }
        record["head"] = json!(head);
        record["cursor"] = cursor(game.created_at, id).into();
        write_line(&record, out)
    }
}

/// Writes the line of a game that cannot be read.
fn unreadable(game: &Summary, why: Problem, out: &mut Vec<u8>) -> Result<(), Problem> {
    if !matches!(why, Problem::SecretLost { .. } | Problem::Internal) {
        return Err(why);
    }
    let cursor = cursor(game.created_at, game.id);
    let told = json!({
        "game": game.id, "kind": game.kind, "error": why.to_string(), "code": why.code(), "cursor": cursor,
    });
    write_line(&told, out)
}

fn write_line(value: &Value, out: &mut Vec<u8>) -> Result<(), Problem> {
    serde_json::to_writer(&mut *out, value).map_err(Problem::internal)?;
    out.push(b'\n');
    Ok(())
}

impl Sending {
    /// Writes the first piece, once the client's budget and the memory cover it.
    pub(super) async fn begin(
        service: Arc<Service>,
        execution: Arc<Execution>,
        mut held: PoolShare,
        units: u64,
        content: impl FnOnce(&Service) -> Result<Content, Problem> + Send + 'static,
    ) -> Result<Self, Problem> {
        held.grow_to(HELD_BYTES).await?;
        let admitted = Arc::clone(&execution);
        let task = async move {
            admitted.admit(units.min(admitted.limit())).await?;
            let content = content(&service)?;
            Self { service, execution: admitted, held, content, piece: Bytes::new() }.write()
        };
        execution.execute(task)?.await.unwrap_or(Err(Problem::Internal))
    }

    /// The pieces. A client that has spent its budget gets them later.
    pub(super) fn pieces(self) -> impl Stream<Item = io::Result<Bytes>> {
        stream::unfold(Some(self), |sending| async {
            let mut sending = sending?;
            let piece = std::mem::take(&mut sending.piece);
            if piece.is_empty() {
                return None;
            }
            match sending.next().await {
                Ok(next) => Some((Ok(piece), Some(next))),
                Err(problem) => Some((Err(io::Error::other(problem.to_string())), None)),
            }
        })
    }

    async fn next(self) -> Result<Self, Problem> {
        let execution = Arc::clone(&self.execution);
        execution.pay(PIECE_UNITS).await;
        execution.execute(async move { self.write() })?.await.unwrap_or(Err(Problem::Internal))
    }

    /// Writes the next piece. The rest of a record's text counts too, since it is in memory already.
    fn write(mut self) -> Result<Self, Problem> {
        self.piece = self.content.write(&self.service)?;
        let needed = HELD_BYTES + (self.content.pieces.bytes() + self.piece.len()) as u64;
        self.held.set(needed);
        Ok(self)
    }
}
