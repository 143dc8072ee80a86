//! The feed over HTTP: as NDJSON, for polls of any length, and as Server-Sent Events.
//!
//! # Source
//! Server-Sent Events: <https://html.spec.whatwg.org/multipage/server-sent-events.html>

mod query;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, HeaderName};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::stream::{self, BoxStream, StreamExt};
use plybook_http::{AS_IT_IS, Closing, PoolShare, Site};
use plybook_service::access::{Caller, Desk};
use plybook_service::error::Problem;
use plybook_service::load::Execution;
use plybook_service::{Feed, FeedPage, FeedPageSize, FeedStart, Service};
use tokio::sync::mpsc;
use tokio::time::{sleep, sleep_until};
use tokio_stream::wrappers::ReceiverStream;

use self::query::{FeedQuery, Until};
use super::work::refused;

/// The price of a piece of a feed in units.
const FEED_UNITS: u64 = 100;

/// The size of what is read at once. A single event may exceed it.
const SIZE: FeedPageSize = FeedPageSize { events: 64, bytes: 8 << 10 };

/// The memory that a feed holds, in bytes. What long events take beyond that is added.
const HELD_BYTES: u64 = 16 << 10;

/// How many pieces of an answer can be in memory: one being made, one waiting, one on its way.
const PIECES: u64 = 3;

/// When a browser connects again after a lost connection, in milliseconds.
const RETRY_MS: u64 = 2_000;

/// The header with which a browser resumes.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// Tells nginx to pass on what comes when it comes.
const ACCEL_BUFFERING: (HeaderName, &str) = (HeaderName::from_static("x-accel-buffering"), "no");

/// How events are written.
#[derive(Clone, Copy, Debug)]
enum Form {
    Ndjson,
    Sse,
}

/// A feed that is being sent.
struct Following {
    feed: Feed,
    form: Form,
    until: Until,
    heartbeat: Duration,
    closing: Closing,
    held: PoolShare,
    /// A place among the subscriptions, unless the answer ends at once.
    _place: Option<PoolShare>,
}

/// The events, one per line: `{"cursor": …, "event": …}`. The last line has only a `cursor`, from which the next request
/// continues; in between, such a line says how far the feed has come.
pub(super) async fn ndjson(request: HttpRequest, service: web::Data<Service>) -> HttpResponse {
    let query = FeedQuery::of(&request).and_then(|query| Ok((query.until()?, query)));
    match query {
        Ok((until, query)) => answer_with(&request, service.into_inner(), query, Form::Ndjson, until).await,
        Err(problem) => refused(&problem),
    }
}

/// The events as Server-Sent Events, for ever: `id` is the cursor, `data` the event. `Last-Event-ID` takes precedence
/// over `after`.
pub(super) async fn sse(request: HttpRequest, service: web::Data<Service>) -> HttpResponse {
    let mut query = match FeedQuery::of(&request) {
        Ok(query) => query,
        Err(problem) => return refused(&problem),
    };
    if query.wait.is_some() || query.follow.is_some() {
        return refused(&Problem::BadInput(
            "`wait` and `follow` are for /changes.ndjson: this answer never ends".into(),
        ));
    }
    if let Some(last) = request.headers().get(LAST_EVENT_ID) {
        query.after = Some(last.to_str().unwrap_or_default().to_owned());
    }
    answer_with(&request, service.into_inner(), query, Form::Sse, Until::Closed).await
}

/// Begins the feed, and sends it as the client takes it.
async fn answer_with(
    request: &HttpRequest,
    service: Arc<Service>,
    query: FeedQuery,
    form: Form,
    until: Until,
) -> HttpResponse {
    let site = request.app_data::<web::Data<Site>>().expect("the app is made with its site");
    let (execution, mut held) = site.admit(request);
    let place = match until {
        Until::CaughtUp => Ok(None),
        _ => site.subscribe(request).map(Some),
    };
    let place = match place {
        Ok(place) => place,
        Err(why) => return refused(&why.into()),
    };
    if let Err(why) = held.grow_to(HELD_BYTES).await {
        return refused(&why.into());
    }
    let (heartbeat, closing) = (site.heartbeat(), site.closing.clone());
    let begin = move || {
        let start = FeedStart::read(query.after.as_deref())?;
        let filter = query.filter(&service)?;
        let feed = Desk::new(&service, Caller::SPECTATOR).feed(filter, start, false)?;
        Ok(Following { feed, form, until, heartbeat, closing, held, _place: place })
    };
    let mut pieces = match sent(&execution, begin) {
        Ok(pieces) => pieces,
        Err(problem) => return refused(&problem),
    };
    let first = match pieces.next().await {
        Some(Ok(first)) => first,
        Some(Err(problem)) => return refused(&problem),
        None => return refused(&Problem::Internal),
    };
    let mut answer = HttpResponse::Ok();
    answer.insert_header((CONTENT_TYPE, form.media())).insert_header((CACHE_CONTROL, "no-store"));
    if !matches!(until, Until::CaughtUp) {
        // A compressed stream would wait for more to compress.
        answer.insert_header((CONTENT_ENCODING, AS_IT_IS)).insert_header(ACCEL_BUFFERING);
    }
    let rest = pieces.map(|piece| piece.map_err(|problem| io::Error::other(problem.to_string())));
    // A piece of nothing would end the answer.
    answer.streaming(stream::iter(Some(first).filter(|first| !first.is_empty()).map(Ok)).chain(rest))
}

