//! Why a stream cannot be written or read.

use std::path::PathBuf;

/// Why a stream cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// The servers are away, have no leader, or do not let this account ask. Tell the operator; it may work later.
    #[error("the servers of the stream {stream} do not answer: {why}")]
    Unanswered {
        /// The stream.
        stream: String,
        /// What was heard last.
        why: String,
    },
    /// `JetStream` refused. Tell the operator.
    #[error("JetStream refuses for the stream {stream}: {why} ({code})")]
    Refused {
        /// The stream.
        stream: String,
        /// `JetStream`'s code.
        code: u64,
        /// `JetStream`'s reason.
        why: String,
    },
    /// There is no such stream.
    #[error("there is no stream {0}")]
    NotThere(String),
    /// The stream is configured so that what was acknowledged could be lost. Change the setting.
    #[error("the stream {stream} is not safe: {setting} is {found} and has to be {needed}")]
    Unsafe {
        /// The stream.
        stream: String,
        /// The setting, as `JetStream` names it.
        setting: String,
        /// What it is.
        found: String,
        /// What it has to be.
        needed: String,
    },
    /// The stream does not hold what was written. Restore it from a copy.
    #[error("message {sequence} of the stream {stream}: {why}")]
    Damaged {
        /// The stream.
        stream: String,
        /// The message.
        sequence: u64,
        /// What is wrong.
        why: &'static str,
    },
    /// A value is too large for a message. Nothing was written.
    #[error("{bytes} bytes for the stream {stream}, whose messages hold at most {max}")]
    TooLarge {
        /// The stream.
        stream: String,
        /// Its bytes.
        bytes: usize,
        /// The most that fit.
        max: usize,
    },
    /// The file with the credentials cannot be read.
    #[error("{}: {source}", path.display())]
    Credentials {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: std::io::Error,
    },
}
