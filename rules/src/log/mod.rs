//! The meaning of a game's log: commands in, events out; events in, positions out.

mod apply;
mod command;
mod commitments;
mod draft;
mod fault;
mod imports;
mod limits;
mod line;
mod misfit;
mod order;
mod profile;
mod record;
mod refold;
mod replay;
mod secret;
mod standing;
mod text;
mod unopened;
mod verify;
mod words;

pub use command::{Command, CommandError, NAME_CHARS_MAX, NewEvent, begun, decide};
pub use commitments::Breach;
pub use draft::{Draft, DraftError, FinishedDraft, NewLine, Source};
pub use fault::{Fault, FaultKind};
pub use limits::{ARRANGED_MAX, COMMENTS_MAX, EVENTS_MAX, EVENTS_RESERVED, OFFERS_MAX, RECORDED_COMMENTS_MAX};
pub use line::FORKS_MAX;
pub use misfit::{FoldError, Misfit};
pub use order::Disorder;
pub use profile::{PlayerKey, Profile, ProfileError};
pub use record::{
    Below, RecordError, RecordLog, RecordPart, RecordedLog, cursor, line_parts, logs_of_json, read_record, record_json,
    record_parts, split_records, word_at,
};
pub use refold::{Difference, Discrepancy, Judgement, Refold, Verdict};
pub use replay::{DrawOffer, Ply, Replay, Secrets, revealed};
pub use secret::Secret;
pub use standing::{End, Standing, Status};
pub use text::{TextRecord, record_text};
pub use unopened::UnopenedCommitment;
pub use verify::{Find, LogBytes, Signer, Verification, Verifier, verify};
pub use words::{LastAction, PlayError, WordError, near, play, split_word, word};
