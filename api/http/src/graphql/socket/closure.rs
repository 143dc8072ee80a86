//! Why the server closes a socket.

use std::io;
use std::num::NonZeroU32;

use actix_ws::{CloseCode, CloseReason, ProtocolError};
use plybook_service::load::AdmissionError;

use crate::pool::Exhausted;

/// Why the server closes a socket. Clients decide by the code whether to reconnect.
///
/// # Source
/// RFC 6455, 7.4.1; the protocol's document for those from 4400.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Closure {
    /// 1001: reconnect in a moment.
    #[error("the service is shutting down")]
    GoingAway,
    #[error("a frame violates the WebSocket protocol")]
    Protocol,
    #[error("messages are text")]
    Binary,
    #[error("a message is not UTF-8")]
    NotText,
    #[error("a message is larger than {limit} bytes")]
    TooLarge { limit: usize },
    /// 1013: reconnect and read faster.
    #[error("answers were left unread for too long")]
    Unread,
    /// 1008: the client sends too many messages.
    #[error("more than {limit} messages in a second")]
    Flood { limit: NonZeroU32 },
    /// 1013: reconnect with fewer sockets, or later.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// 1013: what the client sends takes more time to read than it may use.
    #[error(transparent)]
    NotAdmitted(AdmissionError),
    #[error("invalid message: {why}")]
    Invalid { why: String },
    #[error("Unauthorized")]
    Unauthorized,
    #[error("Forbidden")]
    Forbidden,
    #[error("Subprotocol not acceptable")]
    Subprotocol,
    #[error("Connection initialisation timeout")]
    InitTimeout,
    #[error("Subscriber for {id} already exists")]
    Duplicate { id: String },
    #[error("Too many initialisation requests")]
    TooManyInits,
}

impl Closure {
    fn code(&self) -> CloseCode {
        match self {
            Self::GoingAway => CloseCode::Away,
            Self::Protocol => CloseCode::Protocol,
            Self::Binary => CloseCode::Unsupported,
            Self::NotText => CloseCode::Invalid,
            Self::TooLarge { .. } => CloseCode::Size,
            Self::Unread | Self::Exhausted(_) | Self::NotAdmitted(_) => CloseCode::Again,
            Self::Flood { .. } => CloseCode::Policy,
            Self::Invalid { .. } => CloseCode::Other(4400),
            Self::Unauthorized => CloseCode::Other(4401),
            Self::Forbidden => CloseCode::Other(4403),
            Self::Subprotocol => CloseCode::Other(4406),
            Self::InitTimeout => CloseCode::Other(4408),
            Self::Duplicate { .. } => CloseCode::Other(4409),
            Self::TooManyInits => CloseCode::Other(4429),
        }
    }

    /// What a failure to read a message means; `limit` is the size limit of a message.
    pub(super) fn of(error: &ProtocolError, limit: usize) -> Self {
        match error {
            ProtocolError::Overflow => Self::TooLarge { limit },
            ProtocolError::Io(error) if error.kind() == io::ErrorKind::InvalidData => Self::NotText,
            ProtocolError::Io(error) if error.kind() == io::ErrorKind::Other => Self::TooLarge { limit },
            _ => Self::Protocol,
        }
    }
}

impl From<Closure> for CloseReason {
    fn from(closure: Closure) -> Self {
        Self { code: closure.code(), description: Some(closure.to_string()) }
    }
}
