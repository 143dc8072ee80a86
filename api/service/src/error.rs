//! Why requests are refused, and the API's code for each reason.

use plybook_events::Actor;
use plybook_models::{FilterError, ModelError};
use plybook_rules::log::{self, CommandError, DraftError, FoldError, Misfit, PlayError, RecordError, WordError};
use plybook_rules::{AnyPosition, PositionError, SetupError};
use plybook_store::{AppendError, PersonalError, ReadError, StreamError, VaultError};
use plybook_tournaments::log::{self as tournaments, Warning};
use serde_json::{Value, json};

use crate::load::LoadError;

/// After how many milliseconds the engine may be free.
const BUSY_MS: u64 = 1_000;

/// After how many milliseconds the servers of the journal may answer again.
const AWAY_MS: u64 = 5_000;

/// Why a request is refused. Nothing was written, except that [`Problem::Unknown`] leaves it open.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Problem {
    /// It does not exist. Check the id.
    #[error("{0}")]
    NotFound(String),
    /// An argument is invalid; the text says what is valid.
    #[error("{0}")]
    BadInput(String),
    /// The log is too long, or the caller has made as many remarks as one may; the text says what is still possible.
    #[error("{0}")]
    LogFull(String),
    /// The setup is invalid; the text says how to correct it.
    #[error("setup: {0}")]
    BadSetup(String),
    /// The position is invalid; the text says how to correct it.
    #[error("position: {0}")]
    BadPosition(String),
    /// The action is illegal.
    #[error("ply {ply}: {action}: {why}")]
    IllegalAction {
        /// The ply it would have had, from 1.
        ply: usize,
        /// The action as the caller wrote it.
        action: String,
        /// The reason, in words a player understands.
        why: String,
        /// Legal actions with a similar spelling.
        near: Vec<String>,
    },
    /// The signature is missing, or is not of what would be recorded. Sign what the message says, once you have checked
    /// that it is what you want.
    #[error("{0}")]
    BadSignature(String),
    /// Another seat is to act. Wait.
    #[error("{0}")]
    NotYourTurn(String),
    /// The round is not open yet, or due. The text says when.
    #[error("{0}")]
    OutOfTime(String),
    /// The pairing breaks rules. Change it, or force it.
    #[error("the pairing breaks rules: {}", .0.iter().map(|warning| warning.text.as_str()).collect::<Vec<_>>().join("; "))]
    Breaks(Vec<Warning>),
    /// The game is over: no more actions are accepted.
    #[error("the game is over")]
    GameOver,
    /// Another writer got in first. Read the game again and decide again.
    #[error("the log has moved on: its last event is number {head}, not the expected one")]
    LogConflict {
        /// The seq of the last event.
        head: u64,
    },
    /// Somebody has acted since the expected ply. Read the game again and decide again.
    #[error("the game stands at ply {ply}: it is not, or no longer, where this request expects it")]
    PlyConflict {
        /// The last ply.
        ply: usize,
        /// The seq of the last event.
        head: u64,
    },
    /// Somebody else changed the player. Read the player again and decide again.
    #[error("the player has been changed: the last event is number {head}, not the one expected")]
    PlayerConflict {
        /// The seq of the last event.
        head: u64,
    },
    /// An earlier mutation of the request failed. Correct that one, and send both again.
    #[error("not carried out, because a mutation before it in this request failed")]
    NotReached,
    /// The access token is missing or invalid.
    #[error("{0}")]
    Unauthenticated(String),
    /// The access token does not permit it.
    #[error("{0}")]
    Forbidden(String),
    /// The service is read-only until it is restarted.
    #[error("the service cannot write at the moment: nothing was recorded; reading still works")]
    ReadOnly,
    /// The servers of the journal do not answer. Retry a little later.
    #[error(
        "the service cannot write while the servers of its journal do not answer: nothing was recorded; reading still works"
    )]
    Away,
    /// Writing failed at the last moment. Once the service writes again, repeat it with its key, or with
    /// `expectedSeq`: neither records anything twice. Without them, read the game first.
    #[error(
        "writing failed: whether this was recorded is not known until the service writes again; \
         read the game then, before you repeat it"
    )]
    Unknown,
    /// The vault has lost what an event of the game commits to. Tell the operator.
    #[error(
        "the vault has lost what event {seq} of this game commits to: the operator has to restore the vault; \
         other games are not affected"
    )]
    SecretLost {
        /// The seq of the event.
        seq: u64,
    },
    /// This node does not have yet what an event of the game commits to: another node has written it, and the servers do not
    /// tell. Retry a little later, or on another node.
    #[error(
        "this node does not know yet what event {seq} of this game commits to: ask a little later, or another node; \
         nothing was recorded"
    )]
    SecretAwaited {
        /// The seq of the event.
        seq: u64,
    },
    /// It is not begun, or not continued.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The engine is busy, or its client has asked for something else since. Retry a little later.
    #[error("{0}")]
    Busy(String),
    /// The token has added as much as it may in a day.
    #[error(
        "the quota `{quota}` is reached: a token adds at most {most} in a day (UTC); go on tomorrow, or ask the operator to \
         raise it"
    )]
    QuotaReached {
        /// The name of the quota, as in the settings.
        quota: &'static str,
        /// Its size.
        most: u32,
        /// When the next day begins.
        retry_after_ms: u64,
    },
    /// Something failed inside the service; the cause is in its log.
    #[error("something failed inside the service; its log says what")]
    Internal,
}

