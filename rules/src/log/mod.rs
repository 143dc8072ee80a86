//! What a game's log means: commands in, events out; events in, positions out.

mod command;
mod draft;
mod line;
mod replay;
mod secret;

pub use command::{Command, Decided, NAME_CHARS_MAX, Refused, begun, decide, near};
pub use draft::{Draft, DraftError, Drafted, NewLine, Source, rolled, wanted};
pub use line::FORKS_MAX;
pub use replay::{DrawOffer, End, FoldError, Misfit, Ply, Replay, Secrets, Status, revealed};
pub use secret::Secret;