/// The pieces of a feed, made by one task on the workers; the first, which may be empty, says that it has begun. A
/// client that has spent its budget gets them later.
fn sent(
    execution: &Arc<Execution>,
    begin: impl FnOnce() -> Result<Following, Problem> + Send + 'static,
) -> Result<BoxStream<'static, Result<Bytes, Problem>>, Problem> {
    let (told, heard) = mpsc::channel(1);
    let paying = Arc::clone(execution);
    let task = execution.execute(async move {
        let send = async {
            paying.admit(FEED_UNITS).await?;
            let mut following = begin()?;
            let mut piece = Some(following.first());
            while let Some(made) = piece {
                if told.send(Ok(made)).await.is_err() {
                    return Ok(());
                }
                paying.pay(FEED_UNITS).await;
                piece = following.next().await?;
            }
            Ok(())
        };
        if let Err(problem) = send.await {
            // If nobody hears it, the client has gone.
            let _ = told.send(Err(problem)).await;
        }
    })?;
    // Dropping the stream drops the task.
    Ok(ReceiverStream::new(heard).map(move |piece| (piece, &task).0).boxed())
}

impl Following {
    /// What is sent at once: of an answer that goes on for ever, where it begins.
    fn first(&mut self) -> Bytes {
        let start = match (self.form, self.until) {
            (Form::Sse, _) => format!("retry: {RETRY_MS}\n"),
            (Form::Ndjson, Until::Closed) => String::new(),
            (Form::Ndjson, _) => return Bytes::new(),
        };
        let mut piece = start.into_bytes();
        self.form.write(&self.feed.bookmark(), &mut piece);
        piece.into()
    }

    /// The next piece; `None` after the last.
    async fn next(&mut self) -> Result<Option<Bytes>, Problem> {
        loop {
            if let Until::Over = self.until {
                return Ok(None);
            }
            if let Some(page) = self.feed.next_page(SIZE)? {
                if !page.events.is_empty() && matches!(self.until, Until::Happens(_)) {
                    self.until = Until::CaughtUp;
                }
                return Ok(Some(self.piece(&page)));
            }
            let is_over = match self.until {
                Until::CaughtUp | Until::Over => true,
                Until::Happens(end) => tokio::select! {
                    () = self.feed.grown() => continue,
                    () = sleep_until(end) => true,
                    () = self.closing.now.cancelled() => true,
                },
                Until::Closed => tokio::select! {
                    () = self.feed.grown() => continue,
                    () = sleep(self.heartbeat) => false,
                    () = self.closing.now.cancelled() => true,
                },
            };
            if is_over {
                self.until = Until::Over;
            }
            let page = self.feed.bookmark();
            return Ok(Some(self.piece(&page)));
        }
    }

    /// Writes a page, and counts what it takes.
    fn piece(&mut self, page: &FeedPage) -> Bytes {
        let mut piece = Vec::new();
        self.form.write(page, &mut piece);
        let needed = HELD_BYTES.max(PIECES * piece.len() as u64);
        self.held.set(needed);
        piece.into()
    }
}

impl Form {
    fn media(self) -> &'static str {
        match self {
            Self::Ndjson => "application/x-ndjson",
            Self::Sse => "text/event-stream",
        }
    }

    /// Writes the events of a page; of a page without any, only the cursor. Events are canonical JSON, in which there
    /// are no line feeds.
    fn write(self, page: &FeedPage, out: &mut Vec<u8>) {
        for event in &page.events {
            let cursor = event.cursor.to_string();
            let [start, end]: [&str; 2] = match self {
                Self::Ndjson => [&format!("{{\"cursor\":\"{cursor}\",\"event\":"), "}\n"],
                Self::Sse => [&format!("id: {cursor}\ndata: "), "\n\n"],
            };
            out.extend_from_slice(start.as_bytes());
            out.extend_from_slice(&event.bytes);
            out.extend_from_slice(end.as_bytes());
        }
        if page.events.is_empty() {
            let line = match self {
                Self::Ndjson => format!("{{\"cursor\":\"{}\"}}\n", page.cursor),
                Self::Sse => format!("id: {}\n\n", page.cursor),
            };
            out.extend_from_slice(line.as_bytes());
        }
    }
}