impl Problem {
    /// The code in `extensions.code`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound(_) => "NOT_FOUND",
            Self::BadInput(_) | Self::LogFull(_) | Self::Breaks(_) => "BAD_INPUT",
            Self::BadSetup(_) | Self::BadPosition(_) => "BAD_SETUP",
            Self::IllegalAction { .. } => "ILLEGAL_ACTION",
            Self::BadSignature(_) => "BAD_SIGNATURE",
            Self::NotYourTurn(_) => "NOT_YOUR_TURN",
            Self::OutOfTime(_) => "OUT_OF_TIME",
            Self::GameOver => "GAME_OVER",
            Self::LogConflict { .. } | Self::PlyConflict { .. } | Self::PlayerConflict { .. } => "LOG_CONFLICT",
            Self::NotReached => "NOT_REACHED",
            Self::Unauthenticated(_) => "UNAUTHENTICATED",
            Self::Forbidden(_) => "FORBIDDEN",
            Self::ReadOnly | Self::Away => "READ_ONLY",
            Self::Unknown => "OUTCOME_UNKNOWN",
            Self::SecretLost { .. } => "SECRET_LOST",
            Self::SecretAwaited { .. } => "BEHIND",
            Self::Load(why) => why.code(),
            Self::Busy(_) | Self::QuotaReached { .. } => "RATE_LIMITED",
            Self::Internal => "INTERNAL",
        }
    }

    /// What a client needs in order to adapt, beside the text: the code and further members.
    pub fn details(&self) -> Vec<(&'static str, Value)> {
        let mut details = match self {
            Self::IllegalAction { ply, action, why, near } => {
                vec![("ply", json!(ply)), ("action", json!(action)), ("why", json!(why)), ("near", json!(near))]
            }
            Self::LogConflict { head } | Self::PlayerConflict { head } => vec![("head", json!(head))],
            Self::PlyConflict { ply, head } => vec![("ply", json!(ply)), ("head", json!(head))],
            Self::Breaks(warnings) => {
                vec![("warnings", warnings.iter().map(warning_value).collect())]
            }
            Self::SecretLost { seq } | Self::SecretAwaited { seq } => vec![("seq", json!(seq))],
            Self::Load(why) => why.details(),
            Self::Busy(_) => vec![("retryAfterMs", json!(BUSY_MS))],
            Self::QuotaReached { quota, most, retry_after_ms } => {
                vec![("quota", json!(quota)), ("limit", json!(most)), ("retryAfterMs", json!(retry_after_ms))]
            }
            Self::Away => vec![("retryAfterMs", json!(AWAY_MS))],
            _ => Vec::new(),
        };
        details.push(("code", json!(self.code())));
        details
    }

    /// Suggests legal actions similar to an illegal one. Must not be used for callers who may not know them:
    /// even the time it takes reveals something about the list.
    #[must_use]
    pub fn suggesting(mut self, position: &dyn AnyPosition, actor: Actor, action: &str) -> Self {
        if let Self::IllegalAction { near, .. } = &mut self {
            *near = log::near(position, actor, action);
        }
        self
    }

    /// An internal failure. Its cause is logged here and not sent to the caller.
    pub fn internal(why: impl std::fmt::Display) -> Self {
        tracing::error!(%why, "internal error");
        Self::Internal
    }

    /// There is no game of this name.
    pub fn no_kind(name: &str) -> Self {
        FilterError::unknown_kind(name).into()
    }

    /// There is no such tournament.
    pub fn no_tournament(id: impl std::fmt::Display) -> Self {
        Self::NotFound(format!("there is no tournament {id}"))
    }

    /// There is no such game.
    pub fn no_game(id: impl std::fmt::Display) -> Self {
        Self::NotFound(format!("there is no game {id}"))
    }
}

fn warning_value(warning: &Warning) -> Value {
    json!({ "rule": warning.rule.name(), "text": warning.text, "table": warning.table })
}

impl From<tournaments::DraftError> for Problem {
    fn from(why: tournaments::DraftError) -> Self {
        match why {
            tournaments::DraftError::Refused(tournaments::CommandError::Breaks(warnings)) => Self::Breaks(warnings),
            why => Self::BadInput(as_argument(&why.to_string())),
        }
    }
}

