//! What is asked of a feed.

use std::str::FromStr;
use std::time::Duration;

use actix_web::{HttpRequest, web};
use plybook_models::Filter;
use plybook_service::Service;
use plybook_service::error::Problem;
use serde::Deserialize;
use tokio::time::Instant;

/// The longest wait for something to happen, in seconds.
const WAIT_S_MAX: u64 = 60;

/// Which events are sent, and until when: the parameters as they are written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FeedQuery {
    /// A cursor, or `now`; the beginning if it is missing.
    pub(super) after: Option<String>,
    /// How long to wait for something to happen, in seconds.
    pub(super) wait: Option<String>,
    /// Whether the answer goes on for ever.
    pub(super) follow: Option<String>,
    kind: Option<String>,
    /// `recorded` or `analysis`.
    origin: Option<String>,
    tournament: Option<String>,
    round: Option<String>,
    player: Option<String>,
    tag: Option<String>,
}

/// When an answer ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Until {
    /// When everything recorded so far has been sent.
    CaughtUp,
    /// The same, but if there is nothing, only after the first event or at this time.
    Happens(Instant),
    /// When the service shuts down.
    Closed,
    /// It has ended.
    Over,
}

impl FeedQuery {
    pub(super) fn of(request: &HttpRequest) -> Result<Self, Problem> {
        let query = web::Query::<Self>::from_query(request.query_string());
        query.map(web::Query::into_inner).map_err(|why| Problem::BadInput(why.to_string()))
    }

    /// When the answer ends.
    ///
    /// # Errors
    /// The parameters contradict each other, or the wait is too long.
    pub(super) fn until(&self) -> Result<Until, Problem> {
        let seconds = format!("a number of seconds, 0 to {WAIT_S_MAX}");
        let wait: Option<u64> = read("wait", self.wait.as_ref(), &seconds)?;
        let follows = read("follow", self.follow.as_ref(), "true or false")?.unwrap_or(false);
        match wait {
            None if follows => Ok(Until::Closed),
            None => Ok(Until::CaughtUp),
            Some(_) if follows => Err(Problem::BadInput("`wait` or `follow`, not both".to_owned())),
            Some(s @ 0..=WAIT_S_MAX) => Ok(Until::Happens(Instant::now() + Duration::from_secs(s))),
            Some(_) => Err(Problem::BadInput(format!("`wait` is {seconds}"))),
        }
    }

    /// The games whose events are sent.
    ///
    /// # Errors
    /// A parameter is malformed, or no game can match.
    pub(super) fn filter(&self, service: &Service) -> Result<Filter, Problem> {
        let is_analysis = match self.origin.as_deref() {
            None | Some("recorded") => false,
            Some("analysis") => true,
            Some(_) => return Err(Problem::BadInput("`origin` is recorded or analysis".to_owned())),
        };
        let player = read("player", self.player.as_ref(), "an id")?;
        // A player who was merged stands for the one they were merged into.
        let survivor = |id| service.models().known().players.survivor(id);
        let filter = Filter {
            kind: self.kind.clone(),
            is_analysis: Some(is_analysis),
            tournament: read("tournament", self.tournament.as_ref(), "an id")?,
            round: read("round", self.round.as_ref(), "a number, from 1")?,
            players: player.map(survivor).into_iter().collect(),
            tags: self.tag.iter().cloned().collect(),
            ..Filter::default()
        };
        Ok(filter.checked()?)
    }
}

/// Reads a parameter, which is `what`.
fn read<T: FromStr>(name: &str, text: Option<&String>, what: &str) -> Result<Option<T>, Problem> {
    let read = |text: &String| text.parse().map_err(|_| Problem::BadInput(format!("`{name}` is {what}")));
    text.map(read).transpose()
}