/// What is said of a setting, which arguments spell another way than logs: `tie_breaks` is `tieBreaks`.
fn as_argument(why: &str) -> String {
    let Some((name, rest)) = why.strip_prefix('`').and_then(|why| why.split_once('`')) else { return why.to_owned() };
    let mut camel = String::new();
    for word in name.split('_') {
        match word.split_at_checked(1) {
            Some((first, others)) if !camel.is_empty() => camel += &(first.to_ascii_uppercase() + others),
            _ => camel += word,
        }
    }
    format!("`{camel}`{rest}")
}

impl From<CommandError> for Problem {
    fn from(refused: CommandError) -> Self {
        match refused {
            CommandError::Over => Self::GameOver,
            CommandError::NotToAct(Actor::Seat(seat)) => {
                Self::NotYourTurn(format!("it is not the turn of seat {seat}"))
            }
            CommandError::NotToAct(Actor::Chance) => Self::NotYourTurn("no roll is awaited".to_owned()),
            CommandError::Illegal { ply, action, why } => Self::IllegalAction { ply, action, why, near: Vec::new() },
            CommandError::TooEarly(_) | CommandError::TooLate(_) => Self::OutOfTime(refused.to_string()),
            CommandError::Full(why) => Self::LogFull(why),
            CommandError::Bad(why) => Self::BadInput(why),
        }
    }
}

impl From<SetupError> for Problem {
    fn from(why: SetupError) -> Self {
        Self::BadSetup(why.0)
    }
}

impl From<PositionError> for Problem {
    fn from(why: PositionError) -> Self {
        Self::BadPosition(why.0)
    }
}

impl From<RecordError> for Problem {
    fn from(why: RecordError) -> Self {
        Self::BadInput(why.to_string())
    }
}

impl From<PlayError> for Problem {
    fn from(refused: PlayError) -> Self {
        let PlayError { ply, word, why, near } = refused;
        match why {
            WordError::WhoseTurn(_) => Self::BadInput(format!("ply {ply}: {}", shorten(&why.to_string(), 200))),
            WordError::Action(why) => {
                Self::IllegalAction { ply, action: shorten(&word, 100), why: why.to_string(), near }
            }
        }
    }
}

/// Shortens a caller's text for use in an error message.
fn shorten(text: &str, chars: usize) -> String {
    text.chars().take(chars).collect()
}

impl From<AppendError> for Problem {
    fn from(why: AppendError) -> Self {
        match why {
            AppendError::Conflict { head, .. } => Self::LogConflict { head: head.map_or(0, |head| head.seq()) },
            AppendError::ReadOnly => Self::ReadOnly,
            AppendError::Away => Self::Away,
            AppendError::TooLarge { .. } => Self::BadInput(format!("{why}: record it in several steps")),
            AppendError::Unknown => Self::Unknown,
            // Two requests with the same key came at once. The caller gets the answer to the one that was recorded.
            AppendError::Repeated => Self::Internal,
            other => Self::internal(other),
        }
    }
}

impl From<ReadError> for Problem {
    fn from(why: ReadError) -> Self {
        Self::internal(why)
    }
}

impl From<FilterError> for Problem {
    fn from(why: FilterError) -> Self {
        Self::BadInput(why.0)
    }
}

impl From<ModelError> for Problem {
    fn from(why: ModelError) -> Self {
        Self::internal(why)
    }
}

impl From<VaultError> for Problem {
    fn from(why: VaultError) -> Self {
        match why {
            VaultError::ReadOnly => Self::ReadOnly,
            VaultError::Stream(StreamError::Unanswered { .. }) => Self::Away,
            other => Self::internal(other),
        }
    }
}

impl From<PersonalError> for Problem {
    fn from(why: PersonalError) -> Self {
        match why {
            PersonalError::ReadOnly => Self::ReadOnly,
            PersonalError::Stream(StreamError::Unanswered { .. }) => Self::Away,
            other => {
                tracing::error!(why = %other, "personal data cannot be written");
                Self::ReadOnly
            }
        }
    }
}

impl From<FoldError> for Problem {
    fn from(why: FoldError) -> Self {
        match why.why {
            Misfit::Sealed => Self::SecretLost { seq: why.seq },
            _ => Self::internal(why),
        }
    }
}

impl From<DraftError> for Problem {
    fn from(why: DraftError) -> Self {
        match why {
            DraftError::Command(refused) => refused.into(),
            DraftError::Setup(why) => why.into(),
            DraftError::Position(why) => why.into(),
            DraftError::Kind(_) | DraftError::Seats { .. } | DraftError::Event(_) | DraftError::SeedElsewhere => {
                Self::BadInput(why.to_string())
            }
            DraftError::Signature(_) | DraftError::Unsigned(_) => Self::BadSignature(why.to_string()),
            DraftError::Fold(why) => why.into(),
            DraftError::Unended => Self::internal(why),
            DraftError::Lost(seq) => Self::SecretLost { seq },
        }
    }
}
